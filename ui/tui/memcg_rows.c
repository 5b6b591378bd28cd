/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcgs.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"

/* With more dying memcgs than this they become one row. */
#define MANY_DYING 5

static struct memcg_row *row_add(struct memcgs *v, const struct memcg_step *m, uint32_t page_size)
{
	struct memcg_row *row;

	if (v->nrows == v->cap) {
		v->cap = v->cap ? v->cap * 2 : 64;
		v->rows = mem_grow(v->rows, (size_t)v->cap * sizeof(*v->rows));
	}
	row = &v->rows[v->nrows++];
	*row = (struct memcg_row){ .m = m, .page_size = page_size, .depth = -1, .parent = -1, .first = -1,
				   .last = -1, .next = -1 };
	return row;
}

void memcg_rows_fini(struct memcgs *v)
{
	free(v->rows);
	free(v->slots);
	sheet_fini(&v->sheet);
}

static uint32_t count_dying(const struct step *st)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < st->nmemcgs; i++)
		n += st->memcgs[i].dying;
	return n;
}

static void add_dead(struct memcg_row *all, const struct memcg_step *m)
{
	all->dead++;
	for (int type = 0; type < TYPE_NR; type++)
		all->dead_pages[type] += m->lru_pages[type] == UNKNOWN ? 0 : m->lru_pages[type];
}

void memcg_rows_make(struct tui *t, struct memcgs *v)
{
	const struct step *st = t->frame.step;
	struct memcg_row all = { .m = NULL, .depth = -1, .parent = -1, .first = -1, .last = -1, .next = -1 };
	uint32_t page_size = st->now->machine.page_size ? st->now->machine.page_size : 4096;
	bool many;

	v->nrows = 0;
	v->dying = count_dying(st);
	many = v->dying > MANY_DYING && !v->each_dying;
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];

		if (!tui_passes(t, m->path))
			continue;
		if (many && m->dying)
			add_dead(&all, m);
		else
			row_add(v, m, page_size);
	}
	v->shown = (uint32_t)v->nrows + all.dead;
	if (all.dead) {
		all.page_size = page_size;
		*row_add(v, NULL, page_size) = all;
	}
	sheet_begin(&v->sheet);
	for (int i = 0; i < v->nrows; i++)
		sheet_add(&v->sheet, &v->rows[i]);
}

/* --- the tree --- */

static uint64_t hash_of(const char *path, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)path[i]) * 0x100000001b3u;
	return hash ^ hash >> 29;
}

static bool is_path(const struct memcg_row *row, const char *path, size_t len)
{
	return row->m && !strncmp(row->m->path, path, len) && !row->m->path[len];
}

/* The slot of a path: its row's, or the empty one where it would go. */
static int *slot_of(struct memcgs *v, const char *path, size_t len)
{
	int i = (int)(hash_of(path, len) & (uint64_t)(v->nslots - 1));

	while (v->slots[i] >= 0 && !is_path(&v->rows[v->slots[i]], path, len))
		i = (i + 1) & (v->nslots - 1);
	return &v->slots[i];
}

static void fill_slots(struct memcgs *v)
{
	int need = 64;

	while (need < v->nrows * 2)
		need *= 2;
	if (need > v->nslots) {
		v->slots = mem_grow(v->slots, (size_t)need * sizeof(*v->slots));
		v->nslots = need;
	}
	memset(v->slots, 0xff, (size_t)v->nslots * sizeof(*v->slots));
	for (int i = 0; i < v->nrows; i++) {
		const struct memcg_step *m = v->rows[i].m;
		int *slot = m ? slot_of(v, m->path, strlen(m->path)) : NULL;

		/* Of several with one path the living one has the children. */
		if (slot && (*slot < 0 || !m->dying))
			*slot = i;
	}
}

/* The nearest ancestor that has a row, -1 where none has. */
static int parent_of(struct memcgs *v, const struct memcg_step *m)
{
	size_t len = strlen(m->path);

	while (len > 1) {
		int found;

		while (len > 1 && m->path[len - 1] != '/')
			len--;
		len -= len > 1;
		found = *slot_of(v, m->path, len);
		if (found >= 0)
			return found;
	}
	return -1;
}

static void link_rows(struct memcgs *v)
{
	for (int i = 0; i < v->sheet.nrows; i++) {
		int index = (int)((const struct memcg_row *)v->sheet.rows[i].row - v->rows);
		struct memcg_row *row = &v->rows[index], *parent;

		row->parent = row->m ? parent_of(v, row->m) : -1;
		if (row->parent < 0 || row->parent == index) {
			row->parent = -1;
			continue;
		}
		parent = &v->rows[row->parent];
		if (parent->last >= 0)
			v->rows[parent->last].next = index;
		else
			parent->first = index;
		parent->last = index;
	}
}

/* One row and all below it, in order; returns where the next goes. */
static int put_branch(struct memcgs *v, int root, int at)
{
	int i = root, depth = 0;

	for (;;) {
		v->rows[i].depth = depth;
		v->sheet.spare[at++].row = &v->rows[i];
		if (v->rows[i].first >= 0) {
			i = v->rows[i].first;
			depth++;
			continue;
		}
		while (i != root && v->rows[i].next < 0) {
			i = v->rows[i].parent;
			depth--;
		}
		if (i == root)
			return at;
		i = v->rows[i].next;
	}
}

void memcg_tree_order(struct memcgs *v)
{
	struct sheet_row *ordered = v->sheet.spare;
	int at = 0;

	fill_slots(v);
	link_rows(v);
	for (int i = 0; i < v->sheet.nrows; i++) {
		int index = (int)((const struct memcg_row *)v->sheet.rows[i].row - v->rows);

		if (v->rows[index].parent < 0)
			at = put_branch(v, index, at);
	}
	v->sheet.spare = v->sheet.rows;
	v->sheet.rows = ordered;
}

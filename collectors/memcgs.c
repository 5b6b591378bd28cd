/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/memcgs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"

#define WALK_DEPTH 8
#define WALK_PAUSE_US 5000000

/* ---- a set of paths ---- */

static uint32_t hash_path(const char *path)
{
	uint32_t h = 2166136261u;

	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 16777619u;
	return h;
}

void picks_init(struct picks *p, struct arena *a, uint32_t max)
{
	uint32_t slots = 16;

	while (slots < 2 * max)
		slots *= 2;
	*p = (struct picks){ .arena = a, .max = max, .mask = slots - 1 };
	p->items = arena_alloc(a, max * sizeof(*p->items));
	p->slots = arena_alloc(a, slots * sizeof(*p->slots));
}

/* Where the path stands in slots, or the free place where it belongs. */
static uint32_t picks_slot(const struct picks *p, const char *path, uint32_t hash)
{
	uint32_t at = hash & p->mask;

	while (p->slots[at]) {
		const struct pick *pick = &p->items[p->slots[at] - 1];

		if (pick->hash == hash && !strcmp(pick->path, path))
			break;
		at = (at + 1) & p->mask;
	}
	return at;
}

struct pick *picks_find(const struct picks *p, const char *path)
{
	uint32_t at;

	if (!p->n)
		return NULL;
	at = picks_slot(p, path, hash_path(path));
	return p->slots[at] ? &p->items[p->slots[at] - 1] : NULL;
}

/* The path must live as long as the sample. */
static void picks_add(struct picks *p, const char *path)
{
	uint32_t hash = hash_path(path), at = picks_slot(p, path, hash);

	if (p->slots[at] || p->n == p->max)
		return;
	p->items[p->n] = (struct pick){ .path = path, .hash = hash, .id = UNKNOWN };
	p->slots[at] = ++p->n;
}

/* ---- the largest of many ---- */

struct sized {
	uint64_t size;
	const char *path;
};

/* A heap with the smallest on top: what comes is held against the smallest of those kept. */
struct largest {
	struct sized *items;
	uint32_t n, max;
};

static void largest_init(struct largest *l, struct arena *a, uint32_t max)
{
	*l = (struct largest){ .items = arena_alloc(a, max * sizeof(*l->items)), .max = max };
}

static void largest_sink(struct largest *l, struct sized item, uint32_t at)
{
	for (uint32_t child; (child = 2 * at + 1) < l->n; at = child) {
		if (child + 1 < l->n && l->items[child + 1].size < l->items[child].size)
			child++;
		if (item.size <= l->items[child].size)
			break;
		l->items[at] = l->items[child];
	}
	l->items[at] = item;
}

static void largest_add(struct largest *l, const char *path, uint64_t size)
{
	struct sized item = { size, path };
	uint32_t at;

	if (l->n == l->max) {
		if (l->max && size > l->items[0].size)
			largest_sink(l, item, 0);
		return;
	}
	for (at = l->n++; at && l->items[(at - 1) / 2].size > size; at = (at - 1) / 2)
		l->items[at] = l->items[(at - 1) / 2];
	l->items[at] = item;
}

/* The largest first. */
static void largest_take(struct largest *l, struct picks *p)
{
	uint32_t n = l->n;

	while (l->n) {
		struct sized smallest = l->items[0];

		l->n--;
		largest_sink(l, l->items[l->n], 0);
		l->items[l->n] = smallest;
	}
	for (uint32_t i = 0; i < n; i++)
		picks_add(p, l->items[i].path);
}

/* ---- by lru_gen ---- */

static uint64_t lruvec_pages(const struct lruvec *l)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < l->ngens; i++)
		for (int type = 0; type < TYPE_NR; type++)
			if (l->gens[i].pages[type] != UNKNOWN)
				sum += l->gens[i].pages[type];
	return sum;
}

static bool same_memcg(const struct lruvec *a, const struct lruvec *b)
{
	return a->memcg == b->memcg && (a->path == b->path || !strcmp(a->path, b->path));
}

/* A memcg without an id is being taken down; only where memcgs are off has the root none. */
static bool is_living(const struct lruvec *l)
{
	return l->memcg || !strcmp(l->path, "/");
}

static void by_lru_gen(const struct sample *s, struct choice *choice, struct picks *p)
{
	struct largest largest;

	largest_init(&largest, s->arena, p->max);
	choice->living = 0;
	for (uint32_t i = 0, end; i < s->nlruvecs; i = end) {
		const struct lruvec *l = &s->lruvecs[i];
		uint64_t pages = 0;

		for (end = i; end < s->nlruvecs && same_memcg(l, &s->lruvecs[end]); end++)
			pages += lruvec_pages(&s->lruvecs[end]);
		if (!is_living(l))
			continue;
		choice->living++;
		largest_add(&largest, l->path, pages);
	}
	largest_take(&largest, p);
}

/* ---- by the tree of cgroups ---- */

struct trip {
	struct arena *arena;
	struct arena_list folders;   /* struct folder */
	const char *parent;          /* path whose folder is being listed */
	uint32_t depth;              /* of its entries */
	uint32_t too_many;
};

struct folder {
	const char *path;
	uint32_t depth;
};

static int trip_entry(void *arg, const char *name, bool is_dir)
{
	struct trip *w = arg;
	struct folder *f;
	const char *escaped;
	char *path;
	size_t parent, size;

	if (!is_dir)
		return 0;
	if (w->folders.n == MEMCGS_WALK) {
		w->too_many++;
		return 0;
	}
	escaped = name_escape(w->arena, name, strlen(name));
	parent = strcmp(w->parent, "/") ? strlen(w->parent) : 0;
	size = parent + 1 + strlen(escaped) + 1;
	path = arena_alloc(w->arena, size);
	snprintf(path, size, "%.*s/%s", (int)parent, w->parent, escaped);
	f = arena_push(w->arena, &w->folders, sizeof(*f));
	*f = (struct folder){ path, w->depth };
	return 0;
}

/* memory.current of a folder: UNKNOWN where it is no memcg. The root has none. */
static uint64_t folder_current(struct ask *ask, struct buf *folder)
{
	struct reading r = { 0 };
	size_t len = folder->len;
	struct text t;
	int err;

	buf_str(folder, "/memory.current");
	err = live_text(ask->lv, folder->data, 0, &r, &t);
	folder->len = len;
	folder->data[len] = '\0';
	return err ? UNKNOWN : number_parse(t);
}

static void by_walk(struct ask *ask, struct choice *choice, const char *root, struct picks *p)
{
	struct trip w = { .arena = ask->s->arena };
	struct largest largest;

	largest_init(&largest, w.arena, p->max);
	*(struct folder *)arena_push(w.arena, &w.folders, sizeof(struct folder)) =
		(struct folder){ "/", 0 };
	choice->living = 0;
	for (uint32_t i = 0; i < w.folders.n; i++) {
		struct folder f = ((struct folder *)w.folders.items)[i];
		uint64_t current;

		memcg_folder(&choice->folder, root, f.path);
		current = folder_current(ask, &choice->folder);
		/* Where the controller is off, it is off in all that is below. */
		if (current == UNKNOWN && f.depth)
			continue;
		choice->living++;
		largest_add(&largest, f.path, current);
		w.parent = f.path;
		w.depth = f.depth + 1;
		if (f.depth < WALK_DEPTH)
			kernfs_list(ask->lv->set.fs, choice->folder.data, trip_entry, &w);
	}
	choice->living += w.too_many;
	largest_take(&largest, p);
}

/* ---- the choice ---- */

void memcg_folder(struct buf *out, const char *root, const char *path)
{
	buf_clear(out);
	buf_str(out, root);
	if (!strcmp(path, "/"))
		return;
	buf_reserve(out, strlen(path));
	out->len += name_unescape(path, out->data + out->len);
}

static void choice_save(struct choice *choice, const struct picks *p)
{
	buf_clear(&choice->paths);
	for (uint32_t i = 0; i < p->n; i++)
		buf_add(&choice->paths, p->items[i].path, strlen(p->items[i].path) + 1);
}

static void choice_again(const struct choice *choice, struct picks *p)
{
	const char *path = choice->paths.data;

	for (size_t at = 0; at < choice->paths.len; at += strlen(path + at) + 1)
		if (!picks_find(p, path + at))
			picks_add(p, arena_str(p->arena, path + at));
}

/* Does the last choice still do? lru_gen may be read with some samples only, and a walk is dear. */
static bool choice_holds(const struct ask *ask, const struct choice *choice)
{
	const struct reading *r = ask->s->readings;

	if (!ask->lv->set.machine || !choice->paths.len)
		return false;
	return reading_is_left_out(&r[READ_LRU_GEN]) ||
	       reading_is_left_out(&r[READ_LRU_GEN_FULL]) ||
	       ask->lv->now_us < choice->walk_us;
}

void memcgs_choose(struct ask *ask, struct choice *choice, const char *root, struct picks *p)
{
	const struct interest *in = ask->interest;

	for (uint32_t i = 0; i < in->nmemcgs && i < INTEREST_MEMCGS; i++)
		if (!picks_find(p, in->memcgs[i]))
			picks_add(p, arena_str(p->arena, in->memcgs[i]));
	picks_add(p, "/");
	if (ask->s->nlruvecs) {
		by_lru_gen(ask->s, choice, p);
	} else if (choice_holds(ask, choice)) {
		choice_again(choice, p);
		return;
	} else {
		by_walk(ask, choice, root, p);
		choice->walk_us = ask->lv->now_us + WALK_PAUSE_US;
	}
	if (ask->lv->set.machine)
		choice_save(choice, p);
}

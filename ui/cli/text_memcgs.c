/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "text.h"

/* What a column of the memcgs shows, and where that stands. */
enum memcg_kind {
	KIND_BYTES, KIND_PLACE, KIND_AGE, KIND_LRU, KIND_PAGES, KIND_EVENTS, KIND_SHARE,
	KIND_STATE, KIND_PATH
};

struct memcg_column {
	const char *name;    /* for --sort */
	enum memcg_kind kind;
	size_t at;           /* BYTES: in struct memcg; PLACE, AGE, LRU: which; amounts: in the step */
};

#define IN_FILES(member) offsetof(struct memcg, member)
#define IN_STEP(member) offsetof(struct memcg_step, member)
#define COLUMNS 26
_Static_assert(COLUMNS <= TABLE_COLUMNS, "a table has no room for them");

static const struct memcg_column columns[COLUMNS] = {
	{ "current", KIND_BYTES, IN_FILES(current) },
	{ "min", KIND_BYTES, IN_FILES(min) },
	{ "low", KIND_BYTES, IN_FILES(low) },
	{ "high", KIND_BYTES, IN_FILES(high) },
	{ "max", KIND_BYTES, IN_FILES(max) },
	{ "swap", KIND_BYTES, IN_FILES(swap_current) },
	{ "anon", KIND_LRU, TYPE_ANON },
	{ "file", KIND_LRU, TYPE_FILE },
	{ "youngest", KIND_PLACE, 0 },
	{ "second", KIND_PLACE, 1 },
	{ "third", KIND_PLACE, 2 },
	{ "oldest", KIND_PLACE, 3 },
	{ "age", KIND_AGE, TYPE_NR },
	{ "ageanon", KIND_AGE, TYPE_ANON },
	{ "agefile", KIND_AGE, TYPE_FILE },
	{ "evicted", KIND_PAGES, IN_STEP(evicted) },
	{ "refaulted", KIND_PAGES, IN_STEP(refaulted) },
	{ "lost", KIND_PAGES, IN_STEP(lost) },
	{ "swapin", KIND_PAGES, IN_STEP(swapped_in) },
	{ "swapout", KIND_PAGES, IN_STEP(swapped_out) },
	{ "majflt", KIND_EVENTS, IN_STEP(major_faults) },
	{ "stalled", KIND_SHARE, IN_STEP(stalled_us) },
	{ "atmax", KIND_EVENTS, IN_STEP(max_hits) },
	{ "oom", KIND_EVENTS, IN_STEP(oom_kills) },
	{ "state", KIND_STATE, 0 },
	{ "memcg", KIND_PATH, 0 },
};

static const struct memcg_column *column_of(const char *name)
{
	for (int i = 0; i < COLUMNS; i++)
		if (!strcmp(columns[i].name, name))
			return &columns[i];
	return NULL;
}

bool text_sorts_by(const char *name)
{
	return column_of(name) != NULL;
}

void text_sort_names(struct buf *out)
{
	for (int i = 0; i < COLUMNS; i++)
		buf_printf(out, "%s%s", i ? ", " : "", columns[i].name);
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct amount amount_at(const struct memcg_step *m, size_t at)
{
	struct amount a;

	memcpy(&a, (const char *)m + at, sizeof(a));
	return a;
}

static uint64_t bytes_at(const struct memcg_step *m, size_t at)
{
	uint64_t bytes = UNKNOWN;

	if (m->now)
		memcpy(&bytes, (const char *)m->now + at, sizeof(bytes));
	return bytes;
}

static uint64_t place_pages(const struct memcg_step *m, size_t place)
{
	if (m->lru_pages[TYPE_ANON] == UNKNOWN && m->lru_pages[TYPE_FILE] == UNKNOWN)
		return UNKNOWN;
	return m->pages[place][TYPE_ANON] + m->pages[place][TYPE_FILE];
}

/* The age of the oldest page, of one type or of whatever. */
static uint64_t oldest_ms(const struct memcg_step *m, size_t type)
{
	uint64_t anon = m->oldest_age_ms[TYPE_ANON], file = m->oldest_age_ms[TYPE_FILE];

	if (type < TYPE_NR)
		return m->oldest_age_ms[type];
	if (anon == UNKNOWN || file == UNKNOWN)
		return anon == UNKNOWN ? file : anon;
	return anon > file ? anon : file;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void state_cell(struct text *t, const struct memcg_step *m)
{
	const char *state = m->dying ? "dying" : m->vanished ? "gone" : m->is_new ? "new" : "";

	if (m->copies)
		table_printf(&t->table, "%s%s%" PRIu32 " dying", state, *state ? ", " : "",
			     m->copies);
	else
		table_cell(&t->table, state);
}

static void memcg_cell(struct text *t, const struct memcg_column *c, const struct memcg_step *m)
{
	switch (c->kind) {
	case KIND_BYTES: text_bytes(t, bytes_at(m, c->at)); break;
	case KIND_PLACE: text_pages(t, place_pages(m, c->at)); break;
	case KIND_LRU: text_pages(t, m->lru_pages[c->at]); break;
	case KIND_AGE: text_age(t, oldest_ms(m, c->at)); break;
	case KIND_PAGES: text_page_rate(t, amount_at(m, c->at)); break;
	case KIND_EVENTS: text_event_rate(t, amount_at(m, c->at)); break;
	case KIND_SHARE: text_share(t, amount_at(m, c->at)); break;
	case KIND_STATE: state_cell(t, m); break;
	case KIND_PATH: table_cell(&t->table, m->path); break;
	}
}

/* ---- order ----------------------------------------------------------------------------------- */

/* What a column sorts by; what is not known comes last. */
static int64_t sort_value(const struct memcg_column *c, const struct memcg_step *m)
{
	struct amount a = { .state = AMOUNT_MISSING };
	uint64_t v = UNKNOWN;

	if (c->kind == KIND_BYTES)
		v = bytes_at(m, c->at);
	else if (c->kind == KIND_PLACE)
		v = place_pages(m, c->at);
	else if (c->kind == KIND_LRU)
		v = m->lru_pages[c->at];
	else if (c->kind == KIND_AGE)
		v = oldest_ms(m, c->at);
	else if (c->kind == KIND_STATE)
		v = (uint64_t)m->dying * 4 + (uint64_t)m->vanished * 2 + (uint64_t)m->is_new;
	else
		a = amount_at(m, c->at);
	if (amount_known(a))
		return a.value;
	return v == UNKNOWN ? INT64_MIN : v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

/* Largest first, paths from a to z. */
static int compare(const struct text *t, uint32_t ia, uint32_t ib)
{
	const struct memcg_step *a = &t->f->step->memcgs[ia], *b = &t->f->step->memcgs[ib];
	const struct memcg_column *column = column_of(t->sort);
	int64_t va, vb;

	if (column->kind == KIND_PATH)
		return strcmp(a->path, b->path);
	va = sort_value(column, a);
	vb = sort_value(column, b);
	return va < vb ? 1 : va > vb ? -1 : 0;
}

/* The memcgs to show: in the kernel's order where they are not sorted by a column of theirs. */
static void pick(struct text *t)
{
	const struct step *st = t->f->step;

	text_pick_begin(t, st->nmemcgs);
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (!t->filter || strcasestr(st->memcgs[i].path, t->filter))
			text_pick(t, i);
	if (t->sort && column_of(t->sort))
		text_pick_sort(t, compare);
}

void text_memcgs(struct text *t)
{
	struct column heads[COLUMNS];

	pick(t);
	for (int i = 0; i < COLUMNS; i++)
		heads[i] = (struct column){ columns[i].name, columns[i].kind >= KIND_STATE };
	table_begin(&t->table, heads, COLUMNS);
	for (uint32_t i = 0; i < t->picks.n; i++)
		for (int k = 0; k < COLUMNS; k++)
			memcg_cell(t, &columns[k], &t->f->step->memcgs[t->picks.items[i]]);
	table_end(&t->table, t->out);
	if (t->f->now->memcgs_left_out)
		buf_printf(t->out,
			   "  and %" PRIu32
			   " memcg%s whose files were not read, to bound the cost of a sample\n",
			   t->f->now->memcgs_left_out, t->f->now->memcgs_left_out == 1 ? "" : "s");
}

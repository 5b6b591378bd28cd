/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* What a column of the memcgs shows, and where that stands. */
enum memcg_kind { KIND_BYTES, KIND_PLACE, KIND_AGE, KIND_PAGES, KIND_EVENTS, KIND_SHARE, KIND_STATE, KIND_PATH };

struct memcg_column {
	const char *name;    /* for --sort */
	enum memcg_kind kind;
	size_t at;           /* BYTES: in struct memcg; PLACE: number; amounts: in struct memcg_step */
};

#define IN_FILES(member) offsetof(struct memcg, member)
#define IN_STEP(member) offsetof(struct memcg_step, member)
#define COLUMNS 22

static const struct memcg_column columns[COLUMNS] = {
	{ "current", KIND_BYTES, IN_FILES(current) },
	{ "min", KIND_BYTES, IN_FILES(min) },
	{ "low", KIND_BYTES, IN_FILES(low) },
	{ "high", KIND_BYTES, IN_FILES(high) },
	{ "max", KIND_BYTES, IN_FILES(max) },
	{ "swap", KIND_BYTES, IN_FILES(swap_current) },
	{ "youngest", KIND_PLACE, 0 },
	{ "second", KIND_PLACE, 1 },
	{ "third", KIND_PLACE, 2 },
	{ "oldest", KIND_PLACE, 3 },
	{ "age", KIND_AGE, 0 },
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

/* ---- values ------------------------------------------------------------------------------------ */

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

/* The age of the oldest page, of whatever type. */
static uint64_t oldest_ms(const struct memcg_step *m)
{
	uint64_t anon = m->oldest_age_ms[TYPE_ANON], file = m->oldest_age_ms[TYPE_FILE];

	if (anon == UNKNOWN || file == UNKNOWN)
		return anon == UNKNOWN ? file : anon;
	return anon > file ? anon : file;
}

/* ---- cells ------------------------------------------------------------------------------------- */

static void state_cell(struct text *t, const struct memcg_step *m)
{
	const char *state = m->dying ? "dying" : m->vanished ? "gone" : m->is_new ? "new" : "";

	if (m->copies)
		table_printf(&t->table, "%s%s%" PRIu32 " dying", state, *state ? ", " : "", m->copies);
	else
		table_cell(&t->table, state);
}

static void memcg_cell(struct text *t, const struct memcg_column *c, const struct memcg_step *m)
{
	switch (c->kind) {
	case KIND_BYTES: text_bytes(t, bytes_at(m, c->at)); break;
	case KIND_PLACE: text_pages(t, place_pages(m, c->at)); break;
	case KIND_AGE: text_age(t, oldest_ms(m)); break;
	case KIND_PAGES: text_page_rate(t, amount_at(m, c->at)); break;
	case KIND_EVENTS: text_event_rate(t, amount_at(m, c->at)); break;
	case KIND_SHARE: text_share(t, amount_at(m, c->at)); break;
	case KIND_STATE: state_cell(t, m); break;
	case KIND_PATH: table_cell(&t->table, m->path); break;
	}
}

/* ---- order ------------------------------------------------------------------------------------- */

/* What a column sorts by; what is not known comes last. */
static int64_t sort_value(const struct memcg_column *c, const struct memcg_step *m)
{
	struct amount a = { .state = AMOUNT_MISSING };
	uint64_t v = UNKNOWN;

	if (c->kind == KIND_BYTES)
		v = bytes_at(m, c->at);
	else if (c->kind == KIND_PLACE)
		v = place_pages(m, c->at);
	else if (c->kind == KIND_AGE)
		v = oldest_ms(m);
	else if (c->kind == KIND_STATE)
		v = (uint64_t)m->dying * 4 + (uint64_t)m->vanished * 2 + (uint64_t)m->is_new;
	else
		a = amount_at(m, c->at);
	if (amount_known(a))
		return a.value;
	return v == UNKNOWN ? INT64_MIN : v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

struct order {
	const struct memcg_column *column;
	const struct memcg_step *memcgs;
};

/* Largest first, paths from a to z; what is alike stays in the kernel's order. */
static int compare(const void *pa, const void *pb, void *arg)
{
	const struct order *order = arg;
	uint32_t ia = *(const uint32_t *)pa, ib = *(const uint32_t *)pb;
	const struct memcg_step *a = &order->memcgs[ia], *b = &order->memcgs[ib];
	int by_path = order->column->kind == KIND_PATH ? strcmp(a->path, b->path) : 0;
	int64_t va = 0, vb = 0;

	if (order->column->kind != KIND_PATH) {
		va = sort_value(order->column, a);
		vb = sort_value(order->column, b);
	}
	if (va != vb)
		return va < vb ? 1 : -1;
	return by_path ? by_path : ia < ib ? -1 : ia > ib;
}

/* The numbers of the memcgs to show, in their order, into t->order. */
static uint32_t pick(struct text *t)
{
	const struct step *st = t->f->step;
	struct order order = { t->sort ? column_of(t->sort) : NULL, st->memcgs };
	uint32_t n = 0, *list;

	buf_clear(&t->order);
	buf_reserve(&t->order, st->nmemcgs * sizeof(*list));
	list = (uint32_t *)(void *)t->order.data;
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (!t->filter || strstr(st->memcgs[i].path, t->filter))
			list[n++] = i;
	if (order.column && n)
		qsort_r(list, n, sizeof(*list), compare, &order);
	return n;
}

void text_memcgs(struct text *t)
{
	struct column heads[COLUMNS];
	const uint32_t *list;
	uint32_t n = pick(t);

	for (int i = 0; i < COLUMNS; i++)
		heads[i] = (struct column){ columns[i].name, columns[i].kind >= KIND_STATE };
	table_begin(&t->table, heads, COLUMNS);
	list = (const uint32_t *)(const void *)t->order.data;
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < COLUMNS; k++)
			memcg_cell(t, &columns[k], &t->f->step->memcgs[list[i]]);
	table_end(&t->table, t->out);
	if (t->f->now->memcgs_left_out)
		buf_printf(t->out, "  and %" PRIu32 " memcgs whose files were not read, to bound the cost of a sample\n",
			   t->f->now->memcgs_left_out);
}

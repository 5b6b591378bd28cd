/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "heat_rows.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"

#define CELLS     (HEAT_COLUMNS * sizeof(uint64_t))
#define PATH_MOST 4096
#define HOPE_WAYS 4

/* --- one row --- */

static uint64_t *cells_new(void)
{
	uint64_t *cells = mem_alloc(CELLS);

	memset(cells, 0, CELLS);
	return cells;
}

void heat_row_grow(struct heat_row *row, bool with_over)
{
	if (!row->sum)
		row->sum = cells_new();
	if (!row->over && with_over)
		row->over = cells_new();
}

static void row_free(struct heat_row *row)
{
	free(row->sum);
	free(row->over);
}

static void add_cells(uint64_t *to, const uint64_t *from)
{
	for (int i = 0; i < HEAT_COLUMNS; i++)
		to[i] += from[i];
}

/* Both rows are of the same time: sums add up, what they are sums over is the longer one. */
static void row_join(struct heat_row *to, const struct heat_row *from)
{
	if (!from->sum)
		return;
	heat_row_grow(to, true);
	add_cells(to->sum, from->sum);
	for (int i = 0; i < HEAT_COLUMNS; i++)
		to->over[i] = from->over[i] > to->over[i] ? from->over[i] : to->over[i];
}

/* --- all rows --- */

typedef void cells_function(const struct heat *h, uint64_t *cells, uint64_t k);

static void each_of_row(struct heat *h, const struct heat_row *row, cells_function *f, uint64_t k)
{
	if (row->sum)
		f(h, row->sum, k);
	if (row->over && row->over != h->age_over)
		f(h, row->over, k);
}

static void each_of_memcg(struct heat *h, const struct heat_memcg *m, cells_function *f, uint64_t k)
{
	for (int i = 0; m && i < HEAT_FLOW_NR; i++)
		each_of_row(h, &m->row[i], f, k);
}

static void each_row(struct heat *h, cells_function *f, uint64_t k)
{
	f(h, h->age_over, k);
	for (int type = 0; type < TYPE_NR; type++)
		for (int i = 0; i < HEAT_AGES; i++)
			each_of_row(h, &h->ages[type][i], f, k);
	for (int i = 0; i < HEAT_CPUS; i++)
		each_of_row(h, &h->cpus[i], f, k);
	each_of_memcg(h, h->machine, f, k);
	each_of_memcg(h, h->others, f, k);
	for (int i = 0; i < HEAT_MEMCGS; i++)
		each_of_memcg(h, h->memcgs[i], f, k);
}

/* --- columns --- */

static void clear_cell(const struct heat *h, uint64_t *cells, uint64_t k)
{
	(void)h;
	cells[k % HEAT_COLUMNS] = 0;
}

static void drop_column(struct heat *h, uint64_t k)
{
	each_row(h, clear_cell, k);
	h->columns[k % HEAT_COLUMNS] = (struct heat_column){ .pages_s = UNKNOWN };
}

static void halve_cells(const struct heat *h, uint64_t *cells, uint64_t k)
{
	uint64_t half[HEAT_COLUMNS] = { 0 };

	(void)k;
	for (uint64_t i = h->first; i < h->end; i++)
		half[i / 2 % HEAT_COLUMNS] += cells[i % HEAT_COLUMNS];
	memcpy(cells, half, sizeof(half));
}

static void join_column(struct heat_column *to, const struct heat_column *from)
{
	if (from->mono_us && (!to->mono_us || from->earliest < to->earliest)) {
		to->earliest = from->earliest;
		to->mono_us = from->mono_us;
		to->wall_us = from->wall_us;
	}
	to->seen += from->seen;
	to->moments |= from->moments;
	if (from->pages_s != UNKNOWN && (to->pages_s == UNKNOWN || from->pages_s > to->pages_s))
		to->pages_s = from->pages_s;
}

static void halve(struct heat *h)
{
	struct heat_column half[HEAT_COLUMNS];

	each_row(h, halve_cells, 0);
	for (int i = 0; i < HEAT_COLUMNS; i++)
		half[i] = (struct heat_column){ .pages_s = UNKNOWN };
	for (uint64_t i = h->first; i < h->end; i++)
		join_column(&half[i / 2 % HEAT_COLUMNS], &h->columns[i % HEAT_COLUMNS]);
	memcpy(h->columns, half, sizeof(half));
	h->end = (h->end + 1) / 2;
	h->first /= 2;
	h->span *= 2;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t heat_open(struct heat *h, uint64_t i)
{
	uint64_t k = i / h->span;

	if (h->first == h->end)
		h->first = h->end = k;
	while (most(h->end, k + 1) - least(h->first, k) > HEAT_COLUMNS) {
		halve(h);
		k = i / h->span;
	}
	h->first = least(h->first, k);
	h->end = most(h->end, k + 1);
	return k % HEAT_COLUMNS;
}

void heat_forget(struct heat *h, uint64_t i, uint64_t end)
{
	uint64_t from = i / h->span, to = (end + h->span - 1) / h->span;

	for (; h->first < h->end && h->first < from; h->first++)
		drop_column(h, h->first);
	for (; h->end > h->first && h->end > to; h->end--)
		drop_column(h, h->end - 1);
}

/* --- memcgs --- */

/* FNV-1a. */
static uint64_t hash_of(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3u;
	return hash;
}

static struct heat_memcg *memcg_new(void)
{
	struct heat_memcg *m = mem_alloc(sizeof(*m));

	*m = (struct heat_memcg){ .path = mem_str(""), .room = 1 };
	return m;
}

static void clear_row(struct heat_row *row)
{
	if (row->sum)
		memset(row->sum, 0, CELLS);
	if (row->over)
		memset(row->over, 0, CELLS);
}

/* From now on it is another one, of which nothing is known. */
static void memcg_begin(struct heat_memcg *m, const char *path)
{
	size_t len = strlen(path) + 1;

	if (len > m->room)
		m->path = mem_grow(m->path, len);
	m->room = len > m->room ? len : m->room;
	memcpy(m->path, path, len);
	m->hash = hash_of(path);
	m->total = 0;
	memset(m->step, 0, sizeof(m->step));
	for (int i = 0; i < HEAT_FLOW_NR; i++)
		clear_row(&m->row[i]);
}

static void memcg_free(struct heat_memcg *m)
{
	if (!m)
		return;
	for (int i = 0; i < HEAT_FLOW_NR; i++)
		row_free(&m->row[i]);
	free(m->path);
	free(m);
}

uint64_t heat_weight(const struct heat_flows *f)
{
	uint64_t sum = 0;

	for (int i = 0; i < HEAT_FLOW_NR; i++)
		if (amount_known(f->flow[i]) && f->flow[i].value > 0)
			sum += (uint64_t)f->flow[i].value >> (i == HEAT_STALLED ? 8 : 0);
	return sum;
}

static struct heat_memcg *others(struct heat *h)
{
	if (!h->others)
		h->others = memcg_new();
	return h->others;
}

/*
 * How much one without a row is known to have moved; with more than least it is to have one. Of
 * those that share a place, the least makes room.
 */
static uint64_t hope(struct heat *h, uint64_t hash, uint64_t weight, uint64_t least)
{
	struct heat_hope *at = &h->hopes[hash % (HEAT_HOPES / HOPE_WAYS) * HOPE_WAYS], *low = at;

	for (int i = 0; i < HOPE_WAYS; i++) {
		if (at[i].hash == hash) {
			weight += at[i].total;
			at[i].total = weight > least ? 0 : weight;
			return weight;
		}
		low = at[i].total < low->total ? &at[i] : low;
	}
	if (low->total < weight) {
		*low = (struct heat_hope){ hash, weight > least ? 0 : weight };
		return weight;
	}
	low->total -= weight;
	return 0;
}

/* The one that matters least gives its place to one that is known to have moved more. */
static struct heat_memcg *replace(struct heat *h, const char *path, const struct heat_flows *f)
{
	struct heat_memcg *low = h->memcgs[0];
	uint64_t moved;

	for (uint32_t i = 1; i < h->nmemcgs; i++)
		low = h->memcgs[i]->total < low->total ? h->memcgs[i] : low;
	moved = hope(h, hash_of(path), heat_weight(f), low->total);
	if (moved <= low->total)
		return others(h);
	for (int i = 0; i < HEAT_FLOW_NR; i++)
		row_join(&others(h)->row[i], &low->row[i]);
	hope(h, low->hash, low->total, UINT64_MAX);
	memcg_begin(low, path);
	low->total = moved - heat_weight(f);
	return low;
}

struct heat_memcg *heat_memcg_of(struct heat *h, const char *path, const struct heat_flows *f)
{
	uint64_t hash = hash_of(path);

	for (uint32_t i = 0; i < h->nmemcgs; i++)
		if (h->memcgs[i]->hash == hash && !strcmp(h->memcgs[i]->path, path))
			return h->memcgs[i];
	if (h->nmemcgs == HEAT_MEMCGS)
		return replace(h, path, f);
	if (!h->memcgs[h->nmemcgs])
		h->memcgs[h->nmemcgs] = memcg_new();
	memcg_begin(h->memcgs[h->nmemcgs], path);
	return h->memcgs[h->nmemcgs++];
}

/* --- CPUs --- */

/* CPUs are beside each other, not after each other: what they are sums over adds up. */
static void join_cpus(struct heat_row *to, struct heat_row *from)
{
	if (!from->sum)
		return;
	heat_row_grow(to, true);
	add_cells(to->sum, from->sum);
	add_cells(to->over, from->over);
	clear_row(from);
}

void heat_fold_cpus(struct heat *h)
{
	for (int i = 0; i < HEAT_CPUS; i++)
		if (i / 2 != i)
			join_cpus(&h->cpus[i / 2], &h->cpus[i]);
	h->cpus_each *= 2;
}

/* --- the whole --- */

void heat_clear(struct heat *h, uint64_t span)
{
	for (uint64_t k = 0; k < HEAT_COLUMNS; k++)
		drop_column(h, k);
	memcg_begin(h->machine, "");
	if (h->others)
		memcg_begin(h->others, "");
	h->span = 1;
	while (h->span < span)
		h->span *= 2;
	h->first = h->end = h->steps = 0;
	h->cpus_each = 1;
	h->nmemcgs = h->nzones = 0;
	memset(h->hopes, 0, sizeof(h->hopes));
}

struct heat *heat_new(uint64_t span)
{
	struct heat *h = mem_alloc(sizeof(*h));

	memset(h, 0, sizeof(*h));
	h->machine = memcg_new();
	for (int type = 0; type < TYPE_NR; type++)
		for (int i = 0; i < HEAT_AGES; i++)
			h->ages[type][i].over = h->age_over;
	heat_clear(h, span);
	return h;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (int type = 0; type < TYPE_NR; type++)
		for (int i = 0; i < HEAT_AGES; i++)
			free(h->ages[type][i].sum);
	for (int i = 0; i < HEAT_CPUS; i++)
		row_free(&h->cpus[i]);
	for (int i = 0; i < HEAT_MEMCGS; i++)
		memcg_free(h->memcgs[i]);
	memcg_free(h->machine);
	memcg_free(h->others);
	free(h);
}

static size_t row_bytes(const struct heat *h, const struct heat_row *row)
{
	return (row->sum ? CELLS : 0) + (row->over && row->over != h->age_over ? CELLS : 0);
}

static size_t memcg_bytes(const struct heat *h, const struct heat_memcg *m)
{
	size_t bytes = sizeof(*m) + m->room;

	for (int i = 0; i < HEAT_FLOW_NR; i++)
		bytes += row_bytes(h, &m->row[i]);
	return bytes;
}

size_t heat_bytes(const struct heat *h)
{
	size_t bytes = sizeof(*h) + memcg_bytes(h, h->machine) +
		       (h->others ? memcg_bytes(h, h->others) : 0);

	for (int type = 0; type < TYPE_NR; type++)
		for (int i = 0; i < HEAT_AGES; i++)
			bytes += row_bytes(h, &h->ages[type][i]);
	for (int i = 0; i < HEAT_CPUS; i++)
		bytes += row_bytes(h, &h->cpus[i]);
	for (int i = 0; i < HEAT_MEMCGS && h->memcgs[i]; i++)
		bytes += memcg_bytes(h, h->memcgs[i]);
	return bytes;
}

size_t heat_most_bytes(void)
{
	size_t memcg = sizeof(struct heat_memcg) + PATH_MOST + 2 * HEAT_FLOW_NR * CELLS;

	return sizeof(struct heat) + TYPE_NR * HEAT_AGES * CELLS + 2 * HEAT_CPUS * CELLS +
	       (HEAT_MEMCGS + 2) * memcg;
}

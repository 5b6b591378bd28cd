/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events_step.c - what the kernel's own events counted between two samples: drains and refills of pagesets. Rows only
 * grow while the same counting goes on, so sums over them may be compared.
 */
#include <stdlib.h>

#include "model/stepping.h"

static bool is_read(const struct sample *s)
{
	return s && s->readings[READ_EVENTS].state == READING_OK;
}

/* The same counting, so that what it says now may be compared with what it said. */
static const struct events *events_before(const struct stepping *s)
{
	const struct events *now = &s->now->events;

	if (!is_read(s->before) || s->before->events.since_us != now->since_us)
		return NULL;
	return &s->before->events;
}

static uint64_t times_of(const struct events *ev, enum bulk_way way)
{
	uint64_t sum = 0;

	if (ev->sizes[way] != SIZES_COUNTED)
		return UNKNOWN;
	for (uint32_t i = 0; i < ev->nbulks[way]; i++)
		if (ev->bulks[way][i].count < UNLIMITED)
			sum += ev->bulks[way][i].count;
	return sum;
}

static uint64_t pages_of(uint64_t blocks, uint32_t order)
{
	return order >= 64 || blocks > UINT64_MAX >> order ? 0 : blocks << order;
}

static uint64_t moved_pages(const struct events *ev, enum bulk_way way)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ev->nblocks[way]; i++)
		if (ev->blocks[way][i].blocks < UNLIMITED)
			sum += pages_of(ev->blocks[way][i].blocks, ev->blocks[way][i].order);
	return sum;
}

/*
 * A change of a sum. Where the kernel had no room for some, it is the least; of another counting, nothing is to be
 * compared.
 */
static struct amount change(const struct stepping *s, const struct events *was, uint64_t before, uint64_t now)
{
	struct amount a = stepping_counter(s, was ? before : UNKNOWN, now, SCOPE_MACHINE);
	uint64_t lost = was ? was->dropped : UNKNOWN;

	if (!was && a.state == AMOUNT_FIRST && is_read(s->before))
		a.state = AMOUNT_RESET;
	if (a.state == AMOUNT_MEASURED && lost != s->now->events.dropped)
		return amount_inferred(a.value, a.value, AMOUNT_NO_LIMIT, SCOPE_MACHINE);
	return a;
}

/* --- by size --- */

static int by_pages(const void *a, const void *b)
{
	uint64_t x = ((const struct bulk_size *)a)->pages, y = ((const struct bulk_size *)b)->pages;

	return x < y ? -1 : x > y;
}

struct sizes {
	struct bulk_size *at;
	uint32_t n;
};

/* Over all CPUs, ascending. */
static struct sizes sizes_of(const struct stepping *s, const struct events *ev, enum bulk_way way)
{
	struct sizes sizes = { arena_alloc(s->arena, ev->nbulks[way] * sizeof(*sizes.at)), 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < ev->nbulks[way]; i++) {
		const struct bulk *b = &ev->bulks[way][i];

		if (b->size < UNLIMITED && b->count < UNLIMITED)
			sizes.at[n++] = (struct bulk_size){ .pages = pages_of(b->size, b->order),
							    .total = b->count };
	}
	if (n)
		qsort(sizes.at, n, sizeof(*sizes.at), by_pages);
	for (uint32_t i = 0; i < n; i++) {
		if (sizes.n && sizes.at[sizes.n - 1].pages == sizes.at[i].pages)
			sizes.at[sizes.n - 1].total += sizes.at[i].total;
		else
			sizes.at[sizes.n++] = sizes.at[i];
	}
	return sizes;
}

static void sizes_make(const struct stepping *s, const struct events *was, enum bulk_way way,
		       struct events_step *out)
{
	struct sizes now = sizes_of(s, &s->now->events, way), before = { NULL, 0 };
	uint32_t k = 0;

	if (was)
		before = sizes_of(s, was, way);
	for (uint32_t i = 0; i < now.n; i++) {
		uint64_t had = 0;

		while (k < before.n && before.at[k].pages < now.at[i].pages)
			k++;
		if (k < before.n && before.at[k].pages == now.at[i].pages)
			had = before.at[k].total;
		now.at[i].times = change(s, was, had, now.at[i].total);
	}
	out->sizes[way] = now.at;
	out->nsizes[way] = now.n;
}

void stepping_events(struct stepping *s)
{
	struct events_step *out = &s->out->events;
	const struct events *now = &s->now->events, *was;

	if (!is_read(s->now))
		return;
	was = events_before(s);
	out->counted = true;
	for (int i = 0; i < BULK_NR; i++) {
		enum bulk_way way = (enum bulk_way)i;

		out->times[way] = change(s, was, was ? times_of(was, way) : UNKNOWN, times_of(now, way));
		out->pages[way] = change(s, was, was ? moved_pages(was, way) : UNKNOWN, moved_pages(now, way));
		sizes_make(s, was, way, out);
	}
	/* Blocks of a pageblock that was claimed from another type have no event: what is counted is the least. */
	if (out->pages[BULK_REFILL].state == AMOUNT_MEASURED) {
		out->pages[BULK_REFILL].state = AMOUNT_INFERRED;
		out->pages[BULK_REFILL].hi = AMOUNT_NO_LIMIT;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_step.c - zones against their watermarks, and the pagesets of their CPUs.
 */
#include "model/keyed.h"
#include "model/stepping.h"

/* A zone of fewer pages fills and empties within one batch: its share of anything means little. */
#define TINY_PAGES 1000

const char *zone_level_name(enum zone_level level)
{
	static const char *const names[] = {
		[ZONE_UNKNOWN] = "unknown", [ZONE_EMPTY] = "empty",
		[ZONE_BELOW_MIN] = "below min", [ZONE_BELOW_LOW] = "below low",
		[ZONE_BELOW_HIGH] = "below high", [ZONE_ABOVE_HIGH] = "above high",
	};

	return names[level];
}

uint64_t zone_floor(const struct zone *z, uint32_t preferred)
{
	if (z->min == UNKNOWN || preferred >= z->nprotection || z->protection[preferred] == UNKNOWN)
		return UNKNOWN;
	return z->min + z->protection[preferred];
}

/* Pages that the buddy allocator manages; kernels before 3.9 print only those that are there. */
static uint64_t zone_size(const struct zone *z)
{
	return z->managed != UNKNOWN ? z->managed : z->present;
}

/*
 * Free pages of a CMA area serve movable allocations only, and the watermarks of all others leave
 * them out.
 */
static uint64_t usable(const struct zone *z)
{
	uint64_t cma = counters_get(&z->stats, ZONE_nr_free_cma);

	if (z->free == UNKNOWN || cma == UNKNOWN)
		return z->free;
	return z->free > cma ? z->free - cma : 0;
}

static enum zone_level zone_level(const struct zone *z, uint64_t pages)
{
	if (zone_size(z) == 0)
		return ZONE_EMPTY;
	if (pages == UNKNOWN || z->min == UNKNOWN || z->low == UNKNOWN || z->high == UNKNOWN)
		return ZONE_UNKNOWN;
	if (pages < z->min)
		return ZONE_BELOW_MIN;
	if (pages < z->low)
		return ZONE_BELOW_LOW;
	return pages < z->high ? ZONE_BELOW_HIGH : ZONE_ABOVE_HIGH;
}

static int64_t above(uint64_t pages, uint64_t mark)
{
	if (pages == UNKNOWN || mark == UNKNOWN)
		return 0;
	return amount_from(pages) - amount_from(mark);
}

static bool is_tiny(const struct zone *z)
{
	uint64_t size = zone_size(z);

	if (size == UNKNOWN || size == 0)
		return false;
	return size < TINY_PAGES || (z->high != UNKNOWN && size < z->high);
}

/* --- pagesets --- */

/* The pageset of a CPU; they mostly stand in the same order, so the search starts at the hint. */
static const struct pageset *find_pageset(const struct zone *z, uint32_t cpu, uint32_t hint)
{
	if (!z || !z->npagesets)
		return NULL;
	for (uint32_t i = 0; i < z->npagesets; i++) {
		const struct pageset *p = &z->pagesets[(hint + i) % z->npagesets];

		if (p->cpu == cpu)
			return p;
	}
	return NULL;
}

static uint32_t fill_permille(const struct pageset *p)
{
	uint64_t permille;

	if (p->count == UNKNOWN || p->high == UNKNOWN || !p->count)
		return 0;
	if (!p->high)
		return 1001;
	permille = p->count > UINT64_MAX / 1000 ? UINT32_MAX : p->count * 1000 / p->high;
	return permille > UINT32_MAX ? UINT32_MAX : (uint32_t)permille;
}

/*
 * A pageset is filled and emptied in bulk, any number of times between two readings: one sees the
 * difference, and so the least that the larger of the two must have been.
 */
static struct amount at_least(const struct stepping *s, struct amount change, int sign)
{
	int64_t range[3] = { 0, 0, AMOUNT_NO_LIMIT };

	if (!amount_known(change))
		return change;
	if (change.value * sign > 0)
		range[0] = range[1] = change.value * sign;
	return stepping_inferred(s, range, (enum amount_scope)change.scope);
}

static void pageset_make(const struct stepping *s, const struct pageset *was,
			 const struct pageset *is, struct pageset_step *out)
{
	out->now = is;
	out->change = stepping_gauge(s, was ? was->count : UNKNOWN, is->count, SCOPE_NODE);
	out->went = at_least(s, out->change, -1);
	out->came = at_least(s, out->change, 1);
	out->fill_permille = fill_permille(is);
}

static void pagesets_make(struct stepping *s, const struct zone *was, const struct zone *is,
			  struct zone_step *out)
{
	out->npagesets = is->npagesets;
	out->pagesets = arena_alloc(s->arena, is->npagesets * sizeof(*out->pagesets));
	for (uint32_t i = 0; i < is->npagesets; i++) {
		const struct pageset *p = &is->pagesets[i];

		pageset_make(s, find_pageset(was, p->cpu, i), p, &out->pagesets[i]);
		if (p->count != UNKNOWN)
			out->pageset_pages += p->count;
	}
}

/* --- fragmentation --- */

static const struct buddy *find_buddy(const struct sample *s, const struct zone *z)
{
	for (uint32_t i = 0; i < s->nbuddies; i++)
		if (s->buddies[i].node == z->node && keyed_same(s->buddies[i].zone, z->name))
			return &s->buddies[i];
	return NULL;
}

static uint64_t too_small_permille(const struct buddy *b, uint32_t order)
{
	uint64_t small = 0, all = 0;

	for (uint32_t i = 0; i < b->norders && i < 64; i++) {
		uint64_t pages;

		if (b->blocks[i] == UNKNOWN)
			return UNKNOWN;
		pages = b->blocks[i] << i;
		all += pages;
		if (i < order)
			small += pages;
	}
	return all ? small * 1000 / all : UNKNOWN;
}

static void fragments(const struct sample *s, struct zone_step *out)
{
	const struct buddy *b = find_buddy(s, out->now);
	const uint32_t orders[3] = { 3, 9, b && b->norders ? b->norders - 1 : 0 };

	for (int i = 0; i < 3; i++)
		out->fragmented_permille[i] = b ? too_small_permille(b, orders[i]) : UNKNOWN;
}

/* --- zones --- */

static const struct zone *zone_before(const struct stepping *s, const struct zone *now)
{
	for (uint32_t i = 0; s->before && i < s->before->nzones; i++) {
		const struct zone *z = &s->before->zones[i];

		if (z->node == now->node && keyed_same(z->name, now->name))
			return z;
	}
	return NULL;
}

static void zone_make(struct stepping *s, const struct zone *now, struct zone_step *out)
{
	const struct zone *was = zone_before(s, now);

	out->now = now;
	out->usable = usable(now);
	out->level = zone_level(now, out->usable);
	out->tiny = is_tiny(now);
	out->to_min = above(out->usable, now->min);
	out->to_low = above(out->usable, now->low);
	out->to_high = above(out->usable, now->high);
	out->change = stepping_gauge(s, was ? was->free : UNKNOWN, now->free, SCOPE_NODE);
	pagesets_make(s, was, now, out);
	if (out->level == ZONE_BELOW_MIN || out->level == ZONE_BELOW_LOW)
		out->stranded = out->pageset_pages;
	fragments(s->now, out);
}

void stepping_zones(struct stepping *s)
{
	s->out->nzones = s->now->nzones;
	s->out->zones = arena_alloc(s->arena, s->now->nzones * sizeof(*s->out->zones));
	for (uint32_t i = 0; i < s->now->nzones; i++)
		zone_make(s, &s->now->zones[i], &s->out->zones[i]);
}

/* Room above min, in thousandths of what lies between min and high. */
static int64_t room(const struct zone_step *z)
{
	int64_t span = amount_from(z->now->high) - amount_from(z->now->min);

	if (z->to_min > INT64_MAX / 1000 || z->to_min < INT64_MIN / 1000)
		return z->to_min;
	return z->to_min * 1000 / (span > 0 ? span : 1);
}

static bool more_pressed(const struct zone_step *a, const struct zone_step *b)
{
	if (!b)
		return true;
	if (a->level != b->level)
		return a->level < b->level;
	return room(a) < room(b);
}

const struct zone_step *step_pressed_zone(const struct step *st)
{
	const struct zone_step *large = NULL, *tiny = NULL;

	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];
		const struct zone_step **worst = z->tiny ? &tiny : &large;

		if (z->level >= ZONE_BELOW_MIN && more_pressed(z, *worst))
			*worst = z;
	}
	if (tiny && tiny->level < ZONE_ABOVE_HIGH && (!large || large->level == ZONE_ABOVE_HIGH))
		return tiny;
	return large;
}

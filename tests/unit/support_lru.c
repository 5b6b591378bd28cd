/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_lru.h"

#include <string.h>

#define NEW_RULES 61400    /* faults into the second youngest, merges counted, tier 0 protected */
#define SLOTS 4

void lru_init(struct lru *l, struct rng *rng, uint32_t version)
{
	*l = (struct lru){ .rng = rng, .version = version, .max = 3, .now_ms = 1000 };
}

static bool is_new(const struct lru *l)
{
	return l->version >= NEW_RULES;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* --- counts --- */

static void fold(struct lru *l, int type)
{
	for (int tier = 0; tier < TIER_NR; tier++) {
		l->avg_total[type][tier] = (l->avg_total[type][tier] + l->evicted[type][tier] +
					    l->protected[type][tier]) / 2;
		l->avg_refaulted[type][tier] = (l->avg_refaulted[type][tier] +
						l->refaulted[type][tier]) / 2;
		l->evicted[type][tier] = l->protected[type][tier] = l->refaulted[type][tier] = 0;
	}
}

static void move_on(struct lru *l, struct lru_page *p, bool counted)
{
	p->seq++;
	l->truth[p->type].moved++;
	if (counted && (is_new(l) || p->tier)) {
		l->protected[p->type][p->tier]++;
		l->truth[p->type].counted++;
	}
	p->tier = 0;
}

/* --- pages --- */

/* A page of that type in that generation, or in any (UNKNOWN); NULL where there is none. */
static struct lru_page *any_page(struct lru *l, int type, uint64_t seq)
{
	uint32_t start = rng_below(l->rng, LRU_PAGES);

	for (uint32_t i = 0; i < LRU_PAGES; i++) {
		struct lru_page *p = &l->pages[(start + i) % LRU_PAGES];

		if (p->there && p->type == type && (seq == UNKNOWN || p->seq == seq))
			return p;
	}
	return NULL;
}

static void add_page(struct lru *l, int type, uint64_t seq)
{
	for (uint32_t i = 0; i < LRU_PAGES; i++) {
		struct lru_page *p = &l->pages[i];

		/*
		 * A place that held a page at the mark stays its own, or the page would seem to
		 * have moved.
		 */
		if (p->there || p->was_there)
			continue;
		p->there = true;
		p->type = (uint8_t)type;
		p->seq = seq;
		p->tier = rng_one_in(l->rng, 3) ? (uint8_t)rng_below(l->rng, TIER_NR) : 0;
		if (seq + 1 >= l->max && (!is_new(l) ? seq == l->max : true))
			l->truth[type].in_young++;
		else
			l->truth[type].in_old++;
		return;
	}
}

static void drop(struct lru *l, struct lru_page *p, int64_t *count)
{
	(void)l;
	p->there = false;
	++*count;
}

/* --- what the kernel does --- */

static void fault(struct lru *l, int type)
{
	uint64_t seq = is_new(l) ? l->max - 1 : l->max;

	if (is_new(l) && rng_one_in(l->rng, 8))
		seq = l->max;
	add_page(l, type, seq);
}

static void read_file(struct lru *l, int type)
{
	int64_t before = l->truth[type].in_old + l->truth[type].in_young;

	if (type == TYPE_ANON) {
		fault(l, type);
		return;
	}
	add_page(l, type, l->min[type]);
	if (l->truth[type].in_old + l->truth[type].in_young > before && rng_one_in(l->rng, 2)) {
		l->refaulted[type][rng_below(l->rng, TIER_NR)]++;
		l->truth[type].refaulted++;
	}
}

static void promote(struct lru *l, int type)
{
	struct lru_page *p = any_page(l, type, UNKNOWN);

	if (p)
		p->seq = l->max;
}

static void free_page(struct lru *l, int type)
{
	struct lru_page *p = any_page(l, type, UNKNOWN);

	if (p)
		drop(l, p, &l->truth[type].gone);
}

/* Counts as one that went and one that was put back. */
static void deactivate(struct lru *l, int type)
{
	struct lru_page *p = any_page(l, type, UNKNOWN);

	if (!p || p->seq == l->min[type])
		return;
	p->seq = l->min[type];
	l->truth[type].gone++;
	l->truth[type].in_old++;
}

static bool is_empty(struct lru *l, int type, uint64_t seq)
{
	return !any_page(l, type, seq);
}

/* try_to_inc_min_seq(): past all that are empty, with one fold. */
static void skip_empty(struct lru *l)
{
	uint64_t min[TYPE_NR];

	for (int type = 0; type < TYPE_NR; type++) {
		min[type] = l->min[type];
		while (min[type] + 2 <= l->max && is_empty(l, type, min[type]))
			min[type]++;
	}
	if (!is_new(l)) {
		min[TYPE_ANON] = smaller(min[TYPE_ANON], min[TYPE_FILE]);
		if (min[TYPE_FILE] < l->min[TYPE_FILE])
			min[TYPE_FILE] = l->min[TYPE_FILE];
	}
	for (int type = 0; type < TYPE_NR; type++) {
		if (min[type] <= l->min[type])
			continue;
		fold(l, type);
		l->min[type] = min[type];
	}
}

static void evict(struct lru *l, int type)
{
	struct lru_page *p;

	skip_empty(l);
	if (l->max - l->min[type] < 2)
		return;
	p = any_page(l, type, l->min[type]);
	if (!p)
		return;
	if (p->tier > 1 && rng_one_in(l->rng, 2)) {
		move_on(l, p, true);
	} else if (rng_one_in(l->rng, 12)) {
		move_on(l, p, false);
	} else {
		l->evicted[type][p->tier]++;
		drop(l, p, &l->truth[type].evicted);
	}
	skip_empty(l);
}

/* inc_min_seq() where a type has all four, then inc_max_seq(). */
static void age(struct lru *l)
{
	for (int type = 0; type < TYPE_NR; type++) {
		struct lru_page *p;

		if (l->max - l->min[type] + 1 < SLOTS)
			continue;
		while ((p = any_page(l, type, l->min[type])))
			move_on(l, p, is_new(l));
		fold(l, type);
		l->min[type]++;
	}
	l->max++;
	l->born_ms[l->max % LRU_SEQS] = l->now_ms;
}

void lru_run(struct lru *l, uint32_t operations, bool may_age)
{
	static void (*const acts[])(struct lru *l, int type) = {
		fault, read_file, promote, free_page, evict, deactivate,
	};
	uint32_t likely[6], all = 0;

	for (int i = 0; i < 6; i++)
		all += likely[i] = rng_below(l->rng, i == 5 ? 2 : 10);
	for (uint32_t i = 0; all && i < operations; i++) {
		uint32_t pick = rng_below(l->rng, all);
		int act = 0;

		l->now_ms += 5;
		if (may_age && rng_one_in(l->rng, 150))
			age(l);
		while (pick >= likely[act])
			pick -= likely[act++];
		acts[act](l, (int)rng_below(l->rng, TYPE_NR));
	}
}

void lru_mark(struct lru *l)
{
	memset(l->truth, 0, sizeof(l->truth));
	l->marked_max = l->max;
	for (uint32_t i = 0; i < LRU_PAGES; i++) {
		l->pages[i].was_there = l->pages[i].there;
		l->pages[i].was_seq = l->pages[i].seq;
	}
}

int64_t lru_promoted(const struct lru *l, enum page_type type)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < LRU_PAGES; i++) {
		const struct lru_page *p = &l->pages[i];

		n += p->there && p->was_there && p->type == type && p->seq > p->was_seq &&
		     p->seq >= l->marked_max;
	}
	return n;
}

/* --- what is shown --- */

static void show_rows(const struct lru *l, struct arena *a, struct lruvec *out)
{
	uint64_t first = is_new(l) ? smaller(l->min[TYPE_ANON], l->min[TYPE_FILE])
				   : l->min[TYPE_ANON];

	out->ngens = (uint32_t)(l->max - first + 1);
	out->gens = arena_alloc(a, out->ngens * sizeof(*out->gens));
	for (uint32_t i = 0; i < out->ngens; i++) {
		out->gens[i].seq = first + i;
		out->gens[i].age_ms = l->now_ms - l->born_ms[(first + i) % LRU_SEQS];
	}
	for (uint32_t i = 0; i < LRU_PAGES; i++) {
		const struct lru_page *p = &l->pages[i];

		if (p->there)
			out->gens[p->seq - first].pages[p->type]++;
	}
}

static const struct tier filler = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };

static void show_tier(const struct lru *l, uint64_t seq, int type, struct tier tiers[TIER_NR])
{
	for (int tier = 0; tier < TIER_NR; tier++) {
		struct tier *t = &tiers[tier];

		*t = filler;
		if (seq == l->max) {
			t->avg_refaulted = l->avg_refaulted[type][tier];
			t->avg_total = l->avg_total[type][tier];
		} else if (seq == l->min[type]) {
			t->refaulted = l->refaulted[type][tier];
			t->evicted = l->evicted[type][tier];
			t->protected = l->protected[type][tier];
		}
	}
}

void lru_show(const struct lru *l, struct arena *a, struct lruvec *out)
{
	show_rows(l, a, out);
	out->nfull = SLOTS;
	out->full = arena_alloc(a, SLOTS * sizeof(*out->full));
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct gen_full *g = &out->full[i];

		g->seq = l->max - (SLOTS - 1) + i;
		for (int type = 0; type < TYPE_NR; type++)
			show_tier(l, g->seq, type, g->tiers[type]);
		g->walk = (struct walk){ UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
	}
	for (int type = 0; type < TYPE_NR; type++)
		out->min_seq[type] = l->min[type];
}

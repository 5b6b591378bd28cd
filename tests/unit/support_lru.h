/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_lru.h - lruvecs that move pages as the kernel does, at random, and know what they did.
 */
#ifndef RECLAIMTOP_SUPPORT_LRU_H
#define RECLAIMTOP_SUPPORT_LRU_H

#include "reclaimtop/sample.h"
#include "support_sample.h"

#define LRU_PAGES 320
#define LRU_SEQS 64

struct lru_page {
	bool there;
	uint8_t type, tier;
	uint64_t seq;
	bool was_there;     /* at lru_mark() */
	uint64_t was_seq;
};

/* What happened to one type since lru_mark(). */
struct lru_truth {
	int64_t in_young, in_old, evicted, gone, refaulted;
	int64_t moved;      /* from the oldest to the next, for whatever reason */
	int64_t counted;    /* of them, those that the kernel counts as protected */
};

struct lru {
	struct rng *rng;
	uint32_t version;   /* of the kernel: see kernel_version() */
	struct lru_page pages[LRU_PAGES];
	uint64_t max, min[TYPE_NR], marked_max;
	uint64_t born_ms[LRU_SEQS], now_ms;
	uint64_t evicted[TYPE_NR][TIER_NR], protected[TYPE_NR][TIER_NR],
		refaulted[TYPE_NR][TIER_NR];
	uint64_t avg_total[TYPE_NR][TIER_NR], avg_refaulted[TYPE_NR][TIER_NR];
	struct lru_truth truth[TYPE_NR];
};

void lru_init(struct lru *l, struct rng *rng, uint32_t version);

/* Some operations, chosen at random, with their own mixture each time; aging only where it may. */
void lru_run(struct lru *l, uint32_t operations, bool may_age);

/* From here on the truth is counted. */
void lru_mark(struct lru *l);

/* Pages promoted since lru_mark(), as struct type_flow says it. */
int64_t lru_promoted(const struct lru *l, enum page_type type);

/* What lru_gen and lru_gen_full say of it. */
void lru_show(const struct lru *l, struct arena *a, struct lruvec *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow.h - how the flows of one lruvec and type are reckoned: private to the files that do it.
 */
#ifndef RECLAIMTOP_MODEL_FLOW_H
#define RECLAIMTOP_MODEL_FLOW_H

#include "model/stepping.h"

struct range {
	int64_t lo, value, hi;
};

/* What lru_gen_full counted of one type between two samples. */
struct fold {
	bool known;             /* it says something */
	bool exact;             /* the oldest generation stood still: all three are counts */
	struct range evicted, protected, refaulted;
	int64_t finished;       /* evicted and protected in finished generations: a guess … */
	int64_t counting;       /* … and evicted since in the one that is the oldest now */
};

/* One type of one lruvec while its flows are made. */
struct type_work {
	bool open;              /* the rows can be compared: no artefact, both samples have them */
	bool shares;            /* pages may have been evicted from it, shown or not */
	struct fold fold;
	struct range evicted;
	int64_t net;            /* sum(now) - sum(before) */
	int64_t oldest;         /* pages in the oldest generation that holds any: eviction's */
};

struct lruvec_work {
	struct lruvec_step *step;
	struct type_work types[TYPE_NR];
};

/* fold.c: withheld where lru_gen_full is. */
struct fold fold_make(const struct lruvec *was, const struct lruvec *is, enum page_type type,
		      uint32_t version);

/* gens.c: the rows of both samples, births, walks; after this step->now and before stand. */
void gens_make(const struct stepping *s, const struct lruvec *was, const struct lruvec *is,
	       struct lruvec_step *out);
uint64_t gens_sum(const struct lruvec *v, enum page_type type);
uint64_t gens_max_seq(const struct lruvec *v);

/* artefact.c: sets flow[].artefacts of all lruvecs; reused as lineage says, by lruvec of now. */
void artefacts_find(const struct stepping *s, const bool *reused);

/* share.c: evicted of all lruvecs, from what is known of each and of all together. */
void share_evicted(const struct stepping *s, struct lruvec_work *work);

/* solve.c: the flows of one type but for evicted and refaulted, which are given. */
void solve_flows(const struct stepping *s, const struct lruvec_work *w, enum page_type type);

/* refaults.c: refaulted of all lruvecs, once solve_flows() took what lru_gen_full says of it. */
void share_refaulted(const struct stepping *s, const struct lruvec_work *work);

#endif

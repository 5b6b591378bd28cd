/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stepping.h - what the parts of step_make() share while they work on one step.
 */
#ifndef RECLAIMTOP_MODEL_STEPPING_H
#define RECLAIMTOP_MODEL_STEPPING_H

#include "reclaimtop/step.h"

/*
 * What a step may be made without, so that a test can hold the model against what the kernel
 * counted.
 */
enum withheld {
	WITHHELD_STOLEN = 1,  /* pgsteal of vmstat and of memory.stat, from the generations */
	WITHHELD_FULL = 2,    /* lru_gen_full */
};

struct stepping {
	const struct sample *before;  /* NULL where nothing may be compared */
	const struct sample *now;
	struct step *out;
	struct arena *arena;
	enum amount_state none;       /* what an amount is that lacks its before: FIRST or RESET */
	unsigned int withheld;        /* enum withheld */
	uint32_t cpus, nodes;         /* at least 1 each */
};

/*
 * Amounts of this step: as those of step.h, but GAP in a step over a gap and s->none in one without
 * before.
 */
struct amount stepping_counter(const struct stepping *s, uint64_t before, uint64_t now,
			       enum amount_scope scope);
struct amount stepping_gauge(const struct stepping *s, uint64_t before, uint64_t now,
			     enum amount_scope scope);
struct amount stepping_measured(const struct stepping *s, int64_t value, enum amount_scope scope);
struct amount stepping_inferred(const struct stepping *s, const int64_t range[3],
				enum amount_scope scope);

/* The same keys of two sets; before may be NULL. */
struct amount stepping_key(const struct stepping *s, const struct counters *before,
			   const struct counters *now, unsigned int key, enum amount_scope scope);

/*
 * A sum of two int64_t that stays at its ends, and where either is AMOUNT_NO_LIMIT (or less) stays
 * there.
 */
int64_t amount_sum64(int64_t a, int64_t b);

/* A count of the kernel as a signed number. */
int64_t amount_from(uint64_t count);

/* The parts, in the order in which they are made: the later ones use the earlier ones. */
void stepping_vm(struct stepping *s);
void stepping_processes(struct stepping *s);
void stepping_reclaim(struct stepping *s);
void stepping_zones(struct stepping *s);
void stepping_nodes(struct stepping *s);
void stepping_events(struct stepping *s);
void stepping_lruvecs(struct stepping *s);
void stepping_memcgs(struct stepping *s);

/* step_make() without what is withheld. */
void step_make_withheld(const struct sample *before, const struct sample *now,
			unsigned int withheld, struct step *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lineage.h - which lruvec of a sample is which of the one before.
 */
#ifndef RECLAIMTOP_MODEL_LINEAGE_H
#define RECLAIMTOP_MODEL_LINEAGE_H

#include "model/keyed.h"
#include "reclaimtop/sample.h"

struct lineage {
	uint32_t *before_of;  /* by lruvec of now: its place in before; KEYED_NONE: it is new */
	bool *reused;         /* by lruvec of now: new, under a path or an id that another had */
	bool *survived;       /* by lruvec of before: it is in now */
};

/* before may be NULL. Memory of the arena. */
struct lineage lineage_make(const struct sample *before, const struct sample *now, struct arena *a);

/*
 * Did a generation's age go on from one reading to the next? False where it is another generation
 * of that number.
 */
bool lineage_age_went_on(uint64_t before_ms, uint64_t now_ms);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_gen_kept.h - the rows of lru_gen for the samples that leave it out because it takes long.
 */
#ifndef RECLAIMTOP_COLLECTORS_LRU_GEN_KEPT_H
#define RECLAIMTOP_COLLECTORS_LRU_GEN_KEPT_H

#include "reclaimtop/sample.h"

/* Begins zeroed. */
struct lru_gen_kept {
	struct arena *arena;
	struct lruvec *lruvecs;
	uint32_t n;
	int64_t at_us;                      /* of the sample that they were read for */
	int64_t start_us[2], end_us[2];     /* of lru_gen, lru_gen_full */
};

/*
 * Once a sample, after both files: remember its rows where the next samples may leave them out, or
 * give it those remembered where it does, with their ages moved on. What could not be read is not
 * made good.
 */
void lru_gen_kept_update(struct lru_gen_kept *k, struct sample *s);

void lru_gen_kept_drop(struct lru_gen_kept *k);
void lru_gen_kept_fini(struct lru_gen_kept *k);

#endif

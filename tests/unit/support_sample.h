/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_sample.h - samples that no kernel ever made: every field of the table at random, from a
 * seed.
 */
#ifndef SUPPORT_SAMPLE_H
#define SUPPORT_SAMPLE_H

#include "reclaimtop/sample.h"

struct rng {
	uint64_t state;
};

uint64_t rng_next(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n);
bool rng_one_in(struct rng *r, uint32_t n);

/*
 * Any sample: values unknown, unlimited and huge, lists with equal keys, odd names. s->arena must
 * be set.
 */
void sample_random(struct rng *r, struct sample *s);

/*
 * What may follow before, n one higher: values changed, list items added, taken away, renamed and
 * moved, ages a little or a lot away from where they should be. On rare occasions another boot.
 */
void sample_random_next(struct rng *r, const struct sample *before, struct sample *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - how often each size came, in a fixed room: medians of any number of values.
 *
 * Sizes below 256 are kept apart, larger ones to one part in 256.
 */
#ifndef RECLAIMTOP_MODEL_TALLY_H
#define RECLAIMTOP_MODEL_TALLY_H

#include <stdint.h>

#define TALLY_PARTS_LOG2 8
#define TALLY_BITS 48     /* sizes from 2^48 count as the largest below */
#define TALLY_SLOTS ((TALLY_BITS - TALLY_PARTS_LOG2 + 1) << TALLY_PARTS_LOG2)

/* All zero is empty. */
struct tally {
	uint64_t n, min, max;
	uint32_t counts[TALLY_SLOTS];
};

void tally_add(struct tally *t, uint64_t size);

/*
 * The size that permille of all are not above: 0 the smallest, 500 the (lower) median, 1000 the
 * largest; both ends exact. UINT64_MAX where there is none.
 */
uint64_t tally_at(const struct tally *t, unsigned int permille);

#endif

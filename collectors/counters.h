/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counters.h - putting the lines of a file into a set of counters. */
#ifndef RECLAIMTOP_COUNTERS_H
#define RECLAIMTOP_COUNTERS_H

#include "scan.h"

/* A set that is being filled. */
struct counters_filler {
	struct counters *c;
	struct arena *arena;
	struct arena_list more;
	uint32_t hint;
};

/* For a set whose table is set and that holds nothing yet. */
struct counters_filler counters_fill(struct counters *c, struct arena *a);

/*
 * Put a value under a name, known to the table or not. A known name is taken once: false where it
 * came before, or where the value is UNKNOWN.
 */
bool counters_put(struct counters_filler *f, struct text name, uint64_t value);

/* To be called last. Whether the set holds anything. */
bool counters_filled(struct counters_filler *f);

#endif

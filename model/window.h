/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - what a window holds, for the rules of the diagnosis.
 */
#ifndef RECLAIMTOP_MODEL_WINDOW_H
#define RECLAIMTOP_MODEL_WINDOW_H

#include "reclaimtop/diagnosis.h"

#define MOVED_NR 8       /* memcgs kept of a step */
#define MOVED_PATH 192   /* bytes: 60 columns of any characters */
#define MOVED_COLUMNS 60

/* What one memcg lost in a step, or in several. UNKNOWN where it is not known. */
struct moved {
	uint64_t name;           /* hash of its path and id */
	uint64_t parent;         /* hash of the path that it stands in, without the id */
	uint64_t path_name;      /* hash of its path, without the id */
	char path[MOVED_PATH];   /* as it is shown: cut in the middle where it is long */
	uint64_t evicted, refaulted, stalled_us, oom_kills, max_hits, high_hits;
	uint64_t current, max, high;  /* bytes, at the end of the last step */
	uint64_t held, held_was;      /* current and swap: at the end of the last step, and of the first of them */
};

struct window {
	uint32_t cap, n, newest;
	struct brief *briefs;
	struct moved (*moved)[MOVED_NR];  /* by step: those that moved most */
	uint32_t *nmoved;
};

/*
 * The memcgs that moved most in the last briefs, n of them, summed up: most evicted first. At most
 * room.
 */
uint32_t window_moved(const struct window *w, uint32_t n, struct moved *out, uint32_t room);

#endif

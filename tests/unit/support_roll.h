/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_roll.h - a roll of a few numbers, for tests of whoever goes over one. */
#ifndef RECLAIMTOP_SUPPORT_ROLL_H
#define RECLAIMTOP_SUPPORT_ROLL_H

#include "ui/cli/roll.h"

/* What is known of one sample. */
struct leaf {
	int64_t mono_us, wall_us;
	uint32_t session;
	bool damaged;
	uint64_t steals, stalls, ooms;   /* counters of vmstat, since boot */
	uint64_t free;                   /* of the one zone, whose watermarks are 100, 200, 300 */
	int64_t interval_us;
	const char *boot_id;
};

struct leaves {
	struct roll roll;
	struct leaf leaf[20000];
	uint64_t first, end;
	uint64_t reads;                  /* tries to read one */
};

/* n samples, a second apart, of one session, with nothing going on. Freed by roll_close(). */
struct leaves *leaves_new(uint64_t n);

#endif

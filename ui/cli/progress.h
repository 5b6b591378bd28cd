/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - how far a recording is, on standard error where that is a terminal.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/recording.h"

struct progress {
	bool shown;          /* a line stands there */
	bool terminal;
	const char *name;
	int64_t start_us, last_us;
};

void progress_begin(struct progress *p, const char *name, int64_t now_us);

/* A sample was taken. */
void progress_sample(struct progress *p, const struct recorder *r);

/* What came of it, in a line that stays. */
void progress_end(struct progress *p, const struct recorder *r);

#endif

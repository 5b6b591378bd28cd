/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events_hist.h - a histogram of the kernel's events, as text. */
#ifndef COLLECTORS_EVENTS_HIST_H
#define COLLECTORS_EVENTS_HIST_H

#include "parse.h"

#define HIST_KEYS 3

/* The keys that are wanted, by the names that the kernel prints. */
struct hist_keys {
	int n;
	const char *names[HIST_KEYS];
};

struct hist_row {
	uint64_t keys[HIST_KEYS];  /* in the order of hist_keys */
	uint64_t count;            /* hitcount */
};

struct hist {
	struct hist_row *rows;     /* in the order of the text */
	uint32_t n;
	uint64_t dropped;          /* events for which there was no room; UNKNOWN where not said */
};

/* As all of parse.h. Rows go to the arena. -ENODATA where the text has no totals: it is no histogram, or is cut. */
int events_hist_parse(struct text t, const struct hist_keys *keys, struct arena *a, struct hist *out,
		      struct reading *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.h - the one table of what the program shows: help, man page and documents are printed from it.
 */
#ifndef RECLAIMTOP_METRICS_H
#define RECLAIMTOP_METRICS_H

#include <stdint.h>

struct metric {
	const char *name;    /* as on screen: "evicted" */
	const char *unit;    /* "pages/s" */
	const char *what;    /* what it is: one sentence */
	const char *reading; /* how to read it: one or two sentences */
	const char *file;    /* kernel file it comes from: "/proc/vmstat pgsteal_*" */
	const char *where;   /* kernel source file and function: "mm/vmscan.c shrink_folio_list()" */
};

extern const struct metric metrics[];
extern const uint32_t nmetrics;

/* NULL where there is none of that name. */
const struct metric *metric_find(const char *name);

#endif

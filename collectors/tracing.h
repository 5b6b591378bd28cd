/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracing.h - between the file that switches the kernel's events on (events.c) and the one that reads them
 * (events_read.c).
 */
#ifndef COLLECTORS_TRACING_H
#define COLLECTORS_TRACING_H

#include <sys/types.h>

#include "reclaimtop/events.h"
#include "events_hist.h"

#define TRACING_NAME "reclaimtop"              /* of the instance and of the group of probes: all that is ours */
#define TRACING_ROOT "sys/kernel/tracing"

/* A histogram that the kernel keeps for us. */
struct tracing_hist {
	enum bulk_way way;
	bool sizes;              /* of drains or refills: at a probe, whose event is ours; else of blocks */
	const char *system, *event;
	const char *trigger;
	const char *function;    /* that the probe is on, and what of it is taken; NULL: no probe */
	const char *fetch;
	struct hist_keys keys;
};

#define TRACING_HISTS 4
extern const struct tracing_hist tracing_hists[TRACING_HISTS];

struct tracefs_instance;

struct tracing {
	struct events_why why;
	struct tracefs_instance *instance;
	int lock;                /* held while they are on; -1 */
	int guard_fd;            /* closed, by us or by our death, it makes the guard take all away; -1 */
	pid_t guard;
	int64_t since_us;
	enum sizes_state sizes[BULK_NR];
};

/* What is wrong by an errno, in words. */
struct events_why tracing_why(int err);

/* Is there a function of exactly this name? One that the compiler changed has another. */
bool tracing_has_function(struct kernfs *fs, const char *name);

#endif

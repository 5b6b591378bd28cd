/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - the kernel's own events of pagesets, switched on for as long as somebody wants them.
 *
 * This is the one place where something is written to the kernel: an instance of tracefs named reclaimtop, histograms
 * in it, and up to two probes in a group named reclaimtop. Nothing of anybody else's is touched. All of it is taken
 * away again by events_off(), and by a process of our own that stays behind when this one dies in any other way; what
 * even that left (both were killed) is taken away by the next events_on().
 */
#ifndef RECLAIMTOP_EVENTS_H
#define RECLAIMTOP_EVENTS_H

#include "reclaimtop/sample.h"

struct kernfs;
struct source;
struct tracing;

/* Why events cannot be had: an errno, what that means here in words, and what a user can do (NULL: nothing). */
struct events_why {
	int err;               /* 0: they can */
	const char *why, *todo;
};

/*
 * Switch them on. To be called before there are threads, since it forks. Never NULL; where they could not be had,
 * why->err is set, and events_read() says so with every sample.
 */
struct tracing *events_on(struct kernfs *fs, struct events_why *why);

/* Take away all that was written, and wait for it; free. NULL is nothing to do. */
void events_off(struct tracing *tr);

/* Could they be had? Writes nothing. */
struct events_why events_look(struct kernfs *fs);

/* Which sizes could be counted, by enum bulk_way? Goes over all names of the kernel's functions. */
void events_sizes(struct kernfs *fs, enum sizes_state sizes[BULK_NR]);

/* Let a source of source_live() read them. The source owns them from here on, and switches them off when closed. */
void source_events(struct source *src, struct tracing *tr);

#endif

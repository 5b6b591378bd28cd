/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.h - a recording as a feed: played, and gone about in. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include "reclaimtop/frame.h"
#include "reclaimtop/recording.h"

struct replay_options {
	const char *path;        /* for markers, and to be shown; NULL: markers last as long as one looks */
	bool follow;             /* the file may still be written */
	int64_t interval_us;     /* pause between samples; 0: as they say */
	uint64_t limit;          /* done after so many; 0: never */
	const char *label;       /* to be shown in place of the path */
};

struct replay;

/* The recording becomes the replay's. NULL with errno where the system refuses a descriptor. */
struct replay *replay_new(struct recording *r, const struct replay_options *o);
void replay_free(struct replay *r);

/*
 * Frames of what is played. All work is done in take(), a slice at a time: its descriptor is
 * readable as long as there is some.
 */
struct feed *replay_feed(struct replay *r);

#endif

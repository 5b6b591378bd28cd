/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_replay.h - a screen driven by written keys over anything that can be gone about in. */
#ifndef SUPPORT_REPLAY_H
#define SUPPORT_REPLAY_H

#include "reclaimtop/frame.h"
#include "ui/tui/grid.h"
#include "ui/tui/tui.h"

/* A screen over a feed; what it shows is in grid after each call. */
struct theatre {
	struct feed *feed;
	struct tui *tui;
	struct grid grid;
	struct frame frame;     /* shown */
	uint32_t frames;
};

/* The feed is not the theatre's. */
void theatre_open(struct theatre *t, struct feed *feed, const struct tui_options *options);
void theatre_close(struct theatre *t);

/* Take frames until none comes for a while, and draw. What the program itself takes is left out. */
void theatre_settle(struct theatre *t);

/*
 * Press what is written, as stage_keys() does; what is wished is passed on, and settled after each
 * key.
 */
void theatre_keys(struct theatre *t, const char *keys);

/*
 * A recording at path, with a story: 15 samples of a kernel under pressure, from 12:00:00 on by its
 * clock, and a marker at the fifth; then the machine slept for 574 s; 5 samples later the clock is
 * set back by a minute; after the twentieth another boot, appended to the file: 10 samples, with
 * memory below low at its sixth.
 */
void story_write(const char *path);

#endif

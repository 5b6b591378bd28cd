/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_frame.h - frames of a captured series or a recording, one after the other, without threads or clocks. */
#ifndef SUPPORT_FRAME_H
#define SUPPORT_FRAME_H

#include "reclaimtop/frame.h"

struct reel;

/* A series, a tree or a recording (.zst); the test fails where it cannot be opened. */
struct reel *reel_open(const char *dir);

/* The next frame, valid until the one after the next; false at the end, with the last frame once more, ended. */
bool reel_next(struct reel *r, struct frame *out);

/* What to be interested in from now on. */
void reel_want(struct reel *r, const struct interest *in);

void reel_close(struct reel *r);

#endif

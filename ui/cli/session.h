/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - the pieces put together: samples of a source, their steps, the window that is
 * diagnosed, the history.
 *
 * The source is read in a thread of its own (sampler.h); all else is done by whoever takes a frame.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "reclaimtop/frame.h"

struct session_options {
	int64_t interval_us;   /* as in struct sampler_options, like the next three */
	bool no_pauses;
	uint64_t limit;
	struct interest interest;  /* its flags stay on whatever else is looked at */
	size_t history_bytes;  /* 0: none is kept */
	const char *label;     /* NULL: the source's own */
};

struct session;

/* The source becomes the session's. NULL with errno set where the system refuses a thread. */
struct session *session_new(struct source *src, const struct session_options *options);
void session_free(struct session *s);

/*
 * The session as a screen sees it: take() goes over all samples that wait and gives the newest. It
 * also gives a frame when the source ended; without any sample that frame holds an empty one.
 */
struct feed *session_feed(struct session *s);

/*
 * The oldest sample that waits as a frame, for those who want each: 1 a frame, 0 none yet
 * (session_feed()'s fd tells when), -1 the end, with what the last frame said of it in *out. Do not
 * mix with take().
 */
int session_next(struct session *s, struct frame *out);

#endif

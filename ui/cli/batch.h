/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - a session without a screen: one piece of standard output for every sample.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "reclaimtop/frame.h"

#include "options.h"

/* How frames are written. put() appends one to out; all are called by one thread. */
struct batch_writer {
	void *(*open)(const struct options *o, struct buf *out);
	void (*put)(void *w, const struct frame *f);
	int (*close)(void *w);      /* what it still has goes to out; an exit status, said where it is not 0 */
};

extern const struct batch_writer batch_text, batch_json;

/*
 * Every sample of the source, in order, until as many as asked for were written, the source ended
 * or nobody reads any more. Owns the source. An exit status.
 */
int batch_run(struct source *src, const char *label, const struct options *o);

#endif

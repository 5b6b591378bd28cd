/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - all that a view may look at, and where frames come from. Const, and without collectors.
 */
#ifndef RECLAIMTOP_FRAME_H
#define RECLAIMTOP_FRAME_H

#include "reclaimtop/diagnosis.h"
#include "reclaimtop/source.h"
#include "reclaimtop/step.h"

struct frame {
	const char *label;              /* where the samples come from: "live", "demo", "tree …" */
	const struct sample *now;
	const struct step *step;        /* its last step, state STEP_FIRST at the start */
	const struct window *window;
	const struct finding *findings;
	uint32_t nfindings;
	enum rung rung;
	const char *rung_reason;        /* why not a better one, "" on the best */
	int64_t interval_us;            /* between samples; 0 where the samples say */
	bool live;                      /* false: played from files */
	bool ended;                     /* the source has no more */
	bool done;                      /* as many samples as were asked for were on screen: leave */
	int64_t history_us;             /* how far back the history reaches */
	uint64_t history_bytes;
	uint32_t history_count;
	int64_t own_cpu_us;             /* CPU of the whole program over own_over_us */
	int64_t own_over_us;
	uint64_t own_rss_kib;           /* UNKNOWN where not known */
	uint32_t missed;                /* samples that were due and not taken, since the start */
	uint32_t gaps, torn;            /* steps that were gaps; readings with torn or cut text, since the start */
	const char *error;              /* a source that ended badly: one line, NULL else */
};

/*
 * Makes frames in the background. What take() gives stays valid and unchanged until the next take().
 */
struct feed;

struct feed_ops {
	int (*fd)(struct feed *f);                            /* readable when a new frame waits */
	bool (*take)(struct feed *f, struct frame *out);      /* the newest frame; false where none is new */
	void (*want)(struct feed *f, const struct interest *in);
	void (*pace)(struct feed *f, int64_t interval_us);    /* change the time between samples */
};

struct feed {
	const struct feed_ops *ops;
	void *ctx;
};

#endif

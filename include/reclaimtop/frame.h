/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame.h - all that a view may look at, and where frames come from. Const, and without collectors.
 */
#ifndef RECLAIMTOP_FRAME_H
#define RECLAIMTOP_FRAME_H

#include "reclaimtop/diagnosis.h"
#include "reclaimtop/heat.h"
#include "reclaimtop/source.h"
#include "reclaimtop/step.h"

/* --- where one is in time --- */

/* What the time line shows beside the intensity of reclaim; each begins with a sample. */
enum moment_kind {
	MOMENT_BIRTH,      /* generations were opened, and none in the step before */
	MOMENT_WATERMARK,  /* the most pressed zone fell below low or min, or rose above low */
	MOMENT_STALLS,     /* direct reclaim, and none in the step before: a burst begins */
	MOMENT_CLOCK,      /* the wall clock was set */
	MOMENT_GAP,        /* samples are missing, or the machine slept */
	MOMENT_START,      /* another session: a reboot, a file that was appended to */
	MOMENT_MARK,       /* a marker that somebody set */
	MOMENT_OOM,        /* a process was killed */
	MOMENT_NR
};

#define MOMENT_TEXT 96

struct moment {
	enum moment_kind kind;
	uint64_t index;           /* of its sample, 0 the first */
	int64_t mono_us;          /* of it */
	char text[MOMENT_TEXT];   /* printable */
};

/* One part of the whole time, all of them as many samples (one more or less). */
struct bucket {
	uint64_t pages_s;         /* the most reclaimed in a second; UNKNOWN: not known, or not yet */
	unsigned int moments;     /* bit 1 << enum moment_kind */
};

#define BUCKET_NR 240
#define MOMENTS_NEAR 8

enum wish_kind {
	WISH_STEP,      /* by samples: -1 is the one before */
	WISH_JUMP,      /* by microseconds */
	WISH_CLOCK,     /* to the local time of day, microseconds since midnight */
	WISH_FIRST,
	WISH_LAST,      /* the newest: in a live session, now */
	WISH_MOMENT,    /* by moments: -1 the one before, 1 the next */
	WISH_PLAY,      /* 1 play, 0 stop */
	WISH_SPEED,     /* tenths: 10 is as it was */
	WISH_MARK,      /* a marker with a text at the sample of this time (mono_us) */
	WISH_RECORD,    /* to the file of this name, by 1 with the history in front; "": stop */
};

#define WISH_TEXT 256

/* What the user wants of the feed. Plain data, copied. */
struct wish {
	enum wish_kind kind;
	int64_t by;
	char text[WISH_TEXT];
};

enum record_state { RECORD_NOT, RECORD_RUNS, RECORD_FAILING };

struct when {
	bool can;                 /* the feed takes wishes; all else is 0 where it does not */
	bool replay;              /* of a recording, which has no now */
	bool past;                /* what is shown is not the newest of a session that goes on */
	bool playing;             /* goes on by itself */
	bool growing;             /* not all samples were counted yet */
	bool filling;             /* the window is not whole yet: there are no findings */
	int speed;                /* tenths */
	uint64_t index, count;    /* of the sample shown, and how many there are */
	int64_t first_us, last_us;             /* mono of both ends */
	int64_t first_wall_us, last_wall_us;   /* 0 where unknown */
	int64_t from_end_us;      /* from what is shown to the newest; 0 where not known */
	uint32_t session, sessions;
	uint32_t seen_permille;   /* of the time line that was looked at */
	uint32_t damaged;         /* lines passed over */
	uint64_t first;           /* number, in heat, of the sample of index 0 */
	/* Of all samples, as far as they were looked at; of those that interest asks for. NULL: none. */
	const struct heat *heat, *closer;
	const struct bucket *line;             /* [BUCKET_NR] */
	const struct moment *near;             /* around what is shown, by time */
	uint32_t nnear;
	const char *said;         /* what became of the last wish, "" nothing to say */
	uint32_t said_n;          /* another number whenever something is said */
	enum record_state record;
	uint64_t record_bytes;
};

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
	struct when when;
};

/*
 * Makes frames in the background. What take() gives stays valid and unchanged until the next
 * take().
 */
struct feed;

struct feed_ops {
	int (*fd)(struct feed *f);                            /* readable when a new frame waits */
	bool (*take)(struct feed *f, struct frame *out);      /* the newest frame; false where none is new */
	void (*want)(struct feed *f, const struct interest *in);
	void (*pace)(struct feed *f, int64_t interval_us);    /* change the time between samples */
	/* Soon a frame shows what became of it. NULL where the feed cannot go in time. */
	void (*wish)(struct feed *f, const struct wish *w);
};

struct feed {
	const struct feed_ops *ops;
	void *ctx;
};

#endif

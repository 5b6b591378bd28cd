/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mark.h - what a recording holds beside its samples: markers that somebody set, and events that no sample tells of.
 */
#ifndef RECLAIMTOP_MARK_H
#define RECLAIMTOP_MARK_H

#include <stdbool.h>
#include <stdint.h>

enum mark_kind {
	MARK_NOTE,       /* by a person or a script */
	MARK_SCORE,      /* "score=44890.50" */
	MARK_START,      /* of the command that was run */
	MARK_END,        /* of it, with its exit status and duration */
	MARK_LOST,       /* an event: samples that could not be written */
	MARK_NR
};

/* A marker or an event, by time. */
struct mark {
	int64_t mono_us, wall_us;   /* wall 0 where unknown */
	uint32_t session;
	enum mark_kind kind;
	const char *text;           /* printable */
	int64_t duration_us;        /* MARK_END: how long the command ran; -1 where not said */
	int status;                 /* MARK_END: its exit status, 128 and the signal that ended it; -1 where not said */
	uint64_t samples;           /* MARK_LOST: how many; 0 elsewhere */
	const char *boot_id;        /* whose clock mono_us is of; NULL: the samples' own */
};

/* "note", "score", "start", "end", "lost". */
const char *mark_kind_name(enum mark_kind kind);

/* A score's name and number, where the text is one: "score=44890.50". The name is as long as *len says. */
bool mark_score(const char *text, const char **name, int *len, double *value);

#endif

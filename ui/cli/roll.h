/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roll.h - samples in a row that can be read at any place: the history of a session, or a
 * recording. To ask for the time of one may cost a reading of the file, unless that of one nearby
 * was just asked for.
 *
 * A sample keeps its number as long as it is there; those in the roll are first to end - 1. Both
 * ends may move on: a session goes on and forgets, a recording is still being written.
 */
#ifndef CLI_ROLL_H
#define CLI_ROLL_H

#include "reclaimtop/history.h"
#include "reclaimtop/recording.h"

struct roll;

struct roll_ops {
	uint64_t (*first)(const struct roll *r);
	uint64_t (*end)(const struct roll *r);
	int64_t (*mono)(const struct roll *r, uint64_t i);
	int64_t (*wall)(const struct roll *r, uint64_t i);   /* 0 where unknown */
	uint32_t (*session)(const struct roll *r, uint64_t i);
	/* As recording_first() and recording_find(): end where there are not so many sessions. */
	uint64_t (*session_first)(const struct roll *r, uint32_t session);
	uint64_t (*find)(const struct roll *r, uint32_t session, int64_t t_us);
	/* 0, or -errno. out's arena is set. */
	int (*read)(struct roll *r, uint64_t i, struct sample *out);
	void (*close)(struct roll *r);
};

struct roll {
	const struct roll_ops *ops;
};

void roll_close(struct roll *r);

/* How many samples there are. */
uint64_t roll_count(const struct roll *r);

/*
 * Time from a sample to the one after it, as far as a clock tells: 0 from one session to another.
 */
int64_t roll_pause(const struct roll *r, uint64_t i);

/*
 * Time between two samples, the later one last: within a session exact, else by the wall clock; 0
 * where unknown.
 */
int64_t roll_between(const struct roll *r, uint64_t from, uint64_t to);

/* --- the history of a session --- */

struct roll *roll_history(size_t bytes);

/* Take a sample in; the oldest ones may go for it. False where it was left out. */
bool roll_history_put(struct roll *r, const struct sample *s);

/* Forget all; numbers go on. */
void roll_history_clear(struct roll *r);

const struct history *roll_history_of(const struct roll *r);

/* --- a recording, which is closed with it --- */

struct roll *roll_recording(struct recording *r);

#endif

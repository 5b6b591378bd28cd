/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tape.h - a recording that is made of a session while one looks: from the roll to the scribe, as
 * fast as that one writes.
 */
#ifndef CLI_TAPE_H
#define CLI_TAPE_H

#include "moments.h"
#include "scribe.h"

struct tape;

/* Nothing is recorded yet. The roll and its moments must outlive it. */
struct tape *tape_new(struct roll *roll, const struct moments *moments);

/*
 * Ends a recording; a disk that does not answer is not waited for long. What became of it is said
 * on standard error.
 */
void tape_free(struct tape *t);

/*
 * Begin a recording with sample from. False: *why says why not, in one sentence that is valid until
 * the next call.
 */
bool tape_start(struct tape *t, const char *path, uint64_t from, const char **why);

/* End it with the samples that there are; that takes its time. */
void tape_stop(struct tape *t);

/* Is there one? Has it been asked to end? */
bool tape_runs(const struct tape *t);
bool tape_is_ending(const struct tape *t);

/* Readable when tape_work() has something to do; -1 while none runs. */
int tape_fd(const struct tape *t);

/*
 * Bring the scribe what it has room for. newest: the last sample as it came, NULL where it is not
 * in the roll. What is to be said to the user, once; NULL nothing.
 */
const char *tape_work(struct tape *t, const struct sample *newest);

/* A marker at sample i; those at samples that are not recorded yet come with them. */
void tape_mark(struct tape *t, uint64_t i, const char *text);

enum record_state tape_state(const struct tape *t, uint64_t *bytes);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - the command that a recording is made of: started, and seen to its end.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reclaimtop/buf.h"

struct child {
	pid_t pid;           /* 0: not started */
	bool ended;
	int status;          /* its exit status, 128 and the signal that ended it */
	int64_t start_us, end_us;
};

/* Start argv, with these signals blocked as they were before us. 0 or -errno. */
int child_start(struct child *c, char *const *argv, const sigset_t *mask);

/* Has it ended? Does not wait. */
bool child_look(struct child *c);

/* Hand a signal on, as long as it runs. */
void child_signal(const struct child *c, int signal);

/* The words as a person would type them, for people. */
void child_words(char *const *argv, struct buf *out);

#endif

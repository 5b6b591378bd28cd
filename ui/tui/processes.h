/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.h - what the words of the Processes view ask of its rows. */
#ifndef TUI_PROCESSES_H
#define TUI_PROCESSES_H

#include "view.h"

/* The process on screen whose memcg waited longest for memory in the step, and how long; NULL where none is known to have. */
const struct process *processes_longest_wait(const struct tui *t, int64_t *us);

#endif

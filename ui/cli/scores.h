/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scores.h - numbers that a benchmark gave, in a file beside the recordings.
 */
#ifndef CLI_SCORES_H
#define CLI_SCORES_H

#include "reclaimtop/compare.h"

extern const struct compare_metric scores_metric;

/*
 * Put the scores of a file ("-" is standard input) to the runs of c. Its lines are either all "RUN
 * NUMBER", where RUN is a run as it stands on the command line or the last part of its path, or all
 * "NUMBER", one for each run in their order. Several numbers of one run count as their mean. Empty
 * lines and those that begin with # say nothing. An exit status; what is wrong was said.
 */
int scores_read(const char *path, struct compare *c);

/* The same for text. */
int scores_take(const char *path, char *text, struct compare *c);

#endif

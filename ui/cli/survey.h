/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.h - goes over a whole roll and takes a note of each step, in slices, while one already
 * looks: first here and there over all of it, then finer.
 */
#ifndef CLI_SURVEY_H
#define CLI_SURVEY_H

#include "notes.h"
#include "roll.h"

struct survey;
struct heat;

/* Both must outlive it. */
struct survey *survey_new(struct roll *roll, struct notes *notes);

/* Also add each step to it, which must outlive the survey. */
void survey_heat(struct survey *s, struct heat *heat);

void survey_free(struct survey *s);

/* Take some more notes, until the time until_us. False: all are taken, until the roll grows. */
bool survey_work(struct survey *s, int64_t until_us);

/* The part that holds sample i comes next. */
void survey_hurry(struct survey *s, uint64_t i);

/* How many notes were taken. */
uint64_t survey_done(const struct survey *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * closer.h - a part of a roll in narrower columns than the whole of it is kept in: read when
 * somebody looks there, in slices.
 */
#ifndef CLI_CLOSER_H
#define CLI_CLOSER_H

#include "reclaimtop/heat.h"

#include "notes.h"
#include "roll.h"

struct closer;

/* Both must outlive it. */
struct closer *closer_new(struct roll *roll, const struct notes *notes);
void closer_free(struct closer *c);

/*
 * What is looked at: samples from to to - 1 in columns of each, 0 nothing. Columns that are there
 * already stay; with more than there is room for, the first ones are read.
 */
void closer_look(struct closer *c, uint64_t from, uint64_t to, uint64_t each);

/* Read some more, until the time until_us. False: all is read, until the roll grows. */
bool closer_work(struct closer *c, int64_t until_us);

/* NULL where nothing is looked at. */
const struct heat *closer_heat(const struct closer *c);

/* All samples are others now. */
void closer_clear(struct closer *c);

#endif

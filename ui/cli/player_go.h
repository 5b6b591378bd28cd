/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * player_go.h - from one place in a roll to another, as times tell. Numbers in, a number out; few
 * times are asked for, since that may cost a reading each.
 */
#ifndef CLI_PLAYER_GO_H
#define CLI_PLAYER_GO_H

#include "notes.h"
#include "roll.h"

/* Is the time from sample i to the next one a hole: much more than between those around? */
bool go_is_hole(const struct roll *r, uint64_t i);

/*
 * The sample nearest to a time by_us from that of sample i, back where it is negative. A time in a
 * hole leads to the sample behind the hole, or from that one to the one before it.
 */
uint64_t go_jump(const struct roll *r, uint64_t i, int64_t by_us);

/*
 * The first sample at or behind a local time of day, of the day of sample i, else of the nearest
 * day of which there are any. False where no clock tells, or none has that time; then *out is the
 * nearest. Where the wall clock was set is known from the notes, as far as there are any.
 */
bool go_clock(const struct roll *r, const struct notes *notes, uint64_t i, int64_t of_day_us,
	      uint64_t *out);

#endif

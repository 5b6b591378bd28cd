/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * player.h - where one is in a roll, and what a wish does to that: steps, jumps, playing, moments.
 *
 * Knows neither files nor screens. All work is done in slices by player_work(); what is shown
 * changes only there.
 */
#ifndef CLI_PLAYER_H
#define CLI_PLAYER_H

#include "moments.h"
#include "past.h"
#include "survey.h"

struct player;

enum player_flags {
	PLAYER_LIVE = 1,     /* of a session that goes on: at its end one sees its own frames */
	PLAYER_FOLLOW = 2,   /* the roll may grow: whoever is at its end goes on with it */
	PLAYER_SURVEY = 4,   /* the notes are made by going over the roll */
};

struct player_options {
	unsigned int flags;
	uint32_t steps;          /* of the window */
	int64_t interval_us;     /* between two samples, whatever their clocks say; 0: as they say */
};

/*
 * Roll and notes must outlive it. It begins at the first sample and plays; where it may follow, at
 * the last.
 */
struct player *player_new(struct roll *roll, struct notes *notes, const struct player_options *o);
void player_free(struct player *p);

struct moments *player_moments(struct player *p);

/* What steps are to be added to where there is no survey. */
struct heat *player_heat(struct player *p);

/* What is looked at closely: see struct interest. */
void player_look(struct player *p, uint64_t from, uint64_t to, uint64_t each);

/* The roll begins anew: forget what was made of its samples. */
void player_restart(struct player *p);

/* WISH_STEP to WISH_SPEED. */
void player_wish(struct player *p, const struct wish *w);

/* What is to be said to the user, until the next wish. */
void player_say(struct player *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Is the end of a session that goes on what is to be shown: its own frames? */
bool player_is_live(const struct player *p);

/* The roll has more samples, or more notes. */
void player_grew(struct player *p);

/*
 * Do what is to be done, for about budget_us. True where what player_fill() gives has changed: what
 * it gave before is dead then.
 */
bool player_work(struct player *p, int64_t now_us, int64_t budget_us);

/* When player_work() is to be called next: 0 at once, INT64_MAX when something happens. */
int64_t player_due_us(const struct player *p, int64_t now_us);

/* What is shown, into a frame; where it is live, only f->when. False before the first. */
bool player_fill(struct player *p, struct frame *f);

/* The number in the roll of what is shown. */
uint64_t player_at(const struct player *p);

/* The last sample of that time that is not behind what is shown; else what is shown. */
uint64_t player_find(const struct player *p, int64_t mono_us);

/* How many samples were shown by playing. */
uint64_t player_played(const struct player *p);

/* Is there no sample that can be read? */
bool player_is_lost(const struct player *p);

/* Does it stand at the last sample, with none to come? */
bool player_ended(const struct player *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* player_in.h - what the parts of the player share. */
#ifndef CLI_PLAYER_IN_H
#define CLI_PLAYER_IN_H

#include "closer.h"
#include "player.h"

#define PLAYER_USUAL_US INT64_C(1000000)
#define PLAYER_NORMAL_SPEED 10   /* tenths */
/* After a wish, what is not wanted at once waits so long: there may be another. */
#define PLAYER_CALM_US INT64_C(300000)

struct player {
	struct roll *roll;
	struct notes *notes;
	struct player_options options;
	struct past *past;
	struct moments *moments;
	struct survey *survey;     /* NULL without PLAYER_SURVEY */
	bool surveyed;             /* it has nothing to do */
	struct heat *heat;         /* of all that was looked at */
	struct closer *closer;
	bool closing;              /* it has something to do */
	int64_t calm_us;           /* it rests until then: somebody goes about */

	uint64_t target;           /* to be shown */
	bool moved;                /* target is not shown yet */
	int way;                   /* where to go on where target cannot be read: -1, 1 */
	bool shown;                /* there is a picture, of sample at */
	uint64_t at;
	bool follow;               /* stays at the end */
	bool stays;                /* was stopped at the end of what goes on, and not moved since */
	bool filling;              /* the picture's window is not whole */

	bool playing, fresh;       /* fresh: it begins to play here */
	int speed;
	int64_t due_us;            /* when the next sample is */
	uint64_t played;

	int search, wanted;        /* -1, 1: looking for a moment from seek on; so many */
	uint64_t seek;
	bool waits;                /* the search came to where no notes are */

	int64_t now_us;            /* of the last work */
	bool dirty;                /* something of what is to be shown has changed */
	bool line_old;
	int64_t line_us;           /* when the line was reckoned */
	uint64_t ends[2];          /* the first and the last, whose times these are */
	int64_t ends_mono[2], ends_wall[2];
	struct bucket line[BUCKET_NR];
	struct moment near[MOMENTS_NEAR];
	char said[WISH_TEXT + 100];
	uint32_t said_n;
};

static inline uint64_t player_first(const struct player *p)
{
	return p->roll->ops->first(p->roll);
}

static inline uint64_t player_end(const struct player *p)
{
	return p->roll->ops->end(p->roll);
}

/* Does it go on at its end? */
static inline bool player_can_follow(const struct player *p)
{
	return p->options.flags & (PLAYER_LIVE | PLAYER_FOLLOW);
}

/* Where one is: what is shown, or about to be. There must be a sample. */
uint64_t player_place(const struct player *p);

/* Sample i is to be shown next; way is where to go on where it cannot be read. */
void player_move(struct player *p, uint64_t i, int way);

/* Go to the end, and stay there. */
void player_follow(struct player *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "player_in.h"
#include "player_go.h"

uint64_t player_place(const struct player *p)
{
	uint64_t end = player_end(p), at = p->follow ? end : p->target;

	if (at >= end)
		at = end - 1;
	return at < player_first(p) ? player_first(p) : at;
}

void player_move(struct player *p, uint64_t i, int way)
{
	p->target = i;
	p->moved = p->fresh = true;
	p->way = way;
	p->follow = p->stays = false;
	p->search = 0;
	p->dirty = true;
}

void player_follow(struct player *p)
{
	player_move(p, player_end(p) - 1, -1);
	p->follow = true;
	p->playing = false;
}

/* ---- where to -------------------------------------------------------------------------------- */

static void wish_step(struct player *p, int64_t by)
{
	uint64_t at = player_place(p), last = player_end(p) - 1;
	uint64_t room = by < 0 ? at - player_first(p) : last - at;
	uint64_t far = by < 0 ? (uint64_t)-by : (uint64_t)by;

	p->playing = false;
	if (by > 0 && !room && player_can_follow(p)) {
		player_follow(p);
		return;
	}
	if (!room)
		player_say(p, "%s",
			   by < 0 ? "this is the first sample" : "this is the last sample");
	far = far < room ? far : room;
	player_move(p, by < 0 ? at - far : at + far, by < 0 ? -1 : 1);
}

static void wish_jump(struct player *p, int64_t by)
{
	uint64_t at = player_place(p), to = go_jump(p->roll, at, by);

	if (to == at && by)
		wish_step(p, by < 0 ? -1 : 1);
	else
		player_move(p, to, by < 0 ? -1 : 1);
}

static void wish_clock(struct player *p, int64_t by)
{
	uint64_t at = player_place(p), to;

	p->playing = false;
	if (!go_clock(p->roll, p->notes, at, by, &to))
		player_say(p, to == at ? "no sample has that time"
				       : "no sample has that time: this is the nearest");
	player_move(p, to, 1);
}

static void wish_first(struct player *p, int64_t by)
{
	(void)by;
	player_move(p, player_first(p), 1);
}

static void wish_last(struct player *p, int64_t by)
{
	(void)by;
	if (player_can_follow(p)) {
		player_follow(p);
		return;
	}
	p->playing = false;
	player_move(p, player_end(p) - 1, -1);
}

/* One wish more while one is being looked for: to the one behind that. */
static void wish_moment(struct player *p, int64_t by)
{
	int way = by < 0 ? -1 : 1;

	p->playing = false;
	if (p->search == way) {
		p->wanted++;
		return;
	}
	p->seek = player_place(p);
	/* What is about to be shown is passed by, and the end is left. */
	if (p->follow)
		player_move(p, p->seek, -1);
	p->search = way;
	p->wanted = 1;
	p->waits = false;
	if (p->survey && !p->surveyed)
		player_say(p, "looking for the %s event", way < 0 ? "last" : "next");
}

/* ---- how ------------------------------------------------------------------------------------- */

/*
 * Stopped at the end of what goes on, the next wish to play means: go on with it. Anywhere else one
 * plays from there.
 */
static void wish_play(struct player *p, int64_t by)
{
	uint64_t at = player_place(p);
	bool stays = p->follow;

	if (!by) {
		p->playing = false;
		player_move(p, at, -1);
		p->stays = stays;
		return;
	}
	if (player_can_follow(p) && (p->stays || at + 1 == player_end(p))) {
		player_follow(p);
		return;
	}
	player_move(p, at + 1 == player_end(p) ? player_first(p) : at, 1);
	p->playing = true;
}

static void wish_speed(struct player *p, int64_t by)
{
	if (player_is_live(p)) {
		player_say(p, "now goes at its own pace: T steps back, - and + change the time "
			      "between samples");
		return;
	}
	p->speed = by < 1 ? 1 : by > 1000 ? 1000 : (int)by;
	p->fresh = p->moved = true;
}

void player_wish(struct player *p, const struct wish *w)
{
	static void (*const wishes[])(struct player *, int64_t) = {
		[WISH_STEP] = wish_step,   [WISH_JUMP] = wish_jump,   [WISH_CLOCK] = wish_clock,
		[WISH_FIRST] = wish_first, [WISH_LAST] = wish_last,   [WISH_MOMENT] = wish_moment,
		[WISH_PLAY] = wish_play,   [WISH_SPEED] = wish_speed,
	};

	p->said[0] = '\0';
	p->dirty = true;
	p->calm_us = p->now_us + PLAYER_CALM_US;
	if ((size_t)w->kind < sizeof(wishes) / sizeof(wishes[0]) && roll_count(p->roll))
		wishes[w->kind](p, w->by);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "player.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"

#include "player_go.h"
#include "player_in.h"

/* The survey leaves the reader alone when it is soon needed elsewhere. */
#define SURVEY_PAUSE_US INT64_C(60000)
/* How often the time line is reckoned again while it fills. */
#define LINE_US INT64_C(200000)

struct player *player_new(struct roll *roll, struct notes *notes, const struct player_options *o)
{
	struct player *p = mem_alloc(sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->roll = roll;
	p->notes = notes;
	p->options = *o;
	p->past = past_new(roll, o->steps);
	p->moments = moments_new(roll, notes);
	p->heat = heat_new(1);
	p->closer = closer_new(roll, notes);
	p->survey = o->flags & PLAYER_SURVEY ? survey_new(roll, notes) : NULL;
	if (p->survey)
		survey_heat(p->survey, p->heat);
	p->speed = PLAYER_NORMAL_SPEED;
	p->line_old = p->dirty = true;
	p->follow = player_can_follow(p);
	p->playing = !p->follow;
	p->moved = p->fresh = true;
	p->way = p->follow ? -1 : 1;
	p->target = p->follow ? UINT64_MAX : player_first(p);
	return p;
}

void player_free(struct player *p)
{
	if (!p)
		return;
	survey_free(p->survey);
	closer_free(p->closer);
	heat_free(p->heat);
	moments_free(p->moments);
	past_free(p->past);
	free(p);
}

struct moments *player_moments(struct player *p)
{
	return p->moments;
}

struct heat *player_heat(struct player *p)
{
	return p->heat;
}

void player_look(struct player *p, uint64_t from, uint64_t to, uint64_t each)
{
	if (!each && !closer_heat(p->closer))
		return;
	closer_look(p->closer, from, to, each);
	p->closing = each != 0;
	p->dirty = true;
}

void player_restart(struct player *p)
{
	heat_clear(p->heat, 1);
	closer_clear(p->closer);
}

bool player_is_live(const struct player *p)
{
	return p->follow && (p->options.flags & PLAYER_LIVE);
}

void player_say(struct player *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(p->said, sizeof(p->said), format, args);
	va_end(args);
	p->said_n++;
	p->dirty = true;
}

void player_grew(struct player *p)
{
	p->surveyed = false;
	p->line_old = true;
	p->closing = closer_heat(p->closer) != NULL;
	/* Perhaps there is one now that can be read. */
	p->moved |= !p->shown;
}

bool player_is_lost(const struct player *p)
{
	return roll_count(p->roll) && !p->shown && !p->moved;
}

uint64_t player_at(const struct player *p)
{
	return player_is_live(p) && player_end(p) ? player_end(p) - 1 : p->at;
}

uint64_t player_find(const struct player *p, int64_t mono_us)
{
	const struct roll_ops *ops = p->roll->ops;
	uint64_t at = player_at(p), found = ops->find(p->roll, ops->session(p->roll, at), mono_us);

	return found < at && ops->mono(p->roll, found) == mono_us ? found : at;
}

uint64_t player_played(const struct player *p)
{
	return p->played;
}

bool player_ended(const struct player *p)
{
	return !player_can_follow(p) && p->shown && !p->moved && p->at + 1 == player_end(p);
}

/* ---- going ----------------------------------------------------------------------------------- */

/* How long sample i is to be seen before the one behind it. */
static int64_t pause_of(const struct player *p, uint64_t i)
{
	int64_t us = roll_pause(p->roll, i);
	struct past_picture shown;

	if (p->options.interval_us)
		return p->options.interval_us;
	if (!us || go_is_hole(p->roll, i)) {
		us = i > player_first(p) ? roll_pause(p->roll, i - 1) : 0;
		if (past_picture(p->past, &shown) && shown.now->interval_us)
			us = shown.now->interval_us;
	}
	if (!us)
		us = PLAYER_USUAL_US;
	return us * PLAYER_NORMAL_SPEED / p->speed;
}

/* It cannot be read: what can, comes next in the same direction; where nothing does, all stays. */
static void pass_over(struct player *p)
{
	player_say(p, "a damaged sample was passed over");
	p->dirty = false;
	if (p->way > 0 ? p->target + 1 < player_end(p) : p->target > player_first(p)) {
		p->target += p->way > 0 ? 1 : UINT64_MAX;
		return;
	}
	p->moved = p->playing = false;
	p->target = p->shown ? p->at : p->target;
	p->dirty = true;
}

/* One try costs a reading or two: the next comes in the next slice. */
static void show_target(struct player *p)
{
	uint64_t first = player_first(p), end = player_end(p);

	p->target = p->target < first ? first : p->target >= end ? end - 1 : p->target;
	if (past_go(p->past, p->target)) {
		pass_over(p);
		return;
	}
	p->at = p->target;
	p->shown = p->filling = p->dirty = true;
	p->moved = false;
	if (p->fresh)
		p->due_us = p->now_us + pause_of(p, p->at);
	p->fresh = false;
}

static void play_on(struct player *p)
{
	int64_t pause;

	if (p->at + 1 >= player_end(p)) {
		p->playing = false;
		p->dirty = true;
		if (player_can_follow(p))
			player_follow(p);
		return;
	}
	p->target = p->at + 1;
	p->way = 1;
	p->moved = true;
	p->played++;
	/* What is late by more than a pause is not made up for. */
	pause = pause_of(p, p->target);
	p->due_us = p->now_us - p->due_us > pause ? p->now_us + pause : p->due_us + pause;
}

/* Follow what grows, one sample after the other where that is not far. */
static void keep_up(struct player *p)
{
	uint64_t last = player_end(p) - 1;

	p->target = last - p->at > p->options.steps ? last : p->at + 1;
	p->way = 1;
	p->moved = true;
}

static void no_moment(struct player *p)
{
	player_say(p, "no event %s this one", p->search < 0 ? "before" : "after");
	p->search = 0;
}

/* A part of a search; it waits where nobody looked yet. */
static void search_on(struct player *p, int64_t until_us)
{
	bool known;

	do {
		uint64_t next = p->seek + (p->search < 0 ? UINT64_MAX : 1);
		unsigned int moments;

		if (p->search < 0 ? p->seek <= player_first(p) : next >= player_end(p)) {
			no_moment(p);
			return;
		}
		moments = moments_at(p->moments, next, &known);
		if (!known && p->survey) {
			survey_hurry(p->survey, next);
			p->surveyed = false;
			p->waits = true;
			return;
		}
		p->seek = next;
		if (moments && !--p->wanted) {
			p->said[0] = '\0';
			player_move(p, next, p->search);
			return;
		}
	} while (clock_mono_us() < until_us);
}

static void survey_on(struct player *p, int64_t until_us)
{
	uint64_t done = survey_done(p->survey);

	p->surveyed = !survey_work(p->survey, until_us);
	p->waits = false;
	p->line_old |= survey_done(p->survey) != done;
	/* What was taken last is to be seen at once. */
	if (p->surveyed)
		p->line_us = 0;
}

/* What is looked at comes before what may be. */
static void close_in(struct player *p, int64_t until_us)
{
	p->closing = closer_work(p->closer, until_us);
	p->line_old = true;
	if (!p->closing)
		p->line_us = 0;
}

/* ---- slices ---------------------------------------------------------------------------------- */

static bool is_behind(const struct player *p)
{
	return p->follow && p->shown && p->at + 1 < player_end(p);
}

/* One piece of work. False: there is none for now. */
static bool work_once(struct player *p, int64_t until_us)
{
	if (p->moved)
		show_target(p);
	else if (p->search && !p->waits)
		search_on(p, until_us);
	else if (p->playing && p->now_us >= p->due_us)
		play_on(p);
	else if (is_behind(p))
		keep_up(p);
	else if (p->filling) {
		p->filling = past_fill(p->past, until_us);
		p->dirty |= !p->filling;
	} else {
		return false;
	}
	return true;
}

/* When the survey may go on: now where that is not later than now_us; INT64_MAX not for now. */
static int64_t survey_due(const struct player *p, int64_t now_us)
{
	if (!p->survey || p->surveyed)
		return INT64_MAX;
	if (p->search)
		return now_us;
	if (p->playing && p->due_us - now_us <= SURVEY_PAUSE_US)
		return INT64_MAX;
	return p->calm_us;
}

bool player_work(struct player *p, int64_t now_us, int64_t budget_us)
{
	int64_t until = now_us + budget_us;
	bool changed;

	p->now_us = now_us;
	if (roll_count(p->roll) && !player_is_live(p)) {
		while (work_once(p, until) && clock_mono_us() < until)
			;
	}
	if (p->closing && roll_count(p->roll) && clock_mono_us() < until)
		close_in(p, until);
	if (roll_count(p->roll) && !player_is_live(p)) {
		if (survey_due(p, now_us) <= now_us && clock_mono_us() < until)
			survey_on(p, until);
	}
	changed = p->dirty || (p->line_old && now_us - p->line_us >= LINE_US);
	p->dirty = false;
	return changed && (p->shown || player_is_live(p));
}

int64_t player_due_us(const struct player *p, int64_t now_us)
{
	int64_t due;

	if (roll_count(p->roll) && p->closing)
		return 0;
	if (!roll_count(p->roll) || player_is_live(p))
		return INT64_MAX;
	if (p->moved || p->search || p->filling || is_behind(p))
		return 0;
	due = survey_due(p, now_us);
	if (p->playing && p->due_us < due)
		due = p->due_us;
	return p->line_old && p->shown && p->line_us + LINE_US < due ? p->line_us + LINE_US : due;
}

/* ---- what is shown --------------------------------------------------------------------------- */

static void fill_line(struct player *p)
{
	if (!p->line_old || (p->now_us - p->line_us < LINE_US && p->line_us))
		return;
	moments_line(p->moments, p->line);
	p->line_old = false;
	p->line_us = p->now_us;
}

/* To ask a roll for times may cost readings: those of its ends are kept. */
static void look_at_end(struct player *p, int which, uint64_t i)
{
	if (p->ends[which] == i && p->ends_mono[which])
		return;
	p->ends[which] = i;
	p->ends_mono[which] = p->roll->ops->mono(p->roll, i);
	p->ends_wall[which] = p->roll->ops->wall(p->roll, i);
}

static int64_t from_end(const struct player *p, uint32_t session, uint32_t last)
{
	struct past_picture shown;
	int64_t us;

	if (player_is_live(p) || !past_picture(p->past, &shown))
		return 0;
	if (session != last && (!shown.now->wall_us || !p->ends_wall[1]))
		return 0;
	us = session == last ? p->ends_mono[1] - shown.now->mono_us
			     : p->ends_wall[1] - shown.now->wall_us;
	return us > 0 ? us : 0;
}

static void fill_ends(struct player *p, struct when *w)
{
	const struct roll_ops *ops = p->roll->ops;
	uint64_t first = player_first(p), last = player_end(p) - 1, at = player_at(p);

	at = at < first ? first : at;
	look_at_end(p, 0, first);
	look_at_end(p, 1, last);
	w->index = at - first;
	w->first_us = p->ends_mono[0];
	w->last_us = p->ends_mono[1];
	w->first_wall_us = p->ends_wall[0];
	w->last_wall_us = p->ends_wall[1];
	w->session = ops->session(p->roll, at) + 1;
	w->sessions = ops->session(p->roll, last) + 1;
	w->from_end_us = from_end(p, w->session, w->sessions);
	if (p->survey)
		w->seen_permille = (uint32_t)(survey_done(p->survey) * 1000 / roll_count(p->roll));
}

static void fill_when(struct player *p, struct when *w)
{
	*w = (struct when){
		.can = true,
		.replay = !(p->options.flags & PLAYER_LIVE),
		.past = !player_is_live(p),
		.playing = p->playing || p->follow,
		.speed = p->speed,
		.count = roll_count(p->roll),
		.seen_permille = 1000,
		.said = p->said,
		.said_n = p->said_n,
		.line = p->line,
		.near = p->near,
		.first = player_first(p),
		.heat = p->heat,
		.closer = closer_heat(p->closer),
	};
	fill_line(p);
	if (!w->count)
		return;
	fill_ends(p, w);
	w->nnear = moments_near(p->moments, player_first(p) + w->index, p->near);
}

bool player_fill(struct player *p, struct frame *f)
{
	struct past_picture shown;

	fill_when(p, &f->when);
	if (player_is_live(p))
		return true;
	if (!past_picture(p->past, &shown))
		return false;
	f->now = shown.now;
	f->step = shown.step;
	f->window = shown.window;
	f->findings = shown.findings;
	f->nfindings = shown.nfindings;
	f->rung = sample_rung(f->now, &f->rung_reason);
	f->when.filling = !shown.whole;
	return true;
}

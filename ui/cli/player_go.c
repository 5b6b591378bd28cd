/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "player_go.h"

#include <string.h>
#include <time.h>

#define USUAL_US INT64_C(1000000)
#define LATE_US  INT64_C(100000)
#define DAYS_MAX 400

/* ---- by the clock that does not step --------------------------------------------------------- */

/* Between the samples around i, where that is not itself a hole. */
static int64_t usual_us(const struct roll *r, uint64_t i)
{
	int64_t before = i > r->ops->first(r) ? roll_pause(r, i - 1) : 0;
	int64_t behind = i + 1 < r->ops->end(r) ? roll_pause(r, i + 1) : 0;

	if (!before || (behind && behind < before))
		before = behind;
	return before ? before : USUAL_US;
}

/* To the sample behind i, also from one session to the next: there the wall clock tells, if any. */
static int64_t far_us(const struct roll *r, uint64_t i)
{
	int64_t us;

	if (r->ops->session(r, i) == r->ops->session(r, i + 1))
		return roll_pause(r, i);
	us = roll_between(r, i, i + 1);
	return us ? us : USUAL_US;
}

bool go_is_hole(const struct roll *r, uint64_t i)
{
	return i + 1 < r->ops->end(r) && far_us(r, i) > 2 * usual_us(r, i) + LATE_US;
}

static uint64_t session_last(const struct roll *r, uint64_t i)
{
	return r->ops->session_first(r, r->ops->session(r, i) + 1) - 1;
}

static uint64_t session_begin(const struct roll *r, uint64_t i)
{
	uint64_t at = r->ops->session_first(r, r->ops->session(r, i));

	return at > r->ops->first(r) ? at : r->ops->first(r);
}

/* Within a session: sample at is the last one not behind that time, and the next one is. */
static uint64_t nearest(const struct roll *r, uint64_t at, int64_t t_us)
{
	int64_t before = t_us - r->ops->mono(r, at);

	if (go_is_hole(r, at) && before > 0)
		return at + 1;
	return before * 2 >= roll_pause(r, at) ? at + 1 : at;
}

static int64_t later(int64_t t_us, int64_t by_us)
{
	return by_us > INT64_MAX - t_us ? INT64_MAX : t_us + by_us;
}

static uint64_t jump_on(const struct roll *r, uint64_t i, int64_t by_us)
{
	for (;;) {
		uint64_t last = session_last(r, i);
		int64_t t = later(r->ops->mono(r, i), by_us), end = r->ops->mono(r, last);

		if (t < end)
			return nearest(r, r->ops->find(r, r->ops->session(r, i), t), t);
		if (t == end || last + 1 == r->ops->end(r))
			return last;
		/* Into the next session, as far as it is from this one. */
		by_us = t - end - far_us(r, last);
		i = last + 1;
		if (by_us <= 0)
			return i;
	}
}

static uint64_t jump_back(const struct roll *r, uint64_t from, int64_t by_us)
{
	for (uint64_t i = from;;) {
		uint64_t begin = session_begin(r, i), at;
		int64_t now = r->ops->mono(r, i), start = r->ops->mono(r, begin), t;

		if (by_us <= now - start) {
			t = now - by_us;
			at = r->ops->find(r, r->ops->session(r, i), t);
			at = at == i ? at : nearest(r, at, t);
			/* The hole is just behind us: to its other side. */
			return at == from && at > begin && go_is_hole(r, at - 1) ? at - 1 : at;
		}
		if (begin == r->ops->first(r))
			return begin;
		by_us -= now - start + far_us(r, begin - 1);
		i = begin - 1;
		if (by_us <= 0)
			return begin == from ? i : begin;
	}
}

uint64_t go_jump(const struct roll *r, uint64_t i, int64_t by_us)
{
	if (by_us < 0)
		return jump_back(r, i, by_us == INT64_MIN ? INT64_MAX : -by_us);
	return jump_on(r, i, by_us);
}

/* ---- by the wall clock ----------------------------------------------------------------------- */

/* That time of day, some days away from the day of a wall time. */
static int64_t wall_at(int64_t wall_us, int days, int64_t of_day_us)
{
	time_t t = (time_t)(wall_us / 1000000);
	int64_t s = of_day_us / 1000000;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return -1;
	tm.tm_mday += days;
	tm.tm_hour = (int)(s / 3600);
	tm.tm_min = (int)(s / 60 % 60);
	tm.tm_sec = (int)(s % 60);
	tm.tm_isdst = -1;
	return (int64_t)mktime(&tm) * 1000000 + of_day_us % 1000000;
}

/*
 * What is looked for, and what was found: a wall clock that was set may come to a time several
 * times.
 */
struct find {
	const struct roll *r;
	const struct notes *notes;
	uint64_t i;                /* where one is */
	int64_t wall_us;           /* wanted; 0: nothing but what there is */
	uint64_t at, far;          /* the best so far, and how far from i */
	int64_t late_us;           /* how far behind the time; INT64_MAX: none */
	int64_t least_us, most_us; /* of all walls that were seen */
	uint64_t least_at, most_at;
};

static void note_range(struct find *f, uint64_t at, int64_t wall_us)
{
	if (wall_us < f->least_us) {
		f->least_us = wall_us;
		f->least_at = at;
	}
	if (wall_us > f->most_us) {
		f->most_us = wall_us;
		f->most_at = at;
	}
}

static void offer(struct find *f, uint64_t at, int64_t late_us)
{
	uint64_t far = at > f->i ? at - f->i : f->i - at;

	if (late_us > f->late_us || (late_us == f->late_us && far >= f->far))
		return;
	f->at = at;
	f->far = far;
	f->late_us = late_us;
}

/* Samples low to high, over which the wall clock only goes on. */
static void look_in(struct find *f, uint64_t low, uint64_t high)
{
	int64_t first = f->r->ops->wall(f->r, low), last = f->r->ops->wall(f->r, high);

	if (!first || !last)
		return;
	note_range(f, low, first);
	note_range(f, high, last);
	if (!f->wall_us || last < f->wall_us)
		return;
	/* The second in which it begins is its own, too. */
	if (first >= f->wall_us) {
		if (first - f->wall_us < USUAL_US)
			offer(f, low, first - f->wall_us);
		return;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (f->r->ops->wall(f->r, middle) < f->wall_us)
			low = middle;
		else
			high = middle;
	}
	offer(f, high, f->r->ops->wall(f->r, high) - f->wall_us);
}

/* Each stretch between two settings of the clock, and between sessions. */
static void look(struct find *f, int64_t wall_us)
{
	const struct roll_ops *ops = f->r->ops;
	uint64_t end = ops->end(f->r), low = ops->first(f->r);

	f->wall_us = wall_us;
	f->late_us = INT64_MAX;
	while (low < end) {
		uint64_t next = ops->session_first(f->r, ops->session(f->r, low) + 1),
			 high = low + 1;

		for (; high < next; high++) {
			const struct note *note = notes_at(f->notes, high);

			if (note && (note->moments & (1u << MOMENT_CLOCK)))
				break;
		}
		look_in(f, low, high - 1);
		low = high;
	}
}

bool go_clock(const struct roll *r, const struct notes *notes, uint64_t i, int64_t of_day_us,
	      uint64_t *out)
{
	struct find f = { .r = r, .notes = notes, .i = i, .least_us = INT64_MAX };
	int64_t day = r->ops->wall(r, i), wall;

	*out = i;
	look(&f, 0);
	if (!f.most_us)
		return false;
	day = day ? day : f.least_us;
	for (int k = 0; k < 2 * DAYS_MAX; k++) {
		wall = wall_at(day, k % 2 ? -(k + 1) / 2 : k / 2, of_day_us);
		if (wall < f.least_us - USUAL_US || wall > f.most_us)
			continue;
		look(&f, wall);
		*out = f.at;
		if (f.late_us < INT64_MAX)
			return true;
	}
	*out = wall_at(day, 0, of_day_us) < f.least_us ? f.least_at : f.most_at;
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "player_go.h"

#include <time.h>

#define USUAL_US INT64_C(1000000)
#define LATE_US INT64_C(100000)

/* A day with the hour that a change to summer time adds or takes. */
#define DAYS_MAX 400

/* ---- by the clock that does not step ---------------------------------------------------------- */

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

static uint64_t jump_on(const struct roll *r, uint64_t i, int64_t by_us)
{
	uint64_t last = r->ops->end(r) - 1;

	for (int64_t pause; i < last; i++) {
		pause = far_us(r, i);
		if (by_us < pause)
			return go_is_hole(r, i) || by_us * 2 >= pause ? i + 1 : i;
		by_us -= pause;
	}
	return last;
}

static uint64_t jump_back(const struct roll *r, uint64_t i, int64_t by_us)
{
	uint64_t first = r->ops->first(r), from = i;

	for (int64_t pause; i > first; i--) {
		pause = far_us(r, i - 1);
		if (by_us < pause && go_is_hole(r, i - 1))
			return i == from ? i - 1 : i;
		if (by_us < pause)
			return by_us * 2 >= pause ? i - 1 : i;
		by_us -= pause;
	}
	return first;
}

uint64_t go_jump(const struct roll *r, uint64_t i, int64_t by_us)
{
	if (by_us < 0)
		return jump_back(r, i, by_us == INT64_MIN ? INT64_MAX : -by_us);
	return jump_on(r, i, by_us);
}

/* ---- by the wall clock ------------------------------------------------------------------------ */

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

/* A sample that a time of the wall clock leads to: how far behind that time, and how far from where one was. */
struct find {
	uint64_t at, far;
	int64_t late_us;
};

static bool is_better(const struct find *a, const struct find *b)
{
	return a->late_us != b->late_us ? a->late_us < b->late_us : a->far < b->far;
}

/*
 * The sample with which the wall clock comes to a time. Where the clock was set it may come there several times: the one
 * that is closest to it, then the one nearest to i. False where it never does.
 */
static bool crossing(const struct roll *r, uint64_t i, int64_t wall_us, uint64_t *out)
{
	uint64_t first = r->ops->first(r), end = r->ops->end(r);
	struct find best = { .late_us = INT64_MAX };
	int64_t before = 0;

	for (uint64_t k = first; k < end; k++) {
		int64_t now = r->ops->wall(r, k);
		struct find f = { k, k > i ? k - i : i - k, now - wall_us };
		bool begins = !before && f.late_us < USUAL_US;

		if (!now)
			continue;
		if (f.late_us >= 0 && ((before && before < wall_us) || begins) && is_better(&f, &best))
			best = f;
		before = now;
	}
	*out = best.late_us < INT64_MAX ? best.at : i;
	return best.late_us < INT64_MAX;
}

/* The least and the greatest wall time; false where there is none. */
static bool wall_range(const struct roll *r, int64_t range[2])
{
	range[0] = INT64_MAX;
	range[1] = 0;
	for (uint64_t k = r->ops->first(r); k < r->ops->end(r); k++) {
		int64_t now = r->ops->wall(r, k);

		if (now && now < range[0])
			range[0] = now;
		if (now > range[1])
			range[1] = now;
	}
	return range[1] > 0;
}

/* The sample with the least or the greatest wall time: where one comes to that wants a time outside. */
static uint64_t at_wall(const struct roll *r, int64_t wall_us)
{
	uint64_t k = r->ops->first(r);

	while (k + 1 < r->ops->end(r) && r->ops->wall(r, k) != wall_us)
		k++;
	return k;
}

bool go_clock(const struct roll *r, uint64_t i, int64_t of_day_us, uint64_t *out)
{
	int64_t range[2], day = r->ops->wall(r, i), wall;

	*out = i;
	if (!wall_range(r, range))
		return false;
	day = day ? day : range[0];
	for (int k = 0; k < 2 * DAYS_MAX; k++) {
		wall = wall_at(day, k % 2 ? -(k + 1) / 2 : k / 2, of_day_us);
		if (wall >= range[0] - USUAL_US && wall <= range[1] && crossing(r, i, wall, out))
			return true;
	}
	*out = at_wall(r, wall_at(day, 0, of_day_us) < range[0] ? range[0] : range[1]);
	return false;
}

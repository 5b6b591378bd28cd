/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "motion.h"

#include <stdlib.h>
#include <string.h>

/* --- streams --- */

/* The first dot waits half of its time: so rounding errs to both sides. */
#define FIRST 0.5

double motion_begun(const struct motion_stream *s, int64_t now_us)
{
	int i = s->n - 1;

	while (i > 0 && s->pieces[i].from_us > now_us)
		i--;
	if (i < 0)
		return FIRST;
	if (now_us <= s->pieces[i].from_us)
		return s->pieces[i].begun;
	return s->pieces[i].begun + (double)(now_us - s->pieces[i].from_us) * s->pieces[i].per_us;
}

/* When so many had set out; only for what lies at or behind the first piece. */
static int64_t time_of(const struct motion_stream *s, double begun)
{
	int i = s->n - 1;

	while (i > 0 && s->pieces[i].begun >= begun)
		i--;
	if (s->pieces[i].per_us <= 0 || begun <= s->pieces[i].begun)
		return s->pieces[i].from_us;
	return s->pieces[i].from_us + (int64_t)((begun - s->pieces[i].begun) / s->pieces[i].per_us);
}

/* Pieces whose dots have all arrived are not needed; the first two of too many become one, with as many dots. */
static void make_room(struct motion_stream *s, int64_t now_us)
{
	int gone = 0;

	while (gone + 1 < s->n && s->pieces[gone + 1].from_us <= now_us - MOTION_TRANSIT_US)
		gone++;
	if (!gone && s->n == MOTION_PIECES) {
		const struct motion_piece *third = &s->pieces[2];
		double span = (double)(third->from_us - s->pieces[0].from_us);

		s->pieces[1] = s->pieces[0];
		s->pieces[1].per_us = span > 0 ? (third->begun - s->pieces[0].begun) / span : 0;
		gone = 1;
	}
	s->n -= gone;
	memmove(s->pieces, s->pieces + gone, (size_t)s->n * sizeof(s->pieces[0]));
}

void motion_set(struct motion_stream *s, int64_t now_us, double dots)
{
	struct motion_piece piece = { now_us, motion_begun(s, now_us), dots / MOTION_TRANSIT_US };

	if (s->n && s->pieces[s->n - 1].per_us == piece.per_us)
		return;
	if (!s->n && dots <= 0)
		return;
	/* What was said of this very instant before is void. */
	if (s->n && s->pieces[s->n - 1].from_us >= now_us)
		s->n--;
	make_room(s, now_us);
	s->pieces[s->n++] = piece;
}

void motion_rescale(struct motion_stream *s, double factor)
{
	for (int i = 0; i < s->n; i++) {
		s->pieces[i].begun *= factor;
		s->pieces[i].per_us *= factor;
	}
}

int motion_dots(const struct motion_stream *s, int64_t now_us, struct motion_dot *out, int most)
{
	uint64_t first = (uint64_t)motion_begun(s, now_us - MOTION_TRANSIT_US) + 1;
	uint64_t last = (uint64_t)motion_begun(s, now_us);
	int n = 0;

	for (uint64_t k = first; k <= last && n < most; k++) {
		double at = (double)(now_us - time_of(s, (double)k)) / MOTION_TRANSIT_US;

		if (at >= 0 && at < 1)
			out[n++] = (struct motion_dot){ k, at };
	}
	return n;
}

int motion_still(double dots, struct motion_dot *out, int most)
{
	int n = dots < most ? (int)(dots + 0.5) : most;

	for (int i = 0; i < n; i++)
		out[i] = (struct motion_dot){ (uint64_t)(n - i), (n - i - 0.5) / n };
	return n;
}

int64_t motion_next(const struct motion_stream *s, int64_t now_us)
{
	double begun = motion_begun(s, now_us), left;

	if (!s->n)
		return INT64_MAX;
	if ((uint64_t)motion_begun(s, now_us - MOTION_TRANSIT_US) < (uint64_t)begun)
		return now_us;
	left = (double)((uint64_t)begun + 1) - begun;
	if (s->pieces[s->n - 1].per_us * 1e12 < left)
		return INT64_MAX;
	return now_us + (int64_t)(left / s->pieces[s->n - 1].per_us) + 1;
}

/* --- scale --- */

#define LEAST_POWER 17 /* 128 KiB/s: a trickle is to look like one */
#define SPARSE      0.4
#define SPARSE_US   3000000

static double unit_of(int power)
{
	return (double)((uint64_t)1 << power);
}

double motion_fit(struct motion_scale *s, int64_t now_us, double full)
{
	int was = s->power, least = s->least ? s->least : LEAST_POWER;

	if (full <= 0 && !was)
		return 1;
	if (!was) {
		s->power = least;
		was = 0;
	}
	while (s->power < 50 && full > unit_of(s->power))
		s->power++;
	if (s->power != was && was) {
		s->sparse = false;
		return unit_of(was) / unit_of(s->power);
	}
	if (full > unit_of(s->power) * SPARSE || full <= 0) {
		s->sparse = false;
	} else if (!s->sparse) {
		s->sparse = true;
		s->sparse_since_us = now_us;
	} else if (now_us - s->sparse_since_us >= SPARSE_US && s->power > least) {
		while (s->power > least && full * 2 < unit_of(s->power))
			s->power--;
		s->sparse = false;
	}
	return was ? unit_of(was) / unit_of(s->power) : 1;
}

uint64_t motion_unit(const struct motion_scale *s)
{
	return s->power ? (uint64_t)1 << s->power : 0;
}

#define EVEN_US 4000000.0

static double evened(struct motion_even *e, int64_t now_us, double full)
{
	double share = e->full_us ? (double)(now_us - e->full_us) / EVEN_US : 1;

	e->full += (full - e->full) * (share > 1 || share < 0 ? 1 : share);
	e->full_us = now_us;
	return e->full;
}

double motion_fit_even(struct motion_even *e, int64_t now_us, double all, double even)
{
	double most = all / MOTION_HEAVY, full = evened(e, now_us, even);

	return motion_fit(&e->scale, now_us, full > most ? full : most);
}

/* --- the clock of the dots --- */

#define FRAME_US 50000
#define SLOW     10

int64_t motion_clock(const struct motion_clock *c, int64_t now_us)
{
	int64_t now = now_us < c->until_us ? now_us : c->until_us;

	if (!c->moves || now <= c->seen_us)
		return c->shown_us;
	return c->shown_us + (now - c->seen_us) / (c->slow ? SLOW : 1);
}

void motion_clock_settle(struct motion_clock *c, int64_t now_us)
{
	c->shown_us = motion_clock(c, now_us);
	c->seen_us = now_us;
}

int64_t motion_clock_next(const struct motion_clock *c, int64_t now_us, int64_t next)
{
	int64_t away = next == INT64_MAX ? INT64_MAX : next - motion_clock(c, now_us);
	int64_t frame = FRAME_US * (c->slow ? 2 : 1);

	if (!c->moves || now_us >= c->until_us || away > INT64_MAX / SLOW)
		return INT64_MAX;
	next = now_us + away * (c->slow ? SLOW : 1);
	if (next > c->until_us)
		return INT64_MAX;
	return next > now_us + frame ? next : now_us + frame;
}

/* --- ways --- */

void motion_way_add(struct motion_way *w, int row, int col)
{
	if (w->n == MOTION_POINTS ||
	    (w->n && w->at[w->n - 1].row == row && w->at[w->n - 1].col == col))
		return;
	w->at[w->n].row = row;
	w->at[w->n].col = col;
	w->n++;
}

int motion_way_cells(const struct motion_way *w)
{
	int cells = w->n ? 1 : 0;

	for (int i = 1; i < w->n; i++)
		cells +=
			abs(w->at[i].row - w->at[i - 1].row) + abs(w->at[i].col - w->at[i - 1].col);
	return cells;
}

/* Places along a leg: from the middle of a cell to that of another, half a cell more at the ends of the way. */
static int leg_places(const struct motion_way *w, int i)
{
	int rows = abs(w->at[i].row - w->at[i - 1].row),
	    cols = abs(w->at[i].col - w->at[i - 1].col);

	return rows * MOTION_Y + cols * MOTION_X;
}

static int side_of(int from, int to)
{
	return to > from ? 1 : to < from ? -1 : 0;
}

void motion_place(const struct motion_way *w, struct motion_dot dot, bool loose, int *y, int *x)
{
	static const int spread[] = { 0, 2, 1 };
	int across = loose ? spread[dot.n % 3] : 1;
	int total = 0, along, i = 1, rows, cols;

	for (int k = 1; k < w->n; k++)
		total += leg_places(w, k);
	along = (int)(dot.at * total);
	while (i + 1 < w->n && along >= leg_places(w, i))
		along -= leg_places(w, i++);
	if (w->n < 2) {
		*y = w->at[0].row * MOTION_Y + across;
		*x = w->at[0].col * MOTION_X;
		return;
	}
	rows = side_of(w->at[i - 1].row, w->at[i].row);
	cols = side_of(w->at[i - 1].col, w->at[i].col);
	*y = w->at[i - 1].row * MOTION_Y + (rows ? 1 + rows * along : across);
	*x = w->at[i - 1].col * MOTION_X + (cols ? cols * along : 0);
}

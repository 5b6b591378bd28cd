/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * motion.h - flows as dots that move. Pure: what was said of a flow, and a time, give where its dots are.
 *
 * A dot is on its way for MOTION_TRANSIT_US, however long its way is. So the dots that are on a way at once say the
 * rate: each stands for one unit of it, the same for all ways on screen, and carries what a unit brings in that time.
 */
#ifndef TUI_MOTION_H
#define TUI_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#define MOTION_TRANSIT_US 3000000

/* --- a stream: dots that set out one after another --- */

#define MOTION_PIECES 64

/* From a time on, dots set out at a rate; before it, so many had (the first sets out after half of its time). */
struct motion_piece {
	int64_t from_us;
	double begun, per_us;
};

/* All zero: nothing ever set out. */
struct motion_stream {
	struct motion_piece pieces[MOTION_PIECES];
	int n;
};

/* From now on so many dots are to be on the way at once. Time must not go back. */
void motion_set(struct motion_stream *s, int64_t now_us, double dots);

/* Another unit: all that was said of the stream counts so much. */
void motion_rescale(struct motion_stream *s, double factor);

/* How many set out up to a time; what is behind the point is on its way to setting out. */
double motion_begun(const struct motion_stream *s, int64_t now_us);

struct motion_dot {
	uint64_t n; /* the how-manieth: it stays the same while the dot moves */
	double at;  /* 0 sets out .. 1 arrives */
};

/* The dots on the way, the oldest first, at most most. Returns how many. */
int motion_dots(const struct motion_stream *s, int64_t now_us, struct motion_dot *out, int most);

/* The same for a picture that stands: dots at equal distances. */
int motion_still(double dots, struct motion_dot *out, int most);

/* When a dot moves: now_us where one is on its way, else when the next one sets out; INT64_MAX: none will. */
int64_t motion_next(const struct motion_stream *s, int64_t now_us);

/* --- what a dot stands for --- */

/*
 * A unit is a power of two of bytes a second. It is chosen so that the fullest way has room for its dots, and it changes
 * seldom: up when one is too full, down when all were nearly empty for a while. All zero: not chosen yet.
 */
struct motion_scale {
	int power, least; /* least: the power never goes below it; 0: 17, 128 KiB/s */
	int64_t sparse_since_us;
	bool sparse;
};

/*
 * full: bytes a second of the fullest way by the dots that it has room for; 0 nothing flows. Returns what the dots of
 * before count now: 1 where the unit stayed.
 */
double motion_fit(struct motion_scale *s, int64_t now_us, double full);

/* Bytes a second of one dot; 0 where nothing flowed yet. */
uint64_t motion_unit(const struct motion_scale *s);

/* Bursts go as heavy dots, each for so many: the unit is that of a way without them, unless even so they have no room. */
#define MOTION_HEAVY 4

/* All zero: not chosen yet. */
struct motion_even {
	struct motion_scale scale;
	double full;     /* of the fullest way without bursts, evened out over some seconds */
	int64_t full_us; /* when that was */
};

/* As motion_fit(). all: of the fullest way of all; even: of those that have no bursts. */
double motion_fit_even(struct motion_even *e, int64_t now_us, double all, double even);

/* --- the clock of the dots --- */

/* It goes with the time, or at a tenth of it, or stands. All zero: it stands. */
struct motion_clock {
	bool moves, slow;
	int64_t seen_us, shown_us; /* a time, and what it showed then */
	int64_t until_us;          /* the flows of this step are not shown for longer */
};

int64_t motion_clock(const struct motion_clock *c, int64_t now_us);

/* From now on it may go otherwise: what was until now went as it did. */
void motion_clock_settle(struct motion_clock *c, int64_t now_us);

/*
 * When the next picture is due, for what moves next by the clock (INT64_MAX: nothing does): 20 a second at most, INT64_MAX
 * for never.
 */
int64_t motion_clock_next(const struct motion_clock *c, int64_t now_us, int64_t next);

/* --- ways --- */

/* A cell has two columns and four rows of places for dots, as braille has. */
#define MOTION_X 2
#define MOTION_Y 4

#define MOTION_POINTS 4

/* From the first point to the last, each in line with the one before it. Cells. */
struct motion_way {
	struct {
		int row, col;
	} at[MOTION_POINTS];
	int n;
};

void motion_way_add(struct motion_way *w, int row, int col);

/* Cells that it leads through, at least 1 where it has a point. */
int motion_way_cells(const struct motion_way *w);

/*
 * The place of a dot, which is two by two large, in units of MOTION_X and MOTION_Y: its upper left corner. Dots of a tight
 * way keep to its middle, those of a loose one go over all of its breadth.
 */
void motion_place(const struct motion_way *w, struct motion_dot dot, bool loose, int *y, int *x);

#endif

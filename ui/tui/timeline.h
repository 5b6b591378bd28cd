/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline.h - the foot of the screen where one goes in time: where one is, what happened, how much
 * was reclaimed.
 */
#ifndef TUI_TIMELINE_H
#define TUI_TIMELINE_H

#include "layout.h"
#include "pen.h"

struct tui;

/* Is it on screen? */
bool timeline_is_shown(const struct tui *t);

/* Take its rows from the bottom of the screen's body. */
struct rect timeline_take(const struct tui *t, struct rect *body);

void timeline_draw(const struct tui *t, struct draw *d, struct rect area);

/* "STOPPED", "PLAY 10x", … for the first line; "" where one sees what is new. */
const char *timeline_state(const struct frame *f, char out[NUMBER_TEXT]);

/*
 * The last sample up to what is shown with moments of these kinds (bits): all of them in words, the
 * worst first, "+2 more" where not all have room. Nothing where there is none.
 */
void timeline_moment(struct pen *p, const struct frame *f, unsigned int kinds);

/*
 * The same of those (bits) in samples index from to before to; of those that are not told of by
 * themselves, their kind. Returns whether there are any.
 */
bool timeline_moments(struct pen *p, const struct frame *f, uint64_t from, uint64_t to,
		      unsigned int kinds);

/* The last moment of these kinds that is not behind what is shown; NULL where there is none. */
const struct moment *timeline_last(const struct when *w, unsigned int kinds);

/* The letter of a moment, and how it is drawn. */
const char *timeline_look(enum moment_kind kind, enum style *style);

/*
 * One letter for all that is there (bits, not 0): the worst one's, a capital where others stand
 * behind it.
 */
const char *timeline_letter(unsigned int moments, enum style *style);

/* The worst of them, -1 where there is none. */
int timeline_worst(unsigned int moments);

/* A click on the line goes there: enum tui_handled bits; 0 where it is beside it. */
unsigned int timeline_click(struct tui *t, int row, int col);

/* --- layout, pure --- */

struct timeline_layout {
	/* Rows within the area; -1: left out. Moments may share the row of the amounts. */
	int caption, captions, text, moments, amounts; /* captions: rows of it */
	int from, cols;               /* columns of the line itself */
	int label;                    /* columns of the times at its ends; 0: left out */
};

/* captions: rows that the subtitle needs, 0 where there is none. */
void timeline_layout(struct rect area, int captions, struct timeline_layout *out);

/* The column of a line of cols that part bucket begins in: never falls, from 0 to below cols. */
int timeline_column(unsigned int bucket, int cols);

/* The column of sample number index of count. */
int timeline_place(uint64_t index, uint64_t count, int cols);

/* The first part of those that are drawn in a column. */
unsigned int timeline_bucket(int col, int cols);

#endif

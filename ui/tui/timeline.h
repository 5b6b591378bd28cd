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

/* The last moment of these kinds (bits) up to what is shown, in words; nothing where there is none. */
void timeline_moment(struct pen *p, const struct frame *f, unsigned int kinds);

/* The letter of a moment, and how it is drawn. */
const char *timeline_look(enum moment_kind kind, enum style *style);

/* --- layout, pure --- */

struct timeline_layout {
	/* Rows within the area; -1: left out. Moments may share the row of the amounts. */
	int caption, text, moments, amounts;
	int from, cols;               /* columns of the line itself */
	int label;                    /* columns of the times at its ends; 0: left out */
};

void timeline_layout(int rows, int cols, struct timeline_layout *out);

/* The column of a line of cols that part bucket begins in: never falls, from 0 to below cols. */
int timeline_column(unsigned int bucket, int cols);

/* The column of sample number index of count. */
int timeline_place(uint64_t index, uint64_t count, int cols);

#endif

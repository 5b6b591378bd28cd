/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.h - who gets which part of the screen. Pure: sizes in, rectangles out; all of them inside, none over another.
 */
#ifndef TUI_LAYOUT_H
#define TUI_LAYOUT_H

#include "grid.h"

/* Below this nothing can be read; the screen says so and waits to be made larger. */
#define LAYOUT_MIN_ROWS 8
#define LAYOUT_MIN_COLS 40

struct screen {
	bool small;                            /* below the least size: only body, the whole of it */
	struct rect head, tabs, notice, body, foot;
};

/* notices: lines that have something to say (why the view is not a better one, errors). */
void layout_screen(int rows, int cols, int notices, struct screen *out);

/* What a part asks for. */
struct want {
	int min, most;       /* rows; with fewer than min it is left out */
	int rank;            /* 0 the most important */
};

/*
 * Parts one under the other in area, in their order. Where not all fit, the least important go; what is left over goes to the
 * important ones first, up to their most. A part left out has no rows.
 */
void layout_stack(struct rect area, const struct want *wants, int n, struct rect *out);

#define LAYOUT_PARTS 16

/* Two columns side by side, gap blanks between them; left is share hundredths of the width. */
void layout_columns(struct rect area, int share, int gap, struct rect out[2]);

/* Take rows away from the top or the bottom of an area, as far as there are any. */
struct rect layout_take_top(struct rect *area, int rows);
struct rect layout_take_bottom(struct rect *area, int rows);

#endif

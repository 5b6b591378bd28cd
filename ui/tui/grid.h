/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid.h - the screen as cells. Views write cells; term.c alone puts them on a terminal.
 *
 * Nothing can be drawn outside: every call clips to the grid, or to the pane it is given.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

/* What a cell means; theme.c says how that looks. Never colour alone: each is told by its text or shape too. */
enum style {
	STYLE_PLAIN, STYLE_DIM, STYLE_BOLD, STYLE_TITLE, STYLE_HEAD, STYLE_HEAD_SORT, STYLE_SELECTED,
	STYLE_KEY, STYLE_BAR_TEXT,
	STYLE_GEN0, STYLE_GEN1, STYLE_GEN2, STYLE_GEN3,    /* youngest (hot) to oldest (cold) */
	STYLE_ANON, STYLE_FILE, STYLE_FREE,
	STYLE_GOOD, STYLE_NOTE, STYLE_WARN, STYLE_ALARM,
	STYLE_INFERRED, STYLE_UNKNOWN, STYLE_DYING,
	STYLE_FLOW_IN, STYLE_FLOW_OUT, STYLE_FLOW_UP,
	STYLE_NR
};

#define CELL_BYTES 16

struct cell {
	char text[CELL_BYTES]; /* one character with what combines, UTF-8; "" behind a wide one */
	uint8_t width;         /* 1 or 2; 0 behind a wide one */
	uint8_t style;         /* enum style */
};

struct grid {
	int rows, cols;
	struct cell *cells;
	int cap;
	bool ascii;            /* set by the owner: what is no ASCII becomes the nearest that is, column for column */
};

struct rect {
	int row, col, rows, cols;
};

/* Make it rows x cols of blanks; memory only grows. Sizes below 1 become 1. */
void grid_resize(struct grid *g, int rows, int cols);
void grid_clear(struct grid *g);
void grid_fini(struct grid *g);

struct rect grid_rect(const struct grid *g);

/* Is the part outside, or empty? What two parts have in common. */
bool rect_is_empty(struct rect r);
bool rect_holds(struct rect r, int row, int col);
struct rect rect_clip(struct rect r, struct rect to);

/* Text at (row, col) of a pane, clipped to it. Returns the column behind it, as if nothing had been clipped. */
int grid_text(struct grid *g, struct rect pane, int row, int col, enum style style, const char *text);
int grid_printf(struct grid *g, struct rect pane, int row, int col, enum style style,
		const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Fill a part with one character. */
void grid_fill(struct grid *g, struct rect area, enum style style, const char *character);

/* The style of cells that stand already, their text kept. */
void grid_restyle(struct grid *g, struct rect area, enum style style);

/*
 * The grid as lines of text, blanks at line ends cut. With styles, a second block names each cell's style by one
 * letter, "." where it is plain, and a third says what the letters in use mean.
 */
void grid_dump(const struct grid *g, bool styles, struct buf *out);

/* "dim", "gen0": how a style is called where a person reads it. */
const char *style_name(enum style style);

#endif

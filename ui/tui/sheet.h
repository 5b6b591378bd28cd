/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet.h - rows under titled columns: sorted, scrolled, one row selected. It knows nothing of what the rows are.
 *
 * Per frame: sheet_begin(), sheet_add() each row, sheet_sort(), sheet_draw(). The selection stays with its row by key, wherever
 * the row goes; where the row is gone it stays in its place.
 */
#ifndef TUI_SHEET_H
#define TUI_SHEET_H

#include "pen.h"

#define SHEET_UNKNOWN INT64_MIN /* as a value to sort by: last, whichever way one sorts */

struct column {
	const char *name;       /* for --sort */
	const char *metric;     /* for the explanation; NULL: as its name */
	const char *title;
	int width;              /* columns that it needs */
	int grow;               /* its part of the room that is left over; 0 none */
	int rank;               /* 0 always there; where it is narrow the greatest rank goes first */
	bool left;              /* against the left edge */
	size_t at;              /* for the functions: where in a row the number is */
	void (*cell)(struct pen *p, int width, const void *row, const struct column *c);
	int64_t (*value)(const void *row, const struct column *c);   /* to sort by, the greatest first */
	const char *(*text)(const void *row);                        /* or this, from A to Z */
};

struct sheet_row {
	const void *row;
	int64_t value;
	const char *text;
};

struct sheet {
	const struct column *columns;
	int ncolumns;
	uint64_t (*key)(const void *row);        /* what tells a row from all others */
	enum style (*style)(const void *row);    /* of the whole row: STYLE_PLAIN leaves its cells as they are; or NULL */
	enum reading_id from;                    /* where its numbers come from */
	bool plain;                              /* no row is selected */
	int sort;                                /* column */
	bool reverse;
	struct sheet_row *rows, *spare;
	int nrows, cap;
	uint64_t selected;                       /* key */
	int at, top;                             /* selected row, first row on screen */
	bool chosen;                             /* somebody selected it; else it is the first, whichever that is */
	struct rect area;                        /* where the last draw put it; no rows: nowhere */
	int visible;                             /* rows that the last draw had room for */
	uint32_t shown;                          /* columns that it had room for: bit 1 << i; 0 before the first */
};

void sheet_fini(struct sheet *t);
void sheet_begin(struct sheet *t);
void sheet_add(struct sheet *t, const void *row);
void sheet_sort(struct sheet *t);

/* Find the selected row again, and scroll so that it can be seen. After the rows stand as they will be drawn. */
void sheet_settle(struct sheet *t, int visible);

/* Titles in the first row of area, rows below. Settles. */
void sheet_draw(struct sheet *t, struct draw *d, struct rect area);

/* NULL where there are no rows. */
const void *sheet_selected(const struct sheet *t);

/* An arrow, page, Home or End key. Returns whether anything moved. */
bool sheet_move(struct sheet *t, int key);

/* Sort by the next column on screen to the right (1) or left (-1) that can be sorted by. */
void sheet_sort_step(struct sheet *t, int step);
bool sheet_sort_by(struct sheet *t, const char *name);

/* A click on a row selects it, one on a title sorts by it, and once more the other way round. Did anything change? */
bool sheet_click(struct sheet *t, int row, int col);

const char *sheet_metric(const struct column *c);

/*
 * The widths of the columns in cols columns, one blank between two; 0: it has no room. Their sum with the blanks is at
 * most cols.
 */
void sheet_widths(const struct column *columns, int n, int cols, int *widths);

#define SHEET_COLUMNS 32

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pen.h - writing numbers, bars and words into a pane: a place that moves on as one writes.
 *
 * What is not known is "-". A number written under the name of a metric can be asked about: see spots.
 */
#ifndef TUI_PEN_H
#define TUI_PEN_H

#include "grid.h"
#include "reclaimtop/frame.h"

#define SPOT_OF 160

/* A number on screen that the explanation can point at. */
struct spot {
	struct rect where;
	const char *metric;       /* a name that metric_find() may know */
	enum reading_id from;     /* the reading that it comes from */
	bool is_amount;
	struct amount amount;     /* where is_amount */
	const char *known;        /* how it is known, where that is no amount; NULL: as its reading says */
	char of[SPOT_OF];         /* what of: "/db evicted: 12.0M/s; most ...", "" where the metric says all */
};

#define SPOT_NR 400

struct spots {
	struct spot at[SPOT_NR];
	int n;
};

/* What every drawing function may look at. */
struct draw {
	struct grid *g;
	const struct frame *f;
	struct spots *spots;      /* NULL: nobody asks */
	uint32_t page_size;
	bool in_pages;
};

struct pen {
	struct draw *d;
	struct rect pane;
	int row, col;
	enum reading_id from;     /* where the numbers written next come from */
};

struct pen pen_in(struct draw *d, struct rect pane, enum reading_id from);
void pen_to(struct pen *p, int row, int col);

/* The start of the next row; false where the pane has no more. */
bool pen_line(struct pen *p);

/* Columns from the pen to the edge. */
int pen_room(const struct pen *p);

void pen_text(struct pen *p, enum style style, const char *text);
void pen_printf(struct pen *p, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A text against the right or left edge of the next width columns, cut in the middle where it is longer. */
void pen_right(struct pen *p, int width, enum style style, const char *text);
void pen_left(struct pen *p, int width, enum style style, const char *text);

/* The start of a text in at most width columns: sentences are cut at their end, unlike names. */
void pen_cut(struct pen *p, int width, enum style style, const char *text);

/* Words over as many lines as they need, at most lines; each begins at column indent. Returns the lines used. */
int pen_wrap(struct pen *p, enum style style, int indent, int lines, const char *text);

/* The text behind the first lines that pen_wrap() makes of it in a width. */
const char *pen_skip(const char *text, int width, int lines);

/* How many lines pen_wrap() needs for a text in a width. */
int pen_wrap_lines(const char *text, int width);

/* --- numbers, right-aligned in width columns --- */

/* Pages as a size. */
void pen_pages(struct pen *p, int width, const char *metric, uint64_t pages);

/* An amount of pages as a size per second. */
void pen_rate(struct pen *p, int width, const char *metric, struct amount a);

/* The same with its mark before it: "=" the kernel's own count, "~" reckoned. */
void pen_flow(struct pen *p, int width, const char *metric, struct amount a);

/* Events per second. */
void pen_events(struct pen *p, int width, const char *metric, struct amount a);

/* Before a number that is the least: "≥", and ">=" in ASCII, where the grid would make less of it. */
const char *at_least_sign(const struct draw *d);

/* Anything else that is ready as text: "-" is shown as what is not known. */
void pen_value(struct pen *p, int width, const char *metric, const char *text);

/* Note what was written last, in columns from..col of the row. */
void pen_spot(struct pen *p, int from, const char *metric);

/* Of what the number noted last is, in words, and how it is known: a text that stays, or NULL. */
void pen_spot_of(struct pen *p, const char *words, const char *known);
void pen_spot_amount(struct pen *p, int from, const char *metric, struct amount a);

/* --- the same numbers as text --- */

#define NUMBER_TEXT 24

/* dt_us of the frame's step. */
char *number_rate(const struct draw *d, struct amount a, char out[NUMBER_TEXT]);
char *number_events(const struct draw *d, struct amount a, char out[NUMBER_TEXT]);
char *number_pages(const struct draw *d, uint64_t pages, char out[NUMBER_TEXT]);
char *number_bytes(const struct draw *d, uint64_t bytes, char out[NUMBER_TEXT]);
char *number_change(const struct draw *d, int64_t pages, char out[NUMBER_TEXT]);

/* --- bars --- */

struct segment {
	uint64_t value;         /* UNKNOWN counts as 0 */
	enum style style;
	const char *glyph;      /* one column */
};

/*
 * Segments side by side over width columns that stand for total; a segment that is not 0 has at least one column as long as
 * there is room. What is left is filled with STYLE_FREE dots.
 */
void pen_bar(struct pen *p, int width, const struct segment *segments, int n, uint64_t total);

/* One value as a row of blocks in eighths; nothing behind it. */
void pen_block(struct pen *p, int width, enum style style, uint64_t value, uint64_t total);

/*
 * The last n values, oldest first, as columns in the pen's row and those below it, rows altogether, against their
 * greatest. UNKNOWN is a blank. The pen then stands behind the last column of the first row.
 */
void pen_chart(struct pen *p, int rows, enum style style, const uint64_t *values, int n);

#endif

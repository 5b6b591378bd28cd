/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_strip.c - what belongs to all maps of the Time view: clock times, what happened, how much was
 * reclaimed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/units.h"
#include "time_view.h"
#include "timeline.h"

#define CLOCK TIME_CLOCK

/* --- columns of a cell --- */

static const struct heat *heat_of(const struct tui *t, uint64_t from)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);
	const struct heat *closer = w->closer;

	return closer && closer->span <= v->span.each && heat_column(closer, from / closer->span)
		       ? closer
		       : w->heat;
}

/* Markers are only in the parts of the time line: at the first cell of each. */
static unsigned int marks_of(const struct tui *t, int c)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);
	uint64_t from = v->span.from + v->span.each * (uint64_t)c;

	for (unsigned int k = 0; w->line && k < BUCKET_NR; k++) {
		uint64_t i = w->first + (k * w->count + BUCKET_NR - 1) / BUCKET_NR;

		if ((w->line[k].moments & (1u << MOMENT_MARK)) && i >= from &&
		    i < from + v->span.each)
			return 1u << MOMENT_MARK;
	}
	return 0;
}

bool time_column(const struct tui *t, int c, struct heat_column *out)
{
	const struct timing *v = time_of(t);
	uint64_t from = v->span.from + v->span.each * (uint64_t)c, last = from + v->span.each - 1;
	const struct heat *h = heat_of(t, from);
	bool any = false;

	*out = (struct heat_column){ .pages_s = UNKNOWN, .moments = marks_of(t, c) };
	for (uint64_t k = from / h->span; k <= last / h->span; k++) {
		const struct heat_column *col = heat_column(h, k);

		if (!col)
			continue;
		if (!any) {
			out->wall_us = col->wall_us;
			out->mono_us = col->mono_us;
		}
		any = true;
		out->moments |= col->moments;
		if (col->pages_s != UNKNOWN &&
		    (out->pages_s == UNKNOWN || col->pages_s > out->pages_s))
			out->pages_s = col->pages_s;
	}
	return any;
}

/* --- clock times --- */

bool time_clock(int64_t wall_us, int64_t mono_us, char out[CLOCK + 1])
{
	time_t s = (time_t)(wall_us / 1000000);
	char age[NUMBER_TEXT];
	struct tm tm;

	if (wall_us > 0 && localtime_r(&s, &tm))
		return strftime(out, CLOCK + 1, "%H:%M:%S", &tm);
	if (mono_us <= 0)
		return false;
	units_age((uint64_t)mono_us / 1000, age, sizeof(age));
	snprintf(out, CLOCK + 1, strlen(age) <= CLOCK - 3 ? "up %.5s" : "%.8s", age);
	return true;
}

/* The place shown: its column, and where its time stands beside it. False where it is not on screen. */
static bool cursor_of(const struct tui *t, int cols, int *col, int *left)
{
	const struct timing *v = time_of(t);
	uint64_t at = t->frame.when.first + t->frame.when.index;

	if (at < v->span.from || at >= v->span.from + v->span.each * (uint64_t)v->span.cells)
		return false;
	*col = (int)((at - v->span.from) / v->span.each) * v->span.width + (v->span.width - 1) / 2;
	*left = *col + 2 + CLOCK <= cols ? *col + 2 : *col - CLOCK - 1;
	return true;
}

/* Over the cells, as many as have room beside the place shown. */
static void draw_clocks(const struct tui *t, struct draw *d, struct rect cells)
{
	const struct timing *v = time_of(t);
	int free_from = 0, at = -2 * CLOCK, left = at;

	cursor_of(t, cells.cols, &at, &left);
	for (int c = 0; c < v->span.cells; c++) {
		int col = c * v->span.width;
		struct heat_column column;
		char text[CLOCK + 1];

		if (col < free_from || col + CLOCK > cells.cols)
			continue;
		if ((col + CLOCK >= left && col <= left + CLOCK) || (col + CLOCK > at && col <= at))
			continue;
		if (!time_column(t, c, &column) || !time_clock(column.wall_us, column.mono_us, text))
			continue;
		grid_text(d->g, cells, 0, col, STYLE_DIM, text);
		free_from = col + CLOCK + 8;
	}
}

static void draw_cursor(const struct tui *t, struct draw *d, struct rect cells)
{
	char text[CLOCK + 1] = "";
	int col, left;

	if (!cursor_of(t, cells.cols, &col, &left))
		return;
	time_clock(t->frame.now->wall_us, t->frame.now->mono_us, text);
	grid_text(d->g, cells, 0, left, STYLE_BOLD, text);
	grid_text(d->g, cells, 0, col, STYLE_SELECTED, "▼");
}

static struct rect cells_in(struct rect pane)
{
	int label = time_label_cols(pane.cols);

	return (struct rect){ pane.row, pane.col + label, pane.rows,
			      pane.cols - label - TIME_NUMBER > 0 ? pane.cols - label - TIME_NUMBER
								  : 0 };
}

void time_draw_axis(struct tui *t, struct draw *d, struct rect pane)
{
	struct rect cells = cells_in(pane);

	if (rect_is_empty(cells))
		return;
	draw_clocks(t, d, cells);
	draw_cursor(t, d, cells);
}

/* --- what happened, and how much was reclaimed --- */

/* By its root, so that a little beside a lot is seen as well. */
static const char *height(uint64_t pages_s, uint64_t most)
{
	static const char *const heights[] = { "▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int i = most ? (int)(8.0 * sqrt((double)pages_s / (double)most) + 0.5) : 0;

	return heights[pages_s && !i ? 1 : i];
}

static uint64_t most_reclaimed(const struct tui *t)
{
	struct heat_column column;
	uint64_t most = 0;

	for (int c = 0; c < time_of(t)->span.cells; c++)
		if (time_column(t, c, &column) && column.pages_s != UNKNOWN && column.pages_s > most)
			most = column.pages_s;
	return most;
}

int time_stack(const struct tui *t)
{
	struct heat_column column;
	int most = 0;

	for (int c = 0; c < time_of(t)->span.cells; c++) {
		int kinds = time_column(t, c, &column) ? __builtin_popcount(column.moments) : 0;

		most = kinds > most ? kinds : most;
	}
	return most;
}

/*
 * The worst at the bottom, the others over it. With more than rows the top one says how many more;
 * with one row alone it is a capital.
 */
static void draw_happened(const struct tui *t, struct draw *d, struct rect cells, int c)
{
	int col = c * time_of(t)->span.width, row = cells.rows;
	struct heat_column column;
	enum style style;
	unsigned int left;

	if (!time_column(t, c, &column))
		return;
	left = column.moments;
	if (cells.rows == 1 && left) {
		const char *letter = timeline_letter(left, &style);

		grid_text(d->g, cells, 0, col, style, letter);
		return;
	}
	while (left && (row > 1 || (row == 1 && !(left & (left - 1))))) {
		int kind = timeline_worst(left);
		const char *letter = timeline_look((enum moment_kind)kind, &style);

		grid_text(d->g, cells, --row, col, style, letter);
		left &= ~(1u << kind);
	}
	if (left)
		grid_printf(d->g, cells, 0, col, STYLE_BOLD, "%d", __builtin_popcount(left));
}

static void draw_reclaimed(const struct tui *t, struct draw *d, struct rect cells, uint64_t most)
{
	const struct timing *v = time_of(t);
	int line = cells.rows - 1;

	for (int c = 0; c < v->span.cells; c++) {
		struct heat_column column;

		if (!time_column(t, c, &column) || column.pages_s == UNKNOWN)
			continue;
		for (int i = 0; i < v->span.width; i++)
			grid_text(d->g, cells, line, c * v->span.width + i,
				  column.pages_s ? STYLE_FLOW_OUT : STYLE_DIM,
				  height(column.pages_s, most));
	}
}

void time_draw_strip(struct tui *t, struct draw *d, struct rect pane)
{
	const struct timing *v = time_of(t);
	struct rect cells = cells_in(pane);
	uint64_t most = most_reclaimed(t);
	char text[NUMBER_TEXT + 4];
	struct pen p = pen_in(d, pane, READ_VMSTAT);

	if (rect_is_empty(cells))
		return;
	draw_reclaimed(t, d, cells, most);
	cells.rows--;
	for (int c = 0; cells.rows > 0 && c < v->span.cells; c++)
		draw_happened(t, d, cells, c);
	if (cells.rows > 0) {
		grid_text(d->g, pane, cells.rows - 1, 1, STYLE_DIM, "events");
		grid_text(d->g, pane, cells.rows - 1, pane.cols - 7, STYLE_DIM, "highest");
	}
	grid_text(d->g, pane, pane.rows - 1, 1, STYLE_DIM,
		  pane.cols >= 110 ? "reclaimed" : "reclaim");
	pen_to(&p, pane.rows - 1, pane.cols - TIME_NUMBER);
	number_pages(d, most, text);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "/s");
	pen_value(&p, TIME_NUMBER, "stolen", text);
	pen_spot_of(&p, "the most reclaimed in a second, of all columns on screen: as high as the highest bar",
		    "the kernel's own counter at both ends of each step");
}

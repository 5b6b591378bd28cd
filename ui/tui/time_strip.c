/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_strip.c - what belongs to all maps of the Time view: clock times, what happened, how much was
 * reclaimed.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "time_view.h"
#include "timeline.h"

#define CLOCK 8

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

/* The columns of cell c in one. False where nothing of it was seen. */
static bool column_of(const struct tui *t, int c, struct heat_column *out)
{
	const struct timing *v = time_of(t);
	uint64_t from = v->span.from + v->span.each * (uint64_t)c, last = from + v->span.each - 1;
	const struct heat *h = heat_of(t, from);
	bool any = false;

	*out = (struct heat_column){ .pages_s = UNKNOWN };
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

/* --- clock times --- */

static bool clock_text(int64_t wall_us, char out[CLOCK + 1])
{
	time_t s = (time_t)(wall_us / 1000000);
	struct tm tm;

	return wall_us > 0 && localtime_r(&s, &tm) && strftime(out, CLOCK + 1, "%H:%M:%S", &tm);
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
		if (!column_of(t, c, &column) || !clock_text(column.wall_us, text))
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
	clock_text(t->frame.now->wall_us, text);
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
	grid_text(d->g, pane, 0, pane.cols - 5, STYLE_DIM, "at ▼");
}

/* --- what happened, and how much was reclaimed --- */

/* By its root, so that a little beside a lot is seen as well. */
static const char *height(uint64_t pages_s, uint64_t most)
{
	static const char *const heights[] = { "▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int i = most ? (int)(8.0 * sqrt((double)pages_s / (double)most) + 0.5) : 0;

	return heights[pages_s && !i ? 1 : i];
}

static int worst(unsigned int moments)
{
	for (int kind = MOMENT_NR - 1; kind >= 0; kind--)
		if (moments & (1u << kind))
			return kind;
	return -1;
}

static uint64_t most_reclaimed(const struct tui *t)
{
	struct heat_column column;
	uint64_t most = 0;

	for (int c = 0; c < time_of(t)->span.cells; c++)
		if (column_of(t, c, &column) && column.pages_s != UNKNOWN && column.pages_s > most)
			most = column.pages_s;
	return most;
}

static void draw_happened(const struct tui *t, struct draw *d, struct rect cells, int c)
{
	struct heat_column column;
	enum style style;
	const char *letter;
	int kind;

	if (!column_of(t, c, &column))
		return;
	kind = worst(column.moments | marks_of(t, c));
	if (kind < 0)
		return;
	letter = timeline_look((enum moment_kind)kind, &style);
	grid_text(d->g, cells, 0, c * time_of(t)->span.width, style, letter);
}

static void draw_reclaimed(const struct tui *t, struct draw *d, struct rect cells, uint64_t most)
{
	const struct timing *v = time_of(t);
	int line = cells.rows - 1;

	for (int c = 0; c < v->span.cells; c++) {
		struct heat_column column;

		if (!column_of(t, c, &column) || column.pages_s == UNKNOWN)
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
	char text[NUMBER_TEXT];
	struct pen p = pen_in(d, pane, READ_VMSTAT);

	if (rect_is_empty(cells))
		return;
	draw_reclaimed(t, d, cells, most);
	for (int c = 0; pane.rows > 1 && c < v->span.cells; c++)
		draw_happened(t, d, cells, c);
	if (pane.rows > 1)
		grid_text(d->g, pane, 0, 1, STYLE_DIM, "events");
	grid_text(d->g, pane, pane.rows - 1, 1, STYLE_DIM,
		  pane.cols >= 110 ? "reclaimed, most" : "reclaim");
	pen_to(&p, pane.rows - 1, pane.cols - TIME_NUMBER);
	snprintf(text, sizeof(text), "≤");
	number_pages(d, most, text + strlen(text));
	pen_value(&p, TIME_NUMBER, "stolen", text);
}

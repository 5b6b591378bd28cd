/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_mouse.c - clicks and the wheel in the Time view.
 */
#include "going.h"
#include "time_view.h"

/* Cells that the wheel moves the picture by: a tenth of it. */
#define PAN(v) ((v)->span.cells / 10 > 0 ? (v)->span.cells / 10 : 1)

/* The column among those of the cells, -1 where it is beside them. */
static int cells_col(const struct timing *v, struct rect pane, int col)
{
	int at = col - pane.col - time_label_cols(pane.cols);

	return at >= 0 && at < v->span.cells * v->span.width ? at : -1;
}

/* The map that holds a place; MAP_NR where none does. */
static int map_at(const struct timing *v, int row, int col)
{
	int map = 0;

	while (map < MAP_NR && !(v->last[map] && rect_holds(v->maps[map], row, col)))
		map++;
	return map;
}

unsigned int time_go(struct tui *t, int c)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);
	uint64_t at = w->first + w->index, last = w->first + w->count - 1;
	uint64_t from = v->span.from + v->span.each * (uint64_t)c, end = from + v->span.each;

	if (!w->count)
		return TUI_NOTHING;
	/* The newest of a live session goes on. */
	if (last >= from && last < end)
		return going_wish(t, WISH_LAST, 0);
	if (at >= from && at < end)
		return TUI_NOTHING;
	from = from < w->first ? w->first : from;
	return going_wish(t, WISH_STEP, (int64_t)(from - at));
}

static unsigned int select_row(struct timing *v, int map, int row)
{
	if (row < 0 || row >= v->last[map])
		return TUI_NOTHING;
	v->map = (enum time_map)map;
	v->row = row;
	v->chosen = v->moved = true;
	return TUI_REDRAW;
}

/* The line over a map: it alone, or all of them. */
static unsigned int open_map(struct timing *v, int map)
{
	v->row = v->map == (enum time_map)map ? v->row : 0;
	v->map = (enum time_map)map;
	v->chosen = v->moved = true;
	v->open = !v->open;
	v->top = 0;
	return TUI_REDRAW;
}

unsigned int time_click(struct tui *t, int row, int col)
{
	struct timing *v = time_of(t);
	int map = map_at(v, row, col), at;
	unsigned int handled = TUI_NOTHING;
	struct rect pane = v->foot;

	if (!t->frame.when.heat || (map == MAP_NR && !rect_holds(v->foot, row, col)))
		return TUI_NOTHING;
	if (map < MAP_NR) {
		pane = v->maps[map];
		if (row == pane.row)
			return open_map(v, map);
		handled = select_row(v, map, row - pane.row - 1);
		/* A number explains itself. */
		if (col >= pane.col + pane.cols - TIME_NUMBER)
			return TUI_NOTHING;
		if (!handled)
			return TUI_NOTHING;
	}
	at = cells_col(v, pane, col);
	return at < 0 ? handled : handled | time_go(t, at / v->span.width);
}

unsigned int time_wheel(struct tui *t, int row, int col, int by)
{
	struct timing *v = time_of(t);
	int map = map_at(v, row, col), at;
	unsigned int handled;

	if (!t->frame.when.heat)
		return TUI_NOTHING;
	if (rect_holds(v->foot, row, col))
		return time_pan(t, by * PAN(v)) | TUI_REDRAW;
	at = map < MAP_NR ? col - v->maps[map].col - time_label_cols(v->maps[map].cols) : -1;
	if (at < 0 || at >= v->cols)
		return TUI_NOTHING;
	/* Beside the last column it means that one. */
	at = at < v->span.cells * v->span.width ? at : v->span.cells * v->span.width - 1;
	handled = time_zoom(t, -by, at);
	v->loose |= handled != TUI_NOTHING;
	return handled | TUI_REDRAW;
}

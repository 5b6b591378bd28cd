/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_view.h"

#include <stdlib.h>
#include <string.h>

#include "going.h"
#include "reclaimtop/arena.h"

#define WIDTH_MOST 16

/* --- which part of the time --- */

static uint64_t cells_of(uint64_t first, uint64_t end, uint64_t each)
{
	return end > first ? (end - 1) / each - first / each + 1 : 0;
}

/* All of it, in the narrowest columns with which it fits: so many of those that it is kept in. */
static void whole(const struct time_want *w, int cols, struct time_span *out)
{
	uint64_t span = w->span ? w->span : 1, cells;

	out->each = w->end > w->first ? (w->end - w->first) / (uint64_t)cols / span * span : 0;
	out->each = out->each ? out->each : 1;
	while (cells_of(w->first, w->end, out->each) > (uint64_t)cols)
		out->each = out->each < span ? out->each * 2 : out->each + span;
	cells = cells_of(w->first, w->end, out->each);
	out->width = cells ? cols / (int)cells : 1;
	out->width = out->width > WIDTH_MOST / 2 ? WIDTH_MOST / 2 : out->width;
}

/* A level closer: the next power of two below, then wider cells. */
static bool closer(struct time_span *s)
{
	uint64_t each = 1;

	if (s->each > 1) {
		while (each * 2 < s->each)
			each *= 2;
		s->each = each;
		s->width = 1;
		return true;
	}
	if (s->width >= WIDTH_MOST)
		return false;
	s->width *= 2;
	return true;
}

int time_zoom_most(const struct time_want *w, int cols)
{
	struct time_span s;
	int levels = 0;

	whole(w, cols > 0 ? cols : 1, &s);
	while (closer(&s))
		levels++;
	return levels;
}

static uint64_t clamped(const struct time_want *w, const struct time_span *s, uint64_t from)
{
	uint64_t first = w->first - w->first % s->each, wide = s->each * (uint64_t)s->cells;
	uint64_t last = w->end - 1 - (w->end - 1) % s->each + s->each;

	if (last < first + wide)
		return first;
	from = from > last - wide ? last - wide : from;
	return from < first ? first : from - from % s->each;
}

void time_span_make(const struct time_want *w, int cols, struct time_span *out)
{
	uint64_t cells, half;

	cols = cols < 1 ? 1 : cols;
	whole(w, cols, out);
	for (int i = 0; i < w->zoom && closer(out); i++)
		;
	out->width = out->width > cols ? cols : out->width;
	cells = cells_of(w->first, w->end, out->each);
	out->cells = cells > (uint64_t)(cols / out->width) ? cols / out->width : (int)cells;
	out->from = w->first - w->first % out->each;
	if (!cells)
		return;
	/* Where the place shown is not in it, it comes to the middle. */
	out->from = clamped(w, out, w->from);
	if (w->loose)
		return;
	half = out->each * (uint64_t)(out->cells / 2);
	if (w->at < out->from || w->at >= out->from + out->each * (uint64_t)out->cells)
		out->from = clamped(w, out, w->at > half ? w->at - half : 0);
}

/* --- the view --- */

struct timing *time_of(const struct tui *t)
{
	return t->state[VIEW_TIME];
}

static void *time_open(const struct tui_options *options)
{
	struct timing *v = mem_alloc(sizeof(*v));

	(void)options;
	memset(v, 0, sizeof(*v));
	v->span = (struct time_span){ 1, 0, 0, 1 };
	return v;
}

static void time_close(void *state)
{
	struct timing *v = state;

	free(v->cells);
	free(v);
}

int time_label_cols(int cols)
{
	return cols >= 110 ? 18 : cols >= 72 ? 12 : 9;
}

static int cell_cols(int cols)
{
	int room = cols - time_label_cols(cols) - TIME_NUMBER;

	return room > 0 ? room : 1;
}

static struct time_want want_of(const struct tui *t)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);

	return (struct time_want){ w->first, w->first + w->count,         w->first + w->index,
				   v->from,  w->heat ? w->heat->span : 1, v->zoom, v->loose };
}

/* Whatever goes elsewhere takes the picture with it; what goes on by itself does not. */
static void find_span(struct tui *t, int cols)
{
	const struct when *w = &t->frame.when;
	struct timing *v = time_of(t);
	uint64_t at = w->first + w->index;
	struct time_want want;

	if (at != v->at_seen && w->past && !w->playing)
		v->loose = false;
	v->at_seen = at;
	want = want_of(t);
	v->cols = cell_cols(cols);
	time_span_make(&want, v->cols, &v->span);
	v->from = v->span.from;
	if (at >= v->from && at < v->from + v->span.each * (uint64_t)v->span.cells)
		v->loose = false;
}

static void time_draw(struct tui *t, struct draw *d, struct rect body)
{
	if (!t->frame.when.heat || !t->frame.when.count) {
		time_draw_window(t, d, body);
		return;
	}
	find_span(t, body.cols);
	time_draw_maps(t, d, body);
}

/* What is narrower than the columns that all of it is kept in is read anew. */
static void time_interest(const struct tui *t, struct interest *out)
{
	const struct timing *v = time_of(t);
	const struct heat *h = t->frame.when.heat;

	if (!h || !v->span.cells || v->span.each >= h->span)
		return;
	out->look_from = v->span.from;
	out->look_to = v->span.from + v->span.each * (uint64_t)v->span.cells;
	out->look_each = v->span.each;
}

/* Of an open map with more rows than there is room for, the first stays. */
static bool scroll(struct timing *v, int step)
{
	bool below = v->more[v->map] + v->none[v->map] > v->top;

	if (!v->open || (step < 0 ? v->row != 1 || !v->top : v->row + 1 < v->last[v->map] || !below))
		return false;
	v->top += step;
	v->chosen = v->moved = true;
	return true;
}

/* From the first row of all maps to the last. */
static bool move_to_end(struct timing *v, bool last)
{
	int map = v->open ? (int)v->map : last ? MAP_NR - 1 : 0;

	while (!v->open && map > 0 && map < MAP_NR - 1 && !v->last[map])
		map += last ? -1 : 1;
	if (!v->last[map])
		return false;
	v->map = (enum time_map)map;
	v->row = last ? v->last[map] - 1 : 0;
	v->chosen = v->moved = true;
	v->top = last ? v->more[map] + v->none[map] : 0;
	return true;
}

/* From one row to the next, and on to the next map. */
static bool time_move(struct tui *t, int key)
{
	struct timing *v = time_of(t);
	int step = key == KEYCODE_DOWN ? 1 : key == KEYCODE_UP ? -1 : 0, map = v->map;
	int row = v->row + step;

	if (key == KEYCODE_HOME || key == KEYCODE_END)
		return move_to_end(v, key == KEYCODE_END);
	if (!step)
		return false;
	if (scroll(v, step))
		return true;
	while (!v->open && map >= 0 && map < MAP_NR && (row < 0 || row >= v->last[map])) {
		map += step;
		if (map >= 0 && map < MAP_NR)
			row = step > 0 ? 0 : v->last[map] - 1;
	}
	if (map < 0 || map >= MAP_NR || row < 0 || row >= v->last[map])
		return false;
	v->map = (enum time_map)map;
	v->row = row;
	v->chosen = v->moved = true;
	return true;
}

/* --- keys --- */

unsigned int time_key_go(struct tui *t, int key)
{
	struct timing *v = time_of(t);
	const struct time_span *s = &v->span;
	bool page = key == KEYCODE_PAGE_UP || key == KEYCODE_PAGE_DOWN;
	bool back = key == KEYCODE_LEFT || key == KEYCODE_PAGE_UP;
	int64_t by = (int64_t)s->each * (page && s->cells > 1 ? s->cells / 2 : 1);

	v->loose = false;
	return going_wish(t, WISH_STEP, back ? -by : by);
}

unsigned int time_key_end(struct tui *t, int key)
{
	time_of(t)->loose = false;
	return going_wish(t, key == KEYCODE_HOME ? WISH_FIRST : WISH_LAST, 0);
}

unsigned int time_zoom(struct tui *t, int by, int col)
{
	struct timing *v = time_of(t);
	struct time_want want = want_of(t);
	int most = t->has_frame ? time_zoom_most(&want, v->cols) : 0;
	int zoom = by ? v->zoom + by : 0;
	uint64_t at, left;
	struct time_span s;

	if (zoom < 0 || zoom > most || zoom == v->zoom || col < 0)
		return TUI_NOTHING;
	at = v->from + v->span.each * (uint64_t)(col / v->span.width);
	v->zoom = want.zoom = zoom;
	time_span_make(&want, v->cols, &s);
	left = s.each * (uint64_t)(col / s.width);
	v->from = at > left ? at - left : 0;
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int time_pan(struct tui *t, int cells)
{
	struct timing *v = time_of(t);
	uint64_t by = v->span.each * (uint64_t)(cells < 0 ? -cells : cells), was = v->from;
	struct time_want want = want_of(t);
	struct time_span s;

	if (!t->frame.when.heat || !t->frame.when.count)
		return TUI_NOTHING;
	want.from = cells > 0 ? was + by : was > by ? was - by : 0;
	want.loose = true;
	time_span_make(&want, v->cols, &s);
	if (s.from == was)
		return TUI_NOTHING;
	v->from = s.from;
	v->loose = true;
	return TUI_REDRAW | TUI_INTEREST;
}

/* About the place shown where that is on screen, else about the middle. */
unsigned int time_key_zoom(struct tui *t, int key)
{
	const struct timing *v = time_of(t);
	int at = time_cell_shown(t);

	return time_zoom(t, key == '0' ? 0 : key == '-' ? -1 : 1,
			 (at < 0 ? v->span.cells / 2 : at) * v->span.width);
}

unsigned int time_key_flow(struct tui *t, int key)
{
	struct timing *v = time_of(t);

	(void)key;
	v->flow = (enum heat_flow)((v->flow + 1) % HEAT_FLOW_NR);
	v->top = 0;
	return TUI_REDRAW;
}

unsigned int time_key_types(struct tui *t, int key)
{
	struct timing *v = time_of(t);

	(void)key;
	v->types = (enum time_types)((v->types + 1) % TYPES_NR);
	return TUI_REDRAW;
}

unsigned int time_key_open(struct tui *t, int key)
{
	struct timing *v = time_of(t);

	(void)key;
	v->open = !v->open;
	v->top = 0;
	return TUI_REDRAW;
}

/* The number of the selected row. */
static int time_spot(const struct tui *t)
{
	const struct timing *v = time_of(t);

	for (int i = 0; i < t->spots.n; i++)
		if (t->spots.at[i].where.row == v->maps[v->map].row + 1 + v->row)
			return i;
	return 0;
}

const struct view time_view = {
	.name = "time",
	.key = '6',
	.title = "Time",
	.brief = "Time",
	.about = "All that is remembered or recorded, from left to right, in three maps over one "
		 "time: how many pages are how old (what is never used sinks to the bottom: the "
		 "cold tail), which memcgs lose pages, get them back or wait, and how full the "
		 "CPUs' pagesets are. The fuller or brighter, the more; the line over each map says "
		 "what its shades mean. The numbers at its right edge are those of the column at the "
		 "cursor: of one sample, or the mean of all that the column holds. Events stand "
		 "under the maps (the help of [ ] has their letters; several in one column stand one "
		 "over the other, a figure says how many more), and are named in the last line. Left, "
		 "Right and a click on a column move the whole program to that instant. A click on a "
		 "name selects a row, one on the line over a map opens it, one on a number explains "
		 "it. The wheel looks closer at what is under the pointer, or from farther away; over "
		 "the events it moves the picture to the side, over the names it goes from row to row.",
	.open = time_open,
	.close = time_close,
	.draw = time_draw,
	.move = time_move,
	.click = time_click,
	.wheel = time_wheel,
	.spot = time_spot,
	.sideways = true,
	.interest = time_interest,
};

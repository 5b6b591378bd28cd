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
	v->row = TIME_ROWS; /* the last one */
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
	return cols >= 110 ? 18 : cols >= 72 ? 12 : 8;
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
				   v->from,  w->heat ? w->heat->span : 1, v->zoom };
}

static void find_span(struct tui *t, int cols)
{
	struct timing *v = time_of(t);
	struct time_want want = want_of(t);

	v->cols = cell_cols(cols);
	time_span_make(&want, v->cols, &v->span);
	v->from = v->span.from;
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

/* From one row to the next, and on to the next map. */
static bool time_move(struct tui *t, int key)
{
	struct timing *v = time_of(t);
	int step = key == KEYCODE_DOWN ? 1 : key == KEYCODE_UP ? -1 : 0, map = v->map;
	int row = v->row + step;

	if (!step)
		return false;
	while (!v->open && map >= 0 && map < MAP_NR && (row < 0 || row >= v->last[map])) {
		map += step;
		if (map >= 0 && map < MAP_NR)
			row = step > 0 ? 0 : v->last[map] - 1;
	}
	if (map < 0 || map >= MAP_NR || row < 0 || row >= v->last[map])
		return false;
	v->map = (enum time_map)map;
	v->row = row;
	return true;
}

/* --- keys --- */

unsigned int time_key_go(struct tui *t, int key)
{
	const struct time_span *s = &time_of(t)->span;
	bool page = key == KEYCODE_PAGE_UP || key == KEYCODE_PAGE_DOWN;
	bool back = key == KEYCODE_LEFT || key == KEYCODE_PAGE_UP;
	int64_t by = (int64_t)s->each * (page && s->cells > 1 ? s->cells / 2 : 1);

	return going_wish(t, WISH_STEP, back ? -by : by);
}

unsigned int time_key_end(struct tui *t, int key)
{
	return going_wish(t, key == KEYCODE_HOME ? WISH_FIRST : WISH_LAST, 0);
}

unsigned int time_key_zoom(struct tui *t, int key)
{
	struct timing *v = time_of(t);
	struct time_want want = want_of(t);
	int most = t->has_frame ? time_zoom_most(&want, v->cols) : 0;
	int zoom = key == '0' ? 0 : v->zoom + (key == '-' ? -1 : 1);
	uint64_t left = want.at > v->from ? want.at - v->from : 0;

	if (zoom < 0 || zoom > most || zoom == v->zoom)
		return TUI_NOTHING;
	v->zoom = zoom;
	/* What is shown stays about where it is on screen. */
	left = key == '-' ? left * 2 : left / 2;
	v->from = want.at > left ? want.at - left : 0;
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int time_key_flow(struct tui *t, int key)
{
	struct timing *v = time_of(t);

	(void)key;
	v->flow = (enum heat_flow)((v->flow + 1) % HEAT_FLOW_NR);
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
	return TUI_REDRAW;
}

const struct view time_view = {
	.name = "time",
	.key = '6',
	.title = "Time",
	.brief = "Time",
	.about = "All that is remembered or recorded, from left to right, in three maps over one "
		 "time: how many pages are how old (what is never used sinks to the bottom: the "
		 "cold tail), which memcgs lose pages, get them back or wait, and how full the "
		 "CPUs' pagesets are. The darker, the more; the line over each map says what its "
		 "shades mean. Left and right move the whole program to another instant, the "
		 "numbers at the right edge are those of it.",
	.open = time_open,
	.close = time_close,
	.draw = time_draw,
	.move = time_move,
	.interest = time_interest,
};

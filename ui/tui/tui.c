/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "going.h"
#include "held.h"
#include "reclaimtop/arena.h"
#include "reclaimtop/names.h"
#include "story.h"
#include "timeline.h"
#include "view.h"

const struct view *const views[VIEW_NR] = {
	[VIEW_OVERVIEW] = &overview_view,     [VIEW_GENERATIONS] = &generations_view,
	[VIEW_MEMCGS] = &memcgs_view,         [VIEW_PAGESETS] = &pagesets_view,
	[VIEW_PROCESSES] = &processes_view,   [VIEW_TIME] = &time_view,
};

enum tui_view tui_view_by_name(const char *name)
{
	int i = 0;

	while (i < VIEW_NR && strcmp(views[i]->name, name))
		i++;
	return (enum tui_view)i;
}

struct tui *tui_new(const struct tui_options *options)
{
	struct tui *t = mem_alloc(sizeof(*t));

	memset(t, 0, sizeof(*t));
	t->options = *options;
	t->view = options->view < VIEW_NR ? options->view : VIEW_OVERVIEW;
	if (options->filter)
		strncat(t->filter, options->filter, FILTER_SIZE - 1);
	t->in_pages = options->in_pages;
	for (int i = 0; i < VIEW_NR; i++) {
		t->state[i] = views[i]->open(options);
		if (options->sorts[i] && !options->sort && views[i]->sheet && views[i]->sheet(t) &&
		    sheet_sort_by(views[i]->sheet(t), options->sorts[i]))
			views[i]->sheet(t)->reverse = options->reversed[i];
	}
	return t;
}

void tui_free(struct tui *t)
{
	if (!t)
		return;
	for (int i = 0; i < VIEW_NR; i++)
		views[i]->close(t->state[i]);
	held_free(t->held);
	free(t);
}

bool tui_sorts_by(const char *name)
{
	const struct tui_options usual = { .view = VIEW_OVERVIEW };
	struct tui *t = tui_new(&usual);
	bool found = false;

	for (int i = 0; i < VIEW_NR && !found; i++) {
		t->view = (enum tui_view)i;
		found = views[i]->sheet && views[i]->sheet(t) && sheet_sort_by(views[i]->sheet(t), name);
	}
	tui_free(t);
	return found;
}

/* The rows of the view on screen, from the frame on screen. */
static void prepare(struct tui *t)
{
	if (t->has_frame && views[t->view]->prepare)
		views[t->view]->prepare(t);
}

/* Rows point into a frame: none may be left of one that is gone. */
static void forget_rows(struct tui *t)
{
	for (int i = 0; i < VIEW_NR; i++)
		if (views[i]->sheet)
			sheet_begin(views[i]->sheet(t));
}

static void show(struct tui *t, const struct frame *f)
{
	forget_rows(t);
	t->frame = *f;
	t->has_frame = true;
	t->spots.n = 0;
	prepare(t);
}

unsigned int tui_frame(struct tui *t, const struct frame *f)
{
	t->latest = *f;
	if (t->paused)
		return TUI_NOTHING;
	show(t, f);
	return TUI_REDRAW;
}

void tui_clock(struct tui *t, int64_t now_us)
{
	t->now_us = now_us;
}

int64_t tui_next_us(const struct tui *t, int64_t now_us)
{
	bool shown = t->has_frame && t->mode != MODE_HELP && views[t->view]->next;

	return shown ? views[t->view]->next(t, now_us) : INT64_MAX;
}

void tui_interest(const struct tui *t, struct interest *out)
{
	memset(out, 0, sizeof(*out));
	if (t->has_frame && views[t->view]->interest)
		views[t->view]->interest(t, out);
}

int64_t tui_interval_us(const struct tui *t)
{
	return t->interval_us;
}

const struct wish *tui_wish(const struct tui *t)
{
	return &t->wish;
}

/* --- what keys do --- */

static unsigned int go_to(struct tui *t, enum tui_view view)
{
	t->view = view;
	t->spot = 0;
	if (t->mode != MODE_EXPLAIN && t->mode != MODE_STORY)
		t->mode = MODE_VIEW;
	prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int tui_key_view(struct tui *t, int key)
{
	for (int i = 0; i < VIEW_NR; i++)
		if (views[i]->key == key)
			return go_to(t, (enum tui_view)i);
	return TUI_NOTHING;
}

unsigned int tui_key_next_view(struct tui *t, int key)
{
	int step = key == KEYCODE_BACKTAB ? VIEW_NR - 1 : 1;

	return go_to(t, (enum tui_view)((t->view + step) % VIEW_NR));
}

unsigned int tui_key_move(struct tui *t, int key)
{
	unsigned int handled;

	if (going_takes(t, key, &handled))
		return handled;
	return views[t->view]->move && views[t->view]->move(t, key) ? TUI_REDRAW | TUI_INTEREST : TUI_NOTHING;
}

unsigned int tui_key_edge(struct tui *t, int key)
{
	int to = key == '^' ? KEYCODE_HOME : KEYCODE_END;

	return views[t->view]->move && views[t->view]->move(t, to) ? TUI_REDRAW | TUI_INTEREST : TUI_NOTHING;
}

unsigned int tui_key_filter(struct tui *t, int key)
{
	(void)key;
	t->mode = MODE_FILTER;
	return TUI_REDRAW;
}

static struct sheet *sheet_of(struct tui *t)
{
	return views[t->view]->sheet ? views[t->view]->sheet(t) : NULL;
}

unsigned int tui_key_sort(struct tui *t, int key)
{
	struct sheet *sheet = sheet_of(t);

	if (!sheet)
		return TUI_NOTHING;
	sheet_sort_step(sheet, key == '<' ? -1 : 1);
	prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int tui_key_reverse(struct tui *t, int key)
{
	struct sheet *sheet = sheet_of(t);

	(void)key;
	if (!sheet)
		return TUI_NOTHING;
	sheet->reverse = !sheet->reverse;
	prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int tui_key_pause(struct tui *t, int key)
{
	unsigned int handled;
	struct frame held;

	if (going_takes(t, key, &handled))
		return handled;
	if (!t->has_frame)
		return TUI_NOTHING;
	t->paused = !t->paused;
	if (t->paused) {
		t->held = held_keep(t->held, &t->frame, &held);
		show(t, &held);
	} else {
		show(t, &t->latest);
	}
	return TUI_REDRAW;
}

unsigned int tui_key_pages(struct tui *t, int key)
{
	(void)key;
	t->in_pages = !t->in_pages;
	return TUI_REDRAW;
}

static const int64_t paces_us[] = { 100000,  250000,   500000,   1000000,  2000000,
				    5000000, 10000000, 30000000, 60000000 };

#define PACES ((int)(sizeof(paces_us) / sizeof(paces_us[0])))

/* What the time between samples is now: what was wanted, planned, or is seen. */
static int64_t pace_now(const struct tui *t)
{
	if (t->interval_us)
		return t->interval_us;
	if (t->frame.interval_us)
		return t->frame.interval_us;
	return t->frame.step->dt_us ? t->frame.step->dt_us : 1000000;
}

unsigned int tui_key_pace(struct tui *t, int key)
{
	int64_t now;
	int i = 0;

	if (!t->has_frame)
		return TUI_NOTHING;
	now = pace_now(t);
	if (key == '-') {
		for (i = PACES - 1; i > 0 && paces_us[i] >= now; i--)
			;
	} else {
		for (i = 0; i < PACES - 1 && paces_us[i] <= now; i++)
			;
	}
	t->interval_us = paces_us[i];
	return TUI_REDRAW | TUI_PACE;
}

unsigned int tui_key_explain(struct tui *t, int key)
{
	(void)key;
	t->mode = t->mode == MODE_EXPLAIN ? MODE_VIEW : MODE_EXPLAIN;
	t->spot = views[t->view]->spot && t->has_frame ? views[t->view]->spot(t) : 0;
	return TUI_REDRAW;
}

unsigned int tui_key_story(struct tui *t, int key)
{
	(void)key;
	t->mode = t->mode == MODE_STORY ? MODE_VIEW : MODE_STORY;
	return TUI_REDRAW;
}

unsigned int tui_key_help(struct tui *t, int key)
{
	(void)key;
	t->mode = t->mode == MODE_HELP ? MODE_VIEW : MODE_HELP;
	t->help_top = 0;
	return TUI_REDRAW;
}

unsigned int tui_key_quit(struct tui *t, int key)
{
	(void)t;
	(void)key;
	return TUI_QUIT;
}

unsigned int tui_key_redraw(struct tui *t, int key)
{
	(void)t;
	(void)key;
	return TUI_REDRAW | TUI_AGAIN;
}

unsigned int tui_key_suspend(struct tui *t, int key)
{
	(void)t;
	(void)key;
	return TUI_SUSPEND;
}

unsigned int tui_key_back(struct tui *t, int key)
{
	(void)key;
	if (!t->filter[0] && views[t->view]->back && t->has_frame)
		return views[t->view]->back(t) ? TUI_REDRAW | TUI_INTEREST : TUI_NOTHING;
	if (!t->filter[0])
		return TUI_NOTHING;
	t->filter[0] = '\0';
	prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

/* --- keys by mode --- */

static unsigned int view_key_pressed(struct tui *t, int key)
{
	const struct key_entry *entry = keymap_find(t->options.keys, &key, t->view);

	return entry ? entry->handler(t, key) : TUI_NOTHING;
}

static unsigned int filter_key_pressed(struct tui *t, int key)
{
	if (key == KEYCODE_ESC)
		t->filter[0] = '\0';
	if (key == KEYCODE_ESC || key == KEYCODE_ENTER)
		t->mode = MODE_VIEW;
	else if (!entry_key(t->filter, FILTER_SIZE, key))
		return TUI_NOTHING;
	prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

static bool is_leave(int key)
{
	return key == KEYCODE_ESC || key == 'q' || key == KEYCODE_F10;
}

static unsigned int help_key_pressed(struct tui *t, int key)
{
	if (is_leave(key) || key == KEYCODE_ENTER) {
		t->mode = MODE_VIEW;
		return TUI_REDRAW;
	}
	if (help_move(t, key))
		return TUI_REDRAW;
	return view_key_pressed(t, key);
}

static int step_of(int key)
{
	if (key == KEYCODE_RIGHT || key == KEYCODE_DOWN)
		return 1;
	return key == KEYCODE_LEFT || key == KEYCODE_UP ? -1 : 0;
}

static bool is_sideways(int key)
{
	return key == KEYCODE_LEFT || key == KEYCODE_RIGHT;
}

static unsigned int explain_key_pressed(struct tui *t, int key)
{
	if (is_leave(key)) {
		t->mode = MODE_VIEW;
		return TUI_REDRAW;
	}
	if (step_of(key) && !(is_sideways(key) && views[t->view]->sideways)) {
		t->spot = t->spots.n ? (t->spot + step_of(key) + t->spots.n) % t->spots.n : 0;
		return TUI_REDRAW;
	}
	return view_key_pressed(t, key);
}

static unsigned int story_key_pressed(struct tui *t, int key)
{
	if (is_leave(key) || key == KEYCODE_ENTER) {
		t->mode = MODE_VIEW;
		return TUI_REDRAW;
	}
	return view_key_pressed(t, key);
}

unsigned int tui_key(struct tui *t, int key)
{
	static unsigned int (*const modes[MODE_NR])(struct tui *, int) = {
		[MODE_VIEW] = view_key_pressed, [MODE_FILTER] = filter_key_pressed,
		[MODE_HELP] = help_key_pressed, [MODE_EXPLAIN] = explain_key_pressed,
		[MODE_PROMPT] = prompt_key, [MODE_STORY] = story_key_pressed,
	};
	unsigned int shown = t->said[0] || (t->options.notice && !t->notice_seen) ? TUI_REDRAW : TUI_NOTHING;

	t->said[0] = '\0';
	t->notice_seen = true;

	if (t->has_frame)
		t->said_seen = t->frame.when.said_n;
	if (key == KEYCODE_CTRL_L || key == KEYCODE_CTRL_Z)
		return view_key_pressed(t, key);
	return modes[t->mode](t, key) | shown;
}

/* --- drawing --- */

static void draw_small(struct grid *g, struct rect body)
{
	struct draw d = { .g = g };
	struct pen p = pen_in(&d, body, READ_NR);
	char text[80];

	snprintf(text, sizeof(text), "too small: %dx%d needed, have %dx%d", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS, g->cols,
		 g->rows);
	if (body.cols * body.rows < name_width(text))
		pen_text(&p, STYLE_PLAIN, text);
	else
		pen_wrap(&p, STYLE_PLAIN, 0, body.rows, text);
}

static void draw_body(struct tui *t, struct draw *d, struct rect body)
{
	if (t->mode == MODE_HELP)
		help_draw(t, d, body);
	else if (t->has_frame)
		views[t->view]->draw(t, d, body);
	else
		grid_text(d->g, body, body.rows / 2, 2, STYLE_DIM, "waiting for the first sample ...");
	if (t->mode == MODE_EXPLAIN && t->has_frame)
		explain_draw(t, d, body);
	if (t->mode == MODE_STORY && t->has_frame)
		story_draw(t, d, body);
}

void tui_draw(struct tui *t, int64_t now_us, struct grid *g)
{
	struct draw d = { .g = g, .f = &t->frame, .in_pages = t->in_pages };
	struct rect line;
	struct screen s;

	t->now_us = now_us;
	grid_clear(g);
	g->ascii = t->options.ascii;
	d.page_size = t->has_frame && t->frame.now->machine.page_size ? t->frame.now->machine.page_size : 4096;
	t->spots.n = t->nhits = 0;
	t->foot_line = (struct rect){ 0 };
	t->rows = g->rows;
	t->cols = g->cols;
	d.spots = &t->spots;
	layout_screen(g->rows, g->cols, status_notices(t, g->cols), &s);
	if (s.small) {
		draw_small(g, s.body);
		return;
	}
	t->foot_line = line = timeline_take(t, &s.body);
	status_head(t, &d, &s);
	draw_body(t, &d, s.body);
	timeline_draw(t, &d, line);
	status_foot(t, &d, s.foot);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui.h - the interactive screen, in two halves: a machine of state that knows neither terminal nor clock (tests drive
 * it with scripted keys and frozen time), and tui_run(), which ties it to a terminal and a feed.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "reclaimtop/frame.h"
#include "grid.h"

enum tui_view { VIEW_OVERVIEW, VIEW_GENERATIONS, VIEW_MEMCGS, VIEW_PAGESETS, VIEW_PROCESSES,
	VIEW_TIME, VIEW_NR };

enum tui_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The ground that colours must be seen on: auto is what the terminal says of itself, dark where it says nothing. */
enum tui_theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_MONO, THEME_NR };

/* How what moves goes: as it is, at a tenth of its speed, or not at all. */
enum tui_motion { MOTION_AS_IT_IS, MOTION_SLOW, MOTION_STILL, MOTION_MODES };

struct keymap;
struct grid;

/* What a user may want to find again next time. */
struct tui_settings {
	enum tui_view view;
	enum tui_theme theme;
	enum tui_motion motion;
	bool ascii, mouse, in_pages;
	int64_t delay_us;                   /* 0: as it was */
	const char *sorts[VIEW_NR];         /* column of each view's table; NULL: it has none */
	bool reversed[VIEW_NR];             /* and whether the other way round */
	const struct keymap *keys;          /* NULL: the usual ones */
};

/* Where the screen can be kept. Each says in words what became of it. */
struct tui_keeper {
	void (*settings)(void *ctx, const struct tui_settings *s, char *said, size_t size);
	void (*picture)(void *ctx, const struct grid *g, enum tui_theme theme, char *said, size_t size);
	void *ctx;
};

struct tui_options {
	enum tui_view view;
	enum tui_color color;
	enum tui_theme theme;
	bool ascii;
	bool mouse;
	bool no_motion;       /* nothing moves by itself: pictures change with samples and keys alone */
	bool no_braille;      /* the terminal has none */
	const char *filter;   /* NULL: none */
	const char *sort;     /* name of a column, NULL: the view's own */
	const char *sorts[VIEW_NR];         /* the same for one view each; sort goes before */
	bool reversed[VIEW_NR];             /* that one the other way round */
	bool in_pages;
	enum tui_motion motion;
	const struct keymap *keys;          /* NULL: the usual ones */
	const struct tui_keeper *keeper;    /* NULL: nothing can be kept */
	const char *notice;                 /* shown until a key is pressed; NULL: none */
};

/* "overview", … ; VIEW_NR where there is none of that name. */
enum tui_view tui_view_by_name(const char *name);
const char *tui_view_name(enum tui_view view);

/* Has the table of this view a column of this name that it can be sorted by? */
bool tui_view_sorts_by(enum tui_view view, const char *name);

/* Has any view a column of this name that it can sort by? */
bool tui_sorts_by(const char *name);

/* Keys: characters as they are, the rest as in keys.h. */
enum tui_handled {
	TUI_NOTHING = 0,
	TUI_REDRAW = 1,
	TUI_QUIT = 2,
	TUI_INTEREST = 4,   /* what is looked at changed: tui_interest() */
	TUI_PACE = 8,       /* the time between samples changed: tui_interval_us() */
	TUI_SUSPEND = 16,
	TUI_AGAIN = 32,     /* do not trust what the terminal shows: put every cell anew */
	TUI_WISH = 64,      /* the feed is to do something: tui_wish() */
};

struct tui;

struct tui *tui_new(const struct tui_options *options);
void tui_free(struct tui *t);

/*
 * A new frame; what was drawn from the one before is dead. While paused it is kept aside; the screen stays. Returns enum
 * tui_handled bits.
 */
unsigned int tui_frame(struct tui *t, const struct frame *f);

unsigned int tui_key(struct tui *t, int key);

/* What time it is: before a frame or a key, so that what begins with it begins now. 0, as at first: frozen. */
void tui_clock(struct tui *t, int64_t now_us);

/* When to draw again though nothing new has come, since something moves; INT64_MAX: nothing does. */
int64_t tui_next_us(const struct tui *t, int64_t now_us);

/* A click on a cell: tabs, keys in the last line, rows and titles of tables, times, numbers. Returns enum tui_handled bits. */
unsigned int tui_click(struct tui *t, int row, int col);

/* The wheel over a cell: -1 up, 1 down. Where the view means nothing else by it, it is an arrow. */
unsigned int tui_wheel(struct tui *t, int row, int col, int by);

/* Draw into g (any size down to 1x1) as of now_us. Pure: the same state gives the same cells. */
void tui_draw(struct tui *t, int64_t now_us, struct grid *g);

void tui_interest(const struct tui *t, struct interest *out);
int64_t tui_interval_us(const struct tui *t);
const struct wish *tui_wish(const struct tui *t);

/*
 * Until q, a signal, or the end of the terminal. 0, or an exit status; what went wrong is said on standard error after the
 * terminal was given back.
 */
int tui_run(struct feed *feed, const struct tui_options *options);

#endif

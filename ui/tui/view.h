/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view.h - what the parts of the screen share: its state, and the table of views.
 */
#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "keymap.h"
#include "keys.h"
#include "layout.h"
#include "pen.h"
#include "prompt.h"
#include "sheet.h"
#include "tui.h"

enum tui_mode { MODE_VIEW, MODE_FILTER, MODE_HELP, MODE_EXPLAIN, MODE_PROMPT, MODE_STORY, MODE_NR };

#define FILTER_SIZE 96

/* A part of the screen that a click takes for a key: a tab, a key in the last line. */
struct hit {
	struct rect where;
	int key;                       /* as in the table of keys */
};

#define HIT_NR 48
#define SAID_SIZE 320

struct tui {
	struct tui_options options;
	enum tui_mode mode;
	enum tui_view view;
	struct frame frame;            /* on screen */
	struct frame latest;           /* the newest; while paused it may be another one */
	struct held *held;             /* what the frame on screen points to while paused */
	bool has_frame, paused, in_pages;
	int64_t interval_us;           /* wanted; 0: as it is */
	int64_t now_us;                /* of the last frame, key or draw; 0: frozen */
	char filter[FILTER_SIZE];
	int help_top, help_rows, help_lines;  /* first line on screen; rows there were for it; lines it has */
	struct spots spots;            /* of the last draw */
	int spot;                      /* the one that is explained */
	struct wish wish;              /* the last one */
	struct prompt prompt;
	int line;                      /* the time line: 1 on, -1 off, 0 in the past */
	uint32_t said_seen;            /* the last thing said that a key has put away */
	bool notice_seen;              /* a key has put the notice of the options away */
	char said[SAID_SIZE];          /* what became of a key, until the next one */
	struct hit hits[HIT_NR];       /* of the last draw */
	int nhits;
	int rows, cols;                /* of the last draw */
	struct rect foot_line;         /* where it put the time line */
	void *state[VIEW_NR];          /* what each view keeps */
};

struct view {
	const char *name;              /* for --view */
	int key;
	const char *title, *brief;     /* with room and without */
	const char *about;             /* what one sees, and how to read it */
	void *(*open)(const struct tui_options *options);
	void (*close)(void *state);
	void (*prepare)(struct tui *t);                 /* a new frame, order or filter: make its rows; may be NULL */
	void (*draw)(struct tui *t, struct draw *d, struct rect body);
	bool (*move)(struct tui *t, int key);           /* arrows and pages; did anything change? */
	bool (*back)(struct tui *t);                    /* Esc, where nothing else is open; did anything change? NULL: no */
	struct sheet *(*sheet)(struct tui *t);          /* that `<` and `>` sort; NULL where there is none */
	/* enum tui_handled bits, 0 where there is nothing of the view. click NULL: the sheet's rows and titles; wheel NULL: arrows */
	unsigned int (*click)(struct tui *t, int row, int col);
	unsigned int (*wheel)(struct tui *t, int row, int col, int by);   /* by: -1 up, 1 down */
	int (*spot)(const struct tui *t);               /* the number that is explained first; NULL: the first one */
	bool sideways;                                  /* Left and Right mean the same while a number is explained */
	void (*interest)(const struct tui *t, struct interest *out);   /* may be NULL */
	int64_t (*next)(const struct tui *t, int64_t now_us);          /* as tui_next_us(); NULL: nothing moves here */
};

extern const struct view *const views[VIEW_NR];

extern const struct view overview_view, generations_view, memcgs_view, pagesets_view, processes_view, time_view;

/* Does a name or path pass the filter? Letters match in either case. */
bool tui_passes(const struct tui *t, const char *name);

/* Add a path to those of interest, once; one too long is left out. */
void interest_add(struct interest *out, const char *path);

/* A key that identifies a path and a number, for tables. */
uint64_t view_key(const char *path, uint64_t number);

/* Why there is nothing: the reading's state in words, into out. Returns out. */
const char *view_why(const struct frame *f, enum reading_id from, char *out, size_t size);

/* What is shown goes on by itself: not paused, not a moment of the past, not the end, and motion is wished for. */
bool view_goes_on(const struct tui *t);

/* Until when flows of the frame that is new now are shown, should no other come. */
int64_t view_flows_until(const struct tui *t);

/* Pages of the last step as bytes a second; 0 where they are not known: for what moves, which then stands. */
double view_bytes_s(const struct frame *f, struct amount a);

/* --- what lies around a view --- */

int status_notices(const struct tui *t, int cols);
void status_head(struct tui *t, struct draw *d, const struct screen *s);
void status_foot(struct tui *t, struct draw *d, struct rect foot);

void help_draw(struct tui *t, struct draw *d, struct rect body);
bool help_move(struct tui *t, int key);

/* A click takes this part for a key. */
void tui_hit(struct tui *t, struct rect where, int key);

/* The panel about the number at t->spot, over a part of body; marks the number too. */
void explain_draw(struct tui *t, struct draw *d, struct rect body);

/* --- handlers of keys, in the table of keys.c --- */

typedef unsigned int key_handler(struct tui *t, int key);

key_handler tui_key_view, tui_key_next_view, tui_key_move, tui_key_filter, tui_key_sort, tui_key_reverse,
	tui_key_pause, tui_key_pages, tui_key_pace, tui_key_explain, tui_key_help, tui_key_quit,
	tui_key_redraw, tui_key_edge, tui_key_suspend, tui_key_back, generations_key_tiers, generations_key_all,
	generations_key_wide, generations_key_log, generations_key_slow,
	memcgs_key_tree, memcgs_key_dying, memcgs_key_open, pagesets_key_types, pagesets_key_table, pagesets_key_open,
	pagesets_key_cpu, going_key_step,
	time_key_go, time_key_end, time_key_zoom, time_key_flow, time_key_types, time_key_open,
	going_key_moment, going_key_end, going_key_speed, going_key_jump, going_key_clock, going_key_mark,
	going_key_record, going_key_line, tui_key_story, tui_key_settings, tui_key_picture;

/* The same speed for what moves in the Pagesets view. */
void pagesets_slow(struct tui *t, bool slow);

/* Show this memcg in the Generations view. */
void generations_choose(struct tui *t, const char *path);

#endif

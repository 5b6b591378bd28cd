/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_view.h - the parts of the Time view: what part of the time is on screen, the rows of its
 * maps, and how they are drawn.
 */
#ifndef TUI_TIME_VIEW_H
#define TUI_TIME_VIEW_H

#include "view.h"

/* --- which part of the time, pure --- */

/* Cells side by side, each of as many samples; those of cell c begin with number from + c * each. */
struct time_span {
	uint64_t each, from; /* from is a multiple of each */
	int cells, width;    /* columns of one */
};

/*
 * first to end - 1 are there, at is shown; from: where one was, kept if it can be; span: samples of
 * the columns that all is kept in, a power of two; zoom: levels in; loose: at may lie beside it.
 */
struct time_want {
	uint64_t first, end, at, from, span;
	int zoom;
	bool loose;
};

void time_span_make(const struct time_want *w, int cols, struct time_span *out);

/* The most levels that make a difference. */
int time_zoom_most(const struct time_want *w, int cols);

/* --- rows --- */

/* By memcg there are three, of one flow each: the chosen one, and with room the other two. */
enum time_map { MAP_AGE, MAP_MEMCG, MAP_MEMCG_2, MAP_MEMCG_3, MAP_CPU, MAP_NR };

enum time_kind {
	ROW_AGE,
	ROW_MACHINE,
	ROW_MEMCG,
	ROW_OTHERS,
	ROW_CPU,
	ROW_BRIEF, /* of the window, where there is no history */
};

#define TIME_ROWS  160
#define TIME_LABEL 32

/* A cell that nobody looked at yet; else with over 0 nothing is known. */
#define CELL_UNSEEN ((struct heat_cell){ UNKNOWN, 0 })

struct time_row {
	enum time_kind kind;
	int lo, hi;                         /* classes of age, CPUs, or a number of the window */
	const char *path;                   /* of a memcg */
	enum heat_flow flow;
	const struct heat_row *of, *closer; /* its flow */
	char label[TIME_LABEL];
	struct heat_cell *cells;
	uint64_t sum;
};

enum time_types { TYPES_BOTH, TYPES_ANON, TYPES_FILE, TYPES_NR };

/* The state of the view. */
struct timing {
	int zoom;
	uint64_t from, at_seen; /* at_seen: the place shown when it was last drawn */
	bool loose;             /* moved away from the place shown: stays until that goes elsewhere */
	enum heat_flow flow;
	enum time_types types;
	bool open;         /* the map of the selected row alone */
	enum time_map map; /* the selected row's, and its number there */
	int row;
	bool chosen, moved;         /* by somebody, else it is the last row of the first map; since it was drawn */
	uint64_t key;               /* of what is selected */
	int top;                    /* of the open map: rows scrolled over, but for the first */
	int last[MAP_NR];           /* rows that each map had when it was drawn */
	int more[MAP_NR], none[MAP_NR]; /* memcgs without a row: of which something moved; of which nothing */
	struct rect maps[MAP_NR], foot; /* where they were drawn; times, events and amounts */
	struct time_span span; /* of the last draw */
	int cols;              /* columns that it had */
	struct time_row rows[TIME_ROWS];
	int nrows; /* of the map at hand */
	struct heat_cell *cells;
	size_t cap;
};

/* What a map by memcg shows. */
enum heat_flow time_flow_of(const struct timing *v, enum time_map map);

/* How many rows a map can fill; 0 where it has nothing to show. */
int time_rows_most(const struct tui *t, enum time_map map);

/* How many a map by memcg can have, when all have one. */
int time_rows_all(const struct tui *t);

/* How many rows it makes of them where there is room for so many: those of a kind are merged evenly. */
int time_rows_fit(const struct tui *t, enum time_map map, int room);

/* Its rows with their cells, at most room of them. */
void time_rows_make(struct tui *t, enum time_map map, int room);

/* The same for the last steps where nothing is gathered. */
void time_rows_of_window(struct tui *t, int room);

/*
 * What a cell stands for: pages, pages a second, or thousandths. UNKNOWN where it is not known. Not
 * 0 where it is not nothing.
 */
uint64_t time_value(const struct time_row *row, struct heat_cell cell);

/* --- drawing --- */

/* The least value of each shade but the first, which is anything at all. */
struct time_scale {
	uint64_t from[3];
	bool permille;
};

/* One map with its title. */
void time_draw_map(struct tui *t, struct draw *d, struct rect pane, enum time_map map);

void time_draw_maps(struct tui *t, struct draw *d, struct rect body);

/* The cell that is shown, -1 where it is not on screen. */
int time_cell_shown(const struct tui *t);

/* The least age of a class, as short as it goes. */
void time_age_label(int lo, char out[TIME_LABEL]);

/* What stands before a row: where it is a memcg, its path. */
const char *time_row_label(const struct time_row *row);

/* A row's value as text, with its unit. */
void time_value_text(const struct draw *d, const struct time_row *row, uint64_t value,
		     char out[NUMBER_TEXT]);

/* "/db evicted: 12.0M/s; most 105M/s at 18:49:12". */
#define TIME_WORDS 160
void time_row_words(const struct tui *t, const struct draw *d, const struct time_row *row,
		    char out[TIME_WORDS]);

/* All columns of cell c in one; false where nothing of it was seen. Markers among its moments. */
bool time_column(const struct tui *t, int c, struct heat_column *out);

#define TIME_CLOCK 8

/* "18:49:12", where the time of day is not known "up 34.9s"; false where nothing is. */
bool time_clock(int64_t wall_us, int64_t mono_us, char out[TIME_CLOCK + 1]);

/* The most kinds of events in a column. */
int time_stack(const struct tui *t);

void time_draw_window(struct tui *t, struct draw *d, struct rect body);
void time_draw_axis(struct tui *t, struct draw *d, struct rect pane);
void time_draw_strip(struct tui *t, struct draw *d, struct rect pane);
void time_draw_words(struct tui *t, struct draw *d, struct rect pane);

/* Columns before the cells, and behind them. */
int time_label_cols(int cols);
#define TIME_NUMBER 8

/* --- what keys and the mouse do --- */

/* Levels closer (1) or farther away (-1); 0: to all of it. What is in column col of the cells stays there. */
unsigned int time_zoom(struct tui *t, int by, int col);

/* So many cells to the side: what is shown stays what it is. */
unsigned int time_pan(struct tui *t, int cells);

/* Go to cell c: enum tui_handled bits. */
unsigned int time_go(struct tui *t, int c);

unsigned int time_click(struct tui *t, int row, int col);
unsigned int time_wheel(struct tui *t, int row, int col, int by);

struct timing *time_of(const struct tui *t);

const char *time_flow_name(enum heat_flow flow);
const char *time_metric(const struct time_row *row);

#endif

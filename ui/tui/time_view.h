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
 * the columns that all is kept in, a power of two; zoom: levels in.
 */
struct time_want {
	uint64_t first, end, at, from, span;
	int zoom;
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
	uint64_t from;
	enum heat_flow flow;
	enum time_types types;
	bool open;         /* the map of the selected row alone */
	enum time_map map; /* the selected row's, and its number there */
	int row;
	int last[MAP_NR];      /* rows that each map had when it was drawn */
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

void time_draw_maps(struct tui *t, struct draw *d, struct rect body);
void time_draw_window(struct tui *t, struct draw *d, struct rect body);
void time_draw_axis(struct tui *t, struct draw *d, struct rect pane);
void time_draw_strip(struct tui *t, struct draw *d, struct rect pane);
void time_draw_words(struct tui *t, struct draw *d, struct rect pane);

/* Columns before the cells, and behind them. */
int time_label_cols(int cols);
#define TIME_NUMBER 8

struct timing *time_of(const struct tui *t);

const char *time_flow_name(enum heat_flow flow);
const char *time_metric(const struct time_row *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * river.h - the generations as a river: from the youngest at the left to the oldest at the right, and the edge behind it
 * where pages leave. Anon above, file below.
 *
 * What is where is a function of the size (river_plan), what moves where one of the plan and the flows (river_way), and
 * where a dot is one of the time (motion.h).
 */
#ifndef TUI_RIVER_H
#define TUI_RIVER_H

#include "motion.h"
#include "places.h"
#include "view.h"

/* --- the flows of a step --- */

enum flow_id {
	FLOW_IN_YOUNG, FLOW_IN_OLD, FLOW_PROMOTED, FLOW_PROTECTED, FLOW_EVICTED, FLOW_GONE,
	FLOW_REFAULTED, FLOW_UNEXPLAINED, FLOW_NR
};

struct flow_kind {
	const char *mark, *name, *brief, *words, *metric;
	size_t offset; /* of its amount in a struct type_flow */
	enum style style;
	int rank; /* the greatest go first where there is no room */
};

extern const struct flow_kind flow_kinds[FLOW_NR];

struct amount flow_amount(const struct type_flow *flow, enum flow_id id);

/* --- where things stand --- */

struct river_half {
	/* Rows of the ways above the blocks; -1 where there is no room. */
	int in_old, climb, in_young;
	int top, rows, base; /* of the blocks; the row that they stand on */
};

/* All in rows and columns of the area, but for the area itself. */
struct river_plan {
	struct rect area;
	int first, slot, block; /* column of the first slot; columns of a slot, and of its block */
	/* Columns: the edge, the ends of ways beyond it, what is said of them. */
	int edge, mouth, words;
	int name;          /* columns of a flow's name; with less than 9 it is the brief one */
	int from;          /* the column where new pages come in */
	bool small;        /* new pages and those that climb go by one row, what is said stands elsewhere */
	int heads, legend; /* rows of the heads; the row of the legend, -1 none */
	struct river_half half[TYPE_NR];
};

void river_plan_make(struct rect area, struct river_plan *out);

/* How many dots have room on the way of each flow, about. */
void river_rooms(const struct river_plan *plan, int out[FLOW_NR]);

/* --- what is drawn --- */

/* --- births of generations --- */

/*
 * What is shown, by the slots that it moved on in the last step: for births, and for oldest generations that were used up.
 * The numbers of several lruvecs have nothing to do with each other; so of a sum only those pages move whose lruvec's do.
 */
struct river_births {
	struct places moved[PLACE_NR]; /* [0] what stood still */
	uint32_t lruvecs, born;        /* lruvecs that opened a generation, generations that were opened */
	int before, now;               /* generations of the one that has most */
};

/* First all of them are counted, then all of them added. */
void river_births_clear(struct river_births *b);
void river_births_count(struct river_births *b, const struct lruvec_step *l);
void river_births_add(struct river_births *b, const struct lruvec_step *l);

/* The most slots that a part worth seeing moved on by, 0 none did. */
int river_births_shift(const struct river_births *b);

/* The state of the view: what the keys chose, and what is on the way. */
struct river {
	bool log;                  /* heights by the logarithm */
	int flow;                  /* enum flow_id: the one whose ledger is shown */
	int rooms[FLOW_NR];        /* for dots on the ways, as the last draw had it; 0 none yet */
	uint64_t key;              /* whose flows are on the way */
	struct motion_clock clock;
	int64_t opened_us;         /* of the dots' clock: when the last generation was born */
	int shift;                 /* slots by which it moves on, or a part of it does */
	struct motion_even unit;   /* what a dot stands for; rivers side by side may have one */
	bool heavy[TYPE_NR][FLOW_NR]; /* more than has room: each dot stands for MOTION_HEAVY */
	struct motion_stream streams[TYPE_NR][FLOW_NR];
};

/* What of a frame is in the picture. */
struct river_scene {
	const struct places *places;
	const struct type_flow *flow; /* [TYPE_NR] */
	const struct river *river;
	const struct river_births *births; /* NULL: not known */
	int n;            /* generations */
	bool one;         /* of one lruvec: their numbers mean something */
	int fault_place;  /* 0 youngest, 1 second youngest */
	uint64_t scale;   /* pages of a block as high as there is room */
	int64_t clock_us; /* of the dots; -1 they stand */
	bool plain;       /* without braille */
};

/* Pages of the greatest block, rounded up so that it seldom changes. */
uint64_t river_scale(const struct places *p);

/* Eighths of rows; of a block so small that it does not fill one, how many of its columns. */
int river_height(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
		 int place);
int river_breadth(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
		  int place);

/* The slot of a place from the youngest: the oldest stands at the edge. */
int river_slot(const struct river_scene *s, int place);

/* The first column of a slot, for what moves on by so many slots now, or has come to rest there. */
int river_column(const struct river_scene *s, const struct river_plan *plan, int slot, int shift);

void river_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s);

/* The blocks alone. */
void river_blocks_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s);

/* The way of a flow; n 0 where it has none here. */
void river_way(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
	       enum flow_id id, struct motion_way *out);

/* Guides, dots and what is said of each flow. */
void river_flows_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s);

/* A mark of two by two in the grid, whole or only across; added to what its cells hold of such marks. */
struct river_mark {
	int y, x;          /* of its upper left corner, in units of MOTION_Y and MOTION_X */
	bool whole, plain; /* plain: without braille */
	bool heavy;        /* two by four, one dot for MOTION_HEAVY */
	enum style style;
};

void river_mark(struct grid *g, struct rect area, struct river_mark mark);

/* --- over time --- */

/* The dots' clock at a time. */
int64_t river_clock(const struct river *r, int64_t now_us);

/* Go on from here: with what speed, or not at all, is decided anew. */
void river_settle(struct tui *t, struct river *r);

/* The flows of a new step, or of somebody else (another key), are on the way from now on. */
void river_flow(struct tui *t, struct river *r, const struct type_flow *flow, uint64_t key);

/*
 * The same in parts, for rivers side by side that have one unit: how many bytes a second each dot stands for that has room on
 * the fullest way, of all or of those in and out (the unit is motion_fit_even()'s); the dots that set out, from the beginning
 * where anew; what dots of before count where the unit changed.
 */
double river_fullest(const struct tui *t, const struct river *r, const struct type_flow *flow,
		     bool inside);
void river_set_out(const struct tui *t, struct river *r, const struct type_flow *flow, bool anew);
void river_rescale(struct river *r, double factor);

/* It moves on by this many slots, from now on. */
void river_open(struct river *r, int shift);

/* Of the dots' clock: when something moves in it; INT64_MAX never. */
int64_t river_moves(const struct river *r, int64_t clock_us);

/* When the next picture differs from that of now; INT64_MAX never. beside: river_moves() of what goes by its clock too. */
int64_t river_next(const struct river *r, int64_t now_us, int64_t beside);

#endif

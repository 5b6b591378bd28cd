/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageset_flow.h - what pagesets lose and gain, as dots on the way between a vessel and the free lists below it.
 *
 * Only vessels on screen have any. A dot stands for as much in all of them.
 */
#ifndef TUI_PAGESET_FLOW_H
#define TUI_PAGESET_FLOW_H

#include "motion.h"
#include "view.h"

/* The way of a fall of the count leads down, that of a rise up. */
enum pour_way { POUR_DOWN, POUR_UP, POUR_NR };

/* One pageset: of a zone, on a CPU. */
struct pageset_row {
	const struct zone_step *zone;
	const struct pageset_step *set;
};

struct pour {
	uint64_t zone; /* key of its zone */
	uint32_t cpu;
	bool shown;    /* by the draw that goes on */
	double rate;   /* bytes a second by which the count rises; 0 too where that is not known */
	bool heavy[POUR_NR];
	struct motion_stream streams[POUR_NR];
};

struct pours {
	struct motion_clock clock;
	struct motion_even unit;   /* what a dot stands for */
	int room;                  /* dots that have room on a way, as last drawn */
	struct pour *at;           /* those on screen */
	int n, cap;
};

void pours_fini(struct pours *p);

/* The dots' clock at a time. */
int64_t pours_clock(const struct pours *p, int64_t now_us);

/* All that moves goes at a tenth, or as it is, from now on. */
void pours_slow(struct pours *p, int64_t now_us, bool slow);

/* What a new frame says flows from now on. */
void pours_frame(struct tui *t, struct pours *p);

/* These are on screen, and so many dots have room on each way. */
void pours_show(struct tui *t, struct pours *p, const struct pageset_row *rows, int n, int room);

/* None is. */
void pours_hide(struct pours *p);

/* Bytes a second of one dot; 0 where nothing flowed yet. */
uint64_t pours_unit(const struct pours *p);

/* Does any dot on screen stand for MOTION_HEAVY? */
bool pours_any_heavy(const struct pours *p);

/* The pour of a pageset that is on screen. */
const struct pour *pours_of(const struct pours *p, const struct pageset_row *row);

/* More than ever have room, also while the unit changes. */
#define POUR_DOTS 200

/* The dots on a way now; where nothing moves, as many at equal distances. Returns how many. */
int pours_dots(const struct pours *p, const struct pour *one, enum pour_way way, int64_t now_us,
	       struct motion_dot out[POUR_DOTS]);

/* When the next picture differs from that of now; INT64_MAX never. */
int64_t pours_next(const struct pours *p, int64_t now_us);

#endif

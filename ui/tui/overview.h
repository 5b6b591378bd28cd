/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overview.h - the parts of the Overview that stand in a file of their own. */
#ifndef TUI_OVERVIEW_H
#define TUI_OVERVIEW_H

#include "places.h"
#include "view.h"

#define OVERVIEW_GUTTER 12  /* words stand in the first columns, what belongs to them beside */
#define OVERVIEW_TOP 8      /* memcgs in each list */
#define OVERVIEW_STEPS 120  /* steps that a trend looks back on at the most */
#define OVERVIEW_TRENDS 5

/* What is reckoned once a frame. */
struct overview {
	struct places places;
	const struct memcg_step *lost[OVERVIEW_TOP], *back[OVERVIEW_TOP], *large[OVERVIEW_TOP];
	uint32_t nlost, nback, nlarge;
	uint32_t nzones;                    /* with pages */
	uint64_t trends[OVERVIEW_TRENDS][OVERVIEW_STEPS];   /* oldest first */
	int nsteps;
};

/* A word in the gutter; the pen then stands behind it. */
void overview_heading(struct pen *p, const char *word);

void overview_prepare(struct tui *t);
void overview_look_back(struct overview *o, const struct window *w);

void overview_draw_lists(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_zones(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_pressure(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_trends(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_top(struct tui *t, struct draw *d, struct rect pane);

/* Zones as vessels, and flows: where there is room for a picture. */
void overview_draw_picture(struct tui *t, struct draw *d, struct rect pane);

#define PICTURE_VESSELS 8

struct picture {
	int n;                              /* vessels that have room */
	struct rect vessel[PICTURE_VESSELS], flows;
};

/* Who gets which part of the picture: inside, and none over another. */
void picture_plan(struct rect area, int zones, struct picture *out);

enum overview_pane {
	PANE_FINDINGS, PANE_MEMORY, PANE_PICTURE, PANE_RECLAIM, PANE_LISTS, PANE_ZONES, PANE_PRESSURE, PANE_TREND, PANE_TOP,
	PANE_NR
};

/* What a frame asks for. */
struct overview_asks {
	int findings, lines;                /* how many, and the lines that they need in this width */
	int zones;
	bool disagree;                      /* who stole and what was stolen do not fit */
};

/* Who gets which part of the body. Pure: a part that is left out has no rows. */
void overview_plan(struct rect body, const struct overview_asks *asks, struct rect out[PANE_NR]);

/* The free memory of a zone as a bar with its watermarks. Also for the Pagesets view. */
void zone_bar(struct pen *p, int width, const struct zone_step *z);
enum style zone_style(enum zone_level level);

#endif

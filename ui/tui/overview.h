/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overview.h - the parts of the Overview that stand in a file of their own. */
#ifndef TUI_OVERVIEW_H
#define TUI_OVERVIEW_H

#include "places.h"
#include "view.h"

#define OVERVIEW_GUTTER 12  /* words stand in the first columns, what belongs to them beside */
#define OVERVIEW_TOP 8      /* memcgs in each list */
#define OVERVIEW_STEPS 120  /* steps that a trend looks back on at the most */

/* What is reckoned once a frame. */
struct overview {
	struct places places;
	const struct memcg_step *lost[OVERVIEW_TOP], *back[OVERVIEW_TOP], *large[OVERVIEW_TOP];
	uint32_t nlost, nback, nlarge;
	uint32_t nzones;                    /* with pages */
	uint64_t stolen[OVERVIEW_STEPS], refaulted[OVERVIEW_STEPS];   /* pages a second, oldest first */
	int nsteps;
};

/* A word in the gutter; the pen then stands behind it. */
void overview_heading(struct pen *p, const char *word);

void overview_prepare(struct tui *t);

void overview_draw_lists(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_zones(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_pressure(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_trend(struct tui *t, struct draw *d, struct rect pane);
void overview_draw_top(struct tui *t, struct draw *d, struct rect pane);

/* The free memory of a zone as a bar with its watermarks. Also for the Pagesets view. */
void zone_bar(struct pen *p, int width, const struct zone_step *z);
enum style zone_style(enum zone_level level);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageset_vessel.h - one vessel, in two files: what is in it, and what it loses and gains. */
#ifndef TUI_PAGESET_VESSEL_H
#define TUI_PAGESET_VESSEL_H

#include "pagesets.h"

/* Rows of a vessel's pane: the water has what is left over. */
struct plan {
	int label, range, top, height, base, ways; /* range -1: left out; ways: rows below the base */
	int width, n, first;
	int lanes, stride, channel, words; /* columns: of the way, and of what is said beside it */
};

/* One vessel on its way to the screen. */
struct vessel {
	struct draw *d;
	struct rect pane; /* its own columns, all rows */
	const struct plan *plan;
	const struct zone_step *zone;
	const struct pageset_step *set;
	const struct pours *pours;
	const struct pour *pour;
	int64_t now_us;
	int inner; /* columns of water */
	bool chosen, plain, lists; /* plain: without braille; lists: its free lists are those below */
};

/* At the start of a row of it. */
struct pen vessel_pen(const struct vessel *v, int row);

/* Text in the middle of the vessel. */
void vessel_middle(struct pen *p, int inner, enum style style, const char *text);

/* Its base, and below it the way to the lists, with what goes there. */
void vessel_draw_way(const struct vessel *v);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pagesets.h - the parts of the Pagesets view that stand in files of their own. */
#ifndef TUI_PAGESETS_H
#define TUI_PAGESETS_H

#include "view.h"

/* One pageset: of a zone, on a CPU. */
struct pageset_row {
	const struct zone_step *zone;
	const struct pageset_step *set;
};

struct pagesets {
	struct sheet zones;              /* one is selected */
	struct sheet sets;               /* of all zones where they have room, else of the selected one */
	struct pageset_row *rows;
	int nrows, cap;
	bool types;                      /* migratetypes are asked for */
};

extern const struct column zone_columns[], pageset_columns[];
extern const int nzone_columns, npageset_columns;

/* NULL where there is no zone. */
const struct zone_step *pagesets_zone(const struct pagesets *v);

/* Many CPUs: a column for each, as high as its pageset is full. Rows that a zone needs in a width. */
int heat_rows(const struct zone_step *z, int cols);
void heat_draw(struct draw *d, struct rect pane, const struct zone_step *z);

/* Free blocks by order, a row for each zone. */
int buddy_rows(const struct frame *f);
void buddy_draw(struct draw *d, struct rect pane, const struct zone_step *selected);

/* Free blocks of a zone by migratetype and order. */
int types_rows(const struct frame *f, const struct zone_step *z);
void types_draw(struct draw *d, struct rect pane, const struct zone_step *z);

#endif

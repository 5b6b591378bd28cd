/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pagesets.h - the parts of the Pagesets view that stand in files of their own. */
#ifndef TUI_PAGESETS_H
#define TUI_PAGESETS_H

#include "pageset_flow.h"

struct pagesets {
	struct sheet zones;              /* one is selected */
	struct sheet sets;               /* of all zones where they have room, else of the selected one */
	struct pageset_row *rows;
	int nrows, cap;
	bool types;                      /* migratetypes are asked for */
	bool table;                      /* numbers instead of vessels */
	bool open;                       /* vessels, though there are more CPUs than have room at once */
	int cpu;                         /* the selected one's place in its zone */
	/* Of the draw that goes on: are there vessels, with room for words, with a range; a row for the legend; no braille. */
	bool vessels, wide, range, legend, plain;
	struct pours pours;
};

extern const struct column zone_columns[], pageset_columns[];
extern const int nzone_columns, npageset_columns;

/* NULL where there is no zone. */
const struct zone_step *pagesets_zone(const struct pagesets *v);

/* How much the marks of a zone are raised for a while, in pages; 0 where they are not, or it is not known. */
uint64_t zone_boost(const struct zone *z);

/* Many CPUs: a column for each, as high as its pageset is full. Rows that a zone needs in a width. */
int heat_rows(const struct zone_step *z, int cols);
void heat_draw(struct draw *d, struct rect pane, const struct zone_step *z, int chosen);

/*
 * Rows for the pagesets of all zones where so many are enough, else of the selected one. vessels:
 * zones whose pagesets hold nothing are left out, but for the selected one.
 */
void pagesets_fill(struct pagesets *v, int rows, bool vessels);

/* The pagesets of the selected zone as vessels; how many of them have room side by side. */
void vessels_draw(struct tui *t, struct draw *d, struct rect pane);
int vessels_at_once(int cols);

/* So many batches lie between two ticks of a vessel of that height; 0 where that is not known. */
uint64_t vessel_tick(const struct pageset *set, int height);

/* What happens now, in one sentence; how to read the picture; what its signs mean. One row each. */
void words_now(const struct tui *t, struct draw *d, struct rect row);
void words_caption(struct draw *d, struct rect row);
void words_legend(const struct tui *t, struct draw *d, struct rect row);

/* One pageset in numbers, for who has the room. */
void words_ledger(struct draw *d, struct rect pane, const struct pageset_row *row);

/* What a dot stands for, in few columns: how many. 0 where nothing flowed yet. */
int words_unit(const struct pagesets *v, const struct draw *d, char *out, size_t size);

/* Did it change by more than the kernel moves at once? false where that is not known. */
bool vessel_is_several(const struct frame *f, const struct pageset_step *set);

/* The zone's free blocks as bars, by order; 0 rows where they are not known. */
int pool_rows(const struct tui *t);
void pool_draw(struct tui *t, struct draw *d, struct rect pane);

/* How many drains and refills were of each size, by enum bulk_way: a row of the screen each, and what is to be said. */
struct size_row {
	uint64_t times[HEAT_SIZES];
	bool known;
	const char *name, *metric;
	enum reading_id from;
};

struct sizes {
	struct size_row rows[BULK_NR];
	char words[480];
};

/*
 * In place of what two readings show, what the kernel's own events count, of all zones, in the largest batches of any;
 * and where they do not, why.
 */
void counted_sizes(const struct frame *f, struct sizes *s);

/* How much pagesets changed between two readings, in batches; counted one by one where the kernel's events are on. */
void sizes_draw(struct tui *t, struct draw *d, struct rect pane);

/* Free blocks by order, a row for each zone. */
int buddy_rows(const struct frame *f);
void buddy_draw(struct draw *d, struct rect pane, const struct zone_step *selected);

/* Free blocks of a zone by migratetype and order. */
int types_rows(const struct frame *f, const struct zone_step *z);
void types_draw(struct draw *d, struct rect pane, const struct zone_step *z);

#endif

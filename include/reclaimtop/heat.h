/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heat.h - many steps in columns of time: pages by age, reclaim by memcg, pagesets by CPU.
 *
 * A column holds as many samples as any other, a power of two of them; when there are more columns
 * than there is room for, two become one. So the memory has a bound, whatever the length. Each cell
 * is a sum and what it is a sum over: where that is 0 nothing is known. In which order the samples
 * come makes no difference, as long as there are no more memcgs than there is room for.
 */
#ifndef RECLAIMTOP_HEAT_H
#define RECLAIMTOP_HEAT_H

#include "reclaimtop/step.h"

#define HEAT_COLUMNS 256
#define HEAT_AGES 24
#define HEAT_MEMCGS 48
#define HEAT_HOPES 256
#define HEAT_CPUS 64
#define HEAT_ZONES 16
#define HEAT_SIZES 7

/* Cells by number of the column % HEAT_COLUMNS. NULL: none was ever needed, all are 0. */
struct heat_row {
	uint64_t *sum;
	uint64_t *over;
};

struct heat_column {
	uint64_t seen;           /* samples that were taken in */
	uint64_t earliest;       /* number of the first of them, its times below */
	int64_t mono_us, wall_us;
	uint64_t pages_s;        /* the most reclaimed in a second; UNKNOWN: not known */
	uint32_t moments;        /* as the caller says: bit 1 << enum moment_kind */
};

enum heat_flow {
	HEAT_EVICTED, HEAT_REFAULTED,   /* pages, over microseconds */
	HEAT_STALLED,                   /* microseconds of "some" pressure, over microseconds */
	HEAT_FLOW_NR
};

/* By path: one that was removed and made anew goes on. */
struct heat_memcg {
	char *path;
	size_t room;             /* of it */
	uint64_t hash, total;    /* of the path; how much it moved altogether */
	/* The last that counted: dying ones share a path, and their time counts once. */
	uint64_t step[HEAT_FLOW_NR];
	struct heat_row row[HEAT_FLOW_NR];
};

/*
 * How much the pagesets of a zone changed between two readings, in batches: class 0 up to one, then
 * up to 2, 4, 8, 16, 32, and more. That is the net of all drains and refills between, which are not
 * known one by one.
 */
struct heat_zone {
	uint32_t node;
	char name[16];
	uint64_t drains[HEAT_SIZES], refills[HEAT_SIZES];
	uint64_t still;          /* no change */
};

struct heat {
	uint64_t span;           /* samples in a column */
	uint64_t first, end;     /* columns: number k holds samples k * span to (k + 1) * span - 1 */
	uint64_t steps;          /* taken in since the start or the last heat_clear() */
	struct heat_column columns[HEAT_COLUMNS];
	/* Pages, over samples whose generations are known; all share that one row. */
	struct heat_row ages[TYPE_NR][HEAT_AGES];
	uint64_t age_over[HEAT_COLUMNS];
	struct heat_memcg *machine;
	struct heat_memcg *others;                /* that there was no room for; may be NULL */
	struct heat_memcg *memcgs[HEAT_MEMCGS];   /* in no order; behind nmemcgs some to be used again */
	uint32_t nmemcgs;
	struct heat_hope {
		uint64_t hash, total;
	} hopes[HEAT_HOPES];     /* those among the others that move most: at least so much */
	struct heat_row cpus[HEAT_CPUS];            /* pages in the pagesets of all zones, over their high */
	uint32_t cpus_each;                         /* so many CPUs are one row */
	struct heat_zone zones[HEAT_ZONES];
	uint32_t nzones;
};

/* The least age of each class; the last has no end. */
extern const uint64_t heat_ages_ms[HEAT_AGES];

/* The class of an age. */
int heat_age(uint64_t age_ms);

/* The class of a change of so many pages, which are not 0. */
int heat_size(uint64_t pages, uint64_t batch);

/* Columns of at least so many samples, a power of two. */
struct heat *heat_new(uint64_t span);
void heat_free(struct heat *h);

/* Forget all, begin anew with that span; the memory stays. */
void heat_clear(struct heat *h, uint64_t span);

/* Take in the step that ends with sample i. Each sample once. */
void heat_add(struct heat *h, uint64_t i, const struct step *st, unsigned int moments);

/* Sample i cannot be read. */
void heat_blank(struct heat *h, uint64_t i);

/* Forget columns that lie wholly before sample i, or wholly behind sample end - 1. */
void heat_forget(struct heat *h, uint64_t i, uint64_t end);

/* Memory that it takes just now; the most that it ever takes. */
size_t heat_bytes(const struct heat *h);
size_t heat_most_bytes(void);

/* Column k; NULL where nothing of it was seen. */
const struct heat_column *heat_column(const struct heat *h, uint64_t k);

/* One cell, or several columns added up: true where anything is known. */
struct heat_cell {
	uint64_t sum, over;
};

bool heat_get(const struct heat *h, const struct heat_row *row, uint64_t k, struct heat_cell *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* heat_rows.h - rows and columns of heat maps: how they grow, fold and go. */
#ifndef MODEL_HEAT_ROWS_H
#define MODEL_HEAT_ROWS_H

#include "reclaimtop/heat.h"

/* What one step adds to a memcg. */
struct heat_flows {
	struct amount flow[HEAT_FLOW_NR];
	int64_t dt_us;
};

/* How much that is: pages, and 256 microseconds as one. */
uint64_t heat_weight(const struct heat_flows *f);

/* Give a row its cells, all 0; with_over: its own. */
void heat_row_grow(struct heat_row *row, bool with_over);

/* Make the column of sample i, which may make room for it; its place in rows. */
uint64_t heat_open(struct heat *h, uint64_t i);

/* The memcg of a path, or the others. */
struct heat_memcg *heat_memcg_of(struct heat *h, const char *path, const struct heat_flows *f);

/* Twice as many CPUs a row. */
void heat_fold_cpus(struct heat *h);

#endif

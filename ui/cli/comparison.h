/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison.h - runs that were read, and what is said of them: for compare_text.c and
 * compare_json.c.
 */
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include "reclaimtop/compare.h"

#define COMPARISON_SIDES 26   /* letters */

/* Beside what struct compare knows of a run. */
struct run_facts {
	int64_t covered_us;
	uint64_t samples;
	const char *kernel;      /* NULL where unknown */
	uint32_t page_size;
	int status;              /* of its command: -1 where there was none, or it was not said */
	uint64_t unreadable;     /* samples that are damaged */
};

struct checked {
	const char *text;        /* as given to --fail-if */
	struct compare_condition cond;
	enum compare_verdict verdict;
	struct buf why;
};

struct comparison {
	struct compare *c;
	struct arena *names;
	struct run_facts *runs;  /* by number */
	uint32_t cap_runs;
	struct checked *checks;
	uint32_t nchecks;
	bool totals;
};

void comparison_text(const struct comparison *cmp, struct buf *out);

/* One line. */
void comparison_json(const struct comparison *cmp, struct buf *out);

/* "better", "worse"; "" where it is neither, or may be chance. */
const char *comparison_worth(const struct compare_row *row, const struct compare_cell *cell);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memcgs.h - the rows of the Memcgs view. */
#ifndef TUI_MEMCGS_H
#define TUI_MEMCGS_H

#include "view.h"

struct memcg_row {
	const struct memcg_step *m;      /* NULL: all dying memcgs as one row */
	uint32_t page_size;
	uint32_t dead;                   /* how many those are */
	uint64_t dead_pages[TYPE_NR];
	int depth;                       /* in the tree; -1 in a list */
	int parent, first, last, next;   /* in the tree: indexes of rows, -1 none */
};

struct memcgs {
	struct sheet sheet;
	bool tree;
	bool each_dying;                 /* one row for each */
	struct memcg_row *rows;
	int nrows, cap;
	int *slots;                      /* rows by the hash of their path */
	int nslots;
	uint32_t dying, shown;
};

/* Rows of a frame, as the filter and the sheet's order will have them. */
void memcg_rows_make(struct tui *t, struct memcgs *v);
void memcg_rows_fini(struct memcgs *v);

/* Where the sheet is sorted already: every row behind its parent, those of one parent in their order. */
void memcg_tree_order(struct memcgs *v);

extern const struct column memcg_columns[];
extern const int nmemcg_columns;
extern const char memcg_usual_sort[];

uint64_t memcg_row_key(const void *row);
enum style memcg_row_style(const void *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - a frame as aligned text: what the screen shows, for files, pipes and people without a
 * screen.
 *
 * Amounts of memory are bytes with a unit, rates are per second. "-" is not known (no earlier
 * sample, a counter that went back, or the kernel does not say), "~" is reckoned, "^" covers a
 * longer time than was meant.
 */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "reclaimtop/frame.h"

#include "table.h"
#include "ui/tui/tui.h"

/* Rows picked and put into order. Memory is kept. */
struct picks {
	uint32_t *items, n, cap;
};

/*
 * Holds what is used again from frame to frame. Set out, filter, sort and views; the rest is zero
 * at first.
 */
struct text {
	struct buf *out;
	const char *filter, *sort;  /* NULL: none */
	unsigned int views;         /* bit per enum tui_view */
	const struct frame *f;      /* set by text_frame() */
	uint64_t page_size;
	struct table table;
	struct picks picks;
	uint32_t failed;            /* bit per reading: said to have failed */
	bool begun;
};

/* One more frame, appended to out. The first brings what holds for all. */
void text_frame(struct text *t, const struct frame *f);

void text_fini(struct text *t);

/*
 * --- sections: each appends a table, or nothing (text_machine.c, text_zones.c, text_events.c,
 * text_lru.c, text_memcgs.c, text_processes.c) ---
 */

void text_memory(struct text *t);
void text_swap(struct text *t);
void text_reclaim(struct text *t);
void text_pressure(struct text *t);
void text_processes(struct text *t);
void text_zones(struct text *t);
void text_pagesets(struct text *t);
void text_events(struct text *t);
void text_free_blocks(struct text *t);
void text_migratetypes(struct text *t);
void text_generations(struct text *t);
void text_flows(struct text *t);
void text_memcgs(struct text *t);

/* Is there a column of this name to sort memcgs by? All of their names, with commas between. */
bool text_sorts_by(const char *name);
void text_sort_names(struct buf *out);

/*
 * --- order (text_order.c): begin with room for most rows, pick some, sort them; what is equal
 * stays as it was ---
 */

typedef int text_compare_fn(const struct text *t, uint32_t a, uint32_t b);

void text_pick_begin(struct text *t, uint32_t most);
void text_pick(struct text *t, uint32_t i);
void text_pick_sort(struct text *t, text_compare_fn *fn);

/* --- cells (text_cell.c) --- */

void text_bytes(struct text *t, uint64_t bytes);
void text_pages(struct text *t, uint64_t pages);
void text_kib(struct text *t, uint64_t kib);
void text_number(struct text *t, uint64_t n);             /* as it is */
void text_age(struct text *t, uint64_t ms);
void text_percent(struct text *t, uint64_t num, uint64_t den);
void text_centi(struct text *t, uint64_t hundredths);
void text_change(struct text *t, struct amount pages);    /* over the step, with its sign */
void text_page_rate(struct text *t, struct amount pages); /* bytes a second */
void text_byte_rate(struct text *t, struct amount bytes);
void text_event_rate(struct text *t, struct amount events);
void text_share(struct text *t, struct amount us);        /* of the step's time, per cent */

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic.c - the Generations view on a kernel that shows none: two lists of each type, as far as counters tell of them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "generations.h"
#include "reclaimtop/names.h"

static const struct {
	const char *name;
	enum style style;
	enum vm_key vm[TYPE_NR];
	enum node_key node[TYPE_NR];
} lists[] = {
	{ "active", STYLE_GEN0, { VM_nr_active_anon, VM_nr_active_file },
	  { NODE_nr_active_anon, NODE_nr_active_file } },
	{ "inactive", STYLE_GEN3, { VM_nr_inactive_anon, VM_nr_inactive_file },
	  { NODE_nr_inactive_anon, NODE_nr_inactive_file } },
};

#define LISTS ((int)(sizeof(lists) / sizeof(lists[0])))

static uint64_t pages_of(const struct frame *f, uint32_t node, int list, enum page_type type)
{
	if (node == UINT32_MAX)
		return counters_get(&f->now->vmstat, lists[list].vm[type]);
	return counters_get(&f->now->nodes[node].stats, lists[list].node[type]);
}

static uint64_t greatest(const struct frame *f)
{
	uint64_t most = 1;

	for (int list = 0; list < LISTS; list++)
		for (int type = 0; type < TYPE_NR; type++) {
			uint64_t pages = pages_of(f, UINT32_MAX, list, (enum page_type)type);

			most = pages != UNKNOWN && pages > most ? pages : most;
		}
	return most;
}

static void draw_list(struct draw *d, struct rect row, uint32_t node, int list)
{
	struct columns c = columns_in(row);
	struct pen p = pen_in(d, row, node == UINT32_MAX ? READ_VMSTAT : READ_ZONEINFO);
	uint64_t scale = greatest(d->f);

	p.col = 2;
	pen_left(&p, 9, STYLE_PLAIN, lists[list].name);
	for (int type = 0; type < TYPE_NR; type++) {
		uint64_t pages = pages_of(d->f, node, list, (enum page_type)type);
		struct amount change = node == UINT32_MAX ? d->f->step->vm[lists[list].vm[type]] : (struct amount){ 0 };
		char text[NUMBER_TEXT] = "";

		p.pane = c.block[type];
		p.col = 0;
		pen_block(&p, c.bar > 0 ? c.bar : 0, lists[list].style, pages, scale);
		pen_pages(&p, c.number, "size", pages);
		if (amount_known(change) && change.value)
			number_change(d, change.value, text);
		pen_right(&p, c.change, STYLE_PLAIN, text);
	}
}

static void draw_heads(struct draw *d, struct rect row, const char *what)
{
	struct columns c = columns_in(row);
	struct pen p = pen_in(d, row, READ_NR);

	if (rect_is_empty(row))
		return;
	grid_fill(d->g, row, STYLE_HEAD, " ");
	pen_left(&p, c.left, STYLE_HEAD, what);
	for (int type = 0; type < TYPE_NR; type++) {
		p = pen_in(d, c.block[type], READ_NR);
		pen_left(&p, c.bar, STYLE_HEAD, type == TYPE_ANON ? "anon" : "file");
		pen_right(&p, c.number, STYLE_HEAD, "pages");
		pen_right(&p, c.change, STYLE_HEAD, "change");
	}
}

/* What is counted of movement; without a type most of it. */
static const struct {
	const char *mark, *name, *words;
	enum vm_key key[TYPE_NR];
	bool typed;
} moves[] = {
	{ "↑", "activated", "to the active list", { VM_pgactivate, 0 }, false },
	{ "↻", "refill", "active ones looked at", { VM_pgrefill, 0 }, false },
	{ "↓", "deactivated", "to the inactive list", { VM_pgdeactivate, 0 }, false },
	{ "↓", "evicted", "taken from inactive", { VM_pgsteal_anon, VM_pgsteal_file }, true },
	{ "↩", "refaulted", "needed again after it", { VM_workingset_refault_anon, VM_workingset_refault_file }, true },
	{ "↑", "restored", "came back as active", { VM_workingset_restore_anon, VM_workingset_restore_file }, true },
};

#define MOVES ((int)(sizeof(moves) / sizeof(moves[0])))

static void put_flow(struct pen *p, int width, const char *name, struct amount a)
{
	pen_flow(p, width - 2, name, a);
	pen_text(p, STYLE_DIM, amount_known(a) ? "/s" : "");
}

static void draw_move(struct draw *d, struct rect row, int i)
{
	struct columns c = columns_in(row);
	struct pen p = pen_in(d, row, READ_VMSTAT);

	pen_printf(&p, STYLE_PLAIN, "%s %s", moves[i].mark, moves[i].name);
	if (name_width(moves[i].words) < c.left - 14) {
		p.col = 14;
		pen_text(&p, STYLE_DIM, moves[i].words);
	}
	for (int type = 0; type < (moves[i].typed ? TYPE_NR : 1); type++) {
		p = pen_in(d, c.block[type], READ_VMSTAT);
		put_flow(&p, c.bar > 16 ? 16 : c.bar > 8 ? c.bar : 8, moves[i].name, d->f->step->vm[moves[i].key[type]]);
		if (!moves[i].typed)
			pen_text(&p, STYLE_DIM, " both types");
	}
}

/* Why there are no generations stands above already. */
static void draw_reason(struct draw *d, struct rect *rest)
{
	struct rect row = layout_take_top(rest, 1);
	struct pen p = pen_in(d, row, READ_NR);

	pen_cut(&p, row.cols, STYLE_DIM, "The classic lists of the whole machine: no generations, no memcgs apart.");
}

static void draw_lists_of(struct draw *d, struct rect *rest, uint32_t node)
{
	char what[32] = "All nodes";

	if (node != UINT32_MAX)
		snprintf(what, sizeof(what), "Node %" PRIu32, d->f->now->nodes[node].id);
	draw_heads(d, layout_take_top(rest, 1), what);
	for (int i = 0; i < LISTS; i++) {
		struct rect row = layout_take_top(rest, 1);

		if (!rect_is_empty(row))
			draw_list(d, row, node, i);
	}
}

void classic_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect row;

	(void)t;
	draw_reason(d, &body);
	draw_lists_of(d, &body, UINT32_MAX);
	for (int i = 0; i < MOVES; i++) {
		row = layout_take_top(&body, 1);
		if (!rect_is_empty(row))
			draw_move(d, row, i);
	}
	for (uint32_t i = 0; d->f->now->nnodes > 1 && i < d->f->now->nnodes && body.rows > 2; i++)
		draw_lists_of(d, &body, i);
}

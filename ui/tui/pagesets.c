/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pagesets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"

static uint64_t zone_key(const void *row)
{
	const struct zone *z = ((const struct zone_step *)row)->now;

	return view_key(z->name, z->node);
}

static uint64_t set_key(const void *row)
{
	const struct pageset_row *r = row;

	return view_key(r->zone->now->name, (uint64_t)r->zone->now->node << 32 | r->set->now->cpu);
}

static void *pagesets_open(const struct tui_options *options)
{
	struct pagesets *v = mem_alloc(sizeof(*v));

	(void)options;
	memset(v, 0, sizeof(*v));
	v->zones = (struct sheet){ .columns = zone_columns, .ncolumns = nzone_columns, .key = zone_key,
				   .from = READ_ZONEINFO };
	v->sets = (struct sheet){ .columns = pageset_columns, .ncolumns = npageset_columns, .key = set_key,
				  .from = READ_ZONEINFO, .plain = true };
	return v;
}

static void pagesets_close(void *state)
{
	struct pagesets *v = state;

	sheet_fini(&v->zones);
	sheet_fini(&v->sets);
	free(v->rows);
	free(v);
}

static struct pagesets *of(const struct tui *t)
{
	return t->state[VIEW_PAGESETS];
}

const struct zone_step *pagesets_zone(const struct pagesets *v)
{
	return sheet_selected(&v->zones);
}

/* The largest zone is the one to look at first. */
static void choose_first(struct pagesets *v)
{
	uint64_t most = 0;

	if (v->zones.chosen)
		return;
	v->zones.chosen = v->zones.nrows > 0;
	for (int i = 0; i < v->zones.nrows; i++) {
		const struct zone_step *z = v->zones.rows[i].row;

		if (z->now->managed != UNKNOWN && z->now->managed > most) {
			most = z->now->managed;
			v->zones.selected = zone_key(z);
		}
	}
}

static void pagesets_prepare(struct tui *t)
{
	struct pagesets *v = of(t);
	const struct step *st = t->frame.step;

	v->nrows = 0;
	sheet_begin(&v->sets);
	sheet_begin(&v->zones);
	for (uint32_t i = 0; i < st->nzones; i++)
		if (st->zones[i].level != ZONE_EMPTY)
			sheet_add(&v->zones, &st->zones[i]);
	choose_first(v);
	sheet_settle(&v->zones, v->zones.visible);
}

static bool pagesets_move(struct tui *t, int key)
{
	return sheet_move(&of(t)->zones, key);
}

unsigned int pagesets_key_types(struct tui *t, int key)
{
	(void)key;
	of(t)->types = !of(t)->types;
	return TUI_REDRAW | TUI_INTEREST;
}

static void pagesets_interest(const struct tui *t, struct interest *out)
{
	out->pagetypes = of(t)->types;
}

/* --- which pagesets are on screen --- */

static void add_sets(struct pagesets *v, const struct zone_step *z)
{
	for (uint32_t i = 0; i < z->npagesets; i++) {
		if (v->nrows == v->cap) {
			v->cap = v->cap ? v->cap * 2 : 64;
			v->rows = mem_grow(v->rows, (size_t)v->cap * sizeof(*v->rows));
		}
		v->rows[v->nrows++] = (struct pageset_row){ z, &z->pagesets[i] };
	}
}

static int sets_of_all(const struct pagesets *v)
{
	int sets = 0;

	for (int i = 0; i < v->zones.nrows; i++)
		sets += (int)((const struct zone_step *)v->zones.rows[i].row)->npagesets;
	return sets;
}

/* All zones where rows are enough, else the selected one. */
static void fill_sets(struct pagesets *v, int rows)
{
	bool all = sets_of_all(v) <= rows;

	v->nrows = 0;
	for (int i = 0; all && i < v->zones.nrows; i++)
		add_sets(v, v->zones.rows[i].row);
	if (!all && pagesets_zone(v))
		add_sets(v, pagesets_zone(v));
	sheet_begin(&v->sets);
	for (int i = 0; i < v->nrows; i++)
		sheet_add(&v->sets, &v->rows[i]);
}

/* --- drawing --- */

enum { PART_ZONES, PART_SETS, PART_BUDDIES, PART_TYPES, PART_NR };

static void wants_of(const struct tui *t, struct rect body, struct want wants[PART_NR])
{
	const struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	int cpus = z ? (int)z->npagesets : 0, all = sets_of_all(v), heat = heat_rows(z, body.cols);
	int zones = 1 + v->zones.nrows, buddies = buddy_rows(&t->frame);

	wants[PART_ZONES] = (struct want){ zones < 4 ? zones : 4, zones, 1 };
	wants[PART_SETS] = (struct want){ 1 + (heat < cpus ? heat : cpus), 1 + (all > cpus ? all : cpus), 2 };
	wants[PART_BUDDIES] = (struct want){ buddies < 3 ? buddies : 3, buddies, 3 };
	wants[PART_TYPES] = (struct want){ v->types ? 2 : 0, types_rows(&t->frame, z), v->types ? 0 : 4 };
}

static void draw_sets(struct tui *t, struct draw *d, struct rect pane)
{
	struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	struct rect title = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, title, READ_ZONEINFO);

	if (!z || rect_is_empty(pane))
		return;
	if ((int)z->npagesets <= pane.rows - 1) {
		fill_sets(v, pane.rows - 1);
		sheet_draw(&v->sets, d, pane);
		return;
	}
	grid_fill(d->g, title, STYLE_HEAD, " ");
	pen_printf(&p, STYLE_HEAD, "%" PRIu32 " %s, %" PRIu32 " CPUs: a column each, full height is its high, ! above",
		   z->now->node, z->now->name, z->npagesets);
	pane.row++;
	pane.rows--;
	heat_draw(d, pane, z);
}

/* Without zoneinfo the free lists are still there, and need no zone to be selected. */
static void draw_none(struct tui *t, struct draw *d, struct rect body)
{
	struct rect none = layout_take_top(&body, 4), buddies;
	struct pen p = pen_in(d, none, READ_ZONEINFO);
	char why[200];

	pen_text(&p, STYLE_TITLE, "No zones");
	if (pen_line(&p))
		pen_wrap(&p, STYLE_DIM, 2, 3, view_why(&t->frame, READ_ZONEINFO, why, sizeof(why)));
	buddies = layout_take_top(&body, buddy_rows(&t->frame));
	buddy_draw(d, buddies, NULL);
	if (of(t)->types)
		types_draw(d, body, NULL);
}

static void pagesets_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct pagesets *v = of(t);
	struct want wants[PART_NR];
	struct rect parts[PART_NR];

	if (!v->zones.nrows) {
		draw_none(t, d, body);
		return;
	}
	wants_of(t, body, wants);
	layout_stack(body, wants, PART_NR, parts);
	sheet_draw(&v->zones, d, parts[PART_ZONES]);
	draw_sets(t, d, parts[PART_SETS]);
	buddy_draw(d, parts[PART_BUDDIES], pagesets_zone(v));
	types_draw(d, parts[PART_TYPES], pagesets_zone(v));
}

const struct view pagesets_view = {
	.name = "pagesets",
	.key = '4',
	.title = "Pagesets",
	.brief = "Pages",
	.about = "Zones against their watermarks, and what each CPU holds of them in its pageset: free pages that only this CPU "
		 "gets. A pageset over its high is drained into the free lists, an empty one refilled from them, in bulk; "
		 "between two readings one sees the difference, so both are at least what is shown. Stranded are pages in "
		 "pagesets while their zone is below low. Below are free blocks: one of order n is 2^n pages.",
	.open = pagesets_open,
	.close = pagesets_close,
	.prepare = pagesets_prepare,
	.draw = pagesets_draw,
	.move = pagesets_move,
	.interest = pagesets_interest,
};

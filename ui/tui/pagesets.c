/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pagesets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/names.h"

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

	memset(v, 0, sizeof(*v));
	v->zones = (struct sheet){ .columns = zone_columns, .ncolumns = nzone_columns, .key = zone_key,
				   .from = READ_ZONEINFO };
	v->sets = (struct sheet){ .columns = pageset_columns, .ncolumns = npageset_columns, .key = set_key,
				  .from = READ_ZONEINFO, .plain = true };
	v->pours.clock.slow = options->motion == MOTION_SLOW;
	return v;
}

static void pagesets_close(void *state)
{
	struct pagesets *v = state;

	sheet_fini(&v->zones);
	sheet_fini(&v->sets);
	pours_fini(&v->pours);
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
	pours_frame(t, &v->pours);
}

static int64_t pagesets_next(const struct tui *t, int64_t now_us)
{
	return pours_next(&of(t)->pours, now_us);
}

void pagesets_slow(struct tui *t, bool slow)
{
	pours_slow(&of(t)->pours, t->now_us, slow);
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

unsigned int pagesets_key_table(struct tui *t, int key)
{
	(void)key;
	of(t)->table = !of(t)->table;
	return TUI_REDRAW;
}

unsigned int pagesets_key_open(struct tui *t, int key)
{
	(void)key;
	of(t)->open = !of(t)->open;
	return TUI_REDRAW;
}

unsigned int pagesets_key_cpu(struct tui *t, int key)
{
	struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	int cpu = v->cpu + (key == KEYCODE_RIGHT ? 1 : -1);

	if (!z || cpu < 0 || cpu >= (int)z->npagesets)
		return TUI_NOTHING;
	v->cpu = cpu;
	return TUI_REDRAW;
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

static bool holds_any(const struct zone_step *z)
{
	for (uint32_t i = 0; i < z->npagesets; i++)
		if (z->pagesets[i].now->count || z->pagesets[i].change.value)
			return true;
	return false;
}

#define SMALL 16

/*
 * The selected zone is worth vessels, and others that are no dwarfs beside it: those may have pagesets that hold
 * nothing, or a few pages for ever, and say nothing.
 */
static bool is_worth(const struct pagesets *v, const struct zone_step *z)
{
	const struct zone_step *selected = pagesets_zone(v);
	uint64_t size = z->now->managed, other = selected ? selected->now->managed : UNKNOWN;

	if (z == selected)
		return true;
	return holds_any(z) && (size == UNKNOWN || other == UNKNOWN || size >= other / SMALL);
}

static const struct zone_step *zone_at(const struct pagesets *v, int i)
{
	return v->zones.rows[i].row;
}

/* Of all zones; vessels: of those that are worth one. */
static int sets_of_all(const struct pagesets *v, bool vessels)
{
	int sets = 0;

	for (int i = 0; i < v->zones.nrows; i++)
		if (!vessels || is_worth(v, zone_at(v, i)))
			sets += (int)zone_at(v, i)->npagesets;
	return sets;
}

void pagesets_fill(struct pagesets *v, int rows, bool vessels)
{
	bool all = sets_of_all(v, vessels) <= rows;

	v->nrows = 0;
	for (int i = 0; all && i < v->zones.nrows; i++)
		if (!vessels || is_worth(v, zone_at(v, i)))
			add_sets(v, zone_at(v, i));
	if (!all && pagesets_zone(v))
		add_sets(v, pagesets_zone(v));
	sheet_begin(&v->sets);
	for (int i = 0; i < v->nrows; i++)
		sheet_add(&v->sets, &v->rows[i]);
}

/* --- drawing --- */

#define AROUND_LEAST 7

/* Are there more CPUs than have room side by side, and nobody opened them? */
static bool is_folded(const struct pagesets *v, const struct zone_step *z, int cols)
{
	return z && !v->open && (int)z->npagesets > vessels_at_once(cols);
}

/* The chosen one of those that are folded. */
static void draw_folded_words(struct draw *d, struct rect row, const struct pageset_step *set)
{
	struct pen p = pen_in(d, row, READ_ZONEINFO);
	char count[NUMBER_TEXT], high[NUMBER_TEXT], change[NUMBER_TEXT];
	static const char *const hints[] = { "Enter shows those around it, or folds all", "Enter opens" };

	if (rect_is_empty(row))
		return;
	pen_printf(&p, STYLE_BOLD, " cpu %" PRIu32, set->now->cpu);
	pen_printf(&p, STYLE_PLAIN, ": %s of %s, ", number_pages(d, set->now->count, count),
		   number_pages(d, set->now->high, high));
	if (!amount_known(set->change))
		pen_text(&p, STYLE_DIM, "change not known.  ");
	else
		pen_printf(&p, STYLE_PLAIN, "%s%s in this step.  ", set->change.value ? "" : "no change",
			   set->change.value ? number_change(d, set->change.value, change) : "");
	for (int i = 0; i < 2; i++)
		if (name_width(hints[i]) <= pen_room(&p)) {
			pen_text(&p, STYLE_DIM, hints[i]);
			return;
		}
}

static void draw_folded(struct tui *t, struct draw *d, struct rect pane)
{
	struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	struct rect title = layout_take_top(&pane, 1), words, around = pane;
	struct pen p = pen_in(d, title, READ_ZONEINFO);
	int rows = heat_rows(z, pane.cols);

	/* With room, those around the chosen one too. */
	if (pane.rows >= rows + 1 + AROUND_LEAST) {
		pane = layout_take_top(&around, rows + 1);
		vessels_draw(t, d, around);
	}
	words = layout_take_bottom(&pane, pane.rows > 3);
	grid_fill(d->g, title, STYLE_HEAD, " ");
	pen_printf(&p, STYLE_HEAD, " %" PRIu32 " %s, %" PRIu32 " CPUs: a column each", z->now->node,
		   z->now->name, z->npagesets);
	pen_text(&p, STYLE_HEAD, pen_room(&p) > 34 ? ", full height is its high, ! above" : ", full is high");
	v->cpu = v->cpu < (int)z->npagesets ? v->cpu : (int)z->npagesets - 1;
	heat_draw(d, pane, z, v->cpu);
	draw_folded_words(d, words, &z->pagesets[v->cpu]);
}

static void draw_table(struct tui *t, struct draw *d, struct rect pane)
{
	struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);

	if (!z || rect_is_empty(pane))
		return;
	if ((int)z->npagesets > pane.rows - 1) {
		draw_folded(t, d, pane);
		return;
	}
	pagesets_fill(v, pane.rows - 1, false);
	sheet_draw(&v->sets, d, pane);
}

enum { PART_NOW, PART_CAPTION, PART_ZONES, PART_SETS, PART_POOL, PART_SIZES, PART_TYPES, PART_ALL,
	PART_LEGEND, PART_NUMBERS, PART_NR };

#define ROWS_FOR_ALL 44 /* from these on the free blocks of all zones stand there, too, and all pagesets in numbers */

#define SIZES_BESIDE 110 /* columns from which they stand beside the pool */
#define SIZES_COLS 50

static int folded_rows(const struct zone_step *z, int cols)
{
	return z ? 2 + heat_rows(z, cols) : 0;
}

static void wants_of(const struct tui *t, struct rect body, struct want wants[PART_NR])
{
	const struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	int zones = 1 + v->zones.nrows, pool = pool_rows(t), heat = folded_rows(z, body.cols);
	int tall = body.rows > ROWS_FOR_ALL ? (body.rows - ROWS_FOR_ALL) / 2 : 0;
	bool folded = is_folded(v, z, body.cols), small = body.rows < 19;

	wants[PART_ZONES] = (struct want){ zones < 4 ? zones : 4, zones, 1 };
	wants[PART_SETS] = folded ? (struct want){ heat, heat + 16, 4 } : (struct want){ small ? 6 : 8, 18 + tall, 4 };
	wants[PART_POOL] = (struct want){ pool ? small ? 3 : 5 : 0, pool ? pool + tall / 2 : 0, 3 };
	wants[PART_SIZES] = (struct want){ body.cols < SIZES_BESIDE ? 3 : 0, body.cols < SIZES_BESIDE ? 6 : 0, 5 };
	wants[PART_TYPES] = (struct want){ v->types ? 2 : 0, types_rows(&t->frame, z), v->types ? 0 : 6 };
	wants[PART_NOW] = (struct want){ 1, 1, 7 };
	wants[PART_CAPTION] = (struct want){ 1, 1, 9 };
	wants[PART_LEGEND] = (struct want){ !folded, !folded, 6 };
	wants[PART_ALL] = wants[PART_NUMBERS] = (struct want){ 0, 0, 8 };
	if (body.rows >= ROWS_FOR_ALL && z && !folded)
		wants[PART_NUMBERS] =
			(struct want){ 2 + (int)z->npagesets, 2 + sets_of_all(v, false), 8 };
	if (body.rows >= ROWS_FOR_ALL)
		wants[PART_ALL] = (struct want){ buddy_rows(&t->frame), buddy_rows(&t->frame), 7 };
}

static void wants_of_table(const struct tui *t, struct rect body, struct want wants[PART_NR])
{
	const struct pagesets *v = of(t);
	const struct zone_step *z = pagesets_zone(v);
	int cpus = z ? (int)z->npagesets : 0, all = sets_of_all(v, false), heat = folded_rows(z, body.cols);
	int zones = 1 + v->zones.nrows, buddies = buddy_rows(&t->frame);

	wants[PART_ZONES] = (struct want){ zones < 4 ? zones : 4, zones, 1 };
	wants[PART_SETS] = (struct want){ 1 + (heat < cpus ? heat : cpus), 1 + (all > cpus ? all : cpus), 2 };
	wants[PART_POOL] = (struct want){ buddies < 3 ? buddies : 3, buddies, 3 };
	wants[PART_SIZES] = (struct want){ 0, 0, 5 };
	wants[PART_TYPES] = (struct want){ v->types ? 2 : 0, types_rows(&t->frame, z), v->types ? 0 : 4 };
	wants[PART_ALL] = (struct want){ 0, 0, 8 };
	wants[PART_NOW] = (struct want){ 1, 1, 6 };
	wants[PART_CAPTION] = wants[PART_LEGEND] = wants[PART_NUMBERS] = (struct want){ 0, 0, 9 };
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

static void draw_pool(struct tui *t, struct draw *d, struct rect pane)
{
	struct rect beside = { 0, 0, 0, 0 };

	if (pane.cols >= SIZES_BESIDE) {
		beside = (struct rect){ pane.row, pane.col + pane.cols - SIZES_COLS, pane.rows, SIZES_COLS };
		pane.cols -= SIZES_COLS + 1;
	}
	pool_draw(t, d, pane);
	sizes_draw(t, d, beside);
}

static void pagesets_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct pagesets *v = of(t);
	struct want wants[PART_NR];
	struct rect parts[PART_NR];

	if (!v->zones.nrows) {
		pours_hide(&v->pours);
		draw_none(t, d, body);
		return;
	}
	(v->table ? wants_of_table : wants_of)(t, body, wants);
	layout_stack(body, wants, PART_NR, parts);
	v->legend = !rect_is_empty(parts[PART_LEGEND]);
	v->vessels = false;
	words_now(t, d, parts[PART_NOW]);
	words_caption(d, parts[PART_CAPTION]);
	sheet_draw(&v->zones, d, parts[PART_ZONES]);
	if (v->table) {
		draw_table(t, d, parts[PART_SETS]);
		buddy_draw(d, parts[PART_POOL], pagesets_zone(v));
	} else {
		if (is_folded(v, pagesets_zone(v), body.cols))
			draw_folded(t, d, parts[PART_SETS]);
		else
			vessels_draw(t, d, parts[PART_SETS]);
		draw_pool(t, d, parts[PART_POOL]);
		sizes_draw(t, d, parts[PART_SIZES]);
	}
	types_draw(d, parts[PART_TYPES], pagesets_zone(v));
	buddy_draw(d, parts[PART_ALL], pagesets_zone(v));
	words_legend(t, d, parts[PART_LEGEND]);
	/* A blank row before it. */
	layout_take_top(&parts[PART_NUMBERS], 1);
	draw_table(t, d, parts[PART_NUMBERS]);
	if (!v->vessels)
		pours_hide(&v->pours);
}

const struct view pagesets_view = {
	.name = "pagesets",
	.key = '4',
	.title = "Pagesets",
	.brief = "Pages",
	.about = "Zones against their watermarks, and below them the pagesets of the selected zone: "
		 "free pages that only one CPU gets, as a vessel for each. Full is its high: above it the kernel "
		 "drains it into the free lists below; an empty one is refilled from them. Dots are what it loses or "
		 "gains by that, each for the same rate; the last line says which. Between two readings one sees only "
		 "the difference (net): programs on its CPU also take pages from it and free pages into it. So a fall "
		 "is a drain, or pages that were used; a rise is a refill, or pages that were freed. A batch is what the "
		 "kernel moves at a time at least; more than 32 of them were several bulks. The slider is "
		 "where high stands between the least and the most it may be. Stranded are pages in "
		 "pagesets while their zone is below low. Free blocks of order n are 2^n pages; in pieces is the "
		 "share of free pages in blocks too small for a huge page (order 9).",
	.open = pagesets_open,
	.close = pagesets_close,
	.prepare = pagesets_prepare,
	.draw = pagesets_draw,
	.move = pagesets_move,
	.interest = pagesets_interest,
	.next = pagesets_next,
};

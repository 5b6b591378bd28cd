/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageset_vessels.c - the pagesets of one zone as vessels: what is in them, and the brim at high.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pageset_vessel.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

#define WIDTH_LEAST 10
#define WIDTH_MOST  30
#define RANGE_LEAST 14

/* By the columns of water: how wide the way below a vessel is, and where it begins. */
static const struct {
	int inner, lanes, stride, col;
} channels[] = { { 24, 8, 5, 3 }, { 14, 4, 3, 2 }, { 11, 2, 1, 2 }, { 0, 1, 1, 0 } };

int vessels_at_once(int cols)
{
	return cols / WIDTH_LEAST > 0 ? cols / WIDTH_LEAST : 1;
}

static int inner_of(const struct plan *p)
{
	return p->width - 4 < 1 ? 1 : p->width - 4;
}

static void plan_channel(struct plan *p)
{
	int i = 0;

	while (inner_of(p) < channels[i].inner)
		i++;
	p->lanes = channels[i].lanes;
	p->stride = channels[i].stride;
	p->channel = channels[i].col;
	p->words = p->lanes > 1 ? p->channel + p->lanes + 2 : 1;
}

/* v->rows are those that can be shown, chosen the one that must be. */
static struct plan plan_of(const struct pagesets *v, int chosen, struct rect pane)
{
	int sets = v->nrows, room = vessels_at_once(pane.cols), row = 1, rows = pane.rows;
	struct plan p = { .range = -1, .n = sets < room ? sets : room };

	p.width = p.n ? pane.cols / p.n : pane.cols;
	p.width = p.width > WIDTH_MOST ? WIDTH_MOST : p.width;
	p.first = chosen / (p.n ? p.n : 1) * p.n;
	p.first = p.first + p.n > sets ? sets - p.n : p.first;
	plan_channel(&p);
	p.label = row++;
	if (rows >= 9 && p.width - 4 >= RANGE_LEAST)
		p.range = row++;
	p.top = row;
	p.ways = rows >= 24 ? 5 : rows >= 16 ? 4 : rows >= 12 ? 3 : rows >= 8 ? 2 : 1;
	p.height = rows - row - 1 - p.ways;
	p.height = p.height < 1 ? 1 : p.height;
	p.base = p.top + p.height;
	return p;
}

/* --- water --- */

static enum style water_style(const struct vessel *v)
{
	/* None that is reversed: full would look empty. */
	return v->zone->stranded || v->set->fill_permille > 1000 ? STYLE_WARN : STYLE_FLOW_IN;
}

/* Eighths of a row that are filled, the whole vessel being high. */
static int level_of(const struct vessel *v)
{
	const struct pageset *set = v->set->now;
	int brim = v->plan->height * 8;
	uint64_t level;

	if (set->count == UNKNOWN || set->high == UNKNOWN || !set->high || !set->count)
		return 0;
	if (set->count >= set->high)
		return brim;
	level = (uint64_t)((double)set->count * brim / (double)set->high);
	return level ? (int)level : 1;
}

/* So many batches are one tick, so that no row has more than one. */
uint64_t vessel_tick(const struct pageset *set, int height)
{
	uint64_t each = 1;

	if (set->batch == UNKNOWN || set->high == UNKNOWN || !set->batch)
		return 0;
	while (set->high / (set->batch * each) > (uint64_t)height)
		each *= 2;
	return each;
}

/* Is there a tick in the row-th row of water from below? */
static bool has_tick(const struct vessel *v, int row)
{
	const struct pageset *set = v->set->now;
	uint64_t each = vessel_tick(set, v->plan->height), height = (uint64_t)v->plan->height;
	uint64_t low, top;

	if (!each || !set->high)
		return false;
	low = set->high * (uint64_t)row / height / (set->batch * each);
	top = set->high * ((uint64_t)row + 1) / height / (set->batch * each);
	return top > low && top * set->batch * each < set->high;
}

static void draw_water(const struct vessel *v)
{
	static const char *const parts[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int level = level_of(v);

	for (int row = 0; row < v->plan->height; row++) {
		struct pen p = vessel_pen(v, v->plan->base - 1 - row);
		int part = level - row * 8;

		part = part < 0 ? 0 : part > 8 ? 8 : part;
		pen_text(&p, v->chosen ? STYLE_PLAIN : STYLE_DIM, has_tick(v, row) ? "├" : "│");
		for (int i = 0; i < v->inner; i++)
			pen_text(&p, part ? water_style(v) : STYLE_PLAIN, parts[part]);
		pen_text(&p, v->chosen ? STYLE_PLAIN : STYLE_DIM, has_tick(v, row) ? "┤" : "│");
	}
}

/* How full it is, over the water. */
static void draw_percent(const struct vessel *v)
{
	struct pen p = vessel_pen(v, v->plan->top + (v->plan->height - 1) / 2);
	const struct pageset *set = v->set->now;
	char text[NUMBER_TEXT], padded[NUMBER_TEXT + 8];
	int from;

	if (set->count == UNKNOWN || set->high == UNKNOWN)
		snprintf(padded, sizeof(padded), " - ");
	else
		snprintf(padded, sizeof(padded), " %s%s ",
			 units_percent(set->count, set->high, text, sizeof(text)),
			 v->set->fill_permille <= 1000 ? ""
			 : v->inner > 10               ? " over"
						       : "!");
	vessel_middle(&p, v->inner, STYLE_PLAIN, padded);
	from = p.col - (int)strlen(padded);
	pen_spot(&p, from < 0 ? 0 : from, "fill");
}

/* --- numbers --- */

static void draw_label(const struct vessel *v)
{
	const struct pageset *set = v->set->now;
	struct pen p = vessel_pen(v, v->plan->label);
	char count[NUMBER_TEXT], high[NUMBER_TEXT], cpu[24];
	int from;

	snprintf(cpu, sizeof(cpu), v->inner > 14 ? "cpu %" PRIu32 : "%" PRIu32, set->cpu);
	pen_text(&p, v->chosen ? STYLE_SELECTED : STYLE_BOLD, cpu);
	pen_text(&p, STYLE_PLAIN, v->inner > 14 ? "  " : " ");
	from = p.col;
	number_pages(v->d, set->count, count);
	number_pages(v->d, set->high, high);
	pen_text(&p, STYLE_PLAIN, count);
	pen_spot(&p, from, "count");
	if (pen_room(&p) > (int)strlen(high) + 4) {
		pen_text(&p, STYLE_DIM, " of ");
		from = p.col;
		pen_text(&p, STYLE_DIM, high);
		pen_spot(&p, from, "pageset high");
	}
}

/* Where high stands between what it may be. */
static void draw_range(const struct vessel *v)
{
	const struct pageset *set = v->set->now;
	struct pen p = vessel_pen(v, v->plan->range);
	char least[NUMBER_TEXT], most[NUMBER_TEXT];
	uint64_t wide;
	int room, at;

	if (v->inner < RANGE_LEAST || set->high_min == UNKNOWN || set->high_max == UNKNOWN ||
	    set->high == UNKNOWN)
		return;
	number_pages(v->d, set->high_min, least);
	number_pages(v->d, set->high_max, most);
	room = v->inner + 2 - (int)(strlen(least) + strlen(most));
	wide = set->high_max > set->high_min ? set->high_max - set->high_min : 0;
	pen_text(&p, STYLE_DIM, least);
	at = !wide || set->high <= set->high_min ? 0
	     : set->high >= set->high_max
		     ? room - 1
		     : (int)((double)(set->high - set->high_min) * (room - 1) / (double)wide);
	for (int i = 0; i < room; i++)
		pen_text(&p, i == at ? STYLE_NOTE : STYLE_DIM, i == at ? "●" : "─");
	pen_text(&p, STYLE_DIM, most);
	pen_spot(&p, 0, "high_max");
}

static void draw_vessel(const struct vessel *v)
{
	draw_label(v);
	if (v->plan->range >= 0)
		draw_range(v);
	draw_water(v);
	draw_percent(v);
	vessel_draw_way(v);
}

/* --- all of them --- */

/* As much as has room, and no half of a phrase. */
static void put_phrase(struct pen *p, enum style style, const char *text)
{
	if (name_width(text) <= pen_room(p))
		pen_text(p, style, text);
}

/* What belongs to the selected zone, behind the names. */
static void draw_legend(const struct pagesets *v, struct pen *p, const struct plan *plan)
{
	const struct zone_step *z = pagesets_zone(v);
	uint64_t tick = z->npagesets ? vessel_tick(z->pagesets[0].now, plan->height) : 0;
	char batch[NUMBER_TEXT], text[96];

	if (z->stranded) {
		put_phrase(p, STYLE_ALARM,
			   pen_room(p) > 68
				   ? "(free, but only its own CPU gets it, while the zone is below low)"
				   : "(only its own CPU gets it)");
		return;
	}
	put_phrase(p, STYLE_HEAD, "full is high");
	if (!tick)
		return;
	number_pages(p->d, z->pagesets[0].now->batch, batch);
	snprintf(text, sizeof(text), ", a tick %" PRIu64 " batch%s of %s", tick,
		 tick > 1 ? "es" : "", batch);
	put_phrase(p, STYLE_HEAD, text);
}

static void draw_title(const struct pagesets *v, struct draw *d, struct rect pane,
		       const struct plan *plan)
{
	const struct zone_step *z = pagesets_zone(v), *was = NULL;
	struct rect line = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, line, READ_ZONEINFO);
	char stranded[NUMBER_TEXT], unit[80];

	grid_fill(d->g, line, STYLE_HEAD, " ");
	/* What a dot stands for is said at the end, where it has no row of its own. */
	if (!v->legend && words_unit(v, d, unit, sizeof(unit))) {
		p.pane.cols -= name_width(unit);
		grid_text(d->g, line, 0, p.pane.cols, STYLE_NOTE, unit);
	}
	for (int i = 0; i < plan->n; i++) {
		const struct zone_step *is = v->rows[plan->first + i].zone;

		if (is == was)
			continue;
		pen_to(&p, 0, i * plan->width);
		pen_printf(&p, is == z ? STYLE_HEAD_SORT : STYLE_HEAD, " %" PRIu32 " %s ",
			   is->now->node, is->now->name);
		if (plan->n < v->nrows)
			pen_printf(&p, STYLE_HEAD, "CPUs %d-%d of %d ", plan->first,
				   plan->first + plan->n - 1, v->nrows);
		if (is->stranded)
			pen_printf(&p, STYLE_ALARM, "! %s stranded",
				   number_pages(d, is->stranded, stranded));
		pen_text(&p, STYLE_HEAD, " ");
		was = is;
	}
	/* Behind the last name, where that zone is the selected one or there is room. */
	if (was == z || pen_room(&p) > 40)
		draw_legend(v, &p, plan);
}

/* The selected one's place among the rows. */
static int chosen_row(struct pagesets *v)
{
	const struct zone_step *z = pagesets_zone(v);
	int first = 0;

	while (first < v->nrows && v->rows[first].zone != z)
		first++;
	v->cpu = v->cpu < (int)z->npagesets ? v->cpu : z->npagesets ? (int)z->npagesets - 1 : 0;
	return first + v->cpu;
}

#define BESIDE_COLS 40
#define BESIDE_ROWS 10

/* Beside the vessels, where they leave room: the chosen one in numbers. */
static void draw_beside(const struct pagesets *v, struct draw *d, struct rect pane,
			const struct plan *plan, int chosen)
{
	int cols = plan->n * plan->width + 1;
	struct rect beside = { pane.row + 1, pane.col + cols, pane.rows - 1, pane.cols - cols };

	if (beside.cols >= BESIDE_COLS && beside.rows >= BESIDE_ROWS)
		words_ledger(d, beside, &v->rows[chosen]);
}

void vessels_draw(struct tui *t, struct draw *d, struct rect pane)
{
	struct pagesets *v = t->state[VIEW_PAGESETS];
	struct plan plan;
	int chosen;

	if (!pagesets_zone(v) || rect_is_empty(pane))
		return;
	pagesets_fill(v, vessels_at_once(pane.cols), true);
	chosen = chosen_row(v);
	plan = plan_of(v, chosen, pane);
	v->vessels = true;
	v->wide = plan.lanes > 4;
	v->range = plan.range >= 0;
	v->plain = t->options.no_braille || d->g->ascii;
	pours_show(t, &v->pours, &v->rows[plan.first], plan.n, plan.lanes * plan.ways);
	draw_title(v, d, pane, &plan);
	for (int i = 0; i < plan.n; i++) {
		const struct pageset_row *row = &v->rows[plan.first + i];
		struct vessel one = {
			.d = d,
			.pane = { pane.row, pane.col + i * plan.width, pane.rows, plan.width - 1 },
			.plan = &plan,
			.zone = row->zone,
			.set = row->set,
			.pours = &v->pours,
			.pour = pours_of(&v->pours, row),
			.now_us = t->now_us,
			.inner = inner_of(&plan),
			.chosen = plan.first + i == chosen,
			.plain = v->plain,
			.lists = row->zone == pagesets_zone(v),
		};

		draw_vessel(&one);
	}
	if (plan.n)
		draw_beside(v, d, pane, &plan, chosen);
}

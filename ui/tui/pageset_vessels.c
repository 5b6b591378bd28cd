/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageset_vessels.c - the pagesets of one zone as vessels: what is in them, the brim at high, and
 * what went out below or came in from there.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pagesets.h"
#include "reclaimtop/units.h"

#define WIDTH_LEAST 10
#define WIDTH_MOST  30
#define RANGE_LEAST 14
#define ARROWS_FROM 12
/* More at a time is no single bulk: so many batches, as a power of two, from that kernel on. */
#define BULK_SINCE 61200
#define BULK_MOST  5

/* Rows of a vessel's pane: the water has what is left over. */
struct plan {
	int label, range, top, height, base, arrows, flow, bulks; /* -1: left out */
	int width, n, first;
};

int vessels_at_once(int cols)
{
	return cols / WIDTH_LEAST > 0 ? cols / WIDTH_LEAST : 1;
}

/* v->rows are those that can be shown, chosen the one that must be. */
static struct plan plan_of(const struct pagesets *v, int chosen, struct rect pane)
{
	int sets = v->nrows, room = vessels_at_once(pane.cols), row = 1;
	struct plan p = { .range = -1, .arrows = -1, .bulks = -1, .n = sets < room ? sets : room };

	p.width = p.n ? pane.cols / p.n : pane.cols;
	p.width = p.width > WIDTH_MOST ? WIDTH_MOST : p.width;
	p.first = chosen / (p.n ? p.n : 1) * p.n;
	p.first = p.first + p.n > sets ? sets - p.n : p.first;
	p.label = row++;
	if (pane.rows >= 9 && p.width - 4 >= RANGE_LEAST)
		p.range = row++;
	p.top = row;
	p.height = pane.rows - row - 2 - (pane.rows >= 8) - (pane.rows >= ARROWS_FROM);
	p.height = p.height < 1 ? 1 : p.height;
	p.base = p.top + p.height;
	if (pane.rows >= ARROWS_FROM)
		p.arrows = p.base + 1;
	p.flow = p.base + 1 + (p.arrows >= 0);
	if (pane.rows >= 8)
		p.bulks = p.flow + 1;
	return p;
}

/* One vessel on its way to the screen. */
struct vessel {
	struct draw *d;
	struct rect pane; /* its own columns, all rows */
	const struct plan *plan;
	const struct zone_step *zone;
	const struct pageset_step *set;
	int inner; /* columns of water */
	bool chosen;
};

static struct pen pen_at(const struct vessel *v, int row)
{
	struct pen p = pen_in(v->d, v->pane, READ_ZONEINFO);

	pen_to(&p, row, 0);
	return p;
}

/* Text in the middle of the vessel. */
static void put_middle(struct pen *p, int inner, enum style style, const char *text)
{
	int cols = 0;

	for (const char *c = text; *c; c++)
		cols += ((unsigned char)*c & 0xc0) != 0x80;
	p->col = cols < inner + 2 ? (inner + 2 - cols) / 2 : 0;
	pen_cut(p, inner + 2, style, text);
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
		struct pen p = pen_at(v, v->plan->base - 1 - row);
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
	struct pen p = pen_at(v, v->plan->top + (v->plan->height - 1) / 2);
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
	put_middle(&p, v->inner, STYLE_PLAIN, padded);
	from = p.col - (int)strlen(padded);
	pen_spot(&p, from < 0 ? 0 : from, "fill");
}

static void draw_base(const struct vessel *v)
{
	bool moves = amount_known(v->set->change) && v->set->change.value;
	struct pen p = pen_at(v, v->plan->base);
	enum style style = v->chosen ? STYLE_PLAIN : STYLE_DIM;

	pen_text(&p, style, "└");
	for (int i = 0; i < v->inner; i++)
		pen_text(&p, style, moves && i == v->inner / 2 ? "┬" : "─");
	pen_text(&p, style, "┘");
}

/* --- numbers --- */

static void draw_label(const struct vessel *v)
{
	const struct pageset *set = v->set->now;
	struct pen p = pen_at(v, v->plan->label);
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
	struct pen p = pen_at(v, v->plan->range);
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

/* What went, net: at least so much. */
static void draw_flow(const struct vessel *v)
{
	const struct amount change = v->set->change;
	struct pen p = pen_at(v, v->plan->flow);
	bool out = change.value < 0;
	uint64_t pages = (uint64_t)(out ? -change.value : change.value);
	char number[NUMBER_TEXT], text[NUMBER_TEXT + 8];

	if (!amount_known(change)) {
		put_middle(&p, v->inner, STYLE_UNKNOWN, "-");
		return;
	}
	snprintf(text, sizeof(text),
		 pages           ? "%s≥%s"
		 : v->inner < 10 ? "same"
				 : "no change",
		 out ? "▼" : "▲", number_pages(v->d, pages, number));
	put_middle(&p, v->inner, !pages ? STYLE_DIM : out ? STYLE_FLOW_OUT : STYLE_FLOW_UP, text);
	pen_spot_amount(&p, 0, out ? "drained" : "refilled",
			out ? v->set->drained : v->set->refilled);
}

/* As many of them as it would take of one bulk at its most: the width of the vessel is 32 batches. */
static void draw_arrows(const struct vessel *v)
{
	const struct amount change = v->set->change;
	bool out = change.value < 0;
	double pages = (double)(out ? -change.value : change.value);
	uint64_t batch = v->set->now->batch;
	struct pen p = pen_at(v, v->plan->arrows);
	int n;

	if (!amount_known(change) || !change.value || batch == UNKNOWN || !batch)
		return;
	pages = pages * v->inner / (double)(batch << BULK_MOST);
	n = pages >= v->inner ? v->inner : pages < 1 ? 1 : (int)pages;
	p.col = 1 + (v->inner - n) / 2;
	for (int i = 0; i < n; i++)
		pen_text(&p, out ? STYLE_FLOW_OUT : STYLE_FLOW_UP, out ? "▼" : "▲");
}

static void draw_bulks(const struct vessel *v)
{
	const struct amount change = v->set->change;
	uint64_t pages = (uint64_t)(change.value < 0 ? -change.value : change.value);
	uint64_t batch = v->set->now->batch, tenths;
	struct pen p = pen_at(v, v->plan->bulks);
	bool several = false;
	char text[40];

	if (!amount_known(change) || !pages || batch == UNKNOWN || !batch)
		return;
	tenths = (pages * 10 + batch / 2) / batch;
	several = pages > batch << BULK_MOST && v->d->f->now->machine.version >= BULK_SINCE;
	snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64 "%s%s", tenths / 10, tenths % 10,
		 v->inner < 10 ? " b" : " batches", several ? "!" : "");
	put_middle(&p, v->inner, several ? STYLE_NOTE : STYLE_DIM, text);
	pen_spot(&p, 0, "net size");
}

static void draw_vessel(const struct vessel *v)
{
	draw_label(v);
	if (v->plan->range >= 0)
		draw_range(v);
	draw_water(v);
	draw_percent(v);
	draw_base(v);
	if (v->plan->arrows >= 0)
		draw_arrows(v);
	draw_flow(v);
	if (v->plan->bulks >= 0)
		draw_bulks(v);
}

/* --- all of them --- */

/* What belongs to the selected zone, behind the names. */
static void draw_legend(struct pen *p, const struct zone_step *z, const struct plan *plan)
{
	char batch[NUMBER_TEXT];
	uint64_t tick = z->npagesets ? vessel_tick(z->pagesets[0].now, plan->height) : 0;

	if (z->stranded) {
		pen_cut(p, pen_room(p), STYLE_ALARM,
			"(free, but only its own CPU gets it, while the zone is below low)");
		return;
	}
	pen_cut(p, pen_room(p), STYLE_HEAD, "full is high");
	if (tick && pen_room(p) > 28)
		pen_printf(p, STYLE_HEAD, ", a tick %" PRIu64 " batch%s of %s", tick,
			   tick > 1 ? "es" : "",
			   number_pages(p->d, z->pagesets[0].now->batch, batch));
	if (pen_room(p) > 30)
		pen_text(p, STYLE_HEAD,
			 plan->arrows >= 0 && pen_room(p) > 62
				 ? "; ▼ drained ▲ refilled, net: a full row is 32 batches"
				 : "; ▼ drained ▲ refilled, net");
}

static void draw_title(const struct pagesets *v, struct draw *d, struct rect pane,
		       const struct plan *plan)
{
	const struct zone_step *z = pagesets_zone(v), *was = NULL;
	struct rect line = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, line, READ_ZONEINFO);
	char stranded[NUMBER_TEXT];

	grid_fill(d->g, line, STYLE_HEAD, " ");
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
	if (was == z || pen_room(&p) > 50)
		draw_legend(&p, z, plan);
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
	draw_title(v, d, pane, &plan);
	for (int i = 0; i < plan.n; i++) {
		const struct pageset_row *row = &v->rows[plan.first + i];
		struct rect own = { pane.row, pane.col + i * plan.width, pane.rows,
				    plan.width - 1 };
		struct vessel one = {
			d, own, &plan, row->zone, row->set, plan.width - 4, plan.first + i == chosen
		};

		one.inner = one.inner < 1 ? 1 : one.inner;
		draw_vessel(&one);
	}
}

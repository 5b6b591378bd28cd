/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buddy.c - free blocks by order, by zone and by migratetype; and many pagesets as a row of columns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pagesets.h"
#include "reclaimtop/units.h"

/* The words before the numbers. */
#define WORDS 12
#define ORDERS 11

static int cell_width(struct rect pane)
{
	int width = (pane.cols - WORDS) / ORDERS;

	return width > 8 ? 8 : width < 3 ? 3 : width;
}

static void draw_orders(struct draw *d, struct rect pane, uint32_t norders, const char *what)
{
	struct rect line = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, line, READ_BUDDYINFO);
	char text[16];

	grid_fill(d->g, line, STYLE_HEAD, " ");
	pen_left(&p, WORDS, STYLE_HEAD, what);
	for (uint32_t i = 0; i < norders; i++) {
		snprintf(text, sizeof(text), "%" PRIu32, i);
		pen_right(&p, cell_width(pane), STYLE_HEAD, text);
	}
}

/* "≥" where the kernel stopped counting. */
static void draw_blocks(struct pen *p, const uint64_t *blocks, uint32_t norders, uint64_t at_least)
{
	char text[NUMBER_TEXT], marked[NUMBER_TEXT + 4];

	for (uint32_t i = 0; i < norders; i++) {
		bool least = i < 64 && (at_least >> i & 1);

		units_count(blocks[i], text, sizeof(text));
		snprintf(marked, sizeof(marked), "%s%s", least ? at_least_sign(p->d) : "", text);
		pen_value(p, cell_width(p->pane), "free blocks", marked);
	}
}

int buddy_rows(const struct frame *f)
{
	return f->now->nbuddies ? 1 + (int)f->now->nbuddies : 0;
}

void buddy_draw(struct draw *d, struct rect pane, const struct zone_step *selected)
{
	const struct sample *s = d->f->now;
	struct pen p = pen_in(d, pane, READ_BUDDYINFO);

	if (rect_is_empty(pane) || !s->nbuddies)
		return;
	draw_orders(d, pane, s->buddies[0].norders, "free, order");
	for (uint32_t i = 0; i < s->nbuddies && pen_line(&p); i++) {
		const struct buddy *b = &s->buddies[i];
		bool here = selected && selected->now->node == b->node && !strcmp(selected->now->name, b->zone);

		pen_printf(&p, here ? STYLE_BOLD : STYLE_PLAIN, "%" PRIu32 " ", b->node);
		pen_left(&p, WORDS - p.col, here ? STYLE_BOLD : STYLE_PLAIN, b->zone);
		draw_blocks(&p, b->blocks, b->norders, 0);
	}
}

/* --- migratetypes --- */

static bool is_of(const struct zone_step *z, uint32_t node, const char *zone)
{
	return z->now->node == node && !strcmp(z->now->name, zone);
}

/* Pageblocks of a type; UNKNOWN where the kernel does not say. */
static uint64_t blocks_of(const struct sample *s, const struct pagetype *type)
{
	for (uint32_t i = 0; i < s->npageblocks; i++) {
		const struct pageblocks *b = &s->pageblocks[i];

		if (b->node == type->node && !strcmp(b->zone, type->zone) && !strcmp(b->type, type->type))
			return b->blocks;
	}
	return UNKNOWN;
}

/* Types that the zone has nothing of are left out: most zones have none of CMA and Isolate. */
static bool has_any(const struct sample *s, const struct pagetype *type)
{
	uint64_t pageblocks = blocks_of(s, type), sum = 0;

	for (uint32_t i = 0; i < type->norders; i++)
		sum |= type->blocks[i];
	return sum || (pageblocks && pageblocks != UNKNOWN);
}

static bool is_shown(const struct frame *f, const struct zone_step *z, uint32_t i)
{
	const struct pagetype *type = &f->now->pagetypes[i];

	return (!z || is_of(z, type->node, type->zone)) && has_any(f->now, type);
}

int types_rows(const struct frame *f, const struct zone_step *z)
{
	int rows = 1;

	for (uint32_t i = 0; i < f->now->npagetypes; i++)
		rows += is_shown(f, z, i);
	return rows > 1 ? rows : 2;
}

/* Where no zone is selected all are shown: a line with its name before the first of each. */
static bool begins_zone(const struct sample *s, uint32_t i)
{
	const struct pagetype *is = &s->pagetypes[i], *was = i ? is - 1 : NULL;

	return !was || was->node != is->node || strcmp(was->zone, is->zone);
}

static void draw_type(struct pen *p, const struct sample *s, const struct pagetype *type)
{
	char text[NUMBER_TEXT];
	uint64_t pageblocks = blocks_of(s, type);

	pen_left(p, WORDS, STYLE_PLAIN, type->type);
	draw_blocks(p, type->blocks, type->norders, type->at_least);
	if (pageblocks != UNKNOWN && pen_room(p) > 12)
		pen_printf(p, STYLE_DIM, "  %s blocks", units_count(pageblocks, text, sizeof(text)));
}

void types_draw(struct draw *d, struct rect pane, const struct zone_step *z)
{
	const struct sample *s = d->f->now;
	struct pen p = pen_in(d, pane, READ_PAGETYPEINFO);
	bool any = false;
	char why[200];

	if (rect_is_empty(pane))
		return;
	draw_orders(d, pane, s->npagetypes ? s->pagetypes[0].norders : 0, "by type");
	for (uint32_t i = 0; i < s->npagetypes; i++) {
		if (!z && begins_zone(s, i) && pen_line(&p))
			pen_printf(&p, STYLE_BOLD, "%" PRIu32 " %s", s->pagetypes[i].node, s->pagetypes[i].zone);
		if (!is_shown(d->f, z, i) || !pen_line(&p))
			continue;
		draw_type(&p, s, &s->pagetypes[i]);
		any = true;
	}
	if (!any && pen_line(&p))
		pen_wrap(&p, STYLE_DIM, 0, 1, view_why(d->f, READ_PAGETYPEINFO, why, sizeof(why)));
}

/* --- many CPUs --- */

/* CPUs on one row: what is round to read, of what there is room for. */
static int heat_columns(int cols)
{
	int columns = 1;

	while (columns * 2 <= cols - WORDS && columns < 128)
		columns *= 2;
	return columns;
}

int heat_rows(const struct zone_step *z, int cols)
{
	int columns = heat_columns(cols);

	return z ? ((int)z->npagesets + columns - 1) / columns : 0;
}

static void heat_cell(struct pen *p, const struct zone_step *z, const struct pageset_step *set)
{
	static const char *const heights[] = { "·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint32_t height = set->now->count == 0 ? 0 : 1 + set->fill_permille * 7 / 1000;
	int from = p->col;

	if (set->now->count == UNKNOWN)
		pen_text(p, STYLE_UNKNOWN, "-");
	else if (set->fill_permille > 1000)
		pen_text(p, STYLE_WARN, "!");
	else
		pen_text(p, z->stranded ? STYLE_WARN : STYLE_FLOW_IN, heights[height < 8 ? height : 8]);
	pen_spot(p, from, "fill");
}

void heat_draw(struct draw *d, struct rect pane, const struct zone_step *z, int chosen)
{
	struct pen p = pen_in(d, pane, READ_ZONEINFO);
	int columns = heat_columns(pane.cols);

	for (uint32_t i = 0; z && i < z->npagesets; i++) {
		if (i && i % (uint32_t)columns == 0 && !pen_line(&p))
			return;
		if (i % (uint32_t)columns == 0) {
			pen_printf(&p, STYLE_DIM, "cpu %" PRIu32, z->pagesets[i].now->cpu);
			p.col = WORDS;
		}
		heat_cell(&p, z, &z->pagesets[i]);
		if ((int)i == chosen)
			grid_restyle(d->g, (struct rect){ pane.row + p.row, pane.col + p.col - 1, 1, 1 },
				     STYLE_SELECTED);
	}
}

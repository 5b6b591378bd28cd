/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "overview.h"
#include "pagesets.h"
#include "reclaimtop/units.h"

/* --- zones --- */

static void put_zone(struct pen *p, int width, const struct zone *z)
{
	pen_printf(p, STYLE_PLAIN, "%" PRIu32 " ", z->node);
	pen_left(p, width - p->col, STYLE_PLAIN, z->name);
}

static void zone_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)c;
	put_zone(p, width, ((const struct zone_step *)row)->now);
}

static void water_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	zone_bar(p, width, row);
	pen_spot(p, 0, sheet_metric(c));
}

static void level_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct zone_step *z = row;

	pen_left(p, width, z->tiny ? STYLE_DIM : zone_style(z->level), zone_level_name(z->level));
	pen_spot(p, 0, sheet_metric(c));
}

/* A number of pages within struct zone. */
static void zone_pages_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t pages;

	memcpy(&pages, (const char *)((const struct zone_step *)row)->now + c->at, sizeof(pages));
	pen_pages(p, width, sheet_metric(c), pages);
}

uint64_t zone_boost(const struct zone *z)
{
	return z->boost == UNKNOWN ? 0 : z->boost;
}

/* A watermark: asked about, it names what it is raised by. */
static void mark_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t boost = zone_boost(((const struct zone_step *)row)->now);
	char pages[NUMBER_TEXT], words[80];

	zone_pages_cell(p, width, row, c);
	if (!boost)
		return;
	snprintf(words, sizeof(words), "%s of it is boost", number_pages(p->d, boost, pages));
	pen_spot_of(p, words, NULL);
}

/* The same within struct zone_step. */
static void step_pages_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t pages;

	memcpy(&pages, (const char *)row + c->at, sizeof(pages));
	pen_pages(p, width, sheet_metric(c), pages);
}

static void to_low_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct zone_step *z = row;
	char text[NUMBER_TEXT];

	pen_value(p, width, sheet_metric(c), z->level == ZONE_UNKNOWN ? "-" : number_change(p->d, z->to_low, text));
}

/* The most that is kept from allocations that would rather have another zone. */
static void protection_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct zone *z = ((const struct zone_step *)row)->now;
	uint64_t most = z->nprotection ? 0 : UNKNOWN;

	for (uint32_t i = 0; i < z->nprotection; i++)
		if (z->protection[i] != UNKNOWN && z->protection[i] > most)
			most = z->protection[i];
	pen_pages(p, width, sheet_metric(c), most);
}

static void stranded_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct zone_step *z = row;

	pen_pages(p, width, sheet_metric(c), z->stranded);
	if (z->stranded)
		grid_restyle(p->d->g, (struct rect){ p->pane.row, p->pane.col, 1, width }, STYLE_WARN);
}

static void fragmented_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t permille = ((const struct zone_step *)row)->fragmented_permille[c->at];
	char text[NUMBER_TEXT];

	pen_value(p, width, sheet_metric(c), units_percent(permille, 1000, text, sizeof(text)));
}

/* The pagesets of all CPUs in a few columns: of several in one the fullest, by eighths of its high. */
static void by_cpu_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	static const char *const heights[] = { "·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const struct zone_step *z = row;
	int n = (int)z->npagesets, cells = n < width ? n : width;

	for (int i = 0; i < cells; i++) {
		uint32_t most = 0;

		for (int k = i * n / cells; k < (i + 1) * n / cells; k++)
			most = z->pagesets[k].fill_permille > most ? z->pagesets[k].fill_permille : most;
		if (most > 1000)
			pen_text(p, STYLE_WARN, "!");
		else
			pen_text(p, z->stranded ? STYLE_WARN : STYLE_FLOW_IN, heights[(most * 8 + 999) / 1000]);
	}
	p->col = width;
	pen_spot(p, 0, sheet_metric(c));
}

#define ZONE_MARK(member) .at = offsetof(struct zone, member), .cell = mark_cell
#define ZONE_PAGES(member) .at = offsetof(struct zone, member), .cell = zone_pages_cell

const struct column zone_columns[] = {
	{ .name = "zone", .title = "zone", .width = 8, .left = true, .cell = zone_cell },
	{ .name = "watermarks", .metric = "free", .title = "free, marks", .width = 12, .grow = 1, .rank = 6, .left = true,
	  .cell = water_cell },
	{ .name = "free", .title = "free", .width = 6, ZONE_PAGES(free) },
	{ .name = "level", .metric = "low", .title = "level", .width = 10, .left = true, .cell = level_cell },
	{ .name = "distance to low", .metric = "low", .title = "to low", .width = 7, .rank = 3, .cell = to_low_cell },
	{ .name = "min", .title = "min", .width = 6, .rank = 8, ZONE_MARK(min) },
	{ .name = "low", .title = "low", .width = 6, .rank = 8, ZONE_MARK(low) },
	{ .name = "high", .title = "high", .width = 6, .rank = 8, ZONE_MARK(high) },
	{ .name = "boost", .title = "boost", .width = 6, .rank = 15, ZONE_PAGES(boost) },
	{ .name = "in pagesets", .metric = "count", .title = "pageset", .width = 7, .rank = 2,
	  .at = offsetof(struct zone_step, pageset_pages), .cell = step_pages_cell },
	{ .name = "by cpu", .metric = "fill", .title = "by CPU", .width = 8, .rank = 7, .left = true, .cell = by_cpu_cell },
	{ .name = "stranded", .title = "stranded", .width = 8, .rank = 1, .cell = stranded_cell },
	{ .name = "managed", .title = "managed", .width = 7, .rank = 9, ZONE_PAGES(managed) },
	{ .name = "usable", .title = "usable", .width = 6, .rank = 12, .at = offsetof(struct zone_step, usable),
	  .cell = step_pages_cell },
	{ .name = "cma", .metric = "usable", .title = "cma", .width = 6, .rank = 13, ZONE_PAGES(cma) },
	{ .name = "protection", .title = "protect", .width = 7, .rank = 10, .cell = protection_cell },
	{ .name = "fragmentation", .metric = "fragmented", .title = "<order3", .width = 7, .rank = 11, .at = 0, .cell = fragmented_cell },
	{ .name = "fragmentation", .metric = "fragmented", .title = "pieces", .width = 6, .rank = 5, .at = 1, .cell = fragmented_cell },
	{ .name = "fragmentation", .metric = "fragmented", .title = "<largest", .width = 8, .rank = 14, .at = 2, .cell = fragmented_cell },
};

const int nzone_columns = sizeof(zone_columns) / sizeof(zone_columns[0]);

/* --- pagesets --- */

static void set_zone_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)c;
	put_zone(p, width, ((const struct pageset_row *)row)->zone->now);
}

static void cpu_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[16];

	(void)c;
	snprintf(text, sizeof(text), "%" PRIu32, ((const struct pageset_row *)row)->set->now->cpu);
	pen_right(p, width, STYLE_PLAIN, text);
}

/* The pageset against twice its high, with a mark at high. */
static void fill_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct pageset_row *r = row;
	const struct pageset *set = r->set->now;
	uint64_t scale = set->high == UNKNOWN ? 0 : set->high * 2;
	enum style style = r->set->fill_permille > 1000 ? STYLE_WARN : STYLE_FLOW_IN;
	struct segment fill = { set->count, r->zone->stranded ? STYLE_WARN : style, "█" };

	if (set->count != UNKNOWN && set->count > scale)
		scale = set->count;
	pen_bar(p, width, &fill, 1, scale);
	if (scale && set->high != UNKNOWN) {
		p->col = (int)((double)set->high / (double)scale * (width - 1));
		pen_text(p, STYLE_BAR_TEXT, "h");
	}
	p->col = width;
	pen_spot(p, 0, sheet_metric(c));
}

static void set_pages_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t pages;

	memcpy(&pages, (const char *)((const struct pageset_row *)row)->set->now + c->at, sizeof(pages));
	pen_pages(p, width, sheet_metric(c), pages);
}

static void range_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct pageset *set = ((const struct pageset_row *)row)->set->now;
	char low[NUMBER_TEXT], high[NUMBER_TEXT], text[NUMBER_TEXT * 2 + 2] = "-";

	if (set->high_min != UNKNOWN && set->high_max != UNKNOWN)
		snprintf(text, sizeof(text), "%s..%s", number_pages(p->d, set->high_min, low),
			 number_pages(p->d, set->high_max, high));
	pen_value(p, width, sheet_metric(c), text);
}

static void set_change_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	struct amount a = ((const struct pageset_row *)row)->set->change;
	char text[NUMBER_TEXT] = "-";

	if (amount_known(a))
		number_change(p->d, a.value, text);
	pen_value(p, width, sheet_metric(c), text);
}

/* What can be told of what goes out and comes in: at least so much. */
static void at_least_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[NUMBER_TEXT] = "-", marked[NUMBER_TEXT + 4];
	struct amount a;
	int from = p->col;

	memcpy(&a, (const char *)((const struct pageset_row *)row)->set + c->at, sizeof(a));
	if (amount_known(a))
		number_pages(p->d, (uint64_t)a.lo, text);
	snprintf(marked, sizeof(marked), "%s%s", amount_known(a) && a.lo ? at_least_sign(p->d) : "", text);
	pen_right(p, width, amount_known(a) ? a.lo ? STYLE_INFERRED : STYLE_DIM : STYLE_UNKNOWN, marked);
	pen_spot_amount(p, from, sheet_metric(c), a);
}

#define SET_PAGES(member) .at = offsetof(struct pageset, member), .cell = set_pages_cell

const struct column pageset_columns[] = {
	{ .name = "zone", .title = "zone", .width = 8, .left = true, .cell = set_zone_cell },
	{ .name = "cpu", .title = "cpu", .width = 4, .cell = cpu_cell },
	{ .name = "fill", .metric = "count", .title = "count, high", .width = 10, .grow = 1, .left = true, .cell = fill_cell },
	{ .name = "count", .title = "count", .width = 6, SET_PAGES(count) },
	{ .name = "pageset high", .title = "high", .width = 6, SET_PAGES(high) },
	{ .name = "high range", .metric = "high_max", .title = "high may be", .width = 12, .rank = 4, .cell = range_cell },
	{ .name = "batch", .title = "batch", .width = 6, .rank = 5, SET_PAGES(batch) },
	{ .name = "change", .metric = "count", .title = "change", .width = 7, .rank = 1, .cell = set_change_cell },
	{ .name = "went out", .title = "out", .width = 7, .rank = 2, .at = offsetof(struct pageset_step, went),
	  .cell = at_least_cell },
	{ .name = "came in", .title = "in", .width = 7, .rank = 3, .at = offsetof(struct pageset_step, came),
	  .cell = at_least_cell },
};

const int npageset_columns = sizeof(pageset_columns) / sizeof(pageset_columns[0]);

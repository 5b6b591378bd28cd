/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "text.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* ---- zones ----------------------------------------------------------------------------------- */

static void distance(struct text *t, const struct zone_step *z, int64_t pages)
{
	if (z->level == ZONE_UNKNOWN || z->level == ZONE_EMPTY)
		table_cell(&t->table, "-");
	else
		text_change(t,
			    (struct amount){ pages, pages, pages, AMOUNT_MEASURED, SCOPE_MACHINE });
}

static void permille(struct text *t, uint64_t value)
{
	text_percent(t, value, value == UNKNOWN ? UNKNOWN : 1000);
}

static void zone_row(struct text *t, const struct zone_step *z)
{
	table_printf(&t->table, "%" PRIu32, z->now->node);
	table_cell(&t->table, z->now->name);
	text_pages(t, z->now->managed);
	text_pages(t, z->now->free);
	text_change(t, z->change);
	text_pages(t, z->now->min);
	text_pages(t, z->now->low);
	text_pages(t, z->now->high);
	distance(t, z, z->to_min);
	distance(t, z, z->to_low);
	distance(t, z, z->to_high);
	text_pages(t, z->pageset_pages);
	text_pages(t, z->stranded);
	for (int i = 0; i < 3; i++)
		permille(t, z->fragmented_permille[i]);
	table_printf(&t->table, "%s%s", zone_level_name(z->level), z->tiny ? ", tiny" : "");
}

void text_zones(struct text *t)
{
	static const struct column columns[] = {
		{ "node", false },     { "zone", true },
		{ "managed", false },  { "free", false },
		{ "change", false },   { "min", false },
		{ "low", false },      { "high", false },
		{ "to min", false },   { "to low", false },
		{ "to high", false },  { "in pagesets", false },
		{ "stranded", false }, { "too small for order 3", false },
		{ "9", false },        { "largest", false },
		{ "free is", true },
	};

	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < t->f->step->nzones; i++)
		if (t->f->step->zones[i].now)
			zone_row(t, &t->f->step->zones[i]);
	table_end(&t->table, t->out);
}

/* ---- pagesets -------------------------------------------------------------------------------- */

static void pageset_row(struct text *t, const struct zone *z, const struct pageset_step *p)
{
	table_printf(&t->table, "%" PRIu32, z->node);
	table_cell(&t->table, z->name);
	table_printf(&t->table, "%" PRIu32, p->now->cpu);
	text_number(t, p->now->count);
	text_number(t, p->now->high);
	permille(t, p->now->high && p->now->high < UNLIMITED ? p->fill_permille : UNKNOWN);
	text_number(t, p->now->batch);
	text_number(t, p->now->high_min);
	text_number(t, p->now->high_max);
	text_change(t, p->change);
	text_page_rate(t, p->went);
	text_page_rate(t, p->came);
}

void text_pagesets(struct text *t)
{
	static const struct column columns[] = {
		{ "node", false },   { "zone", true },      { "cpu", false },
		{ "count", false },  { "high", false },     { "fill", false },
		{ "batch", false },  { "high_min", false }, { "high_max", false },
		{ "change", false }, { "out", false },     { "in", false },
	};

	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < t->f->step->nzones; i++) {
		const struct zone_step *z = &t->f->step->zones[i];

		for (uint32_t k = 0; k < z->npagesets; k++)
			if (z->now && z->pagesets[k].now)
				pageset_row(t, z->now, &z->pagesets[k]);
	}
	table_end(&t->table, t->out);
}

/* ---- free blocks ----------------------------------------------------------------------------- */

#define ORDERS 20

static const struct column orders[3 + ORDERS] = {
	{ "node", false }, { "zone", true }, { "type", true }, { "order 0", false },
	{ "1", false },    { "2", false },   { "3", false },   { "4", false },
	{ "5", false },    { "6", false },   { "7", false },   { "8", false },
	{ "9", false },    { "10", false },  { "11", false },  { "12", false },
	{ "13", false },   { "14", false },  { "15", false },  { "16", false },
	{ "17", false },   { "18", false },  { "19", false },
};

static void block_row(struct text *t, uint32_t n, uint32_t norders, const uint64_t *blocks,
		      uint64_t at_least)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i < norders && i < 64 && at_least >> i & 1)
			table_printf(&t->table, ">%" PRIu64, blocks[i]);
		else
			text_number(t, i < norders ? blocks[i] : UNKNOWN);
	}
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	uint32_t most = a > b ? a : b;

	return most < ORDERS ? most : ORDERS;
}

void text_free_blocks(struct text *t)
{
	const struct sample *s = t->f->now;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nbuddies; i++)
		n = larger(n, s->buddies[i].norders);
	table_begin(&t->table, orders, 3 + n);
	for (uint32_t i = 0; i < s->nbuddies; i++) {
		table_printf(&t->table, "%" PRIu32, s->buddies[i].node);
		table_cell(&t->table, s->buddies[i].zone);
		table_cell(&t->table, "all");
		block_row(t, n, s->buddies[i].norders, s->buddies[i].blocks, 0);
	}
	table_end(&t->table, t->out);
}

void text_migratetypes(struct text *t)
{
	static const struct column blocks[] = {
		{ "node", false }, { "zone", true }, { "type", true }, { "pageblocks", false },
	};
	const struct sample *s = t->f->now;
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->npagetypes; i++)
		n = larger(n, s->pagetypes[i].norders);
	table_begin(&t->table, orders, 3 + n);
	for (uint32_t i = 0; i < s->npagetypes; i++) {
		const struct pagetype *p = &s->pagetypes[i];

		table_printf(&t->table, "%" PRIu32, p->node);
		table_cell(&t->table, p->zone);
		table_cell(&t->table, p->type);
		block_row(t, n, p->norders, p->blocks, p->at_least);
	}
	table_end(&t->table, t->out);
	table_begin(&t->table, blocks, COUNT(blocks));
	for (uint32_t i = 0; i < s->npageblocks; i++) {
		table_printf(&t->table, "%" PRIu32, s->pageblocks[i].node);
		table_cell(&t->table, s->pageblocks[i].zone);
		table_cell(&t->table, s->pageblocks[i].type);
		text_number(t, s->pageblocks[i].blocks);
	}
	table_end(&t->table, t->out);
}

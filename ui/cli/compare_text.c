/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_text.c - a comparison as a table: a row a metric, or with more than two sides a row for
 * each of them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

#include "comparison.h"
#include "table.h"

#define CELL 96
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
/* Lengths that differ by more are worth a word. */
#define LENGTHS_APART 1.1

const char *comparison_worth(const struct compare_row *row, const struct compare_cell *cell)
{
	bool up = cell->mean > row->cells[0].mean;

	if (row->metric.better == BETTER_NEITHER || cell->chance != CHANCE_TOLD || cell->p >= 0.05)
		return "";
	return up == (row->metric.better == BETTER_MORE) ? "better" : "worse";
}

/* ---- the sides ------------------------------------------------------------------------------- */

static void put_run(const struct comparison *cmp, uint32_t run, struct arena *a, struct buf *out)
{
	const struct run_facts *f = &cmp->runs[run];
	const char *name = compare_run_name(cmp->c, run);
	char length[CELL];

	units_age(f->covered_us > 0 ? (uint64_t)f->covered_us / 1000 : 0, length, sizeof(length));
	buf_printf(out, "     %s: %s, %" PRIu64 " samples, %s", name_escape(a, name, strlen(name)),
		   length, f->samples, f->kernel ? f->kernel : "kernel unknown");
	if (f->status > 0)
		buf_printf(out, "; its command ended with status %d", f->status);
	if (f->unreadable)
		buf_printf(out, "; %" PRIu64 " samples are damaged", f->unreadable);
	buf_str(out, "\n");
}

static void put_sides(const struct comparison *cmp, struct buf *out)
{
	struct arena *a = arena_new();

	for (uint32_t side = 0; side < compare_nsides(cmp->c); side++) {
		buf_printf(out, "  %c\n", compare_letter(side));
		for (uint32_t run = 0; run < compare_nruns(cmp->c); run++)
			if (compare_run_side(cmp->c, run) == side)
				put_run(cmp, run, a, out);
	}
	arena_free(a);
}

static void put_warnings(const struct comparison *cmp, struct buf *out)
{
	int64_t least = INT64_MAX, most = 0;
	uint32_t n = compare_nruns(cmp->c);
	bool pages = false;

	for (uint32_t i = 0; i < n; i++) {
		int64_t us = cmp->runs[i].covered_us;

		least = us < least ? us : least;
		most = us > most ? us : most;
		pages |= cmp->runs[i].page_size != cmp->runs[0].page_size;
	}
	if ((double)most > (double)least * LENGTHS_APART)
		buf_printf(out, "  the runs differ in length: --window 0s..%.0fs is in each\n",
			   floor((double)least / 1e6));
	if (pages)
		buf_str(out, "  their page sizes differ: events are of pages of another size\n");
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void put_mean(struct table *t, const struct compare_cell *cell)
{
	char number[CELL];

	compare_number(cell->mean, number, sizeof(number));
	if (cell->n && cell->n < cell->runs)
		table_printf(t, "(%" PRIu32 " of %" PRIu32 ") %s", cell->n, cell->runs, number);
	else
		table_cell(t, number);
}

static void put_spread(struct table *t, const struct compare_cell *cell)
{
	if (isfinite(cell->relative))
		table_printf(t, "±%.2f%%", 100 * cell->relative);
	else
		table_cell(t, "");
}

static void put_change(struct table *t, const struct compare_row *row, uint32_t side)
{
	const struct compare_cell *cell = &row->cells[side];
	const char *worth = comparison_worth(row, cell);
	char change[CELL], words[CELL];

	table_cell(t, side ? compare_change(cell, change, sizeof(change)) : "");
	if (!side)
		table_cell(t, "");
	else
		table_printf(t, "%s%s%s", compare_words(&row->cells[0], cell, words, sizeof(words)),
			     *worth ? ", " : "", worth);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* One or two sides: a row each. */
static void put_narrow(struct table *t, const struct compare_row *row, uint32_t nsides)
{
	table_cell(t, row->metric.name);
	table_cell(t, row->metric.unit);
	for (uint32_t side = 0; side < nsides; side++) {
		put_mean(t, &row->cells[side]);
		put_spread(t, &row->cells[side]);
	}
	if (nsides > 1)
		put_change(t, row, 1);
}

static void put_tall(struct table *t, const struct compare_row *row, uint32_t nsides)
{
	for (uint32_t side = 0; side < nsides; side++) {
		table_cell(t, side ? "" : row->metric.name);
		table_cell(t, side ? "" : row->metric.unit);
		table_printf(t, "%c", compare_letter(side));
		put_mean(t, &row->cells[side]);
		put_spread(t, &row->cells[side]);
		put_change(t, row, side);
	}
}

static void begin(struct table *t, uint32_t nsides)
{
	static const struct column narrow[] = {
		{ "metric", true }, { "unit", true }, { "A", false },      { "±", false },
		{ "B", false },     { "±", false },   { "change", false }, { "chance", true },
	};
	static const struct column tall[] = {
		{ "metric", true }, { "unit", true },    { "side", true }, { "mean", false },
		{ "±", false },     { "change", false }, { "chance", true },
	};

	if (nsides > 2)
		table_begin(t, tall, COUNT(tall));
	else
		table_begin(t, narrow, nsides == 2 ? COUNT(narrow) : 4);
}

/* How many rows would look like more than chance if all were chance. */
static void put_caution(const struct compare_row *rows, uint32_t n, uint32_t nsides,
			struct buf *out)
{
	uint32_t told = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t side = 1; side < nsides; side++)
			told += !rows[i].blank && rows[i].cells[side].chance == CHANCE_TOLD;
	if (told >= 10)
		buf_printf(out,
			   "  of %" PRIu32
			   " values of p, about %.0f would be below 0.05 by chance alone\n",
			   told, 0.05 * told);
}

static void put_checks(const struct comparison *cmp, struct buf *out)
{
	static const char *const words[] = {
		[VERDICT_KEPT] = "no",
		[VERDICT_BROKEN] = "yes",
		[VERDICT_UNTOLD] = "cannot be told",
	};

	for (uint32_t i = 0; i < cmp->nchecks; i++)
		buf_printf(out, "  %s: %s\n", cmp->checks[i].text, words[cmp->checks[i].verdict]);
}

void comparison_text(const struct comparison *cmp, struct buf *out)
{
	const struct compare_row *rows;
	uint32_t n = compare_rows(cmp->c, &rows), nsides = compare_nsides(cmp->c), blank = 0;
	struct table t = { 0 };

	buf_printf(out, "compare: %s\n", cmp->totals ? "what came together" : "rates and means");
	put_sides(cmp, out);
	put_warnings(cmp, out);
	buf_str(out, "\n");
	begin(&t, nsides);
	for (uint32_t i = 0; i < n; i++) {
		blank += rows[i].blank;
		if (rows[i].blank)
			continue;
		if (nsides > 2)
			put_tall(&t, &rows[i], nsides);
		else
			put_narrow(&t, &rows[i], nsides);
	}
	table_end(&t, out);
	buf_str(out, "\n");
	if (blank)
		buf_printf(out, "  %" PRIu32 " metrics are 0 or not known in every run\n", blank);
	put_caution(rows, n, nsides, out);
	put_checks(cmp, out);
	table_fini(&t);
}

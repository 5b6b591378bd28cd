/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_json.c - a comparison as one JSON object. What is not known is left out.
 */
#include <string.h>

#include "reclaimtop/names.h"

#include "comparison.h"
#include "member.h"

static void put_run(struct json_object *list, const struct comparison *cmp, uint32_t run)
{
	const struct run_facts *f = &cmp->runs[run];
	struct json_object *obj = member_item(list);
	const char *name = compare_run_name(cmp->c, run);

	member_string(obj, "file", name_escape(cmp->names, name, strlen(name)));
	member_string(obj, "kernel", f->kernel);
	member_u64(obj, "page_size", f->page_size ? f->page_size : UNKNOWN);
	member_i64(obj, "covered_us", f->covered_us);
	member_u64(obj, "samples", f->samples);
	member_u64(obj, "unreadable_samples", f->unreadable);
	if (f->status >= 0)
		member_i64(obj, "status", f->status);
}

static void put_sides(struct json_object *in, const struct comparison *cmp)
{
	static const char *const letters[COMPARISON_SIDES] = {
		"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
		"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
	};
	struct json_object *sides = member_list(in, "sides");

	for (uint32_t side = 0; side < compare_nsides(cmp->c) && side < COMPARISON_SIDES; side++) {
		struct json_object *obj = member_item(sides), *runs;

		member_string(obj, "side", letters[side]);
		runs = member_list(obj, "runs");
		for (uint32_t run = 0; run < compare_nruns(cmp->c); run++)
			if (compare_run_side(cmp->c, run) == side)
				put_run(runs, cmp, run);
	}
}

static void put_cell(struct json_object *list, const struct compare_row *row, uint32_t side)
{
	const struct compare_cell *cell = &row->cells[side];
	struct json_object *obj = member_item(list);
	char words[96];

	member_u64(obj, "n", cell->n);
	member_number(obj, "mean", cell->mean);
	member_number(obj, "sd", cell->sd);
	member_number(obj, "relative", cell->relative);
	if (!side)
		return;
	member_number(obj, "change", cell->change);
	member_number(obj, "t", cell->t);
	member_number(obj, "df", cell->df);
	member_number(obj, "p", cell->p);
	member_string(obj, "chance", compare_words(&row->cells[0], cell, words, sizeof(words)));
	if (*comparison_worth(row, cell))
		member_string(obj, "worth", comparison_worth(row, cell));
}

static void put_row(struct json_object *list, const struct compare_row *row, uint32_t nsides)
{
	static const char *const better[] = {
		[BETTER_NEITHER] = NULL, [BETTER_MORE] = "more", [BETTER_LESS] = "less",
	};
	struct json_object *obj = member_item(list), *cells;

	member_string(obj, "metric", row->metric.name);
	member_string(obj, "unit", row->metric.unit);
	member_string(obj, "better", better[row->metric.better]);
	cells = member_list(obj, "sides");
	for (uint32_t side = 0; side < nsides; side++)
		put_cell(cells, row, side);
}

static void put_checks(struct json_object *in, const struct comparison *cmp)
{
	static const char *const words[] = {
		[VERDICT_KEPT] = "no", [VERDICT_BROKEN] = "yes", [VERDICT_UNTOLD] = "unknown",
	};
	struct json_object *list = member_list(in, "fail_if");

	for (uint32_t i = 0; i < cmp->nchecks; i++) {
		struct json_object *obj = member_item(list);

		member_string(obj, "condition", cmp->checks[i].text);
		member_string(obj, "holds", words[cmp->checks[i].verdict]);
		member_string(obj, "why", cmp->checks[i].why.len ? cmp->checks[i].why.data : NULL);
	}
}

void comparison_json(const struct comparison *cmp, struct buf *out)
{
	const struct compare_row *rows;
	uint32_t n = compare_rows(cmp->c, &rows);
	struct json_object *obj = member_object(NULL, NULL), *list;

	member_string(obj, "type", "compare");
	member_bool(obj, "totals", cmp->totals);
	put_sides(obj, cmp);
	list = member_list(obj, "rows");
	for (uint32_t i = 0; i < n; i++)
		put_row(list, &rows[i], compare_nsides(cmp->c));
	if (cmp->nchecks)
		put_checks(obj, cmp);
	member_print(obj, out);
}

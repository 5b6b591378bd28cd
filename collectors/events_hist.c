/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events_hist.c - what a histogram of the kernel's events prints: kernel/trace/trace_events_hist.c hist_show().
 *
 *     { cpu:          1, count:         31 } hitcount:          8
 *
 *     Totals:
 *         Hits: 8
 *         Entries: 1
 *         Dropped: 0
 */
#include "events_hist.h"

#include <errno.h>

#include "scan.h"

/* "cpu:          1" within the braces. */
static bool take_key(struct scan *part, struct text *name, uint64_t *value)
{
	scan_blanks(part);
	return scan_until(part, ':', name) && scan_number(part, value) && scan_is_blank(part);
}

/* A kernel prints this key by either of its names. */
#define CPU "common_cpu"

static int place_of(struct text name, const struct hist_keys *keys)
{
	if (text_is(name, "cpu"))
		name = (struct text){ CPU, sizeof(CPU) - 1 };
	for (int i = 0; i < keys->n; i++)
		if (text_is(name, keys->names[i]))
			return i;
	return -1;
}

/* All keys that are wanted, in whatever order, each once; others are no failure. */
static bool take_keys(struct text braces, const struct hist_keys *keys, struct hist_row *row)
{
	struct scan all = scan_text(braces);
	unsigned int found = 0;

	while (!scan_is_blank(&all)) {
		struct text part, name;
		struct scan one;
		uint64_t value;
		int at;

		if (!scan_until(&all, ',', &part)) {
			part = (struct text){ all.at, (size_t)(all.end - all.at) };
			all.at = all.end;
		}
		one = scan_text(part);
		if (!take_key(&one, &name, &value) || value > UINT32_MAX)
			return false;
		at = place_of(name, keys);
		if (at < 0)
			continue;
		if (found >> at & 1)
			return false;
		row->keys[at] = value;
		found |= 1u << at;
	}
	return found == (1u << keys->n) - 1;
}

static bool take_row(struct scan *line, const struct hist_keys *keys, struct hist_row *row)
{
	struct text braces;

	return scan_until(line, '}', &braces) && take_keys(braces, keys, row) &&
	       scan_word_is(line, "hitcount:") && scan_number(line, &row->count) &&
	       scan_is_blank(line) && row->count != UNKNOWN;
}

int events_hist_parse(struct text t, const struct hist_keys *keys, struct arena *a, struct hist *out,
		      struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct arena_list rows = { 0 };
	bool totals = false;

	*out = (struct hist){ .dropped = UNKNOWN };
	while (scan_line(&text, &line, r)) {
		struct hist_row row = { 0 };

		scan_blanks(&line);
		if (scan_is_blank(&line) || scan_first(&line) == '#')
			continue;
		if (scan_literal(&line, "{")) {
			if (take_row(&line, keys, &row))
				*(struct hist_row *)arena_push(a, &rows, sizeof(row)) = row;
			else
				r->skipped++;
		} else if (scan_literal(&line, "Totals:")) {
			totals = true;
		} else if (scan_literal(&line, "Dropped:")) {
			scan_whole_number(&line, &out->dropped);
		}
	}
	out->rows = rows.items;
	out->n = rows.n;
	return totals ? 0 : -ENODATA;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_text.c - a report as text. Amounts of memory are bytes with a unit; "-" is not known.
 */
#include <inttypes.h>

#include "reclaimtop/units.h"

#include "report_print.h"

/* ---- reclaim --------------------------------------------------------------------------------- */

static void share_of_time(struct printer *p, const struct total *us)
{
	char cell[REPORT_CELL];

	table_cell(&p->t, units_percent(print_value(us), us->us > 0 ? (uint64_t)us->us : 0, cell,
					sizeof(cell)));
}

static void who_row(struct printer *p, const char *name, const struct total *scanned,
		    const struct total *stolen)
{
	const struct summary *s = p->r->sum;

	print_pages(p, scanned, "");
	print_pages(p, stolen, "");
	print_percent(p, stolen, &s->stolen_all);
	print_percent(p, stolen, scanned);
	table_cell(&p->t, name);
}

static void put_who(struct printer *p)
{
	static const struct column columns[] = {
		{ "scanned", false },    { "taken", false }, { "share", false },
		{ "of scanned", false }, { "by", true },
	};
	const struct summary *s = p->r->sum;

	print_headline(p, "Who reclaimed");
	table_begin(&p->t, columns, COUNT(columns));
	for (int who = 0; who < WHO_NR; who++)
		if (total_known(&s->scanned_by[who]) || total_known(&s->stolen_by[who]))
			who_row(p, reclaimer_name((enum reclaimer)who), &s->scanned_by[who],
				&s->stolen_by[who]);
	who_row(p, "all", &s->scanned_all, &s->stolen_all);
	table_end(&p->t, p->out);
	if (s->disagreements)
		buf_printf(p->out,
			   "  in %" PRIu32 " steps the sums by who and by what do not fit\n",
			   s->disagreements);
}

static void put_what(struct printer *p)
{
	static const struct column columns[] = {
		{ "scanned", false },   { "taken", false },     { "of scanned", false },
		{ "came back", false }, { "of taken", false },  { "promoted", false },
		{ "protected", false }, { "pages", true },
	};
	static const char *const names[] = { [TYPE_ANON] = "anonymous", [TYPE_FILE] = "file" };
	const struct summary *s = p->r->sum;

	print_headline(p, "What was reclaimed");
	table_begin(&p->t, columns, COUNT(columns));
	for (int type = 0; type < TYPE_NR; type++) {
		print_pages(p, &s->scanned[type], "");
		print_pages(p, &s->stolen[type], "");
		print_percent(p, &s->stolen[type], &s->scanned[type]);
		print_pages(p, &s->refaulted[type], "");
		print_percent(p, &s->refaulted[type], &s->stolen[type]);
		print_pages(p, &s->flow[type].promoted, s->flow[type].promoted.inferred ? "~" : "");
		print_pages(p, &s->flow[type].protected,
			    s->flow[type].protected.inferred ? "~" : "");
		table_cell(&p->t, names[type]);
	}
	table_end(&p->t, p->out);
}

static void put_swap(struct printer *p)
{
	static const struct column columns[] = {
		{ "in", false }, { "out", false }, { "of", true },
	};
	const struct summary *s = p->r->sum;

	print_headline(p, "Swap");
	table_begin(&p->t, columns, COUNT(columns));
	print_pages(p, &s->swapped_in, "");
	print_pages(p, &s->swapped_out, "");
	table_cell(&p->t, "swap");
	print_pages(p, &s->zswapped_in, "");
	print_pages(p, &s->zswapped_out, "");
	table_cell(&p->t, "zswap");
	table_end(&p->t, p->out);
}

/* ---- time lost ------------------------------------------------------------------------------- */

static void put_pressure(struct printer *p)
{
	static const struct column columns[] = {
		{ "some", false }, { "of time", false }, { "full", false }, { "of time", false },
		{ "waiting for", true },
	};
	static const char *const names[] = {
		[PSI_MEMORY] = "memory", [PSI_IO] = "I/O", [PSI_CPU] = "a CPU",
	};
	const struct summary *s = p->r->sum;

	print_headline(p, "Time lost");
	table_begin(&p->t, columns, COUNT(columns));
	for (int i = 0; i < PSI_NR; i++) {
		print_time(p, &s->stall[i].some_us);
		share_of_time(p, &s->stall[i].some_us);
		print_time(p, &s->stall[i].full_us);
		share_of_time(p, &s->stall[i].full_us);
		table_cell(&p->t, names[i]);
	}
	table_end(&p->t, p->out);
}

static void put_event(struct printer *p, const struct total *t, const struct peak *peak,
		      const char *what)
{
	char at[REPORT_CELL];

	print_count(p, print_value(t));
	if (peak && peak->rate > 0)
		table_printf(&p->t, "%.0f a second at %s", peak->rate,
			     print_when(p, peak->at, at, sizeof(at)));
	else
		table_cell(&p->t, "");
	table_cell(&p->t, what);
}

static void put_stalls(struct printer *p)
{
	static const struct column columns[] = {
		{ "events", false }, { "most", true }, { "of", true },
	};
	const struct summary *s = p->r->sum;

	print_headline(p, "Stalls");
	table_begin(&p->t, columns, COUNT(columns));
	put_event(p, &s->stalls, &s->most_stalls, "allocations that had to reclaim themselves");
	put_event(p, &s->compact_stalls, NULL, "allocations that had to compact");
	put_event(p, &s->vm[VM_pgmajfault], NULL, "faults that had to read");
	put_event(p, &s->oom_kills, NULL, "processes killed for lack of memory");
	table_end(&p->t, p->out);
}

/* ---- generations ----------------------------------------------------------------------------- */

static void put_generations(struct printer *p)
{
	const struct summary *s = p->r->sum;
	char at[3][REPORT_CELL];

	print_headline(p, "Generations");
	if (!total_known(&s->births)) {
		buf_str(p->out, "  not known: lru_gen was not read\n");
		return;
	}
	buf_printf(p->out, "  %" PRIu64 " opened, %" PRIu64 " seen to end", print_value(&s->births),
		   s->closed);
	for (unsigned int i = 0; i < 3; i++)
		units_age(summary_lifetime_ms(s, i * 500), at[i], sizeof(at[i]));
	if (s->closed)
		buf_printf(p->out, ": they lived %s to %s, half of them %s at the most", at[0],
			   at[2], at[1]);
	buf_str(p->out, "\n");
}

void report_text(const struct report *r, struct buf *out)
{
	struct printer p = { .r = r, .out = out, .page_size = r->sum->page_size };

	if (!p.page_size)
		p.page_size = 4096;
	print_head(&p);
	print_findings(&p);
	put_who(&p);
	put_what(&p);
	put_pressure(&p);
	put_stalls(&p);
	put_swap(&p);
	put_generations(&p);
	print_memcgs(&p);
	print_zones(&p);
	print_marks(&p);
	table_fini(&p.t);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_head.c - what a report is of: how long, of which kernels, and what is wrong with it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/units.h"

#include "report_print.h"

static int64_t whole_us(const struct summary *s)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->nsessions; i++)
		sum += s->sessions[i].last_us - s->sessions[i].first_us;
	return sum;
}

static void put_length(struct printer *p)
{
	const struct summary *s = p->r->sum;
	char whole[REPORT_CELL], part[REPORT_CELL];
	uint32_t sessions = s->nsessions + s->sessions_left_out;

	units_age(print_ms(whole_us(s)), whole, sizeof(whole));
	units_age(print_ms(s->covered_us), part, sizeof(part));
	buf_printf(p->out, "  %s in %" PRIu32 " session%s", whole, sessions,
		   print_plural(sessions));
	if (p->r->stretch->has_from || p->r->stretch->has_to)
		buf_printf(p->out, "; looked at: %s", part);
	buf_printf(p->out, ", %" PRIu64 " sample%s\n", s->samples, print_plural(s->samples));
}

static void put_sessions(struct printer *p)
{
	static const struct column columns[] = {
		{ "session", false }, { "start (UTC)", true }, { "length", false },
		{ "samples", false }, { "kernel", true },
	};
	const struct summary *s = p->r->sum;
	char cell[REPORT_CELL];

	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < s->nsessions; i++) {
		const struct session_total *one = &s->sessions[i];

		table_printf(&p->t, "%" PRIu32, one->session + 1);
		report_date(one->wall_us, cell, sizeof(cell));
		table_cell(&p->t, *cell ? cell : "-");
		table_cell(&p->t,
			   units_age(print_ms(one->last_us - one->first_us), cell, sizeof(cell)));
		print_count(p, one->samples);
		table_cell(&p->t, one->kernel ? one->kernel : "-");
	}
	table_end(&p->t, p->out);
}

static void put_gaps(struct printer *p)
{
	const struct summary *s = p->r->sum;
	uint32_t n = s->ngaps + s->gaps_left_out;
	char at[REPORT_CELL], dt[REPORT_CELL];

	if (n)
		buf_printf(p->out, "  %" PRIu32 " gap%s, together %s\n", n, print_plural(n),
			   units_age(print_ms(s->gap_us), dt, sizeof(dt)));
	for (uint32_t i = 0; i < s->ngaps && i < 8; i++)
		buf_printf(p->out, "    up to %s: %s, %s\n",
			   print_when(p, s->gaps[i].end, at, sizeof(at)),
			   units_age(print_ms(s->gaps[i].dt_us), dt, sizeof(dt)), s->gaps[i].why);
	if (s->resets)
		buf_printf(p->out, "  %" PRIu32 " time%s counters began anew within a session\n",
			   s->resets, print_plural(s->resets));
}

static void put_damage(struct printer *p)
{
	const struct recording_facts *f = &p->r->facts;

	if (f->damaged)
		buf_printf(p->out, "  %" PRIu32 " damaged line%s passed over\n", f->damaged,
			   print_plural(f->damaged));
	if (f->baseless)
		buf_printf(p->out,
			   "  %" PRIu32 " line%s of no use, as the line before is damaged\n",
			   f->baseless, print_plural(f->baseless));
	if (p->r->unreadable)
		buf_printf(p->out, "  %" PRIu64 " sample%s lost by that\n", p->r->unreadable,
			   print_plural(p->r->unreadable));
	if (f->torn_tail)
		buf_str(p->out, "  the last line is not whole\n");
	if (f->headless)
		buf_str(p->out, "  the first lines are missing\n");
}

/* Of a source that is never there one line says so; each other failure has its own. */
static void put_absent(struct printer *p)
{
	uint32_t n = 0;

	for (int i = 0; i < READ_NR; i++) {
		const struct reading_total *t = &p->r->sum->readings[i];

		if (!t->ok && t->failed && t->err == ENOENT)
			buf_printf(p->out, "%s%s", n++ ? ", " : "  not there: ",
				   source_infos[i].path);
	}
	if (n)
		buf_str(p->out, "\n");
}

static void put_failed(struct printer *p)
{
	for (int i = 0; i < READ_NR; i++) {
		const struct reading_total *t = &p->r->sum->readings[i];
		uint64_t torn = t->torn + t->cut;

		if (t->failed && (t->ok || t->err != ENOENT))
			buf_printf(p->out, "  %s could not be read in %" PRIu32 " sample%s: %s\n",
				   source_infos[i].path, t->failed, print_plural(t->failed),
				   t->err ? strerror(t->err) : "failed");
		if (torn)
			buf_printf(p->out, "  %s: %" PRIu64 " torn reading%s\n",
				   source_infos[i].path, torn, print_plural(torn));
	}
}

void print_head(struct printer *p)
{
	char cell[REPORT_CELL];

	buf_printf(p->out, "report of %s\n", p->r->path);
	put_length(p);
	buf_printf(p->out, "  page size %s\n", units_bytes(p->page_size, cell, sizeof(cell)));
	put_sessions(p);
	put_gaps(p);
	put_damage(p);
	put_absent(p);
	put_failed(p);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "reclaimtop/units.h"

#include "report_print.h"

void print_headline(struct printer *p, const char *text)
{
	buf_printf(p->out, "\n%s\n", text);
}

uint64_t print_ms(int64_t us)
{
	return us > 0 ? (uint64_t)us / 1000 : 0;
}

const char *print_when(const struct printer *p, struct summary_time at, char *out, size_t size)
{
	char age[REPORT_CELL];

	units_age(print_ms(at.since_us), age, sizeof(age));
	if (p->r->sum->nsessions > 1)
		snprintf(out, size, "%" PRIu32 ": %s", at.session + 1, age);
	else
		snprintf(out, size, "%s", age);
	return out;
}

uint64_t print_value(const struct total *t)
{
	if (!total_known(t))
		return UNKNOWN;
	return t->sum > 0 ? (uint64_t)t->sum : 0;
}

void print_pages(struct printer *p, const struct total *t, const char *mark)
{
	char cell[REPORT_CELL];

	units_pages(print_value(t), p->page_size, 0, cell, sizeof(cell));
	table_printf(&p->t, "%s%s", total_known(t) ? mark : "", cell);
}

void print_count(struct printer *p, uint64_t n)
{
	if (n == UNKNOWN)
		table_cell(&p->t, "-");
	else
		table_printf(&p->t, "%" PRIu64, n);
}

void print_percent(struct printer *p, const struct total *num, const struct total *den)
{
	char cell[REPORT_CELL];

	table_cell(&p->t, units_percent(print_value(num), print_value(den), cell, sizeof(cell)));
}

void print_time(struct printer *p, const struct total *us)
{
	char cell[REPORT_CELL];

	table_cell(&p->t, total_known(us) ? units_age(print_ms(us->sum), cell, sizeof(cell)) : "-");
}

const char *print_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

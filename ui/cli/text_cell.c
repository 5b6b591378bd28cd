/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "reclaimtop/units.h"

#include "text.h"

#define CELL 32

void text_bytes(struct text *t, uint64_t bytes)
{
	char cell[CELL];

	table_cell(&t->table, units_bytes(bytes, cell, sizeof(cell)));
}

/* A multiple of what may be no number. */
static uint64_t times(uint64_t value, uint64_t unit)
{
	return value >= UNLIMITED ? value : value * unit;
}

void text_pages(struct text *t, uint64_t pages)
{
	text_bytes(t, times(pages, t->page_size));
}

void text_kib(struct text *t, uint64_t kib)
{
	text_bytes(t, times(kib, 1024));
}

void text_number(struct text *t, uint64_t n)
{
	if (n >= UNLIMITED)
		table_cell(&t->table, n == UNKNOWN ? "-" : "max");
	else
		table_printf(&t->table, "%" PRIu64, n);
}

void text_age(struct text *t, uint64_t ms)
{
	char cell[CELL];

	table_cell(&t->table, units_age(ms, cell, sizeof(cell)));
}

void text_percent(struct text *t, uint64_t num, uint64_t den)
{
	char cell[CELL];

	table_cell(&t->table, units_percent(num, den, cell, sizeof(cell)));
}

void text_centi(struct text *t, uint64_t hundredths)
{
	char cell[CELL];

	table_cell(&t->table, units_centi(hundredths, cell, sizeof(cell)));
}

static const char *mark(struct amount a)
{
	return a.state == AMOUNT_INFERRED ? "~" : a.state == AMOUNT_GAP ? "^" : "";
}

static const char *sign(int64_t value)
{
	return value < 0 ? "-" : value ? "+" : "";
}

static uint64_t size_of(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void text_change(struct text *t, struct amount pages)
{
	char cell[CELL];

	if (!amount_known(pages)) {
		table_cell(&t->table, "-");
		return;
	}
	units_bytes(size_of(pages.value) * t->page_size, cell, sizeof(cell));
	table_printf(&t->table, "%s%s%s", mark(pages), sign(pages.value), cell);
}

/* Is there a rate of it? Without time between two samples there is none. */
static bool has_rate(const struct text *t, struct amount a)
{
	return amount_known(a) && t->f->step->dt_us > 0;
}

/* Bytes a second from an amount of things that are unit bytes each. */
static void put_byte_rate(struct text *t, struct amount a, uint64_t unit)
{
	int64_t tenths = amount_rate10(a, t->f->step->dt_us);
	char cell[CELL];

	if (!has_rate(t, a)) {
		table_cell(&t->table, "-");
		return;
	}
	units_bytes(size_of(tenths) * unit / 10, cell, sizeof(cell));
	table_printf(&t->table, "%s%s%s", mark(a), tenths < 0 ? "-" : "", cell);
}

void text_page_rate(struct text *t, struct amount pages)
{
	put_byte_rate(t, pages, t->page_size);
}

void text_byte_rate(struct text *t, struct amount bytes)
{
	put_byte_rate(t, bytes, 1);
}

void text_event_rate(struct text *t, struct amount events)
{
	uint64_t tenths = size_of(amount_rate10(events, t->f->step->dt_us));
	char cell[CELL];

	if (!has_rate(t, events))
		table_cell(&t->table, "-");
	else if (tenths < 1000)
		table_printf(&t->table, "%s%" PRIu64 ".%" PRIu64, mark(events), tenths / 10,
			     tenths % 10);
	else
		table_printf(&t->table, "%s%s", mark(events),
			     units_count(tenths / 10, cell, sizeof(cell)));
}

void text_share(struct text *t, struct amount us)
{
	char cell[CELL];

	if (has_rate(t, us))
		units_percent(size_of(us.value), (uint64_t)t->f->step->dt_us, cell, sizeof(cell));
	table_printf(&t->table, "%s%s", has_rate(t, us) ? mark(us) : "",
		     has_rate(t, us) ? cell : "-");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_events.c - sizes of drains and refills as the kernel's own events count them (--events).
 */
#include <inttypes.h>

#include "text.h"

static void size_rows(struct text *t, const char *name, enum bulk_way way)
{
	const struct events_step *ev = &t->f->step->events;

	for (uint32_t i = 0; i < ev->nsizes[way]; i++) {
		const struct bulk_size *size = &ev->sizes[way][i];

		table_cell(&t->table, name);
		text_number(t, size->pages);
		text_event_rate(t, size->times);
		text_number(t, size->total);
	}
}

static void put_state(struct text *t, const char *name, uint32_t state)
{
	if (state != SIZES_COUNTED)
		buf_printf(t->out, "sizes of %s are not counted: %s\n", name, sizes_state_why((enum sizes_state)state));
}

void text_events(struct text *t)
{
	static const struct column columns[] = {
		{ "of", true }, { "pages", false }, { "times", false }, { "since switched on", false },
	}, sums[] = {
		{ "", true }, { "times", false }, { "pages", false },
	};
	static const char *const names[BULK_NR] = { [BULK_DRAIN] = "drains", [BULK_REFILL] = "refills" };
	const struct events_step *ev = &t->f->step->events;

	if (!ev->counted)
		return;
	table_begin(&t->table, sums, 3);
	for (int way = 0; way < BULK_NR; way++) {
		table_cell(&t->table, names[way]);
		text_event_rate(t, ev->times[way]);
		text_page_rate(t, ev->pages[way]);
	}
	table_end(&t->table, t->out);
	table_begin(&t->table, columns, 4);
	for (int way = 0; way < BULK_NR; way++)
		size_rows(t, names[way], (enum bulk_way)way);
	table_end(&t->table, t->out);
	for (int way = 0; way < BULK_NR; way++)
		put_state(t, names[way], t->f->now->events.sizes[way]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageset_counted.c - sizes of single drains and refills, where the kernel's own events count them (--events), and why
 * they are not counted where they are not.
 */
#include <stdio.h>
#include <string.h>

#include "pagesets.h"

/* Sizes of all zones are measured by the largest batch of any: that of those in which nearly all of it happens. */
static uint64_t largest_batch(const struct step *st)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		for (uint32_t k = 0; k < z->npagesets; k++)
			if (z->pagesets[k].now->batch < UNLIMITED && z->pagesets[k].now->batch > most)
				most = z->pagesets[k].now->batch;
	}
	return most;
}

static bool put_counts(const struct frame *f, enum bulk_way way, struct size_row *out)
{
	static const struct size_row rows[BULK_NR] = {
		[BULK_DRAIN] = { .known = true, .name = "=▼drains", .metric = "drain size", .from = READ_EVENTS },
		[BULK_REFILL] = { .known = true, .name = "=▲refills", .metric = "refill size", .from = READ_EVENTS },
	};
	const struct events_step *ev = &f->step->events;
	uint64_t batch = largest_batch(f->step);

	if (!ev->counted || f->now->events.sizes[way] != SIZES_COUNTED || !batch)
		return false;
	*out = rows[way];
	for (uint32_t i = 0; i < ev->nsizes[way]; i++)
		if (ev->sizes[way][i].pages)
			out->times[heat_size(ev->sizes[way][i].pages, batch)] += ev->sizes[way][i].total;
	return true;
}

/* The words of what is not counted follow behind. */
static void put_before(struct sizes *s, const char *first, const char *why)
{
	char rest[320];

	snprintf(rest, sizeof(rest), "%.300s", s->words);
	snprintf(s->words, sizeof(s->words), "%s%s. %s", first, why, rest);
}

static void say_part(const struct frame *f, bool drains, struct sizes *s)
{
	enum bulk_way other = drains ? BULK_REFILL : BULK_DRAIN;

	snprintf(s->words, sizeof(s->words), "= %s of all zones, one by one, as the kernel's events count them since they "
		 "were switched on. %s are not counted: %s; that is how often counts %s, net.", drains ? "Drains" : "Refills",
		 drains ? "Refills" : "Drains", sizes_state_why((enum sizes_state)f->now->events.sizes[other]),
		 drains ? "rose" : "fell");
}

static void say_none(const struct frame *f, struct sizes *s)
{
	const struct reading *r = &f->now->readings[READ_EVENTS];

	if (r->state == READING_FAILED)
		put_before(s, "The kernel's events are not on: ", reading_why(READ_EVENTS, r->err));
	else if (r->state == READING_OK)
		put_before(s, "Single sizes are not counted: ",
			   sizes_state_why((enum sizes_state)f->now->events.sizes[BULK_DRAIN]));
	else if (f->live)
		put_before(s, "--events", " counts each drain and refill");
}

void counted_sizes(const struct frame *f, struct sizes *s)
{
	bool drains = put_counts(f, BULK_DRAIN, &s->rows[BULK_DRAIN]);
	bool refills = put_counts(f, BULK_REFILL, &s->rows[BULK_REFILL]);

	if (drains && refills)
		snprintf(s->words, sizeof(s->words), "= Drains and refills of all zones, one by one, as the kernel's events "
			 "count them since they were switched on.");
	else if (drains || refills)
		say_part(f, drains, s);
	else
		say_none(f, s);
}

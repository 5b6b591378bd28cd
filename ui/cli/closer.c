/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "closer.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"

#include "past.h"

struct closer {
	struct roll *roll;
	const struct notes *notes;
	struct heat *heat;
	uint64_t from, to, each;
	uint64_t next[HEAT_COLUMNS]; /* of each column, by its place: the sample to be read next */
	struct sample samples[2];
	unsigned int turn;
	bool has_before;
	uint64_t before_at;
	struct step step;
};

struct closer *closer_new(struct roll *roll, const struct notes *notes)
{
	struct closer *c = mem_alloc(sizeof(*c));

	memset(c, 0, sizeof(*c));
	c->roll = roll;
	c->notes = notes;
	return c;
}

void closer_free(struct closer *c)
{
	if (!c)
		return;
	heat_free(c->heat);
	arena_free(c->samples[0].arena);
	arena_free(c->samples[1].arena);
	arena_free(c->step.arena);
	free(c);
}

const struct heat *closer_heat(const struct closer *c)
{
	return c->each ? c->heat : NULL;
}

void closer_clear(struct closer *c)
{
	if (c->heat)
		heat_clear(c->heat, c->each);
	memset(c->next, 0, sizeof(c->next));
	c->has_before = false;
}

static void begin(struct closer *c)
{
	if (c->heat)
		return;
	c->heat = heat_new(c->each);
	c->samples[0].arena = arena_new();
	c->samples[1].arena = arena_new();
	c->step.arena = arena_new();
}

/* Columns that are not looked at any more give their places to others. */
static void let_go(struct closer *c)
{
	uint64_t first = c->heat->first, end = c->heat->end;

	heat_forget(c->heat, c->from, c->to);
	for (uint64_t k = first; k < end; k++)
		if (k < c->heat->first || k >= c->heat->end)
			c->next[k % HEAT_COLUMNS] = 0;
}

void closer_look(struct closer *c, uint64_t from, uint64_t to, uint64_t each)
{
	bool anew = each != c->each;

	c->each = each;
	if (!each)
		return;
	begin(c);
	c->from = from - from % each;
	c->to = to > c->from + each * HEAT_COLUMNS ? c->from + each * HEAT_COLUMNS : to;
	if (anew || c->heat->span != each)
		closer_clear(c);
	else
		let_go(c);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool comparable(const struct closer *c, uint64_t i)
{
	const struct roll *r = c->roll;
	const struct sample *before = &c->samples[!c->turn], *now = &c->samples[c->turn];

	return c->has_before && past_comparable(before, r->ops->session(r, c->before_at), now,
						r->ops->session(r, i));
}

/* The sample before a step, where it was not just read. As far back as a few damaged ones. */
static void read_before(struct closer *c, uint64_t i)
{
	uint64_t first = c->roll->ops->first(c->roll);

	if (c->has_before && c->before_at + 1 == i)
		return;
	c->has_before = false;
	for (int tries = 4; tries && i > first && !c->has_before; tries--) {
		i--;
		c->has_before = !c->roll->ops->read(c->roll, i, &c->samples[!c->turn]);
		c->before_at = i;
	}
}

static void take(struct closer *c, uint64_t i)
{
	const struct note *note = notes_at(c->notes, i);

	read_before(c, i);
	if (c->roll->ops->read(c->roll, i, &c->samples[c->turn])) {
		heat_blank(c->heat, i);
		return;
	}
	step_make(comparable(c, i) ? &c->samples[!c->turn] : NULL, &c->samples[c->turn], &c->step);
	heat_add(c->heat, i, &c->step, note ? note->moments : 0);
	c->has_before = true;
	c->before_at = i;
	c->turn = !c->turn;
}

/* The first sample of what is looked at that was not read. */
static bool next_sample(struct closer *c, uint64_t *out)
{
	uint64_t first = c->roll->ops->first(c->roll), end = c->roll->ops->end(c->roll);

	end = end < c->to ? end : c->to;
	for (uint64_t k = c->from / c->each; k * c->each < end; k++) {
		uint64_t *next = &c->next[k % HEAT_COLUMNS], last = (k + 1) * c->each;

		*next = *next < k * c->each ? k * c->each : *next;
		*next = *next < first ? first : *next;
		if (*next < last && *next < end) {
			*out = (*next)++;
			return true;
		}
	}
	return false;
}

bool closer_work(struct closer *c, int64_t until_us)
{
	uint64_t i;

	if (!c->each || c->from >= c->to)
		return false;
	do {
		if (!next_sample(c, &i))
			return false;
		take(c, i);
	} while (clock_mono_us() < until_us);
	return true;
}

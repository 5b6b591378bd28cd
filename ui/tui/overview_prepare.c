/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview_prepare.c - what the Overview reckons once a frame: sums by place, the memcgs that moved most, trends.
 */
#include "overview.h"

#include <string.h>

#include "reclaimtop/names.h"

/*
 * Counts hold the children's. A parent whose child has nearly all of it is left out, and so is a child that is only a small
 * part of what its parent shows already.
 */
static bool repeats(const struct memcg_step *a, int64_t va, const struct memcg_step *b, int64_t vb)
{
	return name_is_within(b->path, a->path) && vb >= va - va / 10;
}

struct ranking {
	const struct memcg_step **list;
	uint32_t *n;
	int64_t (*value)(const struct memcg_step *m);
};

static void take_out(struct ranking *r, uint32_t i)
{
	for (--*r->n; i < *r->n; i++)
		r->list[i] = r->list[i + 1];
}

static void put_in(struct ranking *r, const struct memcg_step *m, int64_t value)
{
	uint32_t i = *r->n < OVERVIEW_TOP ? (*r->n)++ : OVERVIEW_TOP - 1;

	for (; i && r->value(r->list[i - 1]) < value; i--)
		r->list[i] = r->list[i - 1];
	r->list[i] = m;
}

static void rank(struct ranking *r, const struct memcg_step *m)
{
	int64_t value = r->value(m);

	if (value <= 0 || (*r->n == OVERVIEW_TOP && r->value(r->list[*r->n - 1]) >= value))
		return;
	for (uint32_t i = 0; i < *r->n; i++)
		if (repeats(m, value, r->list[i], r->value(r->list[i])))
			return;
	for (uint32_t i = *r->n; i-- > 0;)
		if (repeats(r->list[i], r->value(r->list[i]), m, value))
			take_out(r, i);
	put_in(r, m, value);
}

static int64_t value_lost(const struct memcg_step *m)
{
	return amount_known(m->lost) ? m->lost.value : 0;
}

static int64_t value_back(const struct memcg_step *m)
{
	return amount_known(m->refaulted) ? m->refaulted.value : 0;
}

static int64_t value_large(const struct memcg_step *m)
{
	if (m->now && m->now->current < UNLIMITED)
		return (int64_t)(m->now->current >> 10);
	return 0;
}

static void rank_memcgs(struct overview *o, const struct step *st)
{
	struct ranking lost = { o->lost, &o->nlost, value_lost };
	struct ranking back = { o->back, &o->nback, value_back };
	struct ranking large = { o->large, &o->nlarge, value_large };

	o->nlost = o->nback = o->nlarge = 0;
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];

		if (!strcmp(m->path, "/"))
			continue;
		rank(&lost, m);
		rank(&back, m);
		rank(&large, m);
	}
}

void overview_prepare(struct tui *t)
{
	struct overview *o = t->state[VIEW_OVERVIEW];
	const struct step *st = t->frame.step;

	places_clear(&o->places);
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		places_add(&o->places, &st->lruvecs[i]);
	rank_memcgs(o, st);
	o->nzones = 0;
	for (uint32_t i = 0; i < st->nzones; i++)
		o->nzones += st->zones[i].level != ZONE_EMPTY;
	if (!t->paused || !o->nsteps)
		overview_look_back(o, t->frame.window);
}

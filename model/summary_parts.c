/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_parts.c - a summary's rows: zones, memcgs, and the generations within them.
 */
#include <stddef.h>
#include <string.h>

#include "model/summing.h"

/* A recording may lack a name; then there is none. */
static const char *or_empty(const char *name)
{
	return name ? name : "";
}

/* --- zones --- */

static bool is_zone(const struct zone_total *t, const struct zone *z)
{
	return t->node == z->node && !strcmp(t->name, or_empty(z->name));
}

/* Zones stand in the same order from sample to sample, so the search starts at the hint. */
static struct zone_total *zone_row(struct summary *s, const struct zone *z, uint32_t hint)
{
	if (hint < s->nzones && is_zone(&s->zones[hint], z))
		return &s->zones[hint];
	for (uint32_t i = 0; i < s->nzones; i++)
		if (is_zone(&s->zones[i], z))
			return &s->zones[i];
	if (s->nzones == SUMMARY_ZONES)
		return NULL;
	s->zones = summing_room(s->zones, s->nzones, &s->own->cap_zones, sizeof(*s->zones));
	s->zones[s->nzones] = (struct zone_total){
		.node = z->node, .name = arena_str(s->own->names, or_empty(z->name)),
	};
	return &s->zones[s->nzones++];
}

static struct amount of_all_cpus(const struct zone_step *z, size_t member)
{
	struct amount sum = { .state = AMOUNT_MISSING, .scope = SCOPE_NODE };

	for (uint32_t i = 0; i < z->npagesets; i++)
		sum = summing_more(
			sum, *(const struct amount *)((const char *)&z->pagesets[i] + member));
	return sum;
}

static void add_zone(struct zone_total *t, const struct zone_step *z, int64_t dt_us)
{
	summing_total(&t->went, of_all_cpus(z, offsetof(struct pageset_step, went)), dt_us);
	summing_total(&t->came, of_all_cpus(z, offsetof(struct pageset_step, came)), dt_us);
	summing_gauge(&t->free, z->now->free);
	if (z->npagesets)
		summing_gauge(&t->pagesets, z->pageset_pages);
	summing_gauge(&t->stranded, z->stranded);
	t->level_us[z->level] += dt_us;
}

void summing_zones(struct summary *s, const struct step *st)
{
	uint64_t stranded = 0;

	for (uint32_t i = 0; i < st->nzones; i++) {
		struct zone_total *t = zone_row(s, st->zones[i].now, i);

		if (st->zones[i].stranded != UNKNOWN)
			stranded += st->zones[i].stranded;
		if (t)
			add_zone(t, &st->zones[i], st->dt_us);
	}
	summing_gauge(&s->stranded, st->nzones ? stranded : UNKNOWN);
}

/* --- memcgs --- */

#define SLOTS (2 * SUMMARY_MEMCGS)

static uint32_t hash(const char *text, bool dying)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ dying;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ h >> 32);
}

/* The row of a memcg, made where there is none; NULL where there is no room. */
static struct memcg_total *memcg_row(struct summary *s, const char *path, bool dying)
{
	struct summing *own = s->own;
	uint32_t slot = hash(path, dying) % SLOTS;

	for (; own->slots[slot]; slot = (slot + 1) % SLOTS) {
		struct memcg_total *t = &s->memcgs[own->slots[slot] - 1];

		if (t->dying == dying && !strcmp(t->path, path))
			return t;
	}
	if (s->nmemcgs == SUMMARY_MEMCGS) {
		s->memcgs_left_out++;
		return NULL;
	}
	s->memcgs = summing_room(s->memcgs, s->nmemcgs, &own->cap_memcgs, sizeof(*s->memcgs));
	s->memcgs[s->nmemcgs] = (struct memcg_total){
		.path = arena_str(own->names, path), .dying = dying,
	};
	own->slots[slot] = ++s->nmemcgs;
	return &s->memcgs[s->nmemcgs - 1];
}

#define SAME(member) { offsetof(struct memcg_step, member), offsetof(struct memcg_total, member) }

static const struct {
	size_t from, to;
} pairs[] = {
	SAME(evicted), SAME(refaulted), SAME(lost), SAME(swapped_in), SAME(swapped_out),
	SAME(major_faults), SAME(stalled_us), SAME(oom_kills), SAME(max_hits), SAME(high_hits),
};

static void add_memcg(struct memcg_total *t, const struct memcg_step *m, int64_t dt_us)
{
	struct amount births = { .state = AMOUNT_MISSING };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const void *from = (const char *)m + pairs[i].from;
		void *to = (char *)t + pairs[i].to;

		summing_total(to, *(const struct amount *)from, dt_us);
	}
	for (uint32_t i = 0; i < m->nlruvecs; i++)
		births = summing_more(births, m->lruvecs[i]->births);
	summing_total(&t->births, births, dt_us);
	if (m->now && !m->vanished)
		summing_gauge(&t->current, m->now->current);
}

void summing_memcgs(struct summary *s, const struct step *st)
{
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		struct memcg_total *t = memcg_row(s, or_empty(m->path), m->dying);

		if (t)
			add_memcg(t, m, st->dt_us);
	}
}

/* --- generations --- */

#define NO_END (ARTEFACT_SWITCHED | ARTEFACT_ID_REUSED | ARTEFACT_TORN)

/* Did its oldest generations end, and not the lruvec with all of them, or our sight of it? */
static bool ended_well(const struct lruvec_step *l)
{
	unsigned int artefacts = l->flow[TYPE_ANON].artefacts | l->flow[TYPE_FILE].artefacts;

	return l->now && l->before && l->now->ngens && !(artefacts & NO_END);
}

static void add_lifetimes(struct summary *s, const struct lruvec_step *l)
{
	for (uint32_t i = 0; i < l->ngens; i++) {
		if (!l->gens[i].left || l->gens[i].age_ms == UNKNOWN)
			continue;
		tally_add(&s->own->lifetimes, l->gens[i].age_ms);
		s->closed++;
	}
}

void summing_gens(struct summary *s, const struct step *st)
{
	struct amount walked = { .state = AMOUNT_MISSING };

	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		walked = summing_more(walked, st->lruvecs[i].walked);
		if (ended_well(&st->lruvecs[i]))
			add_lifetimes(s, &st->lruvecs[i]);
	}
	summing_total(&s->walked, walked, st->dt_us);
}

uint64_t summary_lifetime_ms(const struct summary *s, unsigned int permille)
{
	return tally_at(&s->own->lifetimes, permille);
}

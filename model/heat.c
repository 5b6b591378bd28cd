/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/heat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat_rows.h"

#define SECONDS(s) (UINT64_C(1000) * (s))

const uint64_t heat_ages_ms[HEAT_AGES] = {
	0,
	500,
	SECONDS(1),
	SECONDS(2),
	SECONDS(3),
	SECONDS(5),
	SECONDS(7),
	SECONDS(10),
	SECONDS(15),
	SECONDS(20),
	SECONDS(30),
	SECONDS(45),
	SECONDS(60),
	SECONDS(120),
	SECONDS(180),
	SECONDS(300),
	SECONDS(600),
	SECONDS(1200),
	SECONDS(1800),
	SECONDS(3600),
	SECONDS(7200),
	SECONDS(18000),
	SECONDS(43200),
	SECONDS(86400),
};

int heat_age(uint64_t age_ms)
{
	int class = HEAT_AGES - 1;

	while (class && age_ms < heat_ages_ms[class])
		class --;
	return class;
}

int heat_size(uint64_t pages, uint64_t batch)
{
	int class = 0;

	while (class < HEAT_SIZES - 1 && pages > batch << class)
		class ++;
	return class;
}

/* --- what a step adds --- */

/* An amount of a flow; what went back counts as nothing. */
static void add_amount(struct heat_row *row, uint64_t slot, struct amount a, int64_t over)
{
	heat_row_grow(row, true);
	row->sum[slot] += a.value > 0 ? (uint64_t)a.value : 0;
	row->over[slot] += (uint64_t)over;
}

static void add_flows(struct heat *h, struct heat_memcg *m, uint64_t slot,
		      const struct heat_flows *f)
{
	for (int i = 0; i < HEAT_FLOW_NR; i++) {
		if (!amount_known(f->flow[i]))
			continue;
		add_amount(&m->row[i], slot, f->flow[i], m->step[i] == h->steps ? 0 : f->dt_us);
		m->step[i] = h->steps;
	}
	m->total += heat_weight(f);
}

static void add_machine(struct heat *h, uint64_t slot, const struct step *st)
{
	const struct reclaim *r = &st->reclaim;
	struct heat_flows f = { .dt_us = st->dt_us };

	f.flow[HEAT_EVICTED] = r->stolen_all;
	f.flow[HEAT_REFAULTED] = amount_add(r->refaulted[TYPE_ANON], r->refaulted[TYPE_FILE]);
	f.flow[HEAT_STALLED] = st->stall[PSI_MEMORY].some_us;
	add_flows(h, h->machine, slot, &f);
}

static void add_memcgs(struct heat *h, uint64_t slot, const struct step *st)
{
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		struct heat_flows f = { .dt_us = st->dt_us };

		f.flow[HEAT_EVICTED] = m->evicted;
		f.flow[HEAT_REFAULTED] = m->refaulted;
		f.flow[HEAT_STALLED] = m->stalled_us;
		add_flows(h, heat_memcg_of(h, m->path, &f), slot, &f);
	}
}

static void add_ages(struct heat *h, uint64_t slot, const struct step *st)
{
	const struct sample *s = st->now;

	if (!s->nlruvecs)
		return;
	h->age_over[slot]++;
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		for (uint32_t g = 0; g < s->lruvecs[i].ngens; g++) {
			const struct gen *gen = &s->lruvecs[i].gens[g];

			for (int type = 0; type < TYPE_NR; type++) {
				struct heat_row *row = &h->ages[type][heat_age(gen->age_ms)];

				if (gen->pages[type] == UNKNOWN || !gen->pages[type])
					continue;
				heat_row_grow(row, false);
				row->sum[slot] += gen->pages[type];
			}
		}
}

static void add_pageset(struct heat *h, uint64_t slot, const struct pageset *set)
{
	struct heat_row *row;

	if (set->count == UNKNOWN || set->high == UNKNOWN || !set->high)
		return;
	while (set->cpu / h->cpus_each >= HEAT_CPUS)
		heat_fold_cpus(h);
	row = &h->cpus[set->cpu / h->cpus_each];
	heat_row_grow(row, true);
	row->sum[slot] += set->count;
	row->over[slot] += set->high;
}

static struct heat_zone *zone_of(struct heat *h, const struct zone *z)
{
	for (uint32_t i = 0; i < h->nzones; i++)
		if (h->zones[i].node == z->node && !strcmp(h->zones[i].name, z->name))
			return &h->zones[i];
	if (h->nzones == HEAT_ZONES || strlen(z->name) >= sizeof(h->zones[0].name))
		return NULL;
	h->zones[h->nzones] = (struct heat_zone){ .node = z->node };
	snprintf(h->zones[h->nzones].name, sizeof(h->zones[0].name), "%s", z->name);
	return &h->zones[h->nzones++];
}

static void add_size(struct heat_zone *z, const struct pageset_step *set)
{
	int64_t net = set->change.value;
	uint64_t batch = set->now->batch;

	if (!z || !amount_known(set->change) || batch == UNKNOWN || !batch)
		return;
	if (!net)
		z->still++;
	else if (net < 0)
		z->drains[heat_size((uint64_t)-net, batch)]++;
	else
		z->refills[heat_size((uint64_t)net, batch)]++;
}

static void add_zones(struct heat *h, uint64_t slot, const struct step *st)
{
	for (uint32_t i = 0; i < st->nzones; i++) {
		struct heat_zone *z = st->zones[i].npagesets ? zone_of(h, st->zones[i].now) : NULL;

		for (uint32_t k = 0; k < st->zones[i].npagesets; k++) {
			add_pageset(h, slot, st->zones[i].pagesets[k].now);
			add_size(z, &st->zones[i].pagesets[k]);
		}
	}
}

static void note_column(struct heat_column *c, uint64_t i, const struct step *st,
			unsigned int moments)
{
	struct amount stolen = st->reclaim.stolen_all;

	if (!c->seen || i < c->earliest) {
		c->earliest = i;
		c->mono_us = st->now->mono_us;
		c->wall_us = st->now->wall_us;
	}
	c->seen++;
	c->moments |= moments;
	if (amount_known(stolen) && st->dt_us > 0 && stolen.value >= 0) {
		uint64_t pages_s = (uint64_t)((double)stolen.value * 1e6 / (double)st->dt_us);

		c->pages_s = c->pages_s == UNKNOWN || pages_s > c->pages_s ? pages_s : c->pages_s;
	}
}

void heat_add(struct heat *h, uint64_t i, const struct step *st, unsigned int moments)
{
	uint64_t slot = heat_open(h, i);

	h->steps++;
	note_column(&h->columns[slot], i, st, moments);
	add_ages(h, slot, st);
	add_zones(h, slot, st);
	if (st->dt_us <= 0)
		return;
	add_machine(h, slot, st);
	add_memcgs(h, slot, st);
}

void heat_blank(struct heat *h, uint64_t i)
{
	h->columns[heat_open(h, i)].seen++;
}

/* --- what others read --- */

const struct heat_column *heat_column(const struct heat *h, uint64_t k)
{
	const struct heat_column *c = &h->columns[k % HEAT_COLUMNS];

	return k >= h->first && k < h->end && c->seen ? c : NULL;
}

bool heat_get(const struct heat *h, const struct heat_row *row, uint64_t k, struct heat_cell *out)
{
	uint64_t slot = k % HEAT_COLUMNS;

	*out = (struct heat_cell){ 0, 0 };
	if (!heat_column(h, k) || !row->over)
		return false;
	out->sum = row->sum ? row->sum[slot] : 0;
	out->over = row->over[slot];
	return out->over != 0;
}

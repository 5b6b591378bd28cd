/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * brief.c - a step in a fixed size.
 */
#include "reclaimtop/diagnosis.h"

/*
 * What is known of an amount, without a sign: a count is none, a gauge's change is not asked for
 * here.
 */
static uint64_t known(struct amount a)
{
	if (!amount_known(a))
		return UNKNOWN;
	return a.value < 0 ? 0 : (uint64_t)a.value;
}

static uint64_t free_pages(const struct step *st)
{
	uint64_t sum = counters_get(&st->now->vmstat, VM_nr_free_pages);

	if (sum != UNKNOWN)
		return sum;
	for (uint32_t i = 0; i < st->nzones; i++)
		if (st->zones[i].now->free != UNKNOWN)
			sum = sum == UNKNOWN ? st->zones[i].now->free
					     : sum + st->zones[i].now->free;
	return sum;
}

static uint64_t pageset_pages(const struct step *st)
{
	uint64_t sum = st->nzones ? 0 : UNKNOWN;

	for (uint32_t i = 0; i < st->nzones; i++)
		sum += st->zones[i].pageset_pages;
	return sum;
}

/*
 * cgroup.stat of the root counts them; nr_dying_subsys_memory since 6.12. Else those that lru_gen
 * shows.
 */
static uint64_t dying(const struct step *st)
{
	const struct memcg_step *root = step_memcg(st, "/");
	uint64_t n = UNKNOWN;

	if (root && root->now)
		n = counters_get(&root->now->cgroup, CS_nr_dying_subsys_memory);
	if (n == UNKNOWN && root && root->now)
		n = counters_get(&root->now->cgroup, CS_nr_dying_descendants);
	if (n != UNKNOWN || !st->nlruvecs)
		return n;
	n = 0;
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		n += st->memcgs[i].dying && !st->memcgs[i].vanished;
	return n;
}

static enum zone_level worst_level(const struct step *st)
{
	const struct zone_step *z = step_pressed_zone(st);

	if (!z)
		return ZONE_UNKNOWN;
	/* A tiny zone is named only where no other is pressed. */
	return z->tiny ? ZONE_ABOVE_HIGH : z->level;
}

void brief_make(const struct step *st, struct brief *out)
{
	const struct reclaim *r = &st->reclaim;

	*out = (struct brief){ .t_us = st->now->mono_us, .dt_us = st->dt_us };
	out->state = (uint8_t)st->state;
	for (int who = 0; who < WHO_NR; who++)
		out->stolen_by[who] = known(r->stolen_by[who]);
	for (int type = 0; type < TYPE_NR; type++) {
		out->stolen[type] = known(r->stolen[type]);
		out->scanned[type] = known(r->scanned[type]);
		out->refaulted[type] = known(r->refaulted[type]);
	}
	out->scanned_all = known(r->scanned_all);
	out->swapped_in = known(r->swapped_in);
	out->swapped_out = known(r->swapped_out);
	out->zswapped_in = known(r->zswapped_in);
	out->zswapped_out = known(r->zswapped_out);
	out->stalls = known(r->stalls);
	out->oom_kills = known(r->oom_kills);
	out->births = known(st->births);
	out->stall_some_us = known(st->stall[PSI_MEMORY].some_us);
	out->stall_full_us = known(st->stall[PSI_MEMORY].full_us);
	out->free_pages = free_pages(st);
	out->pageset_pages = pageset_pages(st);
	out->dying = dying(st);
	out->worst_level = (uint8_t)worst_level(st);
}

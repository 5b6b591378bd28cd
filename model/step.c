/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step.c - what happened between two samples: the frame. The parts are in files of their own.
 */
#include "reclaimtop/step.h"

#include <string.h>

#include "model/keyed.h"
#include "model/stepping.h"

/* A tick may be late by as much as this before its step is called a gap. */
#define LATE_US 100000
#define SLEPT_US 100000

/* Larger than any kernel can be built for: CONFIG_NR_CPUS, CONFIG_NODES_SHIFT. */
#define MOST_CPUS 65536
#define MOST_NODES 65536

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

/* Why nothing in now may be compared with before, NULL where it may. */
static const char *why_reset(const struct sample *before, const struct sample *now)
{
	const struct machine *was = &before->machine, *is = &now->machine;

	if (now->restart)
		return "the player started again";
	if (differ(was->boot_id, is->boot_id))
		return "the machine was started anew";
	if (differ(was->kernel, is->kernel))
		return "another kernel";
	if (was->page_size && is->page_size && was->page_size != is->page_size)
		return "another page size";
	if (now->mono_us < before->mono_us)
		return "time went back";
	return NULL;
}

static const char *why_gap(const struct sample *before, const struct sample *now)
{
	int64_t dt = now->mono_us - before->mono_us;

	if (before->slept_us && now->slept_us - before->slept_us > SLEPT_US)
		return "the machine slept";
	if (now->interval_us > 0 && (dt - LATE_US + 1) / 2 > now->interval_us)
		return "samples are missing";
	return NULL;
}

static void judge(const struct sample *before, const struct sample *now, struct step *out)
{
	const char *why;

	out->state = STEP_FIRST;
	out->why = "";
	if (!before)
		return;
	why = why_reset(before, now);
	if (why) {
		out->state = STEP_RESET;
		out->why = why;
		return;
	}
	why = why_gap(before, now);
	out->state = why ? STEP_GAP : STEP_OK;
	out->why = why ? why : "";
	out->dt_us = now->mono_us - before->mono_us;
}

/*
 * The largest number of CPUs that anything speaks of: what is counted per CPU is uncertain by a
 * share of it.
 */
static uint32_t count_cpus(const struct sample *s)
{
	uint32_t cpus = 1;

	if (s->machine.cpus && s->machine.cpus <= MOST_CPUS)
		cpus = (uint32_t)s->machine.cpus;
	for (uint32_t i = 0; i < s->nzones; i++)
		if (s->zones[i].npagesets > cpus)
			cpus = s->zones[i].npagesets;
	return cpus;
}

static uint32_t count_nodes(const struct sample *s)
{
	uint64_t nodes = s->machine.nodes;

	if (nodes > MOST_NODES || nodes < s->nnodes)
		nodes = s->nnodes < MOST_NODES ? s->nnodes : MOST_NODES;
	return nodes ? (uint32_t)nodes : 1;
}

void step_make_withheld(const struct sample *before, const struct sample *now,
			unsigned int withheld, struct step *out)
{
	struct arena *arena = out->arena;
	struct stepping s = { .now = now, .out = out, .arena = arena, .withheld = withheld };

	arena_reset(arena);
	*out = (struct step){ .arena = arena, .before = before, .now = now };
	judge(before, now, out);
	s.before = out->state == STEP_RESET ? NULL : before;
	s.none = out->state == STEP_RESET ? AMOUNT_RESET : AMOUNT_FIRST;
	s.cpus = count_cpus(now);
	s.nodes = count_nodes(now);
	stepping_vm(&s);
	stepping_processes(&s);
	stepping_reclaim(&s);
	stepping_zones(&s);
	stepping_nodes(&s);
	stepping_events(&s);
	stepping_lruvecs(&s);
	stepping_memcgs(&s);
}

void step_make(const struct sample *before, const struct sample *now, struct step *out)
{
	step_make_withheld(before, now, 0, out);
}

const struct memcg_step *step_memcg(const struct step *st, const char *path)
{
	const struct memcg_step *found = NULL;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];

		if (!keyed_same(m->path, path))
			continue;
		if (!m->dying && !m->vanished)
			return m;
		if (!found)
			found = m;
	}
	return found;
}

const struct lruvec_step *step_lruvec(const struct step *st, const char *path, uint64_t id,
				      uint32_t node)
{
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		const struct lruvec_step *l = &st->lruvecs[i];
		const struct lruvec *v = l->now ? l->now : l->before;

		if (v->memcg == id && v->node == node && keyed_same(v->path, path))
			return l;
	}
	return NULL;
}

int step_fault_place(const struct machine *m)
{
	return m->version && m->version < 61400 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow.c - the lruvecs of a step: paired, their rows side by side, their flows, and the sums over
 * all.
 */
#include "model/flow.h"

#include <stddef.h>

#include "model/lineage.h"

/* Artefacts after which what lru_gen_full counted still holds: the counts do not look at rows. */
#define COUNTS_HOLD ARTEFACT_HISTORY_LOST

/* The amounts of a flow that are summed over lruvecs. */
static const size_t summed[] = {
	offsetof(struct type_flow, in_young), offsetof(struct type_flow, in_old),
	offsetof(struct type_flow, promoted), offsetof(struct type_flow, protected),
	offsetof(struct type_flow, evicted), offsetof(struct type_flow, gone),
	offsetof(struct type_flow, refaulted),
};

static struct amount *amount_at(struct type_flow *f, size_t offset)
{
	return (struct amount *)(void *)((char *)f + offset);
}

static bool is_off(const struct sample *s)
{
	return s->machine.mglru != UNKNOWN && !(s->machine.mglru & MGLRU_CORE);
}

static int64_t oldest_pages(const struct lruvec *v, enum page_type type)
{
	for (uint32_t i = 0; i + 1 < v->ngens; i++)
		if (v->gens[i].pages[type])
			return amount_from(v->gens[i].pages[type]);
	return 0;
}

static void begin(const struct stepping *s, struct lruvec_work *w, enum page_type type)
{
	const struct lruvec *was = w->step->before, *is = w->step->now;
	unsigned int artefacts = w->step->flow[type].artefacts;
	struct type_work *t = &w->types[type];

	if (!s->before || !is || is_off(s->before) || is_off(s->now))
		return;
	if (s->out->rows_apart)
		return;
	t->shares = true;
	t->oldest = oldest_pages(is, type);
	if (!was)
		return;
	t->net = amount_from(gens_sum(is, type)) - amount_from(gens_sum(was, type));
	t->open = !artefacts;
	if (!(artefacts & ~COUNTS_HOLD) && !(s->withheld & WITHHELD_FULL))
		t->fold = fold_make(was, is, type, s->now->machine.version);
}

static const struct lruvec *before_at(const struct stepping *s, uint32_t at)
{
	return at == KEYED_NONE ? NULL : &s->before->lruvecs[at];
}

/* Those of now in their order, then those that are no more. */
static void put_lruvecs(struct stepping *s, const struct lineage *kin)
{
	struct step *st = s->out;
	uint32_t nwas = s->before ? s->before->nlruvecs : 0, gone = 0;

	for (uint32_t i = 0; i < nwas; i++)
		gone += !kin->survived[i];
	st->lruvecs = arena_alloc(s->arena, ((size_t)s->now->nlruvecs + gone) *
				  sizeof(*st->lruvecs));
	for (uint32_t i = 0; i < s->now->nlruvecs; i++)
		gens_make(s, before_at(s, kin->before_of[i]), &s->now->lruvecs[i],
			  &st->lruvecs[st->nlruvecs++]);
	for (uint32_t i = 0; i < nwas; i++)
		if (!kin->survived[i])
			gens_make(s, &s->before->lruvecs[i], NULL, &st->lruvecs[st->nlruvecs++]);
}

/* --- sums --- */

/* What is not known of one leaves the sum of the others as it is. */
static void add_flow(struct type_flow *to, struct type_flow *from)
{
	for (size_t a = 0; a < sizeof(summed) / sizeof(summed[0]); a++) {
		const struct amount *part = amount_at(from, summed[a]);
		struct amount *sum = amount_at(to, summed[a]);

		if (amount_known(*part))
			*sum = amount_add(*sum, *part);
	}
	to->artefacts |= from->artefacts;
}

static void sum_flows(const struct stepping *s, const struct lruvec_work *work,
		      enum page_type type, struct type_flow *out)
{
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		add_flow(out, &work[i].step->flow[type]);
	for (size_t a = 0; a < sizeof(summed) / sizeof(summed[0]); a++) {
		struct amount *to = amount_at(out, summed[a]);

		if (to->state == AMOUNT_MISSING && !s->before && s->out->nlruvecs)
			to->state = (uint8_t)s->none;
		to->scope = SCOPE_MACHINE;
	}
}

/* What the flows leave unsaid of the change of all rows that could be compared. */
static struct amount rest_of(const struct stepping *s, const struct lruvec_work *work,
			     enum page_type type, const struct type_flow *f)
{
	struct amount rest = { .state = f->gone.state, .scope = SCOPE_MACHINE };
	int64_t value = 0, range[3];

	if (!amount_known(f->gone) || !amount_known(f->evicted))
		return rest;
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		if (work[i].types[type].open)
			value = amount_sum64(value, work[i].types[type].net);
	value = amount_sum64(value, f->evicted.value);
	value = amount_sum64(value, f->gone.value);
	value = amount_sum64(value, -f->in_young.value);
	value = amount_sum64(value, -f->in_old.value);
	range[0] = value < 0 ? value : 0;
	range[1] = value;
	range[2] = value > 0 ? value : 0;
	return stepping_inferred(s, range, SCOPE_MACHINE);
}

static void sum_machine(struct stepping *s, const struct lruvec_work *work)
{
	struct step *st = s->out;

	for (int type = 0; type < TYPE_NR; type++) {
		struct type_flow *f = &st->flow[type];
		struct amount stolen = st->reclaim.stolen[type];

		sum_flows(s, work, (enum page_type)type, f);
		if (stolen.state != AMOUNT_MISSING && !(s->withheld & WITHHELD_STOLEN))
			f->evicted = stolen;
		if (st->reclaim.refaulted[type].state != AMOUNT_MISSING)
			f->refaulted = st->reclaim.refaulted[type];
		f->unexplained = rest_of(s, work, (enum page_type)type, f);
	}
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		if (amount_known(st->lruvecs[i].births))
			st->births = amount_add(st->births, st->lruvecs[i].births);
	if (st->births.state == AMOUNT_MISSING && !s->before && st->nlruvecs)
		st->births.state = (uint8_t)s->none;
	st->births.scope = SCOPE_MACHINE;
}

void stepping_lruvecs(struct stepping *s)
{
	struct lineage kin = lineage_make(s->before, s->now, s->arena);
	struct lruvec_work *work;

	s->out->rows_apart = sample_rows_are_kept(s->now) ||
			     (s->before && sample_rows_are_kept(s->before));
	put_lruvecs(s, &kin);
	artefacts_find(s, kin.reused);
	work = arena_alloc(s->arena, s->out->nlruvecs * sizeof(*work));
	for (uint32_t i = 0; i < s->out->nlruvecs; i++) {
		work[i].step = &s->out->lruvecs[i];
		for (int type = 0; type < TYPE_NR; type++)
			begin(s, &work[i], (enum page_type)type);
	}
	share_evicted(s, work);
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			solve_flows(s, &work[i], (enum page_type)type);
	share_refaulted(s, work);
	sum_machine(s, work);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * artefact.c - changes of rows that look like movement of pages and are none.
 */
#include <string.h>

#include "model/flow.h"
#include "model/keyed.h"

#define SLOTS 4                  /* MAX_NR_GENS */
#define VERSION_REPARENT 70100
/*
 * get_swappiness(): with fewer free pages of swap than MIN_LRU_BATCH, anonymous pages are not
 * evicted.
 */
#define SWAP_PAGES 64
/* Fewer pages than this may have come and gone in the meantime whatever else happened. */
#define NOTICEABLE 64

/* --- of the machine --- */

static uint64_t all_pages(const struct sample *s)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->nlruvecs; i++)
		sum += gens_sum(&s->lruvecs[i], TYPE_ANON) + gens_sum(&s->lruvecs[i], TYPE_FILE);
	return sum;
}

static bool switched(const struct sample *was, const struct sample *is)
{
	uint64_t a = was->machine.mglru, b = is->machine.mglru;

	if (a != UNKNOWN && b != UNKNOWN)
		return (a ^ b) & MGLRU_CORE;
	return !all_pages(was) != !all_pages(is);
}

/* Can anonymous pages not be swapped out? */
static bool is_swapless(const struct sample *s)
{
	uint64_t free_kib = counters_get(&s->meminfo, MEM_SwapFree);
	uint64_t page_kib = s->machine.page_size ? s->machine.page_size / 1024 : 4;

	if (s->machine.swappiness == 0)
		return true;
	return free_kib != UNKNOWN && free_kib < SWAP_PAGES * page_kib;
}

/* --- of one lruvec --- */

static bool is_torn(const struct lruvec *v)
{
	if (v->ngens < 2)
		return true;
	for (uint32_t i = 1; i < v->ngens; i++)
		if (v->gens[i].seq != v->gens[i - 1].seq + 1)
			return true;
	return false;
}

static const struct gen_step *row_of(const struct lruvec_step *l, uint64_t seq)
{
	for (uint32_t i = 0; i < l->ngens; i++)
		if (l->gens[i].seq == seq)
			return &l->gens[i];
	return NULL;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * Aging a type that cannot be evicted moves no page out of its oldest generation: the slot is
 * numbered anew, and its pages stand in the youngest (inc_min_seq()). So every new row holds what
 * the row four below it held.
 */
static bool is_rotated(const struct lruvec_step *l, bool swapless)
{
	uint64_t from = gens_max_seq(l->before), to = gens_max_seq(l->now);
	uint64_t moved = 0, off = 0;

	if (to == from || to - from >= SLOTS)
		return false;
	for (uint64_t seq = from + 1; seq <= to; seq++) {
		const struct gen_step *is = row_of(l, seq);
		const struct gen_step *was = seq >= SLOTS ? row_of(l, seq - SLOTS) : NULL;

		if (!is || !was)
			return false;
		moved += was->before[TYPE_ANON];
		off += distance(is->now[TYPE_ANON], was->before[TYPE_ANON]);
	}
	for (uint32_t i = 0; i < l->ngens; i++)
		if (l->gens[i].seq <= from && l->gens[i].seq + SLOTS > to)
			off += distance(l->gens[i].now[TYPE_ANON], l->gens[i].before[TYPE_ANON]);
	/*
	 * A memcg may be without swap where the machine is not: then only a clear picture will do.
	 */
	return moved >= NOTICEABLE && off <= (swapless ? NOTICEABLE + moved / 2 : moved / 16);
}

static unsigned int own_artefacts(const struct lruvec_step *l)
{
	unsigned int found = 0;

	if (is_torn(l->now) || (l->before && is_torn(l->before)))
		found |= ARTEFACT_TORN;
	if (l->before && gens_max_seq(l->now) >= gens_max_seq(l->before) + SLOTS)
		found |= ARTEFACT_HISTORY_LOST;
	return found;
}

/* --- reparenting --- */

struct family {
	const struct stepping *s;
	struct keyed names;          /* of living lruvecs */
	struct lruvec_step **living; /* by place in names */
	int64_t (*joined)[TYPE_NR];  /* by place: pages that children had and have no more */
};

/*
 * The nearest living ancestor, KEYED_NONE where there is none. The name is a copy that is cut in
 * place.
 */
static uint32_t ancestor(const struct family *f, char *path, uint32_t node)
{
	while (path[0] == '/' && path[1]) {
		char *slash = strrchr(path, '/');
		uint32_t at;

		slash[slash == path] = '\0';
		at = keyed_find(&f->names, (struct keyed_name){ path, node, 0 });
		if (at != KEYED_NONE)
			return at;
	}
	return KEYED_NONE;
}

/* What a memcg that was alive has lost by being removed, to the account of who inherits. */
static void bequeath(struct family *f, const struct lruvec_step *l)
{
	const struct lruvec *was = l->before;
	uint32_t heir;
	int64_t lost[TYPE_NR];

	if (!was || was->dying || (l->now && !l->now->dying))
		return;
	for (int type = 0; type < TYPE_NR; type++)
		lost[type] = amount_from(gens_sum(was, (enum page_type)type)) -
			     amount_from(gens_sum(l->now, (enum page_type)type));
	if (lost[TYPE_ANON] <= 0 && lost[TYPE_FILE] <= 0)
		return;
	heir = was->path ? ancestor(f, arena_str(f->s->arena, was->path), was->node) : KEYED_NONE;
	for (int type = 0; heir != KEYED_NONE && type < TYPE_NR; type++)
		if (lost[type] > 0)
			f->joined[heir][type] = amount_sum64(f->joined[heir][type], lost[type]);
}

static int64_t net_of(const struct lruvec_step *l, enum page_type type)
{
	return amount_from(gens_sum(l->now, type)) - amount_from(gens_sum(l->before, type));
}

/* Both ends: the heir whose rows jumped, and the removed one if its rows still stand, now empty. */
static void mark_family(struct family *f)
{
	struct step *st = f->s->out;

	for (uint32_t at = 0; at < f->names.n; at++) {
		struct lruvec_step *l = f->living[at];

		for (int type = 0; l->before && type < TYPE_NR; type++)
			if (f->joined[at][type] >= NOTICEABLE &&
			    net_of(l, (enum page_type)type) > f->joined[at][type] / 8)
				l->flow[type].artefacts |= ARTEFACT_REPARENTED;
	}
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		struct lruvec_step *l = &st->lruvecs[i];

		if (!l->now || !l->before || !l->now->dying || l->before->dying)
			continue;
		for (int type = 0; type < TYPE_NR; type++)
			if (net_of(l, (enum page_type)type) < 0 &&
			    !gens_sum(l->now, (enum page_type)type))
				l->flow[type].artefacts |= ARTEFACT_REPARENTED;
	}
}

static void find_reparented(const struct stepping *s)
{
	struct step *st = s->out;
	struct family f = { .s = s, .names = keyed_new(s->arena, st->nlruvecs) };

	f.living = arena_alloc(s->arena, st->nlruvecs * sizeof(struct lruvec_step *));
	f.joined = arena_alloc(s->arena, st->nlruvecs * sizeof(*f.joined));
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		const struct lruvec *v = st->lruvecs[i].now;

		if (v && !v->dying)
			f.living[keyed_put(&f.names, (struct keyed_name){ v->path, v->node, 0 })] =
				&st->lruvecs[i];
	}
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		bequeath(&f, &st->lruvecs[i]);
	mark_family(&f);
}

/* --- all --- */

void artefacts_find(const struct stepping *s, const bool *reused)
{
	struct step *st = s->out;
	bool swapless = is_swapless(s->now);
	unsigned int all = s->before && switched(s->before, s->now) ? ARTEFACT_SWITCHED : 0;

	for (uint32_t i = 0; i < s->now->nlruvecs; i++) {
		struct lruvec_step *l = &st->lruvecs[i];
		unsigned int found = all | own_artefacts(l);

		if (reused[i])
			found |= ARTEFACT_ID_REUSED;
		for (int type = 0; type < TYPE_NR; type++)
			l->flow[type].artefacts |= found;
		if (l->before && !found && is_rotated(l, swapless))
			l->flow[TYPE_ANON].artefacts |= ARTEFACT_ROTATED;
	}
	if (s->before && s->now->machine.version >= VERSION_REPARENT)
		find_reparented(s);
}

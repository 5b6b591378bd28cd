/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lineage.c - pairing lruvecs.
 *
 * Path, id and node name one, but up to 6.19 not for good: a removed memcg prints the id 0, several
 * removed ones stand under one path, and the lowest free id is given out again at once, so that a
 * cgroup that was removed and made anew may look the same. What tells them apart is when their
 * generations were opened: an age only grows.
 */
#include "model/lineage.h"

/* jiffies_to_msecs() of 32 bits: after 49.7 days an age starts again. */
#define AGE_WRAP ((uint64_t)1 << 31)
/* A jiffy at the coarsest, twice. */
#define AGE_SLACK_MS 20
/* How far lru_gen's own reading may lie from the sample's time. */
#define READ_SLACK_MS 500
/* Of many removed memcgs under one path, how many are tried before the next one counts as new. */
#define TRIES 1024

/* The lruvecs of before under one path and node, in the kernel's order. */
struct group {
	uint32_t first, last, cursor, size;
};

/* Tables are of those that did not stand where they were expected, mostly none. */
struct work {
	const struct sample *before, *now;
	int64_t dt_ms;
	struct keyed names, ids;
	struct group *groups;   /* by place in names */
	uint32_t *next;         /* by lruvec of before: the next of its group */
	struct lineage out;
};

bool lineage_age_went_on(uint64_t before_ms, uint64_t now_ms)
{
	return now_ms + AGE_SLACK_MS >= before_ms || before_ms - now_ms > AGE_WRAP;
}

static const struct gen *find_gen(const struct lruvec *v, uint64_t seq)
{
	for (uint32_t i = 0; i < v->ngens; i++)
		if (v->gens[i].seq == seq)
			return &v->gens[i];
	return NULL;
}

/* The ids and what is known of removal allow it. */
static bool ids_agree(const struct lruvec *was, const struct lruvec *is)
{
	if (was->dying && !is->dying)
		return false;
	return was->memcg == is->memcg || (is->memcg == 0 && is->dying);
}

/*
 * strict: there are several to choose from, so the ages must have grown by just the time that
 * passed.
 */
static bool ages_agree(const struct lruvec *was, const struct lruvec *is, int64_t dt_ms,
		       bool strict)
{
	if (!was->ngens || !is->ngens)
		return true;
	if (is->gens[is->ngens - 1].seq < was->gens[was->ngens - 1].seq)
		return false;
	for (uint32_t i = 0; i < was->ngens; i++) {
		const struct gen *b = &was->gens[i], *n = find_gen(is, b->seq);
		int64_t off;

		if (!n)
			continue;
		if (!lineage_age_went_on(b->age_ms, n->age_ms))
			return false;
		off = (int64_t)(n->age_ms - b->age_ms) - dt_ms;
		if (strict && (off > READ_SLACK_MS + dt_ms / 2 || -off > READ_SLACK_MS + dt_ms / 2))
			return false;
	}
	return true;
}

static struct keyed_name name_of(const struct lruvec *v)
{
	return (struct keyed_name){ v->path, v->node, 0 };
}

static struct keyed_name id_of(const struct lruvec *v)
{
	return (struct keyed_name){ NULL, v->memcg, v->node };
}

static bool is_same(const struct lruvec *was, const struct lruvec *is, int64_t dt_ms)
{
	return !was->dying && !is->dying && was->memcg == is->memcg && was->node == is->node &&
	       keyed_same(was->path, is->path) && ages_agree(was, is, dt_ms, false);
}

/* The living ones, while both samples have them in one order. How many are left of now. */
static uint32_t place_in_order(struct work *w)
{
	uint32_t at = 0, left = 0;

	for (uint32_t i = 0; i < w->now->nlruvecs; i++) {
		w->out.before_of[i] = KEYED_NONE;
		if (at < w->before->nlruvecs &&
		    is_same(&w->before->lruvecs[at], &w->now->lruvecs[i], w->dt_ms)) {
			w->out.before_of[i] = at;
			w->out.survived[at] = true;
		} else {
			left++;
		}
		at++;
	}
	return left;
}

static void take_before(struct work *w, struct arena *a)
{
	uint32_t n = w->before->nlruvecs;

	w->names = keyed_new(a, n);
	w->ids = keyed_new(a, n);
	w->groups = arena_alloc(a, n * sizeof(*w->groups));
	w->next = arena_alloc(a, n * sizeof(*w->next));
	for (uint32_t i = 0; i < n; i++) {
		const struct lruvec *v = &w->before->lruvecs[i];
		uint32_t known = w->names.n, at;
		struct group *g;

		if (w->out.survived[i])
			continue;
		at = keyed_put(&w->names, name_of(v));
		g = &w->groups[at];
		w->next[i] = KEYED_NONE;
		if (at == known)
			g->first = g->cursor = i;
		else
			w->next[g->last] = i;
		g->last = i;
		g->size++;
		if (v->memcg)
			keyed_put(&w->ids, id_of(v));
	}
}

/*
 * Removed ones keep their order, and new ones come last: so what a group has left before its cursor
 * is gone. A group whose first does not fit is searched on.
 */
static uint32_t find_before(struct work *w, struct group *g, const struct lruvec *is)
{
	uint32_t at = g->cursor;

	for (int tries = 0; at != KEYED_NONE && tries < TRIES; tries++, at = w->next[at]) {
		const struct lruvec *was = &w->before->lruvecs[at];

		if (w->out.survived[at] || !ids_agree(was, is) ||
		    !ages_agree(was, is, w->dt_ms, g->size > 1))
			continue;
		if (is->dying)
			g->cursor = w->next[at];
		return at;
	}
	return KEYED_NONE;
}

static void place(struct work *w, uint32_t i)
{
	const struct lruvec *is = &w->now->lruvecs[i];
	uint32_t at = keyed_find(&w->names, name_of(is));
	uint32_t was = KEYED_NONE;

	if (at != KEYED_NONE)
		was = find_before(w, &w->groups[at], is);
	w->out.before_of[i] = was;
	if (was != KEYED_NONE)
		w->out.survived[was] = true;
	else
		w->out.reused[i] = at != KEYED_NONE ||
			(is->memcg && keyed_find(&w->ids, id_of(is)) != KEYED_NONE);
}

struct lineage lineage_make(const struct sample *before, const struct sample *now, struct arena *a)
{
	uint32_t nwas = before ? before->nlruvecs : 0;
	struct work w = {
		.before = before,
		.now = now,
		.out = {
			.before_of = arena_alloc(a, now->nlruvecs * sizeof(uint32_t)),
			.reused = arena_alloc(a, now->nlruvecs),
			.survived = arena_alloc(a, nwas),
		},
	};

	for (uint32_t i = 0; !before && i < now->nlruvecs; i++)
		w.out.before_of[i] = KEYED_NONE;
	if (!before)
		return w.out;
	w.dt_ms = (now->mono_us - before->mono_us) / 1000;
	if (!place_in_order(&w))
		return w.out;
	take_before(&w, a);
	for (uint32_t i = 0; i < now->nlruvecs; i++)
		if (w.out.before_of[i] == KEYED_NONE)
			place(&w, i);
	return w.out;
}

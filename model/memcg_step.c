/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memcg_step.c - memcgs: their lruvecs and their files together.
 *
 * Living ones are joined by path. Removed ones have no files; each stands for itself, also where
 * several share a path.
 */
#include "model/files.h"
#include "model/flow.h"

struct work {
	struct stepping *s;
	struct keyed living;      /* path and id of those that have lruvecs … */
	uint32_t *living_at;      /* … and their place in out->memcgs */
	uint32_t *member;         /* by lruvec step: its memcg */
	struct files now, before;
	bool *has_lruvecs;        /* by place in now's files */
};

/* --- who is who --- */

static const struct lruvec *any(const struct lruvec_step *l)
{
	return l->now ? l->now : l->before;
}

/*
 * Does l go on with the memcg of the lruvec before it? The nodes of a memcg stand together,
 * ascending.
 */
static bool goes_on(const struct lruvec_step *l, const struct lruvec_step *last)
{
	const struct lruvec *v = any(l), *w = any(last);

	return !l->now == !last->now && v->dying == w->dying && v->memcg == w->memcg &&
	       v->node > w->node && keyed_same(v->path, w->path);
}

static uint32_t add_memcg(struct step *st, const char *path, uint64_t id)
{
	/* There is room for more memcgs than there mostly are, so only those are cleared that are used. */
	st->memcgs[st->nmemcgs] = (struct memcg_step){ .path = path, .id = id };
	return st->nmemcgs++;
}

/* The memcg that lruvec i belongs to, a new one where it is the first. */
static uint32_t memcg_of(struct work *w, uint32_t i)
{
	struct step *st = w->s->out;
	const struct lruvec_step *l = &st->lruvecs[i];
	const struct lruvec *v = any(l);
	const struct keyed_name name = { v->path, v->memcg, 0 };
	uint32_t known = w->living.n, at = KEYED_NONE, place;

	if (i && goes_on(l, &st->lruvecs[i - 1]))
		return w->member[i - 1];
	/* A living one may have lost one node: its reading was torn, or the node went away. */
	if (!v->dying)
		at = l->now ? keyed_put(&w->living, name) : keyed_find(&w->living, name);
	if (at != KEYED_NONE && at < known)
		return w->living_at[at];
	place = add_memcg(st, v->path, v->memcg);
	st->memcgs[place].dying = v->dying;
	st->memcgs[place].vanished = !l->now;
	if (at != KEYED_NONE)
		w->living_at[at] = place;
	return place;
}

static void take_lruvecs(struct work *w, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		w->member[i] = memcg_of(w, i);
		w->s->out->memcgs[w->member[i]].nlruvecs++;
	}
}

static void list_lruvecs(struct work *w)
{
	struct step *st = w->s->out;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		struct memcg_step *m = &st->memcgs[i];

		m->lruvecs = arena_alloc(w->s->arena, m->nlruvecs * sizeof(struct lruvec_step *));
		m->nlruvecs = 0;
	}
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		struct memcg_step *m = &st->memcgs[w->member[i]];

		m->lruvecs[m->nlruvecs++] = &st->lruvecs[i];
	}
}

static void join_files(struct work *w, uint32_t to)
{
	struct step *st = w->s->out;

	for (uint32_t i = 0; i < to; i++) {
		struct memcg_step *m = &st->memcgs[i];
		uint32_t at = keyed_find(&w->now.names, (struct keyed_name){ m->path, 0, 0 });

		if (m->dying || at == KEYED_NONE)
			continue;
		m->now = w->now.memcgs[at];
		w->has_lruvecs[at] = true;
	}
	for (uint32_t at = 0; at < w->now.names.n; at++) {
		const struct memcg *m = w->now.memcgs[at];

		if (!w->has_lruvecs[at])
			st->memcgs[add_memcg(st, m->path, m->id)].now = m;
	}
}

/*
 * Without lruvecs a memcg is gone when its files are, unless they were merely not read this time.
 */
static void add_vanished_files(struct work *w)
{
	struct step *st = w->s->out;
	const struct sample *is = w->s->now;

	if (is->nlruvecs || is->memcgs_left_out || !w->before.sample ||
	    is->readings[READ_CGROUP].state != READING_OK)
		return;
	for (uint32_t at = 0; at < w->before.names.n; at++) {
		const struct memcg *m = w->before.memcgs[at];

		if (!files_find(&w->now, m->path))
			st->memcgs[add_memcg(st, m->path, m->id)].vanished = true;
	}
}

/* --- what they hold --- */

static bool is_off(const struct sample *s)
{
	return s->machine.mglru != UNKNOWN && !(s->machine.mglru & MGLRU_CORE);
}

static void add_rows(struct memcg_step *m, const struct lruvec *v, enum page_type type)
{
	uint64_t youngest = gens_max_seq(v);

	for (uint32_t i = 0; i < v->ngens; i++) {
		const struct gen *g = &v->gens[i];
		uint64_t place = youngest > g->seq ? youngest - g->seq : 0;

		m->pages[place < PLACE_NR ? place : PLACE_NR - 1][type] += g->pages[type];
		m->lru_pages[type] += g->pages[type];
		if (g->pages[type] && !(g->evicted & 1 << type) &&
		    (m->oldest_age_ms[type] == UNKNOWN ||
		     g->age_ms > m->oldest_age_ms[type]))
			m->oldest_age_ms[type] = g->age_ms;
	}
}

static void fill_rows(const struct stepping *s, struct memcg_step *m)
{
	bool says = m->nlruvecs && !m->vanished && !is_off(s->now);

	for (int type = 0; type < TYPE_NR; type++) {
		m->lru_pages[type] = says ? 0 : UNKNOWN;
		m->oldest_age_ms[type] = UNKNOWN;
		for (uint32_t i = 0; says && i < m->nlruvecs; i++)
			if (m->lruvecs[i]->now)
				add_rows(m, m->lruvecs[i]->now, (enum page_type)type);
	}
}

/* --- what happened to them --- */

/* Sums over lruvecs where the files are not read: of the memcg alone. */
static void sum_lruvecs(struct memcg_step *m)
{
	m->evicted.scope = m->refaulted.scope = SCOPE_MEMCG;
	for (uint32_t i = 0; i < m->nlruvecs; i++) {
		for (int type = 0; type < TYPE_NR; type++) {
			const struct type_flow *f = &m->lruvecs[i]->flow[type];

			m->evicted = amount_add(m->evicted, f->evicted);
			m->refaulted = amount_add(m->refaulted, f->refaulted);
		}
	}
}

static void fill_files(const struct stepping *s, const struct memcg *was, struct memcg_step *m)
{
	const enum amount_scope tree = SCOPE_MEMCG_TREE;
	const struct counters *stat = was ? &was->stat : NULL, *events = was ? &was->events : NULL;
	const struct memcg *is = m->now;

	m->evicted = stepping_key(s, stat, &is->stat, CG_pgsteal, tree);
	m->refaulted = amount_add(
		stepping_key(s, stat, &is->stat, CG_workingset_refault_anon, tree),
		stepping_key(s, stat, &is->stat, CG_workingset_refault_file, tree));
	m->swapped_in = stepping_key(s, stat, &is->stat, CG_pswpin, tree);
	m->swapped_out = stepping_key(s, stat, &is->stat, CG_pswpout, tree);
	m->major_faults = stepping_key(s, stat, &is->stat, CG_pgmajfault, tree);
	m->stalled_us = stepping_counter(s, was ? was->pressure.some.total_us : UNKNOWN,
					 is->pressure.some.total_us, tree);
	m->oom_kills = stepping_key(s, events, &is->events, EV_oom_kill, tree);
	m->max_hits = stepping_key(s, events, &is->events, EV_max, tree);
	m->high_hits = stepping_key(s, events, &is->events, EV_high, tree);
}

static bool was_there(const struct memcg_step *m, const struct memcg *files)
{
	for (uint32_t i = 0; i < m->nlruvecs; i++)
		if (m->lruvecs[i]->before)
			return true;
	return files && !m->nlruvecs;
}

static void fill(const struct work *w, struct memcg_step *m)
{
	const struct memcg *was = m->now ? files_find(&w->before, m->path) : NULL;

	/* Another cgroup of that name. */
	if (was && was->id != m->now->id)
		was = NULL;
	m->is_new = w->s->before && !m->vanished && !was_there(m, was);
	if (m->is_new)
		was = NULL;
	fill_rows(w->s, m);
	if (m->vanished)
		return;
	if (m->now)
		fill_files(w->s, was, m);
	if (m->evicted.state == AMOUNT_MISSING && m->refaulted.state == AMOUNT_MISSING)
		sum_lruvecs(m);
	m->lost = amount_less(m->evicted, m->refaulted);
}

/* How many removed memcgs of its path stand beside each. */
static void count_copies(struct work *w)
{
	struct step *st = w->s->out;
	struct keyed names = keyed_new(w->s->arena, st->nmemcgs);
	uint32_t *dying = arena_alloc(w->s->arena, st->nmemcgs * sizeof(*dying));

	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (st->memcgs[i].dying && !st->memcgs[i].vanished)
			dying[keyed_put(&names, (struct keyed_name){ st->memcgs[i].path, 0, 0 })]++;
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		struct memcg_step *m = &st->memcgs[i];
		uint32_t at = keyed_find(&names, (struct keyed_name){ m->path, 0, 0 });

		if (at != KEYED_NONE)
			m->copies = dying[at] - (m->dying && !m->vanished);
	}
}

void stepping_memcgs(struct stepping *s)
{
	struct step *st = s->out;
	uint32_t nwas = s->before ? s->before->nmemcgs : 0, living = s->now->nlruvecs;
	struct work w = {
		.s = s,
		.living = keyed_new(s->arena, st->nlruvecs),
		.living_at = arena_alloc(s->arena, st->nlruvecs * sizeof(uint32_t)),
		.member = arena_alloc(s->arena, st->nlruvecs * sizeof(uint32_t)),
		.now = files_of(s->now, s->arena),
		.before = files_of(s->before, s->arena),
		.has_lruvecs = arena_alloc(s->arena, s->now->nmemcgs),
	};

	st->memcgs = arena_raw(s->arena, ((size_t)st->nlruvecs + s->now->nmemcgs + nwas) *
			       sizeof(*st->memcgs));
	take_lruvecs(&w, 0, living);
	join_files(&w, st->nmemcgs);
	take_lruvecs(&w, living, st->nlruvecs);
	list_lruvecs(&w);
	add_vanished_files(&w);
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		fill(&w, &st->memcgs[i]);
	count_copies(&w);
}

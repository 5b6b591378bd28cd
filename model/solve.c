/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * solve.c - the flows of one lruvec and type, from its rows and what was evicted.
 *
 * With M the youngest generation of before, the rows fall into three parts:
 *
 *   top   M and younger. In: promotion, faults (to 6.13), refaults of the working set (since 6.14)
 *   mid   M - 1, where faults may lead there: all since 6.14, before it those of anonymous pages
 *         that no fault handler adds; else it belongs to old
 *   old   the rest. In: page cache and what is put back. Out: eviction
 *
 * Promotion leads from mid and old to top; protection and merging stay in old. A part that lost
 * more than was evicted lost it by promotion as far as top gained, else by pages freed: the least
 * movement that explains the rows is the guess.
 */
#include "model/flow.h"

#define VERSION_MERGE_COUNTED 61400

/* 2^64 bytes in pages of 4 kB. */
#define MOST_PAGES ((uint64_t)1 << 52)

struct parts {
	int64_t old, mid, top;  /* change of each */
	int64_t top_now;        /* pages in top: no more than those can have been promoted */
	int64_t below;          /* what could be promoted: all of before but for the youngest now */
	bool aged;              /* a generation was opened */
};

struct moves {
	int64_t in_young, in_old, promoted, gone;
};

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t positive(int64_t a)
{
	return larger(a, 0);
}

/* More pages than any address reaches stand in no file of a kernel; sums of them must still fit. */
static int64_t pages(uint64_t count)
{
	return count < MOST_PAGES ? (int64_t)count : (int64_t)MOST_PAGES;
}

static struct parts split_rows(const struct lruvec_step *l, enum page_type type, int place)
{
	uint64_t youngest = gens_max_seq(l->before), now = gens_max_seq(l->now);
	bool has_mid = place == 1 || type == TYPE_ANON;
	struct parts p = { .aged = now > youngest };

	for (uint32_t i = 0; i < l->ngens; i++) {
		const struct gen_step *g = &l->gens[i];
		int64_t change = pages(g->now[type]) - pages(g->before[type]);

		if (g->seq < now)
			p.below += pages(g->before[type]);
		if (g->seq >= youngest) {
			p.top += change;
			p.top_now += pages(g->now[type]);
		} else if (has_mid && g->seq + 1 == youngest) {
			p.mid += change;
		} else {
			p.old += change;
		}
	}
	return p;
}

/*
 * Since 6.14 nearly all that enters the youngest was promoted, as long as no other is opened above
 * it.
 */
static int64_t count_promoted(const struct parts *p, int64_t old_lost, int place)
{
	int64_t most = smaller(smaller(p->top_now, p->below), positive(p->top));

	if (place == 1 && !p->aged)
		return most;
	return smaller(most, old_lost + positive(-p->mid));
}

static struct moves least_moves(const struct parts *p, int64_t evicted, int place)
{
	int64_t old = amount_sum64(p->old, evicted), old_lost = positive(-old);
	int64_t promoted = count_promoted(p, old_lost, place);
	int64_t from_old = smaller(promoted, old_lost);
	int64_t mid = p->mid + promoted - from_old;

	return (struct moves){
		.in_old = positive(old),
		.in_young = positive(mid) + positive(p->top) - promoted,
		.promoted = promoted,
		.gone = old_lost - from_old + positive(-mid) + positive(-p->top),
	};
}

/* What came back came in, so as much more must have gone. */
static void add_refaults(struct moves *m, int64_t refaulted, enum page_type type)
{
	int64_t more = positive(refaulted - amount_sum64(m->in_young, m->in_old));

	if (type == TYPE_FILE)
		m->in_old = amount_sum64(m->in_old, more);
	else
		m->in_young = amount_sum64(m->in_young, more);
	m->gone = amount_sum64(m->gone, more);
}

/*
 * Into old comes nothing but what counts as in_old, as long as eviction has not reached beyond it.
 */
static int64_t least_in_old(const struct lruvec_step *l, const struct type_work *t,
			    const struct parts *p, enum page_type type)
{
	uint64_t oldest = l->now->min_seq[type];
	uint64_t youngest = gens_max_seq(l->before);

	if (p->aged && (oldest == UNKNOWN || oldest + 1 >= youngest))
		return 0;
	return positive(amount_sum64(p->old, t->evicted.lo));
}

/* Pages that the oldest generation lost, or took along when it left, and the next one gained. */
static int64_t moved_on(const struct lruvec_step *l, enum page_type type)
{
	uint64_t youngest = gens_max_seq(l->before);

	for (uint32_t i = 0; i + 1 < l->ngens; i++) {
		const struct gen_step *g = &l->gens[i], *next = &l->gens[i + 1];
		int64_t lost = amount_from(g->before[type]) - amount_from(g->now[type]);
		int64_t gained = amount_from(next->now[type]) - amount_from(next->before[type]);

		if (!g->before[type])
			continue;
		return next->seq < youngest ? smaller(positive(lost), positive(gained)) : 0;
	}
	return 0;
}

static struct range protected(const struct stepping *s, const struct lruvec_step *l,
			      const struct type_work *t, enum page_type type)
{
	const struct fold *f = &t->fold;
	struct range r = { 0, moved_on(l, type), AMOUNT_NO_LIMIT };
	uint32_t version = s->now->machine.version;
	int64_t rest;

	if (!f->known || f->exact)
		return f->known ? f->protected : r;
	/* Of what was counted in finished generations, the part that was not evicted. */
	rest = positive(f->finished - positive(amount_sum64(t->evicted.value, -f->counting)));
	rest = amount_sum64(f->protected.value, rest);
	if (version && version < VERSION_MERGE_COUNTED)
		rest = larger(rest, r.value);
	return (struct range){ f->protected.lo, larger(rest, f->protected.lo), AMOUNT_NO_LIMIT };
}

static struct amount inferred(const struct stepping *s, int64_t lo, int64_t value, int64_t hi)
{
	const int64_t range[3] = { lo, value, hi };

	return stepping_inferred(s, range, SCOPE_MEMCG);
}

static struct amount of_range(const struct stepping *s, struct range r, bool exact)
{
	return exact ? stepping_measured(s, r.value, SCOPE_MEMCG)
		     : inferred(s, r.lo, r.value, r.hi);
}

static void set_all(struct type_flow *f, struct amount a)
{
	f->in_young = f->in_old = f->promoted = f->protected = a;
	f->evicted = f->gone = f->unexplained = f->refaulted = a;
}

static void solve_open(const struct stepping *s, const struct lruvec_work *w, enum page_type type)
{
	const struct type_work *t = &w->types[type];
	struct type_flow *f = &w->step->flow[type];
	int place = step_fault_place(&s->now->machine);
	struct parts p = split_rows(w->step, type, place);
	struct moves m = least_moves(&p, t->evicted.value, place);
	int64_t least_gone = amount_sum64(-t->net, -t->evicted.hi);

	if (t->fold.known)
		add_refaults(&m, t->fold.refaulted.value, type);
	f->in_young = inferred(s, 0, m.in_young, AMOUNT_NO_LIMIT);
	f->in_old = inferred(s, least_in_old(w->step, t, &p, type), m.in_old, AMOUNT_NO_LIMIT);
	f->promoted = inferred(s, 0, m.promoted, smaller(p.top_now, p.below));
	f->gone = inferred(s, positive(least_gone), m.gone, AMOUNT_NO_LIMIT);
	f->unexplained = inferred(s, 0, 0, 0);
	f->protected = of_range(s, protected(s, w->step, t, type), t->fold.known && t->fold.exact);
}

void solve_flows(const struct stepping *s, const struct lruvec_work *w, enum page_type type)
{
	const struct type_work *t = &w->types[type];
	struct type_flow *f = &w->step->flow[type];
	struct amount none = { .state = AMOUNT_MISSING, .scope = SCOPE_MEMCG };

	if (w->step->now && !w->step->before)
		none.state = s->before ? AMOUNT_FIRST : s->none;
	set_all(f, none);
	if (t->open)
		solve_open(s, w, type);
	if (t->open || t->fold.known)
		f->evicted = of_range(s, t->evicted, t->fold.exact);
	if (t->fold.known)
		f->refaulted = of_range(s, t->fold.refaulted, t->fold.exact);
}

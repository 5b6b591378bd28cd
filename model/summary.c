/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.c - the time that steps cover, how their files were read, and what the machine did.
 */
#include "reclaimtop/summary.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/stepping.h"
#include "model/summing.h"

/* Rules look back up to a minute of one-second steps. */
#define WINDOW_STEPS 64
#define SLOTS (2 * SUMMARY_MEMCGS)

/* --- pieces --- */

double total_rate(const struct total *t)
{
	return t->steps && t->us > 0 ? (double)t->sum * 1e6 / (double)t->us : NAN;
}

double gauge_mean(const struct gauge *g)
{
	return g->n ? g->sum / g->n : NAN;
}

void *summing_room(void *items, uint32_t n, uint32_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	*cap = *cap ? 2 * *cap : 16;
	return mem_grow(items, *cap * size);
}

void summing_total(struct total *t, struct amount a, int64_t dt_us)
{
	if (!amount_known(a))
		return;
	t->sum = amount_sum64(t->sum, a.value);
	t->us += dt_us;
	t->steps++;
	t->scopes |= (uint8_t)(1u << a.scope);
	t->inferred |= a.state == AMOUNT_INFERRED || a.lo != a.hi;
}

struct amount summing_more(struct amount sum, struct amount part)
{
	if (!amount_known(part))
		return sum;
	return amount_known(sum) ? amount_add(sum, part) : part;
}

void summing_gauge(struct gauge *g, uint64_t value)
{
	if (value == UNKNOWN || value == UNLIMITED)
		return;
	if (!g->n || value < g->min)
		g->min = value;
	if (!g->n || value > g->max)
		g->max = value;
	g->last = value;
	g->sum += (double)value;
	g->n++;
}

struct summary_time summing_time(const struct summary *s, const struct sample *now)
{
	return (struct summary_time){ s->own->session, now->mono_us - s->own->first_us,
				      now->wall_us };
}

/* --- making one --- */

struct summary *summary_new(bool diagnose)
{
	struct summary *s = mem_alloc(sizeof(*s));
	struct summing *own = mem_alloc(sizeof(*own));

	memset(s, 0, sizeof(*s));
	memset(own, 0, sizeof(*own));
	own->names = arena_new();
	own->slots = mem_alloc(SLOTS * sizeof(*own->slots));
	own->diagnose = diagnose;
	own->window = diagnose ? window_new(WINDOW_STEPS) : NULL;
	s->own = own;
	summary_clear(s);
	return s;
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	arena_free(s->own->names);
	window_free(s->own->window);
	free(s->own->slots);
	free(s->own);
	free(s->sessions);
	free(s->gaps);
	free(s->memcgs);
	free(s->zones);
	free(s->episodes);
	free(s);
}

void summary_clear(struct summary *s)
{
	struct summary kept = *s;
	struct summing *own = s->own;

	memset(s, 0, sizeof(*s));
	s->own = own;
	s->sessions = kept.sessions;
	s->gaps = kept.gaps;
	s->memcgs = kept.memcgs;
	s->zones = kept.zones;
	s->episodes = kept.episodes;
	s->most_stolen.rate = s->most_refaulted.rate = -1;
	s->most_stalls.rate = s->most_stalled.rate = -1;
	arena_reset(own->names);
	memset(own->slots, 0, SLOTS * sizeof(*own->slots));
	memset(&own->lifetimes, 0, sizeof(own->lifetimes));
	if (own->window)
		window_clear(own->window);
	own->nlatest = 0;
	own->begun = false;
}

/* --- time --- */

static const char *kept_string(struct summary *s, const char *text)
{
	return text ? arena_str(s->own->names, text) : NULL;
}

static void begin_session(struct summary *s, const struct sample *now, uint32_t session)
{
	struct summing *own = s->own;

	own->begun = true;
	own->session = session;
	own->first_us = now->mono_us;
	if (s->nsessions == SUMMARY_SESSIONS) {
		s->sessions_left_out++;
		return;
	}
	s->sessions = summing_room(s->sessions, s->nsessions, &own->cap_sessions,
				   sizeof(*s->sessions));
	s->sessions[s->nsessions++] = (struct session_total){
		.session = session,
		.kernel = kept_string(s, now->machine.kernel),
		.boot_id = kept_string(s, now->machine.boot_id),
		.wall_us = now->wall_us,
		.first_us = now->mono_us,
		.last_us = now->mono_us,
	};
}

const struct session_total *summary_session(const struct summary *s, uint32_t session)
{
	for (uint32_t i = 0; i < s->nsessions; i++)
		if (s->sessions[i].session == session)
			return &s->sessions[i];
	return NULL;
}

static void enter(struct summary *s, const struct step *st, uint32_t session, bool counts)
{
	const struct sample *now = st->now;
	struct session_total *last;

	if (!s->own->begun || session != s->own->session)
		begin_session(s, now, session);
	if (s->sessions_left_out)
		return;
	last = &s->sessions[s->nsessions - 1];
	last->last_us = now->mono_us;
	last->samples += counts;
}

static void add_gap(struct summary *s, const struct step *st)
{
	s->gap_us += st->dt_us;
	if (s->ngaps == SUMMARY_GAPS) {
		s->gaps_left_out++;
		return;
	}
	s->gaps = summing_room(s->gaps, s->ngaps, &s->own->cap_gaps, sizeof(*s->gaps));
	s->gaps[s->ngaps++] = (struct gap){ summing_time(s, st->now), st->dt_us, st->why };
}

static void add_time(struct summary *s, const struct step *st)
{
	s->samples++;
	s->covered_us += st->dt_us;
	s->resets += st->state == STEP_RESET;
	if (st->state == STEP_GAP)
		add_gap(s, st);
	if (st->now->machine.page_size)
		s->page_size = st->now->machine.page_size;
}

static void add_readings(struct summary *s, const struct sample *now)
{
	for (int i = 0; i < READ_NR; i++) {
		const struct reading *r = &now->readings[i];
		struct reading_total *t = &s->readings[i];

		t->ok += r->state == READING_OK;
		t->failed += r->state == READING_FAILED;
		if (r->state == READING_FAILED)
			t->err = r->err;
		t->torn += r->torn;
		t->skipped += r->skipped;
		t->vanished += r->vanished;
		t->cut += r->cut;
	}
}

/* --- what the machine did --- */

/*
 * Amounts of a step, and the totals of a summary that they go to: as many of both, in the same
 * order.
 */
#define PAIR(from, to) \
	{ offsetof(struct step, from), offsetof(struct summary, to), \
	  sizeof(((struct step *)0)->from) / (sizeof(struct amount)) }
#define SAME(member) PAIR(reclaim.member, member)
#define FLOW(member) \
	PAIR(flow[TYPE_ANON].member, flow[TYPE_ANON].member), \
	PAIR(flow[TYPE_FILE].member, flow[TYPE_FILE].member)

static const struct {
	size_t from, to, n;
} pairs[] = {
	SAME(scanned_by), SAME(stolen_by), SAME(scanned), SAME(stolen), SAME(scanned_all),
	SAME(stolen_all), SAME(refaulted), SAME(refill), SAME(swapped_in), SAME(swapped_out),
	SAME(zswapped_in), SAME(zswapped_out), SAME(demoted), SAME(promoted_nodes), SAME(stalls),
	SAME(oom_kills), SAME(compact_stalls), SAME(slabs_scanned),
	PAIR(stall, stall), PAIR(births, births),
	FLOW(in_young), FLOW(in_old), FLOW(promoted), FLOW(protected), FLOW(evicted), FLOW(gone),
};

_Static_assert(sizeof(struct stall) == 2 * sizeof(struct amount) &&
	       sizeof(struct stall_total) == 2 * sizeof(struct total), "stalls go over in pairs");

static void add_totals(struct summary *s, const struct step *st)
{
	struct amount kswapd = { .state = AMOUNT_MISSING };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const void *from = (const char *)st + pairs[i].from;
		void *to = (char *)s + pairs[i].to;

		for (size_t k = 0; k < pairs[i].n; k++)
			summing_total((struct total *)to + k, ((const struct amount *)from)[k],
				      st->dt_us);
	}
	for (uint32_t key = 0; st->vm && key < VM_NR; key++)
		summing_total(&s->vm[key], st->vm[key], st->dt_us);
	for (uint32_t i = 0; i < st->nnodes; i++)
		kswapd = summing_more(kswapd, st->nodes[i].kswapd_cpu_ms);
	summing_total(&s->kswapd_cpu_ms, kswapd, st->dt_us);
	s->disagreements += st->reclaim.check == CHECK_DISAGREE;
}

static void add_peak(struct summary *s, struct peak *p, struct amount a, const struct step *st)
{
	double rate;

	/* Over a gap there is only the mean of the gap. */
	if (!amount_known(a) || st->state != STEP_OK || st->dt_us <= 0)
		return;
	rate = (double)a.value * 1e6 / (double)st->dt_us;
	if (rate <= p->rate)
		return;
	p->rate = rate;
	p->at = summing_time(s, st->now);
}

static void add_peaks(struct summary *s, const struct step *st)
{
	const struct reclaim *r = &st->reclaim;

	add_peak(s, &s->most_stolen, r->stolen_all, st);
	add_peak(s, &s->most_refaulted,
		 amount_add(r->refaulted[TYPE_ANON], r->refaulted[TYPE_FILE]), st);
	add_peak(s, &s->most_stalls, r->stalls, st);
	add_peak(s, &s->most_stalled, st->stall[PSI_MEMORY].some_us, st);
}

static uint64_t swap_used(const struct sample *now)
{
	uint64_t sum = now->readings[READ_SWAPS].state == READING_OK ? 0 : UNKNOWN;

	for (uint32_t i = 0; i < now->nswaps && sum != UNKNOWN; i++)
		if (now->swaps[i].used_kib != UNKNOWN)
			sum += now->swaps[i].used_kib;
	return sum;
}

static void add_gauges(struct summary *s, const struct step *st)
{
	struct brief b;

	brief_make(st, &b);
	summing_gauge(&s->free, b.free_pages);
	summing_gauge(&s->pageset_pages, b.pageset_pages);
	summing_gauge(&s->dying, b.dying);
	summing_gauge(&s->swap_used_kib, swap_used(st->now));
	s->level_us[b.worst_level] += st->dt_us;
	for (uint32_t key = 0; key < VM_NR; key++)
		if (step_vm_is_gauge(key))
			summing_gauge(&s->vm_now[key], counters_get(&st->now->vmstat, key));
}

void summary_add(struct summary *s, const struct step *st, uint32_t session)
{
	enter(s, st, session, true);
	add_time(s, st);
	add_readings(s, st->now);
	add_totals(s, st);
	add_peaks(s, st);
	add_gauges(s, st);
	summing_zones(s, st);
	summing_memcgs(s, st);
	summing_gens(s, st);
	summing_findings(s, st, true);
}

void summary_pass(struct summary *s, const struct step *st, uint32_t session)
{
	enter(s, st, session, false);
	summing_findings(s, st, false);
}

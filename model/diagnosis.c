/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis.c - asks every rule, and keeps the worst answers.
 */
#include "reclaimtop/diagnosis.h"

#include <stddef.h>
#include <string.h>

#include "model/rules.h"

/* The counts of a brief that are summed. */
static const size_t summed[] = {
	offsetof(struct brief, scanned_all), offsetof(struct brief, swapped_in),
	offsetof(struct brief, swapped_out), offsetof(struct brief, zswapped_in),
	offsetof(struct brief, zswapped_out), offsetof(struct brief, stalls),
	offsetof(struct brief, oom_kills), offsetof(struct brief, births),
	offsetof(struct brief, stall_some_us), offsetof(struct brief, stall_full_us),
};

static void add(uint64_t *to, uint64_t value)
{
	if (value != UNKNOWN)
		*to = *to == UNKNOWN ? value : *to + value;
}

static void add_brief(struct brief *to, const struct brief *from)
{
	for (size_t i = 0; i < sizeof(summed) / sizeof(summed[0]); i++)
		add((uint64_t *)(void *)((char *)to + summed[i]),
		    *(const uint64_t *)(const void *)((const char *)from + summed[i]));
	for (int who = 0; who < WHO_NR; who++)
		add(&to->stolen_by[who], from->stolen_by[who]);
	for (int type = 0; type < TYPE_NR; type++) {
		add(&to->stolen[type], from->stolen[type]);
		add(&to->scanned[type], from->scanned[type]);
		add(&to->refaulted[type], from->refaulted[type]);
	}
}

/*
 * The last steps that together reach so far back, at least one. A gap's step counts with the time
 * that it covers.
 */
static struct span sum_up(const struct window *w, int64_t us)
{
	struct span s = { .dying_was = UNKNOWN };

	for (uint32_t ago = 0; ago < window_count(w); ago++) {
		const struct brief *b = window_brief(w, ago);

		s.dying_was = b->dying;
		if (b->state == STEP_FIRST || b->state == STEP_RESET)
			break;
		if (s.steps && s.dt_us + b->dt_us / 2 > us)
			break;
		if (s.steps)
			add_brief(&s.sum, b);
		else
			s.sum = *b;
		s.dt_us += b->dt_us;
		s.steps++;
	}
	return s;
}

/* The worst findings so far, in order. */
struct worst {
	struct finding *findings;
	int ranks[FINDING_NR];
	uint32_t n;
};

/* Into its place, or nowhere. */
static void keep(struct worst *w, const struct finding *f, int rank)
{
	uint32_t at = w->n;

	while (at && (f->severity > w->findings[at - 1].severity ||
		      (f->severity == w->findings[at - 1].severity && rank < w->ranks[at - 1])))
		at--;
	if (at == FINDING_NR)
		return;
	w->n += w->n < FINDING_NR;
	memmove(&w->findings[at + 1], &w->findings[at], (w->n - at - 1) * sizeof(*f));
	memmove(&w->ranks[at + 1], &w->ranks[at], (w->n - at - 1) * sizeof(rank));
	w->findings[at] = *f;
	w->ranks[at] = rank;
}

static void ask(const struct rule *rules, uint32_t nrules, const struct rule_input *in,
		struct worst *w)
{
	for (uint32_t i = 0; i < nrules; i++) {
		struct finding f = { .severity = rules[i].severity, .rule = rules[i].name };

		if (rules[i].check(in, &f))
			keep(w, &f, rules[i].rank);
	}
}

uint32_t diagnose(const struct window *w, const struct step *st, struct finding out[FINDING_NR])
{
	struct rule_input in = {
		.window = w,
		.step = st,
		.now = sum_up(w, SPAN_SHORT_US),
		.lately = sum_up(w, SPAN_LONG_US),
		.page_size = st->now->machine.page_size ? st->now->machine.page_size : 4096,
	};
	struct worst worst = { .findings = out };

	if (!in.now.steps) {
		struct brief none;

		/* Nothing to compare with yet: what the gauges say still holds. */
		brief_make(st, &none);
		in.now.sum = in.lately.sum = none;
	}
	in.nmemcgs = window_moved(w, in.lately.steps, in.memcgs, MEMCGS_NR);
	ask(rules_memcg, nrules_memcg, &in, &worst);
	ask(rules_machine, nrules_machine, &in, &worst);
	return worst.n;
}

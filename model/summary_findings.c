/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary_findings.c - the diagnosis over time: each finding from its start to its end.
 */
#include <string.h>

#include "model/summing.h"

/*
 * A finding that is silent for a moment goes on: one that flickers at its threshold, or has no
 * place among the worst three for a while.
 */
#define SILENCE_US INT64_C(5000000)

/* The episode that a finding goes on with; NULL where it begins another. */
static struct episode *going_on(struct summary *s, const struct finding *f,
				const struct sample *now, int64_t dt_us)
{
	struct summing *own = s->own;

	for (uint32_t i = 0; i < own->nlatest; i++) {
		struct episode *e = &s->episodes[own->latest[i]];

		if (strcmp(e->rule, f->rule))
			continue;
		if (e->end.session == own->session &&
		    now->mono_us - e->last_us <= SILENCE_US + dt_us)
			return e;
		return NULL;
	}
	return NULL;
}

/* The place where the last episode of a rule is kept. */
static uint32_t *latest_of(struct summary *s, const char *rule)
{
	struct summing *own = s->own;

	for (uint32_t i = 0; i < own->nlatest; i++)
		if (!strcmp(s->episodes[own->latest[i]].rule, rule))
			return &own->latest[i];
	return own->nlatest < SUMMING_RULES ? &own->latest[own->nlatest++] : NULL;
}

static void begin(struct summary *s, const struct finding *f, const struct sample *now)
{
	struct episode *e;
	uint32_t *latest;

	latest = s->nepisodes < SUMMARY_EPISODES ? latest_of(s, f->rule) : NULL;
	if (!latest) {
		s->episodes_left_out++;
		return;
	}
	s->episodes = summing_room(s->episodes, s->nepisodes, &s->own->cap_episodes,
				   sizeof(*s->episodes));
	*latest = s->nepisodes;
	e = &s->episodes[s->nepisodes++];
	*e = (struct episode){
		.rule = f->rule,
		.severity = f->severity,
		.start = summing_time(s, now),
		.end = summing_time(s, now),
		.last_us = now->mono_us,
		.steps = 1,
	};
	memcpy(e->text, f->text, sizeof(e->text));
	memcpy(e->evidence, f->evidence, sizeof(e->evidence));
}

static void go_on(struct summary *s, struct episode *e, const struct finding *f,
		  const struct sample *now)
{
	e->end = summing_time(s, now);
	e->last_us = now->mono_us;
	e->steps++;
	if (f->severity <= e->severity)
		return;
	e->severity = f->severity;
	memcpy(e->text, f->text, sizeof(e->text));
	memcpy(e->evidence, f->evidence, sizeof(e->evidence));
}

void summing_findings(struct summary *s, const struct step *st, bool counts)
{
	struct finding findings[FINDING_NR];
	uint32_t n;

	if (!s->own->diagnose)
		return;
	window_add(s->own->window, st);
	n = counts ? diagnose(s->own->window, st, findings) : 0;
	for (uint32_t i = 0; i < n; i++) {
		struct episode *e = going_on(s, &findings[i], st->now, st->dt_us);

		if (e)
			go_on(s, e, &findings[i], st->now);
		else
			begin(s, &findings[i], st->now);
	}
}

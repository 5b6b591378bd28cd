/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_memcg.c - rules about single memcgs, or about the working set where no memcg is known.
 */
#include <inttypes.h>

#include "model/rules.h"

#define REFAULTS_PERMILLE 300      /* of evictions that come back: the working set does not fit */
#define EVICTED_KIB_A_SECOND 512   /* less is noise */
#define ROOT_PATH_LEN 1

static bool is_much(const struct rule_input *in, uint64_t pages)
{
	uint64_t kib = per_second(pages, in->lately.dt_us) * (in->page_size / 1024);

	return kib >= EVICTED_KIB_A_SECOND;
}

static bool comes_back(const struct rule_input *in, uint64_t evicted, uint64_t refaulted)
{
	return is_much(in, evicted) && permille(refaulted, evicted) >= REFAULTS_PERMILLE;
}

/* Does one of its children account for most of what came back? Then the child is to be named. */
static bool is_its_childs(const struct rule_input *in, const struct moved *m)
{
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *c = &in->memcgs[i];

		if (c != m && c->parent == m->path_name &&
		    permille(c->refaulted, m->refaulted) >= 600)
			return true;
	}
	return false;
}

static bool is_root(const struct moved *m)
{
	return m->path[0] == '/' && !m->path[ROOT_PATH_LEN];
}

static const struct moved *worst_fit(const struct rule_input *in)
{
	const struct moved *worst = NULL;

	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];

		if (is_root(m) || !comes_back(in, m->evicted, m->refaulted) || is_its_childs(in, m))
			continue;
		if (!worst || or_nought(m->refaulted) > or_nought(worst->refaulted))
			worst = m;
	}
	return worst;
}

static bool working_set(const struct rule_input *in, struct finding *out)
{
	const struct brief *b = &in->lately.sum;
	const struct moved *m = worst_fit(in);
	struct said span = say_span(in->lately.dt_us);
	uint64_t evicted = or_nought(b->stolen[TYPE_ANON]) + or_nought(b->stolen[TYPE_FILE]);
	uint64_t back = or_nought(b->refaulted[TYPE_ANON]) + or_nought(b->refaulted[TYPE_FILE]);

	if (m) {
		say(out, "the working set of %s does not fit: in the last %s refaults came to %"
		    PRIu64 " %% of evictions", m->path, span.text,
		    permille(m->refaulted, m->evicted) / 10);
		prove(out, "memory.stat with children: pgsteal +%" PRIu64
		      ", workingset_refault_* +%" PRIu64 " pages in %s", m->evicted,
		      or_nought(m->refaulted), span.text);
		return true;
	}
	if (!comes_back(in, evicted, back))
		return false;
	say(out, "the working set does not fit: in the last %s refaults came to %" PRIu64
	    " %% of evictions", span.text, permille(back, evicted) / 10);
	prove(out, "vmstat pgsteal_anon+file +%" PRIu64 ", workingset_refault_* +%" PRIu64
	      " pages in %s", evicted, back, span.text);
	return true;
}

static const struct moved *most_hits(const struct rule_input *in, bool high)
{
	const struct moved *most = NULL;
	uint64_t hits = 0;

	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];
		uint64_t n = or_nought(high ? m->high_hits : m->max_hits);
		uint64_t limit = high ? m->high : m->max;

		/* Events count for all ancestors too; who ran into a limit stands close to it. */
		if (!n || limit >= UNLIMITED || m->current == UNKNOWN || m->current < limit / 8 * 7)
			continue;
		if (n > hits || (n == hits && most && m->parent == most->path_name)) {
			most = m;
			hits = n;
		}
	}
	return most;
}

static bool memcg_killed(const struct rule_input *in, struct finding *out)
{
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];
		uint64_t n = or_nought(m->oom_kills);

		if (!n || is_root(m) || m->max == UNLIMITED || m->max == UNKNOWN)
			continue;
		say(out, "%" PRIu64 " process%s of %s %s killed: it may have no more than %s", n,
		    n == 1 ? "" : "es", m->path, n == 1 ? "was" : "were",
		    say_bytes(m->max).text);
		prove(out, "memory.events oom_kill +%" PRIu64 ", max +%" PRIu64
		      "; memory.max %" PRIu64, n, or_nought(m->max_hits), m->max);
		return true;
	}
	return false;
}

static bool memcg_limit(const struct rule_input *in, struct finding *out)
{
	const struct moved *m = most_hits(in, false);
	struct said span = say_span(in->lately.dt_us);

	if (!m)
		return false;
	say(out, "%s is at its limit of %s: it ran into it %" PRIu64 " time%s in %s", m->path,
	    say_bytes(m->max).text, m->max_hits, m->max_hits == 1 ? "" : "s", span.text);
	prove(out, "memory.events max +%" PRIu64 "; memory.current %" PRIu64
	      ", memory.max %" PRIu64, m->max_hits, or_nought(m->current), m->max);
	return true;
}

static bool memcg_high(const struct rule_input *in, struct finding *out)
{
	const struct moved *m = most_hits(in, true);
	struct said span = say_span(in->lately.dt_us);

	if (!m)
		return false;
	say(out, "%s is slowed down at its memory.high of %s: %" PRIu64 " time%s in %s", m->path,
	    say_bytes(m->high).text, m->high_hits, m->high_hits == 1 ? "" : "s", span.text);
	prove(out, "memory.events high +%" PRIu64 "; memory.current %" PRIu64
	      ", memory.high %" PRIu64, m->high_hits, or_nought(m->current), m->high);
	return true;
}

const struct rule rules_memcg[] = {
	{ "memcg-killed", SEVERITY_ALARM, 20, memcg_killed },
	{ "working-set", SEVERITY_WARN, 60, working_set },
	{ "memcg-limit", SEVERITY_WARN, 30, memcg_limit },
	{ "memcg-high", SEVERITY_WARN, 35, memcg_high },
};

const uint32_t nrules_memcg = sizeof(rules_memcg) / sizeof(rules_memcg[0]);

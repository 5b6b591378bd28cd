/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_memcg.c - rules about single memcgs, or about the working set where no memcg is known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

bool is_root(const struct moved *m)
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

/* Does one of the two stand in the other? Paths that were cut are not told apart: then it is said to. */
static bool is_kin(const struct moved *a, const struct moved *b)
{
	size_t la = strlen(a->path), lb = strlen(b->path), n = la < lb ? la : lb;
	const char *more = la < lb ? b->path : a->path;

	return !strncmp(a->path, b->path, n) && (la == lb || more[n] == '/');
}

static uint64_t growth(const struct moved *m)
{
	return m->held == UNKNOWN || m->held_was == UNKNOWN || m->held < m->held_was ? 0 : m->held - m->held_was;
}

/* What it has more now, and did not have before: without what only came back. */
static uint64_t new_memory(const struct rule_input *in, const struct moved *m)
{
	uint64_t back = or_nought(m->refaulted) * in->page_size;

	return growth(m) > back ? growth(m) - back : 0;
}

/*
 * The memcg that grew most while another lost its pages: by at least half of what came back to that one. None where the one
 * that lost stood at a limit of its own, which is reason enough.
 */
static const struct moved *grew_most(const struct rule_input *in, const struct moved *loser)
{
	uint64_t least = or_nought(loser->refaulted) / 2 * in->page_size;
	const struct moved *most = NULL;

	if (loser->max_hits == UNKNOWN || loser->max_hits || or_nought(loser->high_hits))
		return NULL;
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];

		if (!is_root(m) && !is_kin(m, loser) && new_memory(in, m) >= least &&
		    (!most || growth(m) > growth(most) || (growth(m) == growth(most) && m->parent == most->path_name)))
			most = m;
	}
	return most;
}

/* What came back in what was evicted: a share, and where it is more than all of it both, since it had gone earlier. */
static void say_back(const struct rule_input *in, const struct moved *m, const char *span, struct finding *out)
{
	uint64_t share = permille(m->refaulted, m->evicted) / 10;
	const struct moved *grew = grew_most(in, m);
	char more[MOVED_PATH + 48] = "";

	if (grew)
		snprintf(more, sizeof(more), "; meanwhile %s grew by %s", grew->path, say_bytes(growth(grew)).text);
	if (share <= 100)
		say(out, "the working set of %s does not fit: in the last %s refaults came to %" PRIu64
		    " %% of evictions%s", m->path, span, share, more);
	else
		say(out, "the working set of %s does not fit: in the last %s %s were evicted, and %s came back, part of it "
		    "gone for longer%s", m->path, span, say_pages(in, m->evicted).text,
		    say_pages(in, m->refaulted).text, more);
}

static bool working_set(const struct rule_input *in, struct finding *out)
{
	const struct brief *b = &in->lately.sum;
	const struct moved *m = worst_fit(in);
	struct said span = say_span(in->lately.dt_us);
	uint64_t evicted = or_nought(b->stolen[TYPE_ANON]) + or_nought(b->stolen[TYPE_FILE]);
	uint64_t back = or_nought(b->refaulted[TYPE_ANON]) + or_nought(b->refaulted[TYPE_FILE]);

	if (m) {
		say_back(in, m, span.text, out);
		prove(out, "memory.stat with children: pgsteal +%" PRIu64
		      ", workingset_refault_* +%" PRIu64 " pages in %s", m->evicted,
		      or_nought(m->refaulted), span.text);
		return true;
	}
	if (!comes_back(in, evicted, back))
		return false;
	if (back <= evicted)
		say(out, "the working set does not fit: in the last %s refaults came to %" PRIu64
		    " %% of evictions", span.text, permille(back, evicted) / 10);
	else
		say(out, "the working set does not fit: in the last %s %s were evicted, and %s came back, part of it "
		    "gone for longer", span.text, say_pages(in, evicted).text, say_pages(in, back).text);
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

bool is_childs_kill(const struct rule_input *in, const struct moved *m)
{
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *c = &in->memcgs[i];

		if (c != m && c->parent == m->path_name && or_nought(c->oom_kills) >= or_nought(m->oom_kills))
			return true;
	}
	return false;
}

bool is_limit_kill(const struct moved *m)
{
	return or_nought(m->oom_kills) && m->max < UNLIMITED && m->max_hits;
}

static bool memcg_killed(const struct rule_input *in, struct finding *out)
{
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];
		uint64_t n = or_nought(m->oom_kills);

		if (is_root(m) || !is_limit_kill(m))
			continue;
		say(out, "%" PRIu64 " process%s of %s %s killed in the last %s: it may have no more than %s", n,
		    n == 1 ? "" : "es", m->path, n == 1 ? "was" : "were",
		    say_span(in->lately.dt_us).text, say_bytes(m->max).text);
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

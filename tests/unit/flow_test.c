/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flow_test.c - flows against the truth of lruvecs that move pages at random, and against what the
 * kernel counted.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/stepping.h"
#include "reclaimtop/source.h"
#include "support_lru.h"

#define NLRU 4
#define SEEDS 60

static const uint32_t versions[] = { 60100, 61200, 61800, 70200 };
#define NVERSIONS (sizeof(versions) / sizeof(versions[0]))

/* A machine of NLRU memcgs, each one lruvec, and the two samples of a step. */
struct world {
	struct rng rng;
	struct lru lrus[NLRU];
	uint64_t stolen[TYPE_NR];    /* pgsteal since the start */
	uint64_t lost[NLRU];
	struct sample samples[2];
	struct step step;
};

static const char *const paths[NLRU] = { "/", "/a", "/b", "/b/c" };

static struct world *world_new(uint64_t seed, uint32_t version)
{
	struct world *w = calloc(1, sizeof(*w));

	w->rng.state = seed;
	for (int i = 0; i < NLRU; i++)
		lru_init(&w->lrus[i], &w->rng, version);
	w->samples[0].arena = arena_new();
	w->samples[1].arena = arena_new();
	w->step.arena = arena_new();
	return w;
}

static void world_free(struct world *w)
{
	arena_free(w->samples[0].arena);
	arena_free(w->samples[1].arena);
	arena_free(w->step.arena);
	free(w);
}

static void world_run(struct world *w, uint32_t operations, bool may_age)
{
	for (int i = 0; i < NLRU; i++) {
		struct lru *l = &w->lrus[i];
		int64_t before[TYPE_NR] = { l->truth[0].evicted, l->truth[1].evicted };

		lru_run(l, operations, may_age);
		for (int type = 0; type < TYPE_NR; type++) {
			w->stolen[type] += (uint64_t)(l->truth[type].evicted - before[type]);
			w->lost[i] += (uint64_t)(l->truth[type].evicted - before[type]);
		}
	}
}

/* All but the first are children of the first, the last is the third's as well. */
static uint64_t with_children(const struct world *w, int i)
{
	if (i == 0)
		return w->lost[0] + w->lost[1] + w->lost[2] + w->lost[3];
	return i == 2 ? w->lost[2] + w->lost[3] : w->lost[i];
}

/* A sample of it; the memcgs in the order given. */
static void world_show(struct world *w, struct sample *s, const int order[NLRU])
{
	sample_reset(s);
	s->machine.version = w->lrus[0].version;
	s->machine.mglru = 7;
	s->machine.page_size = 4096;
	s->machine.cpus = 1;
	s->mono_us = (int64_t)w->lrus[0].now_ms * 1000;
	counters_init(&s->vmstat, &keytab_vmstat, s->arena);
	s->vmstat.value[VM_pgsteal_anon] = w->stolen[TYPE_ANON];
	s->vmstat.value[VM_pgsteal_file] = w->stolen[TYPE_FILE];
	s->vmstat.value[VM_pgsteal_kswapd] = w->stolen[TYPE_ANON] + w->stolen[TYPE_FILE];
	s->vmstat.value[VM_pgsteal_direct] = 0;
	s->nlruvecs = s->nmemcgs = NLRU;
	s->lruvecs = arena_alloc(s->arena, NLRU * sizeof(*s->lruvecs));
	s->memcgs = arena_alloc(s->arena, NLRU * sizeof(*s->memcgs));
	for (int at = 0; at < NLRU; at++) {
		int i = order[at];

		s->lruvecs[at].memcg = (uint64_t)i + 1;
		s->lruvecs[at].path = s->memcgs[at].path = paths[i];
		lru_show(&w->lrus[i], s->arena, &s->lruvecs[at]);
		counters_init(&s->memcgs[at].stat, &keytab_memcg, s->arena);
		s->memcgs[at].stat.value[CG_pgsteal] = with_children(w, i);
	}
}

static const int in_order[NLRU] = { 0, 1, 2, 3 };

/* A world with two samples, and between them as much as the seed says. */
static struct world *world_step(uint64_t seed, uint32_t version)
{
	struct world *w = world_new(seed * 2654435761u + version, version);

	world_run(w, 300, true);
	world_show(w, &w->samples[0], in_order);
	for (int i = 0; i < NLRU; i++)
		lru_mark(&w->lrus[i]);
	world_run(w, 20 + rng_below(&w->rng, 300), rng_one_in(&w->rng, 2));
	world_show(w, &w->samples[1], in_order);
	return w;
}

/* --- what must hold of every amount --- */

static void is_in_order(struct amount a)
{
	assert_true(a.lo <= a.value);
	assert_true(a.value <= a.hi);
	if (a.state == AMOUNT_MEASURED)
		assert_true(a.lo == a.value && a.value == a.hi);
	if (!amount_known(a))
		assert_true(!a.lo && !a.value && !a.hi);
}

static void holds(const char *what, struct amount a, int64_t truth)
{
	is_in_order(a);
	if (!amount_known(a))
		return;
	if (a.lo > truth || truth > a.hi)
		fail_msg("%s: %" PRId64 " is not in %" PRId64 "..%" PRId64, what, truth, a.lo,
			 a.hi);
}

static bool all_known(const struct type_flow *f)
{
	return amount_known(f->in_young) && amount_known(f->in_old) && amount_known(f->evicted) &&
	       amount_known(f->gone) && amount_known(f->unexplained);
}

static int64_t net_of(const struct lruvec_step *l, int type)
{
	int64_t net = 0;

	for (uint32_t i = 0; i < l->ngens; i++)
		net += (int64_t)l->gens[i].now[type] - (int64_t)l->gens[i].before[type];
	return net;
}

static void is_conserved(const struct type_flow *f, int64_t net)
{
	if (all_known(f))
		assert_int_equal(net, f->in_young.value + f->in_old.value - f->evicted.value -
				 f->gone.value + f->unexplained.value);
}

static void flow_holds(const struct lruvec_step *l, const struct lru *truth, int type)
{
	const struct type_flow *f = &l->flow[type];
	const struct lru_truth *t = &truth->truth[type];

	is_conserved(f, net_of(l, type));
	holds("evicted", f->evicted, t->evicted);
	holds("refaulted", f->refaulted, t->refaulted);
	holds("gone", f->gone, t->gone);
	holds("in_young", f->in_young, t->in_young);
	holds("in_old", f->in_old, t->in_old);
	holds("promoted", f->promoted, lru_promoted(truth, (enum page_type)type));
	holds("protected", f->protected,
	      f->protected.state == AMOUNT_MEASURED ? t->counted : t->moved);
	is_in_order(f->unexplained);
}

static void world_holds(struct world *w, unsigned int withheld)
{
	step_make_withheld(&w->samples[0], &w->samples[1], withheld, &w->step);
	assert_int_equal(w->step.nlruvecs, NLRU);
	for (int i = 0; i < NLRU; i++) {
		const struct lruvec_step *l = &w->step.lruvecs[i];

		assert_non_null(l->before);
		assert_int_equal(l->births.value, w->lrus[i].max - w->lrus[i].marked_max);
		for (int type = 0; type < TYPE_NR; type++)
			flow_holds(l, &w->lrus[i], type);
	}
}

static void truth_lies_within_bounds(void **state)
{
	(void)state;
	for (size_t v = 0; v < NVERSIONS; v++) {
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct world *w = world_step(seed, versions[v]);

			for (unsigned int withheld = 0; withheld < 4; withheld++)
				world_holds(w, withheld);
			world_free(w);
		}
	}
}

static void oldest_that_stands_still_is_exact(void **state)
{
	uint32_t exact = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world *w = world_step(seed, versions[seed % NVERSIONS]);

		step_make(&w->samples[0], &w->samples[1], &w->step);
		for (int i = 0; i < NLRU; i++) {
			const struct lruvec *was = &w->samples[0].lruvecs[i];
			const struct lruvec *is = &w->samples[1].lruvecs[i];

			for (int type = 0; type < TYPE_NR; type++) {
				const struct type_flow *f = &w->step.lruvecs[i].flow[type];

				if (was->min_seq[type] != is->min_seq[type] || f->artefacts)
					continue;
				assert_int_equal(f->evicted.state, AMOUNT_MEASURED);
				assert_int_equal(f->evicted.value, w->lrus[i].truth[type].evicted);
				assert_int_equal(f->protected.value,
						 w->lrus[i].truth[type].counted);
				assert_int_equal(f->refaulted.value,
						 w->lrus[i].truth[type].refaulted);
				exact++;
			}
		}
		world_free(w);
	}
	assert_true(exact > SEEDS);
}

/* One fold of the averages gives back what was in the counts, to within one a tier. */
static void one_generation_on_is_nearly_exact(void **state)
{
	uint32_t seen = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
		struct world *w = world_step(seed, 61200);

		step_make_withheld(&w->samples[0], &w->samples[1], WITHHELD_STOLEN, &w->step);
		for (int i = 0; i < NLRU; i++) {
			for (int type = 0; type < TYPE_NR; type++) {
				const struct type_flow *f = &w->step.lruvecs[i].flow[type];
				uint64_t was = w->samples[0].lruvecs[i].min_seq[type];

				if (w->samples[1].lruvecs[i].min_seq[type] != was + 1 ||
				    f->artefacts)
					continue;
				/*
				 * What is open is how much of it was protected: that is what the
				 * truth says.
				 */
				assert_true(f->evicted.hi <= w->lrus[i].truth[type].evicted +
					    w->lrus[i].truth[type].counted + TIER_NR);
				assert_true(f->refaulted.value - f->refaulted.lo <= TIER_NR);
				/* What came back late is not in it. */
				assert_true(f->refaulted.hi == AMOUNT_NO_LIMIT);
				seen++;
			}
		}
		world_free(w);
	}
	assert_true(seen > 20);
}

static void all_lose_what_the_machine_did(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world *w = world_step(seed, versions[seed % NVERSIONS]);

		step_make(&w->samples[0], &w->samples[1], &w->step);
		for (int type = 0; type < TYPE_NR; type++) {
			const struct type_flow *sum = &w->step.flow[type];
			int64_t evicted = 0, net = 0;
			bool whole = true;

			for (int i = 0; i < NLRU; i++) {
				evicted += w->step.lruvecs[i].flow[type].evicted.value;
				net += net_of(&w->step.lruvecs[i], type);
				whole &= !w->step.lruvecs[i].flow[type].artefacts;
			}
			assert_int_equal(sum->evicted.state, AMOUNT_MEASURED);
			if (whole) {
				is_conserved(sum, net);
				/* Shares are rounded down. */
				assert_in_range(sum->evicted.value - evicted + NLRU, 0, 3 * NLRU);
			}
		}
		world_free(w);
	}
}

static void same(struct amount a, struct amount b)
{
	assert_int_equal(a.value, b.value);
	assert_int_equal(a.lo, b.lo);
	assert_int_equal(a.hi, b.hi);
	assert_int_equal(a.state, b.state);
	assert_int_equal(a.scope, b.scope);
}

static void same_flow(const struct type_flow *a, const struct type_flow *b)
{
	same(a->in_young, b->in_young);
	same(a->in_old, b->in_old);
	same(a->promoted, b->promoted);
	same(a->protected, b->protected);
	same(a->evicted, b->evicted);
	same(a->gone, b->gone);
	same(a->refaulted, b->refaulted);
	assert_int_equal(a->artefacts, b->artefacts);
}

static void same_flows(const struct lruvec_step *a, const struct lruvec_step *b)
{
	assert_string_equal(a->now->path, b->now->path);
	same(a->births, b->births);
	for (int type = 0; type < TYPE_NR; type++)
		same_flow(&a->flow[type], &b->flow[type]);
}

static void order_of_memcgs_plays_no_part(void **state)
{
	static const int orders[3][NLRU] = { { 3, 2, 1, 0 }, { 2, 0, 3, 1 }, { 0, 1, 2, 3 } };

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct world *w = world_step(seed, versions[seed % NVERSIONS]);
		struct sample other = { .arena = arena_new() };
		struct step step = { .arena = arena_new() };

		for (unsigned int withheld = 0; withheld < 4; withheld++) {
			step_make_withheld(&w->samples[0], &w->samples[1], withheld, &w->step);
			for (int o = 0; o < 3; o++) {
				world_show(w, &other, orders[o]);
				step_make_withheld(&w->samples[0], &other, withheld, &step);
				for (int at = 0; at < NLRU; at++)
					same_flows(&step.lruvecs[at],
						   &w->step.lruvecs[orders[o][at]]);
			}
		}
		arena_free(other.arena);
		arena_free(step.arena);
		world_free(w);
	}
}

/* --- the kernel's own series --- */

static struct interest everything = { .tiers = true };

struct totals {
	int64_t model[TYPE_NR], kernel[TYPE_NR];
};

/* What lru_gen and lru_gen_full alone make of a series, and what pgsteal says. */
static struct totals series_totals(const char *dir)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct step step = { .arena = arena_new() };
	const char *why = "";
	struct source *src = source_tree(dir, false, &why);
	struct totals t = { .model = { 0 } };

	assert_non_null(src);
	for (int i = 0; !src->ops->next(src, &everything, &s[i & 1]); i++) {
		step_make_withheld(i ? &s[(i + 1) & 1] : NULL, &s[i & 1], WITHHELD_STOLEN, &step);
		for (int type = 0; type < TYPE_NR; type++) {
			t.model[type] += step.flow[type].evicted.value;
			t.kernel[type] += step.reclaim.stolen[type].value;
		}
	}
	source_close(src);
	arena_free(s[0].arena);
	arena_free(s[1].arena);
	arena_free(step.arena);
	return t;
}

/* The growth of a line of vmstat over a series, by awk. */
static int64_t awk_growth(const char *dir, const char *name)
{
	char command[400], line[64] = "";
	FILE *f;

	snprintf(command, sizeof(command),
		 "awk '$1 == \"%s\" { if (n++) last = $2; else last = "
		 "first = $2 } END { printf \"%%d\\n\", last - first }' %s/*/proc/vmstat",
		 name, dir);
	f = popen(command, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	pclose(f);
	return strtoll(line, NULL, 10);
}

static void generations_alone_tell_evictions(void **state)
{
	static const char *const dirs[] = {
		"tests/roots/6.1-pressure", "tests/roots/6.1-numa2", "tests/roots/6.12-pressure",
		"tests/roots/6.12-numa2", "tests/roots/7.2-pressure", "tests/roots/7.2-numa2",
	};
	static const char *const names[] = { "pgsteal_anon", "pgsteal_file" };

	(void)state;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		struct totals t = series_totals(dirs[i]);

		for (int type = 0; type < TYPE_NR; type++) {
			int64_t truth = awk_growth(dirs[i], names[type]);
			int64_t off = t.model[type] - truth;

			print_message("%s %s: %" PRId64 " from generations, %" PRId64 " counted\n",
				      dirs[i], names[type], t.model[type], truth);
			assert_int_equal(t.kernel[type], truth);
			assert_true((off < 0 ? -off : off) * 5 <= truth);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truth_lies_within_bounds),
		cmocka_unit_test(oldest_that_stands_still_is_exact),
		cmocka_unit_test(one_generation_on_is_nearly_exact),
		cmocka_unit_test(all_lose_what_the_machine_did),
		cmocka_unit_test(order_of_memcgs_plays_no_part),
		cmocka_unit_test(generations_alone_tell_evictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step_test.c - amounts, what a step may be compared with, who is who in it, and what it costs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "model/stepping.h"
#include "support_parse.h"
#include "support_sample.h"
#include "support_series.h"

#define SECOND_US 1000000

struct pair {
	struct sample was, is;
	struct step step;
};

static int pair_setup(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));

	sample_begin(&p->was, 61200, 10 * SECOND_US);
	sample_begin(&p->is, 61200, 11 * SECOND_US);
	p->step.arena = arena_new();
	*state = p;
	return 0;
}

static int pair_teardown(void **state)
{
	struct pair *p = *state;

	sample_end(&p->was);
	sample_end(&p->is);
	arena_free(p->step.arena);
	free(p);
	return 0;
}

/* --- amounts --- */

static void is_amount(struct amount a, enum amount_state state, int64_t value)
{
	assert_string_equal(amount_state_name((enum amount_state)a.state),
			    amount_state_name(state));
	assert_int_equal(a.value, value);
	if (state == AMOUNT_MEASURED) {
		assert_int_equal(a.lo, value);
		assert_int_equal(a.hi, value);
	}
}

static void counters_never_go_back(void **state)
{
	(void)state;
	is_amount(amount_counter(10, 15, SCOPE_MACHINE), AMOUNT_MEASURED, 5);
	is_amount(amount_counter(15, 15, SCOPE_MACHINE), AMOUNT_MEASURED, 0);
	is_amount(amount_counter(15, 10, SCOPE_MACHINE), AMOUNT_RESET, 0);
	is_amount(amount_counter(UINT64_C(1) << 40, 0, SCOPE_MACHINE), AMOUNT_RESET, 0);
	is_amount(amount_counter(UNKNOWN, 10, SCOPE_MACHINE), AMOUNT_FIRST, 0);
	is_amount(amount_counter(10, UNKNOWN, SCOPE_MACHINE), AMOUNT_MISSING, 0);
	is_amount(amount_counter(UNKNOWN, UNKNOWN, SCOPE_MACHINE), AMOUNT_MISSING, 0);
	assert_true(amount_counter(0, UINT64_MAX - 2, SCOPE_MACHINE).value > 0);
}

static void gauges_do(void **state)
{
	(void)state;
	is_amount(amount_gauge(15, 10, SCOPE_NODE), AMOUNT_MEASURED, -5);
	is_amount(amount_gauge(UNKNOWN, 10, SCOPE_NODE), AMOUNT_FIRST, 0);
	is_amount(amount_gauge(10, UNKNOWN, SCOPE_NODE), AMOUNT_MISSING, 0);
}

static void a_sum_is_known_as_its_weakest_part(void **state)
{
	struct amount five = amount_counter(0, 5, SCOPE_MEMCG);
	struct amount guess = amount_inferred(7, 2, AMOUNT_NO_LIMIT, SCOPE_MEMCG);
	struct amount missing = amount_counter(0, UNKNOWN, SCOPE_MACHINE);
	struct amount first = amount_counter(UNKNOWN, 1, SCOPE_MACHINE);
	struct amount sum = amount_add(five, guess);

	(void)state;
	is_amount(sum, AMOUNT_INFERRED, 12);
	assert_int_equal(sum.lo, 7);
	assert_true(sum.hi == AMOUNT_NO_LIMIT);
	is_amount(amount_add(five, missing), AMOUNT_MEASURED, 5);
	is_amount(amount_add(missing, missing), AMOUNT_MISSING, 0);
	is_amount(amount_add(five, first), AMOUNT_FIRST, 0);
	is_amount(amount_less(five, missing), AMOUNT_MISSING, 0);
	sum = amount_less(five, guess);
	is_amount(sum, AMOUNT_INFERRED, -2);
	assert_true(sum.lo == -AMOUNT_NO_LIMIT);
	assert_int_equal(sum.hi, 3);
}

static void rates_are_rounded_tenths(void **state)
{
	struct amount a = amount_counter(0, 3224, SCOPE_MACHINE);

	(void)state;
	assert_int_equal(amount_rate10(a, 2 * SECOND_US), 16120);
	assert_int_equal(amount_rate10(amount_counter(0, 1, SCOPE_MACHINE), 3 * SECOND_US), 3);
	assert_int_equal(amount_rate10(amount_counter(0, 2, SCOPE_MACHINE), 3 * SECOND_US), 7);
	assert_int_equal(amount_rate10(amount_gauge(2, 0, SCOPE_MACHINE), 3 * SECOND_US), -7);
	assert_int_equal(amount_rate10(a, 0), 0);
	assert_int_equal(amount_rate10(amount_counter(9, 1, SCOPE_MACHINE), SECOND_US), 0);
	/* Larger than any product of it fits. */
	a = amount_counter(0, UINT64_C(1) << 62, SCOPE_MACHINE);
	assert_true(amount_rate10(a, 1000 * SECOND_US) > INT64_C(46116860184273800));
}

/* The rate that a public report should have seen; the counter that passes 2^64 goes on. */
static void counters_above_32_bits_have_rates(void **state)
{
	static const char *const files[2] = { "tests/cases/vmstat-above-32-bits/vmstat.1",
					      "tests/cases/vmstat-above-32-bits/vmstat.2" };
	struct parsed was = parsed_file(files[0], vmstat_parse);
	struct parsed is = parsed_file(files[1], vmstat_parse);
	struct step st = { .arena = arena_new() };

	(void)state;
	was.s.mono_us = SECOND_US;
	is.s.mono_us = 3 * SECOND_US;
	step_make(&was.s, &is.s, &st);
	assert_int_equal(amount_rate10(st.vm[VM_numa_hit], st.dt_us), 16120);
	is_amount(st.vm[VM_pgfault], AMOUNT_MEASURED, 816);
	is_amount(st.vm[VM_pgscan_kswapd], AMOUNT_MEASURED, 2);
	arena_free(st.arena);
	parsed_free(&was);
	parsed_free(&is);
}

/* --- states --- */

static void is_step(struct pair *p, enum step_state state, const char *why)
{
	sample_vm(&p->was, VM_pgsteal_kswapd, 100);
	sample_vm(&p->is, VM_pgsteal_kswapd, 110);
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.state, state);
	assert_string_equal(p->step.why, why);
	if (state == STEP_RESET) {
		is_amount(p->step.vm[VM_pgsteal_kswapd], AMOUNT_RESET, 0);
		assert_int_equal(p->step.dt_us, 0);
	} else {
		is_amount(p->step.vm[VM_pgsteal_kswapd],
			  state == STEP_GAP ? AMOUNT_GAP : AMOUNT_MEASURED, 10);
	}
}

static void steps_that_follow_are_ok(void **state)
{
	struct pair *p = *state;

	p->is.interval_us = SECOND_US;
	is_step(p, STEP_OK, "");
	assert_int_equal(p->step.dt_us, SECOND_US);
	/* Late, but not by a sample. */
	p->is.mono_us = 10 * SECOND_US + 2 * SECOND_US + 100000;
	is_step(p, STEP_OK, "");
	/* Without a plan no time is too long. */
	p->is.interval_us = 0;
	p->is.mono_us += 3600 * (int64_t)SECOND_US;
	is_step(p, STEP_OK, "");
}

static void a_late_sample_is_a_gap(void **state)
{
	struct pair *p = *state;

	p->is.interval_us = SECOND_US;
	p->is.mono_us = 10 * SECOND_US + 2 * SECOND_US + 100001;
	is_step(p, STEP_GAP, "samples are missing");
}

static void sleep_is_a_gap(void **state)
{
	struct pair *p = *state;

	p->was.slept_us = 5 * SECOND_US;
	p->is.slept_us = 5 * SECOND_US + 100001;
	is_step(p, STEP_GAP, "the machine slept");
	p->is.slept_us = 5 * SECOND_US + 100000;
	is_step(p, STEP_OK, "");
}

static void nothing_before_is_first(void **state)
{
	struct pair *p = *state;

	sample_vm(&p->is, VM_pgsteal_kswapd, 110);
	step_make(NULL, &p->is, &p->step);
	assert_int_equal(p->step.state, STEP_FIRST);
	assert_string_equal(p->step.why, "");
	assert_null(p->step.before);
	is_amount(p->step.vm[VM_pgsteal_kswapd], AMOUNT_FIRST, 0);
	is_amount(p->step.vm[VM_pgscan_kswapd], AMOUNT_MISSING, 0);
}

static void another_machine_is_a_reset(void **state)
{
	struct pair *p = *state;

	p->was.machine.boot_id = "a";
	p->is.machine.boot_id = "b";
	is_step(p, STEP_RESET, "the machine was started anew");
	p->is.machine.boot_id = NULL;
	is_step(p, STEP_OK, "");
	p->was.machine.kernel = "6.12.1";
	p->is.machine.kernel = "6.12.2";
	is_step(p, STEP_RESET, "another kernel");
	p->is.machine.kernel = "6.12.1";
	p->is.machine.page_size = 65536;
	is_step(p, STEP_RESET, "another page size");
	p->is.machine.page_size = 4096;
	p->is.mono_us = 10 * SECOND_US - 1;
	is_step(p, STEP_RESET, "time went back");
	p->is.mono_us = 11 * SECOND_US;
	p->is.restart = true;
	is_step(p, STEP_RESET, "the player started again");
}

/* --- who is who --- */

/* Lruvecs with two generations each; ages grow by the second that lies between the samples. */
static void put_lruvec(struct sample *s, uint64_t id, const char *path, uint64_t max, uint64_t age)
{
	struct lruvec *list = arena_alloc(s->arena, (s->nlruvecs + 1) * sizeof(*list)), *v;

	if (s->nlruvecs)
		memcpy(list, s->lruvecs, s->nlruvecs * sizeof(*list));
	v = &list[s->nlruvecs++];
	*v = (struct lruvec){ .memcg = id, .path = path, .ngens = 2, .dying = !id };
	v->min_seq[0] = v->min_seq[1] = UNKNOWN;
	v->gens = arena_alloc(s->arena, 2 * sizeof(*v->gens));
	v->gens[0] = (struct gen){ max - 1, age + 10, { 100 * id, 10 }, 0 };
	v->gens[1] = (struct gen){ max, age, { id, 0 }, 0 };
	s->lruvecs = list;
}

static const struct lruvec_step *find(const struct step *st, const char *path, uint64_t max)
{
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		const struct lruvec *v = st->lruvecs[i].now;

		if (v && !strcmp(v->path, path) && v->gens[1].seq == max)
			return &st->lruvecs[i];
	}
	return NULL;
}

static void lruvecs_are_paired_by_name(void **state)
{
	struct pair *p = *state;
	const struct memcg_step *b;

	put_lruvec(&p->was, 1, "/", 5, 5000);
	put_lruvec(&p->was, 2, "/a", 6, 5000);
	put_lruvec(&p->was, 3, "/b", 7, 5000);
	put_lruvec(&p->is, 3, "/b", 7, 6000);
	put_lruvec(&p->is, 1, "/", 5, 6000);
	put_lruvec(&p->is, 4, "/c", 3, 100);
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.nlruvecs, 4);
	assert_ptr_equal(p->step.lruvecs[0].before, &p->was.lruvecs[2]);
	assert_ptr_equal(p->step.lruvecs[1].before, &p->was.lruvecs[0]);
	assert_null(p->step.lruvecs[2].before);
	assert_null(p->step.lruvecs[3].now);
	assert_ptr_equal(p->step.lruvecs[3].before, &p->was.lruvecs[1]);
	assert_int_equal(p->step.nmemcgs, 4);
	b = step_memcg(&p->step, "/b");
	assert_false(b->is_new || b->vanished);
	assert_int_equal(b->lru_pages[TYPE_ANON], 303);
	assert_int_equal(b->pages[0][TYPE_ANON], 3);
	assert_int_equal(b->pages[1][TYPE_ANON], 300);
	assert_int_equal(b->oldest_age_ms[TYPE_FILE], 6010);
	assert_true(step_memcg(&p->step, "/c")->is_new);
	assert_true(step_memcg(&p->step, "/a")->vanished);
	assert_int_equal(step_memcg(&p->step, "/a")->evicted.state, AMOUNT_MISSING);
	assert_null(step_memcg(&p->step, "/d"));
	assert_ptr_equal(step_lruvec(&p->step, "/b", 3, 0), &p->step.lruvecs[0]);
	assert_null(step_lruvec(&p->step, "/b", 3, 1));
}

/*
 * Up to 6.19 a removed memcg prints the id 0 and its old path, as do those that were removed before
 * it.
 */
static void removed_memcgs_are_told_apart(void **state)
{
	struct pair *p = *state;
	const struct memcg_step *living;

	put_lruvec(&p->was, 0, "/s", 9, 70000);
	put_lruvec(&p->was, 0, "/s", 9, 30000);
	put_lruvec(&p->was, 8, "/s", 9, 5000);
	/* The first is gone, the living one was removed, and one of that name made anew. */
	put_lruvec(&p->is, 0, "/s", 9, 31000);
	put_lruvec(&p->is, 0, "/s", 9, 6000);
	put_lruvec(&p->is, 8, "/s", 3, 500);
	step_make(&p->was, &p->is, &p->step);
	assert_ptr_equal(p->step.lruvecs[0].before, &p->was.lruvecs[1]);
	assert_ptr_equal(p->step.lruvecs[1].before, &p->was.lruvecs[2]);
	assert_null(p->step.lruvecs[2].before);
	assert_ptr_equal(p->step.lruvecs[3].before, &p->was.lruvecs[0]);
	assert_non_null(find(&p->step, "/s", 3));
	assert_int_equal(find(&p->step, "/s", 3)->flow[0].artefacts, ARTEFACT_ID_REUSED);
	living = step_memcg(&p->step, "/s");
	assert_false(living->dying);
	assert_int_equal(living->copies, 2);
	assert_true(p->step.memcgs[0].dying);
	assert_int_equal(p->step.memcgs[0].copies, 1);
}

static void put_memcg(struct sample *s, const char *path, uint64_t pgsteal, uint64_t refault)
{
	struct memcg *list = arena_alloc(s->arena, (s->nmemcgs + 1) * sizeof(*list)), *m;

	if (s->nmemcgs)
		memcpy(list, s->memcgs, s->nmemcgs * sizeof(*list));
	m = &list[s->nmemcgs++];
	*m = (struct memcg){ .path = path, .id = UNKNOWN };
	m->pressure.some = m->pressure.full = psi_line_unknown();
	counters_init(&m->stat, &keytab_memcg, s->arena);
	m->stat.value[CG_pgsteal] = pgsteal;
	m->stat.value[CG_workingset_refault_anon] = 0;
	m->stat.value[CG_workingset_refault_file] = refault;
	s->memcgs = list;
}

static void files_join_by_path(void **state)
{
	struct pair *p = *state;
	const struct memcg_step *b;

	put_lruvec(&p->was, 2, "/b", 6, 5000);
	put_lruvec(&p->is, 2, "/b", 6, 6000);
	put_memcg(&p->was, "/only", 5, 0);
	put_memcg(&p->was, "/b", 1000, 10);
	put_memcg(&p->is, "/b", 1700, 310);
	put_memcg(&p->is, "/only", 5, 0);
	step_make(&p->was, &p->is, &p->step);
	b = step_memcg(&p->step, "/b");
	assert_ptr_equal(b->now, &p->is.memcgs[0]);
	is_amount(b->evicted, AMOUNT_MEASURED, 700);
	assert_int_equal(b->evicted.scope, SCOPE_MEMCG_TREE);
	is_amount(b->refaulted, AMOUNT_MEASURED, 300);
	is_amount(b->lost, AMOUNT_MEASURED, 400);
	is_amount(b->stalled_us, AMOUNT_MISSING, 0);
	b = step_memcg(&p->step, "/only");
	assert_int_equal(b->nlruvecs, 0);
	assert_true(b->lru_pages[TYPE_ANON] == UNKNOWN);
	assert_false(b->is_new);
}

static void processes_are_paired_by_start_too(void **state)
{
	struct pair *p = *state;
	static struct process was[2] = { { .pid = 7, .start_ticks = 1, .cpu_ticks = 50 },
					 { .pid = 8, .start_ticks = 2, .cpu_ticks = 10 } };
	static struct process is[2] = { { .pid = 8, .start_ticks = 9, .cpu_ticks = 1 },
					{ .pid = 7, .start_ticks = 1, .cpu_ticks = 75 } };

	p->was.processes = was;
	p->is.processes = is;
	p->was.nprocesses = p->is.nprocesses = 2;
	step_make(&p->was, &p->is, &p->step);
	is_amount(p->step.processes[0].cpu_ms, AMOUNT_FIRST, 0);
	is_amount(p->step.processes[1].cpu_ms, AMOUNT_MEASURED, 250);
}

/* --- whatever comes --- */

static void amounts_are_sane(const struct amount *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_in_range(a[i].state, AMOUNT_MISSING, AMOUNT_INFERRED);
		assert_true(a[i].lo <= a[i].value && a[i].value <= a[i].hi);
	}
}

static void flow_is_sane(const struct type_flow *f)
{
	amounts_are_sane(&f->in_young, 1);
	amounts_are_sane(&f->in_old, 1);
	amounts_are_sane(&f->promoted, 1);
	amounts_are_sane(&f->protected, 1);
	amounts_are_sane(&f->evicted, 1);
	amounts_are_sane(&f->gone, 1);
	amounts_are_sane(&f->refaulted, 1);
}

static void step_is_sane(const struct step *st)
{
	for (int key = 0; key < VM_NR; key++)
		if (strncmp(keytab_vmstat.keys[key].name, "nr_", 3) && key != VM_workingset_nodes)
			assert_true(st->vm[key].value >= 0);
	amounts_are_sane(st->vm, VM_NR);
	amounts_are_sane(st->reclaim.scanned_by, WHO_NR);
	amounts_are_sane(st->reclaim.stolen_by, WHO_NR);
	for (int type = 0; type < TYPE_NR; type++)
		flow_is_sane(&st->flow[type]);
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			flow_is_sane(&st->lruvecs[i].flow[type]);
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		amounts_are_sane(&st->memcgs[i].evicted, 1);
}

static void any_two_samples_make_a_step(void **state)
{
	struct rng rng = { 20260101 };
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct step st = { .arena = arena_new() };

	(void)state;
	sample_random(&rng, &s[0]);
	for (int i = 1; i < 300; i++) {
		sample_random_next(&rng, &s[(i + 1) & 1], &s[i & 1]);
		step_make(&s[(i + 1) & 1], &s[i & 1], &st);
		step_is_sane(&st);
		step_make(&s[i & 1], &s[(i + 1) & 1], &st);
		step_is_sane(&st);
	}
	arena_free(s[0].arena);
	arena_free(s[1].arena);
	arena_free(st.arena);
}

static void every_series_makes_steps(void **state)
{
	struct step st = { .arena = arena_new() };

	(void)state;
	for (size_t d = 0; d < sizeof(series_dirs) / sizeof(series_dirs[0]); d++) {
		struct series *s = series_load(series_dirs[d]);

		for (uint32_t i = 0; i < s->n; i++) {
			step_make(i ? &s->samples[i - 1] : NULL, &s->samples[i], &st);
			assert_int_equal(st.state, i ? STEP_OK : STEP_FIRST);
			step_is_sane(&st);
			/* A sample and itself: nothing happened. */
			step_make(&s->samples[i], &s->samples[i], &st);
			for (uint32_t l = 0; l < st.nlruvecs; l++)
				assert_ptr_equal(st.lruvecs[l].now, st.lruvecs[l].before);
			assert_int_equal(st.births.value, 0);
		}
		series_free(s);
	}
	arena_free(st.arena);
}

/* --- cost --- */

/* As many memcgs on two nodes, every tenth of them removed and under one of few paths. */
static void many_lruvecs(struct sample *s, uint32_t memcgs, uint64_t age)
{
	char path[64];

	s->nlruvecs = 2 * memcgs;
	s->lruvecs = arena_alloc(s->arena, s->nlruvecs * sizeof(*s->lruvecs));
	for (uint32_t i = 0; i < memcgs; i++) {
		bool dying = i % 10 == 9;

		snprintf(path, sizeof(path), "/system.slice/unit-%u.service", dying ? i % 30 : i);
		for (uint32_t node = 0; node < 2; node++) {
			struct lruvec *v = &s->lruvecs[2 * i + node];

			v->memcg = dying ? 0 : i + 1;
			v->dying = dying;
			v->path = arena_str(s->arena, path);
			v->node = node;
			v->min_seq[0] = v->min_seq[1] = UNKNOWN;
			v->ngens = 4;
			v->gens = arena_alloc(s->arena, 4 * sizeof(*v->gens));
			for (uint32_t g = 0; g < 4; g++)
				v->gens[g] =
					(struct gen){ 7 + g, age + 3 * (uint64_t)i, { i, g }, 0 };
		}
	}
}

static double seconds_of_step(uint32_t memcgs, int times)
{
	struct sample was, is;
	struct step st = { .arena = arena_new() };
	struct timespec from, to;
	double took, best = 1e9;

	sample_begin(&was, 61200, SECOND_US);
	sample_begin(&is, 61200, 2 * SECOND_US);
	many_lruvecs(&was, memcgs, 5000);
	many_lruvecs(&is, memcgs, 6000);
	step_make(&was, &is, &st);
	for (int i = 0; i < times; i++) {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		step_make(&was, &is, &st);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		took = (double)(to.tv_sec - from.tv_sec) +
		       (double)(to.tv_nsec - from.tv_nsec) / 1e9;
		best = took < best ? took : best;
	}
	for (uint32_t i = 0; i < st.nlruvecs; i++)
		assert_non_null(st.lruvecs[i].before);
	sample_end(&was);
	sample_end(&is);
	arena_free(st.arena);
	return best;
}

/*
 * Ten times the memcgs may cost ten times as much, and more for the caches of a busy machine:
 * a search for each would cost a hundred times as much, and more.
 */
static void cost_grows_with_the_memcgs(void **state)
{
	double small = seconds_of_step(500, 20), large = seconds_of_step(5000, 6);

	(void)state;
	print_message("500 memcgs on 2 nodes: %.2f ms a step, 5000: %.2f ms\n", small * 1e3,
		      large * 1e3);
	assert_true(large < 80 * small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_never_go_back),
		cmocka_unit_test(gauges_do),
		cmocka_unit_test(a_sum_is_known_as_its_weakest_part),
		cmocka_unit_test(rates_are_rounded_tenths),
		cmocka_unit_test(counters_above_32_bits_have_rates),
		cmocka_unit_test_setup_teardown(steps_that_follow_are_ok, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(a_late_sample_is_a_gap, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(sleep_is_a_gap, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(nothing_before_is_first, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(another_machine_is_a_reset, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(lruvecs_are_paired_by_name, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(removed_memcgs_are_told_apart, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(files_join_by_path, pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(processes_are_paired_by_start_too, pair_setup,
						pair_teardown),
		cmocka_unit_test(any_two_samples_make_a_step),
		cmocka_unit_test(every_series_makes_steps),
		cmocka_unit_test(cost_grows_with_the_memcgs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reclaim_test.c - reclaim by who and by what, and when the two disagree.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reclaimtop/step.h"
#include "support_parse.h"
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

/* What reclaim took in the step, by who and by type. */
static void took(struct pair *p, uint64_t kswapd, uint64_t direct, uint64_t anon, uint64_t file)
{
	static const enum vm_key keys[4] = { VM_pgsteal_kswapd, VM_pgsteal_direct, VM_pgsteal_anon,
					     VM_pgsteal_file };
	const uint64_t pages[4] = { kswapd, direct, anon, file };

	for (int i = 0; i < 4; i++) {
		sample_vm(&p->was, keys[i], 1000000);
		sample_vm(&p->is, keys[i], 1000000 + pages[i]);
	}
	step_make(&p->was, &p->is, &p->step);
}

static void of_kernel(struct pair *p, uint32_t version)
{
	p->was.machine.version = p->is.machine.version = version;
}

static void is_check(const struct pair *p, enum check check, int64_t diff)
{
	assert_int_equal(p->step.reclaim.check, check);
	assert_int_equal(p->step.reclaim.check_diff, diff);
}

static void up_to_7_0_the_difference_is_the_memcg_limit(void **state)
{
	struct pair *p = *state;
	const struct amount *limit = &p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT];

	of_kernel(p, 70001);
	took(p, 500, 100, 300, 1300);
	is_check(p, CHECK_AGREE, 1000);
	assert_int_equal(limit->state, AMOUNT_MEASURED);
	assert_int_equal(limit->value, 1000);
	assert_int_equal(p->step.reclaim.stolen_all.value, 1600);
	took(p, 500, 100, 300, 300);
	is_check(p, CHECK_AGREE, 0);
	assert_int_equal(limit->value, 0);
}

static void up_to_7_0_less_by_type_is_a_disagreement(void **state)
{
	struct pair *p = *state;

	p->is.machine.cpus = 2;
	took(p, 5000, 0, 0, 5000 - 128);
	is_check(p, CHECK_AGREE, -128);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT].state, AMOUNT_MISSING);
	took(p, 5000, 0, 0, 5000 - 129);
	is_check(p, CHECK_DISAGREE, -129);
	assert_int_equal(p->step.reclaim.check_allowed, 128);
	/*
	 * A file of two read()s is two sums: what was reclaimed while it was read is no
	 * disagreement.
	 */
	p->is.readings[READ_VMSTAT] = (struct reading){ .state = READING_OK, .bytes = 5000,
							.start_us = 11000000, .end_us = 11100000 };
	took(p, 5000, 0, 0, 5000 - 500);
	is_check(p, CHECK_AGREE, -500);
	took(p, 5000, 0, 0, 5000 - 1000);
	is_check(p, CHECK_DISAGREE, -1000);
}

static void from_7_1_both_hold_all_and_are_stale(void **state)
{
	struct pair *p = *state;

	of_kernel(p, 70100);
	p->is.machine.cpus = 2;
	/* Four lines, 125 pages for each CPU. */
	took(p, 5000, 0, 0, 6000);
	is_check(p, CHECK_AGREE, 1000);
	assert_int_equal(p->step.reclaim.check_allowed, 1000);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT].state, AMOUNT_MISSING);
	took(p, 5000, 0, 0, 6001);
	is_check(p, CHECK_DISAGREE, 1001);
	took(p, 5000, 0, 0, 3999);
	is_check(p, CHECK_DISAGREE, -1001);
	p->is.machine.nodes = 2;
	took(p, 5000, 0, 0, 3999);
	is_check(p, CHECK_AGREE, -1001);
}

static void an_unknown_kernel_is_not_accused(void **state)
{
	struct pair *p = *state;

	of_kernel(p, 0);
	took(p, 5000, 0, 0, 50);
	is_check(p, CHECK_UNKNOWN, -4950);
	took(p, 5000, 0, 0, 50000);
	is_check(p, CHECK_UNKNOWN, 45000);
	took(p, 5000, 0, 0, 5000);
	is_check(p, CHECK_AGREE, 0);
}

/* What older kernels do not print they count elsewhere; what newer ones print is added. */
static void missing_reclaimers_leave_the_sum_known(void **state)
{
	struct pair *p = *state;

	took(p, 500, 100, 300, 300);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_KHUGEPAGED].state, AMOUNT_MISSING);
	is_check(p, CHECK_AGREE, 0);
	sample_vm(&p->was, VM_pgsteal_khugepaged, 10);
	sample_vm(&p->is, VM_pgsteal_khugepaged, 50);
	sample_vm(&p->was, VM_pgsteal_proactive, 0);
	sample_vm(&p->is, VM_pgsteal_proactive, 7);
	took(p, 500, 100, 300, 347);
	is_check(p, CHECK_AGREE, 0);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_PROACTIVE].value, 7);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT].value, 0);
}

static void a_counter_that_went_back_is_no_difference(void **state)
{
	struct pair *p = *state;

	took(p, 500, 100, 300, 300);
	sample_vm(&p->is, VM_pgsteal_kswapd, 3);
	step_make(&p->was, &p->is, &p->step);
	is_check(p, CHECK_UNKNOWN, 0);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_KSWAPD].state, AMOUNT_RESET);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT].value, 0);
	assert_false(amount_known(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT]));
}

static void stalls_are_summed_over_all_zones(void **state)
{
	struct pair *p = *state;
	static struct named was = { "allocstall_high", 5 }, is = { "allocstall_high", 9 };

	sample_vm(&p->was, VM_allocstall_normal, 1);
	sample_vm(&p->is, VM_allocstall_normal, 11);
	sample_vm(&p->was, VM_allocstall_movable, 0);
	sample_vm(&p->is, VM_allocstall_movable, 300);
	p->was.vmstat.more = &was;
	p->is.vmstat.more = &is;
	p->was.vmstat.nmore = p->is.vmstat.nmore = 1;
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.reclaim.stalls.value, 314);
	assert_int_equal(p->step.reclaim.stalls.state, AMOUNT_MEASURED);
}

/* One of the two that every kernel counts is not there: there is no sum to speak of. */
static void without_direct_there_is_no_sum(void **state)
{
	struct pair *p = *state;

	took(p, 500, 0, 300, 200);
	p->is.vmstat.value[VM_pgsteal_direct] = UNKNOWN;
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.reclaim.check, CHECK_UNKNOWN);
	assert_int_equal(p->step.reclaim.stolen_by[WHO_MEMCG_LIMIT].state, AMOUNT_MISSING);
}

/* A kernel without event counters: gauges still work, and no rate is a nought. */
static void without_events_nothing_is_measured(void **state)
{
	struct parsed was = parsed_file("tests/cases/vmstat-without-events/vmstat", vmstat_parse);
	struct parsed is = parsed_file("tests/cases/vmstat-without-events/vmstat", vmstat_parse);
	struct step st = { .arena = arena_new() };

	(void)state;
	was.s.mono_us = SECOND_US;
	is.s.mono_us = 2 * SECOND_US;
	step_make(&was.s, &is.s, &st);
	for (int who = 0; who < WHO_NR; who++) {
		assert_int_equal(st.reclaim.stolen_by[who].state, AMOUNT_MISSING);
		assert_int_equal(st.reclaim.scanned_by[who].state, AMOUNT_MISSING);
	}
	assert_int_equal(st.reclaim.stolen_all.state, AMOUNT_MISSING);
	assert_int_equal(st.reclaim.stalls.state, AMOUNT_MISSING);
	assert_int_equal(st.reclaim.swapped_in.state, AMOUNT_MISSING);
	assert_int_equal(st.reclaim.check, CHECK_UNKNOWN);
	assert_int_equal(st.vm[VM_nr_free_pages].state, AMOUNT_MEASURED);
	arena_free(st.arena);
	parsed_free(&was);
	parsed_free(&is);
}

/* --- nodes --- */

static void kswapd_that_scans_is_awake(void **state)
{
	struct pair *p = *state;
	static struct process kswapd = {
		.pid = 30, .kind = PROCESS_KSWAPD, .state = 'S', .node = 0
	};
	static struct node node;

	p->is.nodes = &node;
	p->is.nnodes = 1;
	sample_vm(&p->was, VM_pgscan_kswapd, 5);
	sample_vm(&p->is, VM_pgscan_kswapd, 5);
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.nodes[0].kswapd, KSWAPD_ASLEEP);
	sample_vm(&p->is, VM_pgscan_kswapd, 6);
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.nodes[0].kswapd, KSWAPD_WORKING);
	sample_vm(&p->is, VM_pgscan_kswapd, 5);
	p->was.processes = p->is.processes = &kswapd;
	p->was.nprocesses = p->is.nprocesses = 1;
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.nodes[0].kswapd, KSWAPD_ASLEEP);
	kswapd.state = 'R';
	step_make(&p->was, &p->is, &p->step);
	assert_int_equal(p->step.nodes[0].kswapd, KSWAPD_WORKING);
	assert_int_equal(p->step.nodes[0].reclaimable.state, AMOUNT_MISSING);
}

/* --- the kernel's own series --- */

struct found {
	const struct series *s;
	struct step *step;
	uint32_t tree;
};

/* Fields of a line: tree, then the growth of kswapd, direct, anon, file since the tree before. */
static void is_growth(char **fields, int n, void *arg)
{
	struct found *f = arg;
	const struct reclaim *r = &f->step->reclaim;
	long long truth[4];

	assert_int_equal(n, 4);
	f->tree++;
	assert_true(f->tree < f->s->n);
	for (int i = 0; i < 4; i++)
		truth[i] = strtoll(fields[i], NULL, 10);
	step_make(&f->s->samples[f->tree - 1], &f->s->samples[f->tree], f->step);
	assert_int_equal(r->stolen_by[WHO_KSWAPD].value, truth[0]);
	assert_int_equal(r->stolen_by[WHO_DIRECT].value, truth[1]);
	assert_int_equal(r->stolen[TYPE_ANON].value, truth[2]);
	assert_int_equal(r->stolen[TYPE_FILE].value, truth[3]);
	if (r->check == CHECK_DISAGREE)
		fail_msg("tree %u: %" PRId64 " of %" PRId64, f->tree, r->check_diff,
			 r->check_allowed);
	assert_int_equal(r->check, CHECK_AGREE);
}

static void every_series_agrees(void **state)
{
	struct step st = { .arena = arena_new() };
	char command[600];

	(void)state;
	for (size_t d = 0; d < sizeof(series_dirs) / sizeof(series_dirs[0]); d++) {
		struct series *s = series_load(series_dirs[d]);
		struct found f = { s, &st, 0 };

		snprintf(command, sizeof(command),
			 "awk 'FNR == 1 { file++ } "
			 "/^pgsteal_(kswapd|direct|anon|file) / { if (file > 1) grew[$1] = $2 - "
			 "last[$1]; "
			 "last[$1] = $2 } /^nr_unstable / && file > 1 { printf "
			 "\"%%d\\t%%d\\t%%d\\t%%d\\n\", "
			 "grew[\"pgsteal_kswapd\"], grew[\"pgsteal_direct\"], "
			 "grew[\"pgsteal_anon\"], "
			 "grew[\"pgsteal_file\"] }' %s/*/proc/vmstat",
			 series_dirs[d]);
		each_line(command, 4, is_growth, &f);
		assert_int_equal(f.tree, s->n - 1);
		series_free(s);
	}
	arena_free(st.arena);
}

static enum check checked(struct series *s, uint32_t tree, struct step *st)
{
	step_make(&s->samples[tree - 1], &s->samples[tree], st);
	return st->reclaim.check;
}

/* One counter of one tree said something else. */
static void a_falsified_tree_is_found_out(void **state)
{
	static const struct {
		const char *dir;
		enum vm_key key;
		int64_t by;
	} lies[] = {
		{ "tests/roots/6.1-pressure", VM_pgsteal_file, -5000 },
		{ "tests/roots/6.12-pressure", VM_pgsteal_kswapd, 5000 },
		{ "tests/roots/7.2-pressure", VM_pgsteal_file, -5000 },
		{ "tests/roots/7.2-pressure", VM_pgsteal_direct, 2000 },
		{ "tests/roots/7.2-numa2", VM_pgsteal_anon, 7000 },
	};
	struct step st = { .arena = arena_new() };

	(void)state;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct series *s = series_load(lies[i].dir);
		uint64_t *value = &s->samples[9].vmstat.value[lies[i].key];

		assert_int_equal(checked(s, 9, &st), CHECK_AGREE);
		*value += (uint64_t)lies[i].by;
		assert_int_equal(checked(s, 9, &st), CHECK_DISAGREE);
		series_free(s);
	}
	arena_free(st.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(up_to_7_0_the_difference_is_the_memcg_limit,
						pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(up_to_7_0_less_by_type_is_a_disagreement,
						pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(from_7_1_both_hold_all_and_are_stale, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(an_unknown_kernel_is_not_accused, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(missing_reclaimers_leave_the_sum_known, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(a_counter_that_went_back_is_no_difference,
						pair_setup, pair_teardown),
		cmocka_unit_test_setup_teardown(stalls_are_summed_over_all_zones, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(without_direct_there_is_no_sum, pair_setup,
						pair_teardown),
		cmocka_unit_test(without_events_nothing_is_measured),
		cmocka_unit_test_setup_teardown(kswapd_that_scans_is_awake, pair_setup,
						pair_teardown),
		cmocka_unit_test(every_series_agrees),
		cmocka_unit_test(a_falsified_tree_is_found_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

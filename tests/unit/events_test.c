/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events_test.c - histograms of the kernel's events as real kernels print them, and what a step makes of their counts.
 * Right values are awk's over the same files, or by hand.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "collectors/events_hist.h"
#include "reclaimtop/step.h"
#include "support_parse.h"

static const struct hist_keys by_type = { 3, { "common_cpu", "order", "migratetype" } };
static const struct hist_keys by_size = { 2, { "common_cpu", "count" } };
static const struct hist_keys by_order = { 3, { "common_cpu", "order", "count" } };

struct read {
	struct arena *arena;
	struct hist hist;
	struct reading r;
	int result;
};

static struct read read_text(struct text t, const struct hist_keys *keys)
{
	struct read got = { .arena = arena_new() };

	got.result = events_hist_parse(t, keys, got.arena, &got.hist, &got.r);
	return got;
}

static struct read read_string(const char *string, const struct hist_keys *keys)
{
	struct text t = text_of(string);
	struct read got = read_text(t, keys);

	free((void *)(uintptr_t)t.buf);
	return got;
}

/* --- real ones --- */

struct sums {
	uint64_t rows, hits, weighed;
};

static void take_sums(char **fields, int n, void *arg)
{
	struct sums *s = arg;

	assert_int_equal(n, 3);
	*s = (struct sums){ strtoull(fields[0], NULL, 10), strtoull(fields[1], NULL, 10),
			    strtoull(fields[2], NULL, 10) };
}

/* All numbers of each row, weighed by their places, so that none may be another's. */
#define AWK "awk -F'[:,}]' '/^\\{/ { n++; hits += $NF; w = 0; for (i = 2; i < NF; i += 2) w = w * 7 + $i; sum += w * $NF } " \
	"END { printf \"%%d\\t%%d\\t%%d\\n\", n, hits, sum }' tests/events/%s"

static void is_as_awk_has_it(const char *name, const struct hist_keys *keys)
{
	char command[400], path[100];
	struct sums want = { 0 }, got = { 0 };
	struct text t;
	struct read h;

	snprintf(command, sizeof(command), AWK, name);
	each_line(command, 3, take_sums, &want);
	snprintf(path, sizeof(path), "tests/events/%s", name);
	t = text_load(path);
	h = read_text(t, keys);
	free((void *)(uintptr_t)t.buf);
	assert_int_equal(h.result, 0);
	assert_int_equal(h.r.skipped, 0);
	assert_int_equal(h.hist.dropped, 0);
	for (uint32_t i = 0; i < h.hist.n; i++) {
		uint64_t w = 0;

		for (int k = 0; k < keys->n; k++)
			w = w * 7 + h.hist.rows[i].keys[k];
		got.rows++;
		got.hits += h.hist.rows[i].count;
		got.weighed += w * h.hist.rows[i].count;
	}
	assert_true(want.rows > 3);
	assert_int_equal(got.rows, want.rows);
	assert_int_equal(got.hits, want.hits);
	assert_int_equal(got.weighed, want.weighed);
	arena_free(h.arena);
}

static void histograms_of_real_kernels(void **state)
{
	(void)state;
	is_as_awk_has_it("6.1-drained", &by_type);
	is_as_awk_has_it("6.1-refilled", &by_type);
	is_as_awk_has_it("6.1-drain", &by_size);
	is_as_awk_has_it("6.1-refill", &by_order);
	is_as_awk_has_it("6.12-drain", &by_size);
	is_as_awk_has_it("7.2-drained", &by_type);
	is_as_awk_has_it("7.2-drain", &by_size);
}

/* --- odd ones --- */

static void rows_that_are_none_are_skipped(void **state)
{
	struct read h = read_string("# event histogram\n"
				    "{ cpu:          1, count:         31 } hitcount:          8\n"
				    "{ cpu:          1 } hitcount:          8\n"
				    "{ cpu: 1, count: 31, cpu: 2 } hitcount: 8\n"
				    "{ cpu: 1, count: -1 } hitcount: 8\n"
				    "{ cpu: 1, count: 31 } hitcount: x\n"
				    "{ cpu: 1, count: 31\n"
				    "{ count: 62, other: 5, common_cpu: 3 } hitcount: 9\n"
				    "\nTotals:\n    Hits: 17\n    Entries: 2\n    Dropped: 4\n", &by_size);

	(void)state;
	assert_int_equal(h.result, 0);
	assert_int_equal(h.hist.n, 2);
	assert_int_equal(h.r.skipped, 5);
	assert_int_equal(h.hist.dropped, 4);
	assert_int_equal(h.hist.rows[0].keys[1], 31);
	assert_int_equal(h.hist.rows[1].keys[0], 3);
	assert_int_equal(h.hist.rows[1].keys[1], 62);
	assert_int_equal(h.hist.rows[1].count, 9);
	arena_free(h.arena);
}

static void a_text_without_totals_is_none(void **state)
{
	struct read h = read_string("{ cpu: 1, count: 31 } hitcount: 8\n", &by_size);

	(void)state;
	assert_int_equal(h.result, -ENODATA);
	arena_free(h.arena);
	h = read_string("", &by_size);
	assert_int_equal(h.result, -ENODATA);
	arena_free(h.arena);
	/* Nothing happened yet: that is an answer. */
	h = read_string("\nTotals:\n    Hits: 0\n    Entries: 0\n    Dropped: 0\n", &by_size);
	assert_int_equal(h.result, 0);
	assert_int_equal(h.hist.n, 0);
	arena_free(h.arena);
}

/* --- steps --- */

struct two {
	struct sample before, now;
	struct step step;
};

/* Drains of 31 pages on two CPUs and of 62 on one; refills are not counted; 5 blocks of order 1 drained. */
static const struct bulk drains[2][3] = {
	{ { 0, 0, 31, 10 }, { 0, 0, 62, 1 }, { 1, 0, 31, 7 } },
	{ { 0, 0, 31, 14 }, { 0, 0, 62, 1 }, { 1, 0, 31, 8 } },
};
static const struct pcp_blocks drained[2][2] = {
	{ { 0, 0, 1, 100 }, { 0, 1, 0, 5 } },
	{ { 0, 0, 1, 130 }, { 0, 1, 0, 25 } },
};

static void sample_of(struct sample *s, int i)
{
	s->arena = arena_new();
	sample_reset(s);
	s->n = (uint64_t)i;
	s->mono_us = 1000000 * (i + 1);
	s->interval_us = 1000000;
	s->readings[READ_EVENTS].state = READING_OK;
	s->events = (struct events){ .since_us = 500000, .dropped = 0 };
	s->events.sizes[BULK_DRAIN] = SIZES_COUNTED;
	s->events.sizes[BULK_REFILL] = SIZES_NO_FUNCTION;
	s->events.bulks[BULK_DRAIN] = arena_copy(s->arena, drains[i], sizeof(drains[i]));
	s->events.nbulks[BULK_DRAIN] = 3;
	s->events.blocks[BULK_DRAIN] = arena_copy(s->arena, drained[i], sizeof(drained[i]));
	s->events.nblocks[BULK_DRAIN] = 2;
}

static int two_setup(void **state)
{
	struct two *t = calloc(1, sizeof(*t));

	sample_of(&t->before, 0);
	sample_of(&t->now, 1);
	t->step.arena = arena_new();
	*state = t;
	return 0;
}

static int two_teardown(void **state)
{
	struct two *t = *state;

	arena_free(t->before.arena);
	arena_free(t->now.arena);
	arena_free(t->step.arena);
	free(t);
	return 0;
}

static void is_amount(struct amount a, enum amount_state state, int64_t value)
{
	assert_string_equal(amount_state_name((enum amount_state)a.state), amount_state_name(state));
	assert_int_equal(a.value, value);
}

static void counts_are_compared(void **state)
{
	struct two *t = *state;
	const struct events_step *ev = &t->step.events;

	step_make(&t->before, &t->now, &t->step);
	assert_true(ev->counted);
	is_amount(ev->times[BULK_DRAIN], AMOUNT_MEASURED, 5);
	is_amount(ev->times[BULK_REFILL], AMOUNT_MISSING, 0);
	is_amount(ev->pages[BULK_DRAIN], AMOUNT_MEASURED, 30 + 2 * 20);
	assert_int_equal(ev->nsizes[BULK_DRAIN], 2);
	assert_int_equal(ev->sizes[BULK_DRAIN][0].pages, 31);
	assert_int_equal(ev->sizes[BULK_DRAIN][0].total, 22);
	is_amount(ev->sizes[BULK_DRAIN][0].times, AMOUNT_MEASURED, 5);
	is_amount(ev->sizes[BULK_DRAIN][1].times, AMOUNT_MEASURED, 0);
	assert_int_equal(ev->nsizes[BULK_REFILL], 0);
	/* What refilled pagesets is the least: not all of it has an event. */
	is_amount(ev->pages[BULK_REFILL], AMOUNT_INFERRED, 0);
	assert_int_equal(ev->pages[BULK_REFILL].hi, AMOUNT_NO_LIMIT);
}

static void a_size_that_is_new_is_all_of_this_step(void **state)
{
	struct two *t = *state;

	t->before.events.nbulks[BULK_DRAIN] = 1;
	step_make(&t->before, &t->now, &t->step);
	is_amount(t->step.events.sizes[BULK_DRAIN][0].times, AMOUNT_MEASURED, 12);
	is_amount(t->step.events.sizes[BULK_DRAIN][1].times, AMOUNT_MEASURED, 1);
	is_amount(t->step.events.times[BULK_DRAIN], AMOUNT_MEASURED, 13);
}

static void first_reset_gap_and_missing(void **state)
{
	struct two *t = *state;
	const struct amount *drains_of = &t->step.events.times[BULK_DRAIN];

	step_make(NULL, &t->now, &t->step);
	is_amount(*drains_of, AMOUNT_FIRST, 0);
	assert_int_equal(t->step.events.sizes[BULK_DRAIN][0].total, 22);
	/* Switched on just now. */
	t->before.readings[READ_EVENTS].state = READING_NOT_ASKED;
	step_make(&t->before, &t->now, &t->step);
	is_amount(*drains_of, AMOUNT_FIRST, 0);
	t->before.readings[READ_EVENTS].state = READING_OK;
	/* Switched off and on between: another counting. */
	t->before.events.since_us--;
	step_make(&t->before, &t->now, &t->step);
	is_amount(*drains_of, AMOUNT_RESET, 0);
	t->before.events.since_us++;
	t->now.mono_us += 10000000;
	step_make(&t->before, &t->now, &t->step);
	is_amount(*drains_of, AMOUNT_GAP, 5);
	t->now.readings[READ_EVENTS].state = READING_FAILED;
	step_make(&t->before, &t->now, &t->step);
	assert_false(t->step.events.counted);
	is_amount(*drains_of, AMOUNT_MISSING, 0);
}

static void what_was_dropped_may_be_more(void **state)
{
	struct two *t = *state;

	t->now.events.dropped = 3;
	step_make(&t->before, &t->now, &t->step);
	is_amount(t->step.events.times[BULK_DRAIN], AMOUNT_INFERRED, 5);
	assert_int_equal(t->step.events.times[BULK_DRAIN].lo, 5);
	assert_int_equal(t->step.events.times[BULK_DRAIN].hi, AMOUNT_NO_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histograms_of_real_kernels),
		cmocka_unit_test(rows_that_are_none_are_skipped),
		cmocka_unit_test(a_text_without_totals_is_none),
		cmocka_unit_test_setup_teardown(counts_are_compared, two_setup, two_teardown),
		cmocka_unit_test_setup_teardown(a_size_that_is_new_is_all_of_this_step, two_setup, two_teardown),
		cmocka_unit_test_setup_teardown(first_reset_gap_and_missing, two_setup, two_teardown),
		cmocka_unit_test_setup_teardown(what_was_dropped_may_be_more, two_setup, two_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown of generations between two readings of an lru_gen that takes long. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "reclaimtop/step.h"
#include "support_rig.h"

#define LRU_GEN "sys/kernel/debug/lru_gen"

/* One memcg; its youngest generation, the age of that in ms, its file pages. */
static void say(struct rig *rig, int seq, int age_ms, int pages)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "memcg     1 /\n node     0\n %10d %10d %10d %10d \n %10d %10d %10d %10d \n", seq - 1,
		 age_ms + 5000, 10, 400, seq, age_ms, 20, pages);
	fake_set(rig->f, LRU_GEN, text);
}

/* Up to the sample that reads lru_gen, when it is known to be slow: every third does. */
static const struct sample *until_read(struct rig *rig)
{
	const struct sample *s;

	do {
		s = rig_take(rig, SECOND);
	} while (s->readings[READ_LRU_GEN].state != READING_OK || s->readings[READ_LRU_GEN].every != 3);
	return s;
}

static void slow(struct rig *rig)
{
	fake_remove(rig->f, LRU_GEN "_full");
	say(rig, 7, 1000, 300);
	fake_slow(rig->f, LRU_GEN, 250000);
}

static void keeps_the_rung_and_the_rows(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	const char *why;
	int64_t start_us;

	slow(rig);
	s = until_read(rig);
	assert_false(sample_rows_are_kept(s));
	assert_int_equal(sample_rung(s, &why), RUNG_LRU_GEN);
	assert_string_equal(why, "it takes long, and is read with some samples only");
	start_us = s->readings[READ_LRU_GEN].start_us;
	say(rig, 8, 100, 111);
	for (int i = 1; i < 3; i++) {
		int64_t read_us = s->mono_us;

		s = rig_take(rig, SECOND);
		is_read(s, READ_LRU_GEN, READING_NOT_ASKED, 0);
		assert_true(sample_rows_are_kept(s));
		assert_int_equal(sample_rung(s, &why), RUNG_LRU_GEN);
		assert_string_equal(why, "it takes long, and is read with some samples only");
		assert_int_equal(s->readings[READ_LRU_GEN].start_us, start_us);
		assert_int_equal(s->nlruvecs, 1);
		assert_int_equal(s->lruvecs[0].gens[1].seq, 7);
		assert_int_equal(s->lruvecs[0].gens[1].pages[TYPE_FILE], 300);
		/* A second between two samples, and 250 ms that the reading took. */
		assert_int_equal(s->lruvecs[0].gens[1].age_ms, 1000 + 1000 * i + 250);
		assert_true(s->mono_us > read_us);
	}
	s = rig_take(rig, SECOND);
	is_read(s, READ_LRU_GEN, READING_OK, 0);
	assert_int_equal(s->lruvecs[0].gens[1].seq, 8);
	assert_int_equal(s->lruvecs[0].gens[1].age_ms, 100);
}

/* Rows that were not read again did not stand still. */
static void tells_no_flows_of_kept_rows(void **state)
{
	struct rig *rig = *state;
	struct sample before = { .arena = arena_new() };
	struct step st = { .arena = arena_new() };
	bool after = false;

	slow(rig);
	sample_copy(until_read(rig), &before);
	say(rig, 8, 100, 111);
	for (int i = 0; i < 3; i++) {
		const struct sample *s = rig_take(rig, SECOND);
		const struct type_flow *f;

		step_make(&before, s, &st);
		after = s->readings[READ_LRU_GEN].state == READING_OK;
		assert_int_equal(st.nlruvecs, 1);
		assert_non_null(st.lruvecs[0].before);
		assert_true(st.rows_apart);
		f = &st.lruvecs[0].flow[TYPE_FILE];
		assert_int_equal(f->in_young.state, AMOUNT_MISSING);
		assert_int_equal(f->promoted.state, AMOUNT_MISSING);
		assert_int_equal(f->evicted.state, AMOUNT_MISSING);
		assert_int_equal(f->gone.state, AMOUNT_MISSING);
		assert_int_equal(st.lruvecs[0].births.state, after ? AMOUNT_GAP : AMOUNT_MISSING);
		assert_int_equal(st.lruvecs[0].births.value, after ? 1 : 0);
		sample_copy(s, &before);
	}
	assert_true(after);
	arena_free(before.arena);
	arena_free(st.arena);
}

/* In place of lru_gen, the rows of lru_gen_full are kept as well: a lockdown leaves only that. */
static void keeps_the_rows_of_the_full_file(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = NULL;
	const char *why;

	fake_fail(rig->f, LRU_GEN, EPERM);
	fake_slow(rig->f, LRU_GEN "_full", 400000);
	for (int i = 0; i < 12; i++) {
		s = rig_take(rig, SECOND);
		assert_int_equal(sample_rung(s, &why), RUNG_LRU_GEN_FULL);
		assert_int_equal(s->nlruvecs, 1);
		assert_int_equal(s->lruvecs[0].nfull, s->lruvecs[0].ngens);
	}
	assert_int_equal(s->readings[READ_LRU_GEN_FULL].every, 4);
}

/* What fails is gone: no old rows are shown for it. */
static void forgets_the_rows_when_a_reading_fails(void **state)
{
	struct rig *rig = *state;
	const char *why;

	slow(rig);
	until_read(rig);
	rig_take(rig, SECOND);
	rig_take(rig, SECOND);
	fake_fail(rig->f, LRU_GEN, EACCES);
	for (int i = 0; i < 5; i++) {
		const struct sample *s = rig_take(rig, SECOND);

		is_read(s, READ_LRU_GEN, READING_FAILED, EACCES);
		assert_int_equal(s->nlruvecs, 0);
		assert_int_equal(sample_rung(s, &why), RUNG_CLASSIC);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(keeps_the_rung_and_the_rows),
		TEST(tells_no_flows_of_kept_rows),
		TEST(keeps_the_rows_of_the_full_file),
		TEST(forgets_the_rows_when_a_reading_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

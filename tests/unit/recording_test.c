/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was recorded is read again: in order, in any order, across sessions, and while it is being written.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "reclaimtop/step.h"
#include "support_recording.h"
#include "support_sample.h"

#define ROOTS "tests/roots"
#define MANY 400

static const char *const names[] = { "r.jsonl", "r.zst" };

/* Samples, for comparison. */
struct samples {
	struct sample of[MANY];
	uint32_t n;
};

static void samples_add(struct samples *all, const struct sample *s)
{
	struct sample *to = &all->of[all->n++];

	*to = (struct sample){ .arena = arena_new() };
	sample_copy(s, to);
}

static void samples_free(struct samples *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		arena_free(all->of[i].arena);
	all->n = 0;
}

static void record_all(const char *path, const struct samples *all)
{
	struct recorder *r = open_recorder(path, NULL);

	for (uint32_t i = 0; i < all->n; i++)
		put(r, &all->of[i]);
	assert_int_equal(recorder_samples(r), all->n);
	close_recorder(r);
}

/* From the first to the last, from the last to the first, and here and there. */
static void read_all(const char *path, const struct samples *all)
{
	struct recording *r = open_recording(path);
	struct rng rng = { 7 };

	assert_int_equal(recording_count(r), all->n);
	for (uint32_t i = 0; i < all->n; i++)
		assert_sample(r, i, &all->of[i]);
	for (uint32_t i = all->n; i--;)
		assert_sample(r, i, &all->of[i]);
	for (uint32_t k = 0; k < all->n; k++) {
		uint32_t i = rng_below(&rng, all->n);

		assert_sample(r, i, &all->of[i]);
	}
	recording_close(r);
}

static void there_and_back(const struct samples *all)
{
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);

		record_all(path, all);
		read_all(path, all);
		unlink(path);
	}
}

/* ---- round trips ---- */

static bool load_series(const char *dir, struct samples *all)
{
	static const struct interest interest = { .pagetypes = true, .tiers = true, .processes = true };
	struct sample s = { .arena = arena_new() };
	const char *why = "";
	struct source *src = source_tree(dir, false, &why);

	while (src && !src->ops->next(src, &interest, &s))
		samples_add(all, &s);
	if (src)
		source_close(src);
	arena_free(s.arena);
	return all->n;
}

static void test_every_series(void **state)
{
	DIR *dir = opendir(ROOTS);
	struct dirent *entry;
	uint32_t series = 0;

	(void)state;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		struct samples all = { .n = 0 };
		char path[300];

		if (!strchr(entry->d_name, '-'))
			continue;
		snprintf(path, sizeof(path), ROOTS "/%.200s", entry->d_name);
		if (!load_series(path, &all))
			fail_msg("%s holds no tree", path);
		there_and_back(&all);
		samples_free(&all);
		series++;
	}
	closedir(dir);
	assert_int_equal(series, 12);
}

static void test_random_samples(void **state)
{
	struct rng rng = { 20261130 };
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };

	(void)state;
	for (int round = 0; round < 6; round++) {
		struct samples all = { .n = 0 };

		sample_random(&rng, &s[0]);
		s[0].n = 0;
		samples_add(&all, &s[0]);
		for (uint32_t i = 1; i < 40; i++) {
			sample_random_next(&rng, &s[~i & 1], &s[i & 1]);
			samples_add(&all, &s[i & 1]);
		}
		there_and_back(&all);
		samples_free(&all);
	}
	arena_free(s[0].arena);
	arena_free(s[1].arena);
}

/* More samples than stand behind one whole one, by time and by number. */
static void test_many_groups(void **state)
{
	struct samples all = { .n = 0 };
	struct small m;

	(void)state;
	small_init(&m);
	for (uint32_t i = 0; i < MANY; i++) {
		samples_add(&all, &m.s);
		small_next(&m);
		if (i > 200) {
			m.s.mono_us -= 950000;
			m.s.readings[READ_VMSTAT].start_us = m.s.mono_us;
			m.s.readings[READ_VMSTAT].end_us = m.s.mono_us + 7;
		}
	}
	there_and_back(&all);
	small_fini(&m);
	samples_free(&all);
}

/* ---- time ---- */

/* In a hole in time one lands on the last sample before it; a session's times say nothing of another's. */
static void test_find(void **state)
{
	const char *path = own_path("r.jsonl");
	struct recorder *r = open_recorder(path, NULL);
	struct recording *rec;
	struct small m;
	int64_t t[4];

	(void)state;
	small_init(&m);
	for (int i = 0; i < 4; i++) {
		t[i] = m.s.mono_us;
		put(r, &m.s);
		small_next(&m);
		if (i == 1)
			m.s.mono_us += 574000000;
	}
	close_recorder(r);
	rec = open_recording(path);
	assert_int_equal(recording_find(rec, 0, 0), 0);
	assert_int_equal(recording_find(rec, 0, t[0]), 0);
	assert_int_equal(recording_find(rec, 0, t[1] - 1), 0);
	assert_int_equal(recording_find(rec, 0, t[1]), 1);
	assert_int_equal(recording_find(rec, 0, t[1] + 300000000), 1);
	assert_int_equal(recording_find(rec, 0, t[2]), 2);
	assert_int_equal(recording_find(rec, 0, INT64_MAX), 3);
	assert_int_equal(recording_find(rec, 9, 0), 3);
	recording_close(rec);
	small_fini(&m);
}

/* No sample, one, two; two with the same time. https://github.com/performancecopilot/pcp/issues/433 */
static void test_few(void **state)
{
	static const int64_t apart[] = { 0, 1, 1000 };
	struct samples all = { .n = 0 };
	const char *path, *why = "";
	struct small m;

	(void)state;
	path = own_path("r.jsonl");
	close_recorder(open_recorder(path, NULL));
	assert_null(recording_open(path, 0, &why));
	assert_int_equal(errno, EBADMSG);
	assert_string_equal(why, "it is empty");
	for (int i = 0; i < 3; i++) {
		small_init(&m);
		samples_add(&all, &m.s);
		there_and_back(&all);
		small_next(&m);
		m.s.mono_us = all.of[0].mono_us + apart[i];
		samples_add(&all, &m.s);
		there_and_back(&all);
		small_fini(&m);
		samples_free(&all);
	}
}

/* ---- sessions ---- */

/* Counters that begin anew say nothing about those before: no amount of the step from sample i to the next is known. */
static void assert_no_rates_between(struct recording *r, uint64_t i)
{
	struct sample before = { .arena = arena_new() }, now = { .arena = arena_new() };
	struct step st = { .arena = arena_new() };

	assert_int_equal(recording_read(r, i, &before), 0);
	assert_int_equal(recording_read(r, i + 1, &now), 0);
	step_make(&before, &now, &st);
	assert_int_equal(st.state, STEP_RESET);
	for (int who = 0; who < WHO_NR; who++)
		assert_false(amount_known(st.reclaim.scanned_by[who]));
	arena_free(before.arena);
	arena_free(now.arena);
	arena_free(st.arena);
}

static void append_small(const char *path, const char *boot_id, int64_t mono_us, uint32_t count)
{
	struct recorder_options o = { .append = true };
	struct recorder *r = open_recorder(path, &o);
	struct small m;

	small_init(&m);
	m.s.machine.boot_id = boot_id;
	m.s.mono_us = mono_us;
	m.s.readings[READ_VMSTAT].start_us = m.s.readings[READ_VMSTAT].end_us = mono_us;
	for (uint32_t i = 0; i < count; i++) {
		put(r, &m.s);
		small_next(&m);
	}
	close_recorder(r);
	small_fini(&m);
}

static void test_append(void **state)
{
	struct recording_facts facts;
	struct recording *r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);

		append_small(path, "first", 5000000, 70);
		append_small(path, "second", 900000000, 5);
		append_small(path, "second", 2000000, 3);
		r = open_recording(path);
		recording_facts(r, &facts);
		assert_int_equal(facts.sessions, 3);
		assert_int_equal(facts.damaged, 0);
		assert_false(facts.torn_tail);
		assert_int_equal(facts.compressed, i);
		assert_int_equal(recording_count(r), 78);
		assert_int_equal(recording_session(r, 69), 0);
		assert_int_equal(recording_session(r, 70), 1);
		assert_int_equal(recording_session(r, 75), 2);
		assert_int_equal(recording_first(r, 1), 70);
		assert_int_equal(recording_first(r, 3), 78);
		assert_int_equal(recording_time(r, 70), 900000000);
		assert_int_equal(recording_find(r, 0, INT64_MAX), 69);
		assert_int_equal(recording_find(r, 1, 0), 70);
		assert_int_equal(recording_find(r, 2, 2000000), 75);
		recording_close(r);
	}
}

/*
 * The ends of two recordings without a header between them: another boot is another session, also where its times go on, and
 * nothing is reckoned across it. https://github.com/sysstat/sysstat/issues/188
 */
static void test_joined_without_header(void **state)
{
	const char *path = own_path("r.jsonl"), *other = own_path("s.jsonl");
	struct buf a = { 0 }, b = { 0 };
	struct recording *r;
	const char *line;

	(void)state;
	append_small(path, "first", 5000000, 4);
	append_small(other, "second", 70000000, 4);
	slurp(path, &a);
	slurp(other, &b);
	line = strchr(b.data, '\n') + 1;
	buf_add(&a, line, b.len - (size_t)(line - b.data));
	spill(path, a.data, a.len);
	r = open_recording(path);
	assert_int_equal(recording_count(r), 8);
	assert_int_equal(recording_session(r, 3), 0);
	assert_int_equal(recording_session(r, 4), 1);
	assert_no_rates_between(r, 3);
	recording_close(r);
	buf_fini(&a);
	buf_fini(&b);
}

/* ---- markers ---- */

static void assert_mark(const struct mark *m, enum mark_kind kind, int64_t mono_us, const char *text)
{
	assert_int_equal(m->kind, kind);
	assert_int_equal(m->mono_us, mono_us);
	assert_string_equal(m->text, text);
}

/* By the recorder, by others while it records, and by a machine that was started anew since. */
static void test_marks(void **state)
{
	const struct mark *marks;
	struct recording *rec;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]), *why = "";
		struct mark other = { .mono_us = 7777777, .wall_us = 5, .kind = MARK_SCORE, .text = "score=44890.50",
				      .boot_id = "0f6e3f2a" };
		struct mark end = { .mono_us = 9000000, .kind = MARK_END, .text = "exit \x1b", .duration_us = 123,
				    .status = 7 };
		struct recorder *r = open_recorder(path, NULL);
		struct small m;
		int64_t last;

		small_init(&m);
		assert_int_equal(recorder_mark(r, MARK_NOTE, 4000000, "before all"), 0);
		for (int k = 0; k < 6; k++) {
			put(r, &m.s);
			last = m.s.mono_us;
			small_next(&m);
			if (k == 2)
				assert_int_equal(recording_add_mark(path, &other, &why), 0);
		}
		assert_int_equal(recorder_note(r, &end), 0);
		close_recorder(r);
		other.boot_id = "another";
		other.kind = MARK_NOTE;
		other.text = "later";
		assert_int_equal(recording_add_mark(path, &other, &why), 0);
		rec = open_recording(path);
		assert_int_equal(recording_count(rec), 6);
		assert_int_equal(recording_marks(rec, &marks), 4);
		assert_mark(&marks[0], MARK_NOTE, 4000000, "before all");
		assert_mark(&marks[1], MARK_SCORE, 7777777, "score=44890.50");
		assert_mark(&marks[2], MARK_END, 9000000, "exit \\x1b");
		assert_int_equal(marks[2].duration_us, 123);
		assert_int_equal(marks[2].status, 7);
		assert_mark(&marks[3], MARK_NOTE, last, "later");
		recording_close(rec);
		small_fini(&m);
	}
}

static void test_scores(void **state)
{
	static const char *const none[] = { "score", "=5", "score=", "score=x", "a b=5", "s=5x", "s=5 ", "s=-", "s=." };
	const char *name;
	double value;
	int len;

	(void)state;
	assert_true(mark_score("score=44890.50", &name, &len, &value));
	assert_int_equal(len, 5);
	assert_true(value == 44890.50);
	assert_true(mark_score("delta=-0.1", &name, &len, &value) && value == -0.1);
	assert_true(mark_score("n=12", &name, &len, &value) && value == 12);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (mark_score(none[i], &name, &len, &value))
			fail_msg("'%s' is a score", none[i]);
}

/* ---- following ---- */

static void test_follow(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]), *why = "";
		struct recorder *r = open_recorder(path, NULL);
		struct recording *rec = recording_open(path, RECORDING_FOLLOW, &why);
		struct mark mark = { .mono_us = 1, .kind = MARK_NOTE, .text = "x", .boot_id = "" };
		struct small m;

		assert_non_null(rec);
		assert_false(recording_scan(rec, 1000));
		small_init(&m);
		for (uint32_t k = 0; k < 150; k++) {
			put(r, &m.s);
			if (k == 20)
				assert_int_equal(recording_add_mark(path, &mark, &why), 0);
			while (recording_scan(rec, 1000))
				;
			assert_int_equal(recording_count(rec), k + 1);
			assert_sample(rec, k, &m.s);
			small_next(&m);
		}
		close_recorder(r);
		recording_close(rec);
		small_fini(&m);
	}
}

/* ---- as a source ---- */

static void test_source(void **state)
{
	const char *path = own_path("r.zst");
	struct sample s = { .arena = NULL };
	struct recording *r;
	struct source *src;
	struct small m;

	(void)state;
	record_small(path, 130);
	r = open_recording(path);
	src = source_recording(r);
	small_init(&m);
	assert_int_equal(src->can, SOURCE_SEEK);
	for (uint32_t i = 0; i < 130; i++) {
		assert_int_equal(src->ops->next(src, NULL, &s), 0);
		assert_true(sample_equal(&s, &m.s, NULL, 0));
		small_next(&m);
	}
	assert_int_equal(src->ops->next(src, NULL, &s), 1);
	/* The first one not before: one microsecond past sample 40 it is 41. */
	assert_int_equal(src->ops->seek(src, recording_time(r, 40) + 1), 0);
	assert_int_equal(src->ops->next(src, NULL, &s), 0);
	assert_int_equal(s.n, 41);
	assert_true(s.restart);
	assert_int_equal(src->ops->next(src, NULL, &s), 0);
	assert_int_equal(s.n, 42);
	assert_false(s.restart);
	assert_int_equal(src->ops->seek(src, INT64_MAX), 0);
	assert_int_equal(src->ops->next(src, NULL, &s), 1);
	source_close(src);
	recording_close(r);
	small_fini(&m);
	arena_free(s.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_series),
		cmocka_unit_test(test_random_samples),
		cmocka_unit_test(test_many_groups),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_append),
		cmocka_unit_test(test_joined_without_header),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_scores),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

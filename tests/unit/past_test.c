/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is shown of a sample when one comes back to it is what was shown when it was new: all that
 * is derived, what is said of it and the window that this was said from, wherever one jumps from.
 */
#include "ui/cli/past.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/window.h"
#include "reclaimtop/codec.h"
#include "reclaimtop/fields.h"
#include "support_fake.h"
#include "support_roll.h"
#include "support_sample.h"
#include "support_series.h"

#define STEPS   64
#define MANY    200
#define FOREVER INT64_MAX

/* All that a screen could show of a sample, as text. */
static void tell(struct codec *c, const struct step *st, const struct window *w,
		 const struct finding *findings, uint32_t n, struct buf *out)
{
	struct moved moved[64];
	uint32_t nmoved = window_moved(w, STEPS, moved, 64);

	buf_clear(out);
	codec_step(c, st, findings, n, out);
	for (uint32_t ago = 0; ago < window_count(w); ago++) {
		const struct brief *b = window_brief(w, ago);

		buf_printf(out, "%lld %lld %d %llu %llu %llu %llu %llu %d\n", (long long)b->t_us,
			   (long long)b->dt_us, b->state, (unsigned long long)b->stolen[TYPE_FILE],
			   (unsigned long long)b->scanned_all, (unsigned long long)b->stalls,
			   (unsigned long long)b->births, (unsigned long long)b->free_pages,
			   b->worst_level);
	}
	for (uint32_t i = 0; i < nmoved; i++)
		buf_printf(out, "%s %llu %llu %llu\n", moved[i].path,
			   (unsigned long long)moved[i].evicted,
			   (unsigned long long)moved[i].refaulted,
			   (unsigned long long)moved[i].current);
}

/* A session: what it said of each sample, and the samples. */
struct session {
	struct sample samples[MANY];
	struct buf said[MANY];
	uint32_t n;
	struct codec *codec;
};

static void live(struct session *s)
{
	struct step step = { .arena = arena_new() };
	struct window *w = window_new(STEPS);
	struct finding findings[FINDING_NR];

	for (uint32_t i = 0; i < s->n; i++) {
		step_make(i ? &s->samples[i - 1] : NULL, &s->samples[i], &step);
		window_add(w, &step);
		tell(s->codec, &step, w, findings, diagnose(w, &step, findings), &s->said[i]);
	}
	window_free(w);
	arena_free(step.arena);
}

/*
 * The one tolerance of history and recordings are ages. So that everything can be compared to the
 * letter, a session is one of samples that come out of a roll: out of another one they come as they
 * are, unless they are of chance.
 */
static void settle(struct session *s, struct roll *roll)
{
	for (uint32_t i = 0; i < s->n; i++)
		assert_int_equal(roll->ops->read(roll, i, &s->samples[i]), 0);
	live(s);
}

static struct roll *remembered(const struct session *s)
{
	struct roll *roll = roll_history((size_t)64 << 20);

	for (uint32_t i = 0; i < s->n; i++)
		assert_true(roll_history_put(roll, &s->samples[i]));
	return roll;
}

/* Several rounds of a series, each later than the one before it. */
static struct session *session_of_series(const char *dir)
{
	struct session *s = calloc(1, sizeof(*s));
	struct roll *once;
	struct series *series = series_load(dir);
	int64_t span =
		series->samples[series->n - 1].mono_us - series->samples[0].mono_us + 1500000;

	s->codec = codec_new();
	for (uint32_t i = 0; i < MANY; i++) {
		s->samples[i].arena = arena_new();
		sample_copy(&series->samples[i % series->n], &s->samples[i]);
		s->samples[i].mono_us += span * (i / series->n);
		s->samples[i].n = i;
		s->samples[i].restart = i == 150;
	}
	s->n = MANY;
	series_free(series);
	once = remembered(s);
	settle(s, once);
	roll_close(once);
	return s;
}

static struct session *session_of_chance(uint64_t seed)
{
	struct session *s = calloc(1, sizeof(*s));
	struct rng r = { seed };

	s->codec = codec_new();
	for (uint32_t i = 0; i < MANY; i++) {
		s->samples[i].arena = arena_new();
		if (i)
			sample_random_next(&r, &s->samples[i - 1], &s->samples[i]);
		else
			sample_random(&r, &s->samples[i]);
		/* A clock that goes back within a boot is no session's. */
		s->samples[i].mono_us = 1000000 + 1100000 * (int64_t)i;
		s->samples[i].n = i;
		/* A boot that is known now and then is several sessions to a recording. */
		if (!s->samples[i].machine.boot_id)
			s->samples[i].machine.boot_id = "a boot";
	}
	s->n = MANY;
	return s;
}

static void session_end(struct session *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		arena_free(s->samples[i].arena);
		buf_fini(&s->said[i]);
	}
	codec_free(s->codec);
	free(s);
}

static void is_as_it_was(const struct session *s, struct past *p, uint32_t i)
{
	struct past_picture shown;
	struct buf said = { 0 };
	char why[300];

	assert_true(past_picture(p, &shown));
	assert_true(shown.whole);
	if (!sample_equal(shown.now, &s->samples[i], why, sizeof(why)))
		fail_msg("sample %u: %s", i, why);
	tell(s->codec, shown.step, shown.window, shown.findings, shown.nfindings, &said);
	if (strcmp(said.data, s->said[i].data)) {
		size_t at = 0;

		while (said.data[at] && said.data[at] == s->said[i].data[at])
			at++;
		at = at > 60 ? at - 60 : 0;
		fail_msg("sample %u\n was: %.160s\n is:  %.160s", i, s->said[i].data + at,
			 said.data + at);
	}
	buf_fini(&said);
}

/* Jumps, a few steps on after some of them, and sometimes the window is not waited for. */
static void go_about(const struct session *s, struct roll *roll, uint64_t seed)
{
	struct past *p = past_new(roll, STEPS);
	struct rng r = { seed };

	for (int jump = 0; jump < 20; jump++) {
		uint32_t i = rng_below(&r, s->n);
		uint32_t on = rng_one_in(&r, 2) ? rng_below(&r, 8) : 0;

		assert_int_equal(past_go(p, i), 0);
		if (rng_one_in(&r, 2))
			past_fill(p, 0);
		for (; on && i + 1 < s->n; on--)
			assert_int_equal(past_go(p, ++i), 0);
		while (past_fill(p, rng_one_in(&r, 2) ? FOREVER : 0))
			;
		is_as_it_was(s, p, i);
	}
	/* From the first to the last, as it plays. */
	for (uint32_t i = 0; i < s->n; i++) {
		assert_int_equal(past_go(p, i), 0);
		while (past_fill(p, FOREVER))
			;
		is_as_it_was(s, p, i);
	}
	past_free(p);
}

static struct roll *recorded(const struct session *s, const char *dir, const char *name)
{
	const struct recorder_options options = { .overwrite = true };
	const char *why = "";
	struct recorder *r;
	struct recording *back;
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	r = recorder_open(path, &options, &why);
	if (!r)
		fail_msg("%s: %s", path, why);
	for (uint32_t i = 0; i < s->n; i++)
		assert_int_equal(recorder_put(r, &s->samples[i]), 0);
	assert_int_equal(recorder_close(r), 0);
	back = recording_open(path, 0, &why);
	if (!back)
		fail_msg("%s: %s", path, why);
	while (recording_scan(back, 1000000))
		;
	assert_int_equal(recording_count(back), s->n);
	return roll_recording(back);
}

static void everywhere(struct session *s, bool settles, uint64_t seed)
{
	char *dir = fake_tempdir();
	struct roll *rolls[] = { remembered(s), recorded(s, dir, "a.jsonl"),
				 recorded(s, dir, "a.jsonl.zst") };

	for (size_t i = 0; i < sizeof(rolls) / sizeof(rolls[0]); i++) {
		if (settles)
			settle(s, rolls[i]);
		go_about(s, rolls[i], seed + i);
		roll_close(rolls[i]);
	}
	fake_tempdir_remove(dir);
}

static void what_was_said_of_a_kernel_is_said_again(void **state)
{
	static const char *const dirs[] = { "tests/roots/7.2-pressure", "tests/roots/6.1-numa2" };

	(void)state;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		struct session *s = session_of_series(dirs[i]);

		everywhere(s, false, 10 * i + 1);
		session_end(s);
	}
}

static void what_was_said_of_anything_is_said_again(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct session *s = session_of_chance(seed);

		everywhere(s, true, seed);
		session_end(s);
	}
}

/*
 * What went out of the history is not guessed at: the first sample that is left has nothing before
 * it.
 */
static void the_history_begins_with_a_first_sample(void **state)
{
	struct session *s = session_of_series("tests/roots/7.2-pressure");
	struct roll *roll = roll_history((size_t)96 << 10);
	struct past *p = past_new(roll, STEPS);
	struct past_picture shown;
	uint64_t first;

	(void)state;
	for (uint32_t i = 0; i < s->n; i++) {
		assert_true(roll_history_put(roll, &s->samples[i]));
		assert_int_equal(roll->ops->end(roll), i + 1);
		assert_int_equal(roll->ops->mono(roll, i), s->samples[i].mono_us);
	}
	first = roll->ops->first(roll);
	assert_in_range(first, 1, s->n - 2);
	assert_int_equal(roll->ops->mono(roll, first), s->samples[first].mono_us);
	assert_true(past_go(p, first - 1) < 0);
	assert_false(past_picture(p, &shown));
	assert_int_equal(past_go(p, first), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_FIRST);
	assert_int_equal(shown.now->n, first);
	assert_int_equal(past_go(p, first + 1), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_OK);
	assert_int_equal(window_count(shown.window), 2);
	past_free(p);
	roll_close(roll);
	session_end(s);
}

/* What is shown stays while the history goes on, also when it is forgotten there. */
static void what_is_shown_stays(void **state)
{
	struct session *s = session_of_series("tests/roots/7.2-pressure");
	struct roll *roll = roll_history((size_t)96 << 10);
	struct past *p = past_new(roll, STEPS);
	struct past_picture shown;
	char why[300];

	(void)state;
	for (uint32_t i = 0; i < s->n; i++) {
		assert_true(roll_history_put(roll, &s->samples[i]));
		if (i == 5)
			assert_int_equal(past_go(p, 5), 0);
		if (i > 5)
			past_fill(p, 0);
	}
	assert_true(roll->ops->first(roll) > 5);
	assert_true(past_picture(p, &shown));
	assert_true(sample_equal(shown.now, &s->samples[5], why, sizeof(why)));
	past_free(p);
	roll_close(roll);
	session_end(s);
}

/*
 * A sample that cannot be read is refused, and what was shown stays; the next one is compared with
 * the last good one.
 */
static void damaged_samples_are_passed_over(void **state)
{
	struct leaves *l = leaves_new(300);
	struct past *p = past_new(&l->roll, STEPS);
	struct past_picture shown;

	(void)state;
	for (uint64_t i = 101; i < 140; i++)
		l->leaf[i].damaged = true;
	for (uint64_t i = 0; i < 300; i++)
		l->leaf[i].steals = i * 10;
	assert_int_equal(past_go(p, 100), 0);
	for (uint64_t i = 101; i < 140; i++)
		assert_int_equal(past_go(p, i), -EILSEQ);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.now->n, 100);
	l->reads = 0;
	assert_int_equal(past_go(p, 140), 0);
	assert_int_equal(l->reads, 1);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_GAP);
	assert_int_equal(shown.step->dt_us, 40000000);
	assert_int_equal(shown.step->reclaim.stolen[TYPE_FILE].value, 400);
	/* The same by a jump. */
	assert_int_equal(past_go(p, 7), 0);
	assert_int_equal(past_go(p, 140), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->before->n, 100);
	assert_int_equal(shown.step->dt_us, 40000000);
	past_free(p);
	roll_close(&l->roll);
}

/* Counters of two sessions are compared only where their boots can be told. */
static void sessions_are_not_mixed_up(void **state)
{
	struct leaves *l = leaves_new(40);
	struct past *p = past_new(&l->roll, STEPS);
	struct past_picture shown;

	(void)state;
	for (uint64_t i = 0; i < 40; i++) {
		l->leaf[i].session = (uint32_t)(i / 10);
		l->leaf[i].boot_id = i < 20 ? "a" : i < 30 ? "b" : NULL;
		l->leaf[i].steals = 1000 * i;
		l->leaf[i].mono_us += i >= 30 ? 1000000000 : 0;
	}
	/* The same boot, appended to: a step. Another boot. Nobody knows. */
	assert_int_equal(past_go(p, 10), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_OK);
	assert_int_equal(past_go(p, 20), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_RESET);
	assert_string_equal(shown.step->why, "the machine was started anew");
	assert_int_equal(shown.step->reclaim.stolen[TYPE_FILE].state, AMOUNT_RESET);
	assert_int_equal(past_go(p, 30), 0);
	assert_true(past_picture(p, &shown));
	assert_int_equal(shown.step->state, STEP_FIRST);
	past_free(p);
	roll_close(&l->roll);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_said_of_a_kernel_is_said_again),
		cmocka_unit_test(what_was_said_of_anything_is_said_again),
		cmocka_unit_test(the_history_begins_with_a_first_sample),
		cmocka_unit_test(what_is_shown_stays),
		cmocka_unit_test(damaged_samples_are_passed_over),
		cmocka_unit_test(sessions_are_not_mixed_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/cli/session.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/clock.h"

#include "ui/cli/sampler.h"

#define SERIES "tests/roots/7.2-pressure"
#define SERIES_SAMPLES 15

/* ---- every allocation of ours passes here (the linker wraps the names) ----------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static atomic_uint allocations;

void *__wrap_malloc(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return __real_realloc(old, size);
}

/* ---- a source that does as it is told -------------------------------------------------------- */

struct script {
	struct source src;
	uint64_t n, samples;       /* given, until the end */
	int end;                   /* what next() says then: 1, -errno */
	int64_t step_us;           /* between the clocks of two samples */
	atomic_int slow_us;        /* how long a reading takes */
	atomic_bool pagetypes, forced;   /* what was wanted last */
	atomic_bool closed;
};

static int script_next(struct source *src, const struct interest *interest, struct sample *out)
{
	struct script *s = src->ctx;

	if (s->slow_us)
		usleep((unsigned int)s->slow_us);
	atomic_store(&s->pagetypes, interest->pagetypes);
	atomic_store(&s->forced, interest->pagetypes_forced);
	if (s->n == s->samples)
		return s->end;
	sample_reset(out);
	out->n = s->n++;
	out->mono_us = (int64_t)out->n * s->step_us;
	out->readings[READ_VMSTAT].state = READING_OK;
	return 0;
}

static void script_close(struct source *src)
{
	atomic_store(&((struct script *)src->ctx)->closed, true);
}

static const struct source_ops script_ops = { script_next, NULL, script_close };

static struct script *script_new(unsigned int can, uint64_t samples, int end)
{
	struct script *s = calloc(1, sizeof(*s));

	s->src = (struct source){ &script_ops, can, "script", s };
	s->samples = samples;
	s->end = end;
	s->step_us = 1000;
	return s;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static bool wait_frame(struct session *s, int ms)
{
	struct feed *f = session_feed(s);
	struct pollfd fd = { .fd = f->ops->fd(f), .events = POLLIN };

	return poll(&fd, 1, ms) == 1;
}

/* The next frame in order, whenever it comes. */
static int next_frame(struct session *s, struct frame *f)
{
	int rc;

	while (!(rc = session_next(s, f)))
		assert_true(wait_frame(s, 20000));
	return rc;
}

static bool take(struct session *s, struct frame *f)
{
	struct feed *feed = session_feed(s);

	return feed->ops->take(feed, f);
}

/* Take until the frame says that the source ended. */
static void take_all(struct session *s, struct frame *f)
{
	do {
		assert_true(wait_frame(s, 20000));
		take(s, f);
	} while (!f->ended);
}

static struct source *series(bool loop)
{
	const char *why;
	struct source *src = source_tree(SERIES, loop, &why);

	assert_non_null(src);
	return src;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void every_sample_in_order(void **state)
{
	struct session_options so = { .no_pauses = true, .history_bytes = 1 << 20 };
	struct session *s = session_new(series(false), &so);
	struct frame f;

	(void)state;
	assert_non_null(s);
	for (uint64_t n = 0; n < SERIES_SAMPLES; n++) {
		assert_int_equal(next_frame(s, &f), 1);
		assert_int_equal(f.now->n, n);
		assert_ptr_equal(f.step->now, f.now);
		if (n)
			assert_int_equal(f.step->before->n, n - 1);
		else
			assert_null(f.step->before);
		assert_int_equal(f.step->state, n ? STEP_OK : STEP_FIRST);
		assert_int_equal(f.rung, RUNG_LRU_GEN);
		assert_string_equal(f.rung_reason, "");
		assert_int_equal(f.history_count, n + 1);
		assert_false(f.live);
		assert_null(f.error);
		assert_true(f.own_rss_kib > 0 && f.own_rss_kib < UNKNOWN);
	}
	assert_int_equal(next_frame(s, &f), -1);
	assert_true(f.ended);
	assert_false(f.done);
	assert_int_equal(f.now->n, SERIES_SAMPLES - 1);
	assert_int_equal(f.missed, 0);
	session_free(s);
}

/*
 * A screen that comes late gets the newest, and none of the samples is lost to window and history.
 */
static void the_newest_for_a_screen(void **state)
{
	struct session_options so = { .no_pauses = true,
				      .history_bytes = 1 << 20,
				      .label = "demo" };
	struct session *s = session_new(series(false), &so);
	struct frame f = { 0 };

	(void)state;
	take_all(s, &f);
	assert_int_equal(f.now->n, SERIES_SAMPLES - 1);
	assert_int_equal(f.step->before->n, SERIES_SAMPLES - 2);
	assert_int_equal(f.history_count, SERIES_SAMPLES);
	assert_int_equal(window_count(f.window), SERIES_SAMPLES);
	assert_string_equal(f.label, "demo");
	/* The end is news once. */
	assert_false(wait_frame(s, 0));
	assert_false(take(s, &f));
	session_free(s);
}

static void a_single_tree_ends(void **state)
{
	struct session_options so = { 0 };
	const char *why;
	struct session *s = session_new(source_tree(SERIES "/03", false, &why), &so);
	struct frame f = { 0 };

	(void)state;
	take_all(s, &f);
	assert_true(f.now->nlruvecs > 0);
	assert_int_equal(f.step->state, STEP_FIRST);
	assert_null(f.error);
	session_free(s);
}

static void an_error_is_told(void **state)
{
	struct script *sc = script_new(0, 2, -EIO);
	struct session_options so = { .no_pauses = true };
	struct session *s = session_new(&sc->src, &so);
	struct frame f = { 0 };

	(void)state;
	take_all(s, &f);
	assert_int_equal(f.now->n, 1);
	assert_string_equal(f.error, strerror(EIO));
	session_free(s);
	assert_true(sc->closed);
	free(sc);
}

/* There is a sample to look at, though the source never gave one. */
static void an_end_before_the_first(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, 0, -EACCES);
	struct session_options so = { .interval_us = 1000 };
	struct session *s = session_new(&sc->src, &so);
	struct frame f = { 0 };

	(void)state;
	take_all(s, &f);
	assert_non_null(f.now);
	assert_non_null(f.step);
	assert_int_equal(f.now->nlruvecs, 0);
	assert_int_equal(f.rung, RUNG_NONE);
	assert_string_equal(f.error, strerror(EACCES));
	session_free(s);
	free(sc);
}

static void as_many_as_asked_for(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, 1000, 1);
	struct session_options so = { .interval_us = 20000, .limit = 3 };
	struct session *s = session_new(&sc->src, &so);
	int64_t ended_us = 0;
	struct frame f = { 0 };

	(void)state;
	while (!f.done) {
		assert_true(wait_frame(s, 20000));
		take(s, &f);
		if (f.ended && !ended_us)
			ended_us = clock_mono_us();
	}
	assert_int_equal(f.now->n, 2);
	assert_int_equal(f.now->interval_us, 20000);
	/* The last one stands for its interval; how long exactly is the machine's business. */
	assert_true(clock_mono_us() - ended_us > 1000);
	session_free(s);
	assert_int_equal(sc->n, 3);
	free(sc);
}

/* Whatever is on screen: what the command line asked for stays. */
static void interest_reaches_the_source(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, UINT64_MAX, 1);
	struct session_options so = { .interval_us = 1000,
				      .interest = { .pagetypes_forced = true } };
	struct session *s = session_new(&sc->src, &so);
	struct interest *in = calloc(1, sizeof(*in));
	struct frame f;

	(void)state;
	next_frame(s, &f);
	assert_true(sc->forced);
	in->pagetypes = true;
	session_feed(s)->ops->want(session_feed(s), in);
	for (int i = 0; i < 2000 && !sc->pagetypes; i++)
		next_frame(s, &f);
	assert_true(sc->pagetypes);
	assert_true(sc->forced);
	session_free(s);
	free(in);
	free(sc);
}

/* A long interval that is cut short is cut short at once. */
static void pace_wakes_the_sampler(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, UINT64_MAX, 1);
	struct session_options so = { .interval_us = INT64_C(3600000000) };
	struct session *s = session_new(&sc->src, &so);
	struct frame f;

	(void)state;
	next_frame(s, &f);
	assert_false(wait_frame(s, 50));
	session_feed(s)->ops->pace(session_feed(s), 200000);
	assert_int_equal(next_frame(s, &f), 1);
	assert_int_equal(f.now->n, 1);
	assert_int_equal(f.now->interval_us, 200000);
	assert_int_equal(f.interval_us, 200000);
	assert_int_equal(f.missed, 0);
	session_free(s);
	free(sc);
}

/* And one that is ended in the middle of an hour ends now. */
static void stops_at_once(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, UINT64_MAX, 1);
	struct session_options so = { .interval_us = INT64_C(3600000000) };
	struct session *s = session_new(&sc->src, &so);
	int64_t start;
	struct frame f;

	(void)state;
	next_frame(s, &f);
	start = clock_mono_us();
	session_free(s);
	assert_true(clock_mono_us() - start < 5000000);
	assert_true(sc->closed);
	free(sc);
}

/* A kernel that does not answer does not keep anybody from leaving. */
static void does_not_wait_for_the_kernel(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, UINT64_MAX, 1);
	struct session_options so = { .interval_us = 1000 };
	struct session *s;

	(void)state;
	sc->slow_us = 3000000;
	s = session_new(&sc->src, &so);
	assert_false(wait_frame(s, 50));
	session_free(s);
	assert_false(sc->closed);
	/* The thread lets all go by itself when it comes back. */
	for (int i = 0; i < 2000 && !sc->closed; i++)
		usleep(10000);
	assert_true(sc->closed);
	usleep(50000);
	free(sc);
}

/*
 * Readings that take longer than the interval: fewer samples, counted, none late by more than one.
 */
static void late_samples_are_missed(void **state)
{
	struct script *sc = script_new(SOURCE_LIVE, UINT64_MAX, 1);
	struct session_options so = { .interval_us = 1000 };
	struct session *s;
	struct frame f;

	(void)state;
	sc->slow_us = 10000;
	s = session_new(&sc->src, &so);
	for (int i = 0; i < 5; i++)
		next_frame(s, &f);
	assert_true(f.missed >= 4 * 8);
	session_free(s);
	free(sc);
}

static void due_times(void **state)
{
	uint32_t missed = 0;

	(void)state;
	/* In time, and late by less than one: the grid stays. */
	assert_int_equal(sampler_next_due(1000, 100, 1050, &missed), 1100);
	assert_int_equal(sampler_next_due(1000, 100, 1100, &missed), 1100);
	assert_int_equal(sampler_next_due(1000, 100, 1199, &missed), 1100);
	assert_int_equal(missed, 0);
	/* A whole one went by, three and a half did. */
	assert_int_equal(sampler_next_due(1000, 100, 1200, &missed), 1200);
	assert_int_equal(missed, 1);
	assert_int_equal(sampler_next_due(1000, 100, 1450, &missed), 1400);
	assert_int_equal(missed, 4);
}

/* The pauses of a series are those of its samples' clocks, or the ones asked for. */
static void pauses_of_a_series(void **state)
{
	struct script *sc = script_new(0, 3, 1);
	struct session_options so = { 0 };
	int64_t start = clock_mono_us();
	struct session *s;
	struct frame f = { 0 };

	(void)state;
	sc->step_us = 60000;
	s = session_new(&sc->src, &so);
	take_all(s, &f);
	assert_true(clock_mono_us() - start >= 120000);
	session_free(s);
	sc->n = 0;
	sc->step_us = INT64_C(3600000000);
	so.interval_us = 1000;
	s = session_new(&sc->src, &so);
	take_all(s, &f);
	assert_int_equal(f.now->n, 2);
	assert_true(f.step->dt_us == INT64_C(3600000000));
	session_free(s);
	free(sc);
}

/* Once everything has grown to its size, our code asks for no memory. */
static void no_allocation_when_it_runs(void **state)
{
	struct session_options so = { .no_pauses = true, .history_bytes = 4 << 20 };
	struct session *s = session_new(series(true), &so);
	unsigned int before = 0, after;
	struct frame f;

	(void)state;
	for (int i = 0; i < 5 * SERIES_SAMPLES; i++) {
		if (i == 3 * SERIES_SAMPLES)
			before = atomic_load(&allocations);
		assert_int_equal(next_frame(s, &f), 1);
	}
	after = atomic_load(&allocations);
	assert_true(before > 0);
	assert_int_equal(after, before);
	session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_in_order),
		cmocka_unit_test(the_newest_for_a_screen),
		cmocka_unit_test(a_single_tree_ends),
		cmocka_unit_test(an_error_is_told),
		cmocka_unit_test(an_end_before_the_first),
		cmocka_unit_test(as_many_as_asked_for),
		cmocka_unit_test(interest_reaches_the_source),
		cmocka_unit_test(pace_wakes_the_sampler),
		cmocka_unit_test(stops_at_once),
		cmocka_unit_test(does_not_wait_for_the_kernel),
		cmocka_unit_test(late_samples_are_missed),
		cmocka_unit_test(due_times),
		cmocka_unit_test(pauses_of_a_series),
		cmocka_unit_test(no_allocation_when_it_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

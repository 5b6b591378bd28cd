/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dots are honest: those that pass a point stand for the pages that flowed. Over random flows, rates and frames. */
#include "ui/tui/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SECOND 1000000
#define MOST   512

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Between 0 and 1. */
static double chance(uint32_t *seed)
{
	return next(seed) / 16777216.0;
}

/* Somebody who stands at a point of the way and counts the dots that pass. */
struct watcher {
	double point;
	uint64_t passed; /* dots up to this one have */
	uint64_t count;
};

static void watch(struct watcher *w, const struct motion_stream *s, int64_t now_us)
{
	struct motion_dot dots[MOST];
	int n = motion_dots(s, now_us, dots, MOST);

	assert_in_range(n, 0, MOST - 1);
	for (int i = 0; i < n; i++) {
		assert_true(dots[i].at >= 0 && dots[i].at < 1);
		if (i)
			assert_true(dots[i].n > dots[i - 1].n && dots[i].at <= dots[i - 1].at);
		if (dots[i].at < w->point || dots[i].n <= w->passed)
			continue;
		w->count += dots[i].n - w->passed;
		w->passed = dots[i].n;
	}
}

/* What was to flow, known without any dot: rates by the time from which they hold. */
#define RATES 400

struct flow {
	int64_t from_us[RATES];
	double dots[RATES]; /* on the way at once */
	int n;
};

/* Dots that set out from begin to end. */
static double flowed(const struct flow *f, int64_t begin, int64_t end)
{
	double sum = 0;

	for (int i = 0; i < f->n; i++) {
		int64_t from = f->from_us[i] > begin ? f->from_us[i] : begin;
		int64_t to = i + 1 < f->n && f->from_us[i + 1] < end ? f->from_us[i + 1] : end;

		if (to > from)
			sum += f->dots[i] * (double)(to - from) / MOTION_TRANSIT_US;
	}
	return sum;
}

/* A flow whose rate changes with every step, seen in frames of uneven length, some of them dropped. */
static void run(uint32_t *seed, struct watcher *w, struct flow *f, int64_t seconds)
{
	double most = exp(chance(seed) * 6) / 4;
	int64_t step_us = 100000 + next(seed) % 2900000, now = 0, due = 0;
	struct motion_stream s = { .n = 0 };

	f->n = 0;
	while (now < seconds * SECOND) {
		if (now >= due && f->n < RATES) {
			f->from_us[f->n] = now;
			f->dots[f->n] = next(seed) % 5 ? most * chance(seed) : 0;
			motion_set(&s, now, f->dots[f->n++]);
			due = now + step_us;
		}
		watch(w, &s, now);
		now += next(seed) % 20 ? 50000 : 400000;
		if (now > due && due < seconds * SECOND)
			now = due;
	}
	watch(w, &s, seconds * SECOND);
}

static void what_passes_is_what_flowed(void **state)
{
	uint32_t seed = 3;
	int compared = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct watcher w = { .point = chance(&seed) * 0.9 };
		int64_t seconds = 10 + next(&seed) % 30;
		struct flow f;
		double expected;

		run(&seed, &w, &f, seconds);
		expected = flowed(&f, 0, seconds * SECOND - (int64_t)(w.point * MOTION_TRANSIT_US));
		/* At most half a dot is on its way to setting out. */
		if (fabs((double)w.count - expected) > 0.51 + expected * 0.002)
			fail_msg("run %d: %d dots, %.2f flowed", i, (int)w.count, expected);
		if (expected < 10.5)
			continue;
		compared++;
		assert_true(fabs((double)w.count - expected) <= 0.05 * expected);
	}
	assert_in_range(compared, 1000, 3000);
}

/* How many are on the way says the rate: a picture that stands can be read too. */
static void those_on_the_way_say_the_rate(void **state)
{
	uint32_t seed = 11;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		double wanted = chance(&seed) * 40;
		struct motion_stream s = { .n = 0 };
		struct motion_dot dots[MOST];

		motion_set(&s, 5 * SECOND, wanted);
		assert_true(fabs(motion_dots(&s, 9 * SECOND + next(&seed) % SECOND, dots, MOST) -
				 wanted) <= 1);
		if (wanted > 0.5)
			assert_true(fabs(motion_still(wanted, dots, MOST) - wanted) <= 0.5);
	}
}

static void what_stops_runs_out(void **state)
{
	struct motion_stream s = { .n = 0 };
	struct motion_dot dots[MOST];

	(void)state;
	assert_int_equal(motion_next(&s, SECOND), INT64_MAX);
	assert_int_equal(motion_still(0, dots, MOST), 0);
	motion_set(&s, 0, 8);
	/* The first sets out after half of the time between two. */
	assert_in_range(motion_next(&s, 10), MOTION_TRANSIT_US / 16, MOTION_TRANSIT_US / 16 + 2);
	assert_int_equal(motion_dots(&s, motion_next(&s, 10) - 2, dots, MOST), 0);
	assert_int_equal(motion_dots(&s, motion_next(&s, 10), dots, MOST), 1);
	assert_int_equal(motion_next(&s, SECOND), SECOND);
	motion_set(&s, 10 * SECOND, 0);
	assert_int_equal(motion_next(&s, 11 * SECOND), 11 * SECOND);
	assert_int_equal(motion_dots(&s, 13 * SECOND, dots, MOST), 0);
	assert_int_equal(motion_next(&s, 13 * SECOND + 1), INT64_MAX);
	/* The same input gives the same picture. */
	assert_int_equal(motion_dots(&s, 11 * SECOND, dots, MOST),
			 motion_dots(&s, 11 * SECOND, dots, MOST));
}

/* Many readings in the time of one way: the first ones melt together, and nothing is lost. */
static void more_rates_than_are_remembered(void **state)
{
	struct motion_stream s = { .n = 0 };
	double sum = 0.5;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		double dots = i % 7;

		motion_set(&s, i * 50000, dots);
		assert_in_range(s.n, 0, MOTION_PIECES);
		sum += dots * 50000 / MOTION_TRANSIT_US;
	}
	assert_true(fabs(motion_begun(&s, 1000 * 50000) - sum) < 1e-6);
}

static void another_unit_is_another_number_of_dots(void **state)
{
	struct motion_stream s = { .n = 0 };
	struct motion_dot dots[MOST];

	(void)state;
	motion_set(&s, 0, 30);
	motion_rescale(&s, 0.5);
	assert_in_range(motion_dots(&s, 4 * SECOND, dots, MOST), 14, 16);
}

/* --- the unit --- */

static void the_unit_fits_and_seldom_changes(void **state)
{
	struct motion_scale s = { .power = 0 };
	double factor;

	(void)state;
	assert_int_equal(motion_unit(&s), 0);
	assert_true(motion_fit(&s, 0, 0) == 1);
	assert_int_equal(motion_unit(&s), 0);
	/* 3 MiB/s a dot at least. */
	motion_fit(&s, 0, 3 << 20);
	assert_int_equal(motion_unit(&s), 4 << 20);
	/* What is less by a little, or for a little while, changes nothing. */
	assert_true(motion_fit(&s, SECOND, 2 << 20) == 1);
	assert_true(motion_fit(&s, 2 * SECOND, 1 << 20) == 1);
	assert_true(motion_fit(&s, 4 * SECOND, 0) == 1);
	assert_true(motion_fit(&s, 5 * SECOND, 1 << 20) == 1);
	assert_true(motion_fit(&s, 7 * SECOND, 1 << 20) == 1);
	factor = motion_fit(&s, 9 * SECOND, 1 << 20);
	assert_true(factor == 2);
	assert_int_equal(motion_unit(&s), 2 << 20);
	factor = motion_fit(&s, 10 * SECOND, 9 << 20);
	assert_true(factor == 1.0 / 8);
	assert_int_equal(motion_unit(&s), 16 << 20);
}

static void a_unit_for_anything(void **state)
{
	uint32_t seed = 5;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		struct motion_scale s = { .power = 0 };
		double full = exp(chance(&seed) * 34);

		motion_fit(&s, 0, full);
		assert_true((double)motion_unit(&s) >= full || s.power == 50);
		assert_true((double)motion_unit(&s) < full * 2 || motion_unit(&s) == 128 << 10);
	}
}

/* --- ways --- */

static void a_dot_stays_on_its_way(void **state)
{
	uint32_t seed = 21;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		int row = (int)(next(&seed) % 30), col = (int)(next(&seed) % 90),
		    far = (int)(next(&seed) % 90);
		int down = row + (int)(next(&seed) % 20), up = row > 3 ? row - 3 : row;
		struct motion_way w = { .n = 0 };
		int y, x, last = 0;

		motion_way_add(&w, up, col);
		motion_way_add(&w, row, col);
		motion_way_add(&w, row, far);
		motion_way_add(&w, down, far);
		assert_in_range(motion_way_cells(&w), 1, 200);
		for (int k = 0; k < 50; k++) {
			struct motion_dot dot = { (uint64_t)i, k / 50.0 };
			int left = col < far ? col : far, right = col < far ? far : col;

			motion_place(&w, dot, i % 2, &y, &x);
			assert_in_range(y / MOTION_Y, up, down);
			assert_in_range(x / MOTION_X, left, right);
			/* It never goes back. */
			if (k)
				assert_true(y >= last - MOTION_Y);
			last = y;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes_is_what_flowed),
		cmocka_unit_test(those_on_the_way_say_the_rate),
		cmocka_unit_test(what_stops_runs_out),
		cmocka_unit_test(more_rates_than_are_remembered),
		cmocka_unit_test(another_unit_is_another_number_of_dots),
		cmocka_unit_test(the_unit_fits_and_seldom_changes),
		cmocka_unit_test(a_unit_for_anything),
		cmocka_unit_test(a_dot_stays_on_its_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

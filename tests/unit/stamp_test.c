/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a sample was taken, where reading the clocks is itself interrupted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collectors/live.h"
#include "support_fake.h"

#define SLEPT_US INT64_C(7000000)
#define WALL_US INT64_C(1700000000000000)

/* Time, and how long each reading of a clock takes: by its number, the last for all that follow. */
struct hands {
	int64_t now_us;
	const int64_t *takes_us;
};

static int64_t tick(struct hands *h)
{
	int64_t now_us = h->now_us;

	h->now_us += *h->takes_us;
	h->takes_us += h->takes_us[1] >= 0;
	return now_us;
}

static int64_t hands_mono(void *arg)
{
	return tick(arg);
}

static int64_t hands_boot(void *arg)
{
	return tick(arg) + SLEPT_US;
}

static int64_t hands_wall(void *arg)
{
	return tick(arg) + WALL_US;
}

static int64_t hands_cpu(void *arg)
{
	(void)arg;
	return 0;
}

static void stamp(struct hands *h, struct sample *s)
{
	struct fake *f = fake_new();
	struct live_setup setup = { fake_kernfs(f), 1000000, false, true,
				    { hands_mono, hands_boot, hands_wall, hands_cpu, h } };
	struct source *src = live_source(&setup);

	assert_int_equal(src->ops->next(src, NULL, s), 0);
	source_close(src);
	fake_free(f);
}

static void clocks_agree_at_once(void **state)
{
	static const int64_t takes[] = { 0, -1 };
	struct hands h = { 5000000, takes };
	struct sample s = { 0 };

	(void)state;
	stamp(&h, &s);
	assert_int_equal(s.mono_us, 5000000);
	assert_int_equal(s.slept_us, SLEPT_US);
	assert_int_equal(s.wall_us, 5000000 + WALL_US);
	arena_free(s.arena);
}

/* 227 ms went by between two clocks: the machine did not sleep meanwhile, nor was its clock set. */
static void held_up_between_two_clocks(void **state)
{
	static const int64_t takes[] = { 227000, 0, 0, 0, 0, 300000, 0, 0, 0, -1 };
	struct hands h = { 5000000, takes };
	struct sample s = { 0 };

	(void)state;
	stamp(&h, &s);
	assert_int_equal(s.mono_us, 5000000 + 227000 + 300000);
	assert_int_equal(s.slept_us, SLEPT_US);
	assert_int_equal(s.wall_us, s.mono_us + WALL_US);
	arena_free(s.arena);
}

/* Held up again and again: what was read closest together stands, and that is the end of it. */
static void held_up_every_time(void **state)
{
	static const int64_t takes[] = { 50000, 0, 0, 0, 0, 2000, 0, 0, 0, 90000, 0, 0,
					 70000, 0, 0, 0, 60000, 0, 0, 0, 0, -1 };
	struct hands h = { 5000000, takes };
	struct sample s = { 0 };

	(void)state;
	stamp(&h, &s);
	assert_int_equal(s.mono_us, 5000000 + 50000);
	assert_int_equal(s.slept_us, SLEPT_US);
	assert_int_equal(s.wall_us, s.mono_us + 2000 + WALL_US);
	arena_free(s.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_agree_at_once),
		cmocka_unit_test(held_up_between_two_clocks),
		cmocka_unit_test(held_up_every_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

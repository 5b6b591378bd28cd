/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/history.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/pack.h"
#include "reclaimtop/fields.h"
#include "support_sample.h"

/* --- every allocation of our own is counted: the Makefile wraps these calls --- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static unsigned long allocations;

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	allocations++;
	return __real_realloc(old, size);
}

#define MANY 150

static void assert_same(const struct sample *got, const struct sample *want)
{
	char why[300];

	if (!sample_equal(got, want, why, sizeof(why)))
		fail_msg("sample %llu: %s", (unsigned long long)want->n, why);
	assert_true(got->mono_us == want->mono_us);
	assert_true(got->n == want->n);
}

/* Samples that follow each other, now and then one that has nothing to do with those before. */
static void make_samples(struct rng *r, struct sample *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		s[i].arena = arena_new();
		if (!i || rng_one_in(r, 20))
			sample_random(r, &s[i]);
		else
			sample_random_next(r, &s[i - 1], &s[i]);
	}
}

static void free_samples(struct sample *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		arena_free(s[i].arena);
}

static void test_any_jump(void **state)
{
	struct sample samples[MANY], got = { .arena = arena_new() };

	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct rng r = { seed };
		struct history *h = history_new((size_t)64 << 20);

		make_samples(&r, samples, MANY);
		for (uint32_t i = 0; i < MANY; i++) {
			history_put(h, &samples[i]);
			/* Looking back must not disturb what is written. */
			if (rng_one_in(&r, 10)) {
				uint32_t j = rng_below(&r, i + 1);

				assert_true(history_get(h, j, &got));
				assert_same(&got, &samples[j]);
			}
		}
		assert_int_equal(history_count(h), MANY);
		assert_int_equal(history_left_out(h), 0);
		for (uint32_t i = 0; i < 2 * MANY; i++) {
			uint32_t j = rng_below(&r, MANY);

			assert_true(history_get(h, j, &got));
			assert_same(&got, &samples[j]);
		}
		assert_false(history_get(h, MANY, &got));
		history_free(h);
		free_samples(samples, MANY);
	}
	arena_free(got.arena);
}

/* The oldest go, those that stay are right wherever one looked before, and the bound holds. */
static void fill(size_t size, const struct sample *samples, struct rng *r)
{
	struct history *h = history_new(size);
	struct sample got = { .arena = arena_new() };
	uint32_t kept[MANY], n = 0, count = 0;

	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t left_out = history_left_out(h);

		history_put(h, &samples[i]);
		assert_true(history_bytes(h) <= size);
		if (history_left_out(h) == left_out)
			kept[n++] = i;
		count = history_count(h);
		assert_true(count <= n);
		for (int looks = 0; count && looks < 2; looks++) {
			uint32_t j = looks ? rng_below(r, count) : count - 1;

			if (looks && rng_one_in(r, 2))
				continue;
			assert_true(history_get(h, j, &got));
			assert_same(&got, &samples[kept[n - count + j]]);
		}
	}
	assert_true(size < 3000000 || (count > 10 && !history_left_out(h)));
	history_free(h);
	arena_free(got.arena);
}

static void test_full(void **state)
{
	static const size_t sizes[] = { 0, 1, 300, 5000, 50000, 200000, 700000, 3000000 };
	struct sample samples[MANY];
	struct rng r = { 77 };

	(void)state;
	make_samples(&r, samples, MANY);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
		fill(sizes[k], samples, &r);
	free_samples(samples, MANY);
}

/* One that follows needs all the room, also that of what it follows: it becomes a whole one. */
static void test_own_group_goes(void **state)
{
	static const uint32_t numbers[] = { 2600, 2400, 6000 };
	struct history *h = history_new(100000);
	struct sample s = { .arena = arena_new() }, got = { .arena = arena_new() };
	struct rng r = { 8 };
	struct buddy b = { .zone = "Normal" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		sample_reset(&s);
		s.n = i;
		s.nbuddies = 1;
		s.buddies = &b;
		b.norders = numbers[i];
		b.blocks = arena_alloc(s.arena, numbers[i] * sizeof(*b.blocks));
		for (uint32_t j = 0; j < numbers[i]; j++)
			b.blocks[j] = rng_next(&r) >> 2;
		history_put(h, &s);
	}
	assert_int_equal(history_count(h), 1);
	assert_int_equal(history_left_out(h), 0);
	assert_true(history_get(h, 0, &got));
	assert_same(&got, &s);
	history_free(h);
	arena_free(s.arena);
	arena_free(got.arena);
}

static void put_at(struct history *h, struct sample *s, int64_t t_us)
{
	s->mono_us = t_us;
	s->n++;
	history_put(h, s);
}

static void test_find(void **state)
{
	struct history *h = history_new(100000);
	struct sample s = { .arena = arena_new() };

	(void)state;
	sample_reset(&s);
	assert_int_equal(history_find(h, 5), 0);
	assert_int_equal(history_span_us(h), 0);
	put_at(h, &s, 1000);
	put_at(h, &s, 2000);
	put_at(h, &s, 4000);
	assert_int_equal(history_find(h, 0), 0);
	assert_int_equal(history_find(h, 1000), 0);
	assert_int_equal(history_find(h, 1999), 0);
	assert_int_equal(history_find(h, 2000), 1);
	assert_int_equal(history_find(h, 3999), 1);
	assert_int_equal(history_find(h, INT64_MAX), 2);
	assert_int_equal(history_span_us(h), 3000);
	history_clear(h);
	assert_int_equal(history_count(h), 0);
	assert_int_equal(history_bytes(h), 0);
	assert_false(history_get(h, 0, &s));
	put_at(h, &s, 9000);
	assert_int_equal(history_count(h), 1);
	history_free(h);
	arena_free(s.arena);
}

/* An age that is off by less than the tolerance at each step must not drift away over many. */
static void test_ages_do_not_drift(void **state)
{
	struct history *h = history_new(1000000);
	struct sample s = { .arena = arena_new() }, got = { .arena = arena_new() };
	struct gen gen = { .seq = 1, .pages = { 5, 6 } };
	struct lruvec v = { .path = "/", .ngens = 1, .gens = &gen };

	(void)state;
	sample_reset(&s);
	s.nlruvecs = 1;
	s.lruvecs = &v;
	for (uint32_t i = 0; i < 300; i++) {
		/* 90 ms behind the clock at every step: 2.7 s at the end. */
		s.mono_us = (int64_t)i * 1000000;
		gen.age_ms = i * 910;
		history_put(h, &s);
	}
	for (uint32_t i = 0; i < 300; i++) {
		assert_true(history_get(h, i, &got));
		assert_in_range(got.lruvecs[0].gens[0].age_ms + 100, i * 910, i * 910 + 200);
		assert_int_equal(got.lruvecs[0].gens[0].pages[TYPE_FILE], 6);
	}
	history_free(h);
	arena_free(s.arena);
	arena_free(got.arena);
}

/* Once all has grown to its size: no memory is asked for, by putting or by looking back. */
static void test_no_allocation(void **state)
{
	enum { LOOP = 8 };
	struct sample samples[LOOP], got = { .arena = arena_new() };
	struct history *h = history_new(400000);
	struct rng r = { 5 };
	unsigned long before = 0;

	(void)state;
	make_samples(&r, samples, LOOP);
	for (uint32_t i = 0; i < 600; i++) {
		if (i == 300)
			before = allocations;
		history_put(h, &samples[i % LOOP]);
		assert_true(history_get(h, rng_below(&r, history_count(h)), &got));
	}
	assert_true(before > 0);
	assert_int_equal(allocations - before, 0);
	history_free(h);
	free_samples(samples, LOOP);
	arena_free(got.arena);
}

/* Bytes that nobody packed are refused or give some sample, and never more. */
static void test_pack_damage(void **state)
{
	struct sample s[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct sample got = { .arena = arena_new() };
	struct arena *scratch = arena_new();
	struct buf packed = { 0 };
	struct rng r = { 99 };

	(void)state;
	sample_random(&r, &s[0]);
	sample_random_next(&r, &s[0], &s[1]);
	for (int whole = 0; whole < 2; whole++) {
		const struct sample *before = whole ? NULL : &s[0];

		buf_clear(&packed);
		pack_out(before, &s[1], scratch, &packed);
		assert_true(pack_in(before, packed.data, packed.len, &got));
		assert_same(&got, &s[1]);
		for (size_t len = 0; len < packed.len; len += 1 + rng_below(&r, 9))
			assert_false(pack_in(before, packed.data, len, &got));
		for (uint32_t i = 0; i < 1500; i++) {
			size_t at = rng_below(&r, (uint32_t)packed.len);
			char was = packed.data[at];

			packed.data[at] = (char)(was ^ (1 << rng_below(&r, 8)));
			pack_in(before, packed.data, packed.len, &got);
			packed.data[at] = was;
		}
	}
	buf_fini(&packed);
	arena_free(scratch);
	arena_free(got.arena);
	arena_free(s[0].arena);
	arena_free(s[1].arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_jump),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_own_group_goes),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_ages_do_not_drift),
		cmocka_unit_test(test_no_allocation),
		cmocka_unit_test(test_pack_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A load of many sizes, each piece filled: whoever overlaps another or is not zeroed is found. */
static void use(struct arena *a, uint32_t seed)
{
	enum { N = 2000 };
	unsigned char *pieces[N];
	size_t sizes[N];

	for (int i = 0; i < N; i++) {
		seed = seed * 1664525 + 1013904223;
		sizes[i] = (seed >> 20) % (i % 97 ? 200 : 40000);
		pieces[i] = arena_alloc(a, sizes[i]);
		assert_non_null(pieces[i]);
		assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(pieces[i][j], 0);
		memset(pieces[i], i | 1, sizes[i]);
	}
	for (int i = 0; i < N; i++)
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(pieces[i][j], (unsigned char)(i | 1));
}

static void zeroed_and_apart(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (uint32_t round = 0; round < 5; round++) {
		use(a, round * 7);
		arena_reset(a);
		assert_int_equal(arena_used(a), 0);
	}
	arena_free(a);
	arena_free(NULL);
}

/* The same load again takes no memory from the system. */
static void stops_growing(void **state)
{
	struct arena *a = arena_new();
	size_t held;

	(void)state;
	use(a, 1);
	arena_reset(a);
	use(a, 1);
	held = arena_held(a);
	for (int round = 0; round < 5; round++) {
		arena_reset(a);
		use(a, 1);
		assert_int_equal(arena_held(a), held);
	}
	assert_true(arena_used(a) > 0 && arena_used(a) <= held);
	arena_free(a);
}

static void strings(void **state)
{
	struct arena *a = arena_new();
	char *s, *empty;

	(void)state;
	s = arena_strn(a, "abcdef", 3);
	empty = arena_strn(a, NULL, 0);
	assert_string_equal(s, "abc");
	assert_string_equal(empty, "");
	assert_string_equal(arena_str(a, "whole"), "whole");
	assert_string_equal(s, "abc");
	arena_free(a);
}

static void copies(void **state)
{
	struct arena *a = arena_new();
	const uint64_t values[] = { 1, 2, 3 };
	uint64_t *copy;

	(void)state;
	arena_str(a, "odd");
	copy = arena_copy(a, values, sizeof(values));
	assert_memory_equal(copy, values, sizeof(values));
	assert_int_equal((uintptr_t)copy % _Alignof(max_align_t), 0);
	assert_non_null(arena_copy(a, NULL, 0));
	assert_non_null(arena_raw(a, 0));
	arena_free(a);
}

/* Two lists that grow by turns, and what stands between them. */
static void lists(void **state)
{
	struct item {
		uint64_t value, zero;
	};
	struct arena *a = arena_new();
	struct arena_list one = { 0 }, two = { 0 };

	(void)state;
	for (int round = 0; round < 3; round++) {
		for (uint64_t i = 0; i < 5000; i++) {
			struct item *item = arena_push(a, &one, sizeof(*item));
			uint32_t *number = arena_push(a, &two, sizeof(*number));

			assert_true(item->value == 0 && item->zero == 0 && *number == 0);
			item->value = i;
			*number = (uint32_t)i;
			if (i % 3 == 0)
				memset(arena_alloc(a, 5), 0xff, 5);
		}
		assert_int_equal(one.n, 5000);
		for (uint64_t i = 0; i < 5000; i++) {
			assert_int_equal(((struct item *)one.items)[i].value, i);
			assert_int_equal(((uint32_t *)two.items)[i], i);
		}
		one = two = (struct arena_list){ 0 };
		arena_reset(a);
	}
	arena_free(a);
}

/* A list alone in its arena leaves no old copies behind. */
static void list_grows_in_place(void **state)
{
	struct arena *a = arena_new();
	struct arena_list list = { 0 };

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 4096; i++)
			*(uint64_t *)arena_push(a, &list, sizeof(i)) = i;
		if (round)
			assert_int_equal(arena_used(a), 4096 * sizeof(uint64_t));
		list = (struct arena_list){ 0 };
		arena_reset(a);
	}
	arena_free(a);
}

static void plain_memory(void **state)
{
	char *p = mem_alloc(0), *s = mem_str("text");

	(void)state;
	assert_non_null(p);
	p = mem_grow(p, 100);
	memset(p, 1, 100);
	assert_string_equal(s, "text");
	free(p);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeroed_and_apart),
		cmocka_unit_test(stops_growing),
		cmocka_unit_test(strings),
		cmocka_unit_test(copies),
		cmocka_unit_test(lists),
		cmocka_unit_test(list_grows_in_place),
		cmocka_unit_test(plain_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

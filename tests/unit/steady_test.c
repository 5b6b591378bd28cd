/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the steady state the collectors ask the system for no memory. Every call that the program makes itself is
 * counted (the linker leads it here); what libraries do is their own affair.
 */
#include "reclaimtop/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "support_rig.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static unsigned int calls;

void *__wrap_malloc(size_t size)
{
	calls++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	calls++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	calls++;
	return __real_realloc(old, size);
}

/* Calls of 100 samples after 20. A few arenas in turn, as the sampler and the screen hand them to each other. */
static unsigned int count(struct source *src, const struct interest *in)
{
	struct sample s[3] = { { 0 } };
	unsigned int counted = 0;

	for (int i = 0; i < 120; i++) {
		unsigned int before = calls;

		assert_int_equal(src->ops->next(src, in, &s[i % 3]), 0);
		if (i >= 20)
			counted += calls - before;
	}
	for (int i = 0; i < 3; i++)
		arena_free(s[i].arena);
	return counted;
}

static void the_count_works(void **state)
{
	unsigned int before = calls;

	(void)state;
	arena_free(arena_new());
	free(mem_grow(NULL, 10));
	assert_int_equal(calls, before + 2);
}

static void none_on_this_machine(void **state)
{
	static const struct interest in = { .pagetypes = true, .tiers = true };
	struct source *src = source_live(kernfs_machine(), 1000000, false);

	(void)state;
	assert_int_equal(count(src, &in), 0);
	source_close(src);
}

static void none_in_a_loop(void **state)
{
	static const struct interest in = { .pagetypes = true, .tiers = true };
	static const char *const series[] = {
		"tests/roots/7.2-pressure", "tests/roots/6.12-numa2", "tests/roots/7.2-oddnames",
	};
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++) {
		struct source *src = source_tree(series[i], true, &why);

		assert_non_null(src);
		assert_int_equal(count(src, &in), 0);
		source_close(src);
	}
}

/* Hours pass: facts, zrams, walks and limits are read anew. */
static void none_by_the_rules_of_a_machine(void **state)
{
	struct rig *rig = *state;
	struct sample s[3] = { { 0 } };
	unsigned int counted = 0;

	for (int i = 0; i < 120; i++) {
		unsigned int before;

		/* Half of the time there is no lru_gen. */
		fake_fail(rig->f, "sys/kernel/debug", i / 12 % 2 ? 13 : 0);
		before = calls;
		assert_int_equal(rig->src->ops->next(rig->src, &rig->in, &s[i % 3]), 0);
		/* The fake machine notes paths that it hears of for the first time. */
		if (i >= 40)
			counted += calls - before;
		fake_pass(rig->f, 3 * SECOND);
	}
	assert_int_equal(counted, 0);
	for (int i = 0; i < 3; i++)
		arena_free(s[i].arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_count_works),
		cmocka_unit_test(none_on_this_machine),
		cmocka_unit_test(none_in_a_loop),
		cmocka_unit_test_setup_teardown(none_by_the_rules_of_a_machine, rig_setup, rig_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What came back to each lruvec, from files of real kernels. The right numbers are differences of memory.stat's
 * workingset_refault_* and of lru_gen_full's columns, taken with grep from two trees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/step.h"
#include "support_frame.h"

static const struct lruvec_step *lruvec_of(const struct frame *f, const char *path, uint32_t node)
{
	for (uint32_t i = 0; i < f->step->nlruvecs; i++) {
		const struct lruvec *v = f->step->lruvecs[i].now;

		if (v && !strcmp(v->path, path) && v->node == node)
			return &f->step->lruvecs[i];
	}
	fail_msg("there is no %s on node %u", path, node);
	return NULL;
}

static struct amount back_of(struct reel *reel, uint32_t sample, const char *path, enum page_type type)
{
	struct frame f;

	while (reel_next(reel, &f))
		if (f.now->n == sample)
			return lruvec_of(&f, path, 0)->flow[type].refaulted;
	fail_msg("there is no sample %u", sample);
	return (struct amount){ 0 };
}

static void a_memcg_without_children_has_its_own(void **state)
{
	struct reel *reel = reel_open("tests/roots/7.2-pressure");
	struct amount back = back_of(reel, 14, "/web", TYPE_ANON);

	(void)state;
	assert_int_equal(back.state, AMOUNT_MEASURED);
	assert_int_equal(back.scope, SCOPE_MEMCG);
	assert_int_equal(back.value, 253);
	reel_close(reel);
}

static void is_least(struct amount back)
{
	assert_int_equal(back.state, AMOUNT_INFERRED);
	assert_true(back.hi == AMOUNT_NO_LIMIT);
	assert_true(back.value >= back.lo);
}

/* The root's memory.stat holds what came back to all. */
static void a_parent_has_at_least_what_came_back_soon(void **state)
{
	struct reel *reel = reel_open("tests/roots/7.2-pressure");

	(void)state;
	is_least(back_of(reel, 8, "/", TYPE_FILE));
	reel_close(reel);
}

/* By memory.stat 43068, of 29805 of the whole machine: the two were read far apart. */
static void more_than_the_machine_s_is_not_believed(void **state)
{
	struct reel *reel = reel_open("tests/roots/7.2-pressure");

	(void)state;
	is_least(back_of(reel, 8, "/db", TYPE_FILE));
	reel_close(reel);
}

/* memory.stat has no nodes. */
static void of_two_nodes_neither_has_all(void **state)
{
	struct reel *reel = reel_open("tests/roots/7.2-numa2");

	(void)state;
	is_least(back_of(reel, 10, "/db", TYPE_FILE));
	reel_close(reel);
}

/* Up to 6.4 memory.stat, too, counts what came back soon alone, and lags behind. */
static void before_6_5_lru_gen_full_has_all(void **state)
{
	struct reel *reel = reel_open("tests/roots/6.1-pressure");
	struct amount back = back_of(reel, 8, "/db", TYPE_FILE);

	(void)state;
	assert_int_equal(back.state, AMOUNT_MEASURED);
	assert_int_equal(back.value, 280509 - 235736);
	reel_close(reel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_memcg_without_children_has_its_own),
		cmocka_unit_test(a_parent_has_at_least_what_came_back_soon),
		cmocka_unit_test(more_than_the_machine_s_is_not_believed),
		cmocka_unit_test(of_two_nodes_neither_has_all),
		cmocka_unit_test(before_6_5_lru_gen_full_has_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * artefact_test.c - changes of rows that are no movement of pages, and rows that merely look like
 * them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#include "reclaimtop/step.h"

/* One memcg with rows of our own: seq, then pages of both types. */
static void rows_show(struct sample *s, uint64_t first, uint32_t n, const uint64_t pages[][2])
{
	struct lruvec *v;

	sample_reset(s);
	s->machine.version = 61200;
	s->machine.mglru = 7;
	s->nlruvecs = 1;
	s->lruvecs = v = arena_alloc(s->arena, sizeof(*v));
	v->memcg = 1;
	v->path = "/";
	v->min_seq[0] = v->min_seq[1] = UNKNOWN;
	v->ngens = n;
	v->gens = arena_alloc(s->arena, n * sizeof(*v->gens));
	for (uint32_t i = 0; i < n; i++)
		v->gens[i] =
			(struct gen){ first + i, 1000 - 100 * i, { pages[i][0], pages[i][1] }, 0 };
}

struct pair {
	struct sample was, is;
	struct step step;
};

static int pair_setup(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));

	p->was.arena = arena_new();
	p->is.arena = arena_new();
	p->step.arena = arena_new();
	*state = p;
	return 0;
}

static int pair_teardown(void **state)
{
	struct pair *p = *state;

	arena_free(p->was.arena);
	arena_free(p->is.arena);
	arena_free(p->step.arena);
	free(p);
	return 0;
}

static unsigned int artefacts_of(struct pair *p, int type)
{
	const struct type_flow *f;

	step_make(&p->was, &p->is, &p->step);
	f = &p->step.lruvecs[0].flow[type];
	if (f->artefacts)
		assert_false(amount_known(f->in_young) || amount_known(f->promoted));
	return f->artefacts;
}

static void swapless_rotation_is_no_promotion(void **state)
{
	static const uint64_t before[4][2] = {
		{ 5000, 10 }, { 300, 10 }, { 200, 10 }, { 100, 10 }
	};
	static const uint64_t after[4][2] = { { 300, 12 }, { 200, 10 }, { 100, 10 }, { 5000, 10 } };
	struct pair *p = *state;

	rows_show(&p->was, 7, 4, before);
	rows_show(&p->is, 8, 4, after);
	counters_init(&p->is.meminfo, &keytab_meminfo, p->is.arena);
	p->is.meminfo.value[MEM_SwapTotal] = p->is.meminfo.value[MEM_SwapFree] = 0;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_ROTATED);
	assert_int_equal(artefacts_of(p, TYPE_FILE), 0);
	/* Where the new generation holds something else, it is movement. */
	p->is.lruvecs[0].gens[3].pages[TYPE_ANON] = 900;
	assert_int_equal(artefacts_of(p, TYPE_ANON), 0);
}

static void four_births_lose_the_history(void **state)
{
	static const uint64_t rows[4][2] = { { 100, 0 }, { 100, 0 }, { 100, 0 }, { 100, 0 } };
	struct pair *p = *state;

	rows_show(&p->was, 7, 4, rows);
	rows_show(&p->is, 10, 4, rows);
	assert_int_equal(artefacts_of(p, TYPE_FILE), 0);
	rows_show(&p->is, 11, 4, rows);
	assert_int_equal(artefacts_of(p, TYPE_FILE), ARTEFACT_HISTORY_LOST);
	assert_int_equal(p->step.births.value, 4);
}

static void rows_that_do_not_fit_are_torn(void **state)
{
	static const uint64_t rows[4][2] = { { 100, 0 }, { 100, 0 }, { 100, 0 }, { 100, 0 } };
	struct pair *p = *state;

	rows_show(&p->was, 7, 4, rows);
	rows_show(&p->is, 7, 4, rows);
	p->is.lruvecs[0].gens[2].seq = 12;
	p->is.lruvecs[0].gens[3].seq = 13;
	assert_true(artefacts_of(p, TYPE_FILE) & ARTEFACT_TORN);
}

static void switching_is_no_movement(void **state)
{
	static const uint64_t rows[4][2] = { { 100, 0 }, { 100, 0 }, { 100, 0 }, { 100, 0 } };
	static const uint64_t none[4][2] = { { 0, 0 } };
	struct pair *p = *state;

	rows_show(&p->was, 7, 4, rows);
	rows_show(&p->is, 7, 4, none);
	p->is.machine.mglru = 0;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_SWITCHED);
	/* The bits cannot be read: the rows tell. */
	p->was.machine.mglru = p->is.machine.mglru = UNKNOWN;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_SWITCHED);
}

static void an_id_used_again_is_another_memcg(void **state)
{
	static const uint64_t rows[4][2] = { { 100, 0 }, { 100, 0 }, { 100, 0 }, { 100, 0 } };
	struct pair *p = *state;

	rows_show(&p->was, 0, 4, rows);
	rows_show(&p->is, 0, 4, rows);
	p->was.lruvecs[0].memcg = p->is.lruvecs[0].memcg = 9;
	p->was.lruvecs[0].path = "/gone";
	p->is.lruvecs[0].path = "/new";
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_ID_REUSED);
	assert_int_equal(p->step.lruvecs[0].flow[TYPE_ANON].in_young.state, AMOUNT_FIRST);
	assert_int_equal(p->step.nlruvecs, 2);
	assert_null(p->step.lruvecs[1].now);

	/*
	 * The same path, and the same id too: younger generations of the same numbers give it away.
	 */
	p->was.lruvecs[0].path = "/new";
	for (int i = 0; i < 4; i++)
		p->was.lruvecs[0].gens[i].age_ms = 90000;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_ID_REUSED);

	/* Another id under the same path. */
	for (int i = 0; i < 4; i++)
		p->was.lruvecs[0].gens[i].age_ms = 100;
	assert_int_equal(artefacts_of(p, TYPE_ANON), 0);
	p->is.lruvecs[0].memcg = 10;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_ID_REUSED);
}

/* From 7.1 the pages of a removed memcg join its parent's, generation by generation. */
static void reparented_pages_are_no_births(void **state)
{
	static const uint64_t parent[4][2] = { { 10, 0 }, { 10, 0 }, { 10, 0 }, { 10, 0 } };
	static const uint64_t joined[4][2] = { { 10, 0 }, { 910, 0 }, { 10, 0 }, { 10, 0 } };
	static const struct gen child[2] = { { 1, 50, { 900, 0 }, 0 }, { 2, 50, { 0, 0 }, 0 } };
	struct pair *p = *state;
	struct lruvec *two;

	rows_show(&p->was, 0, 4, parent);
	rows_show(&p->is, 0, 4, joined);
	two = arena_alloc(p->was.arena, 2 * sizeof(*two));
	two[0] = two[1] = p->was.lruvecs[0];
	two[1].memcg = 77;
	two[1].path = "/child";
	two[1].gens = arena_copy(p->was.arena, child, sizeof(child));
	two[1].ngens = 2;
	p->was.lruvecs = two;
	p->was.nlruvecs = 2;
	assert_int_equal(artefacts_of(p, TYPE_ANON), 0);
	p->was.machine.version = p->is.machine.version = 70200;
	assert_int_equal(artefacts_of(p, TYPE_ANON), ARTEFACT_REPARENTED);
	assert_int_equal(artefacts_of(p, TYPE_FILE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(swapless_rotation_is_no_promotion, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(four_births_lose_the_history, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(rows_that_do_not_fit_are_torn, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(switching_is_no_movement, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(an_id_used_again_is_another_memcg, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(reparented_pages_are_no_births, pair_setup,
						pair_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

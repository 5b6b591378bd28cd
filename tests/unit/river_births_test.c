/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Births of generations: of a sum only that part moves on whose lruvecs opened one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "support_river.h"

/* An lruvec of some generations, the youngest last; born of them are new, left of them are gone. */
struct made {
	struct lruvec now, before;
	struct gen_step gens[8];
	struct lruvec_step step;
};

static struct lruvec_step *make(struct made *m, uint32_t n, uint32_t born, uint32_t left)
{
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < n; i++)
		m->gens[i] = (struct gen_step){ .seq = 10 + i,
						.born = i + born >= n,
						.left = i < left,
						.now = { i < left ? 0 : 100, 0 } };
	m->step = (struct lruvec_step){ .now = &m->now,
					.before = &m->before,
					.ngens = n,
					.gens = m->gens,
					.births = { .value = born, .state = AMOUNT_MEASURED } };
	return &m->step;
}

static void gather(struct river_births *b, struct lruvec_step *const *list, int n)
{
	river_births_clear(b);
	for (int i = 0; i < n; i++)
		river_births_count(b, list[i]);
	for (int i = 0; i < n; i++)
		river_births_add(b, list[i]);
}

static uint64_t anon(const struct river_births *b, int shift)
{
	return places_sum(&b->moved[shift], TYPE_ANON);
}

static void only_those_move_that_gave_birth(void **state)
{
	struct made one, two, three;
	struct river_births b;

	(void)state;
	/* One used up its oldest, one did nothing. */
	gather(&b, (struct lruvec_step *[]){ make(&one, 5, 1, 1), make(&two, 4, 0, 0) }, 2);
	assert_int_equal(b.lruvecs, 1);
	assert_int_equal(b.born, 1);
	assert_int_equal(anon(&b, 1), 400);
	assert_int_equal(anon(&b, 0), 400);
	assert_int_equal(river_births_shift(&b), 1);
	/* Three became four: the oldest stands at the edge, and nothing moves on but what has fewer. */
	gather(&b, (struct lruvec_step *[]){ make(&one, 4, 1, 0) }, 1);
	assert_int_equal(river_births_shift(&b), 0);
	gather(&b, (struct lruvec_step *[]){ make(&one, 3, 1, 0), make(&two, 4, 0, 0) }, 2);
	assert_int_equal(anon(&b, 1), 300);
	assert_int_equal(anon(&b, 0), 400);
	/* Two at once; a new one does not move. */
	gather(&b,
	       (struct lruvec_step *[]){ make(&one, 6, 2, 2), make(&two, 4, 0, 0),
					 make(&three, 4, 4, 0) }, 2);
	assert_int_equal(anon(&b, 2), 400);
	assert_int_equal(river_births_shift(&b), 2);
	three.step.before = NULL;
	three.step.births.state = AMOUNT_FIRST;
	gather(&b, (struct lruvec_step *[]){ &three.step, make(&two, 4, 0, 0) }, 2);
	assert_int_equal(b.born, 0);
	assert_int_equal(river_births_shift(&b), 0);
}

static void too_little_is_not_seen_to_move(void **state)
{
	struct made one, two;
	struct river_births b;

	(void)state;
	make(&one, 5, 1, 1);
	make(&two, 4, 0, 0);
	two.gens[0].now[TYPE_FILE] = 1000000;
	gather(&b, (struct lruvec_step *[]){ &one.step, &two.step }, 2);
	assert_int_equal(b.born, 1);
	assert_int_equal(river_births_shift(&b), 0);
}

static uint64_t youngest(const struct lruvec *l)
{
	uint64_t seq = 0;

	for (uint32_t i = 0; i < l->ngens; i++)
		seq = l->gens[i].seq > seq ? l->gens[i].seq : seq;
	return seq;
}

/* By the numbers of the youngest in both samples. */
static void births_of_a_series(void **state)
{
	struct stage s;
	int seen = 0;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 40, 120);
	stage_to(&s, 0);
	while (stage_next(&s)) {
		const struct generations *g = generations_of(&s);
		const struct step *st = s.frame.step;
		uint64_t born = 0, lruvecs = 0, pages = 0;

		for (uint32_t i = 0; i < st->nlruvecs; i++) {
			const struct lruvec_step *l = &st->lruvecs[i];

			if (!l->now || !l->before || !amount_known(l->births))
				continue;
			born += youngest(l->now) - youngest(l->before);
			lruvecs += youngest(l->now) != youngest(l->before);
		}
		for (int shift = 0; shift < PLACE_NR; shift++)
			for (int type = 0; type < TYPE_NR; type++)
				pages += places_sum(&g->born.moved[shift], (enum page_type)type);
		assert_int_equal(g->born.born, born);
		assert_int_equal(g->born.lruvecs, lruvecs);
		assert_int_equal(pages, places_sum(&g->places, TYPE_ANON) +
						places_sum(&g->places, TYPE_FILE));
		seen += born > 0;
	}
	assert_true(seen > 0);
	stage_close(&s);
}

/* Cells of blocks, whole and in parts. */
static int blocks(const struct grid *g)
{
	int n = 0;

	for (int i = 0; i < g->rows * g->cols; i++)
		n += g->cells[i].style >= STYLE_GEN0 && g->cells[i].style <= STYLE_GEN3;
	return n;
}

/* A picture whose lruvecs gave birth in part: no page is lost on the way, and all come to rest where they stood without. */
static void what_moves_comes_to_rest(void **state)
{
	struct draw d = { .page_size = 4096 };
	struct grid rest = { 0 }, on_way = { 0 };
	struct river_births b;
	uint32_t seed = 5;

	(void)state;
	grid_resize(&rest, 40, 120);
	grid_resize(&on_way, 40, 120);
	for (int i = 0; i < 500; i++) {
		struct rect area = { 1, 1, 20 + (int)(support_next(&seed) % 18),
				     60 + (int)(support_next(&seed) % 58) };
		struct picture p;

		any_picture(&p, &seed, area);
		river_births_clear(&b);
		for (int k = 0; k < p.scene.n * TYPE_NR; k++) {
			uint64_t pages = p.places.at[k / 2].pages[k % 2],
				 part = pages / (1 + support_next(&seed) % 4);

			b.moved[1].at[k / 2].pages[k % 2] = part;
			b.moved[0].at[k / 2].pages[k % 2] = pages - part;
		}
		p.scene.births = &b;
		p.river.shift = 1;
		p.river.opened_us = SECOND;
		grid_clear(&rest);
		grid_clear(&on_way);
		d.g = &rest;
		p.scene.clock_us = 2 * SECOND;
		river_blocks_draw(&d, &p.plan, &p.scene);
		p.scene.clock_us = -1;
		d.g = &on_way;
		river_blocks_draw(&d, &p.plan, &p.scene);
		for (int k = 0; k < rest.rows * rest.cols; k++)
			assert_string_equal(rest.cells[k].text, on_way.cells[k].text);
		grid_clear(&on_way);
		p.scene.clock_us = SECOND + (int)(support_next(&seed) % 700000);
		river_blocks_draw(&d, &p.plan, &p.scene);
		for (int k = 0; k < on_way.rows * on_way.cols; k++)
			if (on_way.cells[k].style != STYLE_PLAIN) {
				assert_true(k % on_way.cols >= 1 + p.plan.first);
				assert_true(k % on_way.cols < 1 + p.plan.edge);
			}
		assert_true(blocks(&on_way) > 0 || blocks(&rest) <= p.plan.block);
	}
	grid_fini(&rest);
	grid_fini(&on_way);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_those_move_that_gave_birth),
		cmocka_unit_test(too_little_is_not_seen_to_move),
		cmocka_unit_test(births_of_a_series),
		cmocka_unit_test(what_moves_comes_to_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

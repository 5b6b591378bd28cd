/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The river of generations: what is where. */
#include "ui/tui/river.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "support_river.h"

/* One scale for all: as many eighths of cells as there are pages, but for what rounding takes. */
static void blocks_are_as_large_as_their_pages(void **state)
{
	uint32_t seed = 4;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct rect area = { 0, 0, 14 + (int)(support_next(&seed) % 46),
				     54 + (int)(support_next(&seed) % 150) };
		struct picture p;

		any_picture(&p, &seed, area);
		p.river.log = false;
		for (int k = 0; k < p.scene.n * TYPE_NR; k++) {
			enum page_type type = (enum page_type)(k % TYPE_NR);
			uint64_t pages = p.places.at[k / TYPE_NR].pages[type];
			int breadth = river_breadth(&p.scene, &p.plan, type, k / TYPE_NR);
			int area_is = river_height(&p.scene, &p.plan, type, k / TYPE_NR) * breadth;
			int rows = p.plan.half[TYPE_ANON].rows < p.plan.half[TYPE_FILE].rows
					   ? p.plan.half[TYPE_ANON].rows
					   : p.plan.half[TYPE_FILE].rows;
			double wanted =
				(double)pages / (double)p.scene.scale * 8 * rows * p.plan.block;

			if (!pages)
				assert_int_equal(area_is, 0);
			else
				assert_true(area_is >= 1 &&
					    fabs(area_is - wanted) <= 0.51 * p.plan.block + 1);
			assert_true(breadth <= p.plan.block);
			assert_true(river_height(&p.scene, &p.plan, type, k / TYPE_NR) <=
				    8 * p.plan.half[type].rows);
		}
	}
}

/* The scale is never too small, wastes less than a quarter, and takes few values. */
static void the_scale_fits(void **state)
{
	uint32_t seed = 8;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct picture p;
		uint64_t most = 1;

		any_picture(&p, &seed, (struct rect){ 0, 0, 30, 100 });
		for (int k = 0; k < PLACE_NR * TYPE_NR; k++)
			if (p.places.at[k / 2].pages[k % 2] > most)
				most = p.places.at[k / 2].pages[k % 2];
		assert_true(p.scene.scale >= most && p.scene.scale <= most + most / 4 + 1);
	}
}

static bool is_in(const struct river_plan *plan, int row, int col)
{
	return row >= 0 && row < plan->area.rows && col >= 0 && col < plan->area.cols;
}

/* Ways lead where the kernel puts pages, inside the picture, and straight from point to point. */
static void ways_lead_where_they_say(void **state)
{
	uint32_t seed = 15;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		struct rect area = { 0, 0, 13 + (int)(support_next(&seed) % 47),
				     54 + (int)(support_next(&seed) % 150) };
		struct picture p;

		any_picture(&p, &seed, area);
		for (int id = 0; id < FLOW_UNEXPLAINED; id++) {
			enum page_type type = (enum page_type)(id % TYPE_NR);
			struct motion_way w;

			river_way(&p.scene, &p.plan, type, (enum flow_id)id, &w);
			for (int k = 0; k < w.n; k++) {
				assert_true(is_in(&p.plan, w.at[k].row, w.at[k].col));
				if (k)
					assert_true(w.at[k].row == w.at[k - 1].row ||
						    w.at[k].col == w.at[k - 1].col);
			}
			if (w.n < 2)
				continue;
			if (id == FLOW_EVICTED || id == FLOW_GONE)
				assert_true(w.at[0].col < p.plan.edge &&
					    w.at[w.n - 1].col > p.plan.edge);
			else if (id == FLOW_REFAULTED)
				assert_true(w.at[0].col > p.plan.edge &&
					    w.at[w.n - 1].col < p.plan.edge);
			else if (id == FLOW_PROMOTED || id == FLOW_PROTECTED)
				assert_true(w.at[w.n - 1].col < w.at[0].col);
			else
				assert_true(w.at[w.n - 1].col >= w.at[0].col);
		}
	}
}

/* Nothing is drawn outside of the pane, at any size from 1x1 to 200x60, with any picture. */
static void nothing_outside(void **state)
{
	struct grid g = { 0 };
	struct frame f = { 0 };
	struct step st = { .dt_us = SECOND };
	struct sample now = { 0 };
	struct draw d = { .g = &g, .f = &f, .page_size = 4096 };
	uint32_t seed = 77;

	(void)state;
	f.step = &st;
	f.now = &now;
	grid_resize(&g, 64, 206);
	for (int i = 0; i < 3000; i++) {
		struct rect pane = { 2, 3, 1 + (int)(support_next(&seed) % 60),
				     1 + (int)(support_next(&seed) % 200) };
		struct picture p;

		any_picture(&p, &seed, pane);
		motion_fit(&p.river.unit.scale, 0, 1 << 20);
		for (int k = 0; k < TYPE_NR * FLOW_NR; k++) {
			struct amount a = { .value = support_next(&seed) % 4000,
					    .state = support_next(&seed) % 2 ? AMOUNT_MEASURED
								     : AMOUNT_INFERRED };

			memcpy((char *)&p.flow[k % 2] + flow_kinds[k / 2].offset, &a, sizeof(a));
		}
		g.ascii = support_next(&seed) % 3 == 0;
		grid_clear(&g);
		river_draw(&d, &p.plan, &p.scene);
		is_whole(&g);
		for (int cell = 0; cell < g.rows * g.cols; cell++) {
			struct rect one = { cell / g.cols, cell % g.cols, 1, 1 };

			if (rect_is_empty(rect_clip(one, pane)))
				assert_string_equal(g.cells[cell].text, " ");
		}
	}
	grid_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_as_large_as_their_pages),
		cmocka_unit_test(the_scale_fits),
		cmocka_unit_test(ways_lead_where_they_say),
		cmocka_unit_test(nothing_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

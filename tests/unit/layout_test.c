/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties that hold at every size: parts are inside, and none lies over another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/tui/layout.h"
#include "ui/tui/overview.h"

static void inside(struct rect r, struct rect whole)
{
	if (rect_is_empty(r))
		return;
	assert_true(r.row >= whole.row && r.col >= whole.col);
	assert_true(r.row + r.rows <= whole.row + whole.rows);
	assert_true(r.col + r.cols <= whole.col + whole.cols);
}

static void disjoint(const struct rect *rects, int n)
{
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++)
			assert_true(rect_is_empty(rect_clip(rects[i], rects[k])));
}

static void screens_of_all_sizes(void **state)
{
	(void)state;
	for (int rows = 1; rows <= 60; rows++) {
		for (int cols = 1; cols <= 200; cols++) {
			for (int notices = 0; notices <= 8; notices++) {
				struct rect whole = { 0, 0, rows, cols };
				struct screen s;

				layout_screen(rows, cols, notices, &s);
				const struct rect parts[] = { s.head, s.tabs, s.notice, s.body, s.foot };

				for (int i = 0; i < 5; i++)
					inside(parts[i], whole);
				disjoint(parts, 5);
				assert_false(rect_is_empty(s.body));
				assert_int_equal(s.small, rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS);
				/* The view keeps most of the screen. */
				if (!s.small)
					assert_true(s.body.rows * 4 >= (rows - 3) * 3);
				else
					assert_true(s.body.rows == rows && s.body.cols == cols);
			}
		}
	}
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static void random_wants(uint32_t *seed, struct want *wants, int n)
{
	for (int i = 0; i < n; i++) {
		wants[i].min = (int)(next(seed) % 6);
		wants[i].most = wants[i].min + (int)(next(seed) % 10) - 1;
		wants[i].rank = (int)(next(seed) % 8);
	}
}

static void stacks(void **state)
{
	uint32_t seed = 7;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		struct rect area = { (int)(next(&seed) % 5), (int)(next(&seed) % 5), (int)(next(&seed) % 60),
				     (int)(next(&seed) % 200) };
		struct want wants[LAYOUT_PARTS];
		struct rect out[LAYOUT_PARTS];
		int n = 1 + (int)(next(&seed) % LAYOUT_PARTS);

		random_wants(&seed, wants, n);
		layout_stack(area, wants, n, out);
		for (int k = 0; k < n; k++) {
			int most = wants[k].most > wants[k].min ? wants[k].most : wants[k].min;

			inside(out[k], area);
			assert_true(out[k].rows == 0 || (out[k].rows >= wants[k].min && out[k].rows <= most));
			assert_true(k == 0 || out[k].row >= out[k - 1].row);
		}
		disjoint(out, n);
	}
}

/* No part is left out while a less important one is there. */
static void the_important_ones_stay(void **state)
{
	uint32_t seed = 99;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct rect area = { 0, 0, (int)(next(&seed) % 40), 80 };
		struct want wants[8];
		struct rect out[8];

		random_wants(&seed, wants, 8);
		layout_stack(area, wants, 8, out);
		for (int k = 0; k < 8; k++)
			for (int m = 0; m < 8; m++)
				if (wants[k].min && !out[k].rows && out[m].rows)
					assert_true(wants[k].rank >= wants[m].rank);
	}
}

static void all_have_their_most_where_there_is_room(void **state)
{
	const struct want wants[] = { { 1, 3, 2 }, { 2, 2, 0 }, { 0, 9, 1 }, { 1, 4, 1 } };
	struct rect area = { 0, 0, 9, 80 }, out[4];

	(void)state;
	layout_stack(area, wants, 4, out);
	assert_int_equal(out[0].rows, 3);
	assert_int_equal(out[1].rows, 2);
	/* It asks for nothing at least, so it is not there. */
	assert_int_equal(out[2].rows, 0);
	assert_int_equal(out[3].rows, 4);
	area.rows = 6;
	layout_stack(area, wants, 4, out);
	assert_int_equal(out[3].rows, 3);
	assert_int_equal(out[0].rows, 1);
}

/* The Overview at every size, whatever a frame asks for. */
static void parts_of_the_overview(void **state)
{
	uint32_t seed = 3;

	(void)state;
	for (int rows = 1; rows <= 60; rows++) {
		for (int cols = 1; cols <= 200; cols++) {
			struct rect body = { 2, 0, rows, cols }, out[PANE_NR];
			struct overview_asks asks = { .findings = (int)(next(&seed) % 4), .zones = (int)(next(&seed) % 12),
						      .disagree = next(&seed) % 2 };

			asks.lines = asks.findings * (1 + (int)(next(&seed) % 3));
			overview_plan(body, &asks, out);
			for (int i = 0; i < PANE_NR; i++)
				inside(out[i], body);
			disjoint(out, PANE_NR);
			/* What is wrong is never left out for what is nice to see. */
			if (asks.findings && rows >= asks.findings)
				assert_true(out[PANE_FINDINGS].rows >= asks.findings);
			/* The numbers of the picture stand in tables where it has no room. */
			assert_true(!out[PANE_PICTURE].rows || (!out[PANE_RECLAIM].rows && !out[PANE_ZONES].rows));
		}
	}
}

static void vessels_and_flows(void **state)
{
	(void)state;
	for (int rows = 1; rows <= 60; rows++) {
		for (int cols = 1; cols <= 200; cols++) {
			for (int zones = 0; zones <= 12; zones++) {
				struct rect area = { 1, 2, rows, cols };
				struct picture pic;

				picture_plan(area, zones, &pic);
				assert_true(pic.n <= zones && pic.n <= PICTURE_VESSELS);
				inside(pic.flows, area);
				disjoint(pic.vessel, pic.n);
				for (int i = 0; i < pic.n; i++) {
					inside(pic.vessel[i], area);
					assert_true(rect_is_empty(rect_clip(pic.vessel[i], pic.flows)));
				}
			}
		}
	}
}

static void two_columns(void **state)
{
	(void)state;
	for (int cols = 0; cols <= 200; cols++) {
		for (int share = 0; share <= 100; share += 10) {
			struct rect area = { 2, 3, 5, cols }, out[2];

			layout_columns(area, share, 3, out);
			inside(out[0], area);
			inside(out[1], area);
			disjoint(out, 2);
			assert_true(out[0].cols >= 0 && out[1].cols >= 0);
		}
	}
}

static void taking_away(void **state)
{
	(void)state;
	for (int rows = 0; rows < 10; rows++) {
		for (int take = -1; take < 12; take++) {
			struct rect area = { 1, 1, rows, 4 }, whole = area, taken;

			taken = layout_take_top(&area, take);
			inside(taken, whole);
			inside(area, whole);
			assert_int_equal(taken.rows + area.rows, rows);
			area = whole;
			taken = layout_take_bottom(&area, take);
			inside(taken, whole);
			assert_int_equal(taken.rows + area.rows, rows);
			assert_int_equal(taken.row, area.row + area.rows);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_of_all_sizes),
		cmocka_unit_test(stacks),
		cmocka_unit_test(the_important_ones_stay),
		cmocka_unit_test(all_have_their_most_where_there_is_room),
		cmocka_unit_test(parts_of_the_overview),
		cmocka_unit_test(vessels_and_flows),
		cmocka_unit_test(two_columns),
		cmocka_unit_test(taking_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

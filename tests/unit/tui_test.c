/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/tui/tui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/metrics.h"
#include "support_grid.h"
#include "support_script.h"
#include "ui/tui/view.h"

static const char *const series[] = { "tests/roots/7.2-pressure", "tests/roots/6.1-pressure",
				      "tests/roots/7.2-numa2", "tests/roots/7.2-disabled",
				      "tests/roots/7.2-oddnames", "tests/roots/6.12-disabled" };

#define SERIES (sizeof(series) / sizeof(series[0]))

static bool shows(const struct stage *s, const char *text)
{
	int col;

	return find_text(&s->grid, text, &col) >= 0;
}

/* --- sizes --- */

static void shrink_and_grow(struct stage *s)
{
	for (int i = 0; i <= 200; i++)
		stage_size(s, 60 - i * 59 / 200, 200 - i * 199 / 200);
	for (int i = 200; i >= 0; i--)
		stage_size(s, 60 - i * 59 / 200, 200 - i * 199 / 200);
	for (int rows = 60; rows > 0; rows--)
		stage_size(s, rows, 80);
	for (int cols = 200; cols > 0; cols--)
		stage_size(s, 24, cols);
}

static void any_size_in_every_view(void **state)
{
	(void)state;
	for (size_t i = 0; i < SERIES; i++) {
		struct stage s;

		stage_open(&s, series[i], NULL);
		stage_next(&s);
		stage_next(&s);
		for (const char *view = "123456"; *view; view++) {
			stage_press(&s, *view);
			shrink_and_grow(&s);
		}
		stage_close(&s);
	}
}

static void help_and_explanations_at_any_size(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 3);
	for (const char *view = "123456"; *view; view++) {
		stage_press(&s, *view);
		stage_press(&s, 'h');
		shrink_and_grow(&s);
		stage_keys(&s, "<End><PgUp><Esc>e<Down>");
		shrink_and_grow(&s);
		stage_keys(&s, "<Esc>x");
		shrink_and_grow(&s);
		stage_press(&s, KEYCODE_ESC);
	}
	stage_close(&s);
}

/* https://github.com/hishamhm/htop/issues/733, https://github.com/aristocratos/btop/issues/1820 */
static void too_small_says_so_and_goes_on(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 1);
	stage_size(&s, 10, 38);
	assert_true(shows(&s, "too small: 40x8 needed, have 38x10"));
	assert_int_equal(stage_press(&s, '3') & TUI_REDRAW, TUI_REDRAW);
	stage_size(&s, 8, 40);
	assert_false(shows(&s, "too small"));
	assert_true(shows(&s, "/db"));
	stage_size(&s, 1, 1);
	assert_string_equal(s.grid.cells[0].text, "t");
	assert_int_equal(stage_press(&s, 'q'), TUI_QUIT);
	stage_close(&s);
}

/* https://github.com/abishekvashok/cmatrix/issues/47 */
static void keys_do_no_harm_without_rows(void **state)
{
	static const int sizes[][2] = { { 1, 80 }, { 2, 80 }, { 3, 80 }, { 8, 40 }, { 9, 200 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage s;

		stage_open(&s, series[4], NULL);
		stage_to(&s, 1);
		stage_size(&s, sizes[i][0], sizes[i][1]);
		for (const char *view = "123456"; *view; view++) {
			stage_press(&s, *view);
			stage_keys(&s, "<PgUp><PgDn><Home><End><Up><Down><Left><Right><>rvDpdau");
			stage_keys(&s, "h<PgDn><PgUp><End><Esc>e<Down><Down><Esc>/x<Rub><Esc>");
		}
		stage_close(&s);
	}
}

/* --- what the screen says --- */

static void nothing_is_waited_for(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	assert_true(shows(&s, "waiting for the first sample"));
	stage_keys(&s, "23451 rvDe<Down><Esc>+-/ab<Enter><Enter>h");
	stage_close(&s);
}

static void the_end_is_said(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[3], NULL);
	while (stage_next(&s))
		;
	assert_true(shows(&s, "END"));
	s.frame.error = "Input/output error";
	tui_frame(s.tui, &s.frame);
	stage_draw(&s);
	assert_true(shows(&s, "The source ended: Input/output error"));
	stage_close(&s);
}

static void unknown_is_never_zero(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_next(&s);
	/* No rate can be known from one sample; what is known of sizes is shown. */
	assert_true(shows(&s, "First sample: rates come with the next one."));
	assert_false(shows(&s, "0/s"));
	stage_press(&s, '2');
	assert_false(shows(&s, "=0"));
	assert_false(shows(&s, "~0"));
	stage_close(&s);
}

/* Counts that are not 0 are on screen, and those that are stay away. */
static void losses_are_counted(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 1);
	assert_false(shows(&s, "Since the start"));
	s.frame.missed = 1;
	s.frame.gaps = 2;
	s.frame.torn = 0;
	tui_frame(s.tui, &s.frame);
	stage_draw(&s);
	assert_true(shows(&s, "Since the start: 1 sample missed, 2 gaps."));
	stage_close(&s);
}

static void why_there_are_no_generations(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[3], NULL);
	stage_to(&s, 1);
	assert_true(shows(&s, "classic lists: MGLRU is built in but switched off"));
	stage_press(&s, '2');
	assert_true(shows(&s, "deactivated"));
	stage_press(&s, '5');
	assert_true(shows(&s, "not asked for in a captured tree"));
	stage_close(&s);
}

/* --- explanations --- */

/* Every number that can be asked about has its place in the table of metrics. */
static void every_number_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < SERIES; i++) {
		struct stage s;

		stage_open(&s, series[i], NULL);
		stage_size(&s, 60, 240);
		stage_next(&s);
		stage_next(&s);
		for (const char *keys = "12d34p56"; *keys; keys++) {
			stage_press(&s, *keys);
			stage_press(&s, 'e');
			for (int k = 0; k < s.tui->spots.n; k++)
				if (!metric_find(s.tui->spots.at[k].metric))
					fail_msg("%s: %s", series[i], s.tui->spots.at[k].metric);
			/* Who runs is not in a captured tree. */
			assert_true(s.tui->spots.n > 4 || *keys >= '5');
			stage_press(&s, 'e');
		}
		stage_close(&s);
	}
}

static void an_interval_is_said(void **state)
{
	struct stage s;
	bool found = false;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_size(&s, 40, 120);
	stage_to(&s, 4);
	stage_keys(&s, "2e");
	for (int i = 0; i < s.tui->spots.n && !found; i++) {
		stage_press(&s, KEYCODE_DOWN);
		found = shows(&s, "inferred from two readings: the truth lies between");
	}
	assert_true(found);
	stage_press(&s, 'q');
	assert_false(shows(&s, "the truth lies"));
	stage_close(&s);
}

/* --- filter, sort, tree --- */

static int rows_with(const struct stage *s, const char *text)
{
	struct grid part = s->grid;
	int n = 0, col;

	for (int row = 0; row < s->grid.rows; row++) {
		part.cells = s->grid.cells + row * s->grid.cols;
		part.rows = 1;
		n += find_text(&part, text, &col) >= 0;
	}
	return n;
}

static void a_filter_is_typed(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[4], NULL);
	stage_size(&s, 40, 120);
	stage_to(&s, 1);
	stage_keys(&s, "3/kube-POD1");
	assert_true(shows(&s, "Filter: kube-POD1"));
	/* 1 and 10 to 19; and the selected one once more below. */
	assert_int_equal(rows_with(&s, "/kube-pod1"), 12);
	stage_keys(&s, "<Rub><Rub><Rub><Rub><Rub>");
	assert_int_equal(rows_with(&s, "/kube-pod"), 34);
	stage_keys(&s, "zzz<Enter>");
	assert_true(shows(&s, "No memcg passes the filter"));
	assert_true(shows(&s, "Filter: kubezzz"));
	stage_keys(&s, "q");
	stage_press(&s, KEYCODE_ESC);
	assert_false(shows(&s, "Filter:"));
	stage_close(&s);
}

static void options_are_followed(void **state)
{
	const struct tui_options options = { .view = VIEW_MEMCGS, .filter = "b", .sort = "memcg" };
	struct stage s;
	int col, db, web, batch;

	(void)state;
	stage_open(&s, series[0], &options);
	stage_to(&s, 2);
	batch = find_text(&s.grid, "/batch", &col);
	db = find_text(&s.grid, "/db", &col);
	web = find_text(&s.grid, "/web", &col);
	assert_true(batch > 0 && batch < db && db < web);
	assert_true(shows(&s, "memcg▼") || shows(&s, "memcg▲"));
	stage_close(&s);
}

static void a_tree_keeps_children_below_their_parents(void **state)
{
	struct stage s;
	int col, parent, child;

	(void)state;
	stage_open(&s, series[4], NULL);
	stage_size(&s, 60, 120);
	stage_to(&s, 1);
	stage_keys(&s, "3v");
	parent = find_text(&s.grid, "└ a ", &col);
	assert_true(parent > 0);
	child = find_text(&s.grid, "  └ b ", &col);
	assert_int_equal(child, parent + 1);
	stage_close(&s);
}

/* --- pause --- */

static void dump(const struct stage *s, struct buf *out)
{
	buf_clear(out);
	grid_dump(&s->grid, true, out);
}

static void a_pause_holds_the_picture(void **state)
{
	struct buf before = { 0 }, after = { 0 };
	struct stage s;

	(void)state;
	for (const char *view = "1234"; *view; view++) {
		stage_open(&s, series[0], NULL);
		stage_press(&s, *view);
		stage_to(&s, 4);
		stage_press(&s, ' ');
		assert_true(shows(&s, "PAUSED"));
		dump(&s, &before);
		for (int i = 0; i < 5; i++) {
			/* The frames that the picture came from are long gone. */
			reel_next(s.reel, &s.frame);
			assert_int_equal(tui_frame(s.tui, &s.frame), TUI_NOTHING);
		}
		stage_draw(&s);
		dump(&s, &after);
		assert_string_equal(before.data, after.data);
		stage_press(&s, ' ');
		assert_false(shows(&s, "PAUSED"));
		dump(&s, &after);
		assert_string_not_equal(before.data, after.data);
		stage_close(&s);
	}
	buf_fini(&before);
	buf_fini(&after);
}

/* --- what goes back --- */

static void what_is_looked_at_is_told(void **state)
{
	static struct interest in;
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 2);
	tui_interest(s.tui, &in);
	assert_int_equal(in.nmemcgs, 0);
	assert_false(in.processes || in.pagetypes || in.tiers);
	assert_int_equal(stage_press(&s, '3') & TUI_INTEREST, TUI_INTEREST);
	tui_interest(s.tui, &in);
	assert_int_equal(in.nmemcgs, 4);
	stage_press(&s, '5');
	tui_interest(s.tui, &in);
	assert_true(in.processes);
	stage_keys(&s, "4p");
	tui_interest(s.tui, &in);
	assert_true(in.pagetypes);
	stage_keys(&s, "2d<End>");
	tui_interest(s.tui, &in);
	assert_true(in.tiers && !in.pagetypes);
	assert_int_equal(in.nmemcgs, 1);
	assert_string_equal(in.memcgs[0], "/batch");
	stage_close(&s);
}

static void the_pace_goes_by_steps(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 2);
	assert_int_equal(tui_interval_us(s.tui), 0);
	s.frame.interval_us = 1000000;
	tui_frame(s.tui, &s.frame);
	assert_int_equal(stage_press(&s, '-') & TUI_PACE, TUI_PACE);
	assert_int_equal(tui_interval_us(s.tui), 500000);
	stage_keys(&s, "-----");
	assert_int_equal(tui_interval_us(s.tui), 100000);
	stage_keys(&s, "+++++++++++++");
	assert_int_equal(tui_interval_us(s.tui), 60000000);
	stage_close(&s);
}

static void enter_opens_the_generations_of_a_memcg(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, series[0], NULL);
	stage_to(&s, 4);
	stage_keys(&s, "3<Down><Enter>");
	assert_true(shows(&s, "[2 Generations]"));
	assert_true(shows(&s, "/db  node 0"));
	stage_press(&s, 'a');
	assert_true(shows(&s, "4 lruvecs summed"));
	stage_close(&s);
}

/* --- anything at all --- */

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 12;
}

static int random_key(uint32_t *seed)
{
	uint32_t r = next(seed) % 10;

	if (r < 4)
		return KEYCODE_SPECIAL + (int)(next(seed) % 30);
	return r < 9 ? (int)(next(seed) % 128) : (int)(next(seed) % 0x3000);
}

static void any_keys_over_any_frames(void **state)
{
	uint32_t seed = 20261130;

	(void)state;
	for (size_t i = 0; i < SERIES; i++) {
		struct stage s;

		stage_open(&s, series[i], NULL);
		for (int n = 0; n < 20000 / (int)SERIES + 1; n++) {
			unsigned int handled = tui_key(s.tui, random_key(&seed));

			assert_int_equal(handled & ~63u, 0);
			if (n % 40 == 0)
				stage_size(&s, 1 + (int)(next(&seed) % 60), 1 + (int)(next(&seed) % 200));
			if (n % 97 == 0)
				stage_next(&s);
			if (n % 8 == 0)
				stage_draw(&s);
		}
		stage_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_size_in_every_view),
		cmocka_unit_test(help_and_explanations_at_any_size),
		cmocka_unit_test(too_small_says_so_and_goes_on),
		cmocka_unit_test(keys_do_no_harm_without_rows),
		cmocka_unit_test(nothing_is_waited_for),
		cmocka_unit_test(the_end_is_said),
		cmocka_unit_test(unknown_is_never_zero),
		cmocka_unit_test(losses_are_counted),
		cmocka_unit_test(why_there_are_no_generations),
		cmocka_unit_test(every_number_is_explained),
		cmocka_unit_test(an_interval_is_said),
		cmocka_unit_test(a_filter_is_typed),
		cmocka_unit_test(options_are_followed),
		cmocka_unit_test(a_tree_keeps_children_below_their_parents),
		cmocka_unit_test(a_pause_holds_the_picture),
		cmocka_unit_test(what_is_looked_at_is_told),
		cmocka_unit_test(the_pace_goes_by_steps),
		cmocka_unit_test(enter_opens_the_generations_of_a_memcg),
		cmocka_unit_test(any_keys_over_any_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

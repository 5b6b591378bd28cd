/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/names.h"
#include "support_grid.h"
#include "ui/tui/grid.h"

static int setup(void **state)
{
	static struct grid g;

	g = (struct grid){ 0 };
	grid_resize(&g, 4, 10);
	*state = &g;
	return 0;
}

static int teardown(void **state)
{
	grid_fini(*state);
	return 0;
}

/* The text of the grid, rows parted by newlines, blanks at their ends cut. */
static void shows(const struct grid *g, const char *text)
{
	struct buf out = { 0 };

	grid_dump(g, false, &out);
	assert_string_equal(out.data, text);
	buf_fini(&out);
	is_whole(g);
}

static void text_is_clipped_on_all_sides(void **state)
{
	struct grid *g = *state;
	struct rect pane = { 1, 2, 2, 5 };

	assert_int_equal(grid_text(g, pane, 0, 0, STYLE_PLAIN, "abcdefgh"), 8);
	assert_int_equal(grid_text(g, pane, 1, -2, STYLE_PLAIN, "abcdefgh"), 6);
	grid_text(g, pane, 2, 0, STYLE_PLAIN, "below");
	grid_text(g, pane, -1, 0, STYLE_PLAIN, "above");
	grid_text(g, pane, 0, 5, STYLE_PLAIN, "right");
	grid_text(g, pane, 0, -5, STYLE_PLAIN, "left");
	shows(g, "\n  abcde\n  cdefg\n\n");
}

static void panes_outside_take_nothing(void **state)
{
	struct grid *g = *state;
	const struct rect panes[] = {
		{ -3, 0, 2, 10 }, { 4, 0, 3, 10 }, { 0, 10, 4, 5 }, { 0, -4, 4, 3 }, { 0, 0, -1, 5 }, { 0, 0, 2, 0 },
	};

	for (size_t i = 0; i < sizeof(panes) / sizeof(panes[0]); i++) {
		grid_text(g, panes[i], 0, 0, STYLE_PLAIN, "text");
		grid_fill(g, panes[i], STYLE_PLAIN, "#");
		grid_restyle(g, panes[i], STYLE_BOLD);
	}
	shows(g, "\n\n\n\n");
}

static void wide_characters_are_never_halved(void **state)
{
	struct grid *g = *state;
	struct rect pane = { 0, 1, 4, 5 };

	assert_int_equal(grid_text(g, pane, 0, 0, STYLE_PLAIN, "中文字"), 6);
	assert_int_equal(grid_text(g, pane, 1, -1, STYLE_PLAIN, "中文字"), 5);
	grid_text(g, pane, 2, 0, STYLE_PLAIN, "中文");
	grid_text(g, pane, 2, 1, STYLE_PLAIN, "x");
	grid_text(g, pane, 3, 0, STYLE_PLAIN, "a文b");
	grid_text(g, pane, 3, 0, STYLE_PLAIN, "中");
	shows(g, " 中文\n  文字\n  x文\n 中 b\n");
}

static void marks_go_with_their_character(void **state)
{
	struct grid *g = *state;
	struct rect all = grid_rect(g);

	assert_int_equal(grid_text(g, all, 0, 0, STYLE_PLAIN, "e\u0301x"), 2);
	assert_int_equal(grid_text(g, all, 1, 8, STYLE_PLAIN, "ab\u0301c\u0301"), 11);
	/* More marks than a cell holds are left out. */
	grid_text(g, all, 2, 0, STYLE_PLAIN, "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301b");
	/* A mark before everything has nothing to go with. */
	grid_text(g, all, 3, 0, STYLE_PLAIN, "\u0301z");
	assert_string_equal(g->cells[0].text, "e\u0301");
	assert_string_equal(g->cells[1 * 10 + 9].text, "b\u0301");
	assert_string_equal(g->cells[2 * 10 + 1].text, "b");
	assert_string_equal(g->cells[3 * 10].text, "z");
	is_whole(g);
}

static void controls_never_reach_a_cell(void **state)
{
	struct grid *g = *state;

	grid_text(g, grid_rect(g), 0, 0, STYLE_PLAIN, "a\033[1mb\tc");
	grid_text(g, grid_rect(g), 1, 0, STYLE_PLAIN, "x\xc2\x85y\xffz");
	shows(g, "a?[1mb?c\nx?y?z\n\n\n");
}

static void ascii_keeps_columns(void **state)
{
	struct grid *g = *state;

	g->ascii = true;
	assert_int_equal(grid_text(g, grid_rect(g), 0, 0, STYLE_PLAIN, "█▓▒░│→…é中x"), 11);
	assert_int_equal(grid_text(g, grid_rect(g), 1, 0, STYLE_PLAIN, "e\u0301x"), 2);
	shows(g, "#%+:|>~???\nex\n\n\n");
}

static void styles_are_told_by_letters(void **state)
{
	struct grid *g = *state;
	struct buf out = { 0 };

	grid_resize(g, 2, 4);
	grid_text(g, grid_rect(g), 0, 1, STYLE_BOLD, "ab");
	grid_restyle(g, (struct rect){ 0, 2, 2, 1 }, STYLE_ANON);
	grid_dump(g, true, &out);
	assert_non_null(strstr(out.data, " ab\n\n"));
	assert_non_null(strstr(out.data, "anon\n"));
	assert_non_null(strstr(out.data, "bold\n"));
	assert_null(strstr(out.data, "selected"));
	buf_fini(&out);
}

static void sizes_below_one_become_one(void **state)
{
	struct grid *g = *state;

	grid_resize(g, 0, -5);
	assert_int_equal(g->rows, 1);
	assert_int_equal(g->cols, 1);
	grid_text(g, grid_rect(g), 0, 0, STYLE_PLAIN, "中");
	shows(g, "\n");
	grid_text(g, grid_rect(g), 0, 0, STYLE_PLAIN, "xyz");
	shows(g, "x\n");
}

/* Whatever is written over whatever: no half characters, nothing outside. */
static void random_writes_leave_it_whole(void **state)
{
	static const char *const texts[] = { "abc", "中文", "a\u0301\u0301", "文", "█▓", "\u0301", "x中y文z", "" };
	struct grid *g = *state;
	uint32_t seed = 12345;

	for (int i = 0; i < 20000; i++) {
		struct rect pane;

		seed = seed * 1664525 + 1013904223;
		pane = (struct rect){ (int)(seed >> 28) - 4, (int)(seed >> 24 & 15) - 3, (int)(seed >> 20 & 7) - 1,
				      (int)(seed >> 16 & 15) - 1 };
		seed = seed * 1664525 + 1013904223;
		grid_text(g, pane, (int)(seed >> 29) - 2, (int)(seed >> 24 & 15) - 4, STYLE_PLAIN,
			  texts[seed >> 20 & 7]);
		is_whole(g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(text_is_clipped_on_all_sides, setup, teardown),
		cmocka_unit_test_setup_teardown(panes_outside_take_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(wide_characters_are_never_halved, setup, teardown),
		cmocka_unit_test_setup_teardown(marks_go_with_their_character, setup, teardown),
		cmocka_unit_test_setup_teardown(controls_never_reach_a_cell, setup, teardown),
		cmocka_unit_test_setup_teardown(ascii_keeps_columns, setup, teardown),
		cmocka_unit_test_setup_teardown(styles_are_told_by_letters, setup, teardown),
		cmocka_unit_test_setup_teardown(sizes_below_one_become_one, setup, teardown),
		cmocka_unit_test_setup_teardown(random_writes_leave_it_whole, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

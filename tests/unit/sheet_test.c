/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "ui/tui/keys.h"
#include "ui/tui/sheet.h"

struct fruit {
	uint64_t id;
	const char *name;
	int64_t weight;
};

static void name_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)c;
	pen_left(p, width, STYLE_PLAIN, ((const struct fruit *)row)->name);
}

static const char *name_text(const void *row)
{
	return ((const struct fruit *)row)->name;
}

static void weight_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[32];

	(void)c;
	snprintf(text, sizeof(text), "%d", (int)((const struct fruit *)row)->weight);
	pen_right(p, width, STYLE_PLAIN, text);
}

static int64_t weight_value(const void *row, const struct column *c)
{
	(void)c;
	return ((const struct fruit *)row)->weight;
}

static void bar_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)row;
	(void)c;
	/* Longer than its column: it must not run over the next. */
	for (int i = 0; i < width + 5; i++)
		pen_text(p, STYLE_PLAIN, "=");
}

static uint64_t key(const void *row)
{
	return ((const struct fruit *)row)->id;
}

static const struct column columns[] = {
	{ .name = "name", .title = "name", .width = 8, .grow = 2, .left = true, .cell = name_cell, .text = name_text },
	{ .name = "bar", .title = "bar", .width = 6, .grow = 1, .rank = 2, .cell = bar_cell },
	{ .name = "weight", .title = "weight", .width = 7, .rank = 0, .cell = weight_cell, .value = weight_value },
	{ .name = "again", .title = "againxx", .width = 7, .rank = 3, .cell = weight_cell, .value = weight_value },
};

#define COLUMNS 4

static const struct fruit fruits[] = {
	{ 1, "pear", 30 }, { 2, "apple", SHEET_UNKNOWN }, { 3, "fig", 10 }, { 4, "plum", 30 }, { 5, "lime", 50 },
};

static void fill(struct sheet *s, int n)
{
	sheet_begin(s);
	for (int i = 0; i < n; i++)
		sheet_add(s, &fruits[i % 5]);
}

static int setup(void **state)
{
	static struct sheet s;

	s = (struct sheet){ .columns = columns, .ncolumns = COLUMNS, .key = key };
	*state = &s;
	return 0;
}

static int teardown(void **state)
{
	sheet_fini(*state);
	return 0;
}

/* Ids in their order, as one number: 15 is 1 then 5. */
static int order(const struct sheet *s)
{
	int ids = 0;

	for (int i = 0; i < s->nrows; i++)
		ids = ids * 10 + (int)key(s->rows[i].row);
	return ids;
}

static void what_is_unknown_comes_last(void **state)
{
	struct sheet *s = *state;

	assert_true(sheet_sort_by(s, "weight"));
	fill(s, 5);
	sheet_sort(s);
	/* Equals keep their order. */
	assert_int_equal(order(s), 51432);
	s->reverse = true;
	fill(s, 5);
	sheet_sort(s);
	assert_int_equal(order(s), 31452);
}

static void words_go_from_a_to_z(void **state)
{
	struct sheet *s = *state;

	assert_true(sheet_sort_by(s, "name"));
	fill(s, 5);
	sheet_sort(s);
	assert_int_equal(order(s), 23514);
	s->reverse = true;
	sheet_sort(s);
	assert_int_equal(order(s), 41532);
}

static void only_some_columns_can_be_sorted_by(void **state)
{
	struct sheet *s = *state;

	assert_false(sheet_sort_by(s, "bar"));
	assert_false(sheet_sort_by(s, "none"));
	assert_true(sheet_sort_by(s, "name"));
	sheet_sort_step(s, 1);
	assert_string_equal(columns[s->sort].name, "weight");
	sheet_sort_step(s, 1);
	sheet_sort_step(s, 1);
	assert_string_equal(columns[s->sort].name, "name");
	sheet_sort_step(s, -1);
	assert_string_equal(columns[s->sort].name, "again");
}

/* Sorting must be right for every number of rows, whatever the halves. */
static void any_number_of_rows(void **state)
{
	struct sheet *s = *state;

	sheet_sort_by(s, "weight");
	for (int n = 0; n < 200; n++) {
		fill(s, n);
		sheet_sort(s);
		assert_int_equal(s->nrows, n);
		for (int i = 1; i < n; i++)
			assert_true(s->rows[i - 1].value >= s->rows[i].value);
	}
}

static void the_selection_stays_with_its_row(void **state)
{
	struct sheet *s = *state;

	sheet_sort_by(s, "weight");
	fill(s, 5);
	sheet_sort(s);
	sheet_settle(s, 3);
	assert_int_equal(key(sheet_selected(s)), 5);
	assert_true(sheet_move(s, KEYCODE_DOWN));
	assert_int_equal(key(sheet_selected(s)), 1);
	s->reverse = true;
	fill(s, 5);
	sheet_sort(s);
	sheet_settle(s, 3);
	assert_int_equal(key(sheet_selected(s)), 1);
	/* Gone: what stands in its place is selected. */
	sheet_begin(s);
	sheet_add(s, &fruits[1]);
	sheet_settle(s, 3);
	assert_int_equal(key(sheet_selected(s)), 2);
	sheet_begin(s);
	sheet_settle(s, 3);
	assert_null(sheet_selected(s));
}

/* Until somebody chooses, the first row is selected, whichever comes to be it. */
static void the_first_row_until_one_is_chosen(void **state)
{
	struct sheet *s = *state;

	sheet_sort_by(s, "weight");
	fill(s, 5);
	sheet_sort(s);
	sheet_settle(s, 3);
	s->reverse = true;
	sheet_sort(s);
	sheet_settle(s, 3);
	assert_int_equal(key(sheet_selected(s)), 3);
}

static void scrolling_keeps_the_selection_in_sight(void **state)
{
	static const int keys[] = { KEYCODE_DOWN, KEYCODE_DOWN, KEYCODE_PAGE_DOWN, KEYCODE_END, KEYCODE_UP,
				    KEYCODE_PAGE_UP, KEYCODE_HOME, KEYCODE_PAGE_UP, KEYCODE_UP, 'x' };
	struct sheet *s = *state;

	for (int rows = 0; rows <= 12; rows++) {
		for (int n = 0; n <= 5; n++) {
			for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
				fill(s, n);
				sheet_settle(s, rows);
				sheet_move(s, keys[i]);
				sheet_settle(s, rows);
				assert_true(s->at >= 0 && (n == 0 || s->at < n));
				if (!n || !rows)
					continue;
				assert_true(s->top >= 0 && s->top <= s->at && s->at < s->top + rows);
			}
		}
	}
}

static void widths_always_fit(void **state)
{
	(void)state;
	for (int cols = 0; cols <= 220; cols++) {
		int widths[COLUMNS], sum = -1;

		sheet_widths(columns, COLUMNS, cols, widths);
		for (int i = 0; i < COLUMNS; i++) {
			assert_true(widths[i] >= 0);
			sum += widths[i] ? widths[i] + 1 : 0;
		}
		assert_true(sum <= cols);
		/* What must be there is there, and what can be spared goes in its order. */
		if (cols >= 16)
			assert_true(widths[0] >= 8 && widths[2] >= 7);
		if (widths[3])
			assert_true(widths[1] > 0);
		if (cols >= 31)
			assert_int_equal(sum, cols);
	}
}

/* A name of wide characters, marks and characters of one column: the number behind stands in the same column. */
static void wide_names_shift_nothing(void **state)
{
	static const struct fruit names[] = {
		{ 1, "用户", 11111 },       { 2, "e\u0301e\u0301e\u0301", 22222 }, { 3, "ab", 33333 },
		{ 4, "한국어한국어한국어", 44444 }, { 5, "/very/long/path/名前/x", 55555 },
	};
	struct sheet *s = *state;
	struct grid g = { 0 };

	for (int cols = 20; cols <= 100; cols++) {
		struct draw d = { .g = &g };
		int first = -1;

		grid_resize(&g, 6, cols);
		sheet_begin(s);
		for (int i = 0; i < 5; i++)
			sheet_add(s, &names[i]);
		sheet_draw(s, &d, grid_rect(&g));
		is_whole(&g);
		for (int i = 0; i < 5; i++) {
			char number[16];
			int col = -1;

			snprintf(number, sizeof(number), "%d", (int)names[i].weight);
			assert_int_equal(find_text(&g, number, &col), i + 1);
			first = i ? first : col;
			assert_int_equal(col, first);
		}
	}
	grid_fini(&g);
}

static void cells_stay_in_their_columns(void **state)
{
	struct sheet *s = *state;
	struct grid g = { 0 };
	struct draw d = { .g = &g };
	int widths[COLUMNS], col = 0;

	grid_resize(&g, 3, 40);
	fill(s, 2);
	sheet_draw(s, &d, grid_rect(&g));
	sheet_widths(columns, COLUMNS, 40, widths);
	col = widths[0] + 1 + widths[1];
	/* Behind the bar is the blank between two columns. */
	assert_string_equal(g.cells[40 + col - 1].text, "=");
	assert_string_equal(g.cells[40 + col].text, " ");
	grid_fini(&g);
}

/* Whichever column it is, and however narrow: its title is whole, and the mark stands beside it. */
static void titles_stay_whole(void **state)
{
	struct sheet *s = *state;
	struct grid g = { 0 };
	struct draw d = { .g = &g };

	for (int cols = 16; cols <= 90; cols++) {
		for (int i = 0; i < COLUMNS; i++) {
			int col, mark;

			if (!columns[i].value && !columns[i].text)
				continue;
			s->sort = i;
			s->reverse = cols % 2;
			grid_resize(&g, 3, cols);
			grid_clear(&g);
			fill(s, 2);
			sheet_draw(s, &d, grid_rect(&g));
			is_whole(&g);
			if (!(s->shown >> i & 1))
				continue;
			assert_int_equal(find_text(&g, columns[i].title, &col), 0);
			assert_true(find_text(&g, "▼", &mark) == 0 || find_text(&g, "▲", &mark) == 0);
			assert_true(mark == col + (int)strlen(columns[i].title) || mark == col - 1);
		}
	}
	grid_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_unknown_comes_last, setup, teardown),
		cmocka_unit_test_setup_teardown(words_go_from_a_to_z, setup, teardown),
		cmocka_unit_test_setup_teardown(only_some_columns_can_be_sorted_by, setup, teardown),
		cmocka_unit_test_setup_teardown(any_number_of_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(the_selection_stays_with_its_row, setup, teardown),
		cmocka_unit_test_setup_teardown(the_first_row_until_one_is_chosen, setup, teardown),
		cmocka_unit_test_setup_teardown(scrolling_keeps_the_selection_in_sight, setup, teardown),
		cmocka_unit_test_setup_teardown(widths_always_fit, setup, teardown),
		cmocka_unit_test_setup_teardown(wide_names_shift_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(cells_stay_in_their_columns, setup, teardown),
		cmocka_unit_test_setup_teardown(titles_stay_whole, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clicks: on tabs, keys, rows, titles, numbers, and on nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_pty.h"
#include "support_script.h"
#include "ui/tui/view.h"

/* Where a text stands; fails where it does not. */
static void find(const struct stage *s, const char *text, int *row, int *col)
{
	for (*row = 0; *row < s->grid.rows; ++*row)
		for (*col = 0; *col < s->grid.cols; ++*col) {
			size_t at = 0;
			int c = *col;

			while (text[at] && c < s->grid.cols) {
				const char *cell = s->grid.cells[*row * s->grid.cols + c++].text;

				if (strncmp(cell, text + at, strlen(cell)) || !cell[0])
					break;
				at += strlen(cell);
			}
			if (!text[at])
				return;
		}
	fail_msg("not on screen: %s", text);
}

static unsigned int click(struct stage *s, const char *text, int more)
{
	unsigned int handled;
	int row, col;

	find(s, text, &row, &col);
	handled = tui_click(s->tui, row, col + more);
	stage_draw(s);
	return handled;
}

static void begin(struct stage *s, enum tui_view view)
{
	const struct tui_options options = { .view = view };

	stage_open(s, "tests/roots/7.2-pressure", &options);
	stage_size(s, 40, 120);
	stage_to(s, 8);
}

static void tabs_and_keys_are_pressed(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, VIEW_OVERVIEW);
	assert_true(click(&s, "3 Memcgs", 4) & TUI_REDRAW);
	assert_int_equal(s.tui->view, VIEW_MEMCGS);
	click(&s, "h Help", 2);
	assert_int_equal(s.tui->mode, MODE_HELP);
	click(&s, "1 Overview", 0);
	assert_int_equal(s.tui->view, VIEW_OVERVIEW);
	assert_int_equal(click(&s, "q Quit", 0), TUI_QUIT);
	stage_close(&s);
}

static void rows_are_selected_and_titles_sorted_by(void **state)
{
	struct stage s;
	const struct sheet *sheet;
	int sort;

	(void)state;
	begin(&s, VIEW_MEMCGS);
	sheet = views[VIEW_MEMCGS]->sheet(s.tui);
	sort = sheet->sort;
	click(&s, "/batch", 1);
	assert_int_equal(s.tui->mode, MODE_VIEW);
	assert_true(sheet->chosen);
	click(&s, "/web", 1);
	find(&s, "/web", &(int){ 0 }, &(int){ 0 });
	click(&s, "memcg ", 0);
	assert_string_equal(sheet->columns[sheet->sort].name, "memcg");
	assert_int_not_equal(sheet->sort, sort);
	assert_false(sheet->reverse);
	click(&s, "memcg▲", 0);
	assert_true(sheet->reverse);
	stage_close(&s);
}

/* A number that is clicked explains itself; the next one, too, while that goes on. */
static void numbers_are_explained(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, VIEW_OVERVIEW);
	for (int i = 0; i < s.tui->spots.n; i++) {
		struct spot spot = s.tui->spots.at[i];

		tui_click(s.tui, spot.where.row, spot.where.col + spot.where.cols - 1);
		assert_int_equal(s.tui->mode, MODE_EXPLAIN);
		assert_string_equal(s.tui->spots.at[s.tui->spot].metric, spot.metric);
		stage_draw(&s);
		stage_press(&s, KEYCODE_ESC);
	}
	stage_close(&s);
}

/* Any click at any size in any view does no harm. */
static void anywhere(void **state)
{
	static const int sizes[][2] = { { 40, 120 }, { 24, 80 }, { 9, 41 }, { 3, 10 } };

	(void)state;
	for (int view = 0; view < VIEW_NR; view++) {
		struct stage s;

		begin(&s, (enum tui_view)view);
		for (int i = 0; i < 4; i++) {
			stage_size(&s, sizes[i][0], sizes[i][1]);
			for (int row = -1; row <= sizes[i][0]; row += 2)
				for (int col = -1; col <= sizes[i][1]; col += 7) {
					tui_click(s.tui, row, col);
					stage_draw(&s);
				}
		}
		stage_close(&s);
	}
}

/* From the terminal's own report to the view; and reports end with the program. https://github.com/htop-dev/htop/issues/973 */
static void a_terminal_reports_clicks(void **state)
{
	struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-256color", .options = { .mouse = true } };
	struct far f;
	const char *on, *off;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "Pressure", 5000));
	assert_true(far_sees(&f, "Pagesets", 5000));
	/* Column 32 of the second line: the tab of the Memcgs. */
	far_press(&f, "\033[<0;32;2M\033[<0;32;2m");
	assert_true(far_sees(&f, "[3 Memcgs", 5000));
	far_press(&f, "q");
	far_ended_well(&f);
	on = strstr(f.seen.data, "1000h");
	assert_non_null(on);
	off = strstr(on, "1000l");
	assert_non_null(off);
	far_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tabs_and_keys_are_pressed),
		cmocka_unit_test(rows_are_selected_and_titles_sorted_by),
		cmocka_unit_test(numbers_are_explained),
		cmocka_unit_test(anywhere),
		cmocka_unit_test(a_terminal_reports_clicks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Time view by mouse: columns, names, numbers, titles, the wheel. What there is no room for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "support_shown.h"
#include "ui/tui/keys.h"
#include "ui/tui/time_view.h"

#define ROWS   40
#define COLS   120
#define LABELS 18 /* columns of names at this width */

static void begin(struct shown *s, int rows, int cols)
{
	shown_open(s, "tests/roots/7.2-pressure", true, false);
	shown_sample(s, 8);
	grid_resize(&s->g, rows, cols);
	shown_draw(s);
}

static int row_of(const struct shown *s, const char *text)
{
	int col, row = find_text(&s->g, text, &col);

	assert_true(row >= 0);
	return row;
}

/* With 15 samples all have a column of their own. */
static void a_column_is_gone_to(void **state)
{
	struct shown s;
	struct timing *v;

	(void)state;
	begin(&s, ROWS, COLS);
	v = time_of(s.tui);
	assert_int_equal(v->span.cells, 15);
	for (int c = 0; c < 15; c++) {
		int col = LABELS + c * v->span.width + c % v->span.width;
		unsigned int handled = tui_click(s.tui, row_of(&s, "/db"), col);

		assert_int_equal((handled & TUI_WISH) != 0, c != 8);
		if (c == 14)
			assert_int_equal(tui_wish(s.tui)->kind, WISH_LAST);
		else if (c != 8)
			assert_int_equal(tui_wish(s.tui)->by, c - 8);
		shown_draw(&s);
		assert_int_equal(v->map, MAP_MEMCG);
		assert_string_equal(v->rows[v->row].path, "/db");
	}
	/* Times and events, too; beside them nothing. */
	assert_true(tui_click(s.tui, row_of(&s, " events"), LABELS) & TUI_WISH);
	assert_int_equal(tui_wish(s.tui)->by, -8);
	assert_true(tui_click(s.tui, row_of(&s, " events") - 1, LABELS + 1) & TUI_WISH);
	assert_int_equal(tui_click(s.tui, row_of(&s, " events"), 3), TUI_NOTHING);
	shown_close(&s);
}

static void names_numbers_and_titles(void **state)
{
	struct shown s;
	struct timing *v;
	int row;

	(void)state;
	begin(&s, ROWS, COLS);
	v = time_of(s.tui);
	row = row_of(&s, " cpu 1");
	assert_int_equal(tui_click(s.tui, row, 2), TUI_REDRAW);
	assert_true(v->map == MAP_CPU && v->row == 1);
	tui_click(s.tui, row, COLS - 1);
	assert_int_equal(s.tui->mode, MODE_EXPLAIN);
	assert_string_equal(s.tui->spots.at[s.tui->spot].metric, "fill");
	assert_non_null(strstr(s.tui->spots.at[s.tui->spot].of, "cpu 1"));
	shown_press(&s, "<Esc>");
	tui_click(s.tui, row_of(&s, "refaulted a second"), 5);
	shown_draw(&s);
	assert_true(v->open && v->map == MAP_MEMCG_2);
	assert_int_equal(find_text(&s.g, "cpu 1", &(int){ 0 }), -1);
	tui_click(s.tui, row_of(&s, "refaulted a second"), 5);
	shown_draw(&s);
	assert_false(v->open);
	row_of(&s, "cpu 1");
	shown_close(&s);
}

/* The sample under the pointer stays under it. */
static void the_wheel_looks_closer_there(void **state)
{
	(void)state;
	for (int col = 0; col < 90; col += 7) {
		struct shown s;
		struct timing *v;

		begin(&s, ROWS, COLS);
		v = time_of(s.tui);
		for (int i = 0; i < 3; i++) {
			uint64_t was = v->span.from + (uint64_t)(col / v->span.width), from;

			if (col >= v->span.cells * v->span.width)
				break;
			if (!(tui_wheel(s.tui, 10, LABELS + col, -1) & TUI_INTEREST))
				break;
			shown_draw(&s);
			from = v->span.from + (uint64_t)(col / v->span.width);
			assert_int_equal(from, was);
		}
		assert_true(v->zoom > 0);
		for (int i = 0; i < 5; i++) {
			tui_wheel(s.tui, 10, LABELS + col, 1);
			shown_draw(&s);
		}
		assert_int_equal(v->zoom, 0);
		assert_int_equal(v->span.from, 0);
		shown_close(&s);
	}
}

/* Over the events it moves the picture alone; the next key that goes brings back what is shown. */
static void the_wheel_moves_to_the_side(void **state)
{
	struct shown s;
	struct timing *v;

	(void)state;
	begin(&s, ROWS, COLS);
	v = time_of(s.tui);
	shown_press(&s, "++");
	for (int i = 0; i < 20; i++) {
		assert_int_equal(tui_wheel(s.tui, row_of(&s, " events"), 60, 1) & TUI_WISH, 0);
		shown_draw(&s);
	}
	assert_int_equal(v->span.from + (uint64_t)v->span.cells, 15);
	assert_true(v->loose || v->span.from <= 8);
	for (int i = 0; i < 20; i++) {
		tui_wheel(s.tui, row_of(&s, " events"), 60, -1);
		shown_draw(&s);
	}
	assert_int_equal(v->span.from, 0);
	assert_true(v->loose);
	assert_int_equal(find_text(&s.g, "at ▼", &(int){ 0 }), -1);
	assert_true(tui_key(s.tui, KEYCODE_RIGHT) & TUI_WISH);
	shown_draw(&s);
	assert_true(v->span.from <= 8 && v->span.from + (uint64_t)v->span.cells > 8);
	row_of(&s, "at ▼");
	shown_close(&s);
}

static void the_wheel_over_names_is_an_arrow(void **state)
{
	struct shown s;
	struct timing *v;
	int row;

	(void)state;
	begin(&s, ROWS, COLS);
	v = time_of(s.tui);
	row = v->row;
	tui_wheel(s.tui, 5, 3, -1);
	assert_int_equal(v->row, row - 1);
	tui_wheel(s.tui, 5, 3, 1);
	tui_wheel(s.tui, 5, 3, 1);
	assert_int_equal(v->map, MAP_MEMCG);
	shown_close(&s);
}

/* Each memcg has a row, or is counted; opened and scrolled, each has its row some time. */
static void none_is_left_out_in_silence(void **state)
{
	(void)state;
	for (int rows = 12; rows <= 40; rows += 4) {
		struct shown s;
		const char *seen[TIME_ROWS];
		uint32_t n = 0;
		struct timing *v;
		int all;

		shown_open(&s, "tests/roots/7.2-oddnames", true, false);
		shown_sample(&s, 1);
		grid_resize(&s.g, rows, 80);
		shown_draw(&s);
		v = time_of(s.tui);
		/* The machine stands for the root. */
		all = 1 + (s.heat->others != NULL);
		for (uint32_t i = 0; i < s.heat->nmemcgs; i++)
			all += strcmp(s.heat->memcgs[i]->path, "/") != 0;
		if (v->last[MAP_MEMCG])
			assert_int_equal(v->last[MAP_MEMCG] + v->more[MAP_MEMCG] + v->none[MAP_MEMCG], all);
		v->map = MAP_MEMCG;
		shown_press(&s, "<Enter>^");
		for (int i = 0; i < 60; i++) {
			for (int k = 0; k < v->nrows; k++) {
				uint32_t at = 0;

				while (at < n && seen[at] != time_row_label(&v->rows[k]))
					at++;
				if (at == n)
					seen[n++] = time_row_label(&v->rows[k]);
			}
			shown_press(&s, "<Down>");
		}
		assert_int_equal(n, all);
		shown_press(&s, "^");
		assert_true(v->row == 0 && v->top == 0);
		shown_press(&s, "$");
		assert_int_equal(v->row, v->last[MAP_MEMCG] - 1);
		shown_close(&s);
	}
}

/* Explaining begins with the selected row; Left and Right go on in time. */
static void the_selected_row_is_explained(void **state)
{
	struct shown s;

	(void)state;
	begin(&s, ROWS, COLS);
	tui_click(s.tui, row_of(&s, "/db"), 3);
	shown_press(&s, "e");
	assert_string_equal(s.tui->spots.at[s.tui->spot].metric, "evicted");
	assert_ptr_equal(strstr(s.tui->spots.at[s.tui->spot].of, "/db evicted: 105M/s; most "),
			 s.tui->spots.at[s.tui->spot].of);
	/* A series has no time of day: then it is the time since boot. */
	assert_non_null(strstr(s.tui->spots.at[s.tui->spot].of, "/s at up "));
	assert_non_null(strstr(s.tui->spots.at[s.tui->spot].known, "the memcg's own counter"));
	assert_true(tui_key(s.tui, KEYCODE_LEFT) & TUI_WISH);
	shown_press(&s, "<Down>");
	assert_non_null(strstr(s.tui->spots.at[s.tui->spot].of, "/web evicted"));
	shown_close(&s);
}

static const char *cell(const struct shown *s, int row, int c)
{
	const struct timing *v = time_of(s->tui);

	return s->g.cells[row * s->g.cols + LABELS + c * v->span.width].text;
}

/* Two kinds in a column stand one over the other; of more, how many more. */
static void events_are_stacked(void **state)
{
	struct shown s;
	int row;

	(void)state;
	begin(&s, ROWS, COLS);
	s.heat->columns[2].moments = 1u << MOMENT_STALLS;
	s.heat->columns[4].moments = 1u << MOMENT_OOM | 1u << MOMENT_STALLS;
	s.heat->columns[5].moments = 1u << MOMENT_OOM | 1u << MOMENT_STALLS | 1u << MOMENT_BIRTH;
	s.heat->columns[8].moments = 1u << MOMENT_OOM | 1u << MOMENT_GAP;
	shown_draw(&s);
	row = row_of(&s, " events");
	assert_string_equal(cell(&s, row, 2), "d");
	assert_string_equal(cell(&s, row - 1, 2), " ");
	assert_string_equal(cell(&s, row, 4), "!");
	assert_string_equal(cell(&s, row - 1, 4), "d");
	assert_string_equal(cell(&s, row, 5), "!");
	assert_string_equal(cell(&s, row - 1, 5), "2");
	/* All of those at the cursor are named. */
	row_of(&s, "! an OOM kill  │ a gap");
	shown_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_column_is_gone_to),
		cmocka_unit_test(names_numbers_and_titles),
		cmocka_unit_test(the_wheel_looks_closer_there),
		cmocka_unit_test(the_wheel_moves_to_the_side),
		cmocka_unit_test(the_wheel_over_names_is_an_arrow),
		cmocka_unit_test(none_is_left_out_in_silence),
		cmocka_unit_test(the_selected_row_is_explained),
		cmocka_unit_test(events_are_stacked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

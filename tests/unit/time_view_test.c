/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Time view: which part of the time is on screen, what its keys wish, and its screens over captured series as they
 * were when somebody last looked at them and found them right.
 */
#include "ui/tui/time_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "support_golden.h"
#include "support_grid.h"
#include "support_sample.h"
#include "support_shown.h"

/* --- which part of the time --- */

static void check_span(const struct time_want *w, int cols, const struct time_span *s)
{
	uint64_t end = s->from + s->each * (uint64_t)s->cells;

	assert_true(s->each >= 1 && s->width >= 1);
	assert_true(s->cells * s->width <= cols);
	assert_int_equal(s->from % s->each, 0);
	if (w->end == w->first) {
		assert_int_equal(s->cells, 0);
		return;
	}
	assert_true(s->cells >= 1);
	assert_true(w->loose || (w->at >= s->from && w->at < end));
	/* Nothing is shown before the first or behind the last. */
	assert_true(s->from + s->each > w->first);
	assert_true(end - s->each < w->end);
	/* Columns are as they are kept, or narrower in a way that can be read anew. */
	if (s->each % w->span)
		assert_true(s->each < w->span && !(s->each & (s->each - 1)));
}

static void any_part_has_its_place(void **state)
{
	struct rng r = { 11 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct time_want w = { .first = rng_below(&r, 100000),
				       .span = 1u << rng_below(&r, 10) };
		int cols = 1 + (int)rng_below(&r, 300), most;
		struct time_span s;

		w.end = w.first + rng_below(&r, rng_one_in(&r, 2) ? 50 : 100000);
		w.at = w.end > w.first ? w.first + rng_below(&r, (uint32_t)(w.end - w.first))
				       : w.first;
		w.from = rng_below(&r, 200000);
		w.zoom = (int)rng_below(&r, 20);
		w.loose = rng_one_in(&r, 2);
		time_span_make(&w, cols, &s);
		check_span(&w, cols, &s);
		/* All of it, when it is looked at from farthest away. */
		w.zoom = 0;
		time_span_make(&w, cols, &s);
		check_span(&w, cols, &s);
		assert_true(w.end == w.first ||
			    (s.from <= w.first && s.from + s.each * (uint64_t)s.cells >= w.end));
		most = time_zoom_most(&w, cols);
		assert_in_range(most, 0, 40);
		w.zoom = most;
		time_span_make(&w, cols, &s);
		assert_int_equal(s.each, 1);
	}
}

/* Where one is stays on screen as long as it can; else the picture moves so that it is in the middle. */
static void the_picture_moves_only_when_it_must(void **state)
{
	struct time_want w = {
		.first = 0, .end = 1000, .at = 500, .from = 480, .span = 1, .zoom = 4
	};
	struct time_span s;

	(void)state;
	time_span_make(&w, 100, &s);
	assert_int_equal(s.each, 1);
	assert_int_equal(s.from, 480);
	w.at = 480 + (uint64_t)s.cells;
	time_span_make(&w, 100, &s);
	assert_int_equal(s.from, w.at - (uint64_t)s.cells / 2);
	/* Moved away by somebody, it stays there. */
	w.loose = true;
	time_span_make(&w, 100, &s);
	assert_int_equal(s.from, 480);
}

/* --- what keys wish --- */

static void keys_go_about(void **state)
{
	struct shown s;

	(void)state;
	shown_open(&s, "tests/roots/7.2-pressure", true, false);
	shown_sample(&s, 8);
	grid_resize(&s.g, 40, 120);
	shown_draw(&s);
	assert_int_equal(tui_key(s.tui, KEYCODE_LEFT) & TUI_WISH, TUI_WISH);
	assert_int_equal(tui_wish(s.tui)->kind, WISH_STEP);
	assert_int_equal(tui_wish(s.tui)->by, -1);
	tui_key(s.tui, KEYCODE_PAGE_DOWN);
	assert_int_equal(tui_wish(s.tui)->by, 7);
	tui_key(s.tui, KEYCODE_HOME);
	assert_int_equal(tui_wish(s.tui)->kind, WISH_FIRST);
	tui_key(s.tui, KEYCODE_END);
	assert_int_equal(tui_wish(s.tui)->kind, WISH_LAST);
	/* Zooming is no wish, and ends at both ends. */
	for (int i = 0; i < 40; i++)
		assert_int_equal(tui_key(s.tui, '+') & TUI_WISH, 0);
	assert_int_equal(tui_key(s.tui, '+'), TUI_NOTHING);
	assert_true(tui_key(s.tui, '0') & TUI_REDRAW);
	assert_int_equal(tui_key(s.tui, '-'), TUI_NOTHING);
	shown_close(&s);
}

static bool shows(const struct shown *s, const char *text)
{
	int col;

	return find_text(&s->g, text, &col) >= 0;
}

/* A feed that cannot go in time: the last steps, and words that say why there is no more. */
static void without_a_history(void **state)
{
	struct shown s;

	(void)state;
	shown_open(&s, "tests/roots/7.2-pressure", false, false);
	shown_sample(&s, 8);
	grid_resize(&s.g, 24, 80);
	shown_draw(&s);
	assert_true(shows(&s, "evicted"));
	assert_true(shows(&s, "without a history"));
	assert_int_equal(tui_key(s.tui, KEYCODE_LEFT) & TUI_WISH, 0);
	shown_close(&s);
}

/*
 * The right edge says what the kernel's file said. By awk over 08/sys/kernel/debug/lru_gen, pages of both types by age:
 * 852 from 5 to 7 s, 16707 up to 10 s, 89586 up to 15 s, 818 up to 20 s.
 */
static void numbers_are_those_of_the_sample(void **state)
{
	static const struct {
		const char *age, *pages;
	} rows[] = {
		{ " 5s ", " 852" }, { " 7s ", "16.7k" }, { "10s ", "89.6k" }, { "15s ", " 818" }
	};
	struct shown s;

	(void)state;
	shown_open(&s, "tests/roots/7.2-pressure", true, false);
	shown_sample(&s, 8);
	grid_resize(&s.g, 40, 120);
	shown_press(&s, "u");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int col, row = find_text(&s.g, rows[i].age, &col), at;

		assert_true(row >= 0 && col < 18);
		at = find_text(&s.g, rows[i].pages, &col);
		assert_int_equal(at, row);
		assert_true(col >= 112);
	}
	shown_close(&s);
}

/* Any size, any keys: all cells whole, nothing outside. */
static void any_size_is_safe(void **state)
{
	static const int sizes[][2] = { { 1, 1 },   { 8, 40 },  { 9, 41 },   { 12, 60 },
					{ 20, 60 }, { 24, 80 }, { 60, 200 }, { 100, 300 },
					{ 3, 300 }, { 60, 10 } };
	struct shown s;

	(void)state;
	for (int history = 0; history < 2; history++) {
		shown_open(&s, "tests/roots/7.2-oddnames", history, false);
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			grid_resize(&s.g, sizes[i][0], sizes[i][1]);
			shown_sample(&s, (uint32_t)i % s.series->n);
			shown_draw(&s);
			shown_press(&s, "<Down><Down><Down><Up>+++<Enter><Down>cy-<Enter>cye<Down>e0");
		}
		shown_close(&s);
	}
}

/* Closer than it is kept: until that is read, what is kept; then exactly that. */
static void a_closer_look_is_asked_for(void **state)
{
	static struct interest in;
	struct shown s;

	(void)state;
	shown_open(&s, "tests/roots/7.2-pressure", true, false);
	heat_free(s.heat);
	s.heat = heat_new(4);
	for (uint32_t i = 0; i < s.series->n; i++) {
		step_make(i ? &s.series->samples[i - 1] : NULL, &s.series->samples[i], &s.step);
		heat_add(s.heat, i, &s.step, 0);
	}
	s.f.when.heat = s.heat;
	shown_sample(&s, 8);
	grid_resize(&s.g, 24, 80);
	shown_draw(&s);
	/* With so few samples the whole is wide enough for each of them. */
	tui_interest(s.tui, &in);
	assert_int_equal(in.look_each, 1);
	assert_int_equal(in.look_from, 0);
	assert_int_equal(in.look_to, s.series->n);
	shown_close(&s);
}

/* --- as they were --- */

static const struct {
	const char *name, *series;
	uint32_t sample;
	const char *keys;
	bool ascii, history, whole;     /* whole: styles at each size, else at one */
} shots[] = {
	{ "time-7.2", "7.2-pressure", 8, "", false, true, true },
	{ "time-zoomed", "7.2-pressure", 8, "++<Down>", false, true, false },
	{ "time-refaulted", "7.2-pressure", 14, "c<Enter>", false, true, false },
	{ "time-numa", "7.2-numa2", 10, "<Down><Down>cc", false, true, false },
	{ "time-odd", "7.2-oddnames", 1, "", false, true, false },
	{ "time-6.1", "6.1-pressure", 8, "y", false, true, false },
	{ "time-off", "7.2-disabled", 1, "", false, true, false },
	{ "time-ascii", "7.2-pressure", 8, "", true, true, true },
	{ "time-window", "7.2-pressure", 8, "", false, false, false },
};

static void take(size_t shot, struct buf *out)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 40, 120 }, { 24, 80 }, { 20, 60 } };
	char dir[128];

	snprintf(dir, sizeof(dir), "tests/roots/%s", shots[shot].series);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct shown s;

		shown_open(&s, dir, shots[shot].history, shots[shot].ascii);
		grid_resize(&s.g, sizes[i].rows, sizes[i].cols);
		shown_sample(&s, shots[shot].sample);
		shown_draw(&s);
		shown_press(&s, shots[shot].keys);
		buf_printf(out, "---- %s %s sample %u, keys %s, %dx%d\n", shots[shot].name,
			   shots[shot].series, shots[shot].sample, shots[shot].keys, sizes[i].cols,
			   sizes[i].rows);
		grid_dump(&s.g, shots[shot].whole || (i == 1 && !shots[shot].ascii), out);
		shown_close(&s);
	}
}

static void screens_are_as_they_were(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf is = { 0 };

		take(i, &is);
		if (shots[i].ascii)
			for (size_t k = 0; k < is.len; k++)
				assert_in_range((unsigned char)is.data[k], 1, 126);
		wrong += !golden_is(shots[i].name, &is);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_part_has_its_place),
		cmocka_unit_test(the_picture_moves_only_when_it_must),
		cmocka_unit_test(keys_go_about),
		cmocka_unit_test(without_a_history),
		cmocka_unit_test(numbers_are_those_of_the_sample),
		cmocka_unit_test(any_size_is_safe),
		cmocka_unit_test(a_closer_look_is_asked_for),
		cmocka_unit_test(screens_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

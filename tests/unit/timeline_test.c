/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time line at any size: nothing outside, everything in order, nothing that happened left out.
 */
#include "ui/tui/timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "support_sample.h"
#include "ui/tui/view.h"

static void columns_never_fall(void **state)
{
	(void)state;
	for (int cols = 1; cols <= 500; cols++) {
		int last = 0;

		for (unsigned int k = 0; k < BUCKET_NR; k++) {
			int col = timeline_column(k, cols);

			assert_in_range(col, last, cols - 1);
			/* With fewer columns than parts none stays empty. */
			if (cols <= BUCKET_NR)
				assert_true(col <= last + 1);
			last = col;
		}
		assert_int_equal(timeline_column(0, cols), 0);
		if (cols <= BUCKET_NR)
			assert_int_equal(last, cols - 1);
	}
}

static void places_never_fall(void **state)
{
	static const uint64_t counts[] = { 1,    2,     7,
					   239,  240,   241,
					   1000, 86400, UINT64_C(10000000000) };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (int cols = 1; cols < 300; cols += 7) {
			uint64_t step = counts[i] / 1000 + 1;
			int last = 0;

			for (uint64_t at = 0; at < counts[i]; at += step) {
				int col = timeline_place(at, counts[i], cols);

				assert_in_range(col, last, cols - 1);
				last = col;
			}
		}
	assert_int_equal(timeline_place(0, 0, 10), 0);
}

static void layouts_are_inside(void **state)
{
	(void)state;
	for (int rows = 0; rows <= 6; rows++)
		for (int cols = 0; cols <= 300; cols++) {
			struct timeline_layout l;
			int captions = cols % 4;

			timeline_layout((struct rect){ 3, 5, rows, cols }, captions, &l);
			assert_true(l.amounts < rows && l.text < rows && l.moments < rows);
			assert_true(rows == 0 || l.amounts >= 0);
			/* Words, events and amounts, where there are all three, in this order. */
			assert_true(l.text < 0 || l.text < l.amounts);
			assert_true(l.caption + l.captions <= l.text || l.text < 0);
			assert_true(l.captions <= captions && (l.caption < 0) == !l.captions);
			assert_true(rows < 4 + captions || (l.captions == captions && l.moments > 0));
			assert_true(l.moments < 0 || (l.text < l.moments && l.moments < l.amounts));
			assert_true(l.from >= 0 && l.cols >= 0 &&
				    l.from + l.cols + l.label <= cols);
			if (cols >= 40 && rows)
				assert_true(l.cols >= 40);
		}
}

/* --- what is drawn --- */

struct drawn {
	struct tui *t;
	struct grid g;
	struct bucket line[BUCKET_NR];
	struct moment near[MOMENTS_NEAR];
	struct sample sample;
	struct rect area;
};

static void open_one(struct drawn *d, uint64_t index, uint64_t count)
{
	const struct tui_options options = { .view = VIEW_OVERVIEW };
	struct when *w;

	*d = (struct drawn){ .t = tui_new(&options) };
	d->sample.arena = arena_new();
	sample_reset(&d->sample);
	for (int k = 0; k < BUCKET_NR; k++)
		d->line[k] = (struct bucket){ UNKNOWN, 0 };
	d->t->has_frame = true;
	d->t->frame.now = &d->sample;
	w = &d->t->frame.when;
	*w = (struct when){ .can = true,
			    .past = true,
			    .replay = true,
			    .index = index,
			    .count = count,
			    .line = d->line,
			    .near = d->near,
			    .said = "",
			    .seen_permille = 1000,
			    .speed = 10 };
}

static void draw_one(struct drawn *d, int rows, int cols, bool ascii)
{
	struct rect body = { 2, 0, rows - 3, cols };
	struct draw draw = { .g = &d->g, .f = &d->t->frame, .page_size = 4096 };

	grid_resize(&d->g, rows, cols);
	d->g.ascii = ascii;
	d->area = timeline_take(d->t, &body);
	assert_int_equal(body.row + body.rows, d->area.row);
	timeline_draw(d->t, &draw, d->area);
	is_whole(&d->g);
	for (int row = 0; row < d->g.rows; row++)
		for (int col = 0; col < d->g.cols; col++)
			if (row < d->area.row || row >= d->area.row + d->area.rows)
				assert_string_equal(d->g.cells[row * d->g.cols + col].text, " ");
}

static void close_one(struct drawn *d)
{
	arena_free(d->sample.arena);
	tui_free(d->t);
	grid_fini(&d->g);
}

/* The cells of a row as text. */
static const char *row_text(const struct drawn *d, int row, char out[2048])
{
	size_t len = 0;

	for (int col = 0; col < d->g.cols; col++)
		len += (size_t)sprintf(out + len, "%s", d->g.cells[row * d->g.cols + col].text);
	return out;
}

static int selected_column(const struct drawn *d)
{
	int row = d->area.row + d->area.rows - 1, found = -1;

	for (int col = 0; col < d->g.cols; col++) {
		if (d->g.cells[row * d->g.cols + col].style != STYLE_SELECTED)
			continue;
		assert_int_equal(found, -1);
		found = col;
	}
	return found;
}

static void at_any_size(void **state)
{
	struct rng r = { 3 };

	(void)state;
	for (int rows = LAYOUT_MIN_ROWS; rows < 40; rows += 3)
		for (int cols = LAYOUT_MIN_COLS; cols < 260; cols += 11) {
			uint64_t count = 1 + rng_below(&r, 500);
			struct drawn d;

			open_one(&d, rng_below(&r, (uint32_t)count), count);
			for (int k = 0; k < BUCKET_NR; k++)
				d.line[k] = (struct bucket){
					rng_one_in(&r, 3) ? UNKNOWN : rng_below(&r, 90000),
					rng_one_in(&r, 4) ? rng_below(&r, 256) : 0
				};
			d.t->frame.when.from_end_us = 5000000;
			d.t->frame.when.sessions = 1 + rng_below(&r, 3);
			draw_one(&d, rows, cols, rng_one_in(&r, 2));
			assert_true(selected_column(&d) >= 0);
			close_one(&d);
		}
}

/* The mark of where one is wanders from one end to the other. */
static void the_place_wanders(void **state)
{
	int last = -1, first = -1;

	(void)state;
	for (uint64_t at = 0; at < 1000; at++) {
		struct drawn d;
		int col;

		open_one(&d, at, 1000);
		draw_one(&d, 24, 80, false);
		col = selected_column(&d);
		assert_true(col >= last && col <= last + 1 + (last < 0) * 80);
		first = first < 0 ? col : first;
		last = col;
		close_one(&d);
	}
	assert_int_equal(first, 9);
	assert_int_equal(last, 80 - 9 - 1);
}

/* An OOM kill is seen at every width, whatever else falls into its column. */
static void the_worst_is_seen(void **state)
{
	char text[2048];

	(void)state;
	for (int cols = 40; cols < 300; cols += 13)
		for (int rows = 8; rows <= 30; rows += 11) {
			struct drawn d;
			int kills = 0;

			open_one(&d, 0, 240);
			for (int k = 0; k < BUCKET_NR; k++)
				d.line[k] = (struct bucket){ 1000, 0x7f };
			d.line[100].moments |= 1u << MOMENT_OOM;
			draw_one(&d, rows, cols, false);
			for (int row = d.area.row; row < d.area.row + d.area.rows; row++)
				for (const char *p = row_text(&d, row, text); *p; p++)
					kills += *p == '!';
			assert_int_equal(kills, 1);
			close_one(&d);
		}
}

static void not_looked_at_is_not_nothing(void **state)
{
	struct drawn d;
	char text[2048];

	(void)state;
	open_one(&d, 0, 240);
	for (int k = 80; k < 160; k++)
		d.line[k].pages_s = 0;
	for (int k = 160; k < BUCKET_NR; k++)
		d.line[k].pages_s = 400;
	d.line[239].pages_s = 40000;
	draw_one(&d, 8, 50, false);
	row_text(&d, d.area.row, text);
	assert_non_null(strstr(text, "  ▁▁▁"));
	assert_non_null(strstr(text, "▁▂▂"));
	assert_non_null(strstr(text, "▂█"));
	close_one(&d);
}

static void open_marked(struct drawn *d, uint64_t at)
{
	open_one(d, at, 240);
	d->line[20].moments = 1u << MOMENT_MARK;
	d->near[0] = (struct moment){ .kind = MOMENT_MARK, .index = 20, .text = "Here it leaks." };
	d->near[1] = (struct moment){ .kind = MOMENT_OOM, .index = 100, .text = "1 OOM kill in /leak" };
	d->near[2] = (struct moment){ .kind = MOMENT_MARK, .index = 110, .text = "Not yet." };
	d->t->frame.when.nnear = 3;
}

/*
 * The text of the last marker stays, whatever happens behind it; on small screens it gives way only
 * at the moment of what must not be missed.
 */
static void markers_are_subtitles(void **state)
{
	char text[2048];

	(void)state;
	for (int rows = 16; rows <= 40; rows += 8)
		for (uint64_t at = 99; at <= 101; at++) {
			bool small = rows < 24;
			struct drawn d;

			open_marked(&d, at);
			draw_one(&d, rows, 80, false);
			assert_int_equal(d.area.rows, small ? 2 : 4);
			row_text(&d, d.area.row, text);
			assert_int_equal(strstr(text, "m Here it leaks.") == text, !(small && at == 100));
			row_text(&d, d.area.row + !small, text);
			assert_int_equal(strstr(text, "! 1 OOM kill in /leak") != NULL,
					 at == 100 || (!small && at > 100));
			close_one(&d);
		}
}

/* All of a subtitle can be read: it has as many rows as it needs. */
static void no_subtitle_is_cut(void **state)
{
	static const char words[] =
		"Thrashing: a batch job uses more than there is. Pages come back as soon as they are gone.";
	char text[2048], all[4096];

	(void)state;
	for (int cols = 40; cols <= 120; cols += 4)
		for (int rows = 14; rows <= 40; rows += 5) {
			struct drawn d;
			int row = 0;

			open_one(&d, 100, 240);
			d.line[20].moments = 1u << MOMENT_MARK;
			d.near[0] = (struct moment){ .kind = MOMENT_MARK, .index = 20 };
			strcpy(d.near[0].text, words);
			d.t->frame.when.nnear = 1;
			draw_one(&d, rows, cols, false);
			all[0] = '\0';
			for (; row < d.area.rows - 1; row++) {
				strcat(all, row_text(&d, d.area.row + row, text) + 2);
				while (all[0] && all[strlen(all) - 1] == ' ')
					all[strlen(all) - 1] = '\0';
				strcat(all, " ");
			}
			assert_non_null(strstr(all, words));
			close_one(&d);
		}
}

/* What falls into one column is named in one line, and counted where it has no room. */
static void all_that_happened_is_named(void **state)
{
	char text[2048];

	(void)state;
	for (int cols = 60; cols <= 160; cols += 20) {
		struct drawn d;

		open_one(&d, 100, 240);
		d.near[0] = (struct moment){ .kind = MOMENT_BIRTH, .index = 100, .text = "2 generations were opened" };
		d.near[1] = (struct moment){ .kind = MOMENT_STALLS, .index = 100, .text = "7 allocations had to" };
		d.near[2] = (struct moment){ .kind = MOMENT_OOM, .index = 100, .text = "1 OOM kill in /leak" };
		d.t->frame.when.nnear = 3;
		draw_one(&d, 30, cols, false);
		row_text(&d, d.area.row, text);
		assert_non_null(strstr(text, "! 1 OOM kill in /leak"));
		if (cols >= 140)
			assert_non_null(strstr(text, "d 7 allocations had to  g 2 generations were opened"));
		else if (cols <= 60)
			assert_non_null(strstr(text, "  +2 more"));
		close_one(&d);
	}
}

static void a_capital_stands_for_several(void **state)
{
	enum style style;

	(void)state;
	assert_string_equal(timeline_letter(1u << MOMENT_STALLS, &style), "d");
	assert_string_equal(timeline_letter(1u << MOMENT_STALLS | 1u << MOMENT_BIRTH, &style), "D");
	assert_string_equal(timeline_letter(1u << MOMENT_OOM | 1u << MOMENT_MARK, &style), "!");
	assert_int_equal(style, STYLE_ALARM);
	assert_int_equal(timeline_worst(0), -1);
}

/* A click on a column goes to where its mark would stand; the last one goes to the end. */
static void a_click_goes_there(void **state)
{
	(void)state;
	for (uint64_t count = 1; count < 3000; count = count * 3 + 1)
		for (int cols = 40; cols < 300; cols += 37) {
			struct drawn d;
			int row, last;

			open_one(&d, 0, count);
			draw_one(&d, 30, cols, false);
			d.t->foot_line = d.area;
			row = d.area.row + d.area.rows - 1;
			last = cols - (cols >= 60 ? 9 : 0) - 1;
			for (int col = cols >= 60 ? 9 : 0; col <= last; col++) {
				uint64_t to;

				assert_true(tui_click(d.t, row, col) & TUI_WISH);
				assert_int_equal(d.t->wish.kind, col == last ? WISH_LAST : WISH_STEP);
				if (col == last)
					continue;
				to = d.t->frame.when.index + (uint64_t)d.t->wish.by;
				assert_true(to < count);
				/* With fewer samples or parts than columns, the mark stands at the next before. */
				if (count >= BUCKET_NR && last < BUCKET_NR)
					assert_int_equal(timeline_place(to, count, d.area.cols - (cols >= 60) * 18),
							 col - (cols >= 60) * 9);
			}
			assert_int_equal(tui_click(d.t, d.area.row, 12) & TUI_WISH, 0);
			close_one(&d);
		}
}

/* Where something happened in a column, a click goes to that part of it. */
static void a_click_goes_to_what_happened(void **state)
{
	struct drawn d;

	(void)state;
	open_one(&d, 0, 2400);
	d.line[103].moments = 1u << MOMENT_OOM;
	draw_one(&d, 30, 80, false);
	d.t->foot_line = d.area;
	tui_click(d.t, d.area.row + d.area.rows - 1, 9 + timeline_column(103, 62));
	assert_int_equal(d.t->wish.by, 1030);
	close_one(&d);
}

/* Hidden until one goes back, or wants it. */
static void when_it_is_shown(void **state)
{
	struct drawn d;

	(void)state;
	open_one(&d, 0, 10);
	assert_true(timeline_is_shown(d.t));
	d.t->frame.when.past = false;
	assert_false(timeline_is_shown(d.t));
	tui_key(d.t, 'l');
	assert_true(timeline_is_shown(d.t));
	tui_key(d.t, 'l');
	assert_false(timeline_is_shown(d.t));
	d.t->frame.when.past = true;
	assert_false(timeline_is_shown(d.t));
	tui_key(d.t, 'l');
	assert_true(timeline_is_shown(d.t));
	d.t->frame.when.can = false;
	assert_false(timeline_is_shown(d.t));
	close_one(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_never_fall),
		cmocka_unit_test(places_never_fall),
		cmocka_unit_test(layouts_are_inside),
		cmocka_unit_test(at_any_size),
		cmocka_unit_test(the_place_wanders),
		cmocka_unit_test(the_worst_is_seen),
		cmocka_unit_test(not_looked_at_is_not_nothing),
		cmocka_unit_test(markers_are_subtitles),
		cmocka_unit_test(no_subtitle_is_cut),
		cmocka_unit_test(all_that_happened_is_named),
		cmocka_unit_test(a_capital_stands_for_several),
		cmocka_unit_test(a_click_goes_there),
		cmocka_unit_test(a_click_goes_to_what_happened),
		cmocka_unit_test(when_it_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

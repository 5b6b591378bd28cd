/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes to a terminal in small pieces is, in the end, what was to be shown; and what changed last comes first. */
#include "ui/tui/change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 24
#define COLS 80

/* A terminal that shows what it is told. */
struct far {
	struct grid grid;
	int cells;
	int first_row; /* of the first cell that came */
};

static void put(void *ctx, int row, int col, const struct cell *c)
{
	struct far *f = ctx;

	if (!f->cells++)
		f->first_row = row;
	f->grid.cells[row * f->grid.cols + col] = *c;
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void scribble(struct grid *g, uint32_t *seed, int cells)
{
	for (int i = 0; i < cells; i++) {
		struct rect all = grid_rect(g);
		char text[2] = { (char)('a' + next(seed) % 26), '\0' };

		grid_text(g, all, (int)(next(seed) % ROWS), (int)(next(seed) % COLS),
			  (enum style)(next(seed) % STYLE_NR), text);
	}
}

static bool is_shown(const struct far *f, const struct grid *g)
{
	for (int i = 0; i < ROWS * COLS; i++)
		if (strcmp(f->grid.cells[i].text, g->cells[i].text) ||
		    f->grid.cells[i].style != g->cells[i].style)
			return false;
	return true;
}

struct rig {
	struct change change;
	struct grid grid;
	struct far far;
	struct change_sink sink;
};

static void rig_open(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	grid_resize(&r->grid, ROWS, COLS);
	grid_resize(&r->far.grid, ROWS, COLS);
	assert_true(change_resize(&r->change, &r->grid));
	assert_false(change_resize(&r->change, &r->grid));
	change_blank(&r->change);
	r->sink = (struct change_sink){ put, &r->far, ROWS, SIZE_MAX };
}

static void rig_close(struct rig *r)
{
	change_fini(&r->change);
	grid_fini(&r->grid);
	grid_fini(&r->far.grid);
}

/* However small the pieces, and however often the picture changes between them. */
static void in_the_end_all_is_there(void **state)
{
	uint32_t seed = 2;
	struct rig r;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 300; i++) {
		int pieces = 0;

		for (int change = 0; change < 3; change++) {
			scribble(&r.grid, &seed, (int)(next(&seed) % 200));
			r.sink.bytes = 20 + next(&seed) % 400;
			change_put(&r.change, &r.grid, &r.sink);
		}
		while (!change_put(&r.change, &r.grid, &r.sink))
			assert_true(++pieces < 500);
		assert_true(is_shown(&r.far, &r.grid));
		r.far.cells = 0;
		assert_true(change_put(&r.change, &r.grid, &r.sink));
		assert_int_equal(r.far.cells, 0);
	}
	rig_close(&r);
}

/* A key's answer does not wait behind a picture that is still on its way. */
static void what_changed_last_comes_first(void **state)
{
	uint32_t seed = 9;
	struct rig r;

	(void)state;
	rig_open(&r);
	for (int i = 0; i < 200; i++) {
		int row = (int)(next(&seed) % ROWS);
		char text[24];

		scribble(&r.grid, &seed, 1000);
		r.sink.bytes = 50;
		assert_false(change_put(&r.change, &r.grid, &r.sink));
		snprintf(text, sizeof(text), "answer %d", i);
		grid_text(&r.grid, grid_rect(&r.grid), row, 3, STYLE_PLAIN, text);
		r.far.cells = 0;
		change_put(&r.change, &r.grid, &r.sink);
		assert_int_equal(r.far.first_row, row);
	}
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_the_end_all_is_there),
		cmocka_unit_test(what_changed_last_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/names.h"

static void is_whole_row(const struct grid *g, int row)
{
	for (int col = 0; col < g->cols; col++) {
		const struct cell *c = &g->cells[row * g->cols + col];

		assert_in_range(c->style, 0, STYLE_NR - 1);
		assert_in_range(strnlen(c->text, CELL_BYTES), 0, CELL_BYTES - 1);
		if (c->width == 0) {
			assert_true(col > 0 && c[-1].width == 2);
			assert_string_equal(c->text, "");
			continue;
		}
		assert_int_equal(name_width(c->text), c->width);
		if (c->width == 2)
			assert_true(col + 1 < g->cols && c[1].width == 0);
		if (g->ascii)
			assert_true(c->text[0] >= ' ' && c->text[0] < 127 && !c->text[1]);
	}
}

void is_whole(const struct grid *g)
{
	for (int row = 0; row < g->rows; row++)
		is_whole_row(g, row);
}

int find_text(const struct grid *g, const char *text, int *col)
{
	char line[4096];

	for (int row = 0; row < g->rows; row++) {
		size_t at = 0;
		const char *found;

		for (int i = 0; i < g->cols && at < sizeof(line) - CELL_BYTES; i++) {
			const char *cell = g->cells[row * g->cols + i].text;

			memcpy(line + at, cell, strlen(cell));
			at += strlen(cell);
		}
		line[at] = '\0';
		found = strstr(line, text);
		if (!found)
			continue;
		line[found - line] = '\0';
		*col = name_width(line);
		return row;
	}
	return -1;
}

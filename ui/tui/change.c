/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "change.h"

#include <string.h>

/* What cells cost, about: a character, the way to it, its looks. */
enum { CELL_COST = 3, MOVE_COST = 7, LOOK_COST = 8 };

void change_fini(struct change *c)
{
	grid_fini(&c->shown);
	grid_fini(&c->aimed);
}

bool change_resize(struct change *c, const struct grid *g)
{
	if (c->shown.rows == g->rows && c->shown.cols == g->cols)
		return false;
	grid_resize(&c->shown, g->rows, g->cols);
	grid_resize(&c->aimed, g->rows, g->cols);
	return true;
}

void change_blank(struct change *c)
{
	grid_clear(&c->shown);
	grid_clear(&c->aimed);
}

static bool is_same(const struct cell *a, const struct cell *b)
{
	return a->style == b->style && a->width == b->width && !strcmp(a->text, b->text);
}

/* Each cell at its own place: so nothing is shifted where two ideas of a width differ. */
static size_t put_row(struct change *c, const struct grid *g, int row,
		      const struct change_sink *sink)
{
	const struct cell *now = &g->cells[row * g->cols];
	struct cell *was = &c->shown.cells[row * g->cols];
	int style = -1, next = -1;
	size_t cost = 0;

	for (int col = 0; col < g->cols; col++) {
		if (is_same(&now[col], &was[col]))
			continue;
		was[col] = now[col];
		cost += CELL_COST + (col == next ? 0 : MOVE_COST) +
			(now[col].style == style ? 0 : LOOK_COST);
		style = now[col].style;
		next = col + 1;
		if (now[col].width)
			sink->put(sink->ctx, row, col, &now[col]);
	}
	return cost;
}

/* Has the row changed since the last time, or does it wait? */
static bool is_new(const struct change *c, const struct grid *g, int row)
{
	const struct cell *now = &g->cells[row * g->cols], *was = &c->aimed.cells[row * g->cols];
	int col = 0;

	while (col < g->cols && is_same(&now[col], &was[col]))
		col++;
	return col < g->cols;
}

bool change_put(struct change *c, const struct grid *g, const struct change_sink *sink)
{
	int rows = g->rows < sink->rows ? g->rows : sink->rows;
	size_t cost = 0;

	for (int row = 0; row < rows && cost < sink->bytes; row++)
		if (is_new(c, g, row))
			cost += put_row(c, g, row, sink);
	memcpy(c->aimed.cells, g->cells, (size_t)(g->rows * g->cols) * sizeof(*g->cells));
	for (int i = 0; i < rows; i++) {
		if (cost >= sink->bytes)
			return false;
		c->row = (c->row + 1) % rows;
		cost += put_row(c, g, c->row, sink);
	}
	return true;
}

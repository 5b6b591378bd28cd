/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout.h"

static int least(int a, int b)
{
	return a < b ? a : b;
}

struct rect layout_take_top(struct rect *area, int rows)
{
	struct rect out = *area;

	out.rows = rows < 0 ? 0 : least(rows, area->rows);
	area->row += out.rows;
	area->rows -= out.rows;
	return out;
}

struct rect layout_take_bottom(struct rect *area, int rows)
{
	struct rect out = *area;

	out.rows = rows < 0 ? 0 : least(rows, area->rows);
	area->rows -= out.rows;
	out.row = area->row + area->rows;
	return out;
}

void layout_screen(int rows, int cols, int notices, struct screen *out)
{
	struct rect area = { 0, 0, rows, cols };

	*out = (struct screen){ .small = rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS };
	if (!out->small) {
		out->head = layout_take_top(&area, 1);
		out->tabs = layout_take_top(&area, 1);
		out->foot = layout_take_bottom(&area, 1);
		/* Notices never take more than a quarter of what is there to be seen. */
		out->notice = layout_take_top(&area, least(notices, area.rows / 4));
	}
	out->body = area;
}

/* The least important part that is still in, or -1. */
static int last_in(const struct want *wants, int n, const int *rows)
{
	int worst = -1;

	for (int i = 0; i < n; i++)
		if (rows[i] && (worst < 0 || wants[i].rank >= wants[worst].rank))
			worst = i;
	return worst;
}

static int sum(const int *rows, int n)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		total += rows[i];
	return total;
}

/* Up to their most, the important ones first. */
static void hand_out(const struct want *wants, int n, int left, int *rows)
{
	for (int rank = 0; left > 0 && rank < LAYOUT_PARTS; rank++) {
		for (int i = 0; i < n; i++) {
			int more = wants[i].most - rows[i];

			if (wants[i].rank != rank || !rows[i] || more <= 0)
				continue;
			more = least(more, left);
			rows[i] += more;
			left -= more;
		}
	}
}

void layout_stack(struct rect area, const struct want *wants, int n, struct rect *out)
{
	int rows[LAYOUT_PARTS], worst;

	n = least(n, LAYOUT_PARTS);
	for (int i = 0; i < n; i++)
		rows[i] = wants[i].min > 0 ? wants[i].min : 0;
	while (sum(rows, n) > area.rows && (worst = last_in(wants, n, rows)) >= 0)
		rows[worst] = 0;
	hand_out(wants, n, area.rows - sum(rows, n), rows);
	for (int i = 0; i < n; i++)
		out[i] = layout_take_top(&area, rows[i]);
}

void layout_columns(struct rect area, int share, int gap, struct rect out[2])
{
	int left = area.cols * share / 100;

	out[0] = out[1] = area;
	out[0].cols = left;
	out[1].col = least(area.col + left + gap, area.col + area.cols);
	out[1].cols = area.col + area.cols - out[1].col;
}

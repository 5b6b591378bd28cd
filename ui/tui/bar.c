/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pen.h"

#include <string.h>

static uint64_t known(uint64_t value)
{
	return value == UNKNOWN ? 0 : value;
}

/* How many of width columns a value of total takes, rounded. */
static int columns_of(uint64_t value, uint64_t total, int width)
{
	double share = total ? (double)value / (double)total : 0;
	int columns = (int)((share > 1 ? 1 : share) * width + 0.5);

	return columns > width ? width : columns;
}

static void repeat(struct pen *p, enum style style, const char *glyph, int times)
{
	struct rect area = { p->pane.row + p->row, p->pane.col + p->col, 1, times };

	grid_fill(p->d->g, rect_clip(area, p->pane), style, glyph);
	p->col += times;
}

void pen_bar(struct pen *p, int width, const struct segment *segments, int n, uint64_t total)
{
	uint64_t sum = 0;
	int used = 0;

	for (int i = 0; i < n; i++) {
		uint64_t value = known(segments[i].value);
		int end, columns;

		sum += value;
		end = columns_of(sum, total, width);
		columns = end - used;
		if (columns <= 0)
			columns = value && used < width ? 1 : 0;
		repeat(p, segments[i].style, segments[i].glyph, columns);
		used += columns;
	}
	repeat(p, STYLE_FREE, "·", width > used ? width - used : 0);
}

void pen_block(struct pen *p, int width, enum style style, uint64_t value, uint64_t total)
{
	static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int eighths = columns_of(known(value), total, width * 8);
	int start = p->col;

	if (!eighths && known(value))
		eighths = 1;
	repeat(p, style, "█", eighths / 8);
	if (eighths % 8)
		pen_text(p, style, parts[eighths % 8]);
	p->col = start + width;
}

/* What of a column of so many eighths is seen in a row counted from below. */
static void column_part(struct pen *p, enum style style, int eighths, int from_below)
{
	static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int part = eighths - from_below * 8;

	pen_text(p, style, heights[part < 0 ? 0 : part > 8 ? 8 : part]);
}

void pen_chart(struct pen *p, int rows, enum style style, const uint64_t *values, int n)
{
	uint64_t greatest = 0;
	int row = p->row, col = p->col;

	for (int i = 0; i < n; i++)
		if (known(values[i]) > greatest)
			greatest = known(values[i]);
	for (int line = 0; line < rows; line++) {
		pen_to(p, row + line, col);
		for (int i = 0; i < n; i++) {
			/* 0 is a line at the bottom, so that it is not taken for what is not known. */
			int eighths = 1 + columns_of(known(values[i]), greatest, rows * 8 - 1);

			column_part(p, known(values[i]) ? style : STYLE_DIM, values[i] == UNKNOWN ? 0 : eighths,
				    rows - 1 - line);
		}
	}
	pen_to(p, row, col + n);
}

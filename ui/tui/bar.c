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

void pen_spark(struct pen *p, enum style style, const uint64_t *values, int n)
{
	static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint64_t greatest = 0;

	for (int i = 0; i < n; i++)
		if (known(values[i]) > greatest)
			greatest = known(values[i]);
	for (int i = 0; i < n; i++) {
		if (values[i] == UNKNOWN)
			pen_text(p, style, " ");
		else
			pen_text(p, values[i] ? style : STYLE_DIM, heights[columns_of(values[i], greatest, 7)]);
	}
}

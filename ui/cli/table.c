/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"

void table_begin(struct table *t, const struct column *columns, uint32_t n)
{
	t->columns = columns;
	t->ncolumns = n < TABLE_COLUMNS ? n : TABLE_COLUMNS;
	t->ncells = 0;
	buf_clear(&t->cells);
	for (uint32_t i = 0; i < t->ncolumns; i++)
		t->widths[i] = name_width(columns[i].head);
}

void table_cell(struct table *t, const char *text)
{
	uint32_t column = t->ncells++ % t->ncolumns;
	int width = name_width(text);

	if (width > t->widths[column])
		t->widths[column] = width;
	buf_add(&t->cells, text, strlen(text) + 1);
}

void table_printf(struct table *t, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	table_cell(t, text);
}

/* One cell with what lies before it; nothing is put behind the last one. */
static void put(const struct table *t, uint32_t column, const char *text, struct buf *out)
{
	int room = t->widths[column] - name_width(text);
	bool left = t->columns[column].left, last = column + 1 == t->ncolumns;

	buf_str(out, "  ");
	buf_printf(out, "%*s%s", left ? 0 : room, "", text);
	if (left && !last)
		buf_printf(out, "%*s", room, "");
	if (last)
		buf_str(out, "\n");
}

void table_end(struct table *t, struct buf *out)
{
	const char *text = t->cells.data;

	if (!t->ncells)
		return;
	for (uint32_t i = 0; i < t->ncolumns; i++)
		put(t, i, t->columns[i].head, out);
	for (uint32_t i = 0; i < t->ncells; i++) {
		put(t, i % t->ncolumns, text, out);
		text += strlen(text) + 1;
	}
}

void table_fini(struct table *t)
{
	buf_fini(&t->cells);
}

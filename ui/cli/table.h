/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - aligned text: columns as wide as what stands in them, nothing cut.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

#define TABLE_COLUMNS 28

struct column {
	const char *head;
	bool left;        /* aligned left; numbers are not */
};

/* Grows to the largest table it held and stays so. All zero is ready for table_begin(). */
struct table {
	const struct column *columns;
	uint32_t ncolumns, ncells;
	struct buf cells;    /* each closed by NUL */
	int widths[TABLE_COLUMNS];
};

/* Columns beyond TABLE_COLUMNS are left out. They must outlive the table. */
void table_begin(struct table *t, const struct column *columns, uint32_t n);

/* The next cell; text is printable UTF-8. */
void table_cell(struct table *t, const char *text);
void table_printf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The rows below their heads, indented by two blanks. Nothing where there is no row. */
void table_end(struct table *t, struct buf *out);

void table_fini(struct table *t);

#endif

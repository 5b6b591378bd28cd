/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.h - samples as tables of comma-separated values: RFC 4180, a header line first, lines
 * closed by CR LF.
 *
 * Columns come from the table of fields, in its order, whatever a sample holds of them. An empty
 * cell is not known. Names that no table of keys has have no column, since the header must stand
 * before the first sample: the table "other" has a row for each.
 */
#ifndef RECLAIMTOP_EXPORT_H
#define RECLAIMTOP_EXPORT_H

#include "reclaimtop/buf.h"
#include "reclaimtop/step.h"

struct export_table;

/* NULL where there is none of that name. */
const struct export_table *export_find(const char *name);

/* Names and what a row is, a line each. */
void export_list(struct buf *out);

struct exporter;

/* all: the table of metrics has every line of /proc/vmstat too. */
struct exporter *export_new(const struct export_table *table, bool all);
void export_free(struct exporter *e);

void export_head(struct exporter *e, struct buf *out);

/* The rows of the sample that a step leads to, appended; session from 0. */
void export_rows(struct exporter *e, const struct step *st, uint32_t session, struct buf *out);

#endif

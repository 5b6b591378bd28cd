/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_other.h - counters of names that no table of keys has: they have no column, so each is a row.
 */
#ifndef MODEL_EXPORT_OTHER_H
#define MODEL_EXPORT_OTHER_H

#include "reclaimtop/sample.h"

#include "model/csv.h"

/* The cells of a row behind its time, as a header. */
void export_other_head(struct csv *c);

/* All rows of a sample; begin() writes what stands before the cells of each. */
void export_other(const struct sample *s, void (*begin)(struct csv *c, const struct sample *s, uint32_t session),
		  uint32_t session, struct csv *c);

#endif

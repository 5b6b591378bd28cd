/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv.h - lines of comma-separated values as RFC 4180 has them.
 */
#ifndef RECLAIMTOP_MODEL_CSV_H
#define RECLAIMTOP_MODEL_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

/* Set out; the rest is zero at first. */
struct csv {
	struct buf *out;
	bool inside;     /* of a line */
};

/* The next cell, quoted where it must be. NULL is empty. */
void csv_text(struct csv *c, const char *text);

/* "max" for UNLIMITED, empty for UNKNOWN. */
void csv_u64(struct csv *c, uint64_t v);
void csv_i64(struct csv *c, int64_t v);

/* Empty where it is not finite; else as few digits as give the same number back. */
void csv_number(struct csv *c, double v);

void csv_end(struct csv *c);

#endif

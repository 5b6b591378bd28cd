/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pack.h - a sample as few bytes: what changed against another one. For this process alone; files
 * hold JSON.
 *
 * Each struct is a mask of the fields that changed, and their differences as numbers of one to ten
 * bytes. A whole sample is the difference to one that is all zero. Lists keep their order: kept
 * items are named by their place in the list before. Nothing is read from anywhere but memory that
 * pack_out() filled, yet bounds are checked.
 */
#ifndef PACK_H
#define PACK_H

#include "reclaimtop/buf.h"

#include "walk.h"

/*
 * Append to out what makes now of before (NULL: of nothing). Ages of now must be settled against
 * before. Memory for the time of the call comes from scratch.
 */
void pack_out(const struct sample *before, const struct sample *now, struct arena *scratch,
	      struct buf *out);

/* The sample that pack_out() took, in out's own arena. False where the bytes are not such. */
bool pack_in(const struct sample *before, const char *bytes, size_t len, struct sample *out);

#endif

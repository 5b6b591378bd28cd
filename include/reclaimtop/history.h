/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - the samples of a live session, as far back as a bound in bytes allows.
 *
 * Kept packed: a whole sample now and then, between them only what changed, by the table of fields. The memory is taken
 * once; when it is full the oldest samples go. Filling it allocates nothing.
 */
#ifndef RECLAIMTOP_HISTORY_H
#define RECLAIMTOP_HISTORY_H

#include "reclaimtop/sample.h"

struct history;

struct history *history_new(size_t bytes);
void history_free(struct history *h);

/* Take a sample in. One that does not fit at all is left out and counted. */
void history_put(struct history *h, const struct sample *s);
void history_clear(struct history *h);

uint32_t history_count(const struct history *h);
uint32_t history_left_out(const struct history *h);
size_t history_bytes(const struct history *h);       /* in use */

/* Time between the oldest and the newest sample. */
int64_t history_span_us(const struct history *h);

/* Sample i, 0 the oldest, into out (its arena is reset). False where there is none. */
bool history_get(struct history *h, uint32_t i, struct sample *out);

/* Index of the last sample not after t_us, 0 where all are. */
uint32_t history_find(const struct history *h, int64_t t_us);

#endif

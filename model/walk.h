/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk.h - what all walks over the table of fields share: how a value is taken from a struct and
 * put back, what it is expected to be after some time, and whether it changed.
 *
 * A scalar travels as 64 bits whatever its size: UNKNOWN and UNLIMITED are then -1 and -2, and a
 * difference between two values wraps and unwraps exactly.
 */
#ifndef WALK_H
#define WALK_H

#include "reclaimtop/arena.h"
#include "reclaimtop/fields.h"

/*
 * Time between two samples. ms is the difference of two whole milliseconds, so that a chain of
 * steps adds up.
 */
struct elapsed {
	int64_t us, ms;
	int64_t from_us;   /* mono_us of the first */
};

struct elapsed elapsed_between(const struct sample *before, const struct sample *now);

/* The items of a list, or the numbers of a FIELD_NUMBERS. */
struct items {
	char *at;
	uint32_t n;
};

static inline void *member_of(const void *item, size_t offset)
{
	return (char *)(uintptr_t)item + offset;
}

bool field_is_scalar(const struct field *f);
bool field_is_list(const struct field *f);   /* LIST or ROWS */
bool field_is_struct(const struct field *f); /* STRUCT or ROW */

uint64_t field_get(const struct field *f, const void *item);
void field_set(const struct field *f, void *item, uint64_t value);

/* What a scalar holds when nothing was said of it: UNKNOWN, or 0 where the kind has no UNKNOWN. */
uint64_t field_blank(const struct field *f);

/* What a scalar that held value is now if nothing happened but time. */
uint64_t field_expected(const struct field *f, uint64_t value, struct elapsed e);

const char *field_string(const struct field *f, const void *item);
void field_set_string(const struct field *f, void *item, const char *s);
struct items field_items(const struct field *f, const void *item);
void field_set_items(const struct field *f, void *item, struct items items);

static inline void *item_at(const struct shape *s, struct items items, uint32_t i)
{
	return items.at + (size_t)i * s->size;
}

bool string_same(const char *a, const char *b);

/*
 * How many of a shape's fields, which stand first, are keys; and whether two items have the same.
 */
uint32_t shape_keys(const struct shape *s);
bool keys_same(const struct shape *s, const void *a, const void *b);

/* Make all values unknown and all lists empty. What no field of the shape covers is left alone. */
void shape_blank(const struct shape *s, void *item);
bool shape_is_blank(const struct shape *s, const void *item);
bool field_is_blank(const struct field *f, const void *item);

/*
 * Is now anything but what before and the time between lead to expect? The order of a list counts.
 */
bool field_changed(const struct field *f, const void *before, const void *now, struct elapsed e);
bool shape_changed(const struct shape *s, const void *before, const void *now, struct elapsed e);

/* Let time pass for a sample: mono_us becomes this, and what moves by itself moves. */
void sample_carry(struct sample *s, int64_t mono_us);

/*
 * Give each age of now that is within the tolerance exactly the value that before leads to expect:
 * what a reader will believe who is told nothing. before must be what that reader holds.
 */
void sample_settle(const struct sample *before, struct sample *now, struct arena *scratch);

#endif

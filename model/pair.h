/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair.h - which item of one list is which of another, by their keys.
 *
 * Several items may have the same keys (removed memcgs under one path and the id 0): the first of
 * one list then is the first of the other, the second the second. The nth of an item says how many
 * of its kind stand before it.
 */
#ifndef PAIR_H
#define PAIR_H

#include "walk.h"

#define PAIR_NONE UINT32_MAX

struct pairing {
	bool same;               /* the same keys in the same order: item i is item i, and the rest is NULL */
	const uint32_t *old_of;  /* by new item: the old one that it is, or PAIR_NONE */
	const uint32_t *new_of;  /* by old item */
};

/* Memory comes from scratch. Lists that have the same order are only compared. */
void pair_lists(const struct shape *s, struct items old, struct items now, struct arena *scratch,
		struct pairing *out);

static inline uint32_t pair_old(const struct pairing *p, uint32_t i)
{
	return p->same ? i : p->old_of[i];
}

/*
 * By new item: was it moved, so that it cannot be placed by the old order of those that stayed? As
 * few as can be are. n is the number of new items. Not for a pairing that is same.
 */
const bool *pair_moved(const struct pairing *p, uint32_t n, struct arena *scratch);

struct pair_index;

/* The items by their keys. */
struct pair_index *pair_index_make(const struct shape *s, struct items items,
				   struct arena *scratch);

/* The nth item, from 0, with the keys of this one; PAIR_NONE where there is none. */
uint32_t pair_find(const struct pair_index *x, const void *item, uint32_t nth);

/* How many items before item i have its keys. */
uint32_t pair_nth(const struct pair_index *x, uint32_t i);

struct pair_alone;

/* The items by the field that is FIELD_ALONE; NULL where the shape has none. */
struct pair_alone *pair_alone_make(const struct shape *s, struct items items,
				   struct arena *scratch);
const struct field *pair_alone_field(const struct pair_alone *x);

/* The only item that has the value of this one there; PAIR_NONE where none or several have, or it is not known. */
uint32_t pair_only(const struct pair_alone *x, const void *item);

/* Does any keys stand there twice? */
bool pair_has_twins(const struct pair_index *x);

#endif

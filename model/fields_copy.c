/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "walk.h"

static void copy_within(const struct shape *s, void *item, struct arena *a);

static void copy_counters(const struct field *f, struct counters *c, struct arena *a)
{
	if (c->value)
		c->value = arena_copy(a, c->value, f->tab->n * sizeof(*c->value));
	if (c->nmore)
		c->more = arena_copy(a, c->more, c->nmore * sizeof(*c->more));
	for (uint32_t i = 0; i < c->nmore; i++)
		c->more[i].name = arena_str(a, c->more[i].name);
}

static void copy_items(const struct field *f, void *item, struct arena *a)
{
	struct items items = field_items(f, item);
	size_t size = f->shape ? f->shape->size : sizeof(uint64_t);

	if (!items.n)
		return;
	items.at = arena_copy(a, items.at, items.n * size);
	field_set_items(f, item, items);
	for (uint32_t i = 0; f->shape && !f->shape->flat && i < items.n; i++)
		copy_within(f->shape, item_at(f->shape, items, i), a);
}

/* item holds what it was copied from, pointers too: copy what they point at. */
static void copy_within(const struct shape *s, void *item, struct arena *a)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (f->kind == FIELD_STRING && field_string(f, item))
			field_set_string(f, item, arena_str(a, field_string(f, item)));
		else if (f->kind == FIELD_COUNTERS)
			copy_counters(f, member_of(item, f->offset), a);
		else if (field_is_list(f) || f->kind == FIELD_NUMBERS)
			copy_items(f, item, a);
		else if (field_is_struct(f) && !f->shape->flat)
			copy_within(f->shape, member_of(item, f->offset), a);
	}
}

void sample_copy(const struct sample *from, struct sample *to)
{
	struct arena *a = to->arena;

	arena_reset(a);
	*to = *from;
	to->arena = a;
	copy_within(&sample_shape, to, a);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists that a line says or changes. Their items change where they stand; only where some come, go
 * or move is the list put together anew.
 */
#include <string.h>

#include "pair.h"
#include "read.h"

/*
 * The keys of an item as the line has it: an object, a row, or a bare key under "gone". False where
 * they are not all there.
 */
static bool keys_in(struct reader *r, const struct shape *s, struct json_object *v, void *item)
{
	bool object = json_object_is_type(v, json_type_object);
	bool row = json_object_is_type(v, json_type_array);
	uint32_t n = shape_keys(s);

	shape_blank(s, item);
	for (uint32_t i = 0; i < n; i++) {
		const struct field *f = &s->fields[i];
		struct json_object *key = row ? json_object_array_get_idx(v, i) : v;

		if (object ? !json_object_object_get_ex(v, f->name, &key)
			   : row ? json_object_array_length(v) < n : n != 1)
			return false;
		if (f->kind == FIELD_STRING)
			field_set_string(f, item, string_in(r, key));
		else
			field_set(f, item, value_in(f, key, r->mono_us));
	}
	return true;
}

static void item_in(struct reader *r, const struct shape *s, struct json_object *v, void *item)
{
	if (json_object_is_type(v, json_type_object))
		read_fields(r, v, s, item);
	else
		row_in(r, v, s, item);
}

/* A number that a member of an item says, or PAIR_NONE. */
static uint32_t number_of(struct json_object *v, const char *name)
{
	struct json_object *n;
	uint64_t value = UNKNOWN;

	if (json_object_is_type(v, json_type_object) && json_object_object_get_ex(v, name, &n))
		value = line_number(n);
	return value < PAIR_NONE ? (uint32_t)value : PAIR_NONE;
}

static struct items new_list(struct reader *r, const struct field *f, struct json_object *array)
{
	struct arena_list list = { 0 };
	size_t n = json_object_array_length(array);
	void *keys = arena_alloc(r->scratch, f->shape->size);

	for (size_t i = 0; i < n; i++) {
		struct json_object *v = json_object_array_get_idx(array, i);
		void *item;

		if (!keys_in(r, f->shape, v, keys))
			continue;
		item = arena_push(r->arena, &list, f->shape->size);
		memcpy(item, keys, f->shape->size);
		item_in(r, f->shape, v, item);
	}
	return (struct items){ list.items, list.n };
}

/*
 * A list that is being changed. Items are moved as pointers, and copied to their places at the end.
 */
struct editing {
	const struct shape *shape;
	struct items was;
	struct pair_index *index;
	struct pair_alone *alone;
	bool *out;               /* by old item: gone, or placed elsewhere */
	struct arena_list placed, added;
	bool rearranged;
};

struct place {
	void *item;
	uint32_t at;
};

/* Is an item named by one number, without its keys? It is one that was there. */
static bool is_short(const struct editing *e, struct json_object *v)
{
	const struct field *f = e->alone ? pair_alone_field(e->alone) : NULL;
	const struct field *last = &e->shape->fields[shape_keys(e->shape) - 1];
	struct json_object *number;

	return f && json_object_is_type(v, json_type_object) &&
	       json_object_object_get_ex(v, f->name, &number) &&
	       !json_object_object_get_ex(v, last->name, &number);
}

static uint32_t find_short(struct reader *r, const struct editing *e, struct json_object *v)
{
	const struct field *f = pair_alone_field(e->alone);
	void *item = arena_alloc(r->scratch, e->shape->size);

	shape_blank(e->shape, item);
	field_set(f, item, value_in(f, json_object_object_get(v, f->name), r->mono_us));
	return pair_only(e->alone, item);
}

/*
 * The old item that the line means, or PAIR_NONE. Only for this are the keys looked at: they go to
 * scratch.
 */
static uint32_t find_old(struct reader *r, const struct editing *e, struct json_object *v,
			 bool *is_item)
{
	struct reader keys = *r;
	void *item = arena_alloc(r->scratch, e->shape->size);
	uint32_t nth = number_of(v, "nth"), old;

	if (is_short(e, v)) {
		old = find_short(r, e, v);
		*is_item = old != PAIR_NONE && !e->out[old];
		return old;
	}
	keys.arena = r->scratch;
	*is_item = keys_in(&keys, e->shape, v, item);
	if (!*is_item)
		return PAIR_NONE;
	return pair_find(e->index, item, nth == PAIR_NONE ? 0 : nth);
}

static void edit_one(struct reader *r, struct editing *e, struct json_object *v)
{
	bool is_item;
	uint32_t old = find_old(r, e, v, &is_item), at = number_of(v, "at");
	struct place *p;
	void *item;

	if (!is_item)
		return;
	if (old != PAIR_NONE && e->out[old])
		old = PAIR_NONE;
	if (old != PAIR_NONE) {
		item = item_at(e->shape, e->was, old);
		if (at != PAIR_NONE)
			e->out[old] = true;
	} else {
		item = arena_alloc(r->arena, e->shape->size);
		keys_in(r, e->shape, v, item);
	}
	item_in(r, e->shape, v, item);
	if (old != PAIR_NONE && at == PAIR_NONE)
		return;
	e->rearranged = true;
	p = arena_push(r->scratch, at == PAIR_NONE ? &e->added : &e->placed, sizeof(*p));
	*p = (struct place){ item, at };
}

static void put_down(const struct editing *e, struct items to, bool *full, const void *item,
		     uint32_t at)
{
	memcpy(item_at(e->shape, to, at), item, e->shape->size);
	full[at] = true;
}

static uint32_t free_place(const bool *full, uint32_t next)
{
	while (full[next])
		next++;
	return next;
}

/*
 * Two for one place, or a place that is not: such a line is not ours. What finds no place goes with
 * those that asked for none, so that nothing is lost.
 */
static void put_placed(struct reader *r, struct editing *e, struct items to, bool *full)
{
	const struct place *placed = e->placed.items;

	for (uint32_t i = 0; i < e->placed.n; i++) {
		uint32_t at = placed[i].at;

		if (at < to.n && !full[at])
			put_down(e, to, full, placed[i].item, at);
		else
			*(struct place *)arena_push(r->scratch, &e->added, sizeof(*placed)) = placed[i];
	}
}

static struct items rearrange(struct reader *r, struct editing *e)
{
	uint32_t stayed = 0, next = 0;
	struct items to;
	bool *full;

	for (uint32_t i = 0; i < e->was.n; i++)
		stayed += !e->out[i];
	to.n = stayed + e->placed.n + e->added.n;
	to.at = arena_alloc(r->arena, to.n * e->shape->size);
	full = arena_alloc(r->scratch, to.n + 1);
	put_placed(r, e, to, full);
	for (uint32_t i = 0; i < e->was.n; i++) {
		if (e->out[i])
			continue;
		next = free_place(full, next);
		put_down(e, to, full, item_at(e->shape, e->was, i), next);
	}
	for (uint32_t i = 0; i < e->added.n; i++) {
		next = free_place(full, next);
		put_down(e, to, full, ((const struct place *)e->added.items)[i].item, next);
	}
	return to;
}

static void take_gone(struct reader *r, struct editing *e, struct json_object *gone)
{
	size_t n = json_object_is_type(gone, json_type_array) ? json_object_array_length(gone) : 0;

	for (size_t i = 0; i < n; i++) {
		bool is_item;
		uint32_t old = find_old(r, e, json_object_array_get_idx(gone, i), &is_item);

		if (!is_item || old == PAIR_NONE)
			continue;
		e->out[old] = true;
		e->rearranged = true;
	}
}

void list_in(struct reader *r, const struct field *f, void *item, struct json_object *array,
		    struct json_object *gone)
{
	struct editing e = { .shape = f->shape, .was = field_items(f, item) };
	size_t n =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;

	if (json_object_is_type(gone, json_type_boolean) && json_object_get_boolean(gone))
		e.was.n = 0;
	if (!e.was.n) {
		field_set_items(f, item, n ? new_list(r, f, array) : (struct items){ NULL, 0 });
		return;
	}
	e.index = pair_index_make(e.shape, e.was, r->scratch);
	e.alone = pair_alone_make(e.shape, e.was, r->scratch);
	e.out = arena_alloc(r->scratch, e.was.n);
	take_gone(r, &e, gone);
	for (size_t i = 0; i < n; i++)
		edit_one(r, &e, json_object_array_get_idx(array, i));
	if (e.rearranged)
		field_set_items(f, item, rearrange(r, &e));
}

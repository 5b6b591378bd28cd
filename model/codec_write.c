/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "line.h"
#include "mirror.h"
#include "pair.h"

struct writer {
	struct arena *scratch;
	int64_t mono_us;
	struct elapsed elapsed;  /* since the sample before; in a whole line every before is NULL */
	struct mirror *mirror;   /* in a line of changes; NULL */
	int64_t *time;           /* the last that was written in a row */
};

/* An object that is being written, and the "gone" within it: made when it is needed. */
struct level {
	struct json_object *obj;
	struct json_object *gone;
};

static void put_fields(const struct writer *w, struct level *l, const struct shape *s,
		       const void *before, const void *now);

/* --- rows --- */

static bool row_is_blank(const struct field *f, const void *item)
{
	return !(f->flags & FIELD_KEY) && field_is_blank(f, item);
}

/* Most readings start when the one before them ended. */
static struct json_object *time_out(const struct writer *w, const struct field *f, int64_t us)
{
	bool same = us && us == *w->time;

	if (us)
		*w->time = us;
	return same ? line_string(TIME_BEFORE) : value_out(f, (uint64_t)us, w->mono_us);
}

/*
 * The struct as an array that ends with the last value that is known. before is NULL for one that
 * was not there.
 */
static struct json_object *row_out(const struct writer *w, const struct shape *s,
				   const void *before, const void *now)
{
	struct json_object *row;
	uint32_t n = s->nfields;

	while (n && row_is_blank(&s->fields[n - 1], now))
		n--;
	row = line_array();
	for (uint32_t i = 0; i < n; i++) {
		const struct field *f = &s->fields[i];
		struct json_object *v;

		if (f->kind == FIELD_ROW)
			v = row_out(w, f->shape, NULL, member_of(now, f->offset));
		else if (before && f->flags & FIELD_AGE && f->kind == FIELD_U64 &&
			 !field_changed(f, before, now, w->elapsed))
			v = line_string(AGE_EXPECTED);
		else if (f->kind == FIELD_TIME)
			v = time_out(w, f, (int64_t)field_get(f, now));
		else
			v = value_out(f, field_get(f, now), w->mono_us);
		line_push(row, v);
	}
	return row;
}

/* --- counters --- */

static struct json_object *put_counters(const struct writer *w, const struct field *f, const void *before,
					const void *now)
{
	const struct counters *was = before ? member_of(before, f->offset) : NULL;

	return counters_out(f, was && was->value ? was : NULL, member_of(now, f->offset), w->mirror, w->scratch);
}

/* --- lists --- */

static struct json_object *numbers_out(struct items items)
{
	struct json_object *array = line_array();

	for (uint32_t i = 0; i < items.n; i++)
		line_push(array, line_u64(((const uint64_t *)(const void *)items.at)[i]));
	return array;
}

static struct json_object *key_out(const struct writer *w, const struct field *f, const void *item)
{
	if (f->kind == FIELD_STRING)
		return line_string(field_string(f, item));
	return value_out(f, field_get(f, item), w->mono_us);
}

static struct json_object *keys_out(const struct writer *w, const struct shape *s, const void *item)
{
	struct json_object *obj = line_object();

	for (uint32_t i = 0; i < shape_keys(s); i++)
		line_add(obj, s->fields[i].name, key_out(w, &s->fields[i], item));
	return obj;
}

/* An item whole (before is NULL) or its changes, behind its keys. */
static void put_item(const struct writer *w, struct json_object *obj, const struct shape *s,
		     const void *before, const void *now)
{
	struct level l = { .obj = obj };

	put_fields(w, &l, s, before, now);
	if (l.gone)
		line_add(obj, "gone", l.gone);
}

static struct json_object *list_whole(const struct writer *w, const struct field *f,
				      struct items items)
{
	const struct shape *s = f->shape;
	struct json_object *array = line_array();

	for (uint32_t i = 0; i < items.n; i++) {
		const void *item = item_at(s, items, i);
		struct json_object *v;

		if (f->kind == FIELD_ROWS) {
			v = row_out(w, s, NULL, item);
		} else {
			v = keys_out(w, s, item);
			put_item(w, v, s, NULL, item);
		}
		line_push(array, v);
	}
	return array;
}

/*
 * What list_changes() goes by. Places are given only to items that the order before does not place.
 */
struct changes {
	const struct field *f;
	struct items was, is;
	struct pairing pair;
	const bool *moved;          /* NULL where nothing was added, moved or lost */
	uint32_t tail;              /* from here on there are only new items: they need no place */
	struct pair_index *index;   /* of is */
	struct pair_alone *alone;   /* of was; NULL where nothing names an item alone */
};

static void find_changes(const struct writer *w, struct changes *c)
{
	const struct shape *s = c->f->shape;

	pair_lists(s, c->was, c->is, w->scratch, &c->pair);
	c->index = pair_index_make(s, c->is, w->scratch);
	c->alone = pair_alone_make(s, c->was, w->scratch);
	c->tail = c->is.n;
	if (c->pair.same)
		return;
	c->moved = pair_moved(&c->pair, c->is.n, w->scratch);
	while (c->tail && c->pair.old_of[c->tail - 1] == PAIR_NONE)
		c->tail--;
}

static const void *old_item(const struct changes *c, uint32_t i)
{
	uint32_t old = pair_old(&c->pair, i);

	return old == PAIR_NONE ? NULL : item_at(c->f->shape, c->was, old);
}

/*
 * What names item old of the list before, which is now item: one number where that is enough, else its keys, and which of its
 * twins it is.
 */
static struct json_object *name_out(const struct writer *w, const struct changes *c, uint32_t old,
				    const void *item, uint32_t nth)
{
	struct json_object *obj;

	if (c->alone && pair_only(c->alone, item) == old) {
		const struct field *f = pair_alone_field(c->alone);

		obj = line_object();
		line_add(obj, f->name, value_out(f, field_get(f, item), w->mono_us));
		return obj;
	}
	obj = keys_out(w, c->f->shape, item);
	if (nth)
		line_add(obj, "nth", line_u64(nth));
	return obj;
}

static struct json_object *new_name_out(const struct writer *w, const struct changes *c, uint32_t i)
{
	struct json_object *obj = keys_out(w, c->f->shape, item_at(c->f->shape, c->is, i));

	if (pair_nth(c->index, i))
		line_add(obj, "nth", line_u64(pair_nth(c->index, i)));
	return obj;
}

static void add_row(const struct writer *w, const struct changes *c, uint32_t i,
		    struct json_object *array)
{
	const struct shape *s = c->f->shape;
	const void *before = old_item(c, i), *now = item_at(s, c->is, i);

	if (!before || shape_changed(s, before, now, w->elapsed))
		line_push(array, row_out(w, s, before, now));
}

static void add_object(const struct writer *w, const struct changes *c, uint32_t i,
		       struct json_object *array)
{
	const struct shape *s = c->f->shape;
	const void *before = old_item(c, i), *now = item_at(s, c->is, i);
	bool placed = c->moved && (c->moved[i] || (!before && i < c->tail));
	struct json_object *obj;

	if (before && !placed && !shape_changed(s, before, now, w->elapsed))
		return;
	obj = before ? name_out(w, c, pair_old(&c->pair, i), now, pair_nth(c->index, i))
		     : new_name_out(w, c, i);
	if (placed)
		line_add(obj, "at", line_u64(i));
	put_item(w, obj, s, before, now);
	line_push(array, obj);
}

static struct json_object *gone_items(const struct writer *w, const struct changes *c)
{
	const struct shape *s = c->f->shape;
	struct pair_index *index = pair_index_make(s, c->was, w->scratch);
	struct json_object *array = line_array();

	for (uint32_t i = 0; i < c->was.n; i++) {
		const void *item = item_at(s, c->was, i);

		if (c->pair.new_of[i] != PAIR_NONE)
			continue;
		line_push(array, c->f->kind == FIELD_ROWS
						     ? key_out(w, &s->fields[0], item)
						     : name_out(w, c, i, item, pair_nth(index, i)));
	}
	return array;
}

static bool has_gone(const struct changes *c)
{
	for (uint32_t i = 0; !c->pair.same && i < c->was.n; i++)
		if (c->pair.new_of[i] == PAIR_NONE)
			return true;
	return false;
}

/* Rows have no member for a place or a twin's number: can the list do without? */
static bool rows_suffice(const struct writer *w, const struct changes *c)
{
	if (pair_has_twins(c->index) ||
	    pair_has_twins(pair_index_make(c->f->shape, c->was, w->scratch)))
		return false;
	for (uint32_t i = 0; c->moved && i < c->is.n; i++)
		if (c->moved[i] || (i < c->tail && c->pair.old_of[i] == PAIR_NONE))
			return false;
	return true;
}

static void set_gone(struct level *l, const char *name, struct json_object *what)
{
	if (!l->gone)
		l->gone = line_object();
	line_add(l->gone, name, what);
}

static struct json_object *list_changes(const struct writer *w, struct level *l,
					const struct field *f, const void *before, const void *now)
{
	struct changes c = { .f = f, .was = field_items(f, before), .is = field_items(f, now) };
	struct json_object *array;

	if (c.was.n && !c.is.n)
		set_gone(l, f->name, line_bool(1));
	if (!c.was.n || !c.is.n)
		return c.is.n ? list_whole(w, f, c.is) : NULL;
	find_changes(w, &c);
	if (f->kind == FIELD_ROWS && !rows_suffice(w, &c)) {
		set_gone(l, f->name, line_bool(1));
		return list_whole(w, f, c.is);
	}
	if (has_gone(&c))
		set_gone(l, f->name, gone_items(w, &c));
	array = line_array();
	for (uint32_t i = 0; i < c.is.n; i++)
		(f->kind == FIELD_ROWS ? add_row : add_object)(w, &c, i, array);
	if (json_object_array_length(array))
		return array;
	json_object_put(array);
	return NULL;
}

/* --- structs --- */

static void put_struct(const struct writer *w, struct level *l, const struct field *f,
		       const void *before, const void *now)
{
	const void *was = before ? member_of(before, f->offset) : NULL;
	struct json_object *obj;

	if (!f->name) {
		put_fields(w, l, f->shape, was, member_of(now, f->offset));
		return;
	}
	obj = line_object();
	put_item(w, obj, f->shape, was, member_of(now, f->offset));
	if (json_object_object_length(obj))
		line_add(l->obj, f->name, obj);
	else
		json_object_put(obj);
}

static void put_field(const struct writer *w, struct level *l, const struct field *f,
		      const void *before, const void *now)
{
	struct json_object *v = NULL;

	if (f->kind == FIELD_STRUCT) {
		put_struct(w, l, f, before, now);
		return;
	}
	if (field_is_list(f)) {
		v = before ? list_changes(w, l, f, before, now)
			   : list_whole(w, f, field_items(f, now));
		if (v)
			line_add(l->obj, f->name, v);
		return;
	}
	if (field_is_scalar(f))
		v = value_out(f, field_get(f, now), w->mono_us);
	else if (f->kind == FIELD_STRING)
		v = line_string(field_string(f, now));
	else if (f->kind == FIELD_COUNTERS)
		v = put_counters(w, f, before, now);
	else if (f->kind == FIELD_ROW)
		v = row_out(w, f->shape, NULL, member_of(now, f->offset));
	else
		v = numbers_out(field_items(f, now));
	line_add(l->obj, f->name, v);
}

static void put_fields(const struct writer *w, struct level *l, const struct shape *s,
		       const void *before, const void *now)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (f->flags & (FIELD_KEY | FIELD_HEAD))
			continue;
		if (before ? field_changed(f, before, now, w->elapsed) : !field_is_blank(f, now))
			put_field(w, l, f, before, now);
	}
}

/* --- the line --- */

static bool once_changed(const struct shape *s, const void *before, const void *now)
{
	static const struct elapsed none;

	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (f->flags & FIELD_ONCE && field_changed(f, before, now, none))
			return true;
		if (f->kind == FIELD_STRUCT && once_changed(f->shape, member_of(before, f->offset),
							    member_of(now, f->offset)))
			return true;
	}
	return false;
}

/* Can a line of changes say it? Not after a hole, nor on another machine, nor after a boot. */
static bool can_follow(const struct sample *before, const struct sample *now)
{
	return before && now->n == before->n + 1 && !once_changed(&sample_shape, before, now);
}

/* The sample that changes are reckoned against: before as a reader of our lines holds it. */
static const struct sample *basis(struct codec *c, const struct sample *before,
				  const struct sample *now)
{
	const struct sample *shadow = &c->shadow[c->at];

	if (!can_follow(before, now))
		return NULL;
	if (c->has_shadow && shadow->n == before->n && shadow->mono_us == before->mono_us &&
	    sample_equal(shadow, before, NULL, 0))
		return shadow;
	return before;
}

void codec_write(struct codec *c, const struct sample *before, const struct sample *now,
		 struct buf *out)
{
	const struct sample *base = basis(c, before, now);
	struct sample *is = &c->shadow[!c->at];
	int64_t time = 0;
	struct mirror mirror;
	struct writer w = { .scratch = c->scratch, .mono_us = now->mono_us, .time = &time };
	struct level l = { .obj = line_object() };

	arena_reset(c->scratch);
	sample_copy(now, is);
	if (base) {
		w.elapsed = elapsed_between(base, is);
		mirror = mirror_between(&base->vmstat, is, c->scratch);
		w.mirror = &mirror;
		sample_settle(base, is, c->scratch);
	}
	line_add(l.obj, "type", line_string("sample"));
	line_add(l.obj, "mono_us", line_i64(now->mono_us));
	line_add(l.obj, "n", line_u64(now->n));
	line_add(l.obj, "key", line_bool(!base));
	put_fields(&w, &l, &sample_shape, base, is);
	if (l.gone)
		line_add(l.obj, "gone", l.gone);
	line_finish(c, l.obj, out);
	c->at = !c->at;
	c->has_shadow = true;
}

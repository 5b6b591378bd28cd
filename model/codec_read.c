/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sample of a line stands in its arena already when the line is gone through: blank for a whole
 * line, else a copy of the one before for which the time has passed. So only what the line says is
 * touched.
 */
#include <errno.h>
#include <string.h>

#include "read.h"
#include "reclaimtop/names.h"

/* --- strings: a file is a stranger's, so what could harm a terminal is escaped (again) --- */

static const char *safe(struct reader *r, const char *s, size_t len)
{
	buf_clear(r->text);
	buf_reserve(r->text, len + 1);
	return name_escape(r->arena, r->text->data, name_unescape(s, r->text->data));
}

const char *string_in(struct reader *r, struct json_object *v)
{
	const char *s;
	size_t len;

	if (!json_object_is_type(v, json_type_string))
		return NULL;
	s = json_object_get_string(v);
	len = (size_t)json_object_get_string_len(v);
	return strlen(s) == len ? safe(r, s, len) : NULL;
}

/* --- rows --- */

static bool is_word(struct json_object *v, const char *word)
{
	return json_object_is_type(v, json_type_string) && !strcmp(json_object_get_string(v), word);
}

static uint64_t time_in(struct reader *r, const struct field *f, struct json_object *v)
{
	uint64_t us = is_word(v, TIME_BEFORE) ? r->time : value_in(f, v, r->mono_us);

	if (us)
		r->time = us;
	return us;
}

void row_in(struct reader *r, struct json_object *row, const struct shape *s, void *item)
{
	size_t n = json_object_is_type(row, json_type_array) ? json_object_array_length(row) : 0;

	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		struct json_object *v = i < n ? json_object_array_get_idx(row, i) : NULL;

		if (f->kind == FIELD_ROW)
			row_in(r, v, f->shape, member_of(item, f->offset));
		else if (f->kind == FIELD_TIME)
			field_set(f, item, time_in(r, f, v));
		else if (!(f->flags & FIELD_AGE) || !is_word(v, AGE_EXPECTED))
			field_set(f, item, value_in(f, v, r->mono_us));
	}
}

/* --- counters --- */

static struct named *find_more(struct arena_list *more, const char *name, uint32_t *hint)
{
	struct named *items = more->items;

	for (uint32_t i = 0; i < more->n; i++) {
		uint32_t at = (*hint + i) % more->n;

		if (!strcmp(items[at].name, name)) {
			*hint = at + 1;
			return &items[at];
		}
	}
	return NULL;
}

/* Names that are new to us stand behind those that were there; a null takes a name away. */
static void more_in(struct reader *r, struct json_object *obj, const struct field *f,
		    struct counters *c)
{
	struct arena_list more = { 0 };
	uint32_t old = c->nmore, hint = 0, kept = 0, place = 0;

	for (uint32_t i = 0; i < old; i++)
		*(struct named *)arena_push(r->arena, &more, sizeof(struct named)) = c->more[i];
	json_object_object_foreach(obj, name, v) {
		struct arena_list before = { more.items, old, old };
		struct named *m;

		if (keytab_find(f->tab, name, strlen(name), &place) < f->tab->n ||
		    (f->flags & FIELD_MIRROR && !strcmp(name, MIRROR_NAME)))
			continue;
		m = find_more(&before, name, &hint);
		if (!m) {
			m = arena_push(r->arena, &more, sizeof(*m));
			m->name = safe(r, name, strlen(name));
		}
		m->value = line_number(v);
	}
	c->more = more.items;
	for (uint32_t i = 0; i < more.n; i++)
		if (c->more[i].value != UNKNOWN)
			c->more[kept++] = c->more[i];
	c->nmore = kept;
}

static bool is_mirror(struct json_object *obj, const struct field *f)
{
	struct json_object *of = NULL;

	return f->flags & FIELD_MIRROR && json_object_object_get_ex(obj, MIRROR_NAME, &of) &&
	       is_word(of, MIRROR_OF);
}

/* What vmstat has on this line is so here too, where it was known. */
static void mirror_in(const struct mirror *m, const struct keytab *tab, struct counters *c)
{
	uint32_t hint = 0;

	if (!m->now)
		return;
	for (uint32_t i = 0; i < tab->n; i++) {
		uint64_t is = c->value[i] == UNKNOWN ? UNKNOWN : mirror_value(m, tab, i, &hint);

		if (is != UNKNOWN)
			c->value[i] = is;
	}
}

/* vmstat stands before all that mirrors it, in the table of fields, and is read by now. */
static void mirror_open(struct reader *r)
{
	uint32_t hint = 0;
	bool *moved;

	if (!json_object_is_type(r->vmstat, json_type_object) || !r->sample->vmstat.value)
		return;
	moved = arena_alloc(r->scratch, VM_NR * sizeof(*moved));
	json_object_object_foreach(r->vmstat, name, v) {
		uint32_t i = keytab_find(&keytab_vmstat, name, strlen(name), &hint);

		if (i < VM_NR)
			moved[i] = line_number(v) != UNKNOWN;
	}
	r->mirror = (struct mirror){ r->sample->vmstat.value, moved, r->sample->machine.page_size };
}

/*
 * vmstat's own lists by zone. What the line has of vmstat is made ready here: these are on it, too.
 */
static void lists_in(struct reader *r, struct json_object *obj, struct counters *c)
{
	if (!r->vmstat)
		return;
	mirror_open(r);
	for (uint32_t i = 0; r->mirror.now && i < VM_NR; i++) {
		uint32_t list = mirror_list(i);

		if (list == VM_NR || !r->mirror.moved[list] || c->value[i] == UNKNOWN ||
		    json_object_object_get_ex(obj, keytab_vmstat.keys[i].name, NULL))
			continue;
		c->value[i] = c->value[list];
		r->mirror.moved[i] = true;
	}
}

static void counters_in(struct reader *r, struct json_object *obj, const struct field *f,
			struct counters *c)
{
	uint32_t hint = 0;

	if (!json_object_is_type(obj, json_type_object)) {
		*c = (struct counters){ 0 };
		return;
	}
	if (!c->value)
		counters_init(c, f->tab, r->arena);
	if (f->tab != &keytab_vmstat && is_mirror(obj, f)) {
		if (!r->mirror.now)
			mirror_open(r);
		mirror_in(&r->mirror, f->tab, c);
	}
	json_object_object_foreach(obj, name, v) {
		uint32_t i = keytab_find(f->tab, name, strlen(name), &hint);

		if (i < f->tab->n)
			c->value[i] = line_number(v);
	}
	if (f->tab == &keytab_vmstat && is_mirror(obj, f))
		lists_in(r, obj, c);
	more_in(r, obj, f, c);
}

static struct items numbers_in(struct reader *r, struct json_object *array)
{
	struct items items = { NULL, 0 };
	uint64_t *at;

	if (!json_object_is_type(array, json_type_array))
		return items;
	items.n = (uint32_t)json_object_array_length(array);
	at = arena_alloc(r->arena, items.n * sizeof(*at));
	for (uint32_t i = 0; i < items.n; i++)
		at[i] = line_number(json_object_array_get_idx(array, i));
	items.at = (char *)at;
	return items;
}

/* --- structs --- */

static void read_field(struct reader *r, const struct field *f, struct json_object *v, void *item)
{
	void *member = member_of(item, f->offset);

	if (field_is_scalar(f))
		field_set(f, item, value_in(f, v, r->mono_us));
	else if (f->kind == FIELD_STRING)
		field_set_string(f, item, string_in(r, v));
	else if (f->kind == FIELD_COUNTERS)
		counters_in(r, v, f, member);
	else if (f->kind == FIELD_NUMBERS)
		field_set_items(f, item, numbers_in(r, v));
	else if (f->kind == FIELD_ROW && !json_object_is_type(v, json_type_object))
		row_in(r, v, f->shape, member);
	else if (json_object_is_type(v, json_type_object))
		read_fields(r, v, f->shape, member);
	else
		shape_blank(f->shape, member);
}

void read_fields(struct reader *r, struct json_object *obj, const struct shape *s,
			void *item)
{
	struct json_object *gone = NULL;

	json_object_object_get_ex(obj, "gone", &gone);
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		struct json_object *v = NULL, *g = NULL;
		bool there = f->name && json_object_object_get_ex(obj, f->name, &v);

		if (f->flags & (FIELD_KEY | FIELD_HEAD))
			continue;
		if (!f->name)
			read_fields(r, obj, f->shape, member_of(item, f->offset));
		else if (!field_is_list(f) && there)
			read_field(r, f, v, item);
		else if (field_is_list(f) &&
			 (json_object_object_get_ex(gone, f->name, &g) || there))
			list_in(r, f, item, v, g);
	}
}

/* --- the line --- */

struct head {
	struct json_object *type, *mono_us, *n, *key;
};

static bool head_in(struct json_object *obj, struct head *h)
{
	return json_object_object_get_ex(obj, "type", &h->type) &&
	       json_object_is_type(h->type, json_type_string) &&
	       !strcmp(json_object_get_string(h->type), "sample") &&
	       json_object_object_get_ex(obj, "mono_us", &h->mono_us) &&
	       json_object_is_type(h->mono_us, json_type_int) &&
	       json_object_object_get_ex(obj, "n", &h->n) &&
	       json_object_is_type(h->n, json_type_int) &&
	       json_object_object_get_ex(obj, "key", &h->key) &&
	       json_object_is_type(h->key, json_type_boolean);
}

static int read_line(struct codec *c, struct json_object *obj, const struct sample *before,
		     struct sample *out)
{
	struct reader r = { .arena = out->arena, .scratch = c->scratch, .text = &c->text, .sample = out };
	struct head h;
	uint64_t n;

	if (!head_in(obj, &h))
		return -EPROTO;
	n = json_object_get_uint64(h.n);
	r.mono_us = json_object_get_int64(h.mono_us);
	if (json_object_get_boolean(h.key)) {
		sample_reset(out);
		shape_blank(&sample_shape, out);
	} else {
		if (!before || n != before->n + 1)
			return -ESTALE;
		sample_copy(before, out);
		sample_carry(out, r.mono_us);
		json_object_object_get_ex(obj, "vmstat", &r.vmstat);
	}
	out->mono_us = r.mono_us;
	out->n = n;
	read_fields(&r, obj, &sample_shape, out);
	return 0;
}

int codec_read(struct codec *c, const char *line, size_t len, const struct sample *before,
	       struct sample *out)
{
	struct json_object *obj = NULL;
	int err = line_parse(c, line, len, &obj);

	arena_reset(c->scratch);
	if (!err)
		err = read_line(c, obj, before, out);
	if (err)
		sample_reset(out);
	json_object_put(obj);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The way back of pack.c: each function here reads what the one of the same name there wrote. */
#include <string.h>

#include "pack.h"

/*
 * Items are changed where they stand: they are a copy of those before, for which time has passed
 * already.
 */
struct unpacker {
	const unsigned char *at, *end;
	struct arena *arena;
	bool bad;
};

static uint64_t get(struct unpacker *u)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64 && u->at < u->end; shift += 7) {
		unsigned char b = *u->at++;

		v |= (uint64_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return v;
	}
	u->bad = true;
	return 0;
}

static uint64_t get_change(struct unpacker *u, uint64_t from)
{
	uint64_t v = get(u);

	return from + (v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

/* A count, or a count plus 1, of things that take at least a byte each. */
static uint32_t get_count(struct unpacker *u)
{
	uint64_t n = get(u);

	if (n > (uint64_t)(u->end - u->at) + 1 || n >= UINT32_MAX) {
		u->bad = true;
		return 0;
	}
	return (uint32_t)n;
}

static const char *get_string(struct unpacker *u)
{
	uint64_t n = get(u);
	const char *s = (const char *)u->at;

	if (!n)
		return NULL;
	if (n - 1 > (uint64_t)(u->end - u->at)) {
		u->bad = true;
		return NULL;
	}
	u->at += n - 1;
	return arena_strn(u->arena, s, (size_t)(n - 1));
}

/* The next index of a list of n of which some are skipped; false at the end. */
static bool get_next(struct unpacker *u, uint32_t *next, uint32_t n)
{
	uint64_t skip = get(u);

	if (!skip || u->bad)
		return false;
	if (*next >= n || skip > n - *next) {
		u->bad = true;
		return false;
	}
	*next += (uint32_t)skip;
	return true;
}

static void get_more(struct unpacker *u, struct counters *c)
{
	uint32_t n = get_count(u);
	const struct named *was = c->more;

	if (n) {
		c->nmore = n - 1;
		c->more = arena_alloc(u->arena, c->nmore * sizeof(*c->more));
	}
	for (uint32_t i = 0; i < c->nmore && !u->bad; i++) {
		const char *name = n ? get_string(u) : was[i].name;

		c->more[i].name = name ? name : "";
		c->more[i].value = get_change(u, n ? 0 : was[i].value);
	}
	if (u->bad)
		c->nmore = 0;
}

static void get_counters(struct unpacker *u, const struct field *f, struct counters *c)
{
	uint64_t how = get(u);
	uint32_t next = 0;

	if (!how) {
		*c = (struct counters){ 0 };
		return;
	}
	c->tab = f->tab;
	if (how > 1 || !c->value) {
		c->value = arena_alloc(u->arena, f->tab->n * sizeof(*c->value));
		for (uint32_t i = 0; i < f->tab->n && !u->bad; i++)
			c->value[i] = get_change(u, 0);
	} else {
		while (get_next(u, &next, f->tab->n))
			c->value[next - 1] = get_change(u, c->value[next - 1]);
	}
	get_more(u, c);
}

static void get_numbers(struct unpacker *u, const struct field *f, void *item)
{
	struct items was = field_items(f, item);
	uint32_t n = get_count(u);
	const uint64_t *a = (const void *)was.at;
	uint64_t *b = arena_alloc(u->arena, n * sizeof(*b));

	for (uint32_t i = 0; i < n && !u->bad; i++)
		b[i] = get_change(u, i < was.n ? a[i] : 0);
	field_set_items(f, item, (struct items){ (char *)b, n });
}

static void get_fields(struct unpacker *u, const struct shape *s, void *item);

static void get_kept(struct unpacker *u, const struct shape *s, struct items items)
{
	uint32_t next = 0;

	while (get_next(u, &next, items.n))
		get_fields(u, s, item_at(s, items, next - 1));
}

static void get_rearranged(struct unpacker *u, const struct shape *s, struct items was,
			   struct items is)
{
	uint64_t next = 0;

	for (uint32_t i = 0; i < is.n && !u->bad; i++) {
		uint64_t code = get(u);
		uint64_t away = code ? code - 1 : 0;

		if (code) {
			next += away & 1 ? -(away / 2 + 1) : away / 2;
			if (next >= was.n) {
				u->bad = true;
				return;
			}
			memcpy(item_at(s, is, i), item_at(s, was, (uint32_t)next), s->size);
			next++;
		}
		get_fields(u, s, item_at(s, is, i));
	}
}

static void get_list(struct unpacker *u, const struct field *f, void *item)
{
	struct items was = field_items(f, item), is;
	uint32_t n = get_count(u);

	if (!n) {
		get_kept(u, f->shape, was);
		return;
	}
	is.n = n - 1;
	is.at = arena_alloc(u->arena, is.n * f->shape->size);
	get_rearranged(u, f->shape, was, is);
	field_set_items(f, item, is);
}

static void get_field(struct unpacker *u, const struct field *f, void *item)
{
	if (field_is_scalar(f))
		field_set(f, item, get_change(u, field_get(f, item)));
	else if (f->kind == FIELD_STRING)
		field_set_string(f, item, get_string(u));
	else if (f->kind == FIELD_COUNTERS)
		get_counters(u, f, member_of(item, f->offset));
	else if (f->kind == FIELD_NUMBERS)
		get_numbers(u, f, item);
	else if (field_is_list(f))
		get_list(u, f, item);
	else
		get_fields(u, f->shape, member_of(item, f->offset));
}

static void get_fields(struct unpacker *u, const struct shape *s, void *item)
{
	uint64_t mask = get(u);

	for (uint32_t i = 0; i < s->nfields && !u->bad; i++)
		if (mask >> i & 1)
			get_field(u, &s->fields[i], item);
}

bool pack_in(const struct sample *before, const char *bytes, size_t len, struct sample *out)
{
	struct unpacker u = { (const unsigned char *)bytes, (const unsigned char *)bytes + len,
			      out->arena, false };

	if (before) {
		sample_copy(before, out);
	} else {
		arena_reset(out->arena);
		*out = (struct sample){ .arena = out->arena };
	}
	if (before)
		sample_carry(out, (int64_t)get_change(&u, (uint64_t)out->mono_us));
	else
		out->mono_us = (int64_t)get_change(&u, 0);
	out->n = get_change(&u, out->n);
	get_fields(&u, &sample_shape, out);
	return !u.bad && u.at == u.end;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "walk.h"

/* Where the first difference is, built from the inside out. */
struct why {
	char *text;
	size_t size;
};

static bool same_fields(const struct shape *s, const void *a, const void *b, struct why w);

static void say(struct why w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct why w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (w.size)
		vsnprintf(w.text, w.size, format, args);
	va_end(args);
}

/* Put this in front of what was said. */
static void prefix(struct why w, const char *what)
{
	size_t len = strlen(what);
	size_t keep;

	if (!w.size)
		return;
	if (len > w.size - 1)
		len = w.size - 1;
	keep = strlen(w.text);
	if (keep > w.size - 1 - len)
		keep = w.size - 1 - len;
	memmove(w.text + len, w.text, keep);
	memcpy(w.text, what, len);
	w.text[len + keep] = '\0';
}

static bool same_number(uint64_t a, uint64_t b, struct why w)
{
	if (a == b)
		return true;
	say(w, ": %" PRId64 " != %" PRId64, (int64_t)a, (int64_t)b);
	return false;
}

static bool same_scalar(const struct field *f, const void *a, const void *b, struct why w)
{
	uint64_t va = field_get(f, a), vb = field_get(f, b);

	if (f->flags & FIELD_AGE && f->kind == FIELD_U64 && va < UNLIMITED && vb < UNLIMITED &&
	    (va > vb ? va - vb : vb - va) <= AGE_TOLERANCE_MS)
		return true;
	return same_number(va, vb, w);
}

static bool same_string(const char *a, const char *b, struct why w)
{
	if (string_same(a, b))
		return true;
	say(w, ": \"%s\" != \"%s\"", a ? a : "(none)", b ? b : "(none)");
	return false;
}

static bool same_value(const struct counters *a, const struct counters *b, const char *name,
		       struct why w)
{
	if (same_number(counters_by_name(a, name), counters_by_name(b, name), w))
		return true;
	prefix(w, name);
	prefix(w, ".");
	return false;
}

static bool same_counters(const struct field *f, const void *left, const void *right, struct why w)
{
	const struct counters *a = member_of(left, f->offset), *b = member_of(right, f->offset);

	if (!a->value || !b->value) {
		if (!a->value == !b->value)
			return true;
		say(w, ": %s != %s", a->value ? "read" : "not read",
		    b->value ? "read" : "not read");
		return false;
	}
	for (uint32_t i = 0; i < f->tab->n; i++)
		if (a->value[i] != b->value[i])
			return same_value(a, b, f->tab->keys[i].name, w);
	for (uint32_t i = 0; i < a->nmore; i++)
		if (!same_value(a, b, a->more[i].name, w))
			return false;
	for (uint32_t i = 0; i < b->nmore; i++)
		if (!same_value(a, b, b->more[i].name, w))
			return false;
	return true;
}

static bool same_item(const struct field *f, struct items a, struct items b, uint32_t i,
		      struct why w)
{
	char place[16];
	bool same = f->shape ? same_fields(f->shape, item_at(f->shape, a, i),
					   item_at(f->shape, b, i), w)
			     : same_number(((uint64_t *)(void *)a.at)[i],
					   ((uint64_t *)(void *)b.at)[i], w);

	if (!same) {
		snprintf(place, sizeof(place), "[%" PRIu32 "]", i);
		prefix(w, place);
	}
	return same;
}

static bool same_items(const struct field *f, const void *left, const void *right, struct why w)
{
	struct items a = field_items(f, left), b = field_items(f, right);

	if (a.n != b.n) {
		say(w, ": %" PRIu32 " items != %" PRIu32, a.n, b.n);
		return false;
	}
	for (uint32_t i = 0; i < a.n; i++)
		if (!same_item(f, a, b, i, w))
			return false;
	return true;
}

static bool same_field(const struct field *f, const void *a, const void *b, struct why w)
{
	if (field_is_scalar(f))
		return same_scalar(f, a, b, w);
	if (f->kind == FIELD_STRING)
		return same_string(field_string(f, a), field_string(f, b), w);
	if (f->kind == FIELD_COUNTERS)
		return same_counters(f, a, b, w);
	if (field_is_struct(f))
		return same_fields(f->shape, member_of(a, f->offset), member_of(b, f->offset), w);
	return same_items(f, a, b, w);
}

static bool same_fields(const struct shape *s, const void *a, const void *b, struct why w)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (same_field(f, a, b, w))
			continue;
		if (f->name) {
			prefix(w, f->name);
			prefix(w, ".");
		}
		return false;
	}
	return true;
}

bool sample_equal(const struct sample *a, const struct sample *b, char *why, size_t size)
{
	if (size)
		why[0] = '\0';
	return same_fields(&sample_shape, a, b, (struct why){ why, size });
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec_counters.c - sets of names and values as an object: what is not as a reader would expect it.
 */
#include "line.h"
#include "mirror.h"

static uint64_t more_value(const struct counters *c, const char *name, uint32_t guess)
{
	if (guess < c->nmore && string_same(c->more[guess].name, name))
		return c->more[guess].value;
	for (uint32_t i = 0; i < c->nmore; i++)
		if (string_same(c->more[i].name, name))
			return c->more[i].value;
	return UNKNOWN;
}

static void put_more(struct json_object *obj, const struct counters *was, const struct counters *is)
{
	static const struct counters none;
	const struct counters *from = was ? was : &none;

	for (uint32_t i = 0; i < is->nmore; i++)
		if (is->more[i].value != more_value(from, is->more[i].name, i))
			line_add(obj, is->more[i].name, line_u64(is->more[i].value));
	for (uint32_t i = 0; i < from->nmore; i++)
		if (more_value(is, from->more[i].name, i) == UNKNOWN)
			line_add(obj, from->more[i].name, NULL);
}

/*
 * What a reader holds of each number before it sees the object: what was, or where the object says
 * so, what vmstat has on this line. One for each key of the table.
 */
static uint64_t *expect(const struct field *f, const struct counters *was, const struct mirror *mirror,
			struct arena *scratch)
{
	uint64_t *out = arena_alloc(scratch, f->tab->n * sizeof(*out));
	uint32_t hint = 0;

	for (uint32_t i = 0; i < f->tab->n; i++) {
		uint64_t vm = UNKNOWN;

		out[i] = was ? was->value[i] : UNKNOWN;
		if (mirror && out[i] != UNKNOWN)
			vm = mirror_value(mirror, f->tab, i, &hint);
		if (vm != UNKNOWN)
			out[i] = vm;
	}
	return out;
}

static uint32_t count_others(const struct field *f, const uint64_t *expected, const struct counters *is)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->tab->n; i++)
		n += expected[i] != is->value[i];
	return n;
}

struct json_object *counters_out(const struct field *f, const struct counters *was, const struct counters *is,
				 struct mirror *mirror, struct arena *scratch)
{
	const uint64_t *expected, *mirrored;
	struct json_object *obj;

	if (!is->value)
		return NULL;
	obj = line_object();
	expected = expect(f, was, NULL, scratch);
	if (f->flags & FIELD_MIRROR && was && mirror && mirror->now) {
		mirrored = expect(f, was, mirror, scratch);
		if (count_others(f, mirrored, is) + 1 < count_others(f, expected, is)) {
			line_add(obj, MIRROR_NAME, line_string(MIRROR_OF));
			expected = mirrored;
			if (f->tab == &keytab_vmstat)
				mirror_lists(mirror, was->value);
		}
	}
	for (uint32_t i = 0; i < f->tab->n; i++)
		if (is->value[i] != expected[i])
			line_add(obj, f->tab->keys[i].name, line_u64(is->value[i]));
	put_more(obj, was, is);
	return obj;
}

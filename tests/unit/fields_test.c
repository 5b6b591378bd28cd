/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/fields.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/pair.h"
#include "support_sample.h"

typedef void shape_fn(const struct shape *s, void *arg);

/* Call fn for every shape once. */
static void each_shape(const struct shape *s, shape_fn *fn, void *arg)
{
	fn(s, arg);
	for (uint32_t i = 0; i < s->nfields; i++)
		if (s->fields[i].shape)
			each_shape(s->fields[i].shape, fn, arg);
}

static size_t size_of(const struct field *f)
{
	switch (f->kind) {
	case FIELD_U8:
	case FIELD_BOOL:
	case FIELD_CHAR:
		return 1;
	case FIELD_U32:
	case FIELD_ENUM:
		return 4;
	case FIELD_SOURCE:
		return offsetof(struct reading, err) + sizeof(int);
	case FIELD_STRUCT:
	case FIELD_ROW:
		return f->shape->size;
	case FIELD_COUNTERS:
		return sizeof(struct counters);
	case FIELD_STRING:
	case FIELD_LIST:
	case FIELD_ROWS:
	case FIELD_NUMBERS:
		return sizeof(void *);
	default:
		return 8;
	}
}

static void has_sense(const struct shape *s, void *arg)
{
	bool keys = true;

	(void)arg;
	assert_true(s->nfields && s->nfields <= 64 && s->size <= sample_shape.size);
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		assert_true(f->offset + size_of(f) <= s->size);
		assert_true(!(f->flags & FIELD_KEY) || keys);
		keys = keys && f->flags & FIELD_KEY;
		assert_int_equal(!!f->tab, f->kind == FIELD_COUNTERS);
		assert_int_equal(!!f->names, f->kind == FIELD_ENUM);
		assert_int_equal(!!f->shape, field_is_list(f) || field_is_struct(f));
		assert_true(f->name || f->kind == FIELD_STRUCT);
		for (uint32_t j = 0; f->name && j < i; j++)
			assert_true(!s->fields[j].name || strcmp(f->name, s->fields[j].name));
		/* Words that the format gives another meaning. */
		assert_true(!f->name || (strcmp(f->name, "gone") && strcmp(f->name, "nth") &&
					 strcmp(f->name, "at") && strcmp(f->name, "crc")));
		if (field_is_list(f))
			assert_true(shape_keys(f->shape) > 0);
		if (f->kind == FIELD_ROWS)
			assert_int_equal(shape_keys(f->shape), 1);
	}
}

static bool holds_pointers(const struct shape *s)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (field_is_struct(f) ? holds_pointers(f->shape) : !field_is_scalar(f))
			return true;
	}
	return false;
}

static void is_flat_or_not(const struct shape *s, void *arg)
{
	(void)arg;
	assert_int_equal(s->flat, !holds_pointers(s));
}

static bool holds_ages(const struct shape *s)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (s->fields[i].flags & FIELD_AGE)
			return true;
	return false;
}

/* A field that holds what moves by itself must say so, or it would be passed by. */
static void ages_are_announced(const struct shape *s, void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (f->shape)
			assert_int_equal(!!(f->flags & FIELD_AGE), holds_ages(f->shape));
		else if (f->flags & FIELD_AGE)
			assert_true(f->kind == FIELD_U64 || f->kind == FIELD_TIME);
	}
}

static void test_table(void **state)
{
	(void)state;
	each_shape(&sample_shape, has_sense, NULL);
	each_shape(&sample_shape, is_flat_or_not, NULL);
	each_shape(&sample_shape, ages_are_announced, NULL);
}

/* --- a member that the table forgets would be lost without a word --- */

static void cover(const struct shape *s, unsigned char *bytes)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (field_is_struct(f))
			cover(f->shape, bytes + f->offset);
		else
			memset(bytes + f->offset, 1, size_of(f));
		if (field_is_list(f) || f->kind == FIELD_NUMBERS)
			memset(bytes + f->count_offset, 1, sizeof(uint32_t));
	}
}

/* Bytes of a struct that no field covers: padding, and the arena of a sample. */
static void covers_all(const struct shape *s)
{
	unsigned char *bytes = calloc(1, s->size);
	size_t run = 0, longest = 0, allowed = s == &sample_shape ? sizeof(void *) : 0;

	cover(s, bytes);
	for (size_t i = 0; i < s->size; i++) {
		run = bytes[i] ? 0 : run + 1;
		longest = run > longest ? run : longest;
	}
	free(bytes);
	/*
	 * A shorter one may be padding: that such a member has a field, test_members() sees by its
	 * count.
	 */
	if (longest >= 8 && longest != allowed)
		fail_msg("%zu bytes after \"%s\" have no field", longest, s->fields[0].name);
}

/* Structs within others may be covered by two shapes together. */
static void items_are_covered(const struct shape *s, void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < s->nfields; i++)
		if (field_is_list(&s->fields[i]))
			covers_all(s->fields[i].shape);
}

#define MEMBERS(type, n) { #type, sizeof(struct type), n }

/*
 * How many values each struct of sample.h holds, counted by hand there. A new member must change a
 * line here.
 */
static const struct {
	const char *type;
	size_t size;
	uint32_t values;
} members[] = {
	MEMBERS(gen, 5),
	MEMBERS(gen_full, 1 + 2 * 4 * 5 + 6),
	MEMBERS(lruvec, 4 + 2 + 2),
	MEMBERS(psi, 8),
	MEMBERS(node, 2),
	MEMBERS(pageset, 6),
	MEMBERS(zone, 19),
	MEMBERS(buddy, 3),
	MEMBERS(pagetype, 5),
	MEMBERS(pageblocks, 4),
	MEMBERS(swap, 5),
	MEMBERS(zram, 10),
	MEMBERS(memcg, 10 + 3 + 8),
	MEMBERS(process, 12),
	MEMBERS(bulk, 4),
	MEMBERS(pcp_blocks, 4),
	MEMBERS(sample, 7 + 15 + READ_NR * (1 + 8) + 10 + 2 + PSI_NR * 8 + 2 + 4 + 4),
};

static uint32_t values_of(const struct shape *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nfields; i++)
		n += field_is_struct(&s->fields[i]) ? values_of(s->fields[i].shape) : 1;
	return n;
}

static void has_its_members(const struct shape *s, void *arg)
{
	unsigned int *found = arg;

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (members[i].size != s->size || members[i].values != values_of(s))
			continue;
		*found |= 1u << i;
	}
}

static void test_members(void **state)
{
	unsigned int found = 0;

	(void)state;
	covers_all(&sample_shape);
	each_shape(&sample_shape, items_are_covered, NULL);
	each_shape(&sample_shape, has_its_members, &found);
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (!(found >> i & 1))
			fail_msg("no shape has the members of struct %s", members[i].type);
}

/* "sources" and "readings" go by the names that the program shows. */
static void test_source_names(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < sample_shape.nfields; i++) {
		const struct field *f = &sample_shape.fields[i];

		if (!f->name || (strcmp(f->name, "sources") && strcmp(f->name, "readings")))
			continue;
		assert_int_equal(f->shape->nfields, READ_NR);
		for (uint32_t j = 0; j < READ_NR; j++)
			assert_string_equal(f->shape->fields[j].name, source_infos[j].name);
	}
}

/* --- copies and comparison --- */

static void test_copy(void **state)
{
	struct sample s = { .arena = arena_new() }, copy = { .arena = arena_new() };
	struct sample again = { .arena = arena_new() };
	char why[200];

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct rng r = { seed };
		void *old = s.arena;

		sample_random(&r, &s);
		sample_copy(&s, &copy);
		assert_true(sample_equal(&s, &copy, why, sizeof(why)));
		sample_copy(&copy, &again);
		/* Nothing of the copy lies in what it was copied from. */
		arena_free(s.arena);
		assert_true(copy.arena != old);
		if (!sample_equal(&again, &copy, why, sizeof(why)))
			fail_msg("%s", why);
		s.arena = arena_new();
	}
	arena_free(s.arena);
	arena_free(copy.arena);
	arena_free(again.arena);
}

/* Change each value of a sample, one at a time, and see that it is noticed. */
struct probe {
	const struct sample *a;
	struct sample *b;
	uint32_t tried;
};

static void probe_fields(struct probe *p, const struct shape *s, void *item);

static void noticed(struct probe *p, const char *name)
{
	char why[200];

	p->tried++;
	if (sample_equal(p->a, p->b, why, sizeof(why)))
		fail_msg("a change of \"%s\" went unnoticed", name);
	if (!strstr(why, name))
		fail_msg("\"%s\" does not name %s", why, name);
	assert_false(sample_equal(p->a, p->b, NULL, 0));
}

static void probe_counters(struct probe *p, const struct field *f, struct counters *c)
{
	struct counters was = *c;

	*c = (struct counters){ 0 };
	if (was.value)
		noticed(p, f->name);
	*c = was;
	for (uint32_t i = 0; c->value && i < f->tab->n; i++) {
		c->value[i] ^= 1;
		noticed(p, f->tab->keys[i].name);
		c->value[i] ^= 1;
	}
	for (uint32_t i = 0; i < was.nmore; i++) {
		c->more[i].value ^= 1;
		noticed(p, c->more[i].name);
		c->more[i].value ^= 1;
	}
}

static void probe_items(struct probe *p, const struct field *f, void *item)
{
	struct items items = field_items(f, item);

	if (!items.n)
		return;
	field_set_items(f, item, (struct items){ items.at, items.n - 1 });
	noticed(p, f->name);
	field_set_items(f, item, items);
	for (uint32_t i = 0; f->shape && i < items.n; i++)
		probe_fields(p, f->shape, item_at(f->shape, items, i));
	for (uint32_t i = 0; !f->shape && i < items.n; i++) {
		uint64_t *v = (uint64_t *)(void *)items.at + i;

		*v ^= 1;
		noticed(p, f->name);
		*v ^= 1;
	}
}

static void probe_field(struct probe *p, const struct field *f, void *item)
{
	const char *s;
	uint64_t was;

	if (field_is_struct(f)) {
		probe_fields(p, f->shape, member_of(item, f->offset));
	} else if (f->kind == FIELD_COUNTERS) {
		probe_counters(p, f, member_of(item, f->offset));
	} else if (f->kind == FIELD_STRING) {
		s = field_string(f, item);
		field_set_string(f, item, "another");
		noticed(p, f->name);
		field_set_string(f, item, s);
	} else if (field_is_scalar(f)) {
		was = field_get(f, item);
		field_set(f, item, f->flags & FIELD_AGE ? was ^ 0x1000 : was ^ 1);
		noticed(p, f->name);
		field_set(f, item, was);
	} else {
		probe_items(p, f, item);
	}
}

static void probe_fields(struct probe *p, const struct shape *s, void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		probe_field(p, &s->fields[i], item);
}

static void test_equal_sees_all(void **state)
{
	struct sample a = { .arena = arena_new() }, b = { .arena = arena_new() };
	struct rng r = { 3 };
	struct probe p = { &a, &b, 0 };
	char why[200];

	(void)state;
	sample_random(&r, &a);
	sample_copy(&a, &b);
	probe_fields(&p, &sample_shape, &b);
	assert_true(p.tried > 1000);
	assert_true(sample_equal(&a, &b, why, sizeof(why)));
	arena_free(a.arena);
	arena_free(b.arena);
}

static void test_why(void **state)
{
	struct gen gens[2] = { { 1, 5, { 6, 7 }, 0 }, { 2, 1000, { 8, 9 }, 0 } }, other[2];
	struct lruvec v = { .path = "/", .ngens = 2, .gens = gens }, w = v;
	struct sample a = { .arena = arena_new() }, b = { .arena = arena_new() };
	char why[200], little[12];

	(void)state;
	sample_reset(&a);
	sample_reset(&b);
	memcpy(other, gens, sizeof(gens));
	w.gens = other;
	a.nlruvecs = b.nlruvecs = 1;
	a.lruvecs = &v;
	b.lruvecs = &w;
	other[1].age_ms = 1100;
	assert_true(sample_equal(&a, &b, why, sizeof(why)));
	other[1].age_ms = 1101;
	assert_false(sample_equal(&a, &b, why, sizeof(why)));
	assert_string_equal(why, ".lru_gen[0].gens[1].age_ms: 1000 != 1101");
	assert_false(sample_equal(&a, &b, little, sizeof(little)));
	assert_string_equal(little, ".lru_gen[0]");
	arena_free(a.arena);
	arena_free(b.arena);
}

/* --- pairs --- */

static void test_pairs(void **state)
{
	struct zram old[] = {
		{ .name = "a" }, { .name = "b" }, { .name = "a" }, { .name = "c" }, { .name = "d" }
	};
	struct zram now[] = { { .name = "a" }, { .name = "d" }, { .name = "a" },
			      { .name = "a" }, { .name = "c" }, { .name = "x" } };
	static const uint32_t expected[] = { 0, 4, 2, PAIR_NONE, 3, PAIR_NONE };
	static const struct field keys[] = {
		{ .name = "name",
		  .kind = FIELD_STRING,
		  .flags = FIELD_KEY,
		  .offset = offsetof(struct zram, name) },
	};
	static const struct shape shape = { keys, 1, sizeof(struct zram), false };
	struct arena *scratch = arena_new();
	struct pairing p;
	const bool *moved;

	(void)state;
	pair_lists(&shape, (struct items){ (char *)old, 5 }, (struct items){ (char *)now, 6 },
		   scratch, &p);
	assert_false(p.same);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(p.old_of[i], expected[i]);
	assert_int_equal(p.new_of[1], PAIR_NONE);
	assert_int_equal(p.new_of[2], 2);
	/* Of a, d, a, c only d is out of the old order a, b, a, c, d. */
	moved = pair_moved(&p, 6, scratch);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(moved[i], i == 1);
	pair_lists(&shape, (struct items){ (char *)old, 5 }, (struct items){ (char *)old, 5 },
		   scratch, &p);
	assert_true(p.same);
	arena_free(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_source_names),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_equal_sees_all),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_sample.h"

#include <string.h>

#include "model/walk.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)(rng_next(r) % n);
}

bool rng_one_in(struct rng *r, uint32_t n)
{
	return !rng_below(r, n);
}

/* How the items of a sample are made and changed. */
struct maker {
	struct rng *rng;
	struct arena *arena;
	int64_t mono_us;
	struct elapsed elapsed;
};

/* Printable forms, as name_escape() leaves them. */
static const char *const names[] = {
	"", "/", "/a", "/a/b", "/a b/\"c\"", "/\\\\", "/\\x1b[2J", "/\\xff\\xfe", "/\xc3\xa9\xe4\xb8\xad",
	"/\xf0\x9f\x90\xa7", "/system.slice/user@1000.service/app.slice/a-long-name-of-a-unit.scope",
	"Normal", "DMA32", "key\":1,\"", "null", "max", "=",
};

static const char *const odd_names[] = {
	"nr_of_tomorrow", "nr with blanks", "gone", "nth", "\xc3\xa9", "a\"b", "\\\\", "\\x07", "type", "",
};

static uint64_t any_u64(struct rng *r)
{
	switch (rng_below(r, 8)) {
	case 0:
		return UNKNOWN;
	case 1:
		return 0;
	case 2:
		return rng_one_in(r, 4) ? UNLIMITED : UNLIMITED - 1;
	case 3:
		return rng_next(r);
	default:
		return rng_next(r) >> (20 + rng_below(r, 43));
	}
}

static uint64_t any_source(struct rng *r)
{
	switch (rng_below(r, 4)) {
	case 0:
		return READING_NOT_ASKED;
	case 1:
		return READING_FAILED | (rng_one_in(r, 4) ? 0 : (uint64_t)rng_below(r, 140)) << 8;
	default:
		return READING_OK;
	}
}

static uint64_t any_enum(struct rng *r, const struct field *f)
{
	uint32_t n = 0;

	while (f->names[n])
		n++;
	return rng_below(r, n);
}

static uint64_t any_value(const struct maker *m, const struct field *f)
{
	struct rng *r = m->rng;

	if (f->flags & FIELD_KEY)
		return rng_below(r, 6);
	switch (f->kind) {
	case FIELD_U64:
		return any_u64(r);
	case FIELD_CENTI:
		return rng_one_in(r, 4) ? UNKNOWN : rng_below(r, 20000);
	case FIELD_CHAR:
		return rng_one_in(r, 4) ? 0 : '!' + rng_below(r, 94);
	case FIELD_ENUM:
		return any_enum(r, f);
	case FIELD_TIME:
		return rng_one_in(r, 3) ? 0 : (uint64_t)m->mono_us + rng_below(r, 2000) - 1000;
	case FIELD_SOURCE:
		return any_source(r);
	case FIELD_BOOL:
		return rng_below(r, 2);
	default:
		return rng_one_in(r, 3) ? 0 : rng_next(r) >> rng_below(r, 64);
	}
}

static void make_fields(const struct maker *m, const struct shape *s, void *item);
static void change_fields(const struct maker *m, const struct shape *s, void *item);

/* --- counters --- */

static bool has_more(const struct counters *c, const char *name)
{
	for (uint32_t i = 0; i < c->nmore; i++)
		if (!strcmp(c->more[i].name, name))
			return true;
	return false;
}

static void make_more(const struct maker *m, struct counters *c)
{
	uint32_t n = rng_below(m->rng, 4);

	c->nmore = 0;
	c->more = arena_alloc(m->arena, n * sizeof(*c->more));
	while (n--) {
		const char *name = odd_names[rng_below(m->rng, LEN(odd_names))];

		if (!has_more(c, name))
			c->more[c->nmore++] = (struct named){ name, rng_next(m->rng) >> 2 };
	}
}

static void make_counters(const struct maker *m, const struct field *f, struct counters *c)
{
	*c = (struct counters){ 0 };
	if (rng_one_in(m->rng, 4))
		return;
	counters_init(c, f->tab, m->arena);
	for (uint32_t i = 0; i < f->tab->n; i++)
		c->value[i] = any_u64(m->rng);
	if (rng_one_in(m->rng, 2))
		make_more(m, c);
}

static void change_counters(const struct maker *m, const struct field *f, struct counters *c)
{
	if (!c->value || rng_one_in(m->rng, 20)) {
		make_counters(m, f, c);
		return;
	}
	for (uint32_t n = rng_below(m->rng, 5); n; n--)
		c->value[rng_below(m->rng, f->tab->n)] = any_u64(m->rng);
	if (rng_one_in(m->rng, 4))
		make_more(m, c);
	else if (c->nmore)
		c->more[rng_below(m->rng, c->nmore)].value = rng_next(m->rng) >> 40;
}

/* --- lists --- */

static void make_numbers(const struct maker *m, const struct field *f, void *item)
{
	struct items items = { NULL, rng_below(m->rng, 12) };
	uint64_t *at = arena_alloc(m->arena, items.n * sizeof(*at));

	for (uint32_t i = 0; i < items.n; i++)
		at[i] = any_u64(m->rng);
	items.at = (char *)at;
	field_set_items(f, item, items);
}

static void make_list(const struct maker *m, const struct field *f, void *item)
{
	struct items items = { NULL, rng_below(m->rng, 7) };

	items.at = arena_alloc(m->arena, items.n * f->shape->size);
	for (uint32_t i = 0; i < items.n; i++)
		make_fields(m, f->shape, item_at(f->shape, items, i));
	field_set_items(f, item, items);
}

static void swap_items(const struct shape *s, struct items items, uint32_t i, uint32_t j)
{
	char keep[1024];

	memcpy(keep, item_at(s, items, i), s->size);
	memmove(item_at(s, items, i), item_at(s, items, j), s->size);
	memcpy(item_at(s, items, j), keep, s->size);
}

/* Take some away, put some in, move some. */
static struct items rearranged(const struct maker *m, const struct shape *s, struct items was)
{
	struct rng *r = m->rng;
	struct items is = { arena_alloc(m->arena, (was.n * 2 + 2) * s->size), 0 };

	for (uint32_t i = 0; i <= was.n; i++) {
		if (rng_one_in(r, 6))
			make_fields(m, s, item_at(s, is, is.n++));
		if (i < was.n && !rng_one_in(r, 6))
			memcpy(item_at(s, is, is.n++), item_at(s, was, i), s->size);
	}
	for (uint32_t n = is.n > 1 ? rng_below(r, 4) : 0; n; n--)
		swap_items(s, is, rng_below(r, is.n), rng_below(r, is.n));
	return is;
}

static void change_list(const struct maker *m, const struct field *f, void *item)
{
	struct items items = field_items(f, item);

	if (rng_one_in(m->rng, 30)) {
		make_list(m, f, item);
		return;
	}
	for (uint32_t i = 0; i < items.n; i++)
		if (f->flags & FIELD_AGE || rng_one_in(m->rng, 3))
			change_fields(m, f->shape, item_at(f->shape, items, i));
	if (rng_one_in(m->rng, 4))
		items = rearranged(m, f->shape, items);
	field_set_items(f, item, items);
}

/* --- fields --- */

static void make_field(const struct maker *m, const struct field *f, void *item)
{
	if (field_is_scalar(f))
		field_set(f, item, any_value(m, f));
	else if (f->kind == FIELD_STRING)
		field_set_string(f, item, rng_one_in(m->rng, 6)
			? NULL : names[rng_below(m->rng, LEN(names))]);
	else if (f->kind == FIELD_COUNTERS)
		make_counters(m, f, member_of(item, f->offset));
	else if (f->kind == FIELD_NUMBERS)
		make_numbers(m, f, item);
	else if (field_is_list(f))
		make_list(m, f, item);
	else
		make_fields(m, f->shape, member_of(item, f->offset));
}

static void make_fields(const struct maker *m, const struct shape *s, void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		make_field(m, &s->fields[i], item);
}

static void change_age(const struct maker *m, const struct field *f, void *item)
{
	uint64_t age = field_expected(f, field_get(f, item), m->elapsed);
	uint64_t off = rng_below(m->rng, rng_one_in(m->rng, 3) ? 400 : 120);

	if (age < UNLIMITED - 1000 && age > 1000)
		age += rng_one_in(m->rng, 2) ? off : -off;
	field_set(f, item, rng_one_in(m->rng, 20) ? any_u64(m->rng) : age);
}

static void change_field(const struct maker *m, const struct field *f, void *item)
{
	if (f->flags & FIELD_AGE && f->kind == FIELD_U64)
		change_age(m, f, item);
	else if (f->flags & FIELD_ONCE ? rng_one_in(m->rng, 400)
				       : field_is_scalar(f) && rng_one_in(m->rng, 5))
		make_field(m, f, item);
	else if (f->kind == FIELD_STRING && !(f->flags & FIELD_ONCE) && rng_one_in(m->rng, 10))
		make_field(m, f, item);
	else if (f->kind == FIELD_COUNTERS)
		change_counters(m, f, member_of(item, f->offset));
	else if (f->kind == FIELD_NUMBERS && rng_one_in(m->rng, 4))
		make_numbers(m, f, item);
	else if (field_is_list(f))
		change_list(m, f, item);
	else if (field_is_struct(f))
		change_fields(m, f->shape, member_of(item, f->offset));
}

static void change_fields(const struct maker *m, const struct shape *s, void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!(s->fields[i].flags & FIELD_HEAD))
			change_field(m, &s->fields[i], item);
}

void sample_random(struct rng *r, struct sample *s)
{
	struct maker m = { .rng = r, .arena = s->arena };

	sample_reset(s);
	m.mono_us = (int64_t)(rng_next(r) >> (20 + rng_below(r, 40)));
	make_fields(&m, &sample_shape, s);
	s->mono_us = m.mono_us;
	s->n = rng_one_in(r, 2) ? 0 : rng_next(r) >> 8;
}

static int64_t any_step(struct rng *r)
{
	switch (rng_below(r, 8)) {
	case 0:
		return -(int64_t)rng_below(r, 3000000);
	case 1:
		return 0;
	case 2:
		return (int64_t)(rng_next(r) >> 28);
	default:
		return 900000 + (int64_t)rng_below(r, 200000);
	}
}

void sample_random_next(struct rng *r, const struct sample *before, struct sample *s)
{
	struct maker m = { .rng = r, .arena = s->arena };

	sample_copy(before, s);
	s->mono_us += any_step(r);
	s->n++;
	m.mono_us = s->mono_us;
	m.elapsed = elapsed_between(before, s);
	change_fields(&m, &sample_shape, s);
}

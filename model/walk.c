/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "walk.h"

#include <string.h>

/* How each kind of scalar lies in memory, and what it is when nothing was said. */
static const struct {
	uint8_t size;
	bool unknown;
} scalars[] = {
	[FIELD_U64] = { sizeof(uint64_t), true },
	[FIELD_U32] = { sizeof(uint32_t), false },
	[FIELD_U8] = { sizeof(uint8_t), false },
	[FIELD_I64] = { sizeof(int64_t), false },
	[FIELD_BOOL] = { sizeof(bool), false },
	[FIELD_CENTI] = { sizeof(uint64_t), true },
	[FIELD_CHAR] = { sizeof(char), false },
	[FIELD_ENUM] = { sizeof(uint32_t), false },
	[FIELD_TIME] = { sizeof(int64_t), false },
	[FIELD_SOURCE] = { sizeof(struct reading), false },
	[FIELD_STRING] = { 0, false },
	[FIELD_STRUCT] = { 0, false },
	[FIELD_ROW] = { 0, false },
	[FIELD_COUNTERS] = { 0, false },
	[FIELD_LIST] = { 0, false },
	[FIELD_ROWS] = { 0, false },
	[FIELD_NUMBERS] = { 0, false },
};

/* Rounds down, also below 0. */
static int64_t whole_ms(int64_t us)
{
	return us / 1000 - (us % 1000 < 0);
}

/* a - b without a sum that C does not define. */
static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

struct elapsed elapsed_between(const struct sample *before, const struct sample *now)
{
	return (struct elapsed){
		.us = minus(now->mono_us, before->mono_us),
		.ms = minus(whole_ms(now->mono_us), whole_ms(before->mono_us)),
		.from_us = before->mono_us,
	};
}

bool field_is_scalar(const struct field *f)
{
	return scalars[f->kind].size;
}

bool field_is_list(const struct field *f)
{
	return f->kind == FIELD_LIST || f->kind == FIELD_ROWS;
}

bool field_is_struct(const struct field *f)
{
	return f->kind == FIELD_STRUCT || f->kind == FIELD_ROW;
}

static uint64_t source_get(const struct reading *r)
{
	return (uint64_t)(uint32_t)r->err << 8 | ((unsigned int)r->state & 0xff);
}

static void source_set(struct reading *r, uint64_t value)
{
	r->state = (enum reading_state)(value & 0xff);
	r->err = (int)(uint32_t)(value >> 8);
}

uint64_t field_get(const struct field *f, const void *item)
{
	const void *p = member_of(item, f->offset);
	uint32_t u;

	switch (scalars[f->kind].size) {
	case sizeof(uint64_t):
		return *(const uint64_t *)p;
	case sizeof(uint32_t):
		memcpy(&u, p, sizeof(u));
		return u;
	case sizeof(uint8_t):
		return *(const uint8_t *)p;
	default:
		return source_get(p);
	}
}

void field_set(const struct field *f, void *item, uint64_t value)
{
	void *p = member_of(item, f->offset);
	uint32_t u = (uint32_t)value;

	switch (scalars[f->kind].size) {
	case sizeof(uint64_t):
		*(uint64_t *)p = value;
		break;
	case sizeof(uint32_t):
		memcpy(p, &u, sizeof(u));
		break;
	case sizeof(uint8_t):
		*(uint8_t *)p = (uint8_t)(f->kind == FIELD_BOOL ? value != 0 : value);
		break;
	default:
		source_set(p, value);
	}
}

uint64_t field_blank(const struct field *f)
{
	return scalars[f->kind].unknown ? UNKNOWN : 0;
}

uint64_t field_expected(const struct field *f, uint64_t value, struct elapsed e)
{
	if (!(f->flags & FIELD_AGE))
		return value;
	/* A source is read as long after the sample began as before; one that was not read anew is not now. */
	if (f->kind == FIELD_TIME)
		return value && (int64_t)value >= e.from_us ? value + (uint64_t)e.us : value;
	if (value >= UNLIMITED || e.ms < 0 || (uint64_t)e.ms >= UNLIMITED - value)
		return value;
	return value + (uint64_t)e.ms;
}

const char *field_string(const struct field *f, const void *item)
{
	return *(const char *const *)member_of(item, f->offset);
}

void field_set_string(const struct field *f, void *item, const char *s)
{
	*(const char **)member_of(item, f->offset) = s;
}

struct items field_items(const struct field *f, const void *item)
{
	struct items items = { NULL, *(const uint32_t *)member_of(item, f->count_offset) };

	memcpy(&items.at, member_of(item, f->offset), sizeof(items.at));
	return items;
}

void field_set_items(const struct field *f, void *item, struct items items)
{
	memcpy(member_of(item, f->offset), &items.at, sizeof(items.at));
	*(uint32_t *)member_of(item, f->count_offset) = items.n;
}

bool string_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

uint32_t shape_keys(const struct shape *s)
{
	uint32_t n = 0;

	while (n < s->nfields && s->fields[n].flags & FIELD_KEY)
		n++;
	return n;
}

bool keys_same(const struct shape *s, const void *a, const void *b)
{
	for (uint32_t i = 0; i < s->nfields && s->fields[i].flags & FIELD_KEY; i++) {
		const struct field *f = &s->fields[i];

		if (f->kind == FIELD_STRING ? !string_same(field_string(f, a), field_string(f, b))
					    : field_get(f, a) != field_get(f, b))
			return false;
	}
	return true;
}

/* --- blank --- */

static void blank_field(const struct field *f, void *item)
{
	if (field_is_scalar(f))
		field_set(f, item, field_blank(f));
	else if (field_is_struct(f))
		shape_blank(f->shape, member_of(item, f->offset));
	else if (f->kind == FIELD_STRING)
		field_set_string(f, item, NULL);
	else if (f->kind == FIELD_COUNTERS)
		*(struct counters *)member_of(item, f->offset) = (struct counters){ 0 };
	else
		field_set_items(f, item, (struct items){ NULL, 0 });
}

void shape_blank(const struct shape *s, void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		blank_field(&s->fields[i], item);
}

bool field_is_blank(const struct field *f, const void *item)
{
	if (field_is_scalar(f))
		return field_get(f, item) == field_blank(f);
	if (field_is_struct(f))
		return shape_is_blank(f->shape, member_of(item, f->offset));
	if (f->kind == FIELD_STRING)
		return !field_string(f, item);
	if (f->kind == FIELD_COUNTERS)
		return !((const struct counters *)member_of(item, f->offset))->value;
	return !field_items(f, item).n;
}

bool shape_is_blank(const struct shape *s, const void *item)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!field_is_blank(&s->fields[i], item))
			return false;
	return true;
}

/* --- changed --- */

static bool more_same(const struct counters *a, const struct counters *b)
{
	if (a->nmore != b->nmore)
		return false;
	for (uint32_t i = 0; i < a->nmore; i++)
		if (a->more[i].value != b->more[i].value ||
		    strcmp(a->more[i].name, b->more[i].name))
			return false;
	return true;
}

static bool counters_changed(const struct field *f, const struct counters *a,
			     const struct counters *b)
{
	if (!a->value || !b->value)
		return a->value || b->value;
	return memcmp(a->value, b->value, f->tab->n * sizeof(*a->value)) || !more_same(a, b);
}

static bool items_changed(const struct shape *s, struct items a, struct items b, struct elapsed e)
{
	if (a.n != b.n)
		return true;
	for (uint32_t i = 0; i < a.n; i++)
		if (shape_changed(s, item_at(s, a, i), item_at(s, b, i), e))
			return true;
	return false;
}

static bool numbers_changed(struct items a, struct items b)
{
	return a.n != b.n || (a.n && memcmp(a.at, b.at, a.n * sizeof(uint64_t)));
}

bool field_changed(const struct field *f, const void *before, const void *now, struct elapsed e)
{
	if (field_is_scalar(f))
		return field_get(f, now) != field_expected(f, field_get(f, before), e);
	if (f->kind == FIELD_STRING)
		return !string_same(field_string(f, before), field_string(f, now));
	if (f->kind == FIELD_COUNTERS)
		return counters_changed(f, member_of(before, f->offset), member_of(now, f->offset));
	if (f->kind == FIELD_NUMBERS)
		return numbers_changed(field_items(f, before), field_items(f, now));
	if (field_is_list(f))
		return items_changed(f->shape, field_items(f, before), field_items(f, now), e);
	return shape_changed(f->shape, member_of(before, f->offset), member_of(now, f->offset), e);
}

bool shape_changed(const struct shape *s, const void *before, const void *now, struct elapsed e)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (field_changed(&s->fields[i], before, now, e))
			return true;
	return false;
}

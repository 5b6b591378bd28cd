/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What moves by itself between two samples: ages, and the times of readings. */
#include "pair.h"

/* --- carry --- */

static void carry_fields(const struct shape *s, void *item, struct elapsed e);

static void carry_field(const struct field *f, void *item, struct elapsed e)
{
	struct items items;

	if (field_is_scalar(f)) {
		field_set(f, item, field_expected(f, field_get(f, item), e));
	} else if (field_is_struct(f)) {
		carry_fields(f->shape, member_of(item, f->offset), e);
	} else {
		items = field_items(f, item);
		for (uint32_t i = 0; i < items.n; i++)
			carry_fields(f->shape, item_at(f->shape, items, i), e);
	}
}

static void carry_fields(const struct shape *s, void *item, struct elapsed e)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (s->fields[i].flags & FIELD_AGE)
			carry_field(&s->fields[i], item, e);
}

void sample_carry(struct sample *s, int64_t mono_us)
{
	struct sample then = { .mono_us = mono_us };
	struct elapsed e = elapsed_between(s, &then);

	carry_fields(&sample_shape, s, e);
	s->mono_us = mono_us;
}

/* --- settle --- */

struct settle {
	struct elapsed elapsed;
	struct arena *scratch;
};

static void settle_fields(const struct settle *w, const struct shape *s, const void *before,
			  void *now);

static void settle_age(const struct settle *w, const struct field *f, const void *before, void *now)
{
	uint64_t was = field_get(f, before), is = field_get(f, now);
	uint64_t expected = field_expected(f, was, w->elapsed);
	uint64_t apart = is > expected ? is - expected : expected - is;

	if (is < UNLIMITED && was < UNLIMITED && apart <= AGE_TOLERANCE_MS)
		field_set(f, now, expected);
}

static void settle_list(const struct settle *w, const struct field *f, const void *before,
			void *now)
{
	struct items old = field_items(f, before), items = field_items(f, now);
	struct pairing p;

	pair_lists(f->shape, old, items, w->scratch, &p);
	for (uint32_t i = 0; i < items.n; i++) {
		uint32_t j = pair_old(&p, i);

		if (j != PAIR_NONE)
			settle_fields(w, f->shape, item_at(f->shape, old, j),
				      item_at(f->shape, items, i));
	}
}

static void settle_fields(const struct settle *w, const struct shape *s, const void *before,
			  void *now)
{
	for (uint32_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		if (!(f->flags & FIELD_AGE))
			continue;
		if (f->kind == FIELD_U64)
			settle_age(w, f, before, now);
		else if (field_is_list(f))
			settle_list(w, f, before, now);
	}
}

void sample_settle(const struct sample *before, struct sample *now, struct arena *scratch)
{
	struct settle w = { elapsed_between(before, now), scratch };

	settle_fields(&w, &sample_shape, before, now);
}

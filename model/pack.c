/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pack.h"

#include <string.h>

#include "pair.h"

struct packer {
	struct buf *out;
	struct arena *scratch;
	struct elapsed elapsed;
	const void *zero;      /* an item of any shape, all zero */
};

/* --- numbers --- */

static void put(struct packer *p, uint64_t v)
{
	char bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (char)(v | 0x80);
	bytes[n++] = (char)v;
	buf_add(p->out, bytes, n);
}

/* A difference that may go either way: small ones either side of 0 are short. */
static void put_change(struct packer *p, uint64_t from, uint64_t to)
{
	uint64_t d = to - from;

	put(p, d << 1 ^ (d >> 63 ? UINT64_MAX : 0));
}

/* NULL is 0, others their length plus 1. */
static void put_string(struct packer *p, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	put(p, s ? len + 1 : 0);
	if (len)
		buf_add(p->out, s, len);
}

/* --- sets of counters: 0 not read, 1 changes of before, 2 all --- */

static void put_more(struct packer *p, const struct counters *was, const struct counters *is)
{
	bool same = was->nmore == is->nmore;

	for (uint32_t i = 0; same && i < is->nmore; i++)
		same = !strcmp(was->more[i].name, is->more[i].name);
	put(p, same ? 0 : (uint64_t)is->nmore + 1);
	for (uint32_t i = 0; i < is->nmore; i++) {
		if (!same)
			put_string(p, is->more[i].name);
		put_change(p, same ? was->more[i].value : 0, is->more[i].value);
	}
}

static void put_sparse(struct packer *p, const uint64_t *was, const uint64_t *is, uint32_t n)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (was[i] == is[i])
			continue;
		put(p, i - next + 1);
		put_change(p, was[i], is[i]);
		next = i + 1;
	}
	put(p, 0);
}

static void put_counters(struct packer *p, const struct field *f, const void *before,
			 const void *now)
{
	const struct counters *was = member_of(before, f->offset), *is = member_of(now, f->offset);

	put(p, !is->value ? 0 : was->value ? 1 : 2);
	if (!is->value)
		return;
	if (was->value)
		put_sparse(p, was->value, is->value, f->tab->n);
	else
		for (uint32_t i = 0; i < f->tab->n; i++)
			put_change(p, 0, is->value[i]);
	put_more(p, was, is);
}

/* --- lists --- */

static void put_fields(struct packer *p, const struct shape *s, const void *before,
		       const void *now);

static void put_numbers(struct packer *p, const struct field *f, const void *before,
			const void *now)
{
	struct items was = field_items(f, before), is = field_items(f, now);
	const uint64_t *a = (const void *)was.at, *b = (const void *)is.at;

	put(p, is.n);
	for (uint32_t i = 0; i < is.n; i++)
		put_change(p, i < was.n ? a[i] : 0, b[i]);
}

/* The same items: only those that changed, each after the number of those skipped plus 1. */
static void put_kept(struct packer *p, const struct shape *s, struct items was, struct items is)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < is.n; i++) {
		const void *before = item_at(s, was, i), *now = item_at(s, is, i);

		if (!shape_changed(s, before, now, p->elapsed))
			continue;
		put(p, i - next + 1);
		put_fields(p, s, before, now);
		next = i + 1;
	}
	put(p, 0);
}

/* Nothing was before it, so no time has passed for it either. */
static void put_new(struct packer *p, const struct shape *s, const void *now)
{
	struct elapsed e = p->elapsed;

	p->elapsed = (struct elapsed){ 0 };
	put_fields(p, s, p->zero, now);
	p->elapsed = e;
}

/* All items: each where it was (against the one after the last kept), or 0 for a new one. */
static void put_rearranged(struct packer *p, const struct shape *s, struct items was,
			   struct items is, const struct pairing *pair)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < is.n; i++) {
		uint32_t old = pair_old(pair, i);
		int64_t away = (int64_t)old - next;

		if (old == PAIR_NONE) {
			put(p, 0);
			put_new(p, s, item_at(s, is, i));
			continue;
		}
		put(p, 1 + (away < 0 ? (uint64_t)-away * 2 - 1 : (uint64_t)away * 2));
		put_fields(p, s, item_at(s, was, old), item_at(s, is, i));
		next = old + 1;
	}
}

static void put_list(struct packer *p, const struct field *f, const void *before, const void *now)
{
	struct items was = field_items(f, before), is = field_items(f, now);
	struct pairing pair;

	pair_lists(f->shape, was, is, p->scratch, &pair);
	put(p, pair.same ? 0 : (uint64_t)is.n + 1);
	if (pair.same)
		put_kept(p, f->shape, was, is);
	else
		put_rearranged(p, f->shape, was, is, &pair);
}

/* --- structs --- */

static void put_field(struct packer *p, const struct field *f, const void *before, const void *now)
{
	if (field_is_scalar(f))
		put_change(p, field_expected(f, field_get(f, before), p->elapsed),
			   field_get(f, now));
	else if (f->kind == FIELD_STRING)
		put_string(p, field_string(f, now));
	else if (f->kind == FIELD_COUNTERS)
		put_counters(p, f, before, now);
	else if (f->kind == FIELD_NUMBERS)
		put_numbers(p, f, before, now);
	else if (field_is_list(f))
		put_list(p, f, before, now);
	else
		put_fields(p, f->shape, member_of(before, f->offset), member_of(now, f->offset));
}

static void put_fields(struct packer *p, const struct shape *s, const void *before, const void *now)
{
	uint64_t mask = 0;

	for (uint32_t i = 0; i < s->nfields; i++)
		if (!(s->fields[i].flags & FIELD_HEAD) &&
		    field_changed(&s->fields[i], before, now, p->elapsed))
			mask |= (uint64_t)1 << i;
	put(p, mask);
	for (uint32_t i = 0; i < s->nfields; i++)
		if (mask >> i & 1)
			put_field(p, &s->fields[i], before, now);
}

void pack_out(const struct sample *before, const struct sample *now, struct arena *scratch,
	      struct buf *out)
{
	struct packer p = { .out = out, .scratch = scratch };

	p.zero = arena_alloc(scratch, sample_shape.size); /* the largest of all shapes */
	if (before)
		p.elapsed = elapsed_between(before, now);
	else
		before = p.zero;
	put_change(&p, (uint64_t)before->mono_us, (uint64_t)now->mono_us);
	put_change(&p, before->n, now->n);
	put_fields(&p, &sample_shape, before, now);
}

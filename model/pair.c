/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pair.h"

#include <string.h>

#define ANY UINT32_MAX /* as nth: whichever stands there */

/* Two hash tables with open addressing over one list; what they hold is the item's index plus 1. */
struct pair_index {
	const struct shape *shape;
	struct items items;
	uint32_t mask;
	uint32_t *last;   /* by keys: the last item that has them */
	uint32_t *each;   /* by keys and nth */
	uint32_t *nth;
	bool twins;
};

static uint64_t mix(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

static uint64_t hash_string(uint64_t h, const char *s)
{
	if (!s)
		return mix(h + 1);
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return mix(h);
}

static uint64_t hash_keys(const struct shape *s, const void *item)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (uint32_t i = 0; i < s->nfields && s->fields[i].flags & FIELD_KEY; i++) {
		const struct field *f = &s->fields[i];

		h = f->kind == FIELD_STRING ? hash_string(h, field_string(f, item))
					    : mix(h + field_get(f, item));
	}
	return h;
}

/* The place in a table where the item stands or would stand. */
static uint32_t *place_of(const struct pair_index *x, uint32_t *table, const void *item,
			  uint32_t nth, uint64_t hash)
{
	uint64_t at = nth == ANY ? hash : mix(hash + nth);

	for (;; at++) {
		uint32_t *place = &table[at & x->mask];

		if (!*place)
			return place;
		if ((nth == ANY || x->nth[*place - 1] == nth) &&
		    keys_same(x->shape, item_at(x->shape, x->items, *place - 1), item))
			return place;
	}
}

static void add(struct pair_index *x, uint32_t i)
{
	const void *item = item_at(x->shape, x->items, i);
	uint64_t hash = hash_keys(x->shape, item);
	uint32_t *place = place_of(x, x->last, item, ANY, hash);

	if (*place) {
		x->nth[i] = x->nth[*place - 1] + 1;
		x->twins = true;
	}
	*place = i + 1;
	*place_of(x, x->each, item, x->nth[i], hash) = i + 1;
}

struct pair_index *pair_index_make(const struct shape *s, struct items items, struct arena *scratch)
{
	struct pair_index *x = arena_alloc(scratch, sizeof(*x));
	uint32_t size = 4;

	while (size / 2 < items.n)
		size *= 2;
	*x = (struct pair_index){ .shape = s, .items = items, .mask = size - 1 };
	x->last = arena_alloc(scratch, size * sizeof(*x->last));
	x->each = arena_alloc(scratch, size * sizeof(*x->each));
	x->nth = arena_alloc(scratch, items.n * sizeof(*x->nth));
	for (uint32_t i = 0; i < items.n; i++)
		add(x, i);
	return x;
}

uint32_t pair_find(const struct pair_index *x, const void *item, uint32_t nth)
{
	if (nth == ANY)
		return PAIR_NONE;
	return *place_of(x, x->each, item, nth, hash_keys(x->shape, item)) - 1;
}

uint32_t pair_nth(const struct pair_index *x, uint32_t i)
{
	return x->nth[i];
}

bool pair_has_twins(const struct pair_index *x)
{
	return x->twins;
}

/* A hash table like those above. */
struct pair_alone {
	const struct shape *shape;
	const struct field *field;
	struct items items;
	uint32_t mask;
	uint32_t *table;
	bool *shared;     /* by item: others have the same */
};

static const struct field *alone_of(const struct shape *s)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (s->fields[i].flags & FIELD_ALONE)
			return &s->fields[i];
	return NULL;
}

static uint32_t *alone_place(const struct pair_alone *x, const void *item)
{
	uint64_t value = field_get(x->field, item), at = mix(value);

	for (;; at++) {
		uint32_t *place = &x->table[at & x->mask];

		if (!*place || field_get(x->field, item_at(x->shape, x->items, *place - 1)) == value)
			return place;
	}
}

struct pair_alone *pair_alone_make(const struct shape *s, struct items items, struct arena *scratch)
{
	const struct field *f = alone_of(s);
	struct pair_alone *x;
	uint32_t size = 4;

	if (!f)
		return NULL;
	while (size / 2 < items.n)
		size *= 2;
	x = arena_alloc(scratch, sizeof(*x));
	*x = (struct pair_alone){ .shape = s, .field = f, .items = items, .mask = size - 1 };
	x->table = arena_alloc(scratch, size * sizeof(*x->table));
	x->shared = arena_alloc(scratch, items.n);
	for (uint32_t i = 0; i < items.n; i++) {
		uint32_t *place = alone_place(x, item_at(s, items, i));

		if (*place)
			x->shared[*place - 1] = true;
		else
			*place = i + 1;
	}
	return x;
}

const struct field *pair_alone_field(const struct pair_alone *x)
{
	return x->field;
}

uint32_t pair_only(const struct pair_alone *x, const void *item)
{
	uint32_t i = *alone_place(x, item) - 1;

	return i == PAIR_NONE || x->shared[i] || field_get(x->field, item) == UNKNOWN ? PAIR_NONE : i;
}

static bool same_order(const struct shape *s, struct items old, struct items now)
{
	if (old.n != now.n)
		return false;
	for (uint32_t i = 0; i < now.n; i++)
		if (!keys_same(s, item_at(s, old, i), item_at(s, now, i)))
			return false;
	return true;
}

void pair_lists(const struct shape *s, struct items old, struct items now, struct arena *scratch,
		struct pairing *out)
{
	struct pair_index *was, *is;
	uint32_t *old_of, *new_of;

	*out = (struct pairing){ .same = same_order(s, old, now) };
	if (out->same)
		return;
	old_of = arena_alloc(scratch, now.n * sizeof(*old_of));
	new_of = arena_alloc(scratch, old.n * sizeof(*new_of));
	was = pair_index_make(s, old, scratch);
	is = pair_index_make(s, now, scratch);
	for (uint32_t i = 0; i < now.n; i++)
		old_of[i] = pair_find(was, item_at(s, now, i), is->nth[i]);
	for (uint32_t i = 0; i < old.n; i++)
		new_of[i] = pair_find(is, item_at(s, old, i), was->nth[i]);
	out->old_of = old_of;
	out->new_of = new_of;
}

/*
 * The place in tails, whose items lead to rising old indexes, that an item with this old index
 * takes.
 */
static uint32_t rank_of(const struct pairing *p, const uint32_t *tails, uint32_t n, uint32_t old)
{
	uint32_t low = 0;

	while (low < n) {
		uint32_t mid = low + (n - low) / 2;

		if (p->old_of[tails[mid]] < old)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* Those that stayed are the longest run of items whose old indexes rise. */
const bool *pair_moved(const struct pairing *p, uint32_t n, struct arena *scratch)
{
	uint32_t *tails = arena_alloc(scratch, n * sizeof(*tails));
	uint32_t *before = arena_alloc(scratch, n * sizeof(*before));
	bool *moved = arena_alloc(scratch, n);
	uint32_t len = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank;

		moved[i] = p->old_of[i] != PAIR_NONE;
		if (!moved[i])
			continue;
		rank = rank_of(p, tails, len, p->old_of[i]);
		before[i] = rank ? tails[rank - 1] : PAIR_NONE;
		tails[rank] = i;
		len += rank == len;
	}
	for (uint32_t i = len ? tails[len - 1] : PAIR_NONE; i != PAIR_NONE; i = before[i])
		moved[i] = false;
	return moved;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/keyed.h"

struct keyed keyed_new(struct arena *a, uint32_t room)
{
	struct keyed k = { .mask = 15 };

	while (k.mask / 2 < room)
		k.mask = k.mask * 2 + 1;
	k.slots = arena_alloc(a, ((size_t)k.mask + 1) * sizeof(*k.slots));
	k.names = arena_alloc(a, room * sizeof(*k.names));
	k.hashes = arena_alloc(a, room * sizeof(*k.hashes));
	return k;
}

static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash ^= number;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_name(struct keyed_name name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *c = name.text; c && *c; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	return mix(mix(hash, name.a), name.b);
}

static bool same(struct keyed_name x, struct keyed_name y)
{
	return x.a == y.a && x.b == y.b && keyed_same(x.text, y.text);
}

/* The slot where a name is, or would be. A slot holds a place plus one. */
static uint32_t slot_of(const struct keyed *k, struct keyed_name name, uint64_t hash)
{
	uint32_t slot = (uint32_t)hash & k->mask;

	while (k->slots[slot]) {
		uint32_t i = k->slots[slot] - 1;

		if (k->hashes[i] == hash && same(k->names[i], name))
			break;
		slot = (slot + 1) & k->mask;
	}
	return slot;
}

uint32_t keyed_put(struct keyed *k, struct keyed_name name)
{
	uint64_t hash = hash_name(name);
	uint32_t slot = slot_of(k, name, hash);

	if (!k->slots[slot]) {
		k->names[k->n] = name;
		k->hashes[k->n] = hash;
		k->slots[slot] = ++k->n;
	}
	return k->slots[slot] - 1;
}

uint32_t keyed_find(const struct keyed *k, struct keyed_name name)
{
	uint32_t slot;

	if (!k->n)
		return KEYED_NONE;
	slot = slot_of(k, name, hash_name(name));
	return k->slots[slot] ? k->slots[slot] - 1 : KEYED_NONE;
}

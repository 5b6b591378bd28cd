/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/tally.h"

#define PARTS (1u << TALLY_PARTS_LOG2)

/* Each power of two from 2^8 on is divided into PARTS slots, behind those of the sizes below. */
static uint32_t slot_of(uint64_t size)
{
	uint32_t log2;

	if (size < PARTS)
		return (uint32_t)size;
	if (size >> TALLY_BITS)
		return TALLY_SLOTS - 1;
	log2 = 63 - (uint32_t)__builtin_clzll(size);
	return ((log2 - TALLY_PARTS_LOG2 + 1) << TALLY_PARTS_LOG2) +
	       (uint32_t)(size >> (log2 - TALLY_PARTS_LOG2)) - PARTS;
}

/* The middle of what a slot holds. */
static uint64_t size_of(uint32_t slot)
{
	uint32_t shift;

	if (slot < PARTS)
		return slot;
	shift = (slot >> TALLY_PARTS_LOG2) - 1;
	return ((uint64_t)(slot % PARTS + PARTS) << shift) + ((UINT64_C(1) << shift) >> 1);
}

void tally_add(struct tally *t, uint64_t size)
{
	uint32_t *count = &t->counts[slot_of(size)];

	if (!t->n || size < t->min)
		t->min = size;
	if (size > t->max)
		t->max = size;
	t->n++;
	*count += *count < UINT32_MAX;
}

uint64_t tally_at(const struct tally *t, unsigned int permille)
{
	uint64_t wanted, seen = 0, size;
	uint32_t slot = 0;

	if (!t->n)
		return UINT64_MAX;
	if (permille == 0 || permille >= 1000)
		return permille ? t->max : t->min;
	/* The first that so many lie at or below, rounded up. */
	wanted = t->n / 1000 * permille + (t->n % 1000 * permille + 999) / 1000;
	for (; slot < TALLY_SLOTS && seen + t->counts[slot] < wanted; slot++)
		seen += t->counts[slot];
	size = size_of(slot < TALLY_SLOTS ? slot : TALLY_SLOTS - 1);
	return size < t->min ? t->min : size > t->max ? t->max : size;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/history.h"

#include <stdlib.h>
#include <string.h>

#include "pack.h"

#define GROUP 60          /* samples from one whole one to the next */
#define GROUP_SHARE 4     /* a group may take this part of the ring: else the oldest group is all there is */
#define ENTRY_BYTES 256   /* of the ring's bytes, an entry in the index */

/* One packed sample. It never wraps: what does not fit at the end of the ring goes to its start. */
struct entry {
	size_t at;
	uint32_t size;
	bool whole;
	int64_t mono_us;
};

struct history {
	unsigned char *ring;
	size_t size, head;
	struct entry *entries;    /* a ring too */
	uint32_t cap, first, count;
	size_t used;              /* bytes of the samples that are there */
	uint32_t left_out;
	uint64_t dropped;         /* samples that went: number of entry 0 since the beginning */
	uint32_t group;           /* samples in the newest group */
	size_t group_bytes;

	struct sample last;       /* the newest, as it will be read back */
	struct sample taken;      /* the one being put */
	struct buf packed;
	struct arena *scratch;

	struct sample read[2];    /* unpacked last: read[at], which is number read_number */
	unsigned int at;
	bool has_read;
	uint64_t read_number;
};

struct history *history_new(size_t bytes)
{
	struct history *h = mem_alloc(sizeof(*h));

	*h = (struct history){ 0 };
	h->cap = (uint32_t)(bytes / (ENTRY_BYTES + sizeof(*h->entries)));
	h->size = bytes - h->cap * sizeof(*h->entries);
	h->entries = mem_alloc(h->cap * sizeof(*h->entries));
	h->ring = mem_alloc(h->size);
	h->scratch = arena_new();
	h->last.arena = arena_new();
	h->taken.arena = arena_new();
	h->read[0].arena = arena_new();
	h->read[1].arena = arena_new();
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	arena_free(h->read[1].arena);
	arena_free(h->read[0].arena);
	arena_free(h->taken.arena);
	arena_free(h->last.arena);
	arena_free(h->scratch);
	buf_fini(&h->packed);
	free(h->ring);
	free(h->entries);
	free(h);
}

void history_clear(struct history *h)
{
	h->dropped += h->count;
	h->first = h->count = 0;
	h->head = h->used = 0;
	h->has_read = false;
}

static struct entry *entry_at(const struct history *h, uint32_t i)
{
	return &h->entries[((uint64_t)h->first + i) % h->cap];
}

/* The oldest sample and its followers up to the next whole one. */
static void drop_group(struct history *h)
{
	do {
		h->used -= entry_at(h, 0)->size;
		h->first = (h->first + 1) % h->cap;
		h->count--;
		h->dropped++;
	} while (h->count && !entry_at(h, 0)->whole);
}

/*
 * Where size bytes can lie, or h->size where nowhere. head and the oldest entry never meet: that
 * means empty.
 */
static size_t room_for(const struct history *h, size_t size)
{
	size_t tail;

	if (!h->count)
		return size <= h->size ? 0 : h->size;
	tail = entry_at(h, 0)->at;
	if (h->head > tail) {
		if (size <= h->size - h->head)
			return h->head;
		return size < tail ? 0 : h->size;
	}
	return size < tail - h->head ? h->head : h->size;
}

static void pack(struct history *h, bool whole)
{
	arena_reset(h->scratch);
	buf_clear(&h->packed);
	if (!whole)
		sample_settle(&h->last, &h->taken, h->scratch);
	pack_out(whole ? NULL : &h->last, &h->taken, h->scratch, &h->packed);
}

/*
 * Pack what was taken and find a place for it, at the cost of the oldest. False where there is
 * none.
 */
static bool make_room(struct history *h, bool *whole, size_t *at)
{
	pack(h, *whole);
	for (;;) {
		*at = room_for(h, h->packed.len);
		if (*at < h->size && h->count < h->cap)
			return true;
		if (!h->count)
			return false;
		drop_group(h);
		if (!h->count && !*whole)
			pack(h, *whole = true);
	}
}

static void keep(struct history *h, bool whole, size_t at)
{
	struct sample last = h->last;
	size_t size = h->packed.len;

	memcpy(h->ring + at, h->packed.data, size);
	h->head = at + size;
	h->used += size;
	h->count++;
	*entry_at(h, h->count - 1) = (struct entry){ at, (uint32_t)size, whole, h->taken.mono_us };
	h->group = whole ? 1 : h->group + 1;
	h->group_bytes = whole ? size : h->group_bytes + size;
	h->last = h->taken;
	h->taken = last;
}

void history_put(struct history *h, const struct sample *s)
{
	bool whole = !h->count || h->group >= GROUP || h->group_bytes > h->size / GROUP_SHARE;
	size_t at;

	sample_copy(s, &h->taken);
	if (make_room(h, &whole, &at))
		keep(h, whole, at);
	else
		h->left_out++;
}

uint32_t history_count(const struct history *h)
{
	return h->count;
}

uint32_t history_left_out(const struct history *h)
{
	return h->left_out;
}

size_t history_bytes(const struct history *h)
{
	return h->used + h->count * sizeof(*h->entries);
}

int64_t history_span_us(const struct history *h)
{
	return h->count ? entry_at(h, h->count - 1)->mono_us - entry_at(h, 0)->mono_us : 0;
}

/* Unpack entry i on top of what was read last, which is the one before it unless i is whole. */
static bool read_one(struct history *h, uint32_t i)
{
	const struct entry *e = entry_at(h, i);
	struct sample *before = &h->read[h->at], *now = &h->read[!h->at];

	h->has_read =
		pack_in(e->whole ? NULL : before, (const char *)h->ring + e->at, e->size, now);
	h->at = !h->at;
	h->read_number = h->dropped + i;
	return h->has_read;
}

bool history_get(struct history *h, uint32_t i, struct sample *out)
{
	uint32_t from = i;

	if (i >= h->count)
		return false;
	while (!entry_at(h, from)->whole)
		from--;
	if (h->has_read && h->read_number <= h->dropped + i && h->read_number >= h->dropped + from)
		from = (uint32_t)(h->read_number - h->dropped) + 1;
	for (; from <= i; from++)
		if (!read_one(h, from))
			return false;
	sample_copy(&h->read[h->at], out);
	return true;
}

uint32_t history_find(const struct history *h, int64_t t_us)
{
	uint32_t i = h->count;

	while (i > 1 && entry_at(h, i - 1)->mono_us > t_us)
		i--;
	return i ? i - 1 : 0;
}

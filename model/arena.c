/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.c - blocks in a chain. A reset melts the chain into one block, so that an arena which has
 * seen its largest load needs no more calls to the system.
 */
#include "reclaimtop/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)32 << 10)
#define ALIGNMENT alignof(max_align_t)

struct block {
	struct block *older;
	size_t size, used;
	size_t dirty;  /* bytes that were ever handed out: what lies behind is still zero from calloc() */
	alignas(max_align_t) unsigned char data[];
};

struct arena {
	struct block *top;
	size_t full;   /* bytes taken from the older blocks */
	size_t held;   /* size of all blocks */
};

_Noreturn void oom_exit(size_t wanted)
{
	char line[128];   /* lives as long as exit() runs */

	/* Kept until exit() has given the terminal back, or it would go with the screen. */
	setvbuf(stderr, line, _IOFBF, sizeof(line));
	fprintf(stderr, "reclaimtop: out of memory: the system refuses %zu bytes\n", wanted);
	exit(1);
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		oom_exit(size);
	return p;
}

void *mem_grow(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p)
		oom_exit(size);
	return p;
}

char *mem_str(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(mem_alloc(size), s, size);
}

struct arena *arena_new(void)
{
	struct arena *a = mem_alloc(sizeof(*a));

	*a = (struct arena){ 0 };
	return a;
}

static void free_blocks(struct arena *a)
{
	while (a->top) {
		struct block *b = a->top;

		a->top = b->older;
		free(b);
	}
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	free_blocks(a);
	free(a);
}

static void add_block(struct arena *a, size_t size)
{
	struct block *b = NULL;

	if (size <= SIZE_MAX - sizeof(*b))
		b = calloc(1, sizeof(*b) + size);
	if (!b)
		oom_exit(size);
	b->size = size;
	b->older = a->top;
	if (a->top)
		a->full += a->top->used;
	a->top = b;
	a->held += size;
}

void arena_reset(struct arena *a)
{
	size_t held = a->held;

	a->full = 0;
	if (!a->top)
		return;
	if (!a->top->older) {
		a->top->used = 0;
		return;
	}
	free_blocks(a);
	a->held = 0;
	add_block(a, held);
}

/* A new top block with room for size bytes, as large as all before: few blocks for any load. */
static void make_room(struct arena *a, size_t size)
{
	size_t want = a->held ? a->held : FIRST_BLOCK;

	if (size > SIZE_MAX - ALIGNMENT)
		oom_exit(size);
	add_block(a, want > size + ALIGNMENT ? want : size + ALIGNMENT);
}

/* Memory with whatever was in it; *dirty is how much of it may differ from zero. */
static void *take(struct arena *a, size_t size, size_t align, size_t *dirty)
{
	struct block *b = a->top;
	size_t at = b ? (b->used + align - 1) & ~(align - 1) : 0;

	if (!b || at > b->size || size > b->size - at) {
		make_room(a, size);
		b = a->top;
		at = 0;
	}
	*dirty = b->dirty <= at ? 0 : b->dirty - at < size ? b->dirty - at : size;
	b->used = at + size;
	if (b->used > b->dirty)
		b->dirty = b->used;
	return b->data + at;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t dirty;
	void *p = take(a, size, ALIGNMENT, &dirty);

	return dirty ? memset(p, 0, dirty) : p;
}

void *arena_raw(struct arena *a, size_t size)
{
	size_t dirty;

	return take(a, size, ALIGNMENT, &dirty);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	void *p = arena_raw(a, size);

	return size ? memcpy(p, from, size) : p;
}

char *arena_strn(struct arena *a, const char *s, size_t len)
{
	size_t dirty;
	char *p;

	if (len == SIZE_MAX)
		oom_exit(len);
	p = take(a, len + 1, 1, &dirty);
	if (len)
		memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_str(struct arena *a, const char *s)
{
	return arena_strn(a, s, strlen(s));
}

/* If the size bytes at p are the last that were taken, let them grow to want bytes in place. */
static int grow_in_place(struct arena *a, const void *p, size_t size, size_t want)
{
	struct block *b = a->top;
	size_t at;

	if (!b || (const unsigned char *)p + size != b->data + b->used)
		return 0;
	at = b->used - size;
	if (want > b->size - at)
		return 0;
	b->used = at + want;
	if (b->used > b->dirty)
		b->dirty = b->used;
	return 1;
}

static void list_grow(struct arena *a, struct arena_list *list, size_t size)
{
	uint32_t cap = list->cap ? list->cap * 2 : 8;
	void *items;

	if (list->cap > UINT32_MAX / 2 || cap > SIZE_MAX / size)
		oom_exit(SIZE_MAX);
	if (!list->n || !grow_in_place(a, list->items, list->cap * size, cap * size)) {
		items = arena_raw(a, cap * size);
		if (list->n)
			memcpy(items, list->items, list->n * size);
		list->items = items;
	}
	list->cap = cap;
}

void *arena_push(struct arena *a, struct arena_list *list, size_t size)
{
	unsigned char *item;

	if (list->n == list->cap)
		list_grow(a, list, size);
	item = (unsigned char *)list->items + list->n++ * size;
	return memset(item, 0, size);
}

size_t arena_used(const struct arena *a)
{
	return a->full + (a->top ? a->top->used : 0);
}

size_t arena_held(const struct arena *a)
{
	return a->held;
}

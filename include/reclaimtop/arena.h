/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h - memory that is taken piece by piece and given back all at once.
 *
 * A sample and all that hangs off it live in one arena. Resetting an arena keeps its memory, so a loop that
 * uses the same few arenas in turn stops asking the system for memory once they have grown to size.
 */
#ifndef RECLAIMTOP_ARENA_H
#define RECLAIMTOP_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/* A new, empty arena. Like every call here it never returns NULL: see oom_exit(). Freed by arena_free(). */
struct arena *arena_new(void);
void arena_free(struct arena *a);

/* Forget all that was taken; keep the memory. Pointers into the arena are dead. */
void arena_reset(struct arena *a);

/* Zeroed memory, aligned for any type. Size 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* As arena_alloc(), but whatever was there before: for what is filled at once. */
void *arena_raw(struct arena *a, size_t size);

/* A copy of size bytes, aligned for any type. */
void *arena_copy(struct arena *a, const void *from, size_t size);

/* len bytes of s and a NUL behind them. */
char *arena_strn(struct arena *a, const char *s, size_t len);
char *arena_str(struct arena *a, const char *s);

/* A list that grows within an arena. All zero is an empty list. */
struct arena_list {
	void *items;
	uint32_t n, cap;
};

/*
 * A new zeroed item of the given size (the same for all items of a list) at the end of the list. Earlier
 * items may move: keep indexes, not pointers, while a list grows.
 */
void *arena_push(struct arena *a, struct arena_list *list, size_t size);

/* Bytes taken since the last reset, and bytes that the arena holds from the system. */
size_t arena_used(const struct arena *a);
size_t arena_held(const struct arena *a);

/*
 * Where the system refuses memory there is nothing left to show: one line on standard error, exit status 1.
 * atexit() handlers run, so the terminal is given back. Everything in the steady state avoids coming here.
 */
_Noreturn void oom_exit(size_t wanted);

/* malloc and realloc that end in oom_exit() instead of NULL. */
void *mem_alloc(size_t size);
void *mem_grow(void *old, size_t size);
char *mem_str(const char *s);

#endif

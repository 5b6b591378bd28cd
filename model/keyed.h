/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keyed.h - names and the places at which they were put, to find the same thing in two samples by
 * what names it.
 */
#ifndef RECLAIMTOP_MODEL_KEYED_H
#define RECLAIMTOP_MODEL_KEYED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "reclaimtop/arena.h"

#define KEYED_NONE UINT32_MAX

/* A name: a text, which may be NULL, and two numbers. Texts are not copied. */
struct keyed_name {
	const char *text;
	uint64_t a, b;
};

struct keyed {
	struct keyed_name *names;  /* by place: 0, 1, … */
	uint64_t *hashes;
	uint32_t *slots;
	uint32_t mask, n;
};

/* Room for so many different names, in an arena. */
struct keyed keyed_new(struct arena *a, uint32_t room);

/* The place of a name, which is put behind the others where it is new. */
uint32_t keyed_put(struct keyed *k, struct keyed_name name);

/* The place of a name, KEYED_NONE where there is none. */
uint32_t keyed_find(const struct keyed *k, struct keyed_name name);

/* The same text, or both NULL: a recording may lack a name. */
static inline bool keyed_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read.h - what the two files that read a line share. What is in JSON is passed as json-c has it:
 * NULL for null, and for what is not there.
 */
#ifndef READ_H
#define READ_H

#include "line.h"
#include "mirror.h"

struct reader {
	struct arena *arena;     /* for strings and lists: the sample's, or scratch for keys */
	struct arena *scratch;
	struct buf *text;
	int64_t mono_us;
	uint64_t time;                /* the last that was read in a row; 0 none */
	const struct sample *sample;  /* what is read */
	struct json_object *vmstat;   /* of a line of changes: what it says of vmstat */
	struct mirror mirror;         /* made of that when it is needed */
};

/* A string made safe, in the reader's arena. NULL for what is none, or holds a NUL. */
const char *string_in(struct reader *r, struct json_object *v);

/* An array into a struct, in the shape's order. What it has not, or of a wrong type, is blank. */
void row_in(struct reader *r, struct json_object *row, const struct shape *s, void *item);

/* The members of an object into a struct: those that are there, but for keys. */
void read_fields(struct reader *r, struct json_object *obj, const struct shape *s, void *item);

/*
 * The items of a list that come, change or move (an array) and those that go (an array of keys, or
 * true for all); either may be NULL.
 */
void list_in(struct reader *r, const struct field *f, void *item, struct json_object *array,
	     struct json_object *gone);

#endif

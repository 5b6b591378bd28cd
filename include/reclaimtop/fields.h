/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields.h - the one table of what a sample holds: names, kinds and places.
 *
 * Whatever must go over a whole sample (writing a line, reading one, packing the history, comparing
 * two) walks this table; nothing else knows the list. A field added here is recorded, read back,
 * kept and compared.
 */
#ifndef RECLAIMTOP_FIELDS_H
#define RECLAIMTOP_FIELDS_H

#include "reclaimtop/sample.h"

enum field_kind {
	FIELD_U64,       /* uint64_t; UNKNOWN is left out, UNLIMITED is "max" */
	FIELD_U32,
	FIELD_U8,
	FIELD_I64,
	FIELD_BOOL,      /* left out where false */
	FIELD_CENTI,     /* uint64_t hundredths, written as 2.65 */
	FIELD_CHAR,      /* one character */
	FIELD_ENUM,      /* uint32-sized enum, written by its names */
	FIELD_TIME,      /* int64_t of the sample's clock, written as microseconds after mono_us; 0 is left out */
	FIELD_SOURCE,    /* state and err of a struct reading: "ok" or the name of an errno; NOT_ASKED is left out */
	FIELD_STRING,    /* const char *; NULL is left out */
	FIELD_STRUCT,    /* a struct within */
	FIELD_ROW,       /* the same, written as an array in the shape's order: "min_seq":[3,4] */
	FIELD_COUNTERS,  /* struct counters: an object of its names */
	FIELD_LIST,      /* pointer and uint32_t count: structs of a shape, paired by their keys */
	FIELD_ROWS,      /* the same, written as arrays of numbers: "gens":[[3,25684,0,4739],…] */
	FIELD_NUMBERS,   /* uint64_t * and uint32_t count */
};

enum field_flags {
	FIELD_KEY = 1,   /* part of what identifies an item of a list: the first fields of its shape */
	FIELD_ONCE = 2,  /* written with whole samples only: does not change while a machine runs */
	FIELD_AGE = 4,   /* moves by itself with the time between two samples (milliseconds), or holds what does */
	FIELD_ALONE = 16, /* names an item of a list by itself, where it is known and no other has the same */
	FIELD_MIRROR = 32, /* counters many of which are vmstat's, by model/mirror.h: a line may say so */
	FIELD_HEAD = 8,  /* part of the head of a line, which the codec writes itself */
};

/*
 * How far an age may be from what the one before and the time between lead to expect without being
 * written.
 */
#define AGE_TOLERANCE_MS 100

struct shape;

struct field {
	const char *name;          /* in JSON; NULL: the members of a FIELD_STRUCT stand in the object around it */
	enum field_kind kind;
	unsigned int flags;
	size_t offset;             /* of the value, or of the pointer */
	size_t count_offset;       /* lists: of the uint32_t count */
	const struct shape *shape; /* STRUCT, ROW, LIST, ROWS */
	const struct keytab *tab;  /* COUNTERS */
	const char *const *names;  /* ENUM, closed by NULL */
};

struct shape {
	const struct field *fields;
	uint32_t nfields;
	size_t size;               /* of the C struct */
	bool flat;                 /* holds no pointers */
};

/* The whole sample; the names that design and docs/format.md fix. */
extern const struct shape sample_shape;

/*
 * Are two samples the same in every field of the table? Lists must be in the same order; the names
 * that no table of keys has may be in any. Ages may differ by AGE_TOLERANCE_MS, the one tolerance
 * that recording and history have. Where they are not the same, the path of the first difference
 * and the two values are in why.
 */
bool sample_equal(const struct sample *a, const struct sample *b, char *why, size_t size);

/* A copy of from, in to's own arena (reset first). */
void sample_copy(const struct sample *from, struct sample *to);

#endif

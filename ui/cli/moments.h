/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - the time line of a roll: what happened where, from its notes and markers.
 */
#ifndef CLI_MOMENTS_H
#define CLI_MOMENTS_H

#include "notes.h"
#include "roll.h"

struct moments;

/* Both must outlive it. */
struct moments *moments_new(const struct roll *roll, const struct notes *notes);
void moments_free(struct moments *m);

/* A marker at sample i. text is copied; what is too long is cut. */
void moments_mark(struct moments *m, uint64_t i, const char *text);

/* Forget those of samples that are no longer there. */
void moments_forget(struct moments *m);

/* What begins with sample i: bit 1 << enum moment_kind. *known: whether its note was there. */
unsigned int moments_at(const struct moments *m, uint64_t i, bool *known);

/* The moment of one kind at sample i in words. */
void moments_tell(const struct moments *m, uint64_t i, enum moment_kind kind, struct moment *out);

/*
 * Up to MOMENTS_NEAR moments around sample i, by time; few of them lie behind it. The last
 * marker up to i is always among them. Returns how many.
 */
uint32_t moments_near(const struct moments *m, uint64_t i, struct moment out[MOMENTS_NEAR]);

/* Which part of the time line sample number i of count begins in. */
unsigned int moments_bucket(uint64_t i, uint64_t count);

/* The whole roll in BUCKET_NR parts. */
void moments_line(const struct moments *m, struct bucket out[BUCKET_NR]);

#endif

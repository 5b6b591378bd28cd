/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notes.h - what each step of a roll came to, in a few bytes: what the time line is drawn from.
 */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "reclaimtop/frame.h"

#define NOTE_UNKNOWN UINT32_MAX

struct note {
	int64_t mono_us;     /* of its sample */
	uint32_t pages_s;    /* reclaimed; NOTE_UNKNOWN where that is not known */
	int32_t tenths;      /* of a second: how long a gap is, or by how much the clock was set */
	uint16_t stalls;     /* like the next two: 0 where unknown, and at most what it can hold */
	uint8_t births, ooms;
	uint8_t level;       /* enum zone_level of the most pressed zone */
	uint8_t moments;     /* bit 1 << enum moment_kind */
	bool known;
};

/*
 * The note of a step; before: that of the step before, NULL where there is none. Some moments begin
 * only where that one had none. begins: another session begins with it.
 */
void note_make(const struct step *st, const struct note *before, bool begins, struct note *out);

/* By how much the wall clock was set between a step's samples; 0 where it only went on. */
int64_t note_clock_us(const struct step *st);

/* --- of a roll --- */

struct notes;

struct notes *notes_new(void);
void notes_free(struct notes *n);

/* Keep the note of sample i, which is not below first; those below first are forgotten. */
void notes_put(struct notes *n, uint64_t first, uint64_t i, const struct note *note);

/* NULL where there is none. */
const struct note *notes_at(const struct notes *n, uint64_t i);

#define KILLED_TEXT 64

/*
 * Keep in which memcgs processes were killed in the step that ends with sample i, as far as it says
 * that. Those of samples that were forgotten are forgotten.
 */
void notes_kills(struct notes *n, uint64_t i, const struct step *st);

/* "/leak", "/a, /b", "/a and 2 more"; "" where it is not known. */
const char *notes_killed(const struct notes *n, uint64_t i);

/*
 * The same of one step. A memcg's count has those below it in it: what is left without them is its
 * own. Returns false where no memcg is known to have lost a process.
 */
bool kills_tell(const struct step *st, char out[KILLED_TEXT]);

#endif

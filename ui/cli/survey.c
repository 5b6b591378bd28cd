/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "survey.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/heat.h"

#include "past.h"

/* Samples that are read in one go: about as many as a reader must go over to find one of them. */
#define PART 64
/* So many parts are looked at before the ones between. */
#define PARTS_FIRST 128

struct survey {
	struct roll *roll;
	struct notes *notes;
	struct heat *heat; /* may be NULL */
	uint64_t done;

	/* The part at hand. */
	bool busy;
	uint64_t next, from, end; /* read next; from here on notes are kept, up to end */
	struct sample samples[2];
	unsigned int turn;
	bool has_before;
	uint64_t before_at;
	struct step step;
	struct note note; /* of the step before; known where there is one */

	/* Which comes next. */
	uint64_t stride, part; /* stride 0: not begun */
	bool hurry;
	uint64_t wanted;
};

struct survey *survey_new(struct roll *roll, struct notes *notes)
{
	struct survey *s = mem_alloc(sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->roll = roll;
	s->notes = notes;
	s->samples[0].arena = arena_new();
	s->samples[1].arena = arena_new();
	s->step.arena = arena_new();
	return s;
}

void survey_heat(struct survey *s, struct heat *heat)
{
	s->heat = heat;
}

void survey_free(struct survey *s)
{
	if (!s)
		return;
	arena_free(s->samples[0].arena);
	arena_free(s->samples[1].arena);
	arena_free(s->step.arena);
	free(s);
}

uint64_t survey_done(const struct survey *s)
{
	return s->done;
}

/* ---- which part ------------------------------------------------------------------------------ */

static uint64_t samples_in(const struct survey *s)
{
	return s->roll->ops->end(s->roll);
}

static uint64_t parts_in(const struct survey *s)
{
	return (samples_in(s) + PART - 1) / PART;
}

static uint64_t part_end(const struct survey *s, uint64_t part)
{
	uint64_t end = samples_in(s);

	return end - part * PART < PART ? end : (part + 1) * PART;
}

/* Notes are taken from a part's start to its end, so the last one tells. */
static bool is_full(const struct survey *s, uint64_t part)
{
	return notes_at(s->notes, part_end(s, part) - 1) != NULL;
}

static bool next_part(struct survey *s, uint64_t *part)
{
	uint64_t parts = parts_in(s);

	if (!s->stride)
		for (s->stride = 1; s->stride * 2 * PARTS_FIRST <= parts;)
			s->stride *= 2;
	for (;;) {
		for (; s->part < parts; s->part += s->stride) {
			if (!is_full(s, s->part)) {
				*part = s->part;
				return true;
			}
		}
		if (s->stride == 1)
			break;
		s->stride /= 2;
		s->part = 0;
	}
	/* The last one is not full any more when the roll has grown. */
	s->part = parts ? parts - 1 : 0;
	return false;
}

void survey_hurry(struct survey *s, uint64_t i)
{
	s->hurry = true;
	s->wanted = i / PART;
}

/* ---- one part -------------------------------------------------------------------------------- */

/* The step before the first one counts too: some moments begin only where that had none. */
static void begin(struct survey *s, uint64_t part)
{
	const struct note *before;
	uint64_t back = 2;

	for (s->from = part * PART; notes_at(s->notes, s->from);)
		s->from++;
	s->end = part_end(s, part);
	before = s->from ? notes_at(s->notes, s->from - 1) : NULL;
	s->note = before ? *before : (struct note){ .known = false };
	back = before ? 1 : 2;
	s->next = s->from > back ? s->from - back : 0;
	s->has_before = false;
	s->busy = true;
}

static bool choose(struct survey *s)
{
	uint64_t part = s->wanted;

	if (s->hurry && part < parts_in(s) && !is_full(s, part)) {
		s->hurry = false;
		begin(s, part);
		return true;
	}
	s->hurry = false;
	if (!next_part(s, &part))
		return false;
	begin(s, part);
	return true;
}

/* heated: the step that the note is of; NULL where there is none. */
static void keep(struct survey *s, uint64_t i, const struct note *note, const struct step *heated)
{
	if (i < s->from)
		return;
	if (s->heat && heated)
		heat_add(s->heat, i, heated, note->moments);
	else if (s->heat)
		heat_blank(s->heat, i);
	notes_put(s->notes, s->roll->ops->first(s->roll), i, note);
	if (note->ooms && heated)
		notes_kills(s->notes, i, heated);
	s->done++;
}

static bool comparable(const struct survey *s, const struct sample *before,
		       const struct sample *now)
{
	const struct roll *r = s->roll;

	return s->has_before && past_comparable(before, r->ops->session(r, s->before_at), now,
						r->ops->session(r, s->next));
}

static void one(struct survey *s)
{
	struct sample *now = &s->samples[s->turn], *before = &s->samples[!s->turn];
	static const struct note blank = { .pages_s = NOTE_UNKNOWN, .known = true };
	uint32_t session = s->roll->ops->session(s->roll, s->next);
	bool begins = s->next && s->roll->ops->session_first(s->roll, session) == s->next;
	struct note note;

	if (s->roll->ops->read(s->roll, s->next, now)) {
		keep(s, s->next++, &blank, NULL);
		return;
	}
	if (s->has_before || s->next >= s->from) {
		step_make(comparable(s, before, now) ? before : NULL, now, &s->step);
		note_make(&s->step, &s->note, begins, &note);
		keep(s, s->next, &note, &s->step);
		s->note = note;
	}
	s->has_before = true;
	s->before_at = s->next++;
	s->turn = !s->turn;
}

bool survey_work(struct survey *s, int64_t until_us)
{
	do {
		if (!s->busy && !choose(s))
			return false;
		one(s);
		s->busy = s->next < s->end;
	} while (clock_mono_us() < until_us);
	return true;
}

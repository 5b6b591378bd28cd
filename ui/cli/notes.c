/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "notes.h"

#include <stdlib.h>
#include <string.h>

/* A wall clock that is slewed goes wrong by less in a step. */
#define CLOCK_SET_US INT64_C(1000000)

#define BIT(kind) ((uint8_t)(1u << (kind)))

/* ---- one note -------------------------------------------------------------------------------- */

static uint64_t at_most(uint64_t value, uint64_t most)
{
	if (value == UNKNOWN)
		return 0;
	return value < most ? value : most;
}

static uint32_t reclaimed(const struct brief *b)
{
	uint64_t pages = 0;

	if (b->dt_us <= 0)
		return NOTE_UNKNOWN;
	for (int type = 0; type < TYPE_NR; type++) {
		if (b->stolen[type] == UNKNOWN)
			return NOTE_UNKNOWN;
		pages += b->stolen[type];
	}
	return (uint32_t)at_most((uint64_t)((double)pages * 1e6 / (double)b->dt_us),
				 NOTE_UNKNOWN - 1);
}

int64_t note_clock_us(const struct step *st)
{
	const struct sample *was = st->before, *is = st->now;
	int64_t set;

	if (!was || !was->wall_us || !is->wall_us || st->state == STEP_RESET)
		return 0;
	set = (is->wall_us - was->wall_us) - (is->mono_us - was->mono_us);
	/*
	 * Where the time asleep is not told, going ahead may be just that, and the step is no gap.
	 */
	if (was->slept_us && is->slept_us > was->slept_us)
		set -= is->slept_us - was->slept_us;
	return set > -CLOCK_SET_US && set < CLOCK_SET_US ? 0 : set;
}

/* Below min, below low, above it; -1 where that means nothing. */
static int water(uint8_t level)
{
	static const int8_t classes[] = {
		[ZONE_UNKNOWN] = -1,  [ZONE_EMPTY] = -1,     [ZONE_BELOW_MIN] = 0,
		[ZONE_BELOW_LOW] = 1, [ZONE_BELOW_HIGH] = 2, [ZONE_ABOVE_HIGH] = 2,
	};

	return classes[level];
}

static uint8_t moments_of(const struct step *st, const struct note *before, const struct note *now)
{
	uint8_t moments = 0;

	if (st->state == STEP_RESET)
		return 0;
	if (now->births && !(before && before->births))
		moments |= BIT(MOMENT_BIRTH);
	if (now->stalls && !(before && before->stalls))
		moments |= BIT(MOMENT_STALLS);
	if (now->ooms)
		moments |= BIT(MOMENT_OOM);
	if (st->state == STEP_GAP)
		moments |= BIT(MOMENT_GAP);
	if (note_clock_us(st))
		moments |= BIT(MOMENT_CLOCK);
	if (before && water(before->level) >= 0 && water(now->level) >= 0 &&
	    water(before->level) != water(now->level))
		moments |= BIT(MOMENT_WATERMARK);
	return moments;
}

/*
 * How long nothing is known of, in tenths of a second: by the wall clock, which goes on while the
 * machine sleeps.
 */
static int32_t gap_tenths(const struct step *st)
{
	int64_t wall = st->before->wall_us && st->now->wall_us
			       ? st->now->wall_us - st->before->wall_us
			       : 0;
	int64_t us = wall > st->dt_us ? wall : st->dt_us;

	return us / 100000 < INT32_MAX ? (int32_t)(us / 100000) : INT32_MAX;
}

static int32_t clock_tenths(const struct step *st)
{
	int64_t tenths = note_clock_us(st) / 100000;

	return tenths > INT32_MAX ? INT32_MAX : tenths < -INT32_MAX ? -INT32_MAX : (int32_t)tenths;
}

void note_make(const struct step *st, const struct note *before, bool begins, struct note *out)
{
	struct brief b;

	brief_make(st, &b);
	*out = (struct note){
		.mono_us = st->now->mono_us,
		.pages_s = reclaimed(&b),
		.stalls = (uint16_t)at_most(b.stalls, UINT16_MAX),
		.births = (uint8_t)at_most(b.births, UINT8_MAX),
		.ooms = (uint8_t)at_most(b.oom_kills, UINT8_MAX),
		.level = b.worst_level,
		.known = true,
	};
	out->moments = moments_of(st, before && before->known ? before : NULL, out);
	if (begins || st->state == STEP_RESET)
		out->moments |= BIT(MOMENT_START);
	if (st->state == STEP_GAP)
		out->tenths = gap_tenths(st);
	else
		out->tenths = clock_tenths(st);
}

/* ---- those of a roll ------------------------------------------------------------------------- */

/* Few steps have any. */
#define KILLS_MOST 2048

struct kill {
	uint64_t at;
	char text[KILLED_TEXT];
};

struct notes {
	struct note *ring; /* a power of two of them */
	uint64_t cap, first, end;
	struct kill *kills; /* in no order */
	uint32_t nkills, kill_cap;
};

struct notes *notes_new(void)
{
	struct notes *n = mem_alloc(sizeof(*n));

	*n = (struct notes){ .cap = 64 };
	n->ring = mem_alloc(n->cap * sizeof(*n->ring));
	return n;
}

void notes_free(struct notes *n)
{
	if (!n)
		return;
	free(n->ring);
	free(n->kills);
	free(n);
}

static struct note *slot(const struct notes *n, uint64_t i)
{
	return &n->ring[i & (n->cap - 1)];
}

static void widen(struct notes *n, uint64_t count)
{
	struct notes wide = *n;

	while (wide.cap < count)
		wide.cap *= 2;
	wide.ring = mem_alloc(wide.cap * sizeof(*wide.ring));
	for (uint64_t i = n->first; i < n->end; i++)
		*slot(&wide, i) = *slot(n, i);
	free(n->ring);
	*n = wide;
}

void notes_put(struct notes *n, uint64_t first, uint64_t i, const struct note *note)
{
	if (first > n->first)
		n->first = first;
	if (n->end < n->first)
		n->end = n->first;
	if (i < n->first)
		return;
	if (i - n->first >= n->cap)
		widen(n, i - n->first + 1);
	for (; n->end <= i; n->end++)
		*slot(n, n->end) = (struct note){ .pages_s = NOTE_UNKNOWN };
	*slot(n, i) = *note;
}

const struct note *notes_at(const struct notes *n, uint64_t i)
{
	return i >= n->first && i < n->end && slot(n, i)->known ? slot(n, i) : NULL;
}

/* ---- who was killed -------------------------------------------------------------------------- */

static void forget_kills(struct notes *n)
{
	uint32_t left = 0;

	for (uint32_t k = 0; k < n->nkills; k++)
		if (n->kills[k].at >= n->first)
			n->kills[left++] = n->kills[k];
	n->nkills = left;
}

static struct kill *kill_of(const struct notes *n, uint64_t i)
{
	for (uint32_t k = 0; k < n->nkills; k++)
		if (n->kills[k].at == i)
			return &n->kills[k];
	return NULL;
}

void notes_kills(struct notes *n, uint64_t i, const struct step *st)
{
	char text[KILLED_TEXT];
	struct kill *kill = kill_of(n, i);

	if (i < n->first || !kills_tell(st, text))
		return;
	if (!kill && n->nkills == n->kill_cap)
		forget_kills(n);
	if (!kill && n->nkills == KILLS_MOST)
		return;
	if (!kill && n->nkills == n->kill_cap) {
		n->kill_cap = n->kill_cap ? n->kill_cap * 2 : 8;
		n->kills = mem_grow(n->kills, n->kill_cap * sizeof(*n->kills));
	}
	kill = kill ? kill : &n->kills[n->nkills++];
	kill->at = i;
	memcpy(kill->text, text, sizeof(text));
}

const char *notes_killed(const struct notes *n, uint64_t i)
{
	const struct kill *kill = kill_of(n, i);

	return kill ? kill->text : "";
}

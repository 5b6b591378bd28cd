/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/units.h"

/* How far from a sample moments are looked for. */
#define NEAR_SAMPLES 2000

/* A marker. */
struct item {
	uint64_t at;
	char text[MOMENT_TEXT];
};

struct moments {
	const struct roll *roll;
	const struct notes *notes;
	struct item *items; /* by sample, then as they came */
	uint32_t nitems, cap;
};

struct moments *moments_new(const struct roll *roll, const struct notes *notes)
{
	struct moments *m = mem_alloc(sizeof(*m));

	*m = (struct moments){ .roll = roll, .notes = notes };
	return m;
}

void moments_free(struct moments *m)
{
	if (!m)
		return;
	free(m->items);
	free(m);
}

/* ---- markers --------------------------------------------------------------------------------- */

/* At most size - 1 bytes of a text, whole characters. */
static void cut(const char *text, char *out, size_t size)
{
	size_t len = strlen(text);

	if (len >= size) {
		len = size - 1;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(out, text, len);
	out[len] = '\0';
}

/* The first item that is not before sample i. */
static uint32_t item_from(const struct moments *m, uint64_t i)
{
	uint32_t low = 0, high = m->nitems;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (m->items[mid].at < i)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void moments_mark(struct moments *m, uint64_t i, const char *text)
{
	uint32_t to = item_from(m, i + 1);

	if (m->nitems == m->cap) {
		m->cap = m->cap ? m->cap * 2 : 8;
		m->items = mem_grow(m->items, m->cap * sizeof(*m->items));
	}
	memmove(&m->items[to + 1], &m->items[to], (m->nitems - to) * sizeof(*m->items));
	m->items[to].at = i;
	cut(text, m->items[to].text, MOMENT_TEXT);
	m->nitems++;
}

void moments_forget(struct moments *m)
{
	uint32_t gone = item_from(m, m->roll->ops->first(m->roll));

	if (!gone)
		return;
	m->nitems -= gone;
	memmove(m->items, m->items + gone, m->nitems * sizeof(*m->items));
}

static bool has_mark(const struct moments *m, uint64_t i)
{
	uint32_t at = item_from(m, i);

	return at < m->nitems && m->items[at].at == i;
}

/* ---- what begins with a sample --------------------------------------------------------------- */

unsigned int moments_at(const struct moments *m, uint64_t i, bool *known)
{
	const struct note *note = notes_at(m->notes, i);
	unsigned int moments = note ? note->moments : 0;

	*known = note != NULL;
	if (has_mark(m, i))
		moments |= 1u << MOMENT_MARK;
	return moments;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void tell_mark(const struct moments *m, uint64_t i, char out[MOMENT_TEXT])
{
	uint32_t at = item_from(m, i), n = 0;

	while (at + n < m->nitems && m->items[at + n].at == i)
		n++;
	if (!n)
		return;
	cut(m->items[at + n - 1].text, out, n > 1 ? MOMENT_TEXT - 24 : MOMENT_TEXT);
	if (n > 1)
		snprintf(out + strlen(out), 24, " (and %" PRIu32 " more)", n - 1);
}

static void tell_water(const struct note *note, char out[MOMENT_TEXT])
{
	const char *words = "free memory rose above low";

	if (note->level == ZONE_BELOW_MIN)
		words = "free memory is below min";
	else if (note->level == ZONE_BELOW_LOW)
		words = "free memory is below low";
	snprintf(out, MOMENT_TEXT, "%s", words);
}

static void tell_count(unsigned int n, unsigned int most, const char *words[2],
		       char out[MOMENT_TEXT])
{
	snprintf(out, MOMENT_TEXT, "%s%u %s", n == most ? "at least " : "", n, words[n != 1]);
}

static void tell_time(const char *words, int32_t tenths, const char *behind, char out[MOMENT_TEXT])
{
	char age[16];

	units_age((uint64_t)(tenths < 0 ? -(int64_t)tenths : tenths) * 100, age, sizeof(age));
	snprintf(out, MOMENT_TEXT, "%s %s%s", words, age, behind);
}

/* In which memcgs, where that is known: of processes the kernel counts only how many. */
static void tell_kills(const struct moments *m, uint64_t i, unsigned int n, char out[MOMENT_TEXT])
{
	static const char *ooms[] = { "OOM kill", "OOM kills" };
	const char *where = notes_killed(m->notes, i);

	tell_count(n, UINT8_MAX, ooms, out);
	if (where[0])
		snprintf(out + strlen(out), MOMENT_TEXT - strlen(out), " in %s", where);
}

static void tell_note(const struct note *note, enum moment_kind kind, char out[MOMENT_TEXT])
{
	static const char *born[] = { "generation was opened", "generations were opened" };
	static const char *stalls[] = { "allocation had to reclaim itself",
					"allocations had to reclaim themselves" };

	if (kind == MOMENT_BIRTH)
		tell_count(note->births, UINT8_MAX, born, out);
	else if (kind == MOMENT_STALLS)
		tell_count(note->stalls, UINT16_MAX, stalls, out);
	else if (kind == MOMENT_WATERMARK)
		tell_water(note, out);
	else if (kind == MOMENT_GAP)
		tell_time("gap", note->tenths, "", out);
	else if (kind == MOMENT_CLOCK)
		tell_time("the clock was set", note->tenths, note->tenths < 0 ? " back" : " ahead",
			  out);
	else if (kind == MOMENT_START)
		snprintf(out, MOMENT_TEXT, "another session begins");
}

void moments_tell(const struct moments *m, uint64_t i, enum moment_kind kind, struct moment *out)
{
	const struct roll *r = m->roll;
	const struct note *note = notes_at(m->notes, i);

	*out = (struct moment){ .kind = kind, .index = i - r->ops->first(r) };
	out->mono_us = note ? note->mono_us : r->ops->mono(r, i);
	if (kind == MOMENT_MARK)
		tell_mark(m, i, out->text);
	else if (note && kind == MOMENT_OOM)
		tell_kills(m, i, note->ooms, out->text);
	else if (note)
		tell_note(note, kind, out->text);
}

unsigned int moments_bucket(uint64_t i, uint64_t count)
{
	return (unsigned int)(i * BUCKET_NR / count);
}

/* ---- around a sample ------------------------------------------------------------------------- */

/* All of sample i, worst last. */
static uint32_t tell_all(const struct moments *m, uint64_t i, struct moment *out, uint32_t room)
{
	bool known;
	unsigned int moments = moments_at(m, i, &known);
	uint32_t n = 0;

	for (int kind = 0; kind < MOMENT_NR; kind++)
		if ((moments & (1u << kind)) && n < room)
			moments_tell(m, i, (enum moment_kind)kind, &out[n++]);
	return n;
}

/* The last marker up to sample i, unless it is of sample from or later. Returns how many that are. */
static uint32_t tell_last_mark(const struct moments *m, uint64_t i, uint64_t from, struct moment *out)
{
	uint32_t end = item_from(m, i + 1);
	uint64_t at = end ? m->items[end - 1].at : 0;

	if (!end || at >= from || at < m->roll->ops->first(m->roll))
		return 0;
	moments_tell(m, at, MOMENT_MARK, out);
	return 1;
}

uint32_t moments_near(const struct moments *m, uint64_t i, struct moment out[MOMENTS_NEAR])
{
	uint64_t first = m->roll->ops->first(m->roll), end = m->roll->ops->end(m->roll);
	uint64_t from = i, to = end - i < NEAR_SAMPLES ? end : i + NEAR_SAMPLES;
	uint32_t found = 0, n;
	bool known;

	for (; from > first && i - from < NEAR_SAMPLES; from--) {
		found += (uint32_t)__builtin_popcount(moments_at(m, from, &known));
		/* Few behind it: a column of the Time view is entered at its first sample. */
		if (found >= MOMENTS_NEAR / 4)
			break;
	}
	n = tell_last_mark(m, i, from, out);
	for (; from < to && n < MOMENTS_NEAR; from++)
		n += tell_all(m, from, out + n, MOMENTS_NEAR - n);
	return n;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_note(struct bucket *b, const struct note *note)
{
	if (note->pages_s != NOTE_UNKNOWN && (b->pages_s == UNKNOWN || note->pages_s > b->pages_s))
		b->pages_s = note->pages_s;
}

static void add_notes(const struct moments *m, uint64_t first, uint64_t count,
		      struct bucket out[BUCKET_NR])
{
	for (uint64_t i = 0; i < count; i++) {
		unsigned int k = moments_bucket(i, count), next = moments_bucket(i + 1, count);
		const struct note *note = notes_at(m->notes, first + i);

		if (!note)
			continue;
		out[k].moments |= note->moments;
		/* With fewer samples than parts, one fills several. */
		do
			add_note(&out[k], note);
		while (++k < next);
	}
}

void moments_line(const struct moments *m, struct bucket out[BUCKET_NR])
{
	uint64_t first = m->roll->ops->first(m->roll), count = roll_count(m->roll);

	for (unsigned int k = 0; k < BUCKET_NR; k++)
		out[k] = (struct bucket){ UNKNOWN, 0 };
	add_notes(m, first, count, out);
	for (uint32_t i = item_from(m, first); i < m->nitems && m->items[i].at - first < count; i++)
		out[moments_bucket(m->items[i].at - first, count)].moments |= 1u << MOMENT_MARK;
}

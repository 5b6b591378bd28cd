/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline_words.c - what happened, as letters and in words.
 */
#include <stdio.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"
#include "timeline.h"

/*
 * How moments are drawn, and with others behind them; of several in one column the last of these.
 * What they are called where no more is known.
 */
static const struct {
	const char *letter, *several;
	enum style style;
	const char *name;
} looks[MOMENT_NR] = {
	[MOMENT_BIRTH] = { "g", "G", STYLE_DIM, "generations were opened" },
	[MOMENT_WATERMARK] = { "w", "W", STYLE_NOTE, "a watermark was crossed" },
	[MOMENT_STALLS] = { "d", "D", STYLE_WARN, "direct reclaim began" },
	[MOMENT_CLOCK] = { "c", "C", STYLE_NOTE, "the clock was set" },
	[MOMENT_GAP] = { "│", "┃", STYLE_BOLD, "a gap" },
	[MOMENT_START] = { "s", "S", STYLE_NOTE, "another session begins" },
	[MOMENT_MARK] = { "m", "M", STYLE_KEY, "a marker" },
	[MOMENT_OOM] = { "!", "!", STYLE_ALARM, "an OOM kill" },
};

const char *timeline_look(enum moment_kind kind, enum style *style)
{
	*style = looks[kind].style;
	return looks[kind].letter;
}

int timeline_worst(unsigned int moments)
{
	for (int kind = MOMENT_NR - 1; kind >= 0; kind--)
		if (moments & (1u << kind))
			return kind;
	return -1;
}

const char *timeline_letter(unsigned int moments, enum style *style)
{
	int kind = timeline_worst(moments);

	*style = looks[kind].style;
	return moments & (moments - 1) ? looks[kind].several : looks[kind].letter;
}

const struct moment *timeline_last(const struct when *w, unsigned int kinds)
{
	const struct moment *last = NULL;

	for (uint32_t i = 0; i < w->nnear; i++)
		if (w->near[i].index <= w->index && kinds & (1u << w->near[i].kind))
			last = &w->near[i];
	return last;
}

static void speed_text(const struct when *w, char out[NUMBER_TEXT])
{
	if (w->speed % 10)
		snprintf(out, NUMBER_TEXT, "PLAY %d.%dx", w->speed / 10, w->speed % 10);
	else
		snprintf(out, NUMBER_TEXT, "PLAY %dx", w->speed / 10);
}

const char *timeline_state(const struct frame *f, char out[NUMBER_TEXT])
{
	const struct when *w = &f->when;

	out[0] = '\0';
	if (!w->past)
		return out;
	if (f->ended && w->replay)
		snprintf(out, NUMBER_TEXT, "END");
	else if (w->playing)
		speed_text(w, out);
	else
		snprintf(out, NUMBER_TEXT, "STOPPED");
	return out;
}

/* What is told in one line: moments, the worst first. */
struct telling {
	struct {
		int kind;
		const char *text;
	} at[MOMENTS_NEAR + MOMENT_NR];
	int n;
};

/* Those of a kind that are near, and if there are none, its name. */
static void tell_kind(struct telling *out, const struct when *w, int kind, uint64_t from, uint64_t to)
{
	int n = out->n;

	for (uint32_t i = 0; i < w->nnear; i++) {
		const struct moment *m = &w->near[i];

		if ((int)m->kind != kind || m->index < from || m->index >= to)
			continue;
		out->at[out->n].kind = kind;
		out->at[out->n++].text = m->text;
	}
	if (out->n > n)
		return;
	out->at[out->n].kind = kind;
	out->at[out->n++].text = looks[kind].name;
}

#define MORE 9 /* columns of "  +2 more" */

static void put_telling(struct pen *p, const struct telling *all, enum style style)
{
	for (int i = 0; i < all->n; i++) {
		bool last = i + 1 == all->n;
		int room = pen_room(p) - (i ? 2 : 0) - 2 - (last ? 0 : MORE);
		const char *text = all->at[i].text;

		if (i && name_width(text) > room) {
			pen_printf(p, STYLE_DIM, "  +%d more", all->n - i);
			return;
		}
		pen_text(p, STYLE_PLAIN, i ? "  " : "");
		pen_text(p, looks[all->at[i].kind].style, looks[all->at[i].kind].letter);
		pen_text(p, STYLE_PLAIN, " ");
		pen_cut(p, room > 0 ? room : 0, style, text);
	}
}

bool timeline_moments(struct pen *p, const struct frame *f, uint64_t from, uint64_t to,
		      unsigned int kinds)
{
	struct telling all = { .n = 0 };

	for (int kind = MOMENT_NR - 1; kind >= 0; kind--)
		if (kinds & (1u << kind))
			tell_kind(&all, &f->when, kind, from, to);
	put_telling(p, &all, STYLE_BOLD);
	return all.n;
}

void timeline_moment(struct pen *p, const struct frame *f, unsigned int kinds)
{
	const struct moment *m = timeline_last(&f->when, kinds);
	struct telling all = { .n = 0 };
	unsigned int there = 0;
	int64_t ago;
	char age[NUMBER_TEXT];

	if (!m)
		return;
	for (uint32_t i = 0; i < f->when.nnear; i++)
		if (f->when.near[i].index == m->index)
			there |= kinds & (1u << f->when.near[i].kind);
	for (int kind = MOMENT_NR - 1; kind >= 0; kind--)
		if (there & (1u << kind))
			tell_kind(&all, &f->when, kind, m->index, m->index + 1);
	ago = f->now->mono_us - m->mono_us;
	if (m->index < f->when.index && ago > 0)
		pen_printf(p, STYLE_DIM,
			   "%s ago: ", units_age((uint64_t)ago / 1000, age, sizeof(age)));
	put_telling(p, &all, m->index == f->when.index ? STYLE_BOLD : STYLE_PLAIN);
}

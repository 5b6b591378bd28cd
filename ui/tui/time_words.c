/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_words.c - the place shown in the Time view in words: where it is, the selected row, events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"
#include "time_view.h"
#include "timeline.h"

#define COLS_FOR_WORDS 100
#define NAME           32 /* columns of a path */

/* --- where it is --- */

static bool has_said(const struct tui *t)
{
	return t->frame.when.said[0] && t->frame.when.said_n != t->said_seen;
}

static void draw_column(struct pen *p, const struct tui *t, bool wide)
{
	const struct timing *v = time_of(t);
	const struct step *st = t->frame.step;
	char age[NUMBER_TEXT];

	if (v->span.each == 1 && v->span.width > 1) {
		pen_printf(p, STYLE_DIM, wide ? ".  A sample is %d columns" : "  sample: %d columns", v->span.width);
		return;
	}
	pen_printf(p, STYLE_DIM,
		   wide ? ".  A column is %" PRIu64 " sample%s" : "  column: %" PRIu64 " sample%s",
		   v->span.each, v->span.each > 1 ? "s" : "");
	if (v->span.each > 1 && st->dt_us > 0)
		pen_printf(p, STYLE_DIM, wide ? ", about %s" : ", %s",
			   units_age(v->span.each * (uint64_t)st->dt_us / 1000, age, sizeof(age)));
}

static void draw_place(struct pen *p, const struct tui *t)
{
	const struct when *w = &t->frame.when;
	bool wide = p->pane.cols >= COLS_FOR_WORDS;
	char age[NUMBER_TEXT], state[NUMBER_TEXT];

	timeline_state(&t->frame, state);
	pen_printf(p, STYLE_WARN, " %s", state[0] ? state : "NOW");
	pen_printf(p, STYLE_PLAIN,
		   wide ? "  sample %" PRIu64 " of %" PRIu64 "%s" : "  %" PRIu64 "/%" PRIu64 "%s",
		   w->index + 1, w->count, w->growing ? "+" : "");
	if (w->from_end_us > 0) {
		units_age((uint64_t)w->from_end_us / 1000, age, sizeof(age));
		if (wide)
			pen_printf(p, STYLE_PLAIN, ", %s before %s", age, w->replay ? "the end" : "now");
		else
			pen_printf(p, STYLE_PLAIN, "  -%s", age);
	}
	if (has_said(t)) {
		pen_text(p, STYLE_PLAIN, "  ");
		pen_cut(p, pen_room(p), STYLE_NOTE, w->said);
		return;
	}
	draw_column(p, t, wide);
	if (w->seen_permille < 1000)
		pen_printf(p, STYLE_DIM, wide ? ".  Seen %" PRIu32 "%%" : "  seen %" PRIu32 "%%",
			   w->seen_permille / 10);
}

/* --- a row --- */

static void name_row(const struct timing *v, const struct time_row *row, char out[TIME_WORDS])
{
	static const char *const types[TYPES_NR] = { "", "anon ", "file " };
	char name[NAME * 4 + 1], end[TIME_LABEL];

	if (row->kind == ROW_BRIEF) {
		snprintf(out, TIME_WORDS, "%s", row->label);
	} else if (row->kind == ROW_AGE && row->hi == HEAT_AGES - 1) {
		snprintf(out, TIME_WORDS, "%spages %s old and older", types[v->types], row->label);
	} else if (row->kind == ROW_AGE) {
		time_age_label(row->hi + 1, end);
		snprintf(out, TIME_WORDS, "%spages %s to %s old", types[v->types], row->label, end);
	} else if (row->kind == ROW_CPU) {
		snprintf(out, TIME_WORDS, "pagesets of %s, filled", row->label);
	} else {
		name_fit(time_row_label(row), NAME, 0, name, sizeof(name));
		snprintf(out, TIME_WORDS, "%s %s", name,
			 row->flow == HEAT_STALLED ? "waited (share of time)"
						   : time_flow_name(row->flow));
	}
}

/* The cell with the most, -1 where nothing is known or all is nothing. */
static int peak_of(const struct timing *v, const struct time_row *row)
{
	uint64_t most = 0;
	int at = -1;

	for (int c = 0; c < v->span.cells; c++) {
		uint64_t value = time_value(row, row->cells[c]);

		if (value != UNKNOWN && value > most) {
			most = value;
			at = c;
		}
	}
	return at;
}

static void add_peak(const struct tui *t, const struct draw *d, const struct time_row *row,
		     char out[TIME_WORDS])
{
	int c = peak_of(time_of(t), row);
	size_t len = strlen(out);
	char text[NUMBER_TEXT], clock[TIME_CLOCK + 1];
	struct heat_column column;

	if (c < 0)
		return;
	if (c == time_cell_shown(t)) {
		snprintf(out + len, TIME_WORDS - len, ", the most of all");
		return;
	}
	time_value_text(d, row, time_value(row, row->cells[c]), text);
	snprintf(out + len, TIME_WORDS - len, "; most %s", text);
	len = strlen(out);
	if (t->frame.when.heat && time_column(t, c, &column) && time_clock(column.wall_us, column.mono_us, clock))
		snprintf(out + len, TIME_WORDS - len, " at %s", clock);
}

void time_row_words(const struct tui *t, const struct draw *d, const struct time_row *row,
		    char out[TIME_WORDS])
{
	const struct timing *v = time_of(t);
	int at = time_cell_shown(t);
	char text[NUMBER_TEXT];
	size_t len;

	name_row(v, row, out);
	len = strlen(out);
	if (at >= 0) {
		time_value_text(d, row, time_value(row, row->cells[at]), text);
		snprintf(out + len, TIME_WORDS - len, ": %s", text);
	}
	add_peak(t, d, row, out);
}

static void draw_row(struct pen *p, const struct tui *t)
{
	const struct timing *v = time_of(t);
	char words[TIME_WORDS];

	if (v->row >= v->nrows)
		return;
	time_row_words(t, p->d, &v->rows[v->row], words);
	pen_text(p, STYLE_PLAIN, " ");
	pen_cut(p, pen_room(p), STYLE_PLAIN, words);
}

/* --- events --- */

/* Those of the column shown, markers that are near among them. */
static unsigned int happened(const struct tui *t, uint64_t *from, uint64_t *to)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);
	int at = time_cell_shown(t);
	struct heat_column column;
	unsigned int kinds;

	*from = *to = 0;
	if (at < 0 || !time_column(t, at, &column))
		return 0;
	*from = v->span.from + v->span.each * (uint64_t)at;
	*to = *from + v->span.each - w->first;
	*from = *from > w->first ? *from - w->first : 0;
	kinds = column.moments;
	for (uint32_t i = 0; i < w->nnear; i++)
		if (w->near[i].index >= *from && w->near[i].index < *to)
			kinds |= 1u << w->near[i].kind;
	return kinds;
}

#define SUBTITLE 3 /* columns before its text */
#define MARKS    (1u << MOMENT_MARK)

/* What is told of events: those here, and the last marker up to here as the subtitle. */
struct news {
	uint64_t from, to;
	unsigned int kinds;             /* in that column */
	const struct moment *subtitle;
	int lines;                      /* that all of it needs */
};

static void find_news(const struct tui *t, int cols, struct news *out)
{
	const struct when *w = &t->frame.when;
	int width = cols > SUBTITLE + 10 ? cols - SUBTITLE : 10;

	*out = (struct news){ .subtitle = timeline_last(w, MARKS) };
	out->kinds = happened(t, &out->from, &out->to);
	/* A marker of this column that is not reached yet is told here. */
	for (uint32_t i = 0; i < w->nnear; i++)
		if (w->near[i].kind == MOMENT_MARK && w->near[i].index >= out->from &&
		    w->near[i].index < out->to)
			out->subtitle = &w->near[i];
	if (out->subtitle)
		out->kinds &= ~MARKS;
	out->lines = (out->subtitle ? pen_wrap_lines(out->subtitle->text, width) : 0) + (out->kinds != 0);
}

static void draw_news(struct pen *p, const struct tui *t, const struct news *news)
{
	int lines = p->pane.rows - p->row;
	unsigned int kinds = news->kinds;
	bool here = news->subtitle && news->subtitle->index >= news->from &&
		    news->subtitle->index < news->to;

	pen_text(p, STYLE_PLAIN, " ");
	if (kinds && (lines == 1 || !news->subtitle)) {
		timeline_moments(p, &t->frame, news->from, news->to, kinds | (here ? MARKS : 0));
		return;
	}
	if (!news->subtitle) {
		timeline_moment(p, &t->frame, ~0u);
		return;
	}
	if (kinds) {
		timeline_moments(p, &t->frame, news->from, news->to, kinds);
		pen_line(p);
		pen_text(p, STYLE_PLAIN, " ");
	}
	pen_text(p, STYLE_KEY, "m ");
	pen_wrap(p, here ? STYLE_BOLD : STYLE_PLAIN, SUBTITLE, p->pane.rows - p->row,
		 news->subtitle->text);
}

/*
 * Events and the subtitle come first, unless somebody chose a row; where one is stands in other
 * places, too.
 */
void time_draw_words(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_NR);
	struct news news;
	bool place, row;

	if (rect_is_empty(pane))
		return;
	find_news(t, pane.cols, &news);
	place = has_said(t) || pane.rows >= 2 + news.lines;
	row = pane.rows - place >= 1 + news.lines || (time_of(t)->chosen && pane.rows - place > 1);
	if (place)
		draw_place(&p, t);
	if (place && !pen_line(&p))
		return;
	if (row) {
		draw_row(&p, t);
		pen_line(&p);
	}
	if (p.row < pane.rows)
		draw_news(&p, t, &news);
}

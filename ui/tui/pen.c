/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

#define TEXT_SIZE 1024

struct pen pen_in(struct draw *d, struct rect pane, enum reading_id from)
{
	return (struct pen){ .d = d, .pane = pane, .from = from };
}

void pen_to(struct pen *p, int row, int col)
{
	p->row = row;
	p->col = col;
}

bool pen_line(struct pen *p)
{
	p->row++;
	p->col = 0;
	return p->row < p->pane.rows;
}

int pen_room(const struct pen *p)
{
	return p->pane.cols > p->col ? p->pane.cols - p->col : 0;
}

void pen_text(struct pen *p, enum style style, const char *text)
{
	p->col = grid_text(p->d->g, p->pane, p->row, p->col, style, text);
}

void pen_printf(struct pen *p, enum style style, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pen_text(p, style, text);
}

/* The text cut to width, and how many columns it is short of it. */
static int fit(const struct pen *p, int width, const char *text, char out[TEXT_SIZE])
{
	return width - name_fit(text, width, p->d->g->ascii, out, TEXT_SIZE);
}

void pen_right(struct pen *p, int width, enum style style, const char *text)
{
	char cut[TEXT_SIZE];

	p->col += fit(p, width, text, cut);
	pen_text(p, style, cut);
}

void pen_left(struct pen *p, int width, enum style style, const char *text)
{
	char cut[TEXT_SIZE];
	int left = fit(p, width, text, cut);

	pen_text(p, style, cut);
	p->col += left;
}

/* Bytes of text that go on one line of width columns, cut at a blank where there is one. */
static size_t line_bytes(const char *text, int width)
{
	size_t at = 0, cut = 0, n;
	int used = 0, columns;
	uint32_t c;

	while ((n = name_next(text + at, &c, &columns))) {
		if (used + columns > width)
			return cut ? cut : at ? at : n;
		used += columns;
		at += n;
		if (c == ' ')
			cut = at;
	}
	return at;
}

#define WORDS_FROM 20 /* columns: with fewer every letter counts */

/* Where the last whole word of the first bytes ends; in the middle of one that would take half of the line with it. */
static size_t word_end(const char *text, size_t at, int width)
{
	size_t end = at;

	while (end && text[end - 1] != ' ')
		end--;
	while (end && text[end - 1] == ' ')
		end--;
	return width >= WORDS_FROM && end * 2 > at ? end : at;
}

/* A number before the sign for what is cut could be the start of a longer one: it goes as well. */
static size_t without_number(const char *text, size_t at)
{
	size_t end = at;

	while (end && (strchr("0123456789", text[end - 1]) || (end < at && text[end - 1] == '.')))
		end--;
	while (end && end < at && text[end - 1] == ' ')
		end--;
	return end ? end : at;
}

/* The start of a text, and where it is cut a sign of that: after a whole word, if that is asked for. */
static void cut_text(struct pen *p, int width, bool words, enum style style, const char *text)
{
	char part[TEXT_SIZE];
	int used = 0, columns, whole = name_width(text);
	size_t at = 0, n;
	uint32_t c;

	while ((n = name_next(text + at, &c, &columns)) && at + n < sizeof(part) - 4) {
		if (used + columns > width - (whole > width))
			break;
		used += columns;
		at += n;
	}
	if (words && whole > width && text[at] != ' ')
		at = word_end(text, at, width);
	if (words && whole > width)
		at = without_number(text, at);
	memcpy(part, text, at);
	memcpy(part + at, "…", whole > width && width > 0 ? 4 : 0);
	part[at + (whole > width && width > 0 ? strlen("…") : 0)] = '\0';
	pen_text(p, style, part);
}

void pen_cut(struct pen *p, int width, enum style style, const char *text)
{
	cut_text(p, width, false, style, text);
}

const char *pen_skip(const char *text, int width, int lines)
{
	for (; *text && lines > 0; lines--)
		text += line_bytes(text, width);
	return text;
}

int pen_wrap_lines(const char *text, int width)
{
	int lines = 0;

	for (; *text; text += line_bytes(text, width))
		lines++;
	return lines;
}

int pen_wrap(struct pen *p, enum style style, int indent, int lines, const char *text)
{
	int width = p->pane.cols - indent, used = 0;
	char part[TEXT_SIZE];

	while (*text && used < lines && width > 0) {
		size_t n = line_bytes(text, width);

		p->col = indent;
		if (++used == lines) {
			cut_text(p, width, true, style, text);
			break;
		}
		n = n < sizeof(part) ? n : sizeof(part) - 1;
		memcpy(part, text, n);
		part[n] = '\0';
		pen_text(p, style, part);
		text += n;
		if (*text && used < lines)
			pen_line(p);
	}
	return used;
}

/* --- numbers as text --- */

static char *scaled_pages(const struct draw *d, struct amount a, char out[NUMBER_TEXT])
{
	char *at = out;
	double value = (double)a.value * d->page_size * 1e6 / (double)d->f->step->dt_us;
	uint64_t bytes;

	if (value < 0) {
		*at++ = '-';
		value = -value;
	}
	bytes = value < 1e18 ? (uint64_t)(value + 0.5) : (uint64_t)1e18;
	if (!bytes && a.value)
		memcpy(at, "<1B", 4);
	else
		units_bytes(bytes, at, NUMBER_TEXT - 1);
	return out;
}

static const char *nothing_yet(const struct draw *d, struct amount a)
{
	return !amount_known(a) || d->f->step->dt_us <= 0 ? "-" : a.value == 0 ? "0" : NULL;
}

char *number_events(const struct draw *d, struct amount a, char out[NUMBER_TEXT])
{
	const char *plain = nothing_yet(d, a);
	int64_t tenths = plain ? 0 : amount_rate10(a, d->f->step->dt_us);
	uint64_t size = (uint64_t)(tenths < 0 ? -tenths : tenths);

	if (plain)
		memcpy(out, plain, 2);
	else if (!tenths)
		snprintf(out, NUMBER_TEXT, "<0.1");
	else if (size < 100)
		snprintf(out, NUMBER_TEXT, "%s%" PRIu64 ".%" PRIu64, tenths < 0 ? "-" : "", size / 10, size % 10);
	else if (tenths < 0)
		out[0] = '-', units_count((size + 5) / 10, out + 1, NUMBER_TEXT - 1);
	else
		units_count((size + 5) / 10, out, NUMBER_TEXT);
	return out;
}

char *number_rate(const struct draw *d, struct amount a, char out[NUMBER_TEXT])
{
	const char *plain = nothing_yet(d, a);

	if (d->in_pages)
		return number_events(d, a, out);
	if (!plain)
		return scaled_pages(d, a, out);
	memcpy(out, plain, 2);
	return out;
}

char *number_pages(const struct draw *d, uint64_t pages, char out[NUMBER_TEXT])
{
	return units_pages(pages, d->page_size, d->in_pages, out, NUMBER_TEXT);
}

char *number_bytes(const struct draw *d, uint64_t bytes, char out[NUMBER_TEXT])
{
	if (d->in_pages && bytes < UNLIMITED)
		return units_count(bytes / d->page_size, out, NUMBER_TEXT);
	return units_bytes(bytes, out, NUMBER_TEXT);
}

char *number_change(const struct draw *d, int64_t pages, char out[NUMBER_TEXT])
{
	return units_change(pages, d->page_size, d->in_pages, out, NUMBER_TEXT);
}

/* --- numbers on the screen --- */

static enum style style_of(const struct draw *d, struct amount a)
{
	static const enum style styles[] = {
		[AMOUNT_MISSING] = STYLE_UNKNOWN, [AMOUNT_FIRST] = STYLE_UNKNOWN,
		[AMOUNT_RESET] = STYLE_UNKNOWN, [AMOUNT_GAP] = STYLE_INFERRED,
		[AMOUNT_MEASURED] = STYLE_PLAIN, [AMOUNT_INFERRED] = STYLE_INFERRED,
	};

	if (d->f->step->dt_us <= 0)
		return STYLE_UNKNOWN;
	return amount_known(a) && a.value == 0 ? STYLE_DIM : styles[a.state];
}

static void note(struct pen *p, int from, struct spot spot)
{
	struct spots *s = p->d->spots;
	struct rect where = { p->pane.row + p->row, p->pane.col + from, 1, p->col - from };

	where = rect_clip(rect_clip(where, p->pane), grid_rect(p->d->g));
	if (!s || s->n >= SPOT_NR || rect_is_empty(where) || !spot.metric)
		return;
	spot.where = where;
	spot.from = p->from;
	s->at[s->n++] = spot;
}

void pen_spot(struct pen *p, int from, const char *metric)
{
	note(p, from, (struct spot){ .metric = metric });
}

void pen_spot_of(struct pen *p, const char *words, const char *known)
{
	struct spots *spots = p->d->spots;
	struct spot *last = spots && spots->n ? &spots->at[spots->n - 1] : NULL;

	/* What is cut off was not noted. */
	if (!last || last->where.row != p->pane.row + p->row)
		return;
	snprintf(last->of, SPOT_OF, "%s", words);
	last->known = known;
}

void pen_spot_amount(struct pen *p, int from, const char *metric, struct amount a)
{
	note(p, from, (struct spot){ .metric = metric, .is_amount = true, .amount = a });
}

const char *at_least_sign(const struct draw *d)
{
	return d->g->ascii ? ">=" : "≥";
}

void pen_value(struct pen *p, int width, const char *metric, const char *text)
{
	int from = p->col;
	enum style style = !strcmp(text, "-") ? STYLE_UNKNOWN : !strcmp(text, "0") ? STYLE_DIM : STYLE_PLAIN;

	pen_right(p, width, style, text);
	pen_spot(p, from, metric);
}

void pen_pages(struct pen *p, int width, const char *metric, uint64_t pages)
{
	char text[NUMBER_TEXT];

	pen_value(p, width, metric, number_pages(p->d, pages, text));
}

static void amount_text(struct pen *p, int width, const char *metric, struct amount a, const char *text)
{
	int from = p->col;

	pen_right(p, width, style_of(p->d, a), text);
	pen_spot_amount(p, from, metric, a);
}

void pen_rate(struct pen *p, int width, const char *metric, struct amount a)
{
	char text[NUMBER_TEXT];

	amount_text(p, width, metric, a, number_rate(p->d, a, text));
}

void pen_events(struct pen *p, int width, const char *metric, struct amount a)
{
	char text[NUMBER_TEXT];

	amount_text(p, width, metric, a, number_events(p->d, a, text));
}

void pen_flow(struct pen *p, int width, const char *metric, struct amount a)
{
	static const char *const marks[] = {
		[AMOUNT_MISSING] = "", [AMOUNT_FIRST] = "", [AMOUNT_RESET] = "",
		[AMOUNT_GAP] = "*", [AMOUNT_MEASURED] = "=", [AMOUNT_INFERRED] = "~",
	};
	char text[NUMBER_TEXT], marked[NUMBER_TEXT + 1];

	number_rate(p->d, a, text);
	snprintf(marked, sizeof(marked), "%s%s", marks[a.state], text);
	amount_text(p, width, metric, a, marked);
}

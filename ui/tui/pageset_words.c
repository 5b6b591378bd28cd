/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageset_words.c - the Pagesets view in words: what happens now, how to read it, what a dot stands for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pagesets.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

/* --- what happens now --- */

/* What the pagesets of a zone lost and gained together, net of each. */
struct sums {
	struct amount out, in;
	bool known;
};

static struct sums sum(const struct zone_step *z)
{
	struct sums s = { .out = { .state = AMOUNT_INFERRED }, .in = { .state = AMOUNT_INFERRED } };

	for (uint32_t i = 0; i < z->npagesets; i++) {
		struct amount net = z->pagesets[i].change;

		if (!amount_known(net))
			continue;
		s.known = true;
		if (net.value < 0)
			s.out.value -= net.value;
		else
			s.in.value += net.value;
	}
	return s;
}

/* By the columns there are: with all words, with few, with the least. */
enum words { WORDS_ALL, WORDS_FEW, WORDS_LEAST };

static void say_stranded(const struct zone_step *z, const struct draw *d, enum words words,
			 char out[200])
{
	static const char *const rest[] = {
		"is below low, and each CPU can take only its own.",
		"is below low; only their own CPU gets them.", "is below low."
	};
	char pages[NUMBER_TEXT];

	snprintf(out, 200, "%s %s: zone %" PRIu32 " %.20s %s", number_pages(d, z->stranded, pages),
		 words == WORDS_ALL ? "of free pages are stranded" : "stranded", z->now->node,
		 z->now->name, rest[words]);
}

/* Nothing where nothing flows. Returns the characters written. */
static size_t say_flow(const struct draw *d, struct amount a, const char *what, char *out, size_t size)
{
	char rate[NUMBER_TEXT];

	return a.value ? (size_t)snprintf(out, size, "~%.16s/s %s", number_rate(d, a, rate), what) : 0;
}

static void say_moving(const struct zone_step *z, const struct draw *d, enum words words,
		       char out[200])
{
	struct sums s = sum(z);
	char held[NUMBER_TEXT];
	size_t n = 0;

	number_pages(d, z->pageset_pages, held);
	if (words == WORDS_ALL)
		n = (size_t)snprintf(out, 200, "%s of %.20s lie ready in the pagesets of %" PRIu32 " CPUs: ",
				     held, z->now->name, z->npagesets);
	else
		n = (size_t)snprintf(out, 200, "%s %sin %" PRIu32 " pagesets: ", held,
				     words == WORDS_FEW ? "ready " : "", z->npagesets);
	if (!s.known) {
		snprintf(out + n, 200 - n, "what moves is not known from this sample.");
	} else if (!s.out.value && !s.in.value) {
		snprintf(out + n, 200 - n, "nothing moves, net.");
	} else {
		n += say_flow(d, s.out, words == WORDS_ALL ? "leave, " : "out, ", out + n, 200 - n);
		n += say_flow(d, s.in, words == WORDS_ALL ? "come in, " : "in, ", out + n, 200 - n);
		snprintf(out + n, 200 - n, "net.");
	}
}

/* What is stranded goes first, wherever it is. */
static const struct zone_step *most_urgent(const struct tui *t)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);
	const struct step *st = t->frame.step;

	for (uint32_t i = 0; i < st->nzones && z && !z->stranded; i++)
		if (st->zones[i].stranded)
			z = &st->zones[i];
	return z;
}

/* What raises the marks, where it has room behind. */
static void add_boost(const struct zone_step *z, const struct draw *d, int cols, char text[200])
{
	char more[80], pages[NUMBER_TEXT];

	snprintf(more, sizeof(more), " The marks of %.20s are raised by %s (boost).", z->now->name,
		 number_pages(d, zone_boost(z->now), pages));
	if (zone_boost(z->now) && name_width(text) + name_width(more) <= cols && strlen(text) + strlen(more) < 200)
		strcat(text, more);
}

void words_now(const struct tui *t, struct draw *d, struct rect row)
{
	enum words words = row.cols >= 100 ? WORDS_ALL : row.cols >= 76 ? WORDS_FEW : WORDS_LEAST;
	const struct zone_step *z = most_urgent(t);
	struct pen p = pen_in(d, row, READ_ZONEINFO);
	char text[200];

	if (!z || rect_is_empty(row))
		return;
	(z->stranded ? say_stranded : say_moving)(z, d, words, text);
	add_boost(z, d, row.cols, text);
	pen_cut(&p, row.cols, z->stranded ? STYLE_ALARM : STYLE_BOLD, text);
}

void words_caption(struct draw *d, struct rect row)
{
	struct pen p = pen_in(d, row, READ_NR);

	if (rect_is_empty(row))
		return;
	pen_cut(&p, row.cols, STYLE_DIM,
		row.cols >= 118  ? "Each CPU keeps free pages of its own. Over the brim (high) they drain into the "
				   "free lists below; empty, it is refilled."
		: row.cols >= 76 ? "A CPU's own free pages: over high they drain to the lists below, else refill."
				 : "A CPU's own free pages, between it and the free lists.");
}

/* --- the chosen pageset in numbers --- */

#define LEDGER_NUMBER 17

static struct pen ledger_line(struct draw *d, struct rect pane, int row, const char *name)
{
	struct pen p = pen_in(d, pane, READ_ZONEINFO);

	pen_to(&p, row, 0);
	pen_left(&p, 9, STYLE_DIM, name);
	return p;
}

/* What it means, where all of it has room. */
static void ledger_words(struct pen *p, const char *words)
{
	p->col = LEDGER_NUMBER + 2;
	if (p->row < p->pane.rows && name_width(words) <= pen_room(p))
		pen_text(p, STYLE_DIM, words);
}

static void ledger_pages(struct draw *d, struct rect pane, int row, const char *name, uint64_t pages)
{
	static const struct {
		const char *name, *metric, *words;
	} lines[] = {
		{ "count", "count", "free pages that only this CPU takes" },
		{ "high", "pageset high", "over it, it is drained" },
		{ "batch", "batch", "moved at a time, up to 32 of them" },
		{ "batch", "batch", "moved at a time, or several of them" },
	};
	/* Since that kernel so many, by its usual configuration. */
	size_t n = d->f->now->machine.version >= 60700 ? 3 : 4;
	struct pen p = ledger_line(d, pane, row, name);

	while (n-- && strcmp(lines[n].name, name))
		;
	pen_pages(&p, LEDGER_NUMBER - 9, lines[n].metric, pages);
	ledger_words(&p, lines[n].words);
}

static const struct pageset *before_of(const struct frame *f, const struct pageset_row *row)
{
	const struct sample *s = f->step->dt_us > 0 ? f->step->before : NULL;

	for (uint32_t i = 0; s && i < s->nzones; i++) {
		const struct zone *z = &s->zones[i];

		for (uint32_t k = 0; k < z->npagesets; k++)
			if (z->pagesets[k].cpu == row->set->now->cpu &&
			    z->node == row->zone->now->node && !strcmp(z->name, row->zone->now->name))
				return &z->pagesets[k];
	}
	return NULL;
}

/* high moves by itself: by how much it did, and between what it may. */
static void ledger_high(struct draw *d, struct rect pane, int at, const struct pageset_row *row)
{
	const struct pageset *now = row->set->now, *was = before_of(d->f, row);
	struct pen p = ledger_line(d, pane, at, "  moved");
	char by[NUMBER_TEXT] = "-", least[NUMBER_TEXT], most[NUMBER_TEXT], text[80];

	if (was && was->high != UNKNOWN && now->high != UNKNOWN)
		number_change(d, (int64_t)(now->high - was->high), by);
	pen_value(&p, LEDGER_NUMBER - 9, "pageset high", by);
	if (now->high_min == UNKNOWN || now->high_max == UNKNOWN)
		return;
	snprintf(text, sizeof(text), "by itself, from %s up to %s",
		 number_pages(d, now->high_min, least), number_pages(d, now->high_max, most));
	ledger_words(&p, text);
}

static void ledger_net(struct draw *d, struct rect pane, int at, const struct pageset_step *set)
{
	struct pen p = ledger_line(d, pane, at, "net");
	struct amount net = set->change;
	bool out = net.value < 0;
	char rate[NUMBER_TEXT] = "-", text[NUMBER_TEXT + 8] = "-";

	net.value = out ? -net.value : net.value;
	if (amount_known(net))
		snprintf(text, sizeof(text), "~%s/s", number_rate(d, net, rate));
	pen_value(&p, LEDGER_NUMBER - 9, out ? "went out" : "came in", text);
	if (amount_known(net))
		ledger_words(&p, out                 ? "▼ drained, or taken by programs"
				 : net.value ? "▲ refilled, or freed by programs"
						     : "no change from reading to reading");
}

void words_ledger(struct draw *d, struct rect pane, const struct pageset_row *row)
{
	const struct pageset *now = row->set->now;
	struct pen p = pen_in(d, pane, READ_ZONEINFO);
	int last;

	pen_printf(&p, STYLE_BOLD, "cpu %" PRIu32 " of %" PRIu32 " %s", now->cpu,
		   row->zone->now->node, row->zone->now->name);
	ledger_pages(d, pane, 1, "count", now->count);
	ledger_pages(d, pane, 2, "high", now->high);
	ledger_high(d, pane, 3, row);
	ledger_pages(d, pane, 4, "batch", now->batch);
	ledger_net(d, pane, 5, row->set);
	last = 7;
	pen_to(&p, last, 0);
	if (pane.rows > last)
		pen_wrap(&p, STYLE_DIM, 0, pane.rows - last,
			 "Two readings show the difference only. Programs on this CPU take pages from it "
			 "and free pages into it; drains and refills are the kernel's, in bulk.");
}

/* --- what the signs mean --- */

static const char *dot_glyph(const struct draw *d, bool plain)
{
	return plain || d->g->ascii ? "." : "⠑";
}

static const char *heavy_glyph(const struct draw *d, bool plain)
{
	return plain || d->g->ascii ? "%" : "⢕";
}

int words_unit(const struct pagesets *v, const struct draw *d, char *out, size_t size)
{
	uint64_t unit = pours_unit(&v->pours);
	char text[NUMBER_TEXT], heavy[NUMBER_TEXT];
	size_t n;

	*out = '\0';
	if (!unit)
		return 0;
	n = (size_t)snprintf(out, size, "%s %s %.16s/s net ", v->pours.clock.slow ? " slow" : "",
			     dot_glyph(d, v->plain), number_bytes(d, unit, text));
	if (pours_any_heavy(&v->pours) && n < size)
		snprintf(out + n, size - n, "%s %.16s/s ", heavy_glyph(d, v->plain),
			 number_bytes(d, unit * MOTION_HEAVY, heavy));
	return name_width(out);
}

/* A sign, and what it means; not begun where it has no room. */
static void put_sign(struct pen *p, const char *sign, enum style style, const char *words)
{
	if (pen_room(p) < name_width(sign) + name_width(words) + 4)
		return;
	if (p->col)
		pen_text(p, STYLE_DIM, "   ");
	pen_text(p, style, sign);
	pen_text(p, STYLE_DIM, words);
}

/* Where there is no room for words beside the way it is marked. */
static bool any_marked(const struct pagesets *v, const struct frame *f)
{
	bool any = false;

	for (int i = 0; i < v->nrows && !v->wide; i++)
		any |= vessel_is_several(f, v->rows[i].set);
	return any;
}

/* Does the kernel say between what high may move? */
static bool has_range(const struct pagesets *v)
{
	const struct zone_step *z = pagesets_zone(v);

	return z && z->npagesets && z->pagesets[0].now->high_max != UNKNOWN;
}

void words_legend(const struct tui *t, struct draw *d, struct rect row)
{
	const struct pagesets *v = t->state[VIEW_PAGESETS];
	uint64_t unit = pours_unit(&v->pours);
	struct pen p = pen_in(d, row, READ_ZONEINFO);
	char rate[NUMBER_TEXT], text[96];

	if (rect_is_empty(row))
		return;
	if (v->pours.clock.slow)
		put_sign(&p, "slow motion", STYLE_WARN, ": a tenth");
	if (unit) {
		snprintf(text, sizeof(text), " one dot on a way = %s/s", number_bytes(d, unit, rate));
		put_sign(&p, dot_glyph(d, v->plain), STYLE_BOLD, text);
	}
	if (unit && pours_any_heavy(&v->pours)) {
		snprintf(text, sizeof(text), " = %s/s",
			 number_bytes(d, unit * MOTION_HEAVY, rate));
		put_sign(&p, heavy_glyph(d, v->plain), STYLE_BOLD, text);
	}
	put_sign(&p, "~", STYLE_BOLD, row.cols > 110 ? " net, reckoned: what programs took or freed is in it"
						      : " net, reckoned");
	if (any_marked(v, d->f))
		put_sign(&p, "!", STYLE_NOTE, " more than 32 batches");
	if (v->range && has_range(v))
		put_sign(&p, "●", STYLE_NOTE,
			 row.cols > 140 ? " high, between the least and the most it may be"
					: " high in its range");
}

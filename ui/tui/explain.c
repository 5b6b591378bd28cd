/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/metrics.h"
#include "reclaimtop/units.h"
#include "view.h"

static const char *const states[] = {
	[AMOUNT_MISSING] = "not known: the kernel does not say",
	[AMOUNT_FIRST] = "not known yet: there is no earlier sample to compare with",
	[AMOUNT_RESET] = "not known: the counter went back, so this is another boot, id or thing",
	[AMOUNT_GAP] = "a mean over a gap: more time went by than was planned",
	[AMOUNT_MEASURED] = "measured: the kernel's own count",
	[AMOUNT_INFERRED] = "inferred from two readings",
};

/* A bound of an interval: a number of pages as it stands, or that there is none. */
static void bound(char *out, size_t size, int64_t value)
{
	if (value >= AMOUNT_NO_LIMIT || value <= -AMOUNT_NO_LIMIT)
		snprintf(out, size, "no limit");
	else
		snprintf(out, size, "%" PRId64, value);
}

static void interval(char *out, size_t size, const struct amount *a)
{
	char low[32], high[32];

	bound(low, sizeof(low), a->lo);
	bound(high, sizeof(high), a->hi);
	snprintf(out, size, ": the truth lies between %s and %s", low, high);
}

/* --- why there is a dash --- */

/* What is reckoned from numbers that may not allow it. */
static const struct {
	const char *metric, *why;
} dashes[] = {
	{ "efficiency", "nothing was scanned in this step, or that is not known: there is no share to be had of nothing." },
	{ "oldest age", "it has no page of this type in any generation, or its generations cannot be read." },
	{ "age", "there is no such generation, or its age cannot be read." },
	{ "current", "this memcg has no such file; the root's use is that of the machine." },
	{ "memory.max", "this memcg has no such file: the root has no limits." },
	{ "memory.high", "this memcg has no such file: the root has no limits." },
	{ "memory.low", "this memcg has no such file: the root has no protection." },
	{ "memory.min", "this memcg has no such file: the root has no protection." },
	{ "swap", "there is no such file of it, as of the root, or where the kernel does not count swap by memcg." },
	{ "fill", "a pageset in it has no high that is known, or a high of 0." },
	{ "low", "a watermark of this zone, or what is free in it, is not known." },
	{ "net size", "no change is known yet, or there is no batch to measure it with." },
};

/* Is a dash on screen there? The mark before it may be another. */
static bool is_dash(const struct grid *g, struct rect where)
{
	bool dash = false;

	for (int col = where.col; col < where.col + where.cols; col++) {
		const char *text = g->cells[where.row * g->cols + col].text;

		if (!strcmp(text, "-") && !dash)
			dash = true;
		else if (text[0] && strcmp(text, " "))
			return false;
	}
	return dash;
}

static void why_dash(const struct draw *d, const struct spot *s, char *out, size_t size)
{
	const struct reading *r = &d->f->now->readings[s->from];

	if (r->state != READING_OK) {
		view_why(d->f, s->from, out, size);
		return;
	}
	for (size_t i = 0; i < sizeof(dashes) / sizeof(dashes[0]); i++) {
		if (!strcmp(dashes[i].metric, s->metric)) {
			snprintf(out, size, "not known: %s", dashes[i].why);
			return;
		}
	}
	snprintf(out, size, "not known: %s was read, and does not say it here.", source_infos[s->from].path);
}

/* --- how the number is known: its state, and over what and which time --- */

/* What an amount counts: "pages", but "1 page". */
static const char *counted(const struct metric *m, int64_t value, char out[NUMBER_TEXT])
{
	static const char *const ones[][2] = {
		{ "pages", "page" }, { "events", "event" }, { "faults", "fault" }, { "objects", "object" },
		{ "entries", "entry" }, { "generations", "generation" },
	};

	if (!m || !strcmp(m->unit, "%"))
		return "ms";
	if (!strcmp(m->unit, "time") || !strcmp(m->unit, "% of time"))
		return "us";
	snprintf(out, NUMBER_TEXT, "%.*s", (int)strcspn(m->unit, "/"), m->unit);
	for (size_t i = 0; (value == 1 || value == -1) && i < sizeof(ones) / sizeof(ones[0]); i++)
		if (!strcmp(out, ones[i][0]))
			snprintf(out, NUMBER_TEXT, "%s", ones[i][1]);
	return out;
}

static void how_known(const struct draw *d, const struct spot *s, char *out, size_t size)
{
	char between[120] = "", age[16], unit[NUMBER_TEXT];

	if (!s->is_amount && is_dash(d->g, s->where)) {
		why_dash(d, s, out, size);
		return;
	}
	if (!s->is_amount && s->known) {
		snprintf(out, size, "%s", s->known);
		return;
	}
	if (!s->is_amount) {
		view_why(d->f, s->from, out, size);
		return;
	}
	if (!amount_known(s->amount)) {
		snprintf(out, size, "%s.", states[s->amount.state]);
		return;
	}
	if (s->amount.state == AMOUNT_INFERRED)
		interval(between, sizeof(between), &s->amount);
	snprintf(out, size, "%" PRId64 " %s in %s, %s%s. It covers: %s.", s->amount.value,
		 counted(metric_find(s->metric), s->amount.value, unit), units_age((uint64_t)d->f->step->dt_us / 1000, age, sizeof(age)),
		 states[s->amount.state], between, amount_scope_name((enum amount_scope)s->amount.scope));
}

/* --- the panel --- */

/* The unit that is on screen: pages are shown as bytes, or bytes as pages. */
static const char *unit_of(const struct draw *d, const struct metric *m)
{
	/* The one that is always in pages. */
	if (!strcmp(m->name, "check"))
		return m->unit;
	if (!strcmp(m->unit, "pages"))
		return d->in_pages ? "pages" : "bytes";
	if (!strcmp(m->unit, "pages/s"))
		return d->in_pages ? "pages/s" : "bytes/s";
	return d->in_pages && !strcmp(m->unit, "bytes") ? "pages" : m->unit;
}

static const struct finding *finding_of(const struct frame *f, const struct spot *s)
{
	for (uint32_t i = 0; i < f->nfindings; i++)
		if (!strcmp(f->findings[i].rule, s->metric))
			return &f->findings[i];
	return NULL;
}

#define WORD_COLS 10 /* before the texts of a panel */
#define PARTS 6

/* What a panel says, part by part. */
struct panel {
	char title[96], known[400];
	const char *word[PARTS], *text[PARTS];
	int n;
};

static void add(struct panel *p, const char *word, const char *text)
{
	if (!text || !text[0] || p->n == PARTS)
		return;
	p->word[p->n] = word;
	p->text[p->n++] = text;
}

/* All of it, wherever it had to be cut, and what it is taken from. */
static void about_finding(struct panel *p, const struct finding *f)
{
	snprintf(p->title, sizeof(p->title), "a finding: %s", f->rule);
	add(p, "says", f->text);
	add(p, "from", f->evidence);
}

static void about_number(struct panel *p, const struct draw *d, const struct spot *s)
{
	const struct metric *m = metric_find(s->metric);

	snprintf(p->title, sizeof(p->title), "%s%s%s", s->metric, m ? ", in " : "", m ? unit_of(d, m) : "");
	how_known(d, s, p->known, sizeof(p->known));
	add(p, "here", s->of);
	add(p, "what", m ? m->what : NULL);
	add(p, "read it", m ? m->reading : NULL);
	add(p, "known", p->known);
	add(p, "file", m ? m->file : NULL);
	add(p, "kernel", m ? m->where : NULL);
}

static int rows_of(const struct panel *p, int cols)
{
	int rows = 1;

	for (int i = 0; i < p->n; i++)
		rows += pen_wrap_lines(p->text[i], cols > WORD_COLS ? cols - WORD_COLS : 1);
	return rows;
}

/* As many rows as it needs, below the number or above it, so that the number is seen. */
static struct rect panel_for(struct rect body, struct rect number, int rows)
{
	int above = number.row - body.row, below = body.rows - above - number.rows;
	struct rect rest = body;

	if (rows <= below || below >= above)
		return layout_take_bottom(&rest, rows < below ? rows : below);
	return layout_take_top(&rest, rows < above ? rows : above);
}

static void put_panel(struct draw *d, struct rect where, const struct panel *panel)
{
	struct rect title = { where.row, where.col, where.rows > 0, where.cols };
	struct pen p = pen_in(d, where, READ_NR);

	grid_fill(d->g, where, STYLE_PLAIN, " ");
	grid_fill(d->g, title, STYLE_HEAD, "─");
	pen_printf(&p, STYLE_HEAD, "─ %s ", panel->title);
	pen_line(&p);
	for (int i = 0; i < panel->n && p.row < where.rows; i++) {
		p.col = 1;
		pen_text(&p, STYLE_KEY, panel->word[i]);
		pen_wrap(&p, STYLE_PLAIN, WORD_COLS, where.rows - p.row, panel->text[i]);
		if (!pen_line(&p))
			break;
	}
}

void explain_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect nothing = { body.row, body.col, 1, body.cols };
	struct panel panel = { .n = 0 };
	const struct finding *f;
	const struct spot *s;

	if (!t->spots.n) {
		grid_fill(d->g, nothing, STYLE_HEAD, " ");
		grid_text(d->g, nothing, 0, 0, STYLE_HEAD, "There is no number here to explain.");
		return;
	}
	if (t->spot >= t->spots.n)
		t->spot = t->spots.n - 1;
	s = &t->spots.at[t->spot];
	f = finding_of(d->f, s);
	/* What is said of it looks at what stands on screen, so before the panel is there. */
	if (f)
		about_finding(&panel, f);
	else
		about_number(&panel, d, s);
	put_panel(d, panel_for(body, s->where, rows_of(&panel, body.cols)), &panel);
	grid_restyle(d->g, s->where, STYLE_SELECTED);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/metrics.h"
#include "reclaimtop/units.h"
#include "view.h"

#define PANEL_ROWS 9

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

/* How the number is known: its state, and over what and which time. */
static void how_known(const struct frame *f, const struct spot *s, char *out, size_t size)
{
	char between[120] = "", age[16];

	if (!s->is_amount) {
		view_why(f, s->from, out, size);
		return;
	}
	if (!amount_known(s->amount)) {
		snprintf(out, size, "%s.", states[s->amount.state]);
		return;
	}
	if (s->amount.state == AMOUNT_INFERRED)
		interval(between, sizeof(between), &s->amount);
	snprintf(out, size, "%" PRId64 " in %s, %s%s. It covers: %s.", s->amount.value,
		 units_age((uint64_t)f->step->dt_us / 1000, age, sizeof(age)), states[s->amount.state], between,
		 amount_scope_name((enum amount_scope)s->amount.scope));
}

static void put(struct pen *p, const char *word, const char *text)
{
	if (p->row >= p->pane.rows || !text || !text[0])
		return;
	p->col = 1;
	pen_text(p, STYLE_KEY, word);
	pen_wrap(p, STYLE_PLAIN, 10, p->pane.rows - p->row, text);
	pen_line(p);
}

static void put_spot(struct draw *d, struct rect panel, const struct spot *s)
{
	const struct metric *m = metric_find(s->metric);
	struct pen p = pen_in(d, panel, s->from);
	struct rect title = { panel.row, panel.col, 1, panel.cols };
	char text[400];

	grid_fill(d->g, panel, STYLE_PLAIN, " ");
	grid_fill(d->g, title, STYLE_HEAD, "─");
	pen_printf(&p, STYLE_HEAD, "─ %s%s%s ", s->metric, m ? ", in " : "", m ? m->unit : "");
	pen_line(&p);
	put(&p, "what", m ? m->what : NULL);
	put(&p, "read it", m ? m->reading : NULL);
	how_known(d->f, s, text, sizeof(text));
	put(&p, "known", text);
	put(&p, "file", m ? m->file : NULL);
	put(&p, "kernel", m ? m->where : NULL);
}

/* The half of body that leaves the number to be seen. */
static struct rect panel_for(struct rect body, struct rect number)
{
	int rows = body.rows > PANEL_ROWS + 2 ? PANEL_ROWS : body.rows / 2 + 1;
	struct rect rest = body;

	if (number.row < body.row + body.rows - rows)
		return layout_take_bottom(&rest, rows);
	return layout_take_top(&rest, rows);
}

void explain_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect nothing = { body.row, body.col, 1, body.cols };
	const struct spot *s;

	if (!t->spots.n) {
		grid_fill(d->g, nothing, STYLE_HEAD, " ");
		grid_text(d->g, nothing, 0, 0, STYLE_HEAD, "There is no number here to explain.");
		return;
	}
	if (t->spot >= t->spots.n)
		t->spot = t->spots.n - 1;
	s = &t->spots.at[t->spot];
	put_spot(d, panel_for(body, s->where), s);
	grid_restyle(d->g, s->where, STYLE_SELECTED);
}

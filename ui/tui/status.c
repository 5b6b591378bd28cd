/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "going.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"
#include "timeline.h"
#include "view.h"

/* A piece of a line; where not all have room, those of the greatest rank go. */
struct piece {
	enum style style;
	int rank;
	char text[96];
};

#define PIECES 16

struct line {
	struct piece pieces[PIECES];
	int n;
};

static void add(struct line *l, enum style style, int rank, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct line *l, enum style style, int rank, const char *format, ...)
{
	struct piece *p = &l->pieces[l->n];
	va_list args;

	if (l->n == PIECES)
		return;
	va_start(args, format);
	vsnprintf(p->text, sizeof(p->text), format, args);
	va_end(args);
	p->style = style;
	p->rank = rank;
	l->n += p->text[0] != '\0';
}

static int line_width(const struct line *l)
{
	int width = 0;

	for (int i = 0; i < l->n; i++)
		width += name_width(l->pieces[i].text) + 2;
	return width ? width - 2 : 0;
}

static bool drop(struct line *l)
{
	int worst = 0;

	for (int i = 1; i < l->n; i++)
		if (l->pieces[i].rank >= l->pieces[worst].rank)
			worst = i;
	if (!l->n || !l->pieces[worst].rank)
		return false;
	l->n--;
	memmove(&l->pieces[worst], &l->pieces[worst + 1], (size_t)(l->n - worst) * sizeof(l->pieces[0]));
	return true;
}

/* The pieces that have room, the first from columns on, or all against the right edge where from is -1. */
static void draw_pieces(struct draw *d, struct rect row, struct line *l, int from)
{
	struct pen p = pen_in(d, row, READ_NR);

	while (line_width(l) > row.cols - (from > 0 ? from : 0) && drop(l))
		;
	p.col = from >= 0 ? from : row.cols - line_width(l);
	for (int i = 0; i < l->n; i++) {
		pen_text(&p, l->pieces[i].style, l->pieces[i].text);
		p.col += 2;
	}
}

/* --- the first line: what one looks at, and when --- */

static void add_time(struct line *l, const struct frame *f)
{
	char age[NUMBER_TEXT];
	time_t s = (time_t)(f->now->wall_us / 1000000);
	struct tm tm;

	if (f->now->wall_us > 0 && localtime_r(&s, &tm))
		add(l, STYLE_BOLD, 1, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	else
		add(l, STYLE_BOLD, 1, "up %s", units_age((uint64_t)f->now->mono_us / 1000, age, sizeof(age)));
}

static void add_steps(struct line *l, const struct tui *t)
{
	const struct frame *f = &t->frame;
	int64_t plan = t->interval_us ? t->interval_us : f->interval_us;
	char age[NUMBER_TEXT], every[NUMBER_TEXT], state[NUMBER_TEXT];

	if (f->step->dt_us > 0)
		add(l, STYLE_PLAIN, 3, "step %s", units_age((uint64_t)f->step->dt_us / 1000, age, sizeof(age)));
	if (plan > 0)
		add(l, STYLE_DIM, 5, "every %s", units_age((uint64_t)plan / 1000, every, sizeof(every)));
	if (timeline_state(f, state)[0])
		add(l, STYLE_WARN, 0, "%s", state);
	else if (t->paused)
		add(l, STYLE_WARN, 0, "PAUSED");
	else if (f->ended)
		add(l, STYLE_WARN, 0, "END");
	if (f->when.record != RECORD_NOT)
		add(l, f->when.record == RECORD_RUNS ? STYLE_NOTE : STYLE_ALARM, 0, "REC %s",
		    units_bytes(f->when.record_bytes, every, sizeof(every)));
}

#define LABEL_FROM 24 /* columns */

/* Beside the time and the state, which stay, the source has as much of its name as has room. */
static void fit_label(struct line *l, int cols, bool ascii)
{
	char whole[sizeof(l->pieces[0].text)];

	for (int i = 0; i < l->n; i++)
		cols -= l->pieces[i].rank < 2 ? name_width(l->pieces[i].text) + 2 : 0;
	for (int i = 0; i < l->n; i++) {
		if (l->pieces[i].rank != 2 || name_width(l->pieces[i].text) <= cols || cols < LABEL_FROM)
			continue;
		memcpy(whole, l->pieces[i].text, sizeof(whole));
		name_fit(whole, cols, ascii, l->pieces[i].text, sizeof(l->pieces[i].text));
	}
}

static void draw_first(struct tui *t, struct draw *d, struct rect row)
{
	const struct frame *f = &t->frame;
	char span[NUMBER_TEXT];
	struct line l = { .n = 0 };

	add(&l, STYLE_TITLE, 0, "reclaimtop");
	if (t->has_frame) {
		add(&l, STYLE_PLAIN, 2, "%s", f->label);
		add_time(&l, f);
		add_steps(&l, t);
		add(&l, STYLE_PLAIN, 4, "%s", rung_name(f->rung));
		if (f->history_us > 0)
			add(&l, STYLE_DIM, 4, "history %s",
			    units_age((uint64_t)f->history_us / 1000, span, sizeof(span)));
		add(&l, STYLE_DIM, 6, "Linux %s", f->now->machine.kernel ? f->now->machine.kernel : "-");
	}
	fit_label(&l, row.cols, d->g->ascii);
	draw_pieces(d, row, &l, 0);
}

/* --- the second line: the views, and what the program itself takes --- */

static int draw_tabs(struct tui *t, struct draw *d, struct rect row, bool brief)
{
	struct pen p = pen_in(d, row, READ_NR);

	for (int i = 0; i < VIEW_NR; i++) {
		bool here = (int)t->view == i;

		int from = p.col;

		pen_printf(&p, here ? STYLE_SELECTED : STYLE_KEY, here ? "[%c" : " %c", views[i]->key);
		pen_printf(&p, here ? STYLE_SELECTED : STYLE_PLAIN, here ? " %s]" : " %s ",
			   brief ? views[i]->brief : views[i]->title);
		tui_hit(t, (struct rect){ row.row, row.col + from, 1, p.col - from }, views[i]->key);
	}
	return p.col;
}

static void add_own(struct line *l, const struct frame *f)
{
	char cpu[NUMBER_TEXT], rss[NUMBER_TEXT];
	uint64_t kib = f->own_rss_kib;

	if (f->own_over_us > 0)
		add(l, STYLE_DIM, 2, "self %s %s",
		    units_percent((uint64_t)f->own_cpu_us, (uint64_t)f->own_over_us, cpu, sizeof(cpu)),
		    units_bytes(kib < UNLIMITED ? kib * 1024 : kib, rss, sizeof(rss)));
}

static void draw_second(struct tui *t, struct draw *d, struct rect row)
{
	int full = 0, width;
	struct line l = { .n = 0 };

	for (int i = 0; i < VIEW_NR; i++)
		full += (int)strlen(views[i]->title) + 4;
	width = draw_tabs(t, d, row, full > row.cols);
	if (!t->has_frame)
		return;
	add_own(&l, &t->frame);
	row.col += width + 1 < row.cols ? width + 1 : row.cols;
	row.cols -= width + 1 < row.cols ? width + 1 : row.cols;
	if (row.cols > 0 && (line_width(&l) <= row.cols || drop(&l)) && line_width(&l) <= row.cols)
		draw_pieces(d, row, &l, -1);
}

/* --- notices: what must not be overlooked, one line each --- */

struct notice {
	enum style style;
	const char *rule;      /* of a finding; NULL: it is none */
	char text[FINDING_TEXT + 8];
};

#define NOTICES 6
#define NOTICE_LINES 2

struct notices {
	struct notice at[NOTICES];
	int n;
};

static void notice(struct notices *ns, enum style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void notice(struct notices *ns, enum style style, const char *format, ...)
{
	va_list args;

	if (ns->n == NOTICES)
		return;
	va_start(args, format);
	vsnprintf(ns->at[ns->n].text, sizeof(ns->at[0].text), format, args);
	va_end(args);
	ns->at[ns->n].rule = NULL;
	ns->at[ns->n++].style = style;
}

static void notice_step(struct notices *ns, const struct frame *f)
{
	if (f->step->state == STEP_FIRST)
		notice(ns, STYLE_NOTE, "First sample: rates come with the next one.");
	else if (f->step->state == STEP_RESET)
		notice(ns, STYLE_NOTE, "Started anew: %s", f->step->why);
	else if (f->step->state == STEP_GAP)
		notice(ns, STYLE_WARN, "Gap: %s; rates are means over it.", f->step->why);
}

static void notice_counts(struct notices *ns, const struct frame *f)
{
	char text[200] = "";
	size_t at = 0;
	const struct {
		uint32_t n;
		const char *one, *many;
	} counts[] = {
		{ f->missed, "sample missed", "samples missed" },
		{ f->gaps, "gap", "gaps" },
		{ f->torn, "reading torn", "readings torn" },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i].n && at < sizeof(text) - 40)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%" PRIu32 " %s", at ? ", " : "",
					       counts[i].n, counts[i].n == 1 ? counts[i].one : counts[i].many);
	if (at)
		notice(ns, STYLE_DIM, "Since the start: %s.", text);
}

/* Outside the Overview, which shows them all, the worst finding that is more than a note. */
static void notice_finding(struct notices *ns, const struct tui *t)
{
	const struct finding *worst = t->frame.nfindings ? &t->frame.findings[0] : NULL;

	if (!worst || t->view == VIEW_OVERVIEW || worst->severity == SEVERITY_NOTE)
		return;
	notice(ns, worst->severity == SEVERITY_ALARM ? STYLE_ALARM : STYLE_WARN, "! %s", worst->text);
	ns->at[ns->n - 1].rule = worst->rule;
}

static void collect_notices(const struct tui *t, struct notices *ns)
{
	const struct frame *f = &t->frame;

	ns->n = 0;
	if (!t->has_frame)
		return;
	if (t->options.notice && !t->notice_seen)
		notice(ns, STYLE_WARN, "%s", t->options.notice);
	if (t->said[0])
		notice(ns, STYLE_NOTE, "%s", t->said);
	if (f->error)
		notice(ns, STYLE_ALARM, "The source ended: %s", f->error);
	if (f->rung_reason && f->rung_reason[0])
		notice(ns, STYLE_NOTE, "%s: %s", rung_name(f->rung), f->rung_reason);
	if (f->when.can && f->when.said[0] && f->when.said_n != t->said_seen && !timeline_is_shown(t))
		notice(ns, STYLE_NOTE, "%s", f->when.said);
	notice_step(ns, f);
	notice_finding(ns, t);
	notice_counts(ns, f);
}

int status_notices(const struct tui *t, int cols)
{
	struct notices ns;
	int lines = 0;

	collect_notices(t, &ns);
	for (int i = 0; i < ns.n; i++) {
		int need = cols > 0 ? pen_wrap_lines(ns.at[i].text, cols) : 1;

		lines += need < NOTICE_LINES ? need : NOTICE_LINES;
	}
	return lines;
}

static void draw_notices(struct tui *t, struct draw *d, struct rect area)
{
	struct notices ns;
	struct pen p = pen_in(d, area, READ_NR);

	collect_notices(t, &ns);
	for (int i = 0; i < ns.n && p.row < area.rows; i++) {
		int left = area.rows - p.row - (ns.n - i - 1);

		/* One can ask about it, and sees all of it then. */
		if (ns.at[i].rule) {
			pen_text(&p, ns.at[i].style, "!");
			pen_spot(&p, 0, ns.at[i].rule);
		}
		pen_wrap(&p, ns.at[i].style, 0, left > NOTICE_LINES ? NOTICE_LINES : left > 1 ? left : 1, ns.at[i].text);
		pen_line(&p);
	}
}

void status_head(struct tui *t, struct draw *d, const struct screen *s)
{
	draw_first(t, d, s->head);
	draw_second(t, d, s->tabs);
	draw_notices(t, d, s->notice);
}

/* --- the last line: the keys in force --- */

static void draw_key(struct tui *t, struct pen *p, const struct key_entry *e)
{
	char own[KEYMAP_TEXT];
	const char *brief = going_brief(t, e), *one = keymap_one(t->options.keys, e, own);
	int width = name_width(one) + name_width(brief) + 3, from = p->col;

	if (p->col + width > p->pane.cols)
		return;
	pen_text(p, STYLE_KEY, one);
	pen_printf(p, STYLE_PLAIN, " %s  ", brief);
	tui_hit(t, (struct rect){ p->pane.row, p->pane.col + from, 1, width - 2 }, e->keys[0]);
}

/*
 * A line has room for few: first what helps one who is new, then, in the past, what goes there, then the rest in the order of
 * the table.
 */
enum { TURN_HELP, TURN_GOING, TURN_REST, TURN_NR };

static int turn_of(const struct tui *t, const struct key_entry *e)
{
	if (e->handler == tui_key_help || e->handler == tui_key_quit || e->handler == tui_key_story)
		return TURN_HELP;
	if (t->has_frame && t->frame.when.past && (going_is(e) || e->handler == tui_key_pause))
		return TURN_GOING;
	return TURN_REST;
}

#define ALL_COLS 60 /* what every view keeps its essence in */
#define ALL_ROWS 20

/* On a screen where parts of a view are left out, that is said in place of some keys. */
static void draw_small(struct tui *t, struct pen *p)
{
	static const char text[] = "small: 60x20 shows all";

	if (t->cols >= ALL_COLS && t->rows >= ALL_ROWS)
		return;
	p->col = p->pane.cols - (int)strlen(text);
	pen_text(p, STYLE_NOTE, text);
	p->pane.cols -= (int)strlen(text) + 2;
	p->col = 0;
}

static void draw_keys(struct tui *t, struct pen *p)
{
	for (int turn = 0; turn < TURN_NR; turn++)
		for (uint32_t i = 0; i < nkey_entries; i++) {
			const struct key_entry *e = &key_entries[i];

			if (e->brief && turn_of(t, e) == turn && keys_has(e, t->view) && going_in_force(t, e))
				draw_key(t, p, e);
		}
}

void status_foot(struct tui *t, struct draw *d, struct rect foot)
{
	struct pen p = pen_in(d, foot, READ_NR);

	if (t->mode == MODE_PROMPT) {
		prompt_draw(t, &p);
		return;
	}
	if (t->mode == MODE_FILTER) {
		pen_printf(&p, STYLE_BOLD, "Filter: %s", t->filter);
		pen_text(&p, STYLE_SELECTED, " ");
		pen_text(&p, STYLE_DIM, "  Enter keeps it, Esc clears it");
		return;
	}
	if (t->filter[0]) {
		pen_printf(&p, STYLE_WARN, "Filter: %s", t->filter);
		pen_text(&p, STYLE_DIM, " (Esc clears)  ");
	}
	if (t->mode == MODE_STORY) {
		pen_text(&p, STYLE_KEY, "Esc");
		pen_text(&p, STYLE_PLAIN, " back  ");
		return;
	}
	if (t->mode == MODE_EXPLAIN) {
		pen_text(&p, STYLE_KEY, "Arrows");
		pen_text(&p, STYLE_PLAIN, " next number  ");
		pen_text(&p, STYLE_KEY, "Esc");
		pen_text(&p, STYLE_PLAIN, " back  ");
		return;
	}
	if (!t->filter[0])
		draw_small(t, &p);
	draw_keys(t, &p);
}

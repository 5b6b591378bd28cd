/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcgs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/units.h"

static void *memcgs_open(const struct tui_options *options)
{
	struct memcgs *v = mem_alloc(sizeof(*v));

	memset(v, 0, sizeof(*v));
	v->sheet = (struct sheet){ .columns = memcg_columns,
				   .ncolumns = nmemcg_columns,
				   .key = memcg_row_key,
				   .style = memcg_row_style,
				   .from = READ_CGROUP };
	sheet_sort_by(&v->sheet, memcg_usual_sort);
	if (options->sort)
		sheet_sort_by(&v->sheet, options->sort);
	return v;
}

static void memcgs_close(void *state)
{
	memcg_rows_fini(state);
	free(state);
}

static struct memcgs *of(const struct tui *t)
{
	return t->state[VIEW_MEMCGS];
}

static struct sheet *memcgs_sheet(struct tui *t)
{
	return &of(t)->sheet;
}

static void memcgs_prepare(struct tui *t)
{
	struct memcgs *v = of(t);

	memcg_rows_make(t, v);
	sheet_sort(&v->sheet);
	if (v->tree)
		memcg_tree_order(v);
	sheet_settle(&v->sheet, v->sheet.visible);
}

/* --- keys --- */

static bool memcgs_move(struct tui *t, int key)
{
	return sheet_move(&of(t)->sheet, key);
}

static unsigned int changed(struct tui *t)
{
	memcgs_prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int memcgs_key_tree(struct tui *t, int key)
{
	(void)key;
	of(t)->tree = !of(t)->tree;
	return t->has_frame ? changed(t) : TUI_NOTHING;
}

unsigned int memcgs_key_dying(struct tui *t, int key)
{
	(void)key;
	of(t)->each_dying = !of(t)->each_dying;
	return t->has_frame ? changed(t) : TUI_NOTHING;
}

unsigned int memcgs_key_open(struct tui *t, int key)
{
	const struct memcg_row *row = sheet_selected(&of(t)->sheet);

	(void)key;
	if (!row || !row->m)
		return TUI_NOTHING;
	generations_choose(t, row->m->path);
	return tui_key_view(t, views[VIEW_GENERATIONS]->key);
}

static void memcgs_interest(const struct tui *t, struct interest *out)
{
	const struct sheet *s = &of(t)->sheet;

	for (int i = s->top; i < s->nrows && i < s->top + s->visible; i++) {
		const struct memcg_row *row = s->rows[i].row;

		if (row->m && !row->m->dying)
			interest_add(out, row->m->path);
	}
}

/* --- drawing --- */

static void draw_title(struct tui *t, struct draw *d, struct rect pane)
{
	const struct memcgs *v = of(t);
	const struct step *st = t->frame.step;
	struct pen p = pen_in(d, pane, READ_CGROUP);

	pen_printf(&p, STYLE_TITLE, "%" PRIu32 " memcg%s", st->nmemcgs, st->nmemcgs == 1 ? "" : "s");
	if (v->shown != st->nmemcgs)
		pen_printf(&p, STYLE_WARN, ", %" PRIu32 " pass%s the filter", v->shown, v->shown == 1 ? "es" : "");
	if (v->dying)
		pen_printf(&p, STYLE_DYING, ", %" PRIu32 " dying", v->dying);
	/* Where the column that they are sorted by has no room, its title cannot tell. */
	if (!(v->sheet.shown >> v->sheet.sort & 1))
		pen_printf(&p, STYLE_DIM, ", by %s", v->sheet.columns[v->sheet.sort].title);
	if (st->now->memcgs_left_out)
		pen_printf(&p, STYLE_DIM, "; files of %" PRIu32 " not read", st->now->memcgs_left_out);
	if (v->sheet.nrows > v->sheet.visible && v->sheet.visible > 0 && pen_room(&p) > 24)
		pen_printf(&p, STYLE_DIM, "; rows %d-%d of %d", v->sheet.top + 1,
			   v->sheet.top + v->sheet.visible < v->sheet.nrows ? v->sheet.top + v->sheet.visible :
									      v->sheet.nrows,
			   v->sheet.nrows);
}

static void put(struct pen *p, const char *word, const char *text)
{
	if (pen_room(p) < (int)(strlen(word) + strlen(text)) + 1)
		return;
	pen_printf(p, STYLE_DIM, "%s ", word);
	pen_printf(p, STYLE_PLAIN, "%s  ", text);
}

static void put_bytes(struct pen *p, const char *word, uint64_t bytes)
{
	char text[NUMBER_TEXT];

	put(p, word, number_bytes(p->d, bytes, text));
}

static void put_count(struct pen *p, const char *word, uint64_t count)
{
	char text[NUMBER_TEXT];

	put(p, word, units_count(count, text, sizeof(text)));
}

/* What the row has no room for: limits, and how often they were hit since the memcg was made. */
static void draw_limits(struct pen *p, const struct memcg_step *m)
{
	const struct memcg *now = m->now;

	if (!now) {
		pen_text(p, STYLE_DIM, m->dying ? "its cgroup was removed: there are no files to read" :
						  "its files were not read this time");
		return;
	}
	if (now->max == UNKNOWN && now->current == UNKNOWN) {
		pen_text(p, STYLE_DIM, "the root has no limits, and its use is that of the machine");
		return;
	}
	put_bytes(p, "min", now->min);
	put_bytes(p, "low", now->low);
	put_bytes(p, "high", now->high);
	put_bytes(p, "max", now->max);
	put_bytes(p, "swap.max", now->swap_max);
	put_count(p, "hit max", counters_get(&now->events, EV_max));
	put_count(p, "high", counters_get(&now->events, EV_high));
	put_count(p, "oom kills", counters_get(&now->events, EV_oom_kill));
	put_count(p, "dying below", counters_get(&now->cgroup, CS_nr_dying_descendants));
}

static void draw_dead(struct pen *p, const struct memcg_row *row)
{
	char text[NUMBER_TEXT];

	pen_printf(p, STYLE_DYING, "%" PRIu32 " dying memcgs: their cgroups were removed, %s of their pages are left. ",
		   row->dead, number_pages(p->d, row->dead_pages[TYPE_ANON] + row->dead_pages[TYPE_FILE], text));
	pen_text(p, STYLE_DIM, "D shows each.");
}

static void draw_detail(struct tui *t, struct draw *d, struct rect pane)
{
	const struct memcg_row *row = sheet_selected(&of(t)->sheet);
	struct pen p = pen_in(d, pane, READ_CGROUP);

	if (!row || rect_is_empty(pane))
		return;
	if (!row->m) {
		draw_dead(&p, row);
		return;
	}
	pen_wrap(&p, STYLE_BOLD, 0, pane.rows > 2 ? pane.rows - 1 : 1, row->m->path);
	if (!pen_line(&p))
		return;
	if (row->m->copies)
		pen_printf(&p, STYLE_DYING, "%" PRIu32 " dead cop%s of this path  ", row->m->copies,
			   row->m->copies == 1 ? "y" : "ies");
	draw_limits(&p, row->m);
}

static int detail_rows(struct tui *t, struct rect body)
{
	const struct memcg_row *row = sheet_selected(&of(t)->sheet);
	int lines = row && row->m && body.cols > 0 ? pen_wrap_lines(row->m->path, body.cols) : 1;

	return body.rows < 8 ? 0 : (lines > 3 ? 3 : lines) + 1;
}

static void draw_none(struct tui *t, struct draw *d, struct rect body)
{
	char why[200];
	struct pen p = pen_in(d, body, READ_CGROUP);

	if (t->frame.step->nmemcgs) {
		pen_text(&p, STYLE_DIM, "  No memcg passes the filter; Esc clears it.");
		return;
	}
	pen_text(&p, STYLE_TITLE, "No memcgs");
	pen_to(&p, 1, 0);
	pen_wrap(&p, STYLE_DIM, 2, 3, view_why(&t->frame, READ_LRU_GEN, why, sizeof(why)));
	pen_line(&p);
	pen_wrap(&p, STYLE_DIM, 2, 3, view_why(&t->frame, READ_CGROUP, why, sizeof(why)));
}

static void memcgs_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect title = layout_take_top(&body, 1), detail;

	if (!of(t)->nrows) {
		body.row--;
		body.rows++;
		draw_none(t, d, body);
		return;
	}
	detail = layout_take_bottom(&body, detail_rows(t, body));
	sheet_draw(&of(t)->sheet, d, body);
	draw_title(t, d, title);
	draw_detail(t, d, detail);
}

const struct view memcgs_view = {
	.name = "memcgs",
	.key = '3',
	.title = "Memcgs",
	.brief = "Memcg",
	.about = "Every memory cgroup. The bar shows its generations, anon left and file right, each from young (full) to old "
		 "(light). Evicted pages were taken from it, back are those it needed again, lost is the difference: what it "
		 "really gave up. Stall is the share of the time in which some of its tasks waited for memory. Counts hold "
		 "those of its children. Enter shows its generations.",
	.open = memcgs_open,
	.close = memcgs_close,
	.prepare = memcgs_prepare,
	.draw = memcgs_draw,
	.move = memcgs_move,
	.sheet = memcgs_sheet,
	.interest = memcgs_interest,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_ledger.c - the flows in numbers: all in a table, and of the chosen one how it is known and what does it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "generations.h"
#include "reclaimtop/metrics.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

static const char *const type_names[TYPE_NR] = { "anon", "file" };

/* --- the table --- */

static void draw_heads(struct draw *d, struct rect pane, int number)
{
	struct rect row = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, row, READ_LRU_GEN);

	grid_fill(d->g, row, STYLE_HEAD, " ");
	pen_left(&p, pane.cols - 2 * number, STYLE_HEAD, "flow a second");
	pen_right(&p, number, STYLE_HEAD, "anon");
	pen_right(&p, number, STYLE_HEAD, "file");
}

static void draw_row(struct draw *d, struct rect row, const struct generations *g, int id,
		     int number)
{
	const struct flow_kind *k = &flow_kinds[id];
	struct pen p = pen_in(d, row, READ_LRU_GEN);
	bool moves = g->flow[TYPE_ANON].artefacts == 0;

	for (int type = 0; type < TYPE_NR; type++)
		moves |= flow_amount(&g->flow[type], (enum flow_id)id).value != 0;
	pen_printf(&p, moves ? k->style : STYLE_DIM, "%s %s", k->mark, k->name);
	for (int type = 0; type < TYPE_NR; type++) {
		p.col = row.cols - (TYPE_NR - type) * number;
		pen_flow(&p, number, k->metric, flow_amount(&g->flow[type], (enum flow_id)id));
	}
	row.cols -= 2 * number;
	if (g->river.flow == id)
		grid_restyle(d->g, row, STYLE_SELECTED);
}

static void draw_table(struct draw *d, struct rect pane, const struct generations *g)
{
	int number = pane.cols >= 42 ? 12 : 11;

	draw_heads(d, pane, number);
	for (int id = 0; id < FLOW_NR && id + 1 < pane.rows; id++) {
		struct rect row = { pane.row + id + 1, pane.col, 1, pane.cols };

		draw_row(d, row, g, id, number);
	}
}

/* --- the chosen one --- */

static void bound(char *out, size_t size, int64_t pages)
{
	if (pages >= AMOUNT_NO_LIMIT || pages <= -AMOUNT_NO_LIMIT)
		snprintf(out, size, "any");
	else
		snprintf(out, size, "%" PRId64, pages);
}

/* How an amount is known: its state, what it covers, where the truth lies. */
static void known_text(const struct amount *a, char *out, size_t size)
{
	char low[24], high[24];

	if (a->state == AMOUNT_INFERRED) {
		bound(low, sizeof(low), a->lo);
		bound(high, sizeof(high), a->hi);
		snprintf(out, size, "inferred, %s..%s", low, high);
	} else if (amount_known(*a)) {
		snprintf(out, size, "%s, %s", amount_state_name((enum amount_state)a->state),
			 amount_scope_name((enum amount_scope)a->scope));
	} else {
		snprintf(out, size, "%s", amount_state_name((enum amount_state)a->state));
	}
}

static void draw_amount(struct pen *p, enum page_type type, struct amount a)
{
	char text[64];

	pen_left(p, 5, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE, type_names[type]);
	if (amount_known(a))
		pen_printf(p, STYLE_BOLD, "%" PRId64 " page%s ", a.value, a.value == 1 ? "" : "s");
	known_text(&a, text, sizeof(text));
	pen_wrap(p, STYLE_DIM, p->col < p->pane.cols - 20 ? p->col : 5, 2, text);
	pen_line(p);
}

static void put(struct pen *p, enum style style, const char *text, int lines)
{
	if (!text || !text[0] || p->row >= p->pane.rows)
		return;
	pen_wrap(p, style, 0, lines < p->pane.rows - p->row ? lines : p->pane.rows - p->row, text);
	pen_line(p);
}

/* Where evicted pages of the whole machine went. */
static void put_where(struct pen *p)
{
	const struct reclaim *r = &p->d->f->step->reclaim;
	const struct {
		const char *name;
		struct amount amount;
	} ends[] = {
		{ "to swap", r->swapped_out },
		{ "to zswap", r->zswapped_out },
		{ "demoted", r->demoted },
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!amount_known(ends[i].amount) || !ends[i].amount.value ||
		    p->row >= p->pane.rows)
			continue;
		pen_left(p, 9, STYLE_DIM, ends[i].name);
		pen_flow(p, 8, "swapped", ends[i].amount);
		pen_text(p, STYLE_DIM, "/s");
		pen_line(p);
	}
}

static void draw_chosen(struct draw *d, struct rect pane, const struct generations *g)
{
	const struct flow_kind *k = &flow_kinds[g->river.flow];
	const struct metric *m = metric_find(k->metric);
	struct pen p = pen_in(d, pane, READ_LRU_GEN);
	char age[16], title[80], whose[120];

	snprintf(title, sizeof(title), "%s %s: %s", k->mark, k->name, k->words);
	put(&p, STYLE_TITLE, title, 2);
	generations_whose(g, whose, sizeof(whose));
	if (d->f->step->dt_us > 0) {
		pen_left(&p, name_width(whose) < pane.cols - 15 ? name_width(whose) : pane.cols - 15,
			 STYLE_PLAIN, whose);
		pen_printf(&p, STYLE_DIM, ", the last %s",
			   units_age((uint64_t)d->f->step->dt_us / 1000, age, sizeof(age)));
	}
	pen_line(&p);
	for (int type = 0; type < TYPE_NR; type++)
		draw_amount(&p, (enum page_type)type,
			    flow_amount(&g->flow[type], (enum flow_id)g->river.flow));
	if (g->all && g->river.flow == FLOW_EVICTED)
		put_where(&p);
	/* What of the kernel does it, before what has room seldom. */
	put(&p, STYLE_NOTE, m ? m->where : NULL, 3);
	put(&p, STYLE_PLAIN, m ? m->what : NULL, 3);
	put(&p, STYLE_DIM, m ? m->reading : NULL, 4);
	put(&p, STYLE_DIM, m ? m->file : NULL, 2);
}

void ledger_draw(struct draw *d, struct rect pane, struct generations *g)
{
	struct rect table = layout_take_top(&pane, FLOW_NR + 1);

	if (rect_is_empty(table))
		return;
	draw_table(d, table, g);
	layout_take_top(&table, 1);
	g->table = table;
	layout_take_top(&pane, 1);
	if (!rect_is_empty(pane))
		draw_chosen(d, pane, g);
}

#define BRIEF_COLS 14 /* of a type's name and number */

void ledger_draw_brief(struct draw *d, struct rect pane, const struct generations *g)
{
	const struct flow_kind *k = &flow_kinds[g->river.flow];
	const struct metric *m = metric_find(k->metric);
	struct pen p = pen_in(d, pane, READ_LRU_GEN);
	char known[64], line[320];

	if (rect_is_empty(pane))
		return;
	pen_printf(&p, STYLE_TITLE, "%s %s", k->mark, k->name);
	for (int type = 0; type < TYPE_NR; type++) {
		struct amount a = flow_amount(&g->flow[type], (enum flow_id)g->river.flow);

		pen_printf(&p, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE, "  %s ",
			   type_names[type]);
		pen_flow(&p, 7, k->metric, a);
		known_text(&a, known, sizeof(known));
		if (pen_room(&p) > (int)strlen(known) + 2 + (type == TYPE_ANON ? BRIEF_COLS : 0))
			pen_printf(&p, STYLE_DIM, "/s %s", known);
	}
	if (!pen_line(&p) || !m)
		return;
	snprintf(line, sizeof(line), "%s %s", m->what, m->where);
	pen_wrap(&p, STYLE_DIM, 0, p.pane.rows - p.row, line);
}

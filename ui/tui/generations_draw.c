/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generations_draw.c - the Generations view on the screen: the river and what stands around it, or the tables. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "generations.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

static struct generations *of(const struct tui *t)
{
	return t->state[VIEW_GENERATIONS];
}

/* --- the title: whose generations --- */

/* The path, cut in its middle as far as what comes behind needs the room. */
static void draw_whose(struct pen *p, const struct generations *g, const struct lruvec *l)
{
	int room, width = name_width(l->path);
	char behind[80];

	if (g->scope == SCOPE_TREE)
		snprintf(behind, sizeof(behind), " and below: %" PRIu32 " lruvecs on all nodes",
			 g->places.lruvecs);
	else if (g->scope == SCOPE_ALL_NODES)
		snprintf(behind, sizeof(behind), " on all nodes: %" PRIu32 " lruvecs",
			 g->places.lruvecs);
	else
		snprintf(behind, sizeof(behind),
			 "%s  node %" PRIu32 "  (%" PRIu32 " of %" PRIu32 ")",
			 l->dying ? " †dying" : "", l->node, g->at + 1, g->n);
	room = p->pane.cols - name_width(behind);
	pen_left(p, width < room ? width : room, l->dying ? STYLE_DYING : STYLE_TITLE, l->path);
	pen_text(p, STYLE_PLAIN, behind);
}

/* What stands there whole, or not at all. */
static bool draw_where_whole(struct pen *p, const char *text, const char *metric)
{
	int from = p->col + 3;

	if (name_width(text) + 3 > pen_room(p))
		return false;
	p->col = from;
	pen_text(p, STYLE_DIM, text);
	pen_spot(p, from, metric);
	return true;
}

static void draw_mglru(struct pen *p)
{
	const struct machine *m = &p->d->f->now->machine;
	char bits[80], text[120];

	if (m->mglru == UNKNOWN)
		return;
	mglru_describe(m->mglru, bits, sizeof(bits));
	snprintf(text, sizeof(text), "MGLRU: %s", bits);
	if (!draw_where_whole(p, text, "mglru") || m->min_ttl_ms == UNKNOWN)
		return;
	snprintf(text, sizeof(text), "min_ttl %" PRIu64 " ms", m->min_ttl_ms);
	draw_where_whole(p, text, "min_ttl_ms");
}

static void draw_how_many(struct pen *p, uint32_t n, bool filtered)
{
	const char *whose = filtered ? "What passes the filter" : "Whole machine";
	char text[80];

	if (n == 1)
		snprintf(text, sizeof(text), "%s: 1 lruvec, no other to sum", whose);
	else
		snprintf(text, sizeof(text), "%s: %" PRIu32 " lruvecs summed", whose, n);
	pen_text(p, STYLE_TITLE, name_width(text) > pen_room(p) ? whose : text);
}

static void draw_title(struct tui *t, struct draw *d, struct rect pane)
{
	const struct generations *g = of(t);
	const struct lruvec *l = g->list[g->at]->now;
	struct pen p = pen_in(d, pane, READ_MGLRU);

	if (g->all)
		draw_how_many(&p, g->n, t->filter[0]);
	else if (g->scope == SCOPE_WHOLE_NODE)
		pen_printf(&p, STYLE_TITLE, "Node %" PRIu32 ": its %" PRIu32 " lruvecs summed",
			   l->node, g->places.lruvecs);
	else
		draw_whose(&p, g, l);
	if (g->places.lruvecs > 1)
		draw_where_whole(&p, "lruvec: the pages of one memcg on one node", "lruvec");
	draw_mglru(&p);
	if (pen_room(&p) > 34)
		pen_right(&p, pen_room(&p), STYLE_DIM, "= counted  ~ reckoned  - unknown");
}

/* The lruvecs around the chosen one, so that one sees where the arrows lead. */
static void draw_choices(struct tui *t, struct draw *d, struct rect pane)
{
	struct generations *g = of(t);
	struct pen p = pen_in(d, pane, READ_LRU_GEN);
	uint32_t rows = pane.rows > 1 ? (uint32_t)pane.rows - 1 : 0;
	uint32_t top = g->at > rows / 2 ? g->at - rows / 2 : 0;

	top = g->n > rows && top > g->n - rows ? g->n - rows : g->n > rows ? top : 0;
	g->top = top;
	g->choices = (struct rect){ pane.row + 1, pane.col, pane.rows - 1, pane.cols };
	pen_cut(&p, pane.cols - 16, STYLE_DIM,
		pane.cols > 60 ? "Up and Down choose one, a all, w wider:" : "Up Down choose:");
	pen_to(&p, 0, pane.cols - 16);
	pen_right(&p, 8, STYLE_ANON, "anon");
	pen_right(&p, 8, STYLE_FILE, "file");
	for (uint32_t i = top; i < g->n && pen_line(&p); i++) {
		const struct lruvec_step *l = g->list[i];
		bool here = !g->all && generations_holds(g, l);
		struct places one;

		places_clear(&one);
		places_add(&one, l);
		pen_text(&p, STYLE_KEY, here ? "▶ " : "  ");
		pen_left(&p, pane.cols - 22,
			 l->now->dying ? STYLE_DYING
			 : here        ? STYLE_BOLD
				       : STYLE_PLAIN,
			 l->now->path);
		pen_printf(&p, STYLE_DIM, " n%-2" PRIu32, l->now->node);
		pen_pages(&p, 8, "size", places_sum(&one, TYPE_ANON));
		pen_pages(&p, 8, "size", places_sum(&one, TYPE_FILE));
	}
}

/* --- as tables --- */

enum { PART_TITLE, PART_HEADS, PART_ROWS, PART_FLOWS, PART_NOTES, PART_TIERS, PART_LIST, PART_NR };

static void wants_of(struct tui *t, struct rect body, const struct scene *s, struct want *wants)
{
	int notes = scene_notes(NULL, body, s), tiers = tiers_rows(s), n = s->nrows;

	wants[PART_TITLE] = (struct want){ 1, 1, 1 };
	wants[PART_HEADS] = (struct want){ 1, 1, 3 };
	wants[PART_ROWS] = (struct want){ n,
					  body.rows >= 34   ? 3 * n
					  : body.rows >= 28 ? 2 * n
							    : n,
					  0 };
	wants[PART_FLOWS] = (struct want){ 1, FLOW_NR, 2 };
	wants[PART_NOTES] = (struct want){ notes ? 1 : 0, notes, 1 };
	wants[PART_TIERS] = (struct want){ tiers, tiers, 3 };
	wants[PART_LIST] = (struct want){ 2, 1 + (int)(of(t)->n < 20 ? of(t)->n : 20), 4 };
}

static void draw_tables(struct tui *t, struct draw *d, struct rect body, const struct scene *s)
{
	struct want wants[PART_NR];
	struct rect parts[PART_NR];

	wants_of(t, body, s, wants);
	layout_stack(body, wants, PART_NR, parts);
	draw_title(t, d, parts[PART_TITLE]);
	scene_draw_heads(d, parts[PART_HEADS], s);
	scene_draw_rows(d, parts[PART_ROWS], s);
	scene_draw_flows(d, parts[PART_FLOWS], s);
	scene_notes(d, parts[PART_NOTES], s);
	tiers_draw(d, parts[PART_TIERS], s);
	if (!rect_is_empty(parts[PART_LIST]))
		draw_choices(t, d, parts[PART_LIST]);
}

/* --- as a river --- */

static void river_scene_fill(const struct tui *t, struct river_scene *s)
{
	const struct generations *g = of(t);

	*s = (struct river_scene){
		.places = &g->places, .flow = g->flow, .river = &g->river,
		.births = &g->born, .clock_us = -1
	};
	for (int i = 0; i < PLACE_NR; i++)
		s->n += g->places.at[i].age_max != UNKNOWN;
	s->one = g->places.lruvecs == 1;
	s->fault_place = step_fault_place(&t->frame.now->machine);
	s->scale = river_scale(&g->places);
	s->plain = t->options.no_braille;
	if (g->river.clock.moves)
		s->clock_us = river_clock(&g->river, t->now_us);
}

static const char *dot_glyph(const struct draw *d, const struct river_scene *s)
{
	return s->plain || d->g->ascii ? "o" : "⠶";
}

static bool any_heavy(const struct river *r)
{
	bool any = false;

	for (int k = 0; k < TYPE_NR * FLOW_NR; k++)
		any |= r->heavy[k / FLOW_NR][k % FLOW_NR];
	return any;
}

static const char *heavy_glyph(const struct draw *d, const struct river_scene *s)
{
	return s->plain || d->g->ascii ? "O" : "⣿";
}

static void draw_heavy(struct pen *p, const struct river_scene *s)
{
	char text[NUMBER_TEXT];

	if (!any_heavy(s->river) || pen_room(p) < 15)
		return;
	pen_printf(p, STYLE_BOLD, "  %s", heavy_glyph(p->d, s));
	pen_printf(p, STYLE_DIM, " = %s/s",
		   units_bytes(motion_unit(&s->river->unit.scale) * MOTION_HEAVY, text, sizeof(text)));
}

/* Where there is no row for the legend, the most of it stands at the end of the title. Returns its columns. */
static int draw_unit(struct draw *d, struct rect title, const struct river_scene *s)
{
	uint64_t unit = motion_unit(&s->river->unit.scale);
	struct pen p = pen_in(d, title, READ_LRU_GEN);
	char text[NUMBER_TEXT], heavy[NUMBER_TEXT], words[96];
	size_t n;

	if (!unit)
		return 0;
	units_bytes(unit, text, sizeof(text));
	units_bytes(unit * MOTION_HEAVY, heavy, sizeof(heavy));
	n = (size_t)snprintf(words, sizeof(words), "%s%s %s %.16s/s", s->river->clock.slow ? "  slow" : "",
			     s->river->log ? "  log" : " ", dot_glyph(d, s), text);
	if (any_heavy(s->river))
		snprintf(words + n, sizeof(words) - n, " %s %.16s/s", heavy_glyph(d, s), heavy);
	p.col = title.cols - name_width(words);
	pen_text(&p, STYLE_NOTE, words);
	return name_width(words);
}

/* A part of the legend, whole or not at all. */
static void put_part(struct pen *p, enum style style, const char *text)
{
	if (name_width(text) <= pen_room(p))
		pen_text(p, style, text);
}

/* How what is counted looks, and what is reckoned. */
static void draw_key(struct pen *p, bool plain)
{
	bool ascii = p->d->g->ascii;

	put_part(p, STYLE_DIM, ascii ? "   ==o counted" : plain ? "   ──o counted" : "   ──⠶ counted");
	put_part(p, STYLE_DIM, ascii ? "  ~~. reckoned" : plain ? "  ┄┄. reckoned" : "  ┄┄⠡ reckoned");
}

/* What a dot stands for, a cell of a block, and what is out of the ordinary. */
static void draw_legend(struct draw *d, const struct river_plan *plan, const struct river_scene *s)
{
	struct rect row = { plan->area.row + plan->legend, plan->area.col, 1, plan->area.cols };
	const struct river_half *h = &plan->half[TYPE_ANON];
	uint64_t unit = motion_unit(&s->river->unit.scale);
	struct pen p = pen_in(d, rect_clip(row, plan->area), READ_LRU_GEN);
	char text[NUMBER_TEXT], cell[40];

	if (plan->legend < 0)
		return;
	if (unit) {
		pen_text(&p, STYLE_BOLD, dot_glyph(d, s));
		pen_printf(&p, STYLE_DIM, " one dot on a way = %s/s",
			   units_bytes(unit, text, sizeof(text)));
		draw_heavy(&p, s);
	}
	snprintf(cell, sizeof(cell), "   █ = %s",
		 number_pages(d, s->scale / (uint64_t)(h->rows * plan->block) + 1, text));
	if (s->river->log)
		put_part(&p, STYLE_WARN, row.cols < 110 ? "   log heights" : "   heights by the logarithm");
	else
		put_part(&p, STYLE_DIM, cell);
	if (s->river->clock.slow)
		put_part(&p, STYLE_WARN, row.cols < 70 ? "   slow" : "   slow motion: a tenth");
	draw_key(&p, s->plain);
}

static struct amount both(const struct generations *g, enum flow_id id)
{
	return amount_add(flow_amount(&g->flow[TYPE_ANON], id),
			  flow_amount(&g->flow[TYPE_FILE], id));
}

static void draw_now(struct draw *d, struct rect row, const struct generations *g)
{
	struct now n = { .taken = both(g, FLOW_EVICTED),
			 .back = both(g, FLOW_REFAULTED),
			 .in = amount_add(both(g, FLOW_IN_YOUNG), both(g, FLOW_IN_OLD)),
			 .up = both(g, FLOW_PROMOTED),
			 .gone = both(g, FLOW_GONE),
			 .first = d->f->step->dt_us <= 0 };
	struct pen p = pen_in(d, row, READ_LRU_GEN);
	bool taken = amount_known(n.taken) && n.taken.value > 0;
	char text[200];

	number_rate(d, n.taken, n.taken_text);
	number_rate(d, n.back, n.back_text);
	number_rate(d, n.in, n.in_text);
	number_rate(d, n.up, n.up_text);
	number_rate(d, n.gone, n.gone_text);
	now_sentence(&n, row.cols, text, sizeof(text));
	pen_cut(&p, row.cols, taken ? STYLE_BOLD : STYLE_PLAIN, text);
}

/* How it is to be read, for who sees it for the first time. */
static void draw_caption(struct draw *d, struct rect row)
{
	struct pen p = pen_in(d, row, READ_NR);

	pen_cut(&p, row.cols, STYLE_DIM,
		row.cols < 72 ? "Pages age to the right; the oldest go over the edge."
		: row.cols < 118
			? "Unused pages age to the right; reclaim takes the oldest over the edge."
			: "Unused pages age to the right; reclaim takes the oldest over the edge; what is used climbs back to the youngest.");
}

struct parts {
	struct rect title, now, caption, picture, notes, ledger, small, list;
};

/* With columns to spare the ledger and the choices stand beside the picture, else below it. */
static void part_wide(struct rect body, struct parts *out)
{
	struct rect side;

	if (body.rows >= 32)
		out->small = layout_take_bottom(&body, body.rows >= 45 ? 12 : 10);
	side = body;
	side.cols = body.cols >= 150 ? 46 : 38;
	side.col = body.col + body.cols - side.cols;
	body.cols -= side.cols + 2;
	out->ledger = layout_take_top(&side, side.rows > 25 ? 21 : side.rows);
	out->list = side;
	out->picture = body;
}

static void part_narrow(struct rect body, struct parts *out)
{
	int ledger = body.rows >= 30 ? 6 : body.rows >= 17 ? 3 : body.rows >= 15 ? 1 : 0;

	if (body.rows >= 30)
		out->list = layout_take_bottom(&body, body.rows >= 36 ? 8 : 5);
	out->ledger = layout_take_bottom(&body, ledger);
	out->picture = body;
}

static void part(struct rect body, int notes, struct parts *out)
{
	*out = (struct parts){ .title = layout_take_top(&body, 1) };
	if (body.rows >= 14)
		out->now = layout_take_top(&body, 1);
	if (body.rows >= 22)
		out->caption = layout_take_top(&body, 1);
	out->notes = layout_take_bottom(&body, notes > body.rows / 6 ? body.rows / 6 : notes);
	if (body.cols >= 110)
		part_wide(body, out);
	else
		part_narrow(body, out);
}

static void draw_river(struct tui *t, struct draw *d, struct rect body, const struct scene *scene)
{
	struct generations *g = of(t);
	struct river_plan plan;
	struct river_scene s;
	struct rect title;
	struct parts at;

	part(body, scene_notes(NULL, body, scene), &at);
	river_scene_fill(t, &s);
	river_plan_make(at.picture, &plan);
	river_rooms(&plan, g->river.rooms);
	title = at.title;
	if (plan.legend < 0)
		title.cols -= draw_unit(d, at.title, &s);
	draw_title(t, d, title);
	if (!rect_is_empty(at.now))
		draw_now(d, at.now, g);
	if (!rect_is_empty(at.caption))
		draw_caption(d, at.caption);
	river_draw(d, &plan, &s);
	draw_legend(d, &plan, &s);
	scene_notes(d, at.notes, scene);
	if (body.cols >= 110)
		ledger_draw(d, at.ledger, g);
	else
		ledger_draw_brief(d, at.ledger, g);
	if (!rect_is_empty(at.list))
		draw_choices(t, d, at.list);
	small_draw(t, d, at.small);
}

static void draw_nothing(struct draw *d, struct rect body, const char *text)
{
	struct pen p = pen_in(d, body, READ_LRU_GEN);

	pen_to(&p, body.rows > 2 ? 1 : 0, 0);
	pen_wrap(&p, STYLE_DIM, 2, body.rows - p.row, text);
}

void generations_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct scene s;

	of(t)->table = of(t)->choices = (struct rect){ 0, 0, 0, 0 };
	if (d->f->rung != RUNG_LRU_GEN && d->f->rung != RUNG_LRU_GEN_FULL) {
		classic_draw(t, d, body);
		return;
	}
	if (!of(t)->n) {
		draw_nothing(d, body, "No lruvec passes the filter; Esc clears it.");
		return;
	}
	scene_fill(t, &s);
	if (of(t)->tiers)
		draw_tables(t, d, body, &s);
	else
		draw_river(t, d, body, &s);
}

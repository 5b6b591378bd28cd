/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pageset_ways.c - what a vessel loses to the free lists below it, and gains from there: dots, and numbers beside them. */
#include "pageset_vessel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reclaimtop/units.h"
#include "river.h"

/* More at a time is no single bulk: so many batches, as a power of two, from that kernel on. */
#define BULK_SINCE 61200
#define BULK_MOST  5

struct pen vessel_pen(const struct vessel *v, int row)
{
	struct pen p = pen_in(v->d, v->pane, READ_ZONEINFO);

	pen_to(&p, row, 0);
	return p;
}

void vessel_middle(struct pen *p, int inner, enum style style, const char *text)
{
	int cols = 0;

	for (const char *c = text; *c; c++)
		cols += ((unsigned char)*c & 0xc0) != 0x80;
	p->col = cols < inner + 2 ? (inner + 2 - cols) / 2 : 0;
	pen_cut(p, inner + 2, style, text);
}

/* --- the way between it and the lists --- */

static bool flows(const struct vessel *v)
{
	return amount_known(v->set->change) && v->set->change.value;
}

static void draw_base(const struct vessel *v, bool open)
{
	enum style style = v->chosen ? STYLE_PLAIN : STYLE_DIM;
	int left = v->plan->channel - 1, right = v->plan->channel + v->plan->lanes;
	struct pen p = vessel_pen(v, v->plan->base);

	open &= v->plan->lanes > 1;
	pen_text(&p, style, "└");
	for (int i = 1; i <= v->inner; i++)
		pen_text(&p, style,
			 !open || i < left || i > right ? "─"
			 : i == left                    ? "┐"
			 : i == right                   ? "┌"
							: " ");
	pen_text(&p, style, "┘");
}

/* Both sides of the way in a row. */
static void put_sides(const struct vessel *v, int row, enum style style, const char *glyph)
{
	struct pen p = vessel_pen(v, v->plan->base + row);

	p.col = v->plan->channel - 1;
	pen_text(&p, style, glyph);
	p.col = v->plan->channel + v->plan->lanes;
	pen_text(&p, style, glyph);
}

/* Broken lines, as all that is reckoned; heads where it leads to, as long as anything is on its way there. */
static void draw_guides(const struct vessel *v, const int n[POUR_NR])
{
	int64_t net = flows(v) ? v->set->change.value : 0;

	if (v->plan->lanes < 2)
		return;
	for (int row = 1; row <= v->plan->ways; row++)
		put_sides(v, row, STYLE_FREE, v->d->g->ascii ? "|" : "┆");
	if (net > 0 || (n[POUR_UP] && v->plan->ways > 1))
		put_sides(v, 1, STYLE_FLOW_UP, "▲");
	if ((net < 0 || (n[POUR_DOWN] && v->plan->ways > 1)) && v->lists)
		put_sides(v, v->plan->ways, STYLE_FLOW_OUT, "▼");
}

/* Dots of one way; they pass through the open base where there is room for one. */
static void draw_dots(const struct vessel *v, enum pour_way way, const struct motion_dot *dots,
		      int n)
{
	const struct plan *p = v->plan;
	int first = p->base + (p->lanes < 2), rows = p->ways + (p->lanes > 1);
	struct river_mark mark = { .plain = v->plain,
				   .heavy = v->pour->heavy[way],
				   .style = way == POUR_DOWN ? STYLE_FLOW_OUT : STYLE_FLOW_UP };

	for (int i = 0; i < n; i++) {
		int along = (int)(dots[i].at * (rows * MOTION_Y - 1));
		int lane = (int)(dots[i].n * (uint64_t)p->stride % (uint64_t)p->lanes);

		mark.x = (p->channel + lane) * MOTION_X;
		mark.y = first * MOTION_Y +
			 (way == POUR_DOWN ? along : rows * MOTION_Y - 2 - along);
		river_mark(v->d->g, v->pane, mark);
	}
}

/* Is there anything on the way? */
static bool draw_dots_and_guides(const struct vessel *v)
{
	struct motion_dot dots[POUR_NR][POUR_DOTS];
	int n[POUR_NR] = { 0, 0 };
	bool open;

	for (int way = 0; v->pour && way < POUR_NR; way++)
		n[way] = pours_dots(v->pours, v->pour, (enum pour_way)way, v->now_us, dots[way]);
	open = flows(v) || n[POUR_DOWN] || n[POUR_UP];
	draw_base(v, open);
	if (!open)
		return false;
	draw_guides(v, n);
	for (int way = 0; way < POUR_NR; way++)
		draw_dots(v, (enum pour_way)way, dots[way], n[way]);
	return true;
}

/* --- numbers --- */

/* Nothing goes: in the middle, or beside what is still on the way. */
static void draw_none(const struct vessel *v, struct pen *p, bool open)
{
	bool known = amount_known(v->set->change);
	const char *text = !known ? "-" : v->plan->lanes < 4 ? "same" : "no change";
	enum style style = known ? STYLE_DIM : STYLE_UNKNOWN;

	if (!open) {
		vessel_middle(p, v->inner, style, text);
		return;
	}
	p->col = v->plan->words;
	pen_cut(p, pen_room(p), style, text);
}

/* Beside the way: how much goes there. */
static void draw_rate(const struct vessel *v, bool open)
{
	struct pen p = vessel_pen(v, v->plan->base + 1);
	struct amount net = v->set->change;
	bool out = net.value < 0;
	char rate[NUMBER_TEXT], text[NUMBER_TEXT + 16];

	if (!flows(v)) {
		draw_none(v, &p, open);
	} else {
		net.value = out ? -net.value : net.value;
		number_rate(v->d, net, rate);
		snprintf(text, sizeof(text), "%s%s%s/s%s", out ? "▼" : "▲",
			 v->plan->lanes > 4   ? " ~"
			 : v->plan->lanes > 2 ? "~"
					      : "",
			 rate, v->plan->lanes > 4 ? " net" : "");
		p.col = v->plan->words;
		pen_cut(&p, pen_room(&p), out ? STYLE_FLOW_OUT : STYLE_FLOW_UP, text);
	}
	pen_spot_amount(&p, 0, out ? "went out" : "came in",
			out ? v->set->went : v->set->came);
}

bool vessel_is_several(const struct frame *f, const struct pageset_step *set)
{
	uint64_t pages = (uint64_t)llabs(set->change.value), batch = set->now->batch;

	return amount_known(set->change) && batch != UNKNOWN && batch &&
	       pages > batch << BULK_MOST && f->now->machine.version >= BULK_SINCE;
}

/* The same in batches: what the kernel takes at a time, or many of it. */
static void draw_batches(const struct vessel *v)
{
	uint64_t batch = v->set->now->batch, tenths;
	struct pen p = vessel_pen(v, v->plan->base + 2);
	bool wide = v->plan->lanes > 4, several;
	char text[48];

	if (v->plan->ways < 2 || !flows(v) || batch == UNKNOWN || !batch)
		return;
	several = vessel_is_several(v->d->f, v->set);
	tenths = ((uint64_t)llabs(v->set->change.value) * 10 + batch / 2) / batch;
	if (wide)
		snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64 " batches", tenths / 10,
			 tenths % 10);
	else
		snprintf(text, sizeof(text), "%s%" PRIu64 "%sbatch%s", tenths < 10 ? "<" : "",
			 tenths < 10 ? 1 : (tenths + 5) / 10,
			 several && v->plan->lanes < 2 ? "" : " ", several ? "!" : "");
	p.col = v->plan->words;
	pen_cut(&p, pen_room(&p), several ? STYLE_NOTE : STYLE_DIM, text);
	pen_spot(&p, v->plan->words, "net size");
	if (v->plan->ways > 2 && wide) {
		pen_to(&p, v->plan->base + 3, v->plan->words);
		pen_text(&p, STYLE_NOTE, several ? "several bulks" : "");
	}
}

/* The free lists below are those of the selected zone: the way of another one leads to its own. */
static void draw_where(const struct vessel *v)
{
	struct pen p = vessel_pen(v, v->plan->base + v->plan->ways);

	if (v->lists || !flows(v) || v->plan->lanes < 8 || v->plan->ways < 4)
		return;
	p.col = v->plan->words;
	pen_printf(&p, STYLE_DIM, "%s %" PRIu32 " %s", v->set->change.value < 0 ? "to" : "from",
		   v->zone->now->node, v->zone->now->name);
}

void vessel_draw_way(const struct vessel *v)
{
	draw_rate(v, draw_dots_and_guides(v));
	draw_batches(v);
	draw_where(v);
}

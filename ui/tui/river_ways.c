/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_ways.c - the ways that pages take in the river: guides, dots, and what is said of each. */
#include "river.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLOW(member) offsetof(struct type_flow, member)

const struct flow_kind flow_kinds[FLOW_NR] = {
	[FLOW_IN_YOUNG] = { "→", "in, touched", "touched", "new, to a young one", "in young",
			    FLOW(in_young), STYLE_FLOW_IN, 3 },
	[FLOW_IN_OLD] = { "→", "in, cached", "cached", "new, to an old one", "in old", FLOW(in_old),
			  STYLE_FLOW_IN, 4 },
	[FLOW_PROMOTED] = { "↑", "promoted", "promote", "in use, to youngest", "promoted",
			    FLOW(promoted), STYLE_FLOW_UP, 2 },
	[FLOW_PROTECTED] = { "↻", "protected", "protect", "kept, to the next", "protected",
			     FLOW(protected), STYLE_FLOW_UP, 5 },
	[FLOW_EVICTED] = { "↓", "evicted", "evicted", "taken from the oldest", "evicted",
			   FLOW(evicted), STYLE_FLOW_OUT, 0 },
	[FLOW_GONE] = { "×", "gone", "gone", "freed, not reclaimed", "gone", FLOW(gone), STYLE_DIM,
			6 },
	[FLOW_REFAULTED] = { "↩", "refaulted", "refault", "needed again after it", "refaulted",
			     FLOW(refaulted), STYLE_WARN, 1 },
	[FLOW_UNEXPLAINED] = { "?", "unexplained", "unexpl.", "what does not add up", "unexplained",
			       FLOW(unexplained), STYLE_DIM, 7 },
};

struct amount flow_amount(const struct type_flow *flow, enum flow_id id)
{
	struct amount a;

	memcpy(&a, (const char *)flow + flow_kinds[id].offset, sizeof(a));
	return a;
}

/* --- ways --- */

/* The oldest place of a type that holds pages: each type has a window of its own. */
static int oldest_of(const struct river_scene *s, enum page_type type)
{
	int i = s->n - 1;

	while (i > 0 && !s->places->at[i].pages[type])
		i--;
	return s->places->at[i].pages[type] ? i : s->n - 1;
}

/* Where a block of a place is met: its middle, and the row above it. */
struct meet {
	int col, row;
};

static struct meet meet_of(const struct river_scene *s, const struct river_plan *plan,
			   enum page_type type, int place)
{
	int rows = (river_height(s, plan, type, place) + 7) / 8;
	int col = plan->first + river_slot(s, place) * plan->slot;

	return (struct meet){ col + plan->block / 2, plan->half[type].base - rows - 1 };
}

/* From a row down to a block, or up from it; as far as there is anything between them. */
static int fall(struct meet m, int row)
{
	return m.row > row ? m.row : row;
}

static void way_in(const struct river_plan *plan, struct meet to, int row, struct motion_way *out)
{
	if (row < 0)
		return;
	motion_way_add(out, row, plan->from);
	motion_way_add(out, row, to.col);
	motion_way_add(out, fall(to, row), to.col);
}

/* Up from one block, over to another to the left of it, and down. */
static void way_over(struct meet from, struct meet to, int row, struct motion_way *out)
{
	if (row < 0 || to.col >= from.col)
		return;
	motion_way_add(out, fall(from, row), from.col);
	motion_way_add(out, row, from.col);
	motion_way_add(out, row, to.col);
	motion_way_add(out, fall(to, row), to.col);
}

/* The row of what goes over the edge, counted from the bed up; -1 where there is none. */
static int edge_row(const struct river_half *h, enum flow_id id)
{
	static const int up[FLOW_NR] = {
		[FLOW_GONE] = 0, [FLOW_EVICTED] = 1, [FLOW_REFAULTED] = 2
	};
	int row = h->base - up[id] * (h->rows >= 6 && up[id] == 2 ? 2 : 1);

	if (h->rows >= 6 && id == FLOW_EVICTED)
		row--;
	return row >= h->top ? row : -1;
}

static void way_edge(const struct river_scene *s, const struct river_plan *plan,
		     enum page_type type, enum flow_id id, struct motion_way *out)
{
	const struct river_half *h = &plan->half[type];
	int row = edge_row(h, id), oldest = oldest_of(s, type);
	int height = river_height(s, plan, type, oldest);
	int from = plan->first + river_slot(s, oldest) * plan->slot;

	if (row < 0)
		return;
	/* From the side of the block, or from the top of a lower one. */
	from += row == h->base || height > (h->base - row - 1) * 8
			? river_breadth(s, plan, type, oldest)
			: plan->block / 2;
	/* What is freed was anywhere. */
	if (row == h->base)
		from = plan->edge - 1;
	motion_way_add(out, row, id == FLOW_REFAULTED ? plan->mouth : from);
	motion_way_add(out, row, id == FLOW_REFAULTED ? from : plan->mouth);
}

void river_way(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
	       enum flow_id id, struct motion_way *out)
{
	const struct river_half *h = &plan->half[type];
	int oldest, fault = s->fault_place < s->n ? s->fault_place : s->n - 1;
	struct meet old, to;

	*out = (struct motion_way){ .n = 0 };
	if (s->n < 1 || (plan->small && id == FLOW_GONE))
		return;
	oldest = oldest_of(s, type);
	old = meet_of(s, plan, type, oldest);
	if (id == FLOW_IN_OLD) {
		old.col += plan->block > 6 ? 2 : 1;
		way_in(plan, old, h->in_old, out);
	} else if (id == FLOW_IN_YOUNG) {
		to = meet_of(s, plan, type, fault);
		to.col -= plan->block > 6 ? 2 : 1;
		way_in(plan, to, h->in_young, out);
	} else if (id == FLOW_PROMOTED) {
		way_over(old, meet_of(s, plan, type, 0), h->climb, out);
	} else if (id == FLOW_PROTECTED && oldest > 0) {
		to = meet_of(s, plan, type, oldest - 1);
		to.col += plan->block > 6 ? 2 : 1;
		old.col -= plan->block > 6 ? 2 : 1;
		way_over(old, to, h->in_young > h->climb ? h->in_young : -1, out);
	} else if (id == FLOW_EVICTED || id == FLOW_GONE || id == FLOW_REFAULTED) {
		way_edge(s, plan, type, id, out);
	}
}

/* --- dots --- */

/* The dots of a cell that braille knows; 0 where it is another character. */
static unsigned int dots_of(const char *text)
{
	const unsigned char *b = (const unsigned char *)text;

	if (b[0] != 0xe2 || (b[1] & 0xfc) != 0xa0)
		return 0;
	return ((b[1] & 3u) << 6) | (b[2] & 0x3fu);
}

/* Where there is no braille a character says how many dots are in its cell. */
static void put_plain(struct grid *g, struct rect one, bool whole, enum style style)
{
	static const char *const marks[2][3] = { { ".", ":", ";" }, { "o", "8", "@" } };
	const char *there = g->cells[one.row * g->cols + one.col].text;
	int n = 0;

	for (int i = 0; i < 3; i++)
		if (!strcmp(there, marks[whole][i]))
			n = i + 1;
	grid_text(g, one, 0, 0, style, marks[whole][n > 2 ? 2 : n]);
}

static void put_braille(struct grid *g, struct rect one, unsigned int bit, enum style style)
{
	unsigned int dots = dots_of(g->cells[one.row * g->cols + one.col].text) | bit;
	char text[4] = { (char)0xe2, (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 0x3f)), '\0' };

	grid_text(g, one, 0, 0, style, text);
}

void river_mark(struct grid *g, struct rect area, struct river_mark mark)
{
	static const unsigned char bits[MOTION_Y][MOTION_X] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
	};
	bool plain = mark.plain || g->ascii;

	for (int i = 0; i < (plain ? 1 : mark.heavy ? 8 : 4); i++) {
		int y = mark.y + i / 2 - (mark.heavy && !plain ? mark.y % MOTION_Y : 0),
		    x = mark.x + i % 2;
		struct rect one = { area.row + y / MOTION_Y, area.col + x / MOTION_X, 1, 1 };

		one = rect_clip(rect_clip(one, area), grid_rect(g));
		if (rect_is_empty(one) || y < 0 || x < 0 || (!mark.whole && (i / 2 + i) % 2))
			continue;
		if (plain && mark.heavy)
			grid_text(g, one, 0, 0, mark.style, mark.whole ? "O" : "%");
		else if (plain)
			put_plain(g, one, mark.whole, mark.style);
		else
			put_braille(g, one, bits[y % MOTION_Y][x % MOTION_X], mark.style);
	}
}

#define DOTS_MOST 64

static double dots_wanted(const struct draw *d, const struct river_scene *s, struct amount a,
			  int weight)
{
	uint64_t unit = motion_unit(&s->river->unit.scale);

	if (!unit || !amount_known(a) || a.value <= 0 || d->f->step->dt_us <= 0)
		return 0;
	return (double)a.value * d->page_size * 1e6 / (double)d->f->step->dt_us / (double)unit /
	       weight;
}

/* A flow on its way to being drawn. */
struct stream {
	enum page_type type;
	enum flow_id id;
	struct amount amount;
	struct motion_way way;
	struct motion_dot dots[DOTS_MOST];
	int n;
};

static void stream_of(const struct draw *d, const struct river_plan *plan,
		      const struct river_scene *s, struct stream *out)
{
	out->amount = flow_amount(&s->flow[out->type], out->id);
	river_way(s, plan, out->type, out->id, &out->way);
	if (s->clock_us < 0)
		out->n = motion_still(
			dots_wanted(d, s, out->amount,
				    s->river->heavy[out->type][out->id] ? MOTION_HEAVY : 1),
			out->dots, DOTS_MOST);
	else
		out->n = motion_dots(&s->river->streams[out->type][out->id], s->clock_us, out->dots,
				     DOTS_MOST);
}

static bool is_loose(const struct stream *st)
{
	return st->amount.state != AMOUNT_MEASURED;
}

/* --- guides --- */

static const char *leg_glyph(bool across, bool loose, bool ascii)
{
	if (ascii)
		return across ? (loose ? "~" : "=") : "|";
	return across ? (loose ? "┄" : "─") : (loose ? "┆" : "│");
}

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

static void put(struct draw *d, const struct river_plan *plan, int row, int col, const char *glyph)
{
	if (col >= 0 && row >= 0)
		grid_text(d->g, plan->area, row, col, STYLE_FREE, glyph);
}

/* Its head: where it leads to. */
static void draw_head(struct draw *d, const struct river_plan *plan, const struct stream *st)
{
	const struct motion_way *w = &st->way;
	int rows = w->at[w->n - 1].row - w->at[w->n - 2].row,
	    cols = w->at[w->n - 1].col - w->at[w->n - 2].col;
	const char *glyph = rows > 0              ? "▼"
			    : rows < 0            ? "▲"
			    : cols < 0            ? "◀"
			    : st->id == FLOW_GONE ? "×"
						  : "▶";

	grid_text(d->g, plan->area, w->at[w->n - 1].row, w->at[w->n - 1].col,
		  flow_kinds[st->id].style, glyph);
}

static void draw_guide(struct draw *d, const struct river_plan *plan, const struct stream *st)
{
	const struct motion_way *w = &st->way;

	for (int i = 1; i < w->n; i++) {
		int rows = sign(w->at[i].row - w->at[i - 1].row),
		    cols = sign(w->at[i].col - w->at[i - 1].col);
		int row = w->at[i - 1].row, col = w->at[i - 1].col;

		for (; row != w->at[i].row || col != w->at[i].col; row += rows, col += cols)
			put(d, plan, row, col, leg_glyph(cols != 0, is_loose(st), d->g->ascii));
	}
	draw_head(d, plan, st);
}

/* --- what is said of a flow --- */

/* What fits in four columns, in place of a word that is cut. */
static const char *name_of(const struct river_plan *plan, enum flow_id id)
{
	static const char *const tiny[FLOW_NR] = {
		[FLOW_PROMOTED] = "up", [FLOW_PROTECTED] = "kept", [FLOW_EVICTED] = "out",
		[FLOW_GONE] = "gone", [FLOW_REFAULTED] = "back",
	};
	bool in = id == FLOW_IN_OLD || id == FLOW_IN_YOUNG;

	if (plan->name < 7 && tiny[id])
		return tiny[id];
	return in || plan->name < 9 ? flow_kinds[id].brief : flow_kinds[id].name;
}

static void say(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
		const struct stream *st, struct rect where)
{
	const struct flow_kind *k = &flow_kinds[st->id];
	struct pen p = pen_in(d, where, READ_LRU_GEN);
	bool is_chosen = s->river->flow == (int)st->id;
	bool in = st->id == FLOW_IN_OLD || st->id == FLOW_IN_YOUNG;
	int name = in && plan->name > 8 ? 8 : plan->name;

	if (rect_is_empty(where) || where.cols < 6)
		return;
	/* Where it is low two flows have one row: the second is what is seen, without letters of the first. */
	grid_fill(d->g, where, STYLE_PLAIN, " ");
	pen_left(&p, name,
		 is_chosen              ? STYLE_SELECTED
		 : st->amount.value > 0 ? k->style
					: STYLE_DIM,
		 name_of(plan, st->id));
	p.col = name;
	pen_flow(&p, pen_room(&p) < 6 ? pen_room(&p) : 6, k->metric, st->amount);
}

/* New pages at the left where they come in, the others behind the edge. */
static struct rect words_of(const struct river_plan *plan, const struct stream *st)
{
	const struct river_half *h = &plan->half[st->type];
	struct rect r = { .rows = 1, .col = plan->words, .cols = plan->area.cols - plan->words };

	switch (st->id) {
	case FLOW_IN_OLD:
	case FLOW_IN_YOUNG:
		r.row = st->id == FLOW_IN_OLD ? h->in_old : h->in_young;
		r.col = 0;
		r.cols = plan->first - 1;
		break;
	case FLOW_PROMOTED:
		r.row = h->climb;
		break;
	case FLOW_PROTECTED:
		r.row = h->in_young > h->climb ? h->in_young : -1;
		break;
	default:
		r.row = edge_row(h, st->id);
	}
	if (r.row < 0)
		return (struct rect){ 0, 0, 0, 0 };
	r.row += plan->area.row;
	r.col += plan->area.col;
	return rect_clip(r, plan->area);
}

/* --- all of them --- */

/* New pages of two kinds come in by one row where it is narrow: then the greater is named. */
static bool is_hidden(const struct river_plan *plan, const struct river_scene *s,
		      const struct stream *st)
{
	const struct type_flow *f = &s->flow[st->type];
	const struct river_half *h = &plan->half[st->type];
	enum flow_id other = st->id == FLOW_IN_OLD ? FLOW_IN_YOUNG : FLOW_IN_OLD;

	if (h->in_old != h->in_young || (st->id != FLOW_IN_OLD && st->id != FLOW_IN_YOUNG))
		return false;
	return flow_amount(f, st->id).value < flow_amount(f, other).value ||
	       (st->id == FLOW_IN_OLD &&
		flow_amount(f, st->id).value == flow_amount(f, other).value);
}

/* Where both go by one row, new pages keep to the lower half of it, what climbs to the upper one. */
static int lane_of(const struct river_plan *plan, enum flow_id id)
{
	if (!plan->small)
		return 0;
	return id == FLOW_PROMOTED ? -1 : id == FLOW_IN_OLD || id == FLOW_IN_YOUNG ? 1 : 0;
}

static void draw_dots(struct draw *d, const struct river_plan *plan, const struct stream *st,
		      bool plain, bool heavy)
{
	int lane = lane_of(plan, st->id);
	bool loose = is_loose(st) && !plan->small;

	struct river_mark mark = { .whole = !is_loose(st),
				   .plain = plain,
				   .heavy = heavy,
				   .style = flow_kinds[st->id].style };

	for (int i = 0; i < st->n; i++) {
		motion_place(&st->way, st->dots[i], loose, &mark.y, &mark.x);
		mark.y += lane;
		river_mark(d->g, plan->area, mark);
	}
}

void river_flows_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s)
{
	struct stream st;

	/* Guides first, so that no dot is under one. */
	for (int turn = 0; turn < 2; turn++)
		for (int type = 0; type < TYPE_NR; type++)
			for (int id = 0; id < FLOW_UNEXPLAINED; id++) {
				st.type = (enum page_type)type;
				st.id = (enum flow_id)id;
				stream_of(d, plan, s, &st);
				if (turn && !plan->small && !is_hidden(plan, s, &st))
					say(d, plan, s, &st, words_of(plan, &st));
				if (st.way.n < 2 || (!st.n && st.amount.value <= 0))
					continue;
				if (turn)
					draw_dots(d, plan, &st, s->plain,
						  s->river->heavy[type][id]);
				else
					draw_guide(d, plan, &st);
			}
}

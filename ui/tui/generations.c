/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "generations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/names.h"

static void *generations_open(const struct tui_options *options)
{
	struct generations *g = mem_alloc(sizeof(*g));

	(void)options;
	memset(g, 0, sizeof(*g));
	g->all = true;
	return g;
}

static void generations_close(void *state)
{
	struct generations *g = state;

	free(g->list);
	free(g);
}

static struct generations *of(const struct tui *t)
{
	return t->state[VIEW_GENERATIONS];
}

/* --- whose generations --- */

static uint64_t key_of(const struct lruvec_step *l)
{
	return view_key(l->now->path, l->now->memcg * 1031 + l->now->node);
}

static void add(struct generations *g, const struct lruvec_step *l)
{
	if (g->n == g->cap) {
		g->cap = g->cap ? g->cap * 2 : 64;
		g->list = mem_grow(g->list, g->cap * sizeof(*g->list));
	}
	g->list[g->n++] = l;
	places_add(&g->places, l);
}

static void generations_prepare(struct tui *t)
{
	struct generations *g = of(t);
	const struct step *st = t->frame.step;

	g->n = 0;
	places_clear(&g->places);
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		if (st->lruvecs[i].now && tui_passes(t, st->lruvecs[i].now->path))
			add(g, &st->lruvecs[i]);
	g->at = g->at < g->n ? g->at : g->n ? g->n - 1 : 0;
	for (uint32_t i = 0; i < g->n; i++)
		if (key_of(g->list[i]) == g->chosen)
			g->at = i;
	if (g->n)
		g->chosen = key_of(g->list[g->at]);
}

const struct lruvec_step *generations_chosen(const struct generations *g)
{
	return g->all || !g->n ? NULL : g->list[g->at];
}

void generations_choose(struct tui *t, const char *path)
{
	struct generations *g = of(t);

	for (uint32_t i = 0; i < t->frame.step->nlruvecs; i++) {
		const struct lruvec_step *l = &t->frame.step->lruvecs[i];

		if (!l->now || strcmp(l->now->path, path))
			continue;
		g->chosen = key_of(l);
		g->all = false;
		return;
	}
}

static bool choose_at(struct generations *g, int64_t at)
{
	at = at < -1 ? -1 : at >= g->n ? (int64_t)g->n - 1 : at;
	g->all = at < 0;
	if (at >= 0) {
		g->at = (uint32_t)at;
		g->chosen = key_of(g->list[at]);
	}
	return true;
}

/* Before the first one stand all of them. */
static bool generations_move(struct tui *t, int key)
{
	struct generations *g = of(t);
	int64_t at = g->all ? -1 : (int64_t)g->at;
	const struct {
		int key;
		int64_t to;
	} moves[] = {
		{ KEYCODE_UP, at - 1 },        { KEYCODE_LEFT, at - 1 }, { KEYCODE_DOWN, at + 1 },
		{ KEYCODE_RIGHT, at + 1 },     { KEYCODE_HOME, -1 },     { KEYCODE_END, (int64_t)g->n - 1 },
		{ KEYCODE_PAGE_UP, at - 10 },  { KEYCODE_PAGE_DOWN, at + 10 },
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (moves[i].key == key && g->n)
			return choose_at(g, moves[i].to);
	return false;
}

unsigned int generations_key_all(struct tui *t, int key)
{
	(void)key;
	of(t)->all = !of(t)->all;
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int generations_key_tiers(struct tui *t, int key)
{
	(void)key;
	of(t)->tiers = !of(t)->tiers;
	return TUI_REDRAW | TUI_INTEREST;
}

static void generations_interest(const struct tui *t, struct interest *out)
{
	const struct lruvec_step *l = generations_chosen(of(t));

	out->tiers = of(t)->tiers;
	if (l)
		interest_add(out, l->now->path);
}

/* --- the parts of the screen --- */

enum { PART_TITLE, PART_HEADS, PART_ROWS, PART_FLOWS, PART_NOTES, PART_TIERS, PART_LIST, PART_NR };

/* The path, cut in its middle as far as what comes behind needs the room. */
static void draw_whose(struct pen *p, const struct generations *g, const struct lruvec *l)
{
	int room, width = name_width(l->path);
	char behind[64];

	snprintf(behind, sizeof(behind), "%s  node %" PRIu32 "  (%" PRIu32 " of %" PRIu32 ")",
		 l->dying ? " †dying" : "", l->node, g->at + 1, g->n);
	room = p->pane.cols - name_width(behind);
	pen_left(p, width < room ? width : room, l->dying ? STYLE_DYING : STYLE_TITLE, l->path);
	pen_text(p, STYLE_PLAIN, behind);
}

static void draw_mglru(struct pen *p)
{
	const struct machine *m = &p->d->f->now->machine;
	char bits[80];

	if (m->mglru == UNKNOWN || pen_room(p) < 30)
		return;
	mglru_describe(m->mglru, bits, sizeof(bits));
	pen_printf(p, STYLE_DIM, "   MGLRU: %s", bits);
	if (m->min_ttl_ms != UNKNOWN && pen_room(p) > 18)
		pen_printf(p, STYLE_DIM, "; min_ttl %" PRIu64 " ms", m->min_ttl_ms);
}

static void draw_how_many(struct pen *p, uint32_t n, bool filtered)
{
	if (n == 1)
		pen_printf(p, STYLE_TITLE, "1 lruvec%s", filtered ? " that passes the filter" : ", no other to sum");
	else
		pen_printf(p, STYLE_TITLE, "All %" PRIu32 " lruvecs%s summed", n,
			   filtered ? " that pass the filter" : "");
}

static void draw_title(struct tui *t, struct draw *d, struct rect pane)
{
	const struct generations *g = of(t);
	const struct lruvec_step *l = generations_chosen(g);
	struct pen p = pen_in(d, pane, READ_MGLRU);

	if (l)
		draw_whose(&p, g, l->now);
	else
		draw_how_many(&p, g->n, t->filter[0]);
	draw_mglru(&p);
	if (pen_room(&p) > 34)
		pen_right(&p, pen_room(&p), STYLE_DIM, "= counted  ~ reckoned  - unknown");
}

/* The lruvecs around the chosen one, so that one sees where the arrows lead. */
static void draw_choices(struct tui *t, struct draw *d, struct rect pane)
{
	const struct generations *g = of(t);
	struct pen p = pen_in(d, pane, READ_LRU_GEN);
	uint32_t rows = pane.rows > 1 ? (uint32_t)pane.rows - 1 : 0;
	uint32_t top = g->at > rows / 2 ? g->at - rows / 2 : 0;

	top = g->n > rows && top > g->n - rows ? g->n - rows : g->n > rows ? top : 0;
	pen_left(&p, pane.cols - 16, STYLE_DIM, "Arrows choose one, a shows all:");
	pen_right(&p, 8, STYLE_ANON, "anon");
	pen_right(&p, 8, STYLE_FILE, "file");
	for (uint32_t i = top; i < g->n && pen_line(&p); i++) {
		const struct lruvec_step *l = g->list[i];
		bool here = !g->all && i == g->at;
		struct places one;

		places_clear(&one);
		places_add(&one, l);
		pen_text(&p, STYLE_KEY, here ? "▶ " : "  ");
		pen_left(&p, pane.cols - 26, l->now->dying ? STYLE_DYING : here ? STYLE_BOLD : STYLE_PLAIN,
			 l->now->path);
		pen_printf(&p, STYLE_DIM, " node %-2" PRIu32, l->now->node);
		pen_pages(&p, 8, "size", places_sum(&one, TYPE_ANON));
		pen_pages(&p, 8, "size", places_sum(&one, TYPE_FILE));
	}
}

static void wants_of(struct tui *t, struct rect body, const struct scene *s, struct want *wants)
{
	int notes = scene_notes(NULL, body, s), tiers = tiers_rows(s), n = s->nrows;

	wants[PART_TITLE] = (struct want){ 1, 1, 1 };
	wants[PART_HEADS] = (struct want){ 1, 1, 3 };
	wants[PART_ROWS] = (struct want){ n, body.rows >= 34 ? 3 * n : body.rows >= 28 ? 2 * n : n, 0 };
	wants[PART_FLOWS] = (struct want){ 1, FLOW_ROWS, 2 };
	wants[PART_NOTES] = (struct want){ notes ? 1 : 0, notes, 1 };
	wants[PART_TIERS] = (struct want){ of(t)->tiers || body.rows > 30 ? tiers : 0, tiers, of(t)->tiers ? 3 : 5 };
	wants[PART_LIST] = (struct want){ 2, 1 + (int)(of(t)->n < 20 ? of(t)->n : 20), 4 };
}

static void draw_nothing(struct draw *d, struct rect body, const char *text)
{
	struct pen p = pen_in(d, body, READ_LRU_GEN);

	pen_to(&p, body.rows > 2 ? 1 : 0, 0);
	pen_wrap(&p, STYLE_DIM, 2, body.rows - p.row, text);
}

static void generations_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct want wants[PART_NR];
	struct rect parts[PART_NR];
	struct scene s;

	if (d->f->rung != RUNG_LRU_GEN && d->f->rung != RUNG_LRU_GEN_FULL) {
		classic_draw(t, d, body);
		return;
	}
	if (!of(t)->n) {
		draw_nothing(d, body, "No lruvec passes the filter; Esc clears it.");
		return;
	}
	scene_fill(t, &s);
	wants_of(t, body, &s, wants);
	layout_stack(body, wants, PART_NR, parts);
	draw_title(t, d, parts[PART_TITLE]);
	scene_draw_heads(d, parts[PART_HEADS], &s);
	scene_draw_rows(d, parts[PART_ROWS], &s);
	scene_draw_flows(d, parts[PART_FLOWS], &s);
	scene_notes(d, parts[PART_NOTES], &s);
	tiers_draw(d, parts[PART_TIERS], &s);
	if (!rect_is_empty(parts[PART_LIST]))
		draw_choices(t, d, parts[PART_LIST]);
}

const struct view generations_view = {
	.name = "generations",
	.key = '2',
	.title = "Generations",
	.brief = "Gens",
	.about = "The pages of one memcg on one node, or of all, by generation: the youngest above, the oldest below, where "
		 "reclaim takes them from. Age is the time since the kernel opened the generation. All bars have one scale. "
		 "Below are the flows of the last step: what came in, climbed, was kept, was taken, went and came back.",
	.open = generations_open,
	.close = generations_close,
	.prepare = generations_prepare,
	.draw = generations_draw,
	.move = generations_move,
	.interest = generations_interest,
};

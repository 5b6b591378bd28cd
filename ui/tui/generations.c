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

	memset(g, 0, sizeof(*g));
	g->river.clock.slow = options->motion == MOTION_SLOW;
	g->all = true;
	g->river.flow = FLOW_EVICTED;
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
}

/* --- what is shown of them --- */

bool generations_holds(const struct generations *g, const struct lruvec_step *l)
{
	const struct lruvec_step *chosen = g->n ? g->list[g->at] : NULL;

	if (g->all || !chosen)
		return true;
	if (g->scope == SCOPE_WHOLE_NODE)
		return l->now->node == chosen->now->node;
	if (g->scope == SCOPE_ALL_NODES)
		return l->now->memcg == chosen->now->memcg &&
		       !strcmp(l->now->path, chosen->now->path);
	return g->scope == SCOPE_TREE ? name_is_within(l->now->path, chosen->now->path) : l == chosen;
}

void generations_add_flow(struct type_flow *to, const struct type_flow *flow)
{
	for (int id = 0; id < FLOW_NR; id++) {
		struct amount sum = amount_add(flow_amount(to, (enum flow_id)id),
					       flow_amount(flow, (enum flow_id)id));

		memcpy((char *)to + flow_kinds[id].offset, &sum, sizeof(sum));
	}
	to->artefacts |= flow->artefacts;
}

static void sum_flows(struct generations *g, const struct lruvec_step *l, bool first)
{
	for (int type = 0; type < TYPE_NR; type++) {
		if (first)
			g->flow[type] = l->flow[type];
		else
			generations_add_flow(&g->flow[type], &l->flow[type]);
	}
	g->births = first ? l->births : amount_add(g->births, l->births);
}

/* For the machine the kernel counts more than its lruvecs together tell. */
static void machine_flows(struct generations *g, const struct step *st)
{
	memcpy(g->flow, st->flow, sizeof(g->flow));
	for (int type = 0; type < TYPE_NR; type++)
		g->flow[type].refaulted = st->reclaim.refaulted[type];
	g->births = st->births;
}

static uint64_t key_of_shown(const struct generations *g)
{
	return g->all ? 1 : g->chosen * SCOPE_GEN_NR + (uint64_t)g->scope;
}

/* What the sum covers is more than what each of its parts does. */
static void cover(struct generations *g)
{
	static const uint8_t scopes[SCOPE_GEN_NR] = { [SCOPE_ALL_NODES] = SCOPE_MEMCG,
						      [SCOPE_TREE] = SCOPE_MEMCG_TREE,
						      [SCOPE_WHOLE_NODE] = SCOPE_NODE };

	if (g->all || g->scope == SCOPE_ONE)
		return;
	for (int k = 0; k < TYPE_NR * FLOW_NR; k++) {
		struct type_flow *flow = &g->flow[k % TYPE_NR];
		struct amount a = flow_amount(flow, (enum flow_id)(k / TYPE_NR));

		a.scope = scopes[g->scope];
		memcpy((char *)flow + flow_kinds[k / TYPE_NR].offset, &a, sizeof(a));
	}
}

static void gather_births(struct generations *g)
{
	river_births_clear(&g->born);
	for (uint32_t i = 0; i < g->n; i++)
		if (generations_holds(g, g->list[i]))
			river_births_count(&g->born, g->list[i]);
	for (uint32_t i = 0; i < g->n; i++)
		if (generations_holds(g, g->list[i]))
			river_births_add(&g->born, g->list[i]);
}

static void gather(struct tui *t)
{
	struct generations *g = of(t);
	const struct step *st = t->frame.step;
	bool first = true;

	places_clear(&g->places);
	gather_births(g);
	memset(g->flow, 0, sizeof(g->flow));
	g->births = (struct amount){ 0 };
	for (uint32_t i = 0; i < g->n; i++) {
		if (!generations_holds(g, g->list[i]))
			continue;
		places_add(&g->places, g->list[i]);
		sum_flows(g, g->list[i], first);
		first = false;
	}
	if (g->all && !t->filter[0])
		machine_flows(g, st);
	cover(g);
	river_flow(t, &g->river, g->flow, key_of_shown(g));
}

/* Once for each frame. */
static bool open_new(struct tui *t)
{
	struct generations *g = of(t);

	if (g->frame_us == t->frame.now->mono_us)
		return false;
	g->frame_us = t->frame.now->mono_us;
	river_open(&g->river, river_births_shift(&g->born));
	return true;
}

static void generations_prepare(struct tui *t)
{
	struct generations *g = of(t);
	const struct step *st = t->frame.step;

	g->n = 0;
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		if (st->lruvecs[i].now && tui_passes(t, st->lruvecs[i].now->path))
			add(g, &st->lruvecs[i]);
	g->at = g->at < g->n ? g->at : g->n ? g->n - 1 : 0;
	for (uint32_t i = 0; i < g->n; i++)
		if (key_of(g->list[i]) == g->chosen)
			g->at = i;
	if (g->n)
		g->chosen = key_of(g->list[g->at]);
	gather(t);
	small_flow(t, open_new(t));
}

const struct lruvec_step *generations_chosen(const struct generations *g)
{
	return g->all || !g->n || g->scope != SCOPE_ONE ? NULL : g->list[g->at];
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
		g->scope = SCOPE_ONE;
		return;
	}
}

static bool choose_at(struct tui *t, int64_t at)
{
	struct generations *g = of(t);

	at = at < -1 ? -1 : at >= g->n ? (int64_t)g->n - 1 : at;
	g->all = at < 0;
	if (at >= 0) {
		g->at = (uint32_t)at;
		g->chosen = key_of(g->list[at]);
	}
	gather(t);
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
		{ KEYCODE_UP, at - 1 },       { KEYCODE_DOWN, at + 1 },
		{ KEYCODE_HOME, -1 },         { KEYCODE_END, (int64_t)g->n - 1 },
		{ KEYCODE_PAGE_UP, at - 10 }, { KEYCODE_PAGE_DOWN, at + 10 },
	};

	if (key == KEYCODE_LEFT || key == KEYCODE_RIGHT) {
		g->river.flow =
			(g->river.flow + (key == KEYCODE_RIGHT ? 1 : FLOW_NR - 1)) % FLOW_NR;
		return true;
	}

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (moves[i].key == key && g->n)
			return choose_at(t, moves[i].to);
	return false;
}

/* Where it stands in the list, and what is shown of it. */
static void prepare_chosen(struct tui *t)
{
	struct generations *g = of(t);

	for (uint32_t i = 0; i < g->n; i++)
		if (key_of(g->list[i]) == g->chosen)
			g->at = i;
	gather(t);
}

/* A flow in the table, an lruvec in the list, a small river. */
static unsigned int generations_click(struct tui *t, int row, int col)
{
	struct rect one = { row, col, 1, 1 };
	struct generations *g = of(t);

	if (!rect_is_empty(rect_clip(one, g->table))) {
		g->river.flow = row - g->table.row;
		return TUI_REDRAW | TUI_INTEREST;
	}
	if (small_at(t, row, col)) {
		generations_choose(t, small_at(t, row, col)->path);
		prepare_chosen(t);
		return TUI_REDRAW | TUI_INTEREST;
	}
	if (rect_is_empty(rect_clip(one, g->choices)) ||
	    g->top + (uint32_t)(row - g->choices.row) >= g->n)
		return TUI_NOTHING;
	g->scope = SCOPE_ONE;
	return choose_at(t, (int64_t)g->top + row - g->choices.row) ? TUI_REDRAW | TUI_INTEREST : TUI_NOTHING;
}

unsigned int generations_key_all(struct tui *t, int key)
{
	(void)key;
	of(t)->all = !of(t)->all;
	of(t)->scope = SCOPE_ONE;
	if (t->has_frame)
		gather(t);
	return TUI_REDRAW | TUI_INTEREST;
}

/* Which lruvecs are shown, whatever their order. */
static uint64_t held(const struct generations *g)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < g->n; i++)
		if (generations_holds(g, g->list[i]))
			sum += key_of(g->list[i]) * 2654435761u;
	return sum;
}

/* From the lruvec to its memcg, that and all below it, its node, and back: as far as they differ. */
unsigned int generations_key_wide(struct tui *t, int key)
{
	struct generations *g = of(t);
	uint64_t was = held(g);
	int tries = 0;

	(void)key;
	if (!t->has_frame || !g->n)
		return TUI_NOTHING;
	if (g->all)
		g->scope = SCOPE_TREE;
	g->all = false;
	do
		g->scope = (enum gen_scope)((g->scope + 1) % SCOPE_GEN_NR);
	while (held(g) == was && ++tries < SCOPE_GEN_NR);
	gather(t);
	return TUI_REDRAW | TUI_INTEREST;
}

/* From what was chosen to the sum of all. */
static bool generations_back(struct tui *t)
{
	struct generations *g = of(t);

	if (g->all)
		return false;
	g->all = true;
	g->scope = SCOPE_ONE;
	if (t->has_frame)
		gather(t);
	return true;
}

char *generations_whose(const struct generations *g, char *out, size_t size)
{
	const struct lruvec *l = g->n ? g->list[g->at]->now : NULL;

	if (g->all || !l)
		snprintf(out, size, "whole machine");
	else if (g->scope == SCOPE_WHOLE_NODE)
		snprintf(out, size, "node %" PRIu32, l->node);
	else if (g->scope == SCOPE_TREE)
		snprintf(out, size, "%s and below", l->path);
	else if (g->scope == SCOPE_ALL_NODES)
		snprintf(out, size, "%s on all nodes", l->path);
	else
		snprintf(out, size, "%s on node %" PRIu32, l->path, l->node);
	return out;
}

unsigned int generations_key_log(struct tui *t, int key)
{
	(void)key;
	of(t)->river.log = !of(t)->river.log;
	return TUI_REDRAW;
}

unsigned int generations_key_slow(struct tui *t, int key)
{
	struct river *r = &of(t)->river;

	(void)key;
	motion_clock_settle(&r->clock, t->now_us);
	r->clock.slow = !r->clock.slow;
	pagesets_slow(t, r->clock.slow);
	return TUI_REDRAW;
}

static int64_t generations_next(const struct tui *t, int64_t now_us)
{
	const struct river *r = &of(t)->river;

	return of(t)->tiers ? INT64_MAX : river_next(r, now_us, small_moves(t, river_clock(r, now_us)));
}

unsigned int generations_key_tiers(struct tui *t, int key)
{
	(void)key;
	of(t)->tiers = !of(t)->tiers;
	return TUI_REDRAW | TUI_INTEREST;
}

static void generations_interest(const struct tui *t, struct interest *out)
{
	const struct generations *g = of(t);

	out->tiers = g->tiers;
	if (!g->all && g->n)
		interest_add(out, g->list[g->at]->now->path);
	if (!g->tiers)
		small_interest(t, out);
}

const struct view generations_view = {
	.name = "generations",
	.key = '2',
	.title = "Generations",
	.brief = "Gens",
	.about =
		"The generations as a river: the youngest at the left, the oldest at the edge, where reclaim takes pages from; "
		"memory of processes (anon) above, cached files below. A kernel without MGLRU, or with it switched off, keeps active "
		"and inactive lists instead: then those are shown, and what moves between them. A block is as large as its pages, all on one scale. "
		"Dots are flows of the last step: the more of them are on a way at once, the more pages go there each "
		"second; the last line says what one stands for. Ways drawn through and dots in a tight row are counted "
		"by the kernel (=), broken ways and scattered dots are reckoned (~). Left and Right choose a flow, whose "
		"ledger says how it is known and what does it; d shows the same as tables. When a generation is born, all that "
		"was there moves on by one place; of a sum only the part whose memcgs opened one. An lruvec is what the kernel "
		"keeps in generations: the pages of one memcg on one node; up and down choose one, w takes in more around it, "
		"Esc leads back to all. MGLRU: what the kernel has switched on. mm_walk: it ages by walking page tables; "
		"nonleaf_young: and skips those parts whose upper table was not used; min_ttl: generations younger "
		"than that are not evicted, and where that leaves nothing, a process is killed.",
	.open = generations_open,
	.close = generations_close,
	.prepare = generations_prepare,
	.draw = generations_draw,
	.move = generations_move,
	.click = generations_click,
	.back = generations_back,
	.interest = generations_interest,
	.next = generations_next,
};

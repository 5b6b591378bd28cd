/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_small.c - the memcgs that lose most, each as a small river, side by side. */
#include <inttypes.h>
#include <string.h>

#include "generations.h"
#include "reclaimtop/units.h"

#define SMALL_COLS 29
#define SMALL_ROWS 10

static struct generations *of(const struct tui *t)
{
	return t->state[VIEW_GENERATIONS];
}

/* --- which ones --- */

static uint64_t known(struct amount a)
{
	return amount_known(a) && a.value > 0 ? (uint64_t)a.value : 0;
}

/* What a memcg lost and got back itself, without those below it. */
static uint64_t moved_of(const struct memcg_step *m)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < m->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			sum += known(m->lruvecs[i]->flow[type].evicted) +
			       known(m->lruvecs[i]->flow[type].refaulted);
	return sum;
}

static uint64_t pages_of(const struct memcg_step *m)
{
	uint64_t sum = 0;

	for (int i = 0; i < PLACE_NR; i++)
		for (int type = 0; type < TYPE_NR; type++)
			sum += m->pages[i][type];
	return sum;
}

struct pick {
	const struct memcg_step *m;
	uint64_t moved, pages;
};

struct picks {
	struct pick at[SMALL_MOST];
	int n, most;
};

static uint64_t key_of(const struct memcg_step *m)
{
	return view_key(m->path, m->id);
}

static bool is_shown(const struct smalls *s, uint64_t key)
{
	for (int i = 0; i < s->n; i++)
		if (s->at[i].key == key)
			return true;
	return false;
}

/* Those that lose or get back more come first, then the larger ones. */
static bool is_before(const struct pick *a, const struct pick *b)
{
	return a->moved != b->moved ? a->moved > b->moved : a->pages > b->pages;
}

static void pick(struct picks *p, struct pick one)
{
	int at = p->n < p->most ? p->n : p->most;

	while (at > 0 && is_before(&one, &p->at[at - 1])) {
		if (at < p->most)
			p->at[at] = p->at[at - 1];
		at--;
	}
	if (at < p->most)
		p->at[at] = one;
	p->n += p->n < p->most;
}

/*
 * The root is what all others are in; its own river is of little use beside them. Who is shown already stays unless another
 * one is well ahead.
 */
static void pick_all(const struct tui *t, const struct smalls *shown, struct picks *p)
{
	const struct step *st = t->frame.step;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		struct pick one = { m, moved_of(m), pages_of(m) };

		if (m->vanished || m->dying || !m->nlruvecs || !strcmp(m->path, "/") ||
		    !tui_passes(t, m->path) || !(one.pages || one.moved))
			continue;
		if (is_shown(shown, key_of(m))) {
			one.moved += one.moved / 2;
			one.pages += one.pages / 2;
		}
		pick(p, one);
	}
}

/* --- what is in them --- */

static void add_flows(struct small *one, const struct lruvec_step *l, bool first)
{
	for (int type = 0; type < TYPE_NR; type++) {
		if (first)
			one->flow[type] = l->flow[type];
		else
			generations_add_flow(&one->flow[type], &l->flow[type]);
		/* There is no room to say how much they are. */
		one->flow[type].gone = one->flow[type].protected = (struct amount){ 0 };
	}
}

static void fill(struct smalls *s, struct small *one)
{
	const struct memcg_step *m = one->m;
	uint64_t scale;

	places_clear(&one->places);
	river_births_clear(&one->births);
	for (uint32_t i = 0; i < m->nlruvecs; i++)
		river_births_count(&one->births, m->lruvecs[i]);
	for (uint32_t i = 0; i < m->nlruvecs; i++) {
		places_add(&one->places, m->lruvecs[i]);
		river_births_add(&one->births, m->lruvecs[i]);
		add_flows(one, m->lruvecs[i], i == 0);
	}
	for (one->n = 0; one->n < PLACE_NR && one->places.at[one->n].age_max != UNKNOWN;)
		one->n++;
	scale = river_scale(&one->places);
	s->scale = scale > s->scale ? scale : s->scale;
}

/* Who stays keeps its place, so that the eye finds it there. */
static void settle(struct smalls *s, const struct picks *p)
{
	bool taken[SMALL_MOST] = { false };

	for (int i = 0; i < SMALL_MOST; i++)
		s->at[i].m = NULL;
	for (int i = 0; i < s->n && i < p->n; i++)
		for (int k = 0; k < p->n; k++)
			if (!taken[k] && key_of(p->at[k].m) == s->at[i].key) {
				s->at[i].m = p->at[k].m;
				taken[k] = true;
			}
	for (int k = 0, i = 0; k < p->n; k++) {
		if (taken[k])
			continue;
		while (s->at[i].m)
			i++;
		s->at[i].m = p->at[k].m;
	}
	s->n = p->n;
}

/* --- over time --- */

static void start_anew(struct small *one)
{
	memset(one->river.streams, 0, sizeof(one->river.streams));
	memset(one->river.heavy, 0, sizeof(one->river.heavy));
}

static void fit(struct tui *t, struct smalls *s)
{
	double all = 0, in_out = 0, factor;

	for (int i = 0; i < s->n; i++) {
		const struct small *one = &s->at[i];
		double most = river_fullest(t, &one->river, one->flow, true);

		all = most > all ? most : all;
		most = river_fullest(t, &one->river, one->flow, false);
		in_out = most > in_out ? most : in_out;
	}
	factor = motion_fit_even(&s->unit, t->now_us, all, in_out);
	for (int i = 0; i < s->n; i++) {
		river_rescale(&s->at[i].river, factor);
		s->at[i].river.unit = s->unit;
	}
}

static void set_out(struct tui *t, struct smalls *s, bool births)
{
	const struct river *lead = &of(t)->river;

	for (int i = 0; i < s->n; i++) {
		struct small *one = &s->at[i];
		bool anew = one->key != key_of(one->m) || !one->river.clock.moves;

		one->key = key_of(one->m);
		one->river.clock.moves = lead->clock.moves;
		one->river.clock.shown_us = river_clock(lead, t->now_us);
		river_set_out(t, &one->river, one->flow, anew);
		if (births || anew)
			river_open(&one->river, anew ? 0 : river_births_shift(&one->births));
	}
}

static void flow(struct tui *t, bool births)
{
	struct smalls *s = &of(t)->smalls;
	struct picks p = { .most = s->most };

	pick_all(t, s, &p);
	settle(s, &p);
	s->scale = 1;
	for (int i = 0; i < s->n; i++) {
		if (s->at[i].key != key_of(s->at[i].m) || !of(t)->river.clock.moves)
			start_anew(&s->at[i]);
		fill(s, &s->at[i]);
	}
	fit(t, s);
	set_out(t, s, births);
}

void small_flow(struct tui *t, bool is_new)
{
	if (of(t)->smalls.most)
		flow(t, is_new);
}

int64_t small_moves(const struct tui *t, int64_t clock_us)
{
	const struct smalls *s = &of(t)->smalls;
	int64_t next = INT64_MAX;

	for (int i = 0; i < s->n; i++) {
		int64_t one = river_moves(&s->at[i].river, clock_us);

		next = one < next ? one : next;
	}
	return next;
}

void small_interest(const struct tui *t, struct interest *out)
{
	struct picks p = { .most = of(t)->smalls.most > 4 ? of(t)->smalls.most : 4 };

	pick_all(t, &of(t)->smalls, &p);
	for (int i = 0; i < p.n; i++)
		interest_add(out, p.at[i].m->path);
}

/* --- on the screen --- */

/* A letter, the slots, the edge, and what is said behind it. */
static void plan_small(struct rect area, struct river_plan *p)
{
	*p = (struct river_plan){ .area = area, .first = 2, .legend = -1, .small = true };
	p->slot = (area.cols - 13) / PLACE_NR;
	p->block = p->slot - 1;
	p->edge = p->first + p->slot * PLACE_NR;
	p->mouth = p->edge + 2;
	p->words = p->mouth + 2;
	for (int type = 0; type < TYPE_NR; type++) {
		struct river_half *h = &p->half[type];
		int rows = area.rows / 2;

		h->in_old = h->in_young = h->climb = type * rows;
		h->top = h->climb + 1;
		h->rows = rows - 1;
		h->base = h->top + h->rows;
	}
}

/* Both of what comes in, what climbs, what comes back, what is taken: a row for each, as far as there are rows. */
static void say(struct draw *d, const struct river_plan *plan, const struct small *one,
		enum page_type type)
{
	const struct river_half *h = &plan->half[type];
	const struct type_flow *f = &one->flow[type];
	const struct {
		int row;
		enum flow_id id;
		struct amount amount;
	} lines[] = {
		{ h->climb, FLOW_IN_YOUNG, amount_add(f->in_young, f->in_old) },
		{ h->top, FLOW_PROMOTED, f->promoted },
		{ h->base - 2, FLOW_REFAULTED, f->refaulted },
		{ h->base - 1, FLOW_EVICTED, f->evicted },
	};
	struct pen p = pen_in(d, plan->area, READ_LRU_GEN);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct flow_kind *k = &flow_kinds[lines[i].id];
		bool moves = known(lines[i].amount) > 0;

		pen_to(&p, lines[i].row, plan->words);
		pen_text(&p, moves ? k->style : STYLE_DIM, k->mark);
		pen_flow(&p, 6, k->metric, lines[i].amount);
	}
	pen_to(&p, h->top, 0);
	pen_text(&p, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE, type == TYPE_ANON ? "a" : "f");
}

static void scene_of(const struct tui *t, const struct small *one, struct river_scene *s)
{
	const struct generations *g = of(t);

	*s = (struct river_scene){ .places = &one->places,
				   .flow = one->flow,
				   .river = &one->river,
				   .births = &one->births,
				   .n = one->n,
				   .fault_place = step_fault_place(&t->frame.now->machine),
				   .scale = g->smalls.scale,
				   .clock_us = -1,
				   .plain = t->options.no_braille };
	if (g->river.clock.moves)
		s->clock_us = river_clock(&g->river, t->now_us);
}

static bool is_chosen(const struct generations *g, const struct small *one)
{
	return !g->all && g->n && g->scope != SCOPE_WHOLE_NODE &&
	       !strcmp(g->list[g->at]->now->path, one->m->path);
}

static void draw_one(struct tui *t, struct draw *d, struct rect pane, struct small *one)
{
	struct rect name = layout_take_top(&pane, 1), edge;
	struct pen p = pen_in(d, name, READ_CGROUP);
	struct river_plan plan;
	struct river_scene s;

	plan_small(pane, &plan);
	river_rooms(&plan, one->river.rooms);
	scene_of(t, one, &s);
	pen_left(&p, name.cols - 8, is_chosen(of(t), one) ? STYLE_SELECTED : STYLE_BOLD,
		 one->m->path);
	if (one->births.born) {
		pen_to(&p, 0, plan.edge + 3);
		pen_printf(&p, STYLE_NOTE, "+%" PRIu32 " born", one->births.born);
	}
	edge = (struct rect){ pane.row, pane.col + plan.edge, pane.rows, 1 };
	grid_fill(d->g, edge, STYLE_FREE, "│");
	river_blocks_draw(d, &plan, &s);
	river_flows_draw(d, &plan, &s);
	for (int type = 0; type < TYPE_NR; type++)
		say(d, &plan, one, (enum page_type)type);
	one->where = (struct rect){ name.row, name.col, pane.rows + 1, name.cols };
}

static void draw_head(struct tui *t, struct draw *d, struct rect head)
{
	const struct smalls *s = &of(t)->smalls;
	uint64_t unit = motion_unit(&s->unit.scale);
	struct pen p = pen_in(d, head, READ_CGROUP);
	char text[NUMBER_TEXT];

	grid_fill(d->g, head, STYLE_HEAD, " ");
	pen_text(&p, STYLE_HEAD, " The memcgs that lose most, and get back most, on one scale");
	if (unit)
		pen_printf(&p, STYLE_HEAD, ": %s = %s/s",
			   t->options.no_braille || d->g->ascii ? "o" : "⠶",
			   units_bytes(unit, text, sizeof(text)));
	for (int i = 0; unit && i < s->n; i++)
		for (int k = 0; k < TYPE_NR * FLOW_NR; k++)
			if (s->at[i].river.heavy[k / FLOW_NR][k % FLOW_NR]) {
				pen_printf(&p, STYLE_HEAD, ", %s = %s/s",
					   t->options.no_braille || d->g->ascii ? "O" : "⣿",
					   units_bytes(unit * MOTION_HEAVY, text, sizeof(text)));
				i = s->n;
				break;
			}
	pen_text(&p, STYLE_HEAD, "   a process memory, f cached files");
}

void small_draw(struct tui *t, struct draw *d, struct rect pane)
{
	struct smalls *s = &of(t)->smalls;
	int most = pane.rows < SMALL_ROWS ? 0 : pane.cols / SMALL_COLS, cols;

	most = most > SMALL_MOST ? SMALL_MOST : most;
	if (most != s->most) {
		s->most = most;
		s->n = 0;
		flow(t, false);
	}
	if (!s->n)
		return;
	draw_head(t, d, layout_take_top(&pane, 1));
	cols = pane.cols / s->most;
	for (int i = 0; i < s->n; i++) {
		struct rect one = { pane.row, pane.col + i * cols, pane.rows, cols - 1 };

		draw_one(t, d, one, &s->at[i]);
	}
}

const struct memcg_step *small_at(const struct tui *t, int row, int col)
{
	const struct smalls *s = &of(t)->smalls;
	struct rect cell = { row, col, 1, 1 };

	for (int i = 0; i < s->n; i++)
		if (!rect_is_empty(rect_clip(cell, s->at[i].where)))
			return s->at[i].m;
	return NULL;
}

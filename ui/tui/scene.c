/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "generations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/units.h"

/* --- from a frame to rows --- */

static void row_of_gen(struct gen_row *row, const struct gen_step *g)
{
	snprintf(row->seq, sizeof(row->seq), "%" PRIu64, g->seq);
	units_age(g->age_ms, row->age, sizeof(row->age));
	memcpy(row->ages, row->age, sizeof(row->age));
	for (int type = 0; type < TYPE_NR; type++) {
		row->pages[type] = g->now[type];
		row->change[type] = (int64_t)(g->now[type] - g->before[type]);
	}
	row->born = g->born;
	row->left = g->left;
}

/* The generations of one lruvec; those that left stand in their place for this one step. */
static void rows_of_lruvec(struct scene *s, const struct lruvec_step *l, bool compared)
{
	uint32_t place = 0, live = 0;

	for (uint32_t i = 0; i < l->ngens; i++)
		live += !l->gens[i].left && !l->gens[i].evicted;
	for (uint32_t i = l->ngens; i-- > 0 && s->nrows < GEN_ROWS;) {
		struct gen_row *row = &s->rows[s->nrows++];
		bool left = l->gens[i].left, evicted = l->gens[i].evicted;

		row_of_gen(row, &l->gens[i]);
		row->known_change = compared && l->before;
		row->place = place < PLACE_NR ? place : PLACE_NR - 1;
		snprintf(row->name, sizeof(row->name), "%s", left ? "left" : evicted ? "evicted" : place_name(place, live));
		place += !left && !evicted;
	}
}

static void row_of_place(struct gen_row *row, const struct place *p)
{
	char youngest[16], oldest[16];

	units_age(p->age_min, youngest, sizeof(youngest));
	units_age(p->age_max, oldest, sizeof(oldest));
	memcpy(row->age, oldest, sizeof(row->age));
	if (strcmp(youngest, oldest))
		snprintf(row->ages, sizeof(row->ages), "%.6s - %.6s", youngest, oldest);
	else
		memcpy(row->ages, row->age, sizeof(row->age));
	for (int type = 0; type < TYPE_NR; type++) {
		row->pages[type] = p->pages[type];
		row->change[type] = p->change[type];
	}
	row->born = p->born != 0;
}

static uint32_t places_in_use(const struct places *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < PLACE_NR; i++)
		n += p->at[i].age_max != UNKNOWN;
	return n;
}

static void rows_of_places(struct scene *s, const struct places *p, bool compared)
{
	uint32_t n = places_in_use(p);

	for (uint32_t i = 0; i < PLACE_NR; i++) {
		struct gen_row *row = &s->rows[s->nrows];

		if (p->at[i].age_max == UNKNOWN)
			continue;
		row_of_place(row, &p->at[i]);
		row->known_change = compared;
		row->place = i;
		snprintf(row->name, sizeof(row->name), "%s", place_name(i, n));
		s->nrows++;
	}
}

static void find_scale(struct scene *s)
{
	s->scale = 1;
	for (int i = 0; i < s->nrows; i++)
		for (int type = 0; type < TYPE_NR; type++)
			if (s->rows[i].pages[type] != UNKNOWN && s->rows[i].pages[type] > s->scale)
				s->scale = s->rows[i].pages[type];
}

void scene_fill(struct tui *t, struct scene *s)
{
	const struct generations *g = t->state[VIEW_GENERATIONS];
	const struct step *st = t->frame.step;
	bool compared = st->dt_us > 0 && !st->rows_apart;

	memset(s, 0, sizeof(*s));
	s->from = t->frame.rung == RUNG_LRU_GEN ? READ_LRU_GEN : READ_LRU_GEN_FULL;
	s->l = generations_chosen(g);
	if (s->l)
		rows_of_lruvec(s, s->l, compared);
	else
		rows_of_places(s, &g->places, compared);
	memcpy(s->flow, g->flow, sizeof(s->flow));
	s->born = &g->born;
	find_scale(s);
}

/* --- drawing rows --- */

struct columns columns_in(struct rect pane)
{
	struct columns c = { .left = pane.cols >= 100 ? 36 : pane.cols >= 72 ? 26 : 13, .number = 7 };
	int block = (pane.cols - c.left - 2) / 2;

	c.name = pane.cols >= 72 ? 11 : 0;
	c.age = pane.cols >= 100 ? 15 : 7;
	c.seq = c.left - c.name - c.age - 1;
	c.change = block >= 20 ? 8 : 0;
	c.bar = block - c.number - c.change;
	for (int type = 0; type < TYPE_NR; type++)
		c.block[type] = (struct rect){ pane.row, pane.col + c.left + 1 + type * (block + 1), pane.rows, block };
	return c;
}

void scene_draw_heads(struct draw *d, struct rect pane, const struct scene *s)
{
	struct columns c = columns_in(pane);
	struct pen p = pen_in(d, pane, s->from);

	if (rect_is_empty(pane))
		return;
	grid_fill(d->g, pane, STYLE_HEAD, " ");
	pen_left(&p, c.name, STYLE_HEAD, "  place");
	pen_right(&p, c.seq, STYLE_HEAD, s->l ? "seq" : "");
	pen_right(&p, c.age, STYLE_HEAD, "age");
	for (int type = 0; type < TYPE_NR; type++) {
		p = pen_in(d, c.block[type], s->from);
		pen_left(&p, c.bar, STYLE_HEAD, type == TYPE_ANON ? "anon" : "file");
		pen_right(&p, c.number, STYLE_HEAD, "pages");
		pen_right(&p, c.change, STYLE_HEAD, "change");
	}
}

static void draw_block(struct pen *p, const struct columns *c, const struct scene *s,
		       const struct gen_row *row, enum page_type type)
{
	char text[NUMBER_TEXT] = "";

	pen_block(p, c->bar > 0 ? c->bar : 0, (enum style)(STYLE_GEN0 + row->place), row->pages[type], s->scale);
	pen_pages(p, c->number, "size", row->pages[type]);
	if (!c->change)
		return;
	if (row->known_change)
		number_change(p->d, row->change[type], text);
	pen_right(p, c->change, row->change[type] ? STYLE_PLAIN : STYLE_DIM, strcmp(text, "0") ? text : "");
}

static void draw_words(struct pen *p, const struct columns *c, const struct gen_row *row)
{
	enum style style = row->left ? STYLE_DIM : row->born ? STYLE_NOTE : STYLE_PLAIN;
	char name[24];

	p->col = 2;
	snprintf(name, sizeof(name), "%s%s", row->born && !row->left ? "+" : "", row->name);
	if (c->name)
		pen_left(p, c->name - 2, style, name);
	p->col = c->name ? c->name : 1;
	pen_right(p, c->seq - (c->name ? 0 : 1), style, row->seq);
	pen_right(p, c->age, row->left ? STYLE_DIM : STYLE_PLAIN, c->age > 13 ? row->ages : row->age);
}

/* The way up: from the oldest to the youngest at the left edge, where anything was promoted. */
static void draw_promotion(struct draw *d, struct rect pane, const struct scene *s)
{
	int64_t pages = 0;

	for (int type = 0; type < TYPE_NR; type++)
		pages += amount_known(s->flow[type].promoted) ? s->flow[type].promoted.value : 0;
	for (int row = 0; pages > 0 && row < pane.rows; row++)
		grid_text(d->g, pane, row, 0, STYLE_FLOW_UP, row ? "│" : "▲");
}

void scene_draw_rows(struct draw *d, struct rect pane, const struct scene *s)
{
	int each = s->nrows ? pane.rows / s->nrows : 0;
	struct columns c = columns_in(pane);

	for (int i = 0; i < s->nrows && each > 0; i++) {
		struct pen p = pen_in(d, pane, s->from);

		p.row = i * each;
		draw_words(&p, &c, &s->rows[i]);
		for (int type = 0; type < TYPE_NR; type++) {
			p = pen_in(d, c.block[type], s->from);
			p.row = i * each;
			draw_block(&p, &c, s, &s->rows[i], (enum page_type)type);
			/* With room, a bar is as thick as its row is high, but for a line between. */
			for (int thick = 1; thick < (each > 2 ? each - 1 : each); thick++) {
				pen_to(&p, i * each + thick, 0);
				pen_block(&p, c.bar > 0 ? c.bar : 0, (enum style)(STYLE_GEN0 + s->rows[i].place),
					  s->rows[i].pages[type], s->scale);
			}
		}
	}
	draw_promotion(d, pane, s);
}

/* --- flows --- */

static uint64_t magnitude(struct amount a)
{
	return !amount_known(a) ? 0 : a.value < 0 ? (uint64_t)-a.value : (uint64_t)a.value;
}

static uint64_t greatest_flow(const struct scene *s)
{
	uint64_t greatest = 1;

	for (int i = 0; i < FLOW_NR; i++)
		for (int type = 0; type < TYPE_NR; type++) {
			uint64_t pages = magnitude(flow_amount(&s->flow[type], (enum flow_id)i));

			greatest = pages > greatest ? pages : greatest;
		}
	return greatest;
}

static bool moves(const struct scene *s, enum flow_id id)
{
	return magnitude(flow_amount(&s->flow[TYPE_ANON], id)) || magnitude(flow_amount(&s->flow[TYPE_FILE], id));
}

static void draw_flow(struct draw *d, struct rect pane, const struct scene *s, int row, enum flow_id id)
{
	const struct flow_kind *k = &flow_kinds[id];
	struct columns c = columns_in(pane);
	struct pen p = pen_in(d, pane, s->from);
	uint64_t scale = greatest_flow(s);

	p.row = row;
	pen_printf(&p, moves(s, id) ? k->style : STYLE_DIM, "%s %s", k->mark, k->name);
	if (c.left > 30) {
		p.col = 14;
		pen_left(&p, c.left - 14, STYLE_DIM, k->words);
	}
	for (int type = 0; type < TYPE_NR; type++) {
		struct amount a = flow_amount(&s->flow[type], id);
		int number = c.number + c.change;

		p = pen_in(d, c.block[type], s->from);
		p.row = row;
		pen_block(&p, c.bar > 0 ? c.bar : 0, k->style, magnitude(a), scale);
		pen_flow(&p, number - 2, k->metric, a);
		pen_text(&p, STYLE_DIM, amount_known(a) ? "/s" : "");
	}
}

void scene_draw_flows(struct draw *d, struct rect pane, const struct scene *s)
{
	int row = 0;

	for (int i = 0; i < FLOW_NR; i++)
		if (flow_kinds[i].rank < pane.rows)
			draw_flow(d, pane, s, row++, (enum flow_id)i);
}

/* --- what must be said in words --- */

static const struct {
	unsigned int artefact;
	const char *words;
} artefact_words[] = {
	{ ARTEFACT_ROTATED, "without swap the rows only changed places: nothing moved" },
	{ ARTEFACT_REPARENTED, "pages of a removed child joined: the jump is no movement" },
	{ ARTEFACT_SWITCHED, "MGLRU was switched on or off: all pages were moved between the lists" },
	{ ARTEFACT_ID_REUSED, "another memcg came under the same name or id: not compared" },
	{ ARTEFACT_HISTORY_LOST, "four or more generations passed in one step: what happened between is lost" },
	{ ARTEFACT_TORN, "the rows of this reading do not fit each other: it was cut or changed while it was read" },
};

static int note(struct draw *d, struct rect pane, int row, const char *type, const char *words)
{
	char text[200];
	struct pen p;

	snprintf(text, sizeof(text), "%s: %s.", type, words);
	if (!d)
		return pane.cols > 4 ? pen_wrap_lines(text, pane.cols - 4) : 0;
	p = pen_in(d, pane, READ_LRU_GEN);
	pen_to(&p, row, 2);
	if (row < pane.rows)
		pen_text(&p, STYLE_NOTE, "!");
	return pen_wrap(&p, STYLE_NOTE, 4, pane.rows - row, text);
}

/* Who opened a generation, and what that does to the others. */
static const char *born_words(const struct scene *s, char *out, size_t size)
{
	uint32_t all = s->born->moved[0].lruvecs;

	for (int i = 1; i < PLACE_NR; i++)
		all += s->born->moved[i].lruvecs;
	if (all == 1)
		snprintf(out, size,
			 "%" PRIu32 " new youngest generation%s; all others moved on and are older by that",
			 s->born->born, s->born->born > 1 ? "s" : "");
	else
		snprintf(out, size,
			 "%" PRIu32 " of %" PRIu32 " lruvecs opened a new youngest generation; only theirs moved on",
			 s->born->lruvecs, all);
	return out;
}

int scene_notes(struct draw *d, struct rect pane, const struct scene *s)
{
	unsigned int both = s->flow[TYPE_ANON].artefacts & s->flow[TYPE_FILE].artefacts;
	char words[160];
	int rows = 0;

	for (size_t i = 0; i < sizeof(artefact_words) / sizeof(artefact_words[0]); i++) {
		unsigned int bit = artefact_words[i].artefact;

		if (both & bit)
			rows += note(d, pane, rows, "anon and file", artefact_words[i].words);
		else if (s->flow[TYPE_ANON].artefacts & bit)
			rows += note(d, pane, rows, "anon", artefact_words[i].words);
		else if (s->flow[TYPE_FILE].artefacts & bit)
			rows += note(d, pane, rows, "file", artefact_words[i].words);
	}
	if (s->born && s->born->born)
		rows += note(d, pane, rows, "born", born_words(s, words, sizeof(words)));
	return rows;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_small.c - the memcgs that lose most, each as a small river. */
#include <inttypes.h>
#include <string.h>

#include "generations.h"

#define SMALL_COLS 26
#define SMALL_MOST 8

struct small {
	const struct memcg_step *m;
	struct places places;
	int n; /* generations */
};

struct smalls {
	struct small at[SMALL_MOST];
	int n, most;
	uint64_t scale;
};

static uint64_t known(struct amount a)
{
	return amount_known(a) && a.value > 0 ? (uint64_t)a.value : 0;
}

static uint64_t pages_of(const struct memcg_step *m)
{
	uint64_t sum = 0;

	for (int i = 0; i < PLACE_NR; i++)
		for (int type = 0; type < TYPE_NR; type++)
			sum += m->pages[i][type];
	return sum;
}

/* Those that lose or get back more come first, then the larger ones. */
static bool is_before(const struct memcg_step *a, const struct memcg_step *b)
{
	uint64_t moved_a = known(a->evicted) + known(a->refaulted),
		 moved_b = known(b->evicted) + known(b->refaulted);

	return moved_a != moved_b ? moved_a > moved_b : pages_of(a) > pages_of(b);
}

static void add(struct smalls *s, const struct memcg_step *m)
{
	int at = s->n < s->most ? s->n : s->most;

	while (at > 0 && is_before(m, s->at[at - 1].m)) {
		if (at < s->most)
			s->at[at].m = s->at[at - 1].m;
		at--;
	}
	if (at < s->most)
		s->at[at].m = m;
	s->n += s->n < s->most;
}

static void fill(struct smalls *s, struct small *one)
{
	uint64_t scale;

	places_clear(&one->places);
	for (uint32_t i = 0; i < one->m->nlruvecs; i++)
		places_add(&one->places, one->m->lruvecs[i]);
	for (one->n = 0; one->n < PLACE_NR && one->places.at[one->n].age_max != UNKNOWN;)
		one->n++;
	scale = river_scale(&one->places);
	s->scale = scale > s->scale ? scale : s->scale;
}

/* The root is what all others are in; its own river is of little use beside them. */
static void choose(const struct tui *t, struct smalls *s)
{
	const struct step *st = t->frame.step;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];

		if (!m->vanished && !m->dying && m->nlruvecs && strcmp(m->path, "/") &&
		    tui_passes(t, m->path))
			add(s, m);
	}
	for (int i = 0; i < s->n; i++)
		fill(s, &s->at[i]);
}

static void draw_blocks(struct draw *d, struct rect pane, const struct small *one,
			enum page_type type, uint64_t scale)
{
	int cols = (pane.cols - 2) / PLACE_NR;

	for (int i = 0; i < one->n; i++) {
		uint64_t pages = one->places.at[i].pages[type];
		int slot = PLACE_NR - one->n + i;
		enum style style = (enum style)(STYLE_GEN0 + (i + 1 == one->n ? PLACE_NR - 1 : i));
		uint64_t values[2] = { scale, pages };

		/* A chart of one column, as broad as the block. */
		for (int col = 0; col < cols - 1 && pages; col++) {
			struct rect column = { pane.row, pane.col + slot * cols + col, pane.rows,
					       1 };
			struct pen p = pen_in(d, column, READ_LRU_GEN);

			p.col = -1;
			pen_chart(&p, pane.rows, style, values, 2);
		}
	}
}

static void put_rate(struct pen *p, const char *mark, enum style style, const char *metric,
		     struct amount a)
{
	pen_text(p, known(a) ? style : STYLE_DIM, mark);
	pen_flow(p, 7, metric, a);
	pen_text(p, STYLE_DIM, amount_known(a) ? "/s " : "   ");
}

static void draw_one(struct draw *d, struct rect pane, const struct small *one, uint64_t scale)
{
	struct rect name = layout_take_top(&pane, 1), rates = layout_take_bottom(&pane, 1);
	struct rect half[TYPE_NR];
	struct pen p = pen_in(d, name, READ_CGROUP);

	pen_left(&p, name.cols, STYLE_BOLD, one->m->path);
	half[TYPE_ANON] = layout_take_top(&pane, pane.rows / 2);
	half[TYPE_FILE] = pane;
	for (int type = 0; type < TYPE_NR; type++) {
		struct rect edge = { half[type].row, half[type].col + half[type].cols - 2,
				     half[type].rows, 1 };

		draw_blocks(d, half[type], one, (enum page_type)type, scale);
		grid_fill(d->g, edge, STYLE_FREE, "│");
		p = pen_in(d, half[type], READ_LRU_GEN);
		pen_to(&p, 0, 0);
		pen_text(&p, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE,
			 type == TYPE_ANON ? "a" : "f");
	}
	p = pen_in(d, rates, READ_CGROUP);
	put_rate(&p, "↓", STYLE_FLOW_OUT, "evicted", one->m->evicted);
	put_rate(&p, "↩", STYLE_WARN, "refaulted", one->m->refaulted);
}

void small_draw(struct tui *t, struct draw *d, struct rect pane)
{
	struct smalls s = { .most = pane.cols / SMALL_COLS };
	struct rect head;
	struct pen p;
	int cols;

	if (pane.rows < 6 || s.most < 1)
		return;
	s.most = s.most > SMALL_MOST ? SMALL_MOST : s.most;
	choose(t, &s);
	if (!s.n)
		return;
	head = layout_take_top(&pane, 1);
	p = pen_in(d, head, READ_CGROUP);
	pen_text(&p, STYLE_HEAD,
		 " The memcgs that lose most, and get back most: all blocks on one scale ");
	cols = pane.cols / s.most;
	for (int i = 0; i < s.n; i++) {
		struct rect one = { pane.row, pane.col + i * cols, pane.rows, cols - 2 };

		draw_one(d, one, &s.at[i], s.scale);
	}
}

void small_interest(const struct tui *t, struct interest *out)
{
	struct smalls s = { .most = 4 };

	choose(t, &s);
	for (int i = 0; i < s.n; i++)
		interest_add(out, s.at[i].m->path);
}

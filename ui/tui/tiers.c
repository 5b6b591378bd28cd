/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tiers.c - what lru_gen_full adds: how often pages of the oldest generation were read through file descriptors, and what
 * the walks over page tables did.
 */
#include <inttypes.h>
#include <stdio.h>

#include "generations.h"
#include "reclaimtop/units.h"

/* Tier n holds what was used up to 2^n times; the last one the rest, and since 6.14 what came back before (workingset). */
static const char *const tier_words[TIER_NR] = { "once", "twice", "3 or 4 times", "5 times and more" };

/* The counts of a type stand at the oldest generation that it has. */
static const struct gen_full *oldest_full(const struct lruvec *l, enum page_type type)
{
	for (uint32_t i = 0; i < l->nfull; i++) {
		const struct gen_full *full = &l->full[i];

		if (l->min_seq[type] == UNKNOWN ? full->tiers[type][0].evicted != UNKNOWN :
						   full->seq == l->min_seq[type])
			return full;
	}
	return NULL;
}

int tiers_rows(const struct scene *s)
{
	return s->l && s->l->now->nfull ? 1 + TIER_NR + 1 : 0;
}

static void draw_tier(struct draw *d, struct rect pane, const struct scene *s, int row, uint32_t tier)
{
	struct columns c = columns_in(pane);
	struct pen p = pen_in(d, pane, READ_LRU_GEN_FULL);

	p.row = row;
	pen_printf(&p, STYLE_PLAIN, "  %" PRIu32 " ", tier);
	if (c.name)
		pen_left(&p, c.left - 4, STYLE_DIM, tier_words[tier]);
	for (int type = 0; type < TYPE_NR; type++) {
		const struct gen_full *full = oldest_full(s->l->now, (enum page_type)type);
		const struct tier *t = full ? &full->tiers[type][tier] : NULL;
		int width = c.block[type].cols / 3;

		p = pen_in(d, c.block[type], READ_LRU_GEN_FULL);
		p.row = row;
		pen_pages(&p, width, "tier", t ? t->refaulted : UNKNOWN);
		pen_pages(&p, width, "tier", t ? t->evicted : UNKNOWN);
		pen_pages(&p, width, "tier", t ? t->protected : UNKNOWN);
	}
}

static void draw_heads(struct draw *d, struct rect pane)
{
	struct columns c = columns_in(pane);
	struct rect line = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, pane, READ_LRU_GEN_FULL);

	grid_fill(d->g, line, STYLE_HEAD, " ");
	pen_left(&p, c.left, STYLE_HEAD, c.name ? "Tiers of the oldest, read" : "Tiers");
	for (int type = 0; type < TYPE_NR; type++) {
		int width = c.block[type].cols / 3;

		p = pen_in(d, c.block[type], READ_LRU_GEN_FULL);
		pen_right(&p, width, STYLE_HEAD, width < 9 ? "back" : "refaulted");
		pen_right(&p, width, STYLE_HEAD, width < 9 ? "evict" : "evicted");
		pen_right(&p, width, STYLE_HEAD, width < 9 ? "prot" : "protected");
	}
}

static void draw_walks(struct draw *d, struct rect pane, const struct scene *s, int row)
{
	struct pen p = pen_in(d, pane, READ_LRU_GEN_FULL);
	int from;

	if (!amount_known(s->l->walked) || row >= pane.rows)
		return;
	p.row = row;
	pen_text(&p, STYLE_DIM, "Page-table walks:");
	from = p.col;
	pen_printf(&p, STYLE_PLAIN, " %" PRId64, s->l->walked.value);
	pen_spot_amount(&p, from, "walked", s->l->walked);
	pen_text(&p, STYLE_DIM, " entries,");
	from = p.col;
	pen_printf(&p, STYLE_PLAIN, " %" PRId64, s->l->walked_young.value);
	pen_spot_amount(&p, from, "walked young", s->l->walked_young);
	pen_text(&p, STYLE_DIM, " of them young (used lately)");
}

void tiers_draw(struct draw *d, struct rect pane, const struct scene *s)
{
	if (rect_is_empty(pane) || !tiers_rows(s))
		return;
	draw_heads(d, pane);
	for (uint32_t tier = 0; tier < TIER_NR; tier++)
		draw_tier(d, pane, s, (int)tier + 1, tier);
	draw_walks(d, pane, s, TIER_NR + 1);
}

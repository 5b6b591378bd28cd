/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places.h"

#include <string.h>

void places_clear(struct places *p)
{
	memset(p, 0, sizeof(*p));
	for (int i = 0; i < PLACE_NR; i++) {
		p->at[i].age_min = p->at[i].age_max = UNKNOWN;
		p->at[i].seq_min = p->at[i].seq_max = UNKNOWN;
	}
}

static void widen(uint64_t *low, uint64_t *high, uint64_t value)
{
	if (value == UNKNOWN)
		return;
	if (*low == UNKNOWN || value < *low)
		*low = value;
	if (*high == UNKNOWN || value > *high)
		*high = value;
}

static void add_pages(struct place *p, const struct gen_step *g)
{
	for (int type = 0; type < TYPE_NR; type++) {
		p->pages[type] += g->now[type];
		p->change[type] += (int64_t)(g->now[type] - g->before[type]);
	}
}

static void add_gen(struct place *p, const struct gen_step *g)
{
	add_pages(p, g);
	widen(&p->age_min, &p->age_max, g->age_ms);
	widen(&p->seq_min, &p->seq_max, g->seq);
	p->born += g->born;
}

void places_add(struct places *p, const struct lruvec_step *l)
{
	uint32_t place = 0, last = 0;

	if (!l->now)
		return;
	p->lruvecs++;
	for (uint32_t i = l->ngens; i-- > 0;) {
		if (l->gens[i].left)
			continue;
		/* What is left below the windows is the oldest's, whose age it has not. */
		if (l->gens[i].evicted) {
			add_pages(&p->at[last], &l->gens[i]);
			continue;
		}
		add_gen(&p->at[place], &l->gens[i]);
		last = place;
		place += place < PLACE_NR - 1;
	}
}

uint64_t places_sum(const struct places *p, enum page_type type)
{
	uint64_t sum = 0;

	for (int i = 0; i < PLACE_NR; i++)
		sum += p->at[i].pages[type];
	return sum;
}

const char *place_name(uint32_t place, uint32_t n)
{
	static const char *const names[PLACE_NR] = { "youngest", "second", "third", "fourth" };

	if (place && place + 1 >= n)
		return "oldest";
	return place < PLACE_NR ? names[place] : "older";
}

const char *place_glyph(uint32_t place)
{
	static const char *const glyphs[PLACE_NR] = { "█", "▓", "▒", "░" };

	return glyphs[place < PLACE_NR ? place : PLACE_NR - 1];
}

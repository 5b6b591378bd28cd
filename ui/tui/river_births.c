/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_births.c - what of a river moves on when generations are born. */
#include "river.h"

/* A hundredth of all pages is seen to move, less is not. */
#define SEEN 100

struct generations_of {
	int before, now, born;
};

static int at_most(int n, int most)
{
	return n < most ? n : most;
}

static struct generations_of generations_of(const struct lruvec_step *l)
{
	struct generations_of n = { 0, 0, 0 };

	for (uint32_t i = 0; i < l->ngens; i++) {
		n.before += !l->gens[i].born;
		n.now += !l->gens[i].left && !l->gens[i].evicted;
	}
	n.before = l->before ? at_most(n.before, PLACE_NR) : 0;
	n.now = at_most(n.now, PLACE_NR);
	if (amount_known(l->births) && l->births.value > 0)
		n.born = (int)(l->births.value < PLACE_NR ? l->births.value : PLACE_NR);
	return n;
}

void river_births_clear(struct river_births *b)
{
	for (int i = 0; i < PLACE_NR; i++)
		places_clear(&b->moved[i]);
	b->lruvecs = b->born = 0;
	b->before = b->now = 0;
}

void river_births_count(struct river_births *b, const struct lruvec_step *l)
{
	struct generations_of n = generations_of(l);

	b->before = n.before > b->before ? n.before : b->before;
	b->now = n.now > b->now ? n.now : b->now;
	b->lruvecs += n.born > 0;
	b->born += (uint32_t)n.born;
}

/* The oldest of the one that has most stands at the edge, before and now. */
void river_births_add(struct river_births *b, const struct lruvec_step *l)
{
	struct generations_of n = generations_of(l);
	int shift = n.before ? b->before - b->now + n.born : 0;

	places_add(&b->moved[shift < 0 ? 0 : at_most(shift, PLACE_NR - 1)], l);
}

int river_births_shift(const struct river_births *b)
{
	uint64_t all = 0, of[PLACE_NR];

	for (int i = 0; i < PLACE_NR; i++)
		all += of[i] = places_sum(&b->moved[i], TYPE_ANON) +
			       places_sum(&b->moved[i], TYPE_FILE);
	for (int i = PLACE_NR - 1; i > 0; i--)
		if (of[i] && of[i] >= all / SEEN)
			return i;
	return 0;
}

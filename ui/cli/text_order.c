/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "text.h"

void text_pick_begin(struct text *t, uint32_t most)
{
	struct picks *p = &t->picks;

	if (most > p->cap) {
		p->items = mem_grow(p->items, most * sizeof(*p->items));
		p->cap = most;
	}
	p->n = 0;
}

void text_pick(struct text *t, uint32_t i)
{
	t->picks.items[t->picks.n++] = i;
}

struct order {
	const struct text *t;
	text_compare_fn *compare;
};

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct order *order = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int c = order->compare(order->t, a, b);

	return c ? c : a < b ? -1 : a > b;
}

void text_pick_sort(struct text *t, text_compare_fn *fn)
{
	struct order order = { t, fn };

	if (t->picks.n)
		qsort_r(t->picks.items, t->picks.n, sizeof(*t->picks.items), compare, &order);
}

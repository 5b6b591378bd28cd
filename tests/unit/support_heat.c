/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_heat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct heat_cell heat_whole(const struct heat *h, const struct heat_row *row)
{
	struct heat_cell all = { 0, 0 }, cell;

	for (uint64_t k = h->first; k < h->end; k++)
		if (heat_get(h, row, k, &cell)) {
			all.sum += cell.sum;
			all.over += cell.over;
		}
	return all;
}

static void same_rows(const struct heat *a, const struct heat_row *of_a, const struct heat *b,
		      const struct heat_row *of_b)
{
	struct heat_cell x, y;

	for (uint64_t k = a->first; k < a->end; k++) {
		assert_int_equal(heat_get(a, of_a, k, &x), heat_get(b, of_b, k, &y));
		assert_int_equal(x.sum, y.sum);
		assert_int_equal(x.over, y.over);
	}
}

const struct heat_memcg *heat_path(const struct heat *h, const char *path)
{
	for (uint32_t i = 0; i < h->nmemcgs; i++)
		if (!strcmp(h->memcgs[i]->path, path))
			return h->memcgs[i];
	fail_msg("no memcg %s", path);
	return NULL;
}

void heat_same(const struct heat *a, const struct heat *b)
{
	assert_int_equal(a->span, b->span);
	assert_int_equal(a->first, b->first);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->nmemcgs, b->nmemcgs);
	for (uint64_t k = a->first; k < a->end; k++) {
		const struct heat_column *x = heat_column(a, k), *y = heat_column(b, k);

		assert_int_equal(x != NULL, y != NULL);
		if (x)
			assert_memory_equal(x, y, sizeof(*x));
	}
	for (uint32_t i = 0; i < a->nmemcgs; i++)
		for (int f = 0; f < HEAT_FLOW_NR; f++)
			same_rows(a, &a->memcgs[i]->row[f], b,
				  &heat_path(b, a->memcgs[i]->path)->row[f]);
	for (int type = 0; type < TYPE_NR; type++)
		for (int i = 0; i < HEAT_AGES; i++)
			same_rows(a, &a->ages[type][i], b, &b->ages[type][i]);
	for (int i = 0; i < HEAT_CPUS; i++)
		same_rows(a, &a->cpus[i], b, &b->cpus[i]);
	same_rows(a, &a->machine->row[HEAT_EVICTED], b, &b->machine->row[HEAT_EVICTED]);
}

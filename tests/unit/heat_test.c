/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Heat maps: what goes in is in them, in whatever order it came, within a bound of memory.
 */
#include "reclaimtop/heat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "support_heat.h"
#include "support_sample.h"

/* --- steps made by hand --- */

/* One step: a second, m memcgs that evict what the random numbers say, CPUs, generations. */
struct made {
	struct step st;
	struct sample now;
	struct memcg_step memcgs[200];
	struct lruvec lruvec;
	struct gen gens[3];
	struct zone zone;
	struct zone_step zone_step;
	struct pageset sets[256];
	struct pageset_step set_steps[256];
	char paths[200][16];
};

static struct amount measured(int64_t value)
{
	return (struct amount){ value, value, value, AMOUNT_MEASURED, SCOPE_MACHINE };
}

static void make_pagesets(struct made *m, struct rng *r, uint32_t cpus)
{
	m->zone = (struct zone){ .node = 0, .name = "Normal" };
	m->zone_step =
		(struct zone_step){ .now = &m->zone, .npagesets = cpus, .pagesets = m->set_steps };
	for (uint32_t i = 0; i < cpus; i++) {
		m->sets[i] = (struct pageset){
			.cpu = i, .count = rng_below(r, 900), .high = 1000, .batch = 63
		};
		m->set_steps[i] =
			(struct pageset_step){ .now = &m->sets[i],
					       .change = measured((int)rng_below(r, 4000) - 2000) };
	}
	m->st.nzones = 1;
	m->st.zones = &m->zone_step;
}

static void make_step(struct made *m, struct rng *r, uint32_t memcgs, uint32_t cpus)
{
	memset(m, 0, sizeof(*m));
	m->st.dt_us = 1000000;
	m->st.now = &m->now;
	m->now.mono_us = 1000000;
	m->st.reclaim.stolen_all = measured(rng_below(r, 5000));
	m->st.memcgs = m->memcgs;
	m->st.nmemcgs = memcgs;
	for (uint32_t i = 0; i < memcgs; i++) {
		snprintf(m->paths[i], sizeof(m->paths[i]), "/m%u", i);
		m->memcgs[i].path = m->paths[i];
		m->memcgs[i].evicted = measured(rng_below(r, 1000) * (i + 1));
		m->memcgs[i].stalled_us = measured(rng_below(r, 1000));
	}
	m->lruvec = (struct lruvec){ .ngens = 3, .gens = m->gens };
	for (int i = 0; i < 3; i++)
		m->gens[i] = (struct gen){ .age_ms = rng_below(r, 200000),
					   .pages = { rng_below(r, 100), rng_below(r, 10000) } };
	m->now.nlruvecs = 1;
	m->now.lruvecs = &m->lruvec;
	make_pagesets(m, r, cpus);
}

/* What went in, reckoned beside it. */
struct sums {
	uint64_t machine, memcgs[200], all_memcgs, pages[TYPE_NR], count, high, drains, refills,
		still;
};

static void sum_up(struct sums *s, const struct made *m)
{
	s->machine += (uint64_t)m->st.reclaim.stolen_all.value;
	for (uint32_t i = 0; i < m->st.nmemcgs; i++) {
		s->memcgs[i] += (uint64_t)m->memcgs[i].evicted.value;
		s->all_memcgs += (uint64_t)m->memcgs[i].evicted.value;
	}
	for (int i = 0; i < 3; i++)
		for (int type = 0; type < TYPE_NR; type++)
			s->pages[type] += m->gens[i].pages[type];
	for (uint32_t i = 0; i < m->zone_step.npagesets; i++) {
		s->count += m->sets[i].count;
		s->high += m->sets[i].high;
		s->drains += m->set_steps[i].change.value < 0;
		s->refills += m->set_steps[i].change.value > 0;
		s->still += m->set_steps[i].change.value == 0;
	}
}

static void check_sums(const struct heat *h, const struct sums *s)
{
	uint64_t evicted = 0, pages[TYPE_NR] = { 0 }, count = 0, high = 0, drains = 0, refills = 0;

	assert_int_equal(heat_whole(h, &h->machine->row[HEAT_EVICTED]).sum, s->machine);
	for (uint32_t i = 0; i < h->nmemcgs; i++)
		evicted += heat_whole(h, &h->memcgs[i]->row[HEAT_EVICTED]).sum;
	evicted += h->others ? heat_whole(h, &h->others->row[HEAT_EVICTED]).sum : 0;
	assert_int_equal(evicted, s->all_memcgs);
	for (int type = 0; type < TYPE_NR; type++) {
		for (int i = 0; i < HEAT_AGES; i++)
			pages[type] += heat_whole(h, &h->ages[type][i]).sum;
		assert_int_equal(pages[type], s->pages[type]);
	}
	for (int i = 0; i < HEAT_CPUS; i++) {
		count += heat_whole(h, &h->cpus[i]).sum;
		high += heat_whole(h, &h->cpus[i]).over;
	}
	assert_int_equal(count, s->count);
	assert_int_equal(high, s->high);
	for (int i = 0; i < HEAT_SIZES; i++) {
		drains += h->zones[0].drains[i];
		refills += h->zones[0].refills[i];
	}
	assert_int_equal(drains, s->drains);
	assert_int_equal(refills, s->refills);
	assert_int_equal(h->zones[0].still, s->still);
}

static void nothing_is_lost(void **state)
{
	static const struct {
		uint32_t steps, memcgs, cpus;
	} sizes[] = { { 1, 1, 1 },    { 7, 3, 2 },      { 255, 10, 4 },    { 256, 10, 4 },
		      { 257, 10, 4 }, { 1000, 48, 64 }, { 1500, 200, 70 }, { 3000, 5, 256 } };
	static struct made m;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct rng r = { i + 1 };
		struct sums sums = { 0 };
		struct heat *h = heat_new(1);

		for (uint32_t k = 0; k < sizes[i].steps; k++) {
			make_step(&m, &r, sizes[i].memcgs, sizes[i].cpus);
			heat_add(h, k, &m.st, k == 5 ? 4 : 0);
			sum_up(&sums, &m);
		}
		check_sums(h, &sums);
		for (uint32_t k = 0; k < sizes[i].memcgs && !h->others; k++)
			assert_int_equal(heat_whole(h, &h->memcgs[k]->row[HEAT_EVICTED]).sum,
					 sums.memcgs[k]);
		assert_true(h->span * (h->end - h->first) >= sizes[i].steps);
		assert_true(heat_bytes(h) <= heat_most_bytes());
		heat_free(h);
	}
}

/* Those that moved most are among those that have a row of their own. */
static void the_greatest_have_a_row(void **state)
{
	static struct made m;
	struct rng r = { 99 };
	struct heat *h = heat_new(1);
	int found = 0;

	(void)state;
	for (uint64_t k = 0; k < 400; k++) {
		make_step(&m, &r, 200, 1);
		heat_add(h, k, &m.st, 0);
	}
	for (uint32_t i = 0; i < h->nmemcgs; i++)
		found += atoi(h->memcgs[i]->path + 2) >= 190;
	assert_int_equal(found, 10);
	heat_free(h);
}

/* However long it goes on. */
static void memory_has_a_bound(void **state)
{
	static struct made m;
	struct rng r = { 3 };
	struct heat *h = heat_new(1);
	size_t bytes = 0;

	(void)state;
	for (uint64_t k = 0; k < 60000; k++) {
		if (k % 97 == 0)
			make_step(&m, &r, 60, 128);
		heat_add(h, k * 1000, &m.st, 0);
		assert_true(h->end - h->first <= HEAT_COLUMNS);
		if (k == 1000)
			bytes = heat_bytes(h);
	}
	assert_in_range(heat_bytes(h), 1, bytes + HEAT_AGES * TYPE_NR * HEAT_COLUMNS * 8);
	assert_true(heat_bytes(h) <= heat_most_bytes());
	assert_true(heat_most_bytes() < 2 << 20);
	heat_free(h);
}

/* --- order --- */

/* A survey goes here and there first; then the same is there. */
static void order_makes_no_difference(void **state)
{
	static struct made made[700];
	static uint32_t order[700];
	struct rng r = { 17 };
	struct heat *a = heat_new(1), *b = heat_new(1);

	(void)state;
	for (uint32_t k = 0; k < 700; k++) {
		make_step(&made[k], &r, 20, 8);
		made[k].now.mono_us += k * 1000000;
		order[k] = k;
		heat_add(a, k, &made[k].st, k % 50 == 0);
	}
	for (uint32_t k = 700; k-- > 1;) {
		uint32_t other = rng_below(&r, k + 1), was = order[k];

		order[k] = order[other];
		order[other] = was;
	}
	for (uint32_t k = 0; k < 700; k++)
		heat_add(b, order[k], &made[order[k]].st, order[k] % 50 == 0);
	heat_same(a, b);
	heat_free(a);
	heat_free(b);
}

/* What is forgotten leaves nothing behind where something else comes. */
static void forgotten_is_gone(void **state)
{
	static struct made m;
	struct rng r = { 5 };
	struct heat *h = heat_new(1);
	struct sums sums = { 0 };

	(void)state;
	for (uint64_t k = 0; k < 5000; k++) {
		heat_forget(h, k > 100 ? k - 100 : 0, k + 1);
		make_step(&m, &r, 3, 2);
		heat_add(h, k, &m.st, 0);
		if (k >= 4899)
			sum_up(&sums, &m);
	}
	assert_int_equal(h->span, 1);
	assert_int_equal(h->first, 4899);
	assert_int_equal(h->end, 5000);
	assert_int_equal(heat_whole(h, &h->machine->row[HEAT_EVICTED]).sum, sums.machine);
	heat_free(h);
}

/* --- what is not known --- */

static void unknown_is_not_nought(void **state)
{
	static struct made m;
	struct rng r = { 8 };
	struct heat *h = heat_new(1);
	struct heat_cell cell;

	(void)state;
	make_step(&m, &r, 2, 2);
	m.memcgs[0].evicted = (struct amount){ 0, 0, 0, AMOUNT_MISSING, SCOPE_MEMCG };
	m.memcgs[1].evicted = measured(0);
	m.sets[1].count = UNKNOWN;
	heat_add(h, 0, &m.st, 0);
	make_step(&m, &r, 0, 0);
	m.now.nlruvecs = 0;
	heat_add(h, 2, &m.st, 0);
	assert_false(heat_get(h, &heat_path(h, "/m0")->row[HEAT_EVICTED], 0, &cell));
	assert_true(heat_get(h, &heat_path(h, "/m1")->row[HEAT_EVICTED], 0, &cell));
	assert_int_equal(cell.sum, 0);
	assert_true(heat_get(h, &h->cpus[0], 0, &cell));
	assert_false(heat_get(h, &h->cpus[1], 0, &cell));
	assert_true(heat_get(h, &h->ages[TYPE_ANON][HEAT_AGES - 1], 0, &cell));
	assert_int_equal(cell.sum, 0);
	assert_null(heat_column(h, 1));
	assert_false(heat_get(h, &h->ages[TYPE_ANON][0], 1, &cell));
	assert_non_null(heat_column(h, 2));
	assert_false(heat_get(h, &h->ages[TYPE_ANON][0], 2, &cell));
	heat_free(h);
}

static void classes_have_their_ends(void **state)
{
	(void)state;
	assert_int_equal(heat_age(0), 0);
	for (int i = 1; i < HEAT_AGES; i++) {
		assert_int_equal(heat_age(heat_ages_ms[i]), i);
		assert_int_equal(heat_age(heat_ages_ms[i] - 1), i - 1);
	}
	assert_int_equal(heat_age(UNKNOWN), HEAT_AGES - 1);
	assert_int_equal(heat_size(1, 63), 0);
	assert_int_equal(heat_size(63, 63), 0);
	assert_int_equal(heat_size(64, 63), 1);
	assert_int_equal(heat_size(63 << 5, 63), 5);
	assert_int_equal(heat_size((63 << 5) + 1, 63), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(the_greatest_have_a_row),
		cmocka_unit_test(memory_has_a_bound),
		cmocka_unit_test(order_makes_no_difference),
		cmocka_unit_test(forgotten_is_gone),
		cmocka_unit_test(unknown_is_not_nought),
		cmocka_unit_test(classes_have_their_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

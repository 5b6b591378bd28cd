/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_test.c - zones against their watermarks, and pagesets: reports from the field, and numbers
 * by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reclaimtop/step.h"
#include "support_parse.h"
#include "support_series.h"

struct report {
	struct parsed p;
	struct step step;
};

/* Two readings of one zoneinfo. */
static struct report *report_load(const char *path)
{
	struct report *r = calloc(1, sizeof(*r));

	r->p = parsed_file(path, zoneinfo_parse);
	r->step.arena = arena_new();
	step_make(&r->p.s, &r->p.s, &r->step);
	return r;
}

static void report_free(struct report *r)
{
	arena_free(r->step.arena);
	parsed_free(&r->p);
	free(r);
}

static const struct zone_step *zone(const struct step *st, uint32_t node, const char *name)
{
	for (uint32_t i = 0; i < st->nzones; i++)
		if (st->zones[i].now->node == node && !strcmp(st->zones[i].now->name, name))
			return &st->zones[i];
	fail_msg("no zone %s of node %u", name, node);
	return NULL;
}

static void is_level(const struct step *st, uint32_t node, const char *name, enum zone_level level)
{
	assert_string_equal(zone_level_name(zone(st, node, name)->level), zone_level_name(level));
}

/* --- reports --- */

/* The machine has 865 MiB free, and kswapd spins for one zone; this kernel prints no "managed". */
static void the_pressed_zone_is_named(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-tiny-normal/zoneinfo");
	const struct zone_step *z = step_pressed_zone(&r->step);

	(void)state;
	assert_string_equal(z->now->name, "Normal");
	assert_int_equal(z->now->node, 0);
	assert_int_equal(z->level, ZONE_BELOW_LOW);
	assert_int_equal(z->to_min, 2318 - 2066);
	assert_int_equal(z->to_low, 2318 - 2582);
	assert_false(z->tiny);
	is_level(&r->step, 0, "DMA", ZONE_ABOVE_HIGH);
	is_level(&r->step, 0, "DMA32", ZONE_ABOVE_HIGH);
	report_free(r);
}

static void a_node_without_reclaimable_pages(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-node-3-alone/zoneinfo");

	(void)state;
	assert_int_equal(r->step.nnodes, 1);
	assert_int_equal(r->step.nodes[0].node, 3);
	assert_int_equal(r->step.nodes[0].reclaimable.state, AMOUNT_MEASURED);
	assert_int_equal(r->step.nodes[0].reclaimable.value, 0);
	is_level(&r->step, 3, "DMA", ZONE_BELOW_LOW);
	assert_int_equal(zone(&r->step, 3, "DMA")->to_min, 2951 - 2821);
	report_free(r);
}

static void free_cma_pages_are_not_usable(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-cma-free/zoneinfo");
	const struct zone_step *z = zone(&r->step, 0, "DMA");

	(void)state;
	assert_int_equal(z->usable, 1380);
	assert_int_equal(z->level, ZONE_BELOW_MIN);
	assert_int_equal(zone_floor(z->now, 2), 2607 + 3188);
	assert_ptr_equal(step_pressed_zone(&r->step), z);
	report_free(r);
}

static void a_zone_of_nine_pages_is_tiny(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-nine-pages/zoneinfo");

	(void)state;
	assert_true(zone(&r->step, 0, "Normal")->tiny);
	assert_false(zone(&r->step, 0, "DMA32")->tiny);
	/* Watermarks of nought are none to be below of. */
	is_level(&r->step, 0, "Normal", ZONE_ABOVE_HIGH);
	assert_string_equal(step_pressed_zone(&r->step)->now->name, "DMA32");
	/* With watermarks it is listed, for nothing else is pressed. */
	zone(&r->step, 0, "Normal");
	r->p.s.zones[1].high = 20;
	step_make(&r->p.s, &r->p.s, &r->step);
	assert_string_equal(step_pressed_zone(&r->step)->now->name, "Normal");
	report_free(r);
}

static void three_pages_below_low_is_not_below_min(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-unnamed-counter/zoneinfo");
	const struct zone_step *z = zone(&r->step, 0, "Normal");

	(void)state;
	assert_int_equal(z->level, ZONE_BELOW_LOW);
	assert_int_equal(z->to_low, -3);
	is_level(&r->step, 0, "Movable", ZONE_EMPTY);
	is_level(&r->step, 0, "Device", ZONE_EMPTY);
	report_free(r);
}

static void protection_raises_the_floor(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-empty-zones-protected/zoneinfo");
	const struct zone *z = zone(&r->step, 0, "Normal")->now;

	(void)state;
	assert_int_equal(zone_floor(z, 3), 4846);
	assert_int_equal(zone_floor(z, 2), 750);
	assert_true(zone_floor(z, 99) == UNKNOWN);
	is_level(&r->step, 1, "DMA", ZONE_EMPTY);
	is_level(&r->step, 1, "DMA32", ZONE_EMPTY);
	report_free(r);
}

/* Its empty zone has watermarks of 32 and nothing free: no alarm, for ever. */
static void an_empty_zone_is_never_below_min(void **state)
{
	struct report *r = report_load("tests/cases/zoneinfo-empty-movable/zoneinfo");
	const struct step *st = &r->step;
	uint64_t pages[2] = { 0 };

	(void)state;
	is_level(st, 1, "Movable", ZONE_EMPTY);
	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		assert_true(z->level == ZONE_EMPTY || z->level == ZONE_ABOVE_HIGH);
		assert_int_equal(z->stranded, 0);
		pages[z->now->node] += z->pageset_pages;
	}
	assert_int_equal(pages[0], 5153);
	assert_int_equal(pages[1], 5555);
	report_free(r);
}

/* --- by hand --- */

struct pair {
	struct sample was, is;
	struct step step;
};

static int pair_setup(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));

	sample_begin(&p->was, 61200, 1000000);
	sample_begin(&p->is, 61200, 2000000);
	p->step.arena = arena_new();
	*state = p;
	return 0;
}

static int pair_teardown(void **state)
{
	struct pair *p = *state;

	sample_end(&p->was);
	sample_end(&p->is);
	arena_free(p->step.arena);
	free(p);
	return 0;
}

static const uint64_t marks[3] = { 100, 200, 300 };

static void levels_begin_below_their_mark(void **state)
{
	static const struct {
		uint64_t pages;
		enum zone_level level;
	} levels[] = {
		{ 0, ZONE_BELOW_MIN }, { 99, ZONE_BELOW_MIN }, { 100, ZONE_BELOW_LOW },
		{ 199, ZONE_BELOW_LOW }, { 200, ZONE_BELOW_HIGH }, { 299, ZONE_BELOW_HIGH },
		{ 300, ZONE_ABOVE_HIGH }, { UNKNOWN, ZONE_UNKNOWN },
	};
	struct pair *p = *state;
	struct zone *z = sample_zone(&p->is, 0, "Normal", 0, marks);

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		z->free = levels[i].pages;
		step_make(NULL, &p->is, &p->step);
		is_level(&p->step, 0, "Normal", levels[i].level);
	}
}

static struct pageset *pagesets(struct sample *s, struct zone *z, uint32_t n,
				const uint64_t counts[])
{
	z->npagesets = n;
	z->pagesets = arena_alloc(s->arena, n * sizeof(*z->pagesets));
	for (uint32_t i = 0; i < n; i++)
		z->pagesets[i] = (struct pageset){ i, counts[i], 100, 10, UNKNOWN, UNKNOWN };
	return z->pagesets;
}

static void pagesets_show_the_net_change(void **state)
{
	static const uint64_t before[3] = { 50, 80, 20 }, after[3] = { 70, 30, 20 };
	struct pair *p = *state;
	const struct pageset_step *s;

	pagesets(&p->was, sample_zone(&p->was, 0, "Normal", 5000, marks), 3, before);
	pagesets(&p->is, sample_zone(&p->is, 0, "Normal", 5000, marks), 3, after);
	/* CPU 0 went offline, CPU 5 came; the others moved up. */
	p->is.zones[0].pagesets[0].cpu = 1;
	p->is.zones[0].pagesets[1].cpu = 2;
	p->is.zones[0].pagesets[2].cpu = 5;
	step_make(&p->was, &p->is, &p->step);
	s = p->step.zones[0].pagesets;
	assert_int_equal(s[0].change.value, 70 - 80);
	assert_int_equal(s[0].went.lo, 10);
	assert_int_equal(s[0].went.value, 10);
	assert_true(s[0].went.hi == AMOUNT_NO_LIMIT);
	assert_int_equal(s[0].went.state, AMOUNT_INFERRED);
	assert_int_equal(s[0].came.lo, 0);
	assert_int_equal(s[0].fill_permille, 700);
	assert_int_equal(s[1].change.value, 10);
	assert_int_equal(s[1].came.lo, 10);
	assert_int_equal(s[1].went.lo, 0);
	assert_int_equal(s[2].change.state, AMOUNT_FIRST);
	assert_int_equal(s[2].went.state, AMOUNT_FIRST);
	assert_int_equal(p->step.zones[0].pageset_pages, 120);
	assert_int_equal(p->step.zones[0].stranded, 0);
}

static void pages_are_stranded_below_low(void **state)
{
	static const uint64_t counts[2] = { 40, 200 };
	struct pair *p = *state;
	struct zone *z = sample_zone(&p->is, 0, "Normal", 199, marks);

	pagesets(&p->is, z, 2, counts);
	step_make(NULL, &p->is, &p->step);
	assert_int_equal(p->step.zones[0].stranded, 240);
	assert_int_equal(p->step.zones[0].pagesets[1].fill_permille, 2000);
	z->free = 200;
	step_make(NULL, &p->is, &p->step);
	assert_int_equal(p->step.zones[0].stranded, 0);
	/* A pageset without a high is not divided by it. */
	z->pagesets[0].high = 0;
	step_make(NULL, &p->is, &p->step);
	assert_int_equal(p->step.zones[0].pagesets[0].fill_permille, 1001);
}

static void fragments_are_shares_of_free_pages(void **state)
{
	struct pair *p = *state;
	static uint64_t blocks[11] = { 100, 50, 25, 10, 0, 0, 0, 0, 0, 1, 0 };
	static struct buddy b = { 0, "Normal", 11, blocks };
	const uint64_t *f;

	sample_zone(&p->is, 0, "Normal", 5000, marks);
	sample_zone(&p->is, 1, "Normal", 5000, marks);
	p->is.buddies = &b;
	p->is.nbuddies = 1;
	step_make(NULL, &p->is, &p->step);
	f = p->step.zones[0].fragmented_permille;
	/* 100 + 100 + 100 of 892 pages are in blocks below order 3, 380 below order 9. */
	assert_int_equal(f[0], 300 * 1000 / 892);
	assert_int_equal(f[1], 380 * 1000 / 892);
	assert_int_equal(f[2], 1000);
	assert_true(p->step.zones[1].fragmented_permille[0] == UNKNOWN);
}

static void the_fullest_shortage_is_the_most_pressed(void **state)
{
	static const uint64_t large[3] = { 1000, 2000, 3000 };
	struct pair *p = *state;

	sample_zone(&p->is, 0, "DMA", 250, marks);      /* three quarters of the way */
	sample_zone(&p->is, 0, "Normal", 2100, large);  /* half of it */
	sample_zone(&p->is, 1, "Normal", 9000, large);
	step_make(NULL, &p->is, &p->step);
	assert_ptr_equal(step_pressed_zone(&p->step), &p->step.zones[1]);
	p->is.zones[2].free = 1500;
	step_make(NULL, &p->is, &p->step);
	assert_ptr_equal(step_pressed_zone(&p->step), &p->step.zones[2]);
	p->is.nzones = 0;
	step_make(NULL, &p->is, &p->step);
	assert_null(step_pressed_zone(&p->step));
}

/* --- the kernel's own series --- */

struct counted {
	const struct step *step;
	uint32_t n;
};

/* A line: node, zone, CPU, its count before, its count now. */
static void is_counted(char **fields, int n, void *arg)
{
	struct counted *c = arg;
	const struct zone_step *z = zone(c->step, (uint32_t)atoi(fields[0]), fields[1]);

	assert_int_equal(n, 5);
	for (uint32_t i = 0; i < z->npagesets; i++) {
		const struct pageset_step *s = &z->pagesets[i];

		if (s->now->cpu != (uint32_t)atoi(fields[2]))
			continue;
		assert_int_equal(s->change.value, atoll(fields[4]) - atoll(fields[3]));
		c->n++;
		return;
	}
	fail_msg("no CPU %s in zone %s", fields[2], fields[1]);
}

static void pagesets_of_a_series_are_as_awk_says(void **state)
{
	static const char command[] =
		"awk 'FNR == 1 { file++ } /^Node/ { node = $2; sub(/,/, \"\", node); name = $4 } "
		"$1 == \"cpu:\" { cpu = $2 } $1 == \"count:\" { key = node \"\\t\" name \"\\t\" "
		"cpu; "
		"if (file == 2) print key \"\\t\" was[key] \"\\t\" $2; was[key] = $2 }' "
		"tests/roots/%s/%02u/proc/zoneinfo tests/roots/%s/%02u/proc/zoneinfo";
	static const char *const names[] = { "6.1-pressure", "6.12-numa2", "7.2-numa2" };
	struct step st = { .arena = arena_new() };
	char dir[100], line[1000];

	(void)state;
	for (size_t d = 0; d < 3; d++) {
		struct series *s;
		struct counted c = { &st, 0 };

		snprintf(dir, sizeof(dir), "tests/roots/%s", names[d]);
		s = series_load(dir);
		for (uint32_t i = 1; i < s->n; i++) {
			step_make(&s->samples[i - 1], &s->samples[i], &st);
			snprintf(line, sizeof(line), command, names[d], i - 1, names[d], i);
			each_line(line, 5, is_counted, &c);
		}
		assert_true(c.n >= 2 * (s->n - 1));
		series_free(s);
	}
	arena_free(st.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pressed_zone_is_named),
		cmocka_unit_test(a_node_without_reclaimable_pages),
		cmocka_unit_test(free_cma_pages_are_not_usable),
		cmocka_unit_test(a_zone_of_nine_pages_is_tiny),
		cmocka_unit_test(three_pages_below_low_is_not_below_min),
		cmocka_unit_test(protection_raises_the_floor),
		cmocka_unit_test(an_empty_zone_is_never_below_min),
		cmocka_unit_test_setup_teardown(levels_begin_below_their_mark, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(pagesets_show_the_net_change, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(pages_are_stranded_below_low, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(fragments_are_shares_of_free_pages, pair_setup,
						pair_teardown),
		cmocka_unit_test_setup_teardown(the_fullest_shortage_is_the_most_pressed,
						pair_setup, pair_teardown),
		cmocka_unit_test(pagesets_of_a_series_are_as_awk_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

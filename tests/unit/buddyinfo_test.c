/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buddyinfo_test.c - proc/buddyinfo and proc/pagetypeinfo. */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/"

static uint64_t pages_in(const uint64_t *blocks, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t order = 0; order < n; order++)
		sum += blocks[order] << order;
	return sum;
}

static void fourteen_orders(void **state)
{
	static const uint64_t upper[] = { 6, 8, 4, 8, 8, 3, 8 };
	struct parsed p = parsed_file(CASE "buddyinfo-orders/buddyinfo.arm", buddyinfo_parse);
	const struct buddy *b = p.s.buddies;

	(void)state;
	assert_int_equal(p.s.nbuddies, 1);
	assert_int_equal(b->norders, 14);
	assert_string_equal(b->zone, "Normal");
	assert_memory_equal(b->blocks + 7, upper, sizeof(upper));
	assert_int_equal(pages_in(b->blocks, b->norders), 122322);
	parsed_free(&p);
}

static void nine_orders(void **state)
{
	struct parsed p = parsed_file(CASE "buddyinfo-orders/buddyinfo.p64", buddyinfo_parse);
	const struct buddy *b = p.s.buddies;

	(void)state;
	assert_int_equal(p.s.nbuddies, 2);
	assert_int_equal(b[0].norders, 9);
	assert_int_equal(b[0].blocks[8], 1);
	assert_int_equal(b[1].node, 1);
	assert_string_equal(b[1].zone, "Movable");
	assert_int_equal(b[1].blocks[8], 256);
	assert_int_equal(b[1].blocks[0], 0);
	parsed_free(&p);
}

static void odd_lines(void **state)
{
	struct parsed p = parsed_string("\n   \nNode 0, zone ALongNameOfAZone 1 1234567890 \r\n"
					"Node 1, zone      DMA      7 x 99999999999999999999 9\n"
					"Node 2, zone      DMA \nNode x, zone DMA 1\nnonsense\n"
					"Node 3, zone      DMA 1", buddyinfo_parse);
	const struct buddy *b = p.s.buddies;

	(void)state;
	assert_int_equal(p.s.nbuddies, 3);
	assert_string_equal(b[0].zone, "ALongNameOfAZone");
	assert_int_equal(b[0].norders, 2);
	assert_int_equal(b[0].blocks[1], 1234567890);
	assert_int_equal(b[1].norders, 4);
	assert_int_equal(b[1].blocks[0], 7);
	assert_true(b[1].blocks[1] == UNKNOWN && b[1].blocks[2] == UNKNOWN);
	assert_int_equal(b[1].blocks[3], 9);
	assert_int_equal(b[2].node, 3);
	assert_int_equal(p.r.skipped, 4);
	assert_true(p.r.cut);
	parsed_free(&p);
	p = parsed_string("Node 2, zone      DMA \n", buddyinfo_parse);
	assert_int_equal(p.result, -ENODATA);
	parsed_free(&p);
}

static const struct pagetype *type_of(const struct sample *s, const char *zone, const char *type)
{
	for (uint32_t i = 0; i < s->npagetypes; i++)
		if (!strcmp(s->pagetypes[i].zone, zone) && !strcmp(s->pagetypes[i].type, type))
			return &s->pagetypes[i];
	return NULL;
}

static uint64_t blocks_of(const struct sample *s, const char *zone, const char *type)
{
	for (uint32_t i = 0; i < s->npageblocks; i++)
		if (!strcmp(s->pageblocks[i].zone, zone) && !strcmp(s->pageblocks[i].type, type))
			return s->pageblocks[i].blocks;
	return UNKNOWN;
}

static void with_cma(void **state)
{
	static const uint64_t free[] = { 34, 31, 24, 10, 3, 3, 0, 0, 0, 0, 0 };
	struct parsed p =
		parsed_file(CASE "pagetypeinfo-types-differ/pagetypeinfo.vm", pagetypeinfo_parse);
	const struct pagetype *high = type_of(&p.s, "DMA32", "HighAtomic");

	(void)state;
	assert_int_equal(p.s.npagetypes, 12);
	assert_int_equal(high->norders, 11);
	assert_memory_equal(high->blocks, free, sizeof(free));
	assert_int_equal(pages_in(high->blocks, high->norders), 416);
	assert_int_equal(high->at_least, 0);
	assert_int_equal(pages_in(type_of(&p.s, "DMA", "HighAtomic")->blocks, 11), 0);
	assert_int_equal(p.s.npageblocks, 12);
	assert_int_equal(blocks_of(&p.s, "DMA32", "Movable"), 464);
	assert_int_equal(blocks_of(&p.s, "DMA32", "HighAtomic"), 1);
	assert_int_equal(blocks_of(&p.s, "DMA32", "CMA"), 0);
	assert_int_equal(blocks_of(&p.s, "DMA32", "Isolate"), 0);
	assert_int_equal(blocks_of(&p.s, "DMA", "Unmovable"), 1);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void without_cma(void **state)
{
	struct parsed p = parsed_file(CASE "pagetypeinfo-types-differ/pagetypeinfo.metal",
				      pagetypeinfo_parse);

	(void)state;
	assert_non_null(type_of(&p.s, "Normal", "Isolate"));
	assert_null(type_of(&p.s, "Normal", "CMA"));
	assert_int_equal(type_of(&p.s, "DMA32", "Unmovable")->blocks[10], 184);
	assert_int_equal(blocks_of(&p.s, "Normal", "Reclaimable"), 25);
	assert_true(blocks_of(&p.s, "Normal", "CMA") == UNKNOWN);
	parsed_free(&p);
}

/* The second table has its own order of types. */
static void columns_by_name(void **state)
{
	struct parsed p =
		parsed_string("Node    0, zone      DMA, type      Movable      1      2 \n"
			      "Number of blocks type     Reclaimable      Movable \n"
			      "Node 0, zone      DMA           10           20 \n"
			      "Number of mixed blocks    Unmovable      Movable \n"
			      "Node 0, zone      DMA           77           88 \n",
			      pagetypeinfo_parse);

	(void)state;
	assert_int_equal(blocks_of(&p.s, "DMA", "Reclaimable"), 10);
	assert_int_equal(blocks_of(&p.s, "DMA", "Movable"), 20);
	assert_true(blocks_of(&p.s, "DMA", "Unmovable") == UNKNOWN);
	assert_int_equal(p.s.npageblocks, 2);
	parsed_free(&p);
}

static void capped(void **state)
{
	struct parsed p = parsed_file(CASE "pagetypeinfo-capped/pagetypeinfo", pagetypeinfo_parse);
	const struct pagetype *t = type_of(&p.s, "Normal", "Movable");

	(void)state;
	assert_int_equal(t->norders, 11);
	assert_int_equal(t->blocks[0], 100000);
	assert_int_equal(t->blocks[1], 100000);
	assert_int_equal(t->blocks[2], 91234);
	assert_int_equal(t->at_least, 3);
	assert_int_equal(type_of(&p.s, "DMA32", "Movable")->at_least, 0);
	assert_int_equal(type_of(&p.s, "DMA32", "Movable")->blocks[0], 12157);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fourteen_orders),
		cmocka_unit_test(nine_orders),
		cmocka_unit_test(odd_lines),
		cmocka_unit_test(with_cma),
		cmocka_unit_test(without_cma),
		cmocka_unit_test(columns_by_name),
		cmocka_unit_test(capped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

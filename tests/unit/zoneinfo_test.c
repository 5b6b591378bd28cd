/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/zoneinfo-"

static void is_marks(const struct zone *z, uint64_t free, uint64_t min, uint64_t low, uint64_t high)
{
	assert_non_null(z);
	assert_int_equal(z->free, free);
	assert_int_equal(z->min, min);
	assert_int_equal(z->low, low);
	assert_int_equal(z->high, high);
}

static void is_sizes(const struct zone *z, uint64_t spanned, uint64_t present, uint64_t managed)
{
	assert_int_equal(z->spanned, spanned);
	assert_int_equal(z->present, present);
	assert_int_equal(z->managed, managed);
}

static void is_protection(const struct zone *z, uint32_t n, const uint64_t *pages)
{
	assert_int_equal(z->nprotection, n);
	assert_memory_equal(z->protection, pages, n * sizeof(*pages));
}

static uint64_t sum_of_counts(const struct zone *z)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < z->npagesets; i++)
		sum += z->pagesets[i].count;
	return sum;
}

static void unnamed_counter(void **state)
{
	struct parsed p = parsed_file(CASE "unnamed-counter/zoneinfo", zoneinfo_parse);
	const struct node *node = parsed_node(&p.s, 0);
	const struct zone *normal = parsed_zone(&p.s, 0, "Normal");
	uint64_t managed = 0;

	(void)state;
	assert_int_equal(p.s.nzones, 5);
	assert_int_equal(p.s.nnodes, 1);
	assert_int_equal(parsed_zone(&p.s, 0, "Movable")->managed, 0);
	assert_int_equal(parsed_zone(&p.s, 0, "Device")->managed, 0);
	assert_int_equal(p.r.skipped, 1);
	assert_int_equal(counters_by_name(&node->stats, "nr_written"), 260861);
	assert_int_equal(counters_by_name(&node->stats, "nr_active_file"), 61610);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA")->free, 3975);
	/* They are the node's, not those of the zone below which they stand. */
	assert_true(counters_by_name(&parsed_zone(&p.s, 0, "DMA")->stats, "nr_active_file") ==
		    UNKNOWN);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA")->managed, 3977);
	is_marks(normal, 10852, 8684, 10855, 13026);
	assert_int_equal(normal->npagesets, 2);
	assert_int_equal(normal->pagesets[1].cpu, 1);
	assert_int_equal(normal->pagesets[1].count, 24);
	assert_int_equal(normal->pagesets[1].high, 42);
	assert_true(normal->pagesets[1].high_max == UNKNOWN);
	assert_int_equal(normal->start_pfn, 1048576);
	for (uint32_t i = 0; i < p.s.nzones; i++)
		managed += p.s.zones[i].managed;
	assert_int_equal(managed, 2041137);
	parsed_free(&p);
}

static void one_zone(void **state)
{
	static const uint64_t protection[] = { 0, 0, 0 };
	struct parsed p = parsed_file(CASE "one-zone/zoneinfo.A", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "Normal");

	(void)state;
	assert_int_equal(p.s.nzones, 1);
	assert_int_equal(z->managed, 63077);
	assert_int_equal(z->free, 34683);
	assert_int_equal(z->high, 753);
	assert_int_equal(z->start_pfn, 0);
	is_protection(z, 3, protection);
	assert_int_equal(z->pagesets[0].high, 90);
	parsed_free(&p);
	p = parsed_file(CASE "one-zone/zoneinfo.B", zoneinfo_parse);
	z = parsed_zone(&p.s, 0, "Normal");
	is_marks(z, 388, 306, 382, 459);
	assert_int_equal(z->managed, 23603);
	is_protection(z, 2, protection);
	assert_int_equal(z->pagesets[1].high, 18);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void is_protected(const char *file, uint32_t skipped)
{
	static const uint64_t normal[] = { 0, 0, 0, 4096 }, empty[] = { 0, 0, 1006, 1006 };
	struct parsed p = parsed_file(file, zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "Normal");

	assert_int_equal(p.s.nzones, 8);
	assert_int_equal(p.s.nnodes, 2);
	assert_int_equal(p.r.skipped, skipped);
	is_marks(z, 459806, 750, 1253, 1756);
	is_protection(z, 4, normal);
	is_protection(parsed_zone(&p.s, 1, "DMA"), 4, empty);
	is_protection(parsed_zone(&p.s, 1, "DMA32"), 4, empty);
	is_sizes(parsed_zone(&p.s, 1, "DMA"), 0, 0, 0);
	is_sizes(parsed_zone(&p.s, 1, "Movable"), 262144, 0, 0);
	is_sizes(parsed_zone(&p.s, 0, "Movable"), 1966079, 131072, 131072);
	is_marks(parsed_zone(&p.s, 1, "Normal"), 233277, 383, 640, 897);
	parsed_free(&p);
}

static void empty_zones_protected(void **state)
{
	(void)state;
	is_protected(CASE "empty-zones-protected/zoneinfo", 0);
	is_protected(CASE "empty-zones-protected/zoneinfo.asposted", 7);
}

static void ninety_six_cpus(void **state)
{
	struct parsed p = parsed_file(CASE "96-cpus/zoneinfo", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "Normal");

	(void)state;
	assert_int_equal(p.s.nzones, 3);
	assert_int_equal(z->free, 108938090);
	assert_int_equal(z->managed, 131590069);
	assert_int_equal(z->npagesets, 96);
	assert_int_equal(sum_of_counts(z), 11692);
	assert_int_equal(sum_of_counts(parsed_zone(&p.s, 0, "DMA32")), 335);
	assert_int_equal(sum_of_counts(parsed_zone(&p.s, 0, "DMA")), 0);
	is_marks(parsed_zone(&p.s, 0, "DMA"), 3971, 3, 3, 4);
	assert_int_equal(counters_by_name(&z->stats, "numa_hit"), 2931353744);
	parsed_free(&p);
}

static void empty_movable(void **state)
{
	struct parsed p = parsed_file(CASE "empty-movable/zoneinfo", zoneinfo_parse);
	const struct zone *movable = parsed_zone(&p.s, 1, "Movable");
	uint64_t in_pagesets[2] = { 0, 0 }, high_0 = 0;

	(void)state;
	assert_int_equal(p.s.nnodes, 2);
	is_marks(movable, 0, 32, 32, 32);
	assert_int_equal(movable->promo, 32);
	assert_int_equal(movable->managed, 0);
	for (uint32_t i = 0; i < p.s.nzones; i++) {
		const struct zone *z = &p.s.zones[i];

		in_pagesets[z->node] += sum_of_counts(z);
		for (uint32_t j = 0; j < z->npagesets; j++) {
			high_0 += z->pagesets[j].high == 0 && z->pagesets[j].high_min == 1722;
			assert_true(z->pagesets[j].high_max != UNKNOWN);
		}
	}
	assert_int_equal(in_pagesets[0], 5153);
	assert_int_equal(in_pagesets[1], 5555);
	assert_int_equal(high_0, 2);
	parsed_free(&p);
}

static void empty_movable_counters(void **state)
{
	struct parsed p = parsed_file(CASE "empty-movable/zoneinfo", zoneinfo_parse);
	uint64_t free = 0, free_cma = 0;
	int is_high = 0;

	(void)state;
	for (uint32_t i = 0; i < p.s.nzones; i++) {
		const struct zone *z = &p.s.zones[i];

		is_high += z->high == 8268;
		if (z->node != 1)
			continue;
		free += z->free;
		free_cma += z->managed ? counters_get(&z->stats, ZONE_nr_free_cma) : 0;
	}
	assert_true(is_high > 0);
	assert_int_equal(free, 243278);
	assert_int_equal(free_cma, 8000);
	for (uint32_t i = 0; i < p.s.nnodes; i++) {
		assert_true(counters_get(&p.s.nodes[i].stats, NODE_nr_page_table_pages) != UNKNOWN);
		assert_true(counters_get(&p.s.nodes[i].stats, NODE_nr_kernel_stack) != UNKNOWN);
		assert_true(counters_get(&p.s.nodes[i].stats, NODE_pgdemote_kswapd) != UNKNOWN);
	}
	parsed_free(&p);
}

static void negative_isolated(void **state)
{
	static const char *const names[] = { "nr_isolated_anon", "nr_isolated_file" };
	struct parsed p = parsed_file(CASE "negative-isolated/zoneinfo", zoneinfo_parse);

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(counters_by_name(&parsed_zone(&p.s, 0, "DMA")->stats, names[i]),
				 i ? 7 : 25);
		assert_int_equal(
			counters_by_name(&parsed_zone(&p.s, 0, "HighMem")->stats, names[i]), 0);
		assert_true(counters_by_name(&parsed_zone(&p.s, 0, "Normal")->stats, names[i]) ==
			    UNKNOWN);
	}
	assert_int_equal(p.r.skipped, 2);
	assert_int_equal(counters_by_name(&parsed_zone(&p.s, 0, "Normal")->stats, "nr_free_pages"),
			 15000);
	parsed_free(&p);
}

static void tiny_normal(void **state)
{
	struct parsed p = parsed_file(CASE "tiny-normal/zoneinfo", zoneinfo_parse);
	const struct zone *dma = parsed_zone(&p.s, 0, "DMA"),
			  *normal = parsed_zone(&p.s, 0, "Normal");

	(void)state;
	assert_int_equal(dma->free, 3975);
	assert_int_equal(dma->high, 97);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA32")->free, 208727);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA32")->high, 22144);
	assert_int_equal(normal->free, 2318);
	assert_int_equal(normal->min, 2066);
	assert_int_equal(normal->low, 2582);
	assert_int_equal(counters_by_name(&normal->stats, "nr_vmscan_immediate_reclaim"), 77236);
	assert_true(dma->managed == UNKNOWN);
	assert_int_equal(dma->present, 3911);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA32")->present, 874976);
	assert_int_equal(normal->present, 122472);
	assert_int_equal(counters_by_name(&dma->stats, "all_unreclaimable"), 1);
	parsed_free(&p);
}

static void node_3_alone(void **state)
{
	struct parsed p = parsed_file(CASE "node-3-alone/zoneinfo", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 3, "DMA");

	(void)state;
	assert_int_equal(p.s.nnodes, 1);
	assert_int_equal(p.s.nodes[0].id, 3);
	is_marks(z, 2951, 2821, 3526, 4231);
	assert_int_equal(z->nprotection, 4);
	assert_int_equal(counters_get(&p.s.nodes[0].stats, NODE_nr_inactive_file), 0);
	assert_int_equal(counters_get(&z->stats, ZONE_numa_other), 2257);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void free_pages_are_cma(void **state)
{
	static const uint64_t protection[] = { 0, 0, 3188, 3188 };
	struct parsed p = parsed_file(CASE "cma-free/zoneinfo", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "DMA");

	(void)state;
	assert_int_equal(z->free - counters_get(&z->stats, ZONE_nr_free_cma), 1380);
	assert_int_equal(z->min, 2607);
	assert_int_equal(z->boost, 1804);
	assert_int_equal(z->cma, 131072);
	is_protection(z, 4, protection);
	parsed_free(&p);
}

static void nine_pages(void **state)
{
	struct parsed p = parsed_file(CASE "nine-pages/zoneinfo", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "Normal");

	(void)state;
	assert_int_equal(z->managed, 9);
	is_marks(z, 0, 0, 0, 0);
	is_marks(parsed_zone(&p.s, 0, "DMA32"), 11050, 2800, 3500, 4200);
	assert_true(z->boost == UNKNOWN && z->promo == UNKNOWN);
	parsed_free(&p);
}

/* Many nodes with empty zones too, and many CPUs. */
static struct parsed parsed_machine(int nodes, int cpus)
{
	static const char *const names[] = {
		"DMA", "DMA32", "Normal", "Movable", "Device", "Other"
	};
	char *text = NULL;
	struct parsed p;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (int node = 0; node < nodes; node++) {
		for (int i = 0; i < 6; i++) {
			int managed = i == 2 ? 65536 + node : 0;

			fprintf(f, "Node %d, zone %8s\n", node, names[i]);
			if (managed)
				fprintf(f, "  per-node stats\n      nr_active_file %d\n", node);
			fprintf(f,
				"  pages free     %d\n        min      %d\n        managed  %d\n"
				"        protection: (0, 0, 0, 0, 0, 0)\n",
				managed / 2, managed / 100, managed);
			for (int cpu = 0; managed && cpu < cpus; cpu++)
				fprintf(f,
					"%s    cpu: %d\n              count:    %d\n              high:     100\n"
					"  vm stats threshold: 32\n",
					cpu ? "" : "  pagesets\n", cpu, cpu % 50);
		}
	}
	fclose(f);
	p = parsed_text((struct text){ text, size }, zoneinfo_parse);
	free(text);
	return p;
}

static void many_nodes(void **state)
{
	struct parsed p = parsed_machine(1024, 2);

	(void)state;
	assert_int_equal(p.s.nnodes, 1024);
	assert_int_equal(p.s.nzones, 6 * 1024);
	assert_int_equal(parsed_zone(&p.s, 1023, "Normal")->managed, 65536 + 1023);
	assert_int_equal(counters_get(&parsed_node(&p.s, 1000)->stats, NODE_nr_active_file), 1000);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
	p = parsed_machine(8, 2);
	assert_int_equal(p.s.nnodes, 8);
	parsed_free(&p);
}

static void many_cpus(void **state)
{
	struct parsed p = parsed_machine(2, 8192);
	const struct zone *z = parsed_zone(&p.s, 1, "Normal");

	(void)state;
	assert_int_equal(z->npagesets, 8192);
	assert_int_equal(z->pagesets[8191].cpu, 8191);
	assert_int_equal(z->pagesets[8191].count, 8191 % 50);
	assert_int_equal(parsed_zone(&p.s, 0, "Normal")->npagesets, 8192);
	parsed_free(&p);
}

/* A node that two calls of read() got: its zones once, as they were later. */
static void zone_twice(void **state)
{
	struct parsed p = parsed_string(
		"Node 0, zone DMA\n  per-node stats\n      nr_dirty 1\n  pages free 1\n"
		"Node 1, zone DMA\n  pages free 2\n        min 7\n"
		"Node 0, zone DMA\n  per-node stats\n      nr_dirty 5\n  pages free 6\n",
		zoneinfo_parse);

	(void)state;
	assert_int_equal(p.s.nnodes, 2);
	assert_int_equal(p.s.nzones, 2);
	assert_int_equal(parsed_zone(&p.s, 0, "DMA")->free, 6);
	assert_int_equal(counters_get(&parsed_node(&p.s, 0)->stats, NODE_nr_dirty), 5);
	assert_int_equal(parsed_zone(&p.s, 1, "DMA")->min, 7);
	parsed_free(&p);
}

/* The line that names a zone was lost: what follows is not the zone's before. */
static void name_lost(void **state)
{
	struct parsed p = parsed_string(
		"Node 0, zone DMA\n  per-node stats\n      nr_dirty 1\n  pages free 1\n"
		"        min 2\n      numa_hit 3\n  pagesets\n    cpu: 0\n              count: 4\n"
		"Node ?, zone DMA32\n  pages free 10\n        min 20\n        low 30\n      numa_miss 40\n"
		"    cpu: 1\n              count: 50\n"
		"Node 0, zone Normal\n  pages free 7\n"
		"Nod\n  per-node stats\n      nr_dirty 9\n",
		zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "DMA");

	(void)state;
	assert_int_equal(p.s.nzones, 2);
	assert_int_equal(z->free, 1);
	assert_int_equal(z->min, 2);
	assert_true(z->low == UNKNOWN);
	assert_true(counters_get(&z->stats, ZONE_numa_miss) == UNKNOWN);
	assert_int_equal(z->npagesets, 1);
	assert_int_equal(z->pagesets[0].count, 4);
	assert_int_equal(parsed_zone(&p.s, 0, "Normal")->free, 7);
	assert_int_equal(counters_get(&parsed_node(&p.s, 0)->stats, NODE_nr_dirty), 1);
	assert_int_equal(p.r.torn, 2);
	parsed_free(&p);
}

/* So was that of a CPU: its numbers are not those of the CPU before. */
static void cpu_lost(void **state)
{
	struct parsed p =
		parsed_string("Node 0, zone DMA\n  pages free 1\n  pagesets\n"
			      "    cpu: 0\n              count: 4\n              high:  5\n"
			      "    cpu? 1\n              count: 6\n              high:  7\n",
			      zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "DMA");

	(void)state;
	assert_int_equal(z->npagesets, 1);
	assert_int_equal(z->pagesets[0].count, 4);
	assert_int_equal(z->pagesets[0].high, 5);
	parsed_free(&p);
}

static void bad_values(void **state)
{
	struct parsed p = parsed_string("        min 5\n\n"
					"Node 0, zone A-long-name-of-a-zone\r\n"
					"  pages free     18446744073709551616\r\n"
					"        min      -3\r\n"
					"        low      12x\r\n"
					"        high     14\r\n"
					"        protection: (0, x)\r\n"
					"      nr_free_pages 99999999999999999999\r\n"
					"      nr_mlock 1 2\r\n"
					"  pagesets\r\n"
					"    cpu: 3\r\n"
					"              count: 7\r\n"
					"              shoe:  8\r\n"
					"              high:  x\r\n"
					"              high_min: 9\r\n"
					"  start_pfn:           4096\r\n", zoneinfo_parse);
	const struct zone *z = parsed_zone(&p.s, 0, "A-long-name-of-a-zone");

	(void)state;
	assert_non_null(z);
	assert_true(z->free == UNKNOWN && z->min == UNKNOWN && z->low == UNKNOWN);
	assert_int_equal(z->high, 14);
	assert_int_equal(z->nprotection, 0);
	assert_true(counters_get(&z->stats, ZONE_nr_free_pages) == UNKNOWN);
	assert_true(counters_get(&z->stats, ZONE_nr_mlock) == UNKNOWN);
	assert_int_equal(z->npagesets, 1);
	assert_int_equal(z->pagesets[0].count, 7);
	assert_true(z->pagesets[0].high == UNKNOWN);
	assert_int_equal(z->pagesets[0].high_min, 9);
	assert_int_equal(z->start_pfn, 4096);
	assert_int_equal(p.r.torn, 1);
	assert_int_equal(p.r.skipped, 8);
	parsed_free(&p);
	p = parsed_string("nothing of this kind 1\n", zoneinfo_parse);
	assert_int_equal(p.result, -ENODATA);
	parsed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unnamed_counter),
		cmocka_unit_test(one_zone),
		cmocka_unit_test(empty_zones_protected),
		cmocka_unit_test(ninety_six_cpus),
		cmocka_unit_test(empty_movable),
		cmocka_unit_test(empty_movable_counters),
		cmocka_unit_test(negative_isolated),
		cmocka_unit_test(tiny_normal),
		cmocka_unit_test(node_3_alone),
		cmocka_unit_test(free_pages_are_cma),
		cmocka_unit_test(nine_pages),
		cmocka_unit_test(many_nodes),
		cmocka_unit_test(many_cpus),
		cmocka_unit_test(zone_twice),
		cmocka_unit_test(name_lost),
		cmocka_unit_test(cpu_lost),
		cmocka_unit_test(bad_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a node and of a zone that are those of vmstat: said once, and read back as they were whatever moves.
 */
#include "reclaimtop/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "support_sample.h"

struct pair {
	struct codec *writer, *reader;
	struct sample was, is, read[2];
	struct node node;
	struct zone zone;
	struct buf line;
	int at;
};

static void open_pair(struct pair *p)
{
	memset(p, 0, sizeof(*p));
	p->writer = codec_new();
	p->reader = codec_new();
	p->was.arena = arena_new();
	p->is.arena = arena_new();
	p->read[0].arena = arena_new();
	p->read[1].arena = arena_new();
	sample_reset(&p->is);
	p->is.machine.page_size = 4096;
	p->is.mono_us = 1000000;
	p->is.interval_us = 1000000;
	counters_init(&p->is.vmstat, &keytab_vmstat, p->is.arena);
	counters_init(&p->node.stats, &keytab_node, p->is.arena);
	counters_init(&p->zone.stats, &keytab_zone, p->is.arena);
	counters_init(&p->is.meminfo, &keytab_meminfo, p->is.arena);
	p->zone.name = "DMA32";
	p->is.nodes = &p->node;
	p->is.nnodes = 1;
	p->is.zones = &p->zone;
	p->is.nzones = 1;
}

static void close_pair(struct pair *p)
{
	codec_free(p->writer);
	codec_free(p->reader);
	arena_free(p->was.arena);
	arena_free(p->is.arena);
	arena_free(p->read[0].arena);
	arena_free(p->read[1].arena);
	buf_fini(&p->line);
}

/* The line of the sample as it is now; read on top of what was read before, and the same. */
static const char *pass(struct pair *p)
{
	bool whole = !p->is.n;
	char why[200];

	buf_clear(&p->line);
	codec_write(p->writer, whole ? NULL : &p->was, &p->is, &p->line);
	assert_int_equal(codec_read(p->reader, p->line.data, p->line.len - 1, whole ? NULL : &p->read[p->at],
				    &p->read[!p->at]), 0);
	p->at = !p->at;
	if (!sample_equal(&p->is, &p->read[p->at], why, sizeof(why)))
		fail_msg("%s: %s", why, p->line.data);
	sample_copy(&p->is, &p->was);
	p->is.n++;
	p->is.mono_us += 1000000;
	return p->line.data;
}

static void set(struct pair *p, uint64_t vmstat, uint64_t node)
{
	static const uint16_t both[][2] = {
		{ VM_nr_inactive_anon, NODE_nr_inactive_anon }, { VM_nr_active_anon, NODE_nr_active_anon },
		{ VM_nr_inactive_file, NODE_nr_inactive_file }, { VM_nr_dirty, NODE_nr_dirty },
	};

	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		p->is.vmstat.value[both[i][0]] = vmstat + i;
		p->node.stats.value[both[i][1]] = node + i;
	}
}

static void said_once(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p);
	set(&p, 10, 10);
	p.node.stats.value[NODE_nr_writeback] = 3;
	pass(&p);
	set(&p, 20, 20);
	assert_non_null(strstr(pass(&p), "\"nodes\":[{\"node\":0,\"stats\":{\"=\":\"vmstat\"}}]"));
	/* One of its own, and one that stays while vmstat's moves. */
	set(&p, 30, 30);
	p.node.stats.value[NODE_nr_writeback] = 4;
	p.node.stats.value[NODE_nr_inactive_anon] = 20;
	assert_non_null(strstr(pass(&p), "\"stats\":{\"=\":\"vmstat\",\"nr_inactive_anon\":20,\"nr_writeback\":4}"));
	/* Numbers of its own: not worth it. */
	set(&p, 40, 1000);
	assert_null(strstr(pass(&p), "\"=\""));
	close_pair(&p);
}

/* What is not known here or there stays so. */
static void unknown_stays(void **state)
{
	struct pair p;

	(void)state;
	open_pair(&p);
	set(&p, 10, 10);
	p.node.stats.value[NODE_nr_dirty] = UNKNOWN;
	pass(&p);
	set(&p, 20, 20);
	p.node.stats.value[NODE_nr_dirty] = UNKNOWN;
	assert_non_null(strstr(pass(&p), "{\"=\":\"vmstat\"}"));
	set(&p, 30, 30);
	p.node.stats.value[NODE_nr_active_anon] = UNKNOWN;
	assert_non_null(strstr(pass(&p), "\"nr_active_anon\":null"));
	set(&p, 40, 40);
	p.is.vmstat.value[VM_nr_dirty] = UNKNOWN;
	pass(&p);
	set(&p, 50, 50);
	pass(&p);
	close_pair(&p);
}

/* vmstat's lists by zone, the zone's own of the same name, and meminfo: KiB, and sums. */
static void lists_and_meminfo(void **state)
{
	struct pair p;
	uint64_t *vm, *mem;
	const char *line;

	(void)state;
	open_pair(&p);
	vm = p.is.vmstat.value;
	mem = p.is.meminfo.value;
	for (uint64_t i = 0; i < 3; i++) {
		vm[VM_nr_inactive_anon] = vm[VM_nr_zone_inactive_anon] = 100 + i;
		vm[VM_nr_inactive_file] = vm[VM_nr_zone_inactive_file] = 200 + i;
		vm[VM_nr_active_anon] = 7;
		vm[VM_nr_zone_active_anon] = 7 + i / 2;
		p.zone.stats.value[ZONE_nr_zone_inactive_anon] = 100 + i;
		p.zone.stats.value[ZONE_nr_zone_inactive_file] = 200 + i;
		mem[MEM_Inactive] = 4 * (300 + 2 * i);
		mem[MEM_Inactive_anon] = 4 * (100 + i);
		mem[MEM_Inactive_file] = 4 * (200 + i);
		line = pass(&p);
	}
	assert_non_null(strstr(line, "\"vmstat\":{\"=\":\"vmstat\",\"nr_zone_active_anon\":8,\"nr_inactive_anon\":102,"
				     "\"nr_inactive_file\":202}"));
	assert_non_null(strstr(line, "\"stats\":{\"=\":\"vmstat\"}"));
	assert_non_null(strstr(line, "\"meminfo\":{\"=\":\"vmstat\"}"));
	close_pair(&p);
}

/* Any few move: each by itself, or all that are the same number in truth. */
static void any_lists(void **state)
{
	static const uint16_t same[][4] = {
		{ VM_nr_inactive_anon, VM_nr_zone_inactive_anon, ZONE_nr_zone_inactive_anon, MEM_Inactive_anon },
		{ VM_nr_active_anon, VM_nr_zone_active_anon, ZONE_nr_zone_active_anon, MEM_Active_anon },
		{ VM_nr_inactive_file, VM_nr_zone_inactive_file, ZONE_nr_zone_inactive_file, MEM_Inactive_file },
		{ VM_nr_active_file, VM_nr_zone_active_file, ZONE_nr_zone_active_file, MEM_Active_file },
	};
	struct rng r = { 5 };
	struct pair p;

	(void)state;
	open_pair(&p);
	for (int round = 0; round < 5000; round++) {
		for (uint32_t i = rng_below(&r, 6); i; i--) {
			const uint16_t *at = same[rng_below(&r, 4)];
			uint64_t v = rng_one_in(&r, 9) ? UNKNOWN : rng_below(&r, 4);
			uint32_t which = rng_one_in(&r, 2) ? 15 : rng_below(&r, 16);

			if (which & 1)
				p.is.vmstat.value[at[0]] = v;
			if (which & 2)
				p.is.vmstat.value[at[1]] = v;
			if (which & 4)
				p.zone.stats.value[at[2]] = v;
			if (which & 8)
				p.is.meminfo.value[at[3]] = v == UNKNOWN ? v : 4 * v;
			p.is.meminfo.value[MEM_Active] = rng_below(&r, 8) * 4;
		}
		pass(&p);
	}
	close_pair(&p);
}

/* Any few of them move, here, there or in both. */
static void anything(void **state)
{
	struct rng r = { 11 };
	struct pair p;

	(void)state;
	open_pair(&p);
	for (int round = 0; round < 3000; round++) {
		for (uint32_t i = rng_below(&r, 30); i; i--) {
			uint32_t at = rng_below(&r, NODE_NR), hint = 0;
			uint32_t vm = keytab_find(&keytab_vmstat, keytab_node.keys[at].name, keytab_node.keys[at].len, &hint);
			uint64_t v = rng_one_in(&r, 9) ? UNKNOWN : rng_below(&r, 50);

			if (vm < VM_NR && !rng_one_in(&r, 5))
				p.is.vmstat.value[vm] = v;
			if (!rng_one_in(&r, 5))
				p.node.stats.value[at] = v;
		}
		pass(&p);
	}
	close_pair(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(said_once),
		cmocka_unit_test(unknown_stays),
		cmocka_unit_test(lists_and_meminfo),
		cmocka_unit_test(any_lists),
		cmocka_unit_test(anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a live source reads, when, and what it remembers. */
#include "collectors/live.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/clock.h"
#include "support_rig.h"

static uint64_t vm(const struct sample *s, enum vm_key key)
{
	return counters_get(&s->vmstat, key);
}

/* ---- one sample ---- */

static void takes_a_sample(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = rig_take(rig, SECOND);

	for (int id = 0; id < READ_NR; id++)
		if (id != READ_PAGETYPEINFO && id != READ_PROCESSES && id != READ_EVENTS)
			is_read(s, id, READING_OK, 0);
	is_read(s, READ_PAGETYPEINFO, READING_NOT_ASKED, 0);
	is_read(s, READ_PROCESSES, READING_NOT_ASKED, 0);
	is_read(s, READ_EVENTS, READING_NOT_ASKED, 0);
	assert_int_equal(s->nlruvecs, 3);
	assert_int_equal(s->lruvecs[2].gens[0].pages[TYPE_FILE], 700);
	/* Of lru_gen_full, where it stands beside lru_gen. */
	assert_int_equal(s->lruvecs[0].nfull, 4);
	assert_int_equal(s->lruvecs[0].full[2].tiers[TYPE_ANON][0].evicted, 5);
	assert_int_equal(vm(s, VM_pgscan_kswapd), 700);
	assert_true(vm(s, VM_pgscan_direct) == UNKNOWN);
	assert_int_equal(s->nzones, 1);
	assert_int_equal(s->zones[0].managed, 125000);
	assert_int_equal(s->zones[0].pagesets[1].count, 5);
	assert_int_equal(s->buddies[0].blocks[2], 3);
	assert_int_equal(s->psi[PSI_MEMORY].full.total_us, 502959);
	assert_true(s->psi[PSI_CPU].some.total_us == 111749368752);
	assert_true(s->psi[PSI_CPU].full.total_us == UNKNOWN);
	assert_int_equal(counters_get(&s->meminfo, MEM_MemFree), 20000);
	assert_string_equal(s->swaps[0].name, "/dev/zram0");
	assert_int_equal(s->nzrams, 1);
	assert_string_equal(s->zrams[0].name, "zram0");
	assert_int_equal(s->zrams[0].mem_used, 8192);
	assert_int_equal(s->nmemcgs, 3);
}

static void knows_the_machine(void **state)
{
	struct rig *rig = *state;
	const struct machine *m = &rig_take(rig, SECOND)->machine;

	assert_string_equal(m->kernel, "7.2.13+deb14-amd64");
	assert_int_equal(m->version, 70213);
	assert_string_equal(m->boot_id, "0f6e3f2a-9c1d-4e1b-8a55-0f2a3b4c5d6e");
	assert_string_equal(m->lockdown, "none");
	assert_int_equal(m->cpus, 2);
	assert_int_equal(m->nodes, 1);
	assert_int_equal(m->mglru, 7);
	assert_int_equal(m->min_ttl_ms, 0);
	assert_int_equal(m->swappiness, 60);
	assert_int_equal(m->watermark_scale_factor, 10);
	assert_int_equal(m->min_free_kbytes, 2650);
	assert_int_equal(m->pcp_high_fraction, 0);
	assert_true(m->page_size >= 4096);
	assert_true(m->hz > 0);
	assert_true(m->memcg_v2);
}

static void stamps_with_the_clock(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	int64_t start_us = fake_now(rig->f);

	fake_slow(rig->f, "proc/vmstat", 300);
	s = rig_take(rig, SECOND);
	assert_int_equal(s->n, 0);
	assert_int_equal(s->mono_us, start_us);
	assert_int_equal(s->wall_us, start_us + 1700000000000000);
	assert_int_equal(s->slept_us, 0);
	assert_int_equal(s->interval_us, SECOND);
	assert_false(s->restart);
	assert_int_equal(s->readings[READ_VMSTAT].end_us - s->readings[READ_VMSTAT].start_us, 300);
	assert_int_equal(s->readings[READ_VMSTAT].bytes,
			 strlen("nr_free_pages 5000\npgscan_kswapd 700\npgsteal_kswapd 650\nnr_unstable 0\n"));
	assert_int_equal(s->readings[READ_MEMINFO].start_us, start_us + 300);
	/* The CPU's clock is the same one here. */
	assert_int_equal(s->cost_us, 300);
	s = rig_take(rig, SECOND);
	assert_int_equal(s->n, 1);
	assert_int_equal(s->mono_us, start_us + SECOND + 300);
}

/* A text that ends within a line has lost what came behind. */
static void sees_that_a_text_was_cut(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	fake_set(rig->f, "proc/vmstat", "nr_free_pages 5000\npgscan_kswapd 70");
	s = rig_take(rig, SECOND);
	is_read(s, READ_VMSTAT, READING_OK, 0);
	assert_true(s->readings[READ_VMSTAT].cut);
	assert_false(s->readings[READ_MEMINFO].cut);
	assert_int_equal(vm(s, VM_nr_free_pages), 5000);
}

/* Zeros would look like a counter that was reset. */
static void empty_is_no_answer(void **state)
{
	static const struct {
		enum reading_id id;
		const char *path;
	} files[] = {
		{ READ_VMSTAT, "proc/vmstat" },
		{ READ_ZONEINFO, "proc/zoneinfo" },
		{ READ_BUDDYINFO, "proc/buddyinfo" },
		{ READ_MEMINFO, "proc/meminfo" },
		{ READ_SWAPS, "proc/swaps" },
		{ READ_PSI_MEMORY, "proc/pressure/memory" },
		{ READ_LRU_GEN, "sys/kernel/debug/lru_gen" },
		{ READ_LRU_GEN_FULL, "sys/kernel/debug/lru_gen_full" },
		{ READ_MGLRU, "sys/kernel/mm/lru_gen/enabled" },
	};
	struct rig *rig = *state;
	const struct sample *s;

	rig_take(rig, SECOND);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		fake_set(rig->f, files[i].path, "");
	s = rig_take(rig, SECOND);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		is_read(s, files[i].id, READING_FAILED, ENODATA);
	assert_true(vm(s, VM_pgscan_kswapd) == UNKNOWN);
	assert_int_equal(s->nzones, 0);
	assert_true(s->psi[PSI_MEMORY].some.total_us == UNKNOWN);
	assert_true(s->machine.mglru == UNKNOWN);
	/* It is there again a moment later. */
	fake_machine(rig->f);
	s = rig_take(rig, SECOND);
	is_read(s, READ_VMSTAT, READING_OK, 0);
	is_read(s, READ_LRU_GEN, READING_OK, 0);
	assert_int_equal(vm(s, VM_pgscan_kswapd), 700);
}

/* ---- what is read now and then ---- */

static void reads_facts_now_and_then(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	int64_t start_us = fake_now(rig->f);

	for (int i = 0; i < 10; i++) {
		s = rig_take(rig, SECOND);
		is_read(s, READ_SYSCTL, READING_OK, 0);
		assert_int_equal(s->readings[READ_SYSCTL].start_us, start_us);
		assert_int_equal(s->machine.swappiness, 60);
		assert_string_equal(s->machine.kernel, "7.2.13+deb14-amd64");
		fake_set(rig->f, "proc/sys/vm/swappiness", "100\n");
		fake_set(rig->f, "sys/devices/system/cpu/online", "0\n");
		assert_int_equal(fake_reads(rig->f, "proc/sys/vm/swappiness"), 1);
	}
	s = rig_take(rig, SECOND);
	assert_int_equal(s->machine.swappiness, 100);
	assert_int_equal(s->machine.cpus, 1);
	assert_int_equal(s->readings[READ_SYSCTL].start_us, start_us + 10 * SECOND);
	assert_int_equal(fake_reads(rig->f, "proc/sys/kernel/osrelease"), 2);
	/* The knobs of MGLRU decide what the generations mean. */
	assert_int_equal(fake_reads(rig->f, "sys/kernel/mm/lru_gen/enabled"), 11);
}

static void finds_new_zrams(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = rig_take(rig, SECOND);

	assert_int_equal(s->nzrams, 1);
	fake_set(rig->f, "sys/block/zram10/mm_stat", "1 2 3 4 5 6 7\n");
	fake_set(rig->f, "sys/block/zram2/mm_stat", "9 2 3 4 5 6 7\n");
	fake_set(rig->f, "sys/block/zramx/mm_stat", "9 2 3 4 5 6 7\n");
	for (int i = 0; i < 11; i++)
		s = rig_take(rig, SECOND);
	assert_int_equal(s->nzrams, 3);
	assert_string_equal(s->zrams[1].name, "zram2");
	assert_int_equal(s->zrams[1].orig_data, 9);
	assert_true(s->zrams[1].huge_pages == UNKNOWN);
	assert_string_equal(s->zrams[2].name, "zram10");
	fake_remove(rig->f, "sys/block/zram2");
	s = rig_take(rig, SECOND);
	assert_int_equal(s->nzrams, 2);
	assert_int_equal(s->readings[READ_ZRAM].vanished, 1);
	is_read(s, READ_ZRAM, READING_OK, 0);
	assert_true(fake_lists(rig->f) <= 3);
}

/* ---- pagetypeinfo: https://lore.kernel.org/all/20191022162156.17316-1-longman@redhat.com/ ---- */

static void reads_pagetypes_rarely(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	int found = 0;

	for (int i = 0; i < 100; i++)
		rig_take(rig, SECOND / 10);
	assert_int_equal(fake_reads(rig->f, "proc/pagetypeinfo"), 0);
	rig->in.pagetypes = true;
	for (int i = 0; i < 600; i++) {
		s = rig_take(rig, SECOND / 10);
		if (s->readings[READ_PAGETYPEINFO].state == READING_OK) {
			found++;
			assert_int_equal(s->npagetypes, 2);
			assert_int_equal(s->pagetypes[1].blocks[1], 2);
			assert_int_equal(s->npageblocks, 2);
		} else {
			is_read(s, READ_PAGETYPEINFO, READING_NOT_ASKED, 0);
			assert_int_equal(s->npagetypes, 0);
		}
	}
	assert_int_equal(fake_reads(rig->f, "proc/pagetypeinfo"), 6);
	assert_int_equal(found, 6);
}

static void slow_pagetypes_are_read_less(void **state)
{
	struct rig *rig = *state;

	rig->in.pagetypes = true;
	fake_slow(rig->f, "proc/pagetypeinfo", 60000);
	/* At 0 s, 20 s, 60 s, 140 s, 300 s. */
	for (int i = 0; i < 310; i++)
		rig_take(rig, SECOND - (i == 0 || i == 20 || i == 60 || i == 140 || i == 300 ? 60000 : 0));
	assert_int_equal(fake_reads(rig->f, "proc/pagetypeinfo"), 5);
}

static void large_machines_are_spared_pagetypes(void **state)
{
	struct rig *rig = *state;

	rig->in.pagetypes = true;
	fake_set(rig->f, "sys/devices/system/cpu/online", "0-64\n");
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_NOT_ASKED, 0);
	/* Where nobody says how many CPUs there are, none is too many. */
	fake_remove(rig->f, "sys/devices/system/cpu/online");
	fake_remove(rig->f, "proc/zoneinfo");
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_NOT_ASKED, 0);
	assert_int_equal(fake_reads(rig->f, "proc/pagetypeinfo"), 0);
	fake_machine(rig->f);
	fake_remove(rig->f, "sys/devices/system/cpu/online");
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_OK, 0);
	fake_set(rig->f, "sys/devices/system/cpu/online", "0-63\n");
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_OK, 0);
	fake_set(rig->f, "sys/devices/system/cpu/online", "0-127\n");
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_NOT_ASKED, 0);
	rig->in.pagetypes_forced = true;
	is_read(rig_take(rig, 20 * SECOND), READ_PAGETYPEINFO, READING_OK, 0);
}

/* ---- lru_gen ---- */

/* n memcgs on one node, in the kernel's format. */
static char *many_memcgs(int n)
{
	struct buf b = { 0 };

	buf_str(&b, "memcg 1 /\n node     0\n          2       9000          0           5 \n");
	for (int i = 0; i < n - 1; i++)
		buf_printf(&b, "memcg %d /m%d\n node     0\n          4       9000          1 %11d \n", 100 + i,
			   i, i);
	return b.data;
}

static void reads_the_full_file_where_it_is_short(void **state)
{
	struct rig *rig = *state;
	char *few = many_memcgs(64), *many = many_memcgs(65);

	fake_set(rig->f, "sys/kernel/debug/lru_gen", few);
	is_read(rig_take(rig, SECOND), READ_LRU_GEN_FULL, READING_OK, 0);
	fake_set(rig->f, "sys/kernel/debug/lru_gen", many);
	is_read(rig_take(rig, SECOND), READ_LRU_GEN_FULL, READING_NOT_ASKED, 0);
	rig->in.tiers = true;
	is_read(rig_take(rig, SECOND), READ_LRU_GEN_FULL, READING_OK, 0);
	free(few);
	free(many);
}

/* Many dying memcgs: https://github.com/facebookincubator/oomd/pull/117 */
static void reads_a_slow_lru_gen_less_often(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	int read = 0;

	fake_slow(rig->f, "sys/kernel/debug/lru_gen", 250000);
	/* One slow reading may be chance. */
	s = rig_take(rig, SECOND);
	assert_int_equal(s->readings[READ_LRU_GEN].every, 1);
	s = rig_take(rig, SECOND);
	is_read(s, READ_LRU_GEN, READING_OK, 0);
	assert_int_equal(s->readings[READ_LRU_GEN].every, 3);
	for (int i = 0; i < 30; i++) {
		s = rig_take(rig, SECOND);
		assert_int_equal(s->readings[READ_LRU_GEN].every, 3);
		if (s->readings[READ_LRU_GEN].state == READING_OK) {
			read++;
		} else {
			is_read(s, READ_LRU_GEN, READING_NOT_ASKED, 0);
			is_read(s, READ_LRU_GEN_FULL, READING_NOT_ASKED, 0);
		}
		/* The rows are those of the last time, too. */
		assert_int_equal(s->nlruvecs, 3);
		/* The memcgs are those of the last time. */
		assert_int_equal(s->nmemcgs, 3);
		is_read(s, READ_VMSTAT, READING_OK, 0);
	}
	assert_int_equal(read, 10);
	/* They are remembered, not looked for: only the zrams were. */
	assert_in_range(fake_lists(rig->f), 1, 5);
	fake_slow(rig->f, "sys/kernel/debug/lru_gen", 1000);
	for (int i = 0; i < 4; i++)
		s = rig_take(rig, SECOND);
	assert_int_equal(s->readings[READ_LRU_GEN].every, 1);
	is_read(s, READ_LRU_GEN, READING_OK, 0);
}

/* Every third one is being taken down, under a path that many have: as the case's own generator prints it. */
static char *many_dying(int memcgs, int nodes)
{
	struct buf b = { 0 };

	for (int i = 1; i <= memcgs; i++) {
		if (i % 3 == 0)
			buf_printf(&b, "memcg %5u /system.slice/job-%d.service\n", 0u, i % 100);
		else
			buf_printf(&b, "memcg %5d /kubepods.slice/pod%d.slice/c%d.scope\n", i % 65535 + 1, i % 500, i);
		for (int k = 0; k < nodes; k++) {
			buf_printf(&b, " node %5d\n", k);
			for (int g = 0; g < 4; g++)
				buf_printf(&b, " %10d %10d %10d  %10d \n", g + i % 7, (4 - g) * 10000, i % 50,
					   i % 1000);
		}
	}
	return b.data;
}

static void memory_is_bounded(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	const int memcgs = 10000, nodes = 8;
#else
	const int memcgs = 100000, nodes = 8;
#endif
	struct rig *rig = *state;
	char *text = many_dying(memcgs, nodes);
	const struct sample *s;
	int64_t cpu_us;

	fake_set(rig->f, "sys/kernel/debug/lru_gen", text);
	free(text);
	cpu_us = clock_cpu_us();
	s = rig_take(rig, SECOND);
	cpu_us = clock_cpu_us() - cpu_us;
	assert_int_equal(s->nlruvecs, memcgs * nodes);
	assert_true(arena_used(s->arena) < (size_t)200 << 20);
	/* A second on a usual machine; here others may be at work. */
	assert_true(cpu_us < 5 * SECOND);
	/* Of those that live few have their files read, and the others are counted. */
	assert_true(s->nmemcgs <= 64);
	assert_true(s->memcgs_left_out <= (uint32_t)(memcgs - memcgs / 3));
	assert_true(s->memcgs_left_out + 128 >= (uint32_t)(memcgs - memcgs / 3));
	if (getenv("VERBOSE"))
		print_message("%" PRId64 " ms CPU, %zu MiB\n", cpu_us / 1000, arena_used(s->arena) >> 20);
}

/* In place of lru_gen the long file is what may be slow. */
static void reads_a_slow_full_file_less_often(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = NULL;
	int read = 0;

	fake_fail(rig->f, "sys/kernel/debug/lru_gen", EPERM);
	fake_slow(rig->f, "sys/kernel/debug/lru_gen_full", 400000);
	for (int i = 0; i < 22; i++) {
		s = rig_take(rig, SECOND);
		is_read(s, READ_LRU_GEN, READING_FAILED, EPERM);
		read += s->readings[READ_LRU_GEN_FULL].state == READING_OK;
	}
	assert_int_equal(s->readings[READ_LRU_GEN_FULL].every, 4);
	/* The first two, and then every fourth. */
	assert_int_equal(read, 2 + 5);
}

/* ---- any number of nodes and CPUs: https://github.com/Atoptool/atop/issues/74 ---- */

/* As the case's own generator prints it: on each node one populated zone, five CPU's lines a CPU. */
static char *many_nodes(int nodes, int cpus)
{
	static const char *const zones[] = { "DMA", "DMA32", "Normal", "Movable", "Device" };
	struct buf b = { 0 };

	for (int n = 0; n < nodes; n++)
		for (int z = 0; z < 5; z++) {
			int pages = z == 2 || (n == 0 && z < 2) ? 65536 : 0;

			buf_printf(&b, "Node %d, zone %8s\n", n, zones[z]);
			if ((n == 0 && z == 0) || (n > 0 && z == 2))
				buf_str(&b, "  per-node stats\n      nr_inactive_anon 10\n");
			buf_printf(&b,
				   "  pages free     %d\n        boost    0\n        min      %d\n"
				   "        low      %d\n        high     %d\n        spanned  %d\n"
				   "        present  %d\n        managed  %d\n        cma      0\n"
				   "        protection: (0, 0, 0, 0, 0)\n",
				   pages / 2, pages / 100, pages / 80, pages / 60, pages, pages, pages);
			if (!pages)
				continue;
			buf_str(&b, "  pagesets\n");
			for (int c = 0; c < cpus; c++)
				buf_printf(&b,
					   "    cpu: %d\n              count:    %d\n              high:     100\n"
					   "              batch:    63\n              high_min: 100\n"
					   "              high_max: 500\n  vm stats threshold: 32\n",
					   c, c % 50);
			buf_printf(&b, "  node_unreclaimable:  0\n  start_pfn:           %d\n", n * 65536 + 1);
		}
	return b.data;
}

static void takes_any_number_of_nodes_and_cpus(void **state)
{
	static const struct {
		int nodes, cpus;
	} sizes[] = { { 8, 4 }, { 1024, 2 }, { 2, 8192 }, { 256, 1 }, { 8, 4 } };
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *text = many_nodes(sizes[i].nodes, sizes[i].cpus);
		const struct sample *s;

		fake_set(rig->f, "proc/zoneinfo", text);
		s = rig_take(rig, SECOND);
		is_read(s, READ_ZONEINFO, READING_OK, 0);
		assert_int_equal(s->nzones, 5 * sizes[i].nodes);
		assert_int_equal(s->nnodes, sizes[i].nodes);
		assert_int_equal(s->zones[2].npagesets, sizes[i].cpus);
		assert_int_equal(s->zones[2].pagesets[sizes[i].cpus - 1].count, (sizes[i].cpus - 1) % 50);
		assert_int_equal(s->zones[s->nzones - 3].node, sizes[i].nodes - 1);
		assert_int_equal(s->readings[READ_ZONEINFO].skipped, 0);
		free(text);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(takes_a_sample),
		TEST(knows_the_machine),
		TEST(stamps_with_the_clock),
		TEST(sees_that_a_text_was_cut),
		TEST(empty_is_no_answer),
		TEST(reads_facts_now_and_then),
		TEST(finds_new_zrams),
		TEST(reads_pagetypes_rarely),
		TEST(slow_pagetypes_are_read_less),
		TEST(large_machines_are_spared_pagetypes),
		TEST(reads_the_full_file_where_it_is_short),
		TEST(reads_a_slow_lru_gen_less_often),
		TEST(memory_is_bounded),
		TEST(reads_a_slow_full_file_less_often),
		TEST(takes_any_number_of_nodes_and_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/"

static void without_events(void **state)
{
	struct parsed p = parsed_file(CASE "vmstat-without-events/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_free_pages), 51234);
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_active_file), 18000);
	assert_int_equal(counters_get(&p.s.vmstat, VM_workingset_refault_file), 345);
	assert_true(counters_get(&p.s.vmstat, VM_pgpgin) == UNKNOWN);
	assert_true(counters_get(&p.s.vmstat, VM_pgscan_kswapd) == UNKNOWN);
	assert_true(counters_get(&p.s.vmstat, VM_pgsteal_kswapd) == UNKNOWN);
	assert_true(counters_get(&p.s.vmstat, VM_pgrefill) == UNKNOWN);
	parsed_free(&p);
}

static void above_32_bits(void **state)
{
	struct parsed a = parsed_file(CASE "vmstat-above-32-bits/vmstat.1", vmstat_parse);
	struct parsed b = parsed_file(CASE "vmstat-above-32-bits/vmstat.2", vmstat_parse);
	uint64_t hits =
		counters_get(&b.s.vmstat, VM_numa_hit) - counters_get(&a.s.vmstat, VM_numa_hit);

	(void)state;
	assert_int_equal(counters_get(&a.s.vmstat, VM_numa_hit), 6690743595);
	assert_int_equal(hits / 2, 1612);
	assert_true(counters_get(&a.s.vmstat, VM_pgfault) == 18446744073709551000u);
	assert_int_equal(
		counters_get(&b.s.vmstat, VM_pgfault) - counters_get(&a.s.vmstat, VM_pgfault), 816);
	assert_int_equal(counters_get(&a.s.vmstat, VM_pgscan_kswapd), 10);
	assert_int_equal(counters_get(&b.s.vmstat, VM_pgscan_kswapd), 12);
	assert_int_equal(counters_get(&a.s.vmstat, VM_numa_local), 6690743595);
	parsed_free(&a);
	parsed_free(&b);
}

static void blank_lines(void **state)
{
	struct parsed p = parsed_file(CASE "blank-lines/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_free_pages), 1);
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_dirty), 2);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgscan_kswapd), 3);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgsteal_kswapd), 4);
	assert_int_equal(p.r.skipped, 0);
	assert_true(p.r.cut);
	parsed_free(&p);
	/* Another file of the kind, of lines that are not "name value". */
	p = parsed_file(CASE "blank-lines/stat.original", vmstat_parse);
	assert_int_equal(counters_by_name(&p.s.vmstat, "ctxt"), 93458773);
	assert_int_equal(counters_by_name(&p.s.vmstat, "procs_blocked"), 0);
	assert_int_equal(p.r.skipped, 4);
	parsed_free(&p);
}

static void four_hundred_unknown(void **state)
{
	struct parsed p = parsed_file(CASE "vmstat-400-unknown/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgscan_kswapd), 77);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgsteal_kswapd), 55);
	assert_int_equal(counters_get(&p.s.vmstat, VM_allocstall_normal), 3);
	assert_int_equal(p.s.vmstat.nmore, 400);
	assert_int_equal(counters_by_name(&p.s.vmstat, "nr_new_counter_000"), 0);
	assert_int_equal(counters_by_name(&p.s.vmstat, "nr_new_counter_399"), 399);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void of_the_host(void **state)
{
	struct parsed p = parsed_file(CASE "vmstat-of-host/vmstat", vmstat_parse);
	const struct counters *c = &p.s.vmstat;

	(void)state;
	assert_int_equal(counters_get(c, VM_numa_hit), 23721932465);
	assert_int_equal(counters_get(c, VM_pgfree), 25163358614);
	assert_int_equal(counters_get(c, VM_pgfault), 30284063507);
	assert_int_equal(counters_get(c, VM_pgalloc_dma) + counters_get(c, VM_pgalloc_dma32) +
				 counters_get(c, VM_pgalloc_normal) +
				 counters_get(c, VM_pgalloc_movable),
			 25131594786);
	/* Two zones of four: the excerpt ends there. */
	assert_int_equal(counters_get(c, VM_pgsteal_kswapd), 0);
	assert_int_equal(counters_get(c, VM_pgrefill), 159853 + 7784958);
	assert_true(counters_get(c, VM_pgscan_kswapd) == UNKNOWN);
	assert_int_equal(counters_by_name(c, "nr_alloc_batch"), 1889);
	assert_int_equal(counters_by_name(c, "pgrefill_normal"), 7784958);
	parsed_free(&p);
}

static void zones_are_summed(void **state)
{
	struct parsed p = parsed_string(
		"pgsteal_kswapd_dma 1\npgsteal_kswapd_dma32 20\npgsteal_kswapd_normal 300\n"
		"pgsteal_kswapd_movable 4000\npgscan_direct_high 5\npgscan_direct_throttle 70\n"
		"pgscan_kswapd_other 6\npgscan_kswapd 8\npgscan_kswapd_dma 9\n",
		vmstat_parse);
	const struct counters *c = &p.s.vmstat;

	(void)state;
	assert_int_equal(counters_get(c, VM_pgsteal_kswapd), 4321);
	assert_int_equal(counters_get(c, VM_pgscan_direct), 5);
	assert_int_equal(counters_get(c, VM_pgscan_direct_throttle), 70);
	assert_int_equal(counters_get(c, VM_pgscan_kswapd), 8);
	parsed_free(&p);
}

static void whole_names(void **state)
{
	struct parsed p =
		parsed_string("pgscan_kswap 1\npgscan_kswapd_ 2\npgscan_kswapd 3\nPGSCAN_KSWAPD 4\n"
			      "pgscan_kswapd\t5\nname\x1b 6\n",
			      vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgscan_kswapd), 3);
	assert_int_equal(counters_by_name(&p.s.vmstat, "name\\x1b"), 6);
	assert_int_equal(p.s.vmstat.nmore, 4);
	/* A second value for one name is not taken. */
	assert_int_equal(p.r.skipped, 1);
	parsed_free(&p);
}

static void bad_lines(void **state)
{
	struct parsed p = parsed_string(
		"nr_dirty -5\nnr_writeback 12abc\nnr_mapped\nnr_shmem 1 2\n"
		"pgfault 18446744073709551616\npgfree 18446744073709551613\n"
		"pgpgin 00000000000000000000000000012\npgpgout 99999999999999999999\r\n"
		"pswpin 0x10\n  pswpout   7  \r\n\r\n",
		vmstat_parse);
	static const enum vm_key refused[] = { VM_nr_dirty, VM_nr_writeback, VM_nr_mapped,
					       VM_nr_shmem, VM_pgfault,      VM_pgpgout,
					       VM_pswpin };

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_true(counters_get(&p.s.vmstat, refused[i]) == UNKNOWN);
	assert_int_equal(p.r.skipped, 7);
	assert_true(counters_get(&p.s.vmstat, VM_pgfree) == 18446744073709551613u);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgpgin), 12);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pswpout), 7);
	parsed_free(&p);
}

static void nothing_in_it(void **state)
{
	static const char *const texts[] = { "", "\n \n\n", "words only\n", "nr_dirty x\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct parsed p = parsed_string(texts[i], vmstat_parse);

		assert_int_equal(p.result, -ENODATA);
		assert_null(p.s.vmstat.value);
		parsed_free(&p);
	}
}

static void all_zero(void **state)
{
	struct parsed p = parsed_file(CASE "proc-without-vmstat/proc.gvisor/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(p.result, 0);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgscan_kswapd), 0);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgfault), 0);
	parsed_free(&p);
}

static void kills(void **state)
{
	struct parsed a = parsed_file(CASE "min-ttl-kills/vmstat.1", vmstat_parse);
	struct parsed b = parsed_file(CASE "min-ttl-kills/vmstat.2", vmstat_parse);

	(void)state;
	assert_int_equal(
		counters_get(&b.s.vmstat, VM_oom_kill) - counters_get(&a.s.vmstat, VM_oom_kill), 9);
	assert_int_equal(counters_get(&b.s.vmstat, VM_pgscan_direct), 0);
	parsed_free(&a);
	parsed_free(&b);
}

static void isolated_of_the_machine(void **state)
{
	struct parsed p = parsed_file(CASE "zoneinfo-negative-isolated/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_isolated_anon), 0);
	assert_int_equal(counters_get(&p.s.vmstat, VM_nr_isolated_file), 0);
	parsed_free(&p);
}

static void no_suffix_since_4_8(void **state)
{
	struct parsed p = parsed_file(CASE "zoneinfo-unnamed-counter/vmstat", vmstat_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgscan_kswapd), 0);
	assert_int_equal(counters_get(&p.s.vmstat, VM_pgsteal_kswapd), 0);
	parsed_free(&p);
}

/* A file of a cgroup into its own table. */
static struct counters cgroup_counters(struct parsed *p, const char *path, const struct keytab *tab)
{
	struct text t = text_load(path);
	struct counters c;

	*p = (struct parsed){ .s = { .arena = arena_new() } };
	counters_init(&c, tab, p->s.arena);
	assert_int_equal(counters_parse(t, &c, p->s.arena, &p->r), 0);
	free((char *)t.buf);
	return c;
}

static void dying_cgroups(void **state)
{
	static const struct {
		const char *path;
		uint64_t living, dying, of_memory, dying_of_memory;
	} files[] = {
		{ CASE "cgroup-stat-dying/cgroup.stat.a", 55, 35, 55, 35 },
		{ CASE "cgroup-stat-dying/cgroup.stat.b", 32, 33, 32, 33 },
		{ CASE "cgroup-stat-dying/cgroup.stat.c", 56, 30, 56, 30 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct parsed p;
		struct counters c = cgroup_counters(&p, files[i].path, &keytab_cgroup);

		assert_int_equal(counters_get(&c, CS_nr_descendants), files[i].living);
		assert_int_equal(counters_get(&c, CS_nr_dying_descendants), files[i].dying);
		assert_int_equal(counters_get(&c, CS_nr_subsys_memory), files[i].of_memory);
		assert_int_equal(counters_get(&c, CS_nr_dying_subsys_memory),
				 files[i].dying_of_memory);
		assert_int_equal(p.r.skipped, 0);
		parsed_free(&p);
	}
}

static void memory_stat(void **state)
{
	static const char dir[] = CASE "cgroup-long-names/cg/user.slice/user-1000.slice/";
	struct counters c;
	struct parsed p;
	char path[300];

	(void)state;
	snprintf(path, sizeof(path), "%ssession-2.scope/memory.stat", dir);
	c = cgroup_counters(&p, path, &keytab_memcg);
	assert_int_equal(counters_get(&c, CG_anon), 330788864);
	assert_int_equal(counters_get(&c, CG_file), 417128448);
	assert_int_equal(counters_get(&c, CG_sock), 0);
	assert_true(counters_get(&c, CG_pgscan) == UNKNOWN);
	parsed_free(&p);
	snprintf(path, sizeof(path), "%suser@1000.service/app.slice/"
		 "app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope/memory.stat", dir);
	c = cgroup_counters(&p, path, &keytab_memcg);
	assert_int_equal(counters_get(&c, CG_file), 9663676416);
	parsed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_events),
		cmocka_unit_test(above_32_bits),
		cmocka_unit_test(blank_lines),
		cmocka_unit_test(four_hundred_unknown),
		cmocka_unit_test(of_the_host),
		cmocka_unit_test(zones_are_summed),
		cmocka_unit_test(whole_names),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(nothing_in_it),
		cmocka_unit_test(all_zero),
		cmocka_unit_test(kills),
		cmocka_unit_test(isolated_of_the_machine),
		cmocka_unit_test(no_suffix_since_4_8),
		cmocka_unit_test(dying_cgroups),
		cmocka_unit_test(memory_stat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

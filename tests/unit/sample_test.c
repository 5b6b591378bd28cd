/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_test.c - an empty sample, the tables of names, what a kernel's version and MGLRU's bits
 * mean.
 */
#include "reclaimtop/sample.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void empty(void **state)
{
	struct sample s = { .arena = arena_new(), .n = 7, .nzones = 3 };
	const struct arena *a = s.arena;

	(void)state;
	arena_alloc(s.arena, 100);
	sample_reset(&s);
	assert_ptr_equal(s.arena, a);
	assert_int_equal(arena_used(s.arena), 0);
	assert_int_equal(s.n + s.nzones + s.nlruvecs, 0);
	assert_true(s.machine.mglru == UNKNOWN && s.machine.cpus == UNKNOWN);
	assert_true(s.machine.swappiness == UNKNOWN && s.machine.pcp_high_fraction == UNKNOWN);
	for (int i = 0; i < READ_NR; i++)
		assert_int_equal(s.readings[i].state, READING_NOT_ASKED);
	for (int i = 0; i < PSI_NR; i++)
		assert_true(s.psi[i].some.avg10 == UNKNOWN && s.psi[i].full.total_us == UNKNOWN);
	assert_true(counters_get(&s.vmstat, VM_pgscan_kswapd) == UNKNOWN);
	assert_true(counters_by_name(&s.vmstat, "pgscan_kswapd") == UNKNOWN);
	arena_free(s.arena);
}

static void sources(void **state)
{
	(void)state;
	for (int i = 0; i < READ_NR; i++) {
		assert_non_null(source_infos[i].name);
		assert_int_equal(source_infos[i].path[0], '/');
		for (int j = 0; j < i; j++)
			assert_string_not_equal(source_infos[i].name, source_infos[j].name);
	}
	assert_string_equal(source_infos[READ_LRU_GEN].name, "lru_gen");
}

static void tables_agree(void **state)
{
	static const struct keytab *const tabs[] = { &keytab_vmstat,  &keytab_node,  &keytab_zone,
						     &keytab_meminfo, &keytab_memcg, &keytab_events,
						     &keytab_cgroup };

	(void)state;
	assert_int_equal(keytab_vmstat.n, VM_NR);
	assert_int_equal(keytab_meminfo.n, MEM_NR);
	for (size_t t = 0; t < sizeof(tabs) / sizeof(tabs[0]); t++) {
		for (uint32_t i = 0; i < tabs[t]->n; i++) {
			uint32_t hint = 0;

			assert_int_equal(strlen(tabs[t]->keys[i].name), tabs[t]->keys[i].len);
			assert_int_equal(keytab_find(tabs[t], tabs[t]->keys[i].name,
						     tabs[t]->keys[i].len, &hint),
					 i);
			assert_int_equal(hint, i + 1);
		}
	}
	assert_string_equal(keytab_vmstat.keys[VM_pgsteal_file].name, "pgsteal_file");
	assert_string_equal(keytab_meminfo.keys[MEM_Active_anon].name, "Active(anon)");
}

static void finds_with_any_hint(void **state)
{
	(void)state;
	for (uint32_t start = 0; start < keytab_zone.n + 3; start++) {
		uint32_t hint = start;

		assert_int_equal(keytab_find(&keytab_zone, "nr_mlock", 8, &hint), ZONE_nr_mlock);
		hint = start;
		assert_int_equal(keytab_find(&keytab_zone, "nr_mloc", 7, &hint), keytab_zone.n);
		assert_int_equal(hint, start);
	}
}

static void by_name(void **state)
{
	struct arena *a = arena_new();
	struct named more[] = { { "new_one", 5 } };
	struct counters c;

	(void)state;
	counters_init(&c, &keytab_events, a);
	assert_true(counters_by_name(&c, "oom") == UNKNOWN);
	c.value[EV_oom] = 3;
	c.more = more;
	c.nmore = 1;
	assert_int_equal(counters_by_name(&c, "oom"), 3);
	assert_int_equal(counters_by_name(&c, "new_one"), 5);
	assert_true(counters_by_name(&c, "new") == UNKNOWN);
	assert_true(counters_by_name(&c, "low") == UNKNOWN);
	arena_free(a);
}

static void versions(void **state)
{
	static const struct {
		const char *release;
		uint32_t version;
	} tests[] = {
		{ "7.2.13+deb14-cloud-amd64", 70213 },
		{ "6.1.0-rc7", 60100 },
		{ "6.12.117", 61299 },
		{ "6.12", 61200 },
		{ "5", 50000 },
		{ "2.6.32-754.el6", 20632 },
		{ "6.1.187", 60199 },
		{ "6.x.5", 60000 },
		{ "", 0 },
		{ "next-20260101", 0 },
		{ NULL, 0 },
		{ "99999999999999.1", 990100 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (kernel_version(tests[i].release) != tests[i].version)
			fail_msg("%s is %u", tests[i].release, kernel_version(tests[i].release));
}

static void mglru(void **state)
{
	static const struct {
		uint64_t bits;
		const char *text;
	} tests[] = {
		{ 7, "core, mm_walk, nonleaf_young" },
		{ 0, "off" },
		{ 9, "core, 0x8 (unknown)" },
		{ 1, "core" },
		{ 6, "off, mm_walk, nonleaf_young" },
		{ UNKNOWN, "unknown" },
		{ 0xf0ff, "core, mm_walk, nonleaf_young, 0xf0f8 (unknown)" },
	};
	char out[80];

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		mglru_describe(tests[i].bits, out, sizeof(out));
		assert_string_equal(out, tests[i].text);
	}
	for (size_t size = 0; size < 30; size++) {
		char *exact = malloc(size ? size : 1);

		mglru_describe(7, exact, size);
		assert_true(!size || strlen(exact) < size);
		free(exact);
	}
}

/* A sample in which lru_gen could be read, with one lruvec. */
static struct sample with_lru_gen(struct lruvec *v, uint64_t mglru)
{
	struct sample s = {
		.nlruvecs = 1, .lruvecs = v, .nzones = 1, .machine = { .mglru = mglru }
	};

	s.readings[READ_LRU_GEN].state = READING_OK;
	return s;
}

static void rungs(void **state)
{
	struct lruvec v = { .memcg = 1 };
	struct sample s = with_lru_gen(&v, 7);
	const char *why;

	(void)state;
	assert_int_equal(sample_rung(&s, &why), RUNG_LRU_GEN);
	assert_string_equal(why, "");
	s.readings[READ_LRU_GEN] = (struct reading){ .state = READING_FAILED, .err = EPERM };
	s.readings[READ_LRU_GEN_FULL].state = READING_OK;
	s.machine.lockdown = "integrity";
	assert_int_equal(sample_rung(&s, &why), RUNG_LRU_GEN_FULL);
	assert_non_null(strstr(why, "lockdown"));
	s.nlruvecs = 0;
	assert_int_equal(sample_rung(&s, &why), RUNG_CLASSIC);
	s.nzones = 0;
	assert_int_equal(sample_rung(&s, &why), RUNG_NONE);
	assert_true(strlen(why) > 0);
	s = with_lru_gen(&v, 6);
	assert_int_equal(sample_rung(&s, &why), RUNG_CLASSIC);
	assert_non_null(strstr(why, "switched off"));
	assert_true(strlen(rung_name(RUNG_CLASSIC)) > 0);
}

static void reasons(void **state)
{
	static const struct {
		int err;
		uint64_t mglru;
		const char *word;
	} tests[] = {
		{ ENOENT, UNKNOWN, "without MGLRU" },
		{ ENOENT, 7, "not mounted" },
		{ EACCES, 7, "root" },
		{ EIO, 7, "cannot be read" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		struct sample s = { .nzones = 1, .machine = { .mglru = tests[i].mglru } };
		const char *why;

		s.readings[READ_LRU_GEN] =
			(struct reading){ .state = READING_FAILED, .err = tests[i].err };
		if (tests[i].mglru == UNKNOWN)
			s.readings[READ_MGLRU] = s.readings[READ_LRU_GEN];
		assert_int_equal(sample_rung(&s, &why), RUNG_CLASSIC);
		if (!strstr(why, tests[i].word))
			fail_msg("error %d: %s", tests[i].err, why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty),
		cmocka_unit_test(sources),
		cmocka_unit_test(tables_agree),
		cmocka_unit_test(finds_with_any_hint),
		cmocka_unit_test(by_name),
		cmocka_unit_test(versions),
		cmocka_unit_test(mglru),
		cmocka_unit_test(rungs),
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

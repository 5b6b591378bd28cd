/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pressure_test.c - proc/pressure, proc/meminfo, proc/swaps and zram. */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/"

static int into_memory(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[PSI_MEMORY], r);
}

static void is_psi(const struct psi_line *l, uint64_t a, uint64_t b, uint64_t c, uint64_t total)
{
	assert_int_equal(l->avg10, a);
	assert_int_equal(l->avg60, b);
	assert_int_equal(l->avg300, c);
	assert_int_equal(l->total_us, total);
}

static void is_psi_unknown(const struct psi_line *l)
{
	assert_true(l->avg10 == UNKNOWN && l->avg60 == UNKNOWN);
	assert_true(l->avg300 == UNKNOWN && l->total_us == UNKNOWN);
}

static void cpu_without_full(void **state)
{
	struct parsed p = parsed_file(CASE "pressure-cpu-without-full/pressure/cpu", into_memory);

	(void)state;
	is_psi(&p.s.psi[PSI_MEMORY].some, 265, 278, 292, 111749368752);
	is_psi_unknown(&p.s.psi[PSI_MEMORY].full);
	parsed_free(&p);
	p = parsed_file(CASE "pressure-cpu-without-full/pressure/io", into_memory);
	is_psi(&p.s.psi[PSI_MEMORY].some, 0, 111, 68, 2828208);
	is_psi(&p.s.psi[PSI_MEMORY].full, 0, 91, 56, 2334731);
	parsed_free(&p);
	p = parsed_file(CASE "pressure-cpu-without-full/pressure/memory", into_memory);
	is_psi(&p.s.psi[PSI_MEMORY].full, 0, 0, 0, 0);
	parsed_free(&p);
}

/* A line is taken whole or not at all, and does not spoil the other. */
static void bad_lines(void **state)
{
	static const char *const bad[] = {
		"some avg10=0.00 avg60=0.00 avg300=0.00",
		"some avg10=0.00 avg60=0.00 avg300=x total=1",
		"some avg10=0.00 avg60=0.00 avg300=0.00 total=99999999999999999999",
		"some avg10=-1.00 avg60=0.00 avg300=0.00 total=1",
		"some",
		"some avg10= avg60=0.00 avg300=0.00 total=1",
		"same avg10=0.00 avg60=0.00 avg300=0.00 total=1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[200];
		struct parsed p;

		strcat(strcpy(text, bad[i]),
		       "\n\nfull avg10=1.50 avg60=2.05 avg300=100.00 total=7\r\n");
		p = parsed_string(text, into_memory);
		is_psi_unknown(&p.s.psi[PSI_MEMORY].some);
		is_psi(&p.s.psi[PSI_MEMORY].full, 150, 205, 10000, 7);
		assert_int_equal(p.r.skipped, 1);
		parsed_free(&p);
	}
	for (size_t i = 0; i < 2; i++) {
		struct parsed p = parsed_string(i ? bad[0] : "", into_memory);

		assert_int_equal(p.result, -ENODATA);
		parsed_free(&p);
	}
}

static void negative_memory(void **state)
{
	struct parsed p = parsed_file(CASE "meminfo-negative/meminfo", meminfo_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.meminfo, MEM_MemTotal), 0);
	assert_true(counters_get(&p.s.meminfo, MEM_MemFree) == UNKNOWN);
	assert_true(counters_get(&p.s.meminfo, MEM_MemAvailable) == UNKNOWN);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_Cached), 698016);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_SwapFree), 8266492);
	assert_int_equal(p.r.skipped, 2);
	parsed_free(&p);
	p = parsed_file(CASE "proc-without-vmstat/proc/meminfo", meminfo_parse);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_MemTotal), 8269628);
	assert_true(counters_get(&p.s.meminfo, MEM_Cached) == UNKNOWN);
	parsed_free(&p);
}

static void meminfo_lines(void **state)
{
	struct parsed p = parsed_string(
		"Active(anon):     12 kB\nActive:  30 kB\nHugePages_Total:       7\n"
		"NewThing: 5 kB\nDirty: 4 MB\nMapped 3 kB\n: 1 kB\nSlab: 2 kB kB\nShmem:6 kB\r\n",
		meminfo_parse);

	(void)state;
	assert_int_equal(counters_get(&p.s.meminfo, MEM_Active_anon), 12);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_Active), 30);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_HugePages_Total), 7);
	assert_int_equal(counters_by_name(&p.s.meminfo, "NewThing"), 5);
	assert_int_equal(counters_get(&p.s.meminfo, MEM_Shmem), 6);
	assert_true(counters_get(&p.s.meminfo, MEM_Dirty) == UNKNOWN);
	assert_int_equal(p.r.skipped, 4);
	parsed_free(&p);
}

static void swaps(void **state)
{
	struct parsed p = parsed_string(
		"Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
		"/dev/zram0                              partition\t524284\t\t1234\t\t100\n"
		"/swap\\040file\\134n                     file\t\t2097148\t\t0\t\t-2\n"
		"/short file 1 2\n", swaps_parse);

	(void)state;
	assert_int_equal(p.s.nswaps, 2);
	assert_string_equal(p.s.swaps[0].name, "/dev/zram0");
	assert_string_equal(p.s.swaps[0].type, "partition");
	assert_int_equal(p.s.swaps[0].size_kib, 524284);
	assert_int_equal(p.s.swaps[0].used_kib, 1234);
	assert_int_equal(p.s.swaps[0].priority, 100);
	assert_string_equal(p.s.swaps[1].name, "/swap file\\\\n");
	assert_int_equal(p.s.swaps[1].priority, -2);
	assert_int_equal(p.r.skipped, 1);
	parsed_free(&p);
	p = parsed_string("Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n", swaps_parse);
	assert_int_equal(p.result, 0);
	assert_int_equal(p.s.nswaps, 0);
	parsed_free(&p);
	p = parsed_string("", swaps_parse);
	assert_int_equal(p.result, -ENODATA);
	parsed_free(&p);
}

static int zram_of(const char *string, struct zram *z)
{
	struct text t = text_of(string);
	struct reading r = { .state = READING_OK };
	int result;

	*z = (struct zram){ .name = "zram0", .orig_data = 42 };
	result = zram_parse(t, z, &r);
	free((char *)t.buf);
	return result;
}

static void zrams(void **state)
{
	struct zram z;

	(void)state;
	assert_int_equal(
		zram_of("  4096     74    12288   0  16384       5        6       7        8\n",
			&z),
		0);
	assert_string_equal(z.name, "zram0");
	assert_int_equal(z.orig_data, 4096);
	assert_int_equal(z.compr_data, 74);
	assert_int_equal(z.mem_used, 12288);
	assert_int_equal(z.mem_limit, 0);
	assert_int_equal(z.mem_used_max, 16384);
	assert_int_equal(z.same_pages, 5);
	assert_int_equal(z.pages_compacted, 6);
	assert_int_equal(z.huge_pages, 7);
	assert_int_equal(z.huge_pages_since, 8);
	assert_int_equal(zram_of("1 2 3 4 5 6 7\n", &z), 0);
	assert_int_equal(z.pages_compacted, 7);
	assert_true(z.huge_pages == UNKNOWN && z.huge_pages_since == UNKNOWN);
	assert_int_equal(zram_of("1 2 3 4 5 6 7 8 9 10\n", &z), 0);
	assert_int_equal(zram_of("1 2 3 4 5 6\n", &z), -ENODATA);
	assert_int_equal(z.orig_data, 42);
	assert_int_equal(zram_of("", &z), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_without_full),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(negative_memory),
		cmocka_unit_test(meminfo_lines),
		cmocka_unit_test(swaps),
		cmocka_unit_test(zrams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

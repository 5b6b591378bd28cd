/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * m32.c - the parsers in a program of 32 bits (`make m32`): no library but libc. What may depend
 * on the size of long: counters above 2^32, numbers at the end of 64 bits, sums over whole trees.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/parse.h"
#include "reclaimtop/names.h"

typedef int parse_fn(struct text t, struct sample *s, struct reading *r);

static int failed;

static void is(const char *what, uint64_t value, uint64_t expected)
{
	if (value == expected)
		return;
	printf("%s: %" PRIu64 ", not %" PRIu64 "\n", what, value, expected);
	failed = 1;
}

static struct text load(const char *path)
{
	FILE *f = fopen(path, "r");
	char *buf = mem_alloc(1 << 20);
	struct text t = { buf, 0 };

	if (!f) {
		perror(path);
		exit(1);
	}
	t.len = fread(buf, 1, 1 << 20, f);
	fclose(f);
	return t;
}

static struct sample parse(const char *path, parse_fn *fn)
{
	struct sample s = { .arena = arena_new() };
	struct reading r = { .state = READING_OK };
	struct text t = load(path);

	sample_reset(&s);
	is(path, (uint64_t)fn(t, &s, &r), 0);
	is("lines not understood", r.skipped + r.torn, 0);
	free((char *)t.buf);
	return s;
}

static void counters_above_32_bits(void)
{
	struct sample a = parse("tests/cases/vmstat-above-32-bits/vmstat.1", vmstat_parse);
	struct sample b = parse("tests/cases/vmstat-above-32-bits/vmstat.2", vmstat_parse);

	is("numa_hit", counters_get(&a.vmstat, VM_numa_hit), UINT64_C(6690743595));
	is("numa_hit later", counters_get(&b.vmstat, VM_numa_hit), UINT64_C(6690746819));
	is("pgfault", counters_get(&a.vmstat, VM_pgfault), UINT64_C(18446744073709551000));
	is("pgfault later",
	   counters_get(&b.vmstat, VM_pgfault) - counters_get(&a.vmstat, VM_pgfault), 816);
	is("pgscan_kswapd", counters_get(&a.vmstat, VM_pgscan_kswapd), 10);
	is("nr_free_pages", counters_get(&b.vmstat, VM_nr_free_pages), 100000);
	arena_free(a.arena);
	arena_free(b.arena);
}

/* An id above 2^32 must not become another memcg's. */
static void ids_above_32_bits(void)
{
	struct sample s = parse("tests/cases/lru_gen-headers/h4.newid", lru_gen_parse);

	is("lruvecs", s.nlruvecs, 1);
	is("id", s.lruvecs[0].memcg, UINT64_C(4295032833));
	is("seq", s.lruvecs[0].gens[3].seq, 698);
	arena_free(s.arena);
}

static void tiers_above_31_bits(void)
{
	struct sample s =
		parse("tests/cases/lru_gen_full-two-nodes/lru_gen_full", lru_gen_full_parse);
	uint64_t evicted = 0;

	for (uint32_t i = 0; i < s.nlruvecs; i++)
		for (uint32_t j = 0; j < s.lruvecs[i].nfull; j++)
			for (int tier = 0; tier < TIER_NR; tier++) {
				uint64_t e = s.lruvecs[i].full[j].tiers[TYPE_FILE][tier].evicted;

				evicted += s.lruvecs[i].full[j].seq == 1 && e != UNKNOWN ? e : 0;
			}
	is("evicted", evicted, UINT64_C(3072608360));
	arena_free(s.arena);
}

/* The rows of lru_gen in the C library's own reckoning. */
static void lru_gen_like_scanf(const char *path)
{
	struct sample s = parse(path, lru_gen_parse);
	FILE *f = fopen(path, "r");
	uint64_t sum = 0, rows = 0, our_sum = 0, our_rows = 0;
	char line[1024];

	while (f && fgets(line, sizeof(line), f)) {
		uint64_t seq, age, anon, file;

		if (line[0] != ' ' || sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
					     &seq, &age, &anon, &file) != 4)
			continue;
		sum += seq * 3 + age * 5 + anon * 7 + file * 11;
		rows++;
	}
	if (f)
		fclose(f);
	for (uint32_t i = 0; i < s.nlruvecs; i++)
		for (uint32_t j = 0; j < s.lruvecs[i].ngens; j++, our_rows++) {
			const struct gen *g = &s.lruvecs[i].gens[j];

			our_sum += g->seq * 3 + g->age_ms * 5 + g->pages[0] * 7 + g->pages[1] * 11;
		}
	is("rows", our_rows, rows);
	is(path, our_sum, sum);
	arena_free(s.arena);
}

static void whole_tree(const char *tree)
{
	static const struct {
		const char *path;
		parse_fn *fn;
	} files[] = {
		{ "sys/kernel/debug/lru_gen_full", lru_gen_full_parse },
		{ "proc/vmstat", vmstat_parse },
		{ "proc/zoneinfo", zoneinfo_parse },
		{ "proc/buddyinfo", buddyinfo_parse },
		{ "proc/pagetypeinfo", pagetypeinfo_parse },
		{ "proc/meminfo", meminfo_parse },
		{ "proc/swaps", swaps_parse },
	};
	char path[300];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct sample s;

		snprintf(path, sizeof(path), "tests/roots/%s/%s", tree, files[i].path);
		s = parse(path, files[i].fn);
		arena_free(s.arena);
	}
	snprintf(path, sizeof(path), "tests/roots/%s/sys/kernel/debug/lru_gen", tree);
	lru_gen_like_scanf(path);
}

static void small_files(void)
{
	struct arena *a = arena_new();

	is("2^63 - 4096", number_parse((struct text){ "9223372036854771712\n", 20 }), UNLIMITED);
	is("2^63 - 4097", number_parse((struct text){ "9223372036854771711\n", 20 }),
	   UINT64_C(9223372036854771711));
	is("2^64", number_parse((struct text){ "18446744073709551616", 20 }), UNKNOWN);
	is("uptime", (uint64_t)uptime_parse((struct text){ "31536000.01 1.0\n", 16 }),
	   UINT64_C(31536000010000));
	is("enabled", mglru_parse((struct text){ "0x0007\n", 7 }), 7);
	is("name",
	   (uint64_t)strcmp(name_escape(a, "/a\x1b/eight or more", 17), "/a\\x1b/eight or more"),
	   0);
	arena_free(a);
}

int main(void)
{
	static const char *const trees[] = { "6.1-pressure/10", "6.12-numa2/10", "7.2-numa2/10",
					     "7.2-oddnames/00" };

	counters_above_32_bits();
	ids_above_32_bits();
	tiers_above_31_bits();
	small_files();
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		whole_tree(trees[i]);
	printf("%zu bits: %s\n", sizeof(long) * 8, failed ? "wrong" : "right");
	return failed;
}

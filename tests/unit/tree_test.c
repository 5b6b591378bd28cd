/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captured trees and series of them as a source. */
#include "reclaimtop/source.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_fake.h"

static const struct {
	const char *dir;
	int samples;
	uint32_t version;
	unsigned int nodes, cpus;
} series[] = {
	{ "tests/roots/6.1-disabled", 4, 60100, 1, 2 },   { "tests/roots/6.1-numa2", 15, 60100, 2, 4 },
	{ "tests/roots/6.1-oddnames", 2, 60100, 1, 2 },   { "tests/roots/6.1-pressure", 15, 60100, 1, 2 },
	{ "tests/roots/6.12-disabled", 4, 61299, 1, 2 },  { "tests/roots/6.12-numa2", 15, 61299, 2, 4 },
	{ "tests/roots/6.12-oddnames", 2, 61299, 1, 2 },  { "tests/roots/6.12-pressure", 15, 61299, 1, 2 },
	{ "tests/roots/7.2-disabled", 4, 70213, 1, 2 },   { "tests/roots/7.2-numa2", 15, 70213, 2, 4 },
	{ "tests/roots/7.2-oddnames", 2, 70213, 1, 2 },   { "tests/roots/7.2-pressure", 15, 70213, 1, 2 },
};

#define SERIES (sizeof(series) / sizeof(series[0]))

static struct source *open_tree(const char *dir, bool loop)
{
	const char *why = "";
	struct source *src = source_tree(dir, loop, &why);

	if (!src)
		fail_msg("%s: %s", dir, why);
	return src;
}

static int next(struct source *src, struct sample *s)
{
	return src->ops->next(src, NULL, s);
}

/* ---- the captured series, against a reading by other means ---- */

static unsigned int count_lines(const char *text, const char *start)
{
	unsigned int n = 0;

	for (; text; text = strchr(text, '\n'), text += text != NULL)
		n += !strncmp(text, start, strlen(start));
	return n;
}

static void check_vmstat(const char *tree, const struct sample *s)
{
	char path[256], name[128], *text;
	unsigned long long value;
	int n = 0;

	snprintf(path, sizeof(path), "%s/proc/vmstat", tree);
	text = fake_load(path, NULL);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), n++) {
		assert_int_equal(sscanf(line, "%127s %llu", name, &value), 2);
		if (counters_by_name(&s->vmstat, name) != value)
			fail_msg("%s: %s is not %llu", tree, name, value);
	}
	assert_true(n > 100);
	free(text);
}

static unsigned int found_memcgs;

static int count_memcg(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	found_memcgs += !strcmp(path + ftw->base, "memory.stat");
	return 0;
}

static void check_sample(size_t i, int at, const struct sample *s)
{
	char tree[128], path[256], *text;
	double uptime;

	snprintf(tree, sizeof(tree), "%s/%02d", series[i].dir, at);
	snprintf(path, sizeof(path), "%s/proc/uptime", tree);
	text = fake_load(path, NULL);
	assert_int_equal(sscanf(text, "%lf", &uptime), 1);
	free(text);
	assert_int_equal(s->n, at);
	assert_int_equal(s->mono_us, (int64_t)(uptime * 100 + 0.5) * 10000);
	assert_int_equal(s->interval_us, 0);
	assert_int_equal(s->wall_us, 0);
	assert_false(s->restart);
	assert_int_equal(s->machine.version, series[i].version);
	assert_int_equal(s->machine.page_size, 4096);
	assert_int_equal(s->machine.hz, 100);
	assert_int_equal(s->machine.cpus, series[i].cpus);
	assert_int_equal(s->machine.nodes, series[i].nodes);
	assert_int_equal(s->machine.swappiness, 60);
	assert_int_equal(s->nnodes, series[i].nodes);
	assert_int_equal(s->nzones, 5 * series[i].nodes);
	snprintf(path, sizeof(path), "%s/sys/kernel/debug/lru_gen", tree);
	text = fake_load(path, NULL);
	/* A memcg may be called "/node     0", but its line begins with "memcg". */
	assert_int_equal(s->nlruvecs, count_lines(text, " node"));
	free(text);
	assert_int_equal(s->lruvecs[0].nfull, 4);
	check_vmstat(tree, s);
	snprintf(path, sizeof(path), "%s/sys/fs/cgroup", tree);
	found_memcgs = 0;
	assert_int_equal(nftw(path, count_memcg, 16, FTW_PHYS), 0);
	assert_true(found_memcgs > 0);
	/* A removed cgroup's lruvecs are still there for a while: its folder is not. */
	assert_int_equal(s->nmemcgs, found_memcgs);
	assert_int_equal(s->memcgs_left_out, 0);
}

static void plays_the_captured_series(void **state)
{
	struct sample s = { 0 };

	(void)state;
	for (size_t i = 0; i < SERIES; i++) {
		struct source *src = open_tree(series[i].dir, false);
		char label[128];

		snprintf(label, sizeof(label), "tree %s, %d samples", series[i].dir + strlen("tests/roots/"),
			 series[i].samples);
		assert_string_equal(src->label, label);
		assert_int_equal(src->can, SOURCE_SEEK);
		for (int at = 0; at < series[i].samples; at++) {
			assert_int_equal(next(src, &s), 0);
			check_sample(i, at, &s);
			for (int id = 0; id < READ_NR; id++)
				if (id != READ_ZRAM && id != READ_PAGETYPEINFO && id != READ_PROCESSES &&
				    id != READ_EVENTS)
					assert_int_equal(s.readings[id].state, READING_OK);
		}
		assert_int_equal(next(src, &s), 1);
		assert_int_equal(next(src, &s), 1);
		source_close(src);
	}
	arena_free(s.arena);
}

static void reads_one_tree(void **state)
{
	struct source *src = open_tree("tests/roots/7.2-pressure/05/", false);
	struct sample s = { 0 };

	(void)state;
	assert_string_equal(src->label, "tree 05");
	assert_int_equal(next(src, &s), 0);
	assert_int_equal(s.mono_us, 12210000);
	assert_int_equal(next(src, &s), 1);
	source_close(src);
	src = open_tree("tests/roots/7.2-pressure/05", true);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.n, i);
		assert_int_equal(s.restart, i > 0);
	}
	source_close(src);
	arena_free(s.arena);
}

static unsigned int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void a_loop_says_where_it_begins_again(void **state)
{
	struct source *src = open_tree("tests/roots/6.1-disabled", true);
	struct sample s = { 0 };
	unsigned int before = 0;

	(void)state;
	for (int i = 0; i < 13; i++) {
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.n, i);
		assert_int_equal(s.restart, i > 0 && i % 4 == 0);
		assert_int_equal(s.mono_us < 7000000, i % 4 == 0);
		before = before ? before : open_descriptors();
		assert_int_equal(open_descriptors(), before);
	}
	source_close(src);
	arena_free(s.arena);
}

static void seeks(void **state)
{
	static const struct {
		int64_t t_us, found_us;
	} places[] = {
		{ 0, 1730000 }, { 1730001, 5960000 }, { 12210000, 12210000 }, { 27000000, 27630000 }, { -5, 1730000 },
	};
	struct source *src = open_tree("tests/roots/7.2-pressure", false);
	struct sample s = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_int_equal(src->ops->seek(src, places[i].t_us), 0);
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.mono_us, places[i].found_us);
		/* What comes after a jump does not follow what came before it. */
		assert_true(s.restart);
	}
	assert_int_equal(next(src, &s), 0);
	assert_int_equal(s.mono_us, 5960000);
	assert_false(s.restart);
	assert_int_equal(src->ops->seek(src, 27630001), 0);
	assert_int_equal(next(src, &s), 1);
	source_close(src);
	arena_free(s.arena);
}

static void pagetypes_cost_nothing_in_a_tree(void **state)
{
	static const struct interest in = { .pagetypes = true, .processes = true };
	struct source *src = open_tree("tests/roots/7.2-pressure", false);
	struct sample s = { 0 };

	(void)state;
	while (!src->ops->next(src, &in, &s)) {
		assert_int_equal(s.readings[READ_PAGETYPEINFO].state, READING_OK);
		assert_true(s.npagetypes > 0);
		/* The processes would be those of this machine. */
		assert_int_equal(s.readings[READ_PROCESSES].state, READING_NOT_ASKED);
		assert_int_equal(s.nprocesses, 0);
	}
	source_close(src);
	arena_free(s.arena);
}

/* ---- trees that are made here ---- */

static void orders_by_number(void **state)
{
	static const char *const names[] = { "10", "9", "007", "x1", "100000000000000000000001", "100000000000000000000000", "1a" };
	static const int order[] = { 7, 9, 10, 30, 40 };
	static const int uptimes[] = { 10, 9, 7, 1, 40, 30, 2 };
	char *dir = fake_tempdir(), path[64], text[32];
	struct source *src;
	struct sample s = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/proc/uptime", names[i]);
		snprintf(text, sizeof(text), "%d.00 1.00\n", uptimes[i]);
		fake_write(dir, path, text);
	}
	fake_write(dir, "5/no-tree", "");
	fake_write(dir, "6", "a file");
	src = open_tree(dir, false);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.mono_us, order[i] * INT64_C(1000000));
	}
	assert_int_equal(next(src, &s), 1);
	source_close(src);
	arena_free(s.arena);
	fake_tempdir_remove(dir);
}

static void says_why_there_is_no_tree(void **state)
{
	char *dir = fake_tempdir(), path[4096];
	const char *why = NULL;

	(void)state;
	assert_null(source_tree(dir, false, &why));
	assert_int_equal(errno, ENODATA);
	assert_string_equal(why, "it holds neither proc nor numbered folders that hold proc");
	fake_write(dir, "00/sys/x", "");
	fake_write(dir, "proc", "no folder");
	assert_null(source_tree(dir, false, &why));
	assert_int_equal(errno, ENODATA);
	snprintf(path, sizeof(path), "%s/proc", dir);
	assert_null(source_tree(path, false, &why));
	assert_int_equal(errno, ENOTDIR);
	assert_string_equal(why, "it is no folder");
	snprintf(path, sizeof(path), "%s/none", dir);
	assert_null(source_tree(path, false, &why));
	assert_int_equal(errno, ENOENT);
	assert_string_equal(why, "there is no such folder");
	fake_tempdir_remove(dir);
}

static void a_tree_that_goes_away(void **state)
{
	char *dir = fake_tempdir(), path[4096], moved[4096];
	struct source *src;
	struct sample s = { 0 };

	(void)state;
	fake_write(dir, "0/proc/uptime", "1.00 1.00\n");
	fake_write(dir, "1/proc/uptime", "2.00 1.00\n");
	fake_write(dir, "2/proc/uptime", "3.00 1.00\n");
	src = open_tree(dir, false);
	assert_int_equal(next(src, &s), 0);
	snprintf(path, sizeof(path), "%s/1", dir);
	snprintf(moved, sizeof(moved), "%s/x", dir);
	assert_int_equal(rename(path, moved), 0);
	assert_int_equal(next(src, &s), -ENOENT);
	assert_int_equal(next(src, &s), 0);
	assert_int_equal(s.mono_us, 3000000);
	assert_int_equal(next(src, &s), 1);
	source_close(src);
	arena_free(s.arena);
	fake_tempdir_remove(dir);
}

/* https://github.com/microsoft/WSL/issues/1071 */
static void a_proc_with_few_files(void **state)
{
	struct source *src = open_tree("tests/cases/proc-without-vmstat", false);
	struct sample s = { 0 };
	const char *reason;

	(void)state;
	assert_int_equal(next(src, &s), 0);
	assert_int_equal(s.mono_us, 111110000);
	assert_int_equal(counters_get(&s.meminfo, MEM_MemTotal), 8269628);
	assert_int_equal(counters_get(&s.meminfo, MEM_MemFree), 2155612);
	for (int id = 0; id < READ_NR; id++)
		if (id != READ_MEMINFO && id != READ_PAGETYPEINFO && id != READ_PROCESSES && id != READ_EVENTS) {
			assert_int_equal(s.readings[id].state, READING_FAILED);
			/* Without /sys/kernel/mm nothing tells whether MGLRU was built in. */
			assert_int_equal(s.readings[id].err, id == READ_MGLRU ? ENODEV : ENOENT);
		}
	assert_true(counters_get(&s.vmstat, VM_nr_free_pages) == UNKNOWN);
	assert_null(s.machine.kernel);
	assert_true(s.machine.cpus == UNKNOWN);
	assert_int_equal(s.machine.page_size, 4096);
	assert_int_equal(sample_rung(&s, &reason), RUNG_NONE);
	source_close(src);
	arena_free(s.arena);
}

/* https://github.com/google/gvisor/issues/1336: zeros are what it says, and no time passes without a clock. */
static void a_proc_full_of_zeros(void **state)
{
	char *dir = fake_tempdir(), *text = fake_load("tests/cases/proc-without-vmstat/proc.gvisor/vmstat", NULL);
	struct source *src;
	struct sample s = { 0 };

	(void)state;
	fake_write(dir, "0/proc/vmstat", text);
	fake_write(dir, "1/proc/vmstat", text);
	src = open_tree(dir, false);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.readings[READ_VMSTAT].state, READING_OK);
		assert_int_equal(counters_get(&s.vmstat, VM_nr_free_pages), 0);
		assert_int_equal(counters_get(&s.vmstat, VM_pgsteal_kswapd), 0);
		assert_true(counters_get(&s.vmstat, VM_pgscan_direct) == UNKNOWN);
		assert_int_equal(s.mono_us, 0);
	}
	source_close(src);
	arena_free(s.arena);
	free(text);
	fake_tempdir_remove(dir);
}

static void finds_the_page_size(void **state)
{
	static const struct {
		unsigned long managed, total_kib;
		uint32_t page_size;
	} sizes[] = {
		{ 125000, 500000, 4096 },  { 125000, 490000, 4096 },   { 125000, 1000000, 8192 },
		{ 515000, 8235000, 16384 }, { 125000, 8000000, 65536 }, { 125000, 750000, 4096 },
		{ 125000, 0, 4096 },       { 0, 500000, 4096 },
	};
	char *dir = fake_tempdir(), zoneinfo[512], meminfo[64];
	struct sample s = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct source *src;

		snprintf(zoneinfo, sizeof(zoneinfo),
			 "Node 0, zone   Normal\n  pages free     5\n        min      1\n        low      2\n"
			 "        high     3\n        managed  %lu\n        protection: (0)\n",
			 sizes[i].managed);
		snprintf(meminfo, sizeof(meminfo), "MemTotal:       %lu kB\n", sizes[i].total_kib);
		fake_write(dir, "proc/zoneinfo", zoneinfo);
		fake_write(dir, "proc/meminfo", meminfo);
		src = open_tree(dir, false);
		assert_int_equal(next(src, &s), 0);
		assert_int_equal(s.machine.page_size, sizes[i].page_size);
		source_close(src);
	}
	arena_free(s.arena);
	fake_tempdir_remove(dir);
}

/* The folder's name is on the screen's first line. */
static void a_label_can_be_shown(void **state)
{
	char *dir = fake_tempdir(), path[4096];
	struct source *src;

	(void)state;
	fake_write(dir, "a\x1b[31mb/proc/uptime", "1.00 1.00\n");
	snprintf(path, sizeof(path), "%s/a\x1b[31mb//", dir);
	src = open_tree(path, false);
	assert_string_equal(src->label, "tree a\\x1b[31mb");
	source_close(src);
	fake_tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays_the_captured_series),
		cmocka_unit_test(reads_one_tree),
		cmocka_unit_test(a_loop_says_where_it_begins_again),
		cmocka_unit_test(seeks),
		cmocka_unit_test(pagetypes_cost_nothing_in_a_tree),
		cmocka_unit_test(orders_by_number),
		cmocka_unit_test(says_why_there_is_no_tree),
		cmocka_unit_test(a_tree_that_goes_away),
		cmocka_unit_test(a_proc_with_few_files),
		cmocka_unit_test(a_proc_full_of_zeros),
		cmocka_unit_test(finds_the_page_size),
		cmocka_unit_test(a_label_can_be_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Pagesets view: vessels, how many CPUs fold, what is stranded, sizes of what went.
 */
#include "ui/tui/pagesets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/buf.h"
#include "support_fake.h"
#include "support_golden.h"
#include "support_grid.h"
#include "support_sample.h"
#include "support_script.h"
#include "support_series.h"

static bool shows(const struct stage *s, const char *text)
{
	int col;

	return find_text(&s->grid, text, &col) >= 0;
}

/* --- machines made of texts --- */

/* What one CPU's pageset holds; high is 1000, batch 31. */
typedef unsigned int count_function(unsigned int cpu);

static void put_zone(struct buf *out, const char *name, unsigned int free, unsigned int cpus,
		     count_function *count)
{
	buf_printf(
		out,
		"Node 0, zone %8s\n  pages free     %u\n        boost    0\n        min      100\n"
		"        low      200\n        high     300\n        spanned  100000\n        present  100000\n"
		"        managed  100000\n        cma      0\n        protection: (0, 0, 0, 0)\n"
		"      nr_free_pages %u\n  pagesets\n",
		name, free, free);
	for (unsigned int i = 0; i < cpus; i++)
		buf_printf(out,
			   "    cpu: %u\n              count:    %u\n              high:     1000\n"
			   "              batch:    31\n              high_min: 500\n"
			   "              high_max: 9000\n",
			   i, count(i));
	buf_str(out, "  node_unreclaimable:  0\n  start_pfn:           1\n");
}

static void write_tree(const char *dir, int n, const struct buf *zoneinfo)
{
	char path[32], uptime[32];

	snprintf(path, sizeof(path), "%02d/proc/uptime", n);
	snprintf(uptime, sizeof(uptime), "%d.00 50.00\n", 100 + n);
	fake_write(dir, path, uptime);
	snprintf(path, sizeof(path), "%02d/proc/version", n);
	fake_write(dir, path, "Linux version 6.12.1 (test)\n");
	snprintf(path, sizeof(path), "%02d/proc/zoneinfo", n);
	fake_write(dir, path, zoneinfo->data);
	snprintf(path, sizeof(path), "%02d/proc/buddyinfo", n);
	fake_write(
		dir, path,
		"Node 0, zone   Normal     10      9      8      7      6      5      4      3      2      1      0 \n");
}

/* Two samples of one zone. */
static char *machine(unsigned int free, unsigned int cpus, count_function *before,
		     count_function *now)
{
	char *dir = fake_tempdir();

	for (int n = 0; n < 2; n++) {
		struct buf text = { 0 };

		put_zone(&text, "Normal", free, cpus, n ? now : before);
		write_tree(dir, n, &text);
		buf_fini(&text);
	}
	return dir;
}

static void show(struct stage *s, const char *dir, int rows, int cols)
{
	const struct tui_options options = { .view = VIEW_PAGESETS };

	stage_open(s, dir, &options);
	stage_size(s, rows, cols);
	stage_to(s, 1);
}

static void done(struct stage *s, char *dir)
{
	stage_close(s);
	fake_tempdir_remove(dir);
}

static unsigned int rising(unsigned int cpu)
{
	return cpu * 4;
}

static unsigned int falling(unsigned int cpu)
{
	return 1020 - cpu * 4;
}

static unsigned int half(unsigned int cpu)
{
	return 500 + cpu;
}

static unsigned int over(unsigned int cpu)
{
	return cpu == 1 ? 1234 : cpu == 0 ? 0 : 31;
}

/* --- many CPUs --- */

static void many_cpus_fold_and_open(void **state)
{
	char *dir = machine(5000, 256, rising, falling);
	struct stage s;
	int col;

	(void)state;
	show(&s, dir, 40, 120);
	assert_true(shows(&s, "256 CPUs: a column each"));
	assert_true(shows(&s, "cpu 0: 3.98M of 3.91M"));
	stage_keys(&s, "<Right><Right><Right>");
	/* 1020 - 12 is 1008 pages. */
	assert_true(shows(&s, "cpu 3: 3.94M of 3.91M"));
	stage_keys(&s, "<Enter>");
	assert_true(shows(&s, "CPUs 0-11 of 256"));
	assert_true(find_text(&s.grid, "102%!", &col) >= 0);
	for (int i = 0; i < 20; i++)
		stage_keys(&s, "<Right>");
	assert_true(shows(&s, "CPUs 12-23 of 256"));
	for (int i = 0; i < 300; i++)
		stage_keys(&s, "<Right>");
	assert_true(shows(&s, "CPUs 244-255 of 256"));
	stage_keys(&s, "<Enter>");
	assert_true(shows(&s, "256 CPUs: a column each"));
	assert_true(shows(&s, "cpu 255: 0 of 3.91M"));
	done(&s, dir);
}

/* On any screen they have one row a hundred and less; nothing is lost. */
static void many_cpus_at_any_size(void **state)
{
	static const int sizes[][2] = { { 1, 1 },   { 8, 40 },   { 10, 40 }, { 20, 60 },
					{ 24, 80 }, { 60, 200 }, { 9, 300 }, { 100, 45 } };
	char *dir = machine(50, 256, falling, half);
	struct stage s;

	(void)state;
	show(&s, dir, 24, 80);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		stage_size(&s, sizes[i][0], sizes[i][1]);
		stage_keys(&s, "<Right><Enter><Right>pv<Enter><Left>vpe<Down><Esc>u");
	}
	done(&s, dir);
}

/* --- one vessel --- */

/* 31 pages at 4 KiB are 124K; 1234 pages are 4.82M, 123 % of high. */
static void what_a_vessel_says(void **state)
{
	char *dir = machine(5000, 3, half, over);
	struct stage s;

	(void)state;
	show(&s, dir, 40, 120);
	assert_true(shows(&s, "123% over"));
	assert_true(shows(&s, "4.82M of 3.91M"));
	assert_true(shows(&s, "a tick 4 batches of 124K"));
	/* 501 -> 1234: 733 pages came, 23.6 batches; 500 -> 0 went, 16.1; 502 -> 31: 471, 15.2. */
	assert_true(shows(&s, "▲ ~2.86M/s net"));
	/* Both that fell together: 971 pages. */
	assert_true(shows(&s, "~3.79M/s leave, ~2.86M/s come in, net."));
	assert_true(shows(&s, "23.6 batches"));
	assert_true(shows(&s, "▼ ~1.95M/s net"));
	assert_true(shows(&s, "16.1 batches"));
	assert_true(shows(&s, "15.2 batches"));
	/* high stands between 500 and 9000 pages. */
	assert_true(shows(&s, "1.95M"));
	assert_true(shows(&s, "35.2M"));
	stage_keys(&s, "v");
	assert_true(shows(&s, "high may be"));
	done(&s, dir);
}

/* More than 32 batches at once is more than one bulk, and marked. */
static unsigned int empty(unsigned int cpu)
{
	(void)cpu;
	return 0;
}

static unsigned int full(unsigned int cpu)
{
	return cpu ? 993 : 992;
}

static void more_than_a_bulk_is_marked(void **state)
{
	char *dir = machine(5000, 2, empty, full);
	struct stage s;
	int row, col;

	(void)state;
	show(&s, dir, 40, 120);
	row = find_text(&s.grid, "several bulks", &col);
	assert_true(row >= 0 && col > 30);
	assert_true(shows(&s, "32.0 batches"));
	done(&s, dir);
	/* Without room for words it is a mark, and the last line says what it means. */
	dir = machine(5000, 10, empty, full);
	show(&s, dir, 40, 120);
	assert_true(shows(&s, "32batch!"));
	assert_true(shows(&s, "32 batch "));
	assert_true(shows(&s, "! more than 32 batches"));
	done(&s, dir);
}

static void stranded_pages_stand_out(void **state)
{
	char *dir = machine(150, 2, half, half);
	struct stage s;
	int col, row;

	(void)state;
	show(&s, dir, 24, 80);
	/* 500 and 501 pages, while 150 are free and low is 200. */
	row = find_text(&s.grid, "3.91M stranded", &col);
	assert_true(row >= 0);
	assert_int_equal(s.grid.cells[row * s.grid.cols + col].style, STYLE_ALARM);
	assert_true(shows(&s, "no change"));
	done(&s, dir);
}

static void ticks_are_few_enough(void **state)
{
	struct rng r = { 4 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct pageset set = { .high = rng_below(&r, 200000),
				       .batch = 1 + rng_below(&r, 100) };
		int height = 1 + (int)rng_below(&r, 20);
		uint64_t each = vessel_tick(&set, height);

		assert_true(each >= 1);
		assert_true(set.high / (set.batch * each) <= (uint64_t)height);
		assert_true(each == 1 || set.high / (set.batch * each / 2) > (uint64_t)height);
	}
	assert_int_equal(vessel_tick(&(struct pageset){ .high = UNKNOWN, .batch = 31 }, 4), 0);
	assert_int_equal(vessel_tick(&(struct pageset){ .high = 100, .batch = UNKNOWN }, 4), 0);
}

/* --- sizes --- */

/*
 * By awk over the counts of all DMA32 pagesets of the series, batch 31: drains of up to 1, 2, 4, 8, 16, 32 batches and
 * more: 1 2 4 3 1 0 2; refills 6 3 2 3 0 0 1.
 */
static void sizes_are_counted(void **state)
{
	static const uint64_t drains[] = { 1, 2, 4, 3, 1, 0, 2 },
			      refills[] = { 6, 3, 2, 3, 0, 0, 1 };
	struct series *series = series_load("tests/roots/7.2-pressure");
	struct step st = { .arena = arena_new() };
	struct heat *h = heat_new(1);
	uint32_t found = 0;

	(void)state;
	for (uint32_t i = 0; i < series->n; i++) {
		step_make(i ? &series->samples[i - 1] : NULL, &series->samples[i], &st);
		heat_add(h, i, &st, 0);
	}
	for (uint32_t i = 0; i < h->nzones; i++)
		if (!strcmp(h->zones[i].name, "DMA32")) {
			found++;
			assert_memory_equal(h->zones[i].drains, drains, sizeof(drains));
			assert_memory_equal(h->zones[i].refills, refills, sizeof(refills));
		}
	assert_int_equal(found, 1);
	heat_free(h);
	arena_free(st.arena);
	series_free(series);
}

/* Before there is anything to compare with, no size is known: a dash, and why. None is 0. */
static void no_size_is_known_from_one_reading(void **state)
{
	char *dir = machine(5000, 3, half, over);
	struct stage s;
	int col, row;

	(void)state;
	stage_open(&s, dir, &(struct tui_options){ .view = VIEW_PAGESETS });
	stage_size(&s, 40, 120);
	stage_to(&s, 0);
	assert_true(shows(&s, "No sizes: they are known from the next reading"));
	for (int i = 0; i < 2; i++) {
		row = find_text(&s.grid, i ? "▲ rose" : "▼ fell", &col);
		assert_true(row >= 0);
		for (col += 6; col < s.grid.cols; col++)
			assert_null(strchr("0123456789", s.grid.cells[row * s.grid.cols + col].text[0]));
	}
	stage_to(&s, 1);
	assert_false(shows(&s, "No sizes"));
	done(&s, dir);
}

/* --- as they were --- */

static void take(const char *name, const char *dir, const char *keys, struct buf *out)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 40, 120 }, { 24, 80 }, { 20, 60 } };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage s;

		show(&s, dir, sizes[i].rows, sizes[i].cols);
		stage_keys(&s, keys);
		buf_printf(out, "---- %s, keys %s, %dx%d\n", name, keys, sizes[i].cols,
			   sizes[i].rows);
		grid_dump(&s.grid, i == 1, out);
		stage_close(&s);
	}
}

static void screens_are_as_they_were(void **state)
{
	static const struct {
		const char *name, *series, *keys;
		unsigned int free, cpus;
		count_function *before, *now;
	} shots[] = {
		{ "pagesets-table", "tests/roots/7.2-pressure", "v", 0, 0, NULL, NULL },
		{ "pagesets-odd", "tests/roots/7.2-oddnames", "", 0, 0, NULL, NULL },
		{ "pagesets-256", NULL, "<Right>", 5000, 256, rising, falling },
		{ "pagesets-256-open", NULL, "<Enter><Right>", 5000, 256, rising, falling },
		{ "pagesets-stranded", NULL, "", 150, 4, half, over },
	};
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		char *dir = shots[i].series ? NULL
					    : machine(shots[i].free, shots[i].cpus, shots[i].before,
						      shots[i].now);
		struct buf is = { 0 };

		take(shots[i].name, dir ? dir : shots[i].series, shots[i].keys, &is);
		wrong += !golden_is(shots[i].name, &is);
		buf_fini(&is);
		if (dir)
			fake_tempdir_remove(dir);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_cpus_fold_and_open),
		cmocka_unit_test(many_cpus_at_any_size),
		cmocka_unit_test(what_a_vessel_says),
		cmocka_unit_test(more_than_a_bulk_is_marked),
		cmocka_unit_test(stranded_pages_stand_out),
		cmocka_unit_test(ticks_are_few_enough),
		cmocka_unit_test(sizes_are_counted),
		cmocka_unit_test(no_size_is_known_from_one_reading),
		cmocka_unit_test(screens_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

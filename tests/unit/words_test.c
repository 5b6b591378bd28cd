/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words_test.c - what the screen says in words: nothing that is not known, and each dash with its reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "support_fake.h"
#include "support_grid.h"
#include "support_script.h"

#define QUIET "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"

static bool shows(const struct stage *s, const char *text)
{
	int col;

	return find_text(&s->grid, text, &col) >= 0;
}

static void put_zone(const char *dir, const char *n, int unused)
{
	char path[64], text[400];

	snprintf(path, sizeof(path), "%s/proc/zoneinfo", n);
	snprintf(text, sizeof(text), "Node 0, zone   Normal\n  pages free     %d\n        min      100\n        low      125\n"
		 "        high     150\n        spanned  90000\n        present  90000\n        managed  90000\n", unused);
	fake_write(dir, path, text);
}

static void put_vmstat(const char *dir, const char *n, int direct, int stalls)
{
	char path[64], text[400];

	snprintf(path, sizeof(path), "%s/proc/uptime", n);
	snprintf(text, sizeof(text), "%d.00 50.00\n", 100 + (n[1] - '0'));
	fake_write(dir, path, text);
	snprintf(path, sizeof(path), "%s/proc/vmstat", n);
	snprintf(text, sizeof(text), "allocstall_normal %d\npgsteal_kswapd 5\npgsteal_direct %d\npgsteal_khugepaged 0\n"
		 "pgsteal_proactive 0\npgscan_kswapd 5\npgscan_direct %d\npgscan_khugepaged 0\npgscan_proactive 0\n"
		 "pgsteal_anon %d\npgsteal_file 5\npgscan_anon %d\npgscan_file 5\n",
		 stalls, direct, direct, direct, direct);
	fake_write(dir, path, text);
}

/* Two samples in which nothing is taken. */
static char *quiet(int unused, bool pressure)
{
	static const char *const names[] = { "00", "01" };
	char *dir = fake_tempdir(), path[64];

	for (int i = 0; i < 2; i++) {
		put_vmstat(dir, names[i], 0, 0);
		if (unused)
			put_zone(dir, names[i], unused);
		snprintf(path, sizeof(path), "%s/proc/pressure/memory", names[i]);
		if (pressure)
			fake_write(dir, path, QUIET);
	}
	return dir;
}

static void show(struct stage *s, const char *dir)
{
	stage_open(s, dir, NULL);
	stage_size(s, 40, 120);
	stage_to(s, 1);
}

static void is_said_of(char *dir, const char *yes, const char *no)
{
	struct stage s;

	show(&s, dir);
	stage_press(&s, 'x');
	if (!shows(&s, yes) || (no && shows(&s, no)))
		fail_msg("not \"%s\", or \"%s\"", yes, no);
	stage_close(&s);
	fake_tempdir_remove(dir);
}

/* Enough there was where that is known, and only there. */
static void enough_is_known_or_not_said(void **state)
{
	(void)state;
	is_said_of(quiet(5000, true), "took nothing: there was memory enough.", NULL);
	is_said_of(quiet(5000, false), "took nothing.", "memory enough");
	is_said_of(quiet(0, true), "took nothing.", "memory enough");
	is_said_of(quiet(110, true), "took nothing.", "memory enough");
}

/* Since 7.1 what is taken at the limit of a memcg is direct, and is no stall: then there is no contradiction in the two. */
static void direct_without_a_stall(void **state)
{
	static const char *const names[] = { "00", "01" };
	char *dir = fake_tempdir(), path[64], text[100];
	struct stage s;

	(void)state;
	for (int i = 0; i < 2; i++) {
		put_vmstat(dir, names[i], 5000 * i, 3);
		snprintf(path, sizeof(path), "%s/proc/pressure/memory", names[i]);
		snprintf(text, sizeof(text), "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n", 70000 * i);
		fake_write(dir, path, text);
		snprintf(path, sizeof(path), "%s/sys/fs/cgroup/job/memory.current", names[i]);
		fake_write(dir, path, "1048576\n");
		snprintf(path, sizeof(path), "%s/sys/fs/cgroup/job/memory.events", names[i]);
		snprintf(text, sizeof(text), "low 0\nhigh 0\nmax %d\noom 0\noom_kill 0\n", 50 * i);
		fake_write(dir, path, text);
		snprintf(path, sizeof(path), "%s/sys/fs/cgroup/job/memory.max", names[i]);
		fake_write(dir, path, "1048576\n");
		snprintf(path, sizeof(path), "%s/sys/fs/cgroup/cgroup.controllers", names[i]);
		fake_write(dir, path, "memory\n");
	}
	show(&s, dir);
	assert_true(shows(&s, "zone stalls 0/s"));
	stage_press(&s, 'x');
	assert_true(shows(&s, "100% of it by tasks of memcgs at their limit"));
	assert_true(shows(&s, "no zone was short for it (zone stalls 0)"));
	stage_close(&s);
	fake_tempdir_remove(dir);
}

/* --- explanations --- */

/* Step through all numbers until the panel has this title. */
static bool explain(struct stage *s, const char *title)
{
	stage_press(s, 'e');
	for (int i = 0; i < 200 && !shows(s, title); i++)
		stage_keys(s, "<Down>");
	return shows(s, title);
}

static void a_dash_has_its_reason(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, "tests/roots/7.2-pressure", NULL);
	stage_size(&s, 24, 80);
	stage_to(&s, 14);
	assert_true(explain(&s, "─ efficiency, in %"));
	/* The first of them is kswapd's, which scanned something; the next is khugepaged's. */
	for (int i = 0; i < 6 && !shows(&s, "nothing was scanned"); i++)
		stage_keys(&s, "<Down>");
	assert_true(shows(&s, "nothing was scanned in this step"));
	assert_false(shows(&s, "was read"));
	stage_close(&s);
}

/* What the title says is what stands on screen. */
static void units_agree(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, "tests/roots/7.2-pressure", NULL);
	stage_to(&s, 8);
	assert_true(explain(&s, "─ stolen, in bytes/s"));
	assert_true(shows(&s, " pages in 1.5s, measured"));
	stage_press(&s, 'u');
	assert_true(shows(&s, "─ stolen, in pages/s"));
	stage_press(&s, 'e');
	assert_true(explain(&s, "─ memory, in pages"));
	stage_press(&s, 'u');
	assert_true(shows(&s, "─ memory, in bytes"));
	stage_close(&s);
}

/* A sentence that had to be cut is there as a whole, with what it is taken from. */
static void a_finding_is_shown_whole(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, "tests/roots/7.2-pressure", NULL);
	stage_size(&s, 20, 60);
	stage_to(&s, 8);
	stage_press(&s, '3');
	assert_true(explain(&s, "─ a finding: direct-stalls"));
	assert_true(shows(&s, "memory pressure cost"));
	assert_true(shows(&s, "vmstat allocstall_* +47"));
	stage_close(&s);
}

/* Zone DMA32 of that sample: boost 1480 pages, which are in its min 2139, low 2303. */
static void boost_is_named(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, "tests/roots/6.12-pressure", NULL);
	stage_size(&s, 40, 240);
	stage_to(&s, 14);
	stage_press(&s, 'u');
	stage_press(&s, 'x');
	assert_true(shows(&s, "(min and low are raised by 1.48k for a while: boost)"));
	stage_press(&s, '4');
	assert_true(shows(&s, "1.48k of each is boost"));
	stage_press(&s, 'x');
	assert_true(shows(&s, "The marks of DMA32 are raised by 1.48k (boost)."));
	assert_true(shows(&s, " boost "));
	assert_true(explain(&s, "─ min, in pages"));
	for (int i = 0; i < 40 && !shows(&s, "1.48k of it is boost"); i++)
		stage_keys(&s, "<Down>");
	assert_true(shows(&s, "1.48k of it is boost"));
	stage_close(&s);
}

/* Without a history the Time view has no maps: there is none that Enter could open. */
static void no_key_for_nothing(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, "tests/roots/7.2-pressure", NULL);
	stage_size(&s, 40, 240);
	stage_to(&s, 8);
	stage_press(&s, '3');
	assert_true(shows(&s, "Enter Open"));
	stage_press(&s, '6');
	assert_true(shows(&s, "Only the last steps are here"));
	assert_false(shows(&s, "Enter Open"));
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enough_is_known_or_not_said), cmocka_unit_test(direct_without_a_stall),
		cmocka_unit_test(a_dash_has_its_reason), cmocka_unit_test(units_agree),
		cmocka_unit_test(a_finding_is_shown_whole), cmocka_unit_test(boost_is_named),
		cmocka_unit_test(no_key_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

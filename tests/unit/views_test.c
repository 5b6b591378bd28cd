/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the views make of machines that are none of the usual: written as trees, read as any
 * other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "support_fake.h"
#include "support_grid.h"
#include "support_script.h"

static bool shows(const struct stage *s, const char *text)
{
	int col;

	return find_text(&s->grid, text, &col) >= 0;
}

static void copy(const char *dir, const char *path, const char *from)
{
	char *text = fake_load(from, NULL);

	fake_write(dir, path, text);
	free(text);
}

/* A tree of one sample with no more than an uptime in it. */
static char *tree_new(void)
{
	char *dir = fake_tempdir();

	fake_write(dir, "proc/uptime", "100.00 50.00\n");
	return dir;
}

static void show(struct stage *s, const char *dir, int rows, int cols)
{
	stage_open(s, dir, NULL);
	stage_size(s, rows, cols);
	stage_next(s);
}

static void done(struct stage *s, char *dir)
{
	stage_close(s);
	fake_tempdir_remove(dir);
}

/* --- memcgs --- */

static void put_lruvec(struct buf *out, int id, const char *path, int pages)
{
	buf_printf(out, "memcg %5d %s\n node     0\n          0       5000 %10d          10 \n", id, path, pages);
	buf_printf(out, "          1        900          5           6 \n");
}

static char *tree_with_dying(int dying)
{
	struct buf text = { 0 };
	char *dir = tree_new();

	put_lruvec(&text, 1, "/", 7);
	put_lruvec(&text, 20, "/job", 100);
	for (int i = 0; i < dying; i++)
		put_lruvec(&text, 0, i % 2 ? "/job" : "/gone", 262144);
	fake_write(dir, "sys/kernel/debug/lru_gen", text.data);
	fake_write(dir, "sys/kernel/mm/lru_gen/enabled", "0x0007\n");
	buf_fini(&text);
	return dir;
}

static void a_few_dying_memcgs_are_marked(void **state)
{
	char *dir = tree_with_dying(2);
	struct stage s;

	(void)state;
	show(&s, dir, 24, 100);
	stage_press(&s, '3');
	assert_true(shows(&s, "† /gone"));
	assert_true(shows(&s, "† /job"));
	assert_true(shows(&s, ", 2 dying"));
	done(&s, dir);
}

static void many_dying_memcgs_are_one_row(void **state)
{
	char *dir = tree_with_dying(24);
	struct stage s;
	int col;

	(void)state;
	show(&s, dir, 24, 100);
	stage_press(&s, '3');
	assert_true(shows(&s, "24 dying memcgs") || shows(&s, "† 24 dying"));
	assert_false(shows(&s, "† /gone"));
	stage_keys(&s, "<End>");
	/* 24 times 262144 + 5 + 10 + 6 pages of 4 KiB. */
	assert_true(shows(&s, "24.0G of their pages are left"));
	stage_press(&s, 'D');
	assert_true(find_text(&s.grid, "† /gone", &col) > 0);
	done(&s, dir);
}

/* https://github.com/zen-kernel/zen-kernel/issues/216 */
static void paths_with_one_beginning_are_told_apart(void **state)
{
	static const char cg[] = "tests/cases/cgroup-long-names/cg/user.slice/user-1000.slice";
	static const char *const copied[][2] = {
		{ "session-2.scope/memory.stat", "session-2.scope/memory.stat" },
		{ "session-2.scope/memory.low", "session-2.scope/memory.low" },
		{ "session-2.scope/memory.min", "session-2.scope/memory.min" },
		{ "user@1000.service/app.slice/app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope/memory.stat",
		  "user@1000.service/app.slice/app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope/memory.stat" },
	};
	static const char *const folders[] = {
		"", "/user-1000.slice", "/user-1000.slice/session-2.scope",
		"/user-1000.slice/user@1000.service", "/user-1000.slice/user@1000.service/app.slice",
		"/user-1000.slice/user@1000.service/app.slice/app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope",
	};
	char *dir = tree_new(), from[300], to[300];
	struct stage s;

	(void)state;
	fake_write(dir, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	for (size_t i = 0; i < sizeof(copied) / sizeof(copied[0]); i++) {
		snprintf(from, sizeof(from), "%s/%s", cg, copied[i][0]);
		snprintf(to, sizeof(to), "sys/fs/cgroup/user.slice/user-1000.slice/%s", copied[i][1]);
		copy(dir, to, from);
	}
	/* A folder without memory.current is no memcg, and what is below it is not looked at. */
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(to, sizeof(to), "sys/fs/cgroup/user.slice%s/memory.current", folders[i]);
		fake_write(dir, to, "760000000\n");
	}
	show(&s, dir, 24, 80);
	stage_keys(&s, "3/.scope<Enter>");
	assert_true(shows(&s, "ion-2.scope"));
	assert_true(shows(&s, "026f42.scope") || shows(&s, "6f42.scope"));
	/*
	 * By file, the one with little anonymous memory comes first, and its whole path stands
	 * below.
	 */
	stage_close(&s);
	stage_open(&s, dir, &(struct tui_options){ .view = VIEW_MEMCGS, .filter = ".scope", .sort = "file" });
	stage_size(&s, 24, 180);
	stage_next(&s);
	assert_true(shows(&s, "/user.slice/user-1000.slice/user@1000.service/app.slice/app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope"));
	assert_true(shows(&s, "9.00G") || shows(&s, "9.0G"));
	stage_press(&s, 'I');
	stage_keys(&s, "<Down><Up>");
	/* A limit of 0 is 0, and one that is not read is not. */
	assert_true(shows(&s, "min 0  low 0  high -"));
	done(&s, dir);
}

static void hostile_names_do_nothing(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "sys/kernel/debug/lru_gen", "tests/cases/names-hostile/lru_gen");
	fake_write(dir, "sys/kernel/mm/lru_gen/enabled", "0x0007\n");
	show(&s, dir, 40, 150);
	for (const char *view = "123"; *view; view++) {
		stage_press(&s, *view);
		for (int i = 0; i < s.grid.rows * s.grid.cols; i++)
			assert_null(strpbrk(s.grid.cells[i].text, "\033\007\r\t\n"));
	}
	assert_true(shows(&s, "/evil\\x1b[2J\\x1b]0;pwned\\x07"));
	assert_true(shows(&s, "/raw\\xff\\xfe"));
	done(&s, dir);
}

/* --- generations --- */

/* https://lore.kernel.org/all/CAMgjq7Bi19ou-c7rDZH+RMRMcV7Z49-xJh5KmFCfGy8XqCyREA@mail.gmail.com/ */
static void an_evicted_generation_is_not_the_oldest(void **state)
{
	char *dir = tree_new();
	struct stage s;
	int row, col;

	(void)state;
	copy(dir, "sys/kernel/debug/lru_gen_full", "tests/cases/lru_gen_full-evicted-page/lru_gen_full");
	fake_write(dir, "sys/kernel/mm/lru_gen/enabled", "0x0007\n");
	show(&s, dir, 30, 132);
	/* The page that is left of 218 counts, its age of 3.2 s does not. */
	stage_keys(&s, "2d");
	assert_true(find_text(&s.grid, "oldest", &col) > find_text(&s.grid, "second", &col));
	assert_false(shows(&s, "3.2s"));
	stage_keys(&s, "<Down>");
	row = find_text(&s.grid, "219", &col);
	assert_int_equal(find_text(&s.grid, "oldest", &col), row);
	assert_int_equal(find_text(&s.grid, "evicted  ", &col), row + 1);
	stage_press(&s, '3');
	assert_true(shows(&s, "2.4s"));
	assert_false(shows(&s, "3.2s"));
	done(&s, dir);
}

/* http://mail.spinics.net/lists/linux-mm/msg419283.html: the windows of anon and file move independently since 6.14. */
static void anon_and_file_have_ages_of_their_own(void **state)
{
	char *dir = tree_new();
	struct stage s;
	int row, col;

	(void)state;
	copy(dir, "sys/kernel/debug/lru_gen_full", "tests/cases/lru_gen_full-windows-apart/lru_gen_full");
	fake_write(dir, "sys/kernel/mm/lru_gen/enabled", "0x0007\n");
	show(&s, dir, 24, 120);
	stage_press(&s, '3');
	row = find_text(&s.grid, "800ms", &col);
	assert_true(row > 0);
	assert_int_equal(find_text(&s.grid, "1m00s", &col), row);
	assert_true(shows(&s, "oldest   oldA   oldF"));
	assert_true(shows(&s, " 1m00s  800ms  1m00s"));
	assert_true(shows(&s, "1 memcg "));
	stage_keys(&s, "2");
	assert_true(shows(&s, "1 lruvec, no other to sum"));
	stage_press(&s, '3');
	/* Where it is narrow, the older of both stays. */
	stage_size(&s, 24, 80);
	assert_true(shows(&s, "oldest"));
	assert_true(shows(&s, "1m00s"));
	assert_false(shows(&s, "800ms"));
	done(&s, dir);
}

/* --- memory --- */

/* https://github.com/lxc/lxcfs/issues/389 */
static void parts_that_exceed_the_whole_leave_no_rest(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "proc/meminfo", "tests/cases/meminfo-negative/meminfo");
	show(&s, dir, 30, 132);
	assert_true(shows(&s, "other -"));
	assert_true(shows(&s, "free -"));
	assert_false(shows(&s, "other 0"));
	done(&s, dir);
}

/* https://github.com/lxc/lxcfs/issues/120: 11301711 free pages, 43 GiB, are more than the container's 8. */
static void a_container_with_the_vmstat_of_its_host(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "proc/vmstat", "tests/cases/vmstat-of-host/vmstat");
	fake_write(dir, "proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         2097152 kB\n");
	show(&s, dir, 24, 80);
	assert_true(shows(&s, "vmstat is the host's: /proc/meminfo says another size"));
	stage_close(&s);
	/* On the host itself, of 128 GiB, it is nobody else's. */
	fake_write(dir, "proc/meminfo", "MemTotal:      134217728 kB\nMemFree:        45206844 kB\n");
	show(&s, dir, 24, 80);
	assert_false(shows(&s, "the host's"));
	done(&s, dir);
}

/* What zones manage is MemTotal, unless meminfo is of another machine. */
static void a_container_with_the_zones_of_its_host(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "proc/zoneinfo", "tests/roots/7.2-pressure/05/proc/zoneinfo");
	copy(dir, "proc/meminfo", "tests/roots/7.2-pressure/05/proc/meminfo");
	show(&s, dir, 24, 80);
	assert_false(shows(&s, "the host's"));
	stage_close(&s);
	fake_write(dir, "proc/meminfo", "MemTotal:         131072 kB\n");
	show(&s, dir, 24, 80);
	assert_true(shows(&s, "vmstat and zoneinfo are the host's: /proc/meminfo says"));
	done(&s, dir);
}

/* https://github.com/SUPERCILEX/clipboard-history/issues/28 */
static void no_memcgs_says_why(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	fake_write(dir, "sys/fs/cgroup/cgroup.controllers", "cpu io\n");
	show(&s, dir, 30, 100);
	assert_false(shows(&s, "none"));
	stage_press(&s, '3');
	assert_true(shows(&s, "/sys/fs/cgroup: no cgroup v2 hierarchy with the memory controller"));
	done(&s, dir);
}

/* --- pagesets --- */

static void many_cpus_fold(void **state)
{
	char *dir = tree_new();
	struct stage s;
	int row, col;

	(void)state;
	copy(dir, "proc/zoneinfo", "tests/cases/zoneinfo-96-cpus/zoneinfo");
	show(&s, dir, 24, 80);
	stage_press(&s, '4');
	assert_true(shows(&s, "96 CPUs: a column each"));
	row = find_text(&s.grid, "cpu 0", &col);
	assert_int_equal(find_text(&s.grid, "cpu 64", &col), row + 1);
	stage_press(&s, 'v');
	stage_size(&s, 140, 160);
	assert_false(shows(&s, "96 CPUs: a column"));
	done(&s, dir);
}

/* A zone without pages is not one that has run out of them. */
static void empty_zones_are_left_out(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "proc/zoneinfo", "tests/cases/zoneinfo-empty-movable/zoneinfo");
	show(&s, dir, 30, 120);
	assert_false(shows(&s, "Movable"));
	stage_press(&s, '4');
	assert_false(shows(&s, "Movable"));
	assert_false(shows(&s, "below min"));
	done(&s, dir);
}

/* https://github.com/elastic/beats/issues/32026: the kernel stops counting at 100000. */
static void free_blocks_that_were_not_counted_to_the_end(void **state)
{
	static const struct interest types = { .pagetypes = true, .pagetypes_forced = true };
	char *dir = tree_new();
	struct stage s;

	(void)state;
	copy(dir, "proc/pagetypeinfo", "tests/cases/pagetypeinfo-capped/pagetypeinfo");
	stage_open(&s, dir, NULL);
	stage_size(&s, 30, 80);
	stage_keys(&s, "4p");
	reel_want(s.reel, &types);
	stage_next(&s);
	/* Neither zoneinfo nor buddyinfo is there. */
	assert_true(shows(&s, "No zones"));
	assert_true(shows(&s, "0 Normal"));
	assert_true(shows(&s, "Movable      ≥100k ≥100k"));
	stage_close(&s);
	copy(dir, "proc/zoneinfo", "tests/cases/zoneinfo-96-cpus/zoneinfo");
	stage_open(&s, dir, NULL);
	stage_size(&s, 30, 80);
	stage_keys(&s, "4p");
	reel_want(s.reel, &types);
	stage_next(&s);
	assert_true(shows(&s, "Movable      ≥100k ≥100k"));
	/* That of the selected zone alone. */
	assert_false(shows(&s, "Unmovable"));
	done(&s, dir);
}

/* --- what cannot be read --- */

static void a_tree_with_nothing_in_it(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	show(&s, dir, 40, 120);
	for (const char *view = "12345"; *view; view++) {
		stage_press(&s, *view);
		assert_false(shows(&s, " 0B"));
		stage_size(&s, 20, 60);
		stage_size(&s, 40, 120);
	}
	stage_press(&s, '2');
	assert_true(shows(&s, "nothing: "));
	stage_press(&s, '3');
	assert_true(shows(&s, "No memcgs"));
	assert_true(shows(&s, "/sys/kernel/debug/lru_gen: No such file or directory"));
	stage_press(&s, '4');
	assert_true(shows(&s, "No zones"));
	done(&s, dir);
}

static void why_a_number_is_missing(void **state)
{
	char *dir = tree_new();
	struct stage s;

	(void)state;
	fake_write(dir, "proc/vmstat", "nr_free_pages 100\npgsteal_kswapd 5\n");
	show(&s, dir, 30, 100);
	stage_press(&s, 'e');
	for (int i = 0; i < 200 && !shows(&s, "/proc/meminfo: No such file"); i++)
		stage_keys(&s, "<Down>");
	assert_true(shows(&s, "/proc/meminfo: No such file or directory"));
	done(&s, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_dying_memcgs_are_marked),
		cmocka_unit_test(many_dying_memcgs_are_one_row),
		cmocka_unit_test(paths_with_one_beginning_are_told_apart),
		cmocka_unit_test(hostile_names_do_nothing),
		cmocka_unit_test(an_evicted_generation_is_not_the_oldest),
		cmocka_unit_test(anon_and_file_have_ages_of_their_own),
		cmocka_unit_test(parts_that_exceed_the_whole_leave_no_rest),
		cmocka_unit_test(a_container_with_the_vmstat_of_its_host),
		cmocka_unit_test(a_container_with_the_zones_of_its_host),
		cmocka_unit_test(no_memcgs_says_why),
		cmocka_unit_test(many_cpus_fold),
		cmocka_unit_test(empty_zones_are_left_out),
		cmocka_unit_test(free_blocks_that_were_not_counted_to_the_end),
		cmocka_unit_test(a_tree_with_nothing_in_it),
		cmocka_unit_test(why_a_number_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

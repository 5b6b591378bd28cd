/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which memcgs are read, what of them, and what becomes of those that go. */
#include "collectors/live.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_rig.h"

#define LRU_GEN "sys/kernel/debug/lru_gen"

static const struct memcg *find(const struct sample *s, const char *path)
{
	for (uint32_t i = 0; i < s->nmemcgs; i++)
		if (!strcmp(s->memcgs[i].path, path))
			return &s->memcgs[i];
	return NULL;
}

static const struct memcg *get(const struct sample *s, const char *path)
{
	const struct memcg *m = find(s, path);

	if (!m)
		fail_msg("%s is not there", path);
	return m;
}

static bool is_dying(const struct sample *s, uint64_t id)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		if (s->lruvecs[i].memcg == id)
			return s->lruvecs[i].dying;
	fail_msg("no memcg %" PRIu64, id);
	return false;
}

/* A memcg's folder with a few files. */
static void make(struct fake *f, const char *path, uint64_t inode, const char *current)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "sys/fs/cgroup%s/memory.current", path);
	fake_set(f, whole, current);
	snprintf(whole, sizeof(whole), "sys/fs/cgroup%s/memory.stat", path);
	fake_set(f, whole, "anon 1\nfile 2\n");
	snprintf(whole, sizeof(whole), "sys/fs/cgroup%s/memory.max", path);
	fake_set(f, whole, "max\n");
	snprintf(whole, sizeof(whole), "sys/fs/cgroup%s", path);
	fake_inode(f, whole, inode);
}

static void add_memcg(struct buf *lru_gen, uint64_t id, const char *path, unsigned int pages)
{
	buf_printf(lru_gen, "memcg %" PRIu64 " %s\n node     0\n          4       9000          0 %11u \n", id, path,
		   pages);
}

/* ---- what is read ---- */

static void reads_all_files(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = rig_take(rig, SECOND);
	const struct memcg *m = get(s, "/web");

	is_read(s, READ_CGROUP, READING_OK, 0);
	assert_int_equal(s->nmemcgs, 3);
	assert_int_equal(s->memcgs_left_out, 0);
	assert_int_equal(s->readings[READ_CGROUP].vanished, 0);
	assert_int_equal(m->id, 28);
	assert_int_equal(m->current, 1228800);
	assert_int_equal(m->min, 0);
	assert_int_equal(m->low, 65536);
	assert_true(m->high == UNLIMITED);
	assert_int_equal(m->max, 67108864);
	assert_int_equal(m->swap_current, 4096);
	assert_true(m->swap_max == UNLIMITED);
	assert_int_equal(m->zswap_current, 512);
	assert_int_equal(counters_get(&m->stat, CG_anon), 409600);
	assert_int_equal(counters_get(&m->stat, CG_pgscan), 77);
	assert_int_equal(counters_get(&m->events, EV_max), 12);
	assert_int_equal(counters_get(&m->events, EV_oom_kill), 1);
	assert_int_equal(counters_get(&m->cgroup, CS_nr_descendants), 0);
	assert_int_equal(m->pressure.some.total_us, 12345);
	assert_int_equal(m->pressure.full.total_us, 2345);
}

/* The root has no limits and no usage of its own, and that is no failure. */
static void each_file_is_optional(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = rig_take(rig, SECOND);
	const struct memcg *root = get(s, "/"), *db = get(s, "/db");

	assert_int_equal(root->id, 1);
	assert_true(root->current == UNKNOWN);
	assert_true(root->max == UNKNOWN);
	assert_int_equal(counters_get(&root->stat, CG_anon), 4096);
	assert_int_equal(counters_get(&root->cgroup, CS_nr_dying_descendants), 1);
	assert_true(root->pressure.full.total_us == UNKNOWN);
	assert_int_equal(db->current, 2867200);
	assert_true(db->max == UNLIMITED);
	assert_true(db->min == UNKNOWN);
	assert_true(db->swap_current == UNKNOWN);
	assert_true(counters_get(&db->events, EV_max) == UNKNOWN);
	assert_true(db->pressure.some.total_us == UNKNOWN);
}

/* https://github.com/ccfos/huatuo/issues/637 */
static void junk_is_no_number(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	fake_set(rig->f, "sys/fs/cgroup/web/memory.current", "123 456\n");
	fake_set(rig->f, "sys/fs/cgroup/web/memory.max", "");
	fake_set(rig->f, "sys/fs/cgroup/web/memory.stat", "anon\nfile 3\n");
	s = rig_take(rig, SECOND);
	assert_true(get(s, "/web")->current == UNKNOWN);
	assert_true(get(s, "/web")->max == UNKNOWN);
	assert_true(counters_get(&get(s, "/web")->stat, CG_anon) == UNKNOWN);
	assert_int_equal(counters_get(&get(s, "/web")->stat, CG_file), 3);
	assert_int_equal(get(s, "/web")->swap_current, 4096);
	assert_int_equal(s->readings[READ_CGROUP].skipped, 2);
	assert_false(s->readings[READ_CGROUP].cut);
	/* A number that lost its end is another number. */
	fake_set(rig->f, "sys/fs/cgroup/web/memory.current", "123");
	assert_true(rig_take(rig, SECOND)->readings[READ_CGROUP].cut);
}

static void limits_are_read_now_and_then(void **state)
{
	struct rig *rig = *state;
	int seen = -1;

	for (int i = 0; i < 5; i++)
		assert_int_equal(get(rig_take(rig, SECOND), "/web")->max, 67108864);
	fake_set(rig->f, "sys/fs/cgroup/web/memory.max", "1000000\n");
	for (int i = 0; i < 20; i++) {
		const struct memcg *m = get(rig_take(rig, SECOND), "/web");

		assert_true(m->max == 67108864 || m->max == 1000000);
		if (seen < 0 && m->max == 1000000)
			seen = i;
		assert_true(seen < 0 || m->max == 1000000);
		assert_int_equal(m->low, 65536);
		assert_true(m->high == UNLIMITED);
	}
	assert_in_range(seen, 0, 4);
	assert_in_range(fake_reads(rig->f, "sys/fs/cgroup/web/memory.max"), 5, 6);
	assert_int_equal(fake_reads(rig->f, "sys/fs/cgroup/web/memory.current"), 25);
	assert_int_equal(fake_reads(rig->f, "sys/fs/cgroup/web/memory.stat"), 25);
	/* What is not there is not asked for each time either. */
	assert_in_range(fake_reads(rig->f, "sys/fs/cgroup/memory.current"), 1, 3);
}

/* ---- which ones ---- */

static void reads_the_largest_and_what_is_on_screen(void **state)
{
	struct rig *rig = *state;
	struct buf lru_gen = { 0 };
	const struct sample *s;
	char path[32];

	add_memcg(&lru_gen, 1, "/", 0);
	for (unsigned int i = 0; i < 300; i++) {
		/* The pages are scrambled, so that order in the file and by size differ. */
		snprintf(path, sizeof(path), "/m%03u", i * 7 % 300);
		make(rig->f, path, 1000 + i, "5\n");
		add_memcg(&lru_gen, 1000 + i, path, 1 + i * 7 % 300);
	}
	fake_set(rig->f, LRU_GEN, lru_gen.data);
	rig->in.nmemcgs = 2;
	strcpy(rig->in.memcgs[0], "/m000");
	strcpy(rig->in.memcgs[1], "/m007");
	s = rig_take(rig, SECOND);
	assert_int_equal(s->nmemcgs, 64);
	get(s, "/");
	get(s, "/m000");
	get(s, "/m007");
	for (unsigned int i = 239; i < 300; i++) {
		snprintf(path, sizeof(path), "/m%03u", i);
		get(s, path);
	}
	assert_null(find(s, "/m238"));
	assert_int_equal(s->memcgs_left_out, 301 - 64);
	assert_int_equal(fake_reads_ending(rig->f, "memory.stat"), 64);
	buf_fini(&lru_gen);
}

static void names_lead_to_their_folders(void **state)
{
	static const char *const names[] = {
		"/with space", "/tab\tname", "/esc\x1b[31mred", "/back\\slash", "/utf8-\xc3\xa9", "/bytes-\xff\xfe",
		"/memcg 9 fake",
	};
	static const char *const escaped[] = {
		"/with space", "/tab\\x09name", "/esc\\x1b[31mred", "/back\\\\slash", "/utf8-\xc3\xa9",
		"/bytes-\\xff\\xfe", "/memcg 9 fake",
	};
	struct rig *rig = *state;
	struct buf lru_gen = { 0 };
	const struct sample *s;
	char current[16];

	add_memcg(&lru_gen, 1, "/", 0);
	for (unsigned int i = 0; i < 7; i++) {
		snprintf(current, sizeof(current), "%u\n", 100 + i);
		make(rig->f, names[i], 2000 + i, current);
		add_memcg(&lru_gen, 2000 + i, names[i], 7);
	}
	fake_set(rig->f, LRU_GEN, lru_gen.data);
	for (int round = 0; round < 2; round++) {
		s = rig_take(rig, SECOND);
		assert_int_equal(s->nmemcgs, 8);
		for (unsigned int i = 0; i < 7; i++) {
			assert_int_equal(get(s, escaped[i])->current, 100 + i);
			assert_false(round == 0 && is_dying(s, 2000 + i));
		}
		/* And the same without lru_gen, from the folders. */
		fake_fail(rig->f, "sys/kernel/debug", EACCES);
		fake_remove(rig->f, "sys/fs/cgroup/web");
		fake_remove(rig->f, "sys/fs/cgroup/db");
	}
	buf_fini(&lru_gen);
}

/* ---- without lru_gen ---- */

static void walks_the_folders(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	unsigned int lists;

	make(rig->f, "/web/a", 300, "50\n");
	make(rig->f, "/web/a/b", 301, "40\n");
	fake_set(rig->f, "sys/fs/cgroup/no-controller/cgroup.stat", "nr_descendants 0\n");
	fake_fail(rig->f, "sys/kernel/debug", ENOENT);
	s = rig_take(rig, SECOND);
	is_read(s, READ_CGROUP, READING_OK, 0);
	assert_int_equal(s->nlruvecs, 0);
	assert_int_equal(s->nmemcgs, 5);
	assert_int_equal(get(s, "/web/a/b")->current, 40);
	assert_int_equal(get(s, "/web/a/b")->id, 301);
	assert_int_equal(s->memcgs_left_out, 0);
	lists = fake_lists(rig->f);
	/* The same ones for a while. */
	for (int i = 0; i < 4; i++)
		assert_int_equal(rig_take(rig, SECOND)->nmemcgs, 5);
	assert_int_equal(fake_lists(rig->f), lists);
	make(rig->f, "/new", 302, "7\n");
	s = rig_take(rig, SECOND);
	assert_int_equal(get(s, "/new")->current, 7);
	assert_true(fake_lists(rig->f) > lists);
}

static void a_walk_is_bounded(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	char path[256];
	unsigned int before;

	for (unsigned int i = 0; i < 700; i++) {
		char current[16];

		snprintf(path, sizeof(path), "/c%u", i);
		snprintf(current, sizeof(current), "%u\n", i);
		make(rig->f, path, 5000 + i, current);
	}
	fake_fail(rig->f, "sys/kernel/debug", ENOENT);
	before = fake_reads_ending(rig->f, "memory.current");
	s = rig_take(rig, SECOND);
	assert_int_equal(s->nmemcgs, 64);
	/* The root, web, db and 700 more. */
	assert_int_equal(s->memcgs_left_out, 703 - 64);
	assert_true(fake_reads_ending(rig->f, "memory.current") - before <= 512 + 64);
	/* Not deeper than eight. */
	for (unsigned int i = 0; i < 700; i++) {
		snprintf(path, sizeof(path), "sys/fs/cgroup/c%u", i);
		fake_remove(rig->f, path);
	}
	make(rig->f, "/1/2/3/4/5/6/7/8/9", 9, "1\n");
	for (char *at = path + snprintf(path, sizeof(path), "/1/2/3/4/5/6/7/8"); at; at = strrchr(path, '/')) {
		*at = '\0';
		if (*path)
			make(rig->f, path, 8, "1\n");
	}
	make(rig->f, "/1/2/3/4/5/6/7/8", 9, "1\n");
	rig_take(rig, 5 * SECOND);
	s = rig_take(rig, SECOND);
	get(s, "/1/2/3/4/5/6/7/8");
	assert_null(find(s, "/1/2/3/4/5/6/7/8/9"));
}

/* ---- no cgroup v2 ---- */

static void without_the_controller(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	fake_set(rig->f, "sys/fs/cgroup/cgroup.controllers", "cpu io memoryless pids\n");
	for (int i = 0; i < 20; i++) {
		s = rig_take(rig, SECOND);
		is_read(s, READ_CGROUP, READING_FAILED, EOPNOTSUPP);
		assert_false(s->machine.memcg_v2);
		assert_int_equal(s->nmemcgs, 0);
		is_read(s, READ_LRU_GEN, READING_OK, 0);
	}
	assert_int_equal(fake_reads(rig->f, "sys/fs/cgroup/cgroup.controllers"), 2);
	fake_set(rig->f, "sys/fs/cgroup/cgroup.controllers", "");
	is_read(rig_take(rig, SECOND), READ_CGROUP, READING_FAILED, EOPNOTSUPP);
	fake_remove(rig->f, "sys/fs/cgroup");
	rig_take(rig, 10 * SECOND);
	is_read(rig_take(rig, SECOND), READ_CGROUP, READING_FAILED, ENOENT);
	fake_machine(rig->f);
	rig_take(rig, 10 * SECOND);
	s = rig_take(rig, SECOND);
	is_read(s, READ_CGROUP, READING_OK, 0);
	assert_true(s->machine.memcg_v2);
}

/* In a container the folders are the container's, while lru_gen has the paths of the whole machine. */
static void a_container_sees_other_paths(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	fake_set(rig->f, "sys/fs/cgroup/cgroup.type", "domain\n");
	fake_set(rig->f, "sys/fs/cgroup/memory.current", "99\n");
	s = rig_take(rig, SECOND);
	is_read(s, READ_CGROUP, READING_FAILED, EXDEV);
	assert_int_equal(s->nmemcgs, 0);
	assert_false(is_dying(s, 28));
	/* Without lru_gen nothing is joined, and all is well. */
	fake_fail(rig->f, "sys/kernel/debug", EACCES);
	s = rig_take(rig, SECOND);
	is_read(s, READ_CGROUP, READING_OK, 0);
	assert_int_equal(get(s, "/")->current, 99);
	assert_int_equal(get(s, "/web")->current, 1228800);
}

/* ---- what goes away: https://github.com/cockpit-project/cockpit/pull/16416 ---- */

static void a_removed_cgroup_is_dropped(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	rig_take(rig, SECOND);
	fake_fail(rig->f, "sys/fs/cgroup/web/memory.current", ENODEV);
	s = rig_take(rig, SECOND);
	is_read(s, READ_CGROUP, READING_OK, 0);
	assert_null(find(s, "/web"));
	assert_int_equal(get(s, "/db")->current, 2867200);
	assert_int_equal(s->readings[READ_CGROUP].vanished, 1);
	assert_int_equal(s->memcgs_left_out, 0);
	assert_true(is_dying(s, 28));
	assert_false(is_dying(s, 77));
	/* Its folder has gone as well, while lru_gen still has its pages. */
	fake_remove(rig->f, "sys/fs/cgroup/web");
	s = rig_take(rig, SECOND);
	assert_null(find(s, "/web"));
	assert_int_equal(s->readings[READ_CGROUP].vanished, 1);
	assert_true(is_dying(s, 28));
}

/* A cgroup that takes an old name is another one, and has nothing of the old one's. */
static void a_new_cgroup_under_an_old_name(void **state)
{
	struct rig *rig = *state;
	const struct sample *s = rig_take(rig, SECOND);

	assert_int_equal(get(s, "/web")->id, 28);
	fake_inode(rig->f, "sys/fs/cgroup/web", 501);
	fake_set(rig->f, "sys/fs/cgroup/web/memory.max", "4096\n");
	s = rig_take(rig, SECOND);
	assert_int_equal(get(s, "/web")->id, 501);
	assert_int_equal(get(s, "/web")->max, 4096);
	/* Up to now lru_gen shows the old one alone. */
	assert_true(is_dying(s, 28));
	fake_set(rig->f, LRU_GEN,
		 "memcg 1 /\n node     0\n          2       9000          0           5 \n"
		 "memcg 501 /web\n node     0\n          0       9000          0           1 \n"
		 "memcg 28 /web\n node     0\n          4       9000        100         200 \n");
	s = rig_take(rig, SECOND);
	assert_true(is_dying(s, 28));
	assert_false(is_dying(s, 501));
	assert_int_equal(s->nmemcgs, 2);
}

/* Before 7.0 the id in lru_gen is the kernel's own. */
static void ids_are_no_inodes_on_old_kernels(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;

	fake_set(rig->f, "proc/sys/kernel/osrelease", "6.19.4\n");
	fake_inode(rig->f, "sys/fs/cgroup/web", 90210);
	s = rig_take(rig, SECOND);
	assert_int_equal(get(s, "/web")->id, 90210);
	assert_false(is_dying(s, 28));
	assert_false(is_dying(s, 1));
	fake_remove(rig->f, "sys/fs/cgroup/web");
	assert_true(is_dying(rig_take(rig, SECOND), 28));
}

/* A dying memcg with many pages does not take the place of one that lives. */
static void the_dead_take_no_room(void **state)
{
	struct rig *rig = *state;
	struct buf lru_gen = { 0 };
	const struct sample *s;
	char path[32];

	add_memcg(&lru_gen, 1, "/", 0);
	for (unsigned int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "/dead%u", i);
		add_memcg(&lru_gen, i < 30 ? 0 : 700 + i, path, 100000 + i);
		snprintf(path, sizeof(path), "/alive%u", i);
		make(rig->f, path, 900 + i, "5\n");
		add_memcg(&lru_gen, 900 + i, path, 1 + i);
	}
	fake_set(rig->f, LRU_GEN, lru_gen.data);
	s = rig_take(rig, SECOND);
	assert_int_equal(s->nmemcgs, 61);
	assert_int_equal(s->readings[READ_CGROUP].vanished, 30);
	assert_int_equal(s->memcgs_left_out, 0);
	assert_true(is_dying(s, 730));
	assert_true(is_dying(s, 0));
	assert_false(is_dying(s, 900));
	buf_fini(&lru_gen);
}

/* Five cgroups come and five go between two samples, a few of them while they are read. */
static void cgroups_that_come_and_go(void **state)
{
	struct rig *rig = *state;
	uint64_t id = 10000;

	for (int round = 0; round < 600; round++) {
		struct buf lru_gen = { 0 };
		const struct sample *s;
		char path[96];

		add_memcg(&lru_gen, 1, "/", 0);
		for (int i = 0; i < 5; i++) {
			snprintf(path, sizeof(path), "sys/fs/cgroup/job%d", (round + i) % 20);
			fake_remove(rig->f, path);
			snprintf(path, sizeof(path), "/job%d", (round + i + 5) % 20);
			make(rig->f, path, ++id, "5\n");
			add_memcg(&lru_gen, id, path, 10);
		}
		snprintf(path, sizeof(path), "sys/fs/cgroup/job%d/memory.stat", (round + 6) % 20);
		fake_fail(rig->f, path, ENODEV);
		fake_set(rig->f, LRU_GEN, lru_gen.data);
		s = rig_take(rig, SECOND / 10);
		is_read(s, READ_CGROUP, READING_OK, 0);
		assert_int_equal(s->nmemcgs, 5);
		assert_int_equal(s->readings[READ_CGROUP].vanished, 1);
		for (uint32_t i = 0; i < s->nmemcgs; i++)
			if (strcmp(s->memcgs[i].path, "/")) {
				assert_in_range(s->memcgs[i].id, id - 4, id);
				assert_int_equal(s->memcgs[i].current, 5);
				assert_true(s->memcgs[i].max == UNLIMITED);
			}
		buf_fini(&lru_gen);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(reads_all_files),
		TEST(each_file_is_optional),
		TEST(junk_is_no_number),
		TEST(limits_are_read_now_and_then),
		TEST(reads_the_largest_and_what_is_on_screen),
		TEST(names_lead_to_their_folders),
		TEST(walks_the_folders),
		TEST(a_walk_is_bounded),
		TEST(without_the_controller),
		TEST(a_container_sees_other_paths),
		TEST(a_removed_cgroup_is_dropped),
		TEST(a_new_cgroup_under_an_old_name),
		TEST(ids_are_no_inodes_on_old_kernels),
		TEST(the_dead_take_no_room),
		TEST(cgroups_that_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

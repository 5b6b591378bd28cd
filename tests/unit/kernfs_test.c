/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/kernfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/kernfs_tree.h"
#include "support_fake.h"

static unsigned int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void is_text(const struct buf *buf, const char *text)
{
	assert_int_equal(buf->len, strlen(text));
	assert_string_equal(buf->data, text);
}

static void reads_a_tree(void **state)
{
	char *dir = fake_tempdir();
	struct kernfs *fs = kernfs_tree(dir);
	struct buf buf = { 0 };

	(void)state;
	fake_write(dir, "proc/vmstat", "nr_free_pages 12\n");
	fake_write(dir, "proc/empty", "");
	assert_non_null(fs);
	assert_false(kernfs_is_machine(fs));
	assert_int_equal(kernfs_read(fs, "proc/vmstat", 0, &buf), 0);
	is_text(&buf, "nr_free_pages 12\n");
	assert_int_equal(kernfs_read(fs, "proc/none", 0, &buf), -ENOENT);
	assert_int_equal(buf.len, 0);
	assert_int_equal(kernfs_read(fs, "proc/vmstat", KERNFS_KEEP, &buf), 0);
	/* A tree's files are not kept open: the next reading is of the file as it is then. */
	fake_write(dir, "proc/vmstat", "other\n");
	assert_int_equal(kernfs_read(fs, "proc/vmstat", KERNFS_KEEP, &buf), 0);
	is_text(&buf, "other\n");
	assert_int_equal(kernfs_read(fs, "proc/empty", 0, &buf), 0);
	is_text(&buf, "");
	assert_int_equal(kernfs_read(fs, "proc", 0, &buf), -EISDIR);
	buf_fini(&buf);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

static void reads_long_files_whole(void **state)
{
	static const size_t sizes[] = { 1, 4095, 4096, 12287, 12288, 16383, 16384, 16385, 1000000 };
	char *dir = fake_tempdir(), *text = malloc(1000001);
	struct kernfs *fs = kernfs_tree(dir);
	struct buf buf = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t at = 0; at < sizes[i]; at++)
			text[at] = (char)('a' + at % 23);
		text[sizes[i]] = '\0';
		fake_write(dir, "file", text);
		assert_int_equal(kernfs_read(fs, "file", 0, &buf), 0);
		assert_int_equal(buf.len, sizes[i]);
		assert_memory_equal(buf.data, text, sizes[i] + 1);
	}
	buf_fini(&buf);
	kernfs_close(fs);
	free(text);
	fake_tempdir_remove(dir);
}

/* A tree may come from a stranger. */
static void nothing_leads_out_of_a_tree(void **state)
{
	char *dir = fake_tempdir(), path[4096], inside[4096];
	struct kernfs *fs;
	struct buf buf = { 0 };

	(void)state;
	fake_write(dir, "secret", "secret\n");
	fake_write(dir, "tree/proc/version", "Linux version 6.1\n");
	snprintf(inside, sizeof(inside), "%s/tree/proc/link", dir);
	assert_int_equal(symlink("../../secret", inside), 0);
	snprintf(inside, sizeof(inside), "%s/tree/proc/absolute", dir);
	assert_int_equal(symlink("/proc/version", inside), 0);
	snprintf(inside, sizeof(inside), "%s/tree/proc/fifo", dir);
	assert_int_equal(mkfifo(inside, 0600), 0);
	snprintf(path, sizeof(path), "%s/tree", dir);
	fs = kernfs_tree(path);
	assert_non_null(fs);
	assert_true(kernfs_read(fs, "proc/link", 0, &buf) < 0);
	assert_true(kernfs_read(fs, "../secret", 0, &buf) < 0);
	assert_true(kernfs_read(fs, "proc/../../secret", 0, &buf) < 0);
	assert_int_equal(buf.len, 0);
	/* A link means what it meant on the machine that the tree was taken from. */
	assert_int_equal(kernfs_read(fs, "proc/absolute", 0, &buf), 0);
	is_text(&buf, "Linux version 6.1\n");
	assert_true(kernfs_read(fs, "proc/fifo", 0, &buf) < 0);
	buf_fini(&buf);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

static int note(void *arg, const char *name, bool is_dir)
{
	char *all = arg;

	strcat(strcat(strcat(all, name), is_dir ? "/" : ""), " ");
	return !strcmp(name, "stop") ? 7 : 0;
}

static void lists_folders(void **state)
{
	char *dir = fake_tempdir(), all[512] = "", path[4096];
	struct kernfs *fs = kernfs_tree(dir);

	(void)state;
	fake_write(dir, "sys/devices/zram0/mm_stat", "1\n");
	fake_write(dir, "sys/block/readme", "x\n");
	snprintf(path, sizeof(path), "%s/sys/block/zram0", dir);
	assert_int_equal(symlink("../devices/zram0", path), 0);
	assert_int_equal(kernfs_list(fs, "sys/block", note, all), 0);
	assert_non_null(strstr(all, "zram0/ "));
	assert_non_null(strstr(all, "readme "));
	assert_int_equal(strlen(all), strlen("zram0/ readme "));
	all[0] = '\0';
	assert_int_equal(kernfs_list(fs, "", note, all), 0);
	assert_string_equal(all, "sys/ ");
	assert_int_equal(kernfs_list(fs, "none", note, all), -ENOENT);
	assert_int_equal(kernfs_list(fs, "sys/block/readme", note, all), -ENOTDIR);
	fake_write(dir, "d/stop", "");
	assert_int_equal(kernfs_list(fs, "d", note, all), 7);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

static int count(void *arg, const char *name, bool is_dir)
{
	(void)name;
	(void)is_dir;
	++*(unsigned int *)arg;
	return 0;
}

static void lists_large_folders_whole(void **state)
{
	char *dir = fake_tempdir(), path[64];
	struct kernfs *fs = kernfs_tree(dir);
	unsigned int n = 0;

	(void)state;
	for (int i = 0; i < 500; i++) {
		snprintf(path, sizeof(path), "d/a-name-of-some-length-%d", i);
		fake_write(dir, path, "");
	}
	assert_int_equal(kernfs_list(fs, "d", count, &n), 0);
	assert_int_equal(n, 500);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

static void tells_folders_apart(void **state)
{
	char *dir = fake_tempdir(), path[4096];
	struct kernfs *fs = kernfs_tree(dir);
	uint64_t inode = 5;
	struct stat st;

	(void)state;
	fake_write(dir, "a/b/c", "");
	snprintf(path, sizeof(path), "%s/a/b", dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(kernfs_ident(fs, "a/x", &inode), -ENOENT);
	assert_int_equal(inode, 5);
	assert_int_equal(kernfs_ident(fs, "a/b", &inode), 0);
	assert_int_equal(inode, st.st_ino);
	kernfs_close(fs);
	fs = kernfs_machine();
	inode = 0;
	assert_int_equal(kernfs_ident(fs, path + 1, &inode), 0);
	assert_int_equal(inode, st.st_ino);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

static void no_folder_no_tree(void **state)
{
	char *dir = fake_tempdir(), path[4096];

	(void)state;
	fake_write(dir, "file", "x");
	snprintf(path, sizeof(path), "%s/none", dir);
	errno = 0;
	assert_null(kernfs_tree(path));
	assert_int_equal(errno, ENOENT);
	snprintf(path, sizeof(path), "%s/file", dir);
	assert_null(kernfs_tree(path));
	assert_int_equal(errno, ENOTDIR);
	fake_tempdir_remove(dir);
}

static void enters_one_tree_after_the_other(void **state)
{
	char *dir = fake_tempdir();
	struct kernfs *base, *fs;
	struct buf buf = { 0 };
	unsigned int before;

	(void)state;
	fake_write(dir, "00/proc/uptime", "1.00 1.00\n");
	fake_write(dir, "01/proc/uptime", "2.00 2.00\n");
	base = kernfs_tree(dir);
	fs = kernfs_tree(dir);
	before = open_descriptors();
	for (int i = 0; i < 100; i++) {
		assert_int_equal(kernfs_enter(fs, base, i % 2 ? "01" : "00"), 0);
		assert_int_equal(kernfs_read(fs, "proc/uptime", 0, &buf), 0);
		is_text(&buf, i % 2 ? "2.00 2.00\n" : "1.00 1.00\n");
	}
	assert_int_equal(kernfs_enter(fs, base, "02"), -ENOENT);
	assert_int_equal(kernfs_read(fs, "proc/uptime", 0, &buf), 0);
	is_text(&buf, "2.00 2.00\n");
	assert_int_equal(open_descriptors(), before);
	buf_fini(&buf);
	kernfs_close(fs);
	kernfs_close(base);
	fake_tempdir_remove(dir);
}

/* ---- this machine ---- */

static void keeps_descriptors_of_the_machine(void **state)
{
	struct kernfs *fs = kernfs_machine();
	struct buf buf = { 0 };
	unsigned int before, kept;

	(void)state;
	assert_true(kernfs_is_machine(fs));
	before = open_descriptors();
	for (int i = 0; i < 50; i++) {
		assert_int_equal(kernfs_read(fs, "proc/self/stat", KERNFS_KEEP, &buf), 0);
		assert_true(buf.len > 20);
		assert_int_equal(buf.data[buf.len - 1], '\n');
		assert_int_equal(kernfs_read(fs, "proc/self/status", 0, &buf), 0);
		assert_int_equal(strncmp(buf.data, "Name:", 5), 0);
	}
	kept = open_descriptors();
	assert_int_equal(kept, before + 1);
	kernfs_close(fs);
	assert_int_equal(open_descriptors(), before - 1);
	buf_fini(&buf);
}

/* What nobody asks for any more is closed in time: a descriptor keeps a removed cgroup's memory. */
static void forgets_what_is_not_asked_for(void **state)
{
	struct kernfs *fs = kernfs_machine();
	struct buf buf = { 0 };
	unsigned int before;

	(void)state;
	before = open_descriptors();
	assert_int_equal(kernfs_read(fs, "proc/self/stat", KERNFS_KEEP, &buf), 0);
	for (int i = 0; i < 40000; i++)
		kernfs_read(fs, "proc/self/comm", KERNFS_KEEP, &buf);
	assert_int_equal(open_descriptors(), before + 1);
	buf_fini(&buf);
	kernfs_close(fs);
}

/* With many more paths than descriptors every file is read all the same. */
static void keeps_within_its_limit(void **state)
{
	char *dir = fake_tempdir(), path[4096], text[32];
	struct kernfs *fs = kernfs_machine();
	struct buf buf = { 0 };
	unsigned int before = open_descriptors();

	(void)state;
	for (int i = 0; i < 700; i++) {
		snprintf(path, sizeof(path), "%d", i);
		snprintf(text, sizeof(text), "file %d\n", i);
		fake_write(dir, path, text);
	}
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 700; i++) {
			snprintf(path, sizeof(path), "%s/%d", dir + 1, i);
			snprintf(text, sizeof(text), "file %d\n", i);
			assert_int_equal(kernfs_read(fs, path, KERNFS_KEEP, &buf), 0);
			is_text(&buf, text);
		}
	assert_true(open_descriptors() > before);
	assert_true(open_descriptors() <= before + 512);
	buf_fini(&buf);
	kernfs_close(fs);
	fake_tempdir_remove(dir);
}

/* Where the process has no descriptor left, those that are kept are given up for the file that is wanted. */
static void gives_up_descriptors(void **state)
{
	struct rlimit old, few;
	struct kernfs *fs = kernfs_machine();
	struct buf buf = { 0 };

	(void)state;
	assert_int_equal(kernfs_read(fs, "proc/self/stat", KERNFS_KEEP, &buf), 0);
	assert_int_equal(kernfs_read(fs, "proc/self/statm", KERNFS_KEEP, &buf), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = (rlim_t)dup(0);
	close((int)few.rlim_cur);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(open("/proc/self/comm", O_RDONLY), -1);
	assert_int_equal(errno, EMFILE);
	assert_int_equal(kernfs_read(fs, "proc/self/status", 0, &buf), 0);
	assert_int_equal(kernfs_read(fs, "proc/self/stat", KERNFS_KEEP, &buf), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	buf_fini(&buf);
	kernfs_close(fs);
}

/* ---- others ---- */

/* Errors as https://github.com/nicolargo/glances/issues/152 and its like list them. */
static void hands_errors_on(void **state)
{
	static const int errs[] = { EACCES, EPERM, EIO, EMFILE, ENOENT, ENODEV, EOPNOTSUPP };
	struct fake *f = fake_new();
	struct kernfs *fs = fake_kernfs(f);
	struct buf buf = { 0 };

	(void)state;
	fake_set(f, "proc/vmstat", "nr_free_pages 1\n");
	assert_int_equal(kernfs_read(fs, "proc/vmstat", 0, &buf), 0);
	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		fake_fail(f, "proc/vmstat", errs[i]);
		assert_int_equal(kernfs_read(fs, "proc/vmstat", 0, &buf), -errs[i]);
		is_text(&buf, "");
	}
	fake_fail_times(f, "proc/vmstat", EINTR, 3);
	assert_int_equal(kernfs_read(fs, "proc/vmstat", 0, &buf), 0);
	is_text(&buf, "nr_free_pages 1\n");
	/* It does not try for ever. */
	fake_fail(f, "proc/vmstat", EINTR);
	assert_int_equal(kernfs_read(fs, "proc/vmstat", 0, &buf), -EINTR);
	buf_fini(&buf);
	kernfs_close(fs);
	fake_free(f);
}

static int closed(void *ctx, const char *path, unsigned int flags, struct buf *buf)
{
	(void)path;
	(void)flags;
	(void)buf;
	++*(int *)ctx;
	return 0;
}

static void note_close(void *ctx)
{
	*(int *)ctx += 100;
}

static void custom_may_lack_operations(void **state)
{
	static const struct kernfs_ops ops = { closed, NULL, NULL, note_close };
	int calls = 0;
	struct kernfs *fs = kernfs_custom(&ops, &calls);
	struct buf buf = { 0 };
	uint64_t inode;

	(void)state;
	assert_int_equal(kernfs_list(fs, "x", count, NULL), -EOPNOTSUPP);
	assert_int_equal(kernfs_ident(fs, "x", &inode), -EOPNOTSUPP);
	assert_int_equal(kernfs_read(fs, "x", 0, &buf), 0);
	is_text(&buf, "");
	assert_false(kernfs_is_machine(fs));
	kernfs_close(fs);
	assert_int_equal(calls, 101);
	buf_fini(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_tree),
		cmocka_unit_test(reads_long_files_whole),
		cmocka_unit_test(nothing_leads_out_of_a_tree),
		cmocka_unit_test(lists_folders),
		cmocka_unit_test(lists_large_folders_whole),
		cmocka_unit_test(tells_folders_apart),
		cmocka_unit_test(no_folder_no_tree),
		cmocka_unit_test(enters_one_tree_after_the_other),
		cmocka_unit_test(keeps_descriptors_of_the_machine),
		cmocka_unit_test(forgets_what_is_not_asked_for),
		cmocka_unit_test(keeps_within_its_limit),
		cmocka_unit_test(gives_up_descriptors),
		cmocka_unit_test(hands_errors_on),
		cmocka_unit_test(custom_may_lack_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

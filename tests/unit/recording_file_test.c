/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that is written: who may have it, what a full disk does to it, how it gives way to a new one, whose names are in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/recording/pseudonym.h"
#include "reclaimtop/fields.h"
#include "support_recording.h"

static const char *const names[] = { "r.jsonl", "r.zst" };

static void assert_refused(const char *path, const struct recorder_options *o, int err)
{
	static const struct recorder_options usual;
	const char *why = "";
	struct recorder *r = recorder_open(path, o ? o : &usual, &why);

	assert_null(r);
	if (errno != err)
		fail_msg("%s: %s, not %s", path, strerror(errno), strerror(err));
	assert_true(*why);
}

/* ---- who may have it ---- */

static void test_existing(void **state)
{
	struct recorder_options append = { .append = true }, force = { .overwrite = true };
	const char *path = own_path("r.jsonl");
	struct stat st, now;
	uint64_t count;

	(void)state;
	umask(0);
	record_small(path, 5);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_refused(path, NULL, EEXIST);
	close_recorder(open_recorder(path, &append));
	assert_int_equal(check_small(path, &count), 5);
	close_recorder(open_recorder(path, &force));
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_size, 0);
	/* What is no recording is not added to. */
	spill(path, "my thesis\n", 10);
	assert_refused(path, &append, EPROTO);
	assert_refused(path, NULL, EEXIST);
	assert_refused("tests", &append, EISDIR);
	assert_refused("tests/no-such-folder/r", &append, ENOENT);
}

static void test_two_writers(void **state)
{
	struct recorder_options append = { .append = true }, force = { .overwrite = true };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);
		struct recorder *r = open_recorder(path, NULL);
		struct small m;

		small_init(&m);
		put(r, &m.s);
		assert_refused(path, &append, EBUSY);
		assert_refused(path, &force, EBUSY);
		small_next(&m);
		put(r, &m.s);
		close_recorder(r);
		close_recorder(open_recorder(path, &append));
		small_fini(&m);
	}
}

/* A folder of our own in which everybody may write, and one in which only we may. */
static void test_links(void **state)
{
	struct recorder_options append = { .append = true };
	char shared[300], own[300], path[400], target[400];
	const char *base = own_path("d");

	(void)state;
	snprintf(shared, sizeof(shared), "%s-shared", base);
	snprintf(own, sizeof(own), "%s-own", base);
	assert_int_equal(mkdir(shared, 0700), 0);
	assert_int_equal(mkdir(own, 0700), 0);
	assert_int_equal(chmod(shared, 01777), 0);
	snprintf(target, sizeof(target), "%s/file", own);

	/* As the last part of the path, leading somewhere or nowhere. */
	snprintf(path, sizeof(path), "%s/link", shared);
	assert_int_equal(symlink(target, path), 0);
	assert_refused(path, NULL, ELOOP);
	record_small(target, 3);
	assert_refused(path, &append, ELOOP);
	unlink(path);
	/* As a folder on the way. */
	assert_int_equal(symlink(own, path), 0);
	snprintf(path, sizeof(path), "%s/link/other", shared);
	assert_refused(path, NULL, ELOOP);
	/* Where only we can write it is somebody's who may. */
	snprintf(path, sizeof(path), "%s/link", own);
	assert_int_equal(symlink("file", path), 0);
	close_recorder(open_recorder(path, &append));
	/* No link: it goes there. */
	snprintf(path, sizeof(path), "%s/r.jsonl", shared);
	record_small(path, 3);
	unlink(path);
	snprintf(path, sizeof(path), "%s/link", shared);
	unlink(path);
	rmdir(shared);
}

/* ---- full ---- */

static void limit_files(rlim_t size)
{
	struct rlimit l = { .rlim_cur = size, .rlim_max = RLIM_INFINITY };

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/* Put, and count what comes of it. */
static int put_some(struct recorder *r, struct small *m, uint32_t n)
{
	int lost = 0;

	while (n--) {
		lost += recorder_put(r, &m->s) == -EFBIG;
		small_next(m);
	}
	return lost;
}

/*
 * A file that may not grow: nothing of a sample is in it, or all of it. Once it may grow again a whole sample comes, and before
 * it how many were lost.
 * https://github.com/sysstat/sysstat/issues/173
 */
static void test_full(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);
		struct recorder *r = open_recorder(path, NULL);
		struct recording_facts facts;
		const struct mark *marks;
		struct recording *rec;
		uint64_t size, count;
		struct small m;
		int lost;

		small_init(&m);
		assert_int_equal(put_some(r, &m, 7), 0);
		size = recorder_bytes(r);
		limit_files(size + 20);
		lost = put_some(r, &m, 20);
		assert_int_equal(lost, 20);
		assert_int_equal(recorder_lost(r), 20);
		assert_int_equal(recorder_bytes(r), size);
		/* Samples that come much faster than one a second are lost until it is tried again. */
		limit_files(RLIM_INFINITY);
		assert_int_equal(put_some(r, &m, 10), 0);
		close_recorder(r);
		assert_int_equal(check_small(path, &count), 17);
		assert_int_equal(count, 17);
		rec = open_recording(path);
		recording_facts(rec, &facts);
		assert_int_equal(facts.damaged, 0);
		assert_int_equal(facts.baseless, 0);
		assert_int_equal(recording_marks(rec, &marks), 1);
		assert_int_equal(marks[0].kind, MARK_LOST);
		assert_int_equal(marks[0].samples, 20);
		recording_close(rec);
		small_fini(&m);
	}
}

static void test_device_is_full(void **state)
{
	struct recorder *r = open_recorder("/dev/full", NULL);
	struct small m;

	(void)state;
	small_init(&m);
	assert_int_equal(recorder_put(r, &m.s), -ENOSPC);
	assert_int_equal(recorder_lost(r), 1);
	recorder_close(r);
	small_fini(&m);
}

/* A pipe whose reader went away is an error for good; one whose reader sleeps is left when asked to. */
static void test_pipe(void **state)
{
	struct recorder_options o = { 0 };
	const char *path = own_path("pipe");
	int reader, stop[2];
	struct recorder *r;
	struct small m;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	r = open_recorder(path, NULL);
	small_init(&m);
	put(r, &m.s);
	close(reader);
	small_next(&m);
	assert_int_equal(recorder_put(r, &m.s), -EPIPE);
	small_next(&m);
	assert_int_equal(recorder_put(r, &m.s), -EPIPE);
	recorder_close(r);

	assert_int_equal(pipe(stop), 0);
	assert_int_equal(write(stop[1], "x", 1), 1);
	reader = open(path, O_RDONLY | O_NONBLOCK);
	o.stop_fd = stop[0];
	r = open_recorder(path, &o);
	for (int i = 0, err = 0; i < 1000 && !err; i++) {
		err = recorder_put(r, &m.s);
		assert_true(!err || err == -ECANCELED);
		small_next(&m);
	}
	assert_true(recorder_lost(r) > 0);
	recorder_close(r);
	close(reader);
	close(stop[0]);
	close(stop[1]);
	unlink(path);
	small_fini(&m);
}

/* Emptied by somebody while it is written: it begins anew. */
static void test_truncated_meanwhile(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = own_path(names[i]);
		struct recorder *r = open_recorder(path, NULL);
		struct recording *rec;
		struct small m;

		small_init(&m);
		put_some(r, &m, 5);
		assert_int_equal(truncate(path, 0), 0);
		put_some(r, &m, 5);
		close_recorder(r);
		rec = open_recording(path);
		assert_int_equal(recording_count(rec), 5);
		recording_close(rec);
		small_fini(&m);
	}
}

/* ---- rotation ---- */

static uint32_t samples_in(const char *path)
{
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	uint32_t n = 0;

	if (!r)
		return 0;
	while (recording_scan(r, 1000000))
		;
	n = (uint32_t)recording_count(r);
	recording_close(r);
	return n;
}

static const char *rotated(const char *path, unsigned int n)
{
	static char name[400];
	const char *dot = strstr(strrchr(path, '/'), ".");

	snprintf(name, sizeof(name), "%.*s.%u%s", (int)(dot - path), path, n, dot);
	return name;
}

static void test_rotate(void **state)
{
	static const char *const rotating[] = { "r.jsonl", "r.jsonl.zst", "r.zst" };
	struct recorder_options o = { .rotate_us = 30 * INT64_C(1000000), .keep = 2 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		const char *path = own_path(rotating[i]);
		struct recorder *r = open_recorder(path, &o);
		struct small m;

		small_init(&m);
		assert_int_equal(put_some(r, &m, 110), 0);
		assert_int_equal(recorder_samples(r), 110);
		assert_int_equal(recorder_rotating(r), 0);
		close_recorder(r);
		assert_in_range(samples_in(path), 10, 20);
		assert_in_range(samples_in(rotated(path, 1)), 29, 32);
		assert_in_range(samples_in(rotated(path, 2)), 29, 32);
		assert_int_equal(access(rotated(path, 3), F_OK), -1);
		small_fini(&m);
		for (unsigned int k = 1; k < 3; k++)
			unlink(rotated(path, k));
	}
}

static void test_rotate_by_size(void **state)
{
	struct recorder_options o = { .rotate_bytes = 5000 };
	const char *path = own_path("r.jsonl");
	struct recorder *r = open_recorder(path, &o);
	uint32_t total, n = 1;
	struct stat st;
	struct small m;

	(void)state;
	small_init(&m);
	put_some(r, &m, 100);
	close_recorder(r);
	total = samples_in(path);
	for (; !stat(rotated(path, n), &st); n++) {
		assert_in_range(st.st_size, 5000, 6500);
		total += samples_in(rotated(path, n));
		unlink(rotated(path, n));
	}
	assert_int_equal(total, 100);
	assert_in_range(n, 6, 12);
	small_fini(&m);
}

/* ---- names ---- */

static void test_pseudonyms(void **state)
{
	struct pseudonyms *p = pseudonyms_new();
	struct sample s = { .arena = arena_new() };
	struct lruvec v[2] = { { .path = "/" }, { .path = "/system.slice/ssh.service" } };
	struct memcg g[2] = { { .path = "/system.slice/ssh.service" }, { .path = "/system.slice/cron.service" } };
	struct process q[3] = { { .name = "kswapd0", .kind = PROCESS_KSWAPD },
				{ .name = "sshd", .memcg = "/system.slice/ssh.service" }, { .name = "sshd" } };

	(void)state;
	sample_reset(&s);
	s.lruvecs = v;
	s.nlruvecs = 2;
	s.memcgs = g;
	s.nmemcgs = 2;
	s.processes = q;
	s.nprocesses = 3;
	pseudonyms_apply(p, &s);
	assert_string_equal(v[0].path, "/");
	assert_string_equal(v[1].path, g[0].path);
	assert_string_equal(v[1].path, q[1].memcg);
	assert_null(strstr(v[1].path, "ssh"));
	assert_non_null(strstr(v[1].path, ".service"));
	/* One folder is one folder. */
	assert_int_equal(strcspn(g[0].path + 1, "/"), strcspn(g[1].path + 1, "/"));
	assert_memory_equal(g[0].path, g[1].path, strcspn(g[0].path + 1, "/"));
	assert_string_not_equal(g[0].path, g[1].path);
	assert_string_equal(q[0].name, "kswapd0");
	assert_string_not_equal(q[1].name, "sshd");
	assert_string_equal(q[1].name, q[2].name);
	assert_null(q[2].memcg);
	pseudonyms_free(p);
	arena_free(s.arena);
}

/* Nothing of a name is left in the file, and all else is as it was. */
static void test_anonymize(void **state)
{
	struct recorder_options o = { .anonymize = true };
	const char *path = own_path("r.jsonl");
	struct recorder *r = open_recorder(path, &o);
	struct sample got = { .arena = arena_new() };
	struct recording *rec;
	struct buf text = { 0 };
	struct small m;

	(void)state;
	small_init(&m);
	m.lruvec.path = "/secret.slice/web-secret.service";
	for (int i = 0; i < 3; i++) {
		put(r, &m.s);
		small_next(&m);
	}
	assert_int_equal(recorder_mark(r, MARK_START, 1, "/opt/secret/tool --password=secret"), 0);
	close_recorder(r);
	slurp(path, &text);
	assert_null(strstr(text.data, "secret"));
	rec = open_recording(path);
	assert_int_equal(recording_read(rec, 2, &got), 0);
	assert_int_equal(got.lruvecs[0].gens[1].pages[TYPE_FILE], m.gens[1].pages[TYPE_FILE]);
	recording_close(rec);
	buf_fini(&text);
	arena_free(got.arena);
	small_fini(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_existing),
		cmocka_unit_test(test_two_writers),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_device_is_full),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_truncated_meanwhile),
		cmocka_unit_test(test_rotate),
		cmocka_unit_test(test_rotate_by_size),
		cmocka_unit_test(test_pseudonyms),
		cmocka_unit_test(test_anonymize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes of this machine, where this test makes a few that stand out. What costs more than a sweep (status, cgroup)
 * is read through a fake machine, which can say what it likes of them.
 */
#include "collectors/live.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/clock.h"
#include "support_fake.h"

#define SECOND 1000000

static const struct process *find(const struct sample *s, pid_t pid)
{
	for (uint32_t i = 0; i < s->nprocesses; i++)
		if (s->processes[i].pid == (uint32_t)pid)
			return &s->processes[i];
	return NULL;
}

/* A field of proc/PID/stat, counted from 1, of those behind the name. */
static unsigned long long stat_field(pid_t pid, int field)
{
	char path[64], *text, *at;
	unsigned long long value;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = fake_load(path, NULL);
	at = strrchr(text, ')') + 1;
	for (int i = 3; i < field; i++)
		at = strchr(at + 1, ' ');
	value = strtoull(at, NULL, 10);
	free(text);
	return value;
}

/* A child of the given name that holds memory until it is killed. */
static pid_t child(const char *name, size_t mib)
{
	int ready[2];
	pid_t pid;
	char byte;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		char *memory = mmap(NULL, (mib << 20) + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		for (size_t i = 0; i < mib << 20; i += 1024)
			memory[i] = 1;
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int64_t now_us(void *arg)
{
	return fake_now(arg);
}

/* The processes of this machine, and of everything else what f says. */
static struct source *open_source(struct fake *f)
{
	struct live_setup setup = {
		.fs = fake_kernfs(f), .interval_us = SECOND, .machine = true, .processes = true,
		.clock = { now_us, now_us, now_us, now_us, f },
	};

	return live_source(&setup);
}

/* ---- this machine ---- */

static void sees_what_is_large(void **state)
{
	static const struct interest in = { .processes = true };
	struct source *src = source_live(kernfs_machine(), SECOND, true);
	struct sample s = { 0 };
	pid_t pid = child("a\x1b[31mb", 300);
	const struct process *p;
	unsigned int rss_kib;

	(void)state;
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_int_equal(s.readings[READ_PROCESSES].state, READING_OK);
	assert_true(s.processes_seen >= 2);
	assert_true(s.nprocesses <= 3 * 16 + 255);
	p = find(&s, pid);
	if (!p) {
		/* Unless sixteen are larger still. */
		unsigned int larger = 0;

		for (uint32_t i = 0; i < s.nprocesses; i++)
			larger += s.processes[i].rss_kib >= 300 << 10;
		assert_true(larger >= 16);
		end(pid);
		skip();
	}
	/* libproc2 has its own way to make a name harmless. */
	assert_int_equal(strlen(p->name), strlen("a?[31mb"));
	assert_null(strchr(p->name, '\x1b'));
	assert_int_equal(p->kind, PROCESS_USER);
	assert_int_equal(p->state, 'S');
	assert_int_equal(p->start_ticks, stat_field(pid, 22));
	assert_int_equal(p->cpu_ticks, stat_field(pid, 14) + stat_field(pid, 15));
	assert_int_equal(p->minor_faults, stat_field(pid, 10));
	assert_int_equal(p->major_faults, stat_field(pid, 12));
	rss_kib = (unsigned int)stat_field(pid, 24) * (unsigned int)(sysconf(_SC_PAGESIZE) / 1024);
	assert_int_equal(p->rss_kib, rss_kib);
	assert_true(rss_kib >= 300 << 10);
	assert_true(p->node == UNKNOWN);
	assert_true(p->swap_kib != UNKNOWN);
	end(pid);
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_null(find(&s, pid));
	source_close(src);
	arena_free(s.arena);
}

/* The reclaim threads as proc names them, and with the flag that no process of a user's has. */
static unsigned int count_threads(void)
{
	DIR *dir = opendir("/proc");
	unsigned int n = 0;
	struct dirent *d;

	while ((d = readdir(dir))) {
		char path[300], name[64] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/comm", d->d_name);
		file = atoi(d->d_name) > 0 ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file) && stat_field(atoi(d->d_name), 9) & 0x00200000)
			n += !strncmp(name, "kswapd", 6) || !strncmp(name, "kcompactd", 9) ||
			     !strcmp(name, "khugepaged\n");
		fclose(file);
	}
	closedir(dir);
	return n;
}

static void finds_the_kernels_threads(void **state)
{
	struct source *src = source_live(kernfs_machine(), SECOND, true);
	struct sample s = { 0 };
	/* A name proves nothing. */
	pid_t pid = child("kswapd7", 1);
	unsigned int threads = count_threads(), kswapds = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		kswapds = 0;
		assert_int_equal(src->ops->next(src, NULL, &s), 0);
		assert_int_equal(s.readings[READ_PROCESSES].state, READING_OK);
		assert_int_equal(s.nprocesses, threads);
		for (uint32_t k = 0; k < s.nprocesses; k++) {
			const struct process *p = &s.processes[k];
			char name[32];

			assert_true(p->kind != PROCESS_USER);
			assert_null(p->memcg);
			assert_true(p->swap_kib == UNKNOWN);
			if (p->kind == PROCESS_KSWAPD) {
				snprintf(name, sizeof(name), "kswapd%" PRIu64, p->node);
				assert_string_equal(p->name, name);
				kswapds++;
			}
			assert_int_equal(p->kind == PROCESS_KHUGEPAGED, p->node == UNKNOWN);
		}
		assert_null(find(&s, pid));
	}
	if (threads)
		assert_true(kswapds > 0);
	end(pid);
	source_close(src);
	arena_free(s.arena);
}

/* Whoever may see little still gets what there is. */
static void needs_no_rights(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (!pid) {
		static const struct interest in = { .processes = true };
		struct source *src;
		struct sample s = { 0 };

		if (!getuid() && (setgid(65534) || setuid(65534)))
			_exit(2);
		src = source_live(kernfs_machine(), SECOND, true);
		if (src->ops->next(src, &in, &s) || s.readings[READ_PROCESSES].state != READING_OK)
			_exit(3);
		if (s.readings[READ_VMSTAT].state != READING_OK || !s.processes_seen)
			_exit(4);
		source_close(src);
		arena_free(s.arena);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

/* ---- status and cgroup ---- */

static void set_status(struct fake *f, pid_t pid, const char *text)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/status", (int)pid);
	fake_set(f, path, text);
}

static void reads_swap_and_memcg_of_the_rows(void **state)
{
	static const struct interest in = { .processes = true };
	struct fake *f = fake_new();
	pid_t pid = child("large", 300);
	struct sample s = { 0 };
	struct source *src;
	char path[64];

	(void)state;
	fake_machine(f);
	set_status(f, pid, "Name:\tx\\nVmSwap:\t 5 kB\nVmRSS:\t     700 kB\nVmSwap:\t     123 kB\nThreads:\t1\n");
	snprintf(path, sizeof(path), "proc/%d/cgroup", (int)pid);
	fake_set(f, path, "1:net_cls:/\n0::/web\n");
	src = open_source(f);
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	if (!find(&s, pid)) {
		end(pid);
		skip();
	}
	assert_int_equal(find(&s, pid)->swap_kib, 123);
	assert_string_equal(find(&s, pid)->memcg, "/web");
	/* Those of the others are not there, as if they had ended. */
	assert_true(s.readings[READ_PROCESSES].vanished > 0);
	assert_int_equal(s.readings[READ_PROCESSES].state, READING_OK);
	/* A status without the line says nothing. */
	set_status(f, pid, "Name:\tlarge\nState:\tZ (zombie)\n");
	fake_set(f, path, "5:memory:/old\n");
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_true(find(&s, pid)->swap_kib == UNKNOWN);
	assert_null(find(&s, pid)->memcg);
	end(pid);
	source_close(src);
	arena_free(s.arena);
	fake_free(f);
}

/* A process that has next to nothing in memory, and much in swap, is found in time. */
static void finds_what_is_swapped_out(void **state)
{
	static const struct interest in = { .processes = true };
	struct fake *f = fake_new();
	pid_t pid = child("small", 0);
	struct sample s = { 0 };
	struct source *src;
	const struct process *p = NULL;
	uint32_t most;

	(void)state;
	fake_machine(f);
	fake_set(f, "proc/meminfo", "MemTotal: 500000 kB\nSwapTotal: 500000 kB\nSwapFree: 100000 kB\n");
	set_status(f, pid, "Name:\tsmall\nVmSwap:\t  400000 kB\n");
	src = open_source(f);
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	most = s.processes_seen / 64 + 3;
	for (uint32_t i = 0; i < most && !(p = find(&s, pid)); i++)
		assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_non_null(p);
	assert_int_equal(p->swap_kib, 400000);
	/* And it stays. */
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_non_null(find(&s, pid));
	end(pid);
	source_close(src);
	arena_free(s.arena);
	fake_free(f);
}

/* Where no swap is in use nobody needs to be asked. */
static void no_swap_no_questions(void **state)
{
	static const struct interest in = { .processes = true };
	struct fake *f = fake_new();
	struct sample s = { 0 };
	struct source *src;
	unsigned int before;

	(void)state;
	fake_machine(f);
	fake_set(f, "proc/meminfo", "MemTotal: 500000 kB\nSwapTotal: 500000 kB\nSwapFree: 500000 kB\n");
	src = open_source(f);
	for (int i = 0; i < 5; i++) {
		before = fake_reads_ending(f, "/status");
		assert_int_equal(src->ops->next(src, &in, &s), 0);
		assert_true(fake_reads_ending(f, "/status") - before <= 48);
	}
	source_close(src);
	arena_free(s.arena);
	fake_free(f);
}

/* ---- faults ---- */

/* The child touches pages of a file that are not in memory. Whether it faults is the file system's affair. */
static void fault(const char *file, size_t size)
{
	int fd = open(file, O_RDONLY);
	volatile const char *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	madvise((void *)(uintptr_t)map, size, MADV_RANDOM);
	for (size_t i = 0; i < size; i += 4096)
		(void)map[i];
}

static void finds_what_faults(void **state)
{
	static const struct interest in = { .processes = true };
	struct source *src = source_live(kernfs_machine(), SECOND, true);
	struct sample s = { 0 };
	char *dir = fake_tempdir(), file[4096], byte = 0;
	int go[2], done[2], fd;
	pid_t pid;

	(void)state;
	snprintf(file, sizeof(file), "%s/file", dir);
	fd = open(file, O_RDWR | O_CREAT, 0600);
	for (int i = 0; i < 256; i++)
		assert_int_equal(pwrite(fd, file, 4096, i * 4096), 4096);
	fsync(fd);
	close(fd);
	assert_int_equal(pipe(go) | pipe(done), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(go[0], &byte, 1) == 1) {
			fault(file, 256 * 4096);
			if (write(done[1], "", 1) == 1)
				pause();
		}
		_exit(0);
	}
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	assert_int_equal(write(go[1], "", 1), 1);
	assert_int_equal(read(done[0], &byte, 1), 1);
	assert_int_equal(src->ops->next(src, &in, &s), 0);
	if (stat_field(pid, 12) >= 100) {
		assert_non_null(find(&s, pid));
		assert_int_equal(find(&s, pid)->major_faults, stat_field(pid, 12));
	}
	end(pid);
	source_close(src);
	arena_free(s.arena);
	fake_tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_what_is_large),
		cmocka_unit_test(finds_the_kernels_threads),
		cmocka_unit_test(needs_no_rights),
		cmocka_unit_test(reads_swap_and_memcg_of_the_rows),
		cmocka_unit_test(finds_what_is_swapped_out),
		cmocka_unit_test(no_swap_no_questions),
		cmocka_unit_test(finds_what_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

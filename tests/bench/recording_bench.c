/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample takes in a file, plain and compressed, and what reading one costs: of the usual machine of the benches, which is
 * no loop (tests/bench/support/machine.h).
 *
 * Then a long file of 20,000 samples, or as many as SAMPLES in the environment says (86400 is a day at one second): time until
 * the first sample is at hand and until all is indexed, a jump to any time, reading on, and the memory that all of it takes.
 * TIMES=15: the plain one as often behind itself, as sessions of one file (15 days are 10 GB).
 *
 * Exit 1 where a bound is not kept: 8 kB a sample plain and 1.3 kB compressed; without processes and memory.stat 3.5 kB
 * and 0.6 kB; 300 ms of CPU time to the first sample, 30 ms for a jump; 64 MiB.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/recording.h"
#include "tests/bench/support/machine.h"

#define SECONDS 600
#define USUAL 20000
#define JUMPS 300

enum what { EVERYTHING, NO_STAT, NO_CGROUPS };

static const struct {
	const char *title;
	double plain, packed;   /* bounds in bytes; 0 none */
} whats[] = {
	[EVERYTHING] = { "60 memcgs, 5 busy; processes", 8000, 1300 },
	[NO_STAT] = { "no processes, no memory.stat", 3500, 600 },
	[NO_CGROUPS] = { "no processes, no files of cgroups", 0, 0 },
};

static bool failed;

static void bound(const char *what, double is, double most)
{
	if (!most || is <= most)
		return;
	printf("  %s: %.1f is more than %.1f\n", what, is, most);
	failed = true;
}

static char *own_file(const char *name)
{
	static char path[2][400];
	static int at;
	const char *base = getenv("TMPDIR");

	at = !at;
	snprintf(path[at], sizeof(path[0]), "%s/%d-%s", base ? base : "/tmp", (int)getpid(), name);
	return path[at];
}

/* ---- sizes ---- */

static void put(struct recorder *r, enum what what, const struct sample *s)
{
	struct sample own = *s;

	if (what == NO_CGROUPS) {
		own.nmemcgs = 0;
		own.readings[READ_CGROUP] = (struct reading){ 0 };
	}
	if (recorder_put(r, &own)) {
		fprintf(stderr, "recording_bench: a sample was refused\n");
		exit(1);
	}
}

static uint64_t write_file(const char *path, enum what what, uint32_t samples)
{
	const struct recorder_options options = { .overwrite = true };
	struct bench_machine *m = bench_machine_new(20261130, 2, what == EVERYTHING, what == EVERYTHING);
	const char *why = "";
	struct recorder *r = recorder_open(path, &options, &why);
	int64_t own = 0;
	uint64_t bytes;

	if (!r) {
		fprintf(stderr, "recording_bench: %s: %s\n", path, why);
		exit(1);
	}
	for (uint32_t i = 0; i < samples; i++) {
		const struct sample *s = bench_machine_next(m);
		int64_t t = clock_cpu_us();

		put(r, what, s);
		own += clock_cpu_us() - t;
	}
	bytes = recorder_bytes(r);
	recorder_close(r);
	bench_machine_free(m);
	printf("  %-8s %7.0f bytes %7.0f us\n", strstr(path, ".zst") ? "packed" : "plain",
	       (double)bytes / samples, (double)own / samples);
	return bytes;
}

static void sizes(enum what what)
{
	const char *plain = own_file("size.jsonl"), *packed = own_file("size.zst");

	printf("%s: bytes and CPU time a sample\n", whats[what].title);
	bound("plain", (double)write_file(plain, what, SECONDS) / SECONDS, whats[what].plain);
	bound("packed", (double)write_file(packed, what, SECONDS) / SECONDS, whats[what].packed);
	unlink(plain);
	unlink(packed);
}

/* ---- a long file ---- */

static struct recording *first_sample(const char *path, struct sample *s)
{
	int64_t cpu = clock_cpu_us(), t = clock_mono_us();
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);

	if (!r || recording_read(r, 0, s)) {
		fprintf(stderr, "recording_bench: %s: %s\n", path, why);
		exit(1);
	}
	cpu = clock_cpu_us() - cpu;
	printf("  first sample   %8.1f ms CPU, %.1f ms\n", (double)cpu / 1e3, (double)(clock_mono_us() - t) / 1e3);
	bound("first sample", (double)cpu / 1e3, 300);
	return r;
}

static void index_all(struct recording *r, uint32_t samples)
{
	int64_t cpu = clock_cpu_us(), t = clock_mono_us();

	while (recording_scan(r, 10000))
		;
	printf("  indexed        %8.1f ms CPU, %.1f ms\n", (double)(clock_cpu_us() - cpu) / 1e3,
	       (double)(clock_mono_us() - t) / 1e3);
	if (recording_count(r) != samples) {
		printf("  %llu samples, not %u\n", (unsigned long long)recording_count(r), (unsigned int)samples);
		failed = true;
	}
}

/* To a time, and the sample there. */
static void jump_about(struct recording *r, uint32_t samples, struct sample *s)
{
	int64_t first = recording_time(r, 0), sum = 0, worst = 0;
	uint64_t seed = 1;

	for (int i = 0; i < JUMPS; i++) {
		int64_t t = clock_cpu_us(), to;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		to = first + (int64_t)(seed >> 33) % samples * 1000000;
		if (recording_read(r, recording_find(r, 0, to), s))
			failed = true;
		t = clock_cpu_us() - t;
		sum += t;
		worst = t > worst ? t : worst;
	}
	printf("  a jump         %8.1f ms CPU, at most %.1f ms\n", (double)sum / JUMPS / 1e3, (double)worst / 1e3);
	bound("a jump", (double)worst / 1e3, 30);
}

static void read_on(struct recording *r, struct sample *s)
{
	uint64_t n = recording_count(r) < 2000 ? recording_count(r) : 2000;
	int64_t t = clock_cpu_us();

	for (uint64_t i = 0; i < n; i++)
		if (recording_read(r, i, s))
			failed = true;
	printf("  reading on     %8.1f us CPU a sample\n", (double)(clock_cpu_us() - t) / (double)n);
}

/* In a process of its own, so that its memory is that of reading. */
static void read_file(const char *path, uint32_t samples, uint32_t times)
{
	struct sample s = { .arena = arena_new() };
	struct recording *r = first_sample(path, &s);
	struct rusage usage;

	index_all(r, samples * times);
	jump_about(r, samples, &s);
	read_on(r, &s);
	recording_close(r);
	arena_free(s.arena);
	getrusage(RUSAGE_SELF, &usage);
	printf("  memory         %8.1f MiB\n", (double)usage.ru_maxrss / 1024);
	bound("memory", (double)usage.ru_maxrss / 1024, 64);
}

/* Its bytes as often behind one another. */
static void repeat(const char *path, uint32_t times)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);

	for (uint32_t i = 1; i < times; i++) {
		off_t from = 0, to = size * i;

		while (from < size) {
			ssize_t n = copy_file_range(fd, &from, fd, &to, (size_t)(size - from), 0);

			if (n <= 0) {
				perror("recording_bench");
				exit(1);
			}
		}
	}
	if (times > 1)
		printf("  as often as to be %.1f GB:\n", (double)size * times / 1e9);
	close(fd);
}

/* Writing takes memory too: a child does it. */
static void long_file(const char *name, uint32_t samples, uint32_t times)
{
	const char *path = own_file(name);
	pid_t pid;
	int status;

	printf("%u samples, %s:\n", (unsigned int)samples, name);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		printf("  written: %.0f MB\n", (double)write_file(path, EVERYTHING, samples) / 1e6);
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		exit(1);
	repeat(path, times);
	read_file(path, samples, times);
	unlink(path);
}

static uint32_t asked(const char *name, uint32_t usual)
{
	const char *text = getenv(name);

	return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

int main(void)
{
	uint32_t samples = asked("SAMPLES", USUAL);

	long_file("day.zst", samples, 1);
	long_file("day.jsonl", samples, asked("TIMES", 1));
	sizes(EVERYTHING);
	sizes(NO_STAT);
	sizes(NO_CGROUPS);
	return failed;
}

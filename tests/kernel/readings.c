/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * readings: reads files of the kernel over and over, and writes down afterwards what they said and
 * when. It stands alone (static, no headers of ours), since the program's samples are held against
 * it. All memory is taken before the first round and nothing is written before the last, so that a
 * machine at rest stays at rest.
 *
 *     readings [-n ROUNDS] [-i MS] OUT FILE...
 *
 * OUT/NN/FILE is what round NN read; OUT/times has a line for each: round, start, end, file. Times are
 * microseconds of CLOCK_MONOTONIC.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	READINGS_MAX_FILES = 64,
	READINGS_MAX_PATH = 1024,
	READINGS_BYTES = 32 << 10,	/* more than any of these files has; each gets so many */
};

struct reading {
	uint64_t start_us;
	uint64_t end_us;
	ssize_t len;	/* -1: it could not be read */
	char text[READINGS_BYTES];
};

struct readings {
	const char *out;
	int n_files;
	char **files;
	int fds[READINGS_MAX_FILES];
	int rounds;
	int pause_ms;
	struct reading *all;	/* by round, then by file */
};

static int fail(const char *what, const char *why)
{
	fprintf(stderr, "readings: %s: %s\n", what, why);
	return 1;
}

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

/* From its start to its end: these files give a page at a time. */
static void read_file(int fd, struct reading *r)
{
	size_t len = 0;
	ssize_t got = -1;

	r->start_us = now_us();
	if (lseek(fd, 0, SEEK_SET) == 0)
		while ((got = read(fd, r->text + len, sizeof(r->text) - len)) > 0)
			len += (size_t)got;
	r->end_us = now_us();
	r->len = got < 0 || len == sizeof(r->text) ? -1 : (ssize_t)len;
}

static void pause_until(uint64_t t_us)
{
	struct timespec ts = { (time_t)(t_us / 1000000u), (long)(t_us % 1000000u) * 1000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static void read_all(struct readings *rs)
{
	uint64_t due = now_us();

	for (int round = 0; round < rs->rounds; round++) {
		for (int i = 0; i < rs->n_files; i++)
			if (rs->fds[i] >= 0)
				read_file(rs->fds[i], &rs->all[round * rs->n_files + i]);
		due += (uint64_t)rs->pause_ms * 1000u;
		if (due < now_us())
			due = now_us();
		pause_until(due);
	}
}

static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return fail(path, strerror(errno));
		*slash = '/';
	}
	return 0;
}

static int write_reading(const struct readings *rs, int round, int i, FILE *times)
{
	const struct reading *r = &rs->all[round * rs->n_files + i];
	char path[READINGS_MAX_PATH];
	FILE *f;
	size_t wrote;

	if (rs->fds[i] < 0 || r->len < 0)
		return 0;
	if (snprintf(path, sizeof(path), "%s/%02d%s", rs->out, round, rs->files[i]) >= (int)sizeof(path))
		return fail(rs->files[i], "too long");
	if (make_folders(path))
		return 1;
	f = fopen(path, "w");
	if (!f)
		return fail(path, strerror(errno));
	wrote = fwrite(r->text, 1, (size_t)r->len, f);
	if (fclose(f) || wrote != (size_t)r->len)
		return fail(path, "not written");
	fprintf(times, "%02d %" PRIu64 " %" PRIu64 " %s\n", round, r->start_us, r->end_us, rs->files[i]);
	return 0;
}

static int write_all(const struct readings *rs)
{
	char path[READINGS_MAX_PATH];
	FILE *times;
	int err = 0;

	snprintf(path, sizeof(path), "%s/times", rs->out);
	if (make_folders(path))
		return 1;
	times = fopen(path, "w");
	if (!times)
		return fail(path, strerror(errno));
	for (int round = 0; round < rs->rounds; round++)
		for (int i = 0; i < rs->n_files && !err; i++)
			err = write_reading(rs, round, i, times);
	return fclose(times) ? fail(path, "not written") : err;
}

static int open_all(struct readings *rs)
{
	size_t size = (size_t)rs->rounds * (size_t)rs->n_files * sizeof(*rs->all);

	for (int i = 0; i < rs->n_files; i++) {
		rs->fds[i] = open(rs->files[i], O_RDONLY | O_CLOEXEC);
		if (rs->fds[i] < 0)
			fail(rs->files[i], strerror(errno));
	}
	rs->all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (rs->all == MAP_FAILED)
		return fail("memory", strerror(errno));
	if (mlockall(MCL_CURRENT))
		memset(rs->all, 0, size);
	return 0;
}

int main(int argc, char **argv)
{
	struct readings rs = { .rounds = 10, .pause_ms = 250 };
	int opt;

	while ((opt = getopt(argc, argv, "+n:i:")) != -1) {
		if (opt == 'n')
			rs.rounds = (int)strtol(optarg, NULL, 10);
		else if (opt == 'i')
			rs.pause_ms = (int)strtol(optarg, NULL, 10);
		else
			return 2;
	}
	rs.n_files = argc - optind - 1;
	if (rs.n_files < 1 || rs.n_files > READINGS_MAX_FILES || rs.rounds < 1 || rs.rounds > 100) {
		fputs("usage: readings [-n ROUNDS] [-i MS] OUT FILE...\n", stderr);
		return 2;
	}
	rs.out = argv[optind];
	rs.files = argv + optind + 1;
	if (open_all(&rs))
		return 1;
	read_all(&rs);
	return write_all(&rs);
}

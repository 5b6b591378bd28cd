/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * motion_bench - what moving pictures cost. The program runs on a pty of 120x40 that answers as a terminal does, in the
 * views of the demo in which something moves, the busiest part of it:
 *
 *   moving     20 frames a second: at most 3 % of a core, 30 kB/s
 *   standing   paused: no byte, at most 0.2 % of a core
 *   slow       behind a reader that takes 2 kB/s: a key is answered within 200 ms, and so where the reader answers nothing
 *
 * Exit status 1 where one of these does not hold.
 *
 *     RECLAIMTOP=build/reclaimtop motion_bench [SECONDS]
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

#define SECOND 1000000
#define TAIL   4096

/* The program at the other end of a pty. */
struct far {
	pid_t pid;
	int fd;
	const char *view;
	bool mute;       /* answers no question */
	double rate;     /* bytes a second that are taken; 0: all there are */
	int64_t next_us; /* when the next are taken */
	size_t bytes, frames;
	char tail[TAIL + 1]; /* the last of them, nulls apart */
	size_t len;
};

static void start(struct far *f, const char *dir)
{
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	const char *program = getenv("RECLAIMTOP");

	f->pid = forkpty(&f->fd, NULL, NULL, &size);
	if (f->pid < 0) {
		perror("motion_bench: forkpty");
		exit(77);
	}
	if (f->pid)
		return;
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	program = program ? program : "build/reclaimtop";
	if (dir)
		execl(program, program, "--root", dir, "--view", f->view, (char *)NULL);
	execl(program, program, "demo", "--view", f->view, (char *)NULL);
	_exit(127);
}

static void end(struct far *f)
{
	kill(f->pid, SIGTERM);
	while (waitpid(f->pid, NULL, WNOHANG) == 0) {
		char part[4096];

		if (read(f->fd, part, sizeof(part)) < 0 && errno != EINTR)
			usleep(10000);
	}
	close(f->fd);
}

static void press(const struct far *f, const char *keys)
{
	if (write(f->fd, keys, strlen(keys)) < 0)
		perror("motion_bench: write");
}

static void keep(struct far *f, const char *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (f->len == TAIL) {
			memmove(f->tail, f->tail + TAIL / 2, TAIL / 2);
			f->len = TAIL / 2;
		}
		f->tail[f->len++] = part[i] ? part[i] : ' ';
		f->tail[f->len] = '\0';
		if (f->len < 4 || memcmp(f->tail + f->len - 4, "\033[5n", 4))
			continue;
		f->frames++;
		if (!f->mute)
			press(f, "\033[0n");
	}
}

/* A line that was late makes up for it, but not for long. */
static void slow_down(struct far *f, size_t bytes)
{
	int64_t from = clock_mono_us() - SECOND / 10;

	if (f->rate <= 0)
		return;
	from = f->next_us > from ? f->next_us : from;
	f->next_us = from + (int64_t)((double)bytes * 1e6 / f->rate);
}

/* Take what comes until a time, or until text was seen. */
static bool take(struct far *f, int64_t until_us, const char *text)
{
	char part[4096];

	for (;;) {
		int64_t now = clock_mono_us();
		struct pollfd p = { .fd = f->fd, .events = POLLIN };
		size_t most = f->rate > 0 ? (size_t)(f->rate / 50) : sizeof(part);
		ssize_t n;

		if (text && strstr(f->tail, text))
			return true;
		if (now >= until_us)
			return false;
		if (f->rate > 0 && now < f->next_us) {
			usleep((useconds_t)(f->next_us - now));
			continue;
		}
		if (poll(&p, 1, 5) <= 0 || (n = read(f->fd, part, most)) <= 0)
			continue;
		f->bytes += (size_t)n;
		slow_down(f, (size_t)n);
		keep(f, part, (size_t)n);
	}
}

static void wait_us(struct far *f, int64_t us)
{
	take(f, clock_mono_us() + us, NULL);
}

/* Nanoseconds that all threads have run. */
static double cpu_ns(const struct far *f)
{
	char path[600];
	struct dirent *e;
	double sum = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)f->pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir))) {
		unsigned long long ns = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/task/%s/schedstat", (int)f->pid, e->d_name);
		file = e->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && fscanf(file, "%llu", &ns) == 1)
			sum += (double)ns;
		if (file)
			fclose(file);
	}
	if (dir)
		closedir(dir);
	return sum;
}

/* What it takes in a while: per cent of a core, kB and frames a second. */
struct cost {
	double cpu, kb, frames;
};

static struct cost measure(struct far *f, int64_t us)
{
	int64_t from = clock_mono_us();
	double cpu = cpu_ns(f), seconds;
	size_t bytes = f->bytes, frames = f->frames;

	wait_us(f, us);
	seconds = (double)(clock_mono_us() - from) / 1e6;
	return (struct cost){ (cpu_ns(f) - cpu) / 1e7 / seconds,
			      (double)(f->bytes - bytes) / 1e3 / seconds,
			      (double)(f->frames - frames) / seconds };
}

static bool moving(const char *dir, const char *view, int seconds)
{
	struct far f = { .fd = -1, .view = view };
	struct cost c;
	bool good;

	start(&f, dir);
	wait_us(&f, 2 * SECOND);
	/* Where the demo is busy. */
	if (!dir)
		press(&f, "j1m\r");
	wait_us(&f, SECOND);
	wait_us(&f, 4 * SECOND);
	c = measure(&f, (int64_t)seconds * SECOND);
	good = c.cpu <= 3 && c.kb <= 30 && c.frames <= 21;
	printf("%s, moving: %.2f %% of a core (at most 3), %.1f kB/s (at most 30), %.1f frames/s%s\n",
	       view, c.cpu, c.kb, c.frames, good ? "" : ": too much");
	press(&f, " ");
	wait_us(&f, SECOND);
	c = measure(&f, 10 * SECOND);
	printf("%s, standing: %.3f %% of a core (at most 0.2), %.3f kB/s (0)%s\n", view, c.cpu, c.kb,
	       c.cpu <= 0.2 && c.kb == 0 ? "" : ": too much");
	good &= c.cpu <= 0.2 && c.kb == 0;
	end(&f);
	return good;
}

/* A key, and a word in the first row that it changes. */
static const struct {
	const char *key, *word;
} asked[] = {
	{ "z", "slow mot" },   { "z", NULL },
	{ " ", "STOP" },       { " ", "PLAY" },
	{ "d", "place" },      { "d", "eclaim" },
	{ "h", "Help" },       { "h", "Whole" },
	{ "3", "[3 Memcgs]" }, { "2", "[2 Generations]" },
};

static bool slow(const char *dir, bool mute)
{
	struct far f = { .fd = -1, .view = "generations", .mute = mute, .rate = 2000 };
	double worst = 0;

	start(&f, dir);
	wait_us(&f, 9 * SECOND);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		int64_t from = clock_mono_us();
		double ms;

		f.len = 0;
		f.tail[0] = '\0';
		press(&f, asked[i].key);
		if (asked[i].word && !take(&f, from + 5 * SECOND, asked[i].word))
			printf("slow: %s is not answered\n", asked[i].word);
		ms = (double)(clock_mono_us() - from) / 1e3;
		if (getenv("MOTION_BENCH_KEYS"))
			printf("  %-16s %6.0f ms\n", asked[i].word ? asked[i].word : "", ms);
		worst = ms > worst ? ms : worst;
		wait_us(&f, 5 * SECOND);
	}
	end(&f);
	printf("slow, %s: the slowest answer to a key in %.0f ms (at most 200)%s\n",
	       mute ? "mute" : "answering", worst, worst <= 200 ? "" : ": too slow");
	return worst <= 200;
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 15;
	const char *dir = argc > 2 ? argv[2] : NULL;
	bool good = moving(dir, "generations", seconds);

	good &= moving(dir, "pagesets", seconds);
	good &= slow(dir, false);
	good &= slow(dir, true);
	return !good;
}

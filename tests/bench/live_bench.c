/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_bench - 500 samples of this machine's files in one process, processes apart, against `cat`
 * of the same files.
 *
 * The files are those that are read with every sample, as a run that watches finds them; the
 * clock moves by a second a sample, so that what is read now and then counts as it does in life.
 * Both sides run in processes of their own, in turn, and the kernel says what CPU they took. Exit
 * status 1 where the median of the ratios is above the limit.
 *
 *     live_bench [SAMPLES [PAIRS]]
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/live.h"

#define SAMPLES_USUAL 500
#define PAIRS_USUAL 9
#define PAIRS_MOST 99
#define LIMIT 1.5
#define FILES_MOST 1024
#define ARGS_BYTES (1 << 20)

/* Files that were read in the last sample and in all before it. */
struct watch {
	struct kernfs *fs;
	char *paths[FILES_MOST];
	unsigned int reads[FILES_MOST], n;
};

static int watch_read(void *ctx, const char *path, unsigned int flags, struct buf *buf)
{
	struct watch *w = ctx;
	int err = kernfs_read(w->fs, path, flags, buf);
	unsigned int i = 0;

	while (i < w->n && strcmp(w->paths[i], path))
		i++;
	if (i == w->n && !err && w->n < FILES_MOST)
		w->paths[w->n++] = strdup(path);
	if (i < w->n)
		w->reads[i] += !err;
	return err;
}

static int watch_list(void *ctx, const char *path, kernfs_entry_fn *fn, void *arg)
{
	return kernfs_list(((struct watch *)ctx)->fs, path, fn, arg);
}

static int watch_ident(void *ctx, const char *path, uint64_t *inode)
{
	return kernfs_ident(((struct watch *)ctx)->fs, path, inode);
}

static int64_t stepping_clock(void *arg)
{
	return *(int64_t *)arg;
}

static void take_samples(struct kernfs *fs, int n)
{
	int64_t now_us = 0;
	struct live_clock clock = { stepping_clock, stepping_clock, stepping_clock, stepping_clock, &now_us };
	struct live_setup setup = { fs, 1000000, false, true, clock };
	struct source *src = live_source(&setup);
	struct sample s = { 0 };

	for (int i = 0; i < n; i++) {
		now_us += 1000000;
		src->ops->next(src, NULL, &s);
	}
	arena_free(s.arena);
	source_close(src);
}

/* The files of every sample, in w->paths. */
static void find_files(struct watch *w)
{
	static const struct kernfs_ops ops = { watch_read, watch_list, watch_ident, NULL };
	unsigned int kept = 0;

	w->fs = kernfs_machine();
	take_samples(kernfs_custom(&ops, w), 5);
	for (unsigned int i = 0; i < w->n; i++)
		if (w->reads[i] == 5)
			w->paths[kept++] = w->paths[i];
	w->n = kept;
	kernfs_close(w->fs);
}

/* CPU in microseconds of a process that ends. */
static double cpu_of(pid_t pid)
{
	struct rusage use;
	int status;

	if (pid < 0 || wait4(pid, &status, 0, &use) < 0 || !WIFEXITED(status)) {
		perror("live_bench");
		exit(1);
	}
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e6 +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static double run_samples(int samples)
{
	pid_t pid = fork();

	if (!pid) {
		take_samples(kernfs_machine(), samples);
		_exit(0);
	}
	return cpu_of(pid);
}

static double run_cat(char **args)
{
	pid_t pid = fork();

	if (!pid) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(126);
		execvp("cat", args);
		_exit(127);
	}
	return cpu_of(pid);
}

/*
 * `cat` of the list, once for each sample: in one process, or in as few as the limit on arguments
 * lets it.
 */
static double run_cats(const struct watch *w, int samples)
{
	char **args = calloc((size_t)samples * w->n + 2, sizeof(*args));
	size_t n = 1, bytes = 0;
	double sum = 0;

	args[0] = (char *)"cat";
	for (int i = 0; i < samples; i++)
		for (unsigned int f = 0; f < w->n; f++) {
			args[n++] = w->paths[f];
			bytes += strlen(w->paths[f]) + 1 + sizeof(*args);
			if (bytes < ARGS_BYTES)
				continue;
			args[n] = NULL;
			sum += run_cat(args);
			n = 1;
			bytes = 0;
		}
	args[n] = NULL;
	if (n > 1)
		sum += run_cat(args);
	free(args);
	return sum;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int number(const char *arg, int usual, int most)
{
	int n = arg ? atoi(arg) : usual;

	return n < 1 ? 1 : n > most ? most : n;
}

int main(int argc, char **argv)
{
	static struct watch w;
	int samples = number(argc > 1 ? argv[1] : NULL, SAMPLES_USUAL, 1000000);
	int pairs = number(argc > 2 ? argv[2] : NULL, PAIRS_USUAL, PAIRS_MOST);
	double ratios[PAIRS_MOST], ours = 0, cats = 0, least = 0, least_cat = 0;

	find_files(&w);
	if (chdir("/") || !w.n) {
		fprintf(stderr, "live_bench: no file can be read\n");
		return 1;
	}
	for (int i = 0; i < pairs; i++) {
		double a = run_samples(samples), b = run_cats(&w, samples);

		ratios[i] = a / b;
		least = i && least < a ? least : a;
		least_cat = i && least_cat < b ? least_cat : b;
		ours += a;
		cats += b;
	}
	qsort(ratios, (size_t)pairs, sizeof(ratios[0]), compare);
	printf("live: %d samples of %u files: %.0f ms CPU, cat of the same files %.0f ms: ratio %.2f (%.2f to %.2f, of the least of each %.2f), at most %.1f\n",
	       samples, w.n, ours / pairs / 1000, cats / pairs / 1000, ratios[pairs / 2], ratios[0],
	       ratios[pairs - 1], least / least_cat, LIMIT);
	return ratios[pairs / 2] > LIMIT;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse_bench - how long lru_gen_parse() takes, as ratios to two other things done with the same
 * text in the same run: memchr() from line to line, which is about what a program pays that only
 * looks at the text, and mawk summing the two columns of pages. Each is timed several times; the
 * best time counts, since all that disturbs makes it longer.
 *
 * usage: parse_bench [FILE]    without FILE what gen_lru_gen beside this program prints
 *
 * Exit status 1 where a ratio is worse than it may be.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "collectors/parse.h"
#include "reclaimtop/clock.h"

#define ROUNDS 200
#define MAWK_ROUNDS 5
#define MOST_MEMCHR 5.0
#define LEAST_MAWK 5.0

static struct text read_all(FILE *f)
{
	struct text t = { NULL, 0 };
	char *buf = NULL;
	size_t len = 0, cap = 1 << 20;

	for (;;) {
		buf = mem_grow(buf, cap);
		len += fread(buf + len, 1, cap - len, f);
		if (len < cap)
			break;
		cap *= 2;
	}
	t.buf = buf;
	t.len = len;
	return t;
}

static struct text generated(const char *self)
{
	const char *slash = strrchr(self, '/');
	int folder = slash ? (int)(slash + 1 - self) : 0;
	char command[4096];
	struct text t;
	FILE *f;

	snprintf(command, sizeof(command), "%.*sgen_lru_gen", folder, self);
	f = popen(command, "r");
	if (!f) {
		perror(command);
		exit(1);
	}
	t = read_all(f);
	if (pclose(f))
		exit(1);
	return t;
}

static uint64_t count_lines(struct text t)
{
	const char *p = t.buf, *end = p + t.len;
	uint64_t lines = 0;

	while ((p = memchr(p, '\n', (size_t)(end - p)))) {
		p++;
		lines++;
	}
	return lines;
}

static uint64_t sum_pages(const struct sample *s)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < s->nlruvecs; i++)
		for (uint32_t j = 0; j < s->lruvecs[i].ngens; j++)
			sum += s->lruvecs[i].gens[j].pages[TYPE_ANON] +
			       s->lruvecs[i].gens[j].pages[TYPE_FILE];
	return sum;
}

static int64_t children_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (int64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + u.ru_utime.tv_usec +
	       u.ru_stime.tv_usec;
}

/* CPU that mawk takes for the text, and what it makes of it. -1 where there is no mawk. */
static int64_t time_mawk(struct text t, uint64_t *sum)
{
	static const char program[] =
		"mawk '{ a += $3; b += $4 } END { printf \"%.0f\\n\", a + b }'";
	char path[] = "/var/tmp/parse_bench.XXXXXX", command[256];
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	int64_t best = INT64_MAX;

	if (!f || fwrite(t.buf, 1, t.len, f) != t.len || fclose(f)) {
		perror(path);
		exit(1);
	}
	snprintf(command, sizeof(command), "%s %s", program, path);
	for (int i = 0; i < MAWK_ROUNDS; i++) {
		int64_t before = children_us(), took;
		FILE *out = popen(command, "r");
		int ok = out && fscanf(out, "%" SCNu64, sum) == 1;

		if (!out || pclose(out) || !ok)
			best = -1;
		took = children_us() - before;
		if (best >= 0 && took < best)
			best = took;
	}
	remove(path);
	return best;
}

/* The best times of all rounds. */
struct times {
	int64_t memchr_us, parse_us, mawk_us;
};

static void keep_best(int64_t *best, int64_t took)
{
	if (took < *best)
		*best = took;
}

/* Both by turns, so that what disturbs one disturbs the other. */
static void time_both(struct text t, struct sample *s, struct times *best)
{
	uint64_t lines = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct reading r = { .state = READING_OK };
		int64_t start = clock_mono_us(), middle;

		lines += count_lines(t);
		middle = clock_mono_us();
		sample_reset(s);
		if (lru_gen_parse(t, s, &r)) {
			fprintf(stderr, "parse_bench: this is no lru_gen\n");
			exit(1);
		}
		keep_best(&best->parse_us, clock_mono_us() - middle);
		keep_best(&best->memchr_us, middle - start);
	}
	/* Said so that the compiler cannot leave the counting out. */
	printf("lru_gen: %zu bytes, %" PRIu64 " lines, %" PRIu32 " lruvecs\n", t.len,
	       lines / ROUNDS, s->nlruvecs);
}

/* Whether the ratios hold. */
static int tell(const struct times *best)
{
	double by_memchr = (double)best->parse_us / (double)(best->memchr_us ? best->memchr_us : 1);
	double by_mawk = (double)best->mawk_us / (double)(best->parse_us ? best->parse_us : 1);

	printf("parse %" PRId64 " us, memchr %" PRId64 " us, mawk %" PRId64
	       " us (best of %d, %d, %d)\n",
	       best->parse_us, best->memchr_us, best->mawk_us, ROUNDS, ROUNDS, MAWK_ROUNDS);
	printf("parse : memchr %.2f (at most %.1f)\n", by_memchr, MOST_MEMCHR);
	if (best->mawk_us < 0)
		printf("mawk : parse not measured, there is no mawk\n");
	else
		printf("mawk : parse %.1f (at least %.1f)\n", by_mawk, LEAST_MAWK);
	return by_memchr <= MOST_MEMCHR && (best->mawk_us < 0 || by_mawk >= LEAST_MAWK);
}

int main(int argc, char **argv)
{
	struct times best = { INT64_MAX, INT64_MAX, INT64_MAX };
	struct sample s = { .arena = arena_new() };
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	uint64_t mawk_sum = 0;
	struct text t;

	if (argc > 1 && !f) {
		perror(argv[1]);
		return 1;
	}
	t = f ? read_all(f) : generated(argv[0]);
	time_both(t, &s, &best);
	best.mawk_us = time_mawk(t, &mawk_sum);
	if (best.mawk_us >= 0 && mawk_sum != sum_pages(&s)) {
		fprintf(stderr, "parse_bench: mawk and we find different sums\n");
		return 1;
	}
	return tell(&best) ? 0 : 1;
}

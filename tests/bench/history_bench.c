/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample takes, kept in the history and written as a line: bytes and microseconds, for a
 * usual machine (tests/bench/support/machine.h) and, where their folders are given as arguments,
 * for series of captured trees.
 *
 * Exit 1 where ten minutes of the usual machine do not fit into 8 MiB.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/codec.h"
#include "reclaimtop/fields.h"
#include "reclaimtop/history.h"
#include "reclaimtop/source.h"
#include "tests/bench/support/machine.h"

#define SECONDS 600
#define BOUND ((size_t)8 << 20)

/* One figure over many calls. */
struct cost {
	double us, bytes;
	uint32_t n;
};

static void add(struct cost *c, int64_t since_us, size_t bytes)
{
	c->us += (double)(clock_cpu_us() - since_us);
	c->bytes += (double)bytes;
	c->n++;
}

static void show(const char *what, const struct cost *c)
{
	if (c->n && c->bytes > 0)
		printf("  %-16s %9.1f us %9.0f bytes\n", what, c->us / c->n, c->bytes / c->n);
	else if (c->n)
		printf("  %-16s %9.1f us\n", what, c->us / c->n);
}

struct run {
	struct history *h;
	struct codec *writer, *reader;
	struct sample before, held[2];
	struct buf line;
	struct cost put, get, whole, changes, read;
	uint32_t n;
};

static void run_init(struct run *r)
{
	*r = (struct run){ .h = history_new(BOUND), .writer = codec_new(), .reader = codec_new() };
	r->before.arena = arena_new();
	r->held[0].arena = arena_new();
	r->held[1].arena = arena_new();
}

static void run_sample(struct run *r, const struct sample *s)
{
	const struct sample *before = r->n % 60 ? &r->before : NULL;
	int64_t t = clock_cpu_us();

	history_put(r->h, s);
	add(&r->put, t, 0);
	buf_clear(&r->line);
	t = clock_cpu_us();
	codec_write(r->writer, before, s, &r->line);
	add(before ? &r->changes : &r->whole, t, r->line.len);
	t = clock_cpu_us();
	if (codec_read(r->reader, r->line.data, r->line.len - 1, &r->held[r->n & 1],
		       &r->held[~r->n & 1])) {
		fprintf(stderr, "history_bench: a line was refused\n");
		exit(1);
	}
	add(&r->read, t, r->line.len);
	sample_copy(s, &r->before);
	r->n++;
}

/* Samples from all over, so that each is unpacked from its group's whole one. */
static void run_end(struct run *r, const char *title)
{
	uint32_t n = history_count(r->h);

	r->put.bytes = (double)history_bytes(r->h) * r->put.n / n;
	for (uint32_t i = 0; i < 200; i++) {
		int64_t t = clock_cpu_us();

		history_get(r->h, (i * 7919 + 59) % n, &r->before);
		add(&r->get, t, 0);
	}
	printf("%s: %u samples, %u kept, %u KiB\n", title, (unsigned int)r->n, (unsigned int)n,
	       (unsigned int)(history_bytes(r->h) >> 10));
	show("history, put", &r->put);
	show("history, get", &r->get);
	show("line, whole", &r->whole);
	show("line, changes", &r->changes);
	show("line, read", &r->read);
	arena_free(r->held[1].arena);
	arena_free(r->held[0].arena);
	arena_free(r->before.arena);
	buf_fini(&r->line);
	codec_free(r->reader);
	codec_free(r->writer);
	history_free(r->h);
}

static bool usual(uint32_t cpus, bool processes, bool stats)
{
	struct bench_machine *m = bench_machine_new(20261130, cpus, processes, stats);
	char title[100];
	struct run r;
	bool fits;

	run_init(&r);
	for (uint32_t i = 0; i < SECONDS; i++)
		run_sample(&r, bench_machine_next(m));
	fits = history_count(r.h) == SECONDS;
	snprintf(title, sizeof(title), "%u CPUs, 60 memcgs%s%s", (unsigned int)cpus,
		 processes ? ", 60 processes" : ", no processes", stats ? "" : ", no memory.stat");
	run_end(&r, title);
	bench_machine_free(m);
	return fits;
}

static void captured(const char *dir)
{
	static const struct interest interest = { .pagetypes = true,
						  .tiers = true,
						  .processes = true };
	const char *why = "";
	struct source *src = source_tree(dir, false, &why);
	struct sample s = { .arena = arena_new() };
	struct run r;

	if (!src) {
		fprintf(stderr, "history_bench: %s: %s\n", dir, why);
		exit(1);
	}
	run_init(&r);
	while (!src->ops->next(src, &interest, &s))
		run_sample(&r, &s);
	run_end(&r, dir);
	source_close(src);
	arena_free(s.arena);
}

int main(int argc, char **argv)
{
	bool fits = true;

	for (uint32_t cpus = 2; cpus <= 8; cpus *= 2)
		fits = usual(cpus, true, true) && fits;
	usual(2, false, false);
	for (int i = 1; i < argc; i++)
		captured(argv[i]);
	if (!fits)
		printf("ten minutes of a usual machine do not fit into 8 MiB\n");
	return !fits;
}

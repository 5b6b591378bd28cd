/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reckon: what the model makes of a recorded session when the kernel's own count of stolen pages is
 * withheld from it, beside that count.
 *
 *     reckon FILE           lines for checks, see the end of this comment
 *     reckon --whole FILE   each sample of the recording as a whole line
 *
 * FILE is what --json printed (steps in it are skipped). Pages are summed over all steps:
 *
 *     steps N gaps N samples N
 *     evicted WITH TYPE kernel N reckoned N low N high N exact N off-exact N off-rest N unknown N
 *     memcg WITH PATH kernel N reckoned N low N high N
 *     births PATH NODE N
 *
 * WITH is "full" (lru_gen and lru_gen_full) or "alone" (lru_gen). low and high bound reckoned, "-" for
 * no bound. Exact is what was counted, not reckoned. The kernel's count less ours is off-exact in
 * steps in which all of the type was counted, off-rest in the others; unknown is the kernel's count
 * in steps of which the model says nothing. A memcg is one that has no children: there memory.stat
 * counts its own pages.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/flow.h"
#include "reclaimtop/codec.h"

enum {
	RECKON_MEMCGS = 64,
	RECKON_PATH = 256,
};

struct total {
	int64_t kernel, reckoned, lo, hi, exact, off_exact, off_rest, unknown;
};

struct memcg_total {
	char path[RECKON_PATH];
	struct total evicted;
};

struct births {
	char path[RECKON_PATH];
	uint32_t node;
	int64_t n;
};

/* One way to reckon, over the whole recording. */
struct run {
	const char *name;
	unsigned int withheld;
	struct total types[TYPE_NR];
	struct memcg_total memcgs[RECKON_MEMCGS];
	uint32_t nmemcgs;
	struct births births[RECKON_MEMCGS];
	uint32_t nbirths;
	uint64_t steps, gaps;
};

static const char *const type_names[TYPE_NR] = { [TYPE_ANON] = "anon", [TYPE_FILE] = "file" };

static void add_amount(struct total *t, struct amount a)
{
	if (!amount_known(a))
		return;
	t->reckoned += a.value;
	t->lo = amount_sum64(t->lo, a.lo);
	t->hi = amount_sum64(t->hi, a.hi);
}

/* What was counted of a type in this step; *all: was everything? */
static int64_t count_exact(const struct step *st, enum page_type type, bool *all)
{
	int64_t sum = 0;

	*all = true;
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		struct amount a = st->lruvecs[i].flow[type].evicted;

		if (amount_known(a) && a.lo == a.hi)
			sum += a.value;
		else
			*all = false;
	}
	return sum;
}

static void add_type(struct run *run, const struct step *st, enum page_type type)
{
	struct total *t = &run->types[type];
	struct amount kernel = st->reclaim.stolen[type], ours = st->flow[type].evicted;
	int64_t stolen = amount_known(kernel) ? kernel.value : 0;
	bool all;

	t->kernel += stolen;
	if (!amount_known(ours)) {
		t->unknown += stolen;
		return;
	}
	add_amount(t, ours);
	t->exact += count_exact(st, type, &all);
	*(all ? &t->off_exact : &t->off_rest) += stolen - ours.value;
}

static bool has_children(const struct step *st, const char *path)
{
	size_t len = strlen(path);

	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (!strncmp(st->memcgs[i].path, path, len) && st->memcgs[i].path[len] == '/')
			return true;
	return !strcmp(path, "/");
}

static struct memcg_total *memcg_total(struct run *run, const char *path)
{
	for (uint32_t i = 0; i < run->nmemcgs; i++)
		if (!strcmp(run->memcgs[i].path, path))
			return &run->memcgs[i];
	if (run->nmemcgs == RECKON_MEMCGS || strlen(path) >= RECKON_PATH)
		return NULL;
	strcpy(run->memcgs[run->nmemcgs].path, path);
	return &run->memcgs[run->nmemcgs++];
}

/* A memcg's own files say what it lost; ours is the sum of its lruvecs. */
static void add_memcg(struct run *run, const struct step *st, const struct memcg_step *m)
{
	struct memcg_total *to;

	if (!m->now || m->evicted.state < AMOUNT_GAP || has_children(st, m->path))
		return;
	to = memcg_total(run, m->path);
	if (!to)
		return;
	to->evicted.kernel += m->evicted.value;
	for (uint32_t i = 0; i < m->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			add_amount(&to->evicted, m->lruvecs[i]->flow[type].evicted);
}

static void add_births(struct run *run, const struct lruvec_step *l)
{
	const struct lruvec *v = l->now;
	uint32_t i = 0;

	if (!v || !amount_known(l->births) || strlen(v->path) >= RECKON_PATH)
		return;
	while (i < run->nbirths && (run->births[i].node != v->node || strcmp(run->births[i].path, v->path)))
		i++;
	if (i == RECKON_MEMCGS)
		return;
	if (i == run->nbirths) {
		run->nbirths++;
		strcpy(run->births[i].path, v->path);
		run->births[i].node = v->node;
	}
	run->births[i].n += l->births.value;
}

static void add_step(struct run *run, const struct sample *before, const struct sample *now, struct step *st)
{
	step_make_withheld(before, now, run->withheld, st);
	run->steps++;
	run->gaps += st->state == STEP_GAP;
	for (int type = 0; type < TYPE_NR; type++)
		add_type(run, st, (enum page_type)type);
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		add_memcg(run, st, &st->memcgs[i]);
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		add_births(run, &st->lruvecs[i]);
}

/* --- what is printed --- */

static void print_bound(const char *name, int64_t bound)
{
	if (bound == AMOUNT_NO_LIMIT || bound == -AMOUNT_NO_LIMIT)
		printf(" %s -", name);
	else
		printf(" %s %" PRId64, name, bound);
}

static void print_total(const struct total *t)
{
	printf(" kernel %" PRId64 " reckoned %" PRId64, t->kernel, t->reckoned);
	print_bound("low", t->lo);
	print_bound("high", t->hi);
}

static void print_run(const struct run *run)
{
	for (int type = 0; type < TYPE_NR; type++) {
		const struct total *t = &run->types[type];

		printf("evicted %s %s", run->name, type_names[type]);
		print_total(t);
		printf(" exact %" PRId64 " off-exact %" PRId64 " off-rest %" PRId64 " unknown %" PRId64 "\n",
		       t->exact, t->off_exact, t->off_rest, t->unknown);
	}
	for (uint32_t i = 0; i < run->nmemcgs; i++) {
		printf("memcg %s %s", run->name, run->memcgs[i].path);
		print_total(&run->memcgs[i].evicted);
		printf("\n");
	}
}

static void print_births(const struct run *run)
{
	for (uint32_t i = 0; i < run->nbirths; i++)
		printf("births %s %" PRIu32 " %" PRId64 "\n", run->births[i].path, run->births[i].node,
		       run->births[i].n);
}

/* --- the recording --- */

struct reader {
	FILE *file;
	char *line;
	size_t size;
	struct codec *codec;
	struct sample samples[2];
	uint64_t n;   /* samples read */
};

/* The next sample: 1, 0 at the end, -errno. It stands in samples[n % 2] before n goes up. */
static int read_sample(struct reader *r)
{
	static const char start[] = "{\"type\":\"sample\"";
	struct sample *before = r->n ? &r->samples[(r->n - 1) % 2] : NULL;
	ssize_t len;
	int err;

	do {
		len = getline(&r->line, &r->size, r->file);
		if (len < 0)
			return 0;
	} while (strncmp(r->line, start, sizeof(start) - 1));
	if (len && r->line[len - 1] == '\n')
		len--;
	err = codec_read(r->codec, r->line, (size_t)len, before, &r->samples[r->n % 2]);
	return err ? err : 1;
}

static int print_whole(struct reader *r)
{
	struct buf out = { 0 };
	int rc;

	while ((rc = read_sample(r)) > 0) {
		buf_clear(&out);
		codec_write(r->codec, NULL, &r->samples[r->n++ % 2], &out);
		fwrite(out.data, 1, out.len, stdout);
	}
	buf_fini(&out);
	return rc;
}

static int reckon(struct reader *r)
{
	static struct run runs[] = {
		{ .name = "full", .withheld = WITHHELD_STOLEN },
		{ .name = "alone", .withheld = WITHHELD_STOLEN | WITHHELD_FULL },
	};
	struct step st = { .arena = arena_new() };
	int rc;

	for (; (rc = read_sample(r)) > 0; r->n++)
		for (size_t i = 0; r->n && i < sizeof(runs) / sizeof(runs[0]); i++)
			add_step(&runs[i], &r->samples[(r->n - 1) % 2], &r->samples[r->n % 2], &st);
	printf("steps %" PRIu64 " gaps %" PRIu64 " samples %" PRIu64 "\n", runs[0].steps, runs[0].gaps, r->n);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		print_run(&runs[i]);
	print_births(&runs[0]);
	arena_free(st.arena);
	return rc;
}

int main(int argc, char **argv)
{
	struct reader r = { 0 };
	bool whole = argc == 3 && !strcmp(argv[1], "--whole");
	int rc;

	if (argc != 2 + whole) {
		fputs("usage: reckon [--whole] FILE\n", stderr);
		return 2;
	}
	r.file = fopen(argv[argc - 1], "r");
	if (!r.file) {
		fprintf(stderr, "reckon: %s: %s\n", argv[argc - 1], strerror(errno));
		return 1;
	}
	r.codec = codec_new();
	r.samples[0].arena = arena_new();
	r.samples[1].arena = arena_new();
	rc = whole ? print_whole(&r) : reckon(&r);
	if (rc < 0)
		fprintf(stderr, "reckon: %s: sample %" PRIu64 ": %s\n", argv[argc - 1], r.n, strerror(-rc));
	fclose(r.file);
	free(r.line);
	codec_free(r.codec);
	arena_free(r.samples[0].arena);
	arena_free(r.samples[1].arena);
	return rc < 0 || r.n == 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut_test.c - every file of every captured tree, cut at every byte. The text ends where its
 * memory does, so a sanitizer sees whoever reads on. What stood in whole lines before the cut
 * must be understood as in the whole file.
 */
#include "support_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Long files of many memcgs: their start, their end, and places in between. */
#define LONG 12000
#define START 8192
#define END 2048
#define STEP 61

typedef uint64_t count_fn(const struct sample *whole, const struct sample *part);

/* One kind of file. */
struct kind {
	const char *find;   /* arguments of find(1) */
	parse_fn *parse;
	count_fn *differ;   /* how much of the part is not as in the whole: at most what was cut */
	uint64_t most;
};

struct cutter {
	const struct kind *kind;
	uint64_t *seen;     /* hashes of the texts that were cut */
	uint32_t nseen;
	uint64_t cuts;
	struct sample all, part;
	char *block;
};

static uint64_t hash_of(struct text t)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < t.len; i++)
		h = (h ^ (unsigned char)t.buf[i]) * 0x100000001b3u;
	return h;
}

/* Trees of a series hold many files that are the same. */
static bool is_new(struct cutter *c, struct text t)
{
	uint64_t h = hash_of(t);

	for (uint32_t i = 0; i < c->nseen; i++)
		if (c->seen[i] == h)
			return false;
	c->seen = mem_grow(c->seen, (c->nseen + 1) * sizeof(h));
	c->seen[c->nseen++] = h;
	return true;
}

/* Who reads on is seen by a sanitizer only: without one, a part of the places is enough. */
#if defined(__SANITIZE_ADDRESS__)
#define EACH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EACH 1
#endif
#endif
#ifndef EACH
#define EACH 7
#endif

static bool is_to_be_cut(const struct text *t, size_t at)
{
	if (at % EACH && at < t->len)
		return false;
	return t->len <= LONG || at <= START || at + END >= t->len || at % STEP == 0;
}

static void cut_at(struct cutter *c, const char *path, struct text whole, size_t at)
{
	/* The part stands at the end of the block. */
	struct text t = { c->block + whole.len - at, at };
	struct reading r = { .state = READING_OK };

	memcpy(c->block + whole.len - at, whole.buf, at);
	sample_reset(&c->part);
	c->kind->parse(t, &c->part, &r);
	lru_gen_mark_dying(&c->part);
	if (r.cut != (at && whole.buf[at - 1] != '\n'))
		fail_msg("%s cut at %zu: cut is %d", path, at, r.cut);
	if (c->kind->differ && c->kind->differ(&c->all, &c->part) > c->kind->most)
		fail_msg("%s cut at %zu: more is different than was cut", path, at);
	c->cuts++;
}

static void cut_file(char **fields, int n, void *arg)
{
	struct cutter *c = arg;
	struct text whole = text_load(fields[0]);
	struct reading ignored = { .state = READING_OK };

	assert_int_equal(n, 1);
	if (is_new(c, whole)) {
		c->block = malloc(whole.len);
		sample_reset(&c->all);
		c->kind->parse(whole, &c->all, &ignored);
		for (size_t at = 0; at <= whole.len; at++)
			if (is_to_be_cut(&whole, at))
				cut_at(c, fields[0], whole, at);
		free(c->block);
	}
	free((char *)whole.buf);
}

static void cut_all(const struct kind *kind)
{
	struct cutter c = { .kind = kind,
			    .all = { .arena = arena_new() },
			    .part = { .arena = arena_new() } };
	char command[300];

	snprintf(command, sizeof(command), "find tests/roots -type f %s | sort", kind->find);
	each_line(command, 1, cut_file, &c);
	assert_true(c.cuts > 100);
	arena_free(c.all.arena);
	arena_free(c.part.arena);
	free(c.seen);
}

/* --- what may differ --- */

static uint64_t counters_differ(const struct counters *all, const struct counters *part)
{
	uint64_t n = 0;

	for (uint32_t i = 0; part->value && i < part->tab->n; i++)
		n += part->value[i] != UNKNOWN && part->value[i] != all->value[i];
	for (uint32_t i = 0; i < part->nmore; i++)
		n += counters_by_name(all, part->more[i].name) != part->more[i].value;
	return n;
}

static uint64_t vmstat_differs(const struct sample *all, const struct sample *part)
{
	return counters_differ(&all->vmstat, &part->vmstat);
}

static uint64_t meminfo_differs(const struct sample *all, const struct sample *part)
{
	return counters_differ(&all->meminfo, &part->meminfo);
}

static bool is_same_gen(const struct gen *a, const struct gen *b)
{
	return a->seq == b->seq && a->age_ms == b->age_ms && a->evicted == b->evicted &&
	       a->pages[TYPE_ANON] == b->pages[TYPE_ANON] &&
	       a->pages[TYPE_FILE] == b->pages[TYPE_FILE];
}

/* Rows are whole or not there: nothing may differ at all. */
static uint64_t lruvecs_differ(const struct sample *all, const struct sample *part)
{
	uint64_t n = part->nlruvecs > all->nlruvecs;

	for (uint32_t i = 0; !n && i < part->nlruvecs; i++) {
		const struct lruvec *a = &all->lruvecs[i], *b = &part->lruvecs[i];

		n += a->memcg != b->memcg || a->node != b->node || strcmp(a->path, b->path) ||
		     b->ngens > a->ngens;
		for (uint32_t j = 0; !n && j < b->ngens; j++)
			n += !is_same_gen(&a->gens[j], &b->gens[j]);
	}
	return n;
}

static uint64_t zones_differ(const struct sample *all, const struct sample *part)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < part->nzones; i++) {
		const struct zone *a = &all->zones[i], *b = &part->zones[i];

		if (strcmp(a->name, b->name)) {
			n++;
			continue;
		}
		n += counters_differ(&a->stats, &b->stats);
		n += (b->free != UNKNOWN && b->free != a->free) +
		     (b->managed != UNKNOWN && b->managed != a->managed);
		n += (b->high != UNKNOWN && b->high != a->high) +
		     (b->low != UNKNOWN && b->low != a->low);
		for (uint32_t j = 0; j < b->npagesets; j++)
			n += b->pagesets[j].cpu != a->pagesets[j].cpu ||
			     (b->pagesets[j].count != UNKNOWN &&
			      b->pagesets[j].count != a->pagesets[j].count);
	}
	for (uint32_t i = 0; i < part->nnodes; i++)
		n += counters_differ(&all->nodes[i].stats, &part->nodes[i].stats);
	return n;
}

/* --- kinds --- */

/* All parsers of a memcg's files and of single lines over one text. */
static int small_files_parse(struct text t, struct sample *s, struct reading *r)
{
	struct zram z = { .name = "zram0" };
	bool memory;

	counters_init(&s->vmstat, &keytab_memcg, s->arena);
	counters_parse(t, &s->vmstat, s->arena, r);
	number_parse(t);
	mglru_parse(t);
	online_parse(t);
	uptime_parse(t);
	cgroup_path_parse(t, s->arena);
	release_parse(t, s->arena);
	lockdown_parse(t, s->arena);
	cgroup_mount_parse(t, s->arena, &memory);
	return zram_parse(t, &z, r);
}

static int pressures_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[PSI_IO], r);
}

#define CUT(name, ...)                                       \
	static void name(void **state)                       \
	{                                                    \
		const struct kind kind = { __VA_ARGS__ };    \
		(void)state;                                 \
		cut_all(&kind);                              \
	}

CUT(lru_gen, "-name lru_gen", lru_gen_parse, lruvecs_differ, 0)
CUT(lru_gen_full, "-name lru_gen_full", lru_gen_full_parse, lruvecs_differ, 0)
CUT(vmstat, "-name vmstat", vmstat_parse, vmstat_differs, 1)
CUT(zoneinfo, "-name zoneinfo", zoneinfo_parse, zones_differ, 1)
CUT(meminfo, "-name meminfo", meminfo_parse, meminfo_differs, 1)
CUT(buddyinfo, "-name buddyinfo", buddyinfo_parse, NULL, 0)
CUT(pagetypeinfo, "-name pagetypeinfo", pagetypeinfo_parse, NULL, 0)
CUT(swaps, "-name swaps", swaps_parse, NULL, 0)
CUT(pressure, "\\( -path '*/pressure/*' -o -name memory.pressure \\)", pressures_parse, NULL, 0)
CUT(small_files,
    "\\( -name 'memory.[a-oq-z]*' -o -name 'cgroup.*' -o -name online -o -name enabled -o -name version"
    " -o -name uptime -o -path '*/proc/sys/*' \\)",
    small_files_parse, vmstat_differs, 1)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lru_gen),
		cmocka_unit_test(lru_gen_full),
		cmocka_unit_test(vmstat),
		cmocka_unit_test(zoneinfo),
		cmocka_unit_test(meminfo),
		cmocka_unit_test(buddyinfo),
		cmocka_unit_test(pagetypeinfo),
		cmocka_unit_test(swaps),
		cmocka_unit_test(pressure),
		cmocka_unit_test(small_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate_test.c - files with one byte changed: nothing crashes, and what stands in lines that
 * were not touched is understood as before. The changes are random and always the same.
 */
#include "support_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FLIPS 10000

struct kind {
	const char *path;  /* below a tree of tests/roots */
	parse_fn *parse;
	/*
	 * Whether the sample of the changed text contradicts that of the whole one, or lacks too
	 * much of it.
	 */
	bool (*is_wrong)(const struct sample *all, const struct sample *part);
};

static const char *const trees[] = { "6.1-pressure/10", "6.12-numa2/10", "7.2-numa2/10",
				     "7.2-oddnames/00" };

static uint32_t next(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* A byte that files of this kind are made of, more often than any byte. */
static char any_byte(uint32_t *seed)
{
	static const char likely[] = " \n\t0123456789abcxnm:-,()\r";
	uint32_t r = next(seed);

	return r & 1 ? likely[(r >> 8) % (sizeof(likely) - 1)] : (char)(r >> 8);
}

static void flip_in(const struct kind *kind, const char *tree, uint32_t *seed, int flips)
{
	struct sample all = { .arena = arena_new() }, part = { .arena = arena_new() };
	struct reading r = { .state = READING_OK };
	struct text t;
	char path[200], *bytes;

	snprintf(path, sizeof(path), "tests/roots/%s/%s", tree, kind->path);
	t = text_load(path);
	bytes = (char *)t.buf;
	sample_reset(&all);
	kind->parse(t, &all, &r);
	assert_false(kind->is_wrong(&all, &all));
	for (int i = 0; i < flips; i++) {
		size_t at = next(seed) % t.len;
		char was = bytes[at];

		bytes[at] = any_byte(seed);
		sample_reset(&part);
		kind->parse(t, &part, &r);
		lru_gen_mark_dying(&part);
		if (kind->is_wrong(&all, &part))
			fail_msg("%s: byte %zu as 0x%02x", path, at, (unsigned char)bytes[at]);
		bytes[at] = was;
	}
	/* Many at once: nothing can be said of the values. */
	for (int i = 0; i < flips; i++) {
		bytes[next(seed) % t.len] = any_byte(seed);
		sample_reset(&part);
		kind->parse(t, &part, &r);
		lru_gen_mark_dying(&part);
	}
	arena_free(all.arena);
	arena_free(part.arena);
	free(bytes);
}

static void flip(const struct kind *kind)
{
	uint32_t seed = 20260101;
	int n = sizeof(trees) / sizeof(trees[0]);

	for (int i = 0; i < n; i++)
		flip_in(kind, trees[i], &seed, FLIPS / n);
}

/*
 * One byte touches one line, or two where it is a line's end, and turns one name into another at
 * the most.
 */
static bool counters_are_wrong(const struct counters *all, const struct counters *part)
{
	uint32_t differ = 0;

	if (!part->value)
		return all->value != NULL;
	for (uint32_t i = 0; i < all->tab->n; i++)
		differ += all->value[i] != part->value[i];
	return differ > 3;
}

static bool vmstat_is_wrong(const struct sample *all, const struct sample *part)
{
	return counters_are_wrong(&all->vmstat, &part->vmstat);
}

static bool meminfo_is_wrong(const struct sample *all, const struct sample *part)
{
	return counters_are_wrong(&all->meminfo, &part->meminfo);
}

static bool is_same_gen(const struct gen *a, const struct gen *b)
{
	return a->seq == b->seq && a->age_ms == b->age_ms && a->evicted == b->evicted &&
	       a->pages[TYPE_ANON] == b->pages[TYPE_ANON] &&
	       a->pages[TYPE_FILE] == b->pages[TYPE_FILE];
}

/* A number that is not the one it was; what a lost line left open is UNKNOWN. */
static uint32_t differ(const void *a, const void *b, size_t offset)
{
	uint64_t x, y;

	memcpy(&x, (const char *)a + offset, sizeof(x));
	memcpy(&y, (const char *)b + offset, sizeof(y));
	return y != UNKNOWN && x != y;
}

/*
 * How many generations of a are in b as they were, and how many numbers of their tiers and walks
 * are others.
 */
static uint32_t same_gens(const struct lruvec *a, const struct lruvec *b, uint32_t *others)
{
	uint32_t same = 0;

	for (uint32_t i = 0; b && i < a->ngens; i++) {
		for (uint32_t j = 0; j < b->ngens; j++) {
			if (!is_same_gen(&a->gens[i], &b->gens[j]))
				continue;
			same++;
			for (size_t k = 0; a->nfull && k < sizeof(*a->full); k += sizeof(uint64_t))
				*others += differ(&a->full[i], &b->full[j], k);
		}
	}
	return same;
}

static const struct lruvec *find(const struct sample *s, const struct lruvec *v)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		if (s->lruvecs[i].memcg == v->memcg && s->lruvecs[i].node == v->node &&
		    !strcmp(s->lruvecs[i].path, v->path))
			return &s->lruvecs[i];
	return NULL;
}

/*
 * A row may be lost, or a memcg with its nodes where its own line is touched: two nodes of four
 * generations. A line's end belongs to two lines. No lruvec may have a row that is not its own,
 * but for the one touched; no generation more numbers that are not its own than one line has.
 */
static bool lruvecs_are_wrong(const struct sample *all, const struct sample *part)
{
	uint32_t lost = 0, strange = 0, others = 0;

	for (uint32_t i = 0; i < all->nlruvecs; i++) {
		const struct lruvec *a = &all->lruvecs[i], *b = find(part, a);
		uint32_t same = same_gens(a, b, &others);

		lost += a->ngens - same;
		strange += b ? b->ngens - same : 0;
	}
	return lost > 2 * 4 + 1 || strange > 2 || others > 3 * TYPE_NR;
}

static uint32_t sets_differ(const struct counters *a, const struct counters *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; a->value && b->value && i < a->tab->n; i++)
		n += differ(a->value, b->value, i * sizeof(uint64_t));
	return n;
}

static uint32_t pagesets_differ(const struct zone *a, const struct zone *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->npagesets; i++) {
		for (uint32_t j = 0; j < a->npagesets; j++) {
			const struct pageset *x = &a->pagesets[j], *y = &b->pagesets[i];

			if (x->cpu != y->cpu)
				continue;
			for (size_t k = 0; k < 5; k++)
				n += differ(x, y,
					    offsetof(struct pageset, count) + k * sizeof(uint64_t));
		}
	}
	return n;
}

static const size_t zone_numbers[] = {
	offsetof(struct zone, free),      offsetof(struct zone, boost),
	offsetof(struct zone, min),       offsetof(struct zone, low),
	offsetof(struct zone, high),      offsetof(struct zone, promo),
	offsetof(struct zone, spanned),   offsetof(struct zone, present),
	offsetof(struct zone, managed),   offsetof(struct zone, cma),
	offsetof(struct zone, start_pfn), offsetof(struct zone, node_unreclaimable),
};

/*
 * No number may be another's. (A pageset's number that is made into another one's takes five
 * places, if the name of a CPU becomes that of one that is there.)
 */
static bool zones_are_wrong(const struct sample *all, const struct sample *part)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < part->nzones; i++) {
		const struct zone *b = &part->zones[i], *a = parsed_zone(all, b->node, b->name);

		for (size_t k = 0; a && k < sizeof(zone_numbers) / sizeof(zone_numbers[0]); k++)
			n += differ(a, b, zone_numbers[k]);
		n += a ? sets_differ(&a->stats, &b->stats) + pagesets_differ(a, b) : 0;
	}
	for (uint32_t i = 0; i < part->nnodes; i++) {
		const struct node *a = parsed_node(all, part->nodes[i].id);

		n += a ? sets_differ(&a->stats, &part->nodes[i].stats) : 0;
	}
	return n > 5;
}

static bool nothing_is_wrong(const struct sample *all, const struct sample *part)
{
	(void)all;
	(void)part;
	return false;
}

static bool psi_differs(const struct psi_line *a, const struct psi_line *b)
{
	return memcmp(a, b, sizeof(*a)) != 0;
}

/* A line is whole or not there; the other one stays, unless the end between them was touched. */
static bool pressure_is_wrong(const struct sample *all, const struct sample *part)
{
	const struct psi *a = &all->psi[0], *b = &part->psi[0];

	return psi_differs(&a->some, &b->some) && psi_differs(&a->full, &b->full) &&
	       b->some.total_us != UNKNOWN && b->full.total_us != UNKNOWN;
}

static int psi_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[0], r);
}

static int small_parse(struct text t, struct sample *s, struct reading *r)
{
	struct zram z = { .name = NULL };
	bool memory;

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

#define FLIP(name, ...)                                      \
	static void name(void **state)                       \
	{                                                    \
		const struct kind kind = { __VA_ARGS__ };    \
		(void)state;                                 \
		flip(&kind);                                 \
	}

FLIP(lru_gen, "sys/kernel/debug/lru_gen", lru_gen_parse, lruvecs_are_wrong)
FLIP(lru_gen_full, "sys/kernel/debug/lru_gen_full", lru_gen_full_parse, lruvecs_are_wrong)
FLIP(vmstat, "proc/vmstat", vmstat_parse, vmstat_is_wrong)
FLIP(zoneinfo, "proc/zoneinfo", zoneinfo_parse, zones_are_wrong)
FLIP(meminfo, "proc/meminfo", meminfo_parse, meminfo_is_wrong)
FLIP(pressure, "proc/pressure/io", psi_parse, pressure_is_wrong)
FLIP(buddyinfo, "proc/buddyinfo", buddyinfo_parse, nothing_is_wrong)
FLIP(pagetypeinfo, "proc/pagetypeinfo", pagetypeinfo_parse, nothing_is_wrong)
FLIP(swaps, "proc/swaps", swaps_parse, nothing_is_wrong)
FLIP(version, "proc/version", small_parse, nothing_is_wrong)
FLIP(cpus, "sys/devices/system/cpu/online", small_parse, nothing_is_wrong)
FLIP(enabled, "sys/kernel/mm/lru_gen/enabled", small_parse, nothing_is_wrong)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lru_gen),
		cmocka_unit_test(lru_gen_full),
		cmocka_unit_test(vmstat),
		cmocka_unit_test(zoneinfo),
		cmocka_unit_test(meminfo),
		cmocka_unit_test(pressure),
		cmocka_unit_test(buddyinfo),
		cmocka_unit_test(pagetypeinfo),
		cmocka_unit_test(swaps),
		cmocka_unit_test(version),
		cmocka_unit_test(cpus),
		cmocka_unit_test(enabled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

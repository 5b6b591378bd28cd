/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_metrics.c - the table of what is compared, and how each comes from a summary.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "reclaimtop/compare.h"

#define MIB (1024.0 * 1024.0)

struct row;
typedef double value_fn(const struct summary *s, const struct row *row, bool totals);

struct row {
	struct compare_metric metric;
	value_fn *value;
	size_t a, b;             /* offsets of what value() looks at */
	double scale, scale_total;
};

static const void *at(const struct summary *s, size_t offset)
{
	return (const char *)s + offset;
}

/* Of one total: a second, or together. */
static double of_total(const struct summary *s, const struct row *row, bool totals)
{
	const struct total *t = at(s, row->a);

	if (!total_known(t))
		return NAN;
	return totals ? (double)t->sum * row->scale_total : total_rate(t) * row->scale;
}

static double of_pages(const struct summary *s, const struct row *row, bool totals)
{
	return of_total(s, row, totals) * (s->page_size ? s->page_size : 4096) / MIB;
}

/* What it came to, whether totals are asked for or not: a rate of rare events says nothing. */
static double of_events(const struct summary *s, const struct row *row, bool totals)
{
	(void)totals;
	return of_total(s, row, true);
}

/* One total in per cent of another. */
static double of_two(const struct summary *s, const struct row *row, bool totals)
{
	const struct total *a = at(s, row->a), *b = at(s, row->b);

	(void)totals;
	if (!total_known(a) || !total_known(b) || b->sum <= 0)
		return NAN;
	return 100.0 * (double)a->sum / (double)b->sum;
}

static double of_refaults(const struct summary *s, const struct row *row, bool totals)
{
	const struct total *anon = &s->refaulted[TYPE_ANON], *file = &s->refaulted[TYPE_FILE];

	(void)row;
	(void)totals;
	if (!total_known(anon) || !total_known(file) || !total_known(&s->stolen_all) ||
	    s->stolen_all.sum <= 0)
		return NAN;
	return 100.0 * ((double)anon->sum + (double)file->sum) / (double)s->stolen_all.sum;
}

static double of_gauge(const struct summary *s, const struct row *row, bool totals)
{
	(void)totals;
	return gauge_mean(at(s, row->a)) * row->scale;
}

static double of_gauge_pages(const struct summary *s, const struct row *row, bool totals)
{
	return of_gauge(s, row, totals) * (s->page_size ? s->page_size : 4096) / MIB;
}

static double of_lifetimes(const struct summary *s, const struct row *row, bool totals)
{
	uint64_t ms = summary_lifetime_ms(s, 500);

	(void)row;
	(void)totals;
	return ms == UNKNOWN ? NAN : (double)ms / 1000;
}

/* The share of the time in which the most pressed zone was below low. */
static double of_levels(const struct summary *s, const struct row *row, bool totals)
{
	double all = 0, low = 0;

	(void)row;
	(void)totals;
	for (int level = ZONE_BELOW_MIN; level <= ZONE_ABOVE_HIGH; level++) {
		all += (double)s->level_us[level];
		if (level <= ZONE_BELOW_LOW)
			low += (double)s->level_us[level];
	}
	return all > 0 ? 100 * low / all : NAN;
}

#define OFFSET(member) offsetof(struct summary, member)
#define PAGES(name, member, better, what) \
	{ { name, "MiB/s", "MiB", better, what }, of_pages, OFFSET(member), 0, 1, 1 }
#define COUNT(name, member, better, what) \
	{ { name, "/s", "", better, what }, of_total, OFFSET(member), 0, 1, 1 }
#define SHARE(name, a, b, better, what) \
	{ { name, "%", "%", better, what }, of_two, OFFSET(a), OFFSET(b), 1, 1 }
#define STALL(name, member, what) \
	{ { name, "% of time", "s", BETTER_LESS, what }, of_total, OFFSET(member), 0, 1e-4, 1e-6 }
#define PAGES_NOW(name, member, better, what) \
	{ { name, "MiB", "MiB", better, what }, of_gauge_pages, OFFSET(member), 0, 1, 1 }
#define OTHER(name, unit, better, what, fn) { { name, unit, unit, better, what }, fn, 0, 0, 1, 1 }

static const struct row rows[] = {
	PAGES("scanned", scanned_all, BETTER_NEITHER, "pages that reclaim looked at"),
	PAGES("scanned-kswapd", scanned_by[WHO_KSWAPD], BETTER_NEITHER, "by kswapd"),
	PAGES("scanned-direct", scanned_by[WHO_DIRECT], BETTER_LESS, "by those who allocate"),
	PAGES("stolen", stolen_all, BETTER_NEITHER, "pages that reclaim took"),
	PAGES("stolen-kswapd", stolen_by[WHO_KSWAPD], BETTER_NEITHER, "by kswapd"),
	PAGES("stolen-direct", stolen_by[WHO_DIRECT], BETTER_LESS, "by those who allocate"),
	PAGES("stolen-khugepaged", stolen_by[WHO_KHUGEPAGED], BETTER_NEITHER, "by khugepaged"),
	PAGES("stolen-proactive", stolen_by[WHO_PROACTIVE], BETTER_NEITHER,
	      "on request (memory.reclaim)"),
	PAGES("stolen-memcg-limit", stolen_by[WHO_MEMCG_LIMIT], BETTER_NEITHER,
	      "at a memcg's limit; up to 7.0, later part of the others"),
	PAGES("stolen-anon", stolen[TYPE_ANON], BETTER_NEITHER, "anonymous pages taken"),
	PAGES("stolen-file", stolen[TYPE_FILE], BETTER_NEITHER, "file pages taken"),
	PAGES("refaulted-anon", refaulted[TYPE_ANON], BETTER_LESS,
	      "anonymous pages that came back"),
	PAGES("refaulted-file", refaulted[TYPE_FILE], BETTER_LESS, "file pages that came back"),
	OTHER("refaulted-share", "%", BETTER_LESS, "of what was taken, what came back",
	      of_refaults),
	SHARE("efficiency", stolen_all, scanned_all, BETTER_MORE,
	      "of what was scanned, what was taken"),
	SHARE("direct-share", stolen_by[WHO_DIRECT], stolen_all, BETTER_LESS,
	      "of what was taken, what those took who allocate"),
	PAGES("refill", refill, BETTER_NEITHER, "pages sorted, or moved to the inactive list"),
	PAGES("swapped-in", swapped_in, BETTER_LESS, "pages read from swap"),
	PAGES("swapped-out", swapped_out, BETTER_NEITHER, "pages written to swap"),
	PAGES("zswapped-in", zswapped_in, BETTER_LESS, "pages unpacked from zswap"),
	PAGES("zswapped-out", zswapped_out, BETTER_NEITHER, "pages packed into zswap"),
	PAGES("demoted", demoted, BETTER_NEITHER, "pages moved to slower memory"),
	PAGES("promoted-nodes", promoted_nodes, BETTER_NEITHER, "pages moved to faster memory"),
	COUNT("major-faults", vm[VM_pgmajfault], BETTER_LESS, "faults that had to read"),
	COUNT("stalls", stalls, BETTER_LESS, "allocations that had to reclaim themselves"),
	COUNT("compact-stalls", compact_stalls, BETTER_LESS, "allocations that had to compact"),
	COUNT("slabs-scanned", slabs_scanned, BETTER_NEITHER, "slab objects looked at"),
	{ { "oom-kills", "", "", BETTER_LESS, "processes killed for lack of memory" },
	  of_events, OFFSET(oom_kills), 0, 1, 1 },
	STALL("memory-some", stall[PSI_MEMORY].some_us, "somebody waited for memory"),
	STALL("memory-full", stall[PSI_MEMORY].full_us, "all waited for memory"),
	STALL("io-some", stall[PSI_IO].some_us, "somebody waited for I/O"),
	STALL("io-full", stall[PSI_IO].full_us, "all waited for I/O"),
	STALL("cpu-some", stall[PSI_CPU].some_us, "somebody waited for a CPU"),
	{ { "kswapd-cpu", "% of a CPU", "s", BETTER_LESS, "CPU of kswapd, all nodes" },
	  of_total, OFFSET(kswapd_cpu_ms), 0, 0.1, 1e-3 },
	COUNT("births", births, BETTER_NEITHER, "generations opened"),
	OTHER("lifetime", "s", BETTER_MORE, "of generations, the median", of_lifetimes),
	COUNT("walked", walked, BETTER_LESS, "page table entries that aging looked at"),
	PAGES("promoted-anon", flow[TYPE_ANON].promoted, BETTER_NEITHER, "anonymous, seen used"),
	PAGES("promoted-file", flow[TYPE_FILE].promoted, BETTER_NEITHER, "file, seen used"),
	PAGES("protected-anon", flow[TYPE_ANON].protected, BETTER_NEITHER,
	      "anonymous, moved from the oldest generation to the next"),
	PAGES("protected-file", flow[TYPE_FILE].protected, BETTER_NEITHER,
	      "file, moved from the oldest generation to the next"),
	PAGES_NOW("free", free, BETTER_NEITHER, "free pages, the mean"),
	PAGES_NOW("pagesets", pageset_pages, BETTER_NEITHER, "pages in pagesets, the mean"),
	PAGES_NOW("stranded", stranded, BETTER_LESS, "of them, while a zone is below low"),
	OTHER("below-low", "% of time", BETTER_LESS, "the most pressed zone is below low",
	      of_levels),
	{ { "swap-used", "MiB", "MiB", BETTER_NEITHER, "swap in use, the mean" },
	  of_gauge, OFFSET(swap_used_kib), 0, 1.0 / 1024, 1 },
	{ { "dying-memcgs", "", "", BETTER_LESS, "removed memcgs that still have pages, the mean" },
	  of_gauge, OFFSET(dying), 0, 1, 1 },
};

const uint32_t compare_nmetrics = sizeof(rows) / sizeof(rows[0]);

/* --- those of /proc/vmstat --- */

#define KEY_NAME(name) "vmstat." #name,

static const char *const key_names[] = { KEYS_VMSTAT(KEY_NAME) };

struct compare_metric compare_metric(uint32_t i)
{
	uint32_t key = i - compare_nmetrics;

	if (i < compare_nmetrics)
		return rows[i].metric;
	if (step_vm_is_gauge(key))
		return (struct compare_metric){ key_names[key], "", "", BETTER_NEITHER,
						"the mean" };
	return (struct compare_metric){ key_names[key], "/s", "", BETTER_NEITHER, "counted" };
}

double compare_value(const struct summary *s, uint32_t metric, bool totals)
{
	uint32_t key = metric - compare_nmetrics;
	const struct total *t;

	if (metric < compare_nmetrics)
		return rows[metric].value(s, &rows[metric], totals);
	if (step_vm_is_gauge(key))
		return gauge_mean(&s->vm_now[key]);
	t = &s->vm[key];
	if (!total_known(t))
		return NAN;
	return totals ? (double)t->sum : total_rate(t);
}

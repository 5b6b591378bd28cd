/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "text.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

void text_memory(struct text *t)
{
	static const struct column columns[] = {
		{ "total", false },     { "free", false },        { "available", false },
		{ "anon", false },      { "cached", false },      { "shmem", false },
		{ "slab", false },      { "unevictable", false }, { "dirty", false },
		{ "writeback", false }, { "swap", false },        { "swap free", false },
		{ "zswap", false },
	};
	static const enum mem_key keys[COUNT(columns)] = {
		MEM_MemTotal,  MEM_MemFree,  MEM_MemAvailable, MEM_AnonPages, MEM_Cached,
		MEM_Shmem,     MEM_Slab,     MEM_Unevictable,  MEM_Dirty,     MEM_Writeback,
		MEM_SwapTotal, MEM_SwapFree, MEM_Zswap,
	};

	if (!t->f->now->meminfo.value)
		return;
	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < COUNT(keys); i++)
		text_kib(t, counters_get(&t->f->now->meminfo, keys[i]));
	table_end(&t->table, t->out);
}

/* Swap devices, and what zram makes of its part. */
void text_swap(struct text *t)
{
	static const struct column devices[] = {
		{ "size", false }, { "used", false },  { "priority", false },
		{ "type", true },  { "device", true },
	};
	static const struct column zrams[] = {
		{ "data", false }, { "compressed", false }, { "memory", false }, { "limit", false },
		{ "zram", true },
	};
	const struct sample *s = t->f->now;

	table_begin(&t->table, devices, COUNT(devices));
	for (uint32_t i = 0; i < s->nswaps; i++) {
		text_kib(t, s->swaps[i].size_kib);
		text_kib(t, s->swaps[i].used_kib);
		table_printf(&t->table, "%" PRId64, s->swaps[i].priority);
		table_cell(&t->table, s->swaps[i].type ? s->swaps[i].type : "-");
		table_cell(&t->table, s->swaps[i].name ? s->swaps[i].name : "-");
	}
	table_end(&t->table, t->out);
	table_begin(&t->table, zrams, COUNT(zrams));
	for (uint32_t i = 0; i < s->nzrams; i++) {
		text_bytes(t, s->zrams[i].orig_data);
		text_bytes(t, s->zrams[i].compr_data);
		text_bytes(t, s->zrams[i].mem_used);
		text_bytes(t, s->zrams[i].mem_limit ? s->zrams[i].mem_limit : UNLIMITED);
		table_cell(&t->table, s->zrams[i].name ? s->zrams[i].name : "-");
	}
	table_end(&t->table, t->out);
}

/* ---- reclaim --------------------------------------------------------------------------------- */

static struct amount sum_of(const struct amount *list, int n)
{
	struct amount sum = list[0];

	for (int i = 1; i < n; i++)
		sum = amount_add(sum, list[i]);
	return sum;
}

static void reclaim_row(struct text *t, const char *name, struct amount scanned,
			struct amount stolen)
{
	bool both = amount_known(scanned) && amount_known(stolen);

	table_cell(&t->table, name);
	text_page_rate(t, scanned);
	text_page_rate(t, stolen);
	text_percent(t, both ? (uint64_t)stolen.value : UNKNOWN,
		     both ? (uint64_t)scanned.value : UNKNOWN);
}

static void check_line(struct text *t)
{
	const struct reclaim *r = &t->f->step->reclaim;

	if (r->check == CHECK_UNKNOWN)
		buf_str(t->out, "  check: the two sums cannot be compared\n");
	else
		buf_printf(t->out,
			   "  check: the two sums %s: by what less by who is %" PRId64
			   " page%s, of which the kernel's age explains %" PRId64 "\n",
			   r->check == CHECK_AGREE ? "agree" : "DISAGREE", r->check_diff,
			   r->check_diff == 1 || r->check_diff == -1 ? "" : "s", r->check_allowed);
}

static void came_back(struct text *t)
{
	static const struct column columns[] = {
		{ "refaulted anon", false }, { "file", false },     { "of stolen", false },
		{ "swap in", false },        { "swap out", false }, { "zswap in", false },
		{ "zswap out", false },      { "demoted", false },  { "sorted", false },
	};
	const struct reclaim *r = &t->f->step->reclaim;
	struct amount back = amount_add(r->refaulted[TYPE_ANON], r->refaulted[TYPE_FILE]);
	bool both = amount_known(back) && amount_known(r->stolen_all);

	table_begin(&t->table, columns, COUNT(columns));
	text_page_rate(t, r->refaulted[TYPE_ANON]);
	text_page_rate(t, r->refaulted[TYPE_FILE]);
	text_percent(t, both ? (uint64_t)back.value : UNKNOWN,
		     both ? (uint64_t)r->stolen_all.value : UNKNOWN);
	text_page_rate(t, r->swapped_in);
	text_page_rate(t, r->swapped_out);
	text_page_rate(t, r->zswapped_in);
	text_page_rate(t, r->zswapped_out);
	text_page_rate(t, r->demoted);
	text_page_rate(t, r->refill);
	table_end(&t->table, t->out);
}

static void events(struct text *t)
{
	static const struct column columns[] = {
		{ "direct stalls", false }, { "compaction stalls", false }, { "oom kills", false },
		{ "slab objects scanned", false }, { "kswapd", true },
	};
	static const char *const states[] = {
		[KSWAPD_UNKNOWN] = "-", [KSWAPD_ASLEEP] = "asleep", [KSWAPD_WORKING] = "working",
	};
	const struct step *st = t->f->step;
	char kswapd[160] = "-";
	size_t len = 0;

	for (uint32_t i = 0; i < st->nnodes && len + 24 < sizeof(kswapd); i++)
		len += (size_t)snprintf(kswapd + len, sizeof(kswapd) - len, "%snode %" PRIu32 " %s",
					i ? ", " : "", st->nodes[i].node,
					states[st->nodes[i].kswapd]);
	table_begin(&t->table, columns, COUNT(columns));
	text_event_rate(t, st->reclaim.stalls);
	text_event_rate(t, st->reclaim.compact_stalls);
	text_event_rate(t, st->reclaim.oom_kills);
	text_event_rate(t, st->reclaim.slabs_scanned);
	table_cell(&t->table, kswapd);
	table_end(&t->table, t->out);
}

void text_reclaim(struct text *t)
{
	static const struct column columns[] = {
		{ "", true }, { "scanned", false }, { "stolen", false }, { "of scanned", false },
	};
	static const char *const types[] = { [TYPE_ANON] = "anon", [TYPE_FILE] = "file" };
	const struct reclaim *r = &t->f->step->reclaim;

	if (!t->f->now->vmstat.value)
		return;
	table_begin(&t->table, columns, COUNT(columns));
	for (enum reclaimer who = 0; who < WHO_NR; who++)
		reclaim_row(t, reclaimer_name(who), r->scanned_by[who], r->stolen_by[who]);
	reclaim_row(t, "by who", sum_of(r->scanned_by, WHO_NR), sum_of(r->stolen_by, WHO_NR));
	for (enum page_type type = 0; type < TYPE_NR; type++)
		reclaim_row(t, types[type], r->scanned[type], r->stolen[type]);
	reclaim_row(t, "by what", r->scanned_all, r->stolen_all);
	table_end(&t->table, t->out);
	check_line(t);
	came_back(t);
	events(t);
}

/* ---- pressure -------------------------------------------------------------------------------- */

static void pressure_row(struct text *t, const char *what, const struct psi_line *line,
			 struct amount lost)
{
	if (line->total_us == UNKNOWN && line->avg10 == UNKNOWN)
		return;
	table_cell(&t->table, what);
	text_centi(t, line->avg10);
	text_centi(t, line->avg60);
	text_centi(t, line->avg300);
	text_share(t, lost);
}

void text_pressure(struct text *t)
{
	static const struct column columns[] = {
		{ "", true }, { "avg10 %", false }, { "avg60 %", false }, { "avg300 %", false },
		{ "lost now", false },
	};
	static const char *const names[PSI_NR][2] = {
		[PSI_MEMORY] = { "memory some", "memory full" },
		[PSI_IO] = { "io some", "io full" },
		[PSI_CPU] = { "cpu some", "cpu full" },
	};

	table_begin(&t->table, columns, COUNT(columns));
	for (int i = 0; i < PSI_NR; i++) {
		pressure_row(t, names[i][0], &t->f->now->psi[i].some, t->f->step->stall[i].some_us);
		pressure_row(t, names[i][1], &t->f->now->psi[i].full, t->f->step->stall[i].full_us);
	}
	table_end(&t->table, t->out);
}

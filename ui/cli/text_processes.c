/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "text.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static int64_t known(uint64_t value)
{
	return value == UNKNOWN ? INT64_MIN : (int64_t)(value & INT64_MAX);
}

static int64_t known_amount(struct amount a)
{
	return amount_known(a) ? a.value : INT64_MIN;
}

static int64_t cpu_value(const struct process_step *p)
{
	return known_amount(p->cpu_ms);
}

static int64_t rss_value(const struct process_step *p)
{
	return known(p->now->rss_kib);
}

static int64_t swap_value(const struct process_step *p)
{
	return known(p->now->swap_kib);
}

static int64_t majflt_value(const struct process_step *p)
{
	return known_amount(p->major_faults);
}

static int64_t pid_value(const struct process_step *p)
{
	return -(int64_t)p->now->pid;
}

static const char *name_text(const struct process_step *p)
{
	return p->now->name ? p->now->name : "";
}

static const char *memcg_text(const struct process_step *p)
{
	return p->now->memcg ? p->now->memcg : "";
}

/* What one may sort by: the greatest value first, or texts from a to z. */
static const struct process_sort {
	const char *name;
	int64_t (*value)(const struct process_step *p);
	const char *(*text)(const struct process_step *p);
} sorts[] = {
	{ "rss", rss_value, NULL },       { "pid", pid_value, NULL },
	{ "cpu", cpu_value, NULL },       { "swap", swap_value, NULL },
	{ "majflt", majflt_value, NULL }, { "name", NULL, name_text },
	{ "memcg", NULL, memcg_text },
};

/* By what was asked for; by resident memory where that is no column of theirs. */
static const struct process_sort *sort_of(const struct text *t)
{
	for (uint32_t i = 0; t->sort && i < COUNT(sorts); i++)
		if (!strcmp(sorts[i].name, t->sort))
			return &sorts[i];
	return &sorts[0];
}

/* The kernel's reclaim threads stand first. */
static int compare(const struct text *t, uint32_t a, uint32_t b)
{
	const struct process_step *pa = &t->f->step->processes[a], *pb = &t->f->step->processes[b];
	bool ua = pa->now->kind == PROCESS_USER, ub = pb->now->kind == PROCESS_USER;
	const struct process_sort *sort = sort_of(t);

	if (ua != ub)
		return ua ? 1 : -1;
	if (sort->text)
		return strcmp(sort->text(pa), sort->text(pb));
	return sort->value(pa) < sort->value(pb) ? 1 : sort->value(pa) > sort->value(pb) ? -1 : 0;
}

static void process_row(struct text *t, const struct process_step *p)
{
	static const char *const kinds[] = {
		[PROCESS_USER] = "user",
		[PROCESS_KSWAPD] = "kswapd",
		[PROCESS_KCOMPACTD] = "kcompactd",
		[PROCESS_KHUGEPAGED] = "khugepaged",
	};
	struct amount cpu_us = p->cpu_ms;

	cpu_us.value *= 1000;
	table_printf(&t->table, "%" PRIu32, p->now->pid);
	table_printf(&t->table, "%c", p->now->state ? p->now->state : '-');
	text_share(t, cpu_us);
	text_kib(t, p->now->rss_kib);
	text_kib(t, p->now->swap_kib);
	text_event_rate(t, p->major_faults);
	table_cell(&t->table, kinds[p->now->kind]);
	table_cell(&t->table, p->now->memcg ? p->now->memcg : "-");
	table_cell(&t->table, p->now->name ? p->now->name : "-");
}

void text_processes(struct text *t)
{
	static const struct column columns[] = {
		{ "pid", false }, { "state", true }, { "cpu", false },
		{ "rss", false }, { "swap", false }, { "majflt", false },
		{ "kind", true }, { "memcg", true }, { "name", true },
	};
	const struct step *st = t->f->step;

	text_pick_begin(t, st->nprocesses);
	for (uint32_t i = 0; i < st->nprocesses; i++)
		if (st->processes[i].now)
			text_pick(t, i);
	text_pick_sort(t, compare);
	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < t->picks.n; i++)
		process_row(t, &st->processes[t->picks.items[i]]);
	table_end(&t->table, t->out);
	if (t->picks.n < t->f->now->processes_seen)
		buf_printf(t->out,
			   "  of %" PRIu32
			   " processes, those with most memory, swap and major faults\n",
			   t->f->now->processes_seen);
}

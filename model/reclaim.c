/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reclaim.c - reclaim by who did it and by what was taken, and the one held against the other.
 *
 * mm/vmscan.c counts every page that reclaim takes twice: by its type (pgsteal_anon, pgsteal_file)
 * and by who took it.
 *
 *   up to 7.0  both are events, exact sums over the CPUs. Those by who leave out reclaim at a
 *              memcg's limit (!cgroup_reclaim()), those by type hold it: the difference is that.
 *   from 7.1   both are items of node statistics. All reclaim is in both. What a CPU has not folded
 *              in yet, up to 125 pages for each node and item (mm/vmstat.c
 *              calculate_normal_threshold()), is missing from either.
 *
 * A kernel that lacks a line counts it elsewhere: khugepaged was part of "direct" before 6.5,
 * proactive reclaim before 6.15. So a missing line adds nothing to a sum, and does not make it
 * unknown; without kswapd and direct there is none.
 */
#include <string.h>

#include "model/stepping.h"

#define VERSION_NODE_STATS 70100
#define CPU_STALE_PAGES 125
/*
 * What one CPU may have counted by who and not yet by type while the file is summed: a batch
 * (MIN_LRU_BATCH).
 */
#define CPU_BATCH_PAGES 64
/* A read() of a seq_file gives a page at the most, and each makes the sums of vmstat anew. */
#define ONE_READ 4096

static const struct {
	uint16_t stolen, scanned, demoted, node_stolen, node_scanned;
} who_keys[] = {
	[WHO_KSWAPD] = { VM_pgsteal_kswapd, VM_pgscan_kswapd, VM_pgdemote_kswapd,
			 NODE_pgsteal_kswapd, NODE_pgscan_kswapd },
	[WHO_DIRECT] = { VM_pgsteal_direct, VM_pgscan_direct, VM_pgdemote_direct,
			 NODE_pgsteal_direct, NODE_pgscan_direct },
	[WHO_KHUGEPAGED] = { VM_pgsteal_khugepaged, VM_pgscan_khugepaged, VM_pgdemote_khugepaged,
			     NODE_pgsteal_khugepaged, NODE_pgscan_khugepaged },
	[WHO_PROACTIVE] = { VM_pgsteal_proactive, VM_pgscan_proactive, VM_pgdemote_proactive,
			    NODE_pgsteal_proactive, NODE_pgscan_proactive },
};

#define NWHO (sizeof(who_keys) / sizeof(who_keys[0]))

const char *reclaimer_name(enum reclaimer who)
{
	static const char *const names[] = {
		[WHO_KSWAPD] = "kswapd", [WHO_DIRECT] = "direct", [WHO_KHUGEPAGED] = "khugepaged",
		[WHO_PROACTIVE] = "proactive", [WHO_MEMCG_LIMIT] = "memcg limit",
	};

	return names[who];
}

/* The sum by who; MISSING where the two that every kernel counts are not both there. */
static struct amount sum_by_who(const struct amount by[WHO_NR])
{
	struct amount sum = by[WHO_KSWAPD];

	if (sum.state == AMOUNT_MISSING || by[WHO_DIRECT].state == AMOUNT_MISSING)
		return (struct amount){ .state = AMOUNT_MISSING };
	for (int who = WHO_DIRECT; who < WHO_MEMCG_LIMIT; who++)
		sum = amount_add(sum, by[who]);
	return sum;
}

static struct amount sum_by_type(const struct amount by[TYPE_NR])
{
	if (by[TYPE_ANON].state == AMOUNT_MISSING || by[TYPE_FILE].state == AMOUNT_MISSING)
		return (struct amount){ .state = AMOUNT_MISSING };
	return amount_add(by[TYPE_ANON], by[TYPE_FILE]);
}

/* How many lines the two sums have: each may be stale on its own. */
static int64_t count_items(const struct reclaim *r)
{
	int64_t items = TYPE_NR;

	for (int who = 0; who < WHO_MEMCG_LIMIT; who++)
		items += r->stolen_by[who].state != AMOUNT_MISSING;
	return items;
}

/* What may have been reclaimed while a file of more than one read() was read. */
static int64_t read_skew(const struct stepping *s, int64_t pages)
{
	const struct reading *r = &s->now->readings[READ_VMSTAT];
	int64_t took = r->end_us - r->start_us;

	if (r->bytes <= ONE_READ || took <= 0 || s->out->dt_us <= 0)
		return 0;
	return (int64_t)((double)pages * (double)took / (double)s->out->dt_us);
}

/*
 * Reclaim at memcg limits, from what both sums say. Nothing where the kernel's age does not make it
 * the difference.
 */
static struct amount memcg_limit(const struct stepping *s, struct amount by_type,
				 struct amount by_who)
{
	struct amount rest = amount_less(by_type, by_who);
	uint32_t version = s->now->machine.version;

	if (!version || version >= VERSION_NODE_STATS || rest.value < 0)
		return (struct amount){ .state = AMOUNT_MISSING };
	return rest;
}

static void check(const struct stepping *s, struct reclaim *r)
{
	struct amount by_type = sum_by_type(r->stolen), by_who = sum_by_who(r->stolen_by);
	uint32_t version = s->now->machine.version;
	bool agree;

	r->stolen_by[WHO_MEMCG_LIMIT] = memcg_limit(s, by_type, by_who);
	r->check = CHECK_UNKNOWN;
	if (!amount_known(by_type) || !amount_known(by_who))
		return;
	r->check_diff = by_type.value - by_who.value;
	if (version >= VERSION_NODE_STATS)
		r->check_allowed = CPU_STALE_PAGES * (int64_t)s->cpus * (int64_t)s->nodes *
				   count_items(r);
	else
		r->check_allowed = CPU_BATCH_PAGES * (int64_t)s->cpus +
				   read_skew(s, by_type.value > by_who.value ? by_type.value
									    : by_who.value);
	agree = r->check_diff >= -r->check_allowed && r->check_diff <= r->check_allowed;
	if (version && version < VERSION_NODE_STATS)
		agree = r->check_diff >= -r->check_allowed;
	if (!version && !agree)
		return;
	r->check = agree ? CHECK_AGREE : CHECK_DISAGREE;
}

/* The difference between two values of a line whose name no table has. */
static struct amount named(const struct stepping *s, const struct named *line)
{
	uint64_t before = UNKNOWN;

	if (s->before)
		before = counters_by_name(&s->before->vmstat, line->name);
	return stepping_counter(s, before, line->value, SCOPE_MACHINE);
}

/*
 * allocstall_dma, …: which zones there are depends on how the kernel was built. Up to 4.9 it is
 * plain allocstall.
 */
static struct amount sum_stalls(const struct stepping *s)
{
	const struct counters *c = &s->now->vmstat;
	const struct amount *vm = s->out->vm;
	struct amount sum = vm[VM_allocstall_dma];

	sum = amount_add(sum, vm[VM_allocstall_dma32]);
	sum = amount_add(sum, vm[VM_allocstall_normal]);
	sum = amount_add(sum, vm[VM_allocstall_movable]);
	sum = amount_add(sum, vm[VM_allocstall_device]);
	for (uint32_t i = 0; i < c->nmore; i++)
		if (!strcmp(c->more[i].name, "allocstall") ||
		    !strncmp(c->more[i].name, "allocstall_", 11))
			sum = amount_add(sum, named(s, &c->more[i]));
	return sum;
}

static void fill_kinds(struct reclaim *r, const struct amount *vm)
{
	r->refaulted[TYPE_ANON] = vm[VM_workingset_refault_anon];
	r->refaulted[TYPE_FILE] = vm[VM_workingset_refault_file];
	r->refill = vm[VM_pgrefill];
	r->swapped_in = vm[VM_pswpin];
	r->swapped_out = vm[VM_pswpout];
	r->zswapped_in = vm[VM_zswpin];
	r->zswapped_out = vm[VM_zswpout];
	r->promoted_nodes = vm[VM_pgpromote_success];
	r->oom_kills = vm[VM_oom_kill];
	r->compact_stalls = vm[VM_compact_stall];
	r->slabs_scanned = vm[VM_slabs_scanned];
	r->scanned[TYPE_ANON] = vm[VM_pgscan_anon];
	r->scanned[TYPE_FILE] = vm[VM_pgscan_file];
	r->stolen[TYPE_ANON] = vm[VM_pgsteal_anon];
	r->stolen[TYPE_FILE] = vm[VM_pgsteal_file];
}

void stepping_reclaim(struct stepping *s)
{
	struct reclaim *r = &s->out->reclaim;
	const struct amount *vm = s->out->vm;

	for (size_t who = 0; who < NWHO; who++) {
		r->scanned_by[who] = vm[who_keys[who].scanned];
		r->stolen_by[who] = vm[who_keys[who].stolen];
		r->demoted = amount_add(r->demoted, vm[who_keys[who].demoted]);
	}
	fill_kinds(r, vm);
	r->stalls = sum_stalls(s);
	r->scanned_all = sum_by_type(r->scanned);
	r->stolen_all = sum_by_type(r->stolen);
	/* Before 5.8 nothing was counted by type. */
	if (r->scanned_all.state == AMOUNT_MISSING)
		r->scanned_all = sum_by_who(r->scanned_by);
	if (r->stolen_all.state == AMOUNT_MISSING)
		r->stolen_all = sum_by_who(r->stolen_by);
	r->scanned_by[WHO_MEMCG_LIMIT] = memcg_limit(s, sum_by_type(r->scanned),
						     sum_by_who(r->scanned_by));
	check(s, r);
}

/* --- nodes --- */

static const struct node *node_before(const struct stepping *s, uint32_t id)
{
	for (uint32_t i = 0; s->before && i < s->before->nnodes; i++)
		if (s->before->nodes[i].id == id)
			return &s->before->nodes[i];
	return NULL;
}

static const struct process_step *kswapd_of(const struct step *st, uint32_t node)
{
	for (uint32_t i = 0; i < st->nprocesses; i++) {
		const struct process *p = st->processes[i].now;

		if (p->kind == PROCESS_KSWAPD && p->node == node)
			return &st->processes[i];
	}
	return NULL;
}

static bool is_low(const struct step *st, uint32_t node)
{
	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		if (z->now->node == node &&
		    (z->level == ZONE_BELOW_MIN || z->level == ZONE_BELOW_LOW))
			return true;
	}
	return false;
}

/*
 * What scanned was not asleep. Where its process is not seen: asleep if it scanned nothing and no
 * zone is low enough to wake it, else nobody can tell.
 */
static enum kswapd_state kswapd_state(const struct step *st, const struct node_step *n)
{
	const struct process_step *p = kswapd_of(st, n->node);
	struct amount scanned = n->scanned[WHO_KSWAPD];

	/*
	 * Up to 7.0 one sum for all nodes, which tells only where there is one, or nothing was
	 * scanned.
	 */
	if (scanned.state == AMOUNT_MISSING)
		scanned = st->reclaim.scanned_by[WHO_KSWAPD];
	if (scanned.value > 0 && n->scanned[WHO_KSWAPD].state == AMOUNT_MISSING && st->nnodes > 1)
		scanned = n->scanned[WHO_KSWAPD];
	if (p && (p->now->state == 'R' || p->now->state == 'D' || p->cpu_ms.value > 0))
		return KSWAPD_WORKING;
	if (scanned.value > 0)
		return KSWAPD_WORKING;
	if (p)
		return KSWAPD_ASLEEP;
	return amount_known(scanned) && !is_low(st, n->node) ? KSWAPD_ASLEEP : KSWAPD_UNKNOWN;
}

static struct amount reclaimable(const struct node *n)
{
	static const uint16_t keys[] = { NODE_nr_inactive_anon, NODE_nr_active_anon,
					 NODE_nr_inactive_file, NODE_nr_active_file };
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint64_t pages = counters_get(&n->stats, keys[i]);

		if (pages == UNKNOWN)
			return (struct amount){ .state = AMOUNT_MISSING, .scope = SCOPE_NODE };
		sum += pages;
	}
	return (struct amount){ amount_from(sum), amount_from(sum), amount_from(sum),
				AMOUNT_MEASURED, SCOPE_NODE };
}

static void node_make(const struct stepping *s, const struct node *now, struct node_step *out)
{
	const struct node *node = node_before(s, now->id);
	const struct counters *was = node ? &node->stats : NULL;
	const struct process_step *kswapd = kswapd_of(s->out, now->id);

	out->node = now->id;
	out->kswapd_cpu_ms.scope = SCOPE_NODE;
	if (kswapd)
		out->kswapd_cpu_ms = kswapd->cpu_ms;
	for (size_t who = 0; who < NWHO; who++) {
		out->scanned[who] = stepping_key(s, was, &now->stats, who_keys[who].node_scanned,
						 SCOPE_NODE);
		out->stolen[who] = stepping_key(s, was, &now->stats, who_keys[who].node_stolen,
						SCOPE_NODE);
	}
	out->refaulted[TYPE_ANON] = stepping_key(s, was, &now->stats,
						 NODE_workingset_refault_anon, SCOPE_NODE);
	out->refaulted[TYPE_FILE] = stepping_key(s, was, &now->stats,
						 NODE_workingset_refault_file, SCOPE_NODE);
	out->reclaimable = reclaimable(now);
	out->kswapd = kswapd_state(s->out, out);
}

void stepping_nodes(struct stepping *s)
{
	s->out->nnodes = s->now->nnodes;
	s->out->nodes = arena_alloc(s->arena, s->now->nnodes * sizeof(*s->out->nodes));
	for (uint32_t i = 0; i < s->now->nnodes; i++)
		node_make(s, &s->now->nodes[i], &s->out->nodes[i]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/bench/support/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMCGS 60
#define BUSY 5          /* the root and four others */
#define PROCESSES 36    /* sixteen by each of three orders, most of them the same */
#define ORDERS 11
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct bench_machine {
	uint64_t seed;
	bool processes;
	struct arena *arena;     /* what lives as long as the machine */
	struct sample s;
	uint64_t was[VM_NR];     /* /proc/vmstat a second ago */
};

static uint64_t next(struct bench_machine *m)
{
	uint64_t z = m->seed += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t below(struct bench_machine *m, uint64_t n)
{
	return n ? next(m) % n : 0;
}

static bool one_in(struct bench_machine *m, uint64_t n)
{
	return !below(m, n);
}

/* Mostly small, now and then much. */
static uint64_t burst(struct bench_machine *m, uint64_t n)
{
	return below(m, 8) ? below(m, n / 16 + 1) : below(m, n);
}

/* A gauge that wanders and never falls below 0. */
static uint64_t wander(struct bench_machine *m, uint64_t v, uint64_t by)
{
	uint64_t d = below(m, 2 * by + 1);

	return v + d < by ? 0 : v + d - by;
}

/* A number of any size up to 2 to the most. */
static uint64_t any(struct bench_machine *m, uint64_t most)
{
	return below(m, (uint64_t)1 << (4 + below(m, most - 3)));
}

/* --- reclaim: what one memcg does in a second; the machine's counters are the sum --- */

struct work {
	uint64_t scan_anon, scan_file, steal_anon, steal_file, direct;
	uint64_t refault_anon, refault_file, activate, restore, refill;
	uint64_t faults, major;
	int64_t anon, file;      /* pages more */
};

/* One second in five nobody reclaims from it. */
static void draw_reclaim(struct bench_machine *m, struct work *w)
{
	if (one_in(m, 5))
		return;
	w->scan_file = 1 + burst(m, 9000);
	w->scan_anon = one_in(m, 3) ? burst(m, 2000) : 0;
	w->steal_file = w->scan_file - below(m, w->scan_file / 8 + 1);
	w->steal_anon = w->scan_anon - below(m, w->scan_anon / 2 + 1);
	w->direct = one_in(m, 5) ? below(m, w->scan_file / 4 + 1) : 0;
	w->refault_file = one_in(m, 4) ? 0 : below(m, w->steal_file / 2 + 1);
	w->refault_anon = one_in(m, 2) ? below(m, w->steal_anon / 2 + 1) : 0;
	w->activate = one_in(m, 3) ? below(m, w->refault_file / 4 + 1) : 0;
	w->restore = one_in(m, 2) ? below(m, w->activate / 2 + 1) : 0;
	w->refill = one_in(m, 4) ? below(m, 400) : 0;
}

static struct work draw_work(struct bench_machine *m)
{
	struct work w = { .faults = one_in(m, 4) ? 0 : burst(m, 12000) };

	draw_reclaim(m, &w);
	w.major = one_in(m, 3) ? below(m, 60) : 0;
	w.anon = (one_in(m, 2) ? (int64_t)below(m, 600) : 0) - (int64_t)w.steal_anon;
	w.file = (int64_t)below(m, w.steal_file * 2 + 1) - (int64_t)w.steal_file;
	return w;
}

static void add_work(struct work *sum, const struct work *w)
{
	sum->scan_anon += w->scan_anon;
	sum->scan_file += w->scan_file;
	sum->steal_anon += w->steal_anon;
	sum->steal_file += w->steal_file;
	sum->direct += w->direct;
	sum->refault_anon += w->refault_anon;
	sum->refault_file += w->refault_file;
	sum->activate += w->activate;
	sum->restore += w->restore;
	sum->refill += w->refill;
	sum->faults += w->faults;
	sum->major += w->major;
	sum->anon += w->anon;
	sum->file += w->file;
}

/* --- values --- */

static void add(struct counters *c, uint32_t key, uint64_t n)
{
	c->value[key] += n;
}

/* By a number of pages, but never below a few. */
static void shift(struct counters *c, uint32_t key, int64_t pages, uint64_t unit)
{
	int64_t now = (int64_t)(c->value[key] / unit) + pages;

	c->value[key] = (uint64_t)(now > 16 ? now : 16) * unit;
}

static void stir(struct bench_machine *m, struct counters *c, uint32_t key, uint64_t by)
{
	c->value[key] = wander(m, c->value[key], by);
}

/* As read from another file a moment later: mostly the same. */
static uint64_t later(struct bench_machine *m, uint64_t v)
{
	return one_in(m, 6) ? wander(m, v, 32) : v;
}

/* All known, half of them 0, as on a machine that does without; the rest of any size. */
static void set_up(struct bench_machine *m, struct counters *c, const struct keytab *tab, uint64_t most)
{
	counters_init(c, tab, m->arena);
	for (uint32_t i = 0; i < tab->n; i++)
		c->value[i] = one_in(m, 2) ? any(m, most) : 0;
}

/* --- memcgs --- */

/* Those that are sizes: bytes of whole pages. The others count events. */
#define SIZES_END CG_workingset_refault_anon

/* Names that came with later kernels. */
static const uint16_t cg_later[] = {
	CG_zswap_incomp, CG_pgdemote_kswapd, CG_pgdemote_direct, CG_pgdemote_khugepaged,
	CG_pgdemote_proactive, CG_pgsteal_proactive, CG_pgscan_proactive, CG_pgpromote_success,
	CG_numa_pages_migrated, CG_numa_pte_updates, CG_numa_hint_faults,
};

static void set_up_stat(struct bench_machine *m, struct counters *c)
{
	static const uint16_t pages[] = { CG_anon, CG_file, CG_inactive_anon, CG_active_anon,
					  CG_inactive_file, CG_active_file };

	set_up(m, c, &keytab_memcg, 24);
	for (uint32_t i = 0; i < SIZES_END; i++)
		c->value[i] = c->value[i] % 4096 * 4096;
	for (uint32_t i = 0; i < LEN(pages); i++)
		c->value[pages[i]] = (1000 + below(m, 60000)) * 4096;
	for (uint32_t i = 0; i < LEN(cg_later); i++)
		c->value[cg_later[i]] = UNKNOWN;
}

static void work_on_lists(struct bench_machine *m, struct counters *c, const struct work *w)
{
	shift(c, CG_anon, w->anon, 4096);
	shift(c, CG_file, w->file, 4096);
	shift(c, one_in(m, 4) ? CG_active_anon : CG_inactive_anon, w->anon, 4096);
	shift(c, CG_inactive_file, w->file - (int64_t)w->activate, 4096);
	if (w->activate)
		shift(c, CG_active_file, (int64_t)w->activate, 4096);
	if (one_in(m, 10))
		shift(c, CG_pagetables, (int64_t)below(m, 7) - 3, 4096);
	if (one_in(m, 7)) {
		int64_t slab = (int64_t)below(m, 4000) - 2000;

		shift(c, CG_slab_reclaimable, slab, 1);
		shift(c, CG_slab, slab, 1);
		shift(c, CG_kernel, slab / 4096, 4096);
	}
	if (one_in(m, 4))
		shift(c, CG_file_dirty, (int64_t)below(m, 200) - 100, 4096);
	if (one_in(m, 10))
		shift(c, CG_file_mapped, (int64_t)below(m, 60) - 30, 4096);
}

static void work_on_events(struct counters *c, const struct work *w)
{
	uint64_t scan = w->scan_anon + w->scan_file, steal = w->steal_anon + w->steal_file;

	add(c, CG_pgscan, scan);
	add(c, CG_pgsteal, steal);
	add(c, CG_pgscan_kswapd, scan - w->direct);
	add(c, CG_pgsteal_kswapd, steal > w->direct ? steal - w->direct : 0);
	add(c, CG_pgscan_direct, w->direct);
	add(c, CG_pgsteal_direct, w->direct < steal ? w->direct : steal);
	add(c, CG_workingset_refault_anon, w->refault_anon);
	add(c, CG_workingset_refault_file, w->refault_file);
	add(c, CG_workingset_activate_file, w->activate);
	add(c, CG_workingset_restore_file, w->restore);
	add(c, CG_pgfault, w->faults);
	add(c, CG_pgmajfault, w->major);
	add(c, CG_pgrefill, w->refill);
	add(c, CG_pgactivate, w->activate);
}

/* --- the machine's files: several tell of the same thing --- */

static void work_on_vmstat(struct bench_machine *m, const struct work *w)
{
	struct counters *c = &m->s.vmstat;
	uint64_t scan = w->scan_anon + w->scan_file, steal = w->steal_anon + w->steal_file;
	uint64_t taken = steal + below(m, 4000);

	add(c, VM_pgscan_kswapd, scan - w->direct);
	add(c, VM_pgsteal_kswapd, steal > w->direct ? steal - w->direct : 0);
	add(c, VM_pgscan_direct, w->direct);
	add(c, VM_pgsteal_direct, w->direct < steal ? w->direct : steal);
	add(c, VM_pgscan_anon, w->scan_anon);
	add(c, VM_pgscan_file, w->scan_file);
	add(c, VM_pgsteal_anon, w->steal_anon);
	add(c, VM_pgsteal_file, w->steal_file);
	add(c, VM_pswpout, w->steal_anon);
	add(c, VM_pswpin, w->refault_anon);
	add(c, VM_nr_vmscan_write, w->steal_anon);
	add(c, VM_workingset_refault_anon, w->refault_anon);
	add(c, VM_workingset_refault_file, w->refault_file);
	add(c, VM_workingset_activate_file, w->activate);
	add(c, VM_workingset_restore_file, w->restore);
	add(c, VM_pgrefill, w->refill);
	add(c, VM_pgactivate, w->activate);
	add(c, VM_pgfault, w->faults + below(m, 2000));
	add(c, VM_pgmajfault, w->major);
	add(c, VM_pgreuse, below(m, 3000));
	add(c, VM_pgpgin, w->refault_file * 4 + below(m, 900));
	add(c, VM_pgpgout, w->steal_anon * 4 + burst(m, 900));
	add(c, VM_pgalloc_dma32, taken / 2);
	add(c, VM_pgalloc_normal, taken - taken / 2);
	add(c, VM_pgfree, taken + below(m, 900));
	add(c, VM_numa_hit, taken);
	add(c, VM_numa_local, taken);
	add(c, VM_pageoutrun, below(m, 4));
	add(c, VM_kswapd_low_wmark_hit_quickly, below(m, 3));
	add(c, VM_slabs_scanned, one_in(m, 2) ? burst(m, 4000) : 0);
	add(c, VM_nr_dirtied, burst(m, 2000));
	add(c, VM_nr_written, burst(m, 2000));
}

/* The lists and what else is a size, in pages: /proc/vmstat is where we keep them. */
static void work_on_sizes(struct bench_machine *m, const struct work *w)
{
	struct counters *c = &m->s.vmstat;

	shift(c, VM_nr_inactive_anon, w->anon, 1);
	shift(c, VM_nr_anon_pages, w->anon, 1);
	shift(c, VM_nr_inactive_file, w->file - (int64_t)w->activate, 1);
	shift(c, VM_nr_active_file, (int64_t)w->activate, 1);
	shift(c, VM_nr_file_pages, w->file, 1);
	stir(m, c, VM_nr_swapcached, one_in(m, 3) ? 20 : 0);
	stir(m, c, VM_nr_active_anon, one_in(m, 2) ? 50 : 0);
	stir(m, c, VM_nr_slab_reclaimable, one_in(m, 2) ? 60 : 0);
	stir(m, c, VM_nr_slab_unreclaimable, one_in(m, 2) ? 20 : 0);
	stir(m, c, VM_nr_mapped, one_in(m, 2) ? 20 : 0);
	stir(m, c, VM_nr_dirty, 200);
	stir(m, c, VM_nr_shmem, one_in(m, 4) ? 8 : 0);
	stir(m, c, VM_nr_kernel_stack, one_in(m, 3) ? 3 : 0);
	stir(m, c, VM_nr_page_table_pages, one_in(m, 3) ? 3 : 0);
	stir(m, c, VM_workingset_nodes, one_in(m, 2) ? 10 : 0);
	c->value[VM_nr_zone_inactive_anon] = c->value[VM_nr_inactive_anon];
	c->value[VM_nr_zone_active_anon] = c->value[VM_nr_active_anon];
	c->value[VM_nr_zone_inactive_file] = c->value[VM_nr_inactive_file];
	c->value[VM_nr_zone_active_file] = c->value[VM_nr_active_file];
	c->value[VM_nr_zone_write_pending] = c->value[VM_nr_dirty];
	c->value[VM_nr_free_pages] = wander(m, c->value[VM_nr_free_pages], 800);
}

/* What two files have in common is the same in both, but for the moment between. */
static void mirror(struct bench_machine *m, struct counters *to, const struct keytab *tab)
{
	uint32_t hint = 0;

	for (uint32_t i = 0; i < tab->n; i++) {
		uint32_t at = keytab_find(&keytab_vmstat, tab->keys[i].name, tab->keys[i].len, &hint);

		if (at < VM_NR && m->s.vmstat.value[at] != m->was[at] && to->value[i] != UNKNOWN)
			to->value[i] = later(m, m->s.vmstat.value[at]);
	}
}

static void mirror_meminfo(struct bench_machine *m)
{
	static const uint16_t pairs[][2] = {
		{ MEM_MemFree, VM_nr_free_pages }, { MEM_Cached, VM_nr_file_pages },
		{ MEM_SwapCached, VM_nr_swapcached }, { MEM_Active_anon, VM_nr_active_anon },
		{ MEM_Inactive_anon, VM_nr_inactive_anon }, { MEM_Active_file, VM_nr_active_file },
		{ MEM_Inactive_file, VM_nr_inactive_file }, { MEM_Dirty, VM_nr_dirty },
		{ MEM_AnonPages, VM_nr_anon_pages }, { MEM_Mapped, VM_nr_mapped },
		{ MEM_Shmem, VM_nr_shmem }, { MEM_KReclaimable, VM_nr_slab_reclaimable },
		{ MEM_SReclaimable, VM_nr_slab_reclaimable }, { MEM_SUnreclaim, VM_nr_slab_unreclaimable },
		{ MEM_PageTables, VM_nr_page_table_pages },
	};
	uint64_t *to = m->s.meminfo.value;

	for (uint32_t i = 0; i < LEN(pairs); i++)
		if (m->s.vmstat.value[pairs[i][1]] != m->was[pairs[i][1]])
			to[pairs[i][0]] = 4 * later(m, m->s.vmstat.value[pairs[i][1]]);
	to[MEM_Active] = to[MEM_Active_anon] + to[MEM_Active_file];
	to[MEM_Inactive] = to[MEM_Inactive_anon] + to[MEM_Inactive_file];
	to[MEM_Slab] = to[MEM_SReclaimable] + to[MEM_SUnreclaim];
	to[MEM_MemAvailable] = to[MEM_MemFree] + to[MEM_Active_file] + to[MEM_Inactive_file] / 2;
	to[MEM_KernelStack] = m->s.vmstat.value[VM_nr_kernel_stack];
	to[MEM_SwapFree] -= to[MEM_SwapFree] % 4 + 4 * below(m, to[MEM_SwapFree] > 40000 ? 200 : 1);
	if (one_in(m, 2))
		to[MEM_Committed_AS] = wander(m, to[MEM_Committed_AS] / 4, 300) * 4;
}

/* --- the parts --- */

static const char *service(struct bench_machine *m, uint32_t i)
{
	char text[80];

	snprintf(text, sizeof(text), "/system.slice/some-service-%02u.service", (unsigned int)i);
	return arena_str(m->arena, i ? text : "/");
}

static const char *worker(struct bench_machine *m, uint32_t pid)
{
	static const char *const names[] = { "postgres", "java", "nginx", "node", "python3", "rsync" };
	char text[40];

	snprintf(text, sizeof(text), "%s-%u", names[pid % LEN(names)], (unsigned int)pid % 7);
	return arena_str(m->arena, text);
}

/* What /proc/zoneinfo tells of a node only since later kernels. */
static const uint16_t node_later[] = {
	NODE_pgsteal_kswapd, NODE_pgsteal_direct, NODE_pgsteal_khugepaged, NODE_pgsteal_proactive,
	NODE_pgsteal_anon, NODE_pgsteal_file, NODE_pgscan_kswapd, NODE_pgscan_direct,
	NODE_pgscan_khugepaged, NODE_pgscan_proactive, NODE_pgscan_anon, NODE_pgscan_file, NODE_pgrefill,
};

static void make_zones(struct bench_machine *m, uint32_t cpus)
{
	static const char *const names[] = { "DMA", "DMA32" };
	struct sample *s = &m->s;

	s->nzones = s->nbuddies = LEN(names);
	s->zones = arena_alloc(m->arena, s->nzones * sizeof(*s->zones));
	s->buddies = arena_alloc(m->arena, s->nbuddies * sizeof(*s->buddies));
	for (uint32_t i = 0; i < s->nzones; i++) {
		struct zone *z = &s->zones[i];
		struct buddy *b = &s->buddies[i];

		*z = (struct zone){ .name = names[i], .free = 3000, .min = 660, .low = 827, .high = 992,
				    .promo = 1158, .spanned = 1044480, .present = 782288, .managed = 765904,
				    .start_pfn = 4096, .reserved_highatomic = UNKNOWN,
				    .free_highatomic = UNKNOWN, .nprotection = 5, .npagesets = cpus };
		z->protection = arena_alloc(m->arena, 5 * sizeof(*z->protection));
		set_up(m, &z->stats, &keytab_zone, 20);
		z->pagesets = arena_alloc(m->arena, cpus * sizeof(*z->pagesets));
		for (uint32_t j = 0; j < cpus; j++)
			z->pagesets[j] = (struct pageset){ j, 100, 1680, 63, 1680, 14260 };
		*b = (struct buddy){ .zone = names[i], .norders = ORDERS };
		b->blocks = arena_alloc(m->arena, ORDERS * sizeof(*b->blocks));
	}
	s->nnodes = 1;
	s->nodes = arena_alloc(m->arena, sizeof(*s->nodes));
	set_up(m, &s->nodes->stats, &keytab_node, 24);
	for (uint32_t i = 0; i < LEN(node_later); i++)
		s->nodes->stats.value[node_later[i]] = UNKNOWN;
}

static void make_memcg(struct bench_machine *m, uint32_t i, bool stats)
{
	struct memcg *g = &m->s.memcgs[i];
	struct lruvec *v = &m->s.lruvecs[i];
	const char *path = service(m, i);
	uint64_t age_ms;

	*g = (struct memcg){ .path = path, .id = 100 + i * 41, .current = below(m, 1 << 30), .max = UNLIMITED,
			     .high = UNLIMITED, .swap_max = UNLIMITED, .zswap_current = UNKNOWN };
	if (!i) {
		struct memcg root = { .path = path, .id = 1, .current = UNKNOWN, .min = UNKNOWN, .low = UNKNOWN,
				      .high = UNKNOWN, .max = UNKNOWN, .swap_current = UNKNOWN,
				      .swap_max = UNKNOWN, .zswap_current = UNKNOWN };

		*g = root;
	}
	if (stats)
		set_up_stat(m, &g->stat);
	counters_init(&g->events, &keytab_events, m->arena);
	counters_init(&g->cgroup, &keytab_cgroup, m->arena);
	memset(g->events.value, 0, 6 * sizeof(uint64_t));
	*v = (struct lruvec){ .memcg = i + 1, .path = path, .ngens = 4, .min_seq = { UNKNOWN, UNKNOWN } };
	v->gens = arena_alloc(m->arena, 4 * sizeof(*v->gens));
	age_ms = below(m, 1000000);
	for (uint32_t j = 0; j < 4; j++)
		v->gens[j] = (struct gen){ j + 5, age_ms + (3 - j) * 60000,
					   { below(m, 60000), below(m, 60000) }, 0 };
}

static void make_process(struct bench_machine *m, uint32_t i, uint32_t pid)
{
	static const char states[] = { 'S', 'S', 'S', 'R', 'D' };
	struct process *p = &m->s.processes[i];

	*p = (struct process){ .pid = pid, .start_ticks = pid < 3000 ? 900 + i * 77 : (uint64_t)m->s.mono_us / 10000,
			       .kind = i ? PROCESS_USER : PROCESS_KSWAPD, .name = i ? worker(m, pid) : "kswapd0",
			       .memcg = m->s.memcgs[i % MEMCGS].path, .state = states[i % 5],
			       .cpu_ticks = below(m, 500000), .rss_kib = 4 * below(m, 200000),
			       .swap_kib = 4 * below(m, 2000), .major_faults = below(m, 9000),
			       .minor_faults = below(m, 3000000), .node = i ? UNKNOWN : 0 };
}

static void set_up_machine(struct bench_machine *m)
{
	static const uint16_t lists[] = { VM_nr_inactive_anon, VM_nr_anon_pages, VM_nr_inactive_file,
					  VM_nr_active_file, VM_nr_file_pages, VM_nr_active_anon };
	struct sample *s = &m->s;

	set_up(m, &s->vmstat, &keytab_vmstat, 28);
	set_up(m, &s->meminfo, &keytab_meminfo, 20);
	for (uint32_t i = 0; i < LEN(lists); i++)
		s->vmstat.value[lists[i]] = 50000 + below(m, 200000);
	s->vmstat.value[VM_nr_free_pages] = 9000;
	s->meminfo.value[MEM_SwapFree] = 1900000;
	s->meminfo.value[MEM_Committed_AS] = 3100000;
}

struct bench_machine *bench_machine_new(uint64_t seed, uint32_t cpus, bool processes, bool stats)
{
	struct bench_machine *m = calloc(1, sizeof(*m));
	struct sample *s = &m->s;

	m->seed = seed;
	m->processes = processes;
	m->arena = arena_new();
	s->arena = arena_new();
	sample_reset(s);
	s->machine = (struct machine){ .kernel = "6.12.117+deb13-amd64", .version = 61217, .page_size = 4096,
				       .boot_id = "9a1c6f3e-0b7d-4c55-8e21-63c0b5a4d7f2", .hz = 100, .cpus = cpus,
				       .nodes = 1, .mglru = 7, .swappiness = 60, .memcg_v2 = true };
	s->interval_us = 1000000;
	s->wall_us = 1796044811123456;
	s->mono_us = 86400000000;
	for (uint32_t i = 0; i < READ_NR; i++)
		s->readings[i] = (struct reading){ .state = READING_OK, .bytes = 200 + below(m, 9000) };
	s->readings[READ_LRU_GEN_FULL] = s->readings[READ_PAGETYPEINFO] = (struct reading){ 0 };
	if (!processes)
		s->readings[READ_PROCESSES] = (struct reading){ 0 };
	set_up_machine(m);
	make_zones(m, cpus);
	s->nmemcgs = s->nlruvecs = MEMCGS;
	s->memcgs = arena_alloc(m->arena, MEMCGS * sizeof(*s->memcgs));
	s->lruvecs = arena_alloc(m->arena, MEMCGS * sizeof(*s->lruvecs));
	for (uint32_t i = 0; i < MEMCGS; i++)
		make_memcg(m, i, stats);
	s->nprocesses = processes ? PROCESSES : 0;
	s->processes = arena_alloc(m->arena, PROCESSES * sizeof(*s->processes));
	for (uint32_t i = 0; i < s->nprocesses; i++)
		make_process(m, i, i ? 400 + i * 37 : 61);
	return m;
}

void bench_machine_free(struct bench_machine *m)
{
	arena_free(m->s.arena);
	arena_free(m->arena);
	free(m);
}

/* --- a second --- */

static void move_zones(struct bench_machine *m)
{
	for (uint32_t i = 1; i < m->s.nzones; i++) {
		struct zone *z = &m->s.zones[i];
		struct buddy *b = &m->s.buddies[i];

		mirror(m, &z->stats, &keytab_zone);
		z->free = z->stats.value[ZONE_nr_free_pages];
		for (uint32_t j = 0; j < z->npagesets; j++)
			if (below(m, 4))
				z->pagesets[j].count = below(m, z->pagesets[j].high);
		for (uint32_t j = 0; j < ORDERS; j++)
			if (below(m, 1 + j))
				b->blocks[j] = wander(m, b->blocks[j], 200 >> j);
	}
	mirror(m, &m->s.nodes->stats, &keytab_node);
}

/* The kernel reckons the averages anew every two seconds; full is what some is a part of. */
static void move_psi(struct bench_machine *m, struct psi *psi)
{
	uint64_t stalled = burst(m, 40000);

	psi->some.total_us += stalled;
	psi->full.total_us += stalled - stalled / 3;
	if (m->s.n % 2)
		return;
	psi->some.avg10 = wander(m, psi->some.avg10 % 10000, 60);
	psi->some.avg60 = wander(m, psi->some.avg60 % 10000, 12);
	psi->some.avg300 = wander(m, psi->some.avg300 % 10000, 3);
	psi->full.avg10 = psi->some.avg10 * 2 / 3;
	psi->full.avg60 = psi->some.avg60 * 2 / 3;
	psi->full.avg300 = psi->some.avg300 * 2 / 3;
}

/*
 * The oldest goes, a new youngest is opened. What was in it moves on as a whole, as no kernel does: sums of what was protected
 * are beyond any memory here.
 */
static void age(struct bench_machine *m, uint32_t i)
{
	struct gen *g = m->s.lruvecs[i].gens;

	g[1].pages[TYPE_ANON] += g[0].pages[TYPE_ANON];
	g[1].pages[TYPE_FILE] += g[0].pages[TYPE_FILE];
	memmove(&g[0], &g[1], 3 * sizeof(*g));
	g[3] = (struct gen){ .seq = g[2].seq + 1 };
}

static void move_lruvec(struct bench_machine *m, uint32_t i, bool busy)
{
	struct gen *g = m->s.lruvecs[i].gens;

	/* Ages are of jiffies, read some milliseconds after the sample began. */
	for (uint32_t j = 0; j < 4; j++)
		g[j].age_ms += 996 + below(m, 3) * 4;
	if (!busy)
		return;
	if (!below(m, 9))
		age(m, i);
	/* The oldest loses, the youngest gains; those between now and then. */
	for (uint32_t j = 0; j < 4; j++) {
		if (j != 0 && j != 3 && below(m, 4))
			continue;
		g[j].pages[TYPE_ANON] = wander(m, g[j].pages[TYPE_ANON], j & 1 ? 900 : 20);
		g[j].pages[TYPE_FILE] = wander(m, g[j].pages[TYPE_FILE], j & 2 ? 40 : 2000);
	}
}

/* A memcg that nobody reclaims from: now and then it does a little. */
static void move_idle(struct bench_machine *m, struct memcg *g)
{
	if (below(m, 20))
		return;
	g->current = wander(m, g->current / 4096, 8) * 4096;
	if (!g->stat.value)
		return;
	add(&g->stat, CG_pgfault, below(m, 300));
	shift(&g->stat, CG_anon, (int64_t)below(m, 9) - 4, 4096);
}

/* The root has no files of its size. */
static void move_size(struct bench_machine *m, struct memcg *g, const struct work *w)
{
	int64_t more = (w->anon + w->file) * 4096, now = (int64_t)g->current + more;

	if (g->current == UNKNOWN)
		return;
	g->current = now > 1 << 20 ? (uint64_t)now : 1 << 20;
	g->swap_current = wander(m, g->swap_current / 4096, w->steal_anon ? 200 : 0) * 4096;
}

static void move_busy(struct bench_machine *m, struct memcg *g, const struct work *w)
{
	move_size(m, g, w);
	move_psi(m, &g->pressure);
	if (!g->stat.value)
		return;
	work_on_lists(m, &g->stat, w);
	work_on_events(&g->stat, w);
}

/* The root's numbers hold those of all. */
static void move_memcgs(struct bench_machine *m, struct work *sum)
{
	*sum = (struct work){ 0 };
	for (uint32_t i = 1; i < MEMCGS; i++) {
		struct work w;

		move_lruvec(m, i, i < BUSY);
		if (i >= BUSY) {
			move_idle(m, &m->s.memcgs[i]);
			continue;
		}
		w = draw_work(m);
		add_work(sum, &w);
		move_busy(m, &m->s.memcgs[i], &w);
	}
	move_lruvec(m, 0, true);
	move_busy(m, &m->s.memcgs[0], sum);
}

static void move_processes(struct bench_machine *m)
{
	struct process *p = m->s.processes;

	for (uint32_t i = 0; i < m->s.nprocesses; i++) {
		if (i % 4 && below(m, 12))
			continue;
		p[i].cpu_ticks += burst(m, 100);
		p[i].minor_faults += burst(m, 5000);
		if (below(m, 2))
			p[i].rss_kib = wander(m, p[i].rss_kib / 4, 200) * 4;
		p[i].major_faults += below(m, 6) ? 0 : below(m, 40);
		p[i].state = below(m, 3) ? 'S' : 'R';
	}
	/* They stand by size: two change places, and every third second one leaves and another comes. */
	for (uint32_t n = m->s.nprocesses ? below(m, 3) : 0; n; n--) {
		uint32_t i = (uint32_t)below(m, PROCESSES - 1);
		struct process keep = p[i];

		p[i] = p[i + 1];
		p[i + 1] = keep;
	}
	if (m->s.nprocesses && one_in(m, 3))
		make_process(m, PROCESSES - 1 - (uint32_t)below(m, 12), 3000 + (uint32_t)below(m, 50000));
}

/* What hardly ever changes is read now and then. */
static bool is_rare(enum reading_id id)
{
	return id == READ_MGLRU || id == READ_SYSCTL;
}

static void move_readings(struct bench_machine *m)
{
	int64_t t = m->s.mono_us + 20;

	m->s.cost_us = 1500 + (int64_t)below(m, 600);
	for (uint32_t i = 0; i < READ_NR; i++) {
		struct reading *r = &m->s.readings[i];

		if (r->state != READING_OK || (is_rare(i) && m->s.n % 10 != 1))
			continue;
		r->start_us = t;
		t += 15 + (int64_t)below(m, 200);
		r->end_us = t;
		if (!below(m, 3))
			r->bytes = wander(m, r->bytes, 6);
	}
}

const struct sample *bench_machine_next(struct bench_machine *m)
{
	struct sample *s = &m->s;
	int64_t passed = 999900 + (int64_t)below(m, 200);
	struct work sum;

	s->n++;
	s->mono_us += passed;
	s->wall_us += passed + (int64_t)below(m, 3) - 1;
	memcpy(m->was, s->vmstat.value, sizeof(m->was));
	move_memcgs(m, &sum);
	work_on_vmstat(m, &sum);
	work_on_sizes(m, &sum);
	mirror_meminfo(m);
	move_zones(m);
	for (uint32_t i = 0; i < PSI_NR; i++)
		move_psi(m, &s->psi[i]);
	s->psi[PSI_CPU].full = (struct psi_line){ 0, 0, 0, 0 };
	move_processes(m);
	move_readings(m);
	return s;
}

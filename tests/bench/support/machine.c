/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/bench/support/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMCGS 60
#define BUSY 5
#define PROCESSES 60
#define ORDERS 11
#define LEN(array) (sizeof(array) / sizeof((array)[0]))

struct bench_machine {
	uint64_t seed;
	bool processes;
	struct arena *arena;     /* what lives as long as the machine */
	struct sample s;
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

/* --- counters --- */

/*
 * What moves every second on a machine that reclaims: gauges (nr_, sizes) and counters. The rest
 * stands still.
 */
static const uint16_t vm_gauges[] = {
	VM_nr_free_pages, VM_nr_zone_inactive_anon, VM_nr_zone_active_anon, VM_nr_zone_inactive_file,
	VM_nr_zone_active_file, VM_nr_zone_write_pending, VM_nr_inactive_anon, VM_nr_active_anon,
	VM_nr_inactive_file, VM_nr_active_file, VM_nr_slab_reclaimable, VM_nr_slab_unreclaimable,
	VM_nr_anon_pages, VM_nr_mapped, VM_nr_file_pages, VM_nr_dirty, VM_nr_shmem, VM_nr_kernel_stack,
	VM_nr_page_table_pages, VM_nr_swapcached, VM_workingset_nodes,
};

static const uint16_t vm_counters[] = {
	VM_numa_hit, VM_numa_local, VM_workingset_refault_anon, VM_workingset_refault_file,
	VM_workingset_activate_file, VM_workingset_restore_file, VM_nr_vmscan_write, VM_nr_dirtied,
	VM_nr_written, VM_pgsteal_kswapd, VM_pgsteal_anon, VM_pgsteal_file, VM_pgscan_kswapd, VM_pgscan_anon,
	VM_pgscan_file, VM_pgrefill, VM_pgpgin, VM_pgpgout, VM_pswpin, VM_pswpout, VM_pgalloc_dma32,
	VM_pgalloc_normal, VM_pgfree, VM_pgactivate, VM_pgfault, VM_pgmajfault, VM_pgreuse, VM_slabs_scanned,
	VM_pageoutrun, VM_pgrotated,
};

static const uint16_t node_gauges[] = {
	NODE_nr_inactive_anon, NODE_nr_active_anon, NODE_nr_inactive_file, NODE_nr_active_file,
	NODE_nr_slab_reclaimable, NODE_nr_slab_unreclaimable, NODE_nr_anon_pages, NODE_nr_mapped,
	NODE_nr_file_pages, NODE_nr_dirty, NODE_nr_shmem, NODE_nr_kernel_stack, NODE_nr_page_table_pages,
	NODE_nr_swapcached, NODE_workingset_nodes,
};

static const uint16_t node_counters[] = {
	NODE_workingset_refault_anon, NODE_workingset_refault_file, NODE_workingset_activate_file,
	NODE_workingset_restore_file, NODE_nr_vmscan_write, NODE_nr_dirtied, NODE_nr_written,
};

static const uint16_t zone_gauges[] = {
	ZONE_nr_free_pages, ZONE_nr_zone_inactive_anon, ZONE_nr_zone_active_anon, ZONE_nr_zone_inactive_file,
	ZONE_nr_zone_active_file, ZONE_nr_zone_write_pending,
};

static const uint16_t zone_counters[] = { ZONE_numa_hit, ZONE_numa_local };

static const uint16_t mem_gauges[] = {
	MEM_MemFree, MEM_MemAvailable, MEM_Buffers, MEM_Cached, MEM_SwapCached, MEM_Active, MEM_Inactive,
	MEM_Active_anon, MEM_Inactive_anon, MEM_Active_file, MEM_Inactive_file, MEM_SwapFree, MEM_Dirty,
	MEM_AnonPages, MEM_Mapped, MEM_Shmem, MEM_KReclaimable, MEM_Slab, MEM_SReclaimable, MEM_SUnreclaim,
	MEM_KernelStack, MEM_PageTables, MEM_Committed_AS,
};

static const uint16_t cg_gauges[] = {
	CG_anon, CG_file, CG_kernel, CG_kernel_stack, CG_pagetables, CG_file_mapped, CG_file_dirty, CG_swapcached,
	CG_inactive_anon, CG_active_anon, CG_inactive_file, CG_active_file, CG_slab_reclaimable,
	CG_slab_unreclaimable, CG_slab,
};

static const uint16_t cg_counters[] = {
	CG_workingset_refault_anon, CG_workingset_refault_file, CG_workingset_activate_file,
	CG_workingset_restore_file, CG_pgsteal_kswapd, CG_pgscan_kswapd, CG_pgrefill, CG_pgscan, CG_pgsteal,
	CG_pgfault, CG_pgmajfault, CG_pgactivate,
};

struct moving {
	const uint16_t *gauges;
	uint32_t ngauges;
	const uint16_t *counters;
	uint32_t ncounters;
	uint64_t unit;
};

#define MOVING(g, c, unit) { g, LEN(g), c, LEN(c), unit }

static const struct moving vm = MOVING(vm_gauges, vm_counters, 1);
static const struct moving node = MOVING(node_gauges, node_counters, 1);
static const struct moving zone = MOVING(zone_gauges, zone_counters, 1);
static const struct moving mem = { mem_gauges, LEN(mem_gauges), NULL, 0, 4 };
static const struct moving cg = MOVING(cg_gauges, cg_counters, 4096);

/* All known: a third 0, as on a machine that does without; the rest of any size. */
static void set_up(struct bench_machine *m, struct counters *c, const struct keytab *tab, uint64_t unit)
{
	counters_init(c, tab, m->arena);
	for (uint32_t i = 0; i < tab->n; i++)
		c->value[i] = below(m, 3) ? below(m, (uint64_t)1 << (4 + below(m, 30))) * unit : 0;
}

static void move(struct bench_machine *m, struct counters *c, const struct moving *what)
{
	for (uint32_t i = 0; i < what->ngauges; i++) {
		uint64_t *v = &c->value[what->gauges[i]];

		if (below(m, 5))
			*v = wander(m, *v / what->unit, 400) * what->unit;
	}
	for (uint32_t i = 0; i < what->ncounters; i++)
		if (below(m, 4))
			c->value[what->counters[i]] += burst(m, 9000);
}

/* --- the parts --- */

static const char *service(struct bench_machine *m, uint32_t i)
{
	char text[80];

	snprintf(text, sizeof(text), "/system.slice/some-service-%02u.service", (unsigned int)i);
	return arena_str(m->arena, i ? text : "/");
}

static const char *worker(struct bench_machine *m, uint32_t i)
{
	char text[40];

	snprintf(text, sizeof(text), "worker-%u", (unsigned int)i);
	return arena_str(m->arena, i ? text : "kswapd0");
}

static void make_zones(struct bench_machine *m, uint32_t cpus)
{
	static const char *const names[] = { "DMA", "DMA32", "Normal" };
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
		set_up(m, &z->stats, &keytab_zone, 1);
		z->pagesets = arena_alloc(m->arena, cpus * sizeof(*z->pagesets));
		for (uint32_t j = 0; j < cpus; j++)
			z->pagesets[j] = (struct pageset){ j, 100, 1680, 63, 1680, 14260 };
		*b = (struct buddy){ .zone = names[i], .norders = ORDERS };
		b->blocks = arena_alloc(m->arena, ORDERS * sizeof(*b->blocks));
	}
	s->nnodes = 1;
	s->nodes = arena_alloc(m->arena, sizeof(*s->nodes));
	set_up(m, &s->nodes->stats, &keytab_node, 1);
}

static void make_memcg(struct bench_machine *m, uint32_t i, bool stats)
{
	struct memcg *g = &m->s.memcgs[i];
	struct lruvec *v = &m->s.lruvecs[i];
	const char *path = service(m, i);
	uint64_t age_ms;

	*g = (struct memcg){ .path = path, .id = 100 + i * 41, .current = below(m, 1 << 30), .max = UNLIMITED,
			     .high = UNLIMITED, .swap_max = UNLIMITED, .zswap_current = UNKNOWN };
	if (stats)
		set_up(m, &g->stat, &keytab_memcg, 4096);
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

static void make_process(struct bench_machine *m, uint32_t i)
{
	static const char states[] = { 'S', 'S', 'S', 'R', 'D' };
	struct process *p = &m->s.processes[i];

	*p = (struct process){ .pid = i ? 400 + i * 37 : 61, .start_ticks = 900 + i * 77,
			       .kind = i ? PROCESS_USER : PROCESS_KSWAPD, .name = worker(m, i),
			       .memcg = m->s.memcgs[i % MEMCGS].path, .state = states[i % 5],
			       .cpu_ticks = below(m, 500000), .rss_kib = 4 * below(m, 200000),
			       .swap_kib = 4 * below(m, 2000), .major_faults = below(m, 9000),
			       .minor_faults = below(m, 3000000), .node = i ? UNKNOWN : 0 };
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
	set_up(m, &s->vmstat, &keytab_vmstat, 1);
	set_up(m, &s->meminfo, &keytab_meminfo, 4);
	make_zones(m, cpus);
	s->nmemcgs = s->nlruvecs = MEMCGS;
	s->memcgs = arena_alloc(m->arena, MEMCGS * sizeof(*s->memcgs));
	s->lruvecs = arena_alloc(m->arena, MEMCGS * sizeof(*s->lruvecs));
	for (uint32_t i = 0; i < MEMCGS; i++)
		make_memcg(m, i, stats);
	s->nprocesses = processes ? PROCESSES : 0;
	s->processes = arena_alloc(m->arena, PROCESSES * sizeof(*s->processes));
	for (uint32_t i = 0; i < s->nprocesses; i++)
		make_process(m, i);
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

		z->free = wander(m, z->free, 500);
		move(m, &z->stats, &zone);
		for (uint32_t j = 0; j < z->npagesets; j++)
			if (below(m, 4))
				z->pagesets[j].count = below(m, z->pagesets[j].high);
		for (uint32_t j = 0; j < ORDERS; j++)
			if (below(m, 1 + j))
				b->blocks[j] = wander(m, b->blocks[j], 200 >> j);
	}
	move(m, &m->s.nodes->stats, &node);
}

static void move_psi(struct bench_machine *m, struct psi *psi)
{
	psi->some.avg10 = wander(m, psi->some.avg10 % 10000, 60);
	psi->some.avg60 = wander(m, psi->some.avg60 % 10000, 12);
	psi->some.avg300 = wander(m, psi->some.avg300 % 10000, 3);
	psi->some.total_us += burst(m, 40000);
	psi->full = psi->some;
	psi->full.total_us -= psi->full.total_us / 3;
}

/* The oldest goes, a new youngest is opened. */
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
	for (uint32_t j = 0; j < 4; j++) {
		g[j].pages[TYPE_ANON] = wander(m, g[j].pages[TYPE_ANON], j & 1 ? 900 : 20);
		g[j].pages[TYPE_FILE] = wander(m, g[j].pages[TYPE_FILE], j & 2 ? 40 : 2000);
	}
}

static void move_memcg(struct bench_machine *m, uint32_t i)
{
	struct memcg *g = &m->s.memcgs[i];
	bool busy = i < BUSY, awake = !below(m, 10);

	move_lruvec(m, i, busy);
	if (!busy && !awake)
		return;
	g->current = wander(m, g->current / 4096, busy ? 3000 : 8) * 4096;
	if (busy) {
		move_psi(m, &g->pressure);
		g->swap_current = wander(m, g->swap_current / 4096, 200) * 4096;
	}
	if (g->stat.value && busy)
		move(m, &g->stat, &cg);
	else if (g->stat.value) {
		g->stat.value[CG_pgfault] += below(m, 300);
		g->stat.value[CG_anon] = wander(m, g->stat.value[CG_anon] / 4096, 4) * 4096;
	}
}

static void move_processes(struct bench_machine *m)
{
	struct process *p = m->s.processes;

	for (uint32_t i = 0; i < m->s.nprocesses; i++) {
		if (i % 3 && below(m, 12))
			continue;
		p[i].cpu_ticks += burst(m, 100);
		p[i].minor_faults += burst(m, 5000);
		if (below(m, 2))
			p[i].rss_kib = wander(m, p[i].rss_kib / 4, 200) * 4;
		p[i].major_faults += below(m, 6) ? 0 : below(m, 40);
		p[i].state = below(m, 3) ? 'S' : 'R';
	}
	/* They stand by size: two change places, and now and then one ends and another comes. */
	for (uint32_t n = m->s.nprocesses ? below(m, 3) : 0; n; n--) {
		uint32_t i = (uint32_t)below(m, PROCESSES - 1);
		struct process keep = p[i];

		p[i] = p[i + 1];
		p[i + 1] = keep;
	}
	if (m->s.nprocesses && !below(m, 5)) {
		struct process *q = &p[PROCESSES - 1 - below(m, 20)];

		q->pid = 3000 + (uint32_t)below(m, 50000);
		q->start_ticks = (uint64_t)m->s.mono_us / 10000;
	}
}

static void move_readings(struct bench_machine *m)
{
	int64_t t = m->s.mono_us + 20;

	m->s.cost_us = 1500 + (int64_t)below(m, 600);
	for (uint32_t i = 0; i < READ_NR; i++) {
		struct reading *r = &m->s.readings[i];

		if (r->state != READING_OK)
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

	s->n++;
	s->mono_us += passed;
	s->wall_us += passed + (int64_t)below(m, 3) - 1;
	move(m, &s->vmstat, &vm);
	move(m, &s->meminfo, &mem);
	move_zones(m);
	for (uint32_t i = 0; i < PSI_NR; i++)
		move_psi(m, &s->psi[i]);
	for (uint32_t i = 0; i < MEMCGS; i++)
		move_memcg(m, i);
	move_processes(m);
	move_readings(m);
	return s;
}

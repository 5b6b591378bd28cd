/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On the running machine: each number that libproc2 reads lies between two readings of ours, one
 * before it and one after it. libproc2 is another reader of the same files, by other people.
 *
 * What only grows must lie between at the first try. What goes up and down may swing out and back
 * between two readings; it must lie between in one of many tries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <libproc2/meminfo.h>
#include <libproc2/vmstat.h>

#include <cmocka.h>

#include "reclaimtop/source.h"

#define TRIES 400
#define ITEMS_MOST 256

struct item {
	int item;            /* libproc2's */
	const char *name;    /* the kernel's */
};

#define V(item, name) { VMSTAT_##item, #name },
#define M(item, name) { MEMINFO_##item, name },

/*
 * All that libproc2 4.0.2 takes from the file; what it derives (LowFree too, where there is none)
 * is left out.
 */
static const struct item vm_items[] = {
	V(ALLOCSTALL_DMA, allocstall_dma) V(ALLOCSTALL_DMA32, allocstall_dma32)
	V(ALLOCSTALL_HIGH, allocstall_high) V(ALLOCSTALL_MOVABLE, allocstall_movable)
	V(ALLOCSTALL_NORMAL, allocstall_normal) V(BALLOON_DEFLATE, balloon_deflate)
	V(BALLOON_INFLATE, balloon_inflate) V(BALLOON_MIGRATE, balloon_migrate)
	V(COMPACT_DAEMON_FREE_SCANNED, compact_daemon_free_scanned)
	V(COMPACT_DAEMON_MIGRATE_SCANNED, compact_daemon_migrate_scanned)
	V(COMPACT_DAEMON_WAKE, compact_daemon_wake) V(COMPACT_FAIL, compact_fail)
	V(COMPACT_FREE_SCANNED, compact_free_scanned) V(COMPACT_ISOLATED, compact_isolated)
	V(COMPACT_MIGRATE_SCANNED, compact_migrate_scanned) V(COMPACT_STALL, compact_stall)
	V(COMPACT_SUCCESS, compact_success) V(DROP_PAGECACHE, drop_pagecache)
	V(DROP_SLAB, drop_slab) V(HTLB_BUDDY_ALLOC_FAIL, htlb_buddy_alloc_fail)
	V(HTLB_BUDDY_ALLOC_SUCCESS, htlb_buddy_alloc_success)
	V(KSWAPD_HIGH_WMARK_HIT_QUICKLY, kswapd_high_wmark_hit_quickly)
	V(KSWAPD_INODESTEAL, kswapd_inodesteal)
	V(KSWAPD_LOW_WMARK_HIT_QUICKLY, kswapd_low_wmark_hit_quickly)
	V(NR_ACTIVE_ANON, nr_active_anon) V(NR_ACTIVE_FILE, nr_active_file)
	V(NR_ANON_PAGES, nr_anon_pages)
	V(NR_ANON_TRANSPARENT_HUGEPAGES, nr_anon_transparent_hugepages) V(NR_BOUNCE, nr_bounce)
	V(NR_DIRTIED, nr_dirtied) V(NR_DIRTY, nr_dirty)
	V(NR_DIRTY_BACKGROUND_THRESHOLD, nr_dirty_background_threshold)
	V(NR_DIRTY_THRESHOLD, nr_dirty_threshold) V(NR_FILE_HUGEPAGES, nr_file_hugepages)
	V(NR_FILE_PAGES, nr_file_pages) V(NR_FILE_PMDMAPPED, nr_file_pmdmapped)
	V(NR_FOLL_PIN_ACQUIRED, nr_foll_pin_acquired)
	V(NR_FOLL_PIN_RELEASED, nr_foll_pin_released) V(NR_FREE_CMA, nr_free_cma)
	V(NR_FREE_PAGES, nr_free_pages) V(NR_INACTIVE_ANON, nr_inactive_anon)
	V(NR_INACTIVE_FILE, nr_inactive_file) V(NR_ISOLATED_ANON, nr_isolated_anon)
	V(NR_ISOLATED_FILE, nr_isolated_file)
	V(NR_KERNEL_MISC_RECLAIMABLE, nr_kernel_misc_reclaimable)
	V(NR_KERNEL_STACK, nr_kernel_stack) V(NR_MAPPED, nr_mapped) V(NR_MLOCK, nr_mlock)
	V(NR_PAGE_TABLE_PAGES, nr_page_table_pages)
	V(NR_SHADOW_CALL_STACK, nr_shadow_call_stack) V(NR_SHMEM, nr_shmem)
	V(NR_SHMEM_HUGEPAGES, nr_shmem_hugepages) V(NR_SHMEM_PMDMAPPED, nr_shmem_pmdmapped)
	V(NR_SLAB_RECLAIMABLE, nr_slab_reclaimable)
	V(NR_SLAB_UNRECLAIMABLE, nr_slab_unreclaimable) V(NR_UNEVICTABLE, nr_unevictable)
	V(NR_UNSTABLE, nr_unstable) V(NR_VMSCAN_IMMEDIATE_RECLAIM, nr_vmscan_immediate_reclaim)
	V(NR_VMSCAN_WRITE, nr_vmscan_write) V(NR_WRITEBACK, nr_writeback)
	V(NR_WRITEBACK_TEMP, nr_writeback_temp) V(NR_WRITTEN, nr_written)
	V(NR_ZONE_ACTIVE_ANON, nr_zone_active_anon) V(NR_ZONE_ACTIVE_FILE, nr_zone_active_file)
	V(NR_ZONE_INACTIVE_ANON, nr_zone_inactive_anon)
	V(NR_ZONE_INACTIVE_FILE, nr_zone_inactive_file)
	V(NR_ZONE_UNEVICTABLE, nr_zone_unevictable)
	V(NR_ZONE_WRITE_PENDING, nr_zone_write_pending) V(NR_ZSPAGES, nr_zspages)
	V(NUMA_FOREIGN, numa_foreign) V(NUMA_HINT_FAULTS, numa_hint_faults)
	V(NUMA_HINT_FAULTS_LOCAL, numa_hint_faults_local) V(NUMA_HIT, numa_hit)
	V(NUMA_HUGE_PTE_UPDATES, numa_huge_pte_updates) V(NUMA_INTERLEAVE, numa_interleave)
	V(NUMA_LOCAL, numa_local) V(NUMA_MISS, numa_miss) V(NUMA_OTHER, numa_other)
	V(NUMA_PAGES_MIGRATED, numa_pages_migrated) V(NUMA_PTE_UPDATES, numa_pte_updates)
	V(OOM_KILL, oom_kill) V(PAGEOUTRUN, pageoutrun) V(PGACTIVATE, pgactivate)
	V(PGALLOC_DMA, pgalloc_dma) V(PGALLOC_DMA32, pgalloc_dma32)
	V(PGALLOC_HIGH, pgalloc_high) V(PGALLOC_MOVABLE, pgalloc_movable)
	V(PGALLOC_NORMAL, pgalloc_normal) V(PGDEACTIVATE, pgdeactivate) V(PGFAULT, pgfault)
	V(PGFREE, pgfree) V(PGINODESTEAL, pginodesteal) V(PGLAZYFREE, pglazyfree)
	V(PGLAZYFREED, pglazyfreed) V(PGMAJFAULT, pgmajfault)
	V(PGMIGRATE_FAIL, pgmigrate_fail) V(PGMIGRATE_SUCCESS, pgmigrate_success)
	V(PGPGIN, pgpgin) V(PGPGOUT, pgpgout) V(PGREFILL, pgrefill) V(PGROTATED, pgrotated)
	V(PGSCAN_ANON, pgscan_anon) V(PGSCAN_DIRECT, pgscan_direct)
	V(PGSCAN_DIRECT_THROTTLE, pgscan_direct_throttle) V(PGSCAN_FILE, pgscan_file)
	V(PGSCAN_KSWAPD, pgscan_kswapd) V(PGSKIP_DMA, pgskip_dma)
	V(PGSKIP_DMA32, pgskip_dma32) V(PGSKIP_HIGH, pgskip_high)
	V(PGSKIP_MOVABLE, pgskip_movable) V(PGSKIP_NORMAL, pgskip_normal)
	V(PGSTEAL_ANON, pgsteal_anon) V(PGSTEAL_DIRECT, pgsteal_direct)
	V(PGSTEAL_FILE, pgsteal_file) V(PGSTEAL_KSWAPD, pgsteal_kswapd) V(PSWPIN, pswpin)
	V(PSWPOUT, pswpout) V(SLABS_SCANNED, slabs_scanned) V(SWAP_RA, swap_ra)
	V(SWAP_RA_HIT, swap_ra_hit) V(THP_COLLAPSE_ALLOC, thp_collapse_alloc)
	V(THP_COLLAPSE_ALLOC_FAILED, thp_collapse_alloc_failed)
	V(THP_DEFERRED_SPLIT_PAGE, thp_deferred_split_page) V(THP_FAULT_ALLOC, thp_fault_alloc)
	V(THP_FAULT_FALLBACK, thp_fault_fallback)
	V(THP_FAULT_FALLBACK_CHARGE, thp_fault_fallback_charge)
	V(THP_FILE_ALLOC, thp_file_alloc) V(THP_FILE_FALLBACK, thp_file_fallback)
	V(THP_FILE_FALLBACK_CHARGE, thp_file_fallback_charge)
	V(THP_FILE_MAPPED, thp_file_mapped) V(THP_SPLIT_PAGE, thp_split_page)
	V(THP_SPLIT_PAGE_FAILED, thp_split_page_failed) V(THP_SPLIT_PMD, thp_split_pmd)
	V(THP_SPLIT_PUD, thp_split_pud) V(THP_SWPOUT, thp_swpout)
	V(THP_SWPOUT_FALLBACK, thp_swpout_fallback) V(THP_ZERO_PAGE_ALLOC, thp_zero_page_alloc)
	V(THP_ZERO_PAGE_ALLOC_FAILED, thp_zero_page_alloc_failed)
	V(UNEVICTABLE_PGS_CLEARED, unevictable_pgs_cleared)
	V(UNEVICTABLE_PGS_CULLED, unevictable_pgs_culled)
	V(UNEVICTABLE_PGS_MLOCKED, unevictable_pgs_mlocked)
	V(UNEVICTABLE_PGS_MUNLOCKED, unevictable_pgs_munlocked)
	V(UNEVICTABLE_PGS_RESCUED, unevictable_pgs_rescued)
	V(UNEVICTABLE_PGS_SCANNED, unevictable_pgs_scanned)
	V(UNEVICTABLE_PGS_STRANDED, unevictable_pgs_stranded)
	V(WORKINGSET_ACTIVATE, workingset_activate)
	V(WORKINGSET_NODERECLAIM, workingset_nodereclaim) V(WORKINGSET_NODES, workingset_nodes)
	V(WORKINGSET_REFAULT, workingset_refault) V(WORKINGSET_RESTORE, workingset_restore)
	V(ZONE_RECLAIM_FAILED, zone_reclaim_failed)
};

static const struct item mem_items[] = {
	M(MEM_ACTIVE, "Active") M(MEM_ACTIVE_ANON, "Active(anon)")
	M(MEM_ACTIVE_FILE, "Active(file)") M(MEM_ANON, "AnonPages")
	M(MEM_AVAILABLE, "MemAvailable") M(MEM_BOUNCE, "Bounce") M(MEM_BUFFERS, "Buffers")
	M(MEM_CACHED, "Cached") M(MEM_CMA_FREE, "CmaFree") M(MEM_CMA_TOTAL, "CmaTotal")
	M(MEM_COMMITTED_AS, "Committed_AS") M(MEM_COMMIT_LIMIT, "CommitLimit")
	M(MEM_DIRECTMAP_1G, "DirectMap1G") M(MEM_DIRECTMAP_2M, "DirectMap2M")
	M(MEM_DIRECTMAP_4K, "DirectMap4k") M(MEM_DIRECTMAP_4M, "DirectMap4M")
	M(MEM_DIRTY, "Dirty") M(MEM_FILE_HUGEPAGES, "FileHugePages")
	M(MEM_FILE_PMDMAPPED, "FilePmdMapped") M(MEM_FREE, "MemFree")
	M(MEM_HARD_CORRUPTED, "HardwareCorrupted") M(MEM_HIGH_FREE, "HighFree")
	M(MEM_HIGH_TOTAL, "HighTotal") M(MEM_HUGETBL, "Hugetlb")
	M(MEM_HUGE_ANON, "AnonHugePages") M(MEM_HUGE_FREE, "HugePages_Free")
	M(MEM_HUGE_RSVD, "HugePages_Rsvd") M(MEM_HUGE_SIZE, "Hugepagesize")
	M(MEM_HUGE_SURPLUS, "HugePages_Surp") M(MEM_HUGE_TOTAL, "HugePages_Total")
	M(MEM_INACTIVE, "Inactive") M(MEM_INACTIVE_ANON, "Inactive(anon)")
	M(MEM_INACTIVE_FILE, "Inactive(file)") M(MEM_KERNEL_RECLAIM, "KReclaimable")
	M(MEM_KERNEL_STACK, "KernelStack") M(MEM_LOCKED, "Mlocked")
	M(MEM_MAPPED, "Mapped")
	M(MEM_MAP_COPY, "MmapCopy") M(MEM_NFS_UNSTABLE, "NFS_Unstable")
	M(MEM_PAGE_TABLES, "PageTables") M(MEM_PER_CPU, "Percpu")
	M(MEM_SHADOWCALLSTACK, "ShadowCallStack") M(MEM_SHARED, "Shmem")
	M(MEM_SHMEM_HUGE, "ShmemHugePages") M(MEM_SHMEM_HUGE_MAP, "ShmemPmdMapped")
	M(MEM_SLAB, "Slab") M(MEM_SLAB_RECLAIM, "SReclaimable")
	M(MEM_SLAB_UNRECLAIM, "SUnreclaim") M(MEM_TOTAL, "MemTotal")
	M(MEM_UNEVICTABLE, "Unevictable") M(MEM_VM_ALLOC_CHUNK, "VmallocChunk")
	M(MEM_VM_ALLOC_TOTAL, "VmallocTotal") M(MEM_VM_ALLOC_USED, "VmallocUsed")
	M(MEM_WRITEBACK, "Writeback") M(MEM_WRITEBACK_TMP, "WritebackTmp")
	M(SWAP_CACHED, "SwapCached") M(SWAP_FREE, "SwapFree") M(SWAP_TOTAL, "SwapTotal")
};

#undef V
#undef M

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Gauges: nr_* of vmstat, all of meminfo. */
static bool only_grows(const char *name)
{
	return strncmp(name, "nr_", 3) && strcmp(name, "workingset_nodes") && name[0] >= 'a';
}

struct watch {
	const struct item *items;
	size_t n;
	uint64_t before[ITEMS_MOST], theirs[ITEMS_MOST], after[ITEMS_MOST];
	bool seen[ITEMS_MOST];   /* lay between once */
};

static void note(const struct watch *w, const struct counters *c, uint64_t out[ITEMS_MOST])
{
	for (size_t i = 0; i < w->n; i++)
		out[i] = counters_by_name(c, w->items[i].name);
}

/* Nothing of the kernel's is called so: libproc2 says 0. Else the number must lie between. */
static bool is_between(const struct watch *w, size_t i)
{
	uint64_t a = w->before[i], b = w->after[i], x = w->theirs[i];

	if (a == UNKNOWN)
		return b == UNKNOWN && x == 0;
	return a <= b ? a <= x && x <= b : b <= x && x <= a;
}

/* One round is done. How many items never lay between so far? */
static size_t judge(struct watch *w)
{
	size_t left = 0;

	for (size_t i = 0; i < w->n; i++) {
		bool between = is_between(w, i);

		if (!between && only_grows(w->items[i].name))
			fail_msg("%s: %llu is not in %llu..%llu", w->items[i].name,
				 (unsigned long long)w->theirs[i], (unsigned long long)w->before[i],
				 (unsigned long long)w->after[i]);
		w->seen[i] |= between;
		left += !w->seen[i];
	}
	return left;
}

struct rig {
	struct source *src;
	struct sample s;
	struct interest in;
};

static const struct sample *take(struct rig *rig)
{
	assert_int_equal(rig->src->ops->next(rig->src, &rig->in, &rig->s), 0);
	return &rig->s;
}

static int setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->src = source_live(kernfs_machine(), 1000000, false);
	*state = rig;
	return 0;
}

static int teardown(void **state)
{
	struct rig *rig = *state;

	source_close(rig->src);
	arena_free(rig->s.arena);
	free(rig);
	return 0;
}

static void say_left(const struct watch *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (!w->seen[i])
			fail_msg("%s never lay between: last %llu, ours %llu and %llu",
				 w->items[i].name, (unsigned long long)w->theirs[i],
				 (unsigned long long)w->before[i], (unsigned long long)w->after[i]);
}

static void vmstat(void **state)
{
	struct watch *w = calloc(1, sizeof(*w));
	enum vmstat_item wanted[COUNT(vm_items)];
	struct vmstat_info *info = NULL;
	struct vmstat_stack *stack;
	size_t left = 1;

	w->items = vm_items;
	w->n = COUNT(vm_items);
	for (size_t i = 0; i < w->n; i++)
		wanted[i] = (enum vmstat_item)vm_items[i].item;
	assert_int_equal(procps_vmstat_new(&info), 0);
	for (int try = 0; try < TRIES && left; try++) {
		note(w, &take(*state)->vmstat, w->before);
		stack = procps_vmstat_select(info, wanted, (int)w->n);
		assert_non_null(stack);
		note(w, &take(*state)->vmstat, w->after);
		for (size_t i = 0; i < w->n; i++)
			w->theirs[i] = stack->head[i].result.ul_int;
		left = judge(w);
	}
	say_left(w);
	procps_vmstat_unref(&info);
	free(w);
}

static void meminfo(void **state)
{
	struct watch *w = calloc(1, sizeof(*w));
	enum meminfo_item wanted[COUNT(mem_items)];
	struct meminfo_info *info = NULL;
	struct meminfo_stack *stack;
	size_t left = 1;

	w->items = mem_items;
	w->n = COUNT(mem_items);
	for (size_t i = 0; i < w->n; i++)
		wanted[i] = (enum meminfo_item)mem_items[i].item;
	assert_int_equal(procps_meminfo_new(&info), 0);
	for (int try = 0; try < TRIES && left; try++) {
		note(w, &take(*state)->meminfo, w->before);
		stack = procps_meminfo_select(info, wanted, (int)w->n);
		assert_non_null(stack);
		note(w, &take(*state)->meminfo, w->after);
		for (size_t i = 0; i < w->n; i++)
			w->theirs[i] = stack->head[i].result.ul_int;
		left = judge(w);
	}
	say_left(w);
	procps_meminfo_unref(&info);
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(vmstat, setup, teardown),
		cmocka_unit_test_setup_teardown(meminfo, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

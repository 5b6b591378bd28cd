/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - the names that the kernel gives to its numbers, and sets of values held by them.
 *
 * Each list stands in the order in which a recent kernel prints it, so that a scanner that guesses
 * "the name after the last one" is nearly always right. Order carries no other meaning: kernels differ,
 * and a name is only ever matched whole. A name that no list has is kept beside the known ones.
 */
#ifndef RECLAIMTOP_KEYS_H
#define RECLAIMTOP_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A value that the kernel did not give. No counter of the kernel reaches it. */
#define UNKNOWN UINT64_MAX
/* The word "max" of a cgroup limit. */
#define UNLIMITED (UINT64_MAX - 1)

/* /proc/vmstat: mm/vmstat.c vmstat_text[]. Pages unless the name says otherwise; events for pg*, thp_*, compact_*. */
#define KEYS_VMSTAT(X) \
	X(nr_free_pages) X(nr_free_pages_blocks) X(nr_zone_inactive_anon) X(nr_zone_active_anon) \
	X(nr_zone_inactive_file) X(nr_zone_active_file) X(nr_zone_unevictable) \
	X(nr_zone_write_pending) X(nr_mlock) X(nr_bounce) X(nr_zspages) X(nr_free_cma) \
	X(nr_unaccepted) X(numa_hit) X(numa_miss) X(numa_foreign) X(numa_interleave) X(numa_local) \
	X(numa_other) X(nr_inactive_anon) X(nr_active_anon) X(nr_inactive_file) X(nr_active_file) \
	X(nr_unevictable) X(nr_slab_reclaimable) X(nr_slab_unreclaimable) X(nr_isolated_anon) \
	X(nr_isolated_file) X(workingset_nodes) X(workingset_refault_anon) \
	X(workingset_refault_file) X(workingset_activate_anon) X(workingset_activate_file) \
	X(workingset_restore_anon) X(workingset_restore_file) X(workingset_nodereclaim) \
	X(nr_anon_pages) X(nr_mapped) X(nr_file_pages) X(nr_dirty) X(nr_writeback) \
	X(nr_writeback_temp) X(nr_shmem) X(nr_shmem_hugepages) X(nr_shmem_pmdmapped) \
	X(nr_file_hugepages) X(nr_file_pmdmapped) X(nr_anon_transparent_hugepages) \
	X(nr_vmscan_write) X(nr_vmscan_immediate_reclaim) X(nr_dirtied) X(nr_written) \
	X(nr_throttled_written) X(nr_kernel_misc_reclaimable) X(nr_foll_pin_acquired) \
	X(nr_foll_pin_released) X(nr_vmalloc) X(nr_kernel_stack) X(nr_page_table_pages) \
	X(nr_sec_page_table_pages) X(nr_iommu_pages) X(nr_swapcached) X(pgpromote_success) \
	X(pgpromote_candidate) X(pgpromote_candidate_nrl) X(pgdemote_kswapd) X(pgdemote_direct) \
	X(pgdemote_khugepaged) X(pgdemote_proactive) X(pgsteal_kswapd) X(pgsteal_direct) \
	X(pgsteal_khugepaged) X(pgsteal_proactive) X(pgsteal_anon) X(pgsteal_file) X(pgscan_kswapd) \
	X(pgscan_direct) X(pgscan_khugepaged) X(pgscan_proactive) X(pgscan_anon) X(pgscan_file) \
	X(pgrefill) X(nr_hugetlb) X(nr_balloon_pages) X(nr_kernel_file_pages) X(nr_gpu_active) \
	X(nr_gpu_reclaim) X(nr_dirty_threshold) X(nr_dirty_background_threshold) X(nr_memmap_pages) \
	X(nr_memmap_boot_pages) X(pgpgin) X(pgpgout) X(pswpin) X(pswpout) X(pgalloc_dma) \
	X(pgalloc_dma32) X(pgalloc_normal) X(pgalloc_movable) X(pgalloc_device) X(allocstall_dma) \
	X(allocstall_dma32) X(allocstall_normal) X(allocstall_movable) X(allocstall_device) \
	X(pgskip_dma) X(pgskip_dma32) X(pgskip_normal) X(pgskip_movable) X(pgskip_device) X(pgfree) \
	X(pgactivate) X(pgdeactivate) X(pglazyfree) X(pgfault) X(pgmajfault) X(pglazyfreed) \
	X(pgreuse) X(pgscan_direct_throttle) X(zone_reclaim_success) X(zone_reclaim_failed) \
	X(pginodesteal) X(slabs_scanned) X(kswapd_inodesteal) X(kswapd_low_wmark_hit_quickly) \
	X(kswapd_high_wmark_hit_quickly) X(pageoutrun) X(pgrotated) X(drop_pagecache) X(drop_slab) \
	X(oom_kill) X(numa_pte_updates) X(numa_huge_pte_updates) X(numa_hint_faults) \
	X(numa_hint_faults_local) X(numa_pages_migrated) X(pgmigrate_success) X(pgmigrate_fail) \
	X(thp_migration_success) X(thp_migration_fail) X(thp_migration_split) \
	X(compact_migrate_scanned) X(compact_free_scanned) X(compact_isolated) X(compact_stall) \
	X(compact_fail) X(compact_success) X(compact_daemon_wake) X(compact_daemon_migrate_scanned) \
	X(compact_daemon_free_scanned) X(htlb_buddy_alloc_success) X(htlb_buddy_alloc_fail) \
	X(cma_alloc_success) X(cma_alloc_fail) X(unevictable_pgs_culled) X(unevictable_pgs_scanned) \
	X(unevictable_pgs_rescued) X(unevictable_pgs_mlocked) X(unevictable_pgs_munlocked) \
	X(unevictable_pgs_cleared) X(unevictable_pgs_stranded) X(thp_fault_alloc) \
	X(thp_fault_fallback) X(thp_fault_fallback_charge) X(thp_collapse_alloc) \
	X(thp_collapse_alloc_failed) X(thp_file_alloc) X(thp_file_fallback) \
	X(thp_file_fallback_charge) X(thp_file_mapped) X(thp_split_page) X(thp_split_page_failed) \
	X(thp_deferred_split_page) X(thp_underused_split_page) X(thp_split_pmd) \
	X(thp_scan_exceed_none_pte) X(thp_scan_exceed_swap_pte) X(thp_scan_exceed_share_pte) \
	X(thp_split_pud) X(thp_zero_page_alloc) X(thp_zero_page_alloc_failed) X(thp_swpout) \
	X(thp_swpout_fallback) X(balloon_inflate) X(balloon_deflate) X(balloon_migrate) X(swap_ra) \
	X(swap_ra_hit) X(swpin_zero) X(swpout_zero) X(ksm_swpin_copy) X(cow_ksm) X(zswpin) \
	X(zswpout) X(zswpwb) X(direct_map_level2_splits) X(direct_map_level3_splits) \
	X(direct_map_level2_collapses) X(direct_map_level3_collapses) X(nr_unstable) \
	X(pgrotate_anon) X(pgrotate_file)

/* The per-node part of /proc/zoneinfo: mm/vmstat.c zoneinfo_show_print(), node_stat_item. Pages or events. */
#define KEYS_NODE(X) \
	X(nr_inactive_anon) X(nr_active_anon) X(nr_inactive_file) X(nr_active_file) \
	X(nr_unevictable) X(nr_slab_reclaimable) X(nr_slab_unreclaimable) X(nr_isolated_anon) \
	X(nr_isolated_file) X(workingset_nodes) X(workingset_refault_anon) \
	X(workingset_refault_file) X(workingset_activate_anon) X(workingset_activate_file) \
	X(workingset_restore_anon) X(workingset_restore_file) X(workingset_nodereclaim) \
	X(nr_anon_pages) X(nr_mapped) X(nr_file_pages) X(nr_dirty) X(nr_writeback) \
	X(nr_writeback_temp) X(nr_shmem) X(nr_shmem_hugepages) X(nr_shmem_pmdmapped) \
	X(nr_file_hugepages) X(nr_file_pmdmapped) X(nr_anon_transparent_hugepages) \
	X(nr_vmscan_write) X(nr_vmscan_immediate_reclaim) X(nr_dirtied) X(nr_written) \
	X(nr_throttled_written) X(nr_kernel_misc_reclaimable) X(nr_foll_pin_acquired) \
	X(nr_foll_pin_released) X(nr_vmalloc) X(nr_kernel_stack) X(nr_page_table_pages) \
	X(nr_sec_page_table_pages) X(nr_iommu_pages) X(nr_swapcached) X(pgpromote_success) \
	X(pgpromote_candidate) X(pgpromote_candidate_nrl) X(pgdemote_kswapd) X(pgdemote_direct) \
	X(pgdemote_khugepaged) X(pgdemote_proactive) X(pgsteal_kswapd) X(pgsteal_direct) \
	X(pgsteal_khugepaged) X(pgsteal_proactive) X(pgsteal_anon) X(pgsteal_file) X(pgscan_kswapd) \
	X(pgscan_direct) X(pgscan_khugepaged) X(pgscan_proactive) X(pgscan_anon) X(pgscan_file) \
	X(pgrefill) X(nr_hugetlb) X(nr_balloon_pages) X(nr_kernel_file_pages) X(nr_gpu_active) \
	X(nr_gpu_reclaim)

/* The per-zone part of /proc/zoneinfo: zone_stat_item and numa_stat_item. Pages or events. */
#define KEYS_ZONE(X) \
	X(nr_free_pages) X(nr_free_pages_blocks) X(nr_zone_inactive_anon) X(nr_zone_active_anon) \
	X(nr_zone_inactive_file) X(nr_zone_active_file) X(nr_zone_unevictable) \
	X(nr_zone_write_pending) X(nr_mlock) X(nr_bounce) X(nr_zspages) X(nr_free_cma) \
	X(nr_unaccepted) X(numa_hit) X(numa_miss) X(numa_foreign) X(numa_interleave) X(numa_local) \
	X(numa_other)

/* /proc/meminfo: fs/proc/meminfo.c. KiB, but for the HugePages_ counts. */
#define KEYS_MEMINFO(X) \
	X(MemTotal, "MemTotal") X(MemFree, "MemFree") X(MemAvailable, "MemAvailable") \
	X(Buffers, "Buffers") X(Cached, "Cached") X(SwapCached, "SwapCached") X(Active, "Active") \
	X(Inactive, "Inactive") X(Active_anon, "Active(anon)") X(Inactive_anon, "Inactive(anon)") \
	X(Active_file, "Active(file)") X(Inactive_file, "Inactive(file)") \
	X(Unevictable, "Unevictable") X(Mlocked, "Mlocked") X(SwapTotal, "SwapTotal") \
	X(SwapFree, "SwapFree") X(Zswap, "Zswap") X(Zswapped, "Zswapped") X(Dirty, "Dirty") \
	X(Writeback, "Writeback") X(AnonPages, "AnonPages") X(Mapped, "Mapped") X(Shmem, "Shmem") \
	X(KReclaimable, "KReclaimable") X(Slab, "Slab") X(SReclaimable, "SReclaimable") \
	X(SUnreclaim, "SUnreclaim") X(KernelStack, "KernelStack") X(PageTables, "PageTables") \
	X(SecPageTables, "SecPageTables") X(NFS_Unstable, "NFS_Unstable") X(Bounce, "Bounce") \
	X(WritebackTmp, "WritebackTmp") X(CommitLimit, "CommitLimit") \
	X(Committed_AS, "Committed_AS") X(VmallocTotal, "VmallocTotal") \
	X(VmallocUsed, "VmallocUsed") X(VmallocChunk, "VmallocChunk") X(Percpu, "Percpu") \
	X(HardwareCorrupted, "HardwareCorrupted") X(AnonHugePages, "AnonHugePages") \
	X(ShmemHugePages, "ShmemHugePages") X(ShmemPmdMapped, "ShmemPmdMapped") \
	X(FileHugePages, "FileHugePages") X(FilePmdMapped, "FilePmdMapped") \
	X(CmaTotal, "CmaTotal") X(CmaFree, "CmaFree") X(Unaccepted, "Unaccepted") \
	X(Balloon, "Balloon") X(GPUActive, "GPUActive") X(GPUReclaim, "GPUReclaim") \
	X(HugePages_Total, "HugePages_Total") X(HugePages_Free, "HugePages_Free") \
	X(HugePages_Rsvd, "HugePages_Rsvd") X(HugePages_Surp, "HugePages_Surp") \
	X(Hugepagesize, "Hugepagesize") X(Hugetlb, "Hugetlb") X(DirectMap4k, "DirectMap4k") \
	X(DirectMap2M, "DirectMap2M") X(DirectMap1G, "DirectMap1G") X(MemShared, "MemShared") \
	X(Quicklists, "Quicklists")

/* memory.stat of a cgroup: mm/memcontrol.c memory_stat_format(). Bytes for amounts, counts for events. */
#define KEYS_MEMCG(X) \
	X(anon) X(file) X(kernel) X(kernel_stack) X(pagetables) X(sec_pagetables) X(percpu) X(sock) \
	X(vmalloc) X(shmem) X(zswap) X(zswapped) X(zswap_incomp) X(file_mapped) X(file_dirty) \
	X(file_writeback) X(swapcached) X(anon_thp) X(file_thp) X(shmem_thp) X(inactive_anon) \
	X(active_anon) X(inactive_file) X(active_file) X(unevictable) X(slab_reclaimable) \
	X(slab_unreclaimable) X(slab) X(workingset_refault_anon) X(workingset_refault_file) \
	X(workingset_activate_anon) X(workingset_activate_file) X(workingset_restore_anon) \
	X(workingset_restore_file) X(workingset_nodereclaim) X(pgdemote_kswapd) X(pgdemote_direct) \
	X(pgdemote_khugepaged) X(pgdemote_proactive) X(pgsteal_kswapd) X(pgsteal_direct) \
	X(pgsteal_khugepaged) X(pgsteal_proactive) X(pgscan_kswapd) X(pgscan_direct) \
	X(pgscan_khugepaged) X(pgscan_proactive) X(pgrefill) X(pgpromote_success) X(pgscan) \
	X(pgsteal) X(pswpin) X(pswpout) X(pgfault) X(pgmajfault) X(pgactivate) X(pgdeactivate) \
	X(pglazyfree) X(pglazyfreed) X(swpin_zero) X(swpout_zero) X(zswpin) X(zswpout) X(zswpwb) \
	X(thp_fault_alloc) X(thp_collapse_alloc) X(thp_swpout) X(thp_swpout_fallback) \
	X(numa_pages_migrated) X(numa_pte_updates) X(numa_hint_faults)

/* memory.events of a cgroup: mm/memcontrol.c __memory_events_show(). Counts of events. */
#define KEYS_EVENTS(X) \
	X(low) X(high) X(max) X(oom) X(oom_kill) X(oom_group_kill) X(sock_throttled)

/* cgroup.stat: kernel/cgroup/cgroup.c cgroup_stat_show(). Counts of cgroups. */
#define KEYS_CGROUP(X) \
	X(nr_descendants) X(nr_dying_descendants) X(nr_subsys_memory) X(nr_dying_subsys_memory)

#define KEYS_ENUM_VM(name) VM_##name,
#define KEYS_ENUM_NODE(name) NODE_##name,
#define KEYS_ENUM_ZONE(name) ZONE_##name,
#define KEYS_ENUM_MEM(id, name) MEM_##id,
#define KEYS_ENUM_CG(name) CG_##name,
#define KEYS_ENUM_EV(name) EV_##name,
#define KEYS_ENUM_CS(name) CS_##name,

enum vm_key { KEYS_VMSTAT(KEYS_ENUM_VM) VM_NR };
enum node_key { KEYS_NODE(KEYS_ENUM_NODE) NODE_NR };
enum zone_key { KEYS_ZONE(KEYS_ENUM_ZONE) ZONE_NR };
enum mem_key { KEYS_MEMINFO(KEYS_ENUM_MEM) MEM_NR };
enum cg_key { KEYS_MEMCG(KEYS_ENUM_CG) CG_NR };
enum ev_key { KEYS_EVENTS(KEYS_ENUM_EV) EV_NR };
enum cs_key { KEYS_CGROUP(KEYS_ENUM_CS) CS_NR };

struct key {
	const char *name;
	uint8_t len;
};

/* A list of names that the program knows. */
struct keytab {
	const struct key *keys;
	uint32_t n;
};

extern const struct keytab keytab_vmstat, keytab_node, keytab_zone, keytab_meminfo, keytab_memcg,
	keytab_events, keytab_cgroup;

/* A number under a name that no table has. */
struct named {
	const char *name;
	uint64_t value;
};

/*
 * What one file said: value[i] belongs to tab->keys[i] and is UNKNOWN where the file had no such line;
 * more[] holds the lines whose name is in no table, in the order of the file. All zero: the file was not read.
 */
struct counters {
	const struct keytab *tab;
	uint64_t *value;
	struct named *more;
	uint32_t nmore;
};

/* The value under a key (of the enum that belongs to the set's table), UNKNOWN where there is none. */
static inline uint64_t counters_get(const struct counters *c, unsigned int key)
{
	return c->value ? c->value[key] : UNKNOWN;
}

/*
 * Index of a name in a table, or tab->n. *hint is where the search starts and becomes the place after the
 * find: lines that come in the table's order cost one comparison each.
 */
uint32_t keytab_find(const struct keytab *tab, const char *name, size_t len, uint32_t *hint);

/* The value under any name, known to the table or not; UNKNOWN where there is none. */
uint64_t counters_by_name(const struct counters *c, const char *name);

#endif

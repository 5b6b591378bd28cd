/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/fields.h"

#include <stddef.h>

/*
 * The shapes stand from the innermost outwards. In each the keys come first: a list pairs its items
 * by them.
 */
#define FIELD(kind_, type, member) \
	.name = #member, .kind = FIELD_##kind_, .offset = offsetof(struct type, member)
#define WITHIN(type, member, shape_) .offset = offsetof(struct type, member), .shape = &(shape_)
#define COUNTED(type, member, count) \
	.offset = offsetof(struct type, member), .count_offset = offsetof(struct type, count)
#define SET(type, member, tab_) \
	.name = #member, .kind = FIELD_COUNTERS, .offset = offsetof(struct type, member), .tab = &(tab_)
#define SHAPE(fields_, type, flat_) \
	{ .fields = (fields_), .nfields = sizeof(fields_) / sizeof((fields_)[0]), \
	  .size = sizeof(struct type), .flat = (flat_) }

/* --- generations --- */

static const struct field gen_fields[] = {
	{ FIELD(U64, gen, seq), .flags = FIELD_KEY },
	{ FIELD(U64, gen, age_ms), .flags = FIELD_AGE },
	{ .name = "anon", .kind = FIELD_U64, .offset = offsetof(struct gen, pages[TYPE_ANON]) },
	{ .name = "file", .kind = FIELD_U64, .offset = offsetof(struct gen, pages[TYPE_FILE]) },
	{ FIELD(U8, gen, evicted) },
};
static const struct shape gen_shape = SHAPE(gen_fields, gen, true);

static const struct field tier_fields[] = {
	{ FIELD(U64, tier, refaulted) },
	{ FIELD(U64, tier, evicted) },
	{ FIELD(U64, tier, protected) },
	{ FIELD(U64, tier, avg_refaulted) },
	{ FIELD(U64, tier, avg_total) },
};
static const struct shape tier_shape = SHAPE(tier_fields, tier, true);

struct tiers {
	struct tier tier[TIER_NR];
};

static const struct field tiers_fields[] = {
	{ .name = "0", .kind = FIELD_ROW, WITHIN(tiers, tier[0], tier_shape) },
	{ .name = "1", .kind = FIELD_ROW, WITHIN(tiers, tier[1], tier_shape) },
	{ .name = "2", .kind = FIELD_ROW, WITHIN(tiers, tier[2], tier_shape) },
	{ .name = "3", .kind = FIELD_ROW, WITHIN(tiers, tier[3], tier_shape) },
};
static const struct shape tiers_shape = SHAPE(tiers_fields, tiers, true);

static const struct field walk_fields[] = {
	{ FIELD(U64, walk, leaf_total) },
	{ FIELD(U64, walk, leaf_old) },
	{ FIELD(U64, walk, leaf_young) },
	{ FIELD(U64, walk, nonleaf_total) },
	{ FIELD(U64, walk, nonleaf_found) },
	{ FIELD(U64, walk, nonleaf_added) },
};
static const struct shape walk_shape = SHAPE(walk_fields, walk, true);

static const struct field gen_full_fields[] = {
	{ FIELD(U64, gen_full, seq), .flags = FIELD_KEY },
	{ .name = "anon", .kind = FIELD_ROW, WITHIN(gen_full, tiers[TYPE_ANON], tiers_shape) },
	{ .name = "file", .kind = FIELD_ROW, WITHIN(gen_full, tiers[TYPE_FILE], tiers_shape) },
	{ .name = "walk", .kind = FIELD_ROW, WITHIN(gen_full, walk, walk_shape) },
};
static const struct shape gen_full_shape = SHAPE(gen_full_fields, gen_full, true);

struct by_type {
	uint64_t anon, file;
};

static const struct field by_type_fields[] = {
	{ FIELD(U64, by_type, anon) },
	{ FIELD(U64, by_type, file) },
};
static const struct shape by_type_shape = SHAPE(by_type_fields, by_type, true);

static const struct field lruvec_fields[] = {
	{ FIELD(U64, lruvec, memcg), .flags = FIELD_KEY | FIELD_ALONE },
	{ FIELD(STRING, lruvec, path), .flags = FIELD_KEY },
	{ FIELD(U32, lruvec, node), .flags = FIELD_KEY },
	{ FIELD(BOOL, lruvec, dying) },
	{ .name = "gens", .kind = FIELD_ROWS, .flags = FIELD_AGE, COUNTED(lruvec, gens, ngens),
	  .shape = &gen_shape },
	{ .name = "min_seq", .kind = FIELD_ROW, WITHIN(lruvec, min_seq, by_type_shape) },
	{ .name = "full", .kind = FIELD_LIST, COUNTED(lruvec, full, nfull), .shape = &gen_full_shape },
};
static const struct shape lruvec_shape = SHAPE(lruvec_fields, lruvec, false);

/* --- pressure --- */

static const struct field psi_line_fields[] = {
	{ FIELD(CENTI, psi_line, avg10) },
	{ FIELD(CENTI, psi_line, avg60) },
	{ FIELD(CENTI, psi_line, avg300) },
	{ .name = "total", .kind = FIELD_U64, .offset = offsetof(struct psi_line, total_us) },
};
static const struct shape psi_line_shape = SHAPE(psi_line_fields, psi_line, true);

static const struct field psi_fields[] = {
	{ .name = "some", .kind = FIELD_STRUCT, WITHIN(psi, some, psi_line_shape) },
	{ .name = "full", .kind = FIELD_STRUCT, WITHIN(psi, full, psi_line_shape) },
};
static const struct shape psi_shape = SHAPE(psi_fields, psi, true);

/* Memcgs are many: their lines of pressure are rows. */
static const struct field psi_rows_fields[] = {
	{ .name = "some", .kind = FIELD_ROW, WITHIN(psi, some, psi_line_shape) },
	{ .name = "full", .kind = FIELD_ROW, WITHIN(psi, full, psi_line_shape) },
};
static const struct shape psi_rows_shape = SHAPE(psi_rows_fields, psi, true);

struct pressure {
	struct psi psi[PSI_NR];
};

static const struct field pressure_fields[] = {
	{ .name = "memory", .kind = FIELD_STRUCT, WITHIN(pressure, psi[PSI_MEMORY], psi_shape) },
	{ .name = "io", .kind = FIELD_STRUCT, WITHIN(pressure, psi[PSI_IO], psi_shape) },
	{ .name = "cpu", .kind = FIELD_STRUCT, WITHIN(pressure, psi[PSI_CPU], psi_shape) },
};
static const struct shape pressure_shape = SHAPE(pressure_fields, pressure, true);

/* --- zones --- */

static const struct field node_fields[] = {
	{ .name = "node", .kind = FIELD_U32, .flags = FIELD_KEY, .offset = offsetof(struct node, id) },
	{ SET(node, stats, keytab_node), .flags = FIELD_MIRROR },
};
static const struct shape node_shape = SHAPE(node_fields, node, false);

static const struct field pageset_fields[] = {
	{ FIELD(U32, pageset, cpu), .flags = FIELD_KEY },
	{ FIELD(U64, pageset, count) },
	{ FIELD(U64, pageset, high) },
	{ FIELD(U64, pageset, batch) },
	{ FIELD(U64, pageset, high_min) },
	{ FIELD(U64, pageset, high_max) },
};
static const struct shape pageset_shape = SHAPE(pageset_fields, pageset, true);

static const struct field zone_fields[] = {
	{ FIELD(U32, zone, node), .flags = FIELD_KEY },
	{ .name = "zone", .kind = FIELD_STRING, .flags = FIELD_KEY, .offset = offsetof(struct zone, name) },
	{ FIELD(U64, zone, free) },
	{ FIELD(U64, zone, boost) },
	{ FIELD(U64, zone, min) },
	{ FIELD(U64, zone, low) },
	{ FIELD(U64, zone, high) },
	{ FIELD(U64, zone, promo) },
	{ FIELD(U64, zone, spanned) },
	{ FIELD(U64, zone, present) },
	{ FIELD(U64, zone, managed) },
	{ FIELD(U64, zone, cma) },
	{ FIELD(U64, zone, start_pfn) },
	{ FIELD(U64, zone, node_unreclaimable) },
	{ FIELD(U64, zone, reserved_highatomic) },
	{ FIELD(U64, zone, free_highatomic) },
	{ .name = "protection", .kind = FIELD_NUMBERS, COUNTED(zone, protection, nprotection) },
	{ SET(zone, stats, keytab_zone), .flags = FIELD_MIRROR },
	{ .name = "pagesets", .kind = FIELD_LIST, COUNTED(zone, pagesets, npagesets),
	  .shape = &pageset_shape },
};
static const struct shape zone_shape = SHAPE(zone_fields, zone, false);

static const struct field buddy_fields[] = {
	{ FIELD(U32, buddy, node), .flags = FIELD_KEY },
	{ FIELD(STRING, buddy, zone), .flags = FIELD_KEY },
	{ .name = "blocks", .kind = FIELD_NUMBERS, COUNTED(buddy, blocks, norders) },
};
static const struct shape buddy_shape = SHAPE(buddy_fields, buddy, false);

static const struct field pagetype_fields[] = {
	{ FIELD(U32, pagetype, node), .flags = FIELD_KEY },
	{ FIELD(STRING, pagetype, zone), .flags = FIELD_KEY },
	{ FIELD(STRING, pagetype, type), .flags = FIELD_KEY },
	{ .name = "blocks", .kind = FIELD_NUMBERS, COUNTED(pagetype, blocks, norders) },
	{ FIELD(U64, pagetype, at_least) },
};
static const struct shape pagetype_shape = SHAPE(pagetype_fields, pagetype, false);

static const struct field pageblocks_fields[] = {
	{ FIELD(U32, pageblocks, node), .flags = FIELD_KEY },
	{ FIELD(STRING, pageblocks, zone), .flags = FIELD_KEY },
	{ FIELD(STRING, pageblocks, type), .flags = FIELD_KEY },
	{ FIELD(U64, pageblocks, blocks) },
};
static const struct shape pageblocks_shape = SHAPE(pageblocks_fields, pageblocks, false);

/* --- events --- */

static const struct field bulk_fields[] = {
	{ FIELD(U32, bulk, cpu), .flags = FIELD_KEY },
	{ FIELD(U32, bulk, order), .flags = FIELD_KEY },
	{ FIELD(U64, bulk, size), .flags = FIELD_KEY },
	{ FIELD(U64, bulk, count) },
};
static const struct shape bulk_shape = SHAPE(bulk_fields, bulk, true);

static const struct field pcp_blocks_fields[] = {
	{ FIELD(U32, pcp_blocks, cpu), .flags = FIELD_KEY },
	{ FIELD(U32, pcp_blocks, order), .flags = FIELD_KEY },
	{ FIELD(U32, pcp_blocks, type), .flags = FIELD_KEY },
	{ FIELD(U64, pcp_blocks, blocks) },
};
static const struct shape pcp_blocks_shape = SHAPE(pcp_blocks_fields, pcp_blocks, true);

static const char *const sizes_states[] = {
	[SIZES_UNKNOWN] = "unknown",
	[SIZES_COUNTED] = "counted",
	[SIZES_NO_FUNCTION] = "no_function",
	[SIZES_REFUSED] = "refused",
	NULL
};

static const struct field events_fields[] = {
	{ FIELD(I64, events, since_us) },
	{ FIELD(U64, events, dropped) },
	{ .name = "drain_sizes", .kind = FIELD_ENUM, .offset = offsetof(struct events, sizes[BULK_DRAIN]),
	  .names = sizes_states },
	{ .name = "refill_sizes", .kind = FIELD_ENUM, .offset = offsetof(struct events, sizes[BULK_REFILL]),
	  .names = sizes_states },
};
static const struct shape events_shape = SHAPE(events_fields, events, true);

/* --- swap --- */

static const struct field swap_fields[] = {
	{ FIELD(STRING, swap, name), .flags = FIELD_KEY },
	{ FIELD(STRING, swap, type) },
	{ FIELD(U64, swap, size_kib) },
	{ FIELD(U64, swap, used_kib) },
	{ FIELD(I64, swap, priority) },
};
static const struct shape swap_shape = SHAPE(swap_fields, swap, false);

static const struct field zram_fields[] = {
	{ FIELD(STRING, zram, name), .flags = FIELD_KEY },
	{ FIELD(U64, zram, orig_data) },
	{ FIELD(U64, zram, compr_data) },
	{ FIELD(U64, zram, mem_used) },
	{ FIELD(U64, zram, mem_limit) },
	{ FIELD(U64, zram, mem_used_max) },
	{ FIELD(U64, zram, same_pages) },
	{ FIELD(U64, zram, pages_compacted) },
	{ FIELD(U64, zram, huge_pages) },
	{ FIELD(U64, zram, huge_pages_since) },
};
static const struct shape zram_shape = SHAPE(zram_fields, zram, false);

/* --- memcgs and processes --- */

static const struct field memcg_fields[] = {
	{ FIELD(STRING, memcg, path), .flags = FIELD_KEY },
	{ FIELD(U64, memcg, id), .flags = FIELD_ALONE },
	{ FIELD(U64, memcg, current) },
	{ FIELD(U64, memcg, min) },
	{ FIELD(U64, memcg, low) },
	{ FIELD(U64, memcg, high) },
	{ FIELD(U64, memcg, max) },
	{ FIELD(U64, memcg, swap_current) },
	{ FIELD(U64, memcg, swap_max) },
	{ FIELD(U64, memcg, zswap_current) },
	{ SET(memcg, stat, keytab_memcg) },
	{ SET(memcg, events, keytab_events) },
	{ SET(memcg, cgroup, keytab_cgroup) },
	{ .name = "pressure", .kind = FIELD_ROW, WITHIN(memcg, pressure, psi_rows_shape) },
};
static const struct shape memcg_shape = SHAPE(memcg_fields, memcg, false);

static const char *const process_kinds[] = {
	[PROCESS_USER] = "user",
	[PROCESS_KSWAPD] = "kswapd",
	[PROCESS_KCOMPACTD] = "kcompactd",
	[PROCESS_KHUGEPAGED] = "khugepaged",
	NULL
};

static const struct field process_fields[] = {
	{ FIELD(U32, process, pid), .flags = FIELD_KEY | FIELD_ALONE },
	{ FIELD(U64, process, start_ticks), .flags = FIELD_KEY },
	{ FIELD(ENUM, process, kind), .names = process_kinds },
	{ FIELD(STRING, process, name) },
	{ FIELD(STRING, process, memcg) },
	{ FIELD(CHAR, process, state) },
	{ FIELD(U64, process, cpu_ticks) },
	{ FIELD(U64, process, rss_kib) },
	{ FIELD(U64, process, swap_kib) },
	{ FIELD(U64, process, major_faults) },
	{ FIELD(U64, process, minor_faults) },
	{ FIELD(U64, process, node) },
};
static const struct shape process_shape = SHAPE(process_fields, process, false);

/* --- readings: the names are those of source_infos[] --- */

struct readings {
	struct reading r[READ_NR];
};

#define READINGS(X) \
	X("lru_gen", READ_LRU_GEN) X("lru_gen_full", READ_LRU_GEN_FULL) X("mglru", READ_MGLRU) \
	X("vmstat", READ_VMSTAT) X("zoneinfo", READ_ZONEINFO) X("buddyinfo", READ_BUDDYINFO) \
	X("pagetypeinfo", READ_PAGETYPEINFO) X("pressure_memory", READ_PSI_MEMORY) \
	X("pressure_io", READ_PSI_IO) X("pressure_cpu", READ_PSI_CPU) X("meminfo", READ_MEMINFO) \
	X("swaps", READ_SWAPS) X("zram", READ_ZRAM) X("cgroup", READ_CGROUP) \
	X("processes", READ_PROCESSES) X("sysctl", READ_SYSCTL) X("events", READ_EVENTS)

#define SOURCE(name_, id) { .name = name_, .kind = FIELD_SOURCE, .offset = offsetof(struct readings, r[id]) },
#define READING(name_, id) \
	{ .name = name_, .kind = FIELD_ROW, .flags = FIELD_AGE, WITHIN(readings, r[id], reading_shape) },

static const struct field source_fields[] = { READINGS(SOURCE) };
static const struct shape sources_shape = SHAPE(source_fields, readings, true);

static const struct field reading_fields[] = {
	{ .name = "start", .kind = FIELD_TIME, .flags = FIELD_AGE, .offset = offsetof(struct reading, start_us) },
	{ .name = "end", .kind = FIELD_TIME, .flags = FIELD_AGE, .offset = offsetof(struct reading, end_us) },
	{ FIELD(I64, reading, bytes) }, /* never UNKNOWN: 0 where nothing was read */
	{ FIELD(U32, reading, every) },
	{ FIELD(U32, reading, torn) },
	{ FIELD(U32, reading, skipped) },
	{ FIELD(U32, reading, vanished) },
	{ FIELD(BOOL, reading, cut) },
};
static const struct shape reading_shape = SHAPE(reading_fields, reading, true);

static const struct field readings_fields[] = { READINGS(READING) };
static const struct shape readings_shape = SHAPE(readings_fields, readings, true);

/* --- the machine --- */

static const struct field boot_fields[] = {
	{ FIELD(STRING, machine, kernel), .flags = FIELD_ONCE },
	{ .name = "kernel_version", .kind = FIELD_U32, .flags = FIELD_ONCE,
	  .offset = offsetof(struct machine, version) },
	{ FIELD(U32, machine, page_size), .flags = FIELD_ONCE },
	{ FIELD(U32, machine, hz), .flags = FIELD_ONCE },
	{ FIELD(STRING, machine, boot_id), .flags = FIELD_ONCE },
};
static const struct shape boot_shape = SHAPE(boot_fields, machine, false);

static const struct field machine_fields[] = {
	{ FIELD(U64, machine, cpus) },
	{ FIELD(U64, machine, nodes) },
	{ FIELD(U64, machine, mglru) },
	{ FIELD(U64, machine, min_ttl_ms) },
	{ FIELD(U64, machine, swappiness) },
	{ FIELD(U64, machine, watermark_scale_factor) },
	{ FIELD(U64, machine, min_free_kbytes) },
	{ FIELD(U64, machine, pcp_high_fraction) },
	{ FIELD(STRING, machine, lockdown) },
	{ FIELD(BOOL, machine, memcg_v2) },
};
static const struct shape machine_shape = SHAPE(machine_fields, machine, false);

/* --- the whole --- */

#define LIST(name_, member, count, shape_) \
	.name = name_, .kind = FIELD_LIST, COUNTED(sample, member, count), .shape = &(shape_)

static const struct field sample_fields[] = {
	{ FIELD(I64, sample, mono_us), .flags = FIELD_HEAD },
	{ FIELD(U64, sample, n), .flags = FIELD_HEAD },
	{ FIELD(I64, sample, wall_us) },
	{ FIELD(I64, sample, interval_us) },
	{ FIELD(I64, sample, slept_us) },
	{ FIELD(I64, sample, cost_us) },
	{ FIELD(BOOL, sample, restart) },
	{ .name = NULL, .kind = FIELD_STRUCT, WITHIN(sample, machine, boot_shape) },
	{ .name = "machine", .kind = FIELD_STRUCT, WITHIN(sample, machine, machine_shape) },
	{ .name = "sources", .kind = FIELD_STRUCT, WITHIN(sample, readings, sources_shape) },
	{ .name = "readings", .kind = FIELD_STRUCT, .flags = FIELD_AGE,
	  WITHIN(sample, readings, readings_shape) },
	{ LIST("lru_gen", lruvecs, nlruvecs, lruvec_shape), .flags = FIELD_AGE },
	{ SET(sample, vmstat, keytab_vmstat), .flags = FIELD_MIRROR },
	{ LIST("nodes", nodes, nnodes, node_shape) },
	{ LIST("zones", zones, nzones, zone_shape) },
	{ LIST("buddyinfo", buddies, nbuddies, buddy_shape) },
	{ LIST("pagetypeinfo", pagetypes, npagetypes, pagetype_shape) },
	{ LIST("pageblocks", pageblocks, npageblocks, pageblocks_shape) },
	{ .name = "events", .kind = FIELD_STRUCT, WITHIN(sample, events, events_shape) },
	{ LIST("drains", events.bulks[BULK_DRAIN], events.nbulks[BULK_DRAIN], bulk_shape) },
	{ LIST("refills", events.bulks[BULK_REFILL], events.nbulks[BULK_REFILL], bulk_shape) },
	{ LIST("drained", events.blocks[BULK_DRAIN], events.nblocks[BULK_DRAIN], pcp_blocks_shape) },
	{ LIST("refilled", events.blocks[BULK_REFILL], events.nblocks[BULK_REFILL], pcp_blocks_shape) },
	{ .name = "pressure", .kind = FIELD_STRUCT, WITHIN(sample, psi, pressure_shape) },
	{ SET(sample, meminfo, keytab_meminfo), .flags = FIELD_MIRROR },
	{ LIST("swaps", swaps, nswaps, swap_shape) },
	{ LIST("zram", zrams, nzrams, zram_shape) },
	{ LIST("memcgs", memcgs, nmemcgs, memcg_shape) },
	{ FIELD(U32, sample, memcgs_left_out) },
	{ LIST("processes", processes, nprocesses, process_shape) },
	{ FIELD(U32, sample, processes_seen) },
};
const struct shape sample_shape = SHAPE(sample_fields, sample, false);

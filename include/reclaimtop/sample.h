/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - what the kernel said at one instant.
 *
 * A sample is plain data in one arena. A collector fills it, then it is handed over whole and never changed.
 * It holds raw values only: nothing in it was derived from another sample.
 *
 * A number that the kernel did not give is UNKNOWN (keys.h), never 0. Strings are printable UTF-8: names from the
 * kernel went through name_escape() (names.h). A pointer with a count of 0 may be NULL.
 */
#ifndef RECLAIMTOP_SAMPLE_H
#define RECLAIMTOP_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/keys.h"

enum page_type { TYPE_ANON, TYPE_FILE, TYPE_NR };

/* One reading each. The table of their names and paths is sources[] in sample.c. */
enum reading_id {
	READ_LRU_GEN,       /* sys/kernel/debug/lru_gen */
	READ_LRU_GEN_FULL,  /* sys/kernel/debug/lru_gen_full */
	READ_MGLRU,         /* sys/kernel/mm/lru_gen/{enabled,min_ttl_ms} */
	READ_VMSTAT,
	READ_ZONEINFO,
	READ_BUDDYINFO,
	READ_PAGETYPEINFO,
	READ_PSI_MEMORY,
	READ_PSI_IO,
	READ_PSI_CPU,
	READ_MEMINFO,
	READ_SWAPS,
	READ_ZRAM,          /* mm_stat of every sys/block/zram */
	READ_CGROUP,        /* memory.* of the memcgs that matter */
	READ_PROCESSES,
	READ_SYSCTL,        /* proc/sys/vm/{swappiness,…} */
	READ_EVENTS,        /* histograms of the kernel's events, where they were switched on (events.h) */
	READ_NR
};

enum reading_state {
	READING_NOT_ASKED, /* nobody wanted it this time */
	READING_OK,
	READING_FAILED,    /* err says why; nothing of it is in the sample */
};

/* How the reading of one source went. */
struct reading {
	enum reading_state state;
	int err;                 /* errno, 0 where state is not READING_FAILED */
	int64_t start_us, end_us; /* sample.mono_us's clock; equal where the source has no clock */
	uint64_t bytes;          /* of text read */
	uint32_t torn;           /* blocks dropped because it could not be told whose they were */
	uint32_t skipped;        /* lines that were not understood */
	uint32_t vanished;       /* things that went away while they were read */
	bool cut;                /* the text ended in the middle of a line */
	uint32_t every;          /* it takes so long that it is read with every so-many-th sample; 0, 1: with each */
};

struct source_info {
	const char *name;  /* as in a recording: "lru_gen" */
	const char *path;  /* for people: "/sys/kernel/debug/lru_gen" */
};

extern const struct source_info source_infos[READ_NR];

/* Why a source was not read: in words where the errno's own mislead. */
const char *reading_why(enum reading_id id, int err);

/* What does not change while a machine runs, and the few knobs that matter to reclaim. */
struct machine {
	const char *kernel;    /* "7.2.13+deb14-cloud-amd64", NULL where unknown */
	const char *boot_id;   /* NULL where unknown */
	uint32_t version;      /* 7.2.13 is 70213, 0 where unknown: see kernel_version() */
	uint32_t page_size;    /* bytes */
	uint32_t hz;           /* of the clock ticks that user space sees */
	uint64_t cpus, nodes;  /* online; UNKNOWN where not said */
	uint64_t mglru;        /* lru_gen/enabled: bits of enum mglru_bit, perhaps others */
	uint64_t min_ttl_ms;
	uint64_t swappiness, watermark_scale_factor, min_free_kbytes, pcp_high_fraction;
	const char *lockdown;  /* the mode in force: "none", "integrity", "confidentiality"; NULL where unknown */
	bool memcg_v2;         /* a cgroup v2 hierarchy with the memory controller is there */
};

enum mglru_bit { MGLRU_CORE = 0x1, MGLRU_MM_WALK = 0x2, MGLRU_NONLEAF_YOUNG = 0x4 };

/* --- generations: lru_gen, lru_gen_full --- */

#define TIER_NR 4

/* One row of a lruvec's histogram: mm/vmscan.c lru_gen_seq_show(). */
struct gen {
	uint64_t seq;
	uint64_t age_ms;         /* since this generation was opened; wraps after 49.7 days */
	uint64_t pages[TYPE_NR];
	uint8_t evicted;         /* bit per type: below that type's min_seq (mark x of lru_gen_full) */
};

/* Counts of one tier of one generation and type: lru_gen_seq_show_full(). UNKNOWN where marked as filler. */
struct tier {
	uint64_t refaulted, evicted, protected;  /* r e p: of this generation, while it is the oldest */
	uint64_t avg_refaulted, avg_total;       /* R T: moving averages, at the youngest generation */
};

/* Work of page-table walks; cumulative since boot at the youngest generation (upper case letters). */
struct walk {
	uint64_t leaf_total, leaf_old, leaf_young, nonleaf_total, nonleaf_found, nonleaf_added;
};

/* What lru_gen_full adds to a generation. */
struct gen_full {
	uint64_t seq;
	struct tier tiers[TYPE_NR][TIER_NR];
	struct walk walk;
};

/* (memcg, node) with its generations, seq ascending. */
struct lruvec {
	uint64_t memcg;      /* the id that the kernel prints: its own up to 6.19, the cgroup's inode from 7.0; 0 dying */
	const char *path;    /* "/", "/web"; the root also where memcgs are off */
	uint32_t node;
	uint32_t ngens;
	struct gen *gens;
	uint64_t min_seq[TYPE_NR]; /* UNKNOWN unless lru_gen_full was read */
	uint32_t nfull;            /* 0 unless lru_gen_full was read */
	struct gen_full *full;
	bool dying;          /* its cgroup was removed, its pages remain */
};

/* --- pressure --- */

struct psi_line {
	uint64_t avg10, avg60, avg300;  /* hundredths of a per cent */
	uint64_t total_us;
};

struct psi {
	struct psi_line some, full;  /* each UNKNOWN throughout where the kernel printed no such line */
};

enum psi_resource { PSI_MEMORY, PSI_IO, PSI_CPU, PSI_NR };

/* --- zones --- */

struct node {
	uint32_t id;
	struct counters stats;   /* keytab_node */
};

struct pageset {
	uint32_t cpu;
	uint64_t count, high, batch, high_min, high_max;  /* pages */
};

/* mm/vmstat.c zoneinfo_show_print(). Pages. */
struct zone {
	uint32_t node;
	const char *name;
	uint64_t free, boost, min, low, high, promo;
	uint64_t spanned, present, managed, cma;
	uint64_t start_pfn, node_unreclaimable, reserved_highatomic, free_highatomic;
	uint32_t nprotection;
	uint64_t *protection;    /* by the zone that an allocation would prefer */
	struct counters stats;   /* keytab_zone */
	uint32_t npagesets;
	struct pageset *pagesets;
};

/* /proc/buddyinfo: free blocks[order]. */
struct buddy {
	uint32_t node;
	const char *zone;
	uint32_t norders;
	uint64_t *blocks;
};

/* /proc/pagetypeinfo, first table: free blocks[order] of one migratetype. */
struct pagetype {
	uint32_t node;
	const char *zone, *type;
	uint32_t norders;
	uint64_t *blocks;
	uint64_t at_least;  /* bit per order: the kernel stopped counting (">100000") */
};

/* Second table: number of pageblocks of one migratetype. */
struct pageblocks {
	uint32_t node;
	const char *zone, *type;
	uint64_t blocks;
};

/* --- the kernel's own events of pagesets --- */

enum bulk_way { BULK_DRAIN, BULK_REFILL, BULK_NR };

/* Are the sizes of single drains, or refills, counted? */
enum sizes_state {
	SIZES_UNKNOWN,      /* nobody asked */
	SIZES_COUNTED,
	SIZES_NO_FUNCTION,  /* this kernel has no function of that name: the compiler put it into its callers */
	SIZES_REFUSED,      /* it refuses probes */
};

/* One constant phrase for a state that is not COUNTED. */
const char *sizes_state_why(enum sizes_state state);

/* Drains, or refills, of one size on one CPU, since the events were switched on. */
struct bulk {
	uint32_t cpu, order;  /* order of the blocks of a refill; 0 for a drain, whose size is in pages */
	uint64_t size;        /* blocks that the kernel set out to move; a drain's last block may be larger than that */
	uint64_t count;       /* times */
};

/* Blocks that left pagesets, or were taken from free lists to fill them. */
struct pcp_blocks {
	uint32_t cpu, order, type;  /* type: migratetype as the kernel numbers it: unmovable, movable, reclaimable, … */
	uint64_t blocks;
};

/* Each of two, by enum bulk_way. Sorted by their keys. */
struct events {
	int64_t since_us;           /* mono_us's clock: all counts are since then; another since is another counting */
	uint64_t dropped;           /* events that the kernel had no room to count; UNKNOWN where not said */
	uint32_t sizes[BULK_NR];    /* enum sizes_state */
	uint32_t nbulks[BULK_NR];
	struct bulk *bulks[BULK_NR];
	uint32_t nblocks[BULK_NR];
	struct pcp_blocks *blocks[BULK_NR];
};

/* --- swap --- */

struct swap {
	const char *name, *type;
	uint64_t size_kib, used_kib;
	int64_t priority;
};

/* drivers/block/zram/zram_drv.c mm_stat_show(). Bytes, but for the counts. */
struct zram {
	const char *name;
	uint64_t orig_data, compr_data, mem_used, mem_limit, mem_used_max;
	uint64_t same_pages, pages_compacted, huge_pages, huge_pages_since;
};

/* --- memcgs --- */

/* The cgroup v2 files of one memcg. Bytes; with its children unless the name says .local. */
struct memcg {
	const char *path;    /* the key; as in struct lruvec */
	uint64_t id;         /* inode of its folder; UNKNOWN in a captured tree */
	uint64_t current, min, low, high, max, swap_current, swap_max, zswap_current; /* UNLIMITED for "max" */
	struct counters stat;    /* memory.stat, keytab_memcg */
	struct counters events;  /* memory.events, keytab_events */
	struct counters cgroup;  /* cgroup.stat, keytab_cgroup */
	struct psi pressure;
};

/* --- processes --- */

enum process_kind { PROCESS_USER, PROCESS_KSWAPD, PROCESS_KCOMPACTD, PROCESS_KHUGEPAGED };

struct process {
	uint32_t pid;
	enum process_kind kind;
	uint64_t start_ticks;   /* since boot: with pid the key, since pids are used again */
	const char *name;
	const char *memcg;      /* path; NULL where not asked for */
	char state;             /* R S D Z T I … */
	uint64_t cpu_ticks;     /* user and system, machine.hz to the second */
	uint64_t rss_kib, swap_kib, major_faults, minor_faults;
	uint64_t node;          /* of kswapd and kcompactd; UNKNOWN for others */
};

/* --- the whole --- */

struct sample {
	struct arena *arena;
	uint64_t n;            /* number of the sample in its session, from 0 */
	int64_t mono_us;       /* a clock that does not step; in a captured tree its uptime */
	int64_t wall_us;       /* label only; 0 where unknown */
	int64_t interval_us;   /* what was meant to lie between two samples; 0 where there is no plan */
	int64_t slept_us;      /* time asleep (suspend) since boot; 0 where unknown */
	int64_t cost_us;       /* CPU that collecting this sample took; 0 where unknown */
	bool restart;          /* a player went back to the start: compare with nothing */

	struct machine machine;
	struct reading readings[READ_NR];

	uint32_t nlruvecs;
	struct lruvec *lruvecs;   /* in the kernel's order, a memcg's nodes together; see sample_rows_are_kept() */
	struct counters vmstat;   /* keytab_vmstat */
	uint32_t nnodes;
	struct node *nodes;
	uint32_t nzones;
	struct zone *zones;       /* empty zones (managed 0) too */
	uint32_t nbuddies;
	struct buddy *buddies;
	uint32_t npagetypes;
	struct pagetype *pagetypes;
	uint32_t npageblocks;
	struct pageblocks *pageblocks;
	struct events events;     /* where READ_EVENTS is ok */
	struct psi psi[PSI_NR];
	struct counters meminfo;  /* keytab_meminfo */
	uint32_t nswaps;
	struct swap *swaps;
	uint32_t nzrams;
	struct zram *zrams;
	uint32_t nmemcgs;
	struct memcg *memcgs;
	uint32_t memcgs_left_out; /* living memcgs whose files were not read, to bound the cost */
	uint32_t nprocesses;
	struct process *processes;
	uint32_t processes_seen;  /* how many the sweep went over */
};

/*
 * Make s an empty sample in its arena: all values UNKNOWN, all readings NOT_ASKED. The arena is reset;
 * s->arena must be set.
 */
void sample_reset(struct sample *s);

/* Set every value of a set to UNKNOWN, with room for all of tab's keys. */
void counters_init(struct counters *c, const struct keytab *tab, struct arena *a);

struct psi_line psi_line_unknown(void);

/* "7.2.13+deb14" is 70213; "6.1.0-rc7" is 60100; 0 where there is no number. Parts over 99 count as 99. */
uint32_t kernel_version(const char *release);

/*
 * How good the view of the generations is, best first. The classic lists are those of zoneinfo and vmstat.
 */
enum rung { RUNG_LRU_GEN, RUNG_LRU_GEN_FULL, RUNG_CLASSIC, RUNG_NONE };

/* Was it left out of this sample because it takes long? */
static inline bool reading_is_left_out(const struct reading *r)
{
	return r->state == READING_NOT_ASKED && r->every > 1;
}

/*
 * Are the lruvecs those of an earlier sample, since this one leaves out what takes long? Then the
 * times of the reading are those of when they were read, ages went on since, and nothing is known
 * of what moved.
 */
bool sample_rows_are_kept(const struct sample *s);

/*
 * The rung that a sample stands on, and in *reason one constant sentence why it is not a better one, or why its
 * rows are not of this instant ("" where they are the best there is).
 */
enum rung sample_rung(const struct sample *s, const char **reason);

const char *rung_name(enum rung rung);

/* What a lru_gen/enabled value means: "core, mm_walk, nonleaf_young", "core, 0x8 (unknown)", "off", "unknown". */
void mglru_describe(uint64_t bits, char *out, size_t size);

#endif

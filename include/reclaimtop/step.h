/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * step.h - what happened between two samples.
 *
 * step() depends on its two samples alone: no clock, no memory of earlier steps, same input same output. Things are
 * paired by key (path and id of a memcg, node, zone, CPU, seq of a generation), never by place.
 *
 * Every number is an amount: how it is known, what it covers, and the interval in which the truth lies.
 */
#ifndef RECLAIMTOP_STEP_H
#define RECLAIMTOP_STEP_H

#include "reclaimtop/sample.h"

enum amount_state {
	AMOUNT_MISSING,   /* the kernel does not say */
	AMOUNT_FIRST,     /* there is no earlier sample to compare with */
	AMOUNT_RESET,     /* the counter went back: reboot, an id used again, a thing made anew */
	AMOUNT_GAP,       /* known, but over a longer time than was planned: no rate of now */
	AMOUNT_MEASURED,  /* the kernel's own count: lo == value == hi */
	AMOUNT_INFERRED,  /* reckoned: the truth lies in lo..hi, value is the best guess */
};

enum amount_scope { SCOPE_MACHINE, SCOPE_NODE, SCOPE_MEMCG, SCOPE_MEMCG_TREE /* with children */ };

#define AMOUNT_NO_LIMIT INT64_MAX /* as hi: nothing bounds it from above; -AMOUNT_NO_LIMIT as lo */

/* Something over one step. Pages unless its name says otherwise. value, lo and hi are 0 where it is not known. */
struct amount {
	int64_t value, lo, hi;
	uint8_t state;  /* enum amount_state */
	uint8_t scope;  /* enum amount_scope */
};

/* Is there a value: GAP, MEASURED or INFERRED? */
static inline bool amount_known(struct amount a)
{
	return a.state >= AMOUNT_GAP;
}

/* What a counter that only grows did: FIRST, RESET, MISSING or MEASURED. */
struct amount amount_counter(uint64_t before, uint64_t now, enum amount_scope scope);

/* What a gauge did: its change, which may be negative. */
struct amount amount_gauge(uint64_t before, uint64_t now, enum amount_scope scope);

struct amount amount_inferred(int64_t value, int64_t lo, int64_t hi, enum amount_scope scope);

/* The sum; its state is the weaker one, but what is MISSING is left out where the other is known. */
struct amount amount_add(struct amount a, struct amount b);

/* a - b; its state is the weaker one, MISSING the weakest. */
struct amount amount_less(struct amount a, struct amount b);

/* Tenths per second, rounded; 0 where it is not known or dt_us is 0. Over a gap it is the mean of the gap. */
int64_t amount_rate10(struct amount a, int64_t dt_us);

const char *amount_state_name(enum amount_state state);   /* "measured" */
const char *amount_scope_name(enum amount_scope scope);   /* "memcg with children" */

/* --- reclaim --- */

enum reclaimer {
	WHO_KSWAPD, WHO_DIRECT, WHO_KHUGEPAGED, WHO_PROACTIVE,
	WHO_MEMCG_LIMIT,  /* up to 7.0: the difference of the two sums; from 7.1 part of the others, MISSING */
	WHO_NR
};

const char *reclaimer_name(enum reclaimer who);

enum check {
	CHECK_UNKNOWN,   /* one of the sums cannot be made */
	CHECK_AGREE,
	CHECK_DISAGREE,  /* beyond what the kernel's age explains */
};

struct reclaim {
	/* pgscan and pgsteal. Under MGLRU "scanned" are the pages isolated; those only sorted are in refill. */
	struct amount scanned_by[WHO_NR], stolen_by[WHO_NR];
	struct amount scanned[TYPE_NR], stolen[TYPE_NR];
	struct amount scanned_all, stolen_all;   /* over types */
	enum check check;         /* stolen by who against stolen by what */
	int64_t check_diff;       /* pages: by what minus by who */
	int64_t check_allowed;    /* what of it the kernel's age explains */
	struct amount refaulted[TYPE_NR], refill;
	struct amount swapped_in, swapped_out, zswapped_in, zswapped_out, demoted, promoted_nodes;
	struct amount stalls;     /* events: allocations that had to reclaim themselves (allocstall_*) */
	struct amount oom_kills;  /* events */
	struct amount compact_stalls, slabs_scanned;
};

enum kswapd_state { KSWAPD_UNKNOWN, KSWAPD_ASLEEP, KSWAPD_WORKING };

struct node_step {
	uint32_t node;
	enum kswapd_state kswapd;
	struct amount kswapd_cpu_ms;          /* CPU of kswapdN, milliseconds */
	struct amount scanned[WHO_NR], stolen[WHO_NR];   /* from 7.1, of the node */
	struct amount refaulted[TYPE_NR];
	struct amount reclaimable;            /* gauge: value is pages on the node's lists now */
};

/* --- generations --- */

enum artefact {           /* what looks like movement and is none */
	ARTEFACT_ROTATED = 1,     /* anon rows shifted into the slot of another age: no swap, inc_min_seq moved nothing */
	ARTEFACT_REPARENTED = 2,  /* pages of a removed child joined (7.1) */
	ARTEFACT_SWITCHED = 4,    /* MGLRU was switched on or off */
	ARTEFACT_ID_REUSED = 8,   /* another memcg under the same id, or a new one under the same path */
	ARTEFACT_HISTORY_LOST = 16, /* four or more generations passed */
	ARTEFACT_TORN = 32,       /* rows of the reading do not fit each other */
};

/*
 * First-order flows of one type in one lruvec. in, promoted … are pages; with n the sizes,
 *     sum(now) - sum(before) = in_young + in_old - evicted - gone + unexplained
 * holds for the values whenever all are known. Promotion and protection stay inside and do not appear in it.
 *
 * in, gone and evicted count every time a page comes or goes, so a page that comes back counts twice. Bounds hold for
 * readings of one instant; how far those of a sample lie apart is in its readings.
 */
struct type_flow {
	struct amount in_young;   /* faults, into the youngest (to 6.13) or second youngest */
	struct amount in_old;     /* page cache and what was put back, into an older one, mostly the oldest */
	struct amount promoted;   /* stand in the youngest of before or a younger one, and stood in an older one */
	struct amount protected;  /* from the oldest to the next: the kernel's count where lru_gen_full is read and the
				     oldest stood still (it leaves out dirty pages put off), else all of it, merges too */
	struct amount evicted;    /* out of the oldest: reclaimed */
	struct amount gone;       /* freed, unmapped, truncated, locked */
	struct amount unexplained;/* what is left; near 0 where the model fits */
	struct amount refaulted;  /* pages that came back; only from lru_gen_full */
	unsigned int artefacts;   /* enum artefact: then the flows are MISSING, and the rows only gauges. Where history is
				     lost, what lru_gen_full still bounds is kept: evicted, refaulted */
};

struct gen_step {
	uint64_t seq, age_ms;
	bool born, left;          /* opened in this step; no longer there (then age is the last known) */
	bool evicted;             /* below the windows of both types, with pages left or none: no longer the oldest */
	uint64_t before[TYPE_NR], now[TYPE_NR];  /* pages; 0 where the generation is not there */
};

struct lruvec_step {
	const struct lruvec *now, *before;  /* either may be NULL: removed, new */
	struct amount births;               /* generations opened */
	uint32_t ngens;
	struct gen_step *gens;              /* seq ascending: of both samples */
	struct type_flow flow[TYPE_NR];
	struct amount walked;               /* leaf entries looked at by page-table walks, lru_gen_full */
	struct amount walked_young;
};

/* Generations by place from the youngest, where several lruvecs are looked at as one. */
#define PLACE_NR 4

struct memcg_step {
	const char *path;
	const struct memcg *now;      /* NULL where its files were not read */
	uint64_t id;                  /* as in lruvec; UNKNOWN where it has none */
	bool dying, is_new, vanished; /* vanished: it was in the sample before and is no more */
	uint32_t copies;              /* dying ones of the same path beside it */
	uint32_t nlruvecs;
	struct lruvec_step **lruvecs; /* its nodes */
	uint64_t pages[PLACE_NR][TYPE_NR];  /* [0] youngest; older than the fourth counts to the fourth */
	uint64_t lru_pages[TYPE_NR];        /* sums; UNKNOWN where MGLRU does not say */
	uint64_t oldest_age_ms[TYPE_NR];    /* of the oldest generation that holds pages; UNKNOWN where none */
	struct amount evicted;        /* pgsteal with children; where that is not read, of its lruvecs alone */
	struct amount refaulted;
	struct amount lost;           /* evicted less refaulted: what it really gave up; negative where it comes back */
	struct amount swapped_in, swapped_out, major_faults;
	struct amount stalled_us;     /* pressure "some" */
	struct amount oom_kills, max_hits, high_hits;  /* events */
};

/* --- zones and pagesets --- */

enum zone_level { ZONE_UNKNOWN, ZONE_EMPTY, ZONE_BELOW_MIN, ZONE_BELOW_LOW, ZONE_BELOW_HIGH, ZONE_ABOVE_HIGH };

const char *zone_level_name(enum zone_level level);

struct pageset_step {
	const struct pageset *now;
	struct amount change;     /* net */
	/*
	 * What left it, drained or taken by programs, and what came, refilled or freed by them: inferred from the net
	 * change, at least, up to what cannot be told.
	 */
	struct amount went, came;
	uint32_t fill_permille;   /* count of high; over 1000 where count is above */
};

struct zone_step {
	const struct zone *now;
	enum zone_level level;
	bool tiny;                /* too small for its share to mean much */
	uint64_t usable;          /* free less free CMA pages; UNKNOWN where free is */
	int64_t to_min, to_low, to_high;  /* usable less the watermark; 0 where unknown, see level */
	struct amount change;     /* of free */
	uint64_t pageset_pages;   /* in the pagesets of all CPUs */
	uint64_t stranded;        /* of them, while the zone is below low: free, and out of reach of the others */
	uint32_t npagesets;
	struct pageset_step *pagesets;
	uint64_t fragmented_permille[3];  /* free pages in blocks too small for order 3, 9, the largest; UNKNOWN */
};

/* --- the kernel's own events of pagesets --- */

/* Drains or refills of one size, on all CPUs. */
struct bulk_size {
	uint64_t pages;           /* that the kernel set out to move at once */
	uint64_t total;           /* times since the events were switched on */
	struct amount times;      /* in this step */
};

/* Each of two by enum bulk_way. MISSING, and no sizes, where they are not counted. */
struct events_step {
	bool counted;             /* the events are on; sizes may be missing all the same: see sample.events.sizes */
	struct amount times[BULK_NR], pages[BULK_NR];
	uint32_t nsizes[BULK_NR];
	struct bulk_size *sizes[BULK_NR];  /* ascending, each that ever was */
};

/* --- pressure and processes --- */

struct stall {
	struct amount some_us, full_us;  /* microseconds lost */
};

struct process_step {
	const struct process *now;
	struct amount cpu_ms;
	struct amount major_faults;
};

/* --- the whole --- */

enum step_state {
	STEP_OK,
	STEP_FIRST,   /* nothing before */
	STEP_RESET,   /* another boot, or a player that started again */
	STEP_GAP,     /* samples missing, or the machine slept: see why */
};

struct step {
	struct arena *arena;
	const struct sample *before, *now;  /* before NULL in a first step */
	int64_t dt_us;            /* 0 in a first step */
	enum step_state state;
	const char *why;          /* one constant sentence for RESET and GAP, "" else */

	struct amount *vm;        /* [VM_NR]: counters as counters, nr_* as gauges */
	struct reclaim reclaim;
	struct stall stall[PSI_NR];
	uint32_t nnodes;
	struct node_step *nodes;
	uint32_t nzones;
	struct zone_step *zones;
	struct events_step events;
	uint32_t nlruvecs;
	struct lruvec_step *lruvecs;
	bool rows_apart;          /* either sample's rows are an earlier one's (sample_rows_are_kept()): no flows of them */
	struct amount births;     /* of all lruvecs */
	struct type_flow flow[TYPE_NR];     /* sums over lruvecs, eviction measured where the kernel counts it */
	uint32_t nmemcgs;
	struct memcg_step *memcgs;          /* in the kernel's order; vanished ones last */
	uint32_t nprocesses;
	struct process_step *processes;
};

/*
 * Reckon out->… from two samples; before may be NULL. out->arena must be set and is reset. Points into both samples, which
 * must outlive it.
 */
void step_make(const struct sample *before, const struct sample *now, struct step *out);

/*
 * The step of one lruvec, zone or memcg; NULL where there is none. Of several memcgs of one path it is the living one,
 * else the first.
 */
const struct memcg_step *step_memcg(const struct step *st, const char *path);
const struct lruvec_step *step_lruvec(const struct step *st, const char *path, uint64_t id, uint32_t node);

/*
 * The zone that has least room above its watermarks, tiny and empty ones apart; a tiny one only where no other is below
 * its high watermark, and it is. NULL where the zones are not known.
 */
const struct zone_step *step_pressed_zone(const struct step *st);

/*
 * What must stay free in a zone when an allocation that would prefer zone number preferred falls back on it: min, and its
 * protection against that zone. UNKNOWN where the kernel does not say.
 */
uint64_t zone_floor(const struct zone *z, uint32_t preferred);

/* Is this key of /proc/vmstat a value of now? Its amount is then a change. Else it only counts up. */
bool step_vm_is_gauge(uint32_t key);

/* The one line about where pages of a type are put by this kernel: 0 youngest, 1 second youngest (since 6.14). */
int step_fault_place(const struct machine *m);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.h - many steps in one: what report and compare share.
 *
 * One pass over the steps, in order. What it takes is bounded, however long they go on: lists end
 * at the limits below, and what found no place is counted.
 */
#ifndef RECLAIMTOP_SUMMARY_H
#define RECLAIMTOP_SUMMARY_H

#include "reclaimtop/diagnosis.h"
#include "reclaimtop/step.h"

#define SUMMARY_MEMCGS 4096
#define SUMMARY_ZONES 1024
#define SUMMARY_SESSIONS 256
#define SUMMARY_EPISODES 1024
#define SUMMARY_GAPS 64

/* An amount over many steps; in its unit. */
struct total {
	int64_t sum;      /* stays at the ends of what it can hold */
	int64_t us;       /* the time over which it was known */
	uint32_t steps;   /* in which it was known; 0: sum says nothing */
	uint8_t scopes;   /* bit by enum amount_scope: several where it was not always the same */
	bool inferred;    /* part of it was reckoned */
};

static inline bool total_known(const struct total *t)
{
	return t->steps > 0;
}

/* A second; NAN where it is not known or took no time. */
double total_rate(const struct total *t);

/* A value of now, sample by sample. */
struct gauge {
	double sum;       /* over n, for the mean */
	uint64_t min, max, last;
	uint32_t n;       /* samples in which it was known; 0: the others say nothing */
};

/* NAN where it is not known. */
double gauge_mean(const struct gauge *g);

/* A time in a recording. */
struct summary_time {
	uint32_t session;    /* from 0 */
	int64_t since_us;    /* the session's first sample */
	int64_t wall_us;     /* 0 where unknown */
};

/* The step in which most came. */
struct peak {
	double rate;         /* a second; below 0 where there was none */
	struct summary_time at;
};

struct session_total {
	uint32_t session;               /* its number: one without a sample that can be read has no row */
	const char *kernel, *boot_id;   /* NULL where unknown */
	int64_t wall_us;                /* of its first sample; 0 where unknown */
	int64_t first_us, last_us;      /* mono_us of its samples */
	uint64_t samples;
};

struct gap {
	struct summary_time end;
	int64_t dt_us;
	const char *why;     /* constant */
};

struct memcg_total {
	const char *path;
	bool dying;          /* its cgroup was removed, its pages remained */
	struct total evicted, refaulted, lost, swapped_in, swapped_out, major_faults, stalled_us,
		oom_kills, max_hits, high_hits;
	struct total births;         /* generations, in all its nodes */
	struct gauge current;        /* bytes */
};

struct zone_total {
	uint32_t node;
	const char *name;
	struct total went, came;           /* of all CPUs; at least, see struct pageset_step */
	struct gauge free, pagesets, stranded;  /* pages */
	int64_t level_us[ZONE_ABOVE_HIGH + 1];  /* time at each enum zone_level */
};

/*
 * A finding from when it was first said until it was last said. Short silences within do not end
 * it.
 */
struct episode {
	const char *rule;
	enum severity severity;      /* the worst */
	struct summary_time start, end;
	int64_t last_us;             /* mono_us of end */
	uint32_t steps;              /* in which it was said */
	char text[FINDING_TEXT];     /* as first said at its worst */
	char evidence[FINDING_TEXT];
};

struct reading_total {
	uint32_t ok, failed;         /* samples */
	int err;                     /* of the last that failed */
	uint64_t torn, skipped, vanished, cut;
};

struct stall_total {
	struct total some_us, full_us;
};

struct flow_total {
	struct total in_young, in_old, promoted, protected, evicted, gone;
};

struct summing;

struct summary {
	/* --- time --- */
	uint64_t samples;
	uint32_t nsessions, sessions_left_out;
	struct session_total *sessions;
	int64_t covered_us;          /* between samples that were compared, gaps too */
	int64_t gap_us;              /* of it */
	uint32_t ngaps, gaps_left_out;
	uint32_t resets;             /* steps to another boot or a start anew, within a session */
	struct gap *gaps;
	uint32_t page_size;
	struct reading_total readings[READ_NR];

	/* --- reclaim; pages where nothing else is said --- */
	struct total scanned_by[WHO_NR], stolen_by[WHO_NR];
	struct total scanned[TYPE_NR], stolen[TYPE_NR], scanned_all, stolen_all;
	struct total refaulted[TYPE_NR], refill;
	struct total swapped_in, swapped_out, zswapped_in, zswapped_out, demoted, promoted_nodes;
	struct total stalls, oom_kills, compact_stalls, slabs_scanned;   /* events */
	struct total kswapd_cpu_ms;          /* of all nodes */
	struct stall_total stall[PSI_NR];
	struct total vm[VM_NR];              /* counters, and changes of gauges */
	struct peak most_stolen, most_refaulted, most_stalls;
	struct peak most_stalled;            /* by memory: microseconds a second */
	uint32_t disagreements;      /* steps in which the sums by who and by what did not fit */

	/* --- gauges --- */
	struct gauge free, pageset_pages, stranded, dying, swap_used_kib;
	struct gauge vm_now[VM_NR];          /* of those that are gauges */
	int64_t level_us[ZONE_ABOVE_HIGH + 1];   /* of the most pressed zone */

	/* --- generations --- */
	struct total births, walked;
	struct flow_total flow[TYPE_NR];
	uint64_t closed;                     /* generations that were seen to end */

	/* --- by what they belong to --- */
	uint32_t nmemcgs;
	uint64_t memcgs_left_out;            /* rows that found no place, step by step */
	struct memcg_total *memcgs;
	uint32_t nzones;
	struct zone_total *zones;

	/* --- the diagnosis, where it was asked for, by start --- */
	uint32_t nepisodes, episodes_left_out;
	struct episode *episodes;

	struct summing *own;
};

/* NULL where it has no row. */
const struct session_total *summary_session(const struct summary *s, uint32_t session);

/* With diagnose the findings of each step are kept. Freed by summary_free(). */
struct summary *summary_new(bool diagnose);
void summary_free(struct summary *s);
void summary_clear(struct summary *s);

/*
 * Take in the step that leads to a sample, and that sample. session tells the parts of a recording
 * from each other; a step that leads from one to another must be a first one. Nothing of the step
 * is kept.
 */
void summary_add(struct summary *s, const struct step *st, uint32_t session);

/* A step that is not to count, but that the diagnosis of later ones looks back on. */
void summary_pass(struct summary *s, const struct step *st, uint32_t session);

/*
 * How long generations lived, in milliseconds: 0 the shortest, 500 the median, 1000 the longest.
 * Known to the interval between two samples, and the inner ones to one part in 256. UNKNOWN where
 * none was seen to end.
 */
uint64_t summary_lifetime_ms(const struct summary *s, unsigned int permille);

#endif

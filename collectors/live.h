/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.h - what the collectors share: one sample in the making, and what is remembered between
 * samples.
 *
 * On a running machine a sample must stay cheap: what hardly changes is read now and then, what
 * failed is not tried each time, what is long is read less often. In a captured tree a file costs
 * nothing and time stands still, so there everything is read with every sample. machine says which
 * of the two holds.
 */
#ifndef RECLAIMTOP_LIVE_H
#define RECLAIMTOP_LIVE_H

#include "reclaimtop/buf.h"
#include "reclaimtop/source.h"
#include "collectors/lru_gen_kept.h"
#include "collectors/parse.h"

#define LIVE_RARE_US 10000000  /* pause of what is read now and then, and of failures that stay */
#define LIVE_FULL_MOST 64      /* lruvecs up to which lru_gen_full is read as well: about 128 KiB */

/* Where a running machine's time is read. Tests put their own here. */
struct live_clock {
	int64_t (*mono_us)(void *arg);
	int64_t (*boot_us)(void *arg);
	int64_t (*wall_us)(void *arg);
	int64_t (*cpu_us)(void *arg);
	void *arg;
};

struct live_setup {
	struct kernfs *fs;         /* owned from live_new() on */
	int64_t interval_us;
	bool processes;            /* libproc2 may be asked */
	bool machine;
	struct live_clock clock;   /* used where machine is set */
};

/* What is remembered of one reading. */
struct live_past {
	struct reading last;       /* as it was last made */
	int64_t retry_us;          /* it failed in a way that stays: not to be tried before */
	int64_t due_us, pause_us;  /* for what is read now and then */
	int64_t cost_us;           /* the cheaper of the last two: one may be slow by chance */
	int64_t last_cost_us;
	uint64_t due_n;            /* sample in which it is due, where it is read less often */
	uint32_t every;
};

struct facts;
struct tracing;
struct zrams;
struct cgroups;
struct processes;

struct live {
	struct live_setup set;
	struct buf text;           /* the file that was read last */
	uint64_t n;                /* number of the next sample */
	int64_t now_us;            /* mono_us of the sample in the making */
	struct live_past past[READ_NR];
	struct lru_gen_kept kept;
	struct facts *facts;
	struct zrams *zrams;
	struct cgroups *cgroups;
	struct processes *processes;
	struct tracing *tracing;   /* NULL: nobody wants the kernel's events */
};

/* A sample in the making. */
struct ask {
	struct live *lv;
	const struct interest *interest;
	struct sample *s;
};

/*
 * Answer of a collector that did not read, since what it read before still holds: the reading is as
 * it was then.
 */
#define LIVE_AS_BEFORE 1

/* A collector: 0, LIVE_AS_BEFORE, or -errno with nothing put into the sample. */
typedef int collect_fn(struct ask *ask, struct reading *r);

struct live *live_new(const struct live_setup *setup);
void live_free(struct live *lv);

/* As struct source_ops.next(), without end. */
int live_sample(struct live *lv, const struct interest *interest, struct sample *out);

/* The clocks of this machine. */
struct live_clock live_clock_machine(void);

/* source_live() with everything chosen. */
struct source *live_source(const struct live_setup *setup);

/* The time now: in a tree that of the sample. */
int64_t live_now(const struct live *lv);

/*
 * Read one file into lv->text, count it in r, and give it as *t (which the next file overwrites).
 * 0, -ENODATA where it is empty, or kernfs_read()'s error.
 */
int live_text(struct live *lv, const char *path, unsigned int flags, struct reading *r,
	      struct text *t);

/* Has a file or folder gone away while it was looked at? */
bool live_is_gone(int err);

/* machine.c */
struct facts *facts_new(void);
void facts_free(struct facts *facts);
collect_fn machine_read, mglru_read;
/* The page size of a captured tree, as far as its own numbers tell. */
uint32_t machine_page_size(const struct sample *s);

/* zram.c */
struct zrams *zrams_new(void);
void zrams_free(struct zrams *z);
collect_fn zrams_read;

/* cgroup.c */
struct cgroups *cgroups_new(void);
void cgroups_free(struct cgroups *c);
collect_fn cgroup_read;
/* Mark the lruvecs whose cgroup is gone. */
void cgroup_mark_dying(struct ask *ask);

/* events_read.c */
collect_fn events_read;

/* processes.c */
struct processes *processes_new(void);
void processes_free(struct processes *p);
collect_fn processes_read;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - where samples come from: this machine, a captured tree or series, a recording, the simulator.
 *
 * Everything behind a source sees samples only and cannot tell the kinds apart.
 */
#ifndef RECLAIMTOP_SOURCE_H
#define RECLAIMTOP_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/kernfs.h"
#include "reclaimtop/sample.h"

/* What is looked at just now: the one message that goes from the screen to the sampler. Plain data, copied. */
#define INTEREST_MEMCGS 64
#define INTEREST_PATH 512

struct interest {
	bool pagetypes;   /* the migratetypes are on screen */
	bool tiers;       /* the tiers are on screen: read lru_gen_full however long it is */
	bool processes;   /* processes other than the kernel's reclaim threads are wanted */
	bool pagetypes_forced;  /* read pagetypeinfo on more than 64 CPUs too */
	/* Samples, by number, that are looked at closely, in columns of so many; 0: none are. */
	uint64_t look_from, look_to, look_each;
	uint32_t nmemcgs;
	char memcgs[INTEREST_MEMCGS][INTEREST_PATH];  /* escaped paths on screen; one that is too long is left out */
};

enum source_can {
	SOURCE_LIVE = 1,   /* samples of this instant: call next() when one is due */
	SOURCE_SEEK = 2,   /* seek() works */
};

struct source;

struct source_ops {
	/*
	 * 0 a sample, 1 the end, -errno. Fills all of out. Does not wait. out->arena is reset, or made where it is NULL;
	 * it is the caller's to free, and to hand in again.
	 */
	int (*next)(struct source *src, const struct interest *interest, struct sample *out);
	/* Make next() give the first sample not before t_us. NULL without SOURCE_SEEK. */
	int (*seek)(struct source *src, int64_t t_us);
	void (*close)(struct source *src);
};

struct source {
	const struct source_ops *ops;
	unsigned int can;     /* enum source_can */
	const char *label;    /* for the header line: "live", "tree 7.2-pressure, 15 samples", "demo" */
	void *ctx;
};

/*
 * The collectors over fs, one sample a call, stamped with the machine's clock or, for a tree, with its uptime.
 * Owns fs. Closed by source_close(). processes: whether libproc2 may be asked (only ever for the machine).
 */
struct source *source_live(struct kernfs *fs, int64_t interval_us, bool processes);

/*
 * A captured tree, or a numbered series of trees (dir holds no proc, but 00, 01, …: in numeric order), each one
 * sample. With loop it starts again after the last, the first then marked restart. NULL with *why set to one
 * constant sentence and errno.
 */
struct source *source_tree(const char *dir, bool loop, const char **why);

void source_close(struct source *src);

#endif

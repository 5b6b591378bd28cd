/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - the parsers: kernel text in, parts of a sample out.
 *
 * All are pure: no I/O, no clock, no state but what is passed. Each takes the text (not necessarily closed by NUL), the
 * sample to fill, from whose arena it takes memory, and the reading in which it counts what it did not understand
 * (skipped), dropped (torn) or found cut off (cut). What is unknown is skipped, what cannot be is refused, and one
 * bad field never hides the others. A value is written only where it was understood, so what is left out stays UNKNOWN.
 *
 * Return: 0, or -ENODATA where the text holds nothing of what was looked for (then nothing of the sample was changed).
 */
#ifndef RECLAIMTOP_PARSE_H
#define RECLAIMTOP_PARSE_H

#include "reclaimtop/sample.h"

struct text {
	const char *buf;
	size_t len;
};

/* sys/kernel/debug/lru_gen -> lruvecs. mm/vmscan.c lru_gen_seq_show(). */
int lru_gen_parse(struct text t, struct sample *s, struct reading *r);

/*
 * sys/kernel/debug/lru_gen_full -> min_seq and full of the lruvecs that lru_gen gave, paired by (memcg, path, node). Where
 * lru_gen was not read (lockdown) it also makes the lruvecs, their sizes included. lru_gen_seq_show_full().
 */
int lru_gen_full_parse(struct text t, struct sample *s, struct reading *r);

/*
 * Mark the lruvecs whose cgroup is gone: id 0 with a path, and of several with one path all but the living one, which is
 * the one whose id is its folder's inode where s->memcgs know it, else the last in the kernel's order.
 */
void lru_gen_mark_dying(struct sample *s);

/* sys/kernel/mm/lru_gen/enabled: "0x0007" or, long ago, "1". UNKNOWN where it is no number. */
uint64_t mglru_parse(struct text t);

/* One decimal number, blanks and a newline around it allowed, nothing else; "max" and 2^63 - 4096 and more: UNLIMITED. */
uint64_t number_parse(struct text t);

/* "0-3,8,10-11" -> how many: UNKNOWN where it is no list. sys/devices/system/{cpu,node}/online. */
uint64_t online_parse(struct text t);

/* Lines "name value" -> c, whose table must be set (counters_init()). Used by vmstat, memory.stat, memory.events, cgroup.stat. */
int counters_parse(struct text t, struct counters *c, struct arena *a, struct reading *r);

/* proc/vmstat: counters_parse(), and the per-zone names of kernels before 4.8 summed into pgsteal_kswapd and its like. */
int vmstat_parse(struct text t, struct sample *s, struct reading *r);

/* proc/meminfo: "Name:   value kB". */
int meminfo_parse(struct text t, struct sample *s, struct reading *r);

/* proc/zoneinfo -> nodes, zones. */
int zoneinfo_parse(struct text t, struct sample *s, struct reading *r);

int buddyinfo_parse(struct text t, struct sample *s, struct reading *r);
int pagetypeinfo_parse(struct text t, struct sample *s, struct reading *r);

/* proc/pressure/X and memory.pressure. Each line is optional on its own; a line is taken whole or not at all. */
int pressure_parse(struct text t, struct psi *psi, struct reading *r);

int swaps_parse(struct text t, struct sample *s, struct reading *r);

/* sys/block/zramN/mm_stat, of 7 to 9 numbers. */
int zram_parse(struct text t, struct zram *z, struct reading *r);

/* proc/uptime -> microseconds since boot; -1 where it is none. */
int64_t uptime_parse(struct text t);

/* proc/PID/cgroup or proc/self/cgroup: the path of the line "0::", escaped; NULL where there is none. */
const char *cgroup_path_parse(struct text t, struct arena *a);

/* proc/version or proc/sys/kernel/osrelease -> the release, NULL where there is none. */
const char *release_parse(struct text t, struct arena *a);

/* sys/kernel/security/lockdown: "none [integrity] confidentiality" -> "integrity". */
const char *lockdown_parse(struct text t, struct arena *a);

/*
 * proc/self/mountinfo -> mount point of the cgroup v2 hierarchy as a path for kernfs ("sys/fs/cgroup"), in *memory whether
 * this is the whole answer for memory: false where a v1 hierarchy has the memory controller. NULL where there is none.
 */
const char *cgroup_mount_parse(struct text t, struct arena *a, bool *memory);

#endif

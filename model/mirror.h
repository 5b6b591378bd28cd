/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mirror.h - numbers that stand in vmstat too: those of a node and of a zone under the same name, those of meminfo in KiB
 * and under another, some of them as sums (fs/proc/meminfo.c meminfo_proc_show()), and vmstat's own lists by zone, which are
 * those by node (include/linux/mm_inline.h __update_lru_size()). A line of changes need not repeat them.
 */
#ifndef MIRROR_H
#define MIRROR_H

#include "reclaimtop/sample.h"

struct mirror {
	const uint64_t *now;   /* vmstat, VM_NR values; NULL: nothing is mirrored */
	bool *moved;           /* which of them the line has, with a number, or has by what it mirrors */
	uint64_t page_size;
};

/* What a line of changes from one vmstat to the sample that is now will have. */
struct mirror mirror_between(const struct counters *was, const struct sample *now, struct arena *scratch);

/*
 * Number i of the table as vmstat has it; UNKNOWN where vmstat has it not, or where the line says nothing of it. hint is 0
 * before the first i.
 */
uint64_t mirror_value(const struct mirror *m, const struct keytab *tab, uint32_t i, uint32_t *hint);

/*
 * The line has vmstat's lists by zone as those by node where it does not say otherwise, and so it has those that were known:
 * they moved with the others.
 */
void mirror_lists(struct mirror *m, const uint64_t *was);

/* The list by node that number i of vmstat is; VM_NR: none. */
uint32_t mirror_list(uint32_t i);

#endif

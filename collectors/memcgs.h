/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memcgs.h - which memcgs matter: the few hundreds of bytes that decide what a sample costs.
 */
#ifndef RECLAIMTOP_MEMCGS_H
#define RECLAIMTOP_MEMCGS_H

#include "collectors/live.h"

#define MEMCGS_WALK 512  /* folders that are looked at in one sample where there is no lru_gen */

/* A memcg whose files are to be read. */
struct pick {
	const char *path;   /* escaped; in the sample's arena */
	uint32_t hash;
	bool gone;          /* it had no folder any more */
	uint64_t id;        /* inode of its folder, UNKNOWN before that was asked for */
};

/* Each path once, in the order in which they were added. All zero is empty. */
struct picks {
	struct arena *arena;
	struct pick *items;
	uint32_t n, max;
	uint32_t *slots;    /* by hash: 1 + index of an item, 0 free */
	uint32_t mask;
};

/* What is remembered of the choice between samples. */
struct choice {
	struct buf paths;     /* those of the last choice, each closed by NUL */
	uint32_t living;      /* how many memcgs there were to choose from */
	int64_t walk_us;      /* when the tree of cgroups is to be walked again */
	struct buf folder;    /* scratch */
};

void picks_init(struct picks *p, struct arena *a, uint32_t max);

/* NULL where it has no such path. */
struct pick *picks_find(const struct picks *p, const char *path);

/*
 * Into p, in order of preference: the memcgs on screen, the root, and those with the most pages by
 * lru_gen; where there is no lru_gen, those with the most memory in the tree of cgroups below root
 * (a path for kernfs). At most p->max.
 */
void memcgs_choose(struct ask *ask, struct choice *choice, const char *root, struct picks *p);

/* The folder of a memcg as a path for kernfs: root and the bytes behind the escaped path. */
void memcg_folder(struct buf *out, const char *root, const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernfs_tree.h - what a series of captured trees asks of kernfs beyond its contract.
 */
#ifndef RECLAIMTOP_KERNFS_TREE_H
#define RECLAIMTOP_KERNFS_TREE_H

#include "reclaimtop/kernfs.h"

/*
 * From now on tree shows the folder name of base (both from kernfs_tree()), without new memory. 0,
 * or -errno: then tree shows what it showed before.
 */
int kernfs_enter(struct kernfs *tree, struct kernfs *base, const char *name);

#endif

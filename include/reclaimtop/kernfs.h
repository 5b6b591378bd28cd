/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernfs.h - the kernel's files: of this machine, of a captured tree, or of anything that can print them.
 *
 * Paths are relative and without a leading slash: "proc/vmstat", "sys/kernel/debug/lru_gen". Collectors ask a
 * kernfs and never learn which kind it is. Every call returns 0 or a positive count, or -errno.
 */
#ifndef RECLAIMTOP_KERNFS_H
#define RECLAIMTOP_KERNFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

enum kernfs_flags {
	KERNFS_KEEP = 1, /* keep the descriptor open for the next read of the same path */
};

/* Called for each entry of a folder. Another value than 0 ends the listing and is returned. */
typedef int kernfs_entry_fn(void *arg, const char *name, bool is_dir);

struct kernfs_ops {
	int (*read)(void *ctx, const char *path, unsigned int flags, struct buf *buf);
	int (*list)(void *ctx, const char *path, kernfs_entry_fn *fn, void *arg);
	int (*ident)(void *ctx, const char *path, uint64_t *inode);
	void (*close)(void *ctx);
};

struct kernfs;

/* This machine's files. */
struct kernfs *kernfs_machine(void);

/* The files below dir, in place of "/". NULL with errno set where dir is no folder. */
struct kernfs *kernfs_tree(const char *dir);

/* Files that ops print; ctx is theirs and goes to ops->close(). */
struct kernfs *kernfs_custom(const struct kernfs_ops *ops, void *ctx);

void kernfs_close(struct kernfs *fs);

/* Is it the running machine? (There inodes mean something, and the clock is the machine's own.) */
bool kernfs_is_machine(const struct kernfs *fs);

/*
 * The whole file into buf, read until its end, from the start each time: debugfs and proc give at most a few
 * KiB a call. 0, or -errno (-ENOENT, -EACCES, -EPERM under lockdown, -EOPNOTSUPP for pressure that is off,
 * -ENODEV for a cgroup that went away while open). On failure buf->len is 0.
 */
int kernfs_read(struct kernfs *fs, const char *path, unsigned int flags, struct buf *buf);

/* Entries of a folder, "." and ".." left out, in no order. */
int kernfs_list(struct kernfs *fs, const char *path, kernfs_entry_fn *fn, void *arg);

/* The inode of a path: for a cgroup's folder, its id (on a 64-bit kernel; 7.0 and later print it in lru_gen). */
int kernfs_ident(struct kernfs *fs, const char *path, uint64_t *inode);

#endif

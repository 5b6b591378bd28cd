/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_fake.h - a machine made of texts: files that say what a test wants, fail as it wants, and a clock that
 * moves when the test moves it.
 */
#ifndef RECLAIMTOP_SUPPORT_FAKE_H
#define RECLAIMTOP_SUPPORT_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collectors/live.h"

struct fake;

struct fake *fake_new(void);
void fake_free(struct fake *f);

/* A kernfs over f, which must outlive it. */
struct kernfs *fake_kernfs(struct fake *f);

/* A live source over f by the rules of a running machine and f's clock. */
struct source *fake_live(struct fake *f, int64_t interval_us);

/*
 * The files of a small machine: 2 CPUs, 1 node, 3 memcgs (/, /web with 300 pages on the lists, /db with 700), kernel
 * 7.2.13. What it says is in support_machine.c.
 */
void fake_machine(struct fake *f);

void fake_set(struct fake *f, const char *path, const char *text);
/* From now on each reading of path fails with err; 0: it says its text again. A folder fails for all that is below it. */
void fake_fail(struct fake *f, const char *path, int err);
/* Fail only the next n readings. */
void fake_fail_times(struct fake *f, const char *path, int err, unsigned int n);
/* Away with a file, or a folder and all below it. */
void fake_remove(struct fake *f, const char *path);
/* Reading path moves the clock. */
void fake_slow(struct fake *f, const char *path, int64_t us);
/* The inode of a folder; by default one that comes from its path. */
void fake_inode(struct fake *f, const char *path, uint64_t inode);

/* How often was it read, and how often was any file that ends in tail? */
unsigned int fake_reads(const struct fake *f, const char *path);
unsigned int fake_reads_ending(const struct fake *f, const char *tail);
unsigned int fake_idents(const struct fake *f);
unsigned int fake_lists(const struct fake *f);

void fake_pass(struct fake *f, int64_t us);
int64_t fake_now(const struct fake *f);

/* The text of a file on disk, closed by NUL; freed by the caller. Fails the test where there is none. */
char *fake_load(const char *path, size_t *len);

/* A folder of the test's own, removed by fake_tempdir_remove(). */
char *fake_tempdir(void);
void fake_tempdir_remove(char *dir);
/* Write a file below dir, and the folders that lead to it. */
void fake_write(const char *dir, const char *path, const char *text);

#endif

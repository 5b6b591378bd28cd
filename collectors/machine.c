/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.c - what the machine is: its kernel, its size, and the knobs that matter to reclaim.
 */
#include "collectors/live.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TREE_HZ 100
#define TREE_PAGE_SIZE 4096

/* What was found last. The strings of m point into the arrays, empty where unknown. */
struct facts {
	struct machine m;
	char kernel[128], boot_id[64], lockdown[32];
};

typedef uint64_t value_fn(struct text t);

struct fact {
	const char *path;
	size_t offset;      /* of an uint64_t in struct machine */
	value_fn *value;
};

static const struct fact numbers[] = {
	{ "proc/sys/vm/swappiness", offsetof(struct machine, swappiness), number_parse },
	{ "proc/sys/vm/watermark_scale_factor", offsetof(struct machine, watermark_scale_factor),
	  number_parse },
	{ "proc/sys/vm/min_free_kbytes", offsetof(struct machine, min_free_kbytes), number_parse },
	{ "proc/sys/vm/percpu_pagelist_high_fraction", offsetof(struct machine, pcp_high_fraction),
	  number_parse },
	{ "sys/devices/system/cpu/online", offsetof(struct machine, cpus), online_parse },
	{ "sys/devices/system/node/online", offsetof(struct machine, nodes), online_parse },
};

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static uint64_t *number_at(struct machine *m, size_t i)
{
	return (uint64_t *)(void *)((char *)m + numbers[i].offset);
}

struct facts *facts_new(void)
{
	struct facts *f = mem_alloc(sizeof(*f));

	*f = (struct facts){ 0 };
	return f;
}

void facts_free(struct facts *facts)
{
	free(facts);
}

/* Each number is optional on its own. Where there is none at all: the first error. */
static int read_numbers(struct ask *ask, struct facts *f, struct reading *r)
{
	int err = 0, found = 0;

	for (size_t i = 0; i < NUMBERS; i++) {
		struct text t;
		int e = live_text(ask->lv, numbers[i].path, 0, r, &t);

		*number_at(&f->m, i) = e ? UNKNOWN : numbers[i].value(t);
		found += !e;
		err = err ? err : e;
	}
	return found ? 0 : err;
}

/* One line of a file, without the blanks around it. */
static void read_line(struct ask *ask, const char *path, struct reading *r, char *out, size_t size)
{
	struct text t;

	out[0] = '\0';
	if (live_text(ask->lv, path, 0, r, &t))
		return;
	while (t.len && (unsigned char)t.buf[t.len - 1] <= ' ')
		t.len--;
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)t.buf[i] <= ' ' || (unsigned char)t.buf[i] > '~')
			return;
	snprintf(out, size, "%.*s", (int)(t.len < size ? t.len : size - 1), t.buf);
}

/* Of a text that a parser reads: "" where there is none. */
static void read_word(struct ask *ask, const char *path, struct reading *r,
		      const char *(*parse)(struct text, struct arena *), char out[static 32])
{
	const char *word = NULL;
	struct text t;

	if (!live_text(ask->lv, path, 0, r, &t))
		word = parse(t, ask->s->arena);
	snprintf(out, 32, "%s", word ? word : "");
}

static void read_kernel(struct ask *ask, struct facts *f, struct reading *r)
{
	static const char *const paths[] = { "proc/sys/kernel/osrelease", "proc/version" };
	const char *release = NULL;
	struct text t;

	for (size_t i = 0; !release && i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!live_text(ask->lv, paths[i], 0, r, &t))
			release = release_parse(t, ask->s->arena);
	snprintf(f->kernel, sizeof(f->kernel), "%s", release ? release : "");
	f->m.version = kernel_version(f->kernel);
}

static const char *known(struct arena *a, const char *s)
{
	return *s ? arena_str(a, s) : NULL;
}

/* Into the sample, which keeps no pointer to what is ours. */
static void give(struct facts *f, struct sample *s)
{
	struct machine *m = &s->machine;

	m->kernel = known(s->arena, f->kernel);
	m->boot_id = known(s->arena, f->boot_id);
	m->lockdown = known(s->arena, f->lockdown);
	m->version = f->m.version;
	for (size_t i = 0; i < NUMBERS; i++)
		*number_at(m, i) = *number_at(&f->m, i);
}

/*
 * The facts that a machine has been started with, and knobs that somebody turns once a year: read
 * now and then on the running machine, with every sample of a tree.
 */
int machine_read(struct ask *ask, struct reading *r)
{
	struct live *lv = ask->lv;
	struct live_past *past = &lv->past[READ_SYSCTL];
	struct machine *m = &ask->s->machine;
	bool again = lv->set.machine && lv->now_us < past->due_us;
	struct facts *f = lv->facts;
	int err = 0;

	m->page_size = lv->set.machine ? (uint32_t)sysconf(_SC_PAGESIZE) : TREE_PAGE_SIZE;
	m->hz = lv->set.machine ? (uint32_t)sysconf(_SC_CLK_TCK) : TREE_HZ;
	if (!again) {
		err = read_numbers(ask, f, r);
		read_kernel(ask, f, r);
		read_line(ask, "proc/sys/kernel/random/boot_id", r, f->boot_id, sizeof(f->boot_id));
		read_word(ask, "sys/kernel/security/lockdown", r, lockdown_parse, f->lockdown);
		past->due_us = lv->now_us + LIVE_RARE_US;
	}
	give(f, ask->s);
	return again ? LIVE_AS_BEFORE : err;
}

static int any_entry(void *arg, const char *name, bool is_dir)
{
	(void)arg;
	(void)name;
	(void)is_dir;
	return 1;
}

/* Neighbours without it tell how the kernel was built; no folder, or an empty one, tells nothing. */
static int why_no_mglru(struct ask *ask, int err)
{
	if (err == -ENOENT && kernfs_list(ask->lv->set.fs, "sys/kernel/mm", any_entry, NULL) <= 0)
		return -ENODEV;
	return err;
}

int mglru_read(struct ask *ask, struct reading *r)
{
	struct machine *m = &ask->s->machine;
	struct text t;
	int err = live_text(ask->lv, "sys/kernel/mm/lru_gen/enabled", KERNFS_KEEP, r, &t);

	if (err)
		return why_no_mglru(ask, err);
	m->mglru = mglru_parse(t);
	if (m->mglru == UNKNOWN)
		return -ENODATA;
	if (!live_text(ask->lv, "sys/kernel/mm/lru_gen/min_ttl_ms", KERNFS_KEEP, r, &t))
		m->min_ttl_ms = number_parse(t);
	return 0;
}

/*
 * No file of a tree names it, but all memory that the zones manage stands in pages in zoneinfo and
 * in KiB in meminfo. (Free memory stands in two files as well, and changes between the reading of
 * one and of the other.)
 */
uint32_t machine_page_size(const struct sample *s)
{
	uint64_t kib = counters_get(&s->meminfo, MEM_MemTotal), pages = 0;

	for (uint32_t i = 0; i < s->nzones; i++)
		if (s->zones[i].managed != UNKNOWN)
			pages += s->zones[i].managed;
	if (kib == UNKNOWN || pages > UINT64_MAX / 1024)
		return TREE_PAGE_SIZE;
	for (uint64_t size = 4; size <= 64; size *= 2) {
		uint64_t all = pages * size;

		if (size != 32 && all && all * 9 / 10 <= kib && kib <= all * 11 / 10)
			return (uint32_t)size * 1024;
	}
	return TREE_PAGE_SIZE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zram.c - the zram devices: sys/block/zramN/mm_stat.
 */
#include "collectors/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZRAMS_MOST 256

/* The devices that there were when sys/block was last listed, by number. */
struct zrams {
	uint32_t n;
	uint32_t numbers[ZRAMS_MOST];
};

struct zrams *zrams_new(void)
{
	struct zrams *z = mem_alloc(sizeof(*z));

	*z = (struct zrams){ 0 };
	return z;
}

void zrams_free(struct zrams *z)
{
	free(z);
}

static int note_zram(void *arg, const char *name, bool is_dir)
{
	struct zrams *z = arg;
	uint32_t number = 0, at;
	const char *p = name;

	if (!is_dir || strncmp(name, "zram", 4) || !name[4] || z->n == ZRAMS_MOST)
		return 0;
	for (p += 4; *p; p++) {
		if (*p < '0' || *p > '9' || number > UINT32_MAX / 10 - 1)
			return 0;
		number = number * 10 + (uint32_t)(*p - '0');
	}
	for (at = z->n++; at && z->numbers[at - 1] > number; at--)
		z->numbers[at] = z->numbers[at - 1];
	z->numbers[at] = number;
	return 0;
}

static void init_zram(struct zram *z, const char *name)
{
	*z = (struct zram){
		.name = name, .orig_data = UNKNOWN, .compr_data = UNKNOWN, .mem_used = UNKNOWN,
		.mem_limit = UNKNOWN, .mem_used_max = UNKNOWN, .same_pages = UNKNOWN,
		.pages_compacted = UNKNOWN, .huge_pages = UNKNOWN, .huge_pages_since = UNKNOWN,
	};
}

/* 0, or the error of a device that is there but cannot be read. */
static int read_zram(struct ask *ask, struct reading *r, uint32_t number, struct arena_list *list)
{
	char name[24], path[64];
	struct zram z;
	struct text t;
	int err;

	snprintf(name, sizeof(name), "zram%" PRIu32, number);
	snprintf(path, sizeof(path), "sys/block/%s/mm_stat", name);
	err = live_text(ask->lv, path, KERNFS_KEEP, r, &t);
	if (!err) {
		init_zram(&z, arena_str(ask->s->arena, name));
		err = zram_parse(t, &z, r);
	}
	if (!err)
		*(struct zram *)arena_push(ask->s->arena, list, sizeof(z)) = z;
	if (live_is_gone(err))
		r->vanished++;
	return live_is_gone(err) ? 0 : err;
}

/* A machine without zram is no failure: there is nothing to read, and that is the answer. */
int zrams_read(struct ask *ask, struct reading *r)
{
	struct live *lv = ask->lv;
	struct live_past *past = &lv->past[READ_ZRAM];
	struct zrams *z = lv->zrams;
	struct arena_list list = { 0 };
	int err = 0;

	if (!lv->set.machine || lv->now_us >= past->due_us) {
		z->n = 0;
		err = kernfs_list(lv->set.fs, "sys/block", note_zram, z);
		if (err)
			return err;
		past->due_us = lv->now_us + LIVE_RARE_US;
	}
	for (uint32_t i = 0; i < z->n; i++) {
		int e = read_zram(ask, r, z->numbers[i], &list);

		err = err ? err : e;
	}
	if (!list.n && err)
		return err;
	ask->s->zrams = list.items;
	ask->s->nzrams = list.n;
	return 0;
}

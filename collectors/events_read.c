/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events_read.c - whether the kernel's events of pagesets can be had, and what their histograms say.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live.h"
#include "scan.h"
#include "tracing.h"

/*
 * Blocks by what each page's event says, and the sizes of bulks by the argument of the function that moves them: an
 * event a page would cost more than what it watches, and would not say where a bulk ends. Sizes are of the kernel's
 * tables; what has no room in one is counted as dropped.
 */
const struct tracing_hist tracing_hists[TRACING_HISTS] = {
	{ BULK_DRAIN, false, "kmem", "mm_page_pcpu_drain",
	  "hist:keys=common_cpu,order,migratetype:size=2048", NULL, NULL,
	  { 3, { "common_cpu", "order", "migratetype" } } },
	{ BULK_REFILL, false, "kmem", "mm_page_alloc_zone_locked",
	  "hist:keys=common_cpu,order,migratetype:size=2048 if percpu_refill != 0", NULL, NULL,
	  { 3, { "common_cpu", "order", "migratetype" } } },
	{ BULK_DRAIN, true, TRACING_NAME, "drain", "hist:keys=common_cpu,count:size=4096",
	  "free_pcppages_bulk", "count=$arg2:s32", { 2, { "common_cpu", "count" } } },
	{ BULK_REFILL, true, TRACING_NAME, "refill", "hist:keys=common_cpu,order,count:size=4096",
	  "rmqueue_bulk", "order=$arg2:u32 count=$arg3:u64", { 3, { "common_cpu", "order", "count" } } },
};

/* ---- can they be had? ---- */

struct events_why tracing_why(int err)
{
	static const struct {
		int err;
		const char *todo;
	} todos[] = {
		{ EACCES, "run it as root: sudo reclaimtop --events" },
		{ EPERM, "start the kernel with a lockdown less than confidentiality" },
		{ ENOENT, "mount -t tracefs tracefs /sys/kernel/tracing" },
		{ ENODEV, "take a kernel with CONFIG_HIST_TRIGGERS=y" },
		{ EBUSY, "stop that one, or look whether somebody uses its instance of tracefs" },
		{ EXDEV, "leave out --root" },
	};
	struct events_why why = { err, err ? reading_why(READ_EVENTS, err) : "", NULL };

	for (size_t i = 0; i < sizeof(todos) / sizeof(todos[0]); i++)
		if (todos[i].err == err)
			why.todo = todos[i].todo;
	return why;
}

bool tracing_has_function(struct kernfs *fs, const char *name)
{
	struct buf all = { 0 };
	struct scan text, line;
	struct text address, type, symbol;
	bool found = false;

	if (!kernfs_read(fs, "proc/kallsyms", 0, &all)) {
		text = scan_text((struct text){ all.data, all.len });
		while (!found && scan_line(&text, &line, NULL))
			found = scan_word(&line, &address) && scan_word(&line, &type) &&
				scan_word(&line, &symbol) && text_is(symbol, name);
	}
	buf_fini(&all);
	return found;
}

static int any(void *arg, const char *name, bool is_dir)
{
	(void)arg;
	(void)name;
	(void)is_dir;
	return 1;
}

static bool is_confidential(struct kernfs *fs)
{
	struct buf mode = { 0 };
	bool is = !kernfs_read(fs, "sys/kernel/security/lockdown", 0, &mode) && mode.len &&
		  memmem(mode.data, mode.len, "[confidentiality]", 17);

	buf_fini(&mode);
	return is;
}

static int look(struct kernfs *fs)
{
	struct buf text = { 0 };
	int found, err;

	if (!kernfs_is_machine(fs))
		return EXDEV;
	found = kernfs_list(fs, TRACING_ROOT, any, NULL);
	if (found == -EACCES || (found > 0 && geteuid() != 0))
		return EACCES;
	if (is_confidential(fs) || found == -EPERM)
		return EPERM;
	if (found <= 0)
		return geteuid() ? EACCES : ENOENT;
	err = kernfs_read(fs, TRACING_ROOT "/events/kmem/mm_page_pcpu_drain/hist", 0, &text);
	buf_fini(&text);
	return err == -ENOENT ? ENODEV : err == -EPERM ? EPERM : 0;
}

struct events_why events_look(struct kernfs *fs)
{
	return tracing_why(look(fs));
}

void events_sizes(struct kernfs *fs, enum sizes_state sizes[BULK_NR])
{
	struct buf text = { 0 };
	bool probes = kernfs_read(fs, TRACING_ROOT "/kprobe_events", 0, &text) != -ENOENT;

	for (int i = 0; i < TRACING_HISTS; i++) {
		const struct tracing_hist *h = &tracing_hists[i];

		if (h->function)
			sizes[h->way] = !probes					? SIZES_REFUSED
					: tracing_has_function(fs, h->function)	? SIZES_COUNTED
										: SIZES_NO_FUNCTION;
	}
	buf_fini(&text);
}

/* ---- what they say ---- */

static int by_keys(const void *a, const void *b)
{
	const struct hist_row *x = a, *y = b;

	for (int i = 0; i < HIST_KEYS; i++)
		if (x->keys[i] != y->keys[i])
			return x->keys[i] < y->keys[i] ? -1 : 1;
	return 0;
}

static void put_blocks(struct sample *s, const struct tracing_hist *h, const struct hist *hist)
{
	struct pcp_blocks *to = arena_alloc(s->arena, hist->n * sizeof(*to));

	for (uint32_t i = 0; i < hist->n; i++) {
		const struct hist_row *row = &hist->rows[i];

		to[i] = (struct pcp_blocks){ (uint32_t)row->keys[0], (uint32_t)row->keys[1],
					(uint32_t)row->keys[2], row->count };
	}
	s->events.blocks[h->way] = to;
	s->events.nblocks[h->way] = hist->n;
}

static void put_bulks(struct sample *s, const struct tracing_hist *h, const struct hist *hist)
{
	struct bulk *to = arena_alloc(s->arena, hist->n * sizeof(*to));

	for (uint32_t i = 0; i < hist->n; i++) {
		const struct hist_row *row = &hist->rows[i];
		bool ordered = h->keys.n == 3;

		to[i] = (struct bulk){ (uint32_t)row->keys[0], ordered ? (uint32_t)row->keys[1] : 0,
				       row->keys[ordered ? 2 : 1], row->count };
	}
	s->events.bulks[h->way] = to;
	s->events.nbulks[h->way] = hist->n;
}

static int read_hist(struct ask *ask, const struct tracing_hist *h, struct reading *r)
{
	struct sample *s = ask->s;
	char path[160];
	struct hist hist;
	struct text t;
	int err;

	snprintf(path, sizeof(path), TRACING_ROOT "/instances/" TRACING_NAME "/events/%s/%s/hist", h->system,
		 h->event);
	err = live_text(ask->lv, path, 0, r, &t);
	if (!err)
		err = events_hist_parse(t, &h->keys, s->arena, &hist, r);
	if (err)
		return err;
	if (hist.n)
		qsort(hist.rows, hist.n, sizeof(*hist.rows), by_keys);
	if (hist.dropped != UNKNOWN)
		s->events.dropped = (s->events.dropped == UNKNOWN ? 0 : s->events.dropped) + hist.dropped;
	if (h->sizes)
		put_bulks(s, h, &hist);
	else
		put_blocks(s, h, &hist);
	return 0;
}

/* All of it or nothing: half of the counts would look as if the other half stood still. */
int events_read(struct ask *ask, struct reading *r)
{
	const struct tracing *tr = ask->lv->tracing;
	struct events *ev = &ask->s->events;
	int err = -tr->why.err;

	for (int i = 0; i < TRACING_HISTS && !err; i++) {
		const struct tracing_hist *h = &tracing_hists[i];

		if (!h->sizes || tr->sizes[h->way] == SIZES_COUNTED)
			err = read_hist(ask, h, r);
	}
	if (err) {
		*ev = (struct events){ .dropped = UNKNOWN };
		return err == -ENOENT && !tr->why.err ? -ESTALE : err;
	}
	ev->since_us = tr->since_us;
	for (int way = 0; way < BULK_NR; way++)
		ev->sizes[way] = tr->sizes[way];
	return 0;
}

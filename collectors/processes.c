/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * processes.c - the kernel's reclaim threads, and the processes that hold or lose the most memory.
 * Through libproc2.
 *
 * A sweep reads one file (stat) of every process. It is made with every sample only while somebody
 * looks at the processes; else now and then, to find the kernel's threads, which are then asked by
 * their pids. What costs more (status, cgroup) is read for the few rows that are shown.
 */
#include "collectors/live.h"

#include <errno.h>
#include <inttypes.h>
#include <libproc2/pids.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/names.h"

#define TOP 16              /* rows for each of the three orders */
#define SLICE 64            /* processes a sample whose swap is asked for, in turn */
#define THREADS_MOST 255    /* what libproc2 takes at a time: enough for 127 nodes */
#define SWEEP_PAUSE_US 5000000
#define SWEEP_SHARE 100     /* a sweep that nobody looks at takes at most this part of the time */
#define KERNEL_THREAD 0x00200000u  /* PF_KTHREAD: a name alone proves nothing */

/* What is asked of libproc2, and in which order its answer comes. */
enum item {
	ITEM_PID, ITEM_NAME, ITEM_STATE, ITEM_FLAGS, ITEM_RSS, ITEM_MAJOR, ITEM_MINOR, ITEM_TICKS,
	ITEM_START, ITEM_NR
};

struct task {
	uint32_t pid;
	bool row;                        /* to be shown */
	bool asked;                      /* its swap was read for this sample */
	enum process_kind kind;
	uint64_t start_ticks, rss_kib;
	uint64_t major, new_major;       /* faults in all, and since the sweep before */
	uint64_t swap_kib;               /* as it was last read; UNKNOWN before */
	const struct pids_result *from;  /* libproc2's, until it is asked again */
};

/* By pid, ascending. Memory is kept. */
struct tasks {
	struct task *items;
	uint32_t n, cap;
};

struct processes {
	struct pids_info *info;          /* NULL before it is first asked for */
	struct tasks now, before;
	uint32_t next_pid;               /* where the next slice begins */
	unsigned int threads[THREADS_MOST];
	uint32_t nthreads;
	int64_t sweep_us;                /* when the next sweep is due */
};

struct processes *processes_new(void)
{
	struct processes *p = mem_alloc(sizeof(*p));

	*p = (struct processes){ 0 };
	return p;
}

void processes_free(struct processes *p)
{
	if (p->info)
		procps_pids_unref(&p->info);
	free(p->now.items);
	free(p->before.items);
	free(p);
}

static int open_library(struct processes *p)
{
	enum pids_item items[ITEM_NR] = {
		[ITEM_PID] = PIDS_ID_PID, [ITEM_NAME] = PIDS_CMD, [ITEM_STATE] = PIDS_STATE,
		[ITEM_FLAGS] = PIDS_FLAGS, [ITEM_RSS] = PIDS_RSS, [ITEM_MAJOR] = PIDS_FLT_MAJ,
		[ITEM_MINOR] = PIDS_FLT_MIN, [ITEM_TICKS] = PIDS_TICS_ALL,
		[ITEM_START] = PIDS_TICS_BEGAN,
	};

	return p->info ? 0 : procps_pids_new(&p->info, items, ITEM_NR);
}

/* ---- tasks ---- */

/*
 * Is it the name of one of the kernel's reclaim threads? *node is UNKNOWN where the name has no
 * number.
 */
static enum process_kind kind_of(const char *name, uint64_t *node)
{
	static const struct {
		const char *name;
		enum process_kind kind;
		bool numbered;
	} kinds[] = {
		{ "kswapd", PROCESS_KSWAPD, true },
		{ "kcompactd", PROCESS_KCOMPACTD, true },
		{ "khugepaged", PROCESS_KHUGEPAGED, false },
	};

	*node = UNKNOWN;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i].name);
		struct text number = { name + len, 0 };

		if (strncmp(name, kinds[i].name, len))
			continue;
		number.len = strlen(number.buf);
		if (kinds[i].numbered)
			*node = number_parse(number);
		if (kinds[i].numbered ? *node != UNKNOWN : !number.len)
			return kinds[i].kind;
	}
	return PROCESS_USER;
}

static struct task task_from(const struct pids_result *from, uint64_t page_kib)
{
	uint64_t node;

	return (struct task){
		.pid = (uint32_t)from[ITEM_PID].result.s_int,
		.kind = from[ITEM_FLAGS].result.ul_int & KERNEL_THREAD
				? kind_of(from[ITEM_NAME].result.str, &node) : PROCESS_USER,
		.start_ticks = from[ITEM_START].result.ull_int,
		.rss_kib = from[ITEM_RSS].result.ul_int * page_kib,
		.major = from[ITEM_MAJOR].result.ul_int,
		.swap_kib = UNKNOWN,
		.from = from,
	};
}

static void tasks_reserve(struct tasks *t, uint32_t n)
{
	if (n <= t->cap)
		return;
	t->cap = n + n / 4 + 64;
	t->items = mem_grow(t->items, t->cap * sizeof(*t->items));
}

/* The folder proc is listed by pid already, nearly always. */
static void tasks_sort(struct tasks *t)
{
	for (uint32_t i = 1; i < t->n; i++) {
		struct task task = t->items[i];
		uint32_t at = i;

		for (; at && t->items[at - 1].pid > task.pid; at--)
			t->items[at] = t->items[at - 1];
		t->items[at] = task;
	}
}

/*
 * What is known from the sweep before. A pid is used again: only with its start it names a process.
 */
static void tasks_inherit(struct tasks *now, const struct tasks *before)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < now->n; i++) {
		struct task *t = &now->items[i];
		const struct task *old;

		while (at < before->n && before->items[at].pid < t->pid)
			at++;
		if (at == before->n)
			break;
		old = &before->items[at];
		if (old->pid != t->pid || old->start_ticks != t->start_ticks)
			continue;
		t->swap_kib = old->swap_kib;
		t->new_major = t->major > old->major ? t->major - old->major : 0;
	}
}

/* All processes into p->now. */
static int sweep(struct processes *p, uint64_t page_kib)
{
	struct pids_fetch *found;
	struct tasks spare = p->before;

	errno = 0;
	found = procps_pids_reap(p->info, PIDS_FETCH_TASKS_ONLY);
	if (!found)
		return errno ? -errno : -EIO;
	p->before = p->now;
	p->now = spare;
	tasks_reserve(&p->now, (uint32_t)found->counts->total);
	p->now.n = 0;
	for (int i = 0; i < found->counts->total; i++)
		p->now.items[p->now.n++] = task_from(found->stacks[i]->head, page_kib);
	tasks_sort(&p->now);
	tasks_inherit(&p->now, &p->before);
	p->nthreads = 0;
	for (uint32_t i = 0; i < p->now.n && p->nthreads < THREADS_MOST; i++)
		if (p->now.items[i].kind != PROCESS_USER)
			p->threads[p->nthreads++] = p->now.items[i].pid;
	return 0;
}

/* ---- swap ---- */

/*
 * VmSwap of proc/PID/status, UNKNOWN where it has none (a kernel thread, a zombie) or cannot be
 * read.
 */
static uint64_t read_swap(struct ask *ask, struct reading *r, uint32_t pid)
{
	static const char key[] = "\nVmSwap:";
	struct text t, value;
	const char *at, *end;
	char path[48];
	int err;

	snprintf(path, sizeof(path), "proc/%" PRIu32 "/status", pid);
	err = live_text(ask->lv, path, 0, r, &t);
	if (live_is_gone(err) || err == -ESRCH)
		r->vanished++;
	at = err ? NULL : memmem(t.buf, t.len, key, sizeof(key) - 1);
	if (!at)
		return UNKNOWN;
	value.buf = at + sizeof(key) - 1;
	end = memmem(value.buf, (size_t)(t.buf + t.len - value.buf), " kB", 3);
	value.len = end ? (size_t)(end - value.buf) : 0;
	return number_parse(value);
}

static void ask_swap(struct ask *ask, struct reading *r, struct task *t)
{
	if (t->asked)
		return;
	t->asked = true;
	t->swap_kib = read_swap(ask, r, t->pid);
}

static bool swap_is_used(const struct sample *s)
{
	uint64_t total = counters_get(&s->meminfo, MEM_SwapTotal);

	return total == UNKNOWN || total != counters_get(&s->meminfo, MEM_SwapFree);
}

/*
 * A few processes more with each sample: in time the swap of all is known, and the largest are
 * found.
 */
static void ask_slice(struct ask *ask, struct reading *r, struct processes *p)
{
	uint32_t first = 0;

	if (!swap_is_used(ask->s))
		return;
	while (first < p->now.n && p->now.items[first].pid < p->next_pid)
		first++;
	for (uint32_t i = 0; i < SLICE && i < p->now.n; i++) {
		struct task *t = &p->now.items[(first + i) % p->now.n];

		ask_swap(ask, r, t);
		p->next_pid = t->pid + 1;
	}
}

/* ---- the rows ---- */

static uint64_t by_rss(const struct task *t)
{
	return t->rss_kib;
}

static uint64_t by_swap(const struct task *t)
{
	return t->swap_kib == UNKNOWN ? 0 : t->swap_kib;
}

static uint64_t by_new_major(const struct task *t)
{
	return t->new_major;
}

/* Mark the tasks with the largest keys; those with 0 have no place among them. */
static void mark_top(struct tasks *tasks, uint64_t (*key)(const struct task *))
{
	struct task *top[TOP + 1];
	uint32_t n = 0;

	for (uint32_t i = 0; i < tasks->n; i++) {
		struct task *t = &tasks->items[i];
		uint32_t at;

		if (!key(t) || (n == TOP && key(t) <= key(top[n - 1])))
			continue;
		for (at = n; at && key(top[at - 1]) < key(t); at--)
			top[at] = top[at - 1];
		top[at] = t;
		n += n < TOP;
	}
	for (uint32_t i = 0; i < n; i++)
		top[i]->row = true;
}

static const char *read_memcg(struct ask *ask, struct reading *r, uint32_t pid)
{
	char path[48];
	struct text t;

	snprintf(path, sizeof(path), "proc/%" PRIu32 "/cgroup", pid);
	if (!ask->s->machine.memcg_v2 || live_text(ask->lv, path, 0, r, &t))
		return NULL;
	return cgroup_path_parse(t, ask->s->arena);
}

static void add_row(struct ask *ask, struct reading *r, struct task *t, struct arena_list *list)
{
	const struct pids_result *from = t->from;
	const char *name = from[ITEM_NAME].result.str;
	struct process *row = arena_push(ask->s->arena, list, sizeof(*row));
	bool user = t->kind == PROCESS_USER;

	*row = (struct process){
		.pid = t->pid,
		.kind = t->kind,
		.start_ticks = t->start_ticks,
		.name = name_escape(ask->s->arena, name, strlen(name)),
		.memcg = user ? read_memcg(ask, r, t->pid) : NULL,
		.state = from[ITEM_STATE].result.s_ch,
		.cpu_ticks = from[ITEM_TICKS].result.ull_int,
		.rss_kib = t->rss_kib,
		.swap_kib = t->swap_kib,
		.major_faults = t->major,
		.minor_faults = from[ITEM_MINOR].result.ul_int,
	};
	kind_of(user ? "" : name, &row->node);
}

/* ---- the collector ---- */

/* A sweep for the screen: every process was seen, the top ones are shown. */
static void read_top(struct ask *ask, struct reading *r, struct processes *p,
		     struct arena_list *list)
{
	static uint64_t (*const orders[])(const struct task *) = { by_rss, by_swap, by_new_major };

	ask_slice(ask, r, p);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		mark_top(&p->now, orders[i]);
	for (uint32_t i = 0; i < p->now.n; i++) {
		struct task *t = &p->now.items[i];

		if (t->kind == PROCESS_USER && !t->row)
			continue;
		if (t->row)
			ask_swap(ask, r, t);
		add_row(ask, r, t, list);
	}
	ask->s->processes_seen = p->now.n;
}

/* The kernel's threads alone. */
static int read_threads(struct ask *ask, struct reading *r, struct processes *p,
			struct arena_list *list)
{
	struct pids_fetch *found;

	if (!p->nthreads)
		return 0;
	errno = 0;
	found = procps_pids_select(p->info, p->threads, (int)p->nthreads, PIDS_SELECT_PID);
	if (!found)
		return errno ? -errno : -EIO;
	for (int i = 0; i < found->counts->total; i++) {
		struct task t = task_from(found->stacks[i]->head, ask->s->machine.page_size / 1024);

		if (t.kind != PROCESS_USER)
			add_row(ask, r, &t, list);
	}
	return 0;
}

static int sweep_now(struct ask *ask, struct processes *p)
{
	int64_t start_us = live_now(ask->lv), pause_us;
	int err = sweep(p, ask->s->machine.page_size / 1024);

	pause_us = (live_now(ask->lv) - start_us) * SWEEP_SHARE;
	p->sweep_us = ask->lv->now_us + (pause_us > SWEEP_PAUSE_US ? pause_us : SWEEP_PAUSE_US);
	return err;
}

int processes_read(struct ask *ask, struct reading *r)
{
	struct processes *p = ask->lv->processes;
	struct arena_list list = { 0 };
	bool all = ask->interest->processes;
	int err = open_library(p);

	if (!err && (all || ask->lv->now_us >= p->sweep_us))
		err = sweep_now(ask, p);
	if (err)
		return err;
	if (all)
		read_top(ask, r, p, &list);
	else
		err = read_threads(ask, r, p, &list);
	if (err)
		return err;
	ask->s->processes = list.items;
	ask->s->nprocesses = list.n;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live.c - the table of collectors, and the sample that they fill in turn.
 */
#include "collectors/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/events.h"

#define PAGETYPES_SLOW_US 50000
#define PAGETYPES_PAUSE_MOST_US (64 * (int64_t)LIVE_RARE_US)
#define PAGETYPES_CPUS 64
#define EVERY_MOST 100
#define STAMP_TRIES 5
#define STAMP_APART_US 1000

typedef int parse_fn(struct text t, struct sample *s, struct reading *r);
/* Called after a reading was made: when is the next one due? */
typedef void after_fn(struct live *lv, struct live_past *past, const struct reading *r);

struct collector {
	enum reading_id id;
	bool (*wanted)(const struct ask *ask);  /* NULL: with every sample */
	const char *path;                       /* one file, for parse; or read */
	parse_fn *parse;
	collect_fn *read;
	after_fn *after;                        /* NULL: the next sample */
	bool paces_itself;                      /* called after every failure, too */
};

/* ---- what is wanted ---- */

static const struct live_past *past_of(const struct ask *ask, enum reading_id id)
{
	return &ask->lv->past[id];
}

static bool wants_lru_gen(const struct ask *ask)
{
	return ask->lv->n >= past_of(ask, READ_LRU_GEN)->due_n;
}

/*
 * Beside lru_gen where it is short or the tiers are looked at; in place of it where that cannot be
 * read.
 */
static bool wants_lru_gen_full(const struct ask *ask)
{
	const struct sample *s = ask->s;

	if (ask->lv->n < past_of(ask, READ_LRU_GEN_FULL)->due_n)
		return false;
	if (s->readings[READ_LRU_GEN].state == READING_FAILED)
		return true;
	if (s->readings[READ_LRU_GEN].state != READING_OK)
		return false;
	return !ask->lv->set.machine || s->nlruvecs <= LIVE_FULL_MOST || ask->interest->tiers;
}

static uint64_t count_cpus(const struct sample *s)
{
	uint64_t most = 0;

	if (s->machine.cpus != UNKNOWN)
		return s->machine.cpus;
	for (uint32_t i = 0; i < s->nzones; i++)
		if (s->zones[i].npagesets > most)
			most = s->zones[i].npagesets;
	return most ? most : UNKNOWN;
}

/*
 * The kernel walks every free list under the zone's lock for it: large machines have locked up over
 * it.
 */
static bool wants_pagetypeinfo(const struct ask *ask)
{
	if (!ask->interest->pagetypes)
		return false;
	if (!ask->lv->set.machine)
		return true;
	if (count_cpus(ask->s) > PAGETYPES_CPUS && !ask->interest->pagetypes_forced)
		return false;
	return ask->lv->now_us >= past_of(ask, READ_PAGETYPEINFO)->due_us;
}

static bool wants_events(const struct ask *ask)
{
	return ask->lv->tracing != NULL;
}

static bool wants_processes(const struct ask *ask)
{
	return ask->lv->set.processes;
}

/* ---- when it is due again ---- */

/* Not more than a tenth of the time is spent on a text that is long. */
static void thin_out(struct live *lv, struct live_past *past, const struct reading *r)
{
	int64_t cost_us = r->end_us - r->start_us;
	int64_t share_us = lv->set.interval_us / 10, every = 1;

	if (r->state != READING_OK)
		return;
	past->cost_us = cost_us < past->last_cost_us ? cost_us : past->last_cost_us;
	past->last_cost_us = cost_us;
	if (lv->set.machine && share_us > 0 && past->cost_us > share_us)
		every = (past->cost_us + share_us - 1) / share_us;
	past->every = every > EVERY_MOST ? EVERY_MOST : (uint32_t)every;
	past->due_n = lv->n + past->every;
}

static void pause_pagetypes(struct live *lv, struct live_past *past, const struct reading *r)
{
	bool slow = r->end_us - r->start_us > PAGETYPES_SLOW_US;

	if (!past->pause_us)
		past->pause_us = LIVE_RARE_US;
	if (slow && past->pause_us < PAGETYPES_PAUSE_MOST_US)
		past->pause_us *= 2;
	past->due_us = lv->now_us + past->pause_us;
}

/* ---- the table ---- */

static int psi_memory_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[PSI_MEMORY], r);
}

static int psi_io_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[PSI_IO], r);
}

static int psi_cpu_parse(struct text t, struct sample *s, struct reading *r)
{
	return pressure_parse(t, &s->psi[PSI_CPU], r);
}

/* In this order. What belongs together in time stands together. */
static const struct collector collectors[] = {
	{ READ_SYSCTL, .read = machine_read, .paces_itself = true },
	{ READ_MGLRU, .read = mglru_read },
	{ READ_LRU_GEN, wants_lru_gen, .path = "sys/kernel/debug/lru_gen", .parse = lru_gen_parse,
	  .after = thin_out },
	{ READ_LRU_GEN_FULL, wants_lru_gen_full, .path = "sys/kernel/debug/lru_gen_full",
	  .parse = lru_gen_full_parse, .after = thin_out },
	{ READ_VMSTAT, .path = "proc/vmstat", .parse = vmstat_parse },
	{ READ_ZONEINFO, .path = "proc/zoneinfo", .parse = zoneinfo_parse },
	{ READ_EVENTS, wants_events, .read = events_read },
	{ READ_BUDDYINFO, .path = "proc/buddyinfo", .parse = buddyinfo_parse },
	{ READ_PAGETYPEINFO, wants_pagetypeinfo, .path = "proc/pagetypeinfo",
	  .parse = pagetypeinfo_parse, .after = pause_pagetypes },
	{ READ_PSI_MEMORY, .path = "proc/pressure/memory", .parse = psi_memory_parse },
	{ READ_PSI_IO, .path = "proc/pressure/io", .parse = psi_io_parse },
	{ READ_PSI_CPU, .path = "proc/pressure/cpu", .parse = psi_cpu_parse },
	{ READ_MEMINFO, .path = "proc/meminfo", .parse = meminfo_parse },
	{ READ_SWAPS, .path = "proc/swaps", .parse = swaps_parse },
	{ READ_ZRAM, .read = zrams_read },
	{ READ_CGROUP, .read = cgroup_read },
	{ READ_PROCESSES, wants_processes, .read = processes_read },
};

/* ---- one reading ---- */

int64_t live_now(const struct live *lv)
{
	return lv->set.machine ? lv->set.clock.mono_us(lv->set.clock.arg) : lv->now_us;
}

bool live_is_gone(int err)
{
	return err == -ENOENT || err == -ENODEV;
}

int live_text(struct live *lv, const char *path, unsigned int flags, struct reading *r,
	      struct text *t)
{
	int err = kernfs_read(lv->set.fs, path, flags, &lv->text);

	if (err)
		return err;
	*t = (struct text){ lv->text.data, lv->text.len };
	r->bytes += t->len;
	if (!t->len)
		return -ENODATA;
	if (t->buf[t->len - 1] != '\n')
		r->cut = true;
	return 0;
}

static int read_file(struct ask *ask, const struct collector *c, struct reading *r)
{
	struct text t;
	int err = live_text(ask->lv, c->path, KERNFS_KEEP, r, &t);

	return err ? err : c->parse(t, ask->s, r);
}

/* Failures that stay until somebody does something about them. */
static bool stays(int err)
{
	static const int errs[] = { EACCES, EPERM, EOPNOTSUPP, ENOENT, ENODEV, ENOSYS };

	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++)
		if (err == errs[i])
			return true;
	return false;
}

static void remember(struct live *lv, const struct collector *c, const struct reading *r)
{
	struct live_past *past = &lv->past[c->id];

	past->last = *r;
	past->retry_us = 0;
	if (r->state == READING_FAILED && stays(r->err))
		past->retry_us = lv->now_us + LIVE_RARE_US;
	if (c->after)
		c->after(lv, past, r);
}

static void collect(struct ask *ask, const struct collector *c)
{
	struct reading *r = &ask->s->readings[c->id];
	struct live *lv = ask->lv;
	struct live_past *past = &lv->past[c->id];
	int err;

	if (c->wanted && !c->wanted(ask)) {
		r->every = past->every;
		return;
	}
	if (lv->set.machine && !c->paces_itself && lv->now_us < past->retry_us) {
		*r = past->last;
		return;
	}
	r->start_us = live_now(lv);
	err = c->read ? c->read(ask, r) : read_file(ask, c, r);
	if (err == LIVE_AS_BEFORE) {
		*r = past->last;
		return;
	}
	r->end_us = live_now(lv);
	r->state = err ? READING_FAILED : READING_OK;
	r->err = -err;
	remember(lv, c, r);
	r->every = past->every;
}

/* ---- one sample ---- */

/* A tree has no clock but its uptime; where it has none, no time passes. */
static void stamp_tree(struct live *lv, struct sample *s)
{
	struct reading r = { 0 };
	struct text t;
	int64_t uptime_us;

	if (!live_text(lv, "proc/uptime", 0, &r, &t)) {
		uptime_us = uptime_parse(t);
		if (uptime_us >= 0)
			lv->now_us = uptime_us;
	}
	s->mono_us = lv->now_us;
}

/*
 * The clocks are read one after another. Where the machine took the CPU away in between, which
 * would look like a sleep or a clock that was set, they are read again; what was read closest
 * together stands.
 */
static void stamp_machine(struct live *lv, struct sample *s)
{
	const struct live_clock *c = &lv->set.clock;
	int64_t apart_us = INT64_MAX;

	for (int i = 0; i < STAMP_TRIES && apart_us > STAMP_APART_US; i++) {
		int64_t mono = c->mono_us(c->arg), boot = c->boot_us(c->arg);
		int64_t wall = c->wall_us(c->arg), took = c->mono_us(c->arg) - mono;

		if (took >= apart_us)
			continue;
		apart_us = took;
		s->mono_us = lv->now_us = mono;
		s->slept_us = boot - mono;
		s->wall_us = wall;
	}
	s->interval_us = lv->set.interval_us;
}

int live_sample(struct live *lv, const struct interest *interest, struct sample *out)
{
	static const struct interest nothing;
	const struct live_clock *c = &lv->set.clock;
	struct ask ask = { lv, interest ? interest : &nothing, out };
	int64_t cpu_us = lv->set.machine ? c->cpu_us(c->arg) : 0;

	if (!out->arena)
		out->arena = arena_new();
	sample_reset(out);
	out->n = lv->n;
	if (lv->set.machine)
		stamp_machine(lv, out);
	else
		stamp_tree(lv, out);
	for (size_t i = 0; i < sizeof(collectors) / sizeof(collectors[0]); i++)
		collect(&ask, &collectors[i]);
	if (lv->set.machine)
		lru_gen_kept_update(&lv->kept, out);
	cgroup_mark_dying(&ask);
	if (!lv->set.machine)
		out->machine.page_size = machine_page_size(out);
	lv->n++;
	if (lv->set.machine)
		out->cost_us = c->cpu_us(c->arg) - cpu_us;
	return 0;
}

struct live *live_new(const struct live_setup *setup)
{
	struct live *lv = mem_alloc(sizeof(*lv));

	*lv = (struct live){ .set = *setup };
	lv->facts = facts_new();
	lv->zrams = zrams_new();
	lv->cgroups = cgroups_new();
	lv->processes = processes_new();
	return lv;
}

void live_free(struct live *lv)
{
	facts_free(lv->facts);
	zrams_free(lv->zrams);
	cgroups_free(lv->cgroups);
	processes_free(lv->processes);
	events_off(lv->tracing);
	lru_gen_kept_fini(&lv->kept);
	buf_fini(&lv->text);
	kernfs_close(lv->set.fs);
	free(lv);
}

/* ---- as a source ---- */

static int64_t mono_us(void *arg)
{
	(void)arg;
	return clock_mono_us();
}

static int64_t boot_us(void *arg)
{
	(void)arg;
	return clock_boot_us();
}

static int64_t wall_us(void *arg)
{
	(void)arg;
	return clock_wall_us();
}

static int64_t cpu_us(void *arg)
{
	(void)arg;
	return clock_thread_cpu_us();
}

struct live_clock live_clock_machine(void)
{
	return (struct live_clock){ mono_us, boot_us, wall_us, cpu_us, NULL };
}

static int source_next(struct source *src, const struct interest *interest, struct sample *out)
{
	return live_sample(src->ctx, interest, out);
}

static void source_free(struct source *src)
{
	live_free(src->ctx);
	free(src);
}

struct source *live_source(const struct live_setup *setup)
{
	static const struct source_ops ops = { .next = source_next, .close = source_free };
	struct source *src = mem_alloc(sizeof(*src));

	*src = (struct source){ &ops, SOURCE_LIVE, "live", live_new(setup) };
	return src;
}

struct source *source_live(struct kernfs *fs, int64_t interval_us, bool processes)
{
	struct live_setup setup = {
		fs, interval_us, processes, kernfs_is_machine(fs), live_clock_machine(),
	};

	return live_source(&setup);
}

void source_events(struct source *src, struct tracing *tr)
{
	struct live *lv = src->ctx;

	lv->tracing = tr;
}

void source_close(struct source *src)
{
	if (src)
		src->ops->close(src);
}

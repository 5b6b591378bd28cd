/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.c - the memory.* files of the memcgs that matter, of the cgroup v2 hierarchy.
 *
 * memory.stat makes the kernel gather its counters from all CPUs, so the number of memcgs is
 * bounded, and a limit, which changes when an administrator changes it, is read with every fifth
 * sample.
 */
#include "collectors/live.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/memcgs.h"

#define ROWS 64             /* on a running machine */
#define TRIES 128           /* some of those chosen may be gone */
#define ROWS_TREE 4096
#define LIMITS_EVERY 5      /* samples */
#define ROOT_TREE "sys/fs/cgroup"
#define INODES_SINCE 70000  /* kernel whose lru_gen prints inodes */

/* Fill a field of struct memcg from the text of a file. */
typedef void take_fn(struct ask *ask, struct text t, void *field, const struct keytab *tab,
		     struct reading *r);

static void take_number(struct ask *ask, struct text t, void *field, const struct keytab *tab,
			struct reading *r)
{
	(void)ask;
	(void)tab;
	*(uint64_t *)field = number_parse(t);
	if (*(uint64_t *)field == UNKNOWN)
		r->skipped++;
}

/* What a failing parser leaves is a set that is all UNKNOWN, like one that was not read. */
static void take_counters(struct ask *ask, struct text t, void *field, const struct keytab *tab,
			  struct reading *r)
{
	struct counters *c = field;

	counters_init(c, tab, ask->s->arena);
	counters_parse(t, c, ask->s->arena, r);
}

static void take_pressure(struct ask *ask, struct text t, void *field, const struct keytab *tab,
			  struct reading *r)
{
	(void)ask;
	(void)tab;
	pressure_parse(t, field, r);
}

struct cgroup_file {
	const char *name;
	size_t offset;             /* in struct memcg */
	take_fn *take;
	const struct keytab *tab;
	bool limit;                /* a number that only people change */
};

#define AT(field) offsetof(struct memcg, field)

static const struct cgroup_file files[] = {
	{ "memory.current", AT(current), take_number, NULL, false },
	{ "memory.min", AT(min), take_number, NULL, true },
	{ "memory.low", AT(low), take_number, NULL, true },
	{ "memory.high", AT(high), take_number, NULL, true },
	{ "memory.max", AT(max), take_number, NULL, true },
	{ "memory.swap.current", AT(swap_current), take_number, NULL, false },
	{ "memory.swap.max", AT(swap_max), take_number, NULL, true },
	{ "memory.zswap.current", AT(zswap_current), take_number, NULL, false },
	{ "memory.stat", AT(stat), take_counters, &keytab_memcg, false },
	{ "memory.events", AT(events), take_counters, &keytab_events, false },
	{ "memory.pressure", AT(pressure), take_pressure, NULL, false },
	{ "cgroup.stat", AT(cgroup), take_counters, &keytab_cgroup, false },
};

#define FILES (sizeof(files) / sizeof(files[0]))

/* What is remembered of a memcg on the running machine. */
struct known {
	char *path;              /* NULL: free */
	size_t size;             /* of path's memory */
	uint32_t hash;
	uint32_t absent;         /* bit per file: it could not be read when it was last tried */
	uint64_t id;
	uint64_t used_n;         /* sample in which it was last chosen */
	uint64_t limits_n;       /* sample in which its limits were last read */
	int64_t retry_us;        /* when files that are absent are tried again */
	struct memcg limits;     /* with nothing in it but these */
};

struct cgroups {
	struct buf root;         /* folder of the root as a path for kernfs; empty where unknown */
	bool inside;             /* it is a container's only, while lru_gen has the machine's */
	struct buf file;         /* scratch */
	struct choice choice;
	struct picks picks;      /* of the sample in the making */
	struct known known[TRIES];
};

struct cgroups *cgroups_new(void)
{
	struct cgroups *c = mem_alloc(sizeof(*c));

	memset(c, 0, sizeof(*c));
	return c;
}

void cgroups_free(struct cgroups *c)
{
	buf_fini(&c->root);
	buf_fini(&c->file);
	buf_fini(&c->choice.paths);
	buf_fini(&c->choice.folder);
	for (int i = 0; i < TRIES; i++)
		free(c->known[i].path);
	free(c);
}

/* ---- the hierarchy ---- */

static bool has_word(struct text t, const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0, end; at < t.len; at = end + 1) {
		for (end = at; end < t.len && t.buf[end] != ' ' && t.buf[end] != '\n'; end++)
			;
		if (end - at == len && !memcmp(t.buf + at, word, len))
			return true;
	}
	return false;
}

static int find_mount(struct ask *ask, struct cgroups *c, struct reading *r)
{
	const char *mount;
	bool memory = false;
	struct text t;
	int err = live_text(ask->lv, "proc/self/mountinfo", 0, r, &t);

	if (err)
		return err;
	mount = cgroup_mount_parse(t, ask->s->arena, &memory);
	if (!mount || !memory)
		return -EOPNOTSUPP;
	buf_str(&c->root, mount);
	return 0;
}

static bool is_there(struct ask *ask, struct cgroups *c, const char *name)
{
	uint64_t id;

	buf_clear(&c->file);
	buf_str(&c->file, c->root.data);
	buf_str(&c->file, name);
	return !kernfs_ident(ask->lv->set.fs, c->file.data, &id);
}

/* A v2 hierarchy may well be there and not have the memory controller: it is off, or with v1. */
static int check_controllers(struct ask *ask, struct cgroups *c, struct reading *r)
{
	uint64_t id;
	struct text t;
	int err;

	buf_clear(&c->file);
	buf_str(&c->file, c->root.data);
	buf_str(&c->file, "/cgroup.controllers");
	err = live_text(ask->lv, c->file.data, 0, r, &t);
	if (err == -ENODATA || (!err && !has_word(t, "memory")))
		return -EOPNOTSUPP;
	if (err && err != -ENOENT)
		return err;
	if (err && kernfs_ident(ask->lv->set.fs, c->root.data, &id) == -ENOENT)
		return -ENOENT;
	/* The machine's own root has no such file. */
	c->inside = is_there(ask, c, "/cgroup.type");
	return 0;
}

static int find_root(struct ask *ask, struct cgroups *c, struct reading *r)
{
	int err = 0;

	if (ask->lv->set.machine && c->root.len)
		return 0;
	buf_clear(&c->root);
	if (kernfs_is_machine(ask->lv->set.fs))
		err = find_mount(ask, c, r);
	else
		buf_str(&c->root, ROOT_TREE);
	if (!err)
		err = check_controllers(ask, c, r);
	if (err)
		buf_clear(&c->root);
	return err;
}

/* ---- what is known of a memcg ---- */

static void known_start(struct known *k, const struct pick *pick, uint64_t n)
{
	size_t size = strlen(pick->path) + 1;

	if (k->size < size) {
		k->path = mem_grow(k->path, size);
		k->size = size;
	}
	memcpy(k->path, pick->path, size);
	k->hash = pick->hash;
	k->absent = 0;
	k->id = pick->id;
	k->limits_n = UNKNOWN;
	k->used_n = n;
	k->retry_us = 0;
}

/*
 * The entry of a memcg, made where there is none, or only one of another cgroup that had its name.
 * The entry that was not chosen for the longest time makes room.
 */
static struct known *known_get(struct cgroups *c, const struct pick *pick, uint64_t n)
{
	struct known *oldest = &c->known[0];

	for (struct known *k = c->known; k < c->known + TRIES; k++) {
		if (k->path && k->hash == pick->hash && !strcmp(k->path, pick->path)) {
			if (k->id != pick->id)
				known_start(k, pick, n);
			k->used_n = n;
			return k;
		}
		if (oldest->path && (!k->path || k->used_n < oldest->used_n))
			oldest = k;
	}
	known_start(oldest, pick, n);
	return oldest;
}

static void copy_limits(struct memcg *to, const struct memcg *from)
{
	to->min = from->min;
	to->low = from->low;
	to->high = from->high;
	to->max = from->max;
	to->swap_max = from->swap_max;
}

/*
 * Files that are not worth a try this time: bit per file. Also forgets what is to be tried again.
 */
static uint32_t known_skips(struct known *k, const struct live *lv, bool *carry)
{
	uint32_t skips;

	if (lv->now_us >= k->retry_us) {
		k->absent = 0;
		k->retry_us = lv->now_us + LIVE_RARE_US;
	}
	skips = k->absent;
	*carry = k->limits_n != UNKNOWN && lv->n - k->limits_n < LIMITS_EVERY;
	for (size_t i = 0; *carry && i < FILES; i++)
		if (files[i].limit)
			skips |= 1u << i;
	return skips;
}

/*
 * The limits of different memcgs are due in different samples, so that all samples cost the same.
 */
static void known_limits(struct known *k, const struct cgroups *c, uint64_t n,
			 const struct memcg *m)
{
	uint64_t ahead = (uint64_t)(k - c->known) % LIMITS_EVERY;

	k->limits_n = k->limits_n == UNKNOWN && n >= ahead ? n - ahead : n;
	copy_limits(&k->limits, m);
}

/* ---- one memcg ---- */

static void memcg_init(struct memcg *m, const struct pick *pick)
{
	*m = (struct memcg){
		.path = pick->path, .id = pick->id, .current = UNKNOWN, .min = UNKNOWN,
		.low = UNKNOWN, .high = UNKNOWN, .max = UNKNOWN, .swap_current = UNKNOWN,
		.swap_max = UNKNOWN, .zswap_current = UNKNOWN,
		.pressure = { psi_line_unknown(), psi_line_unknown() },
	};
}

/*
 * One file into m. *absent gets a bit where there is none. 1: it was read, 0: it was not, -ENODEV:
 * the cgroup is gone.
 */
static int read_one(struct ask *ask, struct reading *r, size_t i, struct memcg *m, uint32_t *absent)
{
	const struct cgroup_file *f = &files[i];
	struct cgroups *c = ask->lv->cgroups;
	size_t len = c->file.len;
	struct text t;
	int err;

	buf_str(&c->file, "/");
	buf_str(&c->file, f->name);
	err = live_text(ask->lv, c->file.data, f->limit ? 0 : KERNFS_KEEP, r, &t);
	c->file.len = len;
	c->file.data[len] = '\0';
	if (err == -ENODEV)
		return err;
	if (err && err != -ENODATA)
		*absent |= 1u << i;
	if (!err)
		f->take(ask, t, (char *)m + f->offset, f->tab, r);
	return !err;
}

/* How many files could be read, or -ENODEV. */
static int read_files(struct ask *ask, struct reading *r, struct memcg *m, uint32_t skips,
		      uint32_t *absent)
{
	int found = 0;

	for (size_t i = 0; i < FILES; i++) {
		int got = skips & 1u << i ? 0 : read_one(ask, r, i, m, absent);

		if (got < 0)
			return got;
		found += got;
	}
	return found;
}

/* Is it there? On the machine, which one is it? */
static int identify(struct ask *ask, struct pick *pick)
{
	struct cgroups *c = ask->lv->cgroups;
	uint64_t id;
	int err;

	memcg_folder(&c->file, c->root.data, pick->path);
	err = kernfs_ident(ask->lv->set.fs, c->file.data, &id);
	if (!err && ask->lv->set.machine)
		pick->id = id;
	return live_is_gone(err) ? err : 0;
}

/* 1: a row, 0: none, since it is gone or no memcg. */
static int read_memcg(struct ask *ask, struct reading *r, struct pick *pick, struct memcg *m)
{
	struct live *lv = ask->lv;
	struct cgroups *c = lv->cgroups;
	struct known *k;
	uint32_t skips = 0, absent = 0;
	bool carry = false;
	int found;

	pick->gone = identify(ask, pick) < 0;
	k = lv->set.machine && !pick->gone ? known_get(c, pick, lv->n) : NULL;
	if (k)
		skips = known_skips(k, lv, &carry);
	memcg_init(m, pick);
	if (carry)
		copy_limits(m, &k->limits);
	found = pick->gone ? -ENODEV : read_files(ask, r, m, skips, &absent);
	if (found < 0) {
		pick->gone = true;
		r->vanished++;
		return 0;
	}
	if (k)
		k->absent |= absent;
	if (k && !carry)
		known_limits(k, c, lv->n, m);
	return found > 0;
}

/* ---- all of them ---- */

/* How many memcgs may be chosen: on a machine a few, in a tree all that there can be. */
static uint32_t most_picks(const struct ask *ask)
{
	uint32_t most = ask->s->nlruvecs + INTEREST_MEMCGS + 1;

	if (ask->lv->set.machine)
		return TRIES;
	if (!ask->s->nlruvecs)
		most += MEMCGS_WALK;
	return most < ROWS_TREE ? most : ROWS_TREE;
}

int cgroup_read(struct ask *ask, struct reading *r)
{
	struct live *lv = ask->lv;
	struct cgroups *c = lv->cgroups;
	struct sample *s = ask->s;
	uint32_t most = lv->set.machine ? ROWS : ROWS_TREE;
	struct arena_list rows = { 0 };
	uint32_t gone = 0;
	int err = find_root(ask, c, r);

	if (err)
		return err;
	if (c->inside && (s->nlruvecs || lv->kept.n))
		return -EXDEV;
	picks_init(&c->picks, s->arena, most_picks(ask));
	memcgs_choose(ask, &c->choice, c->root.data, &c->picks);
	for (uint32_t i = 0; i < c->picks.n && rows.n < most; i++) {
		struct memcg m;

		if (read_memcg(ask, r, &c->picks.items[i], &m))
			*(struct memcg *)arena_push(s->arena, &rows, sizeof(m)) = m;
		gone += c->picks.items[i].gone;
	}
	s->machine.memcg_v2 = true;
	s->memcgs = rows.items;
	s->nmemcgs = rows.n;
	if (c->choice.living > rows.n + gone)
		s->memcgs_left_out = c->choice.living - rows.n - gone;
	/* The hierarchy itself has gone: look for it anew. */
	if (picks_find(&c->picks, "/")->gone)
		buf_clear(&c->root);
	return 0;
}

/*
 * A path without a folder is that of a removed cgroup. From 7.0 on lru_gen prints the inode:
 * another one means that a new cgroup has taken the name. (A 32-bit kernel has the lower half of it
 * for the inode.)
 */
static void mark_gone(struct sample *s, const struct picks *p)
{
	bool inodes = s->machine.version >= INODES_SINCE;
	const struct pick *pick = NULL;
	const char *path = NULL;

	for (uint32_t i = 0; i < s->nlruvecs; i++) {
		struct lruvec *l = &s->lruvecs[i];

		if (l->path != path)
			pick = picks_find(p, l->path);
		path = l->path;
		if (pick && (pick->gone || (inodes && pick->id != UNKNOWN &&
					    (uint32_t)pick->id != (uint32_t)l->memcg)))
			l->dying = true;
	}
}

void cgroup_mark_dying(struct ask *ask)
{
	struct cgroups *c = ask->lv->cgroups;

	if (ask->s->nlruvecs) {
		lru_gen_mark_dying(ask->s);
		if (ask->lv->set.machine)
			mark_gone(ask->s, &c->picks);
	}
	/* Its memory is the sample's. */
	c->picks = (struct picks){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_fake.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct entry {
	char *path;
	char *text;          /* NULL: a folder, or a path that fails */
	int err;
	unsigned int times;  /* failures that are left, 0: no end */
	unsigned int reads;
	int64_t slow_us;
	uint64_t inode;
};

struct fake {
	struct entry *entries;
	size_t n, cap;
	int64_t now_us;
	unsigned int idents, lists;
};

struct fake *fake_new(void)
{
	struct fake *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->now_us = 1000000000;
	return f;
}

void fake_free(struct fake *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->entries[i].path);
		free(f->entries[i].text);
	}
	free(f->entries);
	free(f);
}

static struct entry *find(const struct fake *f, const char *path)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->entries[i].path, path))
			return &f->entries[i];
	return NULL;
}

static struct entry *get(struct fake *f, const char *path)
{
	struct entry *e = find(f, path);

	if (e)
		return e;
	if (f->n == f->cap) {
		f->cap = f->cap ? 2 * f->cap : 64;
		f->entries = realloc(f->entries, f->cap * sizeof(*e));
		assert_non_null(f->entries);
	}
	e = &f->entries[f->n++];
	*e = (struct entry){ .path = strdup(path) };
	return e;
}

/* Is path folder itself or below it? */
static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

void fake_set(struct fake *f, const char *path, const char *text)
{
	struct entry *e = get(f, path);

	free(e->text);
	e->text = strdup(text);
	e->err = 0;
}

void fake_fail_times(struct fake *f, const char *path, int err, unsigned int n)
{
	struct entry *e = get(f, path);

	e->err = err;
	e->times = n;
}

void fake_fail(struct fake *f, const char *path, int err)
{
	fake_fail_times(f, path, err, 0);
}

void fake_remove(struct fake *f, const char *path)
{
	for (size_t i = 0; i < f->n;) {
		if (!is_below(f->entries[i].path, path)) {
			i++;
			continue;
		}
		free(f->entries[i].path);
		free(f->entries[i].text);
		f->entries[i] = f->entries[--f->n];
	}
}

void fake_slow(struct fake *f, const char *path, int64_t us)
{
	get(f, path)->slow_us = us;
}

void fake_inode(struct fake *f, const char *path, uint64_t inode)
{
	get(f, path)->inode = inode;
}

unsigned int fake_reads(const struct fake *f, const char *path)
{
	const struct entry *e = find(f, path);

	return e ? e->reads : 0;
}

unsigned int fake_reads_ending(const struct fake *f, const char *tail)
{
	unsigned int sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		size_t len = strlen(f->entries[i].path), n = strlen(tail);

		if (len >= n && !strcmp(f->entries[i].path + len - n, tail))
			sum += f->entries[i].reads;
	}
	return sum;
}

unsigned int fake_idents(const struct fake *f)
{
	return f->idents;
}

unsigned int fake_lists(const struct fake *f)
{
	return f->lists;
}

void fake_pass(struct fake *f, int64_t us)
{
	f->now_us += us;
}

int64_t fake_now(const struct fake *f)
{
	return f->now_us;
}

/* ---- as a kernfs ---- */

/* The error that a path has, by itself or by a folder above it. */
static int failure(struct fake *f, const char *path)
{
	for (size_t i = 0; i < f->n; i++) {
		struct entry *e = &f->entries[i];

		if (!e->err || !is_below(path, e->path))
			continue;
		int err = e->err;

		if (e->times && !--e->times)
			e->err = 0;
		return -err;
	}
	return 0;
}

static int op_read(void *ctx, const char *path, unsigned int flags, struct buf *buf)
{
	struct fake *f = ctx;
	struct entry *e = get(f, path);
	int err;

	(void)flags;
	e->reads++;
	f->now_us += e->slow_us;
	err = failure(f, path);
	e = find(f, path);
	if (err)
		return err;
	if (!e->text)
		return -ENOENT;
	buf_clear(buf);
	buf_add(buf, e->text, strlen(e->text));
	return 0;
}

static int op_list(void *ctx, const char *path, kernfs_entry_fn *fn, void *arg)
{
	struct fake *f = ctx;
	size_t len = strlen(path);
	bool found = false;
	int err = failure(f, path);

	f->lists++;
	for (size_t i = 0; !err && i < f->n; i++) {
		const char *p = f->entries[i].path;
		char name[256];
		size_t n, before;

		if (!f->entries[i].text || !is_below(p, path) || !p[len])
			continue;
		found = true;
		p += len + (len > 0);
		n = strcspn(p, "/");
		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		/* Once for each name: only if no entry before has it. */
		for (before = 0; before < i; before++) {
			const char *q = f->entries[before].path;

			if (f->entries[before].text && is_below(q, path) && q[len] &&
			    !strncmp(q + len + (len > 0), p, n) && strchr("/", q[len + (len > 0) + n]))
				break;
		}
		if (before == i)
			err = fn(arg, name, p[n] == '/');
	}
	return err ? err : found ? 0 : -ENOENT;
}

static int op_ident(void *ctx, const char *path, uint64_t *inode)
{
	struct fake *f = ctx;
	const struct entry *own = find(f, path);
	int err = failure(f, path);
	bool found = false;

	f->idents++;
	for (size_t i = 0; i < f->n && !found; i++)
		found = f->entries[i].text && is_below(f->entries[i].path, path);
	if (err || !found)
		return err ? err : -ENOENT;
	*inode = own && own->inode ? own->inode : 1000 + strlen(path);
	return 0;
}

struct kernfs *fake_kernfs(struct fake *f)
{
	static const struct kernfs_ops ops = { op_read, op_list, op_ident, NULL };

	return kernfs_custom(&ops, f);
}

static int64_t op_now(void *arg)
{
	return ((struct fake *)arg)->now_us;
}

static int64_t op_wall(void *arg)
{
	return ((struct fake *)arg)->now_us + 1700000000000000;
}

struct source *fake_live(struct fake *f, int64_t interval_us)
{
	struct live_setup setup = {
		.fs = fake_kernfs(f), .interval_us = interval_us, .machine = true,
		.clock = { op_now, op_now, op_wall, op_now, f },
	};

	return live_source(&setup);
}

/* ---- files ---- */

char *fake_load(const char *path, size_t *len)
{
	FILE *file = fopen(path, "r");
	struct buf b = { 0 };
	size_t n;

	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	do {
		buf_reserve(&b, 65536);
		n = fread(b.data + b.len, 1, 65536, file);
		b.len += n;
	} while (n);
	b.data[b.len] = '\0';
	fclose(file);
	if (len)
		*len = b.len;
	return b.data;
}

char *fake_tempdir(void)
{
	const char *base = getenv("TMPDIR");
	char *dir;

	assert_true(asprintf(&dir, "%s/fakeXXXXXX", base ? base : "/tmp") > 0);
	assert_non_null(mkdtemp(dir));
	return dir;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fake_tempdir_remove(char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

void fake_write(const char *dir, const char *path, const char *text)
{
	char whole[4096];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", dir, path);
	for (char *p = whole + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(whole, 0755);
		*p = '/';
	}
	file = fopen(whole, "w");
	if (!file)
		fail_msg("%s: %s", whole, strerror(errno));
	fputs(text, file);
	fclose(file);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - captured trees: the kernel's files of one moment, or of one moment after the other.
 */
#include "collectors/live.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/kernfs_tree.h"
#include "reclaimtop/names.h"

struct tree {
	struct live *lv;         /* over fs */
	struct kernfs *fs;       /* shows one tree */
	struct kernfs *base;     /* the folder of a series; NULL where there is one tree only */
	struct arena *arena;     /* names and label */
	struct arena_list names; /* of the trees of a series, in order: const char * */
	uint32_t n, at;          /* trees, the next one */
	bool loop;
	bool restart;            /* the next sample does not follow the one before */
	struct buf text;
};

/* ---- what there is ---- */

static int is_proc(void *arg, const char *name, bool is_dir)
{
	(void)arg;
	return is_dir && !strcmp(name, "proc");
}

/* 1 it does, 0 it does not, -errno. */
static int holds_proc(struct kernfs *fs, const char *folder)
{
	return kernfs_list(fs, folder, is_proc, NULL);
}

static int note_numbered(void *arg, const char *name, bool is_dir)
{
	struct tree *t = arg;
	const char *copy;

	if (!is_dir || name[strspn(name, "0123456789")])
		return 0;
	copy = arena_str(t->arena, name);
	*(const char **)arena_push(t->arena, &t->names, sizeof(copy)) = copy;
	return 0;
}

/* As numbers, however long they are; "7" before "07", which is the same number. */
static int compare_names(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	const char *p = x + strspn(x, "0"), *q = y + strspn(y, "0");
	size_t m = strlen(p), n = strlen(q);
	int order = m != n ? (m < n ? -1 : 1) : strcmp(p, q);

	if (order)
		return order;
	m = strlen(x);
	n = strlen(y);
	return m == n ? 0 : m < n ? -1 : 1;
}

/* Numbered folders that are no trees (an empty one, say) are left out. */
static int find_trees(struct tree *t)
{
	const char **names;
	uint32_t kept = 0;
	int err = kernfs_list(t->base, "", note_numbered, t);

	if (err)
		return err;
	names = t->names.items;
	for (uint32_t i = 0; i < t->names.n; i++)
		if (holds_proc(t->base, names[i]) == 1)
			names[kept++] = names[i];
	if (kept)
		qsort(names, kept, sizeof(*names), compare_names);
	t->names.n = t->n = kept;
	return 0;
}

static const char *tree_label(struct tree *t, const char *dir)
{
	char *real = realpath(dir, NULL);
	const char *name = real ? real : dir, *slash = strrchr(name, '/');
	char count[32] = "";
	struct buf b = { 0 };
	const char *label;

	if (slash && slash[1])
		name = slash + 1;
	if (t->base)
		snprintf(count, sizeof(count), ", %u sample%s", (unsigned int)t->n,
			 t->n == 1 ? "" : "s");
	buf_printf(&b, "tree %s%s", name_escape(t->arena, name, strlen(name)), count);
	label = arena_str(t->arena, b.data);
	buf_fini(&b);
	free(real);
	return label;
}

/* ---- as a source ---- */

static int show(struct tree *t, uint32_t i)
{
	return t->base ? kernfs_enter(t->fs, t->base, ((const char **)t->names.items)[i]) : 0;
}

static int tree_next(struct source *src, const struct interest *interest, struct sample *out)
{
	struct tree *t = src->ctx;
	int err;

	if (t->at == t->n && !t->loop)
		return 1;
	if (t->at == t->n) {
		t->at = 0;
		t->restart = true;
	}
	/* A tree that cannot be read is stepped over when it is asked again. */
	err = show(t, t->at++);
	if (!err)
		err = live_sample(t->lv, interest, out);
	if (err)
		return err;
	out->restart = t->restart;
	t->restart = false;
	return 0;
}

static int64_t tree_uptime(struct tree *t, uint32_t i)
{
	int err = show(t, i);

	if (!err)
		err = kernfs_read(t->fs, "proc/uptime", 0, &t->text);
	return err ? -1 : uptime_parse((struct text){ t->text.data, t->text.len });
}

static int tree_seek(struct source *src, int64_t t_us)
{
	struct tree *t = src->ctx;

	for (t->at = 0; t->at < t->n; t->at++)
		if (tree_uptime(t, t->at) >= t_us)
			break;
	t->restart = true;
	return 0;
}

static void tree_free(struct tree *t)
{
	if (t->lv)
		live_free(t->lv);
	else
		kernfs_close(t->fs);
	kernfs_close(t->base);
	arena_free(t->arena);
	buf_fini(&t->text);
	free(t);
}

static void tree_close(struct source *src)
{
	tree_free(src->ctx);
	free(src);
}

/* ---- opening ---- */

static const char *why_not(int err)
{
	static const struct {
		int err;
		const char *why;
	} whys[] = {
		{ ENOENT, "there is no such folder" },
		{ ENOTDIR, "it is no folder" },
		{ EACCES, "it may not be read" },
		{ ENODATA, "it holds neither proc nor numbered folders that hold proc" },
	};

	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++)
		if (whys[i].err == err)
			return whys[i].why;
	return "it cannot be opened";
}

/* One tree or a series of them, into t. */
static int tree_open(struct tree *t, const char *dir)
{
	int err, found;

	t->fs = kernfs_tree(dir);
	if (!t->fs)
		return -errno;
	found = holds_proc(t->fs, "");
	if (found) {
		t->n = 1;
		return found < 0 ? found : 0;
	}
	t->base = kernfs_tree(dir);
	if (!t->base)
		return -errno;
	err = find_trees(t);
	return err ? err : t->n ? 0 : -ENODATA;
}

struct source *source_tree(const char *dir, bool loop, const char **why)
{
	static const struct source_ops ops = { tree_next, tree_seek, tree_close };
	struct tree *t = mem_alloc(sizeof(*t));
	struct source *src;
	int err;

	*t = (struct tree){ .arena = arena_new(), .loop = loop };
	err = tree_open(t, dir);
	if (err) {
		tree_free(t);
		*why = why_not(-err);
		errno = -err;
		return NULL;
	}
	t->lv = live_new(&(struct live_setup){ .fs = t->fs });
	src = mem_alloc(sizeof(*src));
	*src = (struct source){ &ops, SOURCE_SEEK, tree_label(t, dir), t };
	return src;
}

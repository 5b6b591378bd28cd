/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernfs.c - the one place where the kernel's files are opened.
 */
#include "reclaimtop/kernfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reclaimtop/arena.h"
#include "collectors/kernfs_tree.h"

#define FIRST_ROOM ((size_t)16 << 10)
#define LEAST_ROOM ((size_t)4 << 10)   /* what seq_file gives at a time */
#define LONGEST ((size_t)1 << 30)      /* for a captured tree, which may hold anything */
#define TRIES 100                      /* of a call that signals interrupt */

#define KEPT_MAX 512
#define KEPT_BUCKETS 1024
#define KEPT_NONE (-1)
#define KEPT_IDLE 16384                /* reads of others after which a descriptor is closed */

struct kernfs {
	const struct kernfs_ops *ops;
	void *ctx;
	bool machine;
};

/*
 * A descriptor that stays open: seq_file keeps the buffer that it has grown, and nothing is looked
 * up by name.
 */
struct kept {
	char *path;
	size_t size;        /* of path's memory */
	uint32_t hash;
	int fd;             /* -1: a free slot */
	int next;           /* in the bucket, or of the free slots */
	uint64_t used;      /* folder.reads when it was last read */
};

/* The files below one folder. */
struct folder {
	int root;
	bool confined;      /* a captured tree, made by strangers: no link in it may lead outside */
	bool no_openat2;    /* a kernel before 5.6, or a sandbox that refuses the call */
	uint64_t reads;
	struct kept *kept;
	int nkept, max, free, hand;
	int buckets[KEPT_BUCKETS];
};

/* ---- opening ---- */

static bool goes_up(const char *path)
{
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (!strncmp(p, "..", 2) && (p[2] == '/' || !p[2]))
			return true;
	}
	return false;
}

static int open_confined(struct folder *f, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd;

	/* A tree may hold a fifo, which would wait for a writer. */
	if (!(flags & O_PATH))
		how.flags |= O_NONBLOCK;
	if (!f->no_openat2) {
		fd = (int)syscall(SYS_openat2, f->root, path, &how, sizeof(how));
		if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
			return fd;
		f->no_openat2 = true;
	}
	if (goes_up(path)) {
		errno = EXDEV;
		return -1;
	}
	return openat(f->root, path, (int)how.flags);
}

static int open_once(struct folder *f, const char *path, int flags)
{
	int fd = -1;

	if (!*path)
		path = ".";
	for (int i = 0; i < TRIES; i++) {
		fd = f->confined ? open_confined(f, path, flags | O_CLOEXEC)
				 : openat(f->root, path, flags | O_CLOEXEC | O_NOCTTY);
		if (fd >= 0 || errno != EINTR)
			break;
	}
	return fd >= 0 ? fd : -errno;
}

static void kept_drop_all(struct folder *f);

static int folder_open(struct folder *f, const char *path, int flags)
{
	int fd = open_once(f, path, flags);

	if (fd == -EMFILE && f->nkept) {
		kept_drop_all(f);
		fd = open_once(f, path, flags);
	}
	return fd;
}

/* ---- reading ---- */

static int read_all(int fd, struct buf *buf)
{
	ssize_t n;

	buf_clear(buf);
	for (int interrupted = 0;;) {
		if (!buf->data || buf->cap - buf->len <= LEAST_ROOM)
			buf_reserve(buf, buf->len ? buf->len : FIRST_ROOM - 1);
		n = pread(fd, buf->data + buf->len, buf->cap - buf->len - 1, (off_t)buf->len);
		if (n < 0 && errno == EINTR && interrupted++ < TRIES)
			continue;
		if (n <= 0)
			break;
		buf->len += (size_t)n;
		if (buf->len > LONGEST)
			return -EFBIG;
	}
	buf->data[buf->len] = '\0';
	return n < 0 ? -errno : 0;
}

static int read_once(struct folder *f, const char *path, struct buf *buf)
{
	int fd = folder_open(f, path, O_RDONLY);
	int err;

	if (fd < 0)
		return fd;
	err = read_all(fd, buf);
	close(fd);
	return err;
}

/* ---- descriptors that are kept ---- */

static uint32_t hash_path(const char *path)
{
	uint32_t h = 2166136261u;

	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 16777619u;
	return h;
}

static int *kept_bucket(struct folder *f, uint32_t hash)
{
	return &f->buckets[hash % KEPT_BUCKETS];
}

static int kept_find(struct folder *f, const char *path, uint32_t hash)
{
	int i = *kept_bucket(f, hash);

	while (i != KEPT_NONE && (f->kept[i].hash != hash || strcmp(f->kept[i].path, path)))
		i = f->kept[i].next;
	return i;
}

static void kept_drop(struct folder *f, int i)
{
	struct kept *k = &f->kept[i];
	int *link = kept_bucket(f, k->hash);

	while (*link != i)
		link = &f->kept[*link].next;
	*link = k->next;
	close(k->fd);
	k->fd = -1;
	k->next = f->free;
	f->free = i;
	f->nkept--;
}

static void kept_drop_all(struct folder *f)
{
	for (int i = 0; i < f->max; i++)
		if (f->kept[i].fd >= 0)
			kept_drop(f, i);
}

/*
 * Look at one slot with each read: what nobody asks for any more (a removed cgroup's files) is
 * closed in time.
 */
static void kept_age(struct folder *f)
{
	struct kept *k;

	f->reads++;
	f->hand = (f->hand + 1) % f->max;
	k = &f->kept[f->hand];
	if (k->fd >= 0 && f->reads - k->used > KEPT_IDLE)
		kept_drop(f, f->hand);
}

static bool kept_add(struct folder *f, const char *path, uint32_t hash, int fd)
{
	size_t size = strlen(path) + 1;
	int i = f->free;
	struct kept *k;

	if (i == KEPT_NONE)
		return false;
	k = &f->kept[i];
	f->free = k->next;
	if (k->size < size) {
		k->path = mem_grow(k->path, size);
		k->size = size;
	}
	memcpy(k->path, path, size);
	k->hash = hash;
	k->fd = fd;
	k->used = f->reads;
	k->next = *kept_bucket(f, hash);
	*kept_bucket(f, hash) = i;
	f->nkept++;
	return true;
}

static int kept_read(struct folder *f, const char *path, struct buf *buf)
{
	uint32_t hash = hash_path(path);
	int i = kept_find(f, path, hash), fd, err;

	kept_age(f);
	if (i != KEPT_NONE && f->kept[i].fd >= 0) {
		f->kept[i].used = f->reads;
		if (!read_all(f->kept[i].fd, buf))
			return 0;
		/* A folder that was removed and made again holds another file under this name. */
		kept_drop(f, i);
	}
	fd = folder_open(f, path, O_RDONLY);
	if (fd < 0)
		return fd;
	err = read_all(fd, buf);
	if (err || !kept_add(f, path, hash, fd))
		close(fd);
	return err;
}

/* At most half of the descriptors that the process may have. */
static void kept_init(struct folder *f)
{
	struct rlimit limit;

	f->max = KEPT_MAX;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < KEPT_MAX)
		f->max = limit.rlim_cur < 4 ? 1 : (int)(limit.rlim_cur / 2);
	f->kept = mem_alloc((size_t)f->max * sizeof(*f->kept));
	for (int i = 0; i < f->max; i++)
		f->kept[i] = (struct kept){ .fd = -1, .next = i + 1 < f->max ? i + 1 : KEPT_NONE };
	f->free = 0;
	for (int i = 0; i < KEPT_BUCKETS; i++)
		f->buckets[i] = KEPT_NONE;
}

/* ---- the operations of a folder ---- */

static int folder_read(void *ctx, const char *path, unsigned int flags, struct buf *buf)
{
	struct folder *f = ctx;

	return f->kept && flags & KERNFS_KEEP ? kept_read(f, path, buf) : read_once(f, path, buf);
}

/* Links to folders (sys/block/zram0) count as folders. */
static bool entry_is_dir(struct folder *f, const char *path, const struct dirent64 *entry)
{
	char whole[PATH_MAX];
	int fd;

	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	if (snprintf(whole, sizeof(whole), "%s/%s", *path ? path : ".", entry->d_name) >= PATH_MAX)
		return false;
	fd = folder_open(f, whole, O_PATH | O_DIRECTORY);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int folder_list(void *ctx, const char *path, kernfs_entry_fn *fn, void *arg)
{
	alignas(struct dirent64) char entries[4096];
	struct folder *f = ctx;
	int fd = folder_open(f, path, O_RDONLY | O_DIRECTORY), ret = 0;
	ssize_t n = 0;

	if (fd < 0)
		return fd;
	while (!ret && (n = getdents64(fd, entries, sizeof(entries))) > 0) {
		const struct dirent64 *d;

		for (ssize_t at = 0; !ret && at < n; at += d->d_reclen) {
			d = (const struct dirent64 *)(entries + at);
			if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
				ret = fn(arg, d->d_name, entry_is_dir(f, path, d));
		}
	}
	if (n < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static int folder_ident(void *ctx, const char *path, uint64_t *inode)
{
	struct folder *f = ctx;
	struct stat st;
	int fd, err = 0;

	if (!f->confined) {
		err = fstatat(f->root, *path ? path : ".", &st, 0) ? -errno : 0;
	} else {
		fd = folder_open(f, path, O_PATH);
		if (fd < 0)
			return fd;
		err = fstat(fd, &st) ? -errno : 0;
		close(fd);
	}
	if (!err)
		*inode = st.st_ino;
	return err;
}

static void folder_close(void *ctx)
{
	struct folder *f = ctx;

	if (f->kept) {
		kept_drop_all(f);
		for (int i = 0; i < f->max; i++)
			free(f->kept[i].path);
	}
	free(f->kept);
	close(f->root);
	free(f);
}

static struct kernfs *folder_new(const char *dir, bool machine)
{
	static const struct kernfs_ops ops = {
		folder_read, folder_list, folder_ident, folder_close,
	};
	int root = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct kernfs *fs;
	struct folder *f;

	if (root < 0)
		return NULL;
	f = mem_alloc(sizeof(*f));
	*f = (struct folder){ .root = root, .confined = !machine };
	if (machine)
		kept_init(f);
	fs = kernfs_custom(&ops, f);
	fs->machine = machine;
	return fs;
}

/* ---- what others call ---- */

struct kernfs *kernfs_machine(void)
{
	return folder_new("/", true);
}

struct kernfs *kernfs_tree(const char *dir)
{
	return folder_new(dir, false);
}

int kernfs_enter(struct kernfs *tree, struct kernfs *base, const char *name)
{
	struct folder *f = tree->ctx;
	int root = folder_open(base->ctx, name, O_PATH | O_DIRECTORY);

	if (root < 0)
		return root;
	close(f->root);
	f->root = root;
	return 0;
}

struct kernfs *kernfs_custom(const struct kernfs_ops *ops, void *ctx)
{
	struct kernfs *fs = mem_alloc(sizeof(*fs));

	*fs = (struct kernfs){ ops, ctx, false };
	return fs;
}

void kernfs_close(struct kernfs *fs)
{
	if (!fs)
		return;
	if (fs->ops->close)
		fs->ops->close(fs->ctx);
	free(fs);
}

bool kernfs_is_machine(const struct kernfs *fs)
{
	return fs->machine;
}

int kernfs_read(struct kernfs *fs, const char *path, unsigned int flags, struct buf *buf)
{
	int err = -EINTR;

	for (int i = 0; i < TRIES && err == -EINTR; i++) {
		buf_clear(buf);
		err = fs->ops->read(fs->ctx, path, flags, buf);
	}
	if (!buf->data)
		buf_reserve(buf, 0);
	if (err < 0)
		buf->len = 0;
	buf->data[buf->len] = '\0';
	return err < 0 ? err : 0;
}

int kernfs_list(struct kernfs *fs, const char *path, kernfs_entry_fn *fn, void *arg)
{
	return fs->ops->list ? fs->ops->list(fs->ctx, path, fn, arg) : -EOPNOTSUPP;
}

int kernfs_ident(struct kernfs *fs, const char *path, uint64_t *inode)
{
	return fs->ops->ident ? fs->ops->ident(fs->ctx, path, inode) : -EOPNOTSUPP;
}

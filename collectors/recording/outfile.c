/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that stand for the two locks. */
#define LOCK_RECORDER (INT64_MAX - 1)
#define LOCK_PIECE (INT64_MAX - 2)

/* A pipe that poll() finds writable takes this much without waiting. */
#define STREAM_PIECE 4096

/* ---- the way to it ---- */

/* Could somebody who is neither root nor us put a link into this folder? */
static bool others_can_write(int dir)
{
	struct stat st;

	return fstat(dir, &st) || st.st_mode & (S_IWGRP | S_IWOTH) ||
	       (st.st_uid && st.st_uid != geteuid());
}

static bool is_link(int dir, const char *name)
{
	struct stat st;

	return !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
}

/* The folder name within dir, which is closed: its descriptor or -errno. */
static int enter(int dir, const char *name)
{
	int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err = errno;

	if (fd < 0 && is_link(dir, name)) {
		err = ELOOP;
		if (!others_can_write(dir)) {
			fd = openat(dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
			err = errno;
		}
	}
	close(dir);
	return fd < 0 ? -err : fd;
}

/* The folder of path, step by step, and in *base the name within it. */
static int enter_folder(const char *path, const char **base)
{
	int dir = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char name[NAME_MAX + 1];
	size_t len;

	if (dir < 0)
		return -errno;
	for (path += strspn(path, "/"); dir >= 0; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/");
		if (!path[len])
			break;
		if (len > NAME_MAX) {
			close(dir);
			return -ENAMETOOLONG;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		dir = enter(dir, name);
	}
	*base = path;
	return dir;
}

/* ---- locks ---- */

/* 0, or -errno. A file system that knows no locks goes without. */
static int lock_byte(int fd, int64_t byte, short type, int command)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };

	while (fcntl(fd, command, &l)) {
		if (errno == EAGAIN || errno == EACCES)
			return -EBUSY;
		if (errno != EINTR)
			return 0;
	}
	return 0;
}

void outfile_lock(const struct outfile *f)
{
	if (!f->stream)
		lock_byte(f->fd, LOCK_PIECE, F_WRLCK, F_OFD_SETLKW);
}

void outfile_unlock(const struct outfile *f)
{
	if (!f->stream)
		lock_byte(f->fd, LOCK_PIECE, F_UNLCK, F_OFD_SETLK);
}

/* ---- opening ---- */

#define FLAGS (O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)

static int hold(const struct outfile *f)
{
	return lock_byte(f->fd, LOCK_RECORDER, F_WRLCK, F_OFD_SETLK);
}

static int create(struct outfile *f)
{
	f->fd = openat(f->dir, f->base, O_RDWR | O_APPEND | O_CREAT | O_EXCL | FLAGS, 0640);
	return f->fd < 0 ? -errno : hold(f);
}

/* A file that is there, as it is. */
static int open_there(struct outfile *f, int flags)
{
	f->fd = openat(f->dir, f->base, O_RDWR | O_APPEND | flags);
	return f->fd < 0 ? -errno : 0;
}

/* Whoever holds it keeps it; else a new file takes its place, so that nobody who has the old one open sees the new. */
static int replace(struct outfile *f, int flags)
{
	int err = open_there(f, flags);

	if (!err)
		err = hold(f);
	if (err)
		return err;
	close(f->fd);
	f->fd = -1;
	return unlinkat(f->dir, f->base, 0) ? -errno : create(f);
}

static int open_stream(struct outfile *f)
{
	f->fd = openat(f->dir, f->base, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (f->fd < 0)
		return -errno;
	close(f->dir);
	f->dir = -1;
	f->stream = true;
	return 0;
}

static int open_existing(struct outfile *f, enum outfile_mode mode, const struct stat *st, int flags)
{
	int err;

	if (S_ISFIFO(st->st_mode) || S_ISCHR(st->st_mode) || S_ISSOCK(st->st_mode))
		return mode == OUTFILE_MARK ? -EINVAL : open_stream(f);
	if (!S_ISREG(st->st_mode))
		return S_ISDIR(st->st_mode) ? -EISDIR : -EINVAL;
	if (mode == OUTFILE_NEW)
		return -EEXIST;
	if (mode == OUTFILE_REPLACE)
		return replace(f, flags);
	err = open_there(f, flags);
	return err || mode == OUTFILE_MARK ? err : hold(f);
}

static int open_in_folder(struct outfile *f, enum outfile_mode mode)
{
	bool shared = others_can_write(f->dir);
	struct stat st;

	if (!*f->base || !strcmp(f->base, ".") || !strcmp(f->base, ".."))
		return -EISDIR;
	if (is_link(f->dir, f->base) && shared)
		return -ELOOP;
	if (fstatat(f->dir, f->base, &st, shared ? AT_SYMLINK_NOFOLLOW : 0))
		return errno == ENOENT && mode != OUTFILE_MARK ? create(f) : -errno;
	if (shared && st.st_uid && st.st_uid != geteuid())
		return -EPERM;
	return open_existing(f, mode, &st, shared ? FLAGS : FLAGS & ~O_NOFOLLOW);
}

static const char *why_not(int err)
{
	static const struct {
		int err;
		const char *why;
	} whys[] = {
		{ EEXIST, "there is such a file already" },
		{ EBUSY, "another process records to it" },
		{ ELOOP, "the way to it leads through a symbolic link in a folder that others can write" },
		{ EPERM, "it is somebody else's file in a folder that others can write" },
		{ EINVAL, "it is nothing that can be added to" },
	};

	for (size_t i = 0; i < sizeof(whys) / sizeof(whys[0]); i++)
		if (whys[i].err == err)
			return whys[i].why;
	return strerror(err);
}

static int open_output(struct outfile *out)
{
	out->stream = true;
	out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return out->fd < 0 ? -errno : 0;
}

int outfile_open(const char *path, enum outfile_mode mode, struct outfile *out, const char **why)
{
	int err;

	*out = (struct outfile){ .fd = -1, .dir = -1, .base = path };
	if (!strcmp(path, "-")) {
		err = mode == OUTFILE_MARK ? -EINVAL : open_output(out);
	} else {
		out->dir = enter_folder(path, &out->base);
		err = out->dir < 0 ? out->dir : open_in_folder(out, mode);
	}
	if (!err)
		return 0;
	*why = why_not(-err);
	if (out->fd >= 0)
		close(out->fd);
	if (out->dir >= 0)
		close(out->dir);
	out->fd = out->dir = -1;
	return err;
}

/* ---- writing ---- */

uint64_t outfile_size(const struct outfile *f)
{
	struct stat st;

	return f->stream || fstat(f->fd, &st) ? 0 : (uint64_t)st.st_size;
}

bool outfile_ends_torn(const struct outfile *f)
{
	uint64_t size = outfile_size(f);
	char last = '\n';

	return size && pread(f->fd, &last, 1, (off_t)size - 1) == 1 && last != '\n';
}

/* Wait until the stream takes more. False: it is time to stop. */
static bool stream_ready(const struct outfile *f)
{
	struct pollfd fds[2] = { { .fd = f->fd, .events = POLLOUT }, { .fd = f->stop_fd, .events = POLLIN } };
	nfds_t n = f->stop_fd > 0 ? 2 : 1;

	while (poll(fds, n, -1) < 0 && errno == EINTR)
		;
	return fds[0].revents || !(n == 2 && fds[1].revents);
}

/* What is on its way cannot be taken back: the line is torn, and the next one says so. */
static int stream_write(struct outfile *f, const char *bytes, size_t len)
{
	while (len) {
		size_t piece = len < STREAM_PIECE ? len : STREAM_PIECE;
		ssize_t n = stream_ready(f) ? write(f->fd, bytes, piece) : (errno = ECANCELED, -1);

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		len -= (size_t)n;
		f->torn = bytes[-1] != '\n';
	}
	return 0;
}

int outfile_write(struct outfile *f, const char *bytes, size_t len)
{
	uint64_t size = outfile_size(f);
	int err = 0;

	if (f->stream && f->torn)
		err = stream_write(f, "\n", 1);
	if (f->stream)
		return err ? err : stream_write(f, bytes, len);
	for (size_t done = 0; done < len && !err;) {
		ssize_t n = write(f->fd, bytes + done, len - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			err = -ENOSPC;
		else if (errno != EINTR)
			err = -errno;
	}
	/* A part of it may be there. Where not even that can be taken back, outfile_ends_torn() tells. */
	if (err && outfile_size(f) > size)
		while (ftruncate(f->fd, (off_t)size) && errno == EINTR)
			;
	return err;
}

void outfile_forget(const struct outfile *f)
{
	if (!f->stream)
		posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED);
}

/* Errors of a delayed write show up here: a quota, a file system over the network. */
int outfile_close(struct outfile *f, bool sync)
{
	int err = 0;

	if (sync && !f->stream && fsync(f->fd) && errno != EINVAL && errno != EROFS)
		err = -errno;
	if (close(f->fd) && !err && errno != EINTR)
		err = -errno;
	if (f->dir >= 0)
		close(f->dir);
	f->fd = f->dir = -1;
	return err;
}

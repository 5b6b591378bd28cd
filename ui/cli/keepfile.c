/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keepfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const struct buf *text)
{
	size_t at = 0;

	while (at < text->len) {
		ssize_t n = write(fd, text->data + at, text->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += (size_t)n;
	}
	return 0;
}

/* At folder (or AT_FDCWD); where it fails the file is gone again. */
static int make(int folder, const char *name, mode_t mode, const struct buf *text)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, mode);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text);
	if (!err && fsync(fd) && errno != EINVAL && errno != EROFS)
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (err)
		unlinkat(folder, name, 0);
	return err;
}

int keepfile_new(const char *path, const struct buf *text)
{
	return make(AT_FDCWD, path, 0644, text);
}

int keepfile_write(const char *path, const struct buf *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, 0666), err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* The folder of path, and the name in it. */
static int open_folder(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	int fd;

	*name = slash ? slash + 1 : path;
	if (slash && (size_t)(slash - path) + 1 >= sizeof(folder))
		return -ENAMETOOLONG;
	if (slash)
		snprintf(folder, sizeof(folder), "%.*s", slash == path ? 1 : (int)(slash - path), path);
	fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int may_replace(int folder, const char *name)
{
	struct stat st;

	if (fstat(folder, &st))
		return -errno;
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return -EPERM;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	return S_ISREG(st.st_mode) && st.st_uid == geteuid() ? 0 : -EPERM;
}

int keepfile_replace(const char *path, const struct buf *text)
{
	const char *name;
	char other[NAME_MAX + 1];
	int folder = open_folder(path, &name), err;

	if (folder < 0)
		return folder;
	err = may_replace(folder, name);
	if (!err && snprintf(other, sizeof(other), ".%s.%ld", name, (long)getpid()) >= (int)sizeof(other))
		err = -ENAMETOOLONG;
	if (!err)
		err = make(folder, other, 0600, text);
	if (!err && renameat(folder, other, folder, name)) {
		err = -errno;
		unlinkat(folder, other, 0);
	}
	close(folder);
	return err;
}

static int read_all(int fd, size_t most, struct buf *out)
{
	for (;;) {
		ssize_t n;

		buf_reserve(out, 4096);
		n = read(fd, out->data + out->len, 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		out->len += (size_t)n;
		if (out->len > most)
			return -EFBIG;
	}
	out->data[out->len] = '\0';
	return 0;
}

int keepfile_read(const char *path, size_t most, struct buf *out)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), err = 0;
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else
		err = read_all(fd, most, out);
	close(fd);
	return err;
}

int keepfile_folders(const char *path)
{
	char part[PATH_MAX];

	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		if ((size_t)(p - path) >= sizeof(part))
			return -ENAMETOOLONG;
		snprintf(part, sizeof(part), "%.*s", (int)(p - path), path);
		if (mkdir(part, 0700) && errno != EEXIST)
			return -errno;
	}
	return 0;
}

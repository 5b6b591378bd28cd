/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keepfile.h - small files of the user's own: written whole or not at all, and never through a link that somebody laid.
 */
#ifndef CLI_KEEPFILE_H
#define CLI_KEEPFILE_H

#include <stddef.h>

#include "reclaimtop/buf.h"

/* A new file; -EEXIST where there is one, whatever it is. 0, or -errno with nothing left behind. */
int keepfile_new(const char *path, const struct buf *text);

/*
 * In place of what is there, by a new file beside it that takes its name: 0, or -errno. -ELOOP where a link is there, -EPERM
 * where the file or its folder is not the caller's own or others can write to the folder.
 */
int keepfile_replace(const char *path, const struct buf *text);

/* To a file that was named on the command line: what it holds goes. 0, or -errno. */
int keepfile_write(const char *path, const struct buf *text);

/* All of a file of at most most bytes: 0, or -errno; -EFBIG, and -EINVAL where it is no plain file. */
int keepfile_read(const char *path, size_t most, struct buf *out);

/* The folders above path, those that are missing, for nobody else's eyes. */
int keepfile_folders(const char *path);

#endif

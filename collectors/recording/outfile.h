/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outfile.h - the file of a recording, opened with care and written in pieces that are there whole or not at all.
 *
 * A recorder holds its file as long as it runs; whoever adds a piece (a recorder, or `mark`) holds it for that moment. Both are
 * locks of the open file (fcntl(2)), on bytes that no file reaches, so that they also go when a process is killed.
 */
#ifndef RECORDING_OUTFILE_H
#define RECORDING_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outfile {
	int fd;
	int dir;           /* its folder; -1 for a stream */
	const char *base;  /* its name there, within the path that was given to open */
	bool stream;       /* a pipe, a terminal, a device: what was written cannot be taken back */
	bool torn;         /* stream: it ends within a line */
	int stop_fd;       /* stream: readable when nothing more must be waited for; 0 none */
};

enum outfile_mode {
	OUTFILE_NEW,       /* what is there is left alone: EEXIST */
	OUTFILE_ADD,       /* to what is there, or a new one */
	OUTFILE_REPLACE,   /* what is there goes */
	OUTFILE_MARK,      /* to what is there, beside whoever records to it: without the recorder's lock */
};

/*
 * Open path, which must live as long as out. 0, or -errno with *why one constant sentence: EEXIST, EBUSY (another records to
 * it), ELOOP (a symbolic link in a folder that others can write), EPERM (somebody else's file in such a folder), EINVAL.
 */
int outfile_open(const char *path, enum outfile_mode mode, struct outfile *out, const char **why);

/* Begin and end adding a piece; waits for others. */
void outfile_lock(const struct outfile *f);
void outfile_unlock(const struct outfile *f);

/* Its size now; 0 for a stream. */
uint64_t outfile_size(const struct outfile *f);

/* Add bytes: 0, or -errno with nothing added. Between lock and unlock. */
int outfile_write(struct outfile *f, const char *bytes, size_t len);

/* What is on the disk by now need not stay in memory: a recorder must not be what it looks for. */
void outfile_forget(const struct outfile *f);

/* Does it end without a newline? */
bool outfile_ends_torn(const struct outfile *f);

/* Close, with sync once it is on the disk: 0, or -errno where not all of it can get there. */
int outfile_close(struct outfile *f, bool sync);

#endif

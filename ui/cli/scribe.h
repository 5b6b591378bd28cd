/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scribe.h - writes a recording in a thread of its own, so that nobody who looks waits for a disk.
 *
 * It takes copies, a few at a time: whoever brings them keeps the rest until there is room.
 */
#ifndef CLI_SCRIBE_H
#define CLI_SCRIBE_H

#include "reclaimtop/recording.h"

struct scribe;

/* As recorder_open(): NULL with *why and errno. */
struct scribe *scribe_open(const char *path, const char **why);

/* Readable when there is room again, or something went wrong. Stays so until scribe_look(). */
int scribe_fd(const struct scribe *s);

struct scribe_news {
	uint64_t samples, bytes, lost;   /* written so far; could not be written */
	int error;                       /* errno of the last write, 0 where it went well */
	bool ended;                      /* all is in the file: scribe_close() does not wait */
};

void scribe_look(struct scribe *s, struct scribe_news *out);

/* A copy of it is taken. False: there is no room. */
bool scribe_put(struct scribe *s, const struct sample *sample);

/* A marker at the time of a sample that was put. False: there is no room. */
bool scribe_mark(struct scribe *s, int64_t mono_us, const char *text);

/* Write what it took, and end. The news tell when that is done. */
void scribe_end(struct scribe *s);

/* Free it. What has not ended yet goes on by itself, as long as the program runs. */
void scribe_close(struct scribe *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording.h - files of samples: written as they come, read from any place.
 *
 * A recording is lines of JSON (docs/format.md): headers, samples, events and markers. A header opens a session; a file that
 * was appended to holds several. Lines that are damaged are passed over and counted, never guessed at. A file whose
 * name ends in .zst is compressed: one frame for each whole sample with what follows it.
 */
#ifndef RECLAIMTOP_RECORDING_H
#define RECLAIMTOP_RECORDING_H

#include <stdbool.h>

#include "reclaimtop/mark.h"
#include "reclaimtop/sample.h"
#include "reclaimtop/source.h"

/* --- writing --- */

struct recorder_options {
	bool append;         /* to what is there already: a new header, then the samples */
	bool overwrite;      /* a file that is there is replaced; without this and append it is refused */
	bool anonymize;      /* names of memcgs and processes become stable pseudonyms */
	uint64_t rotate_bytes;   /* 0: never */
	int64_t rotate_us;       /* 0: never */
	unsigned int keep;       /* rotated files kept beside the one in use; 0: all */
};

struct recorder;

/*
 * Ready to write to path ("-" is standard output; .zst is compressed). NULL: *why is one constant sentence with
 * what to do, errno says more. Created 0640; a symbolic link in a folder that others can write is refused, and so is a file
 * that another recorder holds.
 */
struct recorder *recorder_open(const char *path, const struct recorder_options *options,
			       const char **why);

/*
 * Write one sample whole and flush it. The first one writes a header before it. 0 or -errno: -ENOSPC and the like
 * leave the file as it was before this sample; the next call tries again with a whole sample.
 */
int recorder_put(struct recorder *r, const struct sample *s);

/* What happens beside the samples. */
int recorder_mark(struct recorder *r, enum mark_kind kind, int64_t mono_us, const char *text);

uint64_t recorder_bytes(const struct recorder *r);

/* Close; 0 or -errno where the last bytes could not be written. */
int recorder_close(struct recorder *r);

/* --- reading --- */

struct recording_facts {
	uint32_t sessions;       /* headers */
	uint32_t damaged;        /* lines passed over */
	bool torn_tail;          /* the last line was not whole */
	bool compressed;
	int major;               /* of the format */
};

struct recording;

enum recording_flags {
	RECORDING_FOLLOW = 1,    /* it may still be written: look for more when the end is reached */
};

/*
 * Open and index: the first samples are at hand at once, the index of the rest fills as recording_scan() is called. NULL: *why is one
 * constant sentence; errno EPROTO (not a recording), ENOTSUP (a newer major version), EBADMSG (nothing whole in it), or of the file.
 */
struct recording *recording_open(const char *path, unsigned int flags, const char **why);
void recording_close(struct recording *r);

/* Index some more, for about budget_us. True while there is more to index. */
bool recording_scan(struct recording *r, int64_t budget_us);

/* How many samples are indexed, the time of one, and which session it belongs to. */
uint64_t recording_count(const struct recording *r);
int64_t recording_time(const struct recording *r, uint64_t i);     /* mono_us */
int64_t recording_wall(const struct recording *r, uint64_t i);     /* 0 where unknown */
uint32_t recording_session(const struct recording *r, uint64_t i);

/* The last sample of session not after t_us; the session's first where all are. */
uint64_t recording_find(const struct recording *r, uint32_t session, int64_t t_us);

/* Sample i into out, whose arena is reset. 0, or -errno: -EILSEQ where it is damaged, then out holds nothing. */
int recording_read(struct recording *r, uint64_t i, struct sample *out);

/* Markers found so far, by place in the file. */
uint32_t recording_marks(const struct recording *r, const struct mark **marks);

void recording_facts(const struct recording *r, struct recording_facts *out);

/* A recording as a source: its samples in order; SOURCE_SEEK. Owns nothing of r. */
struct source *source_recording(struct recording *r);

#endif

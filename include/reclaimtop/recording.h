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
	int stop_fd;             /* to a pipe: give up waiting for its reader when this is readable; 0: wait */
};

struct recorder;

/*
 * Ready to write to path ("-" is standard output; .zst is compressed). NULL: *why is one constant sentence, errno says
 * more: EEXIST a file is there, EBUSY another recorder holds it, ELOOP, EPERM it is not safe there, EPROTO what is
 * there is no recording. Created 0640; no symbolic link is followed in a folder that others can write.
 *
 * A process that records ignores SIGPIPE and SIGXFSZ, so that a closed pipe and a limit are errors like others.
 */
struct recorder *recorder_open(const char *path, const struct recorder_options *options,
			       const char **why);

/*
 * Write one sample whole and flush it. The first one writes a header before it. 0 or -errno: -ENOSPC and the like
 * leave the file as it was before this sample. It is tried again with a whole sample, twice a second at most: until it works
 * every sample is lost and counted, and the file says so then. -EPIPE and -ECANCELED (stop_fd) are for good.
 */
int recorder_put(struct recorder *r, const struct sample *s);

/*
 * A marker, as soon as there is a sample to put it behind. text: bytes, made printable here. recorder_note() takes the
 * whole mark, but for session and boot_id. Wall time 0 is reckoned from the samples'.
 */
int recorder_mark(struct recorder *r, enum mark_kind kind, int64_t mono_us, const char *text);
int recorder_note(struct recorder *r, const struct mark *m);

uint64_t recorder_bytes(const struct recorder *r);    /* written, in all files */
uint64_t recorder_samples(const struct recorder *r);  /* the same */
uint64_t recorder_lost(const struct recorder *r);     /* samples that could not be written */

/* What kept the last file from being rotated, while it is written on: -errno; 0 nothing. */
int recorder_rotating(const struct recorder *r);

/* Close; 0 or -errno where the last bytes could not be written. */
int recorder_close(struct recorder *r);

/*
 * Add a marker to a file, also to one that is being recorded. mono_us and boot_id are those of the machine where it is set. 0 or
 * -errno, with *why as recorder_open() has it.
 */
int recording_add_mark(const char *path, const struct mark *m, const char **why);

/* --- reading --- */

struct recording_facts {
	uint32_t sessions;       /* headers, and what else cannot be one session: another boot, time that went back */
	uint32_t damaged;        /* lines passed over; those of samples count once somebody asked for one nearby */
	uint32_t baseless;       /* intact, but they tell what changed in a sample that is not there */
	bool torn_tail;          /* the last line was not whole */
	bool headless;           /* the file begins within a session: its first lines were lost */
	bool indexed;            /* to the end of the file */
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

/*
 * How many samples are indexed, the time of one, and which session it belongs to. A damaged sample counts as well, as far as it can
 * be told that there was one: its time is that of the one before, recording_read() refuses it. Its number does not change
 * as the index grows.
 */
uint64_t recording_count(const struct recording *r);
int64_t recording_time(const struct recording *r, uint64_t i);     /* mono_us */
int64_t recording_wall(const struct recording *r, uint64_t i);     /* 0 where unknown */
uint32_t recording_session(const struct recording *r, uint64_t i);

/* Byte offset in the file of the sample's line, or of the compressed frame that holds it. */
uint64_t recording_offset(const struct recording *r, uint64_t i);

/* Number of the first sample of a session (that of recording_count() behind the last one). */
uint64_t recording_first(const struct recording *r, uint32_t session);

/* The last sample of session not after t_us; the session's first where all are. */
uint64_t recording_find(const struct recording *r, uint32_t session, int64_t t_us);

/*
 * Sample i into out, whose arena is reset (and made where it is NULL). 0, or -errno: -EILSEQ where it is damaged, or changes a
 * damaged one, then out holds nothing; -ENOENT there is none.
 */
int recording_read(struct recording *r, uint64_t i, struct sample *out);

/*
 * Markers and events found so far, by place in the file; at most 65,536. Their mono_us is on their session's clock. Texts live as
 * long as r, the list until the next call of recording_scan().
 */
uint32_t recording_marks(const struct recording *r, const struct mark **marks);

void recording_facts(const struct recording *r, struct recording_facts *out);

/*
 * A recording as a source: its samples in order, damaged ones left out; SOURCE_SEEK, within the session that it is in. r is to
 * live longer, and to be used by nobody else meanwhile.
 */
struct source *source_recording(struct recording *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codec.h - a sample as one line of JSON, and back. docs/format.md describes the lines.
 *
 * A line is written whole (key) or as what changed against the sample before it, with what is no longer there under
 * "gone". It begins with type, mono_us, n and key, and ends with a CRC-32 of all bytes before `,"crc"`.
 */
#ifndef RECLAIMTOP_CODEC_H
#define RECLAIMTOP_CODEC_H

#include "reclaimtop/buf.h"
#include "reclaimtop/mark.h"
#include "reclaimtop/sample.h"
#include "reclaimtop/step.h"
#include "reclaimtop/diagnosis.h"

struct codec;

/* Holds what is used again between lines. Not shared between threads. */
struct codec *codec_new(void);
void codec_free(struct codec *c);

/* The header line of a session that begins with this sample, appended to out with its newline. */
void codec_header(struct codec *c, const struct sample *first, struct buf *out);

/* One sample line appended to out with its newline; whole where before is NULL. */
void codec_write(struct codec *c, const struct sample *before, const struct sample *now, struct buf *out);

/* A "type":"step" line: rates, flows, drains with their states, and the findings. */
void codec_step(struct codec *c, const struct step *st, const struct finding *findings, uint32_t n,
		struct buf *out);

/*
 * One line (no newline) into out, whose arena is reset. before: the sample that the line's changes apply to, NULL
 * where there is none. 0; -EILSEQ bad CRC or not JSON; -EPROTO not a sample line; -ESTALE changes without before, or after a
 * hole in n. On failure out holds nothing.
 */
int codec_read(struct codec *c, const char *line, size_t len, const struct sample *before,
	       struct sample *out);

/* --- lines without their JSON: for an index --- */

enum line_type {
	LINE_OTHER,      /* of a type that we do not know, or no line of ours */
	LINE_HEADER,
	LINE_SAMPLE,
	LINE_MARK,       /* a marker or an event */
};

/* The version of the format that we write; a header of a higher one is not for us. */
#define LINE_VERSION 1

/* What the first members of a line say; the rest was not looked at. */
struct line_head {
	enum line_type type;
	uint64_t version;        /* header */
	bool key;                /* sample: whole */
	uint64_t n;              /* sample */
	int64_t mono_us;         /* sample, mark */
	bool has_wall;           /* sample: it says its wall time, */
	int64_t wall_us;         /* which is this */
	const char *boot;        /* whole sample: its boot id within the line, NULL where not said */
	size_t boot_len;
};

/* Everything of out is set. Reads a few hundred bytes of the line at most. */
void codec_peek(const char *line, size_t len, struct line_head *out);

/* Does the line end as ours do, with a CRC? Without reckoning it: tells what was cut off. */
bool codec_is_whole(const char *line, size_t len);

/* Does the line's CRC hold? */
bool codec_intact(const struct codec *c, const char *line, size_t len);

/* --- markers and events --- */

/* A line of this, appended to out with its newline. */
void codec_mark(struct codec *c, const struct mark *m, struct buf *out);

/* Back, text in a: 0, -EILSEQ (CRC, not JSON), -EPROTO (no marker, no event). */
int codec_read_mark(struct codec *c, const char *line, size_t len, struct arena *a,
		    struct mark *out);

#endif

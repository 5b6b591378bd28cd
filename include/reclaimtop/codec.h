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

#endif

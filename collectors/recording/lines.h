/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - the lines of a recording one after the other, plain or out of its frames, from any place on.
 *
 * What cannot be unpacked is passed over up to the next frame. Memory is bounded by the longest line that may be.
 */
#ifndef RECORDING_LINES_H
#define RECORDING_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	int fd;
	struct ZSTD_DCtx_s *z;  /* NULL: not compressed */
	uint64_t next;       /* file offset of what is read next */
	unsigned char *in;   /* packed bytes, those from in_pos on not looked at yet */
	size_t in_len, in_pos;
	bool inside;         /* within a frame */
	size_t want;         /* packed bytes that it asks for next */
	uint64_t frame;      /* where it begins */

	char *text;
	size_t pos, len, cap;   /* the next line begins at pos */
	size_t seen;         /* no newline between pos and here */
	uint64_t text_at;    /* file offset of text[0], in a plain file */
	bool skipping;       /* within a line that is too long */

	uint64_t line_at;    /* file offset of the last line given, or of the frame that it is in */
};

enum lines_result {
	LINES_END,           /* no more now; a file that grows may have more later */
	LINES_LINE,
	LINES_BAD,           /* something was passed over */
};

void lines_init(struct lines *l, int fd, bool zst);
void lines_fini(struct lines *l);

/* Go on at an offset where a line or a frame begins. */
void lines_seek(struct lines *l, uint64_t offset);

/* The next line without its newline, good until the next call. */
enum lines_result lines_next(struct lines *l, const char **line, size_t *len);

/* After LINES_END: what is there of a line that has no newline. */
size_t lines_rest(const struct lines *l, const char **rest);

/* It was taken for a line. */
void lines_drop(struct lines *l);

/* Compressed: is everything given that was begun? Then *frame is where the next frame begins. */
bool lines_between(const struct lines *l, uint64_t *frame);

#endif

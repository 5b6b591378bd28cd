/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zst.h - the outside of compressed recordings: where frames begin and end (RFC 8878), without looking into them.
 *
 * A frame of ours has no checksum and an unknown size, so that three bytes end it wherever a block ended. It is followed by
 * a skippable frame that says what was in it, which saves an index from unpacking it. Other programs pass over that.
 */
#ifndef RECORDING_ZST_H
#define RECORDING_ZST_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

/* Bytes of a file, read in large pieces. All zero but for fd is an empty one. */
#define WINDOW_SIZE ((size_t)128 << 10)

struct window {
	int fd;
	uint64_t at;
	size_t len;
	unsigned char *data;   /* WINDOW_SIZE; NULL until the first read */
};

/* size bytes (at most 128) of the file at offset, NULL where it has not that many. Good until the next call. */
const unsigned char *window_look(struct window *w, uint64_t offset, size_t size);
void window_fini(struct window *w);

enum zst_kind {
	ZST_NONE,        /* no frame begins here, or the file ends within its head */
	ZST_FRAME,
	ZST_SKIPPABLE,
};

/* Does the file hold frames? As far as its first bytes tell, of which some may be damaged. */
bool zst_is_compressed(struct window *w);

/* How far a frame goes. */
struct zst_span {
	uint64_t end;    /* behind it; where it is not closed, behind its last whole block */
	bool closed;     /* its last block is there */
	bool plain_end;  /* it has no checksum: ZST_CLOSE closes it */
	bool broken;     /* end is where something stands that is no block */
};

/* The frame at offset. *out is set for ZST_FRAME and ZST_SKIPPABLE. */
enum zst_kind zst_walk(struct window *w, uint64_t offset, struct zst_span *out);

/* An empty last block: what closes a frame. */
#define ZST_CLOSE "\x01\0\0"
#define ZST_CLOSE_SIZE 3

/* What was in the frame before a trailer. */
struct zst_trailer {
	uint64_t size;           /* of the frame, with what closes it: where that is another, it is not the frame meant */
	uint32_t samples, marks;
	bool header;             /* it began with a header line */
	uint64_t n;              /* of the first sample, and the next two too */
	int64_t mono_us, wall_us;
	uint64_t boot;           /* zst_hash() of the boot id */
};

uint64_t zst_hash(const char *bytes, size_t len);

void zst_trailer_write(const struct zst_trailer *t, struct buf *out);

/* Is there a trailer at offset? Then *end is behind it. The frame's size is for the caller to compare. */
bool zst_trailer_read(struct window *w, uint64_t offset, struct zst_trailer *t, uint64_t *end);

#endif

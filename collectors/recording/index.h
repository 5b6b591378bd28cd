/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - where the samples of a recording are: one entry for each whole sample, or for several where they are close together.
 *
 * A plain file is gone over line by line, by what lines begin with. In a compressed one the trailers behind frames tell what
 * was in them; only a frame without one is unpacked.
 */
#ifndef RECORDING_INDEX_H
#define RECORDING_INDEX_H

#include "reclaimtop/mark.h"

#include "order.h"
#include "zst.h"

/* A stretch of the file that begins with a whole sample; it goes as far as the next one. */
struct chunk {
	uint64_t offset;     /* of the whole sample's line, or of its frame */
	uint64_t skip;       /* samples that count in the frame before it */
	uint64_t first;      /* number of its first sample, from 0 in the file */
	int64_t mono_us;     /* of that one */
	uint32_t session;
	bool checked;        /* its damage was counted */
};

struct session_entry {
	uint64_t first;      /* number of its first sample */
	uint32_t chunk;      /* that it begins with */
	uint64_t boot;       /* zst_hash() of the boot id, 0 unknown */
};

struct index {
	int fd;
	bool zst, follow;
	struct chunk *chunks;
	struct session_entry *sessions;
	struct mark *marks;
	uint32_t nchunks, chunks_cap, nsessions, sessions_cap, nmarks, marks_cap;
	uint64_t count;      /* samples */
	struct arena *texts; /* of marks */

	uint32_t damaged;    /* pieces of text that are no lines */
	uint32_t baseless;   /* changes of nothing */
	uint32_t lines;      /* of ours */
	uint64_t newest;     /* version */
	bool at_end, torn;
	bool headless;       /* samples came before any header */

	/* The scan. */
	struct codec *codec;
	struct order order;
	struct window window;
	uint64_t at;         /* compressed, between two frames: of the next one */
	bool within;         /* compressed: lines of a frame are taken */
	bool new_session;    /* a header came, and no sample yet */
	uint64_t again;      /* compressed: samples of this frame that were taken before */
	uint64_t last_n;     /* of the last whole sample */
	int64_t last_us, latest_us;  /* its time; that of the last sample, as far as it may be believed */
	uint64_t size;       /* of the file, when it was last looked at */
};

void index_init(struct index *ix, int fd, bool zst, bool follow);
void index_fini(struct index *ix);

/* Go on for about budget_us. True: there is more. */
bool index_scan(struct index *ix, int64_t budget_us);

/* Go on until there are so many samples or the end is reached, over at most so many bytes. */
void index_begin(struct index *ix, uint64_t samples, uint64_t bytes);

/* The chunk that sample i is in (there must be one), and how many samples are in a chunk. */
uint32_t index_chunk(const struct index *ix, uint64_t i);
uint64_t index_in_chunk(const struct index *ix, uint32_t chunk);

#endif

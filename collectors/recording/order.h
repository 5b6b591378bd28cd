/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - which lines of a recording are samples that count, and in what order: the index and whoever reads a sample must
 * number them alike.
 *
 * A line counts when it begins as a sample and ends as our lines do, be its CRC good or bad, behind a whole sample with a good
 * CRC. In a compressed file that one stands in the same frame.
 */
#ifndef RECORDING_ORDER_H
#define RECORDING_ORDER_H

#include "reclaimtop/codec.h"

#include "lines.h"

enum order_kind {
	ORDER_END,       /* no more lines now */
	ORDER_KEY,       /* a whole sample, CRC good */
	ORDER_SAMPLE,    /* a sample that counts, CRC not looked at, or a whole one with a bad CRC */
	ORDER_HEADER,    /* with a good CRC */
	ORDER_MARK,      /* CRC not looked at */
	ORDER_BASELESS,  /* changes without the sample that they change */
	ORDER_DAMAGED,   /* what is no line, or has a bad CRC, or was there before */
	ORDER_OTHER,     /* of a type that we do not know, or empty */
};

struct order {
	const struct codec *codec;
	struct lines lines;
	bool zst, has_key;
	bool refused;        /* the session is of a newer version of the format: its samples are ORDER_OTHER */
	uint32_t since;      /* samples since the whole one */
	uint64_t frame;      /* of the last line */
	uint64_t in_frame;   /* samples that counted in it so far */

	/* What was there before does not count again. */
	bool repeats;        /* something did, in this frame */
	uint64_t last_n, boot, header;
	int64_t last_us;

	/* The line that was given last, without its newline; good until the next call. */
	const char *line;
	size_t len;
	struct line_head head;
};

void order_init(struct order *o, const struct codec *codec, int fd, bool zst);
void order_fini(struct order *o);

/* Begin at an offset, where a line or a frame begins. */
void order_seek(struct order *o, uint64_t offset);

/*
 * The next line and what it is. last: nothing more will be written, so the rest of the file is a line too if its CRC
 * holds.
 */
enum order_kind order_next(struct order *o, bool last);

#endif

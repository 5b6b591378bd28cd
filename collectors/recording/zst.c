/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "zst.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/arena.h"

#define MAGIC 0xfd2fb528u
#define MAGIC_SKIPPABLE 0x184d2a50u  /* to 0x184d2a5f */
#define MAGIC_TRAILER 0x184d2a5au
#define TRAILER_SIZE 60

/* ---- bytes ---- */

static ssize_t read_at(int fd, void *to, size_t size, uint64_t offset)
{
	ssize_t n;

	do {
		n = pread(fd, to, size, (off_t)offset);
	} while (n < 0 && errno == EINTR);
	return n;
}

const unsigned char *window_look(struct window *w, uint64_t offset, size_t size)
{
	ssize_t n;

	if (w->len && offset >= w->at && offset - w->at <= w->len && size <= w->len - (offset - w->at))
		return w->data + (offset - w->at);
	if (!w->data)
		w->data = mem_alloc(WINDOW_SIZE);
	n = read_at(w->fd, w->data, WINDOW_SIZE, offset);
	w->at = offset;
	w->len = n > 0 ? (size_t)n : 0;
	return size <= w->len ? w->data : NULL;
}

void window_fini(struct window *w)
{
	free(w->data);
	w->data = NULL;
	w->len = 0;
}

static uint64_t number(const unsigned char *p, int size)
{
	uint64_t v = 0;

	while (size--)
		v = v << 8 | p[size];
	return v;
}

static void add_number(struct buf *out, uint64_t v, int size)
{
	for (; size; size--, v >>= 8)
		buf_add(out, &(char){ (char)(v & 0xff) }, 1);
}

/* ---- frames ---- */

#define BLOCK_HEAD 3

/* Blocks from span->end on, to the last one or as far as they go. */
static void walk_blocks(struct window *w, struct zst_span *span)
{
	enum { RAW, RLE, COMPRESSED, RESERVED };
	const unsigned char *p;

	while (!span->closed && (p = window_look(w, span->end, BLOCK_HEAD))) {
		uint64_t head = number(p, BLOCK_HEAD);
		unsigned int type = head >> 1 & 3;
		uint64_t size = type == RLE ? 1 : head >> 3;

		span->broken = type == RESERVED;
		if (span->broken || (size && !window_look(w, span->end + BLOCK_HEAD + size - 1, 1)))
			return;
		span->end += BLOCK_HEAD + size;
		span->closed = head & 1;
	}
}

/* Size of a frame's head behind the magic number, by its first byte. */
static size_t head_size(unsigned char descriptor)
{
	static const unsigned char dictionary[] = { 0, 1, 2, 4 }, content[] = { 0, 2, 4, 8 };
	bool single = descriptor >> 5 & 1;
	size_t size = content[descriptor >> 6];

	if (single && !size)
		size = 1;
	return 1 + !single + dictionary[descriptor & 3] + size;
}

static enum zst_kind walk_frame(struct window *w, uint64_t offset, struct zst_span *out)
{
	const unsigned char *p = window_look(w, offset + 4, 1);
	size_t size = p ? head_size(*p) : 0;
	bool checksum = p && *p >> 2 & 1;

	if (!p || !window_look(w, offset + 4, size))
		return ZST_NONE;
	*out = (struct zst_span){ .end = offset + 4 + size, .plain_end = !checksum };
	walk_blocks(w, out);
	if (out->closed && checksum) {
		out->closed = window_look(w, out->end, 4);
		out->end += out->closed ? 4 : 0;
	}
	return ZST_FRAME;
}

enum zst_kind zst_walk(struct window *w, uint64_t offset, struct zst_span *out)
{
	const unsigned char *p = window_look(w, offset, 4);
	uint64_t magic = p ? number(p, 4) : 0, size;

	if (magic == MAGIC)
		return walk_frame(w, offset, out);
	if ((magic & ~UINT64_C(15)) != MAGIC_SKIPPABLE)
		return ZST_NONE;
	p = window_look(w, offset + 4, 4);
	if (!p)
		return ZST_NONE;
	size = number(p, 4);
	*out = (struct zst_span){ .end = offset + 8 + size };
	out->closed = !size || window_look(w, out->end - 1, 1);
	return ZST_SKIPPABLE;
}

bool zst_is_compressed(struct window *w)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	static const char line[] = "{\"type\":\"";
	const unsigned char *p;
	struct zst_span span;

	if (zst_walk(w, 0, &span) != ZST_NONE)
		return true;
	/* From the beginning, after walking. */
	w->len = 0;
	p = window_look(w, 0, 1);
	return p && !memmem(p, w->len, line, sizeof(line) - 1) && memmem(p, w->len, magic, sizeof(magic));
}

/* ---- trailers ---- */

uint64_t zst_hash(const char *bytes, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return h;
}

void zst_trailer_write(const struct zst_trailer *t, struct buf *out)
{
	size_t start;

	add_number(out, MAGIC_TRAILER, 4);
	add_number(out, TRAILER_SIZE, 4);
	start = out->len;
	buf_add(out, "RTOP", 4);
	add_number(out, t->samples, 4);
	add_number(out, t->marks, 4);
	add_number(out, t->header, 4);
	add_number(out, t->n, 8);
	add_number(out, (uint64_t)t->mono_us, 8);
	add_number(out, (uint64_t)t->wall_us, 8);
	add_number(out, t->boot, 8);
	add_number(out, t->size, 8);
	add_number(out, zst_hash(out->data + start, TRAILER_SIZE - 4), 4);
}

bool zst_trailer_read(struct window *w, uint64_t offset, struct zst_trailer *t, uint64_t *end)
{
	const unsigned char *p = window_look(w, offset, 8 + TRAILER_SIZE);
	uint64_t check;

	if (!p || number(p, 4) != MAGIC_TRAILER || number(p + 4, 4) != TRAILER_SIZE ||
	    memcmp(p + 8, "RTOP", 4))
		return false;
	p += 8;
	check = zst_hash((const char *)p, TRAILER_SIZE - 4) & UINT32_MAX;
	if (number(p + TRAILER_SIZE - 4, 4) != check)
		return false;
	*t = (struct zst_trailer){
		.samples = (uint32_t)number(p + 4, 4),
		.marks = (uint32_t)number(p + 8, 4),
		.header = number(p + 12, 4),
		.n = number(p + 16, 8),
		.mono_us = (int64_t)number(p + 24, 8),
		.wall_us = (int64_t)number(p + 32, 8),
		.boot = number(p + 40, 8),
		.size = number(p + 48, 8),
	};
	*end = offset + 8 + TRAILER_SIZE;
	return true;
}

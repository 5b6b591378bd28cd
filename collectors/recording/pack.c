/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/codec.h"

/*
 * Lines are short and much alike, so that a thorough search in small tables finds most of what the highest levels find, in a tenth
 * of their time and memory. The window holds a whole sample and a minute of changes.
 */
static const struct {
	ZSTD_cParameter what;
	int value;
} parameters[] = {
	{ ZSTD_c_strategy, ZSTD_btopt },
	{ ZSTD_c_windowLog, 20 },
	{ ZSTD_c_hashLog, 16 },
	{ ZSTD_c_chainLog, 17 },
	{ ZSTD_c_searchLog, 5 },
	{ ZSTD_c_minMatch, 3 },
	{ ZSTD_c_targetLength, 64 },
	{ ZSTD_c_checksumFlag, 0 },
	{ ZSTD_c_contentSizeFlag, 0 },
};

struct packer {
	ZSTD_CCtx *z;
	bool open;          /* lines may follow in the frame that z is at */
	bool in_file;       /* a frame in the file waits to be closed */
	struct zst_trailer is, next;   /* what the file's frame holds; and will, once the last lines are there */
};

struct packer *packer_new(void)
{
	struct packer *p = mem_alloc(sizeof(*p));

	*p = (struct packer){ .z = ZSTD_createCCtx() };
	if (!p->z)
		oom_exit(0);
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++)
		if (ZSTD_isError(ZSTD_CCtx_setParameter(p->z, parameters[i].what, parameters[i].value)))
			abort();
	return p;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->z);
	free(p);
}

/* ---- what is in it ---- */

static void note_sample(struct zst_trailer *t, const struct line_head *head)
{
	if (!t->samples++) {
		t->n = head->n;
		t->mono_us = head->mono_us;
		t->wall_us = head->wall_us;
		t->boot = head->boot ? zst_hash(head->boot, head->boot_len) : 0;
	}
}

static void note_lines(struct zst_trailer *t, const struct buf *lines)
{
	const char *line = lines->data, *end = line + lines->len, *newline;

	for (; line < end; line = newline + 1) {
		struct line_head head;

		newline = memchr(line, '\n', (size_t)(end - line));
		if (!newline)
			return;
		codec_peek(line, (size_t)(newline - line), &head);
		t->header |= head.type == LINE_HEADER;
		t->marks += head.type == LINE_MARK;
		if (head.type == LINE_SAMPLE)
			note_sample(t, &head);
	}
}

/* ---- bytes ---- */

static void flush(struct packer *p, const struct buf *lines, struct buf *out)
{
	ZSTD_inBuffer in = { lines->data, lines->len, 0 };
	size_t left;

	do {
		ZSTD_outBuffer to;

		buf_reserve(out, ZSTD_CStreamOutSize());
		to = (ZSTD_outBuffer){ out->data + out->len, ZSTD_CStreamOutSize(), 0 };
		left = ZSTD_compressStream2(p->z, &to, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			oom_exit(0);
		out->len += to.pos;
		out->data[out->len] = '\0';
	} while (left);
}

void packer_end(struct packer *p, struct buf *out)
{
	struct zst_trailer t = p->is;

	if (!p->in_file)
		return;
	buf_add(out, ZST_CLOSE, ZST_CLOSE_SIZE);
	t.size += ZST_CLOSE_SIZE;
	if (t.samples || t.marks)
		zst_trailer_write(&t, out);
	p->open = false;
}

void packer_put(struct packer *p, const struct buf *lines, bool fresh, struct buf *out)
{
	size_t start;

	if (fresh || !p->open) {
		packer_end(p, out);
		ZSTD_CCtx_reset(p->z, ZSTD_reset_session_only);
		p->next = (struct zst_trailer){ 0 };
	} else {
		p->next = p->is;
	}
	note_lines(&p->next, lines);
	start = out->len;
	flush(p, lines, out);
	p->next.size += out->len - start;
}

void packer_done(struct packer *p, bool written)
{
	p->open = written;
	if (written) {
		p->in_file = true;
		p->is = p->next;
	}
}

void packer_closed(struct packer *p)
{
	p->open = p->in_file = false;
}

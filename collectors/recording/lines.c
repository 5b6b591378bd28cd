/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "reclaimtop/arena.h"

#include "limits.h"

#define PIECE ((size_t)64 << 10)
#define IN_SIZE ((size_t)64 << 10)
#define SEARCH_SIZE 8192

/* A frame may ask for 8 MiB, as those of zstd -19 do; ours ask for one. */
#define WINDOW_LOG_MOST 23

/* What a frame's head wants to be begun with. */
#define FRAME_BEGIN 5

static const unsigned char magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };

void lines_init(struct lines *l, int fd, bool zst)
{
	*l = (struct lines){ .fd = fd, .want = FRAME_BEGIN };
	if (!zst)
		return;
	l->z = ZSTD_createDCtx();
	if (!l->z)
		oom_exit(0);
	ZSTD_DCtx_setParameter(l->z, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
	l->in = mem_alloc(IN_SIZE);
}

void lines_fini(struct lines *l)
{
	ZSTD_freeDCtx(l->z);
	free(l->in);
	free(l->text);
	*l = (struct lines){ .fd = -1 };
}

void lines_seek(struct lines *l, uint64_t offset)
{
	l->next = l->text_at = l->frame = offset;
	l->in_len = l->in_pos = 0;
	l->pos = l->len = l->seen = 0;
	l->inside = l->skipping = false;
	l->want = FRAME_BEGIN;
	if (l->z)
		ZSTD_DCtx_reset(l->z, ZSTD_reset_session_only);
}

/* ---- room for text ---- */

static void forget(struct lines *l, size_t upto)
{
	memmove(l->text, l->text + upto, l->len - upto);
	l->text_at += upto;
	l->len -= upto;
	l->pos = 0;
	l->seen -= upto < l->seen ? upto : l->seen;
}

/* The text that was given goes, and what a line has too much. Room for a piece behind the rest. */
static void make_room(struct lines *l)
{
	if (l->pos)
		forget(l, l->pos);
	if (l->len > LINE_MAX_SIZE) {
		l->skipping = true;
		forget(l, l->len);
		l->seen = 0;
	}
	if (l->cap - l->len < PIECE) {
		l->cap = l->cap ? 2 * l->cap : 2 * PIECE;
		l->text = mem_grow(l->text, l->cap);
	}
}

/* ---- bytes ---- */

static size_t read_at(struct lines *l, void *to, size_t size)
{
	ssize_t n;

	do {
		n = pread(l->fd, to, size, (off_t)l->next);
	} while (n < 0 && errno == EINTR);
	if (n <= 0)
		return 0;
	l->next += (uint64_t)n;
	return (size_t)n;
}

/* What became of an attempt to have more text. */
enum more {
	MORE_NONE,
	MORE_TEXT,           /* or at least another attempt is worth it */
	MORE_BROKEN,
	MORE_SKIPPABLE,      /* a frame of nothing, whose size may be a lie */
};

static enum more more_plain(struct lines *l)
{
	size_t n;

	make_room(l);
	n = read_at(l, l->text + l->len, PIECE);
	l->len += n;
	return n ? MORE_TEXT : MORE_NONE;
}

static bool more_in(struct lines *l)
{
	if (l->in_pos < l->in_len)
		return true;
	l->in_len = read_at(l, l->in, IN_SIZE);
	l->in_pos = 0;
	return l->in_len;
}

/* File offset of the next packed byte. */
static uint64_t in_place(const struct lines *l)
{
	return l->next - (l->in_len - l->in_pos);
}

/* A torn line ends with its frame. There is room for the newline. */
static void end_line(struct lines *l)
{
	if (l->len > l->pos && l->text[l->len - 1] != '\n')
		l->text[l->len++] = '\n';
}

/*
 * MORE_TEXT where a frame begins. Where none does, the one before ended too late, within the frames that it swallowed: it stays
 * the one behind which to look.
 */
static enum more begin_frame(struct lines *l)
{
	const unsigned char *head;
	size_t n = l->in_len - l->in_pos;

	if (n < sizeof(magic)) {
		memmove(l->in, l->in + l->in_pos, n);
		l->in_pos = 0;
		l->in_len = n + read_at(l, l->in + n, IN_SIZE - n);
		n = l->in_len;
	}
	head = l->in + l->in_pos;
	if (n < sizeof(magic))
		return MORE_NONE;
	if ((head[0] & 0xf0) == 0x50 && !memcmp(head + 1, "\x2a\x4d\x18", 3)) {
		l->frame = in_place(l);
		return MORE_SKIPPABLE;
	}
	if (memcmp(head, magic, sizeof(magic)))
		return MORE_BROKEN;
	l->frame = in_place(l);
	l->inside = true;
	return MORE_TEXT;
}

/*
 * Only as much at once as the decoder asks for, about a block: it forgets what it unpacked in a call that ends in an error.
 */
static enum more more_packed(struct lines *l)
{
	ZSTD_inBuffer in;
	ZSTD_outBuffer out;
	size_t left;

	if (!more_in(l))
		return MORE_NONE;
	if (!l->inside) {
		enum more more = begin_frame(l);

		if (more != MORE_TEXT)
			return more;
	}
	make_room(l);
	in = (ZSTD_inBuffer){ l->in, l->in_len, l->in_pos };
	if (in.size - in.pos > l->want)
		in.size = in.pos + l->want;
	out = (ZSTD_outBuffer){ l->text, l->cap - 1, l->len };
	left = ZSTD_decompressStream(l->z, &out, &in);
	if (ZSTD_isError(left))
		return MORE_BROKEN;
	l->len = out.pos;
	l->in_pos = in.pos;
	l->inside = left;
	l->want = left ? left : FRAME_BEGIN;
	if (!left)
		end_line(l);
	return MORE_TEXT;
}

/* The first magic number from an offset on. False: there is none; *at is then where one may still come to be. */
static bool next_magic(const struct lines *l, uint64_t from, uint64_t *at)
{
	unsigned char piece[SEARCH_SIZE];
	const unsigned char *found;
	ssize_t n;

	for (*at = from;; *at += (uint64_t)n - (sizeof(magic) - 1)) {
		do {
			n = pread(l->fd, piece, sizeof(piece), (off_t)*at);
		} while (n < 0 && errno == EINTR);
		if (n < (ssize_t)sizeof(magic))
			return false;
		found = memmem(piece, (size_t)n, magic, sizeof(magic));
		if (found) {
			*at += (uint64_t)(found - piece);
			return true;
		}
	}
}

/* Behind a broken or a skippable frame: where the next one seems to begin. One that does not is broken too. */
static void find_frame(struct lines *l)
{
	uint64_t at;

	next_magic(l, l->frame + 1, &at);
	lines_seek(l, at);
}

/* A damaged block that is too long swallows the frames behind it, up to the end of the file. */
static bool swallows_others(const struct lines *l)
{
	uint64_t at;

	return l->z && l->inside && next_magic(l, l->frame + 1, &at);
}

/* ---- lines ---- */

static enum lines_result give(struct lines *l, const char *newline, const char **line, size_t *len)
{
	bool skipped = l->skipping;

	*line = l->text + l->pos;
	*len = (size_t)(newline - *line);
	l->line_at = l->z ? l->frame : l->text_at + l->pos;
	l->pos = l->seen = l->pos + *len + 1;
	l->skipping = false;
	return skipped ? LINES_BAD : LINES_LINE;
}

enum lines_result lines_next(struct lines *l, const char **line, size_t *len)
{
	for (;;) {
		const char *from = l->text + l->seen;
		const char *newline = l->len > l->seen ? memchr(from, '\n', l->len - l->seen) : NULL;
		enum more more;

		if (newline)
			return give(l, newline, line, len);
		l->seen = l->len;
		more = l->z ? more_packed(l) : more_plain(l);
		if (more == MORE_NONE && swallows_others(l))
			more = MORE_BROKEN;
		if (more == MORE_BROKEN || more == MORE_SKIPPABLE) {
			l->line_at = l->frame;
			find_frame(l);
		}
		if (more == MORE_BROKEN)
			return LINES_BAD;
		if (more == MORE_NONE)
			return LINES_END;
	}
}

size_t lines_rest(const struct lines *l, const char **rest)
{
	*rest = l->text + l->pos;
	return l->skipping ? 0 : l->len - l->pos;
}

void lines_drop(struct lines *l)
{
	l->line_at = l->z ? l->frame : l->text_at + l->pos;
	l->pos = l->seen = l->len;
}

bool lines_between(const struct lines *l, uint64_t *frame)
{
	*frame = in_place(l);
	return !l->inside && l->pos == l->len;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "append.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/codec.h"

#include "zst.h"

/*
 * The last frame. Where it has no end we give it one, unless it has a checksum: then a reader finds the next frame by itself.
 */
static int look_at_frames(const struct outfile *f, struct window *w, bool repair, enum append_kind *out)
{
	struct zst_span span = { 0 };
	enum zst_kind kind;
	uint64_t at = 0;

	*out = APPEND_ZST;
	while ((kind = zst_walk(w, at, &span)) != ZST_NONE && span.closed)
		at = span.end;
	if (kind != ZST_FRAME || span.broken || !span.plain_end)
		return 0;
	*out = APPEND_ZST_OPEN;
	if (repair && outfile_size(f) > span.end && ftruncate(f->fd, (off_t)span.end))
		return -errno;
	return 0;
}

/* A line of ours somewhere in the first bytes: the file may begin within one. */
static bool has_line(const char *bytes, size_t len)
{
	for (const char *line = bytes, *end = bytes + len; line; line++) {
		struct line_head head;

		codec_peek(line, (size_t)(end - line), &head);
		if (head.type != LINE_OTHER)
			return true;
		line = memchr(line, '\n', (size_t)(end - line));
		if (!line)
			break;
	}
	return false;
}

int append_look(const struct outfile *f, bool repair, enum append_kind *out, const char **why)
{
	struct window w = { .fd = f->fd };
	const unsigned char *p = window_look(&w, 0, 1);
	struct zst_span span;
	int err = 0;

	if (!p)
		*out = APPEND_EMPTY;
	else if (has_line((const char *)p, w.len))
		*out = APPEND_PLAIN;
	else if (zst_walk(&w, 0, &span) != ZST_NONE)
		err = look_at_frames(f, &w, repair, out);
	else
		err = -EPROTO;
	if (err == -EPROTO)
		*why = "what is there is no recording";
	else if (err)
		*why = strerror(-err);
	window_fini(&w);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * add_mark.c - a marker into a file that somebody else may be recording to at this moment.
 *
 * In a compressed file it is a frame of its own. A frame that the recorder has open is closed before it: the recorder sees
 * that the file grew, and begins a new one with a whole sample.
 */
#include "reclaimtop/recording.h"

#include <errno.h>
#include <string.h>

#include "reclaimtop/codec.h"
#include "reclaimtop/names.h"

#include "append.h"
#include "outfile.h"
#include "pack.h"

static void make_line(const struct mark *m, struct buf *out)
{
	struct codec *c = codec_new();
	struct arena *a = arena_new();
	struct mark own = *m;

	own.text = name_escape(a, m->text, strlen(m->text));
	codec_mark(c, &own, out);
	arena_free(a);
	codec_free(c);
}

static void make_frame(const struct buf *line, struct buf *out)
{
	struct packer *p = packer_new();

	packer_put(p, line, true, out);
	packer_done(p, true);
	packer_end(p, out);
	packer_free(p);
}

static int add(struct outfile *f, const struct buf *line, const char **why)
{
	enum append_kind kind;
	struct buf piece = { 0 };
	int err = append_look(f, true, &kind, why);

	if (err)
		return err;
	if (kind == APPEND_EMPTY) {
		*why = "it is empty";
		return -EPROTO;
	}
	if (kind == APPEND_ZST_OPEN)
		buf_add(&piece, ZST_CLOSE, ZST_CLOSE_SIZE);
	if (kind != APPEND_PLAIN)
		make_frame(line, &piece);
	else if (outfile_ends_torn(f))
		buf_str(&piece, "\n");
	if (kind == APPEND_PLAIN)
		buf_add(&piece, line->data, line->len);
	err = outfile_write(f, piece.data, piece.len);
	if (err)
		*why = strerror(-err);
	buf_fini(&piece);
	return err;
}

int recording_add_mark(const char *path, const struct mark *m, const char **why)
{
	struct buf line = { 0 };
	struct outfile f;
	int err = outfile_open(path, OUTFILE_MARK, &f, why);

	if (err)
		return err;
	make_line(m, &line);
	outfile_lock(&f);
	err = add(&f, &line, why);
	outfile_unlock(&f);
	outfile_close(&f, false);
	buf_fini(&line);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.c - samples into a file, each whole and at once: a process that is killed loses none that was written.
 */
#include "reclaimtop/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/codec.h"
#include "reclaimtop/fields.h"
#include "reclaimtop/names.h"

#include "append.h"
#include "limits.h"
#include "outfile.h"
#include "pack.h"
#include "pseudonym.h"
#include "rotate.h"

#define RETRY_US INT64_C(500000)

struct recorder {
	struct recorder_options options;
	char *path;
	struct outfile file;
	struct packer *packer;       /* NULL: not compressed */
	struct pseudonyms *names;    /* NULL: as they are */
	struct codec *codec;
	struct sample before;        /* what the last line was of, where has_before */
	struct sample masked;
	struct buf text, bytes;      /* lines, and what the file gets for them */
	struct buf pending;          /* markers that came before any sample */
	uint64_t size;               /* of the file when we wrote last */
	bool has_before, has_header;
	bool unsure;                 /* the file may end within a line */
	int64_t whole_us;            /* time of the last whole sample */
	uint32_t followers;          /* samples since then */
	int64_t first_us;            /* of this file, for rotation */
	uint64_t in_file;            /* samples */
	int64_t wall_us;             /* wall time less mono_us of the last sample; 0 unknown */

	uint64_t written, samples, lost;
	uint64_t losing;             /* samples lost since it last worked */
	int error;                   /* why */
	int64_t retry_us;            /* not before */
	int rotating;
};

/* ---- the file ---- */

/*
 * Others may have added to the file, or emptied it: then nothing is known of its end. A piece is added between here and
 * settle().
 */
static void look(struct recorder *r)
{
	uint64_t size;

	outfile_lock(&r->file);
	size = outfile_size(&r->file);
	if (r->file.stream || (size == r->size && !r->unsure))
		return;
	if (size < r->size)
		r->has_header = r->has_before = false;
	if (r->packer) {
		packer_closed(r->packer);
		r->has_before = false;
	} else if (outfile_ends_torn(&r->file)) {
		buf_str(&r->text, "\n");
	}
}

static void settle(struct recorder *r, int err)
{
	uint64_t size = outfile_size(&r->file);

	r->unsure = err && size != r->size;
	r->size = size;
	outfile_unlock(&r->file);
}

/* What is in r->text, in a frame of its own where fresh. */
static int deliver(struct recorder *r, bool fresh)
{
	const struct buf *what = r->packer ? &r->bytes : &r->text;
	int err;

	buf_clear(&r->bytes);
	if (r->packer)
		packer_put(r->packer, &r->text, fresh, &r->bytes);
	err = outfile_write(&r->file, what->data, what->len);
	if (r->packer)
		packer_done(r->packer, !err);
	if (!err)
		r->written += what->len;
	return err;
}

/* ---- a sample ---- */

static bool wants_whole(const struct recorder *r, const struct sample *s)
{
	return !r->has_before || s->restart || s->mono_us - r->whole_us >= WHOLE_EVERY_US ||
	       s->mono_us < r->before.mono_us || r->followers >= FOLLOWERS_MAX;
}

/* That samples were lost is said by the first one that is not. */
static void add_loss(struct recorder *r, int64_t mono_us)
{
	struct mark m = { .mono_us = mono_us, .kind = MARK_LOST, .samples = r->losing,
			  .text = strerror(-r->error) };

	if (!r->losing)
		return;
	m.wall_us = r->wall_us ? mono_us + r->wall_us : 0;
	codec_mark(r->codec, &m, &r->text);
}

/* The lines for a sample into r->text; is it whole? */
static bool add_sample(struct recorder *r, const struct sample *s)
{
	const struct sample *before = wants_whole(r, s) ? NULL : &r->before;
	struct line_head head;
	size_t start;

	if (!r->has_header) {
		codec_header(r->codec, s, &r->text);
		if (r->pending.len)
			buf_add(&r->text, r->pending.data, r->pending.len);
	}
	add_loss(r, s->mono_us);
	start = r->text.len;
	codec_write(r->codec, before, s, &r->text);
	codec_peek(r->text.data + start, r->text.len - start, &head);
	return head.key;
}

static void wrote_sample(struct recorder *r, const struct sample *s, bool whole)
{
	if (!r->in_file++)
		r->first_us = s->mono_us;
	r->samples++;
	r->followers = whole ? 0 : r->followers + 1;
	if (whole) {
		r->whole_us = s->mono_us;
		outfile_forget(&r->file);
	}
	r->wall_us = s->wall_us ? s->wall_us - s->mono_us : 0;
	sample_copy(s, &r->before);
	r->has_header = r->has_before = true;
	r->losing = 0;
	buf_clear(&r->pending);
}

static void lost_sample(struct recorder *r, const struct sample *s, int err)
{
	r->has_before = false;
	r->lost++;
	r->losing++;
	r->error = err;
	r->retry_us = s->mono_us + RETRY_US;
}

/* An error that no later attempt makes good. */
static bool is_over(int err)
{
	return err == -EPIPE || err == -ECANCELED;
}

static int write_sample(struct recorder *r, const struct sample *s)
{
	bool whole;
	int err;

	buf_clear(&r->text);
	look(r);
	whole = add_sample(r, s);
	err = r->text.len > LINE_MAX_SIZE ? -EMSGSIZE : deliver(r, whole);
	settle(r, err);
	if (err)
		lost_sample(r, s, err);
	else
		wrote_sample(r, s, whole);
	return err;
}

/* ---- rotation ---- */

static bool is_full(const struct recorder *r, const struct sample *s)
{
	const struct recorder_options *o = &r->options;

	if (!r->in_file || r->file.stream)
		return false;
	return (o->rotate_bytes && r->size >= o->rotate_bytes) ||
	       (o->rotate_us && (s->mono_us - r->first_us >= o->rotate_us || s->mono_us < r->first_us));
}

static int end_frame(struct recorder *r)
{
	int err = 0;

	if (!r->packer)
		return 0;
	buf_clear(&r->text);
	buf_clear(&r->bytes);
	look(r);
	packer_end(r->packer, &r->bytes);
	if (r->bytes.len)
		err = outfile_write(&r->file, r->bytes.data, r->bytes.len);
	if (!err) {
		packer_closed(r->packer);
		r->written += r->bytes.len;
	}
	settle(r, err);
	return err;
}

/* A new file, beside which the old one is kept. Where there can be none the old one is written on. */
static void rotate(struct recorder *r, const struct sample *s)
{
	struct outfile next;
	const char *why;
	int err = rotate_names(r->file.dir, r->file.base, r->options.keep);

	if (!err)
		err = outfile_open(r->path, OUTFILE_NEW, &next, &why);
	r->rotating = err;
	if (err) {
		r->first_us = s->mono_us;
		return;
	}
	end_frame(r);
	outfile_close(&r->file, false);
	r->file = next;
	r->size = r->in_file = 0;
	r->has_header = r->has_before = false;
	if (r->packer)
		packer_closed(r->packer);
}

int recorder_put(struct recorder *r, const struct sample *s)
{
	if (r->losing && (is_over(r->error) ||
			  (s->mono_us < r->retry_us && s->mono_us >= r->retry_us - RETRY_US))) {
		r->lost++;
		r->losing++;
		return r->error;
	}
	if (is_full(r, s))
		rotate(r, s);
	if (!r->names)
		return write_sample(r, s);
	sample_copy(s, &r->masked);
	pseudonyms_apply(r->names, &r->masked);
	return write_sample(r, &r->masked);
}

/* ---- markers ---- */

/* A command's name is that of a process; what else stood on its line tells too much. */
static const char *masked_command(const struct recorder *r, const char *command, struct arena *a)
{
	size_t len = strcspn(command, " ");
	const char *name = memrchr(command, '/', len);

	name = name ? name + 1 : command;
	return pseudonym_of_process(r->names, arena_strn(a, name, len - (size_t)(name - command)), a);
}

static int write_mark(struct recorder *r, const struct mark *m)
{
	int err;

	buf_clear(&r->text);
	if (!r->has_header) {
		codec_mark(r->codec, m, &r->pending);
		return 0;
	}
	look(r);
	codec_mark(r->codec, m, &r->text);
	err = deliver(r, false);
	settle(r, err);
	/* With the frame goes what changes could be said against. */
	if (r->packer && err)
		r->has_before = false;
	return err;
}

int recorder_note(struct recorder *r, const struct mark *m)
{
	struct arena *a = arena_new();
	struct mark own = *m;
	int err;

	own.text = name_escape(a, m->text, strlen(m->text));
	if (r->names && m->kind == MARK_START)
		own.text = masked_command(r, own.text, a);
	own.boot_id = NULL;
	if (!own.wall_us && r->wall_us)
		own.wall_us = own.mono_us + r->wall_us;
	err = write_mark(r, &own);
	arena_free(a);
	return err;
}

int recorder_mark(struct recorder *r, enum mark_kind kind, int64_t mono_us, const char *text)
{
	struct mark m = { .mono_us = mono_us, .kind = kind, .text = text, .duration_us = -1, .status = -1 };

	return recorder_note(r, &m);
}

/* ---- opening and closing ---- */

static bool ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && !strcmp(s + len - n, end);
}

/* What is there already says whether more of it is compressed; else the name does. */
static int begin(struct recorder *r, const char **why)
{
	enum append_kind kind = APPEND_EMPTY;
	int err = 0;

	if (!r->file.stream)
		err = append_look(&r->file, true, &kind, why);
	if (err)
		return err;
	if (kind == APPEND_ZST || kind == APPEND_ZST_OPEN || (kind == APPEND_EMPTY && ends_with(r->path, ".zst")))
		r->packer = packer_new();
	if (kind == APPEND_ZST_OPEN)
		err = outfile_write(&r->file, ZST_CLOSE, ZST_CLOSE_SIZE);
	if (err)
		*why = strerror(-err);
	r->size = outfile_size(&r->file);
	r->unsure = kind == APPEND_PLAIN;
	return err;
}

static void free_all(struct recorder *r)
{
	packer_free(r->packer);
	pseudonyms_free(r->names);
	codec_free(r->codec);
	arena_free(r->before.arena);
	arena_free(r->masked.arena);
	buf_fini(&r->text);
	buf_fini(&r->bytes);
	buf_fini(&r->pending);
	free(r->path);
	free(r);
}

struct recorder *recorder_open(const char *path, const struct recorder_options *options,
			       const char **why)
{
	enum outfile_mode mode = options->append ? OUTFILE_ADD
						  : options->overwrite ? OUTFILE_REPLACE : OUTFILE_NEW;
	struct recorder *r = mem_alloc(sizeof(*r));
	int err;

	*r = (struct recorder){ .options = *options, .path = mem_str(path), .codec = codec_new() };
	r->before.arena = arena_new();
	r->masked.arena = arena_new();
	if (options->anonymize)
		r->names = pseudonyms_new();
	err = outfile_open(r->path, mode, &r->file, why);
	if (!err) {
		r->file.stop_fd = options->stop_fd;
		outfile_lock(&r->file);
		err = begin(r, why);
		outfile_unlock(&r->file);
		if (err)
			outfile_close(&r->file, false);
	}
	if (!err)
		return r;
	free_all(r);
	errno = -err;
	return NULL;
}

int recorder_close(struct recorder *r)
{
	int err, closed;

	if (!r)
		return 0;
	err = end_frame(r);
	closed = outfile_close(&r->file, true);
	free_all(r);
	return err ? err : closed;
}

uint64_t recorder_bytes(const struct recorder *r)
{
	return r->written;
}

uint64_t recorder_samples(const struct recorder *r)
{
	return r->samples;
}

uint64_t recorder_lost(const struct recorder *r)
{
	return r->lost;
}

int recorder_rotating(const struct recorder *r)
{
	return r->rotating;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "picture.h"
#include "say.h"
#include "session.h"
#include "text.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void *text_open(const struct options *o, struct buf *out)
{
	struct text *t = mem_alloc(sizeof(*t));

	*t = (struct text){ .out = out, .filter = o->tui.filter, .sort = o->tui.sort };
	t->views = o->view_given ? 1u << o->tui.view : ~0u;
	return t;
}

static void text_put(void *w, const struct frame *f)
{
	text_frame(w, f);
}

static int text_close(void *w)
{
	text_fini(w);
	free(w);
	return STATUS_DONE;
}

const struct batch_writer batch_text = { text_open, text_put, text_close };

/* ---- the session ----------------------------------------------------------------------------- */

/* Batch looks at everything that does not cost the machine much, unless less was asked for. */
static struct interest interest_of(const struct options *o)
{
	struct interest in = { .pagetypes = o->pagetypes, .pagetypes_forced = o->pagetypes };

	in.processes = !o->view_given || o->tui.view == VIEW_PROCESSES;
	in.tiers = o->view_given && o->tui.view == VIEW_GENERATIONS;
	return in;
}

static struct session *session_of(struct source *src, const char *label, const struct options *o)
{
	struct session_options so = {
		.interval_us = o->delay_us,
		.no_pauses = true,
		.limit = o->count ? o->count : o->endless ? 0 : 1,
		.interest = interest_of(o),
		.label = label,
	};

	return session_new(src, &so);
}

/* Did any source give anything? */
static bool has_any(const struct sample *s)
{
	for (int i = 0; i < READ_NR; i++)
		if (s->readings[i].state == READING_OK)
			return true;
	return false;
}

/* A sample without a single reading shows nothing: say which file was looked for. */
static int nothing_read(const struct sample *s, const struct options *o)
{
	const struct reading *r = &s->readings[READ_VMSTAT];

	if (!o->root)
		return say_errno(r->err, "/proc/vmstat",
				 "is /proc mounted? (a sandbox may hide it)");
	if (r->err == EACCES)
		return say_errno(r->err, o->root, "run it as somebody who may read it");
	return say_error(STATUS_FAILED, o->root, "holds none of the files that the kernel has",
			 "give a folder with proc and sys in it");
}

/* What waits, one sample after another. 0: go on; 1: that was all; -errno of the output. */
static int drain(struct session *s, const struct batch_writer *writer, void *w, struct buf *out,
		 struct frame *f)
{
	int rc, err;

	while ((rc = session_next(s, f)) > 0) {
		if (!has_any(f->now))
			return 1;
		writer->put(w, f);
		err = output_flush(out);
		if (err)
			return err;
	}
	return rc ? 1 : 0;
}

static int run(struct session *s, const struct batch_writer *writer, const struct options *o)
{
	struct buf out = { 0 };
	struct frame f = { 0 };
	void *w = writer->open(o, &out);
	int fd = session_feed(s)->ops->fd(session_feed(s));
	int rc, status;

	do {
		rc = output_wait(fd) ? drain(s, writer, w, &out, &f) : -EPIPE;
	} while (!rc);
	status = writer->close(w);
	if (rc >= 0 && out.len)
		rc = output_flush(&out);
	buf_fini(&out);
	if (status)
		return status;
	if (rc < 0)
		return output_status(rc);
	if (f.error)
		return say_error(STATUS_FAILED, f.label, f.error, NULL);
	return has_any(f.now) ? STATUS_DONE : nothing_read(f.now, o);
}

int batch_run(struct source *src, const char *label, const struct options *o)
{
	struct session *s = session_of(src, label, o);
	int status;

	if (!s)
		return say_errno(errno, "a thread", NULL);
	status = run(s, o->json ? &batch_json : o->svg || o->text ? &batch_picture : &batch_text, o);
	session_free(s);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.c - a session as the lines that a recording holds: the first sample whole, the later ones as
 * what changed, and now and then a whole one again, so that a reader that joins late or lost a line
 * has not long to wait.
 */
#include <stdlib.h>

#include "reclaimtop/codec.h"

#include "batch.h"
#include "say.h"

#define WHOLE_EVERY_US INT64_C(60000000)

struct json {
	struct buf *out;
	struct codec *codec;
	bool begun, derived;
	int64_t whole_us;   /* when the last whole sample was taken */
};

static void *json_open(const struct options *o, struct buf *out)
{
	struct json *j = mem_alloc(sizeof(*j));

	*j = (struct json){ .out = out, .codec = codec_new(), .derived = o->derived };
	return j;
}

/* The sample that this one may be written against, NULL where it must be whole. */
static const struct sample *base_of(const struct json *j, const struct frame *f)
{
	if (!j->begun || f->now->restart || f->step->state == STEP_RESET)
		return NULL;
	if (f->now->mono_us - j->whole_us >= WHOLE_EVERY_US)
		return NULL;
	return f->step->before;
}

static void json_put(void *w, const struct frame *f)
{
	struct json *j = w;
	const struct sample *base = base_of(j, f);

	if (!j->begun)
		codec_header(j->codec, f->now, j->out);
	j->begun = true;
	if (!base)
		j->whole_us = f->now->mono_us;
	codec_write(j->codec, base, f->now, j->out);
	if (j->derived)
		codec_step(j->codec, f->step, f->findings, f->nfindings, j->out);
}

static int json_close(void *w)
{
	struct json *j = w;

	codec_free(j->codec);
	free(j);
	return STATUS_DONE;
}

const struct batch_writer batch_json = { json_open, json_put, json_close };

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/codec.h"
#include "reclaimtop/export.h"

#include "input.h"
#include "output.h"
#include "say.h"
#include "show.h"
#include "stretch.h"

#define USUAL "metric"

struct sink {
	struct input *in;
	const struct stretch *stretch;
	struct buf out;
	struct exporter *table;   /* NULL: JSON */
	struct codec *codec;
	uint32_t session, mark;   /* of the last sample; the next mark */
	bool any;
};

/* ---- JSON: a recording in which every sample is whole ---------------------------------------- */

/* Markers that came up to this place, in the order of the file. */
static void put_marks(struct sink *s, uint32_t session, int64_t mono_us)
{
	const struct mark *marks;
	uint32_t n = input_marks(s->in, &marks);

	for (; s->mark < n; s->mark++) {
		const struct mark *m = &marks[s->mark];

		if (m->session > session || (m->session == session && m->mono_us > mono_us))
			return;
		if (stretch_holds(s->stretch, m->session, m->mono_us))
			codec_mark(s->codec, m, &s->out);
	}
}

static void put_sample(struct sink *s, const struct sample *now, uint32_t session)
{
	if (!s->any || session != s->session) {
		if (s->any)
			put_marks(s, s->session, INT64_MAX);
		codec_header(s->codec, now, &s->out);
	}
	codec_write(s->codec, NULL, now, &s->out);
	put_marks(s, session, now->mono_us);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void put_step(struct sink *s, const struct step *st, uint32_t session)
{
	if (s->table)
		export_rows(s->table, st, session, &s->out);
	else
		put_sample(s, st->now, session);
	s->session = session;
	s->any = true;
}

static int finish(struct sink *s, const char *path, bool any_step)
{
	uint64_t lost = input_unreadable(s->in);

	if (!s->any)
		return stretch_empty(path, any_step);
	if (!s->table)
		put_marks(s, UINT32_MAX, INT64_MAX);
	if (lost)
		say_error(STATUS_DONE, path, "damaged samples are left out",
			  "reclaimtop report says how many");
	return output_status(output_flush(&s->out));
}

static int export_all(struct sink *s, const char *path, struct stretch *stretch)
{
	const struct step *st;
	uint32_t session;
	bool inside;
	int rc, err = 0;

	if (s->table)
		export_head(s->table, &s->out);
	while (!err && (rc = stretch_next(stretch, s->in, &st, &session, &inside)) > 0) {
		if (!inside)
			continue;
		put_step(s, st, session);
		err = output_flush(&s->out);
	}
	if (err)
		return output_status(err);
	return rc < 0 ? input_failed(s->in, rc) : finish(s, path, stretch->begun);
}

/* The names of the tables, for --table help. */
static int list_tables(void)
{
	struct buf out = { 0 };
	int err;

	buf_str(&out, "tables, and what a row is:\n");
	export_list(&out);
	err = output_flush(&out);
	buf_fini(&out);
	return output_status(err);
}

static int export_input(struct input *in, const char *path, const struct export_table *table,
			const struct options *o)
{
	struct stretch stretch;
	struct sink s = { .in = in, .stretch = &stretch };
	int status = stretch_find(in, path, o, &stretch);

	if (status != STATUS_DONE)
		return status;
	if (o->json)
		s.codec = codec_new();
	else
		s.table = export_new(table, o->all);
	status = export_all(&s, path, &stretch);
	export_free(s.table);
	if (s.codec)
		codec_free(s.codec);
	buf_fini(&s.out);
	return status;
}

int export_command(const struct options *o)
{
	const char *name = o->table ? o->table : USUAL;
	const struct export_table *table = export_find(name);
	struct input *in;
	int status;

	if (o->table && !strcmp(name, "help"))
		return list_tables();
	if (!o->nwords)
		return say_error(STATUS_USAGE, "export", "it wants a file", o->command->advice);
	if (!table)
		return say_error(STATUS_USAGE, name, "there is no such table",
				 "reclaimtop export --table help lists them");
	if (o->table && o->json)
		return say_error(STATUS_USAGE, "--table", "JSON holds everything",
				 "leave one of the two out");
	status = input_open(o->words[0], &in);
	if (status != STATUS_DONE)
		return status;
	status = export_input(in, o->words[0], table, o);
	input_close(in);
	return status;
}

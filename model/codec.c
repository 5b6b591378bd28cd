/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "line.h"

/* Nothing we write is deeper than 8; a stranger's file may be. */
#define DEPTH 32

struct codec *codec_new(void)
{
	struct codec *c = mem_alloc(sizeof(*c));

	*c = (struct codec){ .tok = json_tokener_new_ex(DEPTH) };
	if (!c->tok)
		oom_exit(sizeof(*c));
	/*
	 * Not JSON_TOKENER_STRICT: json-c 0.18 then refuses all that is not ASCII
	 * (https://github.com/json-c/json-c/issues/892), and a line for one number that is too large.
	 */
	json_tokener_set_flags(c->tok, JSON_TOKENER_VALIDATE_UTF8);
	line_crc_init(c);
	c->scratch = arena_new();
	c->shadow[0].arena = arena_new();
	c->shadow[1].arena = arena_new();
	return c;
}

void codec_free(struct codec *c)
{
	if (!c)
		return;
	arena_free(c->shadow[1].arena);
	arena_free(c->shadow[0].arena);
	arena_free(c->scratch);
	buf_fini(&c->text);
	json_tokener_free(c->tok);
	free(c);
}

/* "2026-11-30T13:20:11.123Z" */
static struct json_object *date(int64_t wall_us, char *text, size_t size)
{
	time_t s = (time_t)(wall_us / 1000000);
	struct tm t;

	if (wall_us <= 0 || !gmtime_r(&s, &t))
		return NULL;
	snprintf(text, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", t.tm_year + 1900, t.tm_mon + 1,
		 t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, (int)(wall_us / 1000 % 1000));
	return line_string(text);
}

static void add_known(struct json_object *obj, const char *name, struct json_object *value)
{
	if (value)
		line_add(obj, name, value);
}

static struct json_object *sources(const struct sample *s)
{
	struct json_object *obj = line_object();

	for (uint32_t i = 0; i < READ_NR; i++) {
		const struct reading *r = &s->readings[i];
		const char *word = source_word(r->state, r->err);

		if (word || r->state == READING_FAILED)
			line_add(obj, source_infos[i].name, line_string(word ? word : "failed"));
	}
	return obj;
}

void codec_header(struct codec *c, const struct sample *first, struct buf *out)
{
	const struct machine *m = &first->machine;
	struct json_object *obj = line_object();
	char start[64];

	line_add(obj, "type", line_string("header"));
	line_add(obj, "format", line_string(CODEC_FORMAT));
	line_add(obj, "version", line_u64(LINE_VERSION));
	add_known(obj, "kernel", line_string(m->kernel));
	add_known(obj, "page_size", line_u64(m->page_size ? m->page_size : UNKNOWN));
	add_known(obj, "hz", line_u64(m->hz ? m->hz : UNKNOWN));
	add_known(obj, "boot_id", line_string(m->boot_id));
	if (first->interval_us > 0)
		line_add(obj, "interval_ms", line_u64((uint64_t)first->interval_us / 1000));
	add_known(obj, "start", date(first->wall_us, start, sizeof(start)));
	line_add(obj, "sources", sources(first));
	line_finish(c, obj, out);
}

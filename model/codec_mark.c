/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "reclaimtop/names.h"

static const struct {
	const char *name, *type;
} kinds[MARK_NR] = {
	[MARK_NOTE] = { "note", "marker" },
	[MARK_SCORE] = { "score", "marker" },
	[MARK_START] = { "start", "marker" },
	[MARK_END] = { "end", "marker" },
	[MARK_LOST] = { "lost", "event" },
};

const char *mark_kind_name(enum mark_kind kind)
{
	return (unsigned int)kind < MARK_NR ? kinds[kind].name : kinds[MARK_NOTE].name;
}

/* --- scores --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits, perhaps a point and more of them, whatever the locale thinks of points. Returns the end. */
static const char *decimal(const char *s, double *out)
{
	double scale = 1;

	for (*out = 0; is_digit(*s); s++)
		*out = *out * 10 + (*s - '0');
	if (*s == '.')
		for (s++; is_digit(*s); s++, scale *= 10)
			*out = *out * 10 + (*s - '0');
	*out /= scale;
	return s;
}

bool mark_score(const char *text, const char **name, int *len, double *value)
{
	const char *equals = strchr(text, '='), *digits, *end;
	double v;

	if (!equals || equals == text || strcspn(text, " \t") < (size_t)(equals - text))
		return false;
	digits = equals + 1 + (equals[1] == '-');
	end = decimal(digits, &v);
	if (!is_digit(*digits) || *end)
		return false;
	*name = text;
	*len = (int)(equals - text);
	*value = equals[1] == '-' ? -v : v;
	return true;
}

/* --- out --- */

void codec_mark(struct codec *c, const struct mark *m, struct buf *out)
{
	enum mark_kind kind = (unsigned int)m->kind < MARK_NR ? m->kind : MARK_NOTE;
	struct json_object *obj = line_object();

	line_add(obj, "type", line_string(kinds[kind].type));
	line_add(obj, "mono_us", line_i64(m->mono_us));
	if (m->wall_us)
		line_add(obj, "wall_us", line_i64(m->wall_us));
	if (m->boot_id)
		line_add(obj, "boot_id", line_string(m->boot_id));
	line_add(obj, "kind", line_string(kinds[kind].name));
	if (kind == MARK_END && m->duration_us >= 0)
		line_add(obj, "duration_us", line_i64(m->duration_us));
	if (kind == MARK_END && m->status >= 0)
		line_add(obj, "status", line_i64(m->status));
	if (kind == MARK_LOST)
		line_add(obj, "samples", line_u64(m->samples));
	line_add(obj, "text", line_string(m->text ? m->text : ""));
	line_finish(c, obj, out);
}

/* --- and back --- */

/* A kind that is not known to us is still something that was noted. */
static enum mark_kind kind_in(struct json_object *obj)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(obj, "kind", &v);
	for (int i = 0; i < MARK_NR && json_object_is_type(v, json_type_string); i++)
		if (!strcmp(kinds[i].name, json_object_get_string(v)))
			return (enum mark_kind)i;
	return MARK_NOTE;
}

static int64_t int_in(struct json_object *obj, const char *name, int64_t otherwise)
{
	struct json_object *v = NULL;

	if (!json_object_object_get_ex(obj, name, &v) || !json_object_is_type(v, json_type_int) ||
	    json_object_get_uint64(v) > INT64_MAX)
		return otherwise;
	return json_object_get_int64(v);
}

/* Made safe to show, whatever the file holds: escaped once, however often it was before. */
static const char *text_in(struct json_object *obj, const char *name, struct arena *a)
{
	struct json_object *v = NULL;
	char *bytes;
	size_t len;

	if (!json_object_object_get_ex(obj, name, &v) || !json_object_is_type(v, json_type_string))
		return NULL;
	len = (size_t)json_object_get_string_len(v);
	bytes = arena_strn(a, json_object_get_string(v), len);
	if (strlen(bytes) == len)
		len = name_unescape(bytes, bytes);
	return name_escape(a, bytes, len);
}

static bool is_mark(struct json_object *obj)
{
	struct json_object *v = NULL;

	return json_object_object_get_ex(obj, "type", &v) && json_object_is_type(v, json_type_string) &&
	       (!strcmp(json_object_get_string(v), "marker") || !strcmp(json_object_get_string(v), "event"));
}

int codec_read_mark(struct codec *c, const char *line, size_t len, struct arena *a,
		    struct mark *out)
{
	struct json_object *obj;
	int64_t status;
	int err = line_parse(c, line, len, &obj);

	if (!err && !is_mark(obj))
		err = -EPROTO;
	if (!err) {
		status = int_in(obj, "status", -1);
		*out = (struct mark){
			.mono_us = int_in(obj, "mono_us", 0),
			.wall_us = int_in(obj, "wall_us", 0),
			.kind = kind_in(obj),
			.text = text_in(obj, "text", a),
			.duration_us = int_in(obj, "duration_us", -1),
			.status = status >= 0 && status <= INT32_MAX ? (int)status : -1,
			.samples = (uint64_t)int_in(obj, "samples", 0),
			.boot_id = text_in(obj, "boot_id", a),
		};
		out->text = out->text ? out->text : "";
	}
	json_object_put(obj);
	return err;
}

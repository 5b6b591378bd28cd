/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "member.h"

#include <math.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/compare.h"
#include "reclaimtop/keys.h"

/* json-c gives NULL where there is no memory. */
static struct json_object *made(struct json_object *v)
{
	if (!v)
		oom_exit(0);
	return v;
}

static void add(struct json_object *in, const char *name, struct json_object *v)
{
	if (json_object_object_add_ex(in, name, made(v), JSON_C_OBJECT_ADD_CONSTANT_KEY))
		oom_exit(0);
}

struct json_object *member_object(struct json_object *in, const char *name)
{
	struct json_object *v = made(json_object_new_object());

	if (in)
		add(in, name, v);
	return v;
}

struct json_object *member_list(struct json_object *in, const char *name)
{
	struct json_object *v = made(json_object_new_array());

	add(in, name, v);
	return v;
}

struct json_object *member_item(struct json_object *list)
{
	struct json_object *v = made(json_object_new_object());

	if (json_object_array_add(list, v))
		oom_exit(0);
	return v;
}

void member_string(struct json_object *in, const char *name, const char *s)
{
	if (s)
		add(in, name, json_object_new_string(s));
}

void member_i64(struct json_object *in, const char *name, int64_t v)
{
	add(in, name, json_object_new_int64(v));
}

void member_u64(struct json_object *in, const char *name, uint64_t v)
{
	if (v != UNKNOWN)
		add(in, name, json_object_new_uint64(v));
}

void member_bool(struct json_object *in, const char *name, bool v)
{
	if (v)
		add(in, name, json_object_new_boolean(1));
}

void member_number(struct json_object *in, const char *name, double v)
{
	char text[40];

	if (!isfinite(v))
		return;
	add(in, name, json_object_new_double_s(v, compare_digits(v, text, sizeof(text))));
}

void member_print(struct json_object *whole, struct buf *out)
{
	const char *text = json_object_to_json_string_ext(
		whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!text)
		oom_exit(0);
	buf_str(out, text);
	buf_str(out, "\n");
	json_object_put(whole);
}

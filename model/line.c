/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "line.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void line_finish(struct codec *c, struct json_object *line, struct buf *out)
{
	size_t start = out->len, len;
	const char *text = json_object_to_json_string_length(
		line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);

	if (!text)
		oom_exit(0);
	buf_add(out, text, len - 1);
	buf_printf(out, ",\"crc\":\"%08" PRIx32 "\"}\n", line_crc(c, out->data + start, len - 1));
	json_object_put(line);
}

int line_parse(struct codec *c, const char *line, size_t len, struct json_object **out)
{
	*out = NULL;
	if (len > INT_MAX || !line_intact(c, line, len))
		return -EILSEQ;
	json_tokener_reset(c->tok);
	*out = json_tokener_parse_ex(c->tok, line, (int)len);
	if (!json_object_is_type(*out, json_type_object) ||
	    json_tokener_get_parse_end(c->tok) != len)
		return -EILSEQ;
	return 0;
}

void line_add(struct json_object *obj, const char *name, struct json_object *value)
{
	if (json_object_object_add_ex(obj, name, value, JSON_C_OBJECT_ADD_CONSTANT_KEY))
		oom_exit(0);
}

void line_push(struct json_object *array, struct json_object *value)
{
	if (json_object_array_add(array, value))
		oom_exit(0);
}

/* json-c gives NULL where there is no memory, and NULL is also its null: tell them apart here. */
static struct json_object *made(struct json_object *obj)
{
	if (!obj)
		oom_exit(0);
	return obj;
}

struct json_object *line_object(void)
{
	return made(json_object_new_object());
}

struct json_object *line_array(void)
{
	return made(json_object_new_array());
}

struct json_object *line_i64(int64_t v)
{
	return made(json_object_new_int64(v));
}

struct json_object *line_bool(bool v)
{
	return made(json_object_new_boolean(v));
}

struct json_object *line_u64(uint64_t v)
{
	if (v == UNKNOWN)
		return NULL;
	return made(v == UNLIMITED ? json_object_new_string("max") : json_object_new_uint64(v));
}

struct json_object *line_string(const char *s)
{
	return s ? made(json_object_new_string(s)) : NULL;
}

const char *source_word(enum reading_state state, int err)
{
	if (state == READING_OK)
		return "ok";
	if (state != READING_FAILED)
		return NULL;
	return err ? strerrorname_np(err) : "failed";
}

/* --- a value as JSON --- */

static struct json_object *out_u64(const struct field *f, uint64_t v)
{
	(void)f;
	return line_u64(v);
}

static struct json_object *out_u32(const struct field *f, uint64_t v)
{
	(void)f;
	return made(json_object_new_uint64(v));
}

static struct json_object *out_i64(const struct field *f, uint64_t v)
{
	(void)f;
	return line_i64((int64_t)v);
}

static struct json_object *out_bool(const struct field *f, uint64_t v)
{
	(void)f;
	return line_bool(v != 0);
}

/* The text stands as it is: 2.65 is never a sum of powers of two, and no locale has a say. */
static struct json_object *out_centi(const struct field *f, uint64_t v)
{
	char text[32];

	(void)f;
	if (v == UNKNOWN)
		return NULL;
	snprintf(text, sizeof(text), "%" PRIu64 ".%02u", v / 100, (unsigned int)(v % 100));
	return made(json_object_new_double_s((double)v / 100, text));
}

static struct json_object *out_char(const struct field *f, uint64_t v)
{
	char c = (char)v;

	(void)f;
	return c > ' ' && c <= '~' ? made(json_object_new_string_len(&c, 1)) : NULL;
}

static struct json_object *out_enum(const struct field *f, uint64_t v)
{
	for (uint64_t i = 0; f->names[i]; i++)
		if (i == v)
			return line_string(f->names[i]);
	return NULL;
}

static struct json_object *out_source(const struct field *f, uint64_t v)
{
	enum reading_state state = (enum reading_state)(v & 0xff);
	const char *word = source_word(state, (int)(v >> 8));

	(void)f;
	if (!word && state == READING_FAILED)
		return line_i64((int32_t)(v >> 8));
	return line_string(word);
}

/* --- and back --- */

static bool is_type(struct json_object *v, enum json_type type)
{
	return json_object_is_type(v, type);
}

uint64_t line_number(struct json_object *v)
{
	if (is_type(v, json_type_string))
		return strcmp(json_object_get_string(v), "max") ? UNKNOWN : UNLIMITED;
	if (!is_type(v, json_type_int) || json_object_get_int64(v) < 0)
		return UNKNOWN;
	return json_object_get_uint64(v);
}

static uint64_t in_u64(const struct field *f, struct json_object *v)
{
	(void)f;
	return line_number(v);
}

static uint64_t in_i64(const struct field *f, struct json_object *v)
{
	(void)f;
	if (!is_type(v, json_type_int) || json_object_get_uint64(v) > INT64_MAX)
		return 0;
	return (uint64_t)json_object_get_int64(v);
}

static uint64_t in_below(struct json_object *v, uint64_t limit)
{
	uint64_t n = line_number(v);

	return n <= limit ? n : 0;
}

static uint64_t in_u32(const struct field *f, struct json_object *v)
{
	(void)f;
	return in_below(v, UINT32_MAX);
}

static uint64_t in_u8(const struct field *f, struct json_object *v)
{
	(void)f;
	return in_below(v, UINT8_MAX);
}

static uint64_t in_bool(const struct field *f, struct json_object *v)
{
	(void)f;
	return is_type(v, json_type_boolean) && json_object_get_boolean(v);
}

/* "2.65" is 265; the digits behind the second decimal are dropped. */
static uint64_t hundredths(const char *s)
{
	uint64_t v = 0;
	int decimals = -1;

	for (; *s; s++) {
		if (*s == '.' && decimals < 0)
			decimals = 0;
		else if (*s < '0' || *s > '9' || v > UINT64_MAX / 10000)
			return UNKNOWN;
		else if (decimals < 2) {
			v = v * 10 + (uint64_t)(*s - '0');
			decimals += decimals >= 0;
		}
	}
	for (decimals = decimals < 0 ? 0 : decimals; decimals < 2; decimals++)
		v *= 10;
	return v;
}

static uint64_t in_centi(const struct field *f, struct json_object *v)
{
	(void)f;
	if (!is_type(v, json_type_double) && !is_type(v, json_type_int))
		return UNKNOWN;
	return hundredths(json_object_get_string(v));
}

static uint64_t in_char(const struct field *f, struct json_object *v)
{
	const char *s = is_type(v, json_type_string) ? json_object_get_string(v) : "";

	(void)f;
	return *s > ' ' && *s <= '~' && !s[1] ? (uint64_t)*s : 0;
}

static uint64_t in_enum(const struct field *f, struct json_object *v)
{
	for (uint64_t i = 0; f->names[i] && is_type(v, json_type_string); i++)
		if (!strcmp(f->names[i], json_object_get_string(v)))
			return i;
	return 0;
}

static uint64_t failed_with(int err)
{
	return (uint64_t)(uint32_t)err << 8 | READING_FAILED;
}

/* What Linux calls MAX_ERRNO. */
#define LAST_ERRNO 4095

static uint64_t in_source(const struct field *f, struct json_object *v)
{
	const char *word = is_type(v, json_type_string) ? json_object_get_string(v) : "";

	(void)f;
	if (is_type(v, json_type_int))
		return failed_with(json_object_get_int(v));
	if (!strcmp(word, "ok"))
		return READING_OK;
	for (int err = 1; *word == 'E' && err <= LAST_ERRNO; err++) {
		const char *name = strerrorname_np(err);

		if (name && !strcmp(name, word))
			return failed_with(err);
	}
	return *word ? failed_with(0) : READING_NOT_ASKED;
}

static const struct {
	struct json_object *(*out)(const struct field *f, uint64_t v);
	uint64_t (*in)(const struct field *f, struct json_object *v);
} kinds[] = {
	[FIELD_U64] = { out_u64, in_u64 },
	[FIELD_U32] = { out_u32, in_u32 },
	[FIELD_U8] = { out_u32, in_u8 },
	[FIELD_I64] = { out_i64, in_i64 },
	[FIELD_BOOL] = { out_bool, in_bool },
	[FIELD_CENTI] = { out_centi, in_centi },
	[FIELD_CHAR] = { out_char, in_char },
	[FIELD_ENUM] = { out_enum, in_enum },
	[FIELD_TIME] = { out_i64, in_i64 },
	[FIELD_SOURCE] = { out_source, in_source },
};

struct json_object *value_out(const struct field *f, uint64_t v, int64_t mono_us)
{
	if (f->kind != FIELD_TIME)
		return kinds[f->kind].out(f, v);
	return v ? out_i64(f, v - (uint64_t)mono_us) : NULL;
}

uint64_t value_in(const struct field *f, struct json_object *v, int64_t mono_us)
{
	if (f->kind != FIELD_TIME)
		return kinds[f->kind].in(f, v);
	return is_type(v, json_type_int) ? in_i64(f, v) + (uint64_t)mono_us : 0;
}

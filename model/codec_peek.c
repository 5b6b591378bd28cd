/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a line begins with. Its first members stand in a fixed order, so bytes are compared and no JSON is read:
 * an index goes over whole files.
 */
#include <string.h>

#include "line.h"

/* A boot id stands among the first members of a whole sample, all of them short. */
#define BOOT_WITHIN 1024

struct cursor {
	const char *p, *end;
};

static bool skip(struct cursor *c, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len))
		return false;
	c->p += len;
	return true;
}

/* Decimal, as our lines have it: no sign, no blanks, no fraction. */
static bool number(struct cursor *c, uint64_t *out)
{
	const char *start = c->p;
	uint64_t v = 0;

	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
		uint64_t digit = (uint64_t)(*c->p - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*out = v;
	return c->p > start;
}

static bool time_us(struct cursor *c, int64_t *out)
{
	bool minus = skip(c, "-");
	uint64_t v;

	if (!number(c, &v) || v > INT64_MAX)
		return false;
	*out = minus ? -(int64_t)v : (int64_t)v;
	return true;
}

/* A quote within a string has a backslash before it, so these bytes are the member and nothing else. */
static void find_boot(struct cursor c, struct line_head *out)
{
	static const char name[] = ",\"boot_id\":\"";
	size_t left = (size_t)(c.end - c.p);
	const char *at = memmem(c.p, left < BOOT_WITHIN ? left : BOOT_WITHIN, name, sizeof(name) - 1);
	const char *end;

	if (!at)
		return;
	at += sizeof(name) - 1;
	end = memchr(at, '"', (size_t)(c.end - at));
	if (!end)
		return;
	out->boot = at;
	out->boot_len = (size_t)(end - at);
}

static bool peek_sample(struct cursor c, struct line_head *out)
{
	if (!time_us(&c, &out->mono_us) || !skip(&c, ",\"n\":") || !number(&c, &out->n) ||
	    !skip(&c, ",\"key\":"))
		return false;
	out->key = skip(&c, "true,");
	if (!out->key && !skip(&c, "false,"))
		return false;
	if (out->key)
		find_boot((struct cursor){ c.p - 1, c.end }, out);
	out->has_wall = skip(&c, "\"wall_us\":") && time_us(&c, &out->wall_us);
	return true;
}

void codec_peek(const char *line, size_t len, struct line_head *out)
{
	struct cursor c = { line, line + len };

	*out = (struct line_head){ .type = LINE_OTHER };
	if (!skip(&c, "{\"type\":\""))
		return;
	if (skip(&c, "sample\",\"mono_us\":")) {
		if (peek_sample(c, out))
			out->type = LINE_SAMPLE;
	} else if (skip(&c, "header\",\"format\":\"" CODEC_FORMAT "\",\"version\":")) {
		if (number(&c, &out->version))
			out->type = LINE_HEADER;
	} else if (skip(&c, "marker\",\"mono_us\":") || skip(&c, "event\",\"mono_us\":")) {
		if (time_us(&c, &out->mono_us))
			out->type = LINE_MARK;
	}
}

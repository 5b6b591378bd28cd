/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scan.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct scan scan_text(struct text t)
{
	return (struct scan){ t.buf, t.buf ? t.buf + t.len : t.buf };
}

bool scan_raw_line(struct scan *text, struct scan *line, struct reading *r)
{
	const char *end;

	if (text->at == text->end)
		return false;
	end = memchr(text->at, '\n', (size_t)(text->end - text->at));
	line->at = text->at;
	line->end = end ? end : text->end;
	text->at = end ? end + 1 : text->end;
	if (!end && r)
		r->cut = true;
	return true;
}

bool scan_line(struct scan *text, struct scan *line, struct reading *r)
{
	if (!scan_raw_line(text, line, r))
		return false;
	if (line->end > line->at && line->end[-1] == '\r')
		line->end--;
	return true;
}

void scan_blanks(struct scan *s)
{
	const char *p = s->at;

	while (p < s->end && is_blank(*p))
		p++;
	s->at = p;
}

char scan_first(const struct scan *s)
{
	const char *p = s->at;

	while (p < s->end && is_blank(*p))
		p++;
	return (char)(p < s->end ? *p : 0);
}

bool scan_is_blank(const struct scan *s)
{
	struct scan rest = *s;

	scan_blanks(&rest);
	return rest.at == rest.end;
}

bool scan_literal(struct scan *s, const char *text)
{
	const char *p = s->at;

	for (; *text; text++, p++)
		if (p == s->end || *p != *text)
			return false;
	s->at = p;
	return true;
}

bool scan_word_is(struct scan *s, const char *word)
{
	struct scan rest = *s;

	scan_blanks(&rest);
	if (!scan_literal(&rest, word) || (rest.at < rest.end && !is_blank(*rest.at)))
		return false;
	*s = rest;
	return true;
}

bool scan_word(struct scan *s, struct text *word)
{
	const char *p;

	scan_blanks(s);
	for (p = s->at; p < s->end && !is_blank(*p);)
		p++;
	if (p == s->at)
		return false;
	*word = (struct text){ s->at, (size_t)(p - s->at) };
	s->at = p;
	return true;
}

bool scan_until(struct scan *s, char stop, struct text *part)
{
	size_t left = (size_t)(s->end - s->at);
	const char *p = left ? memchr(s->at, stop, left) : NULL;

	if (!p)
		return false;
	*part = (struct text){ s->at, (size_t)(p - s->at) };
	s->at = p + 1;
	return true;
}

/* Twenty digits or more: whether they make a number above 2^64 - 1. */
static bool is_too_large(const char *digits, const char *end)
{
	uint64_t v = 0;

	for (; digits < end; digits++) {
		uint64_t digit = (uint64_t)(*digits - '0');

		if (v > (UINT64_MAX - digit) / 10)
			return true;
		v = v * 10 + digit;
	}
	return false;
}

bool scan_number(struct scan *s, uint64_t *value)
{
	const char *start, *p;
	uint64_t v = 0;

	scan_blanks(s);
	for (start = p = s->at; p < s->end && is_digit(*p); p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == start)
		return false;
	if (v >= UNLIMITED || (p - start > 19 && is_too_large(start, p)))
		v = UNKNOWN;
	s->at = p;
	*value = v;
	return true;
}

bool scan_whole_number(struct scan *s, uint64_t *value)
{
	struct scan rest = *s;
	uint64_t v;

	if (!scan_number(&rest, &v) || (rest.at < rest.end && !is_blank(*rest.at)))
		return false;
	*s = rest;
	*value = v;
	return true;
}

bool scan_decimal(struct scan *s, int decimals, uint64_t *value)
{
	struct scan rest = *s;
	uint64_t v;
	bool point;

	if (!scan_number(&rest, &v))
		return false;
	point = rest.at < rest.end && *rest.at == '.';
	rest.at += point;
	for (int i = 0; i < decimals; i++) {
		uint64_t digit = 0;

		if (point && rest.at < rest.end && is_digit(*rest.at))
			digit = (uint64_t)(*rest.at++ - '0');
		v = v > (UNLIMITED - 1 - digit) / 10 ? UNKNOWN : v * 10 + digit;
	}
	while (point && rest.at < rest.end && is_digit(*rest.at))
		rest.at++;
	*s = rest;
	*value = v;
	return true;
}

bool scan_node_zone(struct scan *s, uint32_t *node, struct text *zone)
{
	struct scan rest = *s;
	uint64_t n;

	if (!scan_word_is(&rest, "Node") || !scan_number(&rest, &n) || n > UINT32_MAX)
		return false;
	if (!scan_literal(&rest, ",") || !scan_word_is(&rest, "zone") || !scan_word(&rest, zone))
		return false;
	if (zone->buf[zone->len - 1] == ',')
		zone->len--;
	if (!zone->len)
		return false;
	*node = (uint32_t)n;
	*s = rest;
	return true;
}

/* Far more orders than any kernel has. */
#define ORDERS_MAX 64

uint64_t *scan_orders(struct scan *s, struct arena *a, uint32_t *n, uint64_t *at_least,
		      struct reading *r)
{
	uint64_t blocks[ORDERS_MAX];
	struct text word;

	for (*n = 0; *n < ORDERS_MAX && scan_word(s, &word); ++*n) {
		struct scan number = scan_text(word);
		bool over = at_least && scan_literal(&number, ">");

		blocks[*n] = UNKNOWN;
		if (!scan_number(&number, &blocks[*n]) || number.at != number.end) {
			blocks[*n] = UNKNOWN;
			r->skipped++;
		} else if (over) {
			*at_least |= UINT64_C(1) << *n;
		}
	}
	return arena_copy(a, blocks, *n * sizeof(*blocks));
}

bool text_is(struct text t, const char *word)
{
	if (t.len && *t.buf != *word)
		return false;
	return strlen(word) == t.len && !memcmp(t.buf, word, t.len);
}

static bool is_octal(const char *p)
{
	return p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' && p[2] >= '0' &&
	       p[2] <= '7';
}

char *text_unmangle(struct text t, struct arena *a, size_t *len)
{
	char *out = arena_strn(a, t.buf, t.len);
	size_t n = 0;

	for (size_t i = 0; i < t.len; n++) {
		const char *p = t.buf + i;

		if (*p == '\\' && t.len - i > 3 && is_octal(p + 1)) {
			out[n] = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			i += 4;
		} else {
			out[n] = *p;
			i++;
		}
	}
	out[n] = '\0';
	*len = n;
	return out;
}

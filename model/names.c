/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/names.h"

#include <stdint.h>
#include <string.h>

#include "utf8.h"

#define EVERY(byte) ((uint64_t)(byte) * 0x0101010101010101u)

/* Not 0 if and only if one of eight bytes is no printable ASCII, or a backslash. */
static uint64_t odd_bytes(uint64_t w)
{
	uint64_t backslash = w ^ EVERY('\\');

	return (w | (w - EVERY(0x20)) | (w + EVERY(1)) | (backslash - EVERY(1))) & EVERY(0x80);
}

static int is_plain(const char *bytes, size_t len)
{
	uint64_t w;

	for (; len >= sizeof(w); bytes += sizeof(w), len -= sizeof(w)) {
		memcpy(&w, bytes, sizeof(w));
		if (odd_bytes(w))
			return 0;
	}
	w = EVERY('x');
	memcpy(&w, bytes, len);
	return !odd_bytes(w);
}

/* Write n bytes as \xNN. Returns the end. */
static char *put_hex(char *out, const char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		unsigned char b = (unsigned char)bytes[i];

		*out++ = '\\';
		*out++ = 'x';
		*out++ = digits[b >> 4];
		*out++ = digits[b & 15];
	}
	return out;
}

const char *name_escape(struct arena *a, const char *bytes, size_t len)
{
	char *name, *out;

	if (!len || is_plain(bytes, len))
		return arena_strn(a, bytes, len);
	if (len > (SIZE_MAX - 1) / 4)
		oom_exit(len);
	name = out = arena_alloc(a, 4 * len + 1);
	while (len) {
		uint32_t c = 0;
		size_t n = utf8_decode(bytes, len, &c);

		if (c == '\\' && n) {
			*out++ = '\\';
			*out++ = '\\';
		} else if (n && utf8_is_printable(c)) {
			memcpy(out, bytes, n);
			out += n;
		} else {
			n = n ? n : 1;
			out = put_hex(out, bytes, n);
		}
		bytes += n;
		len -= n;
	}
	*out = '\0';
	return name;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Length of the escape at p: 4 for \xNN, 2 for two backslashes, 0 where there is none. */
static size_t escape_at(const char *p)
{
	if (p[0] != '\\')
		return 0;
	if (p[1] == '\\')
		return 2;
	return p[1] == 'x' && hex_digit(p[2]) >= 0 && hex_digit(p[3]) >= 0 ? 4 : 0;
}

size_t name_unescape(const char *name, char *out)
{
	char *start = out;

	while (*name) {
		size_t n = escape_at(name);

		if (n == 4)
			*out++ = (char)(hex_digit(name[2]) << 4 | hex_digit(name[3]));
		else
			*out++ = *name;
		name += n ? n : 1;
	}
	*out = '\0';
	return (size_t)(out - start);
}

size_t name_next(const char *name, uint32_t *c, int *columns)
{
	size_t left = strnlen(name, 4);
	size_t n = utf8_decode(name, left, c);

	*columns = 0;
	if (!left)
		return 0;
	if (!n)
		*c = 0xfffd;
	*columns = utf8_columns(*c);
	return n ? n : 1;
}

int name_width(const char *name)
{
	uint32_t c;
	int columns, width = 0;

	for (size_t n; (n = name_next(name, &c, &columns)); name += n)
		width += columns;
	return width;
}

/* The next piece that must not be cut: an escape, or a character with what combines with it. */
static size_t next_piece(const char *p, int *columns)
{
	size_t n = escape_at(p), more;
	uint32_t c;
	int zero;

	*columns = (int)n;
	if (n)
		return n;
	n = name_next(p, &c, columns);
	while (n && (more = name_next(p + n, &c, &zero)) && !zero)
		n += more;
	return n;
}

/* How many bytes of name take at most columns columns; *used is how many they take. */
static size_t head_that_fits(const char *name, int columns, int *used)
{
	size_t at = 0, n;
	int wide;

	*used = 0;
	while ((n = next_piece(name + at, &wide)) && *used + wide <= columns) {
		*used += wide;
		at += n;
	}
	return at;
}

/* Where the longest end of name begins that takes at most columns columns. */
static const char *tail_that_fits(const char *name, int columns, int *used)
{
	int width = name_width(name), wide;

	while (width > columns) {
		name += next_piece(name, &wide);
		width -= wide;
	}
	*used = width;
	return name;
}

/* Columns for the end of a path: its last component, as long as a quarter is left for the start. */
static int columns_of_tail(const char *name, int columns)
{
	const char *slash = strrchr(name, '/');
	int most = columns - (columns + 3) / 4;
	int last = slash ? name_width(slash) : columns / 2;

	return last < most ? last : most;
}

int name_fit(const char *name, int columns, int ascii, char *out, size_t size)
{
	const char *dots = ascii ? "~" : "\u2026", *tail;
	size_t head, ndots = strlen(dots);
	int used, end;

	if (!size)
		return 0;
	out[0] = '\0';
	if (columns <= 0)
		return 0;
	head = head_that_fits(name, columns, &used);
	if (!name[head]) {
		if (head + 1 > size)
			return 0;
		memcpy(out, name, head + 1);
		return used;
	}
	tail = tail_that_fits(name, columns_of_tail(name, columns - 1), &end);
	head = head_that_fits(name, columns - 1 - end, &used);
	/* What a wide piece left over at the start is the end's. */
	tail = tail_that_fits(name, columns - 1 - used, &end);
	if (head + ndots + strlen(tail) + 1 > size)
		return 0;
	memcpy(out, name, head);
	memcpy(out + head, dots, ndots);
	strcpy(out + head + ndots, tail);
	return used + 1 + end;
}

bool name_is_within(const char *path, const char *top)
{
	size_t n = strlen(top);

	return !strcmp(top, "/") || (!strncmp(path, top, n) && (!path[n] || path[n] == '/'));
}

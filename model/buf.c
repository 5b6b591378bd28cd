/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"

void buf_reserve(struct buf *b, size_t size)
{
	size_t cap = b->cap ? b->cap : 256;

	if (b->data && size < b->cap - b->len)
		return;
	while (cap - b->len <= size)
		cap *= 2;
	b->data = mem_grow(b->data, cap);
	b->cap = cap;
}

void buf_add(struct buf *b, const char *bytes, size_t len)
{
	buf_reserve(b, len);
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args, again;
	int len;

	buf_reserve(b, 128);
	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(b->data + b->len, b->cap - b->len, format, args);
	if (len > 0 && (size_t)len >= b->cap - b->len) {
		buf_reserve(b, (size_t)len);
		vsnprintf(b->data + b->len, b->cap - b->len, format, again);
	}
	if (len > 0)
		b->len += (size_t)len;
	va_end(again);
	va_end(args);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_fini(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}

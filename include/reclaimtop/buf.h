/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buf.h - bytes that grow. All zero is an empty buffer; memory is kept when it is emptied.
 */
#ifndef RECLAIMTOP_BUF_H
#define RECLAIMTOP_BUF_H

#include <stddef.h>

struct buf {
	char *data;      /* data[len] is NUL once anything was written */
	size_t len, cap;
};

/* Room for size more bytes behind len, and the closing NUL. */
void buf_reserve(struct buf *b, size_t size);

void buf_add(struct buf *b, const char *bytes, size_t len);
void buf_str(struct buf *b, const char *s);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

void buf_clear(struct buf *b);
void buf_fini(struct buf *b);

#endif

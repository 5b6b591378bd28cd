/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - characters in bytes, without a locale. */
#ifndef RECLAIMTOP_UTF8_H
#define RECLAIMTOP_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * The character at the start of len bytes. Returns its bytes, 1 to 4; 0 where there is none: no
 * bytes left, cut off, overlong, a surrogate, above U+10FFFF.
 */
size_t utf8_decode(const char *bytes, size_t len, uint32_t *c);

/* Whether a terminal shows the character and does nothing else with it. */
int utf8_is_printable(uint32_t c);

/* Columns of a printable character: 0 (combining), 1, 2 (wide). */
int utf8_columns(uint32_t c);

#endif

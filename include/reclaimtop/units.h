/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - numbers as people read them. Every call writes at most size bytes, closes them by NUL and returns out.
 * UNKNOWN is "-", UNLIMITED is "max". The locale is never asked: the decimal sign is a point.
 */
#ifndef RECLAIMTOP_UNITS_H
#define RECLAIMTOP_UNITS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes as 0, 512B, 4.0K, 12.3M, 1.50G, 2.0T: three digits of meaning, at most six columns. Powers of 1024. */
char *units_bytes(uint64_t bytes, char *out, size_t size);

/* Pages as bytes, or as a plain count where in_pages. */
char *units_pages(uint64_t pages, uint32_t page_size, int in_pages, char *out, size_t size);

/* A signed amount of pages with its sign: +1.2M, -48K. */
char *units_change(int64_t pages, uint32_t page_size, int in_pages, char *out, size_t size);

/* A count as 0, 999, 12.3k, 4.56M: powers of 1000, at most six columns. */
char *units_count(uint64_t count, char *out, size_t size);

/* A time of ms as 250ms, 12.3s, 4m05s, 3h12m, 6d19h: at most six columns. */
char *units_age(uint64_t ms, char *out, size_t size);

/* num/den in per cent: 0%, 41%, 0.3%, 100%; "-" where den is 0 or either is UNKNOWN. */
char *units_percent(uint64_t num, uint64_t den, char *out, size_t size);

/* Hundredths as the kernel prints them: 265 is 2.65. */
char *units_centi(uint64_t hundredths, char *out, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/units.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "reclaimtop/keys.h"

static char *put(char *out, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static char *put(char *out, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(out, size, format, args);
	va_end(args);
	return out;
}

/* Writes what stands for no number, and says whether it did. */
static int put_special(uint64_t value, char *out, size_t size)
{
	if (value < UNLIMITED)
		return 0;
	put(out, size, "%s", value == UNKNOWN ? "-" : "max");
	return 1;
}

/*
 * How many 1/n of den a value is, rounded; n is 1, 10 or 100. What cannot be seen of a large
 * value is lost on the way.
 */
static uint64_t rounded(uint64_t value, uint64_t den, uint64_t n)
{
	while (value > UINT64_MAX / 200) {
		value >>= 1;
		den >>= 1;
	}
	return (value * n + den / 2) / den;
}

/* The first letter in whose unit less than one of the next is left; *den becomes the unit. */
static char unit_of(uint64_t value, uint64_t base, const char *letters, uint64_t *den)
{
	int i = 0;

	*den = base;
	while (letters[i + 1] && rounded(value, *den, 1) >= base) {
		*den *= base;
		i++;
	}
	return letters[i];
}

/* With a unit letter: three digits of meaning. What is whole and small needs no second decimal. */
static char *put_scaled(uint64_t value, uint64_t base, const char *letters, char *out, size_t size)
{
	uint64_t den, n;
	char letter = unit_of(value, base, letters, &den);

	if (value % den == 0 && value / den < 10)
		return put(out, size, "%" PRIu64 ".0%c", value / den, letter);
	n = rounded(value, den, 100);
	if (n < 1000)
		return put(out, size, "%" PRIu64 ".%02" PRIu64 "%c", n / 100, n % 100, letter);
	n = rounded(value, den, 10);
	if (n < 1000)
		return put(out, size, "%" PRIu64 ".%" PRIu64 "%c", n / 10, n % 10, letter);
	return put(out, size, "%" PRIu64 "%c", rounded(value, den, 1), letter);
}

char *units_bytes(uint64_t bytes, char *out, size_t size)
{
	if (put_special(bytes, out, size))
		return out;
	if (bytes < 1024)
		return put(out, size, bytes ? "%" PRIu64 "B" : "%" PRIu64, bytes);
	return put_scaled(bytes, 1024, "KMGTPE", out, size);
}

char *units_count(uint64_t count, char *out, size_t size)
{
	if (put_special(count, out, size))
		return out;
	if (count < 1000)
		return put(out, size, "%" PRIu64, count);
	return put_scaled(count, 1000, "kMGTPE", out, size);
}

/* Never a special value: what is too large for 64 bits is as large as can be said. */
static uint64_t to_bytes(uint64_t pages, uint32_t page_size)
{
	if (page_size && pages > (UNLIMITED - 1) / page_size)
		return UNLIMITED - 1;
	return pages * page_size;
}

char *units_pages(uint64_t pages, uint32_t page_size, int in_pages, char *out, size_t size)
{
	if (put_special(pages, out, size))
		return out;
	if (in_pages)
		return units_count(pages, out, size);
	return units_bytes(to_bytes(pages, page_size), out, size);
}

char *units_change(int64_t pages, uint32_t page_size, int in_pages, char *out, size_t size)
{
	uint64_t value = pages < 0 ? 0 - (uint64_t)pages : (uint64_t)pages;
	uint64_t base = in_pages ? 1000 : 1024;
	const char *letters = in_pages ? "kMGTPE" : "KMGTPE";
	char sign = pages < 0 ? '-' : '+';
	uint64_t den, n;
	char letter;

	if (!pages)
		return put(out, size, "0");
	if (!in_pages)
		value = to_bytes(value, page_size);
	if (value < base)
		return put(out, size, "%c%" PRIu64 "%s", sign, value, in_pages ? "" : "B");
	letter = unit_of(value, base, letters, &den);
	n = rounded(value, den, 10);
	if (n < 100)
		return put(out, size, "%c%" PRIu64 ".%" PRIu64 "%c", sign, n / 10, n % 10, letter);
	return put(out, size, "%c%" PRIu64 "%c", sign, rounded(value, den, 1), letter);
}

char *units_age(uint64_t ms, char *out, size_t size)
{
	uint64_t s = ms / 1000;
	uint64_t days = s / 86400;

	if (put_special(ms, out, size))
		return out;
	if (ms < 1000)
		return put(out, size, "%" PRIu64 "ms", ms);
	if (s < 60)
		return put(out, size, "%" PRIu64 ".%" PRIu64 "s", s, ms % 1000 / 100);
	if (s < 3600)
		return put(out, size, "%" PRIu64 "m%02" PRIu64 "s", s / 60, s % 60);
	if (s < 86400)
		return put(out, size, "%" PRIu64 "h%02" PRIu64 "m", s / 3600, s / 60 % 60);
	if (days < 100)
		return put(out, size, "%" PRIu64 "d%02" PRIu64 "h", days, s / 3600 % 24);
	return put(out, size, "%" PRIu64 "d", days < 99999 ? days : 99999);
}

char *units_percent(uint64_t num, uint64_t den, char *out, size_t size)
{
	double percent;

	if (!den || num >= UNLIMITED || den >= UNLIMITED)
		return put(out, size, "-");
	percent = 100.0 * (double)num / (double)den;
	if (!num)
		return put(out, size, "0%%");
	if (percent < 0.1)
		return put(out, size, "<0.1%%");
	if (percent >= 9999.5)
		return put(out, size, ">9999%%");
	if (percent >= 9.95)
		return put(out, size, "%.0f%%", percent);
	/* Tenths by hand: printf() would ask the locale for the decimal sign. */
	return put(out, size, "%d.%d%%", (int)(percent * 10 + 0.5) / 10,
		   (int)(percent * 10 + 0.5) % 10);
}

char *units_centi(uint64_t value, char *out, size_t size)
{
	if (put_special(value, out, size))
		return out;
	return put(out, size, "%" PRIu64 ".%02" PRIu64, value / 100, value % 100);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.c - numbers within sentences.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/rules.h"

uint64_t or_nought(uint64_t value)
{
	return value == UNKNOWN ? 0 : value;
}

uint64_t permille(uint64_t part, uint64_t whole)
{
	if (part == UNKNOWN || whole == UNKNOWN || !whole)
		return 0;
	return (uint64_t)((double)part * 1000 / (double)whole);
}

uint64_t per_second(uint64_t count, int64_t dt_us)
{
	if (count == UNKNOWN || dt_us <= 0)
		return 0;
	return (uint64_t)((double)count * 1e6 / (double)dt_us);
}

/* Whole from ten on, with a tenth below, without one that is nought. */
static void put_number(struct said *s, double value, const char *unit)
{
	double tenths = (double)(int64_t)(value * 10 + 0.5);

	if (value < 9.95 && (int64_t)tenths % 10)
		snprintf(s->text, sizeof(s->text), "%.1f %s", value, unit);
	else
		snprintf(s->text, sizeof(s->text), "%.0f %s", value, unit);
}

static void put_bytes(struct said *s, double bytes, const char *const units[4])
{
	int i = 0;

	while (i < 3 && bytes >= 1024 * 1000) {
		bytes /= 1024;
		i++;
	}
	put_number(s, bytes / 1024, units[i]);
}

struct said say_bytes(uint64_t bytes)
{
	static const char *const units[4] = { "KiB", "MiB", "GiB", "TiB" };
	struct said s;

	if (bytes == UNLIMITED || bytes == UNKNOWN)
		snprintf(s.text, sizeof(s.text), "%s", bytes == UNKNOWN ? "?" : "max");
	else
		put_bytes(&s, (double)bytes, units);
	return s;
}

struct said say_pages(const struct rule_input *in, uint64_t pages)
{
	return say_bytes(or_nought(pages) > UINT64_MAX / in->page_size - 2
			 ? UNLIMITED : or_nought(pages) * in->page_size);
}

struct said say_rate(const struct rule_input *in, uint64_t pages, int64_t dt_us)
{
	static const char *const units[4] = { "KiB/s", "MiB/s", "GiB/s", "TiB/s" };
	double bytes = (double)or_nought(pages) * in->page_size;
	struct said s;

	put_bytes(&s, dt_us > 0 ? bytes * 1e6 / (double)dt_us : 0, units);
	return s;
}

struct said say_span(int64_t us)
{
	struct said s;

	put_number(&s, (double)us / 1e6, "s");
	return s;
}

struct said say_time(uint64_t us)
{
	struct said s;

	if (us < 1000000)
		put_number(&s, (double)us / 1e3, "ms");
	else
		put_number(&s, (double)us / 1e6, "s");
	return s;
}

void say(struct finding *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(out->text, sizeof(out->text), format, args);
	va_end(args);
}

void prove(struct finding *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(out->evidence, sizeof(out->evidence), format, args);
	va_end(args);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "times.h"

#include <stddef.h>
#include <string.h>

/* A hundred years: enough for anybody, and far from the end of what can be held. */
#define MOST_US (INT64_C(36525) * 86400 * 1000000)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct {
	const char *name; /* a longer one before one that it begins with */
	int64_t us;
} units[] = {
	{ "ms", 1000 },
	{ "s", 1000000 },
	{ "min", INT64_C(60) * 1000000 },
	{ "m", INT64_C(60) * 1000000 },
	{ "h", INT64_C(3600) * 1000000 },
	{ "d", INT64_C(86400) * 1000000 },
};

/* What one of a unit is; 0 where the text begins with none. */
static int64_t unit(const char **text)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t len = strlen(units[i].name);

		if (!strncmp(*text, units[i].name, len)) {
			*text += len;
			return units[i].us;
		}
	}
	return 0;
}

/*
 * One number and its unit. A number by itself is seconds; behind another one it would be anybody's
 * guess.
 */
static bool part(const char **text, bool is_first, int64_t *us)
{
	int64_t whole = 0, millionths = 0, scale = 1000000, one;
	const char *p = *text;

	for (; is_digit(*p); p++)
		whole = whole < MOST_US ? whole * 10 + (*p - '0') : whole;
	if (p == *text)
		return false;
	if (*p == '.' && is_digit(p[1]))
		for (p++; is_digit(*p); p++, scale /= 10)
			millionths += (*p - '0') * (scale / 10);
	one = !*p && is_first ? 1000000 : unit(&p);
	if (!one || whole > MOST_US / one)
		return false;
	/* A millionth of a day is much less than what is left out here. */
	*us += whole * one + millionths * (one / 1000) / 1000;
	*text = p;
	return *us <= MOST_US;
}

bool times_span(const char *text, int64_t *us)
{
	bool back = *text == '-', is_first = true;

	*us = 0;
	text += *text == '-' || *text == '+';
	do {
		if (!part(&text, is_first, us))
			return false;
		is_first = false;
	} while (*text);
	*us = back ? -*us : *us;
	return true;
}

/* One or two digits below most. */
static bool two(const char **text, int most, int64_t *out)
{
	const char *p = *text;

	*out = 0;
	while (is_digit(*p) && p - *text < 2)
		*out = *out * 10 + (*p++ - '0');
	if (p == *text || *out >= most)
		return false;
	*text = p;
	return true;
}

bool times_of_day(const char *text, int64_t *us)
{
	int64_t h, m, s = 0;

	if (!two(&text, 24, &h) || *text++ != ':' || !two(&text, 60, &m))
		return false;
	if (*text == ':' && (text++, !two(&text, 60, &s)))
		return false;
	*us = ((h * 60 + m) * 60 + s) * 1000000;
	return !*text;
}

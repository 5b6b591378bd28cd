/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_words.c - a comparison in words, and conditions in theirs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/compare.h"

char compare_letter(uint32_t side)
{
	return side < 26 ? (char)('A' + side) : '?';
}

const char *compare_number(double value, char *out, size_t size)
{
	double large = fabs(value);

	if (!isfinite(value))
		snprintf(out, size, "-");
	else if (!(large > 0))
		snprintf(out, size, "0");
	else if (large >= 1e15)
		snprintf(out, size, "%.4g", value);
	else if (large >= 1e5)
		snprintf(out, size, large >= 1e6 ? "%.0f" : "%.1f", value);
	else if (large >= 0.1)
		snprintf(out, size, "%.2f", value);
	else
		snprintf(out, size, "%.3g", value);
	return out;
}

const char *compare_digits(double value, char *out, size_t size)
{
	*out = '\0';
	for (int digits = 6; isfinite(value) && digits <= 17; digits++) {
		double back;

		snprintf(out, size, "%.*g", digits, value);
		back = strtod(out, NULL);
		if (!(back < value) && !(back > value))
			break;
	}
	return out;
}

const char *compare_change(const struct compare_cell *cell, char *out, size_t size)
{
	double percent = 100 * cell->change, large = fabs(percent);

	if (!isfinite(percent))
		snprintf(out, size, "%s",
			 cell->n && cell->chance != CHANCE_MISSING ? "from 0" : "-");
	else if (!(large > 0))
		snprintf(out, size, "0%%");
	else if (large < 0.005)
		snprintf(out, size, "%c0.00%%", percent < 0 ? '-' : '+');
	else
		snprintf(out, size,
			 large < 99.995 ? "%+.2f%%"
			 : large < 1e6  ? "%+.0f%%"
					: "%+.2g%%",
			 percent);
	return out;
}

static const char *told(double p, char *out, size_t size)
{
	const char *words = p < 0.01  ? "hardly chance"
			    : p < 0.05 ? "probably not chance"
				       : "could be chance";

	if (p < 0.001)
		snprintf(out, size, "surely not chance (p < 0.001)");
	else
		snprintf(out, size, p < 0.1 ? "%s (p = %.2g)" : "%s (p = %.2f)", words, p);
	return out;
}

const char *compare_words(const struct compare_cell *first, const struct compare_cell *cell,
			  char *out, size_t size)
{
	static const char *const words[] = {
		[CHANCE_FIRST] = "",
		[CHANCE_MISSING] = "known on one side only",
		[CHANCE_ONE_RUN] = "one run on a side: chance unknown",
		[CHANCE_SAME] = "the same in every run",
		[CHANCE_FLAT] = "no spread on either side: chance unknown",
	};

	if (cell->chance == CHANCE_TOLD)
		return told(cell->p, out, size);
	if (cell->chance == CHANCE_ONE_RUN && first->n == 1 && cell->n == 1)
		snprintf(out, size, "one run a side: chance unknown");
	else if (cell->chance == CHANCE_MISSING && !first->n && !cell->n)
		snprintf(out, size, "not known");
	else
		snprintf(out, size, "%s", words[cell->chance]);
	return out;
}

/* --- conditions --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "5", "-3.25": the end, NULL where it is no number. */
static const char *number(const char *text, double *out)
{
	bool minus = *text == '-';
	double scale = 1, value = 0;

	text += minus || *text == '+';
	if (!is_digit(*text))
		return NULL;
	for (; is_digit(*text); text++)
		value = value * 10 + (*text - '0');
	if (*text == '.' && is_digit(text[1]))
		for (text++; is_digit(*text); text++, scale *= 10)
			value = value * 10 + (*text - '0');
	*out = (minus ? -value : value) / scale;
	return isfinite(*out) ? text : NULL;
}

bool compare_condition(const char *text, struct compare_condition *out)
{
	size_t len = strcspn(text, "<>");
	const char *end;

	*out = (struct compare_condition){ .above = text[len] == '>' };
	if (!text[len] || !len || len >= sizeof(out->metric))
		return false;
	memcpy(out->metric, text, len);
	end = number(text + len + 1, &out->percent);
	return end && !strcmp(end, "%");
}

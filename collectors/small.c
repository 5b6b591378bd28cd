/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small.c - files of one value or one line. */
#include "scan.h"

#include <string.h>

#include "reclaimtop/names.h"

/* What cgroup v1 prints for no limit: the largest whole number of pages below 2^63. */
#define LIMIT_V1 ((UINT64_C(1) << 63) - 4096)

/* What is left once a text has lost its line ends and the blanks around it. */
static struct scan trimmed(struct text t)
{
	struct scan s = scan_text(t);

	while (s.end > s.at && strchr(" \t\r\n", s.end[-1]) && s.end[-1])
		s.end--;
	scan_blanks(&s);
	return s;
}

uint64_t number_parse(struct text t)
{
	struct scan s = trimmed(t);
	uint64_t value;

	if (scan_word_is(&s, "max"))
		return s.at == s.end ? UNLIMITED : UNKNOWN;
	if (!scan_whole_number(&s, &value) || s.at != s.end)
		return UNKNOWN;
	return value != UNKNOWN && value >= LIMIT_V1 ? UNLIMITED : value;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint64_t mglru_parse(struct text t)
{
	struct scan s = trimmed(t);
	uint64_t value = 0;

	if (!scan_literal(&s, "0x")) {
		if (!scan_number(&s, &value) || s.at != s.end)
			return UNKNOWN;
		return value;
	}
	if (s.at == s.end || s.end - s.at > 15)
		return UNKNOWN;
	for (; s.at < s.end; s.at++) {
		int digit = hex_digit(*s.at);

		if (digit < 0)
			return UNKNOWN;
		value = value << 4 | (unsigned int)digit;
	}
	return value;
}

uint64_t online_parse(struct text t)
{
	struct scan s = trimmed(t);
	uint64_t sum = 0;

	do {
		uint64_t first, last;

		if (!scan_number(&s, &first) || first > UINT32_MAX)
			return UNKNOWN;
		last = first;
		if (scan_literal(&s, "-") && (!scan_number(&s, &last) || last > UINT32_MAX))
			return UNKNOWN;
		if (last < first)
			return UNKNOWN;
		sum += last - first + 1;
	} while (scan_literal(&s, ","));
	return s.at == s.end ? sum : UNKNOWN;
}

int64_t uptime_parse(struct text t)
{
	struct scan s = scan_text(t);
	uint64_t us;

	if (!scan_decimal(&s, 6, &us) || us > INT64_MAX)
		return -1;
	return s.at == s.end || strchr(" \t\r\n", *s.at) ? (int64_t)us : -1;
}

const char *cgroup_path_parse(struct text t, struct arena *a)
{
	struct scan text = scan_text(t), line;

	while (scan_raw_line(&text, &line, NULL))
		if (scan_literal(&line, "0::") && line.at < line.end && *line.at == '/')
			return name_escape(a, line.at, (size_t)(line.end - line.at));
	return NULL;
}

const char *release_parse(struct text t, struct arena *a)
{
	struct scan s = scan_text(t), line;
	struct text word;

	if (!scan_line(&s, &line, NULL))
		return NULL;
	if (scan_word_is(&line, "Linux") && !scan_word_is(&line, "version"))
		return NULL;
	return scan_word(&line, &word) ? name_escape(a, word.buf, word.len) : NULL;
}

const char *lockdown_parse(struct text t, struct arena *a)
{
	struct scan s = scan_text(t);
	struct text mode;

	if (!scan_until(&s, '[', &mode) || !scan_until(&s, ']', &mode) || !mode.len)
		return NULL;
	return name_escape(a, mode.buf, mode.len);
}

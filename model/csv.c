/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/compare.h"
#include "reclaimtop/keys.h"

static void next_cell(struct csv *c)
{
	if (c->inside)
		buf_add(c->out, ",", 1);
	c->inside = true;
}

void csv_text(struct csv *c, const char *text)
{
	size_t len;

	next_cell(c);
	if (!text)
		return;
	if (!text[strcspn(text, ",\"\r\n")]) {
		buf_str(c->out, text);
		return;
	}
	/* A quote within quotes is doubled. */
	buf_str(c->out, "\"");
	for (; *text; text += len) {
		len = strcspn(text, "\"");
		len += text[len] == '"';
		buf_add(c->out, text, len);
		if (text[len - 1] == '"')
			buf_str(c->out, "\"");
	}
	buf_str(c->out, "\"");
}

void csv_u64(struct csv *c, uint64_t v)
{
	char text[24] = "";

	if (v == UNLIMITED)
		snprintf(text, sizeof(text), "max");
	else if (v != UNKNOWN)
		snprintf(text, sizeof(text), "%" PRIu64, v);
	csv_text(c, text);
}

void csv_i64(struct csv *c, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, v);
	csv_text(c, text);
}

void csv_number(struct csv *c, double v)
{
	char text[40];

	csv_text(c, compare_digits(v, text, sizeof(text)));
}

void csv_end(struct csv *c)
{
	buf_str(c->out, "\r\n");
	c->inside = false;
}

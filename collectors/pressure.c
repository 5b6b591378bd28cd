/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scan.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

static const struct field {
	const char *name;  /* with its "=" */
	int decimals;
	size_t offset;
} fields[] = {
	{ "avg10=", 2, offsetof(struct psi_line, avg10) },
	{ "avg60=", 2, offsetof(struct psi_line, avg60) },
	{ "avg300=", 2, offsetof(struct psi_line, avg300) },
	{ "total=", 0, offsetof(struct psi_line, total_us) },
};

/* The value of the field that stands next in the line, in whichever order they come. */
static bool scan_field(struct scan *line, const struct field *f, void *out)
{
	struct scan word;
	struct text w;

	while (scan_word(line, &w)) {
		uint64_t value;

		word = scan_text(w);
		if (!scan_literal(&word, f->name))
			continue;
		if (!scan_decimal(&word, f->decimals, &value) || word.at != word.end ||
		    value == UNKNOWN)
			return false;
		memcpy((char *)out + f->offset, &value, sizeof(value));
		return true;
	}
	return false;
}

/* All four numbers, or none. */
static bool scan_psi_line(struct scan line, struct psi_line *out)
{
	struct psi_line l = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct scan rest = line;

		if (!scan_field(&rest, &fields[i], &l))
			return false;
	}
	*out = l;
	return true;
}

int pressure_parse(struct text t, struct psi *psi, struct reading *r)
{
	struct scan text = scan_text(t), line;
	bool any = false;

	while (scan_line(&text, &line, r)) {
		struct psi_line *out;

		if (scan_is_blank(&line))
			continue;
		out = scan_word_is(&line, "some") ? &psi->some
			: scan_word_is(&line, "full") ? &psi->full : NULL;
		if (out && scan_psi_line(line, out))
			any = true;
		else
			r->skipped++;
	}
	return any ? 0 : -ENODATA;
}

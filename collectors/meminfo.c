/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "counters.h"

#include <errno.h>

/* "Name:   value kB", or without the unit where it is a count. */
static bool scan_meminfo(struct scan line, struct text *name, uint64_t *value)
{
	if (!scan_until(&line, ':', name) || !name->len || !scan_whole_number(&line, value))
		return false;
	scan_word_is(&line, "kB");
	return scan_is_blank(&line);
}

int meminfo_parse(struct text t, struct sample *s, struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct counters_filler f;
	struct counters c;

	counters_init(&c, &keytab_meminfo, s->arena);
	f = counters_fill(&c, s->arena);
	while (scan_line(&text, &line, r)) {
		struct text name;
		uint64_t value;

		if (scan_is_blank(&line))
			continue;
		scan_blanks(&line);
		if (!scan_meminfo(line, &name, &value) || !counters_put(&f, name, value))
			r->skipped++;
	}
	if (!counters_filled(&f))
		return -ENODATA;
	s->meminfo = c;
	return 0;
}

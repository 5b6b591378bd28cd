/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swaps.c - proc/swaps, and the mm_stat of a zram. */
#include "scan.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "reclaimtop/names.h"

static bool scan_priority(struct scan *s, int64_t *priority)
{
	bool negative;
	uint64_t value;

	scan_blanks(s);
	negative = scan_literal(s, "-");
	if (!scan_whole_number(s, &value) || value > INT32_MAX)
		return false;
	*priority = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool take_swap(struct scan line, struct arena *a, struct arena_list *swaps)
{
	struct text name, type;
	struct swap *swap, s = { 0 };
	size_t len;
	char *raw;

	if (!scan_word(&line, &name) || !scan_word(&line, &type))
		return false;
	if (!scan_whole_number(&line, &s.size_kib) || !scan_whole_number(&line, &s.used_kib))
		return false;
	if (!scan_priority(&line, &s.priority) || !scan_is_blank(&line))
		return false;
	raw = text_unmangle(name, a, &len);
	s.name = name_escape(a, raw, len);
	s.type = name_escape(a, type.buf, type.len);
	swap = arena_push(a, swaps, sizeof(*swap));
	*swap = s;
	return true;
}

int swaps_parse(struct text t, struct sample *s, struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct arena_list swaps = { 0 };
	bool heading = false;

	while (scan_line(&text, &line, r)) {
		if (scan_is_blank(&line))
			continue;
		if (scan_word_is(&line, "Filename"))
			heading = true;
		else if (!take_swap(line, s->arena, &swaps))
			r->skipped++;
	}
	/* The heading alone says that there is no swap, which is an answer. */
	if (!heading && !swaps.n)
		return -ENODATA;
	s->swaps = swaps.items;
	s->nswaps = swaps.n;
	return 0;
}

int zram_parse(struct text t, struct zram *z, struct reading *r)
{
	static const size_t offsets[] = {
		offsetof(struct zram, orig_data), offsetof(struct zram, compr_data),
		offsetof(struct zram, mem_used), offsetof(struct zram, mem_limit),
		offsetof(struct zram, mem_used_max), offsetof(struct zram, same_pages),
		offsetof(struct zram, pages_compacted), offsetof(struct zram, huge_pages),
		offsetof(struct zram, huge_pages_since),
	};
	enum { ALL = sizeof(offsets) / sizeof(offsets[0]), AT_LEAST = 7 };
	struct scan text = scan_text(t), line;
	struct zram found = *z;
	int n = 0;

	if (!scan_line(&text, &line, r))
		return -ENODATA;
	for (int i = 0; i < ALL; i++) {
		uint64_t value = UNKNOWN;

		n += scan_whole_number(&line, &value);
		memcpy((char *)&found + offsets[i], &value, sizeof(value));
	}
	if (n < AT_LEAST) {
		r->skipped++;
		return -ENODATA;
	}
	*z = found;
	return 0;
}

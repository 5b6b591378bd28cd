/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scan.h"

#include <errno.h>

#include "reclaimtop/names.h"

int buddyinfo_parse(struct text t, struct sample *s, struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct arena_list buddies = { 0 };

	while (scan_line(&text, &line, r)) {
		struct buddy *b;
		struct text zone;
		uint32_t node;

		if (scan_is_blank(&line))
			continue;
		if (!scan_node_zone(&line, &node, &zone) || scan_is_blank(&line)) {
			r->skipped++;
			continue;
		}
		b = arena_push(s->arena, &buddies, sizeof(*b));
		b->node = node;
		b->zone = name_escape(s->arena, zone.buf, zone.len);
		b->blocks = scan_orders(&line, s->arena, &b->norders, NULL, r);
	}
	if (!buddies.n)
		return -ENODATA;
	s->buddies = buddies.items;
	s->nbuddies = buddies.n;
	return 0;
}

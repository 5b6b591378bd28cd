/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pagetypeinfo.c - proc/pagetypeinfo: free blocks by type and order, then pageblocks by type.
 * Which types there are, and in which order, differs from kernel to kernel and between the two
 * tables.
 */
#include "scan.h"

#include <errno.h>

#include "reclaimtop/names.h"

struct pagetypes {
	struct sample *s;
	struct reading *r;
	struct arena_list free, blocks;
	struct arena_list columns;  /* names of types: const char * */
	bool in_blocks;             /* below "Number of blocks type" */
};

static bool take_free(struct pagetypes *p, uint32_t node, struct text zone, struct scan line)
{
	struct pagetype *f;
	struct text type;

	if (!scan_word_is(&line, "type") || !scan_word(&line, &type) || scan_is_blank(&line))
		return false;
	f = arena_push(p->s->arena, &p->free, sizeof(*f));
	f->node = node;
	f->zone = name_escape(p->s->arena, zone.buf, zone.len);
	f->type = name_escape(p->s->arena, type.buf, type.len);
	f->blocks = scan_orders(&line, p->s->arena, &f->norders, &f->at_least, p->r);
	return true;
}

static bool take_blocks(struct pagetypes *p, uint32_t node, struct text zone, struct scan line)
{
	const char *name = name_escape(p->s->arena, zone.buf, zone.len);
	uint64_t value;

	for (uint32_t i = 0; i < p->columns.n && scan_whole_number(&line, &value); i++) {
		struct pageblocks *b = arena_push(p->s->arena, &p->blocks, sizeof(*b));

		b->node = node;
		b->zone = name;
		b->type = ((const char **)p->columns.items)[i];
		b->blocks = value;
	}
	return scan_is_blank(&line);
}

/*
 * "Number of blocks type" and the names of its columns; "Number of mixed blocks" is a table of
 * other things.
 */
static bool take_heading(struct pagetypes *p, struct scan line)
{
	struct text type;

	p->in_blocks = scan_word_is(&line, "Number") && scan_word_is(&line, "of") &&
		       scan_word_is(&line, "blocks") && scan_word_is(&line, "type");
	p->columns = (struct arena_list){ 0 };
	while (p->in_blocks && scan_word(&line, &type))
		*(const char **)arena_push(p->s->arena, &p->columns, sizeof(char *)) =
			name_escape(p->s->arena, type.buf, type.len);
	return true;
}

/* Lines that are no rows. */
static bool take_other(struct pagetypes *p, struct scan line)
{
	struct scan rest = line;

	if (scan_word_is(&rest, "Number"))
		return take_heading(p, line);
	if (scan_word_is(&rest, "Page"))
		return scan_word_is(&rest, "block");
	if (scan_word_is(&rest, "Pages"))
		return scan_word_is(&rest, "per");
	return scan_word_is(&rest, "Free") && scan_word_is(&rest, "pages");
}

static bool take_line(struct pagetypes *p, struct scan line)
{
	struct text zone;
	uint32_t node;

	if (!scan_node_zone(&line, &node, &zone))
		return take_other(p, line);
	if (take_free(p, node, zone, line))
		return true;
	return p->in_blocks && take_blocks(p, node, zone, line);
}

int pagetypeinfo_parse(struct text t, struct sample *s, struct reading *r)
{
	struct pagetypes p = { .s = s, .r = r };
	struct scan text = scan_text(t), line;

	while (scan_line(&text, &line, r))
		if (!scan_is_blank(&line) && !take_line(&p, line))
			r->skipped++;
	if (!p.free.n && !p.blocks.n)
		return -ENODATA;
	s->pagetypes = p.free.items;
	s->npagetypes = p.free.n;
	s->pageblocks = p.blocks.items;
	s->npageblocks = p.blocks.n;
	return 0;
}

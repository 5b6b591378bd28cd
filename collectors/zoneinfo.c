/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zoneinfo.c - proc/zoneinfo. Which part of a zone a line belongs to decides what its name means:
 * "high" is a watermark, "high:" below "cpu:" belongs to a pageset.
 */
#include "counters.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "reclaimtop/names.h"

/* A name, and the uint64_t that it fills. */
struct field {
	const char *name;
	size_t offset;
};

static const struct field zone_fields[] = {
	{ "boost", offsetof(struct zone, boost) },
	{ "min", offsetof(struct zone, min) },
	{ "low", offsetof(struct zone, low) },
	{ "high", offsetof(struct zone, high) },
	{ "promo", offsetof(struct zone, promo) },
	{ "spanned", offsetof(struct zone, spanned) },
	{ "present", offsetof(struct zone, present) },
	{ "managed", offsetof(struct zone, managed) },
	{ "cma", offsetof(struct zone, cma) },
	{ "node_unreclaimable:", offsetof(struct zone, node_unreclaimable) },
	{ "start_pfn:", offsetof(struct zone, start_pfn) },
	{ "reserved_highatomic:", offsetof(struct zone, reserved_highatomic) },
	{ "free_highatomic:", offsetof(struct zone, free_highatomic) },
	{ NULL, 0 },
};

static const struct field pageset_fields[] = {
	{ "count:", offsetof(struct pageset, count) },
	{ "high:", offsetof(struct pageset, high) },
	{ "batch:", offsetof(struct pageset, batch) },
	{ "high_min:", offsetof(struct pageset, high_min) },
	{ "high_max:", offsetof(struct pageset, high_max) },
	{ NULL, 0 },
};

enum part {
	PART_NONE,     /* before the first zone */
	PART_NODE,     /* per-node stats */
	PART_ZONE,
	PART_PAGESET,  /* below a cpu */
};

struct zoneinfo {
	struct arena *arena;
	struct arena_list nodes, zones, pagesets;
	struct counters_filler node_stats, zone_stats;
	struct node *node;
	struct zone *zone;  /* NULL where the lines belong to nobody */
	bool has_pages;     /* the zone's own first line came */
	bool lost;          /* lines without a zone were counted */
	enum part part;
};

/*
 * Put a value into the field of this name, where it stays if it came before. False where no field
 * has the name; *refused where the value was not taken.
 */
static bool put_field(const struct field *fields, struct text name, uint64_t value, void *out,
		      bool *refused)
{
	uint64_t before;

	for (; fields->name; fields++) {
		if (!text_is(name, fields->name))
			continue;
		memcpy(&before, (char *)out + fields->offset, sizeof(before));
		*refused = before != UNKNOWN || value == UNKNOWN;
		if (!*refused)
			memcpy((char *)out + fields->offset, &value, sizeof(value));
		return true;
	}
	return false;
}

static void forget_fields(const struct field *fields, void *out)
{
	const uint64_t unknown = UNKNOWN;

	for (; fields->name; fields++)
		memcpy((char *)out + fields->offset, &unknown, sizeof(unknown));
}

static void end_node_stats(struct zoneinfo *z)
{
	if (z->part == PART_NODE)
		counters_filled(&z->node_stats);
}

static void end_zone(struct zoneinfo *z)
{
	end_node_stats(z);
	if (!z->zone)
		return;
	counters_filled(&z->zone_stats);
	z->zone->pagesets = z->pagesets.items;
	z->zone->npagesets = z->pagesets.n;
	z->pagesets = (struct arena_list){ 0 };
}

/* Nodes come in order; one that comes a second time was printed to two readers' calls. */
static struct node *find_node(struct zoneinfo *z, uint32_t id)
{
	struct node *nodes = z->nodes.items, *node;
	uint32_t n = z->nodes.n;

	if (n && nodes[n - 1].id >= id)
		for (uint32_t i = n; i-- > 0;)
			if (nodes[i].id == id)
				return &nodes[i];
	node = arena_push(z->arena, &z->nodes, sizeof(*node));
	node->id = id;
	return node;
}

/* The zone as it was found before in this text, by name and node; to be filled anew. */
static struct zone *find_zone(struct zoneinfo *z, struct text name)
{
	struct zone *zones = z->zones.items;
	uint32_t last = ((struct node *)z->nodes.items)[z->nodes.n - 1].id;

	for (uint32_t i = z->zones.n; i-- > 0;) {
		if (zones[i].node == z->node->id && text_is(name, zones[i].name))
			return &zones[i];
		/* Zones of the last node stand at the end: no need to look at all of them. */
		if (z->node->id == last && zones[i].node != last)
			break;
	}
	return arena_push(z->arena, &z->zones, sizeof(*zones));
}

static void begin_zone(struct zoneinfo *z, uint32_t node, struct text name)
{
	end_zone(z);
	z->node = find_node(z, node);
	z->zone = find_zone(z, name);
	*z->zone = (struct zone){ .node = node };
	z->zone->name = name_escape(z->arena, name.buf, name.len);
	z->zone->free = UNKNOWN;
	forget_fields(zone_fields, z->zone);
	counters_init(&z->zone->stats, &keytab_zone, z->arena);
	z->zone_stats = counters_fill(&z->zone->stats, z->arena);
	z->part = PART_ZONE;
	z->has_pages = z->lost = false;
}

/*
 * A zone's first line comes where the zone above has had its own: the line that names the new
 * zone was lost, and all up to the next one is nobody's.
 */
static bool is_of_another_zone(struct zoneinfo *z)
{
	if (!z->has_pages)
		return false;
	end_zone(z);
	z->zone = NULL;
	return true;
}

static bool take_node_stats(struct zoneinfo *z, struct scan rest)
{
	if (!scan_word_is(&rest, "stats") || !scan_is_blank(&rest) || is_of_another_zone(z))
		return false;
	end_node_stats(z);
	counters_init(&z->node->stats, &keytab_node, z->arena);
	z->node_stats = counters_fill(&z->node->stats, z->arena);
	z->part = PART_NODE;
	return true;
}

/* "pages free N": the first line of a zone itself. */
static bool take_pages(struct zoneinfo *z, struct scan rest)
{
	uint64_t value;

	if (!scan_word_is(&rest, "free") || is_of_another_zone(z))
		return false;
	end_node_stats(z);
	z->part = PART_ZONE;
	z->has_pages = true;
	if (!scan_whole_number(&rest, &value) || !scan_is_blank(&rest))
		return false;
	z->zone->free = value;
	return value != UNKNOWN;
}

static bool take_protection(struct zoneinfo *z, struct scan rest)
{
	struct arena_list list = { 0 };

	scan_blanks(&rest);
	if (!scan_literal(&rest, "("))
		return false;
	do {
		uint64_t value;

		if (!scan_number(&rest, &value))
			return false;
		*(uint64_t *)arena_push(z->arena, &list, sizeof(value)) = value;
	} while (scan_literal(&rest, ","));
	if (!scan_literal(&rest, ")") || z->zone->nprotection)
		return false;
	z->zone->protection = list.items;
	z->zone->nprotection = list.n;
	return true;
}

static bool take_cpu(struct zoneinfo *z, struct scan rest)
{
	struct pageset *p;
	uint64_t cpu;

	if (!scan_whole_number(&rest, &cpu) || cpu > UINT32_MAX)
		return false;
	p = arena_push(z->arena, &z->pagesets, sizeof(*p));
	*p = (struct pageset){ (uint32_t)cpu, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
	z->part = PART_PAGESET;
	return true;
}

static bool take_heading(struct zoneinfo *z, struct scan rest)
{
	(void)rest;
	end_node_stats(z);
	z->part = PART_ZONE;
	return true;
}

/* Words that begin a line of more than a name and a number, or another part. */
static const struct keyword {
	const char *word;
	bool (*take)(struct zoneinfo *z, struct scan rest);
} keywords[] = {
	{ "cpu:", take_cpu },
	{ "pages", take_pages },
	{ "per-node", take_node_stats },
	{ "protection:", take_protection },
	{ "pagesets", take_heading },
	{ "vm", take_heading },  /* stats threshold */
};

static bool take_pageset_value(struct zoneinfo *z, struct text name, uint64_t value, bool *refused)
{
	struct pageset *last = (struct pageset *)z->pagesets.items + z->pagesets.n - 1;

	return put_field(pageset_fields, name, value, last, refused);
}

/*
 * A 32-bit kernel's count that went below zero is printed as 2^32 less so many. More isolated
 * pages than the zone spans cannot be.
 */
static bool cannot_be(const struct zone *zone, struct text name, uint64_t value)
{
	static const char isolated[] = "nr_isolated_";
	size_t len = sizeof(isolated) - 1;

	return value > INT32_MAX && value <= UINT32_MAX && zone->spanned != UNKNOWN &&
	       value > zone->spanned && name.len > len && !memcmp(name.buf, isolated, len);
}

static bool take_zone_value(struct zoneinfo *z, struct text name, uint64_t value)
{
	bool refused;

	if (put_field(zone_fields, name, value, z->zone, &refused))
		return !refused;
	if (name.len > 1 && name.buf[name.len - 1] == ':')
		name.len--;
	return !cannot_be(z->zone, name, value) && counters_put(&z->zone_stats, name, value);
}

static bool take_value(struct zoneinfo *z, struct text name, struct scan line)
{
	struct scan rest = { name.buf + name.len, line.end };
	uint64_t value;
	bool refused;

	if (!scan_whole_number(&rest, &value) || !scan_is_blank(&rest))
		return false;
	if (z->part == PART_NODE)
		return counters_put(&z->node_stats, name, value);
	if (z->part == PART_PAGESET) {
		if (take_pageset_value(z, name, value, &refused))
			return !refused;
		/* The deepest indentation is the pagesets' own. */
		if (name.buf - line.at >= 8)
			return false;
		z->part = PART_ZONE;
	}
	return take_zone_value(z, name, value);
}

static bool take_line(struct zoneinfo *z, struct scan line)
{
	struct scan rest = line;
	struct text name;
	uint32_t node;

	scan_blanks(&rest);
	if (*rest.at == 'N' && scan_node_zone(&rest, &node, &name)) {
		begin_zone(z, node, name);
		return true;
	}
	if (!z->zone || !scan_word(&rest, &name))
		return false;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (text_is(name, keywords[i].word))
			return keywords[i].take(z, rest);
	return take_value(z, name, line);
}

int zoneinfo_parse(struct text t, struct sample *s, struct reading *r)
{
	struct zoneinfo z = { .arena = s->arena };
	struct scan text = scan_text(t), line;

	while (scan_line(&text, &line, r)) {
		if (scan_is_blank(&line) || take_line(&z, line))
			continue;
		if (z.zone)
			r->skipped++;
		else if (!z.lost)
			r->torn++;
		z.lost = !z.zone;
	}
	end_zone(&z);
	if (!z.zones.n)
		return -ENODATA;
	s->zones = z.zones.items;
	s->nzones = z.zones.n;
	s->nodes = z.nodes.items;
	s->nnodes = z.nodes.n;
	return 0;
}

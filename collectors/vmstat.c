/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmstat.c - files of lines "name value": proc/vmstat, memory.stat, memory.events, cgroup.stat. */
#include "counters.h"

#include <errno.h>
#include <string.h>

#include "reclaimtop/names.h"

struct counters_filler counters_fill(struct counters *c, struct arena *a)
{
	return (struct counters_filler){ .c = c, .arena = a };
}

bool counters_put(struct counters_filler *f, struct text name, uint64_t value)
{
	struct named *more;
	uint32_t i;

	if (value == UNKNOWN)
		return false;
	i = keytab_find(f->c->tab, name.buf, name.len, &f->hint);
	if (i < f->c->tab->n) {
		if (f->c->value[i] != UNKNOWN)
			return false;
		f->c->value[i] = value;
		return true;
	}
	more = arena_push(f->arena, &f->more, sizeof(*more));
	more->value = value;
	more->name = name_escape(f->arena, name.buf, name.len);
	return true;
}

bool counters_filled(struct counters_filler *f)
{
	f->c->more = f->more.items;
	f->c->nmore = f->more.n;
	if (f->more.n)
		return true;
	for (uint32_t i = 0; i < f->c->tab->n; i++)
		if (f->c->value[i] != UNKNOWN)
			return true;
	return false;
}

int counters_parse(struct text t, struct counters *c, struct arena *a, struct reading *r)
{
	struct counters_filler f = counters_fill(c, a);
	struct scan text = scan_text(t), line;

	while (scan_line(&text, &line, r)) {
		struct text name;
		uint64_t value;

		if (!scan_word(&line, &name))
			continue;
		if (!scan_whole_number(&line, &value) || !scan_is_blank(&line) ||
		    !counters_put(&f, name, value))
			r->skipped++;
	}
	return counters_filled(&f) ? 0 : -ENODATA;
}

/* What each zone had a counter of up to 4.7, and the machine has one of since. */
static const struct family {
	const char *prefix;
	enum vm_key key;
} families[] = {
	{ "pgsteal_kswapd_", VM_pgsteal_kswapd },
	{ "pgsteal_direct_", VM_pgsteal_direct },
	{ "pgscan_kswapd_", VM_pgscan_kswapd },
	{ "pgscan_direct_", VM_pgscan_direct },
	{ "pgrefill_", VM_pgrefill },
};

static bool is_zone(const char *name)
{
	static const char *const zones[] = {
		"dma", "dma32", "normal", "high", "movable", "device"
	};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		if (!strcmp(name, zones[i]))
			return true;
	return false;
}

/* The family's counters of all zones together; UNKNOWN where there is none. */
static uint64_t family_sum(const struct counters *c, const struct family *f)
{
	size_t len = strlen(f->prefix);
	uint64_t sum = 0;
	bool any = false;

	for (uint32_t i = 0; i < c->nmore; i++) {
		const struct named *m = &c->more[i];

		if (strncmp(m->name, f->prefix, len) || !is_zone(m->name + len))
			continue;
		if (m->value > UNLIMITED - 1 - sum)
			return UNKNOWN;
		sum += m->value;
		any = true;
	}
	return any ? sum : UNKNOWN;
}

int vmstat_parse(struct text t, struct sample *s, struct reading *r)
{
	struct counters c;

	counters_init(&c, &keytab_vmstat, s->arena);
	if (counters_parse(t, &c, s->arena, r))
		return -ENODATA;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (c.value[families[i].key] == UNKNOWN)
			c.value[families[i].key] = family_sum(&c, &families[i]);
	s->vmstat = c;
	return 0;
}

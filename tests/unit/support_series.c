/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_series.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#include "reclaimtop/source.h"

const char *const series_dirs[12] = {
	"tests/roots/6.1-disabled", "tests/roots/6.1-numa2", "tests/roots/6.1-oddnames",
	"tests/roots/6.1-pressure", "tests/roots/6.12-disabled", "tests/roots/6.12-numa2",
	"tests/roots/6.12-oddnames", "tests/roots/6.12-pressure", "tests/roots/7.2-disabled",
	"tests/roots/7.2-numa2", "tests/roots/7.2-oddnames", "tests/roots/7.2-pressure",
};

struct series *series_load(const char *dir)
{
	static struct interest everything = { .tiers = true, .processes = true };
	struct series *s = calloc(1, sizeof(*s));
	const char *why = "";
	struct source *src = source_tree(dir, false, &why);

	if (!src)
		fail_msg("%s: %s", dir, why);
	for (uint32_t i = 0; i < SERIES_MAX; i++) {
		s->samples[i].arena = arena_new();
		if (s->n == i && !src->ops->next(src, &everything, &s->samples[i]))
			s->n++;
	}
	source_close(src);
	return s;
}

void series_free(struct series *s)
{
	for (uint32_t i = 0; i < SERIES_MAX; i++)
		arena_free(s->samples[i].arena);
	free(s);
}

void sample_begin(struct sample *s, uint32_t version, int64_t mono_us)
{
	*s = (struct sample){ .arena = arena_new() };
	sample_reset(s);
	s->machine.version = version;
	s->machine.page_size = 4096;
	s->machine.hz = 100;
	s->mono_us = mono_us;
}

void sample_end(struct sample *s)
{
	arena_free(s->arena);
}

void sample_vm(struct sample *s, enum vm_key key, uint64_t value)
{
	if (!s->vmstat.value)
		counters_init(&s->vmstat, &keytab_vmstat, s->arena);
	s->vmstat.value[key] = value;
}

struct zone *sample_zone(struct sample *s, uint32_t node, const char *name, uint64_t free_pages,
			 const uint64_t marks[3])
{
	struct zone *zones = arena_alloc(s->arena, (s->nzones + 1) * sizeof(*zones)), *z;

	for (uint32_t i = 0; i < s->nzones; i++)
		zones[i] = s->zones[i];
	z = &zones[s->nzones++];
	*z = (struct zone){ .node = node, .name = name, .free = free_pages };
	z->min = marks[0];
	z->low = marks[1];
	z->high = marks[2];
	z->boost = z->promo = z->cma = UNKNOWN;
	z->spanned = z->present = z->managed = 100000;
	z->start_pfn = z->node_unreclaimable = UNKNOWN;
	z->reserved_highatomic = z->free_highatomic = UNKNOWN;
	s->zones = zones;
	return z;
}

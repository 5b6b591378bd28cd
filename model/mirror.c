/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mirror.h"

#define SOURCES 2

static const struct source_of {
	uint16_t mem, vm[SOURCES];
	uint8_t n;
} sources[] = {
	{ MEM_MemFree, { VM_nr_free_pages }, 1 },
	{ MEM_SwapCached, { VM_nr_swapcached }, 1 },
	{ MEM_Active, { VM_nr_active_anon, VM_nr_active_file }, 2 },
	{ MEM_Inactive, { VM_nr_inactive_anon, VM_nr_inactive_file }, 2 },
	{ MEM_Active_anon, { VM_nr_active_anon }, 1 },
	{ MEM_Inactive_anon, { VM_nr_inactive_anon }, 1 },
	{ MEM_Active_file, { VM_nr_active_file }, 1 },
	{ MEM_Inactive_file, { VM_nr_inactive_file }, 1 },
	{ MEM_Unevictable, { VM_nr_unevictable }, 1 },
	{ MEM_Mlocked, { VM_nr_mlock }, 1 },
	{ MEM_Dirty, { VM_nr_dirty }, 1 },
	{ MEM_Writeback, { VM_nr_writeback }, 1 },
	{ MEM_AnonPages, { VM_nr_anon_pages }, 1 },
	{ MEM_Mapped, { VM_nr_mapped }, 1 },
	{ MEM_Shmem, { VM_nr_shmem }, 1 },
	{ MEM_Slab, { VM_nr_slab_reclaimable, VM_nr_slab_unreclaimable }, 2 },
	{ MEM_SReclaimable, { VM_nr_slab_reclaimable }, 1 },
	{ MEM_SUnreclaim, { VM_nr_slab_unreclaimable }, 1 },
	{ MEM_PageTables, { VM_nr_page_table_pages }, 1 },
};

#define NSOURCES (sizeof(sources) / sizeof(sources[0]))

static const uint16_t lists[][2] = {
	{ VM_nr_zone_inactive_anon, VM_nr_inactive_anon }, { VM_nr_zone_active_anon, VM_nr_active_anon },
	{ VM_nr_zone_inactive_file, VM_nr_inactive_file }, { VM_nr_zone_active_file, VM_nr_active_file },
	{ VM_nr_zone_unevictable, VM_nr_unevictable },
};

#define NLISTS (sizeof(lists) / sizeof(lists[0]))

uint32_t mirror_list(uint32_t i)
{
	for (size_t k = 0; k < NLISTS; k++)
		if (lists[k][0] == i)
			return lists[k][1];
	return VM_NR;
}

void mirror_lists(struct mirror *m, const uint64_t *was)
{
	for (size_t k = 0; k < NLISTS; k++)
		if (m->moved[lists[k][1]] && was[lists[k][0]] != UNKNOWN && m->now[lists[k][0]] != UNKNOWN)
			m->moved[lists[k][0]] = true;
}

/* In the order of the table, so that the hint is nearly always where the next one is. */
static uint64_t in_kib(const struct mirror *m, uint32_t i, uint32_t *hint)
{
	uint64_t pages = 0;
	bool moved = false;

	while (*hint < NSOURCES && sources[*hint].mem < i)
		++*hint;
	if (*hint == NSOURCES || sources[*hint].mem != i || !m->page_size || m->page_size % 1024)
		return UNKNOWN;
	for (uint8_t k = 0; k < sources[*hint].n; k++) {
		uint16_t vm = sources[*hint].vm[k];

		if (m->now[vm] == UNKNOWN)
			return UNKNOWN;
		pages += m->now[vm];
		moved = moved || m->moved[vm];
	}
	return moved ? pages * (m->page_size / 1024) : UNKNOWN;
}

uint64_t mirror_value(const struct mirror *m, const struct keytab *tab, uint32_t i, uint32_t *hint)
{
	uint32_t vm;

	if (tab == &keytab_meminfo)
		return in_kib(m, i, hint);
	if (tab == &keytab_vmstat)
		vm = mirror_list(i);
	else
		vm = keytab_find(&keytab_vmstat, tab->keys[i].name, tab->keys[i].len, hint);
	return vm < VM_NR && m->moved[vm] ? m->now[vm] : UNKNOWN;
}

struct mirror mirror_between(const struct counters *was, const struct sample *now, struct arena *scratch)
{
	const uint64_t *is = now->vmstat.value;
	bool *moved;

	if (!was->value || !is)
		return (struct mirror){ 0 };
	moved = arena_alloc(scratch, VM_NR * sizeof(*moved));
	for (uint32_t i = 0; i < VM_NR; i++)
		moved[i] = is[i] != UNKNOWN && is[i] != was->value[i];
	return (struct mirror){ is, moved, now->machine.page_size };
}

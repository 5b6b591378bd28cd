/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own.h"

#include <stdlib.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

void own_init(struct own *own)
{
	own->text = (struct buf){ 0 };
	own->fs = kernfs_machine();
	own->page_kib = sysconf(_SC_PAGESIZE) / 1024;
	own->cpu_us = clock_cpu_us();
	own->at_us = clock_mono_us();
}

void own_fini(struct own *own)
{
	kernfs_close(own->fs);
	buf_fini(&own->text);
}

/* The second number of proc/self/statm: resident pages. */
static uint64_t resident_kib(struct own *own)
{
	char *end;
	unsigned long long pages;

	if (kernfs_read(own->fs, "proc/self/statm", KERNFS_KEEP, &own->text))
		return UNKNOWN;
	strtoull(own->text.data, &end, 10);
	if (*end != ' ')
		return UNKNOWN;
	pages = strtoull(end + 1, &end, 10);
	return *end == ' ' ? (uint64_t)pages * (uint64_t)own->page_kib : UNKNOWN;
}

void own_look(struct own *own, struct frame *f)
{
	int64_t cpu = clock_cpu_us(), at = clock_mono_us();

	f->own_cpu_us = cpu - own->cpu_us;
	f->own_over_us = at - own->at_us;
	f->own_rss_kib = resident_kib(own);
	own->cpu_us = cpu;
	own->at_us = at;
}

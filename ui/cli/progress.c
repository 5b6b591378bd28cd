/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

#define OFTEN_US 200000

void progress_begin(struct progress *p, const char *name, int64_t now_us)
{
	*p = (struct progress){ .terminal = isatty(STDERR_FILENO), .name = name, .start_us = now_us };
}

static void show(const struct progress *p, const struct recorder *r, int64_t now_us)
{
	struct arena *a = arena_new();
	char size[16], time[16], name[128], lost[40] = "";

	units_bytes(recorder_bytes(r), size, sizeof(size));
	units_age((uint64_t)(now_us - p->start_us) / 1000, time, sizeof(time));
	name_fit(name_escape(a, p->name, strlen(p->name)), 30, 1, name, sizeof(name));
	if (recorder_lost(r))
		snprintf(lost, sizeof(lost), ", %llu lost", (unsigned long long)recorder_lost(r));
	fprintf(stderr, "\r%s: %llu samples in %s, %s%s\033[K", name,
		(unsigned long long)recorder_samples(r), time, size, lost);
	arena_free(a);
}

void progress_sample(struct progress *p, const struct recorder *r)
{
	int64_t now = clock_mono_us();

	if (!p->terminal || (p->shown && now - p->last_us < OFTEN_US))
		return;
	show(p, r, now);
	p->shown = true;
	p->last_us = now;
}

void progress_end(struct progress *p, const struct recorder *r)
{
	if (!p->terminal)
		return;
	show(p, r, clock_mono_us());
	fprintf(stderr, "\n");
	p->shown = false;
}

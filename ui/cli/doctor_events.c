/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor_events.c - could the kernel's own events be switched on, if one asked for them? Nothing is written to find out.
 */
#include <errno.h>

#include "doctor.h"
#include "reclaimtop/events.h"

static void can_be_had(const struct doctor *d, struct verdict *v)
{
	static const char *const names[BULK_NR] = { [BULK_DRAIN] = "drains", [BULK_REFILL] = "refills" };
	enum sizes_state sizes[BULK_NR];
	const char *without = NULL, *why = "";

	events_sizes(d->fs, sizes);
	for (int way = 0; way < BULK_NR; way++) {
		if (sizes[way] == SIZES_COUNTED)
			continue;
		why = sizes_state_why(sizes[way]);
		without = without ? "drains and refills" : names[way];
	}
	if (without)
		doctor_say(v, HEALTH_PART, "--events counts blocks by CPU, order and type, not the sizes of %s: %s",
			   without, why);
	else
		doctor_say(v, HEALTH_OK, "--events counts drains and refills of pagesets, and their sizes");
}

void doctor_events(const struct doctor *d, struct verdict *v)
{
	struct events_why why = events_look(d->fs);

	if (!why.err) {
		can_be_had(d, v);
		return;
	}
	doctor_say(v, d->is_tree ? HEALTH_NONE : why.err == EACCES || why.err == EPERM ? HEALTH_REFUSED : HEALTH_MISSING,
		   "no --events: %s", why.why);
	v->remedy = d->is_tree ? NULL : why.todo;
}

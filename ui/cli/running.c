/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "running.h"

#include <stdio.h>

#include "reclaimtop/events.h"

#include "say.h"

static struct tracing *switch_on(struct kernfs *fs)
{
	struct events_why why;
	struct tracing *tr = events_on(fs, &why);
	char advice[160];

	snprintf(advice, sizeof(advice), "%s%sit goes on without them", why.todo ? why.todo : "",
		 why.todo ? "; " : "");
	if (why.err)
		say_error(STATUS_DONE, "--events", why.why, advice);
	return tr;
}

struct source *running_source(const struct options *o)
{
	struct kernfs *fs = kernfs_machine();
	struct tracing *tr = o->events ? switch_on(fs) : NULL;
	struct source *src = source_live(fs, o->delay_us ? o->delay_us : DELAY_USUAL_US, true);

	source_events(src, tr);
	return src;
}

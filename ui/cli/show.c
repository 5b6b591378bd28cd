/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "show.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "batch.h"
#include "say.h"
#include "session.h"
#include "text.h"

/* Ten minutes at one second on a usual machine. */
#define HISTORY_BYTES ((size_t)8 << 20)

/* The screen must go on where memory has run out: what was touched once stays. As far as the system allows. */
static void stay_in_memory(void)
{
	if (geteuid() == 0)
		mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

static int show_screen(struct source *src, const char *label, const struct options *o)
{
	struct session_options so = {
		.interval_us = o->delay_us,
		.limit = o->count,
		.history_bytes = HISTORY_BYTES,
		.interest = { .pagetypes_forced = o->pagetypes },
		.label = label,
	};
	struct session *s;
	int status;

	if (src->can & SOURCE_LIVE) {
		stay_in_memory();
		if (!so.interval_us)
			so.interval_us = DELAY_USUAL_US;
	}
	s = session_new(src, &so);
	if (!s)
		return say_errno(errno, "a thread", NULL);
	status = tui_run(session_feed(s), &o->tui);
	session_free(s);
	return status;
}

int show(struct source *src, const char *label, const struct options *o)
{
	if (!o->batch && isatty(STDOUT_FILENO))
		return show_screen(src, label, o);
	if (o->tui.sort && !text_sorts_by(o->tui.sort)) {
		source_close(src);
		return say_error(STATUS_USAGE, o->tui.sort, "no column of the memcgs has this name",
				 "the heads of the table in --view memcgs are the names");
	}
	return batch_run(src, label, o);
}

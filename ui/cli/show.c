/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "show.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "batch.h"
#include "say.h"
#include "session.h"
#include "text.h"

/*
 * Half an hour and more at one second on a usual machine; with all else the program stays below 10
 * MiB.
 */
#define HISTORY_BYTES ((size_t)4 << 20)

/*
 * The screen must go on where memory has run out: what was touched once stays. As far as the system
 * allows.
 */
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

bool show_on_screen(const struct options *o)
{
	return !o->batch && isatty(STDOUT_FILENO);
}

bool show_can_sort(const struct options *o, bool screen)
{
	struct buf names = { 0 };

	if (!o->tui.sort || tui_sorts_by(o->tui.sort) || (!screen && text_sorts_by(o->tui.sort)))
		return true;
	buf_str(&names, "the memcgs' are ");
	text_sort_names(&names);
	say_error(STATUS_USAGE, "--sort", "there is no column of this name", names.data);
	buf_fini(&names);
	return false;
}

int show(struct source *src, const char *label, const struct options *o)
{
	bool screen = show_on_screen(o);

	if (!show_can_sort(o, screen)) {
		source_close(src);
		return STATUS_USAGE;
	}
	return screen ? show_screen(src, label, o) : batch_run(src, label, o);
}

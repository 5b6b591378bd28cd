/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "batch.h"
#include "replay.h"
#include "say.h"
#include "show.h"

static int cannot_open(const char *path, int err, const char *why)
{
	if (err == EPROTO || err == ENOTSUP || err == EBADMSG)
		return say_error(STATUS_UNREADABLE, path, why,
				 err == ENOTSUP ? "a later version of reclaimtop reads it"
						: "reclaimtop record makes one");
	if (err == EACCES || err == EPERM)
		return say_error(STATUS_NOT_PERMITTED, path, why,
				 "run it as somebody who may read it");
	return say_error(STATUS_FAILED, path, why, "reclaimtop record makes a recording");
}

static int on_screen(struct recording *recording, const struct replay_options *ro,
		     const struct options *o)
{
	struct replay *r = replay_new(recording, ro);
	int status;

	if (!r)
		return say_errno(errno, "a timer", NULL);
	status = tui_run(replay_feed(r), &o->tui);
	replay_free(r);
	return status;
}

static int in_batch(struct recording *recording, const char *label, const struct options *o)
{
	int status = batch_run(source_recording(recording), label, o);

	recording_close(recording);
	return status;
}

int show_recording(struct recording *r, const char *path, const char *label, const struct options *o)
{
	const struct replay_options ro = { path, o->follow, o->delay_us, o->count, label };
	bool screen = show_on_screen(o);

	if (show_can_sort(o, screen))
		return screen ? on_screen(r, &ro, o) : in_batch(r, label ? label : path, o);
	recording_close(r);
	return STATUS_USAGE;
}

int replay_command(const struct options *o)
{
	const char *path = o->words[0], *why = NULL;
	struct recording *recording;

	if (o->root)
		return say_error(STATUS_USAGE, "--root", "a recording is no folder",
				 "leave replay out to see the trees of a folder");
	if (o->follow && !show_on_screen(o))
		return say_error(STATUS_USAGE, "--follow", "only a screen goes on with a file",
				 "leave out --follow, or -b");
	errno = 0;
	recording = recording_open(path, o->follow ? RECORDING_FOLLOW : 0, &why);
	if (!recording)
		return cannot_open(path, errno, why ? why : strerror(errno));
	return show_recording(recording, path, NULL, o);
}

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

static int on_screen(struct recording *recording, const struct options *o)
{
	struct replay_options ro = { o->words[0], o->follow, o->delay_us, o->count };
	struct replay *r = replay_new(recording, &ro);
	int status;

	if (!r)
		return say_errno(errno, "a timer", NULL);
	status = tui_run(replay_feed(r), &o->tui);
	replay_free(r);
	return status;
}

static int in_batch(struct recording *recording, const struct options *o)
{
	int status = batch_run(source_recording(recording), o->words[0], o);

	recording_close(recording);
	return status;
}

int replay_command(const struct options *o)
{
	const char *path = o->words[0], *why = NULL;
	bool screen = show_on_screen(o);
	struct recording *recording;

	if (o->root)
		return say_error(STATUS_USAGE, "--root", "a recording is no folder",
				 "leave replay out to see the trees of a folder");
	if (o->follow && !screen)
		return say_error(STATUS_USAGE, "--follow", "only a screen goes on with a file",
				 "leave out --follow, or -b");
	if (!show_can_sort(o, screen))
		return STATUS_USAGE;
	errno = 0;
	recording = recording_open(path, o->follow ? RECORDING_FOLLOW : 0, &why);
	if (!recording)
		return cannot_open(path, errno, why ? why : strerror(errno));
	return screen ? on_screen(recording, o) : in_batch(recording, o);
}

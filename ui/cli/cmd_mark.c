/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/kernfs.h"
#include "reclaimtop/recording.h"

#include "say.h"
#include "show.h"

/* Whose clock the marker's time is of; empty where it cannot be told. */
static void read_boot_id(struct buf *out)
{
	struct kernfs *fs = kernfs_machine();

	if (kernfs_read(fs, "proc/sys/kernel/random/boot_id", 0, out))
		buf_clear(out);
	kernfs_close(fs);
	if (out->data)
		out->data[strcspn(out->data, "\n")] = '\0';
}

int mark_command(const struct options *o)
{
	const char *path = o->words[0], *name, *why = "cannot be written";
	struct mark m = { .mono_us = clock_mono_us(), .wall_us = clock_wall_us(), .kind = MARK_NOTE,
			  .text = o->words[1], .duration_us = -1, .status = -1 };
	struct buf boot = { 0 };
	double value;
	int err, len;

	read_boot_id(&boot);
	m.boot_id = boot.data ? boot.data : "";
	if (mark_score(m.text, &name, &len, &value))
		m.kind = MARK_SCORE;
	err = recording_add_mark(path, &m, &why);
	buf_fini(&boot);
	if (!err)
		return STATUS_DONE;
	if (err == -EPROTO)
		return say_error(STATUS_UNREADABLE, path, why, "give a recording");
	if (err == -EACCES || err == -EPERM || err == -ELOOP)
		return say_error(STATUS_NOT_PERMITTED, path, why, NULL);
	return say_error(STATUS_FAILED, path, why, NULL);
}

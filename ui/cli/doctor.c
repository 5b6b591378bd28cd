/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.c - what a kernel offers, source by source, what is missing, and what mends it. One sample
 * is taken, and each failure is told by its errno and by what else is there.
 */
#include "doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/names.h"

#include "output.h"
#include "say.h"
#include "show.h"
#include "table.h"
#include "version.h"

/* ---- what is looked at ----------------------------------------------------------------------- */

static int note_first(void *arg, const char *name, bool is_dir)
{
	char *first = arg;
	size_t len = strlen(name);

	if (is_dir && !strcmp(name, "proc"))
		return 1;
	if (!is_dir || len >= DOCTOR_FOLDER || name[strspn(name, "0123456789")])
		return 0;
	if (!*first || strtoull(name, NULL, 10) < strtoull(first, NULL, 10))
		memcpy(first, name, len + 1);
	return 0;
}

/* The files that the first sample came from. */
static int open_files(struct doctor *d, const char *root)
{
	int found;

	d->fs = root ? kernfs_tree(root) : kernfs_machine();
	if (!d->fs)
		return -errno;
	found = kernfs_list(d->fs, "", note_first, d->folder);
	if (found == 1)
		d->folder[0] = '\0';
	return found < 0 ? found : 0;
}

static const char *path_of(const struct doctor *d, const char *path, char *out, size_t size)
{
	snprintf(out, size, "%s%s%s", d->folder, *d->folder ? "/" : "", path);
	return out;
}

static int note_any(void *arg, const char *name, bool is_dir)
{
	(void)arg;
	(void)name;
	(void)is_dir;
	return 1;
}

int doctor_folder(const struct doctor *d, const char *path)
{
	char whole[128];

	return kernfs_list(d->fs, path_of(d, path, whole, sizeof(whole)), note_any, NULL);
}

void doctor_say(struct verdict *v, enum health health, const char *format, ...)
{
	va_list args;

	v->health = health;
	va_start(args, format);
	vsnprintf(v->found, sizeof(v->found), format, args);
	va_end(args);
}

static int take_sample(struct doctor *d, const struct options *o, const char **why)
{
	struct interest in = { .pagetypes = true,
			       .processes = true,
			       .pagetypes_forced = o->pagetypes };
	struct source *src;
	int err;

	src = o->root ? source_tree(o->root, false, why)
		      : source_live(kernfs_machine(), DELAY_USUAL_US, true);
	if (!src)
		return -errno;
	err = src->ops->next(src, &in, &d->sample);
	source_close(src);
	return err > 0 ? -ENODATA : err;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void put_lines(const struct verdict *verdicts, struct buf *out)
{
	static const struct column columns[] = { { "source", true },
						 { "", true },
						 { "what was found; what to do", true } };
	static const char *const states[] = {
		[HEALTH_OK] = "ok",     [HEALTH_PART] = "in part",    [HEALTH_OFF] = "off",
		[HEALTH_NONE] = "none", [HEALTH_MISSING] = "missing", [HEALTH_REFUSED] = "refused",
	};
	struct table t = { 0 };

	table_begin(&t, columns, 3);
	for (int i = 0; i < READ_NR; i++) {
		table_cell(&t, source_infos[i].name);
		table_cell(&t, states[verdicts[i].health]);
		table_printf(&t, "%s%s%s", verdicts[i].found, verdicts[i].remedy ? "; " : "",
			     verdicts[i].remedy ? verdicts[i].remedy : "");
	}
	table_end(&t, out);
	table_fini(&t);
}

static void report(const struct doctor *d, const struct options *o, const struct verdict *verdicts,
		   struct buf *out)
{
	const char *kernel = d->sample.machine.kernel, *reason;
	enum rung rung = sample_rung(&d->sample, &reason);
	struct arena *a = arena_new();

	buf_printf(out, "reclaimtop %s: doctor of %s, Linux %s\n", RECLAIMTOP_VERSION,
		   o->root ? name_escape(a, o->root, strlen(o->root)) : "this machine",
		   kernel ? kernel : "unknown");
	put_lines(verdicts, out);
	buf_printf(out, "reclaimtop shows %s%s%s\n", rung_name(rung), *reason ? ": " : "", reason);
	arena_free(a);
}

static int examine(struct doctor *d, const struct options *o)
{
	struct verdict verdicts[READ_NR] = { 0 };
	struct buf out = { 0 };
	int err;

	for (int i = 0; i < READ_NR; i++)
		doctor_look(d, (enum reading_id)i, &verdicts[i]);
	report(d, o, verdicts, &out);
	err = output_flush(&out);
	buf_fini(&out);
	return err && err != -EPIPE ? output_status(err) : doctor_status(verdicts);
}

int doctor_command(const struct options *o)
{
	struct doctor d = { .is_tree = o->root != NULL };
	const char *why = NULL, *what = o->root ? o->root : "/proc";
	int err = take_sample(&d, o, &why), status;

	if (!err)
		err = open_files(&d, o->root);
	if (!err)
		status = examine(&d, o);
	else if (why)
		status = say_error(err == -EACCES ? STATUS_NOT_PERMITTED : STATUS_FAILED, what, why,
				   "give a folder with proc and sys in it, or one with 00, 01, …");
	else
		status = say_errno(-err, what, NULL);
	kernfs_close(d.fs);
	arena_free(d.sample.arena);
	return status;
}

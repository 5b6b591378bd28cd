/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demo.c - the recording of a real kernel that is installed with the program: works anywhere, and
 * without root.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/recording.h"

#include "say.h"
#include "show.h"

/*
 * Where it may be, seen from the folder of the program: in the tree where it was built, in its
 * sanitizer build, installed.
 */
#define NAME "demo.jsonl.zst"
static const char *const beside[] = { "../data/" NAME, "../../data/" NAME,
				      "../share/reclaimtop/" NAME };

/* The folder of the running program into out; false where it cannot be told. */
static bool program_folder(char *out, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", out, size - 1);
	char *slash;

	if (len <= 0)
		return false;
	out[len] = '\0';
	slash = strrchr(out, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

/* The demo beside the program, else where it was to be installed. */
static const char *demo_file(char *out, size_t size)
{
	char folder[PATH_MAX];

	if (program_folder(folder, sizeof(folder))) {
		for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
			int len = snprintf(out, size, "%s/%s", folder, beside[i]);

			if (len > 0 && (size_t)len < size && !access(out, R_OK))
				return out;
		}
	}
	return DATADIR "/" NAME;
}

int demo_command(const struct options *o)
{
	char path[2 * PATH_MAX];
	const char *file, *why = NULL;
	struct recording *r;

	if (o->root)
		return say_error(STATUS_USAGE, "--root", "the demo brings its own files",
				 "leave out demo to see the ones of a folder");
	file = demo_file(path, sizeof(path));
	errno = 0;
	r = recording_open(file, 0, &why);
	if (!r)
		return say_error(
			STATUS_FAILED, file, why ? why : strerror(errno),
			"install the program with make install, or start it where it was built");
	/* It belongs to all: a marker is only for who set it. */
	return show_recording(r, NULL, "demo: Linux 7.2 under memory pressure", o);
}

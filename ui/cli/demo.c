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

#include "say.h"
#include "show.h"

/*
 * Where it may be, seen from the folder of the program: in the tree where it was built, in its
 * sanitizer build, installed.
 */
static const char *const beside[] = { "../data/demo", "../../data/demo",
				      "../share/reclaimtop/demo" };

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
static const char *demo_folder(char *out, size_t size)
{
	char folder[PATH_MAX];

	if (program_folder(folder, sizeof(folder))) {
		for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
			int len = snprintf(out, size, "%s/%s", folder, beside[i]);

			if (len > 0 && (size_t)len < size && !access(out, R_OK | X_OK))
				return out;
		}
	}
	return DATADIR "/demo";
}

int demo_command(const struct options *o)
{
	char path[2 * PATH_MAX];
	const char *folder, *why = NULL;
	struct source *src;

	if (o->root)
		return say_error(STATUS_USAGE, "--root", "the demo brings its own files",
				 "leave out demo to see the ones of a folder");
	folder = demo_folder(path, sizeof(path));
	src = source_tree(folder, !o->batch && isatty(STDOUT_FILENO), &why);
	if (!src)
		return say_error(
			STATUS_FAILED, folder, why ? why : "cannot be read",
			"install the program with make install, or start it where it was built");
	return show(src, "demo: Linux 7.2 under memory pressure", o);
}

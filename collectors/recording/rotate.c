/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rotate.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More old files than anybody keeps. */
#define MOST 1000000

static size_t without(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && !memcmp(name + len - n, suffix, n) ? len - n : len;
}

/* The nth old file's name; 0 is the file itself. False: too long. */
static bool old_name(const char *base, unsigned int nth, char out[NAME_MAX + 1])
{
	size_t len = without(base, strlen(base), ".zst");
	int n;

	len = without(base, without(base, len, ".jsonl"), ".json");
	if (nth)
		n = snprintf(out, NAME_MAX + 1, "%.*s.%u%s", (int)len, base, nth, base + len);
	else
		n = snprintf(out, NAME_MAX + 1, "%s", base);
	return n > 0 && n <= NAME_MAX;
}

static bool is_there(int dir, const char *base, unsigned int nth)
{
	char name[NAME_MAX + 1];
	struct stat st;

	return old_name(base, nth, name) && !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
}

/* From nth to nth + 1; what has that name goes. */
static int shift(int dir, const char *base, unsigned int nth)
{
	char from[NAME_MAX + 1], to[NAME_MAX + 1];

	if (!old_name(base, nth, from) || !old_name(base, nth + 1, to))
		return -ENAMETOOLONG;
	return renameat(dir, from, dir, to) ? -errno : 0;
}

int rotate_names(int dir, const char *base, unsigned int keep)
{
	unsigned int most = keep && keep < MOST ? keep : MOST, n = 1;
	int err = 0;

	/* It gave way before, and no new file could be made. */
	if (!is_there(dir, base, 0))
		return 0;
	while (n < most && is_there(dir, base, n))
		n++;
	while (n-- && !err)
		err = shift(dir, base, n);
	return err;
}

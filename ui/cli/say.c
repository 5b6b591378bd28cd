/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"

int say_error(enum status status, const char *what, const char *why, const char *advice)
{
	struct arena *a = arena_new();

	fprintf(stderr, "reclaimtop: %s: %s%s%s\n", name_escape(a, what, strlen(what)),
		name_escape(a, why, strlen(why)), advice ? "; " : "", advice ? advice : "");
	arena_free(a);
	return (int)status;
}

int say_errno(int err, const char *what, const char *advice)
{
	enum status status = err == EACCES || err == EPERM ? STATUS_NOT_PERMITTED : STATUS_FAILED;

	return say_error(status, what, strerror(err), advice);
}

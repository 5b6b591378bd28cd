/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "running.h"
#include "say.h"
#include "show.h"

static struct source *open_source(const struct options *o, const char **why)
{
	if (o->root)
		return source_tree(o->root, false, why);
	return running_source(o);
}

int live_command(const struct options *o)
{
	const char *why = NULL;
	struct source *src;

	errno = 0;
	src = open_source(o, &why);
	if (src)
		return show(src, NULL, o);
	return say_error(errno == EACCES || errno == EPERM ? STATUS_NOT_PERMITTED : STATUS_FAILED,
			 o->root, why ? why : "cannot be read",
			 "give a folder with proc and sys in it, or one with 00, 01, …");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running.h - the kernel that runs here, as a source. */
#ifndef CLI_RUNNING_H
#define CLI_RUNNING_H

#include "reclaimtop/source.h"

#include "options.h"

/*
 * With --events they are switched on, or one line on standard error says why not: it goes on without. To be called
 * before there are threads.
 */
struct source *running_source(const struct options *o);

#endif

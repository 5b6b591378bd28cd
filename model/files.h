/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.h - the memcgs of a sample whose files were read, by path: private to the files that pair them. */
#ifndef RECLAIMTOP_MODEL_FILES_H
#define RECLAIMTOP_MODEL_FILES_H

#include "model/keyed.h"
#include "reclaimtop/sample.h"

struct files {
	const struct sample *sample;  /* may be NULL */
	struct keyed names;
	const struct memcg **memcgs;  /* by place in names */
};

/* In an arena, as long as the sample. sample: NULL has none. */
struct files files_of(const struct sample *sample, struct arena *a);

/* NULL where there is none of that path. It may be another cgroup of a name that is used again: see its id. */
const struct memcg *files_find(const struct files *f, const char *path);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/files.h"

struct files files_of(const struct sample *sample, struct arena *a)
{
	uint32_t n = sample ? sample->nmemcgs : 0;
	struct files f = { .sample = sample, .names = keyed_new(a, n) };

	f.memcgs = arena_alloc(a, n * sizeof(struct memcg *));
	for (uint32_t i = 0; i < n; i++) {
		const struct memcg *m = &sample->memcgs[i];

		f.memcgs[keyed_put(&f.names, (struct keyed_name){ m->path, 0, 0 })] = m;
	}
	return f;
}

const struct memcg *files_find(const struct files *f, const char *path)
{
	uint32_t at = keyed_find(&f->names, (struct keyed_name){ path, 0, 0 });

	return at == KEYED_NONE ? NULL : f->memcgs[at];
}

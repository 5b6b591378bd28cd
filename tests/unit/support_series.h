/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_series.h - all samples of a captured series at once, and samples made by hand.
 */
#ifndef RECLAIMTOP_SUPPORT_SERIES_H
#define RECLAIMTOP_SUPPORT_SERIES_H

#include "reclaimtop/sample.h"

#define SERIES_MAX 20

struct series {
	struct sample samples[SERIES_MAX];
	uint32_t n;
};

/* "tests/roots/…". Fails the test where there is none. Freed by series_free(). */
struct series *series_load(const char *dir);
void series_free(struct series *s);

/* The folders of all captured series. */
extern const char *const series_dirs[12];

/*
 * An empty sample in an arena of its own, of that kernel and time, 4 KiB pages; freed by
 * sample_end().
 */
void sample_begin(struct sample *s, uint32_t version, int64_t mono_us);
void sample_end(struct sample *s);

/* Set a line of vmstat, making the set where it is not there yet. */
void sample_vm(struct sample *s, enum vm_key key, uint64_t value);

/* Add a zone, all of it unknown but these; its pagesets may be added by the caller. */
struct zone *sample_zone(struct sample *s, uint32_t node, const char *name, uint64_t free,
			 const uint64_t marks[3]);

#endif

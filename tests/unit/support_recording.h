/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_recording.h - recordings in files of the test's own, and what is in them.
 */
#ifndef SUPPORT_RECORDING_H
#define SUPPORT_RECORDING_H

#include "reclaimtop/buf.h"
#include "reclaimtop/recording.h"

/* A path in the test's folder, in a buffer that the next call but three uses again. Nothing is there. */
const char *own_path(const char *name);

/* The file's bytes; and a file of these bytes. */
void slurp(const char *path, struct buf *out);
void spill(const char *path, const char *bytes, size_t len);

/* A recorder; the test fails where there is none. */
struct recorder *open_recorder(const char *path, const struct recorder_options *options);
void put(struct recorder *r, const struct sample *s);
void close_recorder(struct recorder *r);

/* A recording, indexed to its end; the test fails where it cannot be opened. */
struct recording *open_recording(const char *path);

/* Sample i of it must be this one. */
void assert_sample(struct recording *r, uint64_t i, const struct sample *expected);

/* Samples of a small machine: one memcg, one zone, some counters, all of them moving. n counts from 0. */
struct small {
	struct sample s;
	struct gen gens[2];
	struct lruvec lruvec;
	struct pageset pageset;
	struct zone zone;
	uint64_t seed;
};

void small_init(struct small *m);
void small_next(struct small *m);
void small_fini(struct small *m);

/* count samples of the small machine in a file, plain or compressed as the name says. */
void record_small(const char *path, uint32_t count);

/*
 * How many samples can be read, each of which must be the small machine's with its number: no other numbers. *count is how many
 * there seem to be.
 */
uint32_t check_small(const char *path, uint64_t *count);

#endif

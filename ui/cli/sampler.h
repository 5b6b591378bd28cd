/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler.h - the thread that takes samples, so that nobody who shows them ever waits for the
 * kernel.
 *
 * A fixed number of samples goes round: the thread fills a used one and hands it over, the other
 * side takes it and gives it back. Nothing that can change is ever seen by both. Once their arenas
 * have grown, nothing is allocated.
 */
#ifndef CLI_SAMPLER_H
#define CLI_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/source.h"

struct sampler_options {
	int64_t interval_us;  /* live: between samples. Played: all pauses; 0: as the samples say */
	bool no_pauses;       /* played: as fast as they are taken, where interval_us is 0 */
	uint64_t limit;       /* end after so many samples; 0: no limit */
	struct interest interest;  /* until sampler_want() says otherwise */
};

struct sampler;

/* How it stands. */
struct sampler_news {
	bool ended;       /* no sample will come any more */
	bool done;        /* the limit was reached and the last sample stood for its interval */
	int error;        /* errno, where the source ended badly */
	uint32_t missed;  /* samples that were due and not taken */
};

/*
 * Starts the thread, which owns the source from now on. NULL with errno set where the system
 * refuses one.
 */
struct sampler *sampler_start(struct source *src, const struct sampler_options *options);

/*
 * Stops it and frees all, samples that are not given back included. A thread that the kernel holds
 * back is not waited for: it frees all by itself once it is let go.
 */
void sampler_stop(struct sampler *s);

/* Readable while a sample waits, and after the end until sampler_take() said so. */
int sampler_fd(const struct sampler *s);

/*
 * The oldest sample that waits, or NULL; it stays the caller's until sampler_give(). How it stands
 * then is in *news, which tells of the end only when no more samples wait.
 */
struct sample *sampler_take(struct sampler *s, struct sampler_news *news);

void sampler_give(struct sampler *s, struct sample *used);

void sampler_want(struct sampler *s, const struct interest *interest);

/* Live, and where the samples' own pauses do not count. Counts from now. */
void sampler_pace(struct sampler *s, int64_t interval_us);

/* Live: one at once, and from there on as before. */
void sampler_now(struct sampler *s);

/*
 * The due time after one at `due` on a grid of interval_us, as seen at `now`: those that lie a
 * whole interval back are passed over and counted in *missed. Not before due + interval_us.
 */
int64_t sampler_next_due(int64_t due, int64_t interval_us, int64_t now, uint32_t *missed);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summing.h - what the parts of summary.c share.
 */
#ifndef RECLAIMTOP_MODEL_SUMMING_H
#define RECLAIMTOP_MODEL_SUMMING_H

#include "reclaimtop/summary.h"

#include "model/tally.h"

#define SUMMING_RULES 64

struct summing {
	struct arena *names;          /* strings that a summary points to */
	uint32_t *slots;              /* memcgs by hash: index + 1, 0 for none */
	struct tally lifetimes;
	bool diagnose;
	struct window *window;        /* NULL unless diagnose */
	uint32_t latest[SUMMING_RULES], nlatest;   /* the last episode of each rule */
	bool begun;
	uint32_t session;
	int64_t first_us;             /* mono_us of the session's first sample */
	uint32_t cap_sessions, cap_gaps, cap_memcgs, cap_zones, cap_episodes;
};

/* items with room for one more behind n, where *cap is what they have room for. */
void *summing_room(void *items, uint32_t n, uint32_t *cap, size_t size);

/* Add an amount over a step of dt_us; what is not known is passed over. */
void summing_total(struct total *t, struct amount a, int64_t dt_us);

/* A sum over things of one step, in which those that are not known are left out. */
struct amount summing_more(struct amount sum, struct amount part);

/* Add a value; UNKNOWN is passed over. */
void summing_gauge(struct gauge *g, uint64_t value);

struct summary_time summing_time(const struct summary *s, const struct sample *now);

/* The parts. */
void summing_memcgs(struct summary *s, const struct step *st);
void summing_gens(struct summary *s, const struct step *st);
void summing_zones(struct summary *s, const struct step *st);
void summing_findings(struct summary *s, const struct step *st, bool counts);

#endif

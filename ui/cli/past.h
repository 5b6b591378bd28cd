/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past.h - one sample of a roll with all that hangs on it: its step, and the window of steps before
 * it, so that what is said of it is what was said when it was new.
 *
 * The step is there at once. The window is put together from the samples before, in slices; until
 * it is whole it holds the last steps only, and there are no findings.
 */
#ifndef CLI_PAST_H
#define CLI_PAST_H

#include "reclaimtop/diagnosis.h"

#include "roll.h"

struct past;

/* roll must outlive it. steps: as many as the session's window holds. */
struct past *past_new(struct roll *roll, uint32_t steps);
void past_free(struct past *p);

/*
 * Show sample i. 0, or -errno where it cannot be read; then what was shown stays. Samples that
 * cannot be read are passed over as the one before. The next one costs one reading, any other two.
 */
int past_go(struct past *p, uint64_t i);

/* Put the window together until the time until_us. True while there is more to do. */
bool past_fill(struct past *p, int64_t until_us);

struct past_picture {
	const struct sample *now;
	const struct step *step;
	const struct window *window;
	const struct finding *findings;
	uint32_t nfindings;
	bool whole;            /* the window is */
};

/* What is shown; valid until the next past_go() or past_fill(). False before the first. */
bool past_picture(const struct past *p, struct past_picture *out);

/* --- for those who go over samples in order --- */

/*
 * May two samples be compared, as far as their sessions tell? Where it can be seen that one does
 * not go on from the other they may: the step then says so.
 */
bool past_comparable(const struct sample *before, uint32_t session_before,
		     const struct sample *now, uint32_t session_now);

#endif

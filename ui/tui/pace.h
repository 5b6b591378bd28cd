/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pace.h - how much a line takes, and when the next frame may go. Pure: time is an argument.
 *
 * A terminal can be asked for a sign of life; its answer says that all that was written before has arrived. Then a frame
 * goes when the one before it is there, and is so short that a key never waits for long behind it. What stands between,
 * a pty or a network, may hold many seconds' worth of bytes: that a terminal can be written to says nothing of when they
 * are seen. Where nobody answers, only what the slowest line takes goes out unasked.
 */
#ifndef TUI_PACE_H
#define TUI_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pace {
	bool can_ask;        /* it may know the question */
	bool answers;        /* it did answer, the last time too */
	int64_t asked_us;    /* of the question that is not answered yet; 0 none */
	double usual_us;     /* what an answer took, and how many bytes went before it; 0 none yet */
	double usual_bytes;
	int64_t free_us;     /* by then what went out unasked has surely arrived */
	size_t on_way;       /* bytes up to that question */
	double rate;         /* bytes a second, as far as it is known */
};

#define PACE_BLIND 1500 /* bytes a second where nobody answers */

void pace_start(struct pace *p, bool can_ask);

/*
 * When the next frame may go: now_us or earlier, now; INT64_MAX, with the answer. One that a key asked for always may.
 */
int64_t pace_when(const struct pace *p, int64_t now_us);

/* Bytes that it may have, about: what is more goes with the next ones. */
size_t pace_bytes(const struct pace *p);

/* Is the question to go with it? */
bool pace_asks(const struct pace *p);

/* It went out, with the question or without. */
void pace_sent(struct pace *p, int64_t now_us, size_t bytes, bool asked);

void pace_answered(struct pace *p, int64_t now_us);

#endif

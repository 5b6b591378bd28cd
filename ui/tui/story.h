/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story.h - the screen in words: five plain sentences about the numbers now on it. What the kernel does not say is not
 * guessed at: then a sentence says that it is not known.
 */
#ifndef TUI_STORY_H
#define TUI_STORY_H

#include "view.h"

#define STORY_NR 5
#define STORY_TEXT 320

struct story {
	char text[STORY_NR][STORY_TEXT];
	int n;
};

/* d says how numbers are written, and of which frame. */
typedef void story_fn(const struct tui *t, const struct draw *d, struct story *s);

/* The five sentences of the view on screen. */
void story_make(const struct tui *t, const struct draw *d, struct story *s);

/* The panel that shows them, over a part of body. */
void story_draw(struct tui *t, struct draw *d, struct rect body);

/* --- for the parts --- */

/* The next sentence; more_ adds to the last one. */
void story_say(struct story *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void story_more(struct story *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "12.3M/s", "1.4s"; "12 %" of two amounts. Each into a buffer of its own, of NUMBER_TEXT bytes. */
const char *story_rate(const struct draw *d, struct amount a, char *out);
const char *story_span(int64_t us, char *out);

/* Sentences that more than one view has: who took how much, how much came back, what it cost. */
story_fn story_taken, story_returned, story_cost;

story_fn story_overview, story_generations, story_memcgs, story_pagesets, story_processes, story_time;

#endif

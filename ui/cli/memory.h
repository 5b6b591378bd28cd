/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - what a session remembers: its samples as far back as there is room, markers, where in
 * all that one looks, and the recording that is made of it.
 */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include "reclaimtop/frame.h"

struct memory;

/* bytes of samples; steps of the window. NULL with errno where the system refuses a descriptor. */
struct memory *memory_new(size_t bytes, uint32_t steps);
/* Ends a recording, too. */
void memory_free(struct memory *m);

/* Readable when memory_work() has something to do. */
int memory_fd(const struct memory *m);

/* The newest sample and its step. The sample must stay until the next call. */
void memory_keep(struct memory *m, const struct step *st);

void memory_wish(struct memory *m, const struct wish *w);

/* What is looked at closely. */
void memory_want(struct memory *m, const struct interest *in);

/*
 * Do what is to be done, for a short time. True where what memory_fill() gives has changed: what it
 * gave before is dead.
 */
bool memory_work(struct memory *m);

/* How far it reaches, where one is; where that is not now, what is to be seen there. */
void memory_fill(struct memory *m, struct frame *f);

#endif

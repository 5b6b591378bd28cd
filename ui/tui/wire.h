/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.h - what lies between curses and the terminal: the memory that curses writes to, the device, and the questions
 * that tell whether a frame has arrived. It knows nothing of cells.
 */
#ifndef TUI_WIRE_H
#define TUI_WIRE_H

#include "pace.h"
#include "tty.h"

struct wire {
	struct tty tty;
	struct pace pace;
	int memory; /* what curses wrote and nobody has taken yet; -1 none */
};

/* The key sequence that a terminal sends where all that was written before has arrived. */
#define WIRE_ANSWER "\033[0n"

/* From now on: what this terminal does for u7 says whether it can be asked. */
void wire_start(struct wire *w, const char *u7);

/*
 * curses must find a terminal where it looks for one, to learn its modes; after that the memory takes its place under
 * the same number, fd. False: there is no memory.
 */
bool wire_to_memory(struct wire *w, int fd);

/* What curses wrote since the last time is for the terminal. Returns how many bytes. */
size_t wire_collect(struct wire *w);

/* The same as a frame of now_us, with a question where one is due. */
void wire_frame(struct wire *w, int64_t now_us);

/* Forget what a slow line has not taken yet: it is not worth waiting for. */
void wire_drop(struct wire *w);

/* Bytes that wait to go, without this sequence where they hold it. */
void wire_cut(struct wire *w, const char *sequence);

/* Before the shell has the terminal again: all that went is there, and what it still had to say is read and dropped. */
void wire_end(struct wire *w, bool mouse);

/* Has the terminal gone? */
bool wire_is_gone(const struct wire *w);

#endif

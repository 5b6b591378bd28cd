/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_pty.h - the screen on the far side of a pty: a child runs it, and this side looks at what it writes, how it
 * ends, and how it leaves the terminal.
 */
#ifndef SUPPORT_PTY_H
#define SUPPORT_PTY_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

#include "reclaimtop/buf.h"
#include "ui/tui/tui.h"

struct far {
	pid_t pid;
	int fd;            /* this side of the pty */
	bool mute;
	struct termios before;
	struct buf seen;   /* all that was written */
	int status;
};

struct far_wish {
	int rows, cols;
	const char *term;
	const char *locale, *no_color;   /* NULL: as here */
	bool mute;         /* this side answers no question, as a terminal would */
	bool no_memory;    /* with the third frame the system has none left */
	struct tui_options options;
};

/* A child that shows tests/roots/7.2-pressure, a sample every 50 ms. */
void far_start(struct far *f, const struct far_wish *w);

/* Read for at most ms, until what is wanted was seen (NULL: until the child ends its side). */
bool far_sees(struct far *f, const char *wanted, int ms);

/* What was seen up to the first 'last', and that too, is forgotten. It must have been seen. */
void far_forget(struct far *f, const char *last);

/* Read for ms, whatever comes. */
void far_wait(struct far *f, int ms);

void far_press(const struct far *f, const char *keys);

/* Until it has ended; fails the test where it does not. */
void far_end(struct far *f, int ms);

/* It ended by itself, with status 0 and the terminal as it was. */
void far_ended_well(struct far *f);
void far_modes_are_back(const struct far *f);

void far_done(struct far *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tty.h - the terminal as a device: its modes, its size, and bytes that go to it without anybody waiting.
 *
 * Whatever ends the program, the terminal is given back as it was found: tty_close(), exit() and the signals of a crash
 * all lead there.
 */
#ifndef TUI_TTY_H
#define TUI_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "reclaimtop/buf.h"

struct tty {
	int in;                  /* keys come from here */
	int out;                 /* a description of our own: not to wait is nobody else's affair */
	struct termios shell;    /* as they were found */
	struct termios screen;   /* as the screen has them; set by its owner */
	struct buf pending;      /* bytes that the terminal did not take yet */
	size_t sent;             /* of them, those that it did */
};

/* The terminal of standard output. 0, or -errno. */
int tty_open(struct tty *t);

/*
 * From now on the terminal must be given back: on exit, and on a crash, reset is written to it and its modes are set as
 * they were found. reset is copied, as far as there is room; it must do no harm when written twice.
 */
void tty_guard(const struct tty *t, const char *reset);

/* It was given back. */
void tty_unguard(void);

void tty_close(struct tty *t);

/* Rows and columns, 0 where the terminal does not know. */
void tty_size(const struct tty *t, int *rows, int *cols);

/* Bytes for the terminal; they go when it takes them. */
void tty_put(struct tty *t, const char *bytes, size_t len);

/* Write what can be written without waiting. 0, or -errno where the terminal has gone. */
int tty_flush(struct tty *t);

/* Has everything gone, and would the terminal take more? */
bool tty_is_ready(const struct tty *t);
bool tty_is_pending(const struct tty *t);

/* The same, waiting at most ms altogether; what is then left is dropped. */
void tty_drain(struct tty *t, int ms);

/* Throw away what was typed. Reports of a mouse may still be under way: until none comes for a while, at most ms. */
void tty_hush(struct tty *t, int ms);

#endif

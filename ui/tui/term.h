/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * term.h - the grid on a real terminal, and keys from it. The only part of the program that knows curses.
 *
 * curses writes into memory; the bytes of a frame go to the terminal as it takes them. So a slow line costs frames, and
 * never a key.
 */
#ifndef TUI_TERM_H
#define TUI_TERM_H

#include "grid.h"
#include "tui.h"

struct term;

/*
 * Take the terminal of standard output. NULL where that is not possible: then one line saying why, and what to do,
 * is in why, and the terminal is as it was.
 */
struct term *term_open(const struct tui_options *options, char *why, size_t size);

/* Give it back. */
void term_close(struct term *t);

/* For poll(): where keys come from, and where bytes go; whether any wait to go. */
int term_in(const struct term *t);
int term_out(const struct term *t);
bool term_is_pending(const struct term *t);

/* Does the terminal show other characters than ASCII? And braille: the console of Linux has too few glyphs. */
bool term_is_utf8(const struct term *t);
bool term_has_braille(void);

/* Size as the terminal has it now, at least 1 by 1. */
void term_size(struct term *t, int *rows, int *cols);

/* Would the terminal take a frame now? */
bool term_is_ready(const struct term *t);

/* When the line is free for a frame that no key asked for: now_us or earlier, now. See pace.h. */
int64_t term_when(const struct term *t, int64_t now_us);

struct put {
	int64_t now_us;
	bool again;     /* trust nothing that is there */
	bool urgent;    /* it answers a key */
};

/*
 * Put the grid on the terminal: only what changed travels, what changed last first, and no more of it than the line takes in
 * a moment. False: there is more; call again with the same grid or a newer one, when term_when() says.
 */
bool term_put(struct term *t, const struct grid *g, struct put put);

/* Write what the terminal takes. 0, or -errno where it has gone. */
int term_flush(struct term *t);

/* The next key, KEYCODE_NONE where there is none, KEYCODE_END_OF_INPUT where the terminal has gone. */
int term_key(struct term *t);

/* The cell of the last KEYCODE_CLICK. */
void term_click(const struct term *t, int *row, int *col);

/* Give the terminal back for a while, and take it again. */
void term_leave(struct term *t);
void term_enter(struct term *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.h - the one table of keys: what is pressed, what it does, and what the footer and the help say of it.
 */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stdint.h>

#include "reclaimtop/buf.h"
#include "tui.h"

/* A key is the character that it types, or one of these, which are no characters. */
enum keycode {
	KEYCODE_NONE = 0,
	KEYCODE_TAB = 9, KEYCODE_ENTER = 13, KEYCODE_ESC = 27,
	KEYCODE_CTRL_L = 12, KEYCODE_CTRL_Z = 26,
	KEYCODE_SPECIAL = 0x110000,
	KEYCODE_UP, KEYCODE_DOWN, KEYCODE_LEFT, KEYCODE_RIGHT, KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN,
	KEYCODE_HOME, KEYCODE_END, KEYCODE_BACKSPACE, KEYCODE_DELETE, KEYCODE_BACKTAB,
	KEYCODE_F1, KEYCODE_F5 = KEYCODE_F1 + 4, KEYCODE_F10 = KEYCODE_F1 + 9,
	KEYCODE_F12 = KEYCODE_F1 + 11,
	KEYCODE_CLICK,          /* the first button of a mouse, and its wheel: term_click() says where */
	KEYCODE_WHEEL_UP, KEYCODE_WHEEL_DOWN,
	KEYCODE_END_OF_INPUT,   /* the terminal has gone */
};

#define KEYS_EACH 8

/* Only where the feed can go in time; only where samples are taken. */
#define KEYS_GOING (1u << 30)
#define KEYS_SAMPLING (1u << 29)
#define KEYS_VIEWS ((1u << VIEW_NR) - 1)

struct key_entry {
	int keys[KEYS_EACH];    /* those that do it; 0 closes the list */
	const char *label;      /* all of them, as one reads them: "h ? F1" */
	const char *one, *brief; /* in the footer: one way to press it, and a word; NULL: in the help alone */
	const char *help;       /* what it does */
	unsigned int views;     /* bit 1 << view; none of these: in all. And KEYS_ bits */
	unsigned int (*handler)(struct tui *t, int key);   /* enum tui_handled bits */
};

extern const struct key_entry key_entries[];
extern const uint32_t nkey_entries;

/* What a key does in a view; NULL: nothing. */
const struct key_entry *keys_find(int key, enum tui_view view);

bool keys_has(const struct key_entry *entry, enum tui_view view);

/* All keys as aligned lines of text: for the man page and --help. */
void keys_print(struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - a line of text that is typed. */
#ifndef TUI_ENTRY_H
#define TUI_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Add a typed character, or take the last one away. False: the key is none of these. text is UTF-8,
 * at most size - 1 bytes.
 */
bool entry_key(char *text, size_t size, int key);

#endif

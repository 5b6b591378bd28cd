/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme.h - how a style looks, by the number of colours that a terminal has.
 *
 * The colours are told apart by eyes that do not tell red from green: orange against blue, light against dark. No
 * meaning rests on colour alone.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "grid.h"

enum look_attr { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };

struct look {
	int16_t fg, bg;      /* number of a colour, -1 the terminal's own */
	uint8_t attr;        /* enum look_attr bits */
};

/* colors: what the terminal has; below 8 is mono. */
struct look theme_look(enum style style, int colors);

#endif

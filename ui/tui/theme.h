/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * theme.h - how a style looks, by the ground that it stands on and the number of colours that a terminal has.
 *
 * The colours are told apart by eyes that do not tell red from green: orange against blue, light against dark. No
 * meaning rests on colour alone. Colours are those of the terminal as it is: no palette is ever changed.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "grid.h"
#include "tui.h"

enum look_attr { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };

struct look {
	int16_t fg, bg;      /* number of a colour, -1 the terminal's own */
	uint8_t attr;        /* enum look_attr bits */
};

/* From here on a terminal takes any colour as red, green and blue instead of a number. */
#define THEME_DIRECT 0x1000000

/*
 * theme: one that was settled. colors: what the terminal has; below 8 is mono. Numbers from 16 on stand for the same colour
 * everywhere, and theme_rgb() says which; those below are the terminal's affair.
 */
struct look theme_look(enum style style, enum tui_theme theme, int colors);

/* Red, green and blue in 24 bits, of a number from 0 to 255 as xterm has them. */
uint32_t theme_rgb(int color);

/* What auto means where the terminal says of its ground what COLORFGBG does ("15;0"); NULL: it says nothing. */
enum tui_theme theme_settle(enum tui_theme wanted, const char *colorfgbg);

/* "auto", "dark", "light", "mono"; THEME_NR where there is none of that name. */
enum tui_theme theme_by_name(const char *name);
const char *theme_name(enum tui_theme theme);

#endif

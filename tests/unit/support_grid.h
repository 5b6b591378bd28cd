/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_grid.h - what every grid must be, whatever was drawn. */
#ifndef SUPPORT_GRID_H
#define SUPPORT_GRID_H

#include "ui/tui/grid.h"

/* Fails the test where a cell is no character, a wide one is halved, or a style is none. */
void is_whole(const struct grid *g);

/* The row of the grid that holds a text, -1 where none does; *col is the column that it begins in. */
int find_text(const struct grid *g, const char *text, int *col);

#endif

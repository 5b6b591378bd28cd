/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change.h - what of a grid is not on the terminal yet, and in which order it goes there. */
#ifndef TUI_CHANGE_H
#define TUI_CHANGE_H

#include <stddef.h>

#include "grid.h"

struct change {
	struct grid shown; /* what the terminal was told */
	struct grid aimed; /* the grid that was put last, of which some rows may still wait */
	int row;           /* the last of those that was looked at */
};

/* Where cells go, and how much of them at once. */
struct change_sink {
	void (*put)(void *ctx, int row, int col, const struct cell *c);
	void *ctx;
	int rows;     /* that the terminal has */
	size_t bytes; /* about; SIZE_MAX: all of them */
};

void change_fini(struct change *c);

/* The size of g from now on; true where it was another one. */
bool change_resize(struct change *c, const struct grid *g);

/* The terminal is blank. */
void change_blank(struct change *c);

/* Put the rows of g that changed last, then those that wait, as far as bytes allow. True: the terminal has all of g. */
bool change_put(struct change *c, const struct grid *g, const struct change_sink *sink);

#endif

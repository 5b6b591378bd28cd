/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_script.h - a screen driven by written keys over the frames of a series. */
#ifndef SUPPORT_SCRIPT_H
#define SUPPORT_SCRIPT_H

#include "support_frame.h"
#include "ui/tui/grid.h"
#include "ui/tui/tui.h"

/* A screen over a series: what it shows is in grid after each call. */
struct stage {
	struct tui *tui;
	struct reel *reel;
	struct grid grid;
	struct frame frame;
};

void stage_open(struct stage *s, const char *dir, const struct tui_options *options);
void stage_size(struct stage *s, int rows, int cols);

/* The next frame of the series, drawn; false at its end. The screen's interest is passed on. */
bool stage_next(struct stage *s);

/* Go on until sample n, from 0. */
void stage_to(struct stage *s, uint32_t n);

/* Press one key, draw, and return what it was handled as. */
unsigned int stage_press(struct stage *s, int key);

/*
 * Press what is written: characters stand for themselves, <Up> <Down> <Left> <Right> <PgUp> <PgDn> <Home> <End> <Esc>
 * <Enter> <Tab> <BackTab> <Rub> for keys.
 */
void stage_keys(struct stage *s, const char *keys);

/* The next key of such a text, which moves on. */
int script_key(const char **keys);

/* Draw, and check that the grid is whole. */
void stage_draw(struct stage *s);

void stage_close(struct stage *s);

#endif

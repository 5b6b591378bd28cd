/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * svg.h - a grid as a picture, for slides and reports: a whole SVG document of text, in any font of one width.
 */
#ifndef TUI_SVG_H
#define TUI_SVG_H

#include "theme.h"

/*
 * Each run of cells is a <text> that stands where its first cell is, so that the text of the document is the text of the
 * grid. Blocks, lines and braille are drawn besides, since fonts leave gaps between them; their text is there and unseen.
 * theme: one that was settled.
 */
void svg_print(const struct grid *g, enum tui_theme theme, const char *title, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* picture.h - the screen kept: as text and as SVG. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "batch.h"

/* For the screen's keeper: two files with the time in their names, in the folder of the program; nothing is ever overwritten. */
void picture_keep(void *ctx, const struct grid *g, enum tui_theme theme, char *said, size_t size);

/* --svg: the screen after the last sample, to o->svg, after the keys of o->keys. */
extern const struct batch_writer batch_picture;

#endif

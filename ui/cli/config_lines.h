/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_lines.h - the lines of the settings, and what each may say. */
#ifndef CLI_CONFIG_LINES_H
#define CLI_CONFIG_LINES_H

#include "config.h"

#include "ui/tui/theme.h"

/* Take each line of text, which is cut into pieces; what is not understood is said. */
void config_lines(struct config *c, struct options *o, char *text);

const char *config_motion_name(enum tui_motion motion);

#endif

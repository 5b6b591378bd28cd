/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - the settings that a user keeps: $XDG_CONFIG_HOME/reclaimtop/config, lines of `name = value`.
 *
 * They are for the screen alone; what a command line says goes before. A line that is not understood is said, with its
 * file and number, and is passed over.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "options.h"

#include "ui/tui/keymap.h"

#define CONFIG_NOTICE 256

struct config {
	char path[4096];                  /* "" where there is no place for one */
	struct buf text;                  /* options point into it */
	struct keymap keys;
	struct tui_keeper keeper;
	int64_t delay_us;                 /* as they were at the start */
	bool ascii;
	uint32_t wrong;                   /* lines that were not understood */
	char notice[CONFIG_NOTICE];
};

/* Where it is, or would be; false where neither XDG_CONFIG_HOME nor HOME says. */
bool config_path(char *out, size_t size);

/* Take the settings of the file into o, where the command line did not say otherwise. c must outlive o. */
void config_open(struct config *c, struct options *o);
void config_close(struct config *c);

/* The lines of a text, as if they were the file's. For tests, too. */
void config_take(struct config *c, struct options *o, const char *text);

/* The settings as lines. */
void config_print(const struct tui_settings *s, int64_t delay_us, struct buf *out);

/*
 * A file's text with these settings in it: each line that is for one of them is as it was where it says the same, or else the
 * new one stands in its place. All other lines stay as somebody wrote them, comments, blank lines, and what is not understood;
 * settings that have no line yet follow at the end.
 */
void config_merge(const struct buf *was, const struct buf *settings, struct buf *out);

#endif

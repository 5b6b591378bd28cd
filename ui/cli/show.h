/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show.h - the commands that show samples, and the way they do it: on a screen, or in batch.
 */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "reclaimtop/recording.h"
#include "reclaimtop/source.h"

#include "options.h"

/*
 * The source's samples as the options say. Owns the source. label NULL: the source's own name for
 * itself. An exit status; errors are said.
 */
int show(struct source *src, const char *label, const struct options *o);

/* Is there a screen, and is one wanted? */
bool show_on_screen(const struct options *o);

/* Is there a column to sort by as the options say? Said where not. */
bool show_can_sort(const struct options *o, bool screen);

/*
 * A recording as the options say. Owns it. Markers go into the file at path, where there is one;
 * label NULL: "replay" and its name.
 */
int show_recording(struct recording *r, const char *path, const char *label, const struct options *o);

int live_command(const struct options *o);
int demo_command(const struct options *o);
int doctor_command(const struct options *o);
int replay_command(const struct options *o);
int record_command(const struct options *o);
int mark_command(const struct options *o);
int report_command(const struct options *o);
int compare_command(const struct options *o);
int export_command(const struct options *o);

#endif

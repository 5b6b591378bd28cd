/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options_take.h - what an option does with its value: the column of options.c's table.
 */
#ifndef CLI_OPTIONS_TAKE_H
#define CLI_OPTIONS_TAKE_H

#include <stddef.h>

#include "options.h"

/* What a row of the table does with its argument; says what is wrong with it, NULL where nothing is. */
struct option_row;
typedef const char *take_fn(struct options *o, const struct option_row *row, const char *value);

struct option_row {
	int key;            /* the letter, or a number above all letters where there is none */
	const char *name;
	const char *arg;    /* NULL: takes none */
	const char *help;
	take_fn *take;      /* NULL: --help and --version */
	size_t offset;      /* of what take() sets */
	const char *advice; /* what would have been right */
	const char *of;     /* the commands that it belongs to, with blanks between; NULL: all */
};

/* By offset: a bool, a const char *. */
take_fn take_flag, take_text;

take_fn take_delay, take_count, take_view, take_color, take_theme, take_no_mouse, take_size;

/* By offset: an int64_t, how long something goes on. */
take_fn take_span;

/* "64M", "10h"; how many. */
take_fn take_rotate, take_keep;

/* "10s..60s", "10s..", "..60s"; a condition more of --fail-if. */
take_fn take_window, take_fail_if;

#endif

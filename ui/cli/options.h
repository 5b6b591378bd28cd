/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - the command line: what may stand on it, and what was found there.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "reclaimtop/buf.h"

#include "ui/tui/tui.h"

#define DELAY_MIN_US INT64_C(50000)
#define DELAY_MAX_US (INT64_C(86400) * 1000000)
#define DELAY_USUAL_US INT64_C(1000000)

#define OPTIONS_WORDS 32
#define OPTIONS_FAIL_IF 16

struct options;

/* A word that may follow the program's name. */
struct command {
	const char *name;     /* "" is what runs without one */
	const char *summary;  /* for --help */
	int (*run)(const struct options *o);  /* an exit status */
	/* What follows it, for --help: "FILE". NULL: an interval and a count; then the rest says nothing. */
	const char *words;
	uint32_t min_words, max_words;        /* up to OPTIONS_WORDS */
	const char *advice;                   /* where they are too few or too many */
	bool runs;                            /* a command to run may follow behind -- */
};

struct options {
	const struct command *command;
	int64_t delay_us;     /* 0: not given */
	uint64_t count;       /* samples; 0: not given */
	bool endless;         /* a batch without count goes on */
	bool batch, json, derived, pagetypes, events;
	bool no_config;
	const char *svg, *text, *keys;        /* the screen as files; keys pressed before; NULL: not given */
	int rows, cols;                       /* of that screen; 0: not given */
	uint64_t given;                       /* options_given() */
	const char *root;     /* NULL: this machine */
	struct tui_options tui;
	bool view_given;
	const char *words[OPTIONS_WORDS];     /* what followed the command */
	uint32_t nwords;

	/* Of report, compare and export. */
	const char *from, *to;                /* markers; NULL: not given */
	bool window_given;
	int64_t window_from_us, window_to_us; /* INT64_MAX: to the end */
	bool totals, all;
	const char *score, *table;
	const char *fail_if[OPTIONS_FAIL_IF];
	uint32_t nfail_if;

	/* Of replay. */
	bool follow;

	/* Of record. */
	const char *output;
	int64_t for_us;                       /* 0: no end */
	bool no_pauses;                       /* -d 0 */
	bool append, force, anonymize;
	uint64_t rotate_bytes;                /* 0: not by size */
	int64_t rotate_us;                    /* 0: not by time */
	uint64_t keep;                        /* 0: all */
	char *const *run;                     /* the command to run, closed by NULL; NULL: none */
};

enum parsed {
	PARSED_RUN,     /* o->command is to run */
	PARSED_HELP,    /* --help or --version: print and leave */
	PARSED_VERSION,
	PARSED_WRONG,   /* said on standard error; exit status 2 */
};

/* The commands are closed by one without a run function; the first is what runs without a word. */
enum parsed options_parse(int argc, char **argv, const struct command *commands, struct options *o);

/* Did the command line give this option ("delay")? */
bool options_given(const struct options *o, const char *name);

/* The text of --help, from the two tables. */
void options_help(const struct command *commands, struct buf *out);

/*
 * "0.25", "250ms", "2s", "1m", "1h" in microseconds, -1 where it is no time. Fractions of a microsecond are cut;
 * what is too large to hold is INT64_MAX.
 */
int64_t options_time(const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - runs, each one number a metric, put side against side.
 *
 * A run's numbers come from its summary; scores and times that somebody measured stand beside them.
 * What is not known is NAN here, never 0. Every side is compared with the first.
 */
#ifndef RECLAIMTOP_COMPARE_H
#define RECLAIMTOP_COMPARE_H

#include "reclaimtop/buf.h"
#include "reclaimtop/summary.h"

enum better { BETTER_NEITHER, BETTER_MORE, BETTER_LESS };

/* A row of the one table of what is compared. */
struct compare_metric {
	const char *name;        /* "refaulted-file" */
	const char *unit;        /* "MiB/s" */
	const char *unit_total;  /* of what came together: "MiB"; the same where it is no rate */
	enum better better;
	const char *what;        /* half a sentence */
};

extern const uint32_t compare_nmetrics;

/*
 * Those of /proc/vmstat stand behind the table, from compare_nmetrics on, up to compare_nmetrics +
 * VM_NR.
 */
struct compare_metric compare_metric(uint32_t i);

/* Of a summary: a second, or with totals what came together. NAN where it is not known. */
double compare_value(const struct summary *s, uint32_t metric, bool totals);

/* --- a comparison --- */

enum compare_flags {
	COMPARE_TOTALS = 1,
	COMPARE_ALL = 2,         /* with every line of /proc/vmstat */
};

struct compare;

struct compare *compare_new(unsigned int flags);
void compare_free(struct compare *c);

/* Add a run to a side (from 0); returns its number, from 0. s may be NULL. name is copied. */
uint32_t compare_run(struct compare *c, uint32_t side, const char *name, const struct summary *s);

uint32_t compare_nruns(const struct compare *c);
const char *compare_run_name(const struct compare *c, uint32_t run);
uint32_t compare_run_side(const struct compare *c, uint32_t run);
uint32_t compare_nsides(const struct compare *c);

/*
 * A number that was measured beside a run: a score, a time. Several under one name are their mean.
 * A name that the table has is its own metric all the same.
 */
void compare_score(struct compare *c, uint32_t run, const struct compare_metric *metric,
		   double value);

enum chance {
	CHANCE_FIRST,      /* the first side: compared with nothing */
	CHANCE_MISSING,    /* not known on one of the two */
	CHANCE_ONE_RUN,    /* fewer than two runs on a side: cannot be told */
	CHANCE_SAME,       /* all runs of both sides say the same number */
	CHANCE_FLAT,       /* no spread on either side, and yet two numbers: cannot be told */
	CHANCE_TOLD,       /* p says it */
};

struct compare_cell {
	uint32_t n, runs;        /* runs in which it is known, of so many */
	double mean, sd, relative;
	double change;           /* against the first side, in parts; NAN from 0 or where not known */
	enum chance chance;
	double t, df, p;         /* CHANCE_TOLD */
};

struct compare_row {
	struct compare_metric metric;
	const struct compare_cell *cells;   /* one a side */
	bool blank;              /* 0 or not known, in all runs */
};

/*
 * The rows: first what is more than chance (p below 0.05), then what cannot be told, then what
 * could be chance; in each what changed most is first. Blank ones are last. Good until the next
 * call that changes c.
 */
uint32_t compare_rows(struct compare *c, const struct compare_row **rows);

/*
 * "surely not chance (p < 0.001)", "could be chance (p = 0.34)", "one run a side: chance unknown",
 * …
 */
const char *compare_words(const struct compare_cell *first, const struct compare_cell *cell,
			  char *out, size_t size);

/* "+1.98%", "-100%", "from 0", "-" where it is not known. */
const char *compare_change(const struct compare_cell *cell, char *out, size_t size);

/* Up to seven digits, none that mean nothing; "-" for NAN. */
const char *compare_number(double value, char *out, size_t size);

/* As few digits as give the same number back; "" where it is not finite. */
const char *compare_digits(double value, char *out, size_t size);

/* --- conditions for scripts --- */

#define COMPARE_NAME 64

/* "refaulted-file>5%", "score<-3%": more, or less, than this change. */
struct compare_condition {
	char metric[COMPARE_NAME];
	bool above;
	double percent;
};

/* False where text is none. */
bool compare_condition(const char *text, struct compare_condition *out);

enum compare_verdict {
	VERDICT_KEPT,       /* no side is beyond it */
	VERDICT_BROKEN,     /* one is */
	VERDICT_UNTOLD,     /* its change is not known on some side, and none is beyond it */
	VERDICT_NO_METRIC,
};

/* With one sentence in why where it is not kept. */
enum compare_verdict compare_check(struct compare *c, const struct compare_condition *cond,
			   struct buf *why);

/* "A" for 0, "B" for 1, … */
char compare_letter(uint32_t side);

#endif

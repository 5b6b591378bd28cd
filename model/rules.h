/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules.h - the rules of the diagnosis: what each looks at, and how it speaks.
 */
#ifndef RECLAIMTOP_MODEL_RULES_H
#define RECLAIMTOP_MODEL_RULES_H

#include "model/window.h"

#define SPAN_SHORT_US 5000000   /* what happens now */
#define SPAN_LONG_US 12000000   /* what goes on */
#define MEMCGS_NR 32

/* The last steps summed up. UNKNOWN where no step knows; steps is 0 where there is nothing. */
struct span {
	uint32_t steps;
	int64_t dt_us;
	struct brief sum;    /* counts; gauges are those of the newest */
	uint64_t dying_was;  /* gauge at the start of the span */
};

struct rule_input {
	const struct window *window;
	const struct step *step;
	struct span now, lately;      /* SPAN_SHORT_US, SPAN_LONG_US */
	struct moved memcgs[MEMCGS_NR]; /* lately */
	uint32_t nmemcgs;
	uint32_t page_size;
};

/* "/", which holds all others? */
bool is_root(const struct moved *m);

/* Does one of its children account for all of its kills? */
bool is_childs_kill(const struct rule_input *in, const struct moved *m);

/* Was something of it killed since it stood at a limit of its own? */
bool is_limit_kill(const struct moved *m);

/*
 * Does it hold? Then out's severity, text and evidence are set; out->rule is not its business.
 * severity is preset to the table's.
 */
typedef bool rule_check(const struct rule_input *in, struct finding *out);

struct rule {
	const char *name;
	enum severity severity;
	int rank;            /* of findings of one severity the lowest comes first */
	rule_check *check;
};

extern const struct rule rules_machine[], rules_memcg[];
extern const uint32_t nrules_machine, nrules_memcg;

/* --- speech --- */

#define SAY_SIZE 24

/* A piece of text in a buffer of its own, to be passed on at once. */
struct said {
	char text[SAY_SIZE];
};

struct said say_pages(const struct rule_input *in, uint64_t pages);   /* "12 MiB", "640 KiB" */
struct said say_bytes(uint64_t bytes);
struct said say_rate(const struct rule_input *in, uint64_t pages, int64_t dt_us); /* "12 MiB/s" */
struct said say_span(int64_t us);                                     /* "12 s", "1.5 s" */
struct said say_time(uint64_t us);                                    /* "320 ms", "4.1 s" */

void say(struct finding *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void prove(struct finding *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Thousandths of part in whole, 0 where either is not known or whole is 0. */
uint64_t permille(uint64_t part, uint64_t whole);

/* The value, 0 where it is not known. */
uint64_t or_nought(uint64_t value);

/* Times a second, rounded down; 0 where it is not known. */
uint64_t per_second(uint64_t count, int64_t dt_us);

#endif

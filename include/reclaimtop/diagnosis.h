/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis.h - the last steps in brief, and what they mean in plain sentences.
 */
#ifndef RECLAIMTOP_DIAGNOSIS_H
#define RECLAIMTOP_DIAGNOSIS_H

#include "reclaimtop/step.h"

/* One step in a fixed size: what rules and graphs look back on. Pages over the step; UNKNOWN where not known. */
struct brief {
	int64_t t_us, dt_us;         /* end of the step */
	uint8_t state;               /* enum step_state */
	uint64_t stolen_by[WHO_NR], stolen[TYPE_NR], scanned_all, refaulted[TYPE_NR];
	uint64_t scanned[TYPE_NR];
	uint64_t swapped_in, swapped_out, zswapped_in, zswapped_out, stalls, oom_kills, births;
	uint64_t stall_some_us, stall_full_us;   /* memory pressure */
	uint64_t free_pages, pageset_pages;      /* gauges */
	uint64_t dying;                          /* gauge: memcgs that were removed and still hold pages */
	uint8_t worst_level;         /* enum zone_level of the most pressed zone that is not tiny */
};

void brief_make(const struct step *st, struct brief *out);

/* The last briefs and, for the memcgs that moved most, what they lost: bounded, grows to its size once. */
struct window;

struct window *window_new(uint32_t steps);
void window_free(struct window *w);

/* Take a step in. A RESET or FIRST step forgets what was before it. */
void window_add(struct window *w, const struct step *st);
void window_clear(struct window *w);

uint32_t window_count(const struct window *w);
/* ago 0 is the last one; NULL where there is none. Dies with the next window_add(). */
const struct brief *window_brief(const struct window *w, uint32_t ago);

enum severity { SEVERITY_NOTE, SEVERITY_WARN, SEVERITY_ALARM };

#define FINDING_TEXT 400

struct finding {
	enum severity severity;
	const char *rule;             /* its name in the table: "kswapd-behind" */
	char text[FINDING_TEXT];      /* one plain sentence with its numbers */
	char evidence[FINDING_TEXT];  /* the numbers used and where they come from */
};

#define FINDING_NR 3

/* The worst findings first, at most FINDING_NR. None where nothing is wrong. Depends on the window and the last step. */
uint32_t diagnose(const struct window *w, const struct step *st, struct finding out[FINDING_NR]);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_print.h - what the sections of a report's text share.
 */
#ifndef CLI_REPORT_PRINT_H
#define CLI_REPORT_PRINT_H

#include "report.h"
#include "table.h"

#define REPORT_CELL 48
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

struct printer {
	const struct report *r;
	struct buf *out;
	struct table t;
	uint32_t page_size;
};

/* ---- sections, each with its headline ---- */

void print_head(struct printer *p);
void print_findings(struct printer *p);
void print_memcgs(struct printer *p);
void print_zones(struct printer *p);
void print_marks(struct printer *p);

/* ---- pieces ---- */

void print_headline(struct printer *p, const char *text);

/* "4m05s"; the number of the session before it where there are several. */
const char *print_when(const struct printer *p, struct summary_time at, char *out, size_t size);

/* "" for 1, else "s". */
const char *print_plural(uint64_t n);

uint64_t print_ms(int64_t us);

/* A total that is never negative; UNKNOWN where it is not known. */
uint64_t print_value(const struct total *t);

/* ---- cells ---- */

void print_pages(struct printer *p, const struct total *t, const char *mark);
void print_count(struct printer *p, uint64_t n);
void print_percent(struct printer *p, const struct total *num, const struct total *den);
void print_time(struct printer *p, const struct total *us);

#endif

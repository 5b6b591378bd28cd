/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - a recording in words and numbers: what report_text.c and report_json.c print.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "reclaimtop/buf.h"
#include "reclaimtop/summary.h"

#include "input.h"
#include "stretch.h"

struct report {
	const char *path;             /* printable */
	const struct summary *sum;
	const struct stretch *stretch;
	struct recording_facts facts;
	uint64_t unreadable;          /* samples */
	const struct mark *marks;
	uint32_t nmarks;
	const uint32_t *memcgs;       /* all of sum's, by what they lost */
};

void report_text(const struct report *r, struct buf *out);

/* One line. */
void report_json(const struct report *r, struct buf *out);

/* Where a mark lies in its session; false outside of the stretch. */
bool report_mark_time(const struct report *r, const struct mark *m, struct summary_time *out);

/* "2026-11-30T13:20:11Z"; "" where it is not known. */
const char *report_date(int64_t wall_us, char *out, size_t size);

#endif

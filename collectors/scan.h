/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - pure scanners over text that need not be closed by NUL.
 *
 * A scan is what is left of a text or of one line; each call takes what it found off its front
 * and leaves the scan alone where it found nothing. Blanks are space and tab. Numbers are
 * unsigned and of base 10.
 */
#ifndef RECLAIMTOP_SCAN_H
#define RECLAIMTOP_SCAN_H

#include <stdbool.h>

#include "parse.h"

struct scan {
	const char *at, *end;
};

struct scan scan_text(struct text t);

/*
 * The next line without its end, LF or CR LF. False at the end of the text. A last line without
 * end is a line too, but r->cut is set (r may be NULL).
 */
bool scan_line(struct scan *text, struct scan *line, struct reading *r);

/* As scan_line(), but ends are LF alone: a CR before it is part of the line. */
bool scan_raw_line(struct scan *text, struct scan *line, struct reading *r);

void scan_blanks(struct scan *s);

/* The first character that is no blank, 0 where there is none. */
char scan_first(const struct scan *s);

/* Whether nothing but blanks is left. */
bool scan_is_blank(const struct scan *s);

/* Exactly these characters. */
bool scan_literal(struct scan *s, const char *text);

/* Blanks, then this word, whole: behind it a blank or the end. */
bool scan_word_is(struct scan *s, const char *word);

/* Blanks, then what comes up to the next blank. */
bool scan_word(struct scan *s, struct text *word);

/* What comes up to the character, which is taken off too. */
bool scan_until(struct scan *s, char stop, struct text *part);

/*
 * Blanks, then digits. What the digits are followed by is the caller's to check. A number above
 * 2^64 - 3 is taken off, but is UNKNOWN: the two above it have other meanings here, and a wrapped
 * number none.
 */
bool scan_number(struct scan *s, uint64_t *value);

/* As scan_number(), but a blank or the end must follow. */
bool scan_whole_number(struct scan *s, uint64_t *value);

/*
 * Blanks, then a number with at most a few decimals: 2.65 with decimals 2 is 265, and so is
 * 2.6518.
 */
bool scan_decimal(struct scan *s, int decimals, uint64_t *value);

/* "Node 0, zone   Normal": the zone without blanks around it; a comma behind it is taken off. */
bool scan_node_zone(struct scan *s, uint32_t *node, struct text *zone);

/*
 * What is left of a line, as one number for each order: the array, its length in *n. What is no
 * number is UNKNOWN and counted as skipped. With at_least a number may have ">" before it, for
 * which the order's bit is set.
 */
uint64_t *scan_orders(struct scan *s, struct arena *a, uint32_t *n, uint64_t *at_least,
		      struct reading *r);

bool text_is(struct text t, const char *word);

/*
 * Bytes of a text in which the kernel wrote some as \ooo, as they were. In the arena, closed by
 * NUL.
 */
char *text_unmangle(struct text t, struct arena *a, size_t *len);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - means with their spread, and whether two of them may differ by chance.
 *
 * Pure. NAN stands for what is not known, goes in and comes out as such, and is never counted. No value is ever infinite.
 */
#ifndef RECLAIMTOP_MODEL_STATS_H
#define RECLAIMTOP_MODEL_STATS_H

#include <stdbool.h>
#include <stdint.h>

struct spread {
	uint32_t n;        /* values that are known */
	double mean;       /* NAN where n is 0 */
	double sd;         /* sample standard deviation (n - 1); NAN where n is below 2 */
	double relative;   /* sd / |mean|; NAN where either says nothing */
};

void stats_spread(const double *values, uint32_t n, struct spread *out);

/* Welch's t test: do two sets of values with spreads of their own have the same mean? */
struct welch {
	double t;          /* of b's mean less a's */
	double df;         /* degrees of freedom: Welch and Satterthwaite's, no whole number */
	double p;          /* two-sided: how often chance alone gives as much or more */
};

/* False where it cannot be told: a set of fewer than two values, or both without any spread. */
bool stats_welch(const struct spread *a, const struct spread *b, struct welch *out);

/* (to - from) / |from|; 0 where both are 0, NAN where only from is, or either is not known. */
double stats_change(double from, double to);

/* Two-sided p of Student's t; df above 0. */
double stats_p(double t, double df);

/* The regularized incomplete beta function I_x(a, b); a and b above 0, x from 0 to 1. */
double stats_beta(double a, double b, double x);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/stats.h"

#include <float.h>
#include <math.h>

/* --- mean and spread --- */

static double sum_of(const double *values, uint32_t n, double less, int power)
{
	double sum = 0, lost = 0;

	/* What an addition rounds away is carried to the next. */
	for (uint32_t i = 0; i < n; i++) {
		double d = values[i] - less, before = sum, term;

		if (!isfinite(values[i]))
			continue;
		term = (power == 2 ? d * d : d) - lost;
		sum = before + term;
		lost = (sum - before) - term;
	}
	return sum;
}

/*
 * Are all known values one and the same? Then their mean is that, and nothing is left to rounding.
 */
static bool all_same(const double *values, uint32_t n)
{
	double first = NAN;

	for (uint32_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		if (isnan(first))
			first = values[i];
		if (values[i] < first || values[i] > first)
			return false;
	}
	return true;
}

static double first_known(const double *values, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (isfinite(values[i]))
			return values[i];
	return NAN;
}

void stats_spread(const double *values, uint32_t n, struct spread *out)
{
	double first = first_known(values, n);

	*out = (struct spread){ .mean = first, .sd = NAN, .relative = NAN };
	for (uint32_t i = 0; i < n; i++)
		out->n += isfinite(values[i]) != 0;
	if (out->n < 2)
		return;
	out->sd = 0;
	if (!all_same(values, n)) {
		out->mean = first + sum_of(values, n, first, 1) / out->n;
		out->sd = sqrt(sum_of(values, n, out->mean, 2) / (out->n - 1));
	}
	if (fabs(out->mean) > 0)
		out->relative = out->sd / fabs(out->mean);
}

double stats_change(double from, double to)
{
	if (!isfinite(from) || !isfinite(to))
		return NAN;
	if (fabs(from) > 0)
		return (to - from) / fabs(from);
	return fabs(to) > 0 ? NAN : 0;
}

/* --- the incomplete beta function --- */

#define BETA_STEPS 10000

/* Away from 0, so that it can be divided by. */
static double apart(double v)
{
	return fabs(v) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : v;
}

/*
 * Its continued fraction 1/(1 + d1/(1 + d2/(1 + …))) with
 *
 *     d(2m)   = m (b - m) x / ((a + 2m - 1) (a + 2m))
 *     d(2m+1) = -(a + m) (a + b + m) x / ((a + 2m) (a + 2m + 1))
 *
 * from the front, by the ratios of successive numerators (up) and denominators (down). It converges
 * fast for x below (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	double up = 1, down = 1 / apart(1 - (a + b) * x / (a + 1)), value = down;

	for (int step = 2; step < BETA_STEPS; step++) {
		double m = step / 2, d, factor;

		if (step % 2 == 0)
			d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		else
			d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		up = apart(1 + d / up);
		down = 1 / apart(1 + d * down);
		factor = up * down;
		value *= factor;
		if (fabs(factor - 1) < DBL_EPSILON)
			break;
	}
	return value;
}

/* x^a y^b / (a B(a, b)), with y = 1 - x, which is known better than x tells. */
static double beta_front(double a, double b, double x, double y)
{
	int sign;

	return exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) +
		   b * log(y)) / a;
}

/* I_x(a, b) with y = 1 - x. */
static double beta_of(double a, double b, double x, double y)
{
	double value;

	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	if (x < (a + 1) / (a + b + 2))
		value = beta_front(a, b, x, y) * beta_fraction(a, b, x);
	else
		value = 1 - beta_front(b, a, y, x) * beta_fraction(b, a, y);
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

double stats_beta(double a, double b, double x)
{
	return beta_of(a, b, x, 1 - x);
}

/* --- Welch --- */

double stats_p(double t, double df)
{
	double square = t * t;

	if (!isfinite(square))
		return 0;
	return beta_of(df / 2, 0.5, df / (df + square), square / (df + square));
}

bool stats_welch(const struct spread *a, const struct spread *b, struct welch *out)
{
	double va, vb, both;

	*out = (struct welch){ NAN, NAN, NAN };
	if (a->n < 2 || b->n < 2)
		return false;
	va = a->sd * a->sd / a->n;
	vb = b->sd * b->sd / b->n;
	both = va + vb;
	if (!(both > 0) || !isfinite(both))
		return false;
	out->t = (b->mean - a->mean) / sqrt(both);
	/* Shares of the whole: their squares neither vanish nor overflow. */
	va /= both;
	vb /= both;
	out->df = 1 / (va * va / (a->n - 1) + vb * vb / (b->n - 1));
	out->p = stats_p(out->t, out->df);
	return true;
}

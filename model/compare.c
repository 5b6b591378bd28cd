/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/stats.h"

/* Below this a difference is taken for one. */
#define SIGNIFICANT 0.05

/* A metric of a run: the mean of what was given. */
struct score {
	double sum;
	uint32_t n;
};

struct run {
	const char *name;
	uint32_t side;
	struct score *scores;    /* by metric, for the first nscores of them */
	uint32_t nscores;
};

struct compare {
	struct arena *names, *work;   /* work: rows, until they are made anew */
	unsigned int flags;
	struct compare_metric *metrics;
	uint32_t nmetrics, cap_metrics, ntable;   /* ntable: those before the scores */
	struct run *runs;
	uint32_t nruns, cap_runs, nsides;
};

/* --- runs --- */

static void *room(void *items, uint32_t n, uint32_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	*cap = *cap ? 2 * *cap : 64;
	return mem_grow(items, *cap * size);
}

static uint32_t add_metric(struct compare *c, const struct compare_metric *metric)
{
	c->metrics = room(c->metrics, c->nmetrics, &c->cap_metrics, sizeof(*c->metrics));
	c->metrics[c->nmetrics] = *metric;
	return c->nmetrics++;
}

struct compare *compare_new(unsigned int flags)
{
	struct compare *c = mem_alloc(sizeof(*c));
	uint32_t n = compare_nmetrics + (flags & COMPARE_ALL ? VM_NR : 0);

	*c = (struct compare){ .names = arena_new(), .work = arena_new(), .flags = flags };
	for (uint32_t i = 0; i < n; i++) {
		struct compare_metric metric = compare_metric(i);

		if (flags & COMPARE_TOTALS)
			metric.unit = metric.unit_total;
		add_metric(c, &metric);
	}
	c->ntable = n;
	return c;
}

void compare_free(struct compare *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->nruns; i++)
		free(c->runs[i].scores);
	free(c->runs);
	free(c->metrics);
	arena_free(c->names);
	arena_free(c->work);
	free(c);
}

/* What is not finite is not known. */
static void put_score(struct compare *c, struct run *run, uint32_t metric, double value)
{
	if (run->nscores <= metric) {
		run->scores = mem_grow(run->scores, c->nmetrics * sizeof(*run->scores));
		memset(run->scores + run->nscores, 0,
		       (c->nmetrics - run->nscores) * sizeof(*run->scores));
		run->nscores = c->nmetrics;
	}
	if (!isfinite(value))
		return;
	run->scores[metric].sum += value;
	run->scores[metric].n++;
}

uint32_t compare_run(struct compare *c, uint32_t side, const char *name, const struct summary *s)
{
	struct run *run;

	c->runs = room(c->runs, c->nruns, &c->cap_runs, sizeof(*c->runs));
	run = &c->runs[c->nruns];
	*run = (struct run){ .name = arena_str(c->names, name), .side = side };
	if (side >= c->nsides)
		c->nsides = side + 1;
	for (uint32_t i = 0; s && i < c->ntable; i++)
		put_score(c, run, i, compare_value(s, i, c->flags & COMPARE_TOTALS));
	return c->nruns++;
}

uint32_t compare_nruns(const struct compare *c)
{
	return c->nruns;
}

const char *compare_run_name(const struct compare *c, uint32_t run)
{
	return c->runs[run].name;
}

uint32_t compare_run_side(const struct compare *c, uint32_t run)
{
	return c->runs[run].side;
}

uint32_t compare_nsides(const struct compare *c)
{
	return c->nsides;
}

static uint32_t find_metric(const struct compare *c, const char *name)
{
	uint32_t i = 0;

	while (i < c->nmetrics && strcmp(c->metrics[i].name, name))
		i++;
	return i;
}

void compare_score(struct compare *c, uint32_t run, const struct compare_metric *metric,
		   double value)
{
	struct compare_metric own = *metric;
	struct buf name = { 0 };
	uint32_t i;

	buf_str(&name, metric->name);
	if (find_metric(c, name.data) < c->ntable) {
		buf_clear(&name);
		buf_printf(&name, "score.%s", metric->name);
	}
	i = find_metric(c, name.data);
	if (i == c->nmetrics) {
		own.name = arena_str(c->names, name.data);
		add_metric(c, &own);
	}
	put_score(c, &c->runs[run], i, value);
	buf_fini(&name);
}

/* --- cells --- */

static void side_of(const struct compare *c, uint32_t side, uint32_t metric, double *values,
		    struct compare_cell *out)
{
	struct spread spread;

	*out = (struct compare_cell){ .change = NAN, .t = NAN, .df = NAN, .p = NAN };
	for (uint32_t i = 0; i < c->nruns; i++) {
		const struct run *run = &c->runs[i];
		bool has = metric < run->nscores && run->scores[metric].n;

		if (run->side == side)
			values[out->runs++] = has ? run->scores[metric].sum / run->scores[metric].n
						  : NAN;
	}
	stats_spread(values, out->runs, &spread);
	out->n = spread.n;
	out->mean = spread.mean;
	out->sd = spread.sd;
	out->relative = spread.relative;
}

static enum chance chance_of(const struct compare_cell *first, struct compare_cell *cell)
{
	struct spread a = { first->n, first->mean, first->sd, first->relative };
	struct spread b = { cell->n, cell->mean, cell->sd, cell->relative };
	struct welch w;
	bool told = stats_welch(&a, &b, &w);

	cell->t = w.t;
	cell->df = w.df;
	cell->p = w.p;
	if (!first->n || !cell->n)
		return CHANCE_MISSING;
	if (told)
		return CHANCE_TOLD;
	if (first->n < 2 || cell->n < 2)
		return CHANCE_ONE_RUN;
	return fabs(cell->mean - first->mean) > 0 ? CHANCE_FLAT : CHANCE_SAME;
}

static void make_row(struct compare *c, uint32_t metric, double *values, struct compare_row *out)
{
	struct compare_cell *cells = arena_alloc(c->work, c->nsides * sizeof(*cells));

	*out = (struct compare_row){ c->metrics[metric], cells, true };
	for (uint32_t side = 0; side < c->nsides; side++) {
		side_of(c, side, metric, values, &cells[side]);
		/* A mean and a spread of nought: every run says so. */
		if (fabs(cells[side].mean) > 0 || cells[side].sd > 0)
			out->blank = false;
		if (!side)
			continue;
		cells[side].change = stats_change(cells[0].mean, cells[side].mean);
		cells[side].chance = chance_of(&cells[0], &cells[side]);
	}
}

/* --- order --- */

/* Where a row belongs, and how much it changed on the side that makes it belong there. */
struct order {
	int class;
	double change;
};

static int class_of(const struct compare_cell *cell)
{
	if (cell->chance == CHANCE_TOLD)
		return cell->p < SIGNIFICANT ? 0 : 2;
	return cell->chance == CHANCE_ONE_RUN || cell->chance == CHANCE_FLAT ? 1 : 3;
}

/* From 0 is more than any share of it. */
static double change_of(const struct compare_cell *first, const struct compare_cell *cell)
{
	if (isfinite(cell->change))
		return fabs(cell->change);
	return first->n && cell->n ? HUGE_VAL : 0;
}

static struct order order_of(const struct compare_row *row, uint32_t nsides)
{
	struct order best = { row->blank ? 4 : 3, 0 };

	for (uint32_t side = 1; side < nsides && !row->blank; side++) {
		const struct compare_cell *cell = &row->cells[side];
		struct order o = { class_of(cell), change_of(&row->cells[0], cell) };

		if (o.class < best.class || (o.class == best.class && o.change > best.change))
			best = o;
	}
	return best;
}

static bool comes_before(struct order a, struct order b)
{
	return a.class != b.class ? a.class < b.class : a.change > b.change;
}

/* What is equal stays in the order of the table. */
static void sort_rows(struct compare *c, struct compare_row *rows, uint32_t n)
{
	struct order *orders = arena_alloc(c->work, n * sizeof(*orders));

	for (uint32_t i = 0; i < n; i++) {
		struct compare_row row = rows[i];
		struct order order = order_of(&row, c->nsides);
		uint32_t at = i;

		for (; at && comes_before(order, orders[at - 1]); at--) {
			rows[at] = rows[at - 1];
			orders[at] = orders[at - 1];
		}
		rows[at] = row;
		orders[at] = order;
	}
}

uint32_t compare_rows(struct compare *c, const struct compare_row **rows)
{
	struct compare_row *made;
	double *values;

	arena_reset(c->work);
	made = arena_alloc(c->work, c->nmetrics * sizeof(*made));
	values = arena_alloc(c->work, c->nruns * sizeof(*values));
	for (uint32_t i = 0; i < c->nmetrics; i++)
		make_row(c, i, values, &made[i]);
	sort_rows(c, made, c->nmetrics);
	*rows = made;
	return c->nmetrics;
}

/* --- conditions --- */

static const struct compare_row *find_row(struct compare *c, const char *name)
{
	const struct compare_row *rows;
	uint32_t n = compare_rows(c, &rows);

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(rows[i].metric.name, name))
			return &rows[i];
	return NULL;
}

/* Is the change beyond the condition: 1 yes, 0 no, -1 not known? */
static int beyond(const struct compare_condition *cond, const struct compare_cell *first,
		  const struct compare_cell *cell)
{
	double percent = 100 * cell->change;

	if (!first->n || !cell->n)
		return -1;
	if (!isfinite(percent))
		percent = cell->mean > 0 ? HUGE_VAL : -HUGE_VAL;
	return cond->above ? percent > cond->percent : percent < cond->percent;
}

static void say_beyond(const struct compare_condition *cond, const struct compare_row *row,
		       uint32_t side, struct buf *why)
{
	const struct compare_cell *cell = &row->cells[side];
	char change[32], from[32], to[32], words[96];

	buf_printf(why, "%s from A to %c (%s to %s%s%s) is %s than %g%%: %s",
		   compare_change(cell, change, sizeof(change)), compare_letter(side),
		   compare_number(row->cells[0].mean, from, sizeof(from)),
		   compare_number(cell->mean, to, sizeof(to)), *row->metric.unit ? " " : "",
		   row->metric.unit, cond->above ? "more" : "less", cond->percent,
		   compare_words(&row->cells[0], cell, words, sizeof(words)));
}

enum compare_verdict compare_check(struct compare *c, const struct compare_condition *cond,
				   struct buf *why)
{
	const struct compare_row *row = find_row(c, cond->metric);
	enum compare_verdict verdict = VERDICT_KEPT;

	if (!row)
		return VERDICT_NO_METRIC;
	for (uint32_t side = 1; side < c->nsides; side++) {
		int is = beyond(cond, &row->cells[0], &row->cells[side]);

		if (is > 0) {
			buf_clear(why);
			say_beyond(cond, row, side, why);
			return VERDICT_BROKEN;
		}
		if (is < 0 && verdict == VERDICT_KEPT) {
			verdict = VERDICT_UNTOLD;
			buf_printf(why, "its change from A to %c is not known",
				   compare_letter(side));
		}
	}
	return verdict;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview_trends.c - the last steps as columns: what was taken, what came back, and where there is room what it cost.
 */
#include "overview.h"

#include <inttypes.h>
#include <stdio.h>

#include "reclaimtop/diagnosis.h"

#define SEVERAL_ROWS 4      /* with more than two trends, each has as many */

/* A second's worth of what came in a step. */
static uint64_t per_second(uint64_t amount, int64_t dt_us)
{
	if (amount == UNKNOWN || dt_us <= 0)
		return UNKNOWN;
	return (uint64_t)((double)amount * 1e6 / (double)dt_us);
}

static uint64_t pages_per_second(const uint64_t pages[TYPE_NR], int64_t dt_us)
{
	uint64_t sum = 0;

	for (int i = 0; i < TYPE_NR; i++) {
		if (pages[i] == UNKNOWN)
			return UNKNOWN;
		sum += pages[i];
	}
	return per_second(sum, dt_us);
}

static uint64_t stolen_of(const struct brief *b)
{
	return pages_per_second(b->stolen, b->dt_us);
}

static uint64_t refaulted_of(const struct brief *b)
{
	return pages_per_second(b->refaulted, b->dt_us);
}

static uint64_t swapped_of(const struct brief *b)
{
	return per_second(b->swapped_out, b->dt_us);
}

static uint64_t free_of(const struct brief *b)
{
	return b->free_pages;
}

/* Microseconds in a second; a task may have waited since before the step began. */
static uint64_t waited_of(const struct brief *b)
{
	uint64_t us = per_second(b->stall_some_us, b->dt_us);

	return us == UNKNOWN || us < 1000000 ? us : 1000000;
}

static void write_rate(const struct draw *d, uint64_t value, char out[NUMBER_TEXT])
{
	char text[NUMBER_TEXT];

	snprintf(out, NUMBER_TEXT, "%.*s%s", NUMBER_TEXT - 3, number_pages(d, value, text), value == UNKNOWN ? "" : "/s");
}

static void write_pages(const struct draw *d, uint64_t value, char out[NUMBER_TEXT])
{
	number_pages(d, value, out);
}

static void write_share(const struct draw *d, uint64_t value, char out[NUMBER_TEXT])
{
	(void)d;
	if (value == UNKNOWN)
		snprintf(out, NUMBER_TEXT, "-");
	else
		snprintf(out, NUMBER_TEXT, "%" PRIu64 "%%", value / 10000);
}

/* The most telling first: fewer rows show the first of them. */
static const struct trend {
	const char *word, *metric;
	enum style style;
	uint64_t (*of)(const struct brief *b);
	void (*write)(const struct draw *d, uint64_t value, char out[NUMBER_TEXT]);
} trends[OVERVIEW_TRENDS] = {
	{ "stolen", "stolen", STYLE_FLOW_OUT, stolen_of, write_rate },
	{ "refaulted", "refaulted", STYLE_FLOW_IN, refaulted_of, write_rate },
	{ "waiting", "stalled", STYLE_WARN, waited_of, write_share },
	{ "free", "free", STYLE_GOOD, free_of, write_pages },
	{ "swapped", "swapped out", STYLE_FLOW_OUT, swapped_of, write_rate },
};

void overview_look_back(struct overview *o, const struct window *w)
{
	uint32_t n = w ? window_count(w) : 0;

	o->nsteps = n < OVERVIEW_STEPS ? (int)n : OVERVIEW_STEPS;
	for (int i = 0; i < o->nsteps; i++) {
		const struct brief *b = window_brief(w, (uint32_t)(o->nsteps - 1 - i));

		for (int k = 0; k < OVERVIEW_TRENDS; k++)
			o->trends[k][i] = b ? trends[k].of(b) : UNKNOWN;
	}
}

static uint64_t greatest_of(const uint64_t *values, int n)
{
	uint64_t greatest = UNKNOWN;

	for (int i = 0; i < n; i++)
		if (values[i] != UNKNOWN && (greatest == UNKNOWN || values[i] > greatest))
			greatest = values[i];
	return greatest;
}

static void draw_trend(struct pen *p, int rows, const struct trend *t, const uint64_t *values, int n)
{
	int width = pen_room(p) - 22, from = p->col;
	char text[NUMBER_TEXT];

	pen_left(p, 10, STYLE_PLAIN, t->word);
	width = width < n ? width : n;
	values += n - (width > 0 ? width : 0);
	if (width > 0)
		pen_chart(p, rows, t->style, values, width);
	t->write(p->d, greatest_of(values, width), text);
	pen_printf(p, STYLE_DIM, " top %s", text);
	pen_spot(p, from, t->metric);
}

/* How many there is room for: as many as have rows enough, but two wherever there are two rows. */
static int trends_in(int rows)
{
	int n = rows / SEVERAL_ROWS;

	n = n > 2 ? n : rows < 2 ? rows : 2;
	return n < OVERVIEW_TRENDS ? n : OVERVIEW_TRENDS;
}

void overview_draw_trends(struct tui *t, struct draw *d, struct rect pane)
{
	const struct overview *o = t->state[VIEW_OVERVIEW];
	struct pen p = pen_in(d, pane, READ_VMSTAT);
	int n = trends_in(pane.rows);

	if (!o->nsteps)
		return;
	overview_heading(&p, o->nsteps == 1 ? "Last step" : "Last steps");
	for (int i = 0; i < n; i++) {
		pen_to(&p, i * (pane.rows / n), OVERVIEW_GUTTER);
		draw_trend(&p, pane.rows / n, &trends[i], o->trends[i], o->nsteps);
	}
}

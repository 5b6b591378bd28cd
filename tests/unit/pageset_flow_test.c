/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pagesets lose and gain, in motion: dots that pass stand for pages, whatever flows; what is not known stands still.
 */
#include "ui/tui/pageset_flow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_golden.h"
#include "support_grid.h"
#include "support_sample.h"
#include "support_script.h"
#include "ui/tui/pagesets.h"

#define SECOND   1000000
#define PRESSURE "tests/roots/7.2-pressure"
#define PAGE     4096
#define CPUS     6

/* --- a machine of one zone, whose pagesets do anything --- */

struct pond {
	struct tui t;
	struct sample now;
	struct zone zone;
	struct zone_step zone_step;
	struct step step;
	struct pageset sets[CPUS];
	struct pageset_step set_steps[CPUS];
	struct pageset_row rows[CPUS];
	struct pours pours;
	double most; /* pages a second at most */
	int cpus;
};

static void pond_init(struct pond *m, struct rng *r)
{
	memset(m, 0, sizeof(*m));
	m->cpus = 1 + (int)rng_below(r, CPUS);
	m->most = exp(rng_below(r, 120) / 10.0);
	m->now.machine.page_size = PAGE;
	m->zone.name = "Normal";
	m->zone_step = (struct zone_step){ .now = &m->zone,
					   .npagesets = (uint32_t)m->cpus,
					   .pagesets = m->set_steps };
	m->step = (struct step){ .zones = &m->zone_step, .nzones = 1 };
	for (int i = 0; i < m->cpus; i++) {
		m->sets[i] = (struct pageset){ .cpu = (uint32_t)i };
		m->set_steps[i] = (struct pageset_step){ .now = &m->sets[i] };
		m->rows[i] = (struct pageset_row){ &m->zone_step, &m->set_steps[i] };
	}
	m->t.has_frame = true;
	m->t.frame = (struct frame){ .step = &m->step, .now = &m->now };
}

/* Net pages over dt_us: up, down, none, or not known. */
static struct amount any_change(const struct pond *m, struct rng *r, int64_t dt_us)
{
	struct amount a = { .state = AMOUNT_MEASURED };
	uint32_t kind = rng_below(r, 8);

	/* What stands in one that is not known means nothing. */
	if (kind == 0)
		return (struct amount){ .value = (int64_t)m->most,
					.state = rng_below(r, 2) ? AMOUNT_MISSING : AMOUNT_FIRST };
	if (kind == 1)
		return a;
	a.value = (int64_t)(m->most * (rng_below(r, 1000) / 1000.0) * (double)dt_us / SECOND);
	a.value *= rng_below(r, 2) ? 1 : -1;
	return a;
}

static void new_frame(struct pond *m, int64_t now_us)
{
	m->t.now_us = now_us;
	m->t.frame.interval_us = m->step.dt_us;
	pours_frame(&m->t, &m->pours);
}

/* --- somebody who counts what passes --- */

struct watcher {
	double point, weight; /* bytes that a dot brings */
	double heaviest;      /* of those, over all of the time */
	double passed;        /* dots up to this one have */
	double bytes;
	bool began;
};

static double weight_of(const struct pours *p, const struct pour *one, int way)
{
	return (double)pours_unit(p) * MOTION_TRANSIT_US / SECOND * (one->heavy[way] ? MOTION_HEAVY : 1);
}

static void watch(struct watcher *w, const struct pours *p, const struct pour *one, int way,
		  int64_t now_us)
{
	struct motion_dot dots[POUR_DOTS];
	int n = pours_dots(p, one, (enum pour_way)way, now_us, dots);
	double weight = weight_of(p, one, way), top = 0;

	assert_in_range(n, 0, POUR_DOTS - 1);
	for (int i = 0; i < n; i++)
		if (dots[i].at >= w->point && (double)dots[i].n > top)
			top = (double)dots[i].n;
	/* Another unit: what has passed counts so much of the new one. */
	if (weight > 0 && w->weight > 0)
		w->passed *= w->weight / weight;
	w->weight = weight;
	w->heaviest = fmax(weight, w->heaviest);
	if (top > w->passed && w->began)
		w->bytes += (top - w->passed) * weight;
	w->passed = top > w->passed ? top : w->passed;
	w->began = true;
}

/* What was to flow each way, known without any dot. */
struct truth {
	int64_t from_us, until_us;
	double bytes[POUR_NR];
};

/* Of a rate, the part of the time that counts. */
static void add_truth(struct truth *is, int64_t from, int64_t until, double rate)
{
	from = from > is->from_us ? from : is->from_us;
	until = until < is->until_us ? until : is->until_us;
	if (until > from)
		is->bytes[rate > 0 ? POUR_UP : POUR_DOWN] += fabs(rate) * (double)(until - from) / SECOND;
}

static double rate_of(const struct pond *m)
{
	struct amount a = m->set_steps[0].change;

	return amount_known(a) ? (double)a.value * PAGE * SECOND / (double)m->step.dt_us : 0;
}

/* A while of it; how many comparisons of many dots there were. */
static int run(struct rng *r)
{
	int64_t start = 5 * SECOND, seconds = 20 + rng_below(r, 40), now = start, due = start;
	double point = 0.05 + rng_below(r, 80) / 100.0;
	struct watcher w[POUR_NR] = { { .point = point }, { .point = point } };
	int64_t back = (int64_t)(point * MOTION_TRANSIT_US);
	struct truth is = { start - back, start + seconds * SECOND - back, { 0, 0 } };
	int room = 1 + (int)rng_below(r, 40), many = 0;
	struct pond m;

	pond_init(&m, r);
	while (now < start + seconds * SECOND) {
		if (now >= due) {
			m.step.dt_us = 300000 + rng_below(r, 1700000);
			for (int i = 0; i < m.cpus; i++)
				m.set_steps[i].change = any_change(&m, r, m.step.dt_us);
			new_frame(&m, now);
			add_truth(&is, due == start ? start - MOTION_TRANSIT_US : due, due + m.step.dt_us,
				  rate_of(&m));
			due += m.step.dt_us;
		}
		m.t.now_us = now;
		pours_show(&m.t, &m.pours, m.rows, m.cpus, room);
		for (int way = 0; way < POUR_NR; way++)
			watch(&w[way], &m.pours, pours_of(&m.pours, &m.rows[0]), way, now);
		now += rng_below(r, 20) ? 50000 : 250000;
		now = now > due ? due : now;
	}
	m.t.now_us = start + seconds * SECOND;
	for (int way = 0; way < POUR_NR; way++) {
		double off;

		watch(&w[way], &m.pours, pours_of(&m.pours, &m.rows[0]), way, m.t.now_us);
		off = fabs(w[way].bytes - is.bytes[way]);
		if (off > 1.1 * w[way].heaviest + is.bytes[way] * 0.002)
			fail_msg("way %d: %.0f bytes passed, %.0f flowed, a dot brings %.0f", way,
				 w[way].bytes, is.bytes[way], w[way].heaviest);
		if (is.bytes[way] < 22 * w[way].heaviest)
			continue;
		many++;
		assert_true(off <= 0.05 * is.bytes[way]);
	}
	pours_fini(&m.pours);
	return many;
}

static void what_passes_is_what_flowed(void **state)
{
	struct rng r = { 21 };
	int many = 0;

	(void)state;
	for (int i = 0; i < 600; i++)
		many += run(&r);
	assert_in_range(many, 200, 1200);
}

/* Not known, or nothing: no dot sets out, and when all have arrived nobody wakes up. */
static void what_is_not_known_stands(void **state)
{
	static const uint8_t states[] = { AMOUNT_MISSING, AMOUNT_FIRST, AMOUNT_RESET, AMOUNT_MEASURED };
	struct rng r = { 4 };

	(void)state;
	for (size_t i = 0; i < sizeof(states); i++) {
		struct motion_dot dots[POUR_DOTS];
		struct pond m;

		pond_init(&m, &r);
		m.step.dt_us = SECOND;
		for (int k = 0; k < m.cpus; k++)
			m.set_steps[k].change = (struct amount){ .value = -500, .state = AMOUNT_MEASURED };
		new_frame(&m, SECOND);
		pours_show(&m.t, &m.pours, m.rows, m.cpus, 8);
		assert_int_equal(pours_next(&m.pours, SECOND), SECOND + 50000);
		assert_true(pours_dots(&m.pours, &m.pours.at[0], POUR_DOWN, SECOND, dots) > 0);
		for (int second = 2; second < 6; second++) {
			for (int k = 0; k < m.cpus; k++)
				m.set_steps[k].change = (struct amount){
					.value = states[i] == AMOUNT_MEASURED ? 0 : -700, .state = states[i] };
			new_frame(&m, second * SECOND);
			/* Those that set out before come to their end. */
			for (int n = 0; n < pours_dots(&m.pours, &m.pours.at[0], POUR_DOWN,
						       second * SECOND, dots); n++)
				assert_true(dots[n].at >= (second - 2) / 3.0);
		}
		assert_int_equal(pours_dots(&m.pours, &m.pours.at[0], POUR_DOWN, 5 * SECOND, dots), 0);
		assert_int_equal(pours_next(&m.pours, 5 * SECOND), INT64_MAX);
		pours_fini(&m.pours);
	}
}

/* --- on the screen --- */

static const struct pagesets *view_of(const struct stage *s)
{
	return s->tui->state[VIEW_PAGESETS];
}

/* A sample each second until sample n. */
static int64_t play(struct stage *s, uint32_t n, int64_t now_us)
{
	do {
		now_us += SECOND;
		tui_clock(s->tui, now_us);
		assert_true(stage_next(s));
		tui_draw(s->tui, now_us, &s->grid);
	} while (s->frame.now->n < n);
	return now_us;
}

static void press(struct stage *s, const char *keys, int64_t now_us)
{
	while (*keys) {
		tui_clock(s->tui, now_us);
		tui_key(s->tui, script_key(&keys));
	}
	tui_draw(s->tui, now_us, &s->grid);
}

static void open_at(struct stage *s, const char *dir, bool still, int rows, int cols)
{
	const struct tui_options o = { .view = VIEW_PAGESETS, .no_motion = still };

	stage_open(s, dir, &o);
	stage_size(s, rows, cols);
}

static void frames_only_while_something_moves(void **state)
{
	struct stage s;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, false, 40, 120);
	now = play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	/* As a table, in the help, in a view where nothing moves. */
	press(&s, "v", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "v3", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "4h", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "h", now);
	assert_true(tui_next_us(s.tui, now) < INT64_MAX);
	/* No new sample for long: what it said no longer holds. */
	assert_int_equal(tui_next_us(s.tui, now + 60 * SECOND), INT64_MAX);
	stage_close(&s);
	open_at(&s, PRESSURE, true, 40, 120);
	now = play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	stage_close(&s);
}

/* After a pause what was on the way is gone: as many dots are there as the rate of now says. */
static void dots_on_screen_say_the_rate(void **state)
{
	const struct pours *p;
	struct stage s;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, false, 40, 120);
	now = play(&s, 6, SECOND);
	press(&s, " ", now);
	now = play(&s, 8, now);
	press(&s, " ", now);
	p = &view_of(&s)->pours;
	assert_int_equal(p->n, 2);
	for (int k = 0; k < p->n * POUR_NR; k++) {
		const struct pour *one = &p->at[k / POUR_NR];
		double rate = k % POUR_NR == POUR_UP ? one->rate : -one->rate;
		double dots = rate > 0 ? rate / (double)pours_unit(p) / (one->heavy[k % POUR_NR] ? MOTION_HEAVY : 1) : 0;
		struct motion_dot at[POUR_DOTS];

		assert_true(fabs(pours_dots(p, one, k % POUR_NR, now, at) - dots) <= 1);
	}
	stage_close(&s);
}

/* One key for all that moves, wherever it is pressed. */
static void slow_motion_is_a_tenth(void **state)
{
	struct stage s;
	int64_t now, clock;

	(void)state;
	open_at(&s, PRESSURE, false, 40, 120);
	now = play(&s, 8, SECOND);
	clock = pours_clock(&view_of(&s)->pours, now);
	assert_int_equal(pours_clock(&view_of(&s)->pours, now + SECOND), clock + SECOND);
	press(&s, "z", now);
	assert_int_equal(pours_clock(&view_of(&s)->pours, now + SECOND), clock + SECOND / 10);
	press(&s, "2z4", now + SECOND);
	assert_int_equal(pours_clock(&view_of(&s)->pours, now + SECOND * 3 / 2),
			 clock + SECOND / 10 + SECOND / 2);
	stage_close(&s);
}

/* Cells that are water. */
static int water(const struct stage *s)
{
	int n = 0;

	for (int i = 0; i < s->grid.rows * s->grid.cols; i++)
		n += s->grid.cells[i].style == STYLE_FLOW_IN || s->grid.cells[i].style == STYLE_WARN;
	return n;
}

/* What is in a vessel is what was read last, while dots move below it. */
static void only_the_dots_move(void **state)
{
	struct stage s;
	struct buf then = { 0 }, now_is = { 0 };
	int64_t now;
	int before;

	(void)state;
	open_at(&s, PRESSURE, false, 40, 120);
	now = play(&s, 8, SECOND);
	before = water(&s);
	assert_true(before > 20);
	grid_dump(&s.grid, false, &then);
	for (int i = 1; i < 20; i++) {
		tui_draw(s.tui, now + i * 50000, &s.grid);
		assert_int_equal(water(&s), before);
	}
	grid_dump(&s.grid, false, &now_is);
	assert_string_not_equal(then.data, now_is.data);
	buf_fini(&then);
	buf_fini(&now_is);
	stage_close(&s);
}

/* --- screens in motion --- */

static void screens_are_as_they_were(void **state)
{
	static const int sizes[][2] = { { 40, 120 }, { 24, 80 }, { 20, 60 }, { 60, 200 } };
	static const struct {
		const char *name, *series;
		uint32_t sample;
		bool ascii;
	} shots[] = {
		{ "pagesets-moving", PRESSURE, 8, false },
		{ "pagesets-moving-numa", "tests/roots/7.2-numa2", 10, false },
		{ "pagesets-moving-ascii", PRESSURE, 8, true },
	};
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		const struct tui_options o = { .view = VIEW_PAGESETS, .ascii = shots[i].ascii };
		struct buf is = { 0 };

		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			struct stage s;
			int64_t now;

			stage_open(&s, shots[i].series, &o);
			stage_size(&s, sizes[k][0], sizes[k][1]);
			now = play(&s, shots[i].sample, SECOND) + 900000;
			tui_draw(s.tui, now, &s.grid);
			is_whole(&s.grid);
			/* Tabs and keys are others' affair. */
			grid_fill(&s.grid, (struct rect){ 1, 0, 1, s.grid.cols }, STYLE_PLAIN, " ");
			grid_fill(&s.grid, (struct rect){ s.grid.rows - 1, 0, 1, s.grid.cols }, STYLE_PLAIN, " ");
			buf_printf(&is, "---- %s sample %u, 900 ms later, %dx%d\n", shots[i].name,
				   shots[i].sample, sizes[k][1], sizes[k][0]);
			grid_dump(&s.grid, k == 1 && !i, &is);
			stage_close(&s);
		}
		wrong += !golden_is(shots[i].name, &is);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes_is_what_flowed),
		cmocka_unit_test(what_is_not_known_stands),
		cmocka_unit_test(frames_only_while_something_moves),
		cmocka_unit_test(dots_on_screen_say_the_rate),
		cmocka_unit_test(slow_motion_is_a_tenth),
		cmocka_unit_test(only_the_dots_move),
		cmocka_unit_test(screens_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

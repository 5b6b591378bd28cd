/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The river of generations: what is where, what moves, and what it looks like while it does. */
#include "ui/tui/river.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_golden.h"
#include "support_grid.h"
#include "support_script.h"
#include "ui/tui/generations.h"

#define SECOND   1000000
#define PRESSURE "tests/roots/7.2-pressure"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static unsigned int calls;

void *__wrap_malloc(size_t size)
{
	calls++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	calls++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	calls++;
	return __real_realloc(old, size);
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* --- a picture of anything --- */

struct picture {
	struct places places;
	struct type_flow flow[TYPE_NR];
	struct river river;
	struct river_scene scene;
	struct river_plan plan;
};

static void any_picture(struct picture *p, uint32_t *seed, struct rect area)
{
	memset(p, 0, sizeof(*p));
	places_clear(&p->places);
	p->scene = (struct river_scene){
		.places = &p->places, .flow = p->flow, .river = &p->river, .clock_us = -1
	};
	p->scene.n = 1 + (int)(next(seed) % PLACE_NR);
	p->scene.fault_place = (int)(next(seed) % 2);
	p->river.log = next(seed) % 4 == 0;
	for (int i = 0; i < p->scene.n; i++) {
		p->places.at[i].age_min = p->places.at[i].age_max = (uint64_t)i * 1000;
		for (int type = 0; type < TYPE_NR; type++)
			p->places.at[i].pages[type] =
				next(seed) % 3 ? (uint64_t)exp(next(seed) % 180 / 10.0) : 0;
	}
	p->scene.scale = river_scale(&p->places);
	river_plan_make(area, &p->plan);
}

/* One scale for all: as many eighths of cells as there are pages, but for what rounding takes. */
static void blocks_are_as_large_as_their_pages(void **state)
{
	uint32_t seed = 4;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct rect area = { 0, 0, 14 + (int)(next(&seed) % 46),
				     54 + (int)(next(&seed) % 150) };
		struct picture p;

		any_picture(&p, &seed, area);
		p.river.log = false;
		for (int k = 0; k < p.scene.n * TYPE_NR; k++) {
			enum page_type type = (enum page_type)(k % TYPE_NR);
			uint64_t pages = p.places.at[k / TYPE_NR].pages[type];
			int breadth = river_breadth(&p.scene, &p.plan, type, k / TYPE_NR);
			int area_is = river_height(&p.scene, &p.plan, type, k / TYPE_NR) * breadth;
			int rows = p.plan.half[TYPE_ANON].rows < p.plan.half[TYPE_FILE].rows
					   ? p.plan.half[TYPE_ANON].rows
					   : p.plan.half[TYPE_FILE].rows;
			double wanted =
				(double)pages / (double)p.scene.scale * 8 * rows * p.plan.block;

			if (!pages)
				assert_int_equal(area_is, 0);
			else
				assert_true(area_is >= 1 &&
					    fabs(area_is - wanted) <= 0.51 * p.plan.block + 1);
			assert_true(breadth <= p.plan.block);
			assert_true(river_height(&p.scene, &p.plan, type, k / TYPE_NR) <=
				    8 * p.plan.half[type].rows);
		}
	}
}

/* The scale is never too small, wastes less than a quarter, and takes few values. */
static void the_scale_fits(void **state)
{
	uint32_t seed = 8;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct picture p;
		uint64_t most = 1;

		any_picture(&p, &seed, (struct rect){ 0, 0, 30, 100 });
		for (int k = 0; k < PLACE_NR * TYPE_NR; k++)
			if (p.places.at[k / 2].pages[k % 2] > most)
				most = p.places.at[k / 2].pages[k % 2];
		assert_true(p.scene.scale >= most && p.scene.scale <= most + most / 4 + 1);
	}
}

static bool is_in(const struct river_plan *plan, int row, int col)
{
	return row >= 0 && row < plan->area.rows && col >= 0 && col < plan->area.cols;
}

/* Ways lead where the kernel puts pages, inside the picture, and straight from point to point. */
static void ways_lead_where_they_say(void **state)
{
	uint32_t seed = 15;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		struct rect area = { 0, 0, 13 + (int)(next(&seed) % 47),
				     54 + (int)(next(&seed) % 150) };
		struct picture p;

		any_picture(&p, &seed, area);
		for (int id = 0; id < FLOW_UNEXPLAINED; id++) {
			enum page_type type = (enum page_type)(id % TYPE_NR);
			struct motion_way w;

			river_way(&p.scene, &p.plan, type, (enum flow_id)id, &w);
			for (int k = 0; k < w.n; k++) {
				assert_true(is_in(&p.plan, w.at[k].row, w.at[k].col));
				if (k)
					assert_true(w.at[k].row == w.at[k - 1].row ||
						    w.at[k].col == w.at[k - 1].col);
			}
			if (w.n < 2)
				continue;
			if (id == FLOW_EVICTED || id == FLOW_GONE)
				assert_true(w.at[0].col < p.plan.edge &&
					    w.at[w.n - 1].col > p.plan.edge);
			else if (id == FLOW_REFAULTED)
				assert_true(w.at[0].col > p.plan.edge &&
					    w.at[w.n - 1].col < p.plan.edge);
			else if (id == FLOW_PROMOTED || id == FLOW_PROTECTED)
				assert_true(w.at[w.n - 1].col < w.at[0].col);
			else
				assert_true(w.at[w.n - 1].col >= w.at[0].col);
		}
	}
}

/* Nothing is drawn outside of the pane, at any size from 1x1 to 200x60, with any picture. */
static void nothing_outside(void **state)
{
	struct grid g = { 0 };
	struct frame f = { 0 };
	struct step st = { .dt_us = SECOND };
	struct sample now = { 0 };
	struct draw d = { .g = &g, .f = &f, .page_size = 4096 };
	uint32_t seed = 77;

	(void)state;
	f.step = &st;
	f.now = &now;
	grid_resize(&g, 64, 206);
	for (int i = 0; i < 3000; i++) {
		struct rect pane = { 2, 3, 1 + (int)(next(&seed) % 60),
				     1 + (int)(next(&seed) % 200) };
		struct picture p;

		any_picture(&p, &seed, pane);
		motion_fit(&p.river.scale, 0, 1 << 20);
		for (int k = 0; k < TYPE_NR * FLOW_NR; k++) {
			struct amount a = { .value = next(&seed) % 4000,
					    .state = next(&seed) % 2 ? AMOUNT_MEASURED
								     : AMOUNT_INFERRED };

			memcpy((char *)&p.flow[k % 2] + flow_kinds[k / 2].offset, &a, sizeof(a));
		}
		g.ascii = next(&seed) % 3 == 0;
		grid_clear(&g);
		river_draw(&d, &p.plan, &p.scene);
		is_whole(&g);
		for (int cell = 0; cell < g.rows * g.cols; cell++) {
			struct rect one = { cell / g.cols, cell % g.cols, 1, 1 };

			if (rect_is_empty(rect_clip(one, pane)))
				assert_string_equal(g.cells[cell].text, " ");
		}
	}
	grid_fini(&g);
}

/* --- over time --- */

static struct river *river_of(const struct stage *s)
{
	return &((struct generations *)s->tui->state[VIEW_GENERATIONS])->river;
}

/* A sample each second from a time on; until sample n. */
static int64_t play(struct stage *s, uint32_t n, int64_t now_us)
{
	do {
		now_us += SECOND;
		tui_clock(s->tui, now_us);
		assert_true(stage_next(s));
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

static void open_at(struct stage *s, const char *dir, const struct tui_options *o, int rows,
		    int cols)
{
	stage_open(s, dir, o);
	stage_size(s, rows, cols);
	stage_press(s, '2');
}

/* After a while as many dots are on each way as its rate says. */
static void dots_on_screen_say_the_rate(void **state)
{
	struct stage s;
	int64_t now;
	int seen = 0;

	(void)state;
	open_at(&s, PRESSURE, NULL, 40, 120);
	now = play(&s, 8, SECOND);
	const struct generations *g = s.tui->state[VIEW_GENERATIONS];

	for (int k = 0; k < TYPE_NR * FLOW_UNEXPLAINED; k++) {
		const struct motion_stream *stream = &g->river.streams[k % 2][k / 2];
		struct amount a = flow_amount(&g->flow[k % 2], (enum flow_id)(k / 2));
		double dots = (double)a.value * 4096 * 1e6 / (double)s.frame.step->dt_us /
			      (double)motion_unit(&g->river.scale);
		struct motion_dot at[64];

		dots /= g->river.heavy[k % 2][k / 2] ? RIVER_HEAVY : 1;
		if (!amount_known(a) || a.value < 0)
			continue;
		/* The rate is that of the last step; the ways are as long as three. */
		assert_true(
			fabs(motion_dots(stream, river_clock(&g->river, now + 3 * SECOND), at, 64) -
			     dots) <= 1);
		seen += dots > 1;
	}
	assert_true(seen >= 2);
	stage_close(&s);
}

/* What moves is drawn anew, up to 20 times a second; what stands is not, whatever it shows. */
static void frames_only_while_something_moves(void **state)
{
	const struct tui_options still = { .no_motion = true };
	struct stage s;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, NULL, 40, 120);
	now = play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	press(&s, "d", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "d3", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "2h", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	press(&s, "h", now);
	assert_true(tui_next_us(s.tui, now) < INT64_MAX);
	/* No new sample for long: what it said no longer holds. */
	assert_int_equal(tui_next_us(s.tui, now + 60 * SECOND), INT64_MAX);
	stage_close(&s);
	/* Frozen time, and the wish for no motion. */
	open_at(&s, PRESSURE, NULL, 40, 120);
	stage_to(&s, 8);
	assert_int_equal(tui_next_us(s.tui, 0), INT64_MAX);
	stage_close(&s);
	open_at(&s, PRESSURE, &still, 40, 120);
	now = play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	stage_close(&s);
}

static void slow_motion_is_a_tenth(void **state)
{
	struct stage s;
	int64_t now, clock;

	(void)state;
	open_at(&s, PRESSURE, NULL, 40, 120);
	now = play(&s, 8, SECOND);
	clock = river_clock(river_of(&s), now);
	assert_int_equal(river_clock(river_of(&s), now + SECOND), clock + SECOND);
	press(&s, "z", now);
	assert_int_equal(river_clock(river_of(&s), now + SECOND), clock + SECOND / 10);
	press(&s, "z", now + SECOND);
	assert_int_equal(river_clock(river_of(&s), now + 2 * SECOND), clock + SECOND / 10 + SECOND);
	stage_close(&s);
}

/* The same time gives the same picture. */
static void the_picture_depends_on_the_time_alone(void **state)
{
	struct buf one = { 0 }, two = { 0 };
	struct stage s;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, NULL, 24, 80);
	now = play(&s, 8, SECOND);
	tui_draw(s.tui, now + 300000, &s.grid);
	grid_dump(&s.grid, true, &one);
	for (int i = 0; i < 20; i++)
		tui_draw(s.tui, now + i * 50000, &s.grid);
	tui_draw(s.tui, now + 300000, &s.grid);
	grid_dump(&s.grid, true, &two);
	assert_string_equal(one.data, two.data);
	buf_fini(&one);
	buf_fini(&two);
	stage_close(&s);
}

/* The row moves on when a generation is born, and comes to rest. */
static void a_birth_is_seen(void **state)
{
	struct picture p;
	struct stage s;
	uint32_t seed = 1;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, NULL, 40, 120);
	now = play(&s, 1, SECOND);
	press(&s, "<End>", now);
	now = play(&s, 2, now);
	now = play(&s, 3, now);
	any_picture(&p, &seed, (struct rect){ 0, 0, 30, 80 });
	p.river = *river_of(&s);
	assert_int_equal(p.river.shift, 1);
	for (int slot = 0; slot < PLACE_NR; slot++) {
		int rest = p.plan.first + slot * p.plan.slot;

		p.scene.clock_us = river_clock(&p.river, now);
		assert_int_equal(river_column(&p.scene, &p.plan, slot), rest - p.plan.slot);
		p.scene.clock_us += 400000;
		assert_in_range(river_column(&p.scene, &p.plan, slot), rest - p.plan.slot + 1,
				rest - 1);
		p.scene.clock_us += 400000;
		assert_int_equal(river_column(&p.scene, &p.plan, slot), rest);
	}
	stage_close(&s);
}

/* From one lruvec to its node and to all of its memcg. */
static void as_much_as_one_wants(void **state)
{
	struct stage s;

	(void)state;
	open_at(&s, "tests/roots/7.2-numa2", NULL, 40, 120);
	stage_to(&s, 10);
	const struct generations *g = s.tui->state[VIEW_GENERATIONS];

	assert_int_equal(g->places.lruvecs, 8);
	stage_keys(&s, "<End>");
	assert_int_equal(g->places.lruvecs, 1);
	stage_keys(&s, "w");
	assert_int_equal(g->scope, SCOPE_TREE);
	assert_int_equal(g->places.lruvecs, 2);
	stage_keys(&s, "w");
	assert_int_equal(g->scope, SCOPE_WHOLE_NODE);
	assert_int_equal(g->places.lruvecs, 4);
	stage_keys(&s, "w");
	assert_int_equal(g->places.lruvecs, 1);
	stage_keys(&s, "<Home>");
	assert_int_equal(g->places.lruvecs, 8);
	stage_close(&s);
}

static void no_memory_is_asked_for(void **state)
{
	unsigned int before;
	struct stage s;
	int64_t now;

	(void)state;
	open_at(&s, PRESSURE, NULL, 40, 120);
	now = play(&s, 8, SECOND);
	tui_draw(s.tui, now, &s.grid);
	before = calls;
	for (int i = 0; i < 200; i++) {
		tui_clock(s.tui, now + i * 50000);
		if (i % 20 == 0)
			tui_frame(s.tui, &s.frame);
		tui_draw(s.tui, now + i * 50000, &s.grid);
	}
	assert_int_equal(calls, before);
	stage_close(&s);
}

/* --- screens in motion --- */

static const struct shot {
	const char *name, *series;
	uint32_t sample;
	const char *keys;
	int64_t after_us; /* of the last sample */
	bool ascii, no_braille;
} shots[] = {
	{ "river-7.2", PRESSURE, 8, "", 900000, false, false },
	{ "river-climbs", PRESSURE, 2, "<Right><Right>", 900000, false, false },
	{ "river-birth", PRESSURE, 3, "<End>", 400000, false, false },
	{ "river-slow-log", PRESSURE, 8, "zo", 900000, false, false },
	{ "river-ascii", PRESSURE, 3, "", 900000, true, false },
	{ "river-console", PRESSURE, 3, "", 900000, false, true },
	{ "river-6.1", "tests/roots/6.1-pressure", 8, "", 900000, false, false },
	{ "river-node", "tests/roots/7.2-numa2", 5, "<End>ww", 900000, false, false },
	{ "river-classic", "tests/roots/6.12-disabled", 1, "", 900000, false, false },
};

static const int sizes[][2] = { { 40, 120 }, { 24, 80 }, { 20, 60 }, { 60, 200 } };

static void take(const struct shot *shot, struct buf *out)
{
	const struct tui_options o = { .ascii = shot->ascii, .no_braille = shot->no_braille };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage s;
		int64_t now;

		open_at(&s, shot->series, &o, sizes[i][0], sizes[i][1]);
		now = play(&s, shot->sample - 1, SECOND);
		press(&s, shot->keys, now);
		now = play(&s, shot->sample, now) + shot->after_us;
		tui_draw(s.tui, now, &s.grid);
		is_whole(&s.grid);
		/* Tabs and keys are others' affair. */
		grid_fill(&s.grid, (struct rect){ 1, 0, 1, s.grid.cols }, STYLE_PLAIN, " ");
		grid_fill(&s.grid, (struct rect){ s.grid.rows - 1, 0, 1, s.grid.cols }, STYLE_PLAIN,
			  " ");
		buf_printf(out, "---- %s sample %u, keys 2%s, %d ms later, %dx%d\n", shot->name,
			   shot->sample, shot->keys, (int)(shot->after_us / 1000), sizes[i][1],
			   sizes[i][0]);
		grid_dump(&s.grid, i == 0 && !shot->ascii, out);
		stage_close(&s);
	}
}

static void screens_are_as_they_were(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf is = { 0 };

		take(&shots[i], &is);
		wrong += !golden_is(shots[i].name, &is);
		for (size_t k = 0; shots[i].ascii && k < is.len; k++)
			assert_in_range((unsigned char)is.data[k], 1, 126);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_as_large_as_their_pages),
		cmocka_unit_test(the_scale_fits),
		cmocka_unit_test(ways_lead_where_they_say),
		cmocka_unit_test(nothing_outside),
		cmocka_unit_test(dots_on_screen_say_the_rate),
		cmocka_unit_test(frames_only_while_something_moves),
		cmocka_unit_test(slow_motion_is_a_tenth),
		cmocka_unit_test(the_picture_depends_on_the_time_alone),
		cmocka_unit_test(a_birth_is_seen),
		cmocka_unit_test(as_much_as_one_wants),
		cmocka_unit_test(no_memory_is_asked_for),
		cmocka_unit_test(screens_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

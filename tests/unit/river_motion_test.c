/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The river over time: what moves in it, and for how long. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_river.h"
#include "ui/tui/keys.h"

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

static struct river *river_of(const struct stage *s)
{
	return &((struct generations *)s->tui->state[VIEW_GENERATIONS])->river;
}

/* After a while as many dots are on each way as its rate says. */
static void dots_on_screen_say_the_rate(void **state)
{
	struct stage s;
	int64_t now;
	int seen = 0;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 40, 120);
	now = river_play(&s, 8, SECOND);
	const struct generations *g = s.tui->state[VIEW_GENERATIONS];

	for (int k = 0; k < TYPE_NR * FLOW_UNEXPLAINED; k++) {
		const struct motion_stream *stream = &g->river.streams[k % 2][k / 2];
		struct amount a = flow_amount(&g->flow[k % 2], (enum flow_id)(k / 2));
		double dots = (double)a.value * 4096 * 1e6 / (double)s.frame.step->dt_us /
			      (double)motion_unit(&g->river.unit.scale);
		struct motion_dot at[64];

		dots /= g->river.heavy[k % 2][k / 2] ? MOTION_HEAVY : 1;
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
	river_stage(&s, PRESSURE, NULL, 40, 120);
	now = river_play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	river_press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	river_press(&s, " ", now);
	assert_int_equal(tui_next_us(s.tui, now), now + 50000);
	river_press(&s, "d", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	river_press(&s, "d3", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	river_press(&s, "2h", now);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	river_press(&s, "h", now);
	assert_true(tui_next_us(s.tui, now) < INT64_MAX);
	/* No new sample for long: what it said no longer holds. */
	assert_int_equal(tui_next_us(s.tui, now + 60 * SECOND), INT64_MAX);
	stage_close(&s);
	/* Frozen time, and the wish for no motion. */
	river_stage(&s, PRESSURE, NULL, 40, 120);
	stage_to(&s, 8);
	assert_int_equal(tui_next_us(s.tui, 0), INT64_MAX);
	stage_close(&s);
	river_stage(&s, PRESSURE, &still, 40, 120);
	now = river_play(&s, 8, SECOND);
	assert_int_equal(tui_next_us(s.tui, now), INT64_MAX);
	stage_close(&s);
}

static void slow_motion_is_a_tenth(void **state)
{
	struct stage s;
	int64_t now, clock;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 40, 120);
	now = river_play(&s, 8, SECOND);
	clock = river_clock(river_of(&s), now);
	assert_int_equal(river_clock(river_of(&s), now + SECOND), clock + SECOND);
	river_press(&s, "z", now);
	assert_int_equal(river_clock(river_of(&s), now + SECOND), clock + SECOND / 10);
	river_press(&s, "z", now + SECOND);
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
	river_stage(&s, PRESSURE, NULL, 24, 80);
	now = river_play(&s, 8, SECOND);
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
	river_stage(&s, PRESSURE, NULL, 40, 120);
	now = river_play(&s, 1, SECOND);
	river_press(&s, "<End>", now);
	now = river_play(&s, 2, now);
	now = river_play(&s, 3, now);
	any_picture(&p, &seed, (struct rect){ 0, 0, 30, 80 });
	p.river = *river_of(&s);
	p.scene.births = &generations_of(&s)->born;
	assert_int_equal(p.river.shift, 1);
	for (int slot = 0; slot < PLACE_NR; slot++) {
		int rest = p.plan.first + slot * p.plan.slot;

		p.scene.clock_us = river_clock(&p.river, now);
		assert_int_equal(river_column(&p.scene, &p.plan, slot, 1), rest - p.plan.slot);
		p.scene.clock_us += 400000;
		assert_in_range(river_column(&p.scene, &p.plan, slot, 1), rest - p.plan.slot + 1,
				rest - 1);
		p.scene.clock_us += 400000;
		assert_int_equal(river_column(&p.scene, &p.plan, slot, 1), rest);
	}
	stage_close(&s);
}

/* From one lruvec to its node and to all of its memcg. */
static void as_much_as_one_wants(void **state)
{
	struct stage s;

	(void)state;
	river_stage(&s, "tests/roots/7.2-numa2", NULL, 40, 120);
	stage_to(&s, 10);
	const struct generations *g = s.tui->state[VIEW_GENERATIONS];

	assert_int_equal(g->places.lruvecs, 8);
	stage_keys(&s, "<End>");
	assert_int_equal(g->places.lruvecs, 1);
	stage_keys(&s, "w");
	assert_int_equal(g->scope, SCOPE_ALL_NODES);
	assert_int_equal(g->places.lruvecs, 2);
	stage_keys(&s, "w");
	assert_int_equal(g->scope, SCOPE_WHOLE_NODE);
	assert_int_equal(g->places.lruvecs, 4);
	stage_keys(&s, "w");
	assert_int_equal(g->places.lruvecs, 1);
	stage_keys(&s, "<Home>");
	assert_int_equal(g->places.lruvecs, 8);
	/* The root and all below it is all there is: its node and it on all nodes are left. */
	stage_keys(&s, "<Down>w");
	assert_int_equal(g->scope, SCOPE_ALL_NODES);
	stage_keys(&s, "w");
	assert_int_equal(g->scope, SCOPE_TREE);
	assert_int_equal(g->places.lruvecs, 8);
	/* Esc closes what is open first, then it leads back to all. */
	stage_keys(&s, "<End>e<Esc>");
	assert_false(g->all);
	assert_int_equal(g->places.lruvecs, 2);
	stage_keys(&s, "<Esc>");
	assert_true(g->all);
	assert_int_equal(g->places.lruvecs, 8);
	assert_int_equal(stage_press(&s, KEYCODE_ESC), TUI_NOTHING);
	stage_close(&s);
}

/* Each dot of a small river stands for as much as it says, nothing moves there where nothing is known to. */
static void small_rivers_move(void **state)
{
	uint64_t keys[SMALL_MOST];
	struct stage s;
	int64_t now;
	int seen = 0;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 50, 120);
	now = river_play(&s, 7, SECOND);
	tui_draw(s.tui, now, &s.grid);
	const struct smalls *small = &generations_of(&s)->smalls;

	assert_int_equal(small->n, 3);
	for (int i = 0; i < small->n; i++)
		keys[i] = small->at[i].key;
	now = river_play(&s, 8, now);
	for (int k = 0; k < small->n * TYPE_NR * FLOW_UNEXPLAINED; k++) {
		const struct small *one = &small->at[k / (TYPE_NR * FLOW_UNEXPLAINED)];
		enum flow_id id = (enum flow_id)(k % FLOW_UNEXPLAINED);
		int type = k / FLOW_UNEXPLAINED % TYPE_NR;
		struct amount a = flow_amount(&one->flow[type], id);
		double dots = (double)a.value * 4096 * 1e6 / (double)s.frame.step->dt_us /
			      (double)motion_unit(&small->unit.scale);
		int64_t clock = river_clock(river_of(&s), now + 3 * SECOND);
		struct motion_dot at[64];

		dots /= one->river.heavy[type][id] ? MOTION_HEAVY : 1;
		dots = amount_known(a) && a.value > 0 ? dots : 0;
		assert_true(fabs(motion_dots(&one->river.streams[type][id], clock, at, 64) - dots) <=
			    (dots > 0 ? 1 : 0));
		seen += dots > 0;
	}
	assert_true(seen >= 2);
	/* Whoever stays keeps its place. */
	for (int i = 0; i < small->n; i++)
		assert_true(small->at[i].key == keys[i]);
	assert_true(small_moves(s.tui, river_clock(river_of(&s), now)) < INT64_MAX);
	/* Without room there are none, and nobody wakes up for them. */
	stage_size(&s, 24, 80);
	tui_draw(s.tui, now, &s.grid);
	assert_int_equal(small_moves(s.tui, river_clock(river_of(&s), now)), INT64_MAX);
	stage_close(&s);
}

/* A click on a small river chooses its memcg. */
static void a_small_river_can_be_chosen(void **state)
{
	struct stage s;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 50, 120);
	stage_to(&s, 8);
	const struct generations *g = generations_of(&s);
	struct rect where = g->smalls.at[1].where;

	assert_true(g->all);
	tui_click(s.tui, where.row + 2, where.col + 3);
	assert_false(g->all);
	assert_string_equal(g->list[g->at]->now->path, g->smalls.at[1].m->path);
	assert_int_equal(g->places.lruvecs, 1);
	stage_close(&s);
}

static void no_memory_is_asked_for(void **state)
{
	unsigned int before;
	struct stage s;
	int64_t now;

	(void)state;
	river_stage(&s, PRESSURE, NULL, 40, 120);
	now = river_play(&s, 8, SECOND);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dots_on_screen_say_the_rate),
		cmocka_unit_test(frames_only_while_something_moves),
		cmocka_unit_test(slow_motion_is_a_tenth),
		cmocka_unit_test(the_picture_depends_on_the_time_alone),
		cmocka_unit_test(a_birth_is_seen),
		cmocka_unit_test(as_much_as_one_wants),
		cmocka_unit_test(small_rivers_move),
		cmocka_unit_test(a_small_river_can_be_chosen),
		cmocka_unit_test(no_memory_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

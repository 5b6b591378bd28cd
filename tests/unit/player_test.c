/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Going over a roll: every wish, at both ends, over holes, damage, sessions and clocks that were
 * set.
 */
#include "ui/cli/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_roll.h"
#include "support_sample.h"
#include "ui/cli/player_go.h"

#define STEPS 64
#define AGES  INT64_C(1000000000000000)

/* A player over leaves, at a time that only the test moves. */
struct rig {
	struct leaves *l;
	struct notes *notes;
	struct player *p;
	struct frame f;
	int64_t now_us;
};

static void rig_begin(struct rig *rig, struct leaves *l, unsigned int flags)
{
	struct player_options o = { .flags = flags, .steps = STEPS };

	*rig = (struct rig){ .l = l, .notes = notes_new(), .now_us = 1000000000 };
	rig->p = player_new(&l->roll, rig->notes, &o);
}

static void rig_end(struct rig *rig)
{
	player_free(rig->p);
	notes_free(rig->notes);
	roll_close(&rig->l->roll);
}

/* Let it work until nothing is to be done at this time. */
static void settle(struct rig *rig)
{
	int i = 0;

	do
		if (player_work(rig->p, rig->now_us, AGES))
			player_fill(rig->p, &rig->f);
	while (i++ < 100000 && player_due_us(rig->p, rig->now_us) <= rig->now_us);
	assert_true(i < 100000);
}

static void pass(struct rig *rig, int64_t us)
{
	rig->now_us += us;
	settle(rig);
}

static void wish(struct rig *rig, enum wish_kind kind, int64_t by)
{
	struct wish w = { .kind = kind, .by = by };

	player_wish(rig->p, &w);
	settle(rig);
}

/* After a second without wishes the survey has gone over everything. */
static void look_over(struct rig *rig)
{
	wish(rig, WISH_PLAY, 0);
	pass(rig, 1000000);
	assert_int_equal(rig->f.when.seen_permille, 1000);
}

#define is_at(rig, n) assert_int_equal((rig)->f.when.index, n)

/* --- steps --- */

static void steps_end_at_both_ends(void **state)
{
	struct rig rig;

	(void)state;
	rig_begin(&rig, leaves_new(10), PLAYER_SURVEY);
	settle(&rig);
	is_at(&rig, 0);
	assert_true(rig.f.when.playing);
	assert_int_equal(rig.f.step->state, STEP_FIRST);
	wish(&rig, WISH_STEP, 1);
	is_at(&rig, 1);
	assert_false(rig.f.when.playing);
	assert_int_equal(rig.f.now->n, 1);
	wish(&rig, WISH_STEP, 5);
	is_at(&rig, 6);
	wish(&rig, WISH_STEP, -2);
	is_at(&rig, 4);
	assert_string_equal(rig.f.when.said, "");
	wish(&rig, WISH_STEP, -100);
	is_at(&rig, 0);
	assert_string_equal(rig.f.when.said, "");
	wish(&rig, WISH_STEP, -1);
	is_at(&rig, 0);
	assert_string_equal(rig.f.when.said, "this is the first sample");
	wish(&rig, WISH_LAST, 0);
	is_at(&rig, 9);
	assert_true(player_ended(rig.p));
	wish(&rig, WISH_STEP, 1);
	is_at(&rig, 9);
	assert_string_equal(rig.f.when.said, "this is the last sample");
	wish(&rig, WISH_FIRST, 0);
	is_at(&rig, 0);
	assert_false(player_ended(rig.p));
	rig_end(&rig);
}

/* Keys that come faster than pictures are all counted. */
static void no_step_is_lost(void **state)
{
	struct wish back = { .kind = WISH_STEP, .by = -1 };
	struct rig rig;

	(void)state;
	rig_begin(&rig, leaves_new(100), PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_LAST, 0);
	for (int i = 0; i < 30; i++)
		player_wish(rig.p, &back);
	settle(&rig);
	is_at(&rig, 69);
	rig_end(&rig);
}

static void one_sample_and_none(void **state)
{
	struct rig rig;

	(void)state;
	for (int kind = WISH_STEP; kind <= WISH_SPEED; kind++) {
		rig_begin(&rig, leaves_new(1), PLAYER_SURVEY);
		settle(&rig);
		wish(&rig, (enum wish_kind)kind, -1);
		wish(&rig, (enum wish_kind)kind, 1);
		pass(&rig, 5000000);
		is_at(&rig, 0);
		assert_int_equal(rig.f.when.count, 1);
		assert_int_equal(rig.f.step->state, STEP_FIRST);
		rig_end(&rig);
		rig_begin(&rig, leaves_new(0), PLAYER_SURVEY);
		settle(&rig);
		wish(&rig, (enum wish_kind)kind, 1);
		assert_null(rig.f.now);
		rig_end(&rig);
	}
}

/* Two samples of the same time, and a microsecond apart: no rate is made of nothing. */
static void times_that_do_not_move(void **state)
{
	struct leaves *l = leaves_new(4);
	struct rig rig;

	(void)state;
	for (int i = 0; i < 4; i++)
		l->leaf[i].steals = 1000u * (unsigned int)i;
	l->leaf[1].mono_us = l->leaf[0].mono_us;
	l->leaf[2].mono_us = l->leaf[1].mono_us + 1;
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_STEP, 1);
	assert_int_equal(rig.f.step->dt_us, 0);
	assert_int_equal(amount_rate10(rig.f.step->reclaim.stolen[TYPE_FILE], rig.f.step->dt_us),
			 0);
	wish(&rig, WISH_STEP, 1);
	assert_int_equal(rig.f.step->dt_us, 1);
	wish(&rig, WISH_JUMP, 1);
	is_at(&rig, 3);
	look_over(&rig);
	wish(&rig, WISH_FIRST, 0);
	wish(&rig, WISH_PLAY, 1);
	for (int i = 0; i < 10; i++)
		pass(&rig, 1000000);
	is_at(&rig, 3);
	rig_end(&rig);
}

/* --- jumps --- */

static void jumps_go_to_the_nearest(void **state)
{
	struct rig rig;

	(void)state;
	rig_begin(&rig, leaves_new(1000), PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_JUMP, 30000000);
	is_at(&rig, 30);
	wish(&rig, WISH_JUMP, 300000000);
	is_at(&rig, 330);
	wish(&rig, WISH_JUMP, -30400000);
	is_at(&rig, 300);
	wish(&rig, WISH_JUMP, 600000);
	is_at(&rig, 301);
	/* Less than half a sample: one wanted to move. */
	wish(&rig, WISH_JUMP, 100000);
	is_at(&rig, 302);
	wish(&rig, WISH_JUMP, -100000);
	is_at(&rig, 301);
	wish(&rig, WISH_JUMP, INT64_MAX);
	is_at(&rig, 999);
	wish(&rig, WISH_JUMP, INT64_MIN);
	is_at(&rig, 0);
	rig_end(&rig);
}

/*
 * A time in a hole is no sample's: one comes to the next real one.
 * https://github.com/performancecopilot/pcp/issues/363
 */
static void a_hole_is_jumped_over(void **state)
{
	struct leaves *l = leaves_new(200);
	struct rig rig;

	(void)state;
	for (int i = 100; i < 200; i++)
		l->leaf[i].mono_us += 574000000;
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_STEP, 90);
	wish(&rig, WISH_JUMP, 20000000);
	is_at(&rig, 100);
	assert_int_equal(rig.f.step->state, STEP_GAP);
	assert_int_equal(rig.f.step->dt_us, 575000000);
	wish(&rig, WISH_JUMP, -5000000);
	is_at(&rig, 99);
	wish(&rig, WISH_STEP, 11);
	wish(&rig, WISH_JUMP, -100000000);
	is_at(&rig, 100);
	wish(&rig, WISH_JUMP, -600000000);
	is_at(&rig, 74);
	/* Played, it is passed like any other pause, and a mark says so. */
	look_over(&rig);
	wish(&rig, WISH_STEP, 25);
	is_at(&rig, 99);
	wish(&rig, WISH_PLAY, 1);
	pass(&rig, 1100000);
	is_at(&rig, 100);
	assert_true(rig.f.when.nnear > 0);
	assert_int_equal(rig.f.when.near[0].kind, MOMENT_GAP);
	assert_string_equal(rig.f.when.near[0].text, "gap 9m35s");
	wish(&rig, WISH_MOMENT, -1);
	assert_string_equal(rig.f.when.said, "no event before this one");
	wish(&rig, WISH_FIRST, 0);
	wish(&rig, WISH_MOMENT, 1);
	is_at(&rig, 100);
	rig_end(&rig);
}

static void clock_times(void **state)
{
	const int64_t day = INT64_C(86400) * 1000000, hour = INT64_C(3600) * 1000000;
	struct leaves *l = leaves_new(400);
	struct rig rig;

	(void)state;
	/* A sample every ten minutes from 22:00 on: nearly three days. */
	for (int i = 0; i < 400; i++) {
		l->leaf[i].mono_us = i * hour / 6;
		l->leaf[i].wall_us = 20000 * day + 22 * hour + i * hour / 6;
		l->leaf[i].interval_us = hour / 6;
	}
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_CLOCK, 23 * hour);
	is_at(&rig, 6);
	/* Not on this day any more: on the nearest. */
	wish(&rig, WISH_CLOCK, 3 * hour);
	is_at(&rig, 30);
	wish(&rig, WISH_CLOCK, 3 * hour + 60000000);
	is_at(&rig, 31);
	wish(&rig, WISH_CLOCK, 22 * hour);
	is_at(&rig, 144);
	assert_string_equal(rig.f.when.said, "");
	rig_end(&rig);
}

static void clock_times_where_there_are_none(void **state)
{
	const int64_t hour = INT64_C(3600) * 1000000;
	struct leaves *l = leaves_new(50);
	struct rig rig;

	(void)state;
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_STEP, 20);
	wish(&rig, WISH_CLOCK, 3 * hour);
	is_at(&rig, 20);
	assert_string_equal(rig.f.when.said, "no sample has that time");
	/* Fifty seconds about noon: other times are not there, and the nearest end is. */
	for (int i = 0; i < 50; i++)
		l->leaf[i].wall_us = 20000 * 24 * hour + 12 * hour + i * INT64_C(1000000);
	wish(&rig, WISH_CLOCK, 3 * hour);
	is_at(&rig, 0);
	assert_string_equal(rig.f.when.said, "no sample has that time: this is the nearest");
	wish(&rig, WISH_CLOCK, 13 * hour);
	is_at(&rig, 49);
	rig_end(&rig);
}

/*
 * The wall clock is set back by a minute and ahead by ten: samples go on as before, and each is
 * said. https://github.com/hishamhm/htop/issues/83
 */
static void a_clock_that_was_set(void **state)
{
	const int64_t noon = INT64_C(20000) * 86400000000 + INT64_C(43200000000);
	struct leaves *l = leaves_new(100);
	struct rig rig;

	(void)state;
	for (int i = 0; i < 100; i++)
		l->leaf[i].wall_us =
			noon + (i - (i >= 40 ? 60 : 0) + (i >= 70 ? 600 : 0)) * INT64_C(1000000);
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	look_over(&rig);
	wish(&rig, WISH_MOMENT, 1);
	is_at(&rig, 40);
	assert_int_equal(rig.f.step->state, STEP_OK);
	assert_int_equal(rig.f.step->dt_us, 1000000);
	assert_int_equal(rig.f.when.near[0].kind, MOMENT_CLOCK);
	assert_string_equal(rig.f.when.near[0].text, "the clock was set 1m00s back");
	wish(&rig, WISH_MOMENT, 1);
	is_at(&rig, 70);
	assert_string_equal(rig.f.when.near[1].text, "the clock was set 10m00s ahead");
	/* 12:00:10 was three times; the nearest counts. */
	wish(&rig, WISH_FIRST, 0);
	wish(&rig, WISH_CLOCK, INT64_C(43210000000));
	is_at(&rig, 10);
	/* It plays on at its pace. */
	wish(&rig, WISH_JUMP, 25000000);
	wish(&rig, WISH_PLAY, 1);
	for (int i = 0; i < 20; i++)
		pass(&rig, 1000000);
	is_at(&rig, 55);
	rig_end(&rig);
}

/* --- playing --- */

static void plays_at_the_samples_pace(void **state)
{
	struct leaves *l = leaves_new(100);
	struct rig rig;

	(void)state;
	for (int i = 50; i < 100; i++)
		l->leaf[i].mono_us += (i - 49) * INT64_C(1000000);
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	pass(&rig, 990000);
	is_at(&rig, 0);
	pass(&rig, 20000);
	is_at(&rig, 1);
	pass(&rig, 10000000);
	is_at(&rig, 2); /* late is not made up for */
	for (int i = 0; i < 8; i++)
		pass(&rig, 1000000);
	is_at(&rig, 10);
	wish(&rig, WISH_SPEED, 100);
	assert_int_equal(rig.f.when.speed, 100);
	for (int i = 0; i < 20; i++)
		pass(&rig, 100000);
	is_at(&rig, 30);
	wish(&rig, WISH_SPEED, 1);
	for (int i = 0; i < 19; i++)
		pass(&rig, 1000000);
	is_at(&rig, 31);
	wish(&rig, WISH_PLAY, 0);
	pass(&rig, 100000000);
	is_at(&rig, 31);
	assert_int_equal(player_due_us(rig.p, rig.now_us), INT64_MAX);
	wish(&rig, WISH_LAST, 0);
	wish(&rig, WISH_PLAY, 1);
	is_at(&rig, 0); /* from the end it begins again */
	assert_true(rig.f.when.playing);
	rig_end(&rig);
}

static void stops_at_the_end(void **state)
{
	struct rig rig;

	(void)state;
	rig_begin(&rig, leaves_new(3), PLAYER_SURVEY);
	settle(&rig);
	for (int i = 0; i < 10; i++)
		pass(&rig, 1000000);
	is_at(&rig, 2);
	assert_false(rig.f.when.playing);
	assert_true(player_ended(rig.p));
	assert_int_equal(player_played(rig.p), 2);
	assert_int_equal(player_due_us(rig.p, rig.now_us), INT64_MAX);
	rig_end(&rig);
}

/* --- a session that goes on --- */

static void now_is_an_end_that_goes_on(void **state)
{
	struct leaves *l = leaves_new(10);
	struct rig rig;

	(void)state;
	rig_begin(&rig, l, PLAYER_LIVE);
	settle(&rig);
	assert_true(player_is_live(rig.p));
	assert_false(rig.f.when.past);
	assert_true(rig.f.when.playing);
	wish(&rig, WISH_STEP, -1);
	assert_false(player_is_live(rig.p));
	assert_true(rig.f.when.past);
	is_at(&rig, 8);
	assert_int_equal(rig.f.now->n, 8);
	/* It goes on meanwhile. */
	l->end = 30;
	player_grew(rig.p);
	pass(&rig, 1000000);
	is_at(&rig, 8);
	assert_int_equal(rig.f.when.count, 30);
	assert_int_equal(rig.f.when.from_end_us, 21000000);
	wish(&rig, WISH_LAST, 0);
	assert_true(player_is_live(rig.p));
	assert_int_equal(player_at(rig.p), 29);
	/* What is stopped now goes on now; what is stopped elsewhere plays. */
	wish(&rig, WISH_PLAY, 0);
	assert_false(player_is_live(rig.p));
	l->end = 40;
	player_grew(rig.p);
	settle(&rig);
	is_at(&rig, 29);
	wish(&rig, WISH_PLAY, 1);
	assert_true(player_is_live(rig.p));
	wish(&rig, WISH_PLAY, 0);
	wish(&rig, WISH_STEP, -3);
	is_at(&rig, 36);
	wish(&rig, WISH_PLAY, 1);
	assert_false(player_is_live(rig.p));
	for (int i = 0; i < 3; i++)
		pass(&rig, 1000000);
	is_at(&rig, 39);
	pass(&rig, 1000000);
	assert_true(player_is_live(rig.p));
	/* One on from the newest is now. */
	wish(&rig, WISH_PLAY, 0);
	wish(&rig, WISH_STEP, 1);
	assert_true(player_is_live(rig.p));
	rig_end(&rig);
}

static void the_history_forgets(void **state)
{
	struct leaves *l = leaves_new(100);
	struct rig rig;

	(void)state;
	rig_begin(&rig, l, PLAYER_LIVE);
	settle(&rig);
	wish(&rig, WISH_STEP, -90);
	is_at(&rig, 9);
	l->first = 50;
	l->end = 150;
	player_grew(rig.p);
	pass(&rig, 1000000);
	assert_int_equal(rig.f.now->n, 9);
	is_at(&rig, 0);
	assert_int_equal(rig.f.when.count, 100);
	wish(&rig, WISH_STEP, 1);
	assert_int_equal(rig.f.now->n, 51);
	wish(&rig, WISH_FIRST, 0);
	assert_int_equal(rig.f.now->n, 50);
	assert_int_equal(rig.f.step->state, STEP_FIRST);
	rig_end(&rig);
}

static void a_file_that_grows_is_followed(void **state)
{
	struct leaves *l = leaves_new(10);
	struct rig rig;

	(void)state;
	rig_begin(&rig, l, PLAYER_FOLLOW | PLAYER_SURVEY);
	settle(&rig);
	is_at(&rig, 9);
	assert_true(rig.f.when.playing);
	for (uint64_t end = 11; end < 20; end++) {
		l->end = end;
		player_grew(rig.p);
		pass(&rig, 1000000);
		is_at(&rig, end - 1);
		assert_int_equal(rig.f.step->dt_us, 1000000);
	}
	wish(&rig, WISH_STEP, -1);
	l->end = 30;
	player_grew(rig.p);
	pass(&rig, 1000000);
	is_at(&rig, 17);
	assert_true(rig.f.when.past);
	wish(&rig, WISH_LAST, 0);
	is_at(&rig, 29);
	rig_end(&rig);
}

/* --- damage --- */

static void damage_is_passed_over_both_ways(void **state)
{
	struct leaves *l = leaves_new(100);
	struct rig rig;

	(void)state;
	for (int i = 40; i < 60; i++)
		l->leaf[i].damaged = true;
	l->leaf[99].damaged = l->leaf[98].damaged = true;
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	wish(&rig, WISH_STEP, 39);
	is_at(&rig, 39);
	wish(&rig, WISH_STEP, 1);
	is_at(&rig, 60);
	assert_string_equal(rig.f.when.said, "a damaged sample was passed over");
	assert_int_equal(rig.f.step->state, STEP_GAP);
	wish(&rig, WISH_STEP, -1);
	is_at(&rig, 39);
	/* The end is the last one that can be read. */
	wish(&rig, WISH_LAST, 0);
	is_at(&rig, 97);
	wish(&rig, WISH_STEP, 1);
	is_at(&rig, 97);
	look_over(&rig);
	wish(&rig, WISH_FIRST, 0);
	wish(&rig, WISH_MOMENT, 1);
	is_at(&rig, 60);
	wish(&rig, WISH_STEP, -25);
	wish(&rig, WISH_PLAY, 1);
	for (int i = 0; i < 40; i++)
		pass(&rig, 1000000);
	assert_true(rig.f.when.index > 60);
	rig_end(&rig);
}

static void nothing_can_be_read(void **state)
{
	struct leaves *l = leaves_new(5);
	struct rig rig;

	(void)state;
	for (int i = 0; i < 5; i++)
		l->leaf[i].damaged = true;
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	assert_null(rig.f.now);
	wish(&rig, WISH_LAST, 0);
	wish(&rig, WISH_STEP, -1);
	assert_null(rig.f.now);
	rig_end(&rig);
}

/* --- moments --- */

/* OOM kills, bursts, watermarks and another boot in two thousand samples. */
static struct leaves *eventful(void)
{
	struct leaves *l = leaves_new(2000);
	uint64_t steals = 0, stalls = 0, ooms = 0;

	for (uint64_t i = 0; i < 2000; i++) {
		struct leaf *leaf = &l->leaf[i];

		if (i == 1500)
			steals = stalls = ooms = 0;
		steals += i >= 300 && i < 320 ? 5000 : i >= 900 && i < 1000 ? 40 : 0;
		stalls += i >= 310 && i < 315 ? 3 : 0;
		ooms += i == 314;
		*leaf = (struct leaf){ .mono_us = (int64_t)(i % 1500 + 10) * 1000000,
				       .steals = steals,
				       .stalls = stalls,
				       .ooms = ooms,
				       .free = 5000,
				       .interval_us = 1000000,
				       .boot_id = i < 1500 ? "a" : "b",
				       .session = i >= 1500 };
		if (i >= 700 && i < 710)
			leaf->free = i < 705 ? 150 : 50;
	}
	return l;
}

static const struct {
	uint64_t at;
	enum moment_kind kind;
	const char *text;
} events[] = {
	{ 310, MOMENT_STALLS, "3 allocations had to reclaim themselves" },
	{ 314, MOMENT_OOM, "1 OOM kill" },
	{ 700, MOMENT_WATERMARK, "free memory is below low" },
	{ 705, MOMENT_WATERMARK, "free memory is below min" },
	{ 710, MOMENT_WATERMARK, "free memory rose above low" },
	{ 1200, MOMENT_MARK, "here it is" },
	{ 1500, MOMENT_START, "another session begins" },
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

static const struct moment *shown_moment(const struct rig *rig)
{
	const struct moment *found = NULL;

	for (uint32_t i = 0; i < rig->f.when.nnear; i++)
		if (rig->f.when.near[i].index == rig->f.when.index)
			found = &rig->f.when.near[i];
	return found;
}

static void is_event(const struct rig *rig, size_t i)
{
	const struct moment *m = shown_moment(rig);

	is_at(rig, events[i].at);
	assert_non_null(m);
	assert_int_equal(m->kind, events[i].kind);
	assert_string_equal(m->text, events[i].text);
}

/* Whether all was looked over before or is only now, on the way. */
static void from_event_to_event(bool over)
{
	struct rig rig;

	rig_begin(&rig, eventful(), PLAYER_SURVEY);
	moments_mark(player_moments(rig.p), 1200, "here it is");
	if (over) {
		settle(&rig);
		look_over(&rig);
	}
	for (size_t i = 0; i < EVENTS; i++) {
		wish(&rig, WISH_MOMENT, 1);
		is_event(&rig, i);
	}
	wish(&rig, WISH_MOMENT, 1);
	is_event(&rig, EVENTS - 1);
	assert_string_equal(rig.f.when.said, "no event after this one");
	for (size_t i = EVENTS - 1; i-- > 0;) {
		wish(&rig, WISH_MOMENT, -1);
		is_event(&rig, i);
	}
	wish(&rig, WISH_MOMENT, -1);
	is_event(&rig, 0);
	assert_string_equal(rig.f.when.said, "no event before this one");
	rig_end(&rig);
}

static void events_are_found(void **state)
{
	(void)state;
	from_event_to_event(true);
	from_event_to_event(false);
}

/* However long ago it was, and whatever happened since: it says what one sees. */
static void the_last_marker_is_near(void **state)
{
	static const struct { uint64_t at; const char *text; } places[] = {
		{ 5, NULL }, { 10, "first" }, { 299, "first" }, { 314, "second" }, { 712, "second" }, { 1999, "second" },
	};
	struct rig rig;

	(void)state;
	rig_begin(&rig, eventful(), PLAYER_SURVEY);
	moments_mark(player_moments(rig.p), 10, "first");
	moments_mark(player_moments(rig.p), 300, "second");
	settle(&rig);
	look_over(&rig);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct moment near[MOMENTS_NEAR], *last = NULL;
		uint32_t n = moments_near(player_moments(rig.p), places[i].at, near);

		assert_in_range(n, 1, MOMENTS_NEAR);
		for (uint32_t k = 0; k < n; k++) {
			assert_true(!k || near[k].index >= near[k - 1].index);
			if (near[k].kind == MOMENT_MARK && near[k].index <= places[i].at)
				last = &near[k];
		}
		assert_int_equal(last != NULL, places[i].text != NULL);
		if (last)
			assert_string_equal(last->text, places[i].text);
	}
	rig_end(&rig);
}

/* Asked three times before the first was found. */
static void events_are_counted(void **state)
{
	struct wish next = { .kind = WISH_MOMENT, .by = 1 };
	struct rig rig;

	(void)state;
	rig_begin(&rig, eventful(), PLAYER_SURVEY);
	player_work(rig.p, rig.now_us, 0);
	for (int i = 0; i < 3; i++)
		player_wish(rig.p, &next);
	settle(&rig);
	is_at(&rig, 700);
	rig_end(&rig);
}

/* Notes that were taken in any order are those of one who goes from the first to the last. */
static void the_order_makes_no_difference(void **state)
{
	struct leaves *l = eventful();
	struct notes *notes[3];
	struct rng r = { 7 };

	(void)state;
	for (int k = 0; k < 3; k++) {
		struct survey *s;

		notes[k] = notes_new();
		s = survey_new(&l->roll, notes[k]);
		/* The third sees the roll grow. */
		for (l->end = k == 2 ? 100 : 2000;; l->end += 37) {
			l->end = l->end > 2000 ? 2000 : l->end;
			do {
				if (k == 1)
					survey_hurry(s, rng_below(&r, 2000));
			} while (survey_work(s, k == 1 ? 0 : INT64_MAX));
			if (l->end == 2000)
				break;
		}
		assert_int_equal(survey_done(s), 2000);
		survey_free(s);
	}
	for (uint64_t i = 0; i < 2000; i++)
		for (int k = 1; k < 3; k++)
			assert_memory_equal(notes_at(notes[0], i), notes_at(notes[k], i),
					    sizeof(struct note));
	for (int k = 0; k < 3; k++)
		notes_free(notes[k]);
	roll_close(&l->roll);
}

/* A long roll is looked at here and there over all of it before the rest is. */
static void the_survey_goes_from_coarse_to_fine(void **state)
{
	struct leaves *l = leaves_new(20000);
	struct notes *notes = notes_new();
	struct survey *s = survey_new(&l->roll, notes);
	int parts = 0;

	(void)state;
	while (survey_done(s) < 20000 / 2 + 64)
		assert_true(survey_work(s, 0));
	for (int part = 0; part < 16; part++) {
		bool any = false;

		for (uint64_t i = 0; i < 20000 / 16 && !any; i++)
			any = notes_at(notes, (uint64_t)part * 20000 / 16 + i) != NULL;
		parts += any;
	}
	assert_int_equal(parts, 16);
	survey_free(s);
	notes_free(notes);
	roll_close(&l->roll);
}

static void the_line_holds_all(void **state)
{
	struct rig rig;
	uint64_t most = 0;
	unsigned int all = 0;

	(void)state;
	rig_begin(&rig, eventful(), PLAYER_SURVEY);
	settle(&rig);
	look_over(&rig);
	for (size_t i = 0; i < EVENTS - 2; i++)
		assert_true(rig.f.when.line[moments_bucket(events[i].at, 2000)].moments &
			    (1u << events[i].kind));
	for (int k = 0; k < BUCKET_NR; k++) {
		all |= rig.f.when.line[k].moments;
		if (rig.f.when.line[k].pages_s != UNKNOWN && rig.f.when.line[k].pages_s > most)
			most = rig.f.when.line[k].pages_s;
	}
	assert_int_equal(most, 5000);
	assert_int_equal(all, 1u << MOMENT_STALLS | 1u << MOMENT_OOM | 1u << MOMENT_WATERMARK |
				      1u << MOMENT_START);
	assert_int_equal(rig.f.when.line[moments_bucket(305, 2000)].pages_s, 5000);
	assert_int_equal(rig.f.when.line[moments_bucket(950, 2000)].pages_s, 40);
	assert_int_equal(rig.f.when.line[moments_bucket(600, 2000)].pages_s, 0);
	rig_end(&rig);
}

/* With fewer samples than parts, each part shows one, and each event stands once. */
static void a_short_line(void **state)
{
	struct leaves *l = leaves_new(7);
	struct rig rig;
	int stalls = 0;

	(void)state;
	for (int i = 0; i < 7; i++) {
		l->leaf[i].steals = i < 4 ? 0 : 100u * (unsigned int)i;
		l->leaf[i].stalls = i >= 4;
	}
	rig_begin(&rig, l, PLAYER_SURVEY);
	settle(&rig);
	look_over(&rig);
	for (int k = 0; k < BUCKET_NR; k++) {
		uint64_t at = 0;

		while (at < 6 && (int)moments_bucket(at + 1, 7) <= k)
			at++;
		stalls += (rig.f.when.line[k].moments & (1u << MOMENT_STALLS)) != 0;
		if (at == 0)
			assert_true(rig.f.when.line[k].pages_s == UNKNOWN);
		else
			assert_int_equal(rig.f.when.line[k].pages_s, at < 4    ? 0
								     : at == 4 ? 400
									       : 100);
	}
	assert_int_equal(stalls, 1);
	rig_end(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_end_at_both_ends),
		cmocka_unit_test(no_step_is_lost),
		cmocka_unit_test(one_sample_and_none),
		cmocka_unit_test(times_that_do_not_move),
		cmocka_unit_test(jumps_go_to_the_nearest),
		cmocka_unit_test(a_hole_is_jumped_over),
		cmocka_unit_test(clock_times),
		cmocka_unit_test(clock_times_where_there_are_none),
		cmocka_unit_test(a_clock_that_was_set),
		cmocka_unit_test(plays_at_the_samples_pace),
		cmocka_unit_test(stops_at_the_end),
		cmocka_unit_test(now_is_an_end_that_goes_on),
		cmocka_unit_test(the_history_forgets),
		cmocka_unit_test(a_file_that_grows_is_followed),
		cmocka_unit_test(damage_is_passed_over_both_ways),
		cmocka_unit_test(nothing_can_be_read),
		cmocka_unit_test(events_are_found),
		cmocka_unit_test(events_are_counted),
		cmocka_unit_test(the_last_marker_is_near),
		cmocka_unit_test(the_order_makes_no_difference),
		cmocka_unit_test(the_survey_goes_from_coarse_to_fine),
		cmocka_unit_test(the_line_holds_all),
		cmocka_unit_test(a_short_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

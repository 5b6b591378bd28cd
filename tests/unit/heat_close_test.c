/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Heat maps of what lies in a recording: looked at closely, and gathered while a player goes about.
 */
#include "reclaimtop/heat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/fields.h"
#include "support_heat.h"
#include "support_roll.h"
#include "support_series.h"
#include "ui/cli/closer.h"
#include "ui/cli/player.h"

/* --- a closer look --- */

/* The samples of a captured series as a roll. */
struct reel_roll {
	struct roll roll;
	struct series *series;
	uint64_t end;
};

static struct reel_roll *reel(const struct roll *r)
{
	union {
		const struct roll *in;
		struct reel_roll *out;
	} u = { r };

	return u.out;
}

static uint64_t reel_first(const struct roll *r)
{
	(void)r;
	return 0;
}

static uint64_t reel_end(const struct roll *r)
{
	return reel(r)->end;
}

static uint32_t reel_session(const struct roll *r, uint64_t i)
{
	(void)r;
	(void)i;
	return 0;
}

static int reel_read(struct roll *r, uint64_t i, struct sample *out)
{
	sample_copy(&reel(r)->series->samples[i], out);
	return 0;
}

static const struct roll_ops reel_ops = {
	.first = reel_first,
	.end = reel_end,
	.session = reel_session,
	.read = reel_read,
};

static void whole_series(struct heat *h, struct series *s)
{
	struct step st = { .arena = arena_new() };

	for (uint32_t i = 0; i < s->n; i++) {
		step_make(i ? &s->samples[i - 1] : NULL, &s->samples[i], &st);
		heat_add(h, i, &st, 0);
	}
	arena_free(st.arena);
}

/* Looking here and there, back and forth, growing: at the end it is as if it had been looked at in order. */
static void a_closer_look_finds_the_same(void **state)
{
	static const struct {
		uint64_t from, to, end;
	} looks[] = { { 8, 12, 13 }, { 3, 9, 13 }, { 12, 15, 14 }, { 0, 15, 15 } };

	(void)state;
	for (size_t i = 0; i < sizeof(series_dirs) / sizeof(series_dirs[0]); i++) {
		struct reel_roll r = { { &reel_ops }, series_load(series_dirs[i]), 0 };
		struct notes *notes = notes_new();
		struct closer *c = closer_new(&r.roll, notes);
		struct heat *h = heat_new(1);

		whole_series(h, r.series);
		assert_null(closer_heat(c));
		for (size_t k = 0; k < sizeof(looks) / sizeof(looks[0]); k++) {
			r.end = looks[k].end < r.series->n ? looks[k].end : r.series->n;
			closer_look(c, looks[k].from, looks[k].to, 1);
			while (closer_work(c, 0))
				;
		}
		heat_same(h, closer_heat(c));
		closer_look(c, 0, 15, 4);
		while (closer_work(c, 0))
			;
		assert_int_equal(closer_heat(c)->span, 4);
		assert_int_equal(
			heat_whole(closer_heat(c), &closer_heat(c)->machine->row[HEAT_EVICTED]).sum,
			heat_whole(h, &h->machine->row[HEAT_EVICTED]).sum);
		heat_free(h);
		closer_free(c);
		notes_free(notes);
		series_free(r.series);
	}
}

/* --- through a player --- */

static void wish(struct player *p, enum wish_kind kind, int64_t by)
{
	struct wish w = { .kind = kind, .by = by };

	player_wish(p, &w);
}

/* Work on until all was looked at. */
static void look_over(struct player *p, int64_t *now_us, struct frame *f)
{
	for (int i = 0; i < 100000; i++) {
		*now_us += 1000000;
		player_work(p, *now_us, INT64_C(1000000000000));
		player_fill(p, f);
		if (f->when.seen_permille == 1000 && player_due_us(p, *now_us) > *now_us)
			return;
	}
	fail_msg("it never ends");
}

/*
 * A replay's survey goes here and there, and hurries to where somebody searches; each step is in the map once. Looked at
 * closely, a part holds what was reclaimed in it.
 */
static void a_replay_gathers_each_step_once(void **state)
{
	struct leaves *l = leaves_new(5000);
	struct notes *notes = notes_new();
	struct player_options o = { .flags = PLAYER_SURVEY, .steps = 64 };
	struct player *p = player_new(&l->roll, notes, &o);
	int64_t now_us = 1000000000;
	struct frame f = { 0 };
	uint64_t part = 0;

	(void)state;
	for (uint64_t i = 1; i < 5000; i++) {
		l->leaf[i].steals = l->leaf[i - 1].steals + i % 77;
		part += i >= 1000 && i < 1100 ? i % 77 : 0;
	}
	wish(p, WISH_MOMENT, 1);
	player_work(p, now_us, 1);
	wish(p, WISH_STEP, 3000);
	player_work(p, now_us, 1);
	wish(p, WISH_MOMENT, -1);
	look_over(p, &now_us, &f);
	assert_int_equal(heat_whole(f.when.heat, &f.when.heat->machine->row[HEAT_EVICTED]).sum,
			 l->leaf[4999].steals);
	assert_int_equal(f.when.heat->steps, 5000);
	assert_null(f.when.closer);
	player_look(p, 1000, 1100, 1);
	look_over(p, &now_us, &f);
	assert_int_equal(f.when.closer->span, 1);
	assert_int_equal(heat_whole(f.when.closer, &f.when.closer->machine->row[HEAT_EVICTED]).sum,
			 part);
	player_look(p, 0, 0, 0);
	look_over(p, &now_us, &f);
	assert_null(f.when.closer);
	player_free(p);
	notes_free(notes);
	roll_close(&l->roll);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closer_look_finds_the_same),
		cmocka_unit_test(a_replay_gathers_each_step_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

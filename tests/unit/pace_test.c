/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames on lines of any speed, reckoned without any terminal: what a key has to wait for, and what goes through. */
#include "ui/tui/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND 1000000
#define WANTED 1500 /* bytes that a frame would like to have */

/* A line that takes so many bytes a second, and a terminal behind it that answers after a while, or never. */
struct line {
	double rate;
	int64_t answers_us; /* after what was asked arrived; -1 never */
	int64_t uneven_us;  /* and as much later, at most, by chance */
	int64_t empty_us;   /* when all that was written has arrived */
	int64_t answer_us;  /* of the question that is under way; 0 none */
	uint64_t written;
};

static void write_to(struct line *l, int64_t now_us, size_t bytes, bool asked)
{
	int64_t from = l->empty_us > now_us ? l->empty_us : now_us;

	l->empty_us = from + (int64_t)((double)bytes * 1e6 / l->rate);
	l->written += bytes;
	if (asked && l->answers_us >= 0)
		l->answer_us = l->empty_us + l->answers_us +
			       (l->uneven_us ? (int64_t)(l->written * 7919 % (uint64_t)l->uneven_us) : 0);
}

static void send(struct pace *p, struct line *l, int64_t now_us, size_t bytes)
{
	bool asks = pace_asks(p);

	write_to(l, now_us, bytes, asks);
	pace_sent(p, now_us, bytes, asks);
}

static void answer(struct pace *p, struct line *l, int64_t now_us)
{
	if (!l->answer_us || now_us < l->answer_us)
		return;
	l->answer_us = 0;
	pace_answered(p, now_us);
}

/*
 * A screen of 8 kB, then frames that would like to be large, as many as may go. What lies on the line at most
 * afterwards, in microseconds: so long a key would have to wait.
 */
static int64_t run(struct pace *p, struct line *l, int64_t seconds, int *frames)
{
	int64_t worst = 0;

	pace_start(p, true);
	send(p, l, 0, 8000);
	for (int64_t now = 0; now < seconds * SECOND; now += 5000) {
		answer(p, l, now);
		if (now > 10 * SECOND && l->empty_us - now > worst)
			worst = l->empty_us - now;
		if (pace_when(p, now) > now)
			continue;
		send(p, l, now, pace_bytes(p) < WANTED ? pace_bytes(p) : WANTED);
		*frames += now > 10 * SECOND;
	}
	return worst;
}

static void a_key_never_waits_for_long(void **state)
{
	static const double rates[] = { 2000, 4000, 10000, 100000, 10000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		for (int64_t answers = -1; answers <= 300000; answers += answers < 0 ? 1 : 100000) {
			struct line l = { .rate = rates[i], .answers_us = answers };
			struct pace p;
			int frames = 0;
			int64_t worst = run(&p, &l, 30, &frames);

			if (worst > 150000)
				fail_msg("%.0f B/s, answers %lld us: %lld us", rates[i],
					 (long long)answers, (long long)worst);
			assert_true(frames >= 20 * 2);
		}
}

/* What a line takes is used: a fast one carries twenty whole frames a second. */
static void a_fast_line_is_used(void **state)
{
	struct line l = { .rate = 1e6, .answers_us = 1000 };
	struct pace p;
	int frames = 0;

	(void)state;
	run(&p, &l, 20, &frames);
	assert_true(frames >= 20 * 10);
	assert_true(p.rate > 100000);
}

/* A fast line to a terminal far away is not a slow one, even where the way becomes longer. */
static void far_away(void **state)
{
	struct line l = { .rate = 1e6, .answers_us = 150000, .uneven_us = 10000 };
	struct pace p;
	int frames = 0;

	(void)state;
	run(&p, &l, 15, &frames);
	assert_true(p.rate * 0.08 > WANTED);
	l.answers_us = 350000;
	for (int64_t now = 15 * SECOND; now < 60 * SECOND; now += 5000) {
		answer(&p, &l, now);
		if (pace_when(&p, now) <= now)
			send(&p, &l, now, pace_bytes(&p) < WANTED ? pace_bytes(&p) : WANTED);
	}
	assert_true(p.rate * 0.08 > WANTED);
}

/* A line that becomes slow is found out. */
static void a_line_that_slows_down(void **state)
{
	struct line l = { .rate = 1e6, .answers_us = 1000 };
	struct pace p;
	int frames = 0;

	(void)state;
	run(&p, &l, 15, &frames);
	l.rate = 4000;
	for (int64_t now = 15 * SECOND; now < 60 * SECOND; now += 5000) {
		answer(&p, &l, now);
		if (pace_when(&p, now) <= now)
			send(&p, &l, now, pace_bytes(&p) < WANTED ? pace_bytes(&p) : WANTED);
		if (now > 50 * SECOND)
			assert_true(l.empty_us - now < 200000);
	}
}

/* Who knows no question is sent little, and what never answers is waited for only once. */
static void in_the_dark(void **state)
{
	struct pace p;

	(void)state;
	pace_start(&p, false);
	assert_false(pace_asks(&p));
	assert_true(pace_when(&p, SECOND) <= SECOND);
	pace_sent(&p, SECOND, PACE_BLIND, false);
	assert_int_equal(pace_when(&p, SECOND), 2 * SECOND);
	pace_start(&p, true);
	assert_true(pace_asks(&p));
	pace_sent(&p, SECOND, 100, true);
	assert_false(pace_asks(&p));
	assert_true(pace_when(&p, SECOND) > SECOND);
	assert_true(pace_when(&p, 2 * SECOND) <= 2 * SECOND);
	/* An answer that nobody asked for means nothing. */
	pace_answered(&p, 3 * SECOND);
	pace_answered(&p, 3 * SECOND);
	assert_true(p.answers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_never_waits_for_long),
		cmocka_unit_test(a_fast_line_is_used),
		cmocka_unit_test(far_away),
		cmocka_unit_test(a_line_that_slows_down),
		cmocka_unit_test(in_the_dark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

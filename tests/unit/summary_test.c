/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Summaries of captured series against differences of the files themselves (reckoned by a script of
 * its own over tests/roots, not by the program), and of steps made by hand where no series has what
 * is asked for.
 */
#include "reclaimtop/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/tally.h"
#include "reclaimtop/source.h"
#include "support_sample.h"

#define SECOND INT64_C(1000000)

/* --- over captured series --- */

static void add_series(struct summary *s, const char *dir, uint32_t session, uint32_t most)
{
	struct sample samples[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct step st = { .arena = arena_new() };
	const char *why = NULL;
	struct source *src = source_tree(dir, false, &why);
	uint32_t n = 0;

	assert_non_null(src);
	for (; n < most && !src->ops->next(src, NULL, &samples[n % 2]); n++) {
		step_make(n ? &samples[!(n % 2)] : NULL, &samples[n % 2], &st);
		summary_add(s, &st, session);
	}
	source_close(src);
	arena_free(st.arena);
	arena_free(samples[0].arena);
	arena_free(samples[1].arena);
}

static void is_total(const struct total *t, int64_t right)
{
	assert_true(total_known(t));
	if (t->sum != right)
		fail_msg("%lld is not %lld", (long long)t->sum, (long long)right);
}

static const struct memcg_total *memcg_of(const struct summary *s, const char *path)
{
	for (uint32_t i = 0; i < s->nmemcgs; i++)
		if (!strcmp(s->memcgs[i].path, path) && !s->memcgs[i].dying)
			return &s->memcgs[i];
	fail_msg("there is no %s", path);
	return NULL;
}

static const struct zone_total *zone_of(const struct summary *s, uint32_t node, const char *name)
{
	for (uint32_t i = 0; i < s->nzones; i++)
		if (s->zones[i].node == node && !strcmp(s->zones[i].name, name))
			return &s->zones[i];
	fail_msg("there is no zone %u %s", node, name);
	return NULL;
}

/* All of what the 15 trees of 7.2-pressure have moved since the first. */
static void check_pressure(const struct summary *s, int64_t times)
{
	is_total(&s->stolen_by[WHO_KSWAPD], 475848 * times);
	is_total(&s->stolen_by[WHO_DIRECT], 36035 * times);
	is_total(&s->scanned_by[WHO_KSWAPD], 498939 * times);
	is_total(&s->scanned_by[WHO_DIRECT], 66982 * times);
	is_total(&s->stolen[TYPE_ANON], 22652 * times);
	is_total(&s->stolen[TYPE_FILE], 489231 * times);
	is_total(&s->scanned[TYPE_ANON], 76531 * times);
	is_total(&s->scanned[TYPE_FILE], 489390 * times);
	is_total(&s->refaulted[TYPE_ANON], 349 * times);
	is_total(&s->refaulted[TYPE_FILE], 394599 * times);
	is_total(&s->swapped_in, 285 * times);
	is_total(&s->swapped_out, 4228 * times);
	is_total(&s->stalls, 536 * times);
	is_total(&s->compact_stalls, 231 * times);
	is_total(&s->slabs_scanned, 1408 * times);
	is_total(&s->oom_kills, 0);
	is_total(&s->vm[VM_pgmajfault], 159 * times);
	is_total(&s->vm[VM_nr_free_pages], -104310 * times);
	is_total(&s->stall[PSI_MEMORY].some_us, 1148517 * times);
	is_total(&s->stall[PSI_MEMORY].full_us, 998133 * times);
	is_total(&s->stall[PSI_IO].some_us, 424766 * times);
	is_total(&s->stall[PSI_IO].full_us, 318855 * times);
	is_total(&s->stall[PSI_CPU].some_us, 1943637 * times);
	is_total(&s->births, 20 * times);
	assert_int_equal(s->closed, 20 * times);
	assert_int_equal(s->samples, 15 * times);
	assert_int_equal(s->covered_us, 25900000 * times);
	assert_int_equal(s->page_size, 4096);
	assert_int_equal(s->free.min, 1460);
	assert_int_equal(s->free.max, 105879);
	assert_true(fabs(gauge_mean(&s->free) - 142393.0 / 15) < 1e-6);
}

static void check_pressure_rows(const struct summary *s)
{
	const struct memcg_total *web = memcg_of(s, "/web"), *db = memcg_of(s, "/db");
	const struct zone_total *dma32 = zone_of(s, 0, "DMA32");

	is_total(&memcg_of(s, "/")->evicted, 514022);
	is_total(&web->evicted, 22416);
	is_total(&web->refaulted, 253);
	is_total(&web->lost, 22416 - 253);
	is_total(&db->evicted, 491368);
	is_total(&db->refaulted, 394607);
	assert_int_equal(db->evicted.scopes, 1 << SCOPE_MEMCG_TREE);
	is_total(&memcg_of(s, "/batch")->evicted, 42);
	is_total(&web->births, 10);
	is_total(&db->births, 5);
	is_total(&memcg_of(s, "/batch")->births, 3);
	is_total(&memcg_of(s, "/")->births, 2);
	is_total(&dma32->went, 6119);
	is_total(&dma32->came, 2103);
	assert_true(dma32->went.inferred);
	is_total(&zone_of(s, 0, "DMA")->went, 0);
}

static void pressure(void **state)
{
	struct summary *s = summary_new(false);

	(void)state;
	for (int again = 0; again < 2; again++) {
		add_series(s, "tests/roots/7.2-pressure", 0, 99);
		check_pressure(s, 1);
		check_pressure_rows(s);
		assert_int_equal(s->nsessions, 1);
		/* The shortest, the lower middle one and the longest of the 20 that went. */
		assert_int_equal(summary_lifetime_ms(s, 0), 1044);
		assert_int_equal(summary_lifetime_ms(s, 1000), 17608);
		assert_true(llabs((long long)summary_lifetime_ms(s, 500) - 5564) <= 5564 / 256);
		summary_clear(s);
		assert_int_equal(s->samples, 0);
		assert_false(total_known(&s->stalls));
	}
	summary_free(s);
}

/* Two sessions: each begins anew, nothing lies between them. */
static void sessions_add_up(void **state)
{
	struct summary *s = summary_new(false);

	(void)state;
	add_series(s, "tests/roots/7.2-pressure", 0, 99);
	add_series(s, "tests/roots/7.2-pressure", 1, 99);
	check_pressure(s, 2);
	assert_int_equal(s->nsessions, 2);
	assert_int_equal(s->sessions[1].samples, 15);
	assert_ptr_equal(summary_session(s, 1), &s->sessions[1]);
	assert_null(summary_session(s, 2));
	assert_int_equal(s->sessions[1].last_us - s->sessions[1].first_us, 25900000);
	assert_string_equal(s->sessions[1].kernel, s->sessions[0].kernel);
	assert_int_equal(s->ngaps, 0);
	summary_free(s);
}

static void near_rate(const struct total *t, double right)
{
	if (!(fabs(total_rate(t) - right) < 1e-9 * right))
		fail_msg("%.12g is not %.12g", total_rate(t), right);
}

/* Several nodes: a memcg's generations are those of all, and their time is that of one. */
static void two_nodes(void **state)
{
	struct summary *s = summary_new(false);

	(void)state;
	add_series(s, "tests/roots/6.12-numa2", 0, 99);
	is_total(&s->births, 4);
	is_total(&memcg_of(s, "/web")->births, 4);
	/* It is there from the second tree on. */
	near_rate(&memcg_of(s, "/web")->births, 4 / 28.0);
	near_rate(&s->births, 4 / 32.55);
	near_rate(&s->stolen[TYPE_ANON], 26863 / 32.55);
	is_total(&zone_of(s, 0, "DMA32")->went, 7795);
	is_total(&zone_of(s, 0, "DMA32")->came, 11674);
	is_total(&zone_of(s, 1, "DMA32")->went, 1936);
	is_total(&zone_of(s, 1, "DMA32")->came, 6554);
	assert_int_equal(s->closed, 6);
	assert_int_equal(summary_lifetime_ms(s, 500), 28412);
	summary_free(s);
}

/* A recording of one sample: values of now, and nothing that takes two. */
static void one_sample(void **state)
{
	struct summary *s = summary_new(true);

	(void)state;
	add_series(s, "tests/roots/7.2-pressure", 0, 1);
	assert_int_equal(s->samples, 1);
	assert_int_equal(s->covered_us, 0);
	assert_false(total_known(&s->stolen_all) || total_known(&s->births));
	assert_true(isnan(total_rate(&s->stolen_all)));
	assert_int_equal(s->free.last, 105879);
	assert_true(s->most_stolen.rate < 0);
	assert_int_equal(summary_lifetime_ms(s, 500), UNKNOWN);
	summary_free(s);
}

/* --- steps made by hand --- */

struct hand {
	struct summary *s;
	struct sample now;
	struct step st;
	uint32_t session;
};

static struct hand hand_new(bool diagnose)
{
	struct hand h = { .s = summary_new(diagnose), .now = { .arena = arena_new() } };

	sample_reset(&h.now);
	h.now.machine.page_size = 4096;
	return h;
}

static void hand_free(struct hand *h)
{
	summary_free(h->s);
	arena_free(h->now.arena);
}

/* An empty step of dt_us, to be filled and then added. */
static struct step *hand_step(struct hand *h, int64_t dt_us)
{
	h->now.mono_us += dt_us;
	h->st = (struct step){ .now = &h->now, .dt_us = dt_us, .state = STEP_OK, .why = "" };
	return &h->st;
}

static struct amount measured(int64_t value)
{
	return (struct amount){ value, value, value, AMOUNT_MEASURED, SCOPE_MACHINE };
}

static void what_is_not_known_is_left_out(void **state)
{
	struct hand h = hand_new(false);

	(void)state;
	hand_step(&h, SECOND)->reclaim.stalls = measured(10);
	summary_add(h.s, &h.st, 0);
	hand_step(&h, 2 * SECOND)->reclaim.stalls.state = AMOUNT_RESET;
	summary_add(h.s, &h.st, 0);
	hand_step(&h, SECOND)->reclaim.stalls = measured(20);
	summary_add(h.s, &h.st, 0);
	is_total(&h.s->stalls, 30);
	assert_int_equal(h.s->stalls.steps, 2);
	near_rate(&h.s->stalls, 15);
	assert_int_equal(h.s->covered_us, 4 * SECOND);
	assert_false(total_known(&h.s->oom_kills));
	hand_free(&h);
}

static void sums_stay_at_their_ends(void **state)
{
	struct hand h = hand_new(false);

	(void)state;
	for (int i = 0; i < 3; i++) {
		hand_step(&h, SECOND)->reclaim.stalls = measured(INT64_MAX / 2);
		summary_add(h.s, &h.st, 0);
	}
	assert_true(h.s->stalls.sum > INT64_MAX - 2);
	hand_free(&h);
}

/* Two samples of the same instant: no rate, and nothing infinite. */
static void no_time_between(void **state)
{
	struct hand h = hand_new(false);

	(void)state;
	hand_step(&h, 0)->reclaim.stalls = measured(10);
	summary_add(h.s, &h.st, 0);
	is_total(&h.s->stalls, 10);
	assert_true(isnan(total_rate(&h.s->stalls)));
	assert_true(h.s->most_stalls.rate < 0);
	hand_free(&h);
}

static void gaps_are_said(void **state)
{
	struct hand h = hand_new(false);

	(void)state;
	summary_add(h.s, hand_step(&h, 0), 0);
	for (int i = 0; i < SUMMARY_GAPS + 3; i++) {
		struct step *st = hand_step(&h, 30 * SECOND);

		st->state = STEP_GAP;
		st->why = "samples are missing";
		st->reclaim.stalls = measured(300);
		st->reclaim.stalls.state = AMOUNT_GAP;
		summary_add(h.s, st, 0);
	}
	assert_int_equal(h.s->ngaps, SUMMARY_GAPS);
	assert_int_equal(h.s->gaps_left_out, 3);
	assert_int_equal(h.s->gap_us, (SUMMARY_GAPS + 3) * 30 * SECOND);
	assert_int_equal(h.s->gaps[1].end.since_us, 60 * SECOND);
	assert_string_equal(h.s->gaps[1].why, "samples are missing");
	/* What came in a gap counts, but no peak is told from it. */
	is_total(&h.s->stalls, 300 * (SUMMARY_GAPS + 3));
	assert_true(h.s->most_stalls.rate < 0);
	hand_free(&h);
}

static void peaks(void **state)
{
	static const int64_t stalls[] = { 3, 9, 9, 4 };
	struct hand h = hand_new(false);

	(void)state;
	summary_add(h.s, hand_step(&h, 0), 2);
	for (int i = 0; i < 4; i++) {
		hand_step(&h, 2 * SECOND)->reclaim.stalls = measured(stalls[i]);
		summary_add(h.s, &h.st, 2);
	}
	assert_true(fabs(h.s->most_stalls.rate - 4.5) < 1e-12);
	assert_int_equal(h.s->most_stalls.at.since_us, 4 * SECOND);
	assert_int_equal(h.s->most_stalls.at.session, 2);
	hand_free(&h);
}

static void many_sessions(void **state)
{
	struct hand h = hand_new(false);

	(void)state;
	for (uint32_t i = 0; i < SUMMARY_SESSIONS + 5; i++)
		summary_add(h.s, hand_step(&h, SECOND), i);
	assert_int_equal(h.s->nsessions, SUMMARY_SESSIONS);
	assert_int_equal(h.s->sessions_left_out, 5);
	assert_int_equal(h.s->samples, SUMMARY_SESSIONS + 5);
	hand_free(&h);
}

/* --- the diagnosis over time --- */

static void step_with_kills(struct hand *h, int64_t kills)
{
	hand_step(h, SECOND)->reclaim.oom_kills = measured(kills);
	summary_add(h->s, &h->st, h->session);
}

/*
 * A kill is spoken of as long as the rules look back; a second one after a long silence is another
 * episode.
 */
static void episodes_begin_and_end(void **state)
{
	struct hand h = hand_new(true);
	const struct episode *e;

	(void)state;
	summary_add(h.s, hand_step(&h, 0), 0);
	for (int i = 1; i <= 400; i++)
		step_with_kills(&h, i == 50 || i == 52 || i == 300);
	assert_int_equal(h.s->nepisodes, 2);
	e = h.s->episodes;
	assert_string_equal(e[0].rule, "oom-kill");
	assert_int_equal(e[0].severity, SEVERITY_ALARM);
	assert_int_equal(e[0].start.since_us, 50 * SECOND);
	assert_in_range(e[0].end.since_us, 52 * SECOND, 200 * SECOND);
	assert_int_equal(e[0].steps, (e[0].end.since_us - e[0].start.since_us) / SECOND + 1);
	assert_non_null(strstr(e[0].text, "killed"));
	assert_int_equal(e[1].start.since_us, 300 * SECOND);
	hand_free(&h);
}

/* Three seconds of silence are none, a minute is one, and a new session always begins anew. */
static void silence_within_an_episode(void **state)
{
	struct hand h = hand_new(true);

	(void)state;
	summary_add(h.s, hand_step(&h, 0), 0);
	for (int i = 1; i <= 20; i++) {
		if (i > 5 && i < 9) {
			hand_step(&h, SECOND)->reclaim.oom_kills = measured(1);
			summary_pass(h.s, &h.st, 0);
		} else {
			step_with_kills(&h, 1);
		}
	}
	assert_int_equal(h.s->nepisodes, 1);
	assert_int_equal(h.s->episodes[0].steps, 17);
	h.session = 1;
	hand_step(&h, SECOND)->state = STEP_FIRST;
	summary_add(h.s, &h.st, 1);
	step_with_kills(&h, 1);
	assert_int_equal(h.s->nepisodes, 2);
	assert_int_equal(h.s->episodes[1].start.session, 1);
	hand_free(&h);
}

/* What lies outside a stretch is no finding in it, but those within look back on it. */
static void passed_steps_are_remembered(void **state)
{
	struct hand h = hand_new(true);

	(void)state;
	summary_pass(h.s, hand_step(&h, 0), 0);
	hand_step(&h, SECOND)->reclaim.oom_kills = measured(1);
	summary_pass(h.s, &h.st, 0);
	assert_int_equal(h.s->nepisodes, 0);
	assert_int_equal(h.s->samples, 0);
	step_with_kills(&h, 0);
	assert_int_equal(h.s->nepisodes, 1);
	assert_int_equal(h.s->samples, 1);
	assert_false(h.s->oom_kills.sum);
	/* Times are those of the session all the same. */
	assert_int_equal(h.s->episodes[0].start.since_us, 2 * SECOND);
	hand_free(&h);
}

static void many_episodes(void **state)
{
	struct hand h = hand_new(true);

	(void)state;
	for (h.session = 0; h.session < SUMMARY_EPISODES + 7; h.session++) {
		hand_step(&h, SECOND)->state = STEP_FIRST;
		summary_add(h.s, &h.st, h.session);
		step_with_kills(&h, 1);
	}
	assert_int_equal(h.s->nepisodes, SUMMARY_EPISODES);
	assert_int_equal(h.s->episodes_left_out, 7);
	hand_free(&h);
}

/* --- bounds --- */

static void many_memcgs(void **state)
{
	struct hand h = hand_new(false);
	static struct memcg_step memcgs[SUMMARY_MEMCGS + 11];
	static char paths[SUMMARY_MEMCGS + 11][16];
	uint32_t n = SUMMARY_MEMCGS + 11;

	(void)state;
	for (uint32_t i = 0; i < n; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/m%u", i);
		memcgs[i] = (struct memcg_step){ .path = paths[i], .evicted = measured(i) };
	}
	for (int again = 0; again < 2; again++) {
		struct step *st = hand_step(&h, SECOND);

		st->memcgs = memcgs;
		st->nmemcgs = n;
		summary_add(h.s, st, 0);
	}
	assert_int_equal(h.s->nmemcgs, SUMMARY_MEMCGS);
	assert_int_equal(h.s->memcgs_left_out, 22);
	for (uint32_t i = 0; i < SUMMARY_MEMCGS; i++)
		is_total(&memcg_of(h.s, paths[i])->evicted, 2 * (int64_t)i);
	hand_free(&h);
}

/* A removed memcg and a living one of the same path are two. */
static void the_dying_are_apart(void **state)
{
	struct memcg_step memcgs[] = {
		{ .path = "/a", .evicted = measured(5) },
		{ .path = "/a", .evicted = measured(7), .dying = true },
		{ .path = "/a", .evicted = measured(9), .dying = true },
	};
	struct hand h = hand_new(false);
	struct step *st = hand_step(&h, SECOND);

	(void)state;
	st->memcgs = memcgs;
	st->nmemcgs = 3;
	summary_add(h.s, st, 0);
	assert_int_equal(h.s->nmemcgs, 2);
	is_total(&h.s->memcgs[0].evicted, 5);
	is_total(&h.s->memcgs[1].evicted, 16);
	assert_true(h.s->memcgs[1].dying);
	hand_free(&h);
}

/* Any sample at all goes through, and twice the same gives twice the same. */
static void random_samples(void **state)
{
	struct rng rng = { 20261130 };
	struct sample samples[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct step st = { .arena = arena_new() };
	struct summary *s = summary_new(true);

	(void)state;
	sample_random(&rng, &samples[0]);
	step_make(NULL, &samples[0], &st);
	summary_add(s, &st, 0);
	for (int i = 1; i < 300; i++) {
		sample_random_next(&rng, &samples[!(i % 2)], &samples[i % 2]);
		step_make(&samples[!(i % 2)], &samples[i % 2], &st);
		summary_add(s, &st, 0);
	}
	assert_int_equal(s->samples, 300);
	assert_true(s->nmemcgs > 0);
	summary_free(s);
	arena_free(st.arena);
	arena_free(samples[0].arena);
	arena_free(samples[1].arena);
}

/* --- tallies --- */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void tallies(void **state)
{
	enum { N = 1001 };
	static uint64_t sizes[N];
	static struct tally t;
	struct rng rng = { 7 };

	(void)state;
	assert_true(tally_at(&t, 500) == UINT64_MAX);
	for (int i = 0; i < N; i++) {
		sizes[i] = rng_next(&rng) >> (16 + rng_below(&rng, 48));
		tally_add(&t, sizes[i]);
	}
	qsort(sizes, N, sizeof(sizes[0]), compare);
	assert_true(tally_at(&t, 0) == sizes[0]);
	assert_true(tally_at(&t, 1000) == sizes[N - 1]);
	for (unsigned int permille = 1; permille < 1000; permille++) {
		uint64_t right = sizes[(N * permille + 999) / 1000 - 1],
			 is = tally_at(&t, permille);

		if ((is > right ? is - right : right - is) > right / 256)
			fail_msg("at %u: %llu is not %llu", permille, (unsigned long long)is,
				 (unsigned long long)right);
	}
}

/* Small sizes are exact, and what is too large for the slots keeps its place at the end. */
static void tallies_at_their_ends(void **state)
{
	static struct tally t;

	(void)state;
	for (uint64_t i = 0; i < 256; i++)
		tally_add(&t, i);
	for (unsigned int permille = 1; permille < 1000; permille++)
		assert_int_equal(tally_at(&t, permille), (256 * permille + 999) / 1000 - 1);
	tally_add(&t, UINT64_MAX - 5);
	assert_true(tally_at(&t, 1000) == UINT64_MAX - 5);
	assert_true(tally_at(&t, 999) >= UINT64_C(1) << 47);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pressure),
		cmocka_unit_test(sessions_add_up),
		cmocka_unit_test(two_nodes),
		cmocka_unit_test(one_sample),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(sums_stay_at_their_ends),
		cmocka_unit_test(no_time_between),
		cmocka_unit_test(gaps_are_said),
		cmocka_unit_test(peaks),
		cmocka_unit_test(many_sessions),
		cmocka_unit_test(episodes_begin_and_end),
		cmocka_unit_test(silence_within_an_episode),
		cmocka_unit_test(passed_steps_are_remembered),
		cmocka_unit_test(many_episodes),
		cmocka_unit_test(many_memcgs),
		cmocka_unit_test(the_dying_are_apart),
		cmocka_unit_test(random_samples),
		cmocka_unit_test(tallies),
		cmocka_unit_test(tallies_at_their_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

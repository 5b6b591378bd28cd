/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold_test.c - counts of lru_gen_full across the end of a generation, reckoned by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "model/flow.h"

#define OLD 61200
#define NEW 70200

static const struct tier filler = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };

/* Four generations up to max; of the file type alone anything is said. */
struct shown {
	struct lruvec v;
	struct gen_full full[4];
	struct gen gens[2];
};

static void show(struct shown *s, uint64_t max, uint64_t min)
{
	*s = (struct shown){ .v = { .path = "/", .ngens = 2, .nfull = 4 } };
	s->v.gens = s->gens;
	s->v.full = s->full;
	s->gens[0].seq = max - 1;
	s->gens[1].seq = max;
	for (int i = 0; i < 4; i++) {
		s->full[i].seq = max - 3 + (uint64_t)i;
		for (int type = 0; type < TYPE_NR; type++)
			for (int tier = 0; tier < TIER_NR; tier++)
				s->full[i].tiers[type][tier] = filler;
	}
	s->v.min_seq[TYPE_ANON] = UNKNOWN;
	s->v.min_seq[TYPE_FILE] = min;
}

static void counts(struct shown *s, uint64_t seq, int tier, const uint64_t rep[3])
{
	struct tier *t = &s->full[seq + 3 - s->v.gens[1].seq].tiers[TYPE_FILE][tier];

	t->refaulted = rep[0];
	t->evicted = rep[1];
	t->protected = rep[2];
}

static void averages(struct shown *s, int tier, uint64_t refaulted, uint64_t total)
{
	s->full[3].tiers[TYPE_FILE][tier].avg_refaulted = refaulted;
	s->full[3].tiers[TYPE_FILE][tier].avg_total = total;
}

/* All tiers but one say nothing happened. */
static void rest(struct shown *s)
{
	for (int tier = 1; tier < TIER_NR; tier++) {
		counts(s, s->v.min_seq[TYPE_FILE], tier, (const uint64_t[3]){ 0, 0, 0 });
		averages(s, tier, 0, 0);
	}
}

static void is_range(struct range r, int64_t lo, int64_t hi)
{
	assert_int_equal(r.lo, lo);
	assert_int_equal(r.hi, hi);
	assert_true(r.lo <= r.value && r.value <= r.hi);
}

static void standing_still_is_a_difference(void **state)
{
	struct shown was, is;
	struct fold f;

	(void)state;
	show(&was, 7, 5);
	show(&is, 8, 5);
	counts(&was, 5, 0, (const uint64_t[3]){ 10, 100, 0 });
	counts(&was, 5, 3, (const uint64_t[3]){ 1, 2, 3 });
	counts(&is, 5, 0, (const uint64_t[3]){ 15, 140, 0 });
	counts(&is, 5, 3, (const uint64_t[3]){ 1, 4, 33 });
	f = fold_make(&was.v, &is.v, TYPE_FILE, OLD);
	assert_true(f.known && f.exact);
	is_range(f.evicted, 42, 42);
	is_range(f.protected, 30, 30);
	is_range(f.refaulted, 5, 5);
	assert_false(fold_make(&was.v, &is.v, TYPE_ANON, OLD).known);
}

/*
 * 300 and 100 counted before; at its end 1000 and 250: (400 + 1250) / 2 and (60 + 81) / 2; then 7
 * more.
 */
static void one_fold_is_undone(void **state)
{
	struct shown was, is;
	struct fold f;

	(void)state;
	show(&was, 7, 5);
	show(&is, 8, 6);
	rest(&was);
	rest(&is);
	counts(&was, 5, 0, (const uint64_t[3]){ 20, 300, 100 });
	averages(&was, 0, 60, 400);
	counts(&is, 6, 0, (const uint64_t[3]){ 2, 7, 1 });
	averages(&is, 0, 70, 825);
	f = fold_make(&was.v, &is.v, TYPE_FILE, NEW);
	assert_true(f.known && !f.exact);
	/*
	 * 850 beyond the 400 seen, or one more in each tier; any of them may have been protected.
	 */
	is_range(f.evicted, 7, 7 + 850 + TIER_NR);
	is_range(f.refaulted, 2 + 60, 2 + 60 + TIER_NR);
	assert_int_equal(f.finished, 850);
	assert_int_equal(f.protected.lo, 1);
	/* Tier 0 is never protected on an older kernel: all of it was evicted. */
	f = fold_make(&was.v, &is.v, TYPE_FILE, OLD);
	is_range(f.evicted, 7 + 850, 7 + 850 + TIER_NR);
}

/* From 0: 1000 in one generation and 200 in the next are (1000 / 2 + 200) / 2 = 350. */
static void two_folds_widen_the_bounds(void **state)
{
	struct shown was, is;
	struct fold f;

	(void)state;
	show(&was, 7, 5);
	show(&is, 8, 7);
	is.v.min_seq[TYPE_FILE] = 7;
	rest(&was);
	rest(&is);
	counts(&was, 5, 0, (const uint64_t[3]){ 0, 0, 0 });
	averages(&was, 0, 0, 0);
	counts(&is, 7, 0, (const uint64_t[3]){ 0, 0, 0 });
	averages(&is, 0, 0, 350);
	f = fold_make(&was.v, &is.v, TYPE_FILE, OLD);
	/* At least what one fold, or all in the second, gives; at most all of it in the first. */
	assert_int_equal(f.evicted.lo, 700);
	assert_true(f.evicted.hi >= 1400 && f.evicted.hi <= 1400 + 3 * TIER_NR);
	assert_true(f.evicted.lo <= 1200 && 1200 <= f.evicted.hi);
}

static void counts_that_go_back_say_nothing(void **state)
{
	struct shown was, is;

	(void)state;
	show(&was, 7, 5);
	show(&is, 7, 5);
	counts(&was, 5, 0, (const uint64_t[3]){ 10, 100, 0 });
	counts(&is, 5, 0, (const uint64_t[3]){ 10, 99, 0 });
	assert_false(fold_make(&was.v, &is.v, TYPE_FILE, OLD).known);
	is.v.min_seq[TYPE_FILE] = 4;
	assert_false(fold_make(&was.v, &is.v, TYPE_FILE, OLD).known);
	is.v.min_seq[TYPE_FILE] = UNKNOWN;
	assert_false(fold_make(&was.v, &is.v, TYPE_FILE, OLD).known);
}

/* Averages that took in less than was seen cannot be: the counts since remain, as the least. */
static void averages_that_do_not_fit_leave_the_least(void **state)
{
	struct shown was, is;
	struct fold f;

	(void)state;
	show(&was, 7, 5);
	show(&is, 8, 6);
	rest(&was);
	rest(&is);
	counts(&was, 5, 0, (const uint64_t[3]){ 0, 5000, 0 });
	averages(&was, 0, 0, 400);
	counts(&is, 6, 0, (const uint64_t[3]){ 0, 7, 0 });
	averages(&is, 0, 0, 500);
	f = fold_make(&was.v, &is.v, TYPE_FILE, NEW);
	assert_true(f.known && !f.exact);
	is_range(f.evicted, 7, AMOUNT_NO_LIMIT);
}

/* With CONFIG_LRU_GEN_STATS each generation keeps its own counts, so nothing needs to be undone. */
static void kept_counts_are_exact(void **state)
{
	struct shown was, is;
	struct fold f;

	(void)state;
	show(&was, 8, 6);
	show(&is, 9, 7);
	counts(&was, 5, 0, (const uint64_t[3]){ 0, 9000, 0 });
	counts(&was, 6, 0, (const uint64_t[3]){ 4, 300, 20 });
	counts(&was, 7, 0, (const uint64_t[3]){ 0, 0, 0 });
	counts(&is, 6, 0, (const uint64_t[3]){ 9, 420, 21 });
	counts(&is, 7, 0, (const uint64_t[3]){ 1, 50, 2 });
	counts(&is, 8, 0, (const uint64_t[3]){ 0, 0, 0 });
	averages(&was, 0, 10, 10);
	averages(&is, 0, 99, 99);
	f = fold_make(&was.v, &is.v, TYPE_FILE, NEW);
	assert_true(f.known && f.exact);
	is_range(f.evicted, 170, 170);
	is_range(f.protected, 3, 3);
	is_range(f.refaulted, 6, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standing_still_is_a_difference),
		cmocka_unit_test(one_fold_is_undone),
		cmocka_unit_test(two_folds_widen_the_bounds),
		cmocka_unit_test(counts_that_go_back_say_nothing),
		cmocka_unit_test(averages_that_do_not_fit_leave_the_least),
		cmocka_unit_test(kept_counts_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

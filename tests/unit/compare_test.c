/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparisons. Values of a captured series against a reckoning of their own over its files; means,
 * spreads and p against exact fractions and numerical integration; and the tables of the mails that
 * the format of a comparison comes from.
 */
#include "reclaimtop/compare.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/source.h"

#define LEN(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static const struct compare_metric score = { "score", "", "", BETTER_NEITHER, "" };

static void is_near(double value, double right)
{
	double scale = fabs(right) > 0 ? fabs(right) : 1;

	if (!(fabs(value - right) <= 1e-9 * scale))
		fail_msg("%.15g is not %.15g", value, right);
}

/* --- values of a run --- */

static struct summary *summary_of(const char *dir)
{
	struct sample samples[2] = { { .arena = arena_new() }, { .arena = arena_new() } };
	struct step st = { .arena = arena_new() };
	struct summary *s = summary_new(false);
	const char *why = NULL;
	struct source *src = source_tree(dir, false, &why);

	assert_non_null(src);
	for (uint32_t n = 0; !src->ops->next(src, NULL, &samples[n % 2]); n++) {
		step_make(n ? &samples[!(n % 2)] : NULL, &samples[n % 2], &st);
		summary_add(s, &st, 0);
	}
	source_close(src);
	arena_free(st.arena);
	arena_free(samples[0].arena);
	arena_free(samples[1].arena);
	return s;
}

static uint32_t metric_of(const char *name)
{
	uint32_t i = 0;

	while (i < compare_nmetrics + VM_NR && strcmp(compare_metric(i).name, name))
		i++;
	assert_true(i < compare_nmetrics + VM_NR);
	return i;
}

/* The 15 trees of 7.2-pressure cover 25.9 s. */
static void values_of_a_series(void **state)
{
	static const struct {
		const char *name;
		double rate, total;
	} cases[] = {
		{ "refaulted-file", 59.51360400579151, 1541.40234375 },
		{ "refaulted-share", 77.15591258158602, 77.15591258158602 },
		{ "efficiency", 90.4513174100272, 90.4513174100272 },
		{ "direct-share", 7.0396946177153765, 7.0396946177153765 },
		{ "memory-some", 4.434428571428571, 1.148517 },
		{ "free", 37.08151041666667, 37.08151041666667 },
		{ "stalls", 20.694980694980696, 536 },
		{ "major-faults", 6.13899613899614, 159 },
		{ "births", 0.7722007722007722, 20 },
		{ "oom-kills", 0, 0 },
		{ "vmstat.pgmajfault", 6.13899613899614, 159 },
		{ "vmstat.nr_free_pages", 142393.0 / 15, 142393.0 / 15 },
	};
	struct summary *s = summary_of("tests/roots/7.2-pressure");

	(void)state;
	for (uint32_t i = 0; i < LEN(cases); i++) {
		is_near(compare_value(s, metric_of(cases[i].name), false), cases[i].rate);
		is_near(compare_value(s, metric_of(cases[i].name), true), cases[i].total);
	}
	/* The median lies in a slot of one part in 256. */
	assert_true(fabs(compare_value(s, metric_of("lifetime"), false) - 5.564) < 5.564 / 256);
	summary_free(s);
}

/* What the kernel did not say is not nought: without any step nothing is known. */
static void nothing_known(void **state)
{
	struct summary *s = summary_new(false);

	(void)state;
	for (uint32_t i = 0; i < compare_nmetrics + VM_NR; i++) {
		assert_true(isnan(compare_value(s, i, false)));
		assert_true(isnan(compare_value(s, i, true)));
	}
	summary_free(s);
}

/* A name is typed in a shell and parsed up to < or >; it must be one word and only one metric's. */
static void names_are_words(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < compare_nmetrics + VM_NR; i++) {
		const char *name = compare_metric(i).name;

		assert_true(strlen(name) < COMPARE_NAME);
		assert_int_equal(strcspn(name, " <>\t,;\"'"), strlen(name));
		assert_int_equal(metric_of(name), i);
		assert_true(*compare_metric(i).what);
	}
}

/* --- sides --- */

struct table {
	const double *values;
	uint32_t n;
};

/* Scores of runs without a recording, side by side. */
static struct compare *scores(const struct table *sides, uint32_t nsides)
{
	struct compare *c = compare_new(0);

	for (uint32_t side = 0; side < nsides; side++)
		for (uint32_t i = 0; i < sides[side].n; i++)
			compare_score(c, compare_run(c, side, "run", NULL), &score,
				      sides[side].values[i]);
	return c;
}

static const struct compare_row *row_of(struct compare *c, const char *name)
{
	const struct compare_row *rows;
	uint32_t n = compare_rows(c, &rows);

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(rows[i].metric.name, name))
			return &rows[i];
	fail_msg("there is no row %s", name);
	return NULL;
}

static void is_change(const struct compare_row *row, uint32_t side, const char *right)
{
	char text[32];

	assert_string_equal(compare_change(&row->cells[side], text, sizeof(text)), right);
}

static void is_chance(const struct compare_row *row, uint32_t side, const char *right)
{
	char text[96];

	assert_string_equal(compare_words(&row->cells[0], &row->cells[side], text, sizeof(text)),
			    right);
}

static void means_spreads_and_chance(void **state)
{
	static const double a[] = { 100, 110, 120 }, b[] = { 130, 141, 150 },
			    c[] = { 99, 112, 121 };
	static const double d[] = { 110, 120, 130 };
	const struct table sides[] = { { a, 3 }, { b, 3 }, { c, 3 }, { d, 3 } };
	struct compare *compare = scores(sides, 4);
	const struct compare_row *row = row_of(compare, "score");
	const struct compare_cell *cells = row->cells;

	(void)state;
	assert_int_equal(cells[0].n, 3);
	is_near(cells[0].mean, 110);
	is_near(cells[0].relative, 10.0 / 110);
	assert_int_equal(cells[0].chance, CHANCE_FIRST);
	is_near(cells[1].mean, 140.33333333333333);
	is_near(cells[1].sd, 10.016652800877813);
	is_near(cells[1].t, 3.711967424838419);
	is_near(cells[1].df, 3.9999889258641979);
	is_near(cells[1].p, 0.020618670886466099);
	is_near(cells[2].p, 0.94202789760876264);
	is_near(cells[3].p, 0.28786413472669066);
	is_change(row, 1, "+27.58%");
	is_chance(row, 1, "probably not chance (p = 0.021)");
	is_chance(row, 2, "could be chance (p = 0.94)");
	is_chance(row, 3, "could be chance (p = 0.29)");
	compare_free(compare);
}

/*
 * Average result of 18 test runs, 44017.78 and 44890.50: the mail says +1.8%, the numbers say +1.98
 * %. linux-kernel, 22 December 2023: [PATCH 0/3] mm, lru_gen: batch update pages when aging
 */
static void eighteen_runs_with_eighteen(void **state)
{
	double before[18], after[18];
	const struct table sides[] = { { before, 18 }, { after, 18 } };
	struct compare *c;
	const struct compare_row *row;
	char text[32];

	(void)state;
	for (int i = 0; i < 18; i++) {
		double away = (i % 2 ? 1 : -1) * 20.0 * (double)(1 + i / 2);

		before[i] = 44017.78 + away;
		after[i] = 44890.50 - away;
	}
	c = scores(sides, 2);
	row = row_of(c, "score");
	assert_string_equal(compare_number(row->cells[0].mean, text, sizeof(text)), "44017.78");
	assert_string_equal(compare_number(row->cells[1].mean, text, sizeof(text)), "44890.50");
	is_change(row, 1, "+1.98%");
	is_chance(row, 1, "surely not chance (p < 0.001)");
	assert_int_equal(row->cells[1].n, 18);
	compare_free(c);
}

/* Two runs with this mean and this relative standard deviation. */
static void two_runs(double mean, double percent, double out[2])
{
	double away = mean * percent / 100 / sqrt(2);

	out[0] = mean - away;
	out[1] = mean + away;
}

/*
 * Nine builds, each with its mean and spread, as they stand in the mail; the changes against the
 * first are ours. linux-mm, 2 October 2023, Re: [PATCH 1/6] mm: page_alloc: remove pcppage
 * migratetype caching
 */
static void nine_builds(void **state)
{
	static const struct {
		double mean, spread;
		const char *number, *change;
	} builds[] = {
		{ 618621.7, 0.18, "618621.7", "" },       { 616350.3, 0.27, "616350.3", "-0.37%" },
		{ 617121.0, 0.17, "617121.0", "-0.24%" }, { 615578.0, 0.18, "615578.0", "-0.49%" },
		{ 615364.7, 0.27, "615364.7", "-0.53%" }, { 617834.8, 0.52, "617834.8", "-0.13%" },
		{ 621000.0, 0.13, "621000.0", "+0.38%" }, { 618378.8, 0.17, "618378.8", "-0.04%" },
		{ 618136.3, 0.16, "618136.3", "-0.08%" },
	};
	double values[9][2];
	struct table sides[9];
	struct compare *c;
	const struct compare_row *row;
	char text[32];

	(void)state;
	for (uint32_t i = 0; i < 9; i++) {
		two_runs(builds[i].mean, builds[i].spread, values[i]);
		sides[i] = (struct table){ values[i], 2 };
	}
	c = scores(sides, 9);
	assert_int_equal(compare_nsides(c), 9);
	row = row_of(c, "score");
	for (uint32_t i = 0; i < 9; i++) {
		assert_string_equal(compare_number(row->cells[i].mean, text, sizeof(text)),
				    builds[i].number);
		is_near(100 * row->cells[i].relative, builds[i].spread);
		if (i)
			is_change(row, i, builds[i].change);
	}
	compare_free(c);
}

/*
 * The share of get_pfnblock_flags_mask in the same table: from 0.15 (+- 32.62%) to 0.40 (+-
 * 21.55%).
 */
static void a_share_that_rose(void **state)
{
	double base[2], patched[2];
	const struct table sides[] = { { base, 2 }, { patched, 2 } };
	struct compare *c;

	(void)state;
	two_runs(0.15, 32.62, base);
	two_runs(0.40, 21.55, patched);
	c = scores(sides, 2);
	is_change(row_of(c, "score"), 1, "+167%");
	is_near(100 * row_of(c, "score")->cells[1].relative, 21.55);
	compare_free(c);
}

/* "Before ~600s, After ~50s, Off ~250s": one run each, so nothing is said of chance. */
static void one_run_a_side(void **state)
{
	static const double before = 600, after = 50, off = 250;
	const struct table sides[] = { { &before, 1 }, { &after, 1 }, { &off, 1 } };
	struct compare *c = scores(sides, 3);
	const struct compare_row *row = row_of(c, "score");

	(void)state;
	is_change(row, 1, "-91.67%");
	is_change(row, 2, "-58.33%");
	is_chance(row, 1, "one run a side: chance unknown");
	assert_true(isnan(row->cells[1].p) && isnan(row->cells[0].sd));
	compare_free(c);
}

static void where_chance_cannot_be_told(void **state)
{
	static const double one[] = { 5 }, three[] = { 4, 5, 6 }, flat[] = { 5, 5 },
			    other[] = { 6, 6 };
	static const double nought[] = { 0, 0 };
	const struct table mixed[] = { { three, 3 }, { one, 1 } },
			   same[] = { { flat, 2 }, { flat, 2 } };
	const struct table apart[] = { { flat, 2 }, { other, 2 } },
			   up[] = { { nought, 2 }, { three, 3 } };
	const struct table down[] = { { three, 3 }, { nought, 2 } };
	const struct {
		const struct table *sides;
		const char *change, *words;
	} cases[] = {
		{ mixed, "0%", "one run on a side: chance unknown" },
		{ same, "0%", "the same in every run" },
		{ apart, "+20.00%", "no spread on either side: chance unknown" },
		{ up, "from 0", "probably not chance (p = 0.013)" },
		{ down, "-100%", "probably not chance (p = 0.013)" },
	};

	(void)state;
	for (uint32_t i = 0; i < LEN(cases); i++) {
		struct compare *c = scores(cases[i].sides, 2);
		const struct compare_row *row = row_of(c, "score");

		is_change(row, 1, cases[i].change);
		is_chance(row, 1, cases[i].words);
		compare_free(c);
	}
}

static void a_side_without_the_value(void **state)
{
	struct compare *c = compare_new(0);
	const struct compare_row *row;

	(void)state;
	compare_score(c, compare_run(c, 0, "a", NULL), &score, 3);
	compare_run(c, 1, "b", NULL);
	compare_score(c, compare_run(c, 1, "c", NULL), &score, NAN);
	row = row_of(c, "score");
	assert_int_equal(row->cells[1].n, 0);
	assert_int_equal(row->cells[1].runs, 2);
	is_change(row, 1, "-");
	is_chance(row, 1, "known on one side only");
	is_chance(row_of(c, "stalls"), 1, "not known");
	compare_free(c);
}

/* Several scores of one run are its mean; a name that the table has is told from it. */
static void scores_within_a_run(void **state)
{
	const struct compare_metric stalls = { "stalls", "", "", BETTER_NEITHER, "" };
	struct compare *c = compare_new(0);
	uint32_t run = compare_run(c, 0, "a", NULL);

	(void)state;
	compare_score(c, run, &score, 3);
	compare_score(c, run, &score, 6);
	compare_score(c, run, &stalls, 7);
	is_near(row_of(c, "score")->cells[0].mean, 4.5);
	is_near(row_of(c, "score.stalls")->cells[0].mean, 7);
	assert_int_equal(row_of(c, "stalls")->cells[0].n, 0);
	compare_free(c);
}

static void more_sure_first(void **state)
{
	static const struct {
		const char *name;
		double a[2], b[2];
	} metrics[] = {
		{ "small-and-sure", { 100, 100.1 }, { 101, 101.1 } },
		{ "none", { 0, 0 }, { 0, 0 } },
		{ "large-by-chance", { 10, 200 }, { 100, 320 } },
		{ "still", { 7, 7 }, { 7, 7 } },
		{ "flat", { 7, 7 }, { 9, 9 } },
		{ "large-and-sure", { 10, 10.1 }, { 20, 20.1 } },
		{ "from-nought", { 0, 0 }, { 20, 20.1 } },
		{ "small-by-chance", { 100, 101 }, { 101, 102 } },
	};
	static const char *const order[] = {
		"from-nought", "large-and-sure", "small-and-sure", "flat",
		"large-by-chance", "small-by-chance",
	};
	struct compare *c = compare_new(0);
	const struct compare_row *rows;

	(void)state;
	for (int run = 0; run < 4; run++) {
		uint32_t at = compare_run(c, run >= 2, "run", NULL);

		for (uint32_t i = 0; i < LEN(metrics); i++) {
			struct compare_metric m = { metrics[i].name, "", "", BETTER_NEITHER, "" };

			compare_score(c, at, &m,
				      run < 2 ? metrics[i].a[run] : metrics[i].b[run - 2]);
		}
	}
	compare_rows(c, &rows);
	for (uint32_t i = 0; i < LEN(order); i++)
		assert_string_equal(rows[i].metric.name, order[i]);
	assert_true(row_of(c, "none")->blank);
	assert_false(row_of(c, "still")->blank);
	assert_true(row_of(c, "scanned")->blank);
	compare_free(c);
}

/* --- numbers --- */

static void numbers_in_few_digits(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 44017.78, "44017.78" },
		{ 618621.7, "618621.7" },
		{ 0.15, "0.15" },
		{ 0.0012345, "0.00123" },
		{ -12.5, "-12.50" },
		{ 1234567.8, "1234568" },
		{ 1e300, "1e+300" },
		{ NAN, "-" },
		{ INFINITY, "-" },
		{ -INFINITY, "-" },
	};
	char text[32];

	(void)state;
	for (uint32_t i = 0; i < LEN(cases); i++)
		assert_string_equal(compare_number(cases[i].value, text, sizeof(text)),
				    cases[i].text);
}

static void changes_in_few_digits(void **state)
{
	static const struct {
		double change;
		const char *text;
	} cases[] = {
		{ 0, "0%" },           { 0.0198, "+1.98%" },   { -0.00004, "-0.00%" },
		{ 0.00004, "+0.00%" }, { 0.99994, "+99.99%" }, { 0.99996, "+100%" },
		{ 12.344, "+1234%" },  { 1e9, "+1e+11%" },
	};
	char text[32];

	(void)state;
	for (uint32_t i = 0; i < LEN(cases); i++) {
		struct compare_cell cell = { .n = 1,
					     .change = cases[i].change,
					     .chance = CHANCE_ONE_RUN };

		assert_string_equal(compare_change(&cell, text, sizeof(text)), cases[i].text);
	}
}

static void chance_in_words(void **state)
{
	static const struct {
		double p;
		const char *text;
	} cases[] = {
		{ 0, "surely not chance (p < 0.001)" },
		{ 0.00099, "surely not chance (p < 0.001)" },
		{ 0.001, "hardly chance (p = 0.001)" },
		{ 0.0042, "hardly chance (p = 0.0042)" },
		{ 0.01, "probably not chance (p = 0.01)" },
		{ 0.034, "probably not chance (p = 0.034)" },
		{ 0.05, "could be chance (p = 0.05)" },
		{ 0.34, "could be chance (p = 0.34)" },
		{ 1, "could be chance (p = 1.00)" },
	};
	char text[96];

	(void)state;
	for (uint32_t i = 0; i < LEN(cases); i++) {
		struct compare_cell cell = { .n = 2, .chance = CHANCE_TOLD, .p = cases[i].p };

		assert_string_equal(compare_words(&cell, &cell, text, sizeof(text)), cases[i].text);
	}
}

/* --- conditions --- */

static void conditions(void **state)
{
	static const char *const wrong[] = {
		"", "score", "score>", "score>5", ">5%", "score>x%", "score=5%", "score>5%%",
		"score>5% ",
		"score>+-5%", "score>5.%", "score>.5%", "score>1e3%", "score>nan%",
		"0123456789012345678901234567890123456789012345678901234567890123>5%",
	};
	struct compare_condition cond;

	(void)state;
	assert_true(compare_condition("refaulted-file>5%", &cond));
	assert_string_equal(cond.metric, "refaulted-file");
	assert_true(cond.above);
	is_near(cond.percent, 5);
	assert_true(compare_condition("score<-3.25%", &cond));
	assert_false(cond.above);
	is_near(cond.percent, -3.25);
	assert_true(compare_condition("score>+0%", &cond));
	is_near(cond.percent, 0);
	for (uint32_t i = 0; i < LEN(wrong); i++)
		if (compare_condition(wrong[i], &cond))
			fail_msg("'%s' is taken for a condition", wrong[i]);
}

static void check(struct compare *c, const char *text, enum compare_verdict right, const char *says)
{
	struct compare_condition cond;
	struct buf why = { 0 };

	assert_true(compare_condition(text, &cond));
	if (compare_check(c, &cond, &why) != right)
		fail_msg("%s: another verdict: %s", text, why.data ? why.data : "");
	if (says && !strstr(why.data, says))
		fail_msg("%s: '%s' says nothing of '%s'", text, why.data, says);
	buf_fini(&why);
}

static void verdicts(void **state)
{
	static const double a[] = { 100, 110, 120 }, b[] = { 130, 141, 150 },
			    c[] = { 99, 112, 121 };
	static const double nought[] = { 0, 0 };
	const struct table sides[] = { { a, 3 }, { c, 3 }, { b, 3 } },
			   up[] = { { nought, 2 }, { a, 3 } };
	struct compare *three = scores(sides, 3), *from = scores(up, 2);

	(void)state;
	check(three, "score>27%", VERDICT_BROKEN,
	      "+27.58% from A to C (110.00 to 140.33) is more than 27%: "
	      "probably not chance (p = 0.021)");
	check(three, "score>28%", VERDICT_KEPT, NULL);
	check(three, "score<1%", VERDICT_BROKEN, "from A to B");
	check(three, "score<0%", VERDICT_KEPT, NULL);
	check(three, "nothing>5%", VERDICT_NO_METRIC, NULL);
	check(three, "stalls>5%", VERDICT_UNTOLD, "not known");
	/* From nought to something is more than any share of nought. */
	check(from, "score>1000000%", VERDICT_BROKEN, "from 0");
	check(from, "score<-1%", VERDICT_KEPT, NULL);
	compare_free(three);
	compare_free(from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_a_series),
		cmocka_unit_test(nothing_known),
		cmocka_unit_test(names_are_words),
		cmocka_unit_test(means_spreads_and_chance),
		cmocka_unit_test(eighteen_runs_with_eighteen),
		cmocka_unit_test(nine_builds),
		cmocka_unit_test(a_share_that_rose),
		cmocka_unit_test(one_run_a_side),
		cmocka_unit_test(where_chance_cannot_be_told),
		cmocka_unit_test(a_side_without_the_value),
		cmocka_unit_test(scores_within_a_run),
		cmocka_unit_test(more_sure_first),
		cmocka_unit_test(numbers_in_few_digits),
		cmocka_unit_test(changes_in_few_digits),
		cmocka_unit_test(chance_in_words),
		cmocka_unit_test(conditions),
		cmocka_unit_test(verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

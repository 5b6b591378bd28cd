/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one sentence of the river: what it says of a share is what the share is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/names.h"
#include "ui/tui/generations.h"

static struct amount measured(int64_t value)
{
	return (struct amount){ .value = value, .lo = value, .hi = value, .state = AMOUNT_MEASURED };
}

static void say(int64_t taken, int64_t back, int cols, char out[200])
{
	struct now n = { .taken = measured(taken),
			 .back = measured(back),
			 .in = measured(0),
			 .up = measured(0) };

	snprintf(n.taken_text, sizeof(n.taken_text), "%dM", (int)(taken / 256) % 1024);
	snprintf(n.back_text, sizeof(n.back_text), "%dM", (int)(back / 256) % 1024);
	snprintf(n.in_text, sizeof(n.in_text), "0");
	snprintf(n.up_text, sizeof(n.up_text), "0");
	now_sentence(&n, cols, out, 200);
}

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static const int widths[] = { 200, 120, 80, 60 };

/* Exactly one of the judgements, and the one that the numbers bear out. */
static void check(int64_t taken, int64_t back)
{
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		char text[200];

		say(taken, back, widths[i], text);
		assert_true(name_width(text) <= widths[i]);
		assert_int_equal(has(text, "nothing comes back"), back == 0);
		assert_int_equal(has(text, "not needed"), back == 0 && has(text, "Reclaim"));
		assert_int_equal(has(text, "little"), back > 0 && back * 10 < taken);
		assert_int_equal(has(text, "a part"), back * 10 >= taken && back * 2 < taken);
		assert_int_equal(has(text, "most"), back * 2 >= taken && back <= taken);
		assert_int_equal(has(text, "more than is taken"), back > taken);
		assert_int_equal(has(text, "%"), back > 0 && back <= taken);
		assert_int_equal(text[strlen(text) - 1], '.');
	}
}

static void share_and_words_agree(void **state)
{
	static const int64_t edges[] = { 1,   2,   3,    7,     10,     19,      20,
					 100, 999, 1000, 12345, 200000, 1 << 20, 50000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		for (int permille = 0; permille <= 2500; permille++)
			check(edges[i], edges[i] * permille / 1000);
	for (int64_t back = 0; back <= 300; back++)
		check(100, back);
}

static void what_is_not_known_is_not_said(void **state)
{
	struct now n = { .taken = measured(100), .back = { .state = AMOUNT_MISSING } };
	char text[200];

	(void)state;
	strcpy(n.taken_text, "1.00M");
	now_sentence(&n, 120, text, sizeof(text));
	assert_true(has(text, "not known") && !has(text, "needed"));
	n.first = true;
	now_sentence(&n, 120, text, sizeof(text));
	assert_string_equal(text, "What moves is not known from this sample.");
	/* What comes back was taken before, if nothing is taken now. */
	n = (struct now){ .taken = measured(0), .back = measured(9), .in = measured(0) };
	strcpy(n.back_text, "36.0K");
	now_sentence(&n, 120, text, sizeof(text));
	assert_true(has(text, "36.0K/s of what was taken before come back"));
	n.back = measured(0);
	now_sentence(&n, 120, text, sizeof(text));
	assert_true(has(text, "quiet"));
	/* What is freed is no quiet, and nothing is said of what does not move. */
	n.gone = measured(9);
	strcpy(n.gone_text, "35.9K");
	now_sentence(&n, 120, text, sizeof(text));
	assert_string_equal(text, "Nothing is reclaimed; 35.9K/s are freed by their owners.");
	n.in = measured(2);
	strcpy(n.in_text, "8.45K");
	now_sentence(&n, 120, text, sizeof(text));
	assert_string_equal(text, "Nothing is reclaimed; 8.45K/s come in, 35.9K/s are freed by their owners.");
	now_sentence(&n, 60, text, sizeof(text));
	assert_string_equal(text, "Nothing is reclaimed; 8.45K/s come in.");
	/* That reclaim takes nothing is said only where it is known. */
	n.taken = (struct amount){ .state = AMOUNT_MISSING };
	now_sentence(&n, 120, text, sizeof(text));
	assert_false(has(text, "Nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_and_words_agree),
		cmocka_unit_test(what_is_not_known_is_not_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

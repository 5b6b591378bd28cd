/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/tui/times.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define S INT64_C(1000000)

static void spans(void **state)
{
	static const struct {
		const char *text;
		int64_t us;
	} good[] = {
		{ "30", 30 * S },          { "+30", 30 * S },
		{ "+30s", 30 * S },        { "-5m", -300 * S },
		{ "250ms", S / 4 },        { "1h30m", 5400 * S },
		{ "-1h30m5s", -5405 * S }, { "2.5m", 150 * S },
		{ "0.001", 1000 },         { "1d", 86400 * S },
		{ "5min", 300 * S },       { "0", 0 },
		{ "1.5", 3 * S / 2 },      { "36525d", INT64_C(36525) * 86400 * S },
	};
	static const char *const bad[] = { "",
					   "+",
					   "-",
					   "s",
					   "5x",
					   "1h30",
					   "--5",
					   "5 s",
					   "1.",
					   ".5",
					   "5s ",
					   "m5",
					   "36526d",
					   "99999999999999999999",
					   "99999999999999999999d",
					   "1e3",
					   "5ms5x" };
	int64_t us;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!times_span(good[i].text, &us))
			fail_msg("%s", good[i].text);
		if (us != good[i].us)
			fail_msg("%s is %lld", good[i].text, (long long)us);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (times_span(bad[i], &us))
			fail_msg("%s is %lld", bad[i], (long long)us);
}

static void times_of_a_day(void **state)
{
	static const struct {
		const char *text;
		int64_t s;
	} good[] = { { "0:00", 0 },
		     { "14:30", 52200 },
		     { "14:30:05", 52205 },
		     { "9:5", 32700 },
		     { "23:59:59", 86399 } };
	static const char *const bad[] = { "",       "14",         "24:00", "14:60",  "14:30:60",
					   "14:30:", "14:30:05:1", ":30",   "14:30 ", "1430",
					   "-1:00",  "014:30",     "14:030" };
	int64_t us;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(times_of_day(good[i].text, &us));
		assert_int_equal(us, good[i].s * S);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (times_of_day(bad[i], &us))
			fail_msg("%s", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans),
		cmocka_unit_test(times_of_a_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

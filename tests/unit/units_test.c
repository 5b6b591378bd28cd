/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/keys.h"

typedef char *unit_fn(uint64_t value, char *out, size_t size);

struct expected {
	uint64_t value;
	const char *text;
};

static void are(unit_fn *unit, const struct expected *tests, size_t n)
{
	char out[32];

	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(unit(tests[i].value, out, sizeof(out)), out);
		if (strcmp(out, tests[i].text))
			fail_msg("%llu is \"%s\", not \"%s\"", (unsigned long long)tests[i].value,
				 out, tests[i].text);
	}
}

#define ARE(unit, tests) are(unit, tests, sizeof(tests) / sizeof((tests)[0]))

static void bytes(void **state)
{
	static const struct expected tests[] = {
		{ 0, "0" },
		{ 1, "1B" },
		{ 512, "512B" },
		{ 1023, "1023B" },
		{ 1024, "1.0K" },
		{ 4096, "4.0K" },
		{ 1025, "1.00K" },
		{ 1536, "1.50K" },
		{ 10239, "10.0K" },
		{ 10240, "10.0K" },
		{ 12902728, "12.3M" },
		{ 102400, "100K" },
		{ 1048064, "1.00M" },
		{ 1048575, "1.00M" },
		{ 1610612736, "1.50G" },
		{ UINT64_C(2) << 40, "2.0T" },
		{ UINT64_C(9223372036854775808), "8.0E" },
		{ UNLIMITED - 1, "16.0E" },
		{ UNLIMITED, "max" },
		{ UNKNOWN, "-" },
	};

	(void)state;
	ARE(units_bytes, tests);
}

static void counts(void **state)
{
	static const struct expected tests[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1.0k" },
		{ 1001, "1.00k" },
		{ 12345, "12.3k" },
		{ 4560001, "4.56M" },
		{ 999499, "999k" },
		{ 999500, "1.00M" },
		{ 999999999, "1.00G" },
		{ 18446744073709551613u, "18.4E" },
		{ UNKNOWN, "-" },
		{ UNLIMITED, "max" },
	};

	(void)state;
	ARE(units_count, tests);
}

static void ages(void **state)
{
	static const struct expected tests[] = {
		{ 0, "0ms" },           { 250, "250ms" },       { 999, "999ms" },
		{ 1000, "1.0s" },       { 12345, "12.3s" },     { 59999, "59.9s" },
		{ 60000, "1m00s" },     { 245000, "4m05s" },    { 3599999, "59m59s" },
		{ 11520000, "3h12m" },  { 86399999, "23h59m" }, { 589359037, "6d19h" },
		{ 8640000000, "100d" }, { UNKNOWN, "-" },
	};

	(void)state;
	ARE(units_age, tests);
}

static void hundredths(void **state)
{
	static const struct expected tests[] = {
		{ 0, "0.00" },       { 5, "0.05" },    { 265, "2.65" },
		{ 10000, "100.00" }, { UNKNOWN, "-" },
	};

	(void)state;
	ARE(units_centi, tests);
}

static void no_more_than_six_columns(void **state)
{
	char out[32];

	(void)state;
	for (uint64_t v = 1; v < UINT64_MAX / 3; v += v / 20 + 1) {
		assert_true(strlen(units_bytes(v, out, sizeof(out))) <= 6);
		assert_true(strlen(units_count(v, out, sizeof(out))) <= 6);
		assert_true(strlen(units_age(v, out, sizeof(out))) <= 6);
		assert_true(strlen(units_change(-(int64_t)(v / 2), 1, 0, out, sizeof(out))) <= 6);
		assert_true(strlen(units_percent(v, 12345678, out, sizeof(out))) <= 6);
	}
}

static void pages(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(units_pages(3, 4096, 0, out, sizeof(out)), "12.0K");
	assert_string_equal(units_pages(3, 65536, 0, out, sizeof(out)), "192K");
	assert_string_equal(units_pages(417259, 4096, 0, out, sizeof(out)), "1.59G");
	assert_string_equal(units_pages(417259, 4096, 1, out, sizeof(out)), "417k");
	assert_string_equal(units_pages(UNKNOWN, 4096, 0, out, sizeof(out)), "-");
	assert_string_equal(units_pages(UNLIMITED, 4096, 0, out, sizeof(out)), "max");
	assert_string_equal(units_pages(UNLIMITED - 1, 4096, 0, out, sizeof(out)), "16.0E");
}

static void changes(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(units_change(0, 4096, 0, out, sizeof(out)), "0");
	assert_string_equal(units_change(-12, 4096, 0, out, sizeof(out)), "-48K");
	assert_string_equal(units_change(307, 4096, 0, out, sizeof(out)), "+1.2M");
	assert_string_equal(units_change(1, 4096, 0, out, sizeof(out)), "+4.0K");
	assert_string_equal(units_change(-1, 4096, 1, out, sizeof(out)), "-1");
	assert_string_equal(units_change(12345, 4096, 1, out, sizeof(out)), "+12k");
	assert_string_equal(units_change(INT64_MIN, 1, 0, out, sizeof(out)), "-8.0E");
}

static void percents(void **state)
{
	char out[32];

	(void)state;
	assert_string_equal(units_percent(0, 5, out, sizeof(out)), "0%");
	assert_string_equal(units_percent(41, 100, out, sizeof(out)), "41%");
	assert_string_equal(units_percent(3, 1000, out, sizeof(out)), "0.3%");
	assert_string_equal(units_percent(5, 5, out, sizeof(out)), "100%");
	assert_string_equal(units_percent(1, 1000000, out, sizeof(out)), "<0.1%");
	assert_string_equal(units_percent(1, 1000, out, sizeof(out)), "0.1%");
	assert_string_equal(units_percent(994, 10000, out, sizeof(out)), "9.9%");
	assert_string_equal(units_percent(995, 10000, out, sizeof(out)), "10%");
	assert_string_equal(units_percent(33, 32, out, sizeof(out)), "103%");
	assert_string_equal(units_percent(5, 0, out, sizeof(out)), "-");
	assert_string_equal(units_percent(UNKNOWN, 5, out, sizeof(out)), "-");
	assert_string_equal(units_percent(5, UNKNOWN, out, sizeof(out)), "-");
	assert_string_equal(units_percent(5, UNLIMITED, out, sizeof(out)), "-");
	assert_string_equal(units_percent(18446744073709551613u, 1, out, sizeof(out)), ">9999%");
}

static void small_rooms(void **state)
{
	(void)state;
	for (size_t size = 1; size < 8; size++) {
		char *out = malloc(size);

		units_bytes(12902728, out, size);
		assert_true(strlen(out) < size);
		assert_memory_equal(out, "12.3M", strlen(out));
		free(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes),
		cmocka_unit_test(counts),
		cmocka_unit_test(ages),
		cmocka_unit_test(hundredths),
		cmocka_unit_test(no_more_than_six_columns),
		cmocka_unit_test(pages),
		cmocka_unit_test(changes),
		cmocka_unit_test(percents),
		cmocka_unit_test(small_rooms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

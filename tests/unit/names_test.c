/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is_escaped(struct arena *a, const char *bytes, size_t len, const char *expected)
{
	char *exact = malloc(len), back[512];
	const char *name;

	memcpy(exact, bytes, len);
	name = name_escape(a, exact, len);
	free(exact);
	if (expected && strcmp(name, expected))
		fail_msg("\"%s\", not \"%s\"", name, expected);
	assert_int_equal(name_unescape(name, back), len);
	assert_memory_equal(back, bytes, len);
}

static void escapes(void **state)
{
	static const struct {
		const char *bytes, *name;
	} tests[] = {
		{ "/plain-name.slice/a_b@c:1", "/plain-name.slice/a_b@c:1" },
		{ "", "" },
		{ "a\tb", "a\\x09b" },
		{ "\x1b[2J\x1b]0;pwned\x07", "\\x1b[2J\\x1b]0;pwned\\x07" },
		{ "del\x7f", "del\\x7f" },
		{ "back\\slash", "back\\\\slash" },
		{ "looks\\x1blike", "looks\\\\x1blike" },
		{ "raw\xff\xfe", "raw\\xff\\xfe" },
		{ "c1\xc2\x9b" "31m", "c1\\xc2\\x9b31m" },
		{ "raw c1\x9b", "raw c1\\x9b" },
		{ "wide\u7121\u7528", "wide\u7121\u7528" },
		{ "zwj\U0001f468\u200d\U0001f469", "zwj\U0001f468\\xe2\\x80\\x8d\U0001f469" },
		{ "rtl\u202etxt", "rtl\\xe2\\x80\\xaetxt" },
		{ "line\u2028para\u2029", "line\\xe2\\x80\\xa8para\\xe2\\x80\\xa9" },
		{ "bom\ufeff", "bom\\xef\\xbb\\xbf" },
		{ "tag\U000e0041", "tag\\xf3\\xa0\\x81\\x81" },
		{ "overlong\xc0\xaf", "overlong\\xc0\\xaf" },
		{ "overlong\xe0\x80\xaf", "overlong\\xe0\\x80\\xaf" },
		{ "surrogate\xed\xa0\x80", "surrogate\\xed\\xa0\\x80" },
		{ "above\xf4\x90\x80\x80", "above\\xf4\\x90\\x80\\x80" },
		{ "cut\xe7\x84", "cut\\xe7\\x84" },
		{ "\xe7" "a\xe7\x84" "b", "\\xe7a\\xe7\\x84b" },
		{ "e\u0301", "e\u0301" },
		{ " two  blanks ", " two  blanks " },
		{ "quote\"'", "quote\"'" },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		is_escaped(a, tests[i].bytes, strlen(tests[i].bytes), tests[i].name);
	arena_free(a);
}

/* Every byte at every place of a word of eight: the quick check must find it, and nothing else. */
static void every_byte_everywhere(void **state)
{
	struct arena *a = arena_new();
	char bytes[20], expected[24];

	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		for (size_t at = 0; at < 20; at++) {
			int plain = byte >= 0x20 && byte < 0x7f && byte != '\\';

			memset(bytes, 'a', sizeof(bytes));
			bytes[at] = (char)byte;
			memset(expected, 'a', sizeof(expected));
			if (plain)
				sprintf(expected + at, "%c%.*s", byte, (int)(19 - at),
					"aaaaaaaaaaaaaaaaaaaa");
			else if (byte == '\\')
				sprintf(expected + at, "\\\\%.*s", (int)(19 - at),
					"aaaaaaaaaaaaaaaaaaaa");
			else
				sprintf(expected + at, "\\x%02x%.*s", byte, (int)(19 - at),
					"aaaaaaaaaaaaaaaaaaaa");
			is_escaped(a, bytes, sizeof(bytes), expected);
		}
		arena_reset(a);
	}
	arena_free(a);
}

static int is_valid(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x20 || *name == 0x7f)
			return 0;
	return 1;
}

static void random_bytes(void **state)
{
	struct arena *a = arena_new();
	uint32_t seed = 1;
	char bytes[100];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t len = seed % sizeof(bytes);

		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			bytes[i] = (char)(seed >> 24);
		}
		is_escaped(a, bytes, len, NULL);
		assert_true(is_valid(name_escape(a, bytes, len)));
		if (round % 256 == 0)
			arena_reset(a);
	}
	arena_free(a);
}

static void unescapes_any(void **state)
{
	static const char *const names[] = { "\\",  "\\x",      "\\x4",   "\\xg0",
					     "\\q", "a\\x41\\", "\\\\x41" };
	static const char *const bytes[] = { "\\", "\\x", "\\x4", "\\xg0", "\\q", "aA\\", "\\x41" };
	char out[16];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(name_unescape(names[i], out), strlen(bytes[i]));
		assert_string_equal(out, bytes[i]);
	}
}

static void widths(void **state)
{
	uint32_t c;
	int columns;

	(void)state;
	assert_int_equal(name_width(""), 0);
	assert_int_equal(name_width("plain"), 5);
	assert_int_equal(name_width("\u7121\u7528"), 4);
	assert_int_equal(name_width("e\u0301e"), 2);
	assert_int_equal(name_width("\uff21\uff71"), 3);
	assert_int_equal(name_width("\U0001f468"), 2);
	assert_int_equal(name_width("\u00e9\u2026\u2588"), 3);
	assert_int_equal(name_width("\\x1b"), 4);
	assert_int_equal(name_next("\u7121x", &c, &columns), 3);
	assert_true(c == 0x7121 && columns == 2);
	assert_int_equal(name_next("", &c, &columns), 0);
	assert_int_equal(name_next("\xff", &c, &columns), 1);
	assert_true(c == 0xfffd && columns == 1);
}

static void is_fitted(const char *name, int columns, const char *expected)
{
	char out[256];
	int used = name_fit(name, columns, 0, out, sizeof(out));

	if (strcmp(out, expected))
		fail_msg("%d columns: \"%s\", not \"%s\"", columns, out, expected);
	assert_int_equal(used, name_width(out));
}

static void fits(void **state)
{
	(void)state;
	is_fitted("/web", 10, "/web");
	is_fitted("/web", 4, "/web");
	is_fitted("/web", 3, "/\u2026b");
	is_fitted("/web", 1, "\u2026");
	is_fitted("/web", 0, "");
	is_fitted("/web", -5, "");
	is_fitted("", 5, "");
	is_fitted("/user.slice/user-1000.slice/session-2.scope", 30,
		  "/user.slice/u\u2026/session-2.scope");
	/* A wide character is not halved, an escape not broken, a mark stays with its letter. */
	is_fitted("\u7121\u7528\u7121\u7528", 4, "\u7121\u2026");
	is_fitted("a\\x1bbcdefgh", 6, "a\u2026efgh");
	is_fitted("e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301\u2026e\u0301");
}

/* The last component of two long paths with one beginning can be told. */
static void long_names(void **state)
{
	static const char base[] = "/user.slice/user-1000.slice/";
	char victim[300], guilty[300], a[300], b[300];

	(void)state;
	strcat(strcpy(victim, base), "session-2.scope");
	strcat(strcpy(guilty, base),
	       "user@1000.service/app.slice/app-st-6fc28dd7dd0c4185b75b279f4a026f42.scope");
	for (int columns = 12; columns <= 60; columns++) {
		name_fit(victim, columns, 0, a, sizeof(a));
		name_fit(guilty, columns, 0, b, sizeof(b));
		assert_string_not_equal(a, b);
	}
	name_fit(victim, 40, 1, a, sizeof(a));
	assert_string_equal(a, "/user.slice/user-1000.s~/session-2.scope");
}

static void fits_in_any_size(void **state)
{
	static const char name[] = "/a\u7121\u0301/b\\x1b\\\\\u7528/\U0001f468end-of-it";

	(void)state;
	for (int columns = -1; columns < 40; columns++) {
		for (size_t size = 0; size < 64; size++) {
			char *out = malloc(size ? size : 1);
			int used = name_fit(name, columns, 0, out, size);

			assert_true(used <= (columns > 0 ? columns : 0));
			if (size) {
				assert_true(strlen(out) < size);
				assert_int_equal(name_width(out), used);
			}
			free(out);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes),
		cmocka_unit_test(every_byte_everywhere),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(unescapes_any),
		cmocka_unit_test(widths),
		cmocka_unit_test(fits),
		cmocka_unit_test(long_names),
		cmocka_unit_test(fits_in_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

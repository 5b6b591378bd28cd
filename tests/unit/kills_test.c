/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In which memcgs processes were killed: only where their own counts say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/cli/notes.h"

static struct amount kills(int64_t n)
{
	return n < 0 ? (struct amount){ .state = AMOUNT_MISSING }
		     : (struct amount){ n, n, n, AMOUNT_MEASURED, SCOPE_MEMCG };
}

static const char *told(const char *const *paths, const int *counts, uint32_t n)
{
	static char text[KILLED_TEXT];
	struct memcg_step memcgs[40] = { 0 };
	struct step st = { .memcgs = memcgs, .nmemcgs = n };
	bool any;

	for (uint32_t i = 0; i < n; i++) {
		memcgs[i].path = paths[i];
		memcgs[i].oom_kills = kills(counts[i]);
	}
	any = kills_tell(&st, text);
	assert_int_equal(any, text[0] != '\0');
	return text;
}

/* A memcg counts what was killed below it, too. */
static void the_innermost_is_named(void **state)
{
	static const char *const paths[] = { "/", "/a", "/a/b", "/a/b/c", "/ab", "/x" };

	(void)state;
	assert_string_equal(told(paths, (int[]){ -1, 1, 1, 1, 0, 0 }, 6), "/a/b/c");
	assert_string_equal(told(paths, (int[]){ -1, 2, 1, 1, 0, 0 }, 6), "/a, /a/b/c");
	assert_string_equal(told(paths, (int[]){ 3, 3, 3, 1, 0, 0 }, 6), "/a/b, /a/b/c");
	assert_string_equal(told(paths, (int[]){ -1, 1, -1, -1, 1, 0 }, 6), "/a, /ab");
	assert_string_equal(told(paths, (int[]){ -1, 0, 0, 0, 0, -1 }, 6), "");
	assert_string_equal(told(paths, (int[]){ 0 }, 0), "");
}

static void many_are_counted(void **state)
{
	const char *paths[40];
	char names[40][24];
	int counts[40];
	const char *text;

	(void)state;
	for (int i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "/service-%02d", i);
		paths[i] = names[i];
		counts[i] = 1;
	}
	text = told(paths, counts, 40);
	assert_ptr_equal(strstr(text, "/service-00, /service-01"), text);
	assert_non_null(strstr(text, " and "));
	assert_non_null(strstr(text, " more"));
}

/* By sample; kept as long as the sample is. */
static void notes_keep_them(void **state)
{
	struct memcg_step memcg = { .path = "/leak", .oom_kills = kills(1) };
	struct step st = { .memcgs = &memcg, .nmemcgs = 1 };
	struct notes *n = notes_new();
	struct note note = { .known = true, .ooms = 1 };

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		notes_put(n, i > 100 ? i - 100 : 0, i, &note);
		notes_kills(n, i, &st);
		assert_string_equal(notes_killed(n, i), "/leak");
	}
	memcg.path = "/other";
	notes_kills(n, 4999, &st);
	assert_string_equal(notes_killed(n, 4999), "/other");
	assert_string_equal(notes_killed(n, 4998), "/leak");
	assert_string_equal(notes_killed(n, 5000), "");
	memcg.oom_kills = kills(-1);
	notes_put(n, 4900, 5000, &note);
	notes_kills(n, 5000, &st);
	assert_string_equal(notes_killed(n, 5000), "");
	notes_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_is_named),
		cmocka_unit_test(many_are_counted),
		cmocka_unit_test(notes_keep_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

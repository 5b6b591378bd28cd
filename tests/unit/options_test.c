/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/cli/options.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int run_nothing(const struct options *o)
{
	(void)o;
	return 0;
}

static const struct command commands[] = {
	{ "", "live", run_nothing, NULL, 0, 0, NULL, false },
	{ "demo", "plays", run_nothing, NULL, 0, 0, NULL, false },
	{ "doctor", "looks", run_nothing, NULL, 0, 0, NULL, false },
	{ NULL, NULL, NULL, NULL, 0, 0, NULL, false },
};

/* Parse words, separated by blanks. What is said on standard error is not of interest here. */
static enum parsed parse(const char *line, struct options *o)
{
	static char words[256], name[] = "reclaimtop";   /* options keep pointers to their words */
	char *argv[24] = { name };
	int argc = 1, err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	enum parsed parsed;
	char *save;

	strcpy(words, line);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	dup2(null, STDERR_FILENO);
	parsed = options_parse(argc, argv, commands, o);
	dup2(err, STDERR_FILENO);
	close(err);
	close(null);
	return parsed;
}

static void times(void **state)
{
	static const struct {
		const char *text;
		int64_t us;
	} cases[] = {
		{ "1", 1000000 }, { "0.25", 250000 }, { "250ms", 250000 }, { "1.5ms", 1500 },
		{ "2s", 2000000 },
		{ "1m", 60000000 }, { "1.5h", 5400000000 }, { "0", 0 }, { "007", 7000000 },
		{ "0.0000019", 1 }, { "0.33333333333333333333", 333333 },
		{ "", -1 }, { "x", -1 }, { "1x", -1 }, { "-1", -1 }, { "+1", -1 }, { " 1", -1 },
		{ "1 ", -1 },
		{ "1.", -1 }, { ".5", -1 }, { "1,5", -1 }, { "1e3", -1 }, { "0x10", -1 },
		{ "nan", -1 }, { "inf", -1 },
		{ "1.5.2", -1 }, { "1S", -1 }, { "ms", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (options_time(cases[i].text) != cases[i].us)
			fail_msg("'%s' is %lld", cases[i].text,
				 (long long)options_time(cases[i].text));
	/* However many digits: never a wrapped number. */
	assert_true(options_time("99999999999999999999") > DELAY_MAX_US);
	assert_true(options_time("18446744073709551617ms") > DELAY_MAX_US);
	assert_true(options_time("99999999999999999999h") > DELAY_MAX_US);
}

static void usual(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("", &o), PARSED_RUN);
	assert_ptr_equal(o.command, &commands[0]);
	assert_int_equal(o.delay_us, 0);
	assert_int_equal(o.count, 0);
	assert_false(o.batch || o.json || o.derived || o.endless || o.pagetypes || o.view_given);
	assert_null(o.root);
	assert_int_equal(o.tui.view, VIEW_OVERVIEW);
	assert_int_equal(o.tui.color, COLOR_AUTO);
	assert_true(o.tui.mouse);
	assert_false(o.tui.ascii);
	assert_null(o.tui.filter);
	assert_null(o.tui.sort);
}

static void every_option(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("-d 2 -n 7 -b --root r -f web -s swap --view memcgs --color never"
			       " --ascii --no-mouse --pagetypes", &o), PARSED_RUN);
	assert_int_equal(o.delay_us, 2000000);
	assert_int_equal(o.count, 7);
	assert_true(o.batch && o.tui.ascii && o.pagetypes && o.view_given);
	assert_false(o.json || o.tui.mouse || o.endless);
	assert_string_equal(o.root, "r");
	assert_string_equal(o.tui.filter, "web");
	assert_string_equal(o.tui.sort, "swap");
	assert_int_equal(o.tui.view, VIEW_MEMCGS);
	assert_int_equal(o.tui.color, COLOR_NEVER);
	assert_int_equal(parse("--delay=250ms --iterations=3 --batch --filter=a --sort=b"
			       " --color=always", &o), PARSED_RUN);
	assert_int_equal(o.delay_us, 250000);
	assert_int_equal(o.tui.color, COLOR_ALWAYS);
	assert_int_equal(parse("-h", &o), PARSED_HELP);
	assert_int_equal(parse("--version --nonsense", &o), PARSED_VERSION);
}

/* How many samples a batch gives: one, as many as asked for, or no end. */
static void how_many(void **state)
{
	static const struct {
		const char *line;
		uint64_t count;
		bool endless;
	} cases[] = {
		{ "-b", 0, false }, { "-b -n 5", 5, false }, { "-b -d 1", 0, true },
		{ "-b -d 1 -n 5", 5, false },
		{ "-d 1", 0, false }, { "--json -d 1", 0, true }, { "--derived -d 1", 0, true },
		{ "--json", 0, false },
		{ "2", 0, true }, { "2 10", 10, false }, { "-b 2 10", 10, false },
		{ "demo 2 10", 10, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct options o;

		assert_int_equal(parse(cases[i].line, &o), PARSED_RUN);
		if (o.count != cases[i].count || o.endless != cases[i].endless)
			fail_msg("'%s': count %d, endless %d", cases[i].line, (int)o.count,
				 o.endless);
	}
}

static void commands_and_words(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("demo -b -n 3", &o), PARSED_RUN);
	assert_ptr_equal(o.command, &commands[1]);
	assert_true(o.batch);
	assert_int_equal(parse("-b doctor", &o), PARSED_RUN);
	assert_ptr_equal(o.command, &commands[2]);
	assert_int_equal(parse("-b -- demo 0.5", &o), PARSED_RUN);
	assert_ptr_equal(o.command, &commands[1]);
	assert_int_equal(o.delay_us, 500000);
	setenv("POSIXLY_CORRECT", "1", 1);
	assert_int_equal(parse("demo -b -n 3", &o), PARSED_RUN);
	unsetenv("POSIXLY_CORRECT");
	assert_int_equal(o.count, 3);
}

static void json_is_batch(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse("--json", &o), PARSED_RUN);
	assert_true(o.batch && o.json && !o.derived);
	assert_int_equal(parse("--derived", &o), PARSED_RUN);
	assert_true(o.batch && o.json && o.derived);
}

static void wrong_use(void **state)
{
	static const char *const lines[] = {
		"-d", "-d 0", "-d 0.049", "-d 49ms", "-d -1", "-d x", "-d 25h",
		"-d 999999999999999999999",
		"-n", "-n 0", "-n -3", "-n 1.5", "-n x", "-n 99999999999999999999", "--view",
		"--view nothing",
		"--color red", "--nonsense", "-z", "--batch=yes", "record", "replay x", "demo demo",
		"demo doctor",
		"2 3 4", "2 x", "0.01", "2 0", "--json --view memcgs", "--derived -f web",
		"--json -s swap", "demo x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct options o;

		if (parse(lines[i], &o) != PARSED_WRONG)
			fail_msg("'%s' was taken", lines[i]);
	}
}

static void help_is_the_table(void **state)
{
	static const char *const words[] = {
		"demo", "doctor", "-d, --delay SECS", "-n, --iterations N", "-b, --batch", "--json",
		"--derived",
		"--root DIR", "-f, --filter TEXT", "-s, --sort KEY", "--view NAME", "--color WHEN",
		"--ascii",
		"--no-mouse", "--pagetypes", "-h, --help", "-V, --version",
	};
	struct buf out = { 0 };

	(void)state;
	options_help(commands, &out);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strstr(out.data, words[i]))
			fail_msg("--help has no %s", words[i]);
	/* No command that is not there, and no option that none takes. */
	assert_null(strstr(out.data, "reclaimtop record"));
	assert_null(strstr(out.data, "--append"));
	buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times), cmocka_unit_test(usual), cmocka_unit_test(every_option),
		cmocka_unit_test(how_many), cmocka_unit_test(commands_and_words),
		cmocka_unit_test(json_is_batch),
		cmocka_unit_test(wrong_use), cmocka_unit_test(help_is_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

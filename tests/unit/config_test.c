/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings: what a file says, what it cannot say, and where it is written. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ui/cli/config.h"
#include "ui/cli/keepfile.h"

static struct options of(const char *const *words)
{
	static const struct command commands[] = { { .name = "", .run = NULL }, { .name = NULL } };
	char *argv[8] = { (char *)(uintptr_t)"reclaimtop" };
	struct options o;
	int argc = 1;

	for (; words && *words; words++)
		argv[argc++] = (char *)(uintptr_t)*words;
	assert_int_equal(options_parse(argc, argv, commands, &o), PARSED_RUN);
	return o;
}

static void every_setting(void **state)
{
	struct options o = of(NULL);
	struct config c;

	(void)state;
	config_take(&c, &o, "# mine\n\n theme = light \nascii=yes\nmouse = no\ndelay = 250ms\nview = memcgs\r\n"
		    "units = pages\nmotion = slow\nsort memcgs = current\nkey step = i Ctrl-E\n");
	assert_int_equal(c.wrong, 0);
	assert_int_equal(o.tui.theme, THEME_LIGHT);
	assert_true(o.tui.ascii && !o.tui.mouse && o.tui.in_pages);
	assert_int_equal(o.delay_us, 250000);
	assert_int_equal(o.tui.view, VIEW_MEMCGS);
	assert_int_equal(o.tui.motion, MOTION_SLOW);
	assert_string_equal(o.tui.sorts[VIEW_MEMCGS], "current");
	assert_true(c.keys.changed[0] == false);
	config_close(&c);
}

static void the_command_line_goes_before(void **state)
{
	static const char *const words[] = { "--theme", "dark", "--view", "pagesets", "-d", "2", NULL };
	struct options o = of(words);
	struct config c;

	(void)state;
	config_take(&c, &o, "theme = light\nview = memcgs\ndelay = 5\nascii = yes\n");
	assert_int_equal(o.tui.theme, THEME_DARK);
	assert_int_equal(o.tui.view, VIEW_PAGESETS);
	assert_int_equal(o.delay_us, 2000000);
	assert_true(o.tui.ascii);
	config_close(&c);
}

/* One line that is wrong says which, and hides none of the others. */
static void wrong_lines_are_passed_over(void **state)
{
	static const char *const wrong[] = {
		"theme = red", "nonsense", "= 3", "theme =", "colour = blue", "ascii = perhaps", "delay = 0", "delay = 1y",
		"view = none", "units = miles", "motion = fast", "sort none = age", "sort memcgs = none", "sort overview = age",
		"key none = a", "key quit = Esc", "key quit =", "key quit = m", "\xff\xfe = 1", "theme theme = dark",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct options o = of(NULL);
		struct config c;
		char text[200];

		snprintf(text, sizeof(text), "units = pages\n%s\nascii = yes", wrong[i]);
		config_take(&c, &o, text);
		if (c.wrong != 1 || !strstr(c.notice, "config:2"))
			fail_msg("%s: %u wrong, %s", wrong[i], c.wrong, c.notice);
		assert_true(o.tui.ascii && o.tui.in_pages);
		config_close(&c);
	}
}

static void keys_may_be_exchanged(void **state)
{
	struct options o = of(NULL);
	struct config c;
	int key = 'm';

	(void)state;
	config_take(&c, &o, "key explain = m\nkey mark = e\n");
	assert_int_equal(c.wrong, 0);
	assert_string_equal(keymap_find(&c.keys, &key, VIEW_OVERVIEW)->brief, "Explain");
	config_close(&c);
}

/* What is written is understood. */
static void what_is_saved_comes_back(void **state)
{
	struct options o = of(NULL), again = of(NULL);
	struct config c, back;
	struct tui_settings s;
	struct buf text = { 0 };

	(void)state;
	config_take(&c, &o, "key quit = Ctrl-X\nkey pause = ;\nkey pace = Del Ctrl-Y\n");
	s = (struct tui_settings){ .view = VIEW_PROCESSES, .theme = THEME_MONO, .motion = MOTION_STILL, .mouse = true,
				   .in_pages = true, .delay_us = 2500000, .keys = &c.keys };
	s.sorts[VIEW_MEMCGS] = "age";
	config_print(&s, 0, &text);
	config_take(&back, &again, text.data);
	assert_int_equal(back.wrong, 0);
	assert_int_equal(again.tui.view, VIEW_PROCESSES);
	assert_int_equal(again.tui.theme, THEME_MONO);
	assert_int_equal(again.tui.motion, MOTION_STILL);
	assert_true(again.tui.mouse && !again.tui.ascii && again.tui.in_pages);
	assert_int_equal(again.delay_us, 2500000);
	assert_string_equal(again.tui.sorts[VIEW_MEMCGS], "age");
	assert_memory_equal(&back.keys, &c.keys, sizeof(c.keys));
	buf_fini(&text);
	config_close(&c);
	config_close(&back);
}

static void a_direction_comes_back(void **state)
{
	struct options o = of(NULL), again = of(NULL);
	struct config c, back;
	struct tui_settings s = { .view = VIEW_MEMCGS };
	struct buf text = { 0 };

	(void)state;
	s.sorts[VIEW_MEMCGS] = "age";
	s.reversed[VIEW_MEMCGS] = true;
	s.sorts[VIEW_PROCESSES] = "swap";
	config_print(&s, 0, &text);
	config_take(&back, &again, text.data);
	assert_int_equal(back.wrong, 0);
	assert_string_equal(again.tui.sorts[VIEW_MEMCGS], "age");
	assert_true(again.tui.reversed[VIEW_MEMCGS] && !again.tui.reversed[VIEW_PROCESSES]);
	/* It turns the table round, and what is no column still is none. */
	tui_free(tui_new(&again.tui));
	config_take(&c, &o, "sort memcgs = current\treversed\nsort processes = reversed\nsort memcgs = age upwards\n");
	assert_int_equal(c.wrong, 2);
	assert_true(o.tui.reversed[VIEW_MEMCGS]);
	assert_null(o.tui.sorts[VIEW_PROCESSES]);
	buf_fini(&text);
	config_close(&c);
	config_close(&back);
}

/* --- what somebody wrote stays --- */

static void merges(const char *was, const char *settings, const char *into)
{
	struct buf a = { 0 }, b = { 0 }, out = { 0 };

	buf_str(&a, was);
	buf_str(&b, settings);
	config_merge(&a, &b, &out);
	assert_string_equal(out.data, into);
	buf_fini(&a);
	buf_fini(&b);
	buf_fini(&out);
}

static void what_somebody_wrote_stays(void **state)
{
	(void)state;
	merges("", "# by W\ntheme = dark\n", "# by W\ntheme = dark\n");
	merges("# mine\n\ntheme=dark\r\n  view = memcgs", "# by W\ntheme = dark\nview = time\nascii = no\n",
	       "# mine\n\ntheme=dark\r\nview = time\nascii = no\n");
	/* What is for none of them, or for nothing at all; a name that only begins alike. */
	merges("# theme = light\nfuture = 3\nthemes = 2\nnonsense\nkey quit = Z\n", "theme = dark\n",
	       "# theme = light\nfuture = 3\nthemes = 2\nnonsense\nkey quit = Z\ntheme = dark\n");
	/* One line for each: the later one held, and is what was saved. */
	merges("sort  memcgs = age\n# why\nsort memcgs = swap\nsort processes = rss\n",
	       "sort memcgs = swap reversed\nsort processes = rss\n",
	       "sort memcgs = swap reversed\n# why\nsort processes = rss\n");
	/* Saved again it is the same. */
	merges("# a\ntheme = dark\n# b\n", "# by W\ntheme = dark\n", "# a\ntheme = dark\n# b\n");
}

static void in_folder(char *out, size_t size, const char *name)
{
	const char *dir = getenv("TMPDIR");

	snprintf(out, size, "%s/%s", dir ? dir : "/tmp", name);
}

static void is_text(const char *path, const char *text)
{
	struct buf b = { 0 };

	assert_int_equal(keepfile_read(path, 1000, &b), 0);
	assert_string_equal(b.data, text);
	buf_fini(&b);
}

/* A link in the way is never followed, and what is there is whole at any time. */
static void files_are_kept_with_care(void **state)
{
	char path[256], other[256], deep[256];
	struct buf text = { 0 };

	(void)state;
	buf_str(&text, "one\n");
	in_folder(path, sizeof(path), "kept");
	in_folder(other, sizeof(other), "other");
	assert_int_equal(keepfile_new(path, &text), 0);
	assert_int_equal(keepfile_new(path, &text), -17 /* EEXIST */);
	buf_clear(&text);
	buf_str(&text, "two\n");
	assert_int_equal(keepfile_replace(path, &text), 0);
	is_text(path, "two\n");
	assert_int_equal(symlink(path, other), 0);
	assert_int_equal(keepfile_replace(other, &text), -40 /* ELOOP */);
	assert_true(keepfile_new(other, &text) < 0);
	is_text(path, "two\n");
	in_folder(deep, sizeof(deep), "a/b/config");
	assert_int_equal(keepfile_folders(deep), 0);
	assert_int_equal(keepfile_replace(deep, &text), 0);
	is_text(deep, "two\n");
	in_folder(deep, sizeof(deep), "a/b");
	assert_int_equal(chmod(deep, 0777), 0);
	in_folder(deep, sizeof(deep), "a/b/config");
	assert_int_equal(keepfile_replace(deep, &text), -1 /* EPERM */);
	assert_int_equal(keepfile_read(path, 2, &text), -27 /* EFBIG */);
	in_folder(deep, sizeof(deep), "a");
	assert_true(keepfile_read(deep, 100, &text) < 0);
	buf_fini(&text);
}

/* By the key: what is there is read when it is saved, not before. */
static void saved_into_what_is_there(void **state)
{
	struct options o = of(NULL);
	struct config c;
	struct tui_settings s = { .view = VIEW_TIME, .mouse = true, .delay_us = 1000000 };
	struct buf text = { 0 };
	char path[256], said[300];

	(void)state;
	in_folder(path, sizeof(path), "xdg");
	setenv("XDG_CONFIG_HOME", path, 1);
	config_open(&c, &o);
	buf_str(&text, "# by hand\nview = memcgs\nfuture = 1\n");
	assert_int_equal(keepfile_folders(c.path), 0);
	assert_int_equal(keepfile_replace(c.path, &text), 0);
	c.keeper.settings(c.keeper.ctx, &s, said, sizeof(said));
	assert_non_null(strstr(said, "saved in"));
	is_text(c.path, "# by hand\nview = time\nfuture = 1\ntheme = auto\nascii = no\nmouse = yes\nunits = bytes\n"
		"motion = on\ndelay = 1s\n");
	/* Too large to be settings: not written over. */
	buf_reserve(&text, 70000);
	for (int i = 0; i < 8000; i++)
		buf_str(&text, "# filled\n");
	assert_int_equal(keepfile_replace(c.path, &text), 0);
	c.keeper.settings(c.keeper.ctx, &s, said, sizeof(said));
	assert_non_null(strstr(said, "left alone"));
	buf_fini(&text);
	config_close(&c);
}

static void where_it_is(void **state)
{
	char path[256];

	(void)state;
	setenv("HOME", "/home/somebody", 1);
	unsetenv("XDG_CONFIG_HOME");
	assert_true(config_path(path, sizeof(path)));
	assert_string_equal(path, "/home/somebody/.config/reclaimtop/config");
	setenv("XDG_CONFIG_HOME", "/etc/mine", 1);
	assert_true(config_path(path, sizeof(path)));
	assert_string_equal(path, "/etc/mine/reclaimtop/config");
	/* What is not absolute is as if it were not there. */
	setenv("XDG_CONFIG_HOME", "mine", 1);
	assert_true(config_path(path, sizeof(path)));
	assert_string_equal(path, "/home/somebody/.config/reclaimtop/config");
	unsetenv("HOME");
	assert_false(config_path(path, sizeof(path)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_setting), cmocka_unit_test(the_command_line_goes_before),
		cmocka_unit_test(wrong_lines_are_passed_over), cmocka_unit_test(keys_may_be_exchanged),
		cmocka_unit_test(what_is_saved_comes_back), cmocka_unit_test(files_are_kept_with_care),
		cmocka_unit_test(a_direction_comes_back), cmocka_unit_test(what_somebody_wrote_stays),
		cmocka_unit_test(saved_into_what_is_there), cmocka_unit_test(where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which colours go to which terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_pty.h"
#include "ui/tui/theme.h"

/* All that a terminal gets while somebody looks round. */
static void look_round(struct far *f, const struct far_wish *w)
{
	far_start(f, w);
	assert_true(far_sees(f, "Generations", 5000));
	far_press(f, "23451h");
	assert_true(far_sees(f, "How pages move", 5000));
	far_press(f, "\033q");
	far_ended_well(f);
}

/*
 * A terminal's palette is the user's: nothing sets a colour (OSC 4, and initc of others), nothing sets colours back to what
 * they were when the terminal was built (OSC 104), not even at the end. The terminfo of xterm offers curses both.
 */
static void the_palette_is_left_alone(void **state)
{
	static const char *const terms[] = { "xterm-256color", "xterm", "linux", "tmux-256color" };

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct far_wish w = { .rows = 40, .cols = 120, .term = terms[i] };
		struct far f;

		far_start(&f, &w);
		if (far_sees(&f, "Generations", 2000)) {
			far_press(&f, "23451");
			far_wait(&f, 100);
			assert_null(strstr(f.seen.data, "\033]4;"));
			assert_null(strstr(f.seen.data, "\033]104"));
			assert_null(strstr(f.seen.data, "\033]P"));
			assert_null(strstr(f.seen.data, "\033]R"));
		}
		far_press(&f, "q");
		far_end(&f, 5000);
		assert_null(strstr(f.seen.data, "\033]104"));
		assert_null(strstr(f.seen.data, "\033]R"));
		far_done(&f);
	}
}

static const char direct[] =
	"xterm-direct|a terminal that takes colours as red, green and blue,\n"
	"\tRGB, colors#0x1000000, pairs#0x7ffff, ccc@, initc@, oc@,\n"
	"\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,\n"
	"\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,\n"
	"\tuse=xterm-256color,\n";

/* A terminal of this kind in a folder of its own; false where there is no tic. */
static bool make_direct(void)
{
	const char *dir = getenv("TMPDIR");
	char path[256], command[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/direct.ti", dir ? dir : "/tmp");
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(direct, f);
	fclose(f);
	snprintf(command, sizeof(command), "tic -x -o '%s/terminfo' '%s' 2>/dev/null", dir ? dir : "/tmp", path);
	if (system(command))
		return false;
	snprintf(path, sizeof(path), "%s/terminfo", dir ? dir : "/tmp");
	setenv("TERMINFO", path, 1);
	return true;
}

/* Where a colour stands for itself it is sent so, and is the very colour that others have by its number. */
static void direct_color_where_there_is_any(void **state)
{
	struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-direct" };
	uint32_t key = theme_rgb(theme_look(STYLE_KEY, THEME_DARK, 256).fg);
	char wanted[40];
	struct far f;

	(void)state;
	if (!make_direct())
		skip();
	look_round(&f, &w);
	snprintf(wanted, sizeof(wanted), "38:2::%u:%u:%u", key >> 16, key >> 8 & 255, key & 255);
	assert_non_null(strstr(f.seen.data, wanted));
	assert_null(strstr(f.seen.data, "38;5;"));
	far_done(&f);
	unsetenv("TERMINFO");
}

/* COLORTERM says what a terminal claims; what curses can send is in its terminfo alone. */
static void no_direct_color_elsewhere(void **state)
{
	struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-256color" };
	struct far f;

	(void)state;
	setenv("COLORTERM", "truecolor", 1);
	look_round(&f, &w);
	assert_null(strstr(f.seen.data, "38:2:"));
	assert_null(strstr(f.seen.data, "38;2;"));
	assert_non_null(strstr(f.seen.data, "38;5;"));
	far_done(&f);
	unsetenv("COLORTERM");
}

static void themes_are_as_asked_for(void **state)
{
	static const struct {
		enum tui_theme wanted;
		const char *ground;
		enum tui_theme is;
	} cases[] = {
		{ THEME_AUTO, NULL, THEME_DARK }, { THEME_AUTO, "0;15", THEME_LIGHT },
		{ THEME_LIGHT, "15;0", THEME_LIGHT }, { THEME_DARK, "0;15", THEME_DARK },
		{ THEME_MONO, NULL, THEME_MONO },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-256color",
				      .options = { .theme = cases[i].wanted } };
		char dark[16], light[16];
		struct far f;

		if (cases[i].ground)
			setenv("COLORFGBG", cases[i].ground, 1);
		look_round(&f, &w);
		unsetenv("COLORFGBG");
		snprintf(dark, sizeof(dark), "38;5;%dm", theme_look(STYLE_KEY, THEME_DARK, 256).fg);
		snprintf(light, sizeof(light), "38;5;%dm", theme_look(STYLE_KEY, THEME_LIGHT, 256).fg);
		if ((strstr(f.seen.data, dark) != NULL) != (cases[i].is == THEME_DARK))
			fail_msg("case %zu: %s", i, dark);
		assert_int_equal(strstr(f.seen.data, light) != NULL, cases[i].is == THEME_LIGHT);
		assert_int_equal(strstr(f.seen.data, "38;5;") != NULL, cases[i].is != THEME_MONO);
		far_done(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_palette_is_left_alone),
		cmocka_unit_test(direct_color_where_there_is_any),
		cmocka_unit_test(no_direct_color_elsewhere),
		cmocka_unit_test(themes_are_as_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

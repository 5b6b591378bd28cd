/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Colours that every eye tells apart, on every ground, and that no style lacks. How an eye without one kind of cones sees is
 * simulated after Machado, Oliveira and Fernandes (2009); distances are those of CIE 1976 L*a*b*.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ui/tui/theme.h"

enum eye { EYE_USUAL, EYE_PROTAN, EYE_DEUTAN, EYE_NR };

static const double cones[EYE_NR][3][3] = {
	[EYE_USUAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	[EYE_PROTAN] = { { 0.152286, 1.052583, -0.204868 },
			 { 0.114503, 0.786281, 0.099216 },
			 { -0.003882, -0.048116, 1.051998 } },
	[EYE_DEUTAN] = { { 0.367322, 0.860646, -0.227968 },
			 { 0.280085, 0.672501, 0.047413 },
			 { -0.011820, 0.042940, 0.968881 } },
};

static double linear(uint32_t part)
{
	double c = (part & 0xff) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void seen_by(enum eye eye, uint32_t rgb, double out[3])
{
	const double in[3] = { linear(rgb >> 16), linear(rgb >> 8), linear(rgb) };

	for (int i = 0; i < 3; i++) {
		out[i] = 0;
		for (int k = 0; k < 3; k++)
			out[i] += cones[eye][i][k] * in[k];
		out[i] = fmin(1, fmax(0, out[i]));
	}
}

static double bent(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16 / 116.0;
}

static void lab(enum eye eye, uint32_t rgb, double out[3])
{
	double c[3], x, y, z;

	seen_by(eye, rgb, c);
	x = bent((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
	y = bent(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
	z = bent((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

static double distance(enum eye eye, uint32_t a, uint32_t b)
{
	double p[3], q[3];

	lab(eye, a, p);
	lab(eye, b, q);
	return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

static double contrast(uint32_t a, uint32_t b)
{
	double p[3], q[3], x, y;

	seen_by(EYE_USUAL, a, p);
	seen_by(EYE_USUAL, b, q);
	x = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2] + 0.05;
	y = 0.2126 * q[0] + 0.7152 * q[1] + 0.0722 * q[2] + 0.05;
	return x > y ? x / y : y / x;
}

/* What must be told apart from what. */
static const struct {
	const char *what;
	enum style styles[6];
	int n;
} sets[] = {
	{ "generations", { STYLE_GEN0, STYLE_GEN1, STYLE_GEN2, STYLE_GEN3 }, 4 },
	{ "states", { STYLE_GOOD, STYLE_NOTE, STYLE_WARN, STYLE_ALARM }, 4 },
	{ "types", { STYLE_ANON, STYLE_FILE, STYLE_FREE }, 3 },
	{ "flows", { STYLE_FLOW_IN, STYLE_FLOW_OUT, STYLE_FLOW_UP }, 3 },
};

#define SETS (sizeof(sets) / sizeof(sets[0]))
#define APART 18.0       /* 2 is what an eye just sees side by side */
#define APART_FEW 14.0

static uint32_t color_of(enum style style, enum tui_theme theme, int colors)
{
	struct look look = theme_look(style, theme, colors);

	/* What is dimmed and has the terminal's own colour is in between. */
	return look.fg < 0 ? 0x7f7f7f : theme_rgb(look.fg);
}

static void are_apart(size_t s, enum tui_theme theme, int colors, double least)
{
	for (int i = 0; i < sets[s].n; i++)
		for (int k = i + 1; k < sets[s].n; k++)
			for (int eye = 0; eye < EYE_NR; eye++) {
				double d = distance((enum eye)eye, color_of(sets[s].styles[i], theme, colors),
						    color_of(sets[s].styles[k], theme, colors));

				if (d < least)
					fail_msg("%s with %d colours, %s %d and %d: %.1f for eye %d", theme_name(theme), colors,
						 sets[s].what, i, k, d, eye);
			}
}

static void every_eye_tells_them_apart(void **state)
{
	(void)state;
	for (enum tui_theme theme = THEME_DARK; theme <= THEME_LIGHT; theme++)
		for (size_t s = 0; s < SETS; s++) {
			are_apart(s, theme, 256, APART);
			/* Where they are as xterm has them; elsewhere they are the terminal's affair. */
			are_apart(s, theme, 16, APART_FEW);
			are_apart(s, theme, 8, APART_FEW);
		}
}

/* Text can be read on its ground: dark ones up to a dark grey, light ones down to cream. */
static void text_is_seen(void **state)
{
	static const uint32_t grounds[2][3] = { { 0x000000, 0x101418, 0x1e1e1e }, { 0xffffff, 0xfdf6e3, 0xeeeeee } };

	(void)state;
	for (enum tui_theme theme = THEME_DARK; theme <= THEME_LIGHT; theme++)
		for (int i = 0; i < STYLE_NR; i++) {
			struct look look = theme_look((enum style)i, theme, 256);
			/* A block of a generation, and the ground of a bar, are shapes and no text. */
			double least = (i >= STYLE_GEN0 && i <= STYLE_GEN3) || i == STYLE_FREE ? 1.7 : 3;

			for (int g = 0; g < 3; g++) {
				uint32_t ground = look.bg < 0 ? grounds[theme == THEME_LIGHT][g] : theme_rgb(look.bg);

				if (look.fg >= 0 && contrast(theme_rgb(look.fg), ground) < least)
					fail_msg("%s on %06x in %s: %.1f", style_name((enum style)i), ground,
						 theme_name(theme), contrast(theme_rgb(look.fg), ground));
			}
		}
}

static void generations_fall_in_lightness(void **state)
{
	(void)state;
	for (enum tui_theme theme = THEME_DARK; theme <= THEME_LIGHT; theme++)
		for (enum style i = STYLE_GEN0; i < STYLE_GEN3; i++) {
			double young[3], old[3];

			lab(EYE_USUAL, color_of(i, theme, 256), young);
			lab(EYE_USUAL, color_of(i + 1, theme, 256), old);
			assert_true(young[0] > old[0] + 5);
		}
}

/* A style that somebody added to the list and not to the theme would be black on black. */
static void no_style_is_forgotten(void **state)
{
	static const int depths[] = { 0, 8, 16, 88, 256, THEME_DIRECT };

	(void)state;
	for (enum tui_theme theme = THEME_DARK; theme < THEME_NR; theme++)
		for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++)
			for (int i = 0; i < STYLE_NR; i++) {
				struct look look = theme_look((enum style)i, theme, depths[d]);
				int least = theme == THEME_MONO || depths[d] < 8 ? 0 : depths[d] < 16 ? 8 : depths[d] < 256 ? 16 : 256;

				if (look.fg == look.bg && look.fg >= 0)
					fail_msg("%s in %s with %d colours", style_name((enum style)i), theme_name(theme),
						 depths[d]);
				assert_true(look.fg < least && look.bg < least);
				/* With many colours none of those that every terminal paints in its own way. */
				if (depths[d] >= 256 && theme != THEME_MONO)
					assert_true((look.fg < 0 || look.fg >= 16) && (look.bg < 0 || look.bg >= 16));
			}
}

static void a_theme_is_settled(void **state)
{
	(void)state;
	assert_int_equal(theme_settle(THEME_AUTO, NULL), THEME_DARK);
	assert_int_equal(theme_settle(THEME_AUTO, ""), THEME_DARK);
	assert_int_equal(theme_settle(THEME_AUTO, "15;0"), THEME_DARK);
	assert_int_equal(theme_settle(THEME_AUTO, "0;15"), THEME_LIGHT);
	assert_int_equal(theme_settle(THEME_AUTO, "0;default;15"), THEME_LIGHT);
	assert_int_equal(theme_settle(THEME_AUTO, "0;7"), THEME_LIGHT);
	assert_int_equal(theme_settle(THEME_AUTO, "15;8"), THEME_DARK);
	assert_int_equal(theme_settle(THEME_AUTO, "0;default"), THEME_DARK);
	assert_int_equal(theme_settle(THEME_AUTO, "0;15000000000000"), THEME_DARK);
	assert_int_equal(theme_settle(THEME_LIGHT, "15;0"), THEME_LIGHT);
	assert_int_equal(theme_settle(THEME_MONO, "0;15"), THEME_MONO);
	assert_int_equal(theme_by_name("light"), THEME_LIGHT);
	assert_int_equal(theme_by_name("lig"), THEME_NR);
}

/* Values of the 256 colours as xterm's own table has them. */
static void numbers_of_colors(void **state)
{
	(void)state;
	assert_int_equal(theme_rgb(16), 0x000000);
	assert_int_equal(theme_rgb(196), 0xff0000);
	assert_int_equal(theme_rgb(208), 0xff8700);
	assert_int_equal(theme_rgb(231), 0xffffff);
	assert_int_equal(theme_rgb(232), 0x080808);
	assert_int_equal(theme_rgb(255), 0xeeeeee);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_eye_tells_them_apart), cmocka_unit_test(text_is_seen),
		cmocka_unit_test(generations_fall_in_lightness), cmocka_unit_test(no_style_is_forgotten),
		cmocka_unit_test(a_theme_is_settled), cmocka_unit_test(numbers_of_colors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

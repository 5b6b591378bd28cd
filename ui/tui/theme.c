/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "theme.h"

#include <string.h>

#define OWN (-1)

/* Terminals with 8 or 16 colours on a light ground have the same: the light halves cannot be read there. */
enum palette { PALETTE_MONO, PALETTE_8, PALETTE_16, PALETTE_FEW_LIGHT, PALETTE_DARK, PALETTE_LIGHT, PALETTE_NR };

/* The generations fall in lightness from hot to cold, so that they stay apart in grey too. */
static const struct look looks[STYLE_NR][PALETTE_NR] = {
	[STYLE_PLAIN] = { { OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 },
			{ OWN, OWN, 0 }, { OWN, OWN, 0 }, { OWN, OWN, 0 } },
	[STYLE_DIM] = { { OWN, OWN, LOOK_DIM }, { OWN, OWN, LOOK_DIM }, { 8, OWN, 0 },
			{ OWN, OWN, LOOK_DIM }, { 244, OWN, 0 }, { 242, OWN, 0 } },
	[STYLE_BOLD] = { { OWN, OWN, LOOK_BOLD }, { OWN, OWN, LOOK_BOLD }, { OWN, OWN, LOOK_BOLD },
			{ OWN, OWN, LOOK_BOLD }, { OWN, OWN, LOOK_BOLD }, { OWN, OWN, LOOK_BOLD } },
	[STYLE_TITLE] = { { OWN, OWN, LOOK_BOLD }, { 6, OWN, LOOK_BOLD }, { 14, OWN, LOOK_BOLD },
			{ 4, OWN, LOOK_BOLD }, { 80, OWN, LOOK_BOLD }, { 24, OWN, LOOK_BOLD } },
	[STYLE_HEAD] = { { OWN, OWN, LOOK_REVERSE }, { 0, 6, 0 }, { 0, 6, 0 },
			{ 7, 4, 0 }, { 252, 238, 0 }, { 16, 252, 0 } },
	[STYLE_HEAD_SORT] = { { OWN, OWN, LOOK_REVERSE | LOOK_BOLD }, { 0, 3, 0 }, { 0, 11, 0 },
			{ 0, 3, 0 }, { 16, 179, 0 }, { 16, 215, 0 } },
	[STYLE_SELECTED] = { { OWN, OWN, LOOK_REVERSE }, { OWN, OWN, LOOK_REVERSE }, { OWN, OWN, LOOK_REVERSE },
			{ OWN, OWN, LOOK_REVERSE }, { 231, 24, 0 }, { 231, 25, 0 } },
	[STYLE_KEY] = { { OWN, OWN, LOOK_BOLD }, { 6, OWN, LOOK_BOLD }, { 14, OWN, 0 },
			{ 4, OWN, LOOK_BOLD }, { 80, OWN, LOOK_BOLD }, { 24, OWN, LOOK_BOLD } },
	[STYLE_BAR_TEXT] = { { OWN, OWN, LOOK_REVERSE }, { 0, 7, 0 }, { 0, 7, 0 },
			{ 7, 0, 0 }, { 16, 250, 0 }, { 231, 240, 0 } },
	[STYLE_GEN0] = { { OWN, OWN, LOOK_BOLD }, { 3, OWN, LOOK_BOLD }, { 11, OWN, 0 },
			{ 3, OWN, 0 }, { 227, OWN, 0 }, { 178, OWN, 0 } },
	[STYLE_GEN1] = { { OWN, OWN, 0 }, { 1, OWN, LOOK_BOLD }, { 9, OWN, 0 },
			{ 1, OWN, 0 }, { 208, OWN, 0 }, { 166, OWN, 0 } },
	[STYLE_GEN2] = { { OWN, OWN, 0 }, { 5, OWN, 0 }, { 5, OWN, 0 },
			{ 5, OWN, 0 }, { 169, OWN, 0 }, { 126, OWN, 0 } },
	[STYLE_GEN3] = { { OWN, OWN, LOOK_DIM }, { 4, OWN, LOOK_BOLD }, { 12, OWN, 0 },
			{ 4, OWN, 0 }, { 63, OWN, 0 }, { 19, OWN, 0 } },
	[STYLE_ANON] = { { OWN, OWN, LOOK_BOLD }, { 3, OWN, 0 }, { 11, OWN, 0 },
			{ 3, OWN, 0 }, { 214, OWN, 0 }, { 130, OWN, 0 } },
	[STYLE_FILE] = { { OWN, OWN, 0 }, { 6, OWN, 0 }, { 14, OWN, 0 },
			{ 4, OWN, 0 }, { 39, OWN, 0 }, { 26, OWN, 0 } },
	[STYLE_FREE] = { { OWN, OWN, LOOK_DIM }, { OWN, OWN, LOOK_DIM }, { 8, OWN, 0 },
			{ OWN, OWN, LOOK_DIM }, { 240, OWN, 0 }, { 248, OWN, 0 } },
	[STYLE_GOOD] = { { OWN, OWN, 0 }, { 6, OWN, 0 }, { 14, OWN, 0 },
			{ 6, OWN, 0 }, { 79, OWN, 0 }, { 30, OWN, 0 } },
	[STYLE_NOTE] = { { OWN, OWN, LOOK_BOLD }, { 4, OWN, LOOK_BOLD }, { 12, OWN, 0 },
			{ 4, OWN, 0 }, { 69, OWN, 0 }, { 26, OWN, 0 } },
	[STYLE_WARN] = { { OWN, OWN, LOOK_BOLD }, { 3, OWN, LOOK_BOLD }, { 11, OWN, LOOK_BOLD },
			{ 3, OWN, LOOK_BOLD }, { 228, OWN, LOOK_BOLD }, { 130, OWN, LOOK_BOLD } },
	[STYLE_ALARM] = { { OWN, OWN, LOOK_BOLD | LOOK_REVERSE }, { 1, OWN, LOOK_BOLD }, { 9, OWN, LOOK_BOLD },
			{ 1, OWN, LOOK_BOLD }, { 203, OWN, LOOK_BOLD }, { 52, OWN, LOOK_BOLD } },
	[STYLE_INFERRED] = { { OWN, OWN, 0 }, { OWN, OWN, 0 }, { 7, OWN, 0 },
			{ OWN, OWN, 0 }, { 250, OWN, 0 }, { 239, OWN, 0 } },
	[STYLE_UNKNOWN] = { { OWN, OWN, LOOK_DIM }, { OWN, OWN, LOOK_DIM }, { 8, OWN, 0 },
			{ OWN, OWN, LOOK_DIM }, { 242, OWN, 0 }, { 243, OWN, 0 } },
	[STYLE_DYING] = { { OWN, OWN, LOOK_DIM }, { 5, OWN, 0 }, { 13, OWN, 0 },
			{ 5, OWN, 0 }, { 139, OWN, 0 }, { 96, OWN, 0 } },
	[STYLE_FLOW_IN] = { { OWN, OWN, 0 }, { 6, OWN, 0 }, { 14, OWN, 0 },
			{ 4, OWN, 0 }, { 39, OWN, 0 }, { 26, OWN, 0 } },
	[STYLE_FLOW_OUT] = { { OWN, OWN, LOOK_BOLD }, { 3, OWN, LOOK_BOLD }, { 11, OWN, LOOK_BOLD },
			{ 3, OWN, LOOK_BOLD }, { 214, OWN, LOOK_BOLD }, { 130, OWN, LOOK_BOLD } },
	[STYLE_FLOW_UP] = { { OWN, OWN, LOOK_BOLD }, { 5, OWN, LOOK_BOLD }, { 13, OWN, LOOK_BOLD },
			{ 5, OWN, LOOK_BOLD }, { 182, OWN, LOOK_BOLD }, { 89, OWN, LOOK_BOLD } },
};

static const char *const names[THEME_NR] = {
	[THEME_AUTO] = "auto", [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_MONO] = "mono",
};

struct look theme_look(enum style style, enum tui_theme theme, int colors)
{
	bool light = theme == THEME_LIGHT;
	enum palette palette = colors >= 256 ? PALETTE_DARK : colors >= 16 ? PALETTE_16 : PALETTE_8;

	if (colors < 8 || theme == THEME_MONO)
		palette = PALETTE_MONO;
	else if (light)
		palette = colors >= 256 ? PALETTE_LIGHT : PALETTE_FEW_LIGHT;
	return looks[style < STYLE_NR ? style : STYLE_PLAIN][palette];
}

static uint32_t rgb(uint32_t red, uint32_t green, uint32_t blue)
{
	return red << 16 | green << 8 | blue;
}

uint32_t theme_rgb(int color)
{
	static const uint32_t first[16] = {
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	};
	static const uint32_t steps[6] = { 0, 95, 135, 175, 215, 255 };
	uint32_t n = (uint32_t)color & 0xff;

	if (n < 16)
		return first[n];
	if (n >= 232)
		return rgb(8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232));
	n -= 16;
	return rgb(steps[n / 36], steps[n / 6 % 6], steps[n % 6]);
}

/* The last field is the ground: of the 16 colours, white and the light ones but dark grey are light. */
static bool is_light(const char *colorfgbg)
{
	const char *last = strrchr(colorfgbg, ';');
	int ground = 0, digits = 0;

	for (last = last ? last + 1 : ""; *last >= '0' && *last <= '9' && digits < 3; last++, digits++)
		ground = ground * 10 + (*last - '0');
	return digits && !*last && (ground == 7 || (ground >= 9 && ground <= 15));
}

enum tui_theme theme_settle(enum tui_theme wanted, const char *colorfgbg)
{
	if (wanted != THEME_AUTO)
		return wanted;
	return colorfgbg && is_light(colorfgbg) ? THEME_LIGHT : THEME_DARK;
}

enum tui_theme theme_by_name(const char *name)
{
	int i = 0;

	while (i < THEME_NR && strcmp(names[i], name))
		i++;
	return (enum tui_theme)i;
}

const char *theme_name(enum tui_theme theme)
{
	return theme < THEME_NR ? names[theme] : "?";
}

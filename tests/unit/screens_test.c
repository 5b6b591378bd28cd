/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Screens as they were when somebody last looked at them and found them right: tests/screens. `make golden` writes them
 * anew; read what changed before you keep it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_golden.h"
#include "support_script.h"

/* Frames up to the one before sample are shown, then keys are pressed, then the sample comes. */
struct shot {
	const char *name, *series;
	uint32_t sample;
	const char *keys;
	bool ascii, whole;      /* whole: styles at each size, else at one */
};

static const struct shot shots[] = {
	{ "7.2-overview", "7.2-pressure", 8, "1", false, true },
	{ "7.2-generations", "7.2-pressure", 8, "2", false, true },
	{ "7.2-memcgs", "7.2-pressure", 8, "3", false, true },
	{ "7.2-pagesets", "7.2-pressure", 8, "4", false, true },
	{ "7.2-processes", "7.2-pressure", 8, "5", false, true },
	{ "7.2-first-sample", "7.2-pressure", 0, "1", false, false },
	{ "7.2-births", "7.2-pressure", 3, "2<End>", false, false },
	{ "7.2-limit", "7.2-pressure", 14, "3<Down>", false, false },
	{ "6.1-overview", "6.1-pressure", 8, "1", false, false },
	{ "6.1-generations", "6.1-pressure", 8, "2", false, false },
	{ "6.1-memcgs", "6.1-pressure", 8, "3", false, false },
	{ "6.1-pagesets", "6.1-pressure", 8, "4", false, false },
	{ "numa-overview", "7.2-numa2", 10, "1", false, false },
	{ "numa-generations", "7.2-numa2", 10, "2<End>", false, false },
	{ "numa-memcgs", "7.2-numa2", 10, "3>", false, false },
	{ "numa-pagesets", "7.2-numa2", 10, "4", false, false },
	{ "off-overview", "7.2-disabled", 1, "1", false, false },
	{ "off-generations", "7.2-disabled", 1, "2", false, false },
	{ "off-memcgs", "7.2-disabled", 1, "3", false, false },
	{ "switched-on", "7.2-disabled", 2, "2", false, false },
	{ "odd-overview", "7.2-oddnames", 1, "1", false, false },
	{ "odd-generations", "7.2-oddnames", 1, "2<End>", false, false },
	{ "odd-memcgs", "7.2-oddnames", 1, "3<", false, false },
	{ "odd-tree", "7.2-oddnames", 1, "3v", false, false },
	{ "tiers", "7.2-pressure", 8, "2<Down><Down><Down>d", false, false },
	{ "migratetypes", "7.2-pressure", 8, "4p", false, false },
	{ "help", "7.2-pressure", 8, "3h", false, false },
	{ "help-end", "7.2-pressure", 8, "3h<End>", false, false },
	{ "explain", "7.2-pressure", 8, "2e<Down><Down><Down><Down><Down>", false, false },
	{ "explain-unknown", "7.2-pressure", 0, "1e<Up><Up><Up><Up><Up>", false, false },
	{ "words-overview", "7.2-pressure", 8, "1x", false, false },
	{ "words-generations", "7.2-pressure", 8, "2<Down>x", false, false },
	{ "words-memcgs", "7.2-pressure", 8, "3x", false, false },
	{ "words-pagesets", "7.2-numa2", 10, "4x", false, false },
	{ "words-processes", "7.2-pressure", 8, "5x", false, false },
	{ "words-first", "7.2-pressure", 0, "3x", false, false },
	{ "words-off", "7.2-disabled", 1, "2x", false, false },
	{ "filter", "7.2-oddnames", 1, "3/POD1", false, false },
	{ "pages", "7.2-pressure", 8, "3u", false, false },
	{ "ascii-overview", "7.2-pressure", 8, "1", true, true },
	{ "ascii-generations", "7.2-pressure", 8, "2", true, true },
	{ "ascii-memcgs", "7.2-oddnames", 1, "3<", true, true },
	{ "ascii-pagesets", "7.2-pressure", 8, "4", true, true },
	{ "ascii-processes", "7.2-pressure", 8, "5", true, true },
};

static const struct {
	int rows, cols;
	bool styles;
} sizes[] = { { 40, 120, false }, { 24, 80, true }, { 20, 60, false } };

static void take(const struct shot *shot, struct buf *out)
{
	const struct tui_options options = { .view = VIEW_OVERVIEW, .ascii = shot->ascii };
	char dir[128];

	snprintf(dir, sizeof(dir), "tests/roots/%s", shot->series);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage s;

		stage_open(&s, dir, &options);
		stage_size(&s, sizes[i].rows, sizes[i].cols);
		if (shot->sample)
			stage_to(&s, shot->sample - 1);
		stage_keys(&s, shot->keys);
		stage_to(&s, shot->sample);
		buf_printf(out, "---- %s %s sample %u, keys %s, %dx%d\n", shot->name, shot->series, shot->sample,
			   shot->keys, sizes[i].cols, sizes[i].rows);
		grid_dump(&s.grid, shot->whole || (sizes[i].styles && !shot->ascii), out);
		stage_close(&s);
	}
}

static void screens_are_as_they_were(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf is = { 0 };

		take(&shots[i], &is);
		wrong += !golden_is(shots[i].name, &is);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

/* Without UTF-8 nothing but ASCII is on the screen, names included. */
static void ascii_is_ascii(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct shot ascii = shots[i];
		struct buf out = { 0 };

		ascii.ascii = true;
		take(&ascii, &out);
		for (size_t k = 0; k < out.len; k++)
			assert_in_range((unsigned char)out.data[k], 1, 126);
		buf_fini(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_are_as_they_were),
		cmocka_unit_test(ascii_is_ascii),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the river looks like while it moves: tests/screens/river-*. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_golden.h"
#include "support_grid.h"
#include "support_river.h"

static const struct shot {
	const char *name, *series;
	uint32_t sample;
	const char *keys;
	int64_t after_us; /* of the last sample */
	bool ascii, no_braille;
} shots[] = {
	{ "river-7.2", PRESSURE, 8, "", 900000, false, false },
	{ "river-climbs", PRESSURE, 2, "<Right><Right>", 900000, false, false },
	{ "river-birth", PRESSURE, 3, "<End>", 400000, false, false },
	{ "river-birth-sum", PRESSURE, 3, "", 400000, false, false },
	{ "river-slow-log", PRESSURE, 8, "zo", 900000, false, false },
	{ "river-ascii", PRESSURE, 3, "", 900000, true, false },
	{ "river-console", PRESSURE, 3, "", 900000, false, true },
	{ "river-6.1", "tests/roots/6.1-pressure", 8, "", 900000, false, false },
	{ "river-node", "tests/roots/7.2-numa2", 5, "<End>ww", 900000, false, false },
	{ "river-classic", "tests/roots/6.12-disabled", 1, "", 900000, false, false },
};

static const int sizes[][2] = { { 40, 120 }, { 24, 80 }, { 20, 60 }, { 60, 200 } };

static void take(const struct shot *shot, struct buf *out)
{
	const struct tui_options o = { .ascii = shot->ascii, .no_braille = shot->no_braille };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct stage s;
		int64_t now;

		river_stage(&s, shot->series, &o, sizes[i][0], sizes[i][1]);
		now = river_play(&s, shot->sample - 1, SECOND);
		river_press(&s, shot->keys, now);
		now = river_play(&s, shot->sample, now) + shot->after_us;
		tui_draw(s.tui, now, &s.grid);
		is_whole(&s.grid);
		/* Tabs and keys are others' affair. */
		grid_fill(&s.grid, (struct rect){ 1, 0, 1, s.grid.cols }, STYLE_PLAIN, " ");
		grid_fill(&s.grid, (struct rect){ s.grid.rows - 1, 0, 1, s.grid.cols }, STYLE_PLAIN,
			  " ");
		buf_printf(out, "---- %s sample %u, keys 2%s, %d ms later, %dx%d\n", shot->name,
			   shot->sample, shot->keys, (int)(shot->after_us / 1000), sizes[i][1],
			   sizes[i][0]);
		grid_dump(&s.grid, i == 0 && !shot->ascii, out);
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
		for (size_t k = 0; shots[i].ascii && k < is.len; k++)
			assert_in_range((unsigned char)is.data[k], 1, 126);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

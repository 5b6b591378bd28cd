/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Screens of the demo, which holds processes: in colour (text and styles) and in ASCII, each at three sizes. `make golden` writes
 * them anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_golden.h"
#include "support_grid.h"
#include "support_script.h"

/* The samples before are passed by; keys are pressed over the one before it, then it comes. */
static const struct shot {
	const char *name;
	uint32_t sample;
	const char *keys;
} shots[] = {
	{ "demo-overview", 166, "1" },
	{ "demo-generations", 166, "2" },
	{ "demo-memcgs", 166, "3" },
	{ "demo-pagesets", 166, "4" },
	{ "demo-processes", 201, "5" },
	{ "demo-killed", 122, "5>>>" },
	{ "demo-words", 201, "5x" },
	{ "demo-explain", 166, "3e" },
	{ "demo-help", 166, "5h" },
	{ "demo-glossary", 166, "1hg" },
};

static const struct {
	int rows, cols;
} sizes[] = { { 40, 120 }, { 24, 80 }, { 20, 60 } };

static void take(const struct shot *shot, bool ascii, struct buf *out)
{
	const struct tui_options options = { .view = VIEW_OVERVIEW, .ascii = ascii, .no_motion = true };
	struct reel *reel = reel_open("data/demo.jsonl.zst");
	struct tui *tuis[3];
	struct frame f;
	struct grid g = { 0 };

	while (reel_next(reel, &f) && f.now->n + 1 < shot->sample)
		;
	for (int i = 0; i < 3; i++) {
		const char *keys = shot->keys;

		tuis[i] = tui_new(&options);
		tui_frame(tuis[i], &f);
		grid_resize(&g, sizes[i].rows, sizes[i].cols);
		tui_draw(tuis[i], 0, &g);
		while (*keys) {
			tui_key(tuis[i], script_key(&keys));
			tui_draw(tuis[i], 0, &g);
		}
	}
	assert_true(reel_next(reel, &f));
	for (int i = 0; i < 3; i++) {
		tui_frame(tuis[i], &f);
		grid_resize(&g, sizes[i].rows, sizes[i].cols);
		tui_draw(tuis[i], 0, &g);
		is_whole(&g);
		buf_printf(out, "---- %s%s demo sample %u, keys %s, %dx%d\n", shot->name, ascii ? " ascii" : "",
			   (unsigned int)f.now->n, shot->keys, sizes[i].cols, sizes[i].rows);
		grid_dump(&g, !ascii, out);
		tui_free(tuis[i]);
	}
	grid_fini(&g);
	reel_close(reel);
}

static void screens_are_as_they_were(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf is = { 0 };

		take(&shots[i], false, &is);
		take(&shots[i], true, &is);
		wrong += !golden_is(shots[i].name, &is);
		buf_fini(&is);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

static void ascii_is_ascii(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf out = { 0 };

		take(&shots[i], true, &out);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Home and End: the rows', or those of time while its line is on screen. ^ and $: always the rows'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_script.h"
#include "ui/tui/keys.h"
#include "ui/tui/view.h"

/* As a replay shows it: a frame that can go in time, and is past. */
static void begin(struct stage *s, bool replay)
{
	static struct bucket line[BUCKET_NR];
	const struct tui_options options = { .view = VIEW_MEMCGS };
	struct frame f;

	stage_open(s, "tests/roots/7.2-pressure", &options);
	stage_size(s, 24, 80);
	stage_to(s, 8);
	f = s->frame;
	f.when = (struct when){ .can = replay, .replay = replay, .past = replay, .index = 8, .count = 15,
				.line = line, .said = "", .seen_permille = 1000, .speed = 10 };
	tui_frame(s->tui, &f);
	stage_draw(s);
}

static int row(struct stage *s)
{
	return views[VIEW_MEMCGS]->sheet(s->tui)->at;
}

static int last_row(struct stage *s)
{
	return views[VIEW_MEMCGS]->sheet(s->tui)->nrows - 1;
}

static void rows_have_keys_of_their_own(void **state)
{
	(void)state;
	for (int replay = 0; replay < 2; replay++) {
		struct stage s;

		begin(&s, replay);
		assert_true(last_row(&s) > 1);
		assert_true(stage_press(&s, '$') & TUI_REDRAW);
		assert_int_equal(row(&s), last_row(&s));
		assert_int_equal(stage_press(&s, '^') & TUI_WISH, 0);
		assert_int_equal(row(&s), 0);
		stage_close(&s);
	}
}

static void home_and_end_go_in_time_by_its_line(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, true);
	stage_press(&s, KEYCODE_DOWN);
	assert_true(stage_press(&s, KEYCODE_HOME) & TUI_WISH);
	assert_int_equal(tui_wish(s.tui)->kind, WISH_FIRST);
	assert_true(stage_press(&s, KEYCODE_END) & TUI_WISH);
	assert_int_equal(tui_wish(s.tui)->kind, WISH_LAST);
	assert_int_equal(row(&s), 1);
	/* Without it they are the table's. */
	stage_press(&s, 'l');
	assert_int_equal(stage_press(&s, KEYCODE_END) & TUI_WISH, 0);
	assert_int_equal(row(&s), last_row(&s));
	assert_int_equal(stage_press(&s, KEYCODE_HOME) & TUI_WISH, 0);
	assert_int_equal(row(&s), 0);
	stage_close(&s);
}

static void live_they_are_the_rows(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, false);
	stage_press(&s, KEYCODE_END);
	assert_int_equal(row(&s), last_row(&s));
	stage_press(&s, KEYCODE_HOME);
	assert_int_equal(row(&s), 0);
	stage_close(&s);
}

/* What help says of the two keys is what they do. */
static void help_says_so(void **state)
{
	const struct key_entry *home = keys_find(KEYCODE_HOME, VIEW_MEMCGS);
	const struct key_entry *first = keys_find('^', VIEW_MEMCGS), *ends = keys_find('g', VIEW_MEMCGS);

	(void)state;
	assert_non_null(strstr(home->help, "While the time line is on screen"));
	assert_non_null(strstr(first->help, "to the first row or to the last"));
	assert_non_null(strstr(ends->help, "Home and End do the same while the time line is on screen"));
	assert_ptr_equal(keys_find(KEYCODE_HOME, VIEW_TIME)->handler, time_key_end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_have_keys_of_their_own),
		cmocka_unit_test(home_and_end_go_in_time_by_its_line),
		cmocka_unit_test(live_they_are_the_rows),
		cmocka_unit_test(help_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

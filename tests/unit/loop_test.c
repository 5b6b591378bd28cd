/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen on terminals that answer, that do not, and that say what nobody asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_pty.h"

#define QUESTION "\033[5n"

static struct far_wish wish(bool mute)
{
	return (struct far_wish){ .rows = 40,
				  .cols = 120,
				  .term = "xterm-256color",
				  .mute = mute,
				  .options = { .view = VIEW_GENERATIONS } };
}

static int questions(const struct far *f)
{
	const char *at = f->seen.data;
	int n = 0;

	for (; (at = strstr(at, QUESTION)); at += strlen(QUESTION))
		n++;
	return n;
}

/* A frame goes when the one before it has arrived. */
static void each_frame_is_asked_about(void **state)
{
	struct far_wish w = wish(false);
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "END", 10000));
	assert_true(questions(&f) >= 3);
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

/* Who answers nothing is asked once, and gets no more than the slowest line takes; keys it has at once. */
static void a_mute_terminal_gets_little(void **state)
{
	struct far_wish w = wish(true);
	struct far f;
	size_t before;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "the edge", 5000));
	far_wait(&f, 500);
	before = f.seen.len;
	far_wait(&f, 2000);
	assert_true(f.seen.len - before < 2 * 2000);
	assert_int_equal(questions(&f), 1);
	buf_clear(&f.seen);
	far_press(&f, "h");
	assert_true(far_sees(&f, "Help", 1000));
	far_press(&f, "q");
	far_wait(&f, 200);
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

/* Answers are no keys, whenever they come and however many. */
static void answers_are_no_keys(void **state)
{
	struct far_wish w = wish(true);
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "the edge", 5000));
	far_press(&f, "\033[0n\033[0n\033[0n");
	far_press(&f, "h");
	assert_true(far_sees(&f, "Help", 3000));
	far_press(&f, "\033[0nq\033[0n");
	far_wait(&f, 300);
	far_press(&f, "q\033[0n");
	far_ended_well(&f);
	far_done(&f);
}

/* Where the terminal does not know the question, it is not asked. */
static void not_all_are_asked(void **state)
{
	struct far_wish w = wish(true);
	struct far f;

	(void)state;
	w.term = "rxvt";
	far_start(&f, &w);
	far_wait(&f, 1500);
	assert_true(f.seen.len > 1000);
	assert_int_equal(questions(&f), 0);
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_frame_is_asked_about),
		cmocka_unit_test(a_mute_terminal_gets_little),
		cmocka_unit_test(answers_are_no_keys),
		cmocka_unit_test(not_all_are_asked),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen on a terminal of its own: how it starts, ends, and leaves the terminal. */
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/clock.h"
#include "support_pty.h"

/* https://github.com/hishamhm/htop/issues/733, https://github.com/lfos/calcurse/issues/455 */
static void starts_and_ends_at_any_size(void **state)
{
	static const int rows[] = { 1, 2, 5, 24, 100 }, cols[] = { 1, 10, 38, 80, 300 };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		for (size_t k = 0; k < 5; k++) {
			struct far_wish w = { .rows = rows[i], .cols = cols[k], .term = "xterm-256color" };
			struct far f;

			far_start(&f, &w);
			assert_true(far_sees(&f, "\033[?1049h", 5000));
			far_wait(&f, 60);
			far_press(&f, "2<\033[B\033[6~q");
			far_ended_well(&f);
			far_done(&f);
		}
	}
}

static void grows_while_it_runs(void **state)
{
	struct far_wish w = { .rows = 5, .cols = 20, .term = "xterm-256color" };
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "too small", 5000));
	assert_int_equal(ioctl(f.fd, TIOCSWINSZ, &size), 0);
	assert_true(far_sees(&f, "Generations", 5000));
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

/* https://github.com/Syllo/nvtop/pull/485, https://github.com/htop-dev/htop/issues/1636 */
static void terminals_that_will_not_do(void **state)
{
	static const char *const terms[] = { NULL, "", "dumb", "unknown", "no-such-terminal" };

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = terms[i] };
		struct far f;
		const char *line;

		far_start(&f, &w);
		far_end(&f, 5000);
		assert_true(WIFEXITED(f.status));
		assert_int_equal(WEXITSTATUS(f.status), 1);
		far_modes_are_back(&f);
		line = strstr(f.seen.data, "reclaimtop: terminal: TERM");
		assert_non_null(line);
		if (terms[i] && terms[i][0])
			assert_non_null(strstr(line, terms[i]));
		assert_non_null(strstr(line, "--batch"));
		assert_null(strstr(strchr(line, '\n') + 1, "reclaimtop"));
		assert_null(strstr(f.seen.data, "Success"));
		far_done(&f);
	}
}

static void other_terminals_do(void **state)
{
	static const char *const terms[] = { "xterm", "xterm-mono", "linux", "screen", "screen-256color",
					     "tmux-256color", "vt100", "vt220" };
	int tried = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = terms[i] };
		struct far f;

		far_start(&f, &w);
		if (!far_sees(&f, "Generations", 5000)) {
			far_end(&f, 5000);
			/* Not every system has them all. */
			assert_non_null(strstr(f.seen.data, "is not known here"));
			far_done(&f);
			continue;
		}
		tried++;
		far_press(&f, "q");
		far_ended_well(&f);
		far_done(&f);
	}
	assert_true(tried >= 3);
}

/* https://github.com/aristocratos/btop/issues/317 */
static void a_crash_gives_the_terminal_back(void **state)
{
	static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };

	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	skip(); /* the sanitizer has these signals for itself */
#endif
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .mouse = true } };
		struct far f;

		far_start(&f, &w);
		assert_true(far_sees(&f, "Generations", 5000));
		buf_clear(&f.seen);
		kill(f.pid, signals[i]);
		far_end(&f, 5000);
		assert_true(WIFSIGNALED(f.status));
		assert_int_equal(WTERMSIG(f.status), signals[i]);
		assert_non_null(strstr(f.seen.data, "\033[?1049l"));
		assert_non_null(strstr(f.seen.data, "\033[?1000l"));
		assert_non_null(strstr(f.seen.data, "25h"));
		far_modes_are_back(&f);
		far_done(&f);
	}
}

/* https://github.com/pythops/bluetui/issues/118 */
static void last_words_stand_on_the_normal_screen(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color", .no_memory = true };
	const char *left, *words;
	struct far f;

	(void)state;
	far_start(&f, &w);
	far_end(&f, 5000);
	assert_true(WIFEXITED(f.status));
	assert_int_equal(WEXITSTATUS(f.status), 1);
	left = strstr(f.seen.data, "\033[?1049l");
	words = strstr(f.seen.data, "reclaimtop: out of memory: the system refuses 12345 bytes");
	assert_true(left && words && left < words);
	far_modes_are_back(&f);
	far_done(&f);
}

/* https://github.com/ArthurSonzogni/FTXUI/issues/994 */
static void reports_of_the_mouse_are_not_echoed(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .mouse = true } };
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "Generations", 5000));
	far_press(&f, "\033[<64;20;10M\033[<64;20;10Mq");
	for (int i = 0; i < 6; i++) {
		far_press(&f, "\033[<35;48;10M");
		far_wait(&f, 10);
	}
	far_ended_well(&f);
	assert_null(strstr(f.seen.data, "48;10M"));
	far_done(&f);
}

static void signals_end_it_in_order(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
		struct far f;

		far_start(&f, &w);
		assert_true(far_sees(&f, "Generations", 5000));
		kill(f.pid, signals[i]);
		far_ended_well(&f);
		assert_non_null(strstr(f.seen.data, "\033[?1049l"));
		far_done(&f);
	}
}

/* https://github.com/htop-dev/htop/issues/973 */
static void the_mouse_is_left_alone_unless_wanted(void **state)
{
	(void)state;
	for (int mouse = 0; mouse < 2; mouse++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .mouse = mouse } };
		struct far f;

		far_start(&f, &w);
		assert_true(far_sees(&f, "Generations", 5000));
		far_press(&f, "q");
		far_ended_well(&f);
		assert_int_equal(strstr(f.seen.data, "1000h") != NULL, mouse);
		far_done(&f);
	}
}

/* https://github.com/Syllo/nvtop/issues/38 */
static void without_utf8_nothing_but_ascii_goes_out(void **state)
{
	static const struct far_wish wishes[] = {
		{ .rows = 24, .cols = 80, .term = "xterm-256color", .locale = "C" },
		{ .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .ascii = true } },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct far f;

		far_start(&f, &wishes[i]);
		assert_true(far_sees(&f, "Generations", 5000));
		far_press(&f, "2341q");
		far_ended_well(&f);
		for (size_t k = 0; k < f.seen.len; k++)
			assert_true((unsigned char)f.seen.data[k] < 0x80);
		far_done(&f);
	}
}

/* https://no-color.org: set and not empty; an option beats it. */
static void colors_are_as_asked_for(void **state)
{
	static const struct {
		struct far_wish wish;
		bool colors;
	} cases[] = {
		{ { .rows = 24, .cols = 80, .term = "xterm-256color" }, true },
		{ { .rows = 24, .cols = 80, .term = "xterm-256color", .no_color = "1" }, false },
		{ { .rows = 24, .cols = 80, .term = "xterm-256color", .no_color = "" }, true },
		{ { .rows = 24, .cols = 80, .term = "xterm-256color", .no_color = "1",
		    .options = { .color = COLOR_ALWAYS } }, true },
		{ { .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .color = COLOR_NEVER } }, false },
		{ { .rows = 24, .cols = 80, .term = "xterm" }, true },
		{ { .rows = 24, .cols = 80, .term = "vt100" }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct far f;
		bool colors;

		far_start(&f, &cases[i].wish);
		assert_true(far_sees(&f, "Generations", 5000));
		far_press(&f, "q");
		far_ended_well(&f);
		colors = strstr(f.seen.data, "38;5;") || strstr(f.seen.data, "\033[36") ||
			 strstr(f.seen.data, ";36m") || strstr(f.seen.data, "[36m");
		assert_int_equal(colors, cases[i].colors);
		far_done(&f);
	}
}

/* A reader of a thousand bytes a second: https://github.com/tmux/tmux/issues/4486 */
static void a_slow_line_costs_frames_and_no_keys(void **state)
{
	struct far_wish w = { .rows = 60, .cols = 200, .term = "xterm-256color" };
	int64_t start_us, pressed = 0;
	struct far f;
	char part[100];

	(void)state;
	far_start(&f, &w);
	start_us = clock_mono_us();
	while (waitpid(f.pid, &f.status, WNOHANG) == 0) {
		int64_t now = clock_mono_us();
		struct pollfd p = { .fd = f.fd, .events = POLLIN };

		if (poll(&p, 1, 0) > 0 && read(f.fd, part, sizeof(part)) < 0)
			break;
		usleep(100000);
		if (!pressed && now - start_us > 1500000) {
			far_press(&f, "2341q");
			pressed = now;
		}
		if (pressed && now - pressed > 3000000)
			break;
	}
	assert_true(clock_mono_us() - pressed < 1500000);
	waitpid(f.pid, &f.status, 0);
	assert_true(WIFEXITED(f.status));
	far_done(&f);
}

/* Nobody takes a stop of an orphaned group: it goes on at once. https://github.com/andmarti1424/sc-im/issues/213 */
static void a_stop_that_nobody_takes(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "Generations", 5000));
	buf_clear(&f.seen);
	far_press(&f, "\032");
	assert_true(far_sees(&f, "\033[?1049l", 5000));
	/* A frame that was under way before the stop says Generations too; what is typed until the return is thrown away. */
	assert_true(far_sees(&f, "\033[?1049h", 5000));
	far_forget(&f, "\033[?1049h");
	assert_true(far_sees(&f, "Generations", 5000));
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

static void the_terminal_goes_away(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
	struct far f;
	int64_t end;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "Generations", 5000));
	close(f.fd);
	end = clock_mono_us() + 5000000;
	while (waitpid(f.pid, &f.status, WNOHANG) == 0) {
		assert_true(clock_mono_us() < end);
		usleep(10000);
	}
	assert_true(WIFEXITED(f.status));
	buf_fini(&f.seen);
}

/* What nothing changes costs nothing: the series has ended, and nobody presses a key. */
static void it_is_quiet_when_nothing_is_new(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
	struct far f;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "END", 10000));
	far_wait(&f, 200);
	buf_clear(&f.seen);
	far_wait(&f, 500);
	assert_int_equal(f.seen.len, 0);
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

/* Only what changes travels. */
static void a_frame_is_small(void **state)
{
	struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-256color" };
	struct far f;
	size_t whole;

	(void)state;
	far_start(&f, &w);
	assert_true(far_sees(&f, "END", 10000));
	far_wait(&f, 200);
	whole = f.seen.len;
	buf_clear(&f.seen);
	far_press(&f, "u");
	far_wait(&f, 200);
	assert_in_range(f.seen.len, 20, 3000);
	assert_true(f.seen.len < whole);
	far_press(&f, "q");
	far_ended_well(&f);
	far_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_and_ends_at_any_size),
		cmocka_unit_test(grows_while_it_runs),
		cmocka_unit_test(terminals_that_will_not_do),
		cmocka_unit_test(other_terminals_do),
		cmocka_unit_test(a_crash_gives_the_terminal_back),
		cmocka_unit_test(last_words_stand_on_the_normal_screen),
		cmocka_unit_test(reports_of_the_mouse_are_not_echoed),
		cmocka_unit_test(signals_end_it_in_order),
		cmocka_unit_test(the_mouse_is_left_alone_unless_wanted),
		cmocka_unit_test(without_utf8_nothing_but_ascii_goes_out),
		cmocka_unit_test(colors_are_as_asked_for),
		cmocka_unit_test(a_slow_line_costs_frames_and_no_keys),
		cmocka_unit_test(a_stop_that_nobody_takes),
		cmocka_unit_test(the_terminal_goes_away),
		cmocka_unit_test(it_is_quiet_when_nothing_is_new),
		cmocka_unit_test(a_frame_is_small),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("NO_COLOR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen on a terminal of its own: a child runs it on the far side of a pty, and this side looks at what it writes,
 * how it ends, and how it leaves the terminal.
 */
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "reclaimtop/clock.h"
#include "support_frame.h"
#include "ui/tui/tui.h"

/* --- a feed that has a frame every so often --- */

struct film {
	struct feed feed;
	struct reel *reel;
	int fd;
	bool ended;
};

static int film_fd(struct feed *f)
{
	return ((struct film *)f->ctx)->fd;
}

static bool film_take(struct feed *f, struct frame *out)
{
	struct film *film = f->ctx;
	uint64_t times;

	if (read(film->fd, &times, sizeof(times)) != (ssize_t)sizeof(times))
		return false;
	if (film->ended)
		return false;
	/* The end comes as a frame of its own. */
	film->ended = !reel_next(film->reel, out);
	return true;
}

static void film_want(struct feed *f, const struct interest *in)
{
	reel_want(((struct film *)f->ctx)->reel, in);
}

static void film_pace(struct feed *f, int64_t interval_us)
{
	(void)f;
	(void)interval_us;
}

static const struct feed_ops film_ops = {
	.fd = film_fd, .take = film_take, .want = film_want, .pace = film_pace,
};

static void film_open(struct film *film, long every_ms)
{
	struct itimerspec every = { { every_ms / 1000, every_ms % 1000 * 1000000 }, { 0, 1 } };

	*film = (struct film){ .feed = { &film_ops, film }, .reel = reel_open("tests/roots/7.2-pressure") };
	film->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	timerfd_settime(film->fd, 0, &every, NULL);
}

/* --- the two sides --- */

struct far {
	pid_t pid;
	int fd;            /* this side of the pty */
	struct termios before;
	struct buf seen;   /* all that was written */
	int status;
};

struct far_wish {
	int rows, cols;
	const char *term;
	const char *locale, *no_color;   /* NULL: as here */
	struct tui_options options;
};

static void child(const struct far_wish *w)
{
	static const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL };
	struct film film;

	/* cmocka has taken these for the tests themselves. */
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		signal(crashes[i], SIG_DFL);
	if (w->term)
		setenv("TERM", w->term, 1);
	else
		unsetenv("TERM");
	if (w->locale)
		setenv("LC_ALL", w->locale, 1);
	if (w->no_color)
		setenv("NO_COLOR", w->no_color, 1);
	film_open(&film, 50);
	exit(tui_run(&film.feed, &w->options));
}

static void start(struct far *f, const struct far_wish *w)
{
	struct winsize size = { .ws_row = (unsigned short)w->rows, .ws_col = (unsigned short)w->cols };

	*f = (struct far){ .fd = -1 };
	fflush(NULL);
	f->pid = forkpty(&f->fd, NULL, NULL, &size);
	assert_true(f->pid >= 0);
	if (!f->pid)
		child(w);
	tcgetattr(f->fd, &f->before);
	buf_str(&f->seen, "");
}

/* Read for at most ms, until what is wanted was seen (NULL: until the child ends its side). */
static bool see(struct far *f, const char *wanted, int ms)
{
	int64_t end = clock_mono_us() + (int64_t)ms * 1000;
	char part[4096];

	for (;;) {
		struct pollfd p = { .fd = f->fd, .events = POLLIN };
		int left = (int)((end - clock_mono_us()) / 1000);
		ssize_t n;

		if (wanted && strstr(f->seen.data, wanted))
			return true;
		if (left <= 0 || poll(&p, 1, left) <= 0)
			return false;
		n = read(f->fd, part, sizeof(part));
		if (n <= 0)
			return !wanted;
		for (ssize_t i = 0; i < n; i++)
			buf_add(&f->seen, part[i] ? &part[i] : " ", 1);
	}
}

static void press(const struct far *f, const char *keys)
{
	assert_int_equal(write(f->fd, keys, strlen(keys)), strlen(keys));
}

/* Until it has ended; fails the test where it does not. */
static void wait_for(struct far *f, int ms)
{
	int64_t end = clock_mono_us() + (int64_t)ms * 1000;

	while (waitpid(f->pid, &f->status, WNOHANG) == 0) {
		if (clock_mono_us() > end) {
			kill(f->pid, SIGKILL);
			waitpid(f->pid, &f->status, 0);
			fail_msg("it did not end within %d ms", ms);
		}
		see(f, "\001 never", 10);
	}
	see(f, NULL, 200);
}

static void modes_are_back(const struct far *f)
{
	struct termios after;

	/* With nobody on the far side any more the modes can still be asked for on this one. */
	if (tcgetattr(f->fd, &after))
		return;
	assert_int_equal(after.c_lflag, f->before.c_lflag);
	assert_int_equal(after.c_iflag, f->before.c_iflag);
	assert_int_equal(after.c_oflag, f->before.c_oflag);
}

static void done(struct far *f)
{
	close(f->fd);
	buf_fini(&f->seen);
}

static void ended_well(struct far *f)
{
	wait_for(f, 5000);
	assert_true(WIFEXITED(f->status));
	assert_int_equal(WEXITSTATUS(f->status), 0);
	modes_are_back(f);
}

/* --- tests --- */

/* https://github.com/hishamhm/htop/issues/733, https://github.com/lfos/calcurse/issues/455 */
static void starts_and_ends_at_any_size(void **state)
{
	static const int rows[] = { 1, 2, 5, 24, 100 }, cols[] = { 1, 10, 38, 80, 300 };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		for (size_t k = 0; k < 5; k++) {
			struct far_wish w = { .rows = rows[i], .cols = cols[k], .term = "xterm-256color" };
			struct far f;

			start(&f, &w);
			assert_true(see(&f, "\033[?1049h", 5000));
			see(&f, "\001 never", 60);
			press(&f, "2<\033[B\033[6~q");
			ended_well(&f);
			done(&f);
		}
	}
}

static void grows_while_it_runs(void **state)
{
	struct far_wish w = { .rows = 5, .cols = 20, .term = "xterm-256color" };
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	struct far f;

	(void)state;
	start(&f, &w);
	assert_true(see(&f, "too small", 5000));
	assert_int_equal(ioctl(f.fd, TIOCSWINSZ, &size), 0);
	assert_true(see(&f, "Generations", 5000));
	press(&f, "q");
	ended_well(&f);
	done(&f);
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

		start(&f, &w);
		wait_for(&f, 5000);
		assert_true(WIFEXITED(f.status));
		assert_int_equal(WEXITSTATUS(f.status), 1);
		modes_are_back(&f);
		line = strstr(f.seen.data, "reclaimtop: terminal: TERM");
		assert_non_null(line);
		if (terms[i] && terms[i][0])
			assert_non_null(strstr(line, terms[i]));
		assert_non_null(strstr(line, "--batch"));
		assert_null(strstr(strchr(line, '\n') + 1, "reclaimtop"));
		assert_null(strstr(f.seen.data, "Success"));
		done(&f);
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

		start(&f, &w);
		if (!see(&f, "Generations", 5000)) {
			wait_for(&f, 5000);
			/* Not every system has them all. */
			assert_non_null(strstr(f.seen.data, "is not known here"));
			done(&f);
			continue;
		}
		tried++;
		press(&f, "q");
		ended_well(&f);
		done(&f);
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

		start(&f, &w);
		assert_true(see(&f, "Generations", 5000));
		buf_clear(&f.seen);
		kill(f.pid, signals[i]);
		wait_for(&f, 5000);
		assert_true(WIFSIGNALED(f.status));
		assert_int_equal(WTERMSIG(f.status), signals[i]);
		assert_non_null(strstr(f.seen.data, "\033[?1049l"));
		assert_non_null(strstr(f.seen.data, "\033[?1000l"));
		assert_non_null(strstr(f.seen.data, "25h"));
		modes_are_back(&f);
		done(&f);
	}
}

static void signals_end_it_in_order(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
		struct far f;

		start(&f, &w);
		assert_true(see(&f, "Generations", 5000));
		kill(f.pid, signals[i]);
		ended_well(&f);
		assert_non_null(strstr(f.seen.data, "\033[?1049l"));
		done(&f);
	}
}

/* https://github.com/htop-dev/htop/issues/973 */
static void the_mouse_is_left_alone_unless_wanted(void **state)
{
	(void)state;
	for (int mouse = 0; mouse < 2; mouse++) {
		struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color", .options = { .mouse = mouse } };
		struct far f;

		start(&f, &w);
		assert_true(see(&f, "Generations", 5000));
		press(&f, "q");
		ended_well(&f);
		assert_int_equal(strstr(f.seen.data, "1000h") != NULL, mouse);
		done(&f);
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

		start(&f, &wishes[i]);
		assert_true(see(&f, "Generations", 5000));
		press(&f, "2341q");
		ended_well(&f);
		for (size_t k = 0; k < f.seen.len; k++)
			assert_true((unsigned char)f.seen.data[k] < 0x80);
		done(&f);
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

		start(&f, &cases[i].wish);
		assert_true(see(&f, "Generations", 5000));
		press(&f, "q");
		ended_well(&f);
		colors = strstr(f.seen.data, "38;5;") || strstr(f.seen.data, "\033[36") ||
			 strstr(f.seen.data, ";36m") || strstr(f.seen.data, "[36m");
		assert_int_equal(colors, cases[i].colors);
		done(&f);
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
	start(&f, &w);
	start_us = clock_mono_us();
	while (waitpid(f.pid, &f.status, WNOHANG) == 0) {
		int64_t now = clock_mono_us();
		struct pollfd p = { .fd = f.fd, .events = POLLIN };

		if (poll(&p, 1, 0) > 0 && read(f.fd, part, sizeof(part)) < 0)
			break;
		usleep(100000);
		if (!pressed && now - start_us > 1500000) {
			press(&f, "2341q");
			pressed = now;
		}
		if (pressed && now - pressed > 3000000)
			break;
	}
	assert_true(clock_mono_us() - pressed < 1500000);
	waitpid(f.pid, &f.status, 0);
	assert_true(WIFEXITED(f.status));
	done(&f);
}

/* Nobody takes a stop of an orphaned group: it goes on at once. https://github.com/andmarti1424/sc-im/issues/213 */
static void a_stop_that_nobody_takes(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
	struct far f;

	(void)state;
	start(&f, &w);
	assert_true(see(&f, "Generations", 5000));
	buf_clear(&f.seen);
	press(&f, "\032");
	assert_true(see(&f, "\033[?1049l", 5000));
	assert_true(see(&f, "Generations", 5000));
	press(&f, "q");
	ended_well(&f);
	done(&f);
}

static void the_terminal_goes_away(void **state)
{
	struct far_wish w = { .rows = 24, .cols = 80, .term = "xterm-256color" };
	struct far f;
	int64_t end;

	(void)state;
	start(&f, &w);
	assert_true(see(&f, "Generations", 5000));
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
	start(&f, &w);
	assert_true(see(&f, "END", 10000));
	see(&f, "\001 never", 200);
	buf_clear(&f.seen);
	see(&f, "\001 never", 500);
	assert_int_equal(f.seen.len, 0);
	press(&f, "q");
	ended_well(&f);
	done(&f);
}

/* Only what changes travels. */
static void a_frame_is_small(void **state)
{
	struct far_wish w = { .rows = 40, .cols = 120, .term = "xterm-256color" };
	struct far f;
	size_t whole;

	(void)state;
	start(&f, &w);
	assert_true(see(&f, "END", 10000));
	see(&f, "\001 never", 200);
	whole = f.seen.len;
	buf_clear(&f.seen);
	press(&f, "u");
	see(&f, "\001 never", 200);
	assert_in_range(f.seen.len, 20, 3000);
	assert_true(f.seen.len < whole);
	press(&f, "q");
	ended_well(&f);
	done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_and_ends_at_any_size),
		cmocka_unit_test(grows_while_it_runs),
		cmocka_unit_test(terminals_that_will_not_do),
		cmocka_unit_test(other_terminals_do),
		cmocka_unit_test(a_crash_gives_the_terminal_back),
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_pty.h"

#include <poll.h>
#include <pty.h>
#include <utmp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/clock.h"
#include "support_frame.h"

/* --- a feed that has a frame every so often --- */

struct film {
	struct feed feed;
	struct reel *reel;
	int fd;
	bool ended;
	int left;          /* frames until there is no memory; 0 never */
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
	if (film->left && !--film->left)
		oom_exit(12345);
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
	film.left = w->no_memory ? 3 : 0;
	exit(tui_run(&film.feed, &w->options));
}

void far_start(struct far *f, const struct far_wish *w)
{
	struct winsize size = { .ws_row = (unsigned short)w->rows, .ws_col = (unsigned short)w->cols };

	int near;

	*f = (struct far){ .fd = -1, .mute = w->mute };
	fflush(NULL);
	assert_int_equal(openpty(&f->fd, &near, NULL, NULL, &size), 0);
	/* Before the child can have changed them. */
	tcgetattr(near, &f->before);
	f->pid = fork();
	assert_true(f->pid >= 0);
	if (!f->pid) {
		close(f->fd);
		login_tty(near);
		child(w);
	}
	close(near);
	buf_str(&f->seen, "");
}

/* As terminals do: to the question how it is, it is well. */
static void answer(const struct far *f, const char *part, ssize_t len)
{
	static const char question[] = "\033[5n", well[] = "\033[0n";
	const char *at = part;

	while (!f->mute && (at = memmem(at, (size_t)(part + len - at), question, sizeof(question) - 1))) {
		if (write(f->fd, well, sizeof(well) - 1) < 0)
			return;
		at += sizeof(question) - 1;
	}
}

bool far_sees(struct far *f, const char *wanted, int ms)
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
		answer(f, part, n);
		for (ssize_t i = 0; i < n; i++)
			buf_add(&f->seen, part[i] ? &part[i] : " ", 1);
	}
}

void far_forget(struct far *f, const char *last)
{
	const char *at = strstr(f->seen.data, last);
	size_t gone;

	assert_non_null(at);
	gone = (size_t)(at - f->seen.data) + strlen(last);
	f->seen.len -= gone;
	memmove(f->seen.data, f->seen.data + gone, f->seen.len + 1);
}

void far_wait(struct far *f, int ms)
{
	far_sees(f, "\001 never", ms);
}

void far_press(const struct far *f, const char *keys)
{
	assert_int_equal(write(f->fd, keys, strlen(keys)), strlen(keys));
}

void far_end(struct far *f, int ms)
{
	int64_t end = clock_mono_us() + (int64_t)ms * 1000;

	while (waitpid(f->pid, &f->status, WNOHANG) == 0) {
		if (clock_mono_us() > end) {
			kill(f->pid, SIGKILL);
			waitpid(f->pid, &f->status, 0);
			fail_msg("it did not end within %d ms", ms);
		}
		far_wait(f, 10);
	}
	far_sees(f, NULL, 200);
}

void far_modes_are_back(const struct far *f)
{
	struct termios after;

	/* With nobody on the far side any more the modes can still be asked for on this one. */
	if (tcgetattr(f->fd, &after))
		return;
	assert_int_equal(after.c_lflag, f->before.c_lflag);
	assert_int_equal(after.c_iflag, f->before.c_iflag);
	assert_int_equal(after.c_oflag, f->before.c_oflag);
}

void far_done(struct far *f)
{
	close(f->fd);
	buf_fini(&f->seen);
}

void far_ended_well(struct far *f)
{
	far_end(f, 5000);
	assert_true(WIFEXITED(f->status));
	assert_int_equal(WEXITSTATUS(f->status), 0);
	far_modes_are_back(f);
}

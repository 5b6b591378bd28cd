/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "keys.h"
#include "reclaimtop/arena.h"
#include "reclaimtop/clock.h"
#include "term.h"
#include "tui.h"

struct loop {
	struct term *term;
	struct tui *tui;
	struct feed *feed;
	struct grid grid;
	struct interest told, wanted;    /* what the feed was told last */
	sigset_t before;                 /* signals as they were blocked */
	struct sigaction stop_before;
	int signals;
	bool dirty, again;               /* there is something to draw; all of it anew */
	bool urgent;                     /* a key asked for it */
	bool more;                       /* of what was drawn not all has gone */
	int64_t next_us;                 /* when something has moved; INT64_MAX: nothing moves */
	bool quit;
	int status;
	const char *error;               /* what the source ended with */
};

static const int watched[] = { SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT };

static sigset_t watched_set(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); i++)
		sigaddset(&set, watched[i]);
	return set;
}

/* Never called, since the signal is blocked. */
static void on_stop(int sig)
{
	(void)sig;
}

/*
 * Signals wait in a descriptor from now on, also for threads that are started later. Where it finds the default action for
 * SIGTSTP, curses ignores that signal while it draws, and so loses one that waits; hence the handler.
 */
static bool watch_signals(struct loop *l)
{
	struct sigaction stop = { .sa_handler = on_stop };
	sigset_t set = watched_set();

	sigprocmask(SIG_BLOCK, &set, &l->before);
	sigaction(SIGTSTP, &stop, &l->stop_before);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signals >= 0;
}

static void leave(struct loop *l, int status)
{
	l->quit = true;
	l->status = status;
}

/* Stop as any other program would. What the shell sees, and what comes after, is the default action's affair. */
static void suspend(struct loop *l)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;
	sigset_t set;

	term_leave(l->term);
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaction(SIGTSTP, &usual, &ours);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	term_enter(l->term);
	l->dirty = l->again = true;
}

static void act(struct loop *l, unsigned int handled)
{
	l->dirty |= (handled & TUI_REDRAW) != 0;
	l->again |= (handled & TUI_AGAIN) != 0;
	if (handled & TUI_QUIT)
		leave(l, 0);
	if (handled & TUI_PACE)
		l->feed->ops->pace(l->feed, tui_interval_us(l->tui));
	if ((handled & TUI_WISH) && l->feed->ops->wish)
		l->feed->ops->wish(l->feed, tui_wish(l->tui));
	if (handled & TUI_SUSPEND)
		suspend(l);
}

static void take_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGTSTP:
			suspend(l);
			break;
		case SIGCONT:
			term_enter(l->term);
			l->dirty = l->again = true;
			break;
		case SIGWINCH:
			l->dirty = true;
			break;
		default:
			leave(l, 0);
		}
	}
}

static unsigned int press(struct loop *l, int key)
{
	int row, col;

	tui_clock(l->tui, clock_mono_us());
	if (key != KEYCODE_CLICK && key != KEYCODE_WHEEL_UP && key != KEYCODE_WHEEL_DOWN)
		return tui_key(l->tui, key);
	term_click(l->term, &row, &col);
	return key == KEYCODE_CLICK ? tui_click(l->tui, row, col)
				    : tui_wheel(l->tui, row, col, key == KEYCODE_WHEEL_UP ? -1 : 1);
}

static void take_keys(struct loop *l)
{
	unsigned int handled;
	int key;

	while (!l->quit && (key = term_key(l->term)) != KEYCODE_NONE) {
		if (key == KEYCODE_END_OF_INPUT) {
			leave(l, 1);
			continue;
		}
		handled = press(l, key);
		l->urgent |= (handled & TUI_REDRAW) != 0;
		act(l, handled);
	}
}

static void take_frames(struct loop *l)
{
	struct frame f;

	if (!l->feed->ops->take(l->feed, &f))
		return;
	l->error = f.error;
	tui_clock(l->tui, clock_mono_us());
	act(l, tui_frame(l->tui, &f));
	if (f.done)
		leave(l, 0);
}

static void tell_interest(struct loop *l)
{
	tui_interest(l->tui, &l->wanted);
	if (!memcmp(&l->wanted, &l->told, sizeof(l->told)))
		return;
	l->told = l->wanted;
	l->feed->ops->want(l->feed, &l->told);
}

static void put(struct loop *l, int64_t now_us)
{
	const struct put how = { .now_us = now_us, .again = l->again, .urgent = l->urgent || l->again };

	l->more = !term_put(l->term, &l->grid, how);
	l->dirty = l->again = l->urgent = false;
}

static void draw(struct loop *l, int64_t now_us)
{
	int rows, cols;

	term_size(l->term, &rows, &cols);
	if (rows != l->grid.rows || cols != l->grid.cols)
		grid_resize(&l->grid, rows, cols);
	tui_draw(l->tui, now_us, &l->grid);
	put(l, now_us);
	l->next_us = tui_next_us(l->tui, now_us);
	/* What is on screen is known only now: rows that scrolled in, a table that grew. */
	tell_interest(l);
}

/*
 * When there is something to do at the terminal: for a key at once, for all else when the line is free. What moves waits
 * until all of the last frame has gone. INT64_MAX: nothing is to do.
 */
static int64_t due_us(const struct loop *l, int64_t now_us)
{
	int64_t next = l->dirty || l->more ? now_us : l->next_us, free_us;

	if (l->urgent || l->again || next == INT64_MAX)
		return l->urgent || l->again ? now_us : INT64_MAX;
	free_us = term_when(l->term, now_us);
	return next > free_us ? next : free_us;
}

static int ms_until(int64_t due, int64_t now_us)
{
	if (due == INT64_MAX || due <= now_us)
		return -1;
	return due - now_us > 60000000 ? 60000 : (int)((due - now_us + 999) / 1000);
}

enum { WAIT_KEYS, WAIT_SIGNALS, WAIT_FEED, WAIT_OUT, WAIT_NR };

/* For keys, signals, frames; for the terminal where it is busy; or until something is due. */
static void wait_for_something(struct loop *l, int64_t due, int64_t now_us)
{
	bool out = due <= now_us || term_is_pending(l->term);
	struct pollfd fds[WAIT_NR] = {
		[WAIT_KEYS] = { .fd = term_in(l->term), .events = POLLIN },
		[WAIT_SIGNALS] = { .fd = l->signals, .events = POLLIN },
		[WAIT_FEED] = { .fd = l->feed->ops->fd(l->feed), .events = POLLIN },
		[WAIT_OUT] = { .fd = out ? term_out(l->term) : -1, .events = POLLOUT },
	};

	if (poll(fds, WAIT_NR, ms_until(due, now_us)) < 0)
		return;
	if (fds[WAIT_SIGNALS].revents)
		take_signals(l);
	if (fds[WAIT_KEYS].revents)
		take_keys(l);
	if (fds[WAIT_FEED].revents)
		take_frames(l);
	if (fds[WAIT_OUT].revents && term_flush(l->term))
		leave(l, 1);
}

static void run(struct loop *l)
{
	l->dirty = l->again = true;
	tell_interest(l);
	while (!l->quit) {
		int64_t now_us = clock_mono_us(), due = due_us(l, now_us);

		/* A terminal that is still busy with the last frame gets the newest one when it is done. */
		if (due > now_us || !term_is_ready(l->term))
			wait_for_something(l, due, now_us);
		else if (l->more && !l->dirty && !l->urgent && !l->again)
			put(l, now_us);
		else
			draw(l, now_us);
	}
}

static int end(struct loop *l)
{
	sigset_t pending = watched_set();
	struct timespec at_once = { 0, 0 };

	term_close(l->term);
	tui_free(l->tui);
	grid_fini(&l->grid);
	if (l->signals >= 0)
		close(l->signals);
	/* What came after the first signal asks for nothing more. */
	while (sigtimedwait(&pending, NULL, &at_once) > 0)
		;
	sigaction(SIGTSTP, &l->stop_before, NULL);
	sigprocmask(SIG_SETMASK, &l->before, NULL);
	if (!l->error)
		return l->status;
	fprintf(stderr, "reclaimtop: the source ended: %s\n", l->error);
	return 1;
}

int tui_run(struct feed *feed, const struct tui_options *options)
{
	struct loop *l = mem_alloc(sizeof(*l));
	struct tui_options own = *options;
	char why[200] = "";
	int status;

	memset(l, 0, sizeof(*l));
	l->feed = feed;
	if (!watch_signals(l))
		snprintf(why, sizeof(why), "signals: %s", strerror(errno));
	else
		l->term = term_open(options, why, sizeof(why));
	if (l->term) {
		own.ascii |= !term_is_utf8(l->term);
		own.no_braille |= !term_has_braille();
		l->tui = tui_new(&own);
		run(l);
	} else {
		l->status = 1;
	}
	status = end(l);
	if (why[0])
		fprintf(stderr, "reclaimtop: %s\n", why);
	free(l);
	return status;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RESET_SIZE 256

/*
 * What a handler needs to know: how to give the terminal back. Nothing else in this program is seen from a signal
 * handler or from atexit(), which take no argument; hence the one variable of its kind.
 */
static struct {
	volatile sig_atomic_t armed;
	bool installed;
	int fd;
	struct termios shell;
	char reset[RESET_SIZE];
	size_t len;
} guard;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };

#define CRASHES (sizeof(crashes) / sizeof(crashes[0]))

/* Only calls that are safe in a signal handler. */
static void give_back(void)
{
	size_t at = 0;
	int tries = 0;

	if (!guard.armed)
		return;
	guard.armed = 0;
	while (at < guard.len && tries < 100) {
		ssize_t n = write(guard.fd, guard.reset + at, guard.len - at);
		struct pollfd p = { .fd = guard.fd, .events = POLLOUT };

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno != EAGAIN && errno != EINTR)
			break;
		else
			poll(&p, 1, 10);
		tries++;
	}
	tcsetattr(guard.fd, TCSANOW, &guard.shell);
}

/* SA_RESETHAND put the default action back, so that the signal, raised again, ends the program as it would have. */
static void on_crash(int sig)
{
	give_back();
	raise(sig);
}

static void arm_signals(void)
{
	struct sigaction sa = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	struct sigaction old;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < CRASHES; i++)
		if (!sigaction(crashes[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(crashes[i], &sa, NULL);
}

void tty_guard(const struct tty *t, const char *reset)
{
	guard.fd = t->out;
	guard.shell = t->shell;
	guard.len = strlen(reset) < RESET_SIZE ? strlen(reset) : RESET_SIZE;
	memcpy(guard.reset, reset, guard.len);
	guard.armed = 1;
	if (guard.installed)
		return;
	guard.installed = true;
	arm_signals();
	atexit(give_back);
}

void tty_unguard(void)
{
	guard.armed = 0;
}

/* A new description of the terminal, so that making it non-blocking does not concern the shell. -1 where there is none. */
static int open_again(int fd)
{
	char path[32] = "/proc/self/fd/1";
	const char *name = ttyname(fd);
	int again = name ? open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) : -1;

	if (again < 0)
		again = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return again;
}

int tty_open(struct tty *t)
{
	*t = (struct tty){ .in = isatty(STDIN_FILENO) ? STDIN_FILENO : STDOUT_FILENO, .out = -1 };
	if (tcgetattr(t->in, &t->shell))
		return -errno;
	t->screen = t->shell;
	t->out = open_again(STDOUT_FILENO);
	if (t->out < 0)
		t->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return t->out < 0 ? -errno : 0;
}

void tty_close(struct tty *t)
{
	if (t->out >= 0)
		close(t->out);
	t->out = -1;
	buf_fini(&t->pending);
}

void tty_size(const struct tty *t, int *rows, int *cols)
{
	struct winsize w;

	*rows = *cols = 0;
	if (ioctl(t->out, TIOCGWINSZ, &w))
		return;
	*rows = w.ws_row;
	*cols = w.ws_col;
}

void tty_put(struct tty *t, const char *bytes, size_t len)
{
	buf_add(&t->pending, bytes, len);
}

bool tty_is_pending(const struct tty *t)
{
	return t->sent < t->pending.len;
}

static bool takes_more(const struct tty *t, int ms)
{
	struct pollfd p = { .fd = t->out, .events = POLLOUT };

	return poll(&p, 1, ms) > 0 && (p.revents & POLLOUT);
}

/* Where the description could not be made non-blocking, pieces this small do not block while there is room at all. */
#define PIECE 256

int tty_flush(struct tty *t)
{
	while (tty_is_pending(t) && takes_more(t, 0)) {
		size_t left = t->pending.len - t->sent;
		ssize_t n = write(t->out, t->pending.data + t->sent, left < PIECE ? left : PIECE);

		if (n > 0)
			t->sent += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			break;
		else if (n < 0 && errno != EINTR)
			return -errno;
	}
	if (!tty_is_pending(t)) {
		buf_clear(&t->pending);
		t->sent = 0;
	}
	return 0;
}

bool tty_is_ready(const struct tty *t)
{
	return !tty_is_pending(t) && takes_more(t, 0);
}

void tty_drain(struct tty *t, int ms)
{
	for (; tty_is_pending(t) && ms > 0; ms -= 10)
		if (tty_flush(t) || (tty_is_pending(t) && !takes_more(t, 10) && ms <= 10))
			break;
	buf_clear(&t->pending);
	t->sent = 0;
}

#define QUIET_MS 30

void tty_hush(struct tty *t, int ms)
{
	struct pollfd p = { .fd = t->in, .events = POLLIN };

	tcflush(t->in, TCIFLUSH);
	for (; ms > 0 && poll(&p, 1, QUIET_MS) > 0; ms -= QUIET_MS) {
		if (p.revents & (POLLHUP | POLLERR))
			return;
		tcflush(t->in, TCIFLUSH);
	}
}

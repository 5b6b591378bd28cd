/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire.h"

#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A terminal that knows how to say where its cursor is answers that it is well, too. */
#define QUESTION "\033[5n"

void wire_start(struct wire *w, const char *u7)
{
	pace_start(&w->pace, !strcmp(u7, "\033[6n"));
}

bool wire_to_memory(struct wire *w, int fd)
{
	w->memory = memfd_create("screen", MFD_CLOEXEC);
	return w->memory >= 0 && dup2(w->memory, fd) >= 0;
}

size_t wire_collect(struct wire *w)
{
	off_t size = lseek(w->memory, 0, SEEK_CUR), at = 0;
	size_t before = w->tty.pending.len;
	char part[4096];

	while (at < size) {
		ssize_t n = pread(w->memory, part, sizeof(part), at);

		if (n <= 0)
			break;
		tty_put(&w->tty, part, (size_t)n);
		at += n;
	}
	/* Where that fails, what is there is written over from its start. */
	if (ftruncate(w->memory, 0) || size)
		lseek(w->memory, 0, SEEK_SET);
	return w->tty.pending.len - before;
}

void wire_frame(struct wire *w, int64_t now_us)
{
	bool asks = pace_asks(&w->pace);
	size_t n = wire_collect(w);

	if (!n)
		return;
	if (asks) {
		tty_put(&w->tty, QUESTION, sizeof(QUESTION) - 1);
		n += sizeof(QUESTION) - 1;
	}
	pace_sent(&w->pace, now_us, n, asks);
	tty_flush(&w->tty);
}

void wire_drop(struct wire *w)
{
	if (tty_is_pending(&w->tty))
		tcflush(w->tty.out, TCOFLUSH);
	buf_clear(&w->tty.pending);
	w->tty.sent = 0;
}

void wire_cut(struct wire *w, const char *sequence)
{
	struct buf *b = &w->tty.pending;
	size_t n = strlen(sequence);
	char *at = b->len && n ? memmem(b->data, b->len, sequence, n) : NULL;

	if (!at)
		return;
	b->len -= n;
	memmove(at, at + n, b->len - (size_t)(at - b->data));
}

/* What a terminal still has to say is not for the shell. */
static void await_answer(const struct wire *w)
{
	struct pollfd p = { .fd = w->tty.in, .events = POLLIN };

	if (w->pace.answers && w->pace.asked_us)
		poll(&p, 1, 500);
}

void wire_end(struct wire *w, bool mouse)
{
	tty_drain(&w->tty, 500);
	await_answer(w);
	tty_hush(&w->tty, mouse || w->pace.asked_us ? 300 : 0);
}

bool wire_is_gone(const struct wire *w)
{
	struct pollfd p = { .fd = w->tty.in, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

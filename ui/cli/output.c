/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "say.h"

int output_flush(struct buf *b)
{
	size_t at = 0;
	int err = 0;

	while (at < b->len && !err) {
		ssize_t n = write(STDOUT_FILENO, b->data + at, b->len - at);
		struct pollfd ready = { .fd = STDOUT_FILENO, .events = POLLOUT };

		if (n >= 0)
			at += (size_t)n;
		else if (errno == EAGAIN)
			poll(&ready, 1, -1);
		else if (errno != EINTR)
			err = -errno;
	}
	buf_clear(b);
	return err;
}

int output_status(int err)
{
	if (!err || err == -EPIPE)
		return STATUS_DONE;
	say_errno(-err, "standard output", "what was written so far is not complete");
	return STATUS_FAILED;
}

bool output_wait(int fd)
{
	struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
				 { .fd = STDOUT_FILENO, .events = 0 } };

	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	return fds[0].revents || !(fds[1].revents & (POLLERR | POLLHUP | POLLNVAL));
}

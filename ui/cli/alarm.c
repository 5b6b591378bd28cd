/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alarm.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

int alarm_open(void)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

void alarm_at(int fd, int64_t us)
{
	struct itimerspec t = { { 0, 0 }, { 0, 0 } };

	if (us < INT64_MAX) {
		t.it_value.tv_sec = (time_t)(us / 1000000);
		/* All zero would be never. */
		t.it_value.tv_nsec = (long)(us % 1000000) * 1000 + 1;
	}
	timerfd_settime(fd, TFD_TIMER_ABSTIME, &t, NULL);
}

int alarm_join(const int *fds, int n)
{
	int all = epoll_create1(EPOLL_CLOEXEC), err = 0;

	for (int i = 0; i < n && all >= 0 && !err; i++)
		err = alarm_add(all, fds[i]);
	if (!err)
		return all;
	close(all);
	errno = -err;
	return -1;
}

int alarm_add(int all, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(all, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

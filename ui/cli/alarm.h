/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alarm.h - a descriptor that becomes readable at a time. */
#ifndef CLI_ALARM_H
#define CLI_ALARM_H

#include <stdint.h>

/* -1 with errno set. */
int alarm_open(void);

/*
 * Readable from us on, of clock_mono_us(): 0 at once, INT64_MAX never. What was set before is
 * forgotten.
 */
void alarm_at(int fd, int64_t us);

/* Several descriptors as one, which is readable when one of them is. -1 with errno set. */
int alarm_join(const int *fds, int n);

/* One more of them, until it is closed. 0 or -errno. */
int alarm_add(int all, int fd);

#endif

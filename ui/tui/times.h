/* SPDX-License-Identifier: GPL-2.0-or-later */
/* times.h - times as people type them. Pure. */
#ifndef TUI_TIMES_H
#define TUI_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "30", "+30s", "-5m", "1h30m", "250ms", "2.5m", "1d": microseconds. Without a unit they are
 * seconds.
 */
bool times_span(const char *text, int64_t *us);

/* "14:30", "14:30:05": microseconds since midnight. */
bool times_of_day(const char *text, int64_t *us);

#endif

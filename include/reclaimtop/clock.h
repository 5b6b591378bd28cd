/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.h - the one place where the time is read. Everything else is handed the time as an argument.
 */
#ifndef RECLAIMTOP_CLOCK_H
#define RECLAIMTOP_CLOCK_H

#include <stdint.h>

/* Microseconds of CLOCK_MONOTONIC: never steps, stands still while the machine sleeps. */
int64_t clock_mono_us(void);

/* Microseconds of CLOCK_BOOTTIME: as above, but goes on while the machine sleeps; the kernel's /proc/uptime. */
int64_t clock_boot_us(void);

/* Microseconds since 1970: a label for people, never used to reckon. */
int64_t clock_wall_us(void);

/* Microseconds of CPU that this process has used so far. */
int64_t clock_cpu_us(void);

/* Microseconds of CPU that the calling thread has used so far. */
int64_t clock_thread_cpu_us(void);

#endif

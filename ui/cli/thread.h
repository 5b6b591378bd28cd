/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.h - a thread beside the screen's. */
#ifndef CLI_THREAD_H
#define CLI_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* With so much stack, and never the one that a signal interrupts: the screen's does that. 0 or an errno. */
int thread_start(pthread_t *out, size_t stack, void *(*run)(void *), void *arg);

#endif

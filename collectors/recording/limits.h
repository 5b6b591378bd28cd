/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * limits.h - how large the parts of a recording are: what writer and reader agree on.
 */
#ifndef RECORDING_LIMITS_H
#define RECORDING_LIMITS_H

#include <stdint.h>

/* A whole sample comes at least this often, in time and in samples: no reader has farther to go back. */
#define WHOLE_EVERY_US INT64_C(60000000)
#define FOLLOWERS_MAX 100

/* A longer line is none of ours. */
#define LINE_MAX_SIZE ((size_t)16 << 20)

/* A reader gives up on changes that are farther from their whole sample. */
#define CHUNK_MAX 65536

#endif

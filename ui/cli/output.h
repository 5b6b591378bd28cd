/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - standard output in whole pieces, and what it means that nobody reads any more.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>

#include "reclaimtop/buf.h"

/* Write all of b and empty it. 0, or -errno: -EPIPE where the reader went away. */
int output_flush(struct buf *b);

/* An exit status for what output_flush() returned: a reader that has seen enough is no error. */
int output_status(int err);

/* Wait until fd is readable. False: the reader of standard output went away meanwhile. */
bool output_wait(int fd);

#endif

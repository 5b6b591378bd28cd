/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_golden.h - texts as they were when somebody last looked at them and found them right. */
#ifndef SUPPORT_GOLDEN_H
#define SUPPORT_GOLDEN_H

#include <stdbool.h>

#include "reclaimtop/buf.h"

/*
 * Is the text that of tests/screens/NAME.txt? Where not, the first line that differs is printed, or
 * the file is written anew where UPDATE_GOLDEN is set.
 */
bool golden_is(const char *name, const struct buf *text);

#endif

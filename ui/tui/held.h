/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held.h - a frame that is kept while the session goes on: copies of all that it points to, but for its window.
 */
#ifndef TUI_HELD_H
#define TUI_HELD_H

#include "reclaimtop/frame.h"

struct held;

/* Copy f into h, or into a new one where h is NULL; *out is f over the copies. Valid until the next call or held_free(). */
struct held *held_keep(struct held *h, const struct frame *f, struct frame *out);

void held_free(struct held *h);

#endif

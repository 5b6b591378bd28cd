/* SPDX-License-Identifier: GPL-2.0-or-later */
/* going.h - keys that go in time, and how they are called just now. */
#ifndef TUI_GOING_H
#define TUI_GOING_H

#include "keys.h"
#include "reclaimtop/frame.h"

/* Wish it of the feed: enum tui_handled bits; nothing where the feed cannot. */
unsigned int going_wish(struct tui *t, enum wish_kind kind, int64_t by);

/* Does a key mean something with what is shown just now? */
bool going_in_force(const struct tui *t, const struct key_entry *entry);

/* Is it one of those that go in time? */
bool going_is(const struct key_entry *entry);

/* Its word in the footer: pausing is called by what it does. */
const char *going_brief(const struct tui *t, const struct key_entry *entry);

/* Space, Home and End, where they go in time: true with *handled. */
bool going_takes(struct tui *t, int key, unsigned int *handled);

#endif

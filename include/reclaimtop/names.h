/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - names chosen by strangers, made safe to show and to store.
 *
 * A cgroup's name may hold any byte but NUL, newline and slash: escape sequences, tabs, bytes that are no
 * UTF-8. The collectors turn each name into printable UTF-8 at once, and everything behind them sees only that.
 */
#ifndef RECLAIMTOP_NAMES_H
#define RECLAIMTOP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reclaimtop/arena.h"

/*
 * The printable form of len bytes: a byte that cannot be shown (control characters, C1 controls, bidirectional and
 * other format controls, U+2028/2029, what is not UTF-8, overlong forms and surrogates) becomes \xNN, a backslash
 * becomes two. Reversible: name_unescape() gives the bytes back. A plain name is copied as it is.
 */
const char *name_escape(struct arena *a, const char *bytes, size_t len);

/* The bytes behind an escaped name; out holds at least strlen(name) + 1 bytes and is closed by NUL. Returns the length. */
size_t name_unescape(const char *name, char *out);

/* Columns that a printable UTF-8 string takes on a terminal: wide characters two, combining ones none. */
int name_width(const char *name);

/*
 * The next character of a printable UTF-8 string and the columns it takes (0 combining, 1, 2). Returns its bytes, 0 at the
 * end. A byte that begins no character counts as U+FFFD.
 */
size_t name_next(const char *name, uint32_t *c, int *columns);

/*
 * The name in at most columns columns, cut in the middle with one ellipsis ("…", or "~" with ascii), so that both
 * the start and the last component can be told. out holds size bytes. Returns the columns used.
 */
int name_fit(const char *name, int columns, int ascii, char *out, size_t size);

/* Is a path of a memcg this one, or below it? "/" holds all. */
bool name_is_within(const char *path, const char *top);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * append.h - the end of a recording that was left by somebody else, perhaps by one who was killed.
 */
#ifndef RECORDING_APPEND_H
#define RECORDING_APPEND_H

#include "outfile.h"

enum append_kind {
	APPEND_EMPTY,
	APPEND_PLAIN,
	APPEND_ZST,         /* ends behind a frame */
	APPEND_ZST_OPEN,    /* the last frame is not closed: ZST_CLOSE does it */
};

/*
 * What f is, by its first bytes and its end. With repair the torn rest of a frame is cut off. -EPROTO with *why: no
 * recording.
 */
int append_look(const struct outfile *f, bool repair, enum append_kind *out, const char **why);

#endif

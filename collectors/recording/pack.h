/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pack.h - lines into the frames of a compressed recording.
 *
 * A frame holds a whole sample and what follows it, and after every line all that was written can be unpacked. What was packed
 * counts only when it is said to have reached the file: else the frame is given up, and a new one is needed.
 */
#ifndef RECORDING_PACK_H
#define RECORDING_PACK_H

#include "reclaimtop/buf.h"

#include "zst.h"

struct packer;

struct packer *packer_new(void);
void packer_free(struct packer *p);

/* The bytes of whole lines, appended to out; in a new frame where fresh, or where none is open. */
void packer_put(struct packer *p, const struct buf *lines, bool fresh, struct buf *out);

/* What packer_put() gave is in the file, or is not. */
void packer_done(struct packer *p, bool written);

/* Somebody else has closed the frame in the file. */
void packer_closed(struct packer *p);

/* The bytes that close the frame, appended to out; none where there is none to close. */
void packer_end(struct packer *p, struct buf *out);

#endif

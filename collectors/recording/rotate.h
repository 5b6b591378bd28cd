/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rotate.h - the names of files that were full: rec.jsonl.zst becomes rec.1.jsonl.zst, that one rec.2.jsonl.zst.
 */
#ifndef RECORDING_ROTATE_H
#define RECORDING_ROTATE_H

/* Give way to a new file base in the folder dir: keep as many old ones, 0 all. 0 or -errno. */
int rotate_names(int dir, const char *base, unsigned int keep);

#endif

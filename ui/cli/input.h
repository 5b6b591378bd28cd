/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - what is gone through once, from its first sample to its last: a recording, or a
 * captured tree or series.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "reclaimtop/mark.h"
#include "reclaimtop/recording.h"
#include "reclaimtop/step.h"

struct input;

/*
 * Open path, which is a file or a folder. A recording is indexed to its end, so that its markers
 * are known. An exit status: with STATUS_DONE it is in *out, else it was said what is wrong.
 */
int input_open(const char *path, struct input **out);
void input_close(struct input *in);

/*
 * The next sample that can be read, as the step that leads to it; the first of a session is a first
 * step. *session counts from 0. Samples that are damaged are passed over and counted. 1; 0 at the
 * end; -errno. The step dies with the next call.
 */
int input_next(struct input *in, const struct step **st, uint32_t *session);

/* Samples passed over so far, since they are damaged. */
uint64_t input_unreadable(const struct input *in);

/* Markers in the order of the file; none in a captured tree. */
uint32_t input_marks(const struct input *in, const struct mark **marks);

/* What the file is; all nought for a captured tree, but for one session. */
void input_facts(const struct input *in, struct recording_facts *out);

/* Say why input_next() failed; an exit status. */
int input_failed(const struct input *in, int err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pseudonym.h - names that tell nothing, for recordings that are shown to strangers.
 *
 * The same name always becomes the same pseudonym, in every recording of a machine: it is a hash of the name under a key that
 * does not leave the machine. So recordings can be compared, and no list of likely names finds the name.
 */
#ifndef RECORDING_PSEUDONYM_H
#define RECORDING_PSEUDONYM_H

#include "reclaimtop/sample.h"

struct pseudonyms;

struct pseudonyms *pseudonyms_new(void);
void pseudonyms_free(struct pseudonyms *p);

/*
 * Replace the names of memcgs, each part of a path by itself, and of processes that are not the kernel's. What systemd
 * puts behind a name (.service, .scope, …) stays. New names are in the sample's arena.
 */
void pseudonyms_apply(const struct pseudonyms *p, struct sample *s);

/* That of a process's name, in a. */
const char *pseudonym_of_process(const struct pseudonyms *p, const char *name, struct arena *a);

#endif

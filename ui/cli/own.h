/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own.h - what the program itself takes. */
#ifndef CLI_OWN_H
#define CLI_OWN_H

#include "reclaimtop/frame.h"

struct own {
	struct kernfs *fs;
	struct buf text;
	int64_t cpu_us, at_us;   /* when it was last looked at */
	int64_t page_kib;
};

void own_init(struct own *own);
void own_fini(struct own *own);

/* CPU since the last look, and memory, into f. */
void own_look(struct own *own, struct frame *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * support_rig.h - a fake machine with a live source over it, for tests that take samples of it.
 */
#ifndef RECLAIMTOP_SUPPORT_RIG_H
#define RECLAIMTOP_SUPPORT_RIG_H

#include "support_fake.h"

#define SECOND 1000000

struct rig {
	struct fake *f;         /* fake_machine() */
	struct source *src;
	struct sample s;        /* the last one */
	struct interest in;
};

/* Set up and tear down of cmocka. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* A sample, and then a pause. */
const struct sample *rig_take(struct rig *rig, int64_t pause_us);

/* Fails the test where a reading went another way. */
void is_read(const struct sample *s, enum reading_id id, enum reading_state state, int err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int rig_setup(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	rig->f = fake_new();
	fake_machine(rig->f);
	rig->src = fake_live(rig->f, SECOND);
	*state = rig;
	return 0;
}

int rig_teardown(void **state)
{
	struct rig *rig = *state;

	source_close(rig->src);
	arena_free(rig->s.arena);
	fake_free(rig->f);
	free(rig);
	return 0;
}

const struct sample *rig_take(struct rig *rig, int64_t pause_us)
{
	assert_int_equal(rig->src->ops->next(rig->src, &rig->in, &rig->s), 0);
	fake_pass(rig->f, pause_us);
	return &rig->s;
}

void is_read(const struct sample *s, enum reading_id id, enum reading_state state, int err)
{
	const struct reading *r = &s->readings[id];

	if (r->state != state || r->err != err)
		fail_msg("%s: state %d, error %d (%s)", source_infos[id].name, (int)r->state, r->err,
			 strerror(r->err));
}

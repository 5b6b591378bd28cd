/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_roll.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support_series.h"

static struct leaves *of(const struct roll *r)
{
	union {
		const struct roll *in;
		struct leaves *out;
	} u = { r };

	return u.out;
}

static const struct leaf *leaf_at(const struct roll *r, uint64_t i)
{
	const struct leaves *l = of(r);

	assert_true(i >= l->first && i < l->end);
	return &l->leaf[i];
}

static uint64_t leaves_first(const struct roll *r)
{
	return of(r)->first;
}

static uint64_t leaves_end(const struct roll *r)
{
	return of(r)->end;
}

static int64_t leaves_mono(const struct roll *r, uint64_t i)
{
	return leaf_at(r, i)->mono_us;
}

static int64_t leaves_wall(const struct roll *r, uint64_t i)
{
	return leaf_at(r, i)->wall_us;
}

static uint32_t leaves_session(const struct roll *r, uint64_t i)
{
	return leaf_at(r, i)->session;
}

static uint64_t leaves_session_first(const struct roll *r, uint32_t session)
{
	const struct leaves *l = of(r);
	uint64_t i = l->first;

	while (i < l->end && l->leaf[i].session < session)
		i++;
	return i;
}

static uint64_t leaves_find(const struct roll *r, uint32_t session, int64_t t_us)
{
	uint64_t i = leaves_session_first(r, session), end = leaves_session_first(r, session + 1);

	while (i + 1 < end && of(r)->leaf[i + 1].mono_us <= t_us)
		i++;
	return i;
}

static int leaves_read(struct roll *r, uint64_t i, struct sample *out)
{
	const struct leaf *l = leaf_at(r, i);
	const uint64_t marks[3] = { 100, 200, 300 };

	of(r)->reads++;
	if (l->damaged)
		return -EILSEQ;
	sample_reset(out);
	out->n = i;
	out->mono_us = l->mono_us;
	out->wall_us = l->wall_us;
	out->interval_us = l->interval_us;
	out->machine.page_size = 4096;
	out->machine.version = 70200;
	out->machine.boot_id = l->boot_id;
	sample_vm(out, VM_pgsteal_anon, 0);
	sample_vm(out, VM_pgsteal_file, l->steals);
	sample_vm(out, VM_allocstall_normal, l->stalls);
	sample_vm(out, VM_oom_kill, l->ooms);
	sample_zone(out, 0, "Normal", l->free, marks)->managed = 100000;
	return 0;
}

static void leaves_close(struct roll *r)
{
	free(of(r));
}

static const struct roll_ops leaves_ops = {
	.first = leaves_first,
	.end = leaves_end,
	.mono = leaves_mono,
	.wall = leaves_wall,
	.session = leaves_session,
	.session_first = leaves_session_first,
	.find = leaves_find,
	.read = leaves_read,
	.close = leaves_close,
};

struct leaves *leaves_new(uint64_t n)
{
	struct leaves *l = calloc(1, sizeof(*l));

	assert_non_null(l);
	l->roll.ops = &leaves_ops;
	l->end = n;
	for (uint64_t i = 0; i < sizeof(l->leaf) / sizeof(l->leaf[0]); i++)
		l->leaf[i] = (struct leaf){ .mono_us = (int64_t)(i + 100) * 1000000,
					    .free = 5000,
					    .interval_us = 1000000 };
	return l;
}

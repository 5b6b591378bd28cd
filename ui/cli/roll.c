/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "roll.h"

#include <errno.h>
#include <stdlib.h>

void roll_close(struct roll *r)
{
	if (r)
		r->ops->close(r);
}

uint64_t roll_count(const struct roll *r)
{
	return r->ops->end(r) - r->ops->first(r);
}

int64_t roll_pause(const struct roll *r, uint64_t i)
{
	int64_t us;

	if (i + 1 >= r->ops->end(r) || r->ops->session(r, i) != r->ops->session(r, i + 1))
		return 0;
	us = r->ops->mono(r, i + 1) - r->ops->mono(r, i);
	return us > 0 ? us : 0;
}

int64_t roll_between(const struct roll *r, uint64_t from, uint64_t to)
{
	bool same = r->ops->session(r, from) == r->ops->session(r, to);
	int64_t before = same ? r->ops->mono(r, from) : r->ops->wall(r, from);
	int64_t now = same ? r->ops->mono(r, to) : r->ops->wall(r, to);

	if (!same && (!before || !now))
		return 0;
	return now > before ? now - before : 0;
}

/* ---- the history of a session ---------------------------------------------------------------- */

struct stamp {
	int64_t mono_us, wall_us;
};

struct past_roll {
	struct roll roll;
	struct history *history;
	struct stamp *stamps; /* a ring; a power of two of them */
	uint64_t cap, end;
};

static const struct past_roll *kept(const struct roll *r)
{
	return (const struct past_roll *)(const void *)r;
}

static uint64_t history_end(const struct roll *r)
{
	return kept(r)->end;
}

static uint64_t history_first(const struct roll *r)
{
	return kept(r)->end - history_count(kept(r)->history);
}

static const struct stamp *stamp_at(const struct past_roll *r, uint64_t i)
{
	return &r->stamps[i & (r->cap - 1)];
}

static int64_t history_mono(const struct roll *r, uint64_t i)
{
	return stamp_at(kept(r), i)->mono_us;
}

static int64_t history_wall(const struct roll *r, uint64_t i)
{
	return stamp_at(kept(r), i)->wall_us;
}

static uint32_t history_session(const struct roll *r, uint64_t i)
{
	(void)r;
	(void)i;
	return 0;
}

static uint64_t history_session_first(const struct roll *r, uint32_t session)
{
	return session ? history_end(r) : history_first(r);
}

static uint64_t history_find_time(const struct roll *r, uint32_t session, int64_t t_us)
{
	(void)session;
	return history_first(r) + history_find(kept(r)->history, t_us);
}

static int history_read(struct roll *r, uint64_t i, struct sample *out)
{
	uint64_t first = history_first(r);

	if (i < first || i >= history_end(r))
		return -ENOENT;
	return history_get(kept(r)->history, (uint32_t)(i - first), out) ? 0 : -EIO;
}

static void history_close(struct roll *r)
{
	struct past_roll *p = (struct past_roll *)(void *)r;

	history_free(p->history);
	free(p->stamps);
	free(p);
}

static const struct roll_ops history_ops = {
	.first = history_first,
	.end = history_end,
	.mono = history_mono,
	.wall = history_wall,
	.session = history_session,
	.session_first = history_session_first,
	.find = history_find_time,
	.read = history_read,
	.close = history_close,
};

struct roll *roll_history(size_t bytes)
{
	struct past_roll *p = mem_alloc(sizeof(*p));

	*p = (struct past_roll){ .roll = { &history_ops },
				 .history = history_new(bytes),
				 .cap = 64 };
	p->stamps = mem_alloc(p->cap * sizeof(*p->stamps));
	return &p->roll;
}

static void widen(struct past_roll *p)
{
	uint64_t cap = p->cap * 2;
	struct stamp *wide = mem_alloc(cap * sizeof(*wide));

	for (uint64_t i = p->end - p->cap; i < p->end; i++)
		wide[i & (cap - 1)] = *stamp_at(p, i);
	free(p->stamps);
	p->stamps = wide;
	p->cap = cap;
}

bool roll_history_put(struct roll *r, const struct sample *s)
{
	struct past_roll *p = (struct past_roll *)(void *)r;
	uint32_t left_out = history_left_out(p->history);

	history_put(p->history, s);
	if (history_left_out(p->history) != left_out)
		return false;
	if (history_count(p->history) > p->cap)
		widen(p);
	p->stamps[p->end++ & (p->cap - 1)] = (struct stamp){ s->mono_us, s->wall_us };
	return true;
}

void roll_history_clear(struct roll *r)
{
	history_clear(((struct past_roll *)(void *)r)->history);
}

const struct history *roll_history_of(const struct roll *r)
{
	return kept(r)->history;
}

/* ---- a recording ----------------------------------------------------------------------------- */

struct file_roll {
	struct roll roll;
	struct recording *recording;
};

static struct recording *file_of(const struct roll *r)
{
	return ((const struct file_roll *)(const void *)r)->recording;
}

static uint64_t file_first(const struct roll *r)
{
	(void)r;
	return 0;
}

static uint64_t file_end(const struct roll *r)
{
	return recording_count(file_of(r));
}

static int64_t file_mono(const struct roll *r, uint64_t i)
{
	return recording_time(file_of(r), i);
}

static int64_t file_wall(const struct roll *r, uint64_t i)
{
	return recording_wall(file_of(r), i);
}

static uint32_t file_session(const struct roll *r, uint64_t i)
{
	return recording_session(file_of(r), i);
}

static uint64_t file_session_first(const struct roll *r, uint32_t session)
{
	return recording_first(file_of(r), session);
}

static uint64_t file_find(const struct roll *r, uint32_t session, int64_t t_us)
{
	return recording_find(file_of(r), session, t_us);
}

static int file_read(struct roll *r, uint64_t i, struct sample *out)
{
	return recording_read(file_of(r), i, out);
}

static void file_close(struct roll *r)
{
	recording_close(file_of(r));
	free(r);
}

static const struct roll_ops file_ops = {
	.first = file_first,
	.end = file_end,
	.mono = file_mono,
	.wall = file_wall,
	.session = file_session,
	.session_first = file_session_first,
	.find = file_find,
	.read = file_read,
	.close = file_close,
};

struct roll *roll_recording(struct recording *recording)
{
	struct file_roll *f = mem_alloc(sizeof(*f));

	*f = (struct file_roll){ { &file_ops }, recording };
	return &f->roll;
}

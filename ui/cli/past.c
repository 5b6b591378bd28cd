/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"

/* So many samples that cannot be read are passed over: one damaged line can cost a whole group. */
#define DAMAGED_MAX 128

/* A sample that was read, and where. */
struct held {
	struct sample sample;
	uint64_t at;
	bool full;
};

struct past {
	struct roll *roll;
	uint32_t steps;
	struct held held[6];
	struct held *before, *now, *spare[2]; /* before->full: there is one */
	struct step step;
	struct window *window;
	uint32_t have;  /* steps in it, up to now */
	uint64_t reach; /* the sample behind now, but for those that were found to be damaged */
	bool whole;
	struct finding findings[FINDING_NR];
	uint32_t nfindings;

	/* The window that is being put together; it takes window's place when it is whole. */
	struct window *other;
	struct held *last, *next;
	struct step scratch;
	uint64_t at; /* the sample to be read next */
	bool building;
};

struct past *past_new(struct roll *roll, uint32_t steps)
{
	struct past *p = mem_alloc(sizeof(*p));

	memset(p, 0, sizeof(*p));
	p->roll = roll;
	p->steps = steps;
	for (size_t i = 0; i < sizeof(p->held) / sizeof(p->held[0]); i++)
		p->held[i].sample.arena = arena_new();
	p->before = &p->held[0];
	p->now = &p->held[1];
	p->spare[0] = &p->held[2];
	p->spare[1] = &p->held[3];
	p->last = &p->held[4];
	p->next = &p->held[5];
	p->step.arena = arena_new();
	p->scratch.arena = arena_new();
	p->window = window_new(steps);
	p->other = window_new(steps);
	return p;
}

void past_free(struct past *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < sizeof(p->held) / sizeof(p->held[0]); i++)
		arena_free(p->held[i].sample.arena);
	arena_free(p->step.arena);
	arena_free(p->scratch.arena);
	window_free(p->window);
	window_free(p->other);
	free(p);
}

bool past_comparable(const struct sample *before, uint32_t session_before, const struct sample *now,
		     uint32_t session_now)
{
	return session_before == session_now || now->restart || now->mono_us < before->mono_us ||
	       (before->machine.boot_id && now->machine.boot_id);
}

static void swap_held(struct held **a, struct held **b)
{
	struct held *was = *a;

	*a = *b;
	*b = was;
}

static int read_into(struct past *p, uint64_t i, struct held *into)
{
	int err = p->roll->ops->read(p->roll, i, &into->sample);

	into->full = !err;
	into->at = i;
	return err;
}

static bool comparable(const struct past *p, const struct held *before, const struct held *now)
{
	const struct roll *r = p->roll;

	return before->full && past_comparable(&before->sample, r->ops->session(r, before->at),
					       &now->sample, r->ops->session(r, now->at));
}

static void make_step(const struct past *p, const struct held *before, const struct held *now,
		      struct step *out)
{
	step_make(comparable(p, before, now) ? &before->sample : NULL, &now->sample, out);
}

/* The last sample before i that can be read. */
static void read_before(struct past *p, uint64_t i, int tries, struct held *into)
{
	uint64_t first = p->roll->ops->first(p->roll);

	into->full = false;
	for (; i > first && tries; tries--)
		if (!read_into(p, --i, into))
			return;
}

/* Nothing before this step is looked at. */
static bool begins(const struct step *st)
{
	return st->state == STEP_FIRST || st->state == STEP_RESET;
}

static void settle(struct past *p)
{
	p->whole |= p->have >= p->steps || begins(&p->step);
	p->nfindings = p->whole ? diagnose(p->window, &p->step, p->findings) : 0;
}

static void take_step(struct past *p)
{
	make_step(p, p->before, p->now, &p->step);
	window_add(p->window, &p->step);
	p->have++;
	settle(p);
}

static int go_on(struct past *p, uint64_t i)
{
	int err = read_into(p, i, p->spare[0]);

	p->reach = i + 1;
	if (err)
		return err;
	swap_held(&p->before, &p->now);
	swap_held(&p->now, &p->spare[0]);
	take_step(p);
	return 0;
}

/* First the one before, so that the reader goes on from it. */
static int jump(struct past *p, uint64_t i)
{
	int err;

	read_before(p, i, 1, p->spare[0]);
	err = read_into(p, i, p->spare[1]);
	if (err)
		return err;
	if (!p->spare[0]->full)
		read_before(p, i, DAMAGED_MAX, p->spare[0]);
	p->reach = i + 1;
	swap_held(&p->before, &p->spare[0]);
	swap_held(&p->now, &p->spare[1]);
	window_clear(p->window);
	p->have = 0;
	p->whole = p->building = false;
	take_step(p);
	return 0;
}

int past_go(struct past *p, uint64_t i)
{
	if (p->now->full && p->now->at == i)
		return 0;
	if (p->now->full && p->reach == i)
		return go_on(p, i);
	return jump(p, i);
}

/* ---- the window ------------------------------------------------------------------------------ */

static void begin(struct past *p)
{
	uint64_t first = p->roll->ops->first(p->roll), now = p->now->at;

	p->building = true;
	p->at = now - first > p->steps ? now - p->steps : first;
	p->last->full = false;
	window_clear(p->other);
}

/* One sample more: a step of the window, but for the one that only begins it. */
static void build_one(struct past *p)
{
	bool is_first = p->at == p->roll->ops->first(p->roll);

	if (!read_into(p, p->at++, p->next)) {
		if (p->last->full || is_first) {
			make_step(p, p->last, p->next, &p->scratch);
			window_add(p->other, &p->scratch);
		}
		swap_held(&p->last, &p->next);
	}
}

static void finish(struct past *p)
{
	struct window *was = p->window;

	p->window = p->other;
	p->other = was;
	p->building = false;
	p->whole = true;
	settle(p);
}

bool past_fill(struct past *p, int64_t until_us)
{
	if (p->whole || !p->now->full)
		return false;
	/* Forgotten meanwhile, and what was before it too. */
	if (p->now->at < p->roll->ops->first(p->roll))
		return false;
	if (!p->building)
		begin(p);
	while (p->at <= p->now->at) {
		build_one(p);
		if (p->at <= p->now->at && clock_mono_us() >= until_us)
			return true;
	}
	finish(p);
	return false;
}

bool past_picture(const struct past *p, struct past_picture *out)
{
	*out = (struct past_picture){
		.now = &p->now->sample,
		.step = &p->step,
		.window = p->window,
		.findings = p->findings,
		.nfindings = p->nfindings,
		.whole = p->whole,
	};
	return p->now->full;
}

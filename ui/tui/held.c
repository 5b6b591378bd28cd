/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/fields.h"

struct held {
	struct sample before, now;
	struct step step;
	struct finding findings[FINDING_NR];
};

static struct held *held_new(void)
{
	struct held *h = mem_alloc(sizeof(*h));

	memset(h, 0, sizeof(*h));
	h->before.arena = arena_new();
	h->now.arena = arena_new();
	h->step.arena = arena_new();
	return h;
}

struct held *held_keep(struct held *h, const struct frame *f, struct frame *out)
{
	h = h ? h : held_new();
	*out = *f;
	sample_copy(f->now, &h->now);
	if (f->step->before)
		sample_copy(f->step->before, &h->before);
	step_make(f->step->before ? &h->before : NULL, &h->now, &h->step);
	memcpy(h->findings, f->findings, f->nfindings * sizeof(*f->findings));
	out->now = &h->now;
	out->step = &h->step;
	out->findings = h->findings;
	return h;
}

void held_free(struct held *h)
{
	if (!h)
		return;
	arena_free(h->before.arena);
	arena_free(h->now.arena);
	arena_free(h->step.arena);
	free(h);
}

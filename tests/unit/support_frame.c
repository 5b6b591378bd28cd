/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/recording.h"

struct reel {
	struct source *src;
	struct recording *recording;   /* that src is; NULL: it is none */
	struct interest interest;
	struct sample samples[3];   /* in turn: a frame points to two of them */
	struct step steps[2];
	uint32_t n;
	struct window *window;
	struct finding findings[FINDING_NR];
	struct frame frame;
};

static struct source *source_of(const char *path, struct recording **r, const char **why)
{
	size_t len = strlen(path);

	if (len < 4 || strcmp(path + len - 4, ".zst"))
		return source_tree(path, false, why);
	*r = recording_open(path, 0, why);
	return *r ? source_recording(*r) : NULL;
}

struct reel *reel_open(const char *dir)
{
	struct reel *r = calloc(1, sizeof(*r));
	const char *why = "";

	assert_non_null(r);
	r->src = source_of(dir, &r->recording, &why);
	if (!r->src)
		fail_msg("%s: %s", dir, why);
	for (int i = 0; i < 3; i++)
		r->samples[i].arena = arena_new();
	for (int i = 0; i < 2; i++)
		r->steps[i].arena = arena_new();
	r->window = window_new(64);
	r->frame.label = "tree";
	r->frame.own_rss_kib = UNKNOWN;
	return r;
}

bool reel_next(struct reel *r, struct frame *out)
{
	struct sample *now = &r->samples[r->n % 3];
	const struct sample *before = r->n ? &r->samples[(r->n + 2) % 3] : NULL;
	struct step *step = &r->steps[r->n % 2];

	if (r->src->ops->next(r->src, &r->interest, now)) {
		r->frame.ended = true;
		*out = r->frame;
		return false;
	}
	step_make(before, now, step);
	window_add(r->window, step);
	r->frame.now = now;
	r->frame.step = step;
	r->frame.window = r->window;
	r->frame.nfindings = diagnose(r->window, step, r->findings);
	r->frame.findings = r->findings;
	r->frame.rung = sample_rung(now, &r->frame.rung_reason);
	r->frame.gaps += step->state == STEP_GAP;
	*out = r->frame;
	r->n++;
	return true;
}

void reel_want(struct reel *r, const struct interest *in)
{
	r->interest = *in;
}

void reel_close(struct reel *r)
{
	source_close(r->src);
	if (r->recording)
		recording_close(r->recording);
	for (int i = 0; i < 3; i++)
		arena_free(r->samples[i].arena);
	for (int i = 0; i < 2; i++)
		arena_free(r->steps[i].arena);
	window_free(r->window);
	free(r);
}

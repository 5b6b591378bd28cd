/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alarm.h"
#include "memory.h"
#include "own.h"
#include "sampler.h"

/* Rules look back up to a minute of one-second steps. */
#define WINDOW_STEPS 64

struct session {
	struct feed feed;
	struct sampler *sampler;
	struct sampler_news news;
	struct interest always;
	struct sample *before, *now;   /* lent by the sampler; now is set once a frame was given */
	struct sample empty;           /* stands for now where no sample ever came */
	struct step step;
	struct window *window;
	struct memory *memory;         /* NULL: none is kept */
	int fd;                        /* the sampler's and the memory's, where there are both */
	struct finding findings[FINDING_NR];
	struct own own;
	struct frame frame;
	bool ended;            /* the end was told */
};

/* ---- one sample ------------------------------------------------------------------------------ */

static bool is_torn(const struct sample *now)
{
	for (int i = 0; i < READ_NR; i++)
		if (now->readings[i].torn || now->readings[i].cut)
			return true;
	return false;
}

/* The next sample takes now's place, which takes before's. */
static void advance(struct session *s, struct sample *next)
{
	struct frame *f = &s->frame;

	if (s->before)
		sampler_give(s->sampler, s->before);
	s->before = s->now;
	s->now = next;
	step_make(s->before, s->now, &s->step);
	window_add(s->window, &s->step);
	if (s->memory)
		memory_keep(s->memory, &s->step);
	f->gaps += s->step.state == STEP_GAP;
	f->torn += is_torn(next);
}

/* All that hangs on the newest sample. */
static void fill_frame(struct session *s)
{
	struct frame *f = &s->frame;

	f->now = s->now;
	f->step = &s->step;
	f->window = s->window;
	f->nfindings = diagnose(s->window, &s->step, s->findings);
	f->findings = s->findings;
	f->rung = sample_rung(s->now, &f->rung_reason);
	own_look(&s->own, f);
}

static void fill_news(struct session *s)
{
	struct frame *f = &s->frame;

	f->missed = s->news.missed;
	f->ended = s->news.ended;
	f->done = s->news.done;
	f->error = s->news.error ? strerror(s->news.error) : NULL;
}

static void fill_out(struct session *s, struct frame *out)
{
	fill_news(s);
	*out = s->frame;
	if (s->memory)
		memory_fill(s->memory, out);
}

/* A source that ended before its first sample: there is something to look at all the same. */
static void fill_empty(struct session *s)
{
	s->empty.arena = arena_new();
	sample_reset(&s->empty);
	step_make(NULL, &s->empty, &s->step);
	s->now = &s->empty;
	fill_frame(s);
}

/* ---- what others call ------------------------------------------------------------------------ */

/* The end is news once, and once more when the last sample asked for has stood long enough. */
static bool is_new_end(struct session *s)
{
	bool is_new = (s->news.ended && !s->ended) || (s->news.done && !s->frame.done);

	s->ended |= s->news.ended;
	return is_new;
}

static bool session_take(struct feed *feed, struct frame *out)
{
	struct session *s = feed->ctx;
	struct sample *next = sampler_take(s->sampler, &s->news);
	bool any = next != NULL;

	for (; next; next = sampler_take(s->sampler, &s->news))
		advance(s, next);
	if (any)
		fill_frame(s);
	any |= is_new_end(s);
	any |= s->memory && memory_work(s->memory) && s->now;
	if (!any)
		return false;
	if (!s->now)
		fill_empty(s);
	fill_out(s, out);
	return true;
}

int session_next(struct session *s, struct frame *out)
{
	struct sample *next = sampler_take(s->sampler, &s->news);

	if (!next && !s->news.ended)
		return 0;
	if (next) {
		advance(s, next);
		fill_frame(s);
	} else if (!s->now) {
		fill_empty(s);
	}
	fill_out(s, out);
	return next ? 1 : -1;
}

static int session_fd(struct feed *feed)
{
	return ((struct session *)feed->ctx)->fd;
}

static void session_want(struct feed *feed, const struct interest *in)
{
	struct session *s = feed->ctx;
	struct interest all = *in;

	all.pagetypes |= s->always.pagetypes;
	all.tiers |= s->always.tiers;
	all.processes |= s->always.processes;
	all.pagetypes_forced |= s->always.pagetypes_forced;
	sampler_want(s->sampler, &all);
	if (s->memory)
		memory_want(s->memory, in);
}

static void session_pace(struct feed *feed, int64_t interval_us)
{
	struct session *s = feed->ctx;

	s->frame.interval_us = interval_us;
	sampler_pace(s->sampler, interval_us);
}

static void session_wish(struct feed *feed, const struct wish *w)
{
	struct session *s = feed->ctx;

	if (s->memory)
		memory_wish(s->memory, w);
}

static const struct feed_ops session_ops = {
	.fd = session_fd,
	.take = session_take,
	.want = session_want,
	.pace = session_pace,
	.wish = session_wish,
};

struct feed *session_feed(struct session *s)
{
	return &s->feed;
}

/* The past of the session, and one descriptor for all that may come. */
static bool remember(struct session *s, size_t bytes)
{
	int fds[2] = { sampler_fd(s->sampler), -1 };

	if (!bytes) {
		s->fd = fds[0];
		return true;
	}
	s->memory = memory_new(bytes, WINDOW_STEPS);
	if (!s->memory)
		return false;
	fds[1] = memory_fd(s->memory);
	s->fd = alarm_join(fds, 2);
	return s->fd >= 0;
}

struct session *session_new(struct source *src, const struct session_options *options)
{
	struct sampler_options so = { options->interval_us, options->no_pauses, options->limit,
				      options->interest };
	struct session *s = mem_alloc(sizeof(*s));

	memset(s, 0, sizeof(*s));
	s->feed = (struct feed){ &session_ops, s };
	s->always = options->interest;
	s->step.arena = arena_new();
	s->window = window_new(WINDOW_STEPS);
	s->frame.label = options->label ? options->label : src->label;
	s->frame.interval_us = options->interval_us;
	s->frame.live = src->can & SOURCE_LIVE;
	own_init(&s->own);
	s->sampler = sampler_start(src, &so);
	if (s->sampler && remember(s, options->history_bytes))
		return s;
	session_free(s);
	return NULL;
}

void session_free(struct session *s)
{
	int err = errno;

	if (!s)
		return;
	if (s->memory && s->fd >= 0)
		close(s->fd);
	memory_free(s->memory);
	sampler_stop(s->sampler);
	arena_free(s->step.arena);
	arena_free(s->empty.arena);
	window_free(s->window);
	own_fini(&s->own);
	free(s);
	errno = err;
}

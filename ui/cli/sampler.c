/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

#include "thread.h"

/* Two with who shows them, two that wait, one being filled. */
#define SAMPLES 5
#define STACK_SIZE ((size_t)128 << 10)
#define PAUSE_USUAL_US INT64_C(1000000)
#define STOP_WAIT_US INT64_C(300000)

/* A queue with room for every sample there is. */
struct queue {
	struct sample *items[SAMPLES];
	uint32_t first, n;
};

struct sampler {
	struct sample samples[SAMPLES];
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;

	/* Under the lock. */
	struct queue idle, ready;
	struct interest interest;
	int64_t interval_us;
	bool repace, stop, finished, abandoned;
	struct sampler_news news;

	/* The thread's own. */
	struct source *src;
	struct interest wanted;
	bool no_pauses;
	uint64_t limit, taken;
	int64_t due_us;        /* when the last sample was due */
	int64_t last_us;       /* played: the last sample's own time, and the pause before it */
	int64_t last_pause_us;
};

static void queue_put(struct queue *q, struct sample *s)
{
	q->items[(q->first + q->n) % SAMPLES] = s;
	q->n++;
}

static struct sample *queue_get(struct queue *q)
{
	struct sample *s = q->n ? q->items[q->first] : NULL;

	if (s) {
		q->first = (q->first + 1) % SAMPLES;
		q->n--;
	}
	return s;
}

int64_t sampler_next_due(int64_t due, int64_t interval_us, int64_t now, uint32_t *missed)
{
	int64_t late;

	due += interval_us;
	late = now > due && interval_us > 0 ? (now - due) / interval_us : 0;
	*missed += (uint32_t)(late < UINT32_MAX ? late : UINT32_MAX);
	return due + late * interval_us;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static bool is_live(const struct sampler *s)
{
	return s->src->can & SOURCE_LIVE;
}

/* Under the lock: wait for a change, or until a time. True: the time has come. */
static bool wait_until(struct sampler *s, int64_t t_us)
{
	struct timespec t = { .tv_sec = (time_t)(t_us / 1000000),
			      .tv_nsec = (long)(t_us % 1000000) * 1000 };

	if (clock_mono_us() >= t_us)
		return true;
	return pthread_cond_timedwait(&s->changed, &s->lock, &t) == ETIMEDOUT;
}

/* Under the lock: sleep until due_us + interval. The interval may change meanwhile. False: stop. */
static bool sleep_interval(struct sampler *s)
{
	while (!s->stop) {
		if (s->repace)
			s->due_us = clock_mono_us();
		s->repace = false;
		if (wait_until(s, s->due_us + s->interval_us))
			break;
	}
	return !s->stop;
}

/* Live: until the next sample is due. False: stop. */
static bool pause_before(struct sampler *s)
{
	bool go;

	pthread_mutex_lock(&s->lock);
	if (!s->taken) {
		s->due_us = clock_mono_us();
		s->repace = false;
		go = !s->stop;
	} else {
		go = sleep_interval(s);
		s->due_us = sampler_next_due(s->due_us, s->interval_us, clock_mono_us(),
					     &s->news.missed);
	}
	pthread_mutex_unlock(&s->lock);
	return go;
}

/* Under the lock: how long after the one before it a played sample is to be seen. */
static int64_t pause_of(const struct sampler *s, const struct sample *next)
{
	int64_t own = next->mono_us - s->last_us;

	if (s->interval_us)
		return s->interval_us;
	if (s->no_pauses)
		return 0;
	return own > 0 && !next->restart ? own : s->last_pause_us;
}

/* Played: until the time has come for a sample that was read already. False: stop. */
static bool pause_after(struct sampler *s, const struct sample *next)
{
	int64_t pause = 0, now;
	bool go;

	pthread_mutex_lock(&s->lock);
	if (s->taken) {
		pause = pause_of(s, next);
		while (!s->stop && !wait_until(s, s->due_us + pause))
			pause = pause_of(s, next);
	}
	s->last_pause_us = pause ? pause : s->last_pause_us;
	s->last_us = next->mono_us;
	now = clock_mono_us();
	s->due_us = s->taken && s->due_us + 2 * pause > now ? s->due_us + pause : now;
	go = !s->stop;
	pthread_mutex_unlock(&s->lock);
	return go;
}

/* A sample to fill, and what is wanted in it. NULL: stop. */
static struct sample *wait_idle(struct sampler *s)
{
	struct sample *idle = NULL;

	pthread_mutex_lock(&s->lock);
	while (!s->stop && !(idle = queue_get(&s->idle)))
		pthread_cond_wait(&s->changed, &s->lock);
	if (s->stop)
		idle = NULL;
	s->wanted = s->interest;
	pthread_mutex_unlock(&s->lock);
	return idle;
}

/* Under the lock. The counter of an eventfd cannot overflow here, so this never waits. */
static void wake(const struct sampler *s)
{
	uint64_t one = 1;

	while (write(s->fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/*
 * A live sample is meant to come an interval after the one before; how long it took is seen in its
 * times.
 */
static void hand_over(struct sampler *s, struct sample *full)
{
	pthread_mutex_lock(&s->lock);
	if (is_live(s))
		full->interval_us = s->interval_us;
	queue_put(&s->ready, full);
	s->taken++;
	wake(s);
	pthread_mutex_unlock(&s->lock);
}

static void tell_end(struct sampler *s, int error, bool done)
{
	pthread_mutex_lock(&s->lock);
	s->news.ended = true;
	s->news.error = error;
	s->news.done = done;
	wake(s);
	pthread_mutex_unlock(&s->lock);
}

/* The last sample asked for is shown as long as any other. */
static void finish(struct sampler *s)
{
	bool go;

	tell_end(s, 0, false);
	pthread_mutex_lock(&s->lock);
	if (!s->interval_us)
		s->interval_us = s->last_pause_us;
	go = s->no_pauses || sleep_interval(s);
	pthread_mutex_unlock(&s->lock);
	if (go)
		tell_end(s, 0, true);
}

/* One sample, from its pause to its handing over. 0: go on; 1: all is said. */
static int take_one(struct sampler *s)
{
	struct sample *idle;
	int err;

	if (is_live(s) && !pause_before(s))
		return 1;
	idle = wait_idle(s);
	if (!idle)
		return 1;
	err = s->src->ops->next(s->src, &s->wanted, idle);
	if (err) {
		tell_end(s, err < 0 ? -err : 0, false);
		return 1;
	}
	if (!is_live(s) && !pause_after(s, idle))
		return 1;
	hand_over(s, idle);
	return 0;
}

static void free_all(struct sampler *s)
{
	for (uint32_t i = 0; i < SAMPLES; i++)
		arena_free(s->samples[i].arena);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	if (s->fd >= 0)
		close(s->fd);
	source_close(s->src);
	free(s);
}

static void *run(void *arg)
{
	struct sampler *s = arg;

	bool abandoned;
	int rc = 0;

	while (!rc && (!s->limit || s->taken < s->limit))
		rc = take_one(s);
	if (!rc)
		finish(s);
	pthread_mutex_lock(&s->lock);
	s->finished = true;
	abandoned = s->abandoned;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		free_all(s);
	return NULL;
}

/* ---- starting and stopping ------------------------------------------------------------------- */

static void init_lock(struct sampler *s)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&s->lock, NULL);
}

struct sampler *sampler_start(struct source *src, const struct sampler_options *options)
{
	struct sampler *s = mem_alloc(sizeof(*s));
	int err;

	memset(s, 0, sizeof(*s));
	s->src = src;
	s->interest = options->interest;
	s->interval_us = options->interval_us;
	if (is_live(s) && !s->interval_us)
		s->interval_us = PAUSE_USUAL_US;
	s->no_pauses = options->no_pauses;
	s->limit = options->limit;
	s->last_pause_us = PAUSE_USUAL_US;
	init_lock(s);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		s->samples[i].arena = arena_new();
		queue_put(&s->idle, &s->samples[i]);
	}
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = s->fd < 0 ? errno : thread_start(&s->thread, STACK_SIZE, run, s);
	if (!err)
		return s;
	free_all(s);
	errno = err;
	return NULL;
}

void sampler_stop(struct sampler *s)
{
	int64_t until = clock_mono_us() + STOP_WAIT_US;
	pthread_t thread;
	bool finished;

	if (!s)
		return;
	/* One that is let go may end, and free all, at once. */
	thread = s->thread;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->changed);
	while (!s->finished && !wait_until(s, until))
		;
	finished = s->finished;
	s->abandoned = !finished;
	pthread_mutex_unlock(&s->lock);
	if (finished) {
		pthread_join(thread, NULL);
		free_all(s);
	} else {
		pthread_detach(thread);
	}
}

/* ---- the other side -------------------------------------------------------------------------- */

int sampler_fd(const struct sampler *s)
{
	return s->fd;
}

struct sample *sampler_take(struct sampler *s, struct sampler_news *news)
{
	struct sample *next;
	uint64_t count;

	pthread_mutex_lock(&s->lock);
	next = queue_get(&s->ready);
	*news = s->news;
	news->ended &= !s->ready.n;
	news->done &= !s->ready.n;
	if (!s->ready.n)
		while (read(s->fd, &count, sizeof(count)) < 0 && errno == EINTR)
			;
	pthread_mutex_unlock(&s->lock);
	return next;
}

void sampler_give(struct sampler *s, struct sample *used)
{
	pthread_mutex_lock(&s->lock);
	queue_put(&s->idle, used);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sampler_want(struct sampler *s, const struct interest *interest)
{
	pthread_mutex_lock(&s->lock);
	s->interest = *interest;
	pthread_mutex_unlock(&s->lock);
}

void sampler_pace(struct sampler *s, int64_t interval_us)
{
	pthread_mutex_lock(&s->lock);
	s->interval_us = interval_us;
	s->repace = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sampler_now(struct sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->due_us = clock_mono_us() - s->interval_us;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scribe.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "reclaimtop/fields.h"

#include "thread.h"

#define SLOTS      4
#define STACK_SIZE ((size_t)512 << 10)
#define MARK_TEXT  256

/* A sample, or a marker where text is set. */
struct slot {
	struct sample sample;
	int64_t mono_us;
	char text[MARK_TEXT];
	bool is_mark;
};

struct scribe {
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;

	/* Under the lock; what is in a slot belongs to whose turn it is. */
	struct slot slots[SLOTS];
	uint32_t first, n;
	bool stop, abandoned;
	struct scribe_news news;

	/* The thread's own. */
	struct recorder *recorder;
};

/* ---- the thread ------------------------------------------------------------------------------ */

static void wake(const struct scribe *s)
{
	uint64_t one = 1;

	while (write(s->fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/* What is to be written next; NULL: nothing any more. */
static const struct slot *wait_full(struct scribe *s)
{
	const struct slot *full;

	pthread_mutex_lock(&s->lock);
	while (!s->n && !s->stop)
		pthread_cond_wait(&s->changed, &s->lock);
	full = s->n ? &s->slots[s->first] : NULL;
	pthread_mutex_unlock(&s->lock);
	return full;
}

static int write_slot(struct scribe *s, const struct slot *slot)
{
	const char *name;
	double value;
	int len;

	if (!slot->is_mark)
		return recorder_put(s->recorder, &slot->sample);
	return recorder_mark(s->recorder,
			     mark_score(slot->text, &name, &len, &value) ? MARK_SCORE : MARK_NOTE,
			     slot->mono_us, slot->text);
}

static void let_go(struct scribe *s, int err)
{
	pthread_mutex_lock(&s->lock);
	s->first = (s->first + 1) % SLOTS;
	s->n--;
	s->news.samples = recorder_samples(s->recorder);
	s->news.bytes = recorder_bytes(s->recorder);
	s->news.lost = recorder_lost(s->recorder);
	s->news.error = -err;
	wake(s);
	pthread_mutex_unlock(&s->lock);
}

static void free_all(struct scribe *s)
{
	for (int i = 0; i < SLOTS; i++)
		arena_free(s->slots[i].sample.arena);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

static void *run(void *arg)
{
	struct scribe *s = arg;
	const struct slot *full;
	bool abandoned;
	int err;

	while ((full = wait_full(s)))
		let_go(s, write_slot(s, full));
	err = recorder_close(s->recorder);
	pthread_mutex_lock(&s->lock);
	s->news.error = err ? -err : s->news.error;
	s->news.ended = true;
	abandoned = s->abandoned;
	wake(s);
	pthread_mutex_unlock(&s->lock);
	if (abandoned)
		free_all(s);
	return NULL;
}

/* ---- the other side -------------------------------------------------------------------------- */

struct scribe *scribe_open(const char *path, const char **why)
{
	const struct recorder_options options = { .append = false };
	struct scribe *s = mem_alloc(sizeof(*s));
	int err;

	memset(s, 0, sizeof(*s));
	/* A file that may not grow any more is an error like others. */
	signal(SIGXFSZ, SIG_IGN);
	s->recorder = recorder_open(path, &options, why);
	err = s->recorder ? 0 : errno;
	pthread_cond_init(&s->changed, NULL);
	pthread_mutex_init(&s->lock, NULL);
	for (int i = 0; i < SLOTS; i++)
		s->slots[i].sample.arena = arena_new();
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!err && (s->fd < 0 || (err = thread_start(&s->thread, STACK_SIZE, run, s)))) {
		*why = "a thread was refused";
		err = err ? err : errno;
		recorder_close(s->recorder);
	}
	if (!err)
		return s;
	free_all(s);
	errno = err;
	return NULL;
}

int scribe_fd(const struct scribe *s)
{
	return s->fd;
}

void scribe_look(struct scribe *s, struct scribe_news *out)
{
	uint64_t count;

	pthread_mutex_lock(&s->lock);
	*out = s->news;
	while (read(s->fd, &count, sizeof(count)) < 0 && errno == EINTR)
		;
	pthread_mutex_unlock(&s->lock);
}

/* A slot to fill; only its filler sees it until put(). NULL: there is none. */
static struct slot *slot_to_fill(struct scribe *s)
{
	struct slot *slot;

	pthread_mutex_lock(&s->lock);
	slot = s->n < SLOTS ? &s->slots[(s->first + s->n) % SLOTS] : NULL;
	pthread_mutex_unlock(&s->lock);
	return slot;
}

static void put(struct scribe *s)
{
	pthread_mutex_lock(&s->lock);
	s->n++;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

bool scribe_put(struct scribe *s, const struct sample *sample)
{
	struct slot *slot = slot_to_fill(s);

	if (!slot)
		return false;
	sample_copy(sample, &slot->sample);
	slot->is_mark = false;
	put(s);
	return true;
}

bool scribe_mark(struct scribe *s, int64_t mono_us, const char *text)
{
	struct slot *slot = slot_to_fill(s);

	if (!slot)
		return false;
	slot->is_mark = true;
	slot->mono_us = mono_us;
	snprintf(slot->text, sizeof(slot->text), "%s", text);
	put(s);
	return true;
}

void scribe_end(struct scribe *s)
{
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void scribe_close(struct scribe *s)
{
	pthread_t thread = s->thread;
	bool ended;

	pthread_mutex_lock(&s->lock);
	s->stop = s->abandoned = true;
	ended = s->news.ended;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (ended) {
		pthread_join(thread, NULL);
		free_all(s);
	} else {
		pthread_detach(thread);
	}
}

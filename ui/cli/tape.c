/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tape.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/clock.h"
#include "reclaimtop/units.h"

#include "say.h"

/* How long the end of the program waits for a disk. */
#define CLOSE_US INT64_C(5000000)

/* Markers that wait for room; more than one can type while a disk does not answer. */
#define MARKS 16

struct tape {
	struct roll *roll;
	const struct moments *moments;
	struct scribe *scribe; /* NULL: nothing is recorded */
	struct scribe_news news;
	uint64_t next, until; /* the sample to be brought next; where it ends */
	bool ending;
	uint64_t missed; /* forgotten before they could be brought */
	int told;        /* the error that was said last */
	struct moment marks[MARKS];
	uint32_t nmarks;
	struct sample scratch;
	char path[WISH_TEXT];
	char said[WISH_TEXT + 100];
};

struct tape *tape_new(struct roll *roll, const struct moments *moments)
{
	struct tape *t = mem_alloc(sizeof(*t));

	memset(t, 0, sizeof(*t));
	t->roll = roll;
	t->moments = moments;
	t->scratch.arena = arena_new();
	return t;
}

bool tape_start(struct tape *t, const char *path, uint64_t from, const char **why)
{
	const char *reason = "";

	if (!strcmp(path, "-")) {
		*why = "standard output is the screen: give a file";
		return false;
	}
	snprintf(t->path, sizeof(t->path), "%s", path);
	errno = 0;
	t->scribe = scribe_open(t->path, &reason);
	if (!t->scribe) {
		snprintf(t->said, sizeof(t->said), "%s: %s", t->path,
			 reason && *reason ? reason : strerror(errno));
		*why = t->said;
		return false;
	}
	t->news = (struct scribe_news){ 0 };
	t->next = from;
	t->until = UINT64_MAX;
	t->missed = 0;
	t->nmarks = 0;
	t->told = 0;
	t->ending = false;
	return true;
}

void tape_stop(struct tape *t)
{
	t->until = t->roll->ops->end(t->roll);
	t->ending = true;
}

bool tape_runs(const struct tape *t)
{
	return t->scribe != NULL;
}

bool tape_is_ending(const struct tape *t)
{
	return t->scribe && t->ending;
}

int tape_fd(const struct tape *t)
{
	return t->scribe ? scribe_fd(t->scribe) : -1;
}

enum record_state tape_state(const struct tape *t, uint64_t *bytes)
{
	*bytes = t->news.bytes;
	if (!t->scribe)
		return RECORD_NOT;
	return t->news.error ? RECORD_FAILING : RECORD_RUNS;
}

/* ---- bringing -------------------------------------------------------------------------------- */

/* The markers of a sample that was brought. */
static void queue_mark(struct tape *t, uint64_t i)
{
	bool known;

	if (t->nmarks < MARKS && (moments_at(t->moments, i, &known) & (1u << MOMENT_MARK)))
		moments_tell(t->moments, i, MOMENT_MARK, &t->marks[t->nmarks++]);
}

/* False: there is no room. */
static bool bring_marks(struct tape *t)
{
	while (t->nmarks && scribe_mark(t->scribe, t->marks[0].mono_us, t->marks[0].text))
		memmove(t->marks, t->marks + 1, --t->nmarks * sizeof(t->marks[0]));
	return !t->nmarks;
}

/* From the roll, but the newest as it came. False: there is no room. */
static bool bring_one(struct tape *t, const struct sample *newest)
{
	const struct sample *s = newest;

	if (!newest || t->next + 1 < t->roll->ops->end(t->roll)) {
		s = &t->scratch;
		if (t->roll->ops->read(t->roll, t->next, &t->scratch)) {
			t->missed++;
			t->next++;
			return true;
		}
	}
	if (!scribe_put(t->scribe, s))
		return false;
	queue_mark(t, t->next++);
	return bring_marks(t);
}

static void bring(struct tape *t, const struct sample *newest)
{
	uint64_t first = t->roll->ops->first(t->roll), end = t->roll->ops->end(t->roll);

	if (t->next < first) {
		t->missed += first - t->next;
		t->next = first;
	}
	end = end < t->until ? end : t->until;
	if (!bring_marks(t))
		return;
	while (t->next < end && bring_one(t, newest))
		;
	if (t->next >= t->until && !t->nmarks)
		scribe_end(t->scribe);
}

void tape_mark(struct tape *t, uint64_t i, const char *text)
{
	struct moment *m = &t->marks[t->nmarks];

	if (!t->scribe || i >= t->next || t->nmarks == MARKS)
		return;
	m->mono_us = t->roll->ops->mono(t->roll, i);
	snprintf(m->text, sizeof(m->text), "%.*s", (int)sizeof(m->text) - 1, text);
	t->nmarks++;
}

/* ---- what became of it ----------------------------------------------------------------------- */

static void tell_end(struct tape *t)
{
	uint64_t lost = t->news.lost + t->missed;
	char size[16];

	units_bytes(t->news.bytes, size, sizeof(size));
	if (t->news.error || lost)
		snprintf(t->said, sizeof(t->said), "%s: %" PRIu64 " samples, %" PRIu64 " lost: %s",
			 t->path, t->news.samples, lost,
			 t->news.error ? strerror(t->news.error) : "the disk was too slow");
	else
		snprintf(t->said, sizeof(t->said), "recorded %" PRIu64 " samples, %s, to %s",
			 t->news.samples, size, t->path);
}

static const char *tell_error(struct tape *t)
{
	if (t->news.error == t->told)
		return NULL;
	t->told = t->news.error;
	if (t->told)
		snprintf(t->said, sizeof(t->said), "%s: %s; samples are lost", t->path,
			 strerror(t->told));
	else
		snprintf(t->said, sizeof(t->said), "%s: it is written again", t->path);
	return t->said;
}

const char *tape_work(struct tape *t, const struct sample *newest)
{
	if (!t->scribe)
		return NULL;
	scribe_look(t->scribe, &t->news);
	if (!t->news.ended) {
		bring(t, newest);
		return tell_error(t);
	}
	tell_end(t);
	scribe_close(t->scribe);
	t->scribe = NULL;
	return t->said;
}

/* The rest of what there is, while the disk takes it. */
static void drain(struct tape *t)
{
	int64_t until = clock_mono_us() + CLOSE_US, left;
	const char *said = NULL;

	if (!t->ending)
		tape_stop(t);
	while (t->scribe && (left = until - clock_mono_us()) > 0) {
		struct pollfd fd = { .fd = scribe_fd(t->scribe), .events = POLLIN };

		said = tape_work(t, NULL);
		if (t->scribe)
			poll(&fd, 1, (int)(left / 1000) + 1);
	}
	if (!t->scribe) {
		fprintf(stderr, "reclaimtop: %s\n", said);
		return;
	}
	say_error(STATUS_FAILED, t->path, "the disk does not answer",
		  "the recording may lack its last samples");
	scribe_close(t->scribe);
}

void tape_free(struct tape *t)
{
	if (!t)
		return;
	if (t->scribe)
		drain(t);
	arena_free(t->scratch.arena);
	free(t);
}

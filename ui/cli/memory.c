/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

#include "alarm.h"
#include "player.h"
#include "tape.h"

/* A slice of work: keys are looked at between two. */
#define SLICE_US INT64_C(8000)

struct memory {
	struct roll *roll;
	struct notes *notes;
	struct note last; /* of the newest step */
	struct player *player;
	const struct sample *newest; /* as it came, where it is in the roll */
	struct tape *tape;
	int alarm, all;
};

struct memory *memory_new(size_t bytes, uint32_t steps)
{
	struct player_options options = { .flags = PLAYER_LIVE, .steps = steps };
	struct memory *m = mem_alloc(sizeof(*m));

	memset(m, 0, sizeof(*m));
	m->roll = roll_history(bytes);
	m->notes = notes_new();
	m->player = player_new(m->roll, m->notes, &options);
	m->tape = tape_new(m->roll, player_moments(m->player));
	m->alarm = alarm_open();
	m->all = m->alarm < 0 ? -1 : alarm_join(&m->alarm, 1);
	if (m->all >= 0)
		return m;
	memory_free(m);
	return NULL;
}

void memory_free(struct memory *m)
{
	int err = errno;

	if (!m)
		return;
	tape_free(m->tape);
	player_free(m->player);
	notes_free(m->notes);
	roll_close(m->roll);
	if (m->alarm >= 0)
		close(m->alarm);
	if (m->all >= 0)
		close(m->all);
	free(m);
	errno = err;
}

int memory_fd(const struct memory *m)
{
	return m->all;
}

static void set_alarm(struct memory *m)
{
	alarm_at(m->alarm, player_due_us(m->player, clock_mono_us()));
}

static void work_tape(struct memory *m)
{
	const char *said = tape_work(m->tape, m->newest);

	if (said)
		player_say(m->player, "%s", said);
}

void memory_keep(struct memory *m, const struct step *st)
{
	uint64_t end = m->roll->ops->end(m->roll);
	struct note note;

	if (st->now->restart) {
		roll_history_clear(m->roll);
		player_restart(m->player);
	}
	note_make(st, m->last.known ? &m->last : NULL, false, &note);
	m->last = note;
	m->newest = roll_history_put(m->roll, st->now) ? st->now : NULL;
	if (m->newest) {
		notes_put(m->notes, m->roll->ops->first(m->roll), end, &note);
		notes_kills(m->notes, end, st);
		heat_forget(player_heat(m->player), m->roll->ops->first(m->roll), end + 1);
		heat_add(player_heat(m->player), end, st, note.moments);
	}
	moments_forget(player_moments(m->player));
	player_grew(m->player);
	work_tape(m);
}

/* ---- wishes ---------------------------------------------------------------------------------- */

static void wish_mark(struct memory *m, const struct wish *w)
{
	uint64_t at;

	if (!roll_count(m->roll) || player_at(m->player) < m->roll->ops->first(m->roll)) {
		player_say(m->player, "there is no sample to mark");
		return;
	}
	at = player_find(m->player, w->by);
	moments_mark(player_moments(m->player), at, w->text);
	tape_mark(m->tape, at, w->text);
	player_grew(m->player);
	player_say(m->player, tape_runs(m->tape) ? "marked, in the recording too"
						 : "marked; R records it with the history");
}

static void start_tape(struct memory *m, const struct wish *w)
{
	uint64_t from = w->by ? m->roll->ops->first(m->roll) : m->roll->ops->end(m->roll);
	const char *why;

	if (tape_runs(m->tape))
		player_say(m->player, "a recording is being made: R ends it");
	else if (!tape_start(m->tape, w->text, from, &why))
		player_say(m->player, "not recorded: %s", why);
	else if (alarm_add(m->all, tape_fd(m->tape)))
		player_say(m->player, "recording to %s, slowly: no descriptor is left", w->text);
	else
		player_say(m->player, "recording to %s", w->text);
	work_tape(m);
}

static void wish_record(struct memory *m, const struct wish *w)
{
	if (w->text[0]) {
		start_tape(m, w);
		return;
	}
	if (!tape_runs(m->tape))
		return;
	tape_stop(m->tape);
	player_say(m->player, "the recording ends");
	work_tape(m);
}

void memory_wish(struct memory *m, const struct wish *w)
{
	if (w->kind == WISH_MARK)
		wish_mark(m, w);
	else if (w->kind == WISH_RECORD)
		wish_record(m, w);
	else
		player_wish(m->player, w);
	alarm_at(m->alarm, 0);
}

void memory_want(struct memory *m, const struct interest *in)
{
	player_look(m->player, in->look_from, in->look_to, in->look_each);
	alarm_at(m->alarm, 0);
}

/* ---- frames ---------------------------------------------------------------------------------- */

bool memory_work(struct memory *m)
{
	bool changed;

	work_tape(m);
	changed = player_work(m->player, clock_mono_us(), SLICE_US);
	set_alarm(m);
	return changed;
}

void memory_fill(struct memory *m, struct frame *f)
{
	const struct history *h = roll_history_of(m->roll);

	f->history_us = history_span_us(h);
	f->history_bytes = history_bytes(h);
	f->history_count = history_count(h);
	player_fill(m->player, f);
	f->when.record = tape_state(m->tape, &f->when.record_bytes);
}

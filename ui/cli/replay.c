/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reclaimtop/clock.h"

#include "alarm.h"
#include "own.h"
#include "player.h"

/* As in a live session: rules look back up to a minute of one-second steps. */
#define WINDOW_STEPS 64

/* Slices of work: keys are looked at between two. */
#define SCAN_US  INT64_C(8000)
#define SLICE_US INT64_C(8000)

/* How often a file that is still written is looked at, and the program's own cost. */
#define FOLLOW_US INT64_C(200000)
#define OWN_US    INT64_C(1000000)

struct replay {
	struct feed feed;
	struct recording *recording;
	struct replay_options options;
	struct roll *roll;
	struct notes *notes;
	struct player *player;
	uint32_t nmarks;  /* markers of the file that were taken over */
	bool growing;     /* the index is not whole */
	uint64_t count;   /* samples that were known last */
	uint32_t damaged; /* lines passed over, as was said last */
	bool torn_told;
	int64_t look_us; /* when the file is looked at again */
	bool given;
	struct own own;
	int64_t own_us; /* when that was looked at */
	struct frame frame;
	struct sample empty; /* stands for one where none can be read */
	struct step nothing;
	int alarm;
	char label[WISH_TEXT];
};

/* ---- the file -------------------------------------------------------------------------------- */

/* Markers belong to the sample that they came behind. True while there are more to take. */
static bool take_marks(struct replay *r, int64_t until_us)
{
	const struct mark *marks;
	uint32_t n = recording_marks(r->recording, &marks);

	/* Each may cost a reading. */
	for (; r->nmarks < n && clock_mono_us() < until_us; r->nmarks++) {
		const struct mark *m = &marks[r->nmarks];
		uint64_t at = recording_find(r->recording, m->session, m->mono_us);

		if (at >= recording_count(r->recording))
			return false;
		moments_mark(player_moments(r->player), at, m->text);
	}
	return r->nmarks < n;
}

static void tell_facts(struct replay *r)
{
	struct recording_facts facts;

	recording_facts(r->recording, &facts);
	r->frame.when.damaged = facts.damaged;
	if (facts.torn_tail && !r->torn_told && !r->options.follow)
		player_say(r->player, "the last line is torn, and left out");
	else if (facts.damaged > r->damaged)
		player_say(r->player, "%" PRIu32 " damaged line%s passed over", facts.damaged,
			   facts.damaged == 1 ? " was" : "s were");
	r->torn_told |= facts.torn_tail;
	r->damaged = facts.damaged;
}

static void scan(struct replay *r, int64_t now_us)
{
	uint32_t nmarks;
	uint64_t count;

	if (!r->growing && (!r->options.follow || now_us < r->look_us))
		return;
	r->growing = recording_scan(r->recording, SCAN_US);
	r->look_us = now_us + FOLLOW_US;
	count = recording_count(r->recording);
	nmarks = r->nmarks;
	r->growing |= take_marks(r, clock_mono_us() + SCAN_US);
	if (count != r->count || nmarks != r->nmarks)
		player_grew(r->player);
	r->count = count;
	tell_facts(r);
}

/* ---- wishes ---------------------------------------------------------------------------------- */

/* Into the file where it can be written; on screen in any case. */
static void wish_mark(struct replay *r, const struct wish *w)
{
	uint64_t at = player_find(r->player, w->by);
	const char *why = "", *name;
	double value;
	int len, err;
	struct mark m = {
		.mono_us = recording_time(r->recording, at),
		.wall_us = recording_wall(r->recording, at),
		.kind = mark_score(w->text, &name, &len, &value) ? MARK_SCORE : MARK_NOTE,
		.text = w->text,
		.duration_us = -1,
		.status = -1,
		.boot_id = r->frame.now->machine.boot_id,
	};

	err = r->options.path ? recording_add_mark(r->options.path, &m, &why) : -EROFS;
	if (err && !r->options.path)
		player_say(r->player, "marked until you leave");
	else if (err)
		player_say(r->player, "marked until you leave: %s: %s", r->options.path,
			   *why ? why : strerror(-err));
	else
		player_say(r->player, "marked, in the file too");
	/* A file that is followed brings it back by itself. */
	if (err || !r->options.follow)
		moments_mark(player_moments(r->player), at, w->text);
	player_grew(r->player);
}

static void set_alarm(struct replay *r)
{
	int64_t now = clock_mono_us(), due = player_due_us(r->player, now);

	if (r->growing)
		due = 0;
	else if (r->options.follow && r->look_us < due)
		due = r->look_us;
	alarm_at(r->alarm, due);
}

static void replay_wish(struct feed *feed, const struct wish *w)
{
	struct replay *r = feed->ctx;

	if (w->kind == WISH_MARK && r->given)
		wish_mark(r, w);
	else if (w->kind == WISH_RECORD)
		player_say(r->player, "this is a recording: cp copies it");
	else
		player_wish(r->player, w);
	alarm_at(r->alarm, 0);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void fill(struct replay *r, int64_t now_us)
{
	struct frame *f = &r->frame;
	uint32_t damaged = f->when.damaged;

	player_fill(r->player, f);
	f->when.growing = r->growing;
	f->when.damaged = damaged;
	f->interval_us = r->options.interval_us ? r->options.interval_us : f->now->interval_us;
	f->ended = player_ended(r->player);
	f->done = r->options.limit && player_played(r->player) >= r->options.limit;
	if (now_us - r->own_us >= OWN_US)
		own_look(&r->own, f);
	if (now_us - r->own_us >= OWN_US)
		r->own_us = now_us;
	r->given = true;
}

/* Not one sample can be read: there is something to look at all the same. */
static void fill_empty(struct replay *r)
{
	struct frame *f = &r->frame;

	r->empty.arena = arena_new();
	r->nothing.arena = arena_new();
	sample_reset(&r->empty);
	step_make(NULL, &r->empty, &r->nothing);
	f->now = &r->empty;
	f->step = &r->nothing;
	f->rung = sample_rung(f->now, &f->rung_reason);
	f->ended = true;
	f->error = "no sample of it can be read";
}

static bool replay_take(struct feed *feed, struct frame *out)
{
	struct replay *r = feed->ctx;
	int64_t now = clock_mono_us();
	bool changed = player_work(r->player, now, SLICE_US);

	/* What is there at once is shown before the rest is looked for. */
	scan(r, now);
	set_alarm(r);
	if (!r->growing && !r->empty.arena && player_is_lost(r->player))
		fill_empty(r);
	else if (!changed)
		return false;
	else
		fill(r, now);
	*out = r->frame;
	return true;
}

static int replay_fd(struct feed *feed)
{
	return ((struct replay *)feed->ctx)->alarm;
}

/* A recording holds what it holds. */
static void replay_want(struct feed *feed, const struct interest *in)
{
	struct replay *r = feed->ctx;

	player_look(r->player, in->look_from, in->look_to, in->look_each);
	alarm_at(r->alarm, 0);
}

static void replay_pace(struct feed *feed, int64_t interval_us)
{
	(void)feed;
	(void)interval_us;
}

static const struct feed_ops replay_ops = {
	.fd = replay_fd,
	.take = replay_take,
	.want = replay_want,
	.pace = replay_pace,
	.wish = replay_wish,
};

struct feed *replay_feed(struct replay *r)
{
	return &r->feed;
}

struct replay *replay_new(struct recording *recording, const struct replay_options *o)
{
	struct player_options po = { .flags = PLAYER_SURVEY | (o->follow ? PLAYER_FOLLOW : 0),
				     .steps = WINDOW_STEPS,
				     .interval_us = o->interval_us };
	const char *slash = o->path ? strrchr(o->path, '/') : NULL;
	struct replay *r = mem_alloc(sizeof(*r));

	memset(r, 0, sizeof(*r));
	r->feed = (struct feed){ &replay_ops, r };
	r->recording = recording;
	r->options = *o;
	r->roll = roll_recording(recording);
	r->notes = notes_new();
	r->player = player_new(r->roll, r->notes, &po);
	r->growing = true;
	if (o->label)
		snprintf(r->label, sizeof(r->label), "%.200s", o->label);
	else
		snprintf(r->label, sizeof(r->label), "replay %.200s", slash ? slash + 1 : o->path);
	r->frame.label = r->label;
	r->frame.own_rss_kib = UNKNOWN;
	own_init(&r->own);
	r->alarm = alarm_open();
	if (r->alarm < 0) {
		replay_free(r);
		return NULL;
	}
	alarm_at(r->alarm, 0);
	return r;
}

void replay_free(struct replay *r)
{
	int err = errno;

	if (!r)
		return;
	player_free(r->player);
	notes_free(r->notes);
	roll_close(r->roll);
	arena_free(r->empty.arena);
	arena_free(r->nothing.arena);
	own_fini(&r->own);
	if (r->alarm >= 0)
		close(r->alarm);
	free(r);
	errno = err;
}

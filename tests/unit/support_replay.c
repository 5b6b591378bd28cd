/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_replay.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "reclaimtop/recording.h"
#include "support_grid.h"
#include "support_script.h"
#include "support_series.h"

/* How long nothing must come; before all was looked at longer, since that waits for keys. */
#define QUIET_MS       20
#define QUIET_FIRST_MS 400

void theatre_open(struct theatre *t, struct feed *feed, const struct tui_options *options)
{
	const struct tui_options usual = { .view = VIEW_OVERVIEW };

	*t = (struct theatre){ .feed = feed };
	t->tui = tui_new(options ? options : &usual);
	grid_resize(&t->grid, 24, 80);
}

void theatre_close(struct theatre *t)
{
	tui_free(t->tui);
	grid_fini(&t->grid);
}

void theatre_settle(struct theatre *t)
{
	struct pollfd fd = { .fd = t->feed->ops->fd(t->feed), .events = POLLIN };
	struct frame f;

	while (poll(&fd, 1, t->frame.when.seen_permille < 1000 ? QUIET_FIRST_MS : QUIET_MS) > 0) {
		if (!t->feed->ops->take(t->feed, &f))
			continue;
		t->frames++;
		f.own_over_us = 0;
		f.own_rss_kib = UNKNOWN;
		t->frame = f;
		tui_frame(t->tui, &f);
	}
	tui_draw(t->tui, 0, &t->grid);
	is_whole(&t->grid);
}

void theatre_keys(struct theatre *t, const char *keys)
{
	while (*keys) {
		unsigned int handled = tui_key(t->tui, script_key(&keys));

		if (handled & TUI_WISH) {
			t->feed->ops->wish(t->feed, tui_wish(t->tui));
			theatre_settle(t);
		}
	}
	tui_draw(t->tui, 0, &t->grid);
	is_whole(&t->grid);
}

/* --- the story --- */

#define SECOND INT64_C(1000000)
/* Noon of a Friday. */
#define START (INT64_C(1767355200) * SECOND)

static void put(struct recorder *r, const struct sample *s)
{
	assert_int_equal(recorder_put(r, s), 0);
}

/* Sample n of the first boot. */
static void first_boot(struct sample *s, uint64_t n)
{
	int64_t from = s->mono_us;

	s->n = n;
	s->mono_us = (int64_t)(100 + n) * SECOND;
	s->wall_us = START + (int64_t)n * SECOND;
	s->interval_us = SECOND;
	s->slept_us = SECOND;
	s->machine.boot_id = "11111111-1111-1111-1111-111111111111";
	if (n >= 15) {
		s->slept_us += 574 * SECOND;
		s->wall_us += 574 * SECOND;
	}
	if (n >= 20)
		s->wall_us -= 60 * SECOND;
	for (int i = 0; i < READ_NR; i++) {
		s->readings[i].start_us += s->mono_us - from;
		s->readings[i].end_us += s->mono_us - from;
	}
}

static void second_boot(struct sample *s, uint64_t n)
{
	first_boot(s, n);
	s->mono_us = (int64_t)(20 + n) * SECOND;
	s->wall_us = START + 3600 * SECOND + (int64_t)n * SECOND;
	s->slept_us = 0;
	s->machine.boot_id = "22222222-2222-2222-2222-222222222222";
	for (uint32_t i = 0; i < s->nzones && n >= 5; i++)
		if (!strcmp(s->zones[i].name, "DMA32"))
			s->zones[i].free = s->zones[i].low - 10;
}

static struct recorder *recorder_at(const char *path, const struct recorder_options *options)
{
	const char *why = "";
	struct recorder *r = recorder_open(path, options, &why);

	if (!r)
		fail_msg("%s: %s", path, why);
	return r;
}

void story_write(const char *path)
{
	const struct recorder_options fresh = { .overwrite = true }, more = { .append = true };
	struct series *series = series_load("tests/roots/7.2-pressure");
	struct sample s = { .arena = arena_new() };
	struct recorder *r = recorder_at(path, &fresh);

	for (uint64_t n = 0; n < 25; n++) {
		sample_copy(&series->samples[n % 15], &s);
		first_boot(&s, n);
		put(r, &s);
		if (n == 4)
			assert_int_equal(recorder_mark(r, MARK_NOTE, s.mono_us, "streaming begins"),
					 0);
	}
	assert_int_equal(recorder_close(r), 0);
	r = recorder_at(path, &more);
	for (uint64_t n = 0; n < 10; n++) {
		sample_copy(&series->samples[n], &s);
		second_boot(&s, n);
		put(r, &s);
	}
	assert_int_equal(recorder_close(r), 0);
	arena_free(s.arena);
	series_free(series);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_shown.h"

#include "reclaimtop/arena.h"
#include "support_grid.h"
#include "support_script.h"

void shown_sample(struct shown *s, uint32_t at)
{
	step_make(at ? &s->series->samples[at - 1] : NULL, &s->series->samples[at], &s->step);
	s->f.now = &s->series->samples[at];
	s->f.step = &s->step;
	s->f.when.index = at;
	s->f.when.from_end_us = s->series->samples[s->series->n - 1].mono_us - s->f.now->mono_us;
	tui_frame(s->tui, &s->f);
}

void shown_draw(struct shown *s)
{
	tui_draw(s->tui, 0, &s->g);
	is_whole(&s->g);
}

void shown_open(struct shown *s, const char *dir, bool history, bool ascii)
{
	const struct tui_options options = { .view = VIEW_TIME, .ascii = ascii };

	*s = (struct shown){ .tui = tui_new(&options),
			     .series = series_load(dir),
			     .window = window_new(64) };
	s->heat = heat_new(1);
	s->step.arena = arena_new();
	for (uint32_t i = 0; i < s->series->n; i++) {
		step_make(i ? &s->series->samples[i - 1] : NULL, &s->series->samples[i], &s->step);
		heat_add(s->heat, i, &s->step, i % 5 == 4 ? 1u << (i / 5) : 0);
		window_add(s->window, &s->step);
	}
	for (int i = 0; i < BUCKET_NR; i++)
		s->line[i] = (struct bucket){ UNKNOWN, i == 48 ? 1u << MOMENT_MARK : 0 };
	s->f = (struct frame){ .label = "series", .window = s->window, .rung_reason = "" };
	s->f.when = (struct when){ .can = history,
				   .replay = history,
				   .past = history,
				   .speed = 10,
				   .said = "",
				   .seen_permille = 1000 };
	if (history) {
		s->f.when.count = s->series->n;
		s->f.when.heat = s->heat;
		s->f.when.line = s->line;
	}
}

void shown_close(struct shown *s)
{
	tui_free(s->tui);
	heat_free(s->heat);
	heat_free(s->closer);
	window_free(s->window);
	arena_free(s->step.arena);
	grid_fini(&s->g);
	series_free(s->series);
}

void shown_press(struct shown *s, const char *keys)
{
	while (*keys) {
		tui_key(s->tui, script_key(&keys));
		shown_draw(s);
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "going.h"

#include <stdio.h>
#include <time.h>

#include "timeline.h"
#include "view.h"

static bool can(const struct tui *t)
{
	return t->has_frame && t->frame.when.can;
}

bool going_is(const struct key_entry *entry)
{
	return entry->views & KEYS_GOING;
}

/* A map can be opened where there are maps: not where only the last steps are there. */
static bool has_maps(const struct tui *t)
{
	return t->has_frame && t->frame.when.heat && t->frame.when.count;
}

bool going_in_force(const struct tui *t, const struct key_entry *entry)
{
	bool replay = t->has_frame && t->frame.when.replay;

	if (entry->handler == time_key_open && !has_maps(t))
		return false;
	return !(going_is(entry) && !can(t)) && !((entry->views & KEYS_SAMPLING) && replay);
}

const char *going_brief(const struct tui *t, const struct key_entry *entry)
{
	if (entry->handler == tui_key_pause && can(t) && t->frame.when.past)
		return t->frame.when.playing ? "Stop" : "Play";
	if (entry->handler == going_key_record && t->frame.when.record != RECORD_NOT)
		return "End recording";
	return entry->brief;
}

unsigned int going_wish(struct tui *t, enum wish_kind kind, int64_t by)
{
	if (!can(t))
		return TUI_NOTHING;
	t->wish = (struct wish){ .kind = kind, .by = by };
	return TUI_WISH | TUI_REDRAW;
}

bool going_takes(struct tui *t, int key, unsigned int *handled)
{
	if (!can(t))
		return false;
	if (key == ' ')
		*handled = going_wish(t, WISH_PLAY, !t->frame.when.playing);
	else if (key == KEYCODE_HOME && timeline_is_shown(t))
		*handled = going_wish(t, WISH_FIRST, 0);
	else if (key == KEYCODE_END && timeline_is_shown(t))
		*handled = going_wish(t, WISH_LAST, 0);
	else
		return false;
	return true;
}

/* --- handlers --- */

unsigned int going_key_step(struct tui *t, int key)
{
	return going_wish(t, WISH_STEP, key == 't' ? 1 : -1);
}

unsigned int going_key_moment(struct tui *t, int key)
{
	return going_wish(t, WISH_MOMENT, key == ']' ? 1 : -1);
}

unsigned int going_key_end(struct tui *t, int key)
{
	return going_wish(t, key == 'g' ? WISH_FIRST : WISH_LAST, 0);
}

unsigned int going_key_speed(struct tui *t, int key)
{
	static const int speeds[] = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };
	const int n = sizeof(speeds) / sizeof(speeds[0]);
	int i = 0;

	while (i < n - 1 && speeds[i] < t->frame.when.speed)
		i++;
	i += key == '}' ? 1 : -1;
	return going_wish(t, WISH_SPEED, speeds[i < 0 ? 0 : i == n ? n - 1 : i]);
}

unsigned int going_key_jump(struct tui *t, int key)
{
	return can(t) ? prompt_ask(t, PROMPT_JUMP, key == 'J' ? "-" : "+") : TUI_NOTHING;
}

unsigned int going_key_clock(struct tui *t, int key)
{
	(void)key;
	return can(t) ? prompt_ask(t, PROMPT_CLOCK, "") : TUI_NOTHING;
}

unsigned int going_key_mark(struct tui *t, int key)
{
	(void)key;
	return can(t) ? prompt_ask(t, PROMPT_MARK, "") : TUI_NOTHING;
}

/* A name that is new every second, in the folder one is in. */
static void default_path(const struct frame *f, char *out, size_t size)
{
	time_t s = (time_t)(f->now->wall_us / 1000000);
	struct tm tm;

	if (f->now->wall_us <= 0 || !localtime_r(&s, &tm) ||
	    !strftime(out, size, "reclaimtop-%Y%m%d-%H%M%S.jsonl.zst", &tm))
		snprintf(out, size, "reclaimtop.jsonl.zst");
}

unsigned int going_key_record(struct tui *t, int key)
{
	char path[WISH_TEXT];

	(void)key;
	if (!can(t) || t->frame.when.replay)
		return TUI_NOTHING;
	if (t->frame.when.record != RECORD_NOT)
		return going_wish(t, WISH_RECORD, 0);
	default_path(&t->frame, path, sizeof(path));
	return prompt_ask(t, PROMPT_RECORD, path);
}

unsigned int going_key_line(struct tui *t, int key)
{
	(void)key;
	if (!can(t))
		return TUI_NOTHING;
	t->line = timeline_is_shown(t) ? -1 : 1;
	return TUI_REDRAW;
}

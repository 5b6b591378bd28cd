/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prompt.h"

#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "reclaimtop/units.h"
#include "times.h"
#include "view.h"

unsigned int prompt_ask(struct tui *t, enum prompt_kind kind, const char *text)
{
	struct prompt *p = &t->prompt;

	p->kind = kind;
	p->wrong = NULL;
	p->mono_us = t->frame.now->mono_us;
	snprintf(p->text, sizeof(p->text), "%s", text);
	t->mode = MODE_PROMPT;
	return TUI_REDRAW;
}

static unsigned int leave(struct tui *t)
{
	t->mode = MODE_VIEW;
	return TUI_REDRAW;
}

static unsigned int wish(struct tui *t, enum wish_kind kind, int64_t by, const char *text)
{
	t->wish = (struct wish){ .kind = kind, .by = by };
	snprintf(t->wish.text, sizeof(t->wish.text), "%s", text);
	return leave(t) | TUI_WISH;
}

/* --- answers --- */

static unsigned int refuse(struct tui *t, const char *why)
{
	t->prompt.wrong = why;
	return TUI_REDRAW;
}

static unsigned int answer_jump(struct tui *t)
{
	int64_t us;

	if (!times_span(t->prompt.text, &us))
		return refuse(t, "no time");
	return wish(t, WISH_JUMP, us, "");
}

static unsigned int answer_clock(struct tui *t)
{
	int64_t us;

	if (!times_of_day(t->prompt.text, &us))
		return refuse(t, "no time of day");
	return wish(t, WISH_CLOCK, us, "");
}

static unsigned int answer_mark(struct tui *t)
{
	if (!t->prompt.text[strspn(t->prompt.text, " ")])
		return refuse(t, "empty");
	return wish(t, WISH_MARK, t->prompt.mono_us, t->prompt.text);
}

static unsigned int answer_record(struct tui *t)
{
	if (!t->prompt.text[0])
		return refuse(t, "no name");
	memcpy(t->prompt.path, t->prompt.text, sizeof(t->prompt.path));
	if (t->frame.when.count < 2)
		return wish(t, WISH_RECORD, 0, t->prompt.path);
	return prompt_ask(t, PROMPT_BEFORE, "");
}

static unsigned int answer_before(struct tui *t)
{
	const char *text = t->prompt.text;

	if (strcmp(text, "y") && strcmp(text, "Y") && strcmp(text, "n") && strcmp(text, "N")) {
		t->prompt.text[0] = '\0';
		return refuse(t, "y or n");
	}
	return wish(t, WISH_RECORD, text[0] == 'y' || text[0] == 'Y', t->prompt.path);
}

static const struct {
	const char *question, *hint;
	unsigned int (*answer)(struct tui *t);
	bool one_key; /* the first character is the answer */
} prompts[PROMPT_NR] = {
	[PROMPT_JUMP] = { "Jump by", "30s, -5m, 1h30m", answer_jump, false },
	[PROMPT_CLOCK] = { "Go to", "14:30, 14:30:05", answer_clock, false },
	[PROMPT_MARK] = { "Marker", "any text", answer_mark, false },
	[PROMPT_RECORD] = { "Record to", "a new file; .zst is compressed", answer_record, false },
	[PROMPT_BEFORE] = { "With the history before it", "y or n", answer_before, true },
};

unsigned int prompt_key(struct tui *t, int key)
{
	struct prompt *p = &t->prompt;

	if (key == KEYCODE_ESC)
		return leave(t);
	if (key == KEYCODE_ENTER)
		return prompts[p->kind].answer(t);
	if (!entry_key(p->text, sizeof(p->text), key))
		return TUI_NOTHING;
	p->wrong = NULL;
	return prompts[p->kind].one_key && p->text[0] ? prompts[p->kind].answer(t) : TUI_REDRAW;
}

void prompt_draw(const struct tui *t, struct pen *p)
{
	const struct prompt *q = &t->prompt;
	char span[NUMBER_TEXT];

	pen_text(p, STYLE_BOLD, prompts[q->kind].question);
	if (q->kind == PROMPT_BEFORE)
		pen_printf(p, STYLE_BOLD, " (%s)",
			   units_age((uint64_t)t->frame.history_us / 1000, span, sizeof(span)));
	pen_printf(p, STYLE_BOLD, ": %s", q->text);
	pen_text(p, STYLE_SELECTED, " ");
	if (q->wrong)
		pen_printf(p, STYLE_WARN, "  %s:", q->wrong);
	pen_printf(p, STYLE_DIM, "  %s; Esc leaves", prompts[q->kind].hint);
}

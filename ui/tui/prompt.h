/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prompt.h - a question in the last line: what is typed there becomes a wish. */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include "pen.h"

struct tui;

enum prompt_kind {
	PROMPT_JUMP, PROMPT_CLOCK, PROMPT_MARK, PROMPT_RECORD, PROMPT_BEFORE, PROMPT_NR
};

struct prompt {
	enum prompt_kind kind;
	const char *wrong;        /* what is wrong with the answer, NULL nothing */
	int64_t mono_us;          /* of what was shown when it was asked */
	char text[WISH_TEXT];
	char path[WISH_TEXT];     /* PROMPT_BEFORE: the answer to PROMPT_RECORD */
};

/* Ask, with a text to begin with. Returns enum tui_handled bits, like the next one. */
unsigned int prompt_ask(struct tui *t, enum prompt_kind kind, const char *text);

unsigned int prompt_key(struct tui *t, int key);

void prompt_draw(const struct tui *t, struct pen *p);

#endif

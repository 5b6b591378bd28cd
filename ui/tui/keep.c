/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keep.c - the keys that keep something: the settings as they are, and the screen as it is. */
#include <stdio.h>
#include <string.h>

#include "generations.h"
#include "view.h"

static bool has_keeper(struct tui *t)
{
	if (!t->options.keeper)
		snprintf(t->said, sizeof(t->said), "Nothing can be kept here.");
	return t->options.keeper != NULL;
}

unsigned int tui_key_settings(struct tui *t, int key)
{
	const struct generations *g = t->state[VIEW_GENERATIONS];
	struct tui_settings now = {
		.view = t->view, .theme = t->options.theme, .ascii = t->options.ascii,
		.mouse = t->options.mouse, .in_pages = t->in_pages, .delay_us = t->interval_us, .keys = t->options.keys,
	};

	(void)key;
	if (t->options.no_motion || g->river.clock.slow)
		now.motion = t->options.no_motion ? MOTION_STILL : MOTION_SLOW;
	for (int i = 0; i < VIEW_NR; i++) {
		const struct sheet *sheet = views[i]->sheet ? views[i]->sheet(t) : NULL;

		now.sorts[i] = sheet ? sheet->columns[sheet->sort].name : NULL;
		now.reversed[i] = sheet && sheet->reverse;
	}
	if (has_keeper(t))
		t->options.keeper->settings(t->options.keeper->ctx, &now, t->said, sizeof(t->said));
	return TUI_REDRAW;
}

unsigned int tui_key_picture(struct tui *t, int key)
{
	struct grid g = { 0 };

	(void)key;
	if (!has_keeper(t))
		return TUI_REDRAW;
	/* As it is on screen, but without what is said of an earlier one. */
	grid_resize(&g, t->rows, t->cols);
	tui_draw(t, t->now_us, &g);
	t->options.keeper->picture(t->options.keeper->ctx, &g, t->options.theme, t->said, sizeof(t->said));
	grid_fini(&g);
	return TUI_REDRAW;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mouse.c - what a click means: it presses a key, goes in time, selects a row, or asks about a number.
 */
#include "timeline.h"
#include "view.h"

void tui_hit(struct tui *t, struct rect where, int key)
{
	if (t->nhits < HIT_NR && !rect_is_empty(where))
		t->hits[t->nhits++] = (struct hit){ where, key };
}

/* The last one drawn is the one that is seen. */
static int spot_at(const struct tui *t, int row, int col)
{
	for (int i = t->spots.n; i-- > 0;)
		if (rect_holds(t->spots.at[i].where, row, col))
			return i;
	return -1;
}

static unsigned int click_view(struct tui *t, int row, int col)
{
	const struct view *v = views[t->view];
	struct sheet *sheet = v->sheet ? v->sheet(t) : NULL;

	if (v->click)
		return v->click(t, row, col);
	if (!sheet || !sheet_click(sheet, row, col))
		return TUI_NOTHING;
	if (v->prepare)
		v->prepare(t);
	return TUI_REDRAW | TUI_INTEREST;
}

unsigned int tui_wheel(struct tui *t, int row, int col, int by)
{
	const struct view *v = views[t->view];
	unsigned int handled = TUI_NOTHING;

	if (t->has_frame && t->mode == MODE_VIEW && v->wheel)
		handled = v->wheel(t, row, col, by);
	return handled ? handled : tui_key(t, by < 0 ? KEYCODE_UP : KEYCODE_DOWN);
}

unsigned int tui_click(struct tui *t, int row, int col)
{
	unsigned int handled;
	int spot;

	for (int i = 0; i < t->nhits; i++) {
		const struct key_entry *e;

		if (!rect_holds(t->hits[i].where, row, col) || t->mode == MODE_PROMPT || t->mode == MODE_FILTER)
			continue;
		e = keys_find(t->hits[i].key, t->view);
		return e ? e->handler(t, t->hits[i].key) : TUI_NOTHING;
	}
	if (!t->has_frame || (t->mode != MODE_VIEW && t->mode != MODE_EXPLAIN))
		return TUI_NOTHING;
	handled = timeline_click(t, row, col);
	if (!handled && t->mode == MODE_VIEW)
		handled = click_view(t, row, col);
	if (handled)
		return handled;
	spot = spot_at(t, row, col);
	if (spot < 0)
		return TUI_NOTHING;
	t->spot = spot;
	t->mode = MODE_EXPLAIN;
	return TUI_REDRAW;
}

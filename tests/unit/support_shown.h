/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_shown.h - the Time view over a captured series with all its time at hand. */
#ifndef SUPPORT_SHOWN_H
#define SUPPORT_SHOWN_H

#include "support_series.h"
#include "ui/tui/grid.h"
#include "ui/tui/tui.h"

struct shown {
	struct tui *tui;
	struct series *series;
	struct heat *heat, *closer;
	struct window *window;
	struct step step;
	struct bucket line[BUCKET_NR];
	struct frame f;
	struct grid g;
};

/* history: without it, as over a feed that cannot go in time. */
void shown_open(struct shown *s, const char *dir, bool history, bool ascii);
void shown_close(struct shown *s);

/* Sample at is the one on screen from now on. */
void shown_sample(struct shown *s, uint32_t at);

void shown_draw(struct shown *s);

/* Keys as in support_script.h; drawn after each. */
void shown_press(struct shown *s, const char *keys);

#endif

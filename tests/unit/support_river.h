/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_river.h - rivers for tests: a picture of anything, and a series that is played second by second. */
#ifndef SUPPORT_RIVER_H
#define SUPPORT_RIVER_H

#include "support_script.h"
#include "ui/tui/generations.h"

#define SECOND   1000000
#define PRESSURE "tests/roots/7.2-pressure"

struct picture {
	struct places places;
	struct type_flow flow[TYPE_NR];
	struct river river;
	struct river_scene scene;
	struct river_plan plan;
};

uint32_t support_next(uint32_t *seed);

void any_picture(struct picture *p, uint32_t *seed, struct rect area);

/* A sample each second from a time on; until sample n. Returns the time of that. */
int64_t river_play(struct stage *s, uint32_t n, int64_t now_us);

void river_press(struct stage *s, const char *keys, int64_t now_us);

/* In the Generations view. */
void river_stage(struct stage *s, const char *dir, const struct tui_options *o, int rows, int cols);

struct generations *generations_of(const struct stage *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_river.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

uint32_t support_next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

void any_picture(struct picture *p, uint32_t *seed, struct rect area)
{
	memset(p, 0, sizeof(*p));
	places_clear(&p->places);
	p->scene = (struct river_scene){
		.places = &p->places, .flow = p->flow, .river = &p->river, .clock_us = -1
	};
	p->scene.n = 1 + (int)(support_next(seed) % PLACE_NR);
	p->scene.fault_place = (int)(support_next(seed) % 2);
	p->river.log = support_next(seed) % 4 == 0;
	for (int i = 0; i < p->scene.n; i++) {
		p->places.at[i].age_min = p->places.at[i].age_max = (uint64_t)i * 1000;
		for (int type = 0; type < TYPE_NR; type++)
			p->places.at[i].pages[type] =
				support_next(seed) % 3 ? (uint64_t)exp(support_next(seed) % 180 / 10.0) : 0;
	}
	p->scene.scale = river_scale(&p->places);
	river_plan_make(area, &p->plan);
}

/* A sample each second from a time on; until sample n. */
int64_t river_play(struct stage *s, uint32_t n, int64_t now_us)
{
	do {
		now_us += SECOND;
		tui_clock(s->tui, now_us);
		assert_true(stage_next(s));
	} while (s->frame.now->n < n);
	return now_us;
}

void river_press(struct stage *s, const char *keys, int64_t now_us)
{
	while (*keys) {
		tui_clock(s->tui, now_us);
		tui_key(s->tui, script_key(&keys));
	}
	tui_draw(s->tui, now_us, &s->grid);
}

void river_stage(struct stage *s, const char *dir, const struct tui_options *o, int rows,
		    int cols)
{
	stage_open(s, dir, o);
	stage_size(s, rows, cols);
	stage_press(s, '2');
}

struct generations *generations_of(const struct stage *s)
{
	return s->tui->state[VIEW_GENERATIONS];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time_maps.c - which maps of the Time view have how much room.
 */
#include "time_view.h"

enum { PART_AXIS = MAP_NR, PART_STRIP, PART_WORDS, PART_NR };

static bool is_extra(int map)
{
	return map == MAP_MEMCG_2 || map == MAP_MEMCG_3;
}

/* The other two maps by memcg come only where all else has what it can fill. */
static void want_extras(const struct tui *t, int rows, struct want wants[PART_NR])
{
	const struct timing *v = time_of(t);

	for (int i = 0; i < PART_NR; i++)
		rows -= wants[i].most;
	for (int map = MAP_MEMCG_2; map <= MAP_MEMCG_3; map++) {
		int most = 1 + time_rows_most(t, (enum time_map)map);

		if (rows < 3 || v->open)
			continue;
		most = most < rows ? most : rows;
		wants[map] = (struct want){ most, most, 5 + map };
		rows -= most;
	}
}

/* What is left then is for memcgs of which nothing moved: none is hidden without need. */
static void want_the_rest(const struct tui *t, const struct rect parts[PART_NR],
			  struct want wants[PART_NR])
{
	for (int map = 0; map < PART_NR; map++) {
		wants[map].min = wants[map].most = parts[map].rows;
		if (parts[map].rows > 1 && map >= MAP_MEMCG && map <= MAP_MEMCG_3)
			wants[map].most = 1 + time_rows_all(t);
	}
}

static void wants_of(const struct tui *t, struct want wants[PART_NR])
{
	static const int least[MAP_NR] = { 5, 4, 4, 4, 3 };
	static const int ranks[MAP_NR] = { 4, 5, 5, 5, 6 };
	const struct timing *v = time_of(t);
	int stack = time_stack(t);

	for (int map = 0; map < MAP_NR; map++) {
		int most = time_rows_most(t, (enum time_map)map), chosen = (int)v->map == map;

		most += most > 0;
		wants[map] = (struct want){ 0, 0, 9 };
		if (most && (v->open ? chosen : !is_extra(map)))
			wants[map] = (struct want){ most < least[map] ? most : least[map], most,
						    chosen ? 2 : ranks[map] };
	}
	wants[PART_AXIS] = (struct want){ 1, 1, 0 };
	wants[PART_STRIP] = (struct want){ 2, 1 + (stack < 1 ? 1 : stack > 2 ? 2 : stack), 1 };
	wants[PART_WORDS] = (struct want){ 2, 3, 3 };
}

/* Rows that cannot be filled evenly are for others. */
static void want_what_fits(const struct tui *t, const struct rect parts[PART_NR],
			   struct want wants[PART_NR])
{
	for (int map = 0; map < MAP_NR; map++) {
		int rows = parts[map].rows;

		if (rows < 2 || (map != MAP_AGE && map != MAP_CPU))
			continue;
		rows = 1 + time_rows_fit(t, (enum time_map)map, rows - 1);
		wants[map].min = wants[map].most = rows;
	}
}

void time_draw_maps(struct tui *t, struct draw *d, struct rect body)
{
	struct timing *v = time_of(t);
	struct rect parts[PART_NR];
	struct want wants[PART_NR];

	/* One that has gone with its room leaves the first of its kind. */
	if (is_extra((int)v->map) && !v->open && !v->last[v->map])
		v->map = MAP_MEMCG;
	wants_of(t, wants);
	layout_stack(body, wants, PART_NR, parts);
	want_what_fits(t, parts, wants);
	want_extras(t, body.rows, wants);
	layout_stack(body, wants, PART_NR, parts);
	want_the_rest(t, parts, wants);
	layout_stack(body, wants, PART_NR, parts);
	for (int map = 0; map < MAP_NR; map++)
		time_draw_map(t, d, parts[map], (enum time_map)map);
	time_draw_axis(t, d, parts[PART_AXIS]);
	time_draw_strip(t, d, parts[PART_STRIP]);
	v->foot = parts[PART_AXIS];
	v->foot.rows += parts[PART_STRIP].rows;
	/* The rows of the last map are at hand; the words are of the selected one. */
	if (parts[v->map].rows > 1)
		time_rows_make(t, v->map, parts[v->map].rows - 1);
	time_draw_words(t, d, parts[PART_WORDS]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_state.c - the river over time: the clock of its dots, and what sets out. */
#include <string.h>

#include "river.h"

int64_t river_clock(const struct river *r, int64_t now_us)
{
	return motion_clock(&r->clock, now_us);
}

void river_settle(struct tui *t, struct river *r)
{
	motion_clock_settle(&r->clock, t->now_us);
	r->clock.moves = t->has_frame && view_goes_on(t);
	if (!r->clock.moves)
		memset(r->streams, 0, sizeof(r->streams));
}

/* Bytes a second; 0 where it is not known. */
static double bytes_s(const struct tui *t, struct amount a)
{
	double bytes = view_bytes_s(&t->frame, a);

	return bytes > 0 ? bytes : 0;
}

static int room_of(const struct river *r, int id)
{
	return r->rooms[id] ? r->rooms[id] : 10;
}

/* Inside the row pages move in bursts, with each generation that is born. */
static bool is_inside(int id)
{
	return id == FLOW_PROMOTED || id == FLOW_PROTECTED;
}

/* Bytes a second for each dot that has room, on the fullest way of all, or of those in and out. */
double river_fullest(const struct tui *t, const struct river *r, const struct type_flow *flow,
		     bool inside)
{
	double most = 0;

	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED; id++) {
			double rate = bytes_s(t, flow_amount(&flow[type], (enum flow_id)id)) /
				      room_of(r, id);

			most = rate > most && (inside || !is_inside(id)) ? rate : most;
		}
	return most;
}

/* What has no room as light dots goes as heavy ones, until it has room twice over. */
static void weigh(struct river *r, int type, int id, double dots)
{
	bool was = r->heavy[type][id], is = dots > (was ? room_of(r, id) / 2.0 : room_of(r, id));

	if (is == was)
		return;
	r->heavy[type][id] = is;
	motion_rescale(&r->streams[type][id], is ? 1.0 / MOTION_HEAVY : MOTION_HEAVY);
}

void river_set_out(const struct tui *t, struct river *r, const struct type_flow *flow, bool anew)
{
	double unit = (double)motion_unit(&r->unit.scale);

	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED && unit > 0; id++) {
			struct motion_stream *s = &r->streams[type][id];
			double dots = bytes_s(t, flow_amount(&flow[type], (enum flow_id)id)) / unit;

			weigh(r, type, id, dots);
			dots /= r->heavy[type][id] ? MOTION_HEAVY : 1;
			/* Who looks at it for the first time finds it as it has been. */
			if (r->clock.moves)
				motion_set(s,
					   anew && !s->n ? r->clock.shown_us - MOTION_TRANSIT_US
							 : r->clock.shown_us,
					   dots);
		}
}

void river_rescale(struct river *r, double factor)
{
	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED && factor != 1; id++)
			motion_rescale(&r->streams[type][id], factor);
}

void river_flow(struct tui *t, struct river *r, const struct type_flow *flow, uint64_t key)
{
	bool was = r->clock.moves;

	river_settle(t, r);
	if (key != r->key) {
		memset(r->streams, 0, sizeof(r->streams));
		r->unit = (struct motion_even){ .full = 0 };
		r->shift = 0;
	}
	river_rescale(r, motion_fit_even(&r->unit, t->now_us, river_fullest(t, r, flow, true),
				   river_fullest(t, r, flow, false)));
	river_set_out(t, r, flow, key != r->key || !was);
	r->key = key;
	r->clock.until_us = view_flows_until(t);
}

void river_open(struct river *r, int shift)
{
	r->shift = shift;
	r->opened_us = r->clock.shown_us;
}

#define OPENS_US 1000000

int64_t river_moves(const struct river *r, int64_t clock_us)
{
	int64_t next = r->shift && clock_us - r->opened_us < OPENS_US ? clock_us : INT64_MAX;

	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED; id++) {
			int64_t one = motion_next(&r->streams[type][id], clock_us);

			next = one < next ? one : next;
		}
	return next;
}

int64_t river_next(const struct river *r, int64_t now_us, int64_t beside)
{
	int64_t next = river_moves(r, river_clock(r, now_us));

	return motion_clock_next(&r->clock, now_us, beside < next ? beside : next);
}

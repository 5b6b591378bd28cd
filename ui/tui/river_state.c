/* SPDX-License-Identifier: GPL-2.0-or-later */
/* river_state.c - the river over time: the clock of its dots, and what sets out. */
#include <string.h>

#include "river.h"

#define FRAME_US 50000
#define SLOW     10

int64_t river_clock(const struct river *r, int64_t now_us)
{
	int64_t now = now_us < r->until_us ? now_us : r->until_us;

	if (!r->moves || now <= r->seen_us)
		return r->clock_us;
	return r->clock_us + (now - r->seen_us) / (r->slow ? SLOW : 1);
}

void river_settle(struct tui *t, struct river *r)
{
	r->clock_us = river_clock(r, t->now_us);
	r->seen_us = t->now_us;
	r->moves = t->has_frame && view_goes_on(t);
	if (!r->moves)
		memset(r->streams, 0, sizeof(r->streams));
}

/* Bytes a second; 0 where it is not known. */
static double bytes_s(const struct tui *t, struct amount a)
{
	const struct step *st = t->frame.step;
	uint32_t page_size =
		t->frame.now->machine.page_size ? t->frame.now->machine.page_size : 4096;

	if (!amount_known(a) || a.value <= 0 || st->dt_us <= 0)
		return 0;
	return (double)a.value * page_size * 1e6 / (double)st->dt_us;
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
	motion_rescale(&r->streams[type][id], is ? 1.0 / RIVER_HEAVY : RIVER_HEAVY);
}

void river_set_out(const struct tui *t, struct river *r, const struct type_flow *flow, bool anew)
{
	double unit = (double)motion_unit(&r->unit.scale);

	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED && unit > 0; id++) {
			struct motion_stream *s = &r->streams[type][id];
			double dots = bytes_s(t, flow_amount(&flow[type], (enum flow_id)id)) / unit;

			weigh(r, type, id, dots);
			dots /= r->heavy[type][id] ? RIVER_HEAVY : 1;
			/* Who looks at it for the first time finds it as it has been. */
			if (r->moves)
				motion_set(s,
					   anew && !s->n ? r->clock_us - MOTION_TRANSIT_US
							 : r->clock_us,
					   dots);
		}
}

#define EVEN_US 4000000.0

/* Without bursts. */
static double evened(struct river_unit *u, int64_t now_us, double most)
{
	double share = u->full_us ? (double)(now_us - u->full_us) / EVEN_US : 1;

	u->full += (most - u->full) * (share > 1 || share < 0 ? 1 : share);
	u->full_us = now_us;
	return u->full;
}

double river_fit(struct river_unit *u, int64_t now_us, double all, double in_out)
{
	double most = all / RIVER_HEAVY, full = evened(u, now_us, in_out);

	return motion_fit(&u->scale, now_us, full > most ? full : most);
}

void river_rescale(struct river *r, double factor)
{
	for (int type = 0; type < TYPE_NR; type++)
		for (int id = 0; id < FLOW_UNEXPLAINED && factor != 1; id++)
			motion_rescale(&r->streams[type][id], factor);
}

/* A late frame is not waited for without end. */
#define LATE_US 2000000

void river_flow(struct tui *t, struct river *r, const struct type_flow *flow, uint64_t key)
{
	bool was = r->moves;

	river_settle(t, r);
	if (key != r->key) {
		memset(r->streams, 0, sizeof(r->streams));
		r->unit = (struct river_unit){ .full = 0 };
		r->shift = 0;
	}
	river_rescale(r, river_fit(&r->unit, t->now_us, river_fullest(t, r, flow, true),
				   river_fullest(t, r, flow, false)));
	river_set_out(t, r, flow, key != r->key || !was);
	r->key = key;
	r->until_us = t->now_us + 2 * view_lasts_us(&t->frame) + LATE_US;
}

void river_open(struct river *r, int shift)
{
	r->shift = shift;
	r->opened_us = r->clock_us;
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
	int64_t clock = river_clock(r, now_us), next, frame = FRAME_US * (r->slow ? 2 : 1);

	if (!r->moves || now_us >= r->until_us)
		return INT64_MAX;
	next = river_moves(r, clock);
	next = beside < next ? beside : next;
	if (next == INT64_MAX || (next - clock) > INT64_MAX / SLOW)
		return INT64_MAX;
	next = now_us + (next - clock) * (r->slow ? SLOW : 1);
	if (next > r->until_us)
		return INT64_MAX;
	return next > now_us + frame ? next : now_us + frame;
}

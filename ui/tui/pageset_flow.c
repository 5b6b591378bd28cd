/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pageset_flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"

#define LEAST_POWER 14 /* 16 KiB/s: four pages of the usual size */

void pours_fini(struct pours *p)
{
	free(p->at);
	*p = (struct pours){ 0 };
}

/* --- the clock --- */

int64_t pours_clock(const struct pours *p, int64_t now_us)
{
	return motion_clock(&p->clock, now_us);
}

void pours_slow(struct pours *p, int64_t now_us, bool slow)
{
	motion_clock_settle(&p->clock, now_us);
	p->clock.slow = slow;
}

static void forget(struct pours *p)
{
	for (int i = 0; i < p->n; i++)
		memset(p->at[i].streams, 0, sizeof(p->at[i].streams));
}

/* Go on from here. Were the flows of before still moving? */
static bool settle(struct tui *t, struct pours *p)
{
	bool was = p->clock.moves && t->now_us < p->clock.until_us;

	motion_clock_settle(&p->clock, t->now_us);
	p->clock.moves = t->has_frame && view_goes_on(t);
	if (!p->clock.moves || !was)
		forget(p);
	return was;
}

/* --- what flows --- */

static uint64_t zone_key(const struct zone_step *z)
{
	return view_key(z->now->name, z->now->node);
}

/* What the newest step says of a pageset; not known where it is gone. */
static struct amount change_of(const struct step *st, const struct pour *one)
{
	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		if (zone_key(z) != one->zone)
			continue;
		for (uint32_t k = 0; k < z->npagesets; k++)
			if (z->pagesets[k].now->cpu == one->cpu)
				return z->pagesets[k].change;
	}
	return (struct amount){ 0 };
}

static int room_of(const struct pours *p)
{
	return p->room > 0 ? p->room : 8;
}

/* Bytes a second for each dot that has room, on the fullest way. */
static double fullest(const struct pours *p)
{
	double most = 0;

	for (int i = 0; i < p->n; i++)
		most = fabs(p->at[i].rate) > most ? fabs(p->at[i].rate) : most;
	return most / room_of(p);
}

static void fit(struct pours *p, int64_t now_us)
{
	double most = fullest(p), factor;

	p->unit.scale.least = LEAST_POWER;
	factor = motion_fit_even(&p->unit, now_us, most, most);
	for (int i = 0; i < p->n && factor != 1; i++)
		for (int way = 0; way < POUR_NR; way++)
			motion_rescale(&p->at[i].streams[way], factor);
}

/* Dots on a way at once. */
static double wanted(const struct pours *p, const struct pour *one, int way)
{
	double unit = (double)motion_unit(&p->unit.scale);
	double rate = way == POUR_UP ? one->rate : -one->rate;

	if (unit <= 0 || rate <= 0)
		return 0;
	return rate / unit / (one->heavy[way] ? MOTION_HEAVY : 1);
}

/* What has no room as light dots goes as heavy ones, until it has room twice over. */
static void weigh(const struct pours *p, struct pour *one, int way)
{
	bool was = one->heavy[way], is;
	double light = wanted(p, one, way) * (was ? MOTION_HEAVY : 1);

	is = light > (was ? room_of(p) / 2.0 : room_of(p));
	if (is == was)
		return;
	one->heavy[way] = is;
	motion_rescale(&one->streams[way], is ? 1.0 / MOTION_HEAVY : MOTION_HEAVY);
}

/* anew: who sees it for the first time finds it as it has been. */
static void set_out(struct pours *p, struct pour *one, bool anew)
{
	for (int way = 0; way < POUR_NR; way++) {
		weigh(p, one, way);
		if (p->clock.moves)
			motion_set(&one->streams[way],
				   anew ? p->clock.shown_us - MOTION_TRANSIT_US : p->clock.shown_us,
				   wanted(p, one, way));
	}
}

void pours_frame(struct tui *t, struct pours *p)
{
	bool was = settle(t, p);

	for (int i = 0; i < p->n; i++)
		p->at[i].rate = view_bytes_s(&t->frame, change_of(t->frame.step, &p->at[i]));
	if (p->n)
		fit(p, t->now_us);
	for (int i = 0; i < p->n; i++)
		set_out(p, &p->at[i], !was);
	p->clock.until_us = view_flows_until(t);
}

/* --- which are on screen --- */

static bool is_of(const struct pour *one, uint64_t zone, uint32_t cpu)
{
	return one->cpu == cpu && one->zone == zone;
}

static struct pour *find(const struct pours *p, uint64_t zone, uint32_t cpu)
{
	for (int i = 0; i < p->n; i++)
		if (is_of(&p->at[i], zone, cpu))
			return &p->at[i];
	return NULL;
}

const struct pour *pours_of(const struct pours *p, const struct pageset_row *row)
{
	return find(p, zone_key(row->zone), row->set->now->cpu);
}

static void add(struct tui *t, struct pours *p, const struct pageset_row *row)
{
	if (p->n == p->cap) {
		p->cap = p->cap ? p->cap * 2 : 16;
		p->at = mem_grow(p->at, (size_t)p->cap * sizeof(*p->at));
	}
	p->at[p->n++] = (struct pour){ .zone = zone_key(row->zone),
				       .cpu = row->set->now->cpu,
				       .shown = true,
				       .rate = view_bytes_s(&t->frame, row->set->change) };
}

static void drop_hidden(struct pours *p)
{
	int kept = 0;

	for (int i = 0; i < p->n; i++) {
		if (p->at[i].shown && kept != i)
			p->at[kept] = p->at[i];
		kept += p->at[i].shown;
	}
	p->n = kept;
}

void pours_show(struct tui *t, struct pours *p, const struct pageset_row *rows, int n, int room)
{
	int before;

	for (int i = 0; i < p->n; i++)
		p->at[i].shown = false;
	for (int i = 0; i < n; i++) {
		struct pour *one = find(p, zone_key(rows[i].zone), rows[i].set->now->cpu);

		if (one)
			one->shown = true;
	}
	drop_hidden(p);
	before = p->n;
	for (int i = 0; i < n; i++)
		if (!pours_of(p, &rows[i]))
			add(t, p, &rows[i]);
	if (before == p->n && room == p->room)
		return;
	p->room = room;
	p->unit.full_us = before ? p->unit.full_us : 0;
	motion_clock_settle(&p->clock, t->now_us);
	fit(p, t->now_us);
	for (int i = 0; i < p->n; i++)
		set_out(p, &p->at[i], i >= before);
}

void pours_hide(struct pours *p)
{
	p->n = 0;
}

/* --- what is seen --- */

uint64_t pours_unit(const struct pours *p)
{
	return motion_unit(&p->unit.scale);
}

bool pours_any_heavy(const struct pours *p)
{
	bool any = false;

	for (int i = 0; i < p->n; i++)
		for (int way = 0; way < POUR_NR; way++)
			any |= p->at[i].heavy[way] && wanted(p, &p->at[i], way) > 0;
	return any;
}

int pours_dots(const struct pours *p, const struct pour *one, enum pour_way way, int64_t now_us,
	       struct motion_dot out[POUR_DOTS])
{
	if (!p->clock.moves)
		return motion_still(wanted(p, one, way), out, POUR_DOTS);
	return motion_dots(&one->streams[way], pours_clock(p, now_us), out, POUR_DOTS);
}

int64_t pours_next(const struct pours *p, int64_t now_us)
{
	int64_t clock = pours_clock(p, now_us), next = INT64_MAX;

	for (int i = 0; i < p->n; i++)
		for (int way = 0; way < POUR_NR; way++) {
			int64_t one = motion_next(&p->at[i].streams[way], clock);

			next = one < next ? one : next;
		}
	return motion_clock_next(&p->clock, now_us, next);
}

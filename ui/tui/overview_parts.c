/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "overview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/units.h"

/* --- how the generations move --- */

/* The four lists of a kernel without generations, in place of them: two of each type. */
static uint64_t list_pages(const struct frame *f, enum page_type type, uint32_t place)
{
	static const enum vm_key keys[TYPE_NR][2] = {
		[TYPE_ANON] = { VM_nr_active_anon, VM_nr_inactive_anon },
		[TYPE_FILE] = { VM_nr_active_file, VM_nr_inactive_file },
	};

	return place < 2 ? counters_get(&f->now->vmstat, keys[type][place]) : 0;
}

static bool has_generations(const struct frame *f)
{
	return f->rung == RUNG_LRU_GEN || f->rung == RUNG_LRU_GEN_FULL;
}

static uint64_t pages_at(const struct tui *t, enum page_type type, uint32_t place)
{
	const struct overview *o = t->state[VIEW_OVERVIEW];

	return has_generations(&t->frame) ? o->places.at[place].pages[type] : list_pages(&t->frame, type, place);
}

static uint64_t pages_of(const struct tui *t, enum page_type type)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < PLACE_NR; i++) {
		uint64_t pages = pages_at(t, type, i);

		sum += pages == UNKNOWN ? 0 : pages;
	}
	return sum;
}

#define FLOW_WIDTH 10
#define FLOWS 4
#define AMOUNT_WIDTH 9
#define AMOUNTS_FROM 80   /* columns from which on the amounts have room beside the bar */

static uint32_t places_of(const struct frame *f)
{
	return has_generations(f) ? PLACE_NR : 2;
}

/* Where the columns of the flows begin, and the first of them that has room: what reclaim does stays longest. */
static int flows_from(const struct pen *p, int *first)
{
	int fit = (p->pane.cols - OVERVIEW_GUTTER) / FLOW_WIDTH;

	*first = fit < FLOWS ? FLOWS - fit : 0;
	return p->pane.cols - (FLOWS - *first) * FLOW_WIDTH;
}

static const char *const flow_metrics[FLOWS] = { "in", "promoted", "evicted", "refaulted" };

static void draw_list(struct tui *t, struct pen *p, enum page_type type, uint64_t total)
{
	const struct type_flow *flow = &t->frame.step->flow[type];
	struct segment segments[PLACE_NR];
	uint32_t n = places_of(&t->frame);
	bool wide = pen_room(p) > AMOUNTS_FROM;
	const struct amount flows[FLOWS] = {
		amount_add(flow->in_young, flow->in_old), flow->promoted, flow->evicted,
		t->frame.step->reclaim.refaulted[type],
	};
	int first, width = flows_from(p, &first) - p->col - (wide ? (int)n * AMOUNT_WIDTH : 0);

	for (uint32_t i = 0; i < n; i++)
		segments[i] = (struct segment){ pages_at(t, type, i), (enum style)(STYLE_GEN0 + i), place_glyph(i) };
	if (width > 3) {
		int from = p->col;

		pen_bar(p, width, segments, (int)n, total);
		pen_spot(p, from, "size");
	} else {
		p->col += width;
	}
	for (uint32_t i = 0; wide && i < n; i++)
		pen_pages(p, AMOUNT_WIDTH, "size", segments[i].value);
	for (int i = first; i < FLOWS; i++) {
		p->from = i + 1 == FLOWS ? READ_VMSTAT : p->from;
		pen_flow(p, FLOW_WIDTH, flow_metrics[i], flows[i]);
	}
}

static const char *list_name(const struct frame *f, uint32_t place)
{
	static const char *const classic[] = { "active", "inactive" };

	return has_generations(f) ? place_name(place, PLACE_NR) : classic[place < 2 ? place : 1];
}

/* The shades up to a column: each with its name, or all of them between two words, or alone, or none. */
static void draw_shades(struct pen *p, const struct frame *f, int until)
{
	uint32_t n = places_of(f);
	int all = 0, from = p->col;

	for (uint32_t i = 0; i < n; i++)
		all += (int)strlen(list_name(f, i)) + 2;
	if (from + (int)n >= until)
		return;
	for (uint32_t i = 0; i < n; i++) {
		pen_text(p, (enum style)(STYLE_GEN0 + i), place_glyph(i));
		if (from + all <= until)
			pen_printf(p, STYLE_DIM, "%s ", list_name(f, i));
	}
	if (from + all > until && from + (int)n + 13 <= until)
		pen_text(p, STYLE_DIM, " young to old");
}

static void draw_legend(struct tui *t, struct pen *p)
{
	static const char *const heads[FLOWS] = { "in/s", "promoted", "evicted", "refaulted" };
	bool wide = pen_room(p) > AMOUNTS_FROM;
	uint32_t n = places_of(&t->frame);
	int first, flows = flows_from(p, &first), amounts = flows - (wide ? (int)n * AMOUNT_WIDTH : 0);

	draw_shades(p, &t->frame, amounts);
	p->col = amounts;
	for (uint32_t i = 0; wide && i < n; i++)
		pen_right(p, AMOUNT_WIDTH, STYLE_DIM, list_name(&t->frame, i));
	p->col = flows;
	for (int i = first; i < FLOWS; i++)
		pen_right(p, FLOW_WIDTH, STYLE_DIM, heads[i]);
}

void overview_draw_lists(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_LRU_GEN);
	uint64_t anon = pages_of(t, TYPE_ANON), file = pages_of(t, TYPE_FILE);
	bool generations = has_generations(d->f);

	overview_heading(&p, generations ? "Generations" : "LRU lists");
	draw_legend(t, &p);
	for (int type = 0; type < TYPE_NR && pen_line(&p); type++) {
		p.from = generations ? READ_LRU_GEN : READ_VMSTAT;
		pen_text(&p, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE, type == TYPE_ANON ? " anon" : " file");
		p.col = 6;
		pen_pages(&p, 5, "size", type == TYPE_ANON ? anon : file);
		p.col = OVERVIEW_GUTTER;
		draw_list(t, &p, (enum page_type)type, anon > file ? anon : file);
	}
}

/* --- zones --- */

enum style zone_style(enum zone_level level)
{
	static const enum style styles[] = {
		[ZONE_UNKNOWN] = STYLE_UNKNOWN, [ZONE_EMPTY] = STYLE_DIM, [ZONE_BELOW_MIN] = STYLE_ALARM,
		[ZONE_BELOW_LOW] = STYLE_WARN, [ZONE_BELOW_HIGH] = STYLE_NOTE, [ZONE_ABOVE_HIGH] = STYLE_GOOD,
	};

	return styles[level];
}

void zone_bar(struct pen *p, int width, const struct zone_step *z)
{
	const uint64_t marks[] = { z->now->min, z->now->low, z->now->high };
	struct segment fill = { z->usable, zone_style(z->level), "█" };
	uint64_t scale = z->now->high == UNKNOWN ? 0 : z->now->high * 2;
	int start = p->col;

	pen_bar(p, width, &fill, 1, scale);
	for (int i = 0; i < 3; i++) {
		if (marks[i] == UNKNOWN || !scale || width < 8)
			continue;
		p->col = start + (int)((double)marks[i] / (double)scale * width);
		pen_text(p, STYLE_BAR_TEXT, i == 0 ? "m" : i == 1 ? "l" : "h");
	}
	p->col = start + width;
}

static const char *kswapd_text(const struct step *st, uint32_t node)
{
	static const char *const words[] = {
		[KSWAPD_UNKNOWN] = "", [KSWAPD_ASLEEP] = "kswapd sleeps", [KSWAPD_WORKING] = "kswapd works",
	};

	for (uint32_t i = 0; i < st->nnodes; i++)
		if (st->nodes[i].node == node)
			return words[st->nodes[i].kswapd];
	return "";
}

static void draw_zone(struct pen *p, const struct zone_step *z, bool kswapd)
{
	char text[NUMBER_TEXT];
	int bar = pen_room(p) - 58 > 8 ? pen_room(p) - 58 : 8;

	pen_printf(p, STYLE_PLAIN, "%" PRIu32 " ", z->now->node);
	pen_left(p, 9, STYLE_PLAIN, z->now->name);
	zone_bar(p, bar < 40 ? bar : 40, z);
	pen_pages(p, 8, "free", z->now->free);
	if (pen_room(p) < 6 + 11) {
		if (pen_room(p) >= 5)
			pen_text(p, STYLE_DIM, " free");
		return;
	}
	pen_text(p, STYLE_DIM, " free ");
	pen_left(p, 11, zone_style(z->level), zone_level_name(z->level));
	if (pen_room(p) < 8 + 11)
		return;
	number_pages(p->d, (uint64_t)(z->to_low < 0 ? -z->to_low : z->to_low), text);
	pen_value(p, 8, "low", z->level == ZONE_UNKNOWN ? "-" : text);
	pen_text(p, STYLE_DIM, z->to_low < 0 ? " under low " : " over low  ");
	if (kswapd && pen_room(p) > 12)
		pen_text(p, STYLE_NOTE, kswapd_text(p->d->f->step, z->now->node));
}

void overview_draw_zones(struct tui *t, struct draw *d, struct rect pane)
{
	const struct step *st = t->frame.step;
	struct pen p = pen_in(d, pane, READ_ZONEINFO);
	uint32_t node = UINT32_MAX;

	overview_heading(&p, "Zones");
	/* The last zones are the large ones: where not all have room, those matter. */
	for (uint32_t i = st->nzones; i-- > 0 && p.row < pane.rows;) {
		if (st->zones[i].level == ZONE_EMPTY)
			continue;
		p.col = OVERVIEW_GUTTER;
		draw_zone(&p, &st->zones[i], st->zones[i].now->node != node);
		node = st->zones[i].now->node;
		pen_line(&p);
	}
}

/* --- pressure --- */

static void put_share(struct pen *p, const char *word, const char *metric, uint64_t avg10)
{
	char text[NUMBER_TEXT];
	int from;

	units_centi(avg10, text, sizeof(text));
	if (pen_room(p) < (int)(strlen(word) + strlen(text)) + 2)
		return;
	pen_printf(p, STYLE_DIM, "%s ", word);
	from = p->col;
	pen_printf(p, avg10 == UNKNOWN ? STYLE_UNKNOWN : avg10 ? STYLE_PLAIN : STYLE_DIM, "%s%s", text,
		   avg10 == UNKNOWN ? "" : "%");
	pen_spot(p, from, metric);
	pen_text(p, STYLE_PLAIN, " ");
}

static const char *time_text(struct amount us, char text[NUMBER_TEXT])
{
	return amount_known(us) ? units_age((uint64_t)us.value / 1000, text, NUMBER_TEXT) : "-";
}

static void put_time(struct pen *p, struct amount us)
{
	char buf[NUMBER_TEXT];
	const char *text = time_text(us, buf);
	int from = p->col;

	pen_text(p, amount_known(us) && us.value ? STYLE_PLAIN : STYLE_DIM, text);
	pen_spot_amount(p, from, "stalled", us);
}

/* Time lost in the step: by some task, and by all at once. */
static void put_lost(struct pen *p, const struct stall *stall, bool full)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT];
	size_t some = strlen(time_text(stall->some_us, a)), all = full ? strlen(time_text(stall->full_us, b)) + 1 : 0;

	if (pen_room(p) < (int)(some + all + strlen("lost ")))
		return;
	pen_text(p, STYLE_DIM, "lost ");
	put_time(p, stall->some_us);
	if (full) {
		pen_text(p, STYLE_DIM, "/");
		put_time(p, stall->full_us);
	}
	pen_text(p, STYLE_PLAIN, "  ");
}

static void draw_resource(struct pen *p, const char *word, enum psi_resource r)
{
	const struct psi *psi = &p->d->f->now->psi[r];

	p->from = (enum reading_id)(READ_PSI_MEMORY + r);
	pen_printf(p, STYLE_PLAIN, "%s ", word);
	put_share(p, "some", "pressure some", psi->some.avg10);
	if (r != PSI_CPU)
		put_share(p, "full", "pressure full", psi->full.avg10);
	put_lost(p, &p->d->f->step->stall[r], r != PSI_CPU);
}

/* Allocations that had to reclaim by themselves, since zones were short; not those at the limit of a memcg. */
static void put_stalls(struct pen *p, struct amount stalls)
{
	char text[NUMBER_TEXT];
	int from;

	p->from = READ_VMSTAT;
	pen_text(p, STYLE_DIM, "zone stalls ");
	from = p->col;
	pen_text(p, amount_known(stalls) && stalls.value ? STYLE_PLAIN : STYLE_DIM, number_events(p->d, stalls, text));
	pen_spot_amount(p, from, "stalls", stalls);
	pen_text(p, STYLE_DIM, amount_known(stalls) ? "/s  " : "  ");
}

void overview_draw_pressure(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_PSI_MEMORY);

	overview_heading(&p, "Pressure");
	draw_resource(&p, "memory", PSI_MEMORY);
	if (pen_room(&p) > 18)
		put_stalls(&p, t->frame.step->reclaim.stalls);
	if (pen_room(&p) > 43)
		draw_resource(&p, "io", PSI_IO);
	if (pen_room(&p) > 28)
		draw_resource(&p, "cpu", PSI_CPU);
}

/* --- memcgs --- */

struct toplist {
	const char *title, *brief, *metric;    /* brief where it is narrow */
	const char *none;                      /* said where it is empty */
	const struct memcg_step *const *list;
	uint32_t n;
	bool sizes;
};

static void draw_toplist(struct draw *d, struct rect pane, const struct toplist *l, bool back)
{
	struct pen p = pen_in(d, pane, READ_CGROUP);
	char text[NUMBER_TEXT], why[200];

	pen_left(&p, pane.cols - 9, STYLE_TITLE,
		 (int)strlen(l->title) + 10 <= pane.cols   ? l->title
		 : (int)strlen(l->brief) + 10 <= pane.cols ? l->brief
							   : "Memcgs");
	pen_right(&p, 9, STYLE_DIM, l->sizes ? "size" : l->metric);
	if (!l->n && pen_line(&p))
		pen_text(&p, STYLE_DIM, d->f->step->nmemcgs
			 ? l->none : view_why(d->f, READ_CGROUP, why, sizeof(why)));
	for (uint32_t i = 0; i < l->n && pen_line(&p); i++) {
		const struct memcg_step *m = l->list[i];

		pen_left(&p, pane.cols - 9, m->dying ? STYLE_DYING : STYLE_PLAIN, m->path);
		if (l->sizes)
			pen_value(&p, 9, "current", number_bytes(d, m->now->current, text));
		else
			pen_rate(&p, 9, back ? "refaulted" : "net loss", back ? m->refaulted : m->lost);
	}
}

void overview_draw_top(struct tui *t, struct draw *d, struct rect pane)
{
	const struct overview *o = t->state[VIEW_OVERVIEW];
	struct amount stolen = t->frame.step->reclaim.stolen_all;
	bool taken = amount_known(stolen) && stolen.value > 0;
	struct toplist lost = { "Memcgs: lost most", "Memcgs: lost", "lost/s",
				taken ? "none: what was taken came back" : "none", o->lost, o->nlost, false };
	struct toplist back = { "Memcgs: came back most", "Memcgs: back", "back/s", "none", o->back, o->nback, false };
	struct toplist large = { "Memcgs: largest", "Memcgs", "size", "none", o->large, o->nlarge, true };
	struct rect halves[2];

	if (!o->nlost && !o->nback) {
		draw_toplist(d, pane, &large, false);
		return;
	}
	layout_columns(pane, 50, 3, halves);
	draw_toplist(d, halves[0], &lost, false);
	draw_toplist(d, halves[1], &back, true);
}

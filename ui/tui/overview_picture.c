/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview_picture.c - where there is room: zones as vessels with the water at the height of their free memory, and beside
 * them who takes pages, how hard that is, where they go, and what comes back.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "overview.h"
#include "reclaimtop/units.h"

/* --- where things stand --- */

#define VESSEL_COLS 16
#define VESSEL_MOST 24
#define FLOWS_LEAST 58
#define FLOWS_MOST 100

void picture_plan(struct rect area, int zones, struct picture *out)
{
	int room = area.cols - FLOWS_LEAST, fit = room > 0 ? room / VESSEL_COLS : 0;
	int n = zones < fit ? zones : fit, width = n ? room / n : 0;

	*out = (struct picture){ .n = n < PICTURE_VESSELS ? n : PICTURE_VESSELS };
	width = width > VESSEL_MOST ? VESSEL_MOST : width;
	for (int i = 0; i < out->n; i++)
		out->vessel[i] = (struct rect){ area.row, area.col + i * width, area.rows, width - 2 };
	out->flows = area;
	out->flows.col += out->n * width;
	out->flows.cols -= out->n * width;
	out->flows.cols = out->flows.cols > FLOWS_MOST ? FLOWS_MOST : out->flows.cols;
}

/* --- a vessel --- */

struct water {
	uint64_t full;           /* pages that a full vessel stands for */
	struct rect inside;
};

/* The row of the inside, from its top, that a height stands in. */
static int row_of(const struct water *w, uint64_t pages)
{
	uint64_t from_below = w->full ? (uint64_t)((double)pages / (double)w->full * w->inside.rows) : 0;

	return from_below >= (uint64_t)w->inside.rows ? 0 : w->inside.rows - 1 - (int)from_below;
}

static void draw_water(struct pen *p, const struct water *w, const struct zone_step *z)
{
	static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	struct draw *d = p->d;
	double share = w->full && z->usable != UNKNOWN ? (double)z->usable / (double)w->full : 0;
	int eighths = (int)((share > 1 ? 1 : share) * w->inside.rows * 8 + 0.5);

	/* However little is left can be seen. */
	if (!eighths && z->usable != UNKNOWN && z->usable)
		eighths = 1;
	for (int row = 0; row < w->inside.rows; row++) {
		int part = eighths - (w->inside.rows - 1 - row) * 8;
		struct rect line = { w->inside.row + row, w->inside.col, 1, w->inside.cols };

		grid_fill(d->g, line, zone_style(z->level), heights[part < 0 ? 0 : part > 8 ? 8 : part]);
		/* The surface is the number that can be asked about. */
		if (part > 0 && (part <= 8 || !row)) {
			pen_to(p, line.row - p->pane.row, line.col - p->pane.col + line.cols);
			pen_spot(p, line.col - p->pane.col, "usable");
		}
	}
}

/* Words at the walls, each at its height; where two would stand in one row the lower is moved down. */
static void draw_marks(struct pen *p, const struct water *w, const struct zone_step *z)
{
	const struct {
		uint64_t pages;
		const char *name, *metric;
	} marks[] = { { z->now->high, "high", "high" }, { z->now->low, "low", "low" }, { z->now->min, "min", "min" } };
	int last = -1;

	for (int i = 0; i < 3; i++) {
		int row;

		if (marks[i].pages == UNKNOWN || !w->full)
			continue;
		row = row_of(w, marks[i].pages);
		row = row <= last ? last + 1 : row;
		last = row;
		if (row >= w->inside.rows)
			break;
		pen_to(p, w->inside.row - p->pane.row + row, 0);
		pen_right(p, 4, STYLE_DIM, marks[i].name);
		pen_spot(p, 0, marks[i].metric);
		pen_text(p, STYLE_BAR_TEXT, "─");
	}
}

static void draw_vessel(struct draw *d, struct rect area, const struct zone_step *z)
{
	struct pen p = pen_in(d, area, READ_ZONEINFO);
	struct water w = { 0, { area.row + 1, area.col + 5, area.rows - 3, area.cols - 6 } };
	struct rect wall = { w.inside.row, area.col + 4, w.inside.rows, 1 };
	char text[NUMBER_TEXT];

	if (z->now->high != UNKNOWN && z->now->high < UNLIMITED / 2)
		w.full = z->now->high * 2;
	p.col = 5;
	pen_printf(&p, STYLE_BOLD, "%s", z->now->name);
	pen_printf(&p, STYLE_DIM, " n%" PRIu32, z->now->node);
	pen_spot(&p, 5, "managed");
	grid_fill(d->g, wall, STYLE_DIM, "│");
	wall.col = area.col + area.cols - 1;
	grid_fill(d->g, wall, STYLE_DIM, "│");
	draw_water(&p, &w, z);
	draw_marks(&p, &w, z);
	pen_to(&p, area.rows - 2, 4);
	pen_text(&p, STYLE_DIM, "└");
	for (int i = 0; i < w.inside.cols; i++)
		pen_text(&p, STYLE_DIM, "─");
	pen_text(&p, STYLE_DIM, "┘");
	pen_to(&p, area.rows - 1, 0);
	pen_value(&p, 6, "free", number_pages(d, z->now->free, text));
	/* Read as one, "8M below min" would say that 8M are missing. */
	pen_text(&p, zone_style(z->level), ", ");
	pen_left(&p, pen_room(&p), zone_style(z->level), zone_level_name(z->level));
}

static void draw_vessels(struct draw *d, const struct picture *pic)
{
	const struct step *st = d->f->step;
	int at = 0;

	/* The last zones are the large ones: where not all have room, those matter. */
	for (uint32_t i = st->nzones; i-- > 0 && at < pic->n;)
		if (st->zones[i].level != ZONE_EMPTY)
			draw_vessel(d, pic->vessel[at++], &st->zones[i]);
}

/* --- who takes pages --- */

static const struct {
	const char *name, *metric;
	enum reclaimer who;
	bool seldom;
} takers[] = {
	{ "kswapd", "kswapd", WHO_KSWAPD, false },      { "direct", "direct", WHO_DIRECT, false },
	{ "limit", "memcg limit", WHO_MEMCG_LIMIT, true }, { "khugepaged", "khugepaged", WHO_KHUGEPAGED, true },
	{ "proactive", "proactive", WHO_PROACTIVE, true },
};

#define TAKERS (sizeof(takers) / sizeof(takers[0]))
#define NAME_COLS 11
#define RATE_COLS 9

static int64_t value_of(struct amount a)
{
	return amount_known(a) && a.value > 0 ? a.value : 0;
}

static int64_t greatest(const struct reclaim *r)
{
	int64_t most = 0;

	for (int i = 0; i < WHO_NR; i++) {
		most = value_of(r->scanned_by[i]) > most ? value_of(r->scanned_by[i]) : most;
		most = value_of(r->stolen_by[i]) > most ? value_of(r->stolen_by[i]) : most;
	}
	for (int i = 0; i < TYPE_NR; i++) {
		most = value_of(r->stolen[i]) > most ? value_of(r->stolen[i]) : most;
		most = value_of(r->refaulted[i]) > most ? value_of(r->refaulted[i]) : most;
	}
	return most;
}

/* An arrow over so many columns, as long as its share of the greatest flow: "────▶". */
static void arrow(struct pen *p, int cols, enum style style, int64_t value, int64_t most)
{
	int length = most > 0 && value > 0 ? 1 + (int)((double)value / (double)most * (cols - 1)) : 0, from = p->col;

	for (int i = 0; i + 1 < length && i + 1 < cols; i++)
		pen_text(p, style, "─");
	if (length)
		pen_text(p, style, "▶");
	p->col = from + cols;
}

/* The same the other way, from the right. */
static void arrow_back(struct pen *p, int cols, int64_t value, int64_t most)
{
	int length = most > 0 && value > 0 ? 1 + (int)((double)value / (double)most * (cols - 1)) : 0, from = p->col;

	length = length > cols ? cols : length;
	p->col = from + cols - length;
	if (length)
		pen_text(p, STYLE_FLOW_IN, "◀");
	for (int i = 1; i < length; i++)
		pen_text(p, STYLE_FLOW_IN, "─");
	p->col = from + cols;
}

static int arrow_cols(const struct pen *p)
{
	return p->pane.cols - NAME_COLS - 3 * RATE_COLS - 6;
}

static const char *kswapd_word(const struct step *st)
{
	bool known = false;

	for (uint32_t i = 0; i < st->nnodes; i++) {
		if (st->nodes[i].kswapd == KSWAPD_WORKING)
			return "works";
		known |= st->nodes[i].kswapd == KSWAPD_ASLEEP;
	}
	return known ? "sleeps" : "";
}

static void draw_taker(struct pen *p, size_t i, int64_t most)
{
	const struct reclaim *r = &p->d->f->step->reclaim;
	struct amount stolen = r->stolen_by[takers[i].who], scanned = r->scanned_by[takers[i].who];
	char text[NUMBER_TEXT] = "-";
	int from = p->col;

	if (amount_known(stolen) && amount_known(scanned) && scanned.value > 0 && stolen.value >= 0)
		units_percent((uint64_t)stolen.value, (uint64_t)scanned.value, text, sizeof(text));
	pen_left(p, NAME_COLS, value_of(stolen) ? STYLE_BOLD : STYLE_DIM, takers[i].name);
	pen_spot_amount(p, from, takers[i].metric, stolen);
	pen_rate(p, RATE_COLS, "scanned", scanned);
	p->col++;
	arrow(p, arrow_cols(p), takers[i].who == WHO_DIRECT ? STYLE_WARN : STYLE_FLOW_OUT, value_of(stolen), most);
	p->col++;
	pen_rate(p, RATE_COLS, "stolen", stolen);
	pen_value(p, RATE_COLS, "efficiency", text);
}

static void draw_heads(struct pen *p, const char *first, const char *left, const char *right, const char *last)
{
	pen_left(p, NAME_COLS, STYLE_TITLE, first);
	pen_right(p, RATE_COLS, STYLE_DIM, left);
	p->col += arrow_cols(p) + 2;
	pen_right(p, RATE_COLS, STYLE_DIM, right);
	pen_right(p, RATE_COLS, STYLE_DIM, last);
}

/* --- where they go, and what comes back --- */

/* Without swap anonymous pages cannot go anywhere. */
static const char *where_to(const struct frame *f, enum page_type type)
{
	const struct reclaim *r = &f->step->reclaim;
	uint64_t swap = counters_get(&f->now->meminfo, MEM_SwapTotal);

	if (type == TYPE_FILE)
		return "dropped";
	if (value_of(r->zswapped_out) > value_of(r->swapped_out))
		return "zswap";
	return swap ? "swap" : "stays";
}

static void draw_type(struct pen *p, enum page_type type, int64_t most)
{
	const struct reclaim *r = &p->d->f->step->reclaim;
	enum style style = type == TYPE_ANON ? STYLE_ANON : STYLE_FILE;
	int half = (arrow_cols(p) - 1) / 2;

	pen_left(p, NAME_COLS, style, type == TYPE_ANON ? "anon" : "file");
	pen_rate(p, RATE_COLS, "stolen", r->stolen[type]);
	p->col++;
	arrow(p, half, STYLE_FLOW_OUT, value_of(r->stolen[type]), most);
	p->col++;
	arrow_back(p, arrow_cols(p) - half - 1, value_of(r->refaulted[type]), most);
	p->col++;
	pen_rate(p, RATE_COLS, "refaulted", r->refaulted[type]);
	pen_right(p, RATE_COLS, STYLE_DIM, where_to(p->d->f, type));
}

static void draw_births(struct pen *p)
{
	struct amount births = p->d->f->step->births;
	int from;

	if (!amount_known(births))
		return;
	p->from = READ_LRU_GEN;
	pen_text(p, STYLE_DIM, "generations opened ");
	from = p->col;
	pen_printf(p, births.value ? STYLE_NOTE : STYLE_DIM, "%" PRId64, births.value);
	pen_spot_amount(p, from, "births", births);
	p->from = READ_VMSTAT;
}

static void draw_flows(struct draw *d, struct rect area)
{
	const struct reclaim *r = &d->f->step->reclaim;
	struct pen p = pen_in(d, area, READ_VMSTAT);
	int64_t most = greatest(r);

	draw_heads(&p, "who", "scanned/s", "stolen/s", "of that");
	for (size_t i = 0; i < TAKERS; i++) {
		bool taken = value_of(r->stolen_by[takers[i].who]) || value_of(r->scanned_by[takers[i].who]);

		/* Those that seldom take anything are there when they do. */
		if ((takers[i].seldom && !taken) || p.row > area.rows - 5 || !pen_line(&p))
			continue;
		draw_taker(&p, i, most);
	}
	p.row += area.rows - p.row > 6;
	if (pen_line(&p))
		draw_heads(&p, "what", "stolen/s", "back/s", "goes to");
	for (int type = 0; type < TYPE_NR && pen_line(&p); type++)
		draw_type(&p, (enum page_type)type, most);
	p.row += area.rows - p.row > 3;
	if (!pen_line(&p))
		return;
	pen_printf(&p, STYLE_DIM, "kswapd %s  ", kswapd_word(d->f->step)[0] ? kswapd_word(d->f->step) : "-");
	draw_births(&p);
	if (r->check == CHECK_DISAGREE && pen_room(&p) > 30) {
		int from = p.col;

		pen_printf(&p, STYLE_WARN, "  ! by who and by what differ by %" PRId64 " page%s", r->check_diff,
			   r->check_diff == 1 ? "" : "s");
		pen_spot(&p, from, "check");
	}
}

void overview_draw_picture(struct tui *t, struct draw *d, struct rect pane)
{
	const struct overview *o = t->state[VIEW_OVERVIEW];
	struct picture pic;

	picture_plan(pane, (int)o->nzones, &pic);
	draw_vessels(d, &pic);
	draw_flows(d, pic.flows);
}

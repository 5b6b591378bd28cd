/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "overview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/units.h"
#include "view.h"



void overview_heading(struct pen *p, const char *word)
{
	p->col = 0;
	pen_text(p, STYLE_TITLE, word);
	p->col = OVERVIEW_GUTTER;
}

/* --- findings --- */

static const struct {
	enum style style;
	const char *word;
} severities[] = {
	[SEVERITY_NOTE] = { STYLE_NOTE, "Note" },
	[SEVERITY_WARN] = { STYLE_WARN, "Warning" },
	[SEVERITY_ALARM] = { STYLE_ALARM, "Alarm" },
};

static int findings_rows(const struct tui *t, int cols)
{
	int rows = 0;

	for (uint32_t i = 0; i < t->frame.nfindings; i++)
		rows += pen_wrap_lines(t->frame.findings[i].text, cols - OVERVIEW_GUTTER);
	return rows;
}

static void draw_findings(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_NR);

	for (uint32_t i = 0; i < t->frame.nfindings && p.row < pane.rows; i++) {
		const struct finding *f = &t->frame.findings[i];
		int left = pane.rows - p.row - (int)(t->frame.nfindings - i - 1);

		p.col = 0;
		pen_text(&p, severities[f->severity].style, severities[f->severity].word);
		pen_spot(&p, 0, f->rule);
		pen_wrap(&p, severities[f->severity].style, OVERVIEW_GUTTER, left > 1 ? left : 1, f->text);
		pen_line(&p);
	}
}

/* --- where memory is --- */

enum { PART_ANON, PART_FILE, PART_SLAB, PART_SHMEM, PART_OTHER, PART_FREE, PART_NR };

static const struct {
	const char *name, *glyph, *metric;
	enum style style;
} parts[PART_NR] = {
	[PART_ANON] = { "anon", "█", "anon", STYLE_ANON },
	[PART_SHMEM] = { "shmem", "▓", "shmem", STYLE_ANON },
	[PART_FILE] = { "file", "▒", "file", STYLE_FILE },
	[PART_SLAB] = { "slab", "░", "slab", STYLE_NOTE },
	[PART_OTHER] = { "other", "=", "other memory", STYLE_DIM },
	[PART_FREE] = { "free", "·", "free", STYLE_FREE },
};

static uint64_t kib(const struct frame *f, enum mem_key key)
{
	return counters_get(&f->now->meminfo, key);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	if (a == UNKNOWN || b == UNKNOWN)
		return a;
	return a > b ? a - b : 0;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a + b;
}

/*
 * Parts of MemTotal in KiB that do not overlap; each page of shmem is in Cached too. Where they are
 * more than the whole, as some containers say, nobody knows what the rest is.
 */
static void memory_parts(const struct frame *f, uint64_t out[PART_NR])
{
	uint64_t rest = kib(f, MEM_MemTotal);

	out[PART_ANON] = kib(f, MEM_AnonPages);
	out[PART_SHMEM] = kib(f, MEM_Shmem);
	out[PART_FILE] = less(plus(kib(f, MEM_Cached), kib(f, MEM_Buffers)), kib(f, MEM_Shmem));
	out[PART_SLAB] = kib(f, MEM_Slab);
	out[PART_FREE] = kib(f, MEM_MemFree);
	out[PART_OTHER] = 0;
	for (int i = 0; i < PART_NR; i++)
		rest = out[i] != UNKNOWN && out[i] > rest ? UNKNOWN : less(rest, out[i]);
	out[PART_OTHER] = rest;
}

static char *kib_text(const struct draw *d, uint64_t value, char out[NUMBER_TEXT])
{
	return number_bytes(d, value < UNLIMITED / 1024 ? value * 1024 : value, out);
}

/* "anon 12M": a word and its size, which can be asked about, whole or not at all. */
static void put_size(struct pen *p, const char *word, const char *metric, uint64_t value)
{
	char text[NUMBER_TEXT];
	int from;

	kib_text(p->d, value, text);
	if (pen_room(p) < (int)(strlen(word) + strlen(text)) + 1)
		return;
	pen_printf(p, STYLE_DIM, "%s ", word);
	from = p->col;
	pen_text(p, value == UNKNOWN ? STYLE_UNKNOWN : STYLE_PLAIN, text);
	pen_spot(p, from, metric);
	pen_text(p, STYLE_PLAIN, " ");
}

static void draw_memory_bar(struct pen *p, const uint64_t values[PART_NR])
{
	struct segment segments[PART_NR];
	char text[NUMBER_TEXT];
	uint64_t total = kib(p->d->f, MEM_MemTotal);

	for (int i = 0; i < PART_NR; i++)
		segments[i] = (struct segment){ values[i], parts[i].style, parts[i].glyph };
	if (pen_room(p) > 16) {
		int from = p->col;

		pen_bar(p, pen_room(p) - 8, segments, PART_NR, total == UNKNOWN ? 0 : total);
		pen_spot(p, from, "memory");
	}
	pen_value(p, 8, "memory", kib_text(p->d, total, text));
}

static void draw_memory_parts(struct pen *p, const uint64_t values[PART_NR])
{
	static const int order[PART_NR] = { PART_ANON, PART_FILE, PART_FREE, PART_SLAB, PART_SHMEM, PART_OTHER };

	p->col = OVERVIEW_GUTTER;
	/* What is wanted most comes first, and is there where the rest has no room. */
	for (int i = 0; i < PART_NR && pen_room(p) > (int)strlen(parts[order[i]].name) + 7; i++) {
		pen_text(p, parts[order[i]].style, parts[order[i]].glyph);
		put_size(p, parts[order[i]].name, parts[order[i]].metric, values[order[i]]);
	}
	if (pen_room(p) > 16)
		put_size(p, "available", "available", kib(p->d->f, MEM_MemAvailable));
}

static bool put_rate(struct pen *p, const char *word, const char *metric, struct amount a)
{
	char text[NUMBER_TEXT];
	int from;

	number_rate(p->d, a, text);
	if (pen_room(p) < (int)(strlen(word) + strlen(text)) + (amount_known(a) ? 3 : 1))
		return false;
	pen_printf(p, STYLE_DIM, "%s ", word);
	from = p->col;
	pen_text(p, amount_known(a) ? STYLE_PLAIN : STYLE_UNKNOWN, text);
	pen_spot_amount(p, from, metric, a);
	pen_text(p, STYLE_DIM, amount_known(a) ? "/s  " : "  ");
	return true;
}

static void draw_zram(struct pen *p)
{
	const struct sample *s = p->d->f->now;
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	p->from = READ_ZRAM;
	for (uint32_t i = 0; i < s->nzrams && pen_room(p) > 24; i++) {
		int from = p->col;

		pen_printf(p, STYLE_DIM, "%s ", s->zrams[i].name);
		pen_printf(p, STYLE_PLAIN, "%s in %s", number_bytes(p->d, s->zrams[i].orig_data, a),
			   number_bytes(p->d, s->zrams[i].mem_used, b));
		pen_spot(p, from, "zram");
		pen_text(p, STYLE_PLAIN, "  ");
	}
}

static void draw_swap(struct pen *p)
{
	const struct frame *f = p->d->f;
	uint64_t total = kib(f, MEM_SwapTotal), used = less(total, kib(f, MEM_SwapFree));
	struct segment segment = { used, STYLE_ANON, "█" };
	char text[NUMBER_TEXT];

	overview_heading(p, "Swap");
	if (!total) {
		pen_text(p, STYLE_DIM, "none: anonymous pages cannot be evicted");
		return;
	}
	if (pen_room(p) > 60)
		pen_bar(p, pen_room(p) / 4, &segment, 1, total == UNKNOWN ? 0 : total);
	p->col += p->col > OVERVIEW_GUTTER;
	put_size(p, "used", "swap used", used);
	pen_printf(p, STYLE_DIM, "of %s  ", kib_text(p->d, total, text));
	p->from = READ_VMSTAT;
	if (put_rate(p, "out", "swapped out", f->step->reclaim.swapped_out))
		put_rate(p, "in", "swapped in", f->step->reclaim.swapped_in);
	p->from = READ_MEMINFO;
	if (kib(f, MEM_Zswapped) != UNKNOWN && kib(f, MEM_Zswapped) && pen_room(p) > 24) {
		put_size(p, "zswap", "zswap", kib(f, MEM_Zswapped));
		put_size(p, "in", "zswap pool", kib(f, MEM_Zswap));
	}
	draw_zram(p);
}

static void draw_memory(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_MEMINFO);
	uint64_t values[PART_NR];

	(void)t;
	memory_parts(d->f, values);
	overview_heading(&p, "Memory");
	draw_memory_bar(&p, values);
	if (pane.rows > 2 && pen_line(&p))
		draw_memory_parts(&p, values);
	if (pen_line(&p))
		draw_swap(&p);
}

/* --- who reclaims --- */

static const struct {
	const char *name;
	bool is_type;
	int index;
} takers[] = {
	{ "kswapd", false, WHO_KSWAPD },         { "direct", false, WHO_DIRECT },
	{ "khugepd", false, WHO_KHUGEPAGED },    { "proactv", false, WHO_PROACTIVE },
	{ "limit", false, WHO_MEMCG_LIMIT },     { "anon", true, TYPE_ANON },
	{ "file", true, TYPE_FILE },
};

#define TAKERS ((int)(sizeof(takers) / sizeof(takers[0])))

static void draw_efficiency(struct pen *p, int width, struct amount stolen, struct amount scanned)
{
	char text[NUMBER_TEXT] = "-";

	if (amount_known(stolen) && amount_known(scanned) && scanned.value > 0 && stolen.value >= 0)
		units_percent((uint64_t)stolen.value, (uint64_t)scanned.value, text, sizeof(text));
	pen_value(p, width, "efficiency", text);
}

enum reclaim_row { ROW_STOLEN, ROW_SCANNED, ROW_EFFICIENCY, ROW_REFAULTED, ROW_NR };

static void draw_taker(struct pen *p, int width, enum reclaim_row row, int taker)
{
	const struct reclaim *r = &p->d->f->step->reclaim;
	int i = takers[taker].index;
	bool type = takers[taker].is_type;
	struct amount stolen = type ? r->stolen[i] : r->stolen_by[i];
	struct amount scanned = type ? r->scanned[i] : r->scanned_by[i];

	if (row == ROW_STOLEN)
		pen_rate(p, width, "stolen", stolen);
	else if (row == ROW_SCANNED)
		pen_rate(p, width, "scanned", scanned);
	else if (row == ROW_EFFICIENCY)
		draw_efficiency(p, width, stolen, scanned);
	else if (type)
		pen_rate(p, width, "refaulted", r->refaulted[i]);
	else
		p->col += width;
}

/* In the part of the last row where reclaimers have no number: how often the kernel aged. */
static void draw_births(struct pen *p)
{
	struct amount births = p->d->f->step->births;
	int from;

	if (!amount_known(births))
		return;
	p->col = OVERVIEW_GUTTER + 2;
	pen_text(p, STYLE_DIM, "generations opened ");
	from = p->col;
	pen_printf(p, births.value ? STYLE_NOTE : STYLE_DIM, "%" PRId64, births.value);
	p->from = READ_LRU_GEN;
	pen_spot_amount(p, from, "births", births);
	p->from = READ_VMSTAT;
}

static void draw_check(struct pen *p)
{
	const struct reclaim *r = &p->d->f->step->reclaim;

	if (r->check != CHECK_DISAGREE)
		return;
	p->col = OVERVIEW_GUTTER;
	pen_printf(p, STYLE_WARN, "! by reclaimer and by type differ by %" PRId64 " pages (%" PRId64 " can be explained)",
		   r->check_diff, r->check_allowed);
	pen_spot(p, OVERVIEW_GUTTER, "check");
}

#define TAKER_WIDTH 8

/* The takers that have room: those that seldom take anything stay away where it is narrow, unless they do. */
static int choose_takers(const struct reclaim *r, int room, int chosen[TAKERS])
{
	int n = 0, spare = TAKERS - room / TAKER_WIDTH;

	for (int i = 0; i < TAKERS; i++) {
		bool seldom = i == WHO_KHUGEPAGED || i == WHO_PROACTIVE || i == WHO_MEMCG_LIMIT;

		if (seldom && spare > 0 && !(amount_known(r->stolen_by[i]) && r->stolen_by[i].value))
			spare--;
		else
			chosen[n++] = i;
	}
	return n;
}

static void draw_reclaim(struct tui *t, struct draw *d, struct rect pane)
{
	static const char *const words[ROW_NR] = { "stolen/s", "scanned/s", "efficiency", "refaulted/s" };
	struct pen p = pen_in(d, pane, READ_VMSTAT);
	int width, n, chosen[TAKERS];

	(void)t;
	overview_heading(&p, "Reclaim");
	n = choose_takers(&d->f->step->reclaim, pen_room(&p), chosen);
	width = pen_room(&p) / n < 10 ? pen_room(&p) / n : 10;
	for (int i = 0; i < n; i++)
		pen_right(&p, width, STYLE_DIM, takers[chosen[i]].name);
	for (int row = 0; row < ROW_NR && pen_line(&p); row++) {
		pen_text(&p, STYLE_PLAIN, words[row]);
		p.col = OVERVIEW_GUTTER;
		if (row == ROW_REFAULTED && (n - TYPE_NR) * width > 24)
			draw_births(&p);
		p.col = OVERVIEW_GUTTER;
		for (int i = 0; i < n; i++)
			draw_taker(&p, width, (enum reclaim_row)row, chosen[i]);
	}
	if (pen_line(&p))
		draw_check(&p);
}

/* --- the panes, and the whole --- */

static void (*const draws[PANE_NR])(struct tui *t, struct draw *d, struct rect pane) = {
	[PANE_FINDINGS] = draw_findings,       [PANE_MEMORY] = draw_memory,
	[PANE_PICTURE] = overview_draw_picture,
	[PANE_RECLAIM] = draw_reclaim,         [PANE_LISTS] = overview_draw_lists,
	[PANE_ZONES] = overview_draw_zones,    [PANE_PRESSURE] = overview_draw_pressure,
	[PANE_TREND] = overview_draw_trends,   [PANE_TOP] = overview_draw_top,
};

#define PICTURE_ROWS 11
#define PICTURE_FROM_ROWS 30   /* of the body, and its columns */
#define PICTURE_FROM_COLS 96

static void wants_of(struct rect body, const struct overview_asks *asks, struct want wants[PANE_NR])
{
	bool picture = body.rows >= PICTURE_FROM_ROWS && body.cols >= PICTURE_FROM_COLS;
	int reclaim = 1 + ROW_NR + asks->disagree, high = PICTURE_ROWS + (body.rows - PICTURE_FROM_ROWS) / 3;

	for (int i = 0; i < PANE_NR; i++)
		wants[i] = (struct want){ 0, 0, LAYOUT_PARTS - 1 };
	wants[PANE_FINDINGS] = (struct want){ asks->lines ? asks->findings : 0, asks->lines, 0 };
	wants[PANE_MEMORY] = (struct want){ 2, 3, 1 };
	if (picture)
		wants[PANE_PICTURE] = (struct want){ PICTURE_ROWS, high < 18 ? high : 18, 2 };
	else
		wants[PANE_RECLAIM] = (struct want){ asks->disagree ? reclaim : 3, reclaim, 2 };
	wants[PANE_LISTS] = (struct want){ 3, 3, 3 };
	if (!picture)
		wants[PANE_ZONES] = (struct want){ asks->zones ? 1 : 0, asks->zones, 4 };
	wants[PANE_PRESSURE] = (struct want){ 1, 1, 5 };
	wants[PANE_TREND] = (struct want){ 1, body.rows > 45 ? 20 : body.rows > 30 ? 8 : 2, 7 };
	wants[PANE_TOP] = (struct want){ 2, 1 + OVERVIEW_TOP, 6 };
}

void overview_plan(struct rect body, const struct overview_asks *asks, struct rect out[PANE_NR])
{
	struct want wants[PANE_NR];

	wants_of(body, asks, wants);
	layout_stack(body, wants, PANE_NR, out);
}

static void overview_draw(struct tui *t, struct draw *d, struct rect body)
{
	const struct overview *o = t->state[VIEW_OVERVIEW];
	const struct overview_asks asks = {
		.findings = (int)t->frame.nfindings, .lines = findings_rows(t, body.cols), .zones = (int)o->nzones,
		.disagree = t->frame.step->reclaim.check == CHECK_DISAGREE,
	};
	struct rect out[PANE_NR];

	overview_plan(body, &asks, out);
	for (int i = 0; i < PANE_NR; i++)
		if (!rect_is_empty(out[i]))
			draws[i](t, d, out[i]);
}

static void *overview_open(const struct tui_options *options)
{
	struct overview *o = mem_alloc(sizeof(*o));

	(void)options;
	memset(o, 0, sizeof(*o));
	return o;
}

const struct view overview_view = {
	.name = "overview",
	.key = '1',
	.title = "Overview",
	.brief = "Over",
	.about = "Where memory is, who takes it back, how the generations move, and what it costs. Stolen are pages that "
		 "reclaim got, scanned those it had to look at: the nearer the two, the easier its work. Refaulted pages "
		 "were taken too early. The bar of a zone, or the water in its vessel, is its free memory, with its watermarks m "
		 "(min), l (low) and h (high): below low kswapd works, below min allocations wait.",
	.open = overview_open,
	.close = free,
	.prepare = overview_prepare,
	.draw = overview_draw,
};

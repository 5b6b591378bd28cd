/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memcgs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "places.h"
#include "reclaimtop/units.h"

const char memcg_usual_sort[] = "current";

uint64_t memcg_row_key(const void *row)
{
	const struct memcg_row *r = row;

	return r->m ? view_key(r->m->path, r->m->dying ? r->m->id + 1 : 0) : 0;
}

enum style memcg_row_style(const void *row)
{
	const struct memcg_row *r = row;

	return !r->m || r->m->dying ? STYLE_DYING : r->m->vanished ? STYLE_DIM : STYLE_PLAIN;
}

/* --- path --- */

static const char *path_text(const void *row)
{
	const struct memcg_row *r = row;

	return r->m ? r->m->path : "~";
}

static const char *mark_of(const struct memcg_step *m)
{
	return m->vanished ? "× " : m->dying ? "† " : m->is_new ? "+ " : "";
}

static void path_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct memcg_row *r = row;
	const char *name;
	char copies[32] = "";

	(void)c;
	if (!r->m) {
		pen_printf(p, STYLE_DYING, "† %" PRIu32 " dying memcgs", r->dead);
		return;
	}
	name = r->depth > 0 && strrchr(r->m->path, '/') ? strrchr(r->m->path, '/') + 1 : r->m->path;
	for (int i = 0; i < r->depth && p->col < width / 2; i++)
		pen_text(p, STYLE_DIM, i + 1 == r->depth ? "└ " : "  ");
	pen_text(p, STYLE_NOTE, mark_of(r->m));
	if (r->m->copies)
		snprintf(copies, sizeof(copies), " (%" PRIu32 " dead)", r->m->copies);
	pen_left(p, width - p->col - (int)strlen(copies), STYLE_PLAIN, name);
	pen_text(p, STYLE_DYING, copies);
}

/* --- generations --- */

/* Without MGLRU memory.stat still tells the two lists of each type: bytes, as pages. */
static uint64_t stat_pages(const struct memcg_row *r, enum cg_key key)
{
	uint64_t bytes = r->m->now ? counters_get(&r->m->now->stat, key) : UNKNOWN;

	return bytes == UNKNOWN ? UNKNOWN : bytes / r->page_size;
}

static uint64_t lru_pages(const struct memcg_row *r, enum page_type type)
{
	if (!r->m)
		return r->dead_pages[type];
	if (r->m->lru_pages[type] != UNKNOWN)
		return r->m->lru_pages[type];
	return stat_pages(r, type == TYPE_ANON ? CG_anon : CG_file);
}

static uint64_t place_pages(const struct memcg_row *r, int place, enum page_type type)
{
	static const enum cg_key active[] = { CG_active_anon, CG_active_file };
	static const enum cg_key inactive[] = { CG_inactive_anon, CG_inactive_file };

	if (!r->m)
		return place == PLACE_NR - 1 ? r->dead_pages[type] : 0;
	if (r->m->lru_pages[type] != UNKNOWN)
		return r->m->pages[place][type];
	if (place != 0 && place != PLACE_NR - 1)
		return 0;
	return stat_pages(r, place ? inactive[type] : active[type]);
}

/* Columns of one type: the places after one another, their shades from young to old. */
static void half_bar(struct pen *p, int width, const struct memcg_row *r, enum page_type type)
{
	struct segment segments[PLACE_NR];

	for (int i = 0; i < PLACE_NR; i++)
		segments[i] = (struct segment){ place_pages(r, i, type), (enum style)(STYLE_GEN0 + i),
						place_glyph((uint32_t)i) };
	if (width > 0)
		pen_bar(p, width, segments, PLACE_NR, lru_pages(r, type));
}

static void bar_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	const struct memcg_row *r = row;
	uint64_t anon = lru_pages(r, TYPE_ANON), file = lru_pages(r, TYPE_FILE);
	int left;

	if (anon == UNKNOWN || file == UNKNOWN) {
		pen_value(p, width, sheet_metric(c), "-");
		return;
	}
	if (!(anon + file)) {
		pen_value(p, width, sheet_metric(c), "0");
		return;
	}
	if (r->m && r->m->lru_pages[TYPE_ANON] != UNKNOWN)
		p->from = p->d->f->rung == RUNG_LRU_GEN_FULL ? READ_LRU_GEN_FULL : READ_LRU_GEN;
	left = (int)((double)anon / (double)(anon + file) * (width - 1) + 0.5);
	left = anon && !left ? 1 : file && left == width - 1 ? width - 2 : left;
	half_bar(p, left, r, TYPE_ANON);
	pen_text(p, STYLE_DIM, "│");
	half_bar(p, width - 1 - left, r, TYPE_FILE);
	pen_spot(p, 0, sheet_metric(c));
	p->from = READ_CGROUP;
}

/* --- what a memcg's files say --- */

static int64_t to_sort(uint64_t value)
{
	return value == UNKNOWN ? SHEET_UNKNOWN : value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* The number at an offset within struct memcg; UNKNOWN where its files were not read. */
static uint64_t file_number(const void *row, const struct column *c)
{
	const struct memcg_row *r = row;
	uint64_t value;

	if (!r->m || !r->m->now)
		return UNKNOWN;
	memcpy(&value, (const char *)r->m->now + c->at, sizeof(value));
	return value;
}

static int64_t file_value(const void *row, const struct column *c)
{
	return to_sort(file_number(row, c));
}

static void file_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[NUMBER_TEXT];

	pen_value(p, width, sheet_metric(c), number_bytes(p->d, file_number(row, c), text));
}

/* --- what happened in the step --- */

static struct amount step_amount(const void *row, const struct column *c)
{
	const struct memcg_row *r = row;
	struct amount a = { .state = AMOUNT_MISSING };

	if (r->m)
		memcpy(&a, (const char *)r->m + c->at, sizeof(a));
	return a;
}

static int64_t step_value(const void *row, const struct column *c)
{
	struct amount a = step_amount(row, c);

	return amount_known(a) ? a.value : SHEET_UNKNOWN;
}

static void rate_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	pen_rate(p, width, sheet_metric(c), step_amount(row, c));
}

static void events_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	pen_events(p, width, sheet_metric(c), step_amount(row, c));
}

/* Time lost, as a share of the step. */
static void stalled_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	struct amount us = step_amount(row, c);
	char text[NUMBER_TEXT] = "-";
	int from = p->col;

	if (amount_known(us) && p->d->f->step->dt_us > 0)
		units_percent((uint64_t)us.value, (uint64_t)p->d->f->step->dt_us, text, sizeof(text));
	pen_value(p, width, NULL, text);
	pen_spot_amount(p, from, sheet_metric(c), us);
}

/* --- what lru_gen says --- */

static uint64_t type_pages(const void *row, const struct column *c)
{
	return lru_pages(row, (enum page_type)c->at);
}

static int64_t type_value(const void *row, const struct column *c)
{
	return to_sort(type_pages(row, c));
}

static void type_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	pen_pages(p, width, sheet_metric(c), type_pages(row, c));
}

/* The windows of anon and file move independently: the age of one type, or of the older of both. */
static uint64_t oldest_ms(const struct memcg_row *r, size_t at)
{
	uint64_t oldest = UNKNOWN;

	for (size_t type = 0; r->m && type < TYPE_NR; type++) {
		uint64_t ms = at == type || at == TYPE_NR ? r->m->oldest_age_ms[type] : UNKNOWN;

		if (ms != UNKNOWN && (oldest == UNKNOWN || ms > oldest))
			oldest = ms;
	}
	return oldest;
}

static int64_t age_value(const void *row, const struct column *c)
{
	return to_sort(oldest_ms(row, c->at));
}

static void age_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[NUMBER_TEXT];

	pen_value(p, width, sheet_metric(c), units_age(oldest_ms(row, c->at), text, sizeof(text)));
}

#define FILE_COLUMN(member) .at = offsetof(struct memcg, member), .cell = file_cell, .value = file_value
#define STEP_COLUMN(member) .at = offsetof(struct memcg_step, member), .value = step_value

/* The order is that on the screen; where it is narrow, the greatest rank goes first. */
const struct column memcg_columns[] = {
	{ .name = "memcg", .title = "memcg", .width = 17, .grow = 3, .left = true, .cell = path_cell, .text = path_text },
	{ .name = "generations", .metric = "size", .title = "anon│file", .width = 9, .grow = 1, .rank = 1, .left = true,
	  .cell = bar_cell },
	{ .name = "current", .title = "current", .width = 8, FILE_COLUMN(current) },
	{ .name = "evicted", .title = "evict/s", .width = 7, .cell = rate_cell, STEP_COLUMN(evicted) },
	{ .name = "refaulted", .title = "back/s", .width = 7, .cell = rate_cell, STEP_COLUMN(refaulted) },
	{ .name = "lost", .metric = "net loss", .title = "lost/s", .width = 7, .rank = 2, .cell = rate_cell, STEP_COLUMN(lost) },
	{ .name = "stalled", .metric = "stall", .title = "stall", .width = 6, .rank = 3, .cell = stalled_cell,
	  STEP_COLUMN(stalled_us) },
	{ .name = "swap", .title = "swap", .width = 5, .rank = 4, FILE_COLUMN(swap_current) },
	{ .name = "age", .metric = "oldest age", .title = "oldest", .width = 6, .rank = 5, .at = TYPE_NR, .cell = age_cell,
	  .value = age_value },
	{ .name = "ageanon", .metric = "oldest age", .title = "oldA", .width = 6, .rank = 8, .at = TYPE_ANON, .cell = age_cell,
	  .value = age_value },
	{ .name = "agefile", .metric = "oldest age", .title = "oldF", .width = 6, .rank = 8, .at = TYPE_FILE, .cell = age_cell,
	  .value = age_value },
	{ .name = "anon", .metric = "size", .title = "anon", .width = 5, .rank = 8, .at = TYPE_ANON, .cell = type_cell,
	  .value = type_value },
	{ .name = "file", .metric = "size", .title = "file", .width = 5, .rank = 8, .at = TYPE_FILE, .cell = type_cell,
	  .value = type_value },
	{ .name = "max", .metric = "memory.max", .title = "max", .width = 5, .rank = 6, FILE_COLUMN(max) },
	{ .name = "high", .metric = "memory.high", .title = "high", .width = 5, .rank = 7, FILE_COLUMN(high) },
	{ .name = "low", .metric = "memory.low", .title = "low", .width = 5, .rank = 9, FILE_COLUMN(low) },
	{ .name = "min", .metric = "memory.min", .title = "min", .width = 5, .rank = 10, FILE_COLUMN(min) },
	{ .name = "majflt", .metric = "major faults", .title = "majflt/s", .width = 8, .rank = 11, .cell = events_cell,
	  STEP_COLUMN(major_faults) },
	{ .name = "swapout", .metric = "swapped out", .title = "swpout/s", .width = 8, .rank = 12, .cell = rate_cell,
	  STEP_COLUMN(swapped_out) },
	{ .name = "atmax", .metric = "memory.max", .title = "at max/s", .width = 8, .rank = 14, .cell = events_cell,
	  STEP_COLUMN(max_hits) },
	{ .name = "oom", .metric = "oom kills", .title = "oom/s", .width = 5, .rank = 15, .cell = events_cell,
	  STEP_COLUMN(oom_kills) },
	{ .name = "swapin", .metric = "swapped in", .title = "swpin/s", .width = 8, .rank = 13, .cell = rate_cell, STEP_COLUMN(swapped_in) },
};

const int nmemcg_columns = sizeof(memcg_columns) / sizeof(memcg_columns[0]);

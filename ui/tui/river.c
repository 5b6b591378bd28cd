/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "river.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

/* --- where things stand --- */

/* By the columns of the area: the margin before the first slot, and what lies behind the last. */
static const struct {
	int cols, left, gap, mouth, name;
} widths[] = {
	{ 130, 18, 4, 14, 10 }, { 100, 16, 3, 9, 10 }, { 76, 15, 2, 8, 10 },
	{ 54, 15, 1, 4, 8 },    { 0, 1, 1, 2, 4 },
};

static void plan_columns(struct river_plan *p)
{
	size_t i = 0;
	int right;

	while (p->area.cols < widths[i].cols)
		i++;
	p->name = widths[i].name;
	right = widths[i].gap + 1 + widths[i].mouth + 1 + p->name + 6;
	p->first = widths[i].left;
	p->slot = (p->area.cols - p->first - right) / PLACE_NR;
	p->slot = p->slot < 2 ? 2 : p->slot;
	p->block = p->slot > 9 ? p->slot - 2 : p->slot - 1;
	p->edge = p->first + p->slot * PLACE_NR - (p->slot - p->block) + widths[i].gap;
	p->mouth = p->edge + widths[i].mouth;
	p->words = p->mouth + 2;
	p->from = p->first;
}

/* Ways above the blocks, as many as leave those two rows; the blocks; the row they stand on. */
static void plan_half(struct river_half *h, int row, int rows)
{
	int ways = rows - 3 < 0 ? 0 : rows - 3 > 3 ? 3 : rows - 3;

	*h = (struct river_half){ .in_old = -1, .climb = -1, .in_young = -1 };
	if (ways > 0)
		h->climb = row + (ways > 1);
	if (ways > 1)
		h->in_old = h->in_young = row;
	if (ways > 2)
		h->in_young = row + 2;
	h->top = row + ways;
	/* With one row there are sizes and no blocks. */
	h->rows = rows - ways - 1 > 0 ? rows - ways - 1 : 0;
	h->base = h->top + h->rows;
}

void river_plan_make(struct rect area, struct river_plan *out)
{
	int rows = area.rows, each;

	*out = (struct river_plan){ .area = area, .legend = -1 };
	plan_columns(out);
	out->heads = rows >= 22 ? 3 : rows >= 14 ? 2 : 1;
	rows -= out->heads;
	if (rows >= 13) {
		out->legend = area.rows - 1;
		rows--;
	}
	each = rows / 2;
	plan_half(&out->half[TYPE_ANON], out->heads, each);
	plan_half(&out->half[TYPE_FILE], out->heads + rows - each, each);
}

void river_rooms(const struct river_plan *plan, int out[FLOW_NR])
{
	int edge = plan->mouth - (plan->first + plan->slot * (PLACE_NR - 1) + plan->block);

	for (int id = 0; id < FLOW_NR; id++)
		out[id] = edge > 1 ? edge : 1;
	out[FLOW_IN_OLD] = (PLACE_NR - 1) * plan->slot;
	out[FLOW_PROMOTED] = (PLACE_NR - 1) * plan->slot;
	out[FLOW_PROTECTED] = plan->slot;
	out[FLOW_IN_YOUNG] = plan->slot;
}

/* --- blocks --- */

uint64_t river_scale(const struct places *p)
{
	uint64_t most = 1, part = 1;

	for (int i = 0; i < PLACE_NR; i++)
		for (int type = 0; type < TYPE_NR; type++)
			most = p->at[i].pages[type] > most ? p->at[i].pages[type] : most;
	while (most / part >= 8)
		part *= 2;
	return (most + part - 1) / part * part;
}

/* Eighths of cells that a block takes. */
static double area_of(const struct river_scene *s, const struct river_plan *plan, uint64_t pages,
		      int rows)
{
	double whole = 8.0 * rows * plan->block;

	if (s->river->log)
		return whole * log2(1 + (double)pages) / log2(1 + (double)s->scale);
	return whole * (double)pages / (double)s->scale;
}

/* How a block of so many pages is drawn: eighths of rows, and columns. */
struct size {
	int height, breadth;
};

static struct size size_of(const struct river_scene *s, const struct river_plan *plan,
			   enum page_type type, uint64_t pages)
{
	double area = area_of(s, plan, pages, plan->half[type].rows);
	int height = (int)(area / plan->block + 0.5), most = 8 * plan->half[type].rows;
	int breadth = area >= plan->block ? plan->block : area < 1 ? 1 : (int)area;

	if (!pages || !most)
		return (struct size){ 0, 0 };
	return (struct size){ height < 1 ? 1 : height > most ? most : height, breadth };
}

int river_height(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
		 int place)
{
	return size_of(s, plan, type, s->places->at[place].pages[type]).height;
}

int river_breadth(const struct river_scene *s, const struct river_plan *plan, enum page_type type,
		  int place)
{
	return size_of(s, plan, type, s->places->at[place].pages[type]).breadth;
}

int river_slot(const struct river_scene *s, int place)
{
	return PLACE_NR - s->n + place;
}

#define SHIFT_US 800000

/* How much of the way to where it rests is left, 0 to 1, for what moves on. */
static double left_of(const struct river_scene *s)
{
	int64_t since = s->clock_us - s->river->opened_us;

	if (s->clock_us < 0 || !s->births || !s->river->shift || since >= SHIFT_US || since < 0)
		return 0;
	return (double)(SHIFT_US - since) / SHIFT_US;
}

int river_column(const struct river_scene *s, const struct river_plan *plan, int slot, int shift)
{
	return plan->first + slot * plan->slot - (int)(shift * plan->slot * left_of(s));
}

/* What of a block is right of the first slot's edge: one that opens comes in from there. */
static struct rect seen_of(const struct river_plan *plan, struct rect r)
{
	struct rect bed = { plan->area.row, plan->area.col + plan->first, plan->area.rows,
			    plan->edge - plan->first };

	r.row += plan->area.row;
	r.col += plan->area.col;
	return rect_clip(r, rect_clip(bed, plan->area));
}

static enum style style_of(const struct river_scene *s, int place)
{
	return (enum style)(STYLE_GEN0 + (place + 1 == s->n ? PLACE_NR - 1 : place));
}

/* On its base: the row and column of block. */
static void draw_part(struct draw *d, const struct river_plan *plan, struct rect block,
		      struct size size, enum style style)
{
	static const char *const parts[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };

	block.cols = size.breadth;
	block.rows = size.height / 8;
	block.row -= block.rows;
	grid_fill(d->g, seen_of(plan, block), style, "█");
	block.row--;
	block.rows = 1;
	if (size.height % 8)
		grid_fill(d->g, seen_of(plan, block), style, parts[size.height % 8]);
}

/* Rows of what stands still at a place. */
static double still_rows(const struct river_scene *s, const struct river_plan *plan,
			 enum page_type type, int place)
{
	if (place < 0)
		return 0;
	return size_of(s, plan, type, s->births->moved[0].at[place].pages[type]).height / 8.0;
}

/* While a part moves on, it does so over what stands still. */
static void draw_moving(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
			enum page_type type, int shift)
{
	double left = left_of(s);

	for (int i = 0; i < s->n; i++) {
		uint64_t pages = s->births->moved[shift].at[i].pages[type];
		double below = shift ? left * still_rows(s, plan, type, i - shift) +
					       (1 - left) * still_rows(s, plan, type, i)
				     : 0;
		struct rect block = { .row = plan->half[type].base - (int)(below + 0.5),
				      .col = river_column(s, plan, river_slot(s, i), shift) };

		if (pages)
			draw_part(d, plan, block, size_of(s, plan, type, pages), style_of(s, i));
	}
}

static void draw_blocks(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
			enum page_type type)
{
	for (int shift = 0; left_of(s) > 0 && shift < PLACE_NR; shift++)
		draw_moving(d, plan, s, type, shift);
	for (int i = 0; left_of(s) <= 0 && i < s->n; i++) {
		struct rect block = { .row = plan->half[type].base,
				      .col = river_column(s, plan, river_slot(s, i), 0) };

		draw_part(d, plan, block,
			  size_of(s, plan, type, s->places->at[i].pages[type]), style_of(s, i));
	}
}

void river_blocks_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s)
{
	for (int type = 0; type < TYPE_NR; type++)
		draw_blocks(d, plan, s, (enum page_type)type);
}

/* --- what stands around them --- */

/* In the middle of a slot, whole or not at all. */
static void draw_middle(struct draw *d, struct rect slot, enum style style, const char *text)
{
	struct pen p = pen_in(d, slot, READ_LRU_GEN);
	int width = name_width(text);

	if (width > slot.cols)
		return;
	p.col = (slot.cols - width) / 2;
	pen_text(&p, style, text);
}

static struct rect slot_rect(const struct river_scene *s, const struct river_plan *plan, int place,
			     int row)
{
	int shift = s->one ? s->river->shift : 0;
	struct rect r = { row, river_column(s, plan, river_slot(s, place), shift), 1, plan->block };

	return seen_of(plan, r);
}

static void draw_size(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
		      enum page_type type, int place)
{
	struct rect r = slot_rect(s, plan, place, plan->half[type].base);
	uint64_t pages = s->places->at[place].pages[type];
	char text[NUMBER_TEXT + 2], size[NUMBER_TEXT];
	struct pen p = pen_in(d, r, READ_LRU_GEN);
	int width;

	number_pages(d, pages, size);
	snprintf(text, sizeof(text), plan->block > 6 ? " %s " : "%s", size);
	width = name_width(text);
	if (rect_is_empty(r) || width > r.cols)
		return;
	p.col = (r.cols - width) / 2;
	pen_text(&p, pages ? STYLE_PLAIN : STYLE_DIM, text);
	pen_spot(&p, p.col - width, "size");
}

/* The bed that the blocks stand on, as far as the edge. */
static void draw_bed(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
		     enum page_type type)
{
	struct rect bed = { plan->half[type].base, plan->first, 1, plan->edge - plan->first };

	if (plan->slot > 7)
		grid_fill(d->g, seen_of(plan, bed), STYLE_FREE, "─");
	/* Where a new one opens. */
	bed.col = plan->first + river_slot(s, 0) * plan->slot;
	bed.cols = (int)(plan->block * (1 - left_of(s)) + 0.5);
	if (s->births && s->births->born)
		grid_fill(d->g, seen_of(plan, bed), STYLE_NOTE, "═");
}

/* "23.7s+": of a range what is known in one number; in so many columns, if need be without what is behind the first part. */
static void least_age(uint64_t ms, int cols, char out[24])
{
	char age[16];
	size_t n;

	units_age(ms, age, sizeof(age));
	snprintf(out, 24, "%s+", age);
	n = strspn(age, "0123456789");
	if (name_width(out) > cols && !strstr(age, "ms"))
		snprintf(out, 24, "%.*s%c+", (int)n, age, age[n + strcspn(age + n, "hdms")]);
}

static bool is_range(const struct place *p)
{
	char low[16], high[16];

	return strcmp(units_age(p->age_min, low, sizeof(low)), units_age(p->age_max, high, sizeof(high)));
}

/* Its name; where it is narrow or low, a brief one and its number. */
static void name_text(const struct river_scene *s, const struct river_plan *plan, int place,
		      char out[48])
{
	static const char *const brief[PLACE_NR] = { "young", "2nd", "3rd", "old" };
	const struct place *p = &s->places->at[place];
	const char *name = place_name((uint32_t)place, (uint32_t)s->n);
	bool narrow = plan->block < 8 || (plan->heads < (s->one ? 3 : 2) && plan->block < 16);
	char age[24] = "";

	if (narrow)
		name = brief[place && place + 1 == s->n ? PLACE_NR - 1 : place];
	snprintf(out, 48, "%s%s", p->born && !s->one && plan->block > 9 ? "+" : "", name);
	if (s->one && plan->heads < 3 && p->seq_min != UNKNOWN)
		snprintf(out + strlen(out), 48 - strlen(out), " #%" PRIu64, p->seq_min);
	else if (plan->heads < 2 && is_range(p))
		least_age(p->age_min, plan->block - name_width(out) - 1, age);
	else if (plan->heads < 2)
		units_age(p->age_max, age, sizeof(age));
	if (age[0])
		snprintf(out + strlen(out), 48 - strlen(out), " %s", age);
	if (name_width(out) > plan->block)
		snprintf(out, 48, "%s", name);
}

/* Of several lruvecs from which to which: in two lines where it is narrow. */
static void age_text(const struct river_scene *s, const struct river_plan *plan, int place,
		     char out[48])
{
	const struct place *p = &s->places->at[place];
	bool range = is_range(p);
	char low[16], high[16];

	units_age(p->age_min, low, sizeof(low));
	units_age(p->age_max, high, sizeof(high));
	if (p->born && s->one)
		snprintf(out, 48, "born");
	else if (p->born && plan->heads < 3)
		snprintf(out, 48, "+%" PRIu32 " born", p->born);
	else if (range && plan->block >= 15 && plan->heads < 3)
		snprintf(out, 48, "%.9s - %.9s", low, high);
	else if (range && plan->heads < 3)
		least_age(p->age_min, plan->block, out);
	else if (range && plan->block < 8)
		out[0] = '\0';
	else
		snprintf(out, 48, "%s%.15s", range ? "to " : "", high);
}

static void middle_text(const struct river_scene *s, const struct river_plan *plan, int place,
			char out[48])
{
	const struct place *p = &s->places->at[place];

	out[0] = '\0';
	if (s->one && p->seq_min != UNKNOWN)
		snprintf(out, 48, "#%" PRIu64, p->seq_min);
	else if (p->born)
		snprintf(out, 48, "+%" PRIu32 " born", p->born);
	else if (!s->one && is_range(p) && plan->block < 8)
		least_age(p->age_min, plan->block, out);
	else if (!s->one && p->age_min != p->age_max)
		units_age(p->age_min, out, 16);
}

static void draw_heads(struct draw *d, const struct river_plan *plan, const struct river_scene *s)
{
	char text[48];

	for (int i = 0; i < s->n; i++) {
		bool born = s->places->at[i].born;

		name_text(s, plan, i, text);
		draw_middle(d, slot_rect(s, plan, i, 0), born ? STYLE_NOTE : STYLE_BOLD, text);
		middle_text(s, plan, i, text);
		if (plan->heads > 2)
			draw_middle(d, slot_rect(s, plan, i, 1), born ? STYLE_NOTE : STYLE_DIM,
				    text);
		age_text(s, plan, i, text);
		if (plan->heads > 1)
			draw_middle(d, slot_rect(s, plan, i, plan->heads - 1),
				    born ? STYLE_NOTE : STYLE_DIM, text);
	}
}

/* The edge over all rows, and what it is. */
static void draw_edge(struct draw *d, const struct river_plan *plan)
{
	struct rect line = { plan->area.row, plan->area.col + plan->edge,
			     plan->area.rows - (plan->legend >= 0), 1 };
	struct pen p = pen_in(d, plan->area, READ_LRU_GEN);

	grid_fill(d->g, rect_clip(line, plan->area), STYLE_FREE, "│");
	pen_to(&p, 0, plan->edge + 2);
	pen_text(&p, STYLE_BOLD, plan->name >= 9 ? "the edge" : "edge");
	pen_to(&p, 1, plan->edge + 2);
	if (plan->heads > 1)
		pen_cut(&p, pen_room(&p), STYLE_DIM,
			plan->name >= 9 ? "reclaim takes from here" : "taken here");
}

/* Which half it is, and its pages altogether. */
static void draw_side(struct draw *d, const struct river_plan *plan, const struct river_scene *s,
		      enum page_type type)
{
	static const char *const names[TYPE_NR] = { "ANON", "FILE" };
	static const char *const words[TYPE_NR] = { "process memory", "cached files" };
	const struct river_half *h = &plan->half[type];
	int above = h->rows > 2 ? 2 : h->rows > 0;
	struct rect side = { plan->area.row + h->base - above, plan->area.col, above + 1, plan->first - 1 };
	struct pen p = pen_in(d, rect_clip(side, plan->area), READ_LRU_GEN);

	if (plan->first < 12)
		return;
	pen_printf(&p, type == TYPE_ANON ? STYLE_ANON : STYLE_FILE, "%s ", names[type]);
	pen_pages(&p, 6, "size", places_sum(s->places, type));
	if (pen_line(&p))
		pen_cut(&p, pen_room(&p), STYLE_DIM, words[type]);
}

void river_draw(struct draw *d, const struct river_plan *plan, const struct river_scene *s)
{
	draw_edge(d, plan);
	draw_heads(d, plan, s);
	for (int type = 0; type < TYPE_NR; type++) {
		draw_side(d, plan, s, (enum page_type)type);
		draw_bed(d, plan, s, (enum page_type)type);
		for (int i = 0; i < s->n; i++)
			draw_size(d, plan, s, (enum page_type)type, i);
	}
	river_blocks_draw(d, plan, s);
	river_flows_draw(d, plan, s);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pageset_pool.c - below the vessels: the free blocks of the zone by order, what drains go to and
 * refills come from; and how much pagesets changed at a time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pagesets.h"
#include "reclaimtop/units.h"

#define WORDS 12

/* --- free blocks --- */

static const struct buddy *buddy_of(const struct sample *s, const struct zone_step *z)
{
	for (uint32_t i = 0; s && i < s->nbuddies; i++)
		if (s->buddies[i].node == z->now->node && !strcmp(s->buddies[i].zone, z->now->name))
			return &s->buddies[i];
	return NULL;
}

/* The pool as it is drawn. */
struct pool {
	struct draw *d;
	struct rect pane;
	const struct buddy *now, *before; /* before may be NULL */
	const struct zone_step *zone;
	int width, height; /* columns of an order, rows of its bar */
	uint64_t most;     /* pages of the fullest order */
};

static uint64_t pages_of(const struct buddy *b, uint32_t order)
{
	return b->blocks[order] == UNKNOWN ? 0 : b->blocks[order] << order;
}

static void draw_orders(const struct pool *p)
{
	struct rect line = { p->pane.row, p->pane.col, 1, p->pane.cols };
	struct pen pen = pen_in(p->d, line, READ_BUDDYINFO);
	char text[16];

	grid_fill(p->d->g, line, STYLE_HEAD, " ");
	pen_left(&pen, WORDS, STYLE_HEAD, " free, order");
	for (uint32_t i = 0; i < p->now->norders; i++) {
		snprintf(text, sizeof(text), "%" PRIu32, i);
		pen_right(&pen, p->width, STYLE_HEAD, text);
	}
}

/* Types of blocks, as they are stacked. */
static const struct {
	const char *type, *glyph;
	enum style style;
} types[] = {
	{ "Unmovable", "▓", STYLE_ANON },
	{ "Reclaimable", "▒", STYLE_GEN2 },
	{ "Movable", "█", STYLE_FILE },
};

#define TYPES ((int)(sizeof(types) / sizeof(types[0])))

/* Free pages of a type in an order; 0 where it is not known. */
static uint64_t pages_of_type(const struct pool *p, int type, uint32_t order)
{
	const struct sample *s = p->d->f->now;

	for (uint32_t i = 0; i < s->npagetypes; i++) {
		const struct pagetype *t = &s->pagetypes[i];

		if (t->node == p->now->node && !strcmp(t->zone, p->now->zone) &&
		    !strcmp(t->type, types[type].type) && order < t->norders &&
		    t->blocks[order] != UNKNOWN)
			return t->blocks[order] << order;
	}
	return 0;
}

/* Which type stands at so many eighths of the bar: from below, as they are in the table. */
static int type_at(const struct pool *p, uint32_t order, int eighth)
{
	uint64_t sum = 0;

	if (!p->d->f->now->npagetypes)
		return -1;
	for (int type = 0; type < TYPES; type++) {
		sum += pages_of_type(p, type, order);
		if (p->most && (double)sum * p->height * 8 / (double)p->most > eighth)
			return type;
	}
	return -1;
}

static void draw_bar(const struct pool *p, uint32_t order, int row)
{
	static const char *const parts[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint64_t pages = pages_of(p->now, order);
	int level = p->most ? (int)((double)pages * p->height * 8 / (double)p->most) : 0, part;
	struct pen pen = pen_in(p->d, p->pane, READ_BUDDYINFO);
	int type = type_at(p, order, row * 8), wide = p->width > 3 ? p->width - 2 : 1;

	level = pages && !level ? 1 : level;
	part = level - row * 8 < 0 ? 0 : level - row * 8 > 8 ? 8 : level - row * 8;
	pen_to(&pen, p->height - row, WORDS + (int)order * p->width + p->width - wide);
	for (int i = 0; i < wide; i++)
		pen_text(&pen, type < 0 ? STYLE_GOOD : types[type].style,
			 part == 8 && type >= 0 ? types[type].glyph : parts[part]);
}

static void draw_blocks(const struct pool *p, int line)
{
	struct pen pen = pen_in(p->d, p->pane, READ_BUDDYINFO);
	char text[NUMBER_TEXT];

	pen_to(&pen, line, 0);
	pen_left(&pen, WORDS, STYLE_PLAIN, " free blocks");
	for (uint32_t i = 0; i < p->now->norders; i++)
		pen_value(&pen, p->width, "free blocks",
			  units_count(p->now->blocks[i], text, sizeof(text)));
}

/* Blocks more or fewer than before: refills split large ones, drains make them whole again. */
static void draw_changes(const struct pool *p, int line)
{
	struct pen pen = pen_in(p->d, p->pane, READ_BUDDYINFO);

	pen_to(&pen, line, 0);
	pen_left(&pen, WORDS, STYLE_DIM, " change");
	for (uint32_t i = 0; i < p->now->norders; i++) {
		uint64_t was = i < p->before->norders ? p->before->blocks[i] : UNKNOWN;
		uint64_t is = p->now->blocks[i], by = is > was ? is - was : was - is;
		char count[NUMBER_TEXT], text[NUMBER_TEXT + 2];

		if (was == UNKNOWN || is == UNKNOWN)
			snprintf(text, sizeof(text), "-");
		else
			snprintf(text, sizeof(text), "%s%s",
				 is > was   ? "+"
				 : is < was ? "-"
					    : "",
				 units_count(by, count, sizeof(count)));
		pen_right(&pen, p->width,
			  was == is  ? STYLE_DIM
			  : is > was ? STYLE_FLOW_OUT
				     : STYLE_FLOW_UP,
			  text);
	}
}

static void draw_words(const struct pool *p)
{
	struct pen pen = pen_in(p->d, p->pane, READ_BUDDYINFO);
	char text[NUMBER_TEXT];

	for (int i = 0; i < TYPES && p->d->f->now->npagetypes && i < p->height; i++) {
		pen_to(&pen, 1 + i, 0);
		pen_printf(&pen, types[i].style, " %s", types[i].glyph);
		pen_left(&pen, WORDS - 3, STYLE_DIM, types[i].type);
	}
	if (p->d->f->now->npagetypes || p->height < 2)
		return;
	pen_to(&pen, 1, 0);
	pen_printf(&pen, STYLE_DIM, " max %s", number_pages(p->d, p->most, text));
}

int pool_rows(const struct tui *t)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);

	return z && buddy_of(t->frame.now, z) ? 9 : 0;
}

void pool_draw(struct tui *t, struct draw *d, struct rect pane)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);
	struct pool p = { .d = d, .pane = pane, .zone = z };

	if (rect_is_empty(pane) || !z)
		return;
	p.now = buddy_of(t->frame.now, z);
	if (!p.now || !p.now->norders)
		return;
	p.before = t->frame.step->dt_us > 0 ? buddy_of(t->frame.step->before, z) : NULL;
	p.width = (pane.cols - WORDS) / (int)p.now->norders;
	p.width = p.width > 8 ? 8 : p.width < 3 ? 3 : p.width;
	p.height = pane.rows - 2 - (p.before && pane.rows >= 4);
	for (uint32_t i = 0; i < p.now->norders; i++)
		p.most = pages_of(p.now, i) > p.most ? pages_of(p.now, i) : p.most;
	draw_orders(&p);
	for (uint32_t i = 0; i < p.now->norders; i++)
		for (int row = 0; row < p.height; row++)
			draw_bar(&p, i, row);
	draw_words(&p);
	draw_blocks(&p, 1 + (p.height > 0 ? p.height : 0));
	if (p.before && pane.rows >= 4)
		draw_changes(&p, 2 + p.height);
}

/* --- sizes --- */

/* What is gathered of a zone over all of the time; NULL where nothing is. */
static const struct heat_zone *gathered(const struct frame *f, const struct zone_step *z)
{
	const struct heat *h = f->when.heat;

	for (uint32_t i = 0; h && i < h->nzones; i++)
		if (h->zones[i].node == z->now->node && !strcmp(h->zones[i].name, z->now->name))
			return &h->zones[i];
	return NULL;
}

/* Of this step alone. */
static struct heat_zone of_step(const struct zone_step *z)
{
	struct heat_zone now = { .node = z->now->node };

	for (uint32_t i = 0; i < z->npagesets; i++) {
		struct amount net = z->pagesets[i].change;
		uint64_t batch = z->pagesets[i].now->batch;

		if (!amount_known(net) || batch == UNKNOWN || !batch)
			continue;
		if (!net.value)
			now.still++;
		else if (net.value < 0)
			now.drains[heat_size((uint64_t)-net.value, batch)]++;
		else
			now.refills[heat_size((uint64_t)net.value, batch)]++;
	}
	return now;
}

/* Why no change of a pageset could be counted. */
static const char *why_none(const struct zone_step *z)
{
	static const char *const states[] = {
		[AMOUNT_MISSING] = "the kernel does not say what is in them.",
		[AMOUNT_FIRST] = "they are known from the next reading on.",
		[AMOUNT_RESET] = "the machine was started anew since the reading before.",
	};
	unsigned int state = z->npagesets ? z->pagesets[0].change.state : AMOUNT_MISSING;

	return state < sizeof(states) / sizeof(states[0])
		       ? states[state]
		       : "the kernel does not say how large a batch is.";
}

/* Net changes, inferred: what two readings show. */
static void net_sizes(const struct frame *f, const struct zone_step *z, struct sizes *out)
{
	const struct heat_zone *all = gathered(f, z);
	struct heat_zone from = all ? *all : of_step(z);
	uint64_t counted = from.still;

	for (int i = 0; i < HEAT_SIZES; i++)
		counted += from.drains[i] + from.refills[i];
	*out = (struct sizes){ .rows = { { .known = counted > 0, .name = " ▼ fell", .metric = "net size", .from = READ_ZONEINFO },
					 { .known = counted > 0, .name = " ▲ rose", .metric = "net size", .from = READ_ZONEINFO } } };
	memcpy(out->rows[BULK_DRAIN].times, from.drains, sizeof(from.drains));
	memcpy(out->rows[BULK_REFILL].times, from.refills, sizeof(from.refills));
	if (!counted) {
		snprintf(out->words, sizeof(out->words), "No sizes: %s", why_none(z));
		return;
	}
	snprintf(out->words, sizeof(out->words),
		 "How often counts fell or rose by so many batches, %s, net. What moved at a time in "
		 "between is not known: %s",
		 all ? "from each reading to the next" : "in this step",
		 f->now->machine.version >= 61200
			 ? "the kernel takes up to 32 batches at once, so >32 was surely several."
			 : "before Linux 6.12 it may have been a whole pageset at once.");
}

/* A count in so many columns: "4.23k", or "4k" where that has no room. */
static const char *short_count(uint64_t n, int width, char out[NUMBER_TEXT])
{
	static const char letters[] = " kMGTPE";
	int at = 0;

	units_count(n, out, NUMBER_TEXT);
	if ((int)strlen(out) <= width)
		return out;
	for (; n > 999 && letters[at + 1]; at++)
		n /= 1000;
	snprintf(out, NUMBER_TEXT, "%" PRIu64 "%.*s", n, at ? 1 : 0, letters + at);
	return out;
}

static void draw_sizes_of(struct pen *p, int width, const struct size_row *row, enum style style)
{
	const uint64_t *sizes = row->times;
	static const char *const heights[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint64_t most = 1;

	p->from = row->from;
	pen_left(p, 9, style, row->name);
	for (int i = 0; i < HEAT_SIZES; i++)
		most = sizes[i] > most ? sizes[i] : most;
	for (int i = 0; i < HEAT_SIZES; i++) {
		int height = (int)((double)sizes[i] * 8 / (double)most);
		char text[NUMBER_TEXT];

		pen_value(p, width - 1, row->metric, row->known ? short_count(sizes[i], width - 1, text) : "-");
		pen_text(p, style, heights[sizes[i] && !height ? 1 : height]);
	}
}

/* What is up to so many batches; in ASCII "<" alone would be false, and without room for more the number stands alone. */
static const char *size_name(const struct draw *d, int i, int width)
{
	static const char *const names[][HEAT_SIZES] = {
		{ "≤1", "≤2", "≤4", "≤8", "≤16", "≤32", ">32" },
		{ "<=1", "<=2", "<=4", "<=8", "<=16", "<=32", ">32" },
		{ "1", "2", "4", "8", "16", "32", ">32" },
	};

	return names[!d->g->ascii ? 0 : width > 4 ? 1 : 2][i];
}

void sizes_draw(struct tui *t, struct draw *d, struct rect pane)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);
	struct rect line = { pane.row, pane.col, 1, pane.cols };
	struct pen p = pen_in(d, pane, READ_ZONEINFO);
	int width = (pane.cols - 9) / HEAT_SIZES;
	struct sizes sizes;

	if (rect_is_empty(pane) || !z)
		return;
	width = width > 7 ? 7 : width < 3 ? 3 : width;
	net_sizes(&t->frame, z, &sizes);
	counted_sizes(&t->frame, &sizes);
	grid_fill(d->g, line, STYLE_HEAD, " ");
	pen_left(&p, 9, STYLE_HEAD, " batches");
	for (int i = 0; i < HEAT_SIZES; i++)
		pen_right(&p, width, STYLE_HEAD, size_name(d, i, width));
	if (!pen_line(&p))
		return;
	draw_sizes_of(&p, width, &sizes.rows[BULK_DRAIN], STYLE_FLOW_OUT);
	if (!pen_line(&p))
		return;
	draw_sizes_of(&p, width, &sizes.rows[BULK_REFILL], STYLE_FLOW_UP);
	if (pen_line(&p))
		pen_wrap(&p, STYLE_DIM, 1, pane.rows - 3, sizes.words);
}

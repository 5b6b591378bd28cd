/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_view.h"

#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"

/* Nothing, then ever more. */
static const struct {
	const char *glyph;
	enum style style;
} shades[] = {
	{ "·", STYLE_FREE }, { "░", STYLE_GEN3 }, { "▒", STYLE_GEN2 },
	{ "▓", STYLE_GEN1 }, { "█", STYLE_GEN0 },
};

#define SHADES 5

const char *time_flow_name(enum heat_flow flow)
{
	static const char *const names[HEAT_FLOW_NR] = { "evicted", "refaulted", "stalled" };

	return names[flow];
}

/* --- values --- */

static bool is_permille(const struct time_row *row)
{
	if (row->kind == ROW_CPU)
		return true;
	return row->kind != ROW_AGE && row->kind != ROW_BRIEF && row->flow == HEAT_STALLED;
}

uint64_t time_value(const struct time_row *row, struct heat_cell cell)
{
	double per = row->kind == ROW_AGE ? 1 : is_permille(row) ? 1000 : 1e6;
	uint64_t value;

	if (!cell.over)
		return UNKNOWN;
	value = (uint64_t)((double)cell.sum * per / (double)cell.over + 0.5);
	return value || !cell.sum ? value : 1;
}

const char *time_metric(const struct time_row *row)
{
	static const char *const flows[HEAT_FLOW_NR] = { "evicted", "refaulted", "stalled" };
	static const char *const briefs[] = { "evicted", "refaulted", "scanned", "swapped out",
					      "swapped in" };

	if (row->kind == ROW_AGE)
		return "pages of an age";
	if (row->kind == ROW_CPU)
		return "fill";
	return row->kind == ROW_BRIEF ? briefs[row->lo] : flows[row->flow];
}

void time_value_text(const struct draw *d, const struct time_row *row, uint64_t value,
		     char out[NUMBER_TEXT])
{
	char text[NUMBER_TEXT];

	if (value == UNKNOWN)
		snprintf(out, NUMBER_TEXT, "-");
	else if (is_permille(row))
		units_percent(value, 1000, out, NUMBER_TEXT);
	else if (row->kind == ROW_AGE)
		number_pages(d, value, out);
	else
		snprintf(out, NUMBER_TEXT, "%.16s%s", number_pages(d, value, text),
			 value ? "/s" : "");
}

/* --- shades --- */

static uint64_t greatest(const struct timing *v)
{
	uint64_t most = 0;

	for (int i = 0; i < v->nrows; i++)
		for (int c = 0; c < v->span.cells; c++) {
			uint64_t value = time_value(&v->rows[i], v->rows[i].cells[c]);

			/* The machine would leave no shade for its parts. */
			if (value != UNKNOWN && value > most &&
			    (v->rows[i].kind != ROW_MACHINE || v->nrows == 1))
				most = value;
		}
	return most;
}

static struct time_scale scale_of(const struct timing *v)
{
	static const struct time_scale fill = { { 250, 500, 750 }, true };
	static const struct time_scale stall = { { 10, 50, 200 }, true };
	struct time_scale s = { { 1, 4, 16 }, false };
	uint64_t most;

	if (v->nrows && is_permille(&v->rows[0]))
		return v->rows[0].kind == ROW_CPU ? fill : stall;
	for (most = greatest(v); s.from[2] * 8 <= most;)
		for (int i = 0; i < 3; i++)
			s.from[i] *= 2;
	return s;
}

static int shade_of(const struct time_scale *s, uint64_t value)
{
	return value == 0
		       ? 0
		       : 1 + (value >= s->from[0]) + (value >= s->from[1]) + (value >= s->from[2]);
}

/* --- one map --- */

/* Where a map is drawn: labels, cells, numbers at the place shown. */
struct picture {
	struct draw *d;
	const struct tui *t;
	const struct timing *v;
	struct time_scale scale;
	struct rect pane;
	int label, at; /* columns of labels; the cell that is shown, -1 none */
	enum time_map map;
};

int time_cell_shown(const struct tui *t)
{
	const struct timing *v = time_of(t);
	const struct when *w = &t->frame.when;
	uint64_t at = w->first + w->index;

	if (!w->heat)
		return v->span.cells - 1;
	if (!v->span.cells || at < v->span.from)
		return -1;
	at = (at - v->span.from) / v->span.each;
	return at < (uint64_t)v->span.cells ? (int)at : -1;
}

static void draw_cell(const struct picture *p, int line, const struct time_row *row, int c)
{
	uint64_t value = time_value(row, row->cells[c]);
	int shade = value == UNKNOWN ? 0 : shade_of(&p->scale, value);
	const char *glyph = shades[shade].glyph;
	enum style style = shades[shade].style;

	if (row->cells[c].sum == UNKNOWN)
		return;
	if (value == UNKNOWN) {
		glyph = "-";
		style = STYLE_UNKNOWN;
	} else if (row->kind == ROW_CPU && value > 1000) {
		glyph = "!";
		style = STYLE_WARN;
	}
	for (int i = 0; i < p->v->span.width; i++)
		grid_text(p->d->g, p->pane, line, p->label + c * p->v->span.width + i, style,
			  glyph);
}

const char *time_row_label(const struct time_row *row)
{
	if (row->kind == ROW_MACHINE)
		return "machine";
	if (row->kind == ROW_OTHERS)
		return "others";
	return row->kind == ROW_MEMCG ? row->path : row->label;
}

static void draw_label(const struct picture *p, int line, const struct time_row *row, bool chosen)
{
	struct pen pen = pen_in(p->d, p->pane, READ_NR);
	const char *label = time_row_label(row);

	pen_to(&pen, line, 0);
	pen_text(&pen, chosen ? STYLE_SELECTED : STYLE_PLAIN, chosen ? "▶" : " ");
	if (row->kind == ROW_AGE)
		pen_right(&pen, p->label - 2, chosen ? STYLE_SELECTED : STYLE_PLAIN, label);
	else
		pen_left(&pen, p->label - 2, chosen ? STYLE_SELECTED : STYLE_PLAIN, label);
}

static enum reading_id reading_of(const struct time_row *row)
{
	if (row->kind == ROW_AGE)
		return READ_LRU_GEN;
	if (row->kind == ROW_CPU)
		return READ_ZONEINFO;
	if (row->kind == ROW_MEMCG || row->kind == ROW_OTHERS)
		return READ_CGROUP;
	return row->kind == ROW_MACHINE && row->flow == HEAT_STALLED ? READ_PSI_MEMORY : READ_VMSTAT;
}

static const char *known_of(const struct time_row *row)
{
	static const char pages[] = "as the kernel counted them at each sample; of several samples the mean";
	static const char counters[] = "the kernel's own counter at both ends of each step, over the time of the "
				       "column";
	static const char memcgs[] = "the memcg's own counter (with those below it) at both ends of each step, over "
				     "the time of the column; where that cannot be read, from lru_gen";

	if (row->kind == ROW_AGE || row->kind == ROW_CPU)
		return pages;
	return row->kind == ROW_MEMCG || row->kind == ROW_OTHERS ? memcgs : counters;
}

static void draw_number(const struct picture *p, int line, const struct time_row *row)
{
	struct pen pen = pen_in(p->d, p->pane, reading_of(row));
	char text[NUMBER_TEXT], words[TIME_WORDS];

	if (p->at < 0)
		return;
	pen_to(&pen, line, p->pane.cols - TIME_NUMBER);
	time_value_text(p->d, row, time_value(row, row->cells[p->at]), text);
	pen_value(&pen, TIME_NUMBER, time_metric(row), text);
	time_row_words(p->t, p->d, row, words);
	pen_spot_of(&pen, words, known_of(row));
}

/* The place shown goes through all rows, but over nothing that is there. */
static void draw_through(const struct picture *p, int line, const struct time_row *row)
{
	int width = p->v->span.width,
	    col = p->pane.col + p->label + p->at * width + (width - 1) / 2;
	struct rect cell = { p->pane.row + line, col, 1, 1 };
	uint64_t value = p->at < 0 ? 1 : time_value(row, row->cells[p->at]);

	if (!value || value == UNKNOWN)
		grid_restyle(p->d->g, cell, STYLE_SELECTED);
}

static void draw_rows(const struct picture *p, bool chosen)
{
	for (int i = 0; i < p->v->nrows && 1 + i < p->pane.rows; i++) {
		const struct time_row *row = &p->v->rows[i];

		draw_label(p, 1 + i, row, chosen && p->v->row == i);
		for (int c = 0; c < p->v->span.cells; c++)
			draw_cell(p, 1 + i, row, c);
		draw_through(p, 1 + i, row);
		draw_number(p, 1 + i, row);
	}
}

/* --- the line over a map --- */

/* With much room, with less, with little. */
#define TITLES 3

static const char *const age_titles[TYPES_NR][TITLES] = {
	{ "how old pages are: the youngest above, below the cold tail that nobody uses",
	  "pages by age, the cold tail below", "by age" },
	{ "how old anon pages are: the youngest above, the cold tail below",
	  "anon pages by age, the cold tail below", "anon by age" },
	{ "how old file pages are: the youngest above, the cold tail below",
	  "file pages by age, the cold tail below", "file by age" },
};

static const char *const flow_titles[HEAT_FLOW_NR][TITLES] = {
	{ "who loses memory: evicted a second, by memcg", "evicted a second, by memcg", "evicted/s" },
	{ "who needed it again: refaulted a second, by memcg", "refaulted a second, by memcg",
	  "refaulted/s" },
	{ "who waits: share of time that some task waited for memory, by memcg",
	  "share of time tasks waited", "waiting" },
};

static const char *const cpu_titles[TITLES] = {
	"how full pagesets are: count in per cent of high, by CPU", "how full pagesets are, by CPU",
	"pagesets",
};

static const char *const window_titles[TITLES] = {
	"pages a second, in the last steps", "pages a second", "pages/s",
};

/* The longest that fits. */
static const char *title_of(const struct timing *v, enum time_map map, int room)
{
	const char *const *titles = cpu_titles;
	int i = 0;

	if (map == MAP_NR)
		titles = window_titles;
	else if (map == MAP_AGE)
		titles = age_titles[v->types];
	else if (map != MAP_CPU)
		titles = flow_titles[time_flow_of(v, map)];
	while (i < TITLES - 1 && (int)strlen(titles[i]) > room)
		i++;
	return titles[i];
}

/* What has no row: memcgs of which something moved, or of which nothing did. */
static void more_text(const struct timing *v, enum time_map map, char out[TIME_LABEL])
{
	bool by_memcg = map == MAP_MEMCG || map == MAP_MEMCG_2 || map == MAP_MEMCG_3;

	out[0] = '\0';
	if (by_memcg && v->more[map])
		snprintf(out, TIME_LABEL, "+%d more", v->more[map]);
	else if (by_memcg && v->none[map])
		snprintf(out, TIME_LABEL, "+%d without", v->none[map]);
}

/* What the numbers at the right are of. */
static const char *numbers_of(const struct picture *p)
{
	if (p->map == MAP_NR)
		return "newest";
	if (p->at < 0)
		return "";
	return p->v->span.each > 1 ? "mean ▼" : "at ▼";
}

/* The shades with the least that each stands for. */
static int legend_text(const struct picture *p, char out[4][NUMBER_TEXT])
{
	int cols = 5;

	snprintf(out[0], NUMBER_TEXT, ">0");
	for (int i = 0; i < 3; i++) {
		char text[NUMBER_TEXT];

		if (p->scale.permille)
			units_percent(p->scale.from[i], 1000, text, sizeof(text));
		else
			number_pages(p->d, p->scale.from[i], text);
		snprintf(out[i + 1], NUMBER_TEXT, "%s%.16s", at_least_sign(p->d), text);
	}
	for (int i = 0; i < 4; i++)
		cols += name_width(out[i]) + 1;
	return cols;
}

static void draw_title(const struct picture *p)
{
	struct rect line = { p->pane.row, p->pane.col, 1, p->pane.cols };
	struct pen pen = pen_in(p->d, line, READ_NR);
	char legend[4][NUMBER_TEXT], more[TIME_LABEL];
	int room = p->pane.cols - TIME_NUMBER - legend_text(p, legend), title;

	if (rect_is_empty(line))
		return;
	more_text(p->v, p->map, more);
	title = room - 2 - (more[0] ? (int)strlen(more) + 2 : 0);
	grid_fill(p->d->g, line, STYLE_HEAD, " ");
	pen_text(&pen, STYLE_HEAD, " ");
	pen_cut(&pen, title, STYLE_HEAD, title_of(p->v, p->map, title));
	pen_text(&pen, STYLE_HEAD, "  ");
	pen_text(&pen, p->v->more[p->map < MAP_NR ? p->map : 0] ? STYLE_HEAD_SORT : STYLE_HEAD, more);
	pen_to(&pen, 0, room > 0 ? room : 0);
	for (int i = 0; i < 4; i++) {
		pen_text(&pen, shades[i + 1].style, shades[i + 1].glyph);
		pen_printf(&pen, STYLE_HEAD, "%s ", legend[i]);
	}
	pen_to(&pen, 0, p->pane.cols - TIME_NUMBER);
	pen_right(&pen, TIME_NUMBER, STYLE_HEAD, numbers_of(p));
}

static uint64_t key_of(const struct time_row *row)
{
	return view_key(time_row_label(row), row->kind == ROW_MEMCG);
}

/* What was selected stays that, wherever its row went; the last one, as long as nobody chose. */
static void settle(struct timing *v)
{
	int i = 0;

	while (v->chosen && !v->moved && i < v->nrows && key_of(&v->rows[i]) != v->key)
		i++;
	if (v->chosen && !v->moved && i < v->nrows)
		v->row = i;
	if (!v->chosen || v->row >= v->nrows)
		v->row = v->nrows ? v->nrows - 1 : 0;
	if (v->moved && v->row < v->nrows)
		v->key = key_of(&v->rows[v->row]);
	v->moved = false;
}

void time_draw_map(struct tui *t, struct draw *d, struct rect pane, enum time_map map)
{
	struct timing *v = time_of(t);
	struct picture p = { .d = d, .t = t, .v = v, .pane = pane, .map = map };

	v->last[map] = 0;
	v->maps[map] = pane;
	if (pane.rows < 2)
		return;
	time_rows_make(t, map, pane.rows - 1);
	v->last[map] = v->nrows;
	if (v->map == map)
		settle(v);
	p.scale = scale_of(v);
	p.label = time_label_cols(pane.cols);
	p.at = time_cell_shown(t);
	draw_title(&p);
	draw_rows(&p, v->map == map);
}

/* --- where only the last steps are there --- */

void time_draw_window(struct tui *t, struct draw *d, struct rect body)
{
	struct timing *v = time_of(t);
	struct picture p = { .d = d, .t = t, .v = v, .label = time_label_cols(body.cols) };
	int cells = (int)(t->frame.window ? window_count(t->frame.window) : 0);
	int room = body.cols - p.label - TIME_NUMBER;
	struct rect words = layout_take_bottom(&body, 3);
	struct pen pen = pen_in(d, words, READ_NR);

	v->span = (struct time_span){ 1, 0, cells < room ? cells : room > 0 ? room : 0, 1 };
	if (v->span.cells)
		v->span.width = room / v->span.cells > 4 ? 4 : room / v->span.cells;
	time_rows_of_window(t, body.rows - 1);
	p.pane = body;
	p.scale = scale_of(v);
	p.at = time_cell_shown(t);
	p.map = MAP_NR;
	draw_title(&p);
	draw_rows(&p, false);
	if (!rect_is_empty(words))
		pen_wrap(&pen, STYLE_DIM, 1, words.rows,
			 "Only the last steps are here, the newest at the right: what is shown "
			 "comes without a history, so there are no ages, memcgs and CPUs over "
			 "time, and nowhere to go back to.");
}

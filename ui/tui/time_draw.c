/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/units.h"
#include "timeline.h"

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

static void value_text(const struct draw *d, const struct time_row *row, uint64_t value,
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

static int cell_shown(const struct tui *t)
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

static void draw_label(const struct picture *p, int line, const struct time_row *row, bool chosen)
{
	struct pen pen = pen_in(p->d, p->pane, READ_NR);
	const char *label = row->label;

	if (row->kind == ROW_MACHINE)
		label = "machine";
	else if (row->kind == ROW_OTHERS)
		label = "others";
	else if (row->kind == ROW_MEMCG)
		label = row->path;
	pen_to(&pen, line, 0);
	pen_text(&pen, chosen ? STYLE_SELECTED : STYLE_PLAIN, chosen ? "▶" : " ");
	if (row->kind == ROW_AGE)
		pen_right(&pen, p->label - 2, chosen ? STYLE_SELECTED : STYLE_PLAIN, label);
	else
		pen_left(&pen, p->label - 2, chosen ? STYLE_SELECTED : STYLE_PLAIN, label);
}

static enum reading_id reading_of(const struct time_row *row)
{
	return row->kind == ROW_AGE   ? READ_LRU_GEN
	       : row->kind == ROW_CPU ? READ_ZONEINFO
				      : READ_VMSTAT;
}

static void draw_number(const struct picture *p, int line, const struct time_row *row)
{
	struct pen pen = pen_in(p->d, p->pane, reading_of(row));
	char text[NUMBER_TEXT];

	if (p->at < 0)
		return;
	pen_to(&pen, line, p->pane.cols - TIME_NUMBER);
	value_text(p->d, row, time_value(row, row->cells[p->at]), text);
	pen_value(&pen, TIME_NUMBER, time_metric(row), text);
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

static const char *title_of(const struct timing *v, enum time_map map, bool wide)
{
	static const char *const ages[TYPES_NR][2] = {
		{ "how much is how old: pages by age of their generation", "by age" },
		{ "how much is how old: anon pages by age of their generation", "anon by age" },
		{ "how much is how old: file pages by age of their generation", "file by age" },
	};
	static const char *const flows[HEAT_FLOW_NR][2] = {
		{ "evicted a second, by memcg", "evicted/s" },
		{ "refaulted a second (evicted and needed again), by memcg", "refaulted/s" },
		{ "share of time that some task waited for memory, by memcg", "waiting" },
	};

	if (map == MAP_NR)
		return wide ? "pages a second, in the last steps" : "the last steps";
	if (map == MAP_CPU)
		return wide ? "how full pagesets are: count in per cent of high, by CPU"
			    : "pageset fill";
	return map == MAP_AGE ? ages[v->types][!wide] : flows[time_flow_of(v, map)][!wide];
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
		snprintf(out[i + 1], NUMBER_TEXT, "≥%.16s", text);
	}
	for (int i = 0; i < 4; i++)
		cols += (int)strlen(out[i]) - (i ? 2 : 0) + 1;
	return cols;
}

static void draw_title(const struct picture *p)
{
	struct rect line = { p->pane.row, p->pane.col, 1, p->pane.cols };
	struct pen pen = pen_in(p->d, line, READ_NR);
	char legend[4][NUMBER_TEXT];
	int room = p->pane.cols - legend_text(p, legend);
	bool wide = room >= 50;

	if (rect_is_empty(line))
		return;
	grid_fill(p->d->g, line, STYLE_HEAD, " ");
	pen_text(&pen, STYLE_HEAD, " ");
	pen_cut(&pen, room - 2, STYLE_HEAD, title_of(p->v, p->map, wide));
	pen_to(&pen, 0, room > 0 ? room : 0);
	for (int i = 0; i < 4; i++) {
		pen_text(&pen, shades[i + 1].style, shades[i + 1].glyph);
		pen_printf(&pen, STYLE_HEAD, "%s ", legend[i]);
	}
}

static void draw_map(struct tui *t, struct draw *d, struct rect pane, enum time_map map)
{
	struct timing *v = time_of(t);
	struct picture p = { .d = d, .t = t, .v = v, .pane = pane, .map = map };

	v->last[map] = 0;
	if (pane.rows < 2)
		return;
	time_rows_make(t, map, pane.rows - 1);
	v->last[map] = v->nrows;
	if (v->map == map && v->row >= v->nrows)
		v->row = v->nrows ? v->nrows - 1 : 0;
	p.scale = scale_of(v);
	p.label = time_label_cols(pane.cols);
	p.at = cell_shown(t);
	draw_title(&p);
	draw_rows(&p, v->map == map);
}

/* --- all maps --- */

enum { PART_AXIS = MAP_NR, PART_STRIP, PART_WORDS, PART_NR };

static bool is_extra(int map)
{
	return map == MAP_MEMCG_2 || map == MAP_MEMCG_3;
}

/* The other two maps by memcg come only where all else has what it can fill. */
static void want_extras(const struct tui *t, int rows, struct want wants[PART_NR])
{
	const struct timing *v = time_of(t);

	for (int i = 0; i < PART_NR; i++)
		rows -= wants[i].most;
	for (int map = MAP_MEMCG_2; map <= MAP_MEMCG_3; map++) {
		int most = 1 + time_rows_most(t, (enum time_map)map);

		if (rows < 4 || v->open)
			continue;
		most = most < rows ? most : rows;
		wants[map] = (struct want){ most, most, 5 + map };
		rows -= most;
	}
}

static void wants_of(const struct tui *t, int rows, struct want wants[PART_NR])
{
	static const int least[MAP_NR] = { [MAP_AGE] = 5, [MAP_MEMCG] = 4, [MAP_CPU] = 3 };
	static const int ranks[MAP_NR] = { [MAP_AGE] = 4, [MAP_MEMCG] = 5, [MAP_CPU] = 6 };
	const struct timing *v = time_of(t);

	for (int map = 0; map < MAP_NR; map++) {
		int most = time_rows_most(t, (enum time_map)map), chosen = (int)v->map == map;

		most += most > 0;
		wants[map] = (struct want){ 0, 0, 9 };
		if (most && (v->open ? chosen : !is_extra(map)))
			wants[map] = (struct want){ most < least[map] ? most : least[map], most,
						    chosen ? 2 : ranks[map] };
	}
	wants[PART_AXIS] = (struct want){ 1, 1, 0 };
	wants[PART_STRIP] = (struct want){ 2, 2, 1 };
	wants[PART_WORDS] = (struct want){ 1, 3, 3 };
	want_extras(t, rows, wants);
}

/* The words of the selected row are made while its rows are at hand: last. */
void time_draw_maps(struct tui *t, struct draw *d, struct rect body)
{
	struct timing *v = time_of(t);
	struct rect parts[PART_NR];
	struct want wants[PART_NR];

	/* One that has gone with its room leaves the first of its kind. */
	if (is_extra((int)v->map) && !v->open && !v->last[v->map])
		v->map = MAP_MEMCG;
	wants_of(t, body.rows, wants);
	layout_stack(body, wants, PART_NR, parts);
	for (int map = 0; map < MAP_NR; map++)
		if ((int)v->map != map)
			draw_map(t, d, parts[map], (enum time_map)map);
	draw_map(t, d, parts[v->map], v->map);
	time_draw_axis(t, d, parts[PART_AXIS]);
	time_draw_strip(t, d, parts[PART_STRIP]);
	time_draw_words(t, d, parts[PART_WORDS]);
}

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
	p.at = cell_shown(t);
	p.map = MAP_NR;
	draw_title(&p);
	draw_rows(&p, false);
	if (!rect_is_empty(words))
		pen_wrap(&pen, STYLE_DIM, 1, words.rows,
			 "Only the last steps are here, the newest at the right: what is shown "
			 "comes without a history, so there are no ages, memcgs and CPUs over "
			 "time, and nowhere to go back to.");
}

/* --- the selected row in words --- */

static void draw_place(struct pen *p, const struct tui *t)
{
	const struct timing *v = time_of(t);
	const struct when *w = &t->frame.when;
	const struct step *st = t->frame.step;
	char age[NUMBER_TEXT], state[NUMBER_TEXT];

	timeline_state(&t->frame, state);
	pen_printf(p, STYLE_WARN, " %s", state[0] ? state : "NOW");
	pen_printf(p, STYLE_PLAIN, "  sample %" PRIu64 " of %" PRIu64 "%s", w->index + 1, w->count,
		   w->growing ? "+" : "");
	if (w->from_end_us > 0)
		pen_printf(p, STYLE_PLAIN, ", %s before %s",
			   units_age((uint64_t)w->from_end_us / 1000, age, sizeof(age)),
			   w->replay ? "the end" : "now");
	if (v->span.each > 1 && st->dt_us > 0)
		pen_printf(p, STYLE_DIM, ".  A column is %" PRIu64 " samples, about %s",
			   v->span.each,
			   units_age(v->span.each * (uint64_t)st->dt_us / 1000, age, sizeof(age)));
	else
		pen_printf(p, STYLE_DIM, ".  A column is %" PRIu64 " sample%s", v->span.each,
			   v->span.each > 1 ? "s" : "");
	if (w->seen_permille < 1000)
		pen_printf(p, STYLE_DIM, ".  Seen %" PRIu32 "%%", w->seen_permille / 10);
	if (w->said[0] && w->said_n != t->said_seen)
		pen_printf(p, STYLE_NOTE, ".  %s", w->said);
}

static void name_row(struct pen *p, const struct timing *v, const struct time_row *row)
{
	static const char *const types[TYPES_NR] = { "anon and file", "anon", "file" };

	if (row->kind == ROW_AGE && row->hi == HEAT_AGES - 1)
		pen_printf(p, STYLE_PLAIN,
			   " %s pages in generations of %s and older: ", types[v->types],
			   row->label);
	else if (row->kind == ROW_AGE)
		pen_printf(p, STYLE_PLAIN,
			   " %s pages in generations from %s old on: ", types[v->types],
			   row->label);
	else if (row->kind == ROW_CPU)
		pen_printf(p, STYLE_PLAIN, " pagesets of %s, filled: ", row->label);
	else
		pen_printf(p, STYLE_PLAIN, " %.40s %s: ",
			   row->kind == ROW_MACHINE  ? "machine"
			   : row->kind == ROW_OTHERS ? "all other memcgs"
						     : row->path,
			   time_flow_name(row->flow));
}

void time_draw_words(struct tui *t, struct draw *d, struct rect pane)
{
	struct timing *v = time_of(t);
	struct pen p = pen_in(d, pane, READ_NR);
	int at = cell_shown(t);
	char text[NUMBER_TEXT];

	if (rect_is_empty(pane))
		return;
	draw_place(&p, t);
	if (v->row < v->nrows && at >= 0 && pen_line(&p)) {
		const struct time_row *row = &v->rows[v->row];

		name_row(&p, v, row);
		value_text(d, row, time_value(row, row->cells[at]), text);
		pen_text(&p, STYLE_BOLD, text);
	}
	if (pen_line(&p)) {
		p.col = 1;
		timeline_moment(&p, &t->frame, 1u << MOMENT_MARK);
		if (p.col == 1)
			timeline_moment(&p, &t->frame, ~0u);
	}
}

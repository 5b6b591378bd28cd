/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sheet.h"

#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "reclaimtop/arena.h"
#include "reclaimtop/names.h"

void sheet_fini(struct sheet *t)
{
	free(t->rows);
	free(t->spare);
	t->rows = t->spare = NULL;
	t->nrows = t->cap = 0;
}

void sheet_begin(struct sheet *t)
{
	t->nrows = 0;
}

void sheet_add(struct sheet *t, const void *row)
{
	if (t->nrows == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 64;
		t->rows = mem_grow(t->rows, (size_t)t->cap * sizeof(*t->rows));
		t->spare = mem_grow(t->spare, (size_t)t->cap * sizeof(*t->spare));
	}
	t->rows[t->nrows++] = (struct sheet_row){ .row = row };
}

/* --- sorting: by merging, since it keeps equals in order and takes no memory of its own --- */

static bool comes_first(const struct sheet *t, const struct sheet_row *a, const struct sheet_row *b)
{
	int order;

	if (t->columns[t->sort].text) {
		order = strcmp(a->text, b->text);
		return t->reverse ? order > 0 : order < 0;
	}
	if (a->value == SHEET_UNKNOWN || b->value == SHEET_UNKNOWN)
		return a->value != SHEET_UNKNOWN && b->value == SHEET_UNKNOWN;
	return t->reverse ? a->value < b->value : a->value > b->value;
}

static void merge(const struct sheet *t, struct sheet_row *out, const struct sheet_row *from, int part)
{
	int start = 0;

	while (start < t->nrows) {
		int mid = start + part < t->nrows ? start + part : t->nrows;
		int end = mid + part < t->nrows ? mid + part : t->nrows;

		for (int a = start, b = mid; a < mid || b < end; start++) {
			bool right = a == mid || (b < end && comes_first(t, &from[b], &from[a]));

			out[start] = from[right ? b++ : a++];
		}
	}
}

void sheet_sort(struct sheet *t)
{
	const struct column *by = &t->columns[t->sort];

	if (!by->value && !by->text)
		return;
	for (int i = 0; i < t->nrows; i++) {
		t->rows[i].value = by->value ? by->value(t->rows[i].row, by) : 0;
		t->rows[i].text = by->text ? by->text(t->rows[i].row) : "";
	}
	for (int part = 1; part < t->nrows; part *= 2) {
		struct sheet_row *sorted = t->spare;

		merge(t, sorted, t->rows, part);
		t->spare = t->rows;
		t->rows = sorted;
	}
}

const char *sheet_metric(const struct column *c)
{
	return c->metric ? c->metric : c->name;
}

static bool can_sort(const struct column *c)
{
	return c->value || c->text;
}

void sheet_sort_step(struct sheet *t, int step)
{
	for (int i = 0; i < t->ncolumns; i++) {
		t->sort = (t->sort + step + t->ncolumns) % t->ncolumns;
		if (can_sort(&t->columns[t->sort]) && (!t->shown || t->shown >> t->sort & 1))
			return;
	}
}

bool sheet_sort_by(struct sheet *t, const char *name)
{
	for (int i = 0; i < t->ncolumns; i++) {
		if (!can_sort(&t->columns[i]) || strcmp(t->columns[i].name, name))
			continue;
		t->sort = i;
		return true;
	}
	return false;
}

/* --- moving --- */

static int clamp(int value, int low, int high)
{
	return value > high ? (high > low ? high : low) : value < low ? low : value;
}

void sheet_settle(struct sheet *t, int visible)
{
	t->visible = visible > 0 ? visible : 0;
	t->at = t->chosen ? clamp(t->at, 0, t->nrows - 1) : 0;
	for (int i = 0; t->chosen && i < t->nrows; i++) {
		if (t->key(t->rows[i].row) == t->selected) {
			t->at = i;
			break;
		}
	}
	if (t->nrows)
		t->selected = t->key(t->rows[t->at].row);
	if (!t->visible)
		return;
	t->top = clamp(t->top, t->at - t->visible + 1, t->at);
	t->top = clamp(t->top, 0, t->nrows - t->visible);
}

const void *sheet_selected(const struct sheet *t)
{
	return t->nrows ? t->rows[clamp(t->at, 0, t->nrows - 1)].row : NULL;
}

static int target(const struct sheet *t, int key)
{
	int page = t->visible > 1 ? t->visible - 1 : 1;

	switch (key) {
	case KEYCODE_UP:
		return t->at - 1;
	case KEYCODE_DOWN:
		return t->at + 1;
	case KEYCODE_PAGE_UP:
		return t->at - page;
	case KEYCODE_PAGE_DOWN:
		return t->at + page;
	case KEYCODE_HOME:
		return 0;
	case KEYCODE_END:
		return t->nrows - 1;
	default:
		return t->at;
	}
}

bool sheet_move(struct sheet *t, int key)
{
	int to = clamp(target(t, key), 0, t->nrows - 1);

	if (to == t->at || !t->nrows)
		return false;
	t->chosen = key != KEYCODE_HOME;
	t->at = to;
	t->selected = t->key(t->rows[to].row);
	return true;
}

static bool click_title(struct sheet *t, int col)
{
	int widths[SHEET_COLUMNS], at = 0;

	sheet_widths(t->columns, t->ncolumns, t->area.cols, widths);
	for (int i = 0; i < t->ncolumns; i++) {
		bool inside = col >= at && col < at + widths[i];

		at += widths[i] ? widths[i] + 1 : 0;
		if (!inside || !can_sort(&t->columns[i]))
			continue;
		t->reverse = t->sort == i && !t->reverse;
		t->sort = i;
		return true;
	}
	return false;
}

bool sheet_click(struct sheet *t, int row, int col)
{
	int at = row - t->area.row - 1;

	if (at < -1 || at >= t->visible || col < t->area.col || col >= t->area.col + t->area.cols)
		return false;
	if (at < 0)
		return click_title(t, col - t->area.col);
	at += t->top;
	if (at >= t->nrows || (at == t->at && t->chosen) || t->plain)
		return false;
	t->chosen = true;
	t->at = at;
	t->selected = t->key(t->rows[at].row);
	return true;
}

/* --- drawing --- */

static int sum_widths(const int *widths, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += widths[i] ? widths[i] + 1 : 0;
	return sum ? sum - 1 : 0;
}

/* Take the column away that can best be spared. False where all are wanted. */
static bool drop_one(const struct column *columns, int n, int *widths)
{
	int worst = -1;

	for (int i = 0; i < n; i++)
		if (widths[i] && columns[i].rank && (worst < 0 || columns[i].rank >= columns[worst].rank))
			worst = i;
	if (worst < 0)
		return false;
	widths[worst] = 0;
	return true;
}

static void share_out(const struct column *columns, int n, int left, int *widths)
{
	int parts = 0;

	for (int i = 0; i < n; i++)
		parts += widths[i] ? columns[i].grow : 0;
	for (int i = 0; i < n && parts > 0; i++) {
		int more = widths[i] ? left * columns[i].grow / parts : 0;

		widths[i] += more;
		left -= more;
		parts -= widths[i] ? columns[i].grow : 0;
	}
}

void sheet_widths(const struct column *columns, int n, int cols, int *widths)
{
	int over;

	for (int i = 0; i < n; i++)
		widths[i] = columns[i].width;
	while (sum_widths(widths, n) > cols && drop_one(columns, n, widths))
		;
	/* What must be there and still has no room is cut, the last column first. */
	for (int i = n - 1; i >= 0 && (over = sum_widths(widths, n) - cols) > 0; i--)
		widths[i] = widths[i] > over ? widths[i] - over : 0;
	share_out(columns, n, cols - sum_widths(widths, n), widths);
}

/*
 * The title, and where it is sorted by which way. Where both have no room the title is whole, and the mark stands on the
 * blank behind the column, or before the last one.
 */
static void draw_title(const struct sheet *t, struct draw *d, struct rect line, struct rect cell, int i)
{
	const struct column *c = &t->columns[i];
	bool sorted = i == t->sort && can_sort(c), fits = name_width(c->title) < cell.cols;
	const char *mark = t->reverse == !c->text ? "▲" : "▼";
	enum style style = sorted ? STYLE_HEAD_SORT : STYLE_HEAD;
	struct pen p = pen_in(d, cell, t->from);
	int behind = cell.col - line.col + cell.cols;
	char title[64];

	title[0] = '\0';
	strncat(title, c->title, sizeof(title) - 8);
	if (sorted && fits)
		strcat(title, mark);
	if (c->left)
		pen_left(&p, cell.cols, style, title);
	else
		pen_right(&p, cell.cols, style, title);
	if (sorted && !fits)
		grid_text(d->g, line, 0, behind < line.cols ? behind : cell.col - line.col - 1, style, mark);
}

/* One line: the titles, or the cells of a row where there is one. No cell can write over its neighbour. */
static void draw_line(const struct sheet *t, struct draw *d, struct rect line, const int *widths,
		      const void *row)
{
	int at = 0;

	for (int i = 0; i < t->ncolumns; i++) {
		struct rect cell = { line.row, line.col + at, 1, widths[i] };
		struct pen p = pen_in(d, cell, t->from);

		if (!widths[i])
			continue;
		if (row)
			t->columns[i].cell(&p, widths[i], row, &t->columns[i]);
		else
			draw_title(t, d, line, cell, i);
		at += widths[i] + 1;
	}
}

static void draw_row(const struct sheet *t, struct draw *d, struct rect line, const int *widths, int i)
{
	const void *row = t->rows[i].row;
	enum style style = t->style ? t->style(row) : STYLE_PLAIN;

	draw_line(t, d, line, widths, row);
	if (i == t->at && !t->plain)
		style = STYLE_SELECTED;
	if (style != STYLE_PLAIN)
		grid_restyle(d->g, line, style);
}

void sheet_draw(struct sheet *t, struct draw *d, struct rect area)
{
	struct rect line = { area.row, area.col, 1, area.cols };
	int widths[SHEET_COLUMNS];

	t->area = area;
	sheet_settle(t, area.rows - 1);
	if (rect_is_empty(area))
		return;
	sheet_widths(t->columns, t->ncolumns, area.cols, widths);
	t->shown = 0;
	for (int i = 0; i < t->ncolumns; i++)
		t->shown |= widths[i] ? 1u << i : 0;
	grid_fill(d->g, line, STYLE_HEAD, " ");
	draw_line(t, d, line, widths, NULL);
	for (int i = 0; i < t->visible && t->top + i < t->nrows; i++) {
		line.row++;
		draw_row(t, d, line, widths, t->top + i);
	}
}

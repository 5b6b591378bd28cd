/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/names.h"

static const char *const style_names[STYLE_NR] = {
	[STYLE_PLAIN] = "plain", [STYLE_DIM] = "dim", [STYLE_BOLD] = "bold",
	[STYLE_TITLE] = "title", [STYLE_HEAD] = "head", [STYLE_HEAD_SORT] = "head of the sort",
	[STYLE_SELECTED] = "selected", [STYLE_KEY] = "key", [STYLE_BAR_TEXT] = "bar text",
	[STYLE_GEN0] = "youngest", [STYLE_GEN1] = "second", [STYLE_GEN2] = "third",
	[STYLE_GEN3] = "oldest", [STYLE_ANON] = "anon", [STYLE_FILE] = "file", [STYLE_FREE] = "free",
	[STYLE_GOOD] = "good", [STYLE_NOTE] = "note", [STYLE_WARN] = "warn", [STYLE_ALARM] = "alarm",
	[STYLE_INFERRED] = "inferred", [STYLE_UNKNOWN] = "unknown", [STYLE_DYING] = "dying",
	[STYLE_FLOW_IN] = "flow in", [STYLE_FLOW_OUT] = "flow out", [STYLE_FLOW_UP] = "flow up",
};

/* What stands for the characters that views draw with, one column for one column. */
static const struct {
	uint32_t c;
	char ascii;
} stand_ins[] = {
	{ 0x2500, '-' }, { 0x2502, '|' }, { 0x250c, '+' }, { 0x2510, '+' }, { 0x2514, '+' },
	{ 0x2518, '+' }, { 0x251c, '+' }, { 0x2524, '+' }, { 0x252c, '+' }, { 0x2534, '+' },
	{ 0x253c, '+' }, { 0x2550, '=' }, { 0x2581, '_' }, { 0x2582, '.' }, { 0x2583, '-' },
	{ 0x2584, '=' }, { 0x2585, '+' }, { 0x2586, '*' }, { 0x2587, '%' }, { 0x2588, '#' },
	{ 0x258f, '|' }, { 0x258e, '|' }, { 0x258d, '|' }, { 0x258c, '|' }, { 0x258b, '#' },
	{ 0x258a, '#' }, { 0x2589, '#' }, { 0x2591, ':' }, { 0x2592, '+' }, { 0x2593, '%' },
	{ 0x2190, '<' }, { 0x2191, '^' }, { 0x2192, '>' }, { 0x2193, 'v' }, { 0x21a9, '<' },
	{ 0x21b3, '>' }, { 0x21b1, '>' }, { 0x25b2, '^' }, { 0x25bc, 'v' }, { 0x25b6, '>' },
	{ 0x25c0, '<' }, { 0x25cf, '*' }, { 0x00b7, '.' }, { 0x2022, '*' }, { 0x2026, '~' },
	{ 0x00d7, 'x' }, { 0x2264, '<' }, { 0x2265, '>' }, { 0x2261, '=' }, { 0x2248, '~' },
	{ 0x2020, '+' }, { 0x2013, '-' }, { 0x2014, '-' }, { 0x2191, '^' }, { 0x21bb, 'o' },
};

const char *style_name(enum style style)
{
	return style < STYLE_NR ? style_names[style] : "?";
}

bool rect_is_empty(struct rect r)
{
	return r.rows <= 0 || r.cols <= 0;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

bool rect_holds(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

struct rect rect_clip(struct rect r, struct rect to)
{
	struct rect out = { .row = most(r.row, to.row), .col = most(r.col, to.col) };

	out.rows = most(0, least(r.row + r.rows, to.row + to.rows) - out.row);
	out.cols = most(0, least(r.col + r.cols, to.col + to.cols) - out.col);
	return out;
}

static struct cell *at(struct grid *g, int row, int col)
{
	return &g->cells[row * g->cols + col];
}

static void blank(struct cell *c)
{
	*c = (struct cell){ .text = " ", .width = 1, .style = STYLE_PLAIN };
}

void grid_resize(struct grid *g, int rows, int cols)
{
	int need;

	g->rows = most(1, rows);
	g->cols = most(1, cols);
	need = g->rows * g->cols;
	if (need > g->cap) {
		g->cells = mem_grow(g->cells, (size_t)need * sizeof(*g->cells));
		g->cap = need;
	}
	grid_clear(g);
}

void grid_clear(struct grid *g)
{
	for (int i = 0; i < g->rows * g->cols; i++)
		blank(&g->cells[i]);
}

void grid_fini(struct grid *g)
{
	free(g->cells);
	*g = (struct grid){ 0 };
}

struct rect grid_rect(const struct grid *g)
{
	return (struct rect){ 0, 0, g->rows, g->cols };
}

static char stand_in(uint32_t c)
{
	for (size_t i = 0; i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++)
		if (stand_ins[i].c == c)
			return stand_ins[i].ascii;
	return '?';
}

static void halve(struct cell *c)
{
	memcpy(c->text, " ", 2);
	c->width = 1;
}

/* Half of a wide character is never left behind: its other half becomes a blank. */
static void cut_wide(struct grid *g, int row, int col)
{
	struct cell *c = at(g, row, col);

	if (c->width == 0 && col > 0)
		halve(at(g, row, col - 1));
	if (c->width == 2 && col + 1 < g->cols)
		halve(at(g, row, col + 1));
}

/* One glyph on its way into cells. */
struct glyph {
	const char *bytes;
	size_t len;
	int width;
	enum style style;
};

static void put_cell(struct grid *g, int row, int col, struct glyph glyph)
{
	struct cell *c = at(g, row, col);

	cut_wide(g, row, col);
	memcpy(c->text, glyph.bytes, glyph.len);
	c->text[glyph.len] = '\0';
	c->width = (uint8_t)glyph.width;
	c->style = (uint8_t)glyph.style;
	if (glyph.width == 2) {
		cut_wide(g, row, col + 1);
		*at(g, row, col + 1) = (struct cell){ .text = "", .width = 0, .style = c->style };
	}
}

/* The columns of area that a glyph takes; what is cut in half becomes blanks. */
static void put_glyph(struct grid *g, struct rect area, int row, int col, struct glyph glyph)
{
	int last = col + glyph.width - 1, right = area.col + area.cols - 1;

	if (col >= area.col && last <= right) {
		put_cell(g, row, col, glyph);
		return;
	}
	glyph = (struct glyph){ " ", 1, 1, glyph.style };
	for (; col <= last; col++)
		if (col >= area.col && col <= right)
			put_cell(g, row, col, glyph);
}

/* A mark goes with the character before it, as far as there is room in its cell. */
static void put_mark(struct grid *g, int row, int col, struct glyph glyph)
{
	struct cell *c = at(g, row, col);
	size_t len;

	if (c->width == 0 && col > 0)
		c--;
	len = strlen(c->text);
	if (len + glyph.len >= CELL_BYTES)
		return;
	memcpy(c->text + len, glyph.bytes, glyph.len);
	c->text[len + glyph.len] = '\0';
}

static bool is_shown(uint32_t c)
{
	return c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0);
}

/* The next glyph of text; its length in bytes, 0 at the end. */
static size_t next_glyph(const struct grid *g, const char *text, struct glyph *glyph, char *ascii)
{
	uint32_t c;
	int width;
	size_t n = name_next(text, &c, &width);

	*glyph = (struct glyph){ text, n, width, glyph->style };
	if (!n || (c < 0x80 && is_shown(c)))
		return n;
	if (!is_shown(c) || c == 0xfffd) {
		*glyph = (struct glyph){ "?", 1, 1, glyph->style };
	} else if (g->ascii) {
		ascii[0] = ascii[1] = stand_in(c);
		*glyph = (struct glyph){ ascii, width ? 1 : 0, width, glyph->style };
	}
	return n;
}

/* Without UTF-8 a wide character is two that stand for it. */
static void put_ascii(struct grid *g, struct rect area, int row, int col, struct glyph glyph)
{
	int width = glyph.width;

	glyph.width = 1;
	for (int i = 0; i < width; i++)
		put_glyph(g, area, row, col + i, glyph);
}

int grid_text(struct grid *g, struct rect pane, int row, int col, enum style style, const char *text)
{
	struct rect area = rect_clip(pane, grid_rect(g));
	int y = pane.row + row, x = pane.col + col;
	bool visible = y >= area.row && y < area.row + area.rows;
	struct glyph glyph = { .style = style };
	char ascii[2];

	for (size_t n; (n = next_glyph(g, text, &glyph, ascii)); text += n) {
		if (visible && glyph.width == 0) {
			if (glyph.len && x > area.col && x <= area.col + area.cols)
				put_mark(g, y, x - 1, glyph);
		} else if (visible && g->ascii) {
			put_ascii(g, area, y, x, glyph);
		} else if (visible) {
			put_glyph(g, area, y, x, glyph);
		}
		x += glyph.width;
	}
	return x - pane.col;
}

int grid_printf(struct grid *g, struct rect pane, int row, int col, enum style style,
		const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return grid_text(g, pane, row, col, style, text);
}

void grid_fill(struct grid *g, struct rect area, enum style style, const char *character)
{
	area = rect_clip(area, grid_rect(g));
	for (int row = 0; row < area.rows; row++)
		for (int col = 0; col < area.cols; col++)
			grid_text(g, area, row, col, style, character);
}

void grid_restyle(struct grid *g, struct rect area, enum style style)
{
	area = rect_clip(area, grid_rect(g));
	for (int row = 0; row < area.rows; row++)
		for (int col = 0; col < area.cols; col++)
			at(g, area.row + row, area.col + col)->style = (uint8_t)style;
}

static char style_letter(uint8_t style)
{
	return style == STYLE_PLAIN ? '.' : (char)('a' + style - 1);
}

static void cut_blanks(struct buf *out, size_t from, char blank_char)
{
	while (out->len > from && out->data[out->len - 1] == blank_char)
		out->len--;
	if (out->data)
		out->data[out->len] = '\0';
}

static void dump_styles(const struct grid *g, struct buf *out)
{
	bool used[STYLE_NR] = { false };

	for (int row = 0; row < g->rows; row++) {
		size_t from = out->len;

		for (int col = 0; col < g->cols; col++) {
			uint8_t style = g->cells[row * g->cols + col].style;
			char letter = style_letter(style);

			used[style] = true;
			buf_add(out, &letter, 1);
		}
		cut_blanks(out, from, '.');
		buf_str(out, "\n");
	}
	for (int i = 1; i < STYLE_NR; i++)
		if (used[i])
			buf_printf(out, "%c %s\n", style_letter((uint8_t)i), style_names[i]);
}

void grid_dump(const struct grid *g, bool styles, struct buf *out)
{
	for (int row = 0; row < g->rows; row++) {
		size_t from = out->len;

		for (int col = 0; col < g->cols; col++)
			buf_str(out, g->cells[row * g->cols + col].text);
		cut_blanks(out, from, ' ');
		buf_str(out, "\n");
	}
	if (styles)
		dump_styles(g, out);
}

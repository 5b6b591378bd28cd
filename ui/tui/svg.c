/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "svg.h"

#include <inttypes.h>
#include <string.h>

#include "reclaimtop/names.h"

#define CELL_W 9
#define CELL_H 18
#define EDGE 10
#define BASE 14      /* of the letters, below the top of a cell */

struct colors {
	uint32_t fg, bg;
};

static struct colors ground_of(enum tui_theme theme)
{
	return theme == THEME_LIGHT ? (struct colors){ 0x24292e, 0xffffff } : (struct colors){ 0xd8dee9, 0x101418 };
}

static struct colors colors_of(struct look look, enum tui_theme theme)
{
	struct colors ground = ground_of(theme), out = ground;

	out.fg = look.fg >= 0 ? theme_rgb(look.fg) : ground.fg;
	out.bg = look.bg >= 0 ? theme_rgb(look.bg) : ground.bg;
	return look.attr & LOOK_REVERSE ? (struct colors){ out.bg, out.fg } : out;
}

static bool has_ground(struct look look)
{
	return look.bg >= 0 || (look.attr & LOOK_REVERSE);
}

/* --- glyphs that are drawn --- */

/* Part of a cell in eighths of its width and height, and how much of it is covered, in hundredths. */
struct part {
	int x, y, w, h, cover;
};

static bool part_of(uint32_t c, struct part *out)
{
	if (c == 0x2588)
		*out = (struct part){ 0, 0, 8, 8, 100 };
	else if (c >= 0x2581 && c <= 0x2587)
		*out = (struct part){ 0, 8 - (int)(c - 0x2580), 8, (int)(c - 0x2580), 100 };
	else if (c >= 0x2589 && c <= 0x258f)
		*out = (struct part){ 0, 0, 8 - (int)(c - 0x2588), 8, 100 };
	else if (c >= 0x2591 && c <= 0x2593)
		*out = (struct part){ 0, 0, 8, 8, (int)(c - 0x2590) * 25 };
	else if (c == 0x2580)
		*out = (struct part){ 0, 0, 8, 4, 100 };
	else if (c == 0x2590)
		*out = (struct part){ 4, 0, 4, 8, 100 };
	else
		return false;
	return true;
}

static bool is_braille(uint32_t c)
{
	return c >= 0x2800 && c <= 0x28ff;
}

static bool is_line(uint32_t c)
{
	return c == 0x2500 || c == 0x2502;
}

static bool is_drawn(uint32_t c)
{
	struct part part;

	return part_of(c, &part) || is_braille(c) || is_line(c);
}

static uint32_t first_of(const struct cell *c)
{
	uint32_t code = ' ';
	int columns;

	name_next(c->text, &code, &columns);
	return code;
}

struct place {
	int x, y;
};

static void draw_dots(uint32_t c, struct place at, struct buf *out)
{
	static const struct place dots[8] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 0, 3 }, { 1, 3 } };

	for (int i = 0; i < 8; i++)
		if (c & 1u << i)
			buf_printf(out, "<circle cx=\"%d.5\" cy=\"%d\" r=\"1.4\"/>\n", at.x + 2 + dots[i].x * 4,
				   at.y + 3 + dots[i].y * 4);
}

/* count cells of the same glyph side by side. */
static void draw_glyph(uint32_t c, struct place at, int count, struct buf *out)
{
	struct part part;

	if (is_braille(c)) {
		for (int i = 0; i < count; i++)
			draw_dots(c, (struct place){ at.x + i * CELL_W, at.y }, out);
	} else if (c == 0x2500) {
		buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"1\"/>\n", at.x, at.y + CELL_H / 2,
			   count * CELL_W);
	} else if (c == 0x2502) {
		for (int i = 0; i < count; i++)
			buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"1\" height=\"%d\"/>\n",
				   at.x + i * CELL_W + CELL_W / 2, at.y, CELL_H);
	} else if (part_of(c, &part)) {
		bool whole = part.w == 8;

		for (int i = 0; i < (whole ? 1 : count); i++)
			buf_printf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"%s/>\n",
				   at.x + i * CELL_W + part.x * CELL_W / 8.0, at.y + part.y * CELL_H / 8.0,
				   whole ? count * CELL_W : part.w * CELL_W / 8.0, part.h * CELL_H / 8.0,
				   part.cover == 100 ? "" : part.cover == 75 ? " fill-opacity=\"0.75\""
				   : part.cover == 50 ? " fill-opacity=\"0.5\"" : " fill-opacity=\"0.25\"");
	}
}

/* --- runs --- */

struct run {
	int row, col, cells;
	bool drawn, blank;
};

/* Cells from col on that go together: one style, all drawn as one glyph or all letters; a wide one stands alone. */
static struct run run_at(const struct grid *g, int row, int col)
{
	const struct cell *c = &g->cells[row * g->cols];
	struct run r = { row, col, 1, is_drawn(first_of(&c[col])), true };

	if (c[col].width != 1) {
		r.cells = c[col].width == 2 && col + 1 < g->cols ? 2 : 1;
		r.blank = c[col].width == 0;
		return r;
	}
	for (int i = col; i < g->cols; i++) {
		uint32_t code = first_of(&c[i]);

		if (c[i].width != 1 || c[i].style != c[col].style || is_drawn(code) != r.drawn ||
		    (r.drawn && strcmp(c[i].text, c[col].text)))
			break;
		r.blank &= code == ' ';
		r.cells = i - col + 1;
	}
	return r;
}

static void put_escaped(const char *text, struct buf *out)
{
	for (; *text; text++) {
		const char *named = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;

		if (named)
			buf_str(out, named);
		else
			buf_add(out, text, 1);
	}
}

/* As attributes and not as a style sheet: not every program that draws SVG has those. */
static void put_look(struct look look, enum tui_theme theme, struct buf *out)
{
	buf_printf(out, " fill=\"#%06" PRIx32 "\"%s%s", colors_of(look, theme).fg,
		   look.attr & LOOK_BOLD ? " font-weight=\"bold\"" : "", look.attr & LOOK_DIM ? " opacity=\"0.6\"" : "");
}

static void put_run(const struct grid *g, struct run r, enum tui_theme theme, struct buf *out)
{
	const struct cell *c = &g->cells[r.row * g->cols + r.col];
	struct look look = theme_look((enum style)c->style, theme, 256);
	struct place at = { EDGE + r.col * CELL_W, EDGE + r.row * CELL_H };

	if (r.drawn) {
		buf_str(out, "<g");
		put_look(look, theme, out);
		buf_str(out, ">\n");
		draw_glyph(first_of(c), at, r.cells, out);
		buf_str(out, "</g>\n");
	}
	if (r.blank)
		return;
	buf_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"", at.x, at.y + BASE, r.cells * CELL_W);
	put_look(look, theme, out);
	buf_str(out, r.drawn ? " fill-opacity=\"0\">" : ">");
	for (int i = 0; i < r.cells; i++)
		put_escaped(c[i].text, out);
	buf_str(out, "</text>\n");
}

static void put_ground(const struct grid *g, struct run r, enum tui_theme theme, struct buf *out)
{
	const struct cell *c = &g->cells[r.row * g->cols + r.col];
	struct look look = theme_look((enum style)c->style, theme, 256);

	if (has_ground(look))
		buf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06" PRIx32 "\"/>\n",
			   EDGE + r.col * CELL_W, EDGE + r.row * CELL_H, r.cells * CELL_W, CELL_H,
			   colors_of(look, theme).bg);
}

void svg_print(const struct grid *g, enum tui_theme theme, const char *title, struct buf *out)
{
	int width = g->cols * CELL_W + 2 * EDGE, height = g->rows * CELL_H + 2 * EDGE;

	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		   "xml:space=\"preserve\" font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\">\n"
		   "<title>", width, height, width, height);
	put_escaped(title, out);
	buf_str(out, "</title>\n<style>text { white-space: pre }</style>\n");
	buf_printf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06" PRIx32 "\"/>\n", ground_of(theme).bg);
	for (int row = 0; row < g->rows; row++) {
		for (int col = 0, cells; col < g->cols; col += cells) {
			struct run r = run_at(g, row, col);

			cells = r.cells;
			put_ground(g, r, theme, out);
			put_run(g, r, theme, out);
		}
	}
	buf_str(out, "</svg>\n");
}

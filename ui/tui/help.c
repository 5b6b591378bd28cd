/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "glossary.h"
#include "going.h"
#include "view.h"

static const struct {
	const char *mark, *means;
} marks[] = {
	{ "-", "not known: the kernel does not say, or there is nothing yet to compare with. Never the same as 0" },
	{ "=", "counted by the kernel itself" },
	{ "~", "reckoned from two readings: the truth lies in an interval, which e shows" },
	{ "*", "a mean over a gap: more time went by than was planned" },
	{ "†", "dying: the cgroup was removed, its pages are still there" },
	{ "+", "new since the last sample" },
	{ "×", "gone since the last sample" },
	{ "K M G", "powers of 1024 bytes; with u, pages in k M G of 1000" },
	{ "█ ▓ ▒ ░", "generations, from the youngest (hot) to the oldest (cold, reclaimed next)" },
};

static const char ways[] =
	"New pages enter a young generation when a process touches them, and the oldest when a file is read. "
	"Now and then the kernel opens a new youngest generation; all others grow older by that. Pages found to "
	"be in use climb back to the youngest (promoted). The oldest generation is where memory is taken from: "
	"evicted. A page that is needed again after that is a refault: it was taken too early.";

/* Where a line goes, however far the text was scrolled. */
struct page {
	struct pen pen;
	int top, at;      /* first line on screen; the next line */
};

static void put(struct page *p, enum style style, const char *text)
{
	struct pen pen = p->pen;

	pen.row = p->at - p->top;
	pen_text(&pen, style, text);
	p->at++;
}

/* A word in the first columns, and beside it a text over as many lines as it needs. */
static void put_entry(struct page *p, int indent, const char *word, const char *text)
{
	int width = p->pen.pane.cols - indent, row = p->at - p->top;
	int lines = width > 0 ? pen_wrap_lines(text, width) : 0;
	int above = row < 0 ? -row : 0, left = lines - above;
	struct pen pen = p->pen;

	pen.row = row;
	if (!above)
		pen_text(&pen, STYLE_KEY, word);
	/* Of what begins above the pane only the lines inside are written. */
	pen.row = row + above;
	left = left < pen.pane.rows - pen.row ? left : pen.pane.rows - pen.row;
	if (left > 0)
		pen_wrap(&pen, STYLE_PLAIN, indent, lines - above, pen_skip(text, width, above));
	p->at += lines ? lines : 1;
}

static void put_keys(struct page *p, const struct tui *t, bool here)
{
	char label[KEYMAP_TEXT];

	for (uint32_t i = 0; i < nkey_entries; i++) {
		const struct key_entry *e = &key_entries[i];

		if (keys_has(e, t->view) && going_in_force(t, e) && here == ((e->views & KEYS_VIEWS) != 0))
			put_entry(p, 20, keymap_label(t->options.keys, e, label), e->help);
	}
}

static void put_glossary(struct page *p)
{
	put(p, STYLE_TITLE, "Glossary");
	for (uint32_t i = 0; i < nglossary; i++)
		put_entry(p, GLOSSARY_INDENT, glossary[i].words, glossary[i].text);
}

/* All that stands before the glossary. */
static void put_rest(struct page *p, const struct tui *t)
{
	const struct view *v = views[t->view];

	put(p, STYLE_TITLE, v->title);
	put_entry(p, 1, "", v->about);
	put(p, STYLE_PLAIN, "");
	put(p, STYLE_TITLE, "How pages move");
	put_entry(p, 1, "", ways);
	put(p, STYLE_PLAIN, "");
	put(p, STYLE_TITLE, "Marks");
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		put_entry(p, 10, marks[i].mark, marks[i].means);
	put(p, STYLE_PLAIN, "");
	put(p, STYLE_TITLE, "Keys in this view");
	put_keys(p, t, true);
	put(p, STYLE_TITLE, "Keys everywhere");
	put_keys(p, t, false);
	put(p, STYLE_PLAIN, "");
}

/* The line that the glossary begins with, as the help was drawn last. */
static int glossary_line(const struct tui *t)
{
	struct grid nothing = { .rows = 0 };
	struct draw d = { .g = &nothing };
	struct page p = { .pen = pen_in(&d, (struct rect){ 0, 0, 0, t->cols }, READ_NR) };

	put_rest(&p, t);
	return p.at;
}

void help_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect title = layout_take_top(&body, 1);
	struct page p = { .pen = pen_in(d, body, READ_NR), .top = t->help_top };
	struct pen pen = pen_in(d, title, READ_NR);

	grid_fill(d->g, title, STYLE_HEAD, " ");
	put_rest(&p, t);
	put_glossary(&p);
	t->help_rows = body.rows;
	t->help_lines = p.at;
	pen_text(&pen, STYLE_HEAD, "Help");
	if (p.at > body.rows)
		pen_printf(&pen, STYLE_HEAD, "  lines %d-%d of %d  PgDn more  g glossary  Esc back",
			   t->help_top + 1, t->help_top + body.rows < p.at ? t->help_top + body.rows : p.at, p.at);
}

bool help_move(struct tui *t, int key)
{
	int page = t->help_rows > 1 ? t->help_rows - 1 : 1;
	int last = t->help_lines > t->help_rows ? t->help_lines - t->help_rows : 0;
	const struct {
		int key, to;
	} moves[] = {
		{ KEYCODE_UP, t->help_top - 1 },        { KEYCODE_DOWN, t->help_top + 1 },
		{ KEYCODE_PAGE_UP, t->help_top - page }, { KEYCODE_PAGE_DOWN, t->help_top + page },
		{ ' ', t->help_top + page },            { KEYCODE_HOME, 0 },
		{ KEYCODE_END, last },                  { 'g', key == 'g' ? glossary_line(t) : 0 },
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		if (moves[i].key != key)
			continue;
		t->help_top = moves[i].to < 0 ? 0 : moves[i].to > last ? last : moves[i].to;
		return true;
	}
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "going.h"
#include "reclaimtop/units.h"
#include "view.h"

/* With fewer rows on screen, the line has fewer. */
#define ROWS_FOR_3      24
#define ROWS_FOR_2      14
#define COLS_FOR_LABELS 60
#define COLS_FOR_WORDS  100
#define LABEL           9
#define MARKS           (1u << MOMENT_MARK)

/* --- layout --- */

void timeline_layout(struct rect area, int captions, struct timeline_layout *out)
{
	int left = area.rows;

	*out = (struct timeline_layout){ -1, 0, -1, -1, -1, 0, area.cols, 0 };
	if (left > 0)
		out->amounts = --left;
	/* Subtitles are worth more than where one is, and that more than a row of its own for events. */
	out->captions = captions < left ? captions : left;
	out->caption = out->captions ? 0 : -1;
	if (left > out->captions)
		out->text = out->captions;
	if (left > out->captions + 1)
		out->moments = left - 1;
	if (area.cols < COLS_FOR_LABELS)
		return;
	out->label = LABEL;
	out->from = LABEL;
	out->cols = area.cols - 2 * LABEL;
}

int timeline_column(unsigned int bucket, int cols)
{
	return (int)((int64_t)bucket * cols / BUCKET_NR);
}

int timeline_place(uint64_t index, uint64_t count, int cols)
{
	if (!count)
		return 0;
	return timeline_column((unsigned int)(index * BUCKET_NR / count), cols);
}

unsigned int timeline_bucket(int col, int cols)
{
	unsigned int k = cols > 0 ? (unsigned int)((int64_t)col * BUCKET_NR / cols) : 0;

	while (k + 1 < BUCKET_NR && timeline_column(k, cols) < col && timeline_column(k + 1, cols) <= col)
		k++;
	return k < BUCKET_NR ? k : BUCKET_NR - 1;
}

bool timeline_is_shown(const struct tui *t)
{
	if (!t->has_frame || !t->frame.when.can)
		return false;
	return t->line ? t->line > 0 : t->frame.when.past;
}

/* A recording with markers tells something: the last one stays on screen. */
static bool has_marks(const struct when *w)
{
	for (int k = 0; w->count && k < BUCKET_NR; k++)
		if (w->line[k].moments & MARKS)
			return true;
	return false;
}

#define CAPTION 2 /* columns before its text */

/* Rows of the subtitle: all of it is to be read. */
static int captions_of(const struct when *w, int cols)
{
	const struct moment *m = timeline_last(w, MARKS);
	int lines = m ? pen_wrap_lines(m->text, cols > CAPTION + 1 ? cols - CAPTION : 1) : 0;

	return lines > 1 ? lines > 3 ? 3 : lines : has_marks(w);
}

struct rect timeline_take(const struct tui *t, struct rect *body)
{
	/* What lies around the body: two lines above, one below. */
	int rows = body->row + body->rows + 1, captions;

	/* The Time view has one of its own. */
	if (!timeline_is_shown(t) || t->view == VIEW_TIME)
		return layout_take_bottom(body, 0);
	captions = captions_of(&t->frame.when, body->cols);
	if (rows >= ROWS_FOR_3)
		return layout_take_bottom(body, 3 + captions);
	/* Where there is a subtitle, what it says goes before where one is: that is drawn, too. */
	if (rows >= ROWS_FOR_2)
		return layout_take_bottom(body, captions ? 1 + captions : 2);
	return layout_take_bottom(body, 1);
}

/* --- in words --- */

static void draw_place(struct pen *p, const struct when *w)
{
	char age[NUMBER_TEXT];
	bool wide = p->pane.cols >= COLS_FOR_WORDS;

	pen_printf(p, STYLE_PLAIN,
		   wide ? "sample %" PRIu64 " of %" PRIu64 "%s  " : "%" PRIu64 "/%" PRIu64 "%s  ",
		   w->index + 1, w->count, w->growing ? "+" : "");
	if (w->sessions > 1)
		pen_printf(p, STYLE_PLAIN,
			   wide ? "session %" PRIu32 " of %" PRIu32 "  "
				: "session %" PRIu32 "/%" PRIu32 "  ",
			   w->session, w->sessions);
	if (w->past && w->from_end_us > 0)
		pen_printf(p, STYLE_BOLD, wide ? "%s before %s  " : "-%s  ",
			   units_age((uint64_t)w->from_end_us / 1000, age, sizeof(age)),
			   w->replay ? "the end" : "now");
	if (w->seen_permille < 1000)
		pen_printf(p, STYLE_DIM, "seen %" PRIu32 "%%  ", w->seen_permille / 10);
}

/* The last marker, as the subtitle of what one sees. */
static void draw_caption(struct draw *d, struct rect rows)
{
	struct pen p = pen_in(d, rows, READ_NR);
	const struct moment *m = timeline_last(&d->f->when, MARKS);

	if (!m)
		return;
	pen_text(&p, STYLE_KEY, "m ");
	pen_wrap(&p, STYLE_BOLD, CAPTION, rows.rows, m->text);
}

static void draw_text(const struct tui *t, struct draw *d, struct rect row, unsigned int kinds)
{
	struct pen p = pen_in(d, row, READ_NR);
	const struct frame *f = &t->frame;
	char state[NUMBER_TEXT];

	timeline_state(f, state);
	pen_printf(&p, STYLE_WARN, "%s", state[0] ? state : "NOW");
	pen_text(&p, STYLE_PLAIN, "  ");
	draw_place(&p, &f->when);
	if (f->when.said[0] && f->when.said_n != t->said_seen)
		pen_cut(&p, pen_room(&p), STYLE_NOTE, f->when.said);
	else
		timeline_moment(&p, f, kinds);
}

/* --- the line --- */

static void draw_label(struct draw *d, struct rect where, int64_t wall_us, const char *else_text)
{
	time_t s = (time_t)(wall_us / 1000000);
	struct tm tm;

	if (wall_us > 0 && localtime_r(&s, &tm))
		grid_printf(d->g, where, 0, 0, STYLE_DIM, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min,
			    tm.tm_sec);
	else
		grid_text(d->g, where, 0, 0, STYLE_DIM, else_text);
}

static void draw_labels(const struct when *w, struct draw *d, struct rect row, int label)
{
	struct rect left = row, right = row;
	char span[NUMBER_TEXT] = "";

	left.cols = label - 1;
	right.col += row.cols - label + 1;
	right.cols = label - 1;
	if (w->sessions <= 1 && w->last_us >= w->first_us)
		units_age((uint64_t)(w->last_us - w->first_us) / 1000, span, sizeof(span));
	draw_label(d, left, w->first_wall_us, "start");
	if (!w->replay)
		grid_text(d->g, right, 0, 0, STYLE_DIM, "now");
	else
		draw_label(d, right, w->last_wall_us, span);
}

static uint64_t greatest(const struct bucket *line)
{
	uint64_t most = 0;

	for (int i = 0; i < BUCKET_NR; i++)
		if (line[i].pages_s != UNKNOWN && line[i].pages_s > most)
			most = line[i].pages_s;
	return most;
}

/* By its root, so that a little reclaim beside a lot of it is seen as well. */
static const char *height(uint64_t pages_s, uint64_t most)
{
	static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	int i;

	if (pages_s == UNKNOWN)
		return " ";
	i = most ? (int)(7.0 * sqrt((double)pages_s / (double)most) + 0.5) : 0;
	return heights[pages_s && !i ? 1 : i];
}

/* With few rows, only what is worth a place among the amounts. */
static unsigned int worth(unsigned int moments, bool sharing)
{
	return sharing && moments == 1u << MOMENT_BIRTH ? 0 : moments;
}

/* The line as it is drawn. */
struct strip {
	struct draw *d;
	struct rect line;
	struct timeline_layout l;
	uint64_t most;
};

static void draw_column(const struct strip *s, int col, const struct bucket *b)
{
	bool sharing = s->l.moments < 0, reclaims = b->pages_s && b->pages_s != UNKNOWN;
	unsigned int moments = worth(b->moments, sharing);
	enum style style;
	const char *letter;

	grid_text(s->d->g, s->line, s->l.amounts, col, reclaims ? STYLE_FLOW_OUT : STYLE_DIM,
		  height(b->pages_s, s->most));
	if (!moments)
		return;
	letter = timeline_letter(moments, &style);
	grid_text(s->d->g, s->line, sharing ? s->l.amounts : s->l.moments, col, style, letter);
}

/* What falls into one column, for all columns: the most that was reclaimed, all that happened. */
static void draw_line(const struct strip *s)
{
	const struct bucket *from = s->d->f->when.line;

	for (unsigned int k = 0; k < BUCKET_NR;) {
		int col = timeline_column(k, s->l.cols), next = col;
		struct bucket b = from[k];

		while (++k < BUCKET_NR && (next = timeline_column(k, s->l.cols)) == col) {
			b.moments |= from[k].moments;
			if (from[k].pages_s != UNKNOWN &&
			    (b.pages_s == UNKNOWN || from[k].pages_s > b.pages_s))
				b.pages_s = from[k].pages_s;
		}
		if (k == BUCKET_NR)
			next = s->l.cols;
		/*
		 * With more columns than parts, a part fills several; what happened stands in the
		 * first.
		 */
		for (; col < next; col++, b.moments = 0)
			draw_column(s, col, &b);
	}
}

static void draw_cursor(const struct strip *s)
{
	const struct when *w = &s->d->f->when;
	struct grid *g = s->d->g;
	int col = timeline_place(w->index, w->count, s->l.cols);
	int top = s->l.moments >= 0 ? s->l.moments : s->l.amounts;
	struct rect cells = { s->line.row + top, 0, s->l.amounts - top + 1, 1 };

	/* The newest is at the right edge, however many there are. */
	col = w->index + 1 == w->count ? s->l.cols - 1 : col;
	cells.col = s->line.col + col;
	if (s->l.moments >= 0 && !strcmp(g->cells[cells.row * g->cols + cells.col].text, " "))
		grid_text(g, s->line, s->l.moments, col, STYLE_SELECTED, "▼");
	grid_restyle(g, cells, STYLE_SELECTED);
}

#define GRAVE (1u << MOMENT_OOM | 1u << MOMENT_START | 1u << MOMENT_GAP | 1u << MOMENT_CLOCK)

/*
 * Where there is no other row, what became of a wish goes before the subtitle, and for its moment
 * what must not be missed.
 */
static bool needs_caption_row(const struct tui *t, const struct timeline_layout *l)
{
	const struct when *w = &t->frame.when;
	const struct moment *grave = timeline_last(w, GRAVE);

	return l->text < 0 && ((w->said[0] && w->said_n != t->said_seen) || !timeline_last(w, MARKS) ||
			       (grave && grave->index == w->index));
}

void timeline_draw(const struct tui *t, struct draw *d, struct rect area)
{
	struct strip s = { .d = d, .line = area };
	struct rect row = area;

	if (rect_is_empty(area))
		return;
	timeline_layout(area, captions_of(&t->frame.when, area.cols), &s.l);
	row.rows = s.l.captions;
	if (s.l.caption >= 0 && !needs_caption_row(t, &s.l))
		draw_caption(d, row);
	else if (s.l.caption >= 0)
		s.l.text = s.l.caption;
	row.rows = 1;
	row.row = area.row + s.l.text;
	if (s.l.text >= 0)
		draw_text(t, d, row, s.l.captions && s.l.text >= s.l.captions ? ~MARKS : ~0u);
	row.row = area.row + s.l.amounts;
	if (s.l.label)
		draw_labels(&t->frame.when, d, row, s.l.label);
	s.line.col += s.l.from;
	s.line.cols = s.l.cols;
	s.most = greatest(t->frame.when.line);
	if (s.l.cols <= 0 || !t->frame.when.count)
		return;
	draw_line(&s);
	draw_cursor(&s);
}

/* --- clicks --- */

/* The part of a column to go to: the first in which something happened, or the first. */
static unsigned int meant(const struct when *w, int col, int cols)
{
	unsigned int first = timeline_bucket(col, cols);

	for (unsigned int k = first; k < BUCKET_NR && timeline_column(k, cols) == col; k++)
		if (w->line[k].moments & ~(1u << MOMENT_BIRTH))
			return k;
	return first;
}

unsigned int timeline_click(struct tui *t, int row, int col)
{
	const struct when *w = &t->frame.when;
	struct rect area = t->foot_line;
	struct timeline_layout l;
	uint64_t to;

	if (rect_is_empty(area) || !w->count)
		return 0;
	timeline_layout(area, captions_of(w, area.cols), &l);
	row -= area.row;
	col -= area.col + l.from;
	if (row < (l.moments >= 0 ? l.moments : l.amounts) || row > l.amounts || col < 0 || col >= l.cols)
		return 0;
	if (col == l.cols - 1)
		return going_wish(t, WISH_LAST, 0);
	to = (meant(w, col, l.cols) * w->count + BUCKET_NR - 1) / BUCKET_NR;
	to = to < w->count ? to : w->count - 1;
	return going_wish(t, WISH_STEP, (int64_t)to - (int64_t)w->index);
}

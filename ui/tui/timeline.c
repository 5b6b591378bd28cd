/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/names.h"
#include "reclaimtop/units.h"
#include "view.h"

/* With fewer rows on screen, the line has fewer. */
#define ROWS_FOR_3      24
#define ROWS_FOR_2      14
#define COLS_FOR_LABELS 60
#define COLS_FOR_WORDS  100
#define LABEL           9
#define MARKS           (1u << MOMENT_MARK)

/* How moments are drawn; of several in one column the last of these. */
static const struct {
	const char *letter;
	enum style style;
} looks[MOMENT_NR] = {
	[MOMENT_BIRTH] = { "g", STYLE_DIM },   [MOMENT_WATERMARK] = { "w", STYLE_NOTE },
	[MOMENT_STALLS] = { "d", STYLE_WARN }, [MOMENT_CLOCK] = { "c", STYLE_NOTE },
	[MOMENT_GAP] = { "│", STYLE_BOLD },    [MOMENT_START] = { "s", STYLE_NOTE },
	[MOMENT_MARK] = { "m", STYLE_KEY },    [MOMENT_OOM] = { "!", STYLE_ALARM },
};

const char *timeline_look(enum moment_kind kind, enum style *style)
{
	*style = looks[kind].style;
	return looks[kind].letter;
}

/* --- layout --- */

void timeline_layout(int rows, int cols, struct timeline_layout *out)
{
	*out = (struct timeline_layout){ -1, -1, -1, -1, 0, cols, 0 };
	if (rows > 0)
		out->amounts = rows - 1;
	if (rows > 1)
		out->text = 0;
	if (rows > 2)
		out->moments = rows - 2;
	if (rows > 3) {
		out->caption = 0;
		out->text = 1;
	}
	if (cols < COLS_FOR_LABELS)
		return;
	out->label = LABEL;
	out->from = LABEL;
	out->cols = cols - 2 * LABEL;
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

struct rect timeline_take(const struct tui *t, struct rect *body)
{
	/* What lies around the body: two lines above, one below. */
	int rows = body->row + body->rows + 1;

	/* The Time view has one of its own. */
	if (!timeline_is_shown(t) || t->view == VIEW_TIME)
		return layout_take_bottom(body, 0);
	if (rows >= ROWS_FOR_3)
		return layout_take_bottom(body, has_marks(&t->frame.when) ? 4 : 3);
	return layout_take_bottom(body, rows >= ROWS_FOR_2 ? 2 : 1);
}

/* --- in words --- */

static void speed_text(const struct when *w, char out[NUMBER_TEXT])
{
	if (w->speed % 10)
		snprintf(out, NUMBER_TEXT, "PLAY %d.%dx", w->speed / 10, w->speed % 10);
	else
		snprintf(out, NUMBER_TEXT, "PLAY %dx", w->speed / 10);
}

const char *timeline_state(const struct frame *f, char out[NUMBER_TEXT])
{
	const struct when *w = &f->when;

	out[0] = '\0';
	if (!w->past)
		return out;
	if (f->ended && w->replay)
		snprintf(out, NUMBER_TEXT, "END");
	else if (w->playing)
		speed_text(w, out);
	else
		snprintf(out, NUMBER_TEXT, "STOPPED");
	return out;
}

/* The last moment of these kinds (bits) that is not behind what is shown; NULL where there is none. */
static const struct moment *last_moment(const struct when *w, unsigned int kinds)
{
	const struct moment *last = NULL;

	for (uint32_t i = 0; i < w->nnear; i++)
		if (w->near[i].index <= w->index && kinds & (1u << w->near[i].kind))
			last = &w->near[i];
	return last;
}

void timeline_moment(struct pen *p, const struct frame *f, unsigned int kinds)
{
	const struct moment *m = last_moment(&f->when, kinds);
	int64_t ago;
	char age[NUMBER_TEXT];

	if (!m)
		return;
	ago = f->now->mono_us - m->mono_us;
	pen_text(p, looks[m->kind].style, looks[m->kind].letter);
	pen_text(p, STYLE_PLAIN, " ");
	if (m->index < f->when.index && ago > 0)
		pen_printf(p, STYLE_DIM,
			   "%s ago: ", units_age((uint64_t)ago / 1000, age, sizeof(age)));
	pen_cut(p, pen_room(p), m->index == f->when.index ? STYLE_BOLD : STYLE_PLAIN, m->text);
}

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
static void draw_caption(struct draw *d, struct rect row)
{
	struct pen p = pen_in(d, row, READ_NR);
	const struct moment *m = last_moment(&d->f->when, MARKS);

	if (!m)
		return;
	pen_text(&p, STYLE_KEY, "m ");
	pen_cut(&p, pen_room(&p), STYLE_BOLD, m->text);
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

/*
 * The worst of what happened, or with few rows the worst that is worth a place among the amounts.
 */
static int worst(unsigned int moments, bool sharing)
{
	for (int kind = MOMENT_NR - 1; kind >= 0; kind--)
		if ((moments & (1u << kind)) && !(sharing && kind == MOMENT_BIRTH))
			return kind;
	return -1;
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
	int kind = worst(b->moments, sharing);

	grid_text(s->d->g, s->line, s->l.amounts, col, reclaims ? STYLE_FLOW_OUT : STYLE_DIM,
		  height(b->pages_s, s->most));
	if (kind >= 0)
		grid_text(s->d->g, s->line, sharing ? s->l.amounts : s->l.moments, col,
			  looks[kind].style, looks[kind].letter);
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

void timeline_draw(const struct tui *t, struct draw *d, struct rect area)
{
	struct strip s = { .d = d, .line = area };
	struct rect row = area;

	if (rect_is_empty(area))
		return;
	timeline_layout(area.rows, area.cols, &s.l);
	row.rows = 1;
	if (s.l.caption >= 0)
		draw_caption(d, row);
	row.row = area.row + s.l.text;
	if (s.l.text >= 0)
		draw_text(t, d, row, s.l.caption >= 0 ? ~MARKS : ~0u);
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

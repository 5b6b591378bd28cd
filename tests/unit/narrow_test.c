/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands on a screen of whatever width is whole: no word runs into another, no number is cut into a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "support_script.h"

static const int heights[] = { 10, 20, 24, 30, 44 };

#define HEIGHTS (sizeof(heights) / sizeof(heights[0]))

/* The row's text without the blanks at its end. */
static void row_text(const struct grid *g, int row, char *out, size_t size)
{
	size_t n = 0;

	for (int col = 0; col < g->cols && n + CELL_BYTES < size; col++) {
		const char *text = g->cells[row * g->cols + col].text;

		memcpy(out + n, text, strlen(text));
		n += strlen(text);
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static bool is_known(const char *word, const char *const *known)
{
	while (*known && strcmp(*known, word))
		known++;
	return *known;
}

static void words_are_known(char *row, const char *const *known, int cols, int rows)
{
	char *rest = NULL;

	for (char *word = strtok_r(row, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (!is_known(word, known) && !strchr("0123456789", word[0]))
			fail_msg("%dx%d: no word of a heading is \"%s\"", cols, rows, word);
}

/* The headings of the Overview's tables: those rows that begin as one of them. */
static void overview_headings(const struct grid *g)
{
	static const char *const known[] = {
		"Generations", "Reclaim", "Memcgs", "Memcgs:", "lost", "most", "came", "back", "lost/s", "back/s",
		"in/s", "promoted", "evicted", "refaulted", "kswapd", "direct", "khugepd", "proactv", "limit", "anon",
		"file", "█▓▒░", "young", "to", "old", "█youngest", "▓second", "▒third", "░oldest", "youngest",
		"second", "third", "oldest", NULL,
	};
	static const char *const starts[] = { "Gener", "Recla", "Memcg" };
	char text[1024];

	for (int row = 2; row < g->rows; row++) {
		row_text(g, row, text, sizeof(text));
		for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
			if (!strncmp(text, starts[i], strlen(starts[i]))) {
				words_are_known(text, known, g->cols, g->rows);
				break;
			}
	}
}

/* The names over the river: the first row that says where its edge is. */
static void river_headings(const struct grid *g)
{
	static const char *const known[] = {
		"young", "+young", "+youngest", "2nd", "3rd", "old", "youngest", "second", "third", "oldest", "│", "edge", "the", "flow", "a",
		"anon", "file", NULL,
	};
	char text[1024], *edge;
	int col, row = find_text(g, "│ edge", &col), wide = find_text(g, "│ the edge", &col);

	row = row < 0 || (wide >= 0 && wide < row) ? wide : row;
	assert_true(row >= 0);
	row_text(g, row, text, sizeof(text));
	edge = strstr(text, "edge");
	edge[strlen("edge")] = '\0';
	words_are_known(text, known, g->cols, g->rows);
}

/* The sign for what is cut never stands in a number. */
static void numbers_are_whole(const struct grid *g)
{
	for (int row = 0; row < g->rows; row++)
		for (int col = 1; col + 1 < g->cols; col++) {
			const struct cell *c = &g->cells[row * g->cols + col];

			if (!strcmp(c->text, "…") && (strchr("0123456789", c[-1].text[0]) ||
						      strchr("0123456789", c[1].text[0])))
				fail_msg("%dx%d: a number is cut in row %d, column %d", g->cols, g->rows, row, col);
		}
}

static struct reel *reel_at(uint32_t sample, struct frame *f)
{
	struct reel *reel = reel_open("data/demo.jsonl.zst");

	while (reel_next(reel, f) && f->now->n + 1 < sample)
		;
	return reel;
}

static void in_all_widths(const char *keys, void (*check)(const struct grid *g))
{
	const struct tui_options options = { .view = VIEW_OVERVIEW, .no_motion = true };
	struct tui *tui = tui_new(&options);
	struct grid g = { 0 };
	struct frame f;
	struct reel *reel = reel_at(166, &f);

	tui_frame(tui, &f);
	while (*keys)
		tui_key(tui, script_key(&keys));
	for (size_t i = 0; i < HEIGHTS; i++)
		for (int cols = 40; cols <= 200; cols++) {
			grid_resize(&g, heights[i], cols);
			tui_draw(tui, 0, &g);
			check(&g);
		}
	grid_fini(&g);
	tui_free(tui);
	reel_close(reel);
}

static void no_heading_of_the_overview_runs_into_another(void **state)
{
	(void)state;
	in_all_widths("1", overview_headings);
}

static void no_heading_of_the_river_runs_into_another(void **state)
{
	(void)state;
	in_all_widths("2", river_headings);
}

static void no_number_is_cut(void **state)
{
	(void)state;
	in_all_widths("1", numbers_are_whole);
	in_all_widths("2", numbers_are_whole);
	in_all_widths("2o", numbers_are_whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_heading_of_the_overview_runs_into_another),
		cmocka_unit_test(no_heading_of_the_river_runs_into_another),
		cmocka_unit_test(no_number_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

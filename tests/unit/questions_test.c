/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * questions_test.c - what docs/ten-questions.md quotes stands on the screens of the demo at the times that it names, with room
 * and with little.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "support_fake.h"
#include "support_script.h"

#define ROWS_WIDE 40
#define COLS_WIDE 120

/* Samples are a second apart: that of 2:27 is the one with number 147. */
static const struct quote {
	uint32_t sample;
	const char *keys;
	const char *text;
	bool wide_only;
} quotes[] = {
	{ 147, "1", "zone DMA32 of node 0 is below min: 8.2 MiB usable, 8.3 MiB must stay free", false },
	{ 147, "1", "8.17M, below min", true },
	{ 240, "1x", "it is above high and needs nothing", false },
	{ 147, "1x", "93% of it by tasks that needed memory at once and had to wait", false },
	{ 140, "1x", "88% of it by kswapd in the background", false },
	{ 201, "1x", "100% of it by tasks of memcgs at their limit, which had to wait", false },
	{ 46, "1x", "Nothing came back that had been taken before", false },
	{ 147, "1x", "a part of what is taken is needed again", false },
	{ 201, "1x", "most of what is taken is needed again, so the working set does not fit", false },
	{ 201, "1", "the working set of /capped does not fit: in the last 12 s refaults came to 100 % of evictions", false },
	{ 166, "1", "6.5 MiB were evicted, and 30 MiB came back, part of it gone for longer; meanwhile /batch grew by 45 MiB",
	  false },
	{ 122, "1", "1 process of /leak was killed in the last 12 s: it may have no more than 221 MiB", false },
	{ 147, "3x", "tasks of /batch waited longest for memory: 866ms", false },
	{ 139, "4x", "9.90M of it is stranded: its zone is below low, and only the CPU that has it can use it", false },
	{ 173, "1", "swap thrashes: 2.9 MiB/s go out, and 2.6 MiB/s come back", false },
	{ 240, "1x", "reclaim took nothing: there was memory enough", false },
	{ 240, "1x", "No task had to wait for memory.", false },
};

#define QUOTES (sizeof(quotes) / sizeof(quotes[0]))

/* Every run of blanks and line ends as one blank, so that it is no matter where lines end. */
static void flatten(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (!strchr(" \n", *from))
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
}

static bool is_on_screen(struct tui *t, const char *text, int rows, int cols)
{
	struct grid g = { 0 };
	struct buf out = { 0 };
	bool there;

	grid_resize(&g, rows, cols);
	tui_draw(t, 0, &g);
	grid_dump(&g, false, &out);
	flatten(out.data);
	there = strstr(out.data, text) != NULL;
	buf_fini(&out);
	grid_fini(&g);
	return there;
}

static void look(const struct frame *f, const struct quote *q)
{
	const struct tui_options options = { .view = VIEW_OVERVIEW, .no_motion = true };
	struct tui *t = tui_new(&options);
	const char *keys = q->keys;

	tui_frame(t, f);
	while (*keys)
		tui_key(t, script_key(&keys));
	if (!is_on_screen(t, q->text, ROWS_WIDE, COLS_WIDE) || (!q->wide_only && !is_on_screen(t, q->text, 24, 80)))
		fail_msg("sample %u, keys %s: \"%s\" is not there", (unsigned int)q->sample, q->keys, q->text);
	tui_free(t);
}

static void what_is_quoted_is_on_screen(void **state)
{
	struct reel *reel = reel_open("data/demo.jsonl.zst");
	struct frame f;

	(void)state;
	while (reel_next(reel, &f))
		for (size_t i = 0; i < QUOTES; i++)
			if (quotes[i].sample == f.now->n)
				look(&f, &quotes[i]);
	reel_close(reel);
}

static void it_is_in_the_document(void **state)
{
	char *text = fake_load("docs/ten-questions.md", NULL);

	(void)state;
	flatten(text);
	for (size_t i = 0; i < QUOTES; i++)
		if (!strstr(text, quotes[i].text))
			fail_msg("\"%s\" is not in docs/ten-questions.md", quotes[i].text);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_quoted_is_on_screen),
		cmocka_unit_test(it_is_in_the_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

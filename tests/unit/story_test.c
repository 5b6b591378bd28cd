/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_test.c - the sentences of x agree with each other and with the counters, at every sample of the demo.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "support_golden.h"
#include "support_grid.h"
#include "support_script.h"

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

/* The screen as one line; the caller frees it. */
static char *screen(struct tui *t, struct grid *g)
{
	struct buf out = { 0 };

	tui_draw(t, 0, g);
	grid_dump(g, false, &out);
	flatten(out.data);
	return out.data;
}

static uint64_t taken(const struct sample *s)
{
	return counters_get(&s->vmstat, VM_pgsteal_anon) + counters_get(&s->vmstat, VM_pgsteal_file);
}

struct last {
	uint64_t taken, waited;
	bool any;
};

/* Reckoned from the counters themselves. */
static void agrees(const char *text, const struct frame *f, struct last *last)
{
	uint64_t waited = f->now->psi[PSI_MEMORY].some.total_us;
	bool took = taken(f->now) != last->taken, waits = waited != last->waited;
	const char *wrong = NULL;

	if (last->any && !took && (strstr(text, "needed again") || strstr(text, "is missed")))
		wrong = "a verdict on what was not taken";
	if (last->any && waits && strstr(text, "nobody waits"))
		wrong = "nobody waits, and somebody did";
	if (last->any && waits == !!strstr(text, "No task had to wait for memory"))
		wrong = "who waited";
	if (wrong)
		fail_msg("sample %u: %s: %s", (unsigned int)f->now->n, wrong, text);
	*last = (struct last){ taken(f->now), waited, true };
}

static void sentences_agree(void **state)
{
	const struct tui_options options = { .view = VIEW_OVERVIEW, .no_motion = true };
	struct reel *reel = reel_open("data/demo.jsonl.zst");
	struct tui *t = tui_new(&options);
	struct last last = { 0 };
	struct grid g = { 0 };
	struct frame f;
	bool open = false;

	(void)state;
	grid_resize(&g, 60, 160);
	while (reel_next(reel, &f)) {
		char *text;

		tui_frame(t, &f);
		if (!open)
			tui_key(t, 'x');
		open = true;
		text = screen(t, &g);
		assert_non_null(strstr(text, "This screen in words"));
		agrees(text, &f, &last);
		free(text);
	}
	grid_fini(&g);
	tui_free(t);
	reel_close(reel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sentences_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

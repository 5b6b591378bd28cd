/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording on screen: what a person sees who goes about in it, and the same keys in a session
 * that goes on. Screens that somebody looked at are in tests/screens.
 */
#include "ui/cli/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/source.h"
#include "support_fake.h"
#include "support_golden.h"
#include "support_grid.h"
#include "support_replay.h"
#include "support_sample.h"
#include "ui/cli/session.h"
#include "ui/tui/keys.h"

/*
 * Longer than any test: what plays stands still, so that pictures do not depend on how fast a
 * machine is.
 */
#define STILL INT64_C(3600000000)

struct show {
	char *dir;
	char path[300];
	struct replay *replay;
	struct theatre t;
};

static void show_open(struct show *s, bool follow, bool ascii)
{
	const struct replay_options o = { s->path, follow, STILL, 0, NULL };
	const struct tui_options to = { .view = VIEW_OVERVIEW, .ascii = ascii };
	const char *why = "";
	struct recording *r = recording_open(s->path, follow ? RECORDING_FOLLOW : 0, &why);

	if (!r)
		fail_msg("%s: %s", s->path, why);
	s->replay = replay_new(r, &o);
	assert_non_null(s->replay);
	theatre_open(&s->t, replay_feed(s->replay), &to);
	theatre_settle(&s->t);
}

static void show_close(struct show *s)
{
	theatre_close(&s->t);
	replay_free(s->replay);
}

static int set_up(void **state)
{
	struct show *s = calloc(1, sizeof(*s));

	s->dir = fake_tempdir();
	snprintf(s->path, sizeof(s->path), "%s/story.jsonl", s->dir);
	story_write(s->path);
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct show *s = *state;

	fake_tempdir_remove(s->dir);
	free(s);
	return 0;
}

static bool is_on_screen(const struct show *s, const char *text)
{
	int col;

	return find_text(&s->t.grid, text, &col) >= 0;
}

static void is_seen(const struct show *s, const char *text)
{
	struct buf out = { 0 };

	if (is_on_screen(s, text))
		return;
	grid_dump(&s->t.grid, false, &out);
	for (char *line = strtok(out.data, "\n"); line; line = strtok(NULL, "\n"))
		print_error("%s\n", line);
	fail_msg("\"%s\" is not on screen", text);
}

/* --- as somebody found them right --- */

static const struct {
	const char *name, *keys;
} shots[] = {
	{ "replay-first", "" },
	{ "replay-moment", "]]]" },
	{ "replay-slept", "Gbx<Esc>b12:09:49<Enter>" },
	{ "replay-clock-set", "g]]]]]]]" },
	{ "replay-reboot", "G[[" },
	{ "replay-end", "G" },
	{ "replay-jump", "j1h30<Enter>" },
	{ "replay-memcgs", "3j8s<Enter>" },
	{ "replay-no-line", "2j8s<Enter>l" },
};

static const struct {
	int rows, cols;
	bool ascii;
} sizes[] = { { 24, 80, false }, { 30, 132, false }, { 16, 60, true }, { 8, 40, false } };

/*
 * The first two rows and the last five; what is between is the views', which have screens of their
 * own. Or all of them.
 */
static void dump_edges(const struct grid *g, bool all, struct buf *out)
{
	struct buf whole = { 0 };
	const char *line;
	int row = 0;

	grid_dump(g, all, &whole);
	if (all)
		buf_str(out, whole.data);
	for (line = whole.data; !all && *line; row++) {
		size_t len = strcspn(line, "\n") + 1;

		if (row < 2 || row >= g->rows - 5)
			buf_add(out, line, len);
		line += len;
	}
	buf_fini(&whole);
}

static void screens_are_as_they_were(void **state)
{
	struct show *s = *state;
	int wrong = 0;

	for (size_t i = 0; i < sizeof(shots) / sizeof(shots[0]); i++) {
		struct buf out = { 0 };

		for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			show_open(s, false, sizes[k].ascii);
			grid_resize(&s->t.grid, sizes[k].rows, sizes[k].cols);
			theatre_keys(&s->t, shots[i].keys);
			buf_printf(&out, "---- %s, keys %s, %dx%d\n", shots[i].name, shots[i].keys,
				   sizes[k].cols, sizes[k].rows);
			dump_edges(&s->t.grid, i == 1 && !k, &out);
			show_close(s);
		}
		wrong += !golden_is(shots[i].name, &out);
		buf_fini(&out);
	}
	if (wrong)
		fail_msg("%d screens are not as they were; look at them, then: make golden", wrong);
}

/* --- what must be said --- */

static void what_happened_is_said(void **state)
{
	struct show *s = *state;

	show_open(s, false, false);
	is_seen(s, "1/35  session 1/2");
	is_seen(s, "First sample: rates come with the next one.");
	theatre_keys(&s->t, "j4s<Enter>");
	is_seen(s, "m streaming begins");
	theatre_keys(&s->t, "t");
	is_seen(s, "m streaming begins");
	theatre_keys(&s->t, "j9s<Enter>");
	is_seen(s, "15/35");
	theatre_keys(&s->t, "t");
	is_seen(s, "Gap: the machine slept; rates are means over it.");
	is_seen(s, "gap 9m35s");
	theatre_keys(&s->t, "j5s<Enter>");
	is_seen(s, "the clock was set 1m00s back");
	theatre_keys(&s->t, "j5s<Enter>");
	is_seen(s, "Started anew: the machine was started anew");
	is_seen(s, "s another session begins");
	is_seen(s, "session 2/2");
	theatre_keys(&s->t, "j5s<Enter>");
	is_seen(s, "w free memory is below low");
	show_close(s);
}

static void a_marker_goes_into_the_file(void **state)
{
	struct show *s = *state;

	show_open(s, false, false);
	theatre_keys(&s->t, "j7s<Enter>mhere it is<Enter>");
	is_seen(s, "marked, in the file too");
	theatre_keys(&s->t, "g]]]");
	is_seen(s, "m here it is");
	show_close(s);
	/* And from there back. */
	show_open(s, false, false);
	theatre_keys(&s->t, "j7s<Enter>");
	is_seen(s, "m here it is");
	theatre_keys(&s->t, "m   <Enter>");
	is_seen(s, "empty:");
	theatre_keys(&s->t, "<Esc>R");
	is_seen(s, "m here it is");
	show_close(s);
}

/* A file that may not be written: the marker lasts as long as one looks, and that is said. */
static void a_marker_without_the_file(void **state)
{
	struct show *s = *state;

	show_open(s, false, false);
	unlink(s->path);
	theatre_keys(&s->t, "j7s<Enter>mhere it is<Enter>");
	is_seen(s, "marked until you leave: ");
	theatre_keys(&s->t, "t");
	is_seen(s, "m here it is");
	show_close(s);
}

/* What a crash leaves, and a byte that changed: said, and passed over. */
static void damage_is_said(void **state)
{
	struct show *s = *state;
	size_t len;
	char *text = fake_load(s->path, &len), *line = text;
	FILE *f;

	/* The sixth line is the fifth sample's or a marker's: the one of sample 7 is further on. */
	for (int i = 0; i < 9; i++)
		line = strchr(line, '\n') + 1;
	line[200] ^= 1;
	f = fopen(s->path, "w");
	fwrite(text, 1, len - 20, f);
	fclose(f);
	free(text);
	show_open(s, false, false);
	is_seen(s, "the last line is torn, and left out");
	theatre_keys(&s->t, "G");
	is_seen(s, "34/34");
	theatre_keys(&s->t, "g");
	for (int i = 0; i < 8 && !is_on_screen(s, "damaged"); i++)
		theatre_keys(&s->t, "t");
	is_seen(s, "damaged");
	show_close(s);
}

/* Samples that a batch goes over: their times, in order. */
static uint32_t batch_goes_over(const char *path, int64_t *times, uint32_t room)
{
	static struct interest nothing;
	const char *why = "";
	struct recording *r = recording_open(path, 0, &why);
	struct source *src = source_recording(r);
	struct sample s = { .arena = arena_new() };
	uint32_t n = 0;

	while (!src->ops->next(src, &nothing, &s) && n < room)
		times[n++] = s.mono_us;
	arena_free(s.arena);
	source_close(src);
	recording_close(r);
	return n;
}

/*
 * However a file is damaged, the screen and a batch show the same samples.
 * https://github.com/draios/sysdig/issues/394
 */
static void screen_and_batch_go_over_the_same(void **state)
{
	struct show *s = *state;
	size_t len;
	char *text = fake_load(s->path, &len);

	for (size_t cut = 0; cut < 6; cut++) {
		FILE *f = fopen(s->path, "w");
		int64_t times[40];
		uint32_t n;

		/* Another byte each time; then the end is cut off, too. */
		text[len * (cut + 1) / 8] ^= 4;
		fwrite(text, 1, len - cut * 977, f);
		fclose(f);
		n = batch_goes_over(s->path, times, 40);
		assert_in_range(n, 1, 34);
		show_open(s, false, false);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(s->t.frame.now->mono_us, times[i]);
			theatre_keys(&s->t, "t");
		}
		assert_int_equal(s->t.frame.now->mono_us, times[n - 1]);
		theatre_keys(&s->t, "G");
		assert_int_equal(s->t.frame.now->mono_us, times[n - 1]);
		show_close(s);
	}
	free(text);
}

static void a_file_is_followed(void **state)
{
	const struct recorder_options more = { .append = true };
	struct show *s = *state;
	struct recorder *r;
	const char *why = "";

	show_open(s, true, false);
	is_seen(s, "35/35");
	r = recorder_open(s->path, &more, &why);
	assert_non_null(r);
	assert_int_equal(recorder_put(r, s->t.frame.now), 0);
	for (int i = 0; i < 100 && !is_on_screen(s, "36/36"); i++)
		theatre_settle(&s->t);
	is_seen(s, "36/36");
	assert_int_equal(recorder_close(r), 0);
	show_close(s);
}

/* Any keys at any size: nothing breaks, and what is on screen is a sample of the file. */
static void any_keys(void **state)
{
	static const char keys[] = "tTtT[]{}gGjJb  mRl12345ue/\r\r\x1b+-07:3sm";
	struct show *s = *state;
	struct rng r = { 11 };

	show_open(s, false, false);
	for (int i = 0; i < 3000; i++) {
		int key = keys[rng_below(&r, sizeof(keys) - 1)];
		unsigned int handled = tui_key(s->t.tui, key == '\r' ? KEYCODE_ENTER : key);

		/* Markers would fill the file. */
		if ((handled & TUI_WISH) && tui_wish(s->t.tui)->kind != WISH_MARK)
			s->t.feed->ops->wish(s->t.feed, tui_wish(s->t.tui));
		if (rng_one_in(&r, 30))
			grid_resize(&s->t.grid, 1 + (int)rng_below(&r, 40), 1 + (int)rng_below(&r, 140));
		if (rng_one_in(&r, 4))
			theatre_settle(&s->t);
		assert_true(s->t.frame.when.index < s->t.frame.when.count);
	}
	show_close(s);
}

/* --- the same keys in a session that goes on --- */

struct running {
	struct session *session;
	struct theatre t;
	char *dir;
};

static void live_open(struct running *l)
{
	const struct session_options so = { .no_pauses = true, .history_bytes = 1 << 20 };
	const char *why = "";
	struct source *src = source_tree("tests/roots/7.2-pressure", false, &why);

	assert_non_null(src);
	l->session = session_new(src, &so);
	assert_non_null(l->session);
	l->dir = fake_tempdir();
	theatre_open(&l->t, session_feed(l->session), NULL);
	while (!l->t.frame.ended)
		theatre_settle(&l->t);
}

static void live_close(struct running *l)
{
	theatre_close(&l->t);
	session_free(l->session);
	fake_tempdir_remove(l->dir);
}

static bool live_shows(const struct running *l, const char *text)
{
	int col;

	return find_text(&l->t.grid, text, &col) >= 0;
}

static void a_session_has_a_past(void **state)
{
	struct running l = { 0 };

	(void)state;
	live_open(&l);
	assert_int_equal(l.t.frame.now->n, 14);
	assert_false(live_shows(&l, "15/15"));
	theatre_keys(&l.t, "TT");
	assert_int_equal(l.t.frame.now->n, 12);
	assert_true(live_shows(&l, "STOPPED"));
	assert_true(live_shows(&l, "13/15"));
	theatre_keys(&l.t, "<Home>");
	assert_int_equal(l.t.frame.now->n, 0);
	theatre_keys(&l.t, "<End>");
	assert_int_equal(l.t.frame.now->n, 14);
	assert_false(live_shows(&l, "STOPPED"));
	/* Stopped and let go on. */
	theatre_keys(&l.t, " ");
	assert_true(live_shows(&l, "STOPPED"));
	theatre_keys(&l.t, " ");
	assert_false(live_shows(&l, "STOPPED"));
	theatre_keys(&l.t, "}");
	assert_true(live_shows(&l, "now goes at its own pace"));
	theatre_keys(&l.t, "u");
	assert_false(live_shows(&l, "now goes at its own pace"));
	theatre_keys(&l.t, "ma thing<Enter>TT");
	assert_false(live_shows(&l, "a thing"));
	theatre_keys(&l.t, "]");
	theatre_keys(&l.t, "]");
	assert_int_equal(l.t.frame.now->n, 14);
	assert_true(live_shows(&l, "no event after this one"));
	theatre_keys(&l.t, "u");
	assert_true(live_shows(&l, "m a thing"));
	live_close(&l);
}

/* R asks for a file and whether the history is to be in it; R ends it. All of it is there. */
static void a_session_is_recorded(void **state)
{
	struct running l = { 0 };
	struct recording *r;
	const struct mark *marks;
	const char *why = "";
	char keys[600], path[300];
	int64_t deadline = 100;

	(void)state;
	live_open(&l);
	theatre_keys(&l.t, "TTTma thing<Enter>");
	snprintf(path, sizeof(path), "%s/out.jsonl.zst", l.dir);
	/* The name that is offered goes away first. */
	snprintf(keys, sizeof(keys), "R%s%s<Enter>",
		 "<Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub>"
		 "<Rub><Rub><Rub><Rub><Rub><Rub><Rub><Rub>",
		 path);
	theatre_keys(&l.t, keys);
	assert_true(live_shows(&l, "With the history before it"));
	theatre_keys(&l.t, "x");
	assert_true(live_shows(&l, "y or n:"));
	theatre_keys(&l.t, "y");
	assert_true(live_shows(&l, "REC "));
	theatre_keys(&l.t, "R");
	while (!live_shows(&l, "recorded 15 samples") && deadline--)
		theatre_settle(&l.t);
	assert_true(live_shows(&l, "recorded 15 samples"));
	assert_false(live_shows(&l, "REC "));
	r = recording_open(path, 0, &why);
	if (!r)
		fail_msg("%s: %s", path, why);
	while (recording_scan(r, 1000000))
		;
	assert_int_equal(recording_count(r), 15);
	assert_int_equal(recording_marks(r, &marks), 1);
	assert_string_equal(marks[0].text, "a thing");
	assert_int_equal(marks[0].mono_us, recording_time(r, 11));
	recording_close(r);
	/* What is there is not written over. */
	theatre_keys(&l.t, keys);
	theatre_keys(&l.t, "n");
	assert_true(live_shows(&l, "not recorded: "));
	live_close(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(screens_are_as_they_were, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_happened_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_marker_goes_into_the_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_marker_without_the_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(screen_and_batch_go_over_the_same, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(any_keys, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_is_followed, set_up, tear_down),
		cmocka_unit_test(a_session_has_a_past),
		cmocka_unit_test(a_session_is_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

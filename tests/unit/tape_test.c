/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording that is made of a session while one looks: whole, in order, and honest where a disk is full. */
#include "ui/cli/tape.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "reclaimtop/fields.h"
#include "support_fake.h"
#include "support_roll.h"

struct rig {
	struct leaves *l;
	struct notes *notes;
	struct moments *moments;
	struct tape *tape;
	char *dir;
	char path[300];
	char said[400];     /* last */
};

static int set_up(void **state)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	rig->l = leaves_new(200);
	rig->notes = notes_new();
	rig->moments = moments_new(&rig->l->roll, rig->notes);
	rig->tape = tape_new(&rig->l->roll, rig->moments);
	rig->dir = fake_tempdir();
	snprintf(rig->path, sizeof(rig->path), "%s/out.jsonl", rig->dir);
	*state = rig;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *rig = *state;

	tape_free(rig->tape);
	moments_free(rig->moments);
	notes_free(rig->notes);
	roll_close(&rig->l->roll);
	fake_tempdir_remove(rig->dir);
	free(rig);
	return 0;
}

/* Let it work for a while; at most until it ended. */
static void work(struct rig *rig, int ms)
{
	const char *said;

	while (tape_runs(rig->tape)) {
		struct pollfd fd = { .fd = tape_fd(rig->tape), .events = POLLIN };

		said = tape_work(rig->tape, NULL);
		if (said)
			snprintf(rig->said, sizeof(rig->said), "%s", said);
		if (tape_runs(rig->tape) && poll(&fd, 1, ms) <= 0)
			return;
	}
}

static struct recording *read_back(const struct rig *rig)
{
	const char *why = "";
	struct recording *r = recording_open(rig->path, 0, &why);

	if (!r)
		fail_msg("%s: %s", rig->path, why);
	while (recording_scan(r, 1000000))
		;
	return r;
}

static void all_of_it_in_order(void **state)
{
	struct rig *rig = *state;
	const struct mark *marks;
	struct recording *r;
	const char *why = "";
	uint64_t bytes;

	moments_mark(rig->moments, 20, "early");
	moments_mark(rig->moments, 150, "late");
	assert_true(tape_start(rig->tape, rig->path, 10, &why));
	assert_false(tape_is_ending(rig->tape));
	rig->l->end = 120;
	work(rig, 300);
	assert_int_equal(tape_state(rig->tape, &bytes), RECORD_RUNS);
	assert_true(bytes > 0);
	/* A marker at what was brought already, and one at what was not. */
	tape_mark(rig->tape, 60, "in the middle");
	tape_mark(rig->tape, 160, "not twice");
	rig->l->end = 200;
	tape_stop(rig->tape);
	assert_true(tape_is_ending(rig->tape));
	work(rig, 20000);
	assert_false(tape_runs(rig->tape));
	assert_int_equal(tape_state(rig->tape, &bytes), RECORD_NOT);
	assert_non_null(strstr(rig->said, "recorded 190 samples, "));
	r = read_back(rig);
	assert_int_equal(recording_count(r), 190);
	for (uint64_t i = 0; i < 190; i++)
		assert_int_equal(recording_time(r, i), rig->l->leaf[i + 10].mono_us);
	assert_int_equal(recording_marks(r, &marks), 3);
	assert_string_equal(marks[0].text, "early");
	assert_int_equal(marks[0].mono_us, rig->l->leaf[20].mono_us);
	assert_string_equal(marks[1].text, "in the middle");
	assert_int_equal(marks[1].mono_us, rig->l->leaf[60].mono_us);
	assert_string_equal(marks[2].text, "late");
	recording_close(r);
}

/* What the history forgot before it could be brought is lost, and counted. */
static void what_was_forgotten_is_counted(void **state)
{
	struct rig *rig = *state;
	const char *why = "";

	assert_true(tape_start(rig->tape, rig->path, 0, &why));
	rig->l->first = 50;
	tape_stop(rig->tape);
	work(rig, 20000);
	assert_non_null(strstr(rig->said, "150 samples, 50 lost"));
}

static void what_is_there_is_left_alone(void **state)
{
	struct rig *rig = *state;
	const char *why = "";
	struct stat st;
	FILE *f = fopen(rig->path, "w");

	fputs("precious\n", f);
	fclose(f);
	assert_false(tape_start(rig->tape, rig->path, 0, &why));
	assert_non_null(strstr(why, "out.jsonl: "));
	assert_false(tape_runs(rig->tape));
	assert_int_equal(stat(rig->path, &st), 0);
	assert_int_equal(st.st_size, 9);
	assert_false(tape_start(rig->tape, "-", 0, &why));
	assert_non_null(strstr(why, "give a file"));
	assert_false(tape_start(rig->tape, "/nowhere/at/all.jsonl", 0, &why));
	assert_int_equal(tape_fd(rig->tape), -1);
}

/*
 * A file that may not grow stands for a full disk: it is said, the rest is readable, and when there is room again it
 * goes on.
 */
static void a_full_disk(void **state)
{
	struct rig *rig = *state;
	struct rlimit was, small;
	struct recording *r;
	const char *why = "";
	uint64_t bytes;

	getrlimit(RLIMIT_FSIZE, &was);
	small = (struct rlimit){ 6000, was.rlim_max };
	rig->l->end = 150;
	assert_true(tape_start(rig->tape, rig->path, 0, &why));
	setrlimit(RLIMIT_FSIZE, &small);
	work(rig, 300);
	assert_int_equal(tape_state(rig->tape, &bytes), RECORD_FAILING);
	assert_non_null(strstr(rig->said, "File too large; samples are lost"));
	assert_true(bytes <= 6000);
	setrlimit(RLIMIT_FSIZE, &was);
	usleep(1100000);
	rig->l->end = 200;
	work(rig, 300);
	assert_int_equal(tape_state(rig->tape, &bytes), RECORD_RUNS);
	assert_non_null(strstr(rig->said, "it is written again"));
	tape_stop(rig->tape);
	work(rig, 20000);
	assert_non_null(strstr(rig->said, " lost: "));
	r = read_back(rig);
	assert_true(recording_count(r) > 20);
	assert_int_equal(recording_time(r, recording_count(r) - 1), rig->l->leaf[199].mono_us);
	recording_close(r);
}

/* The program may end at any moment: what there is is written first. */
static void the_end_of_the_program(void **state)
{
	struct rig *rig = *state;
	const char *why = "";
	struct recording *r;

	assert_true(tape_start(rig->tape, rig->path, 0, &why));
	tape_free(rig->tape);
	r = read_back(rig);
	assert_int_equal(recording_count(r), 200);
	recording_close(r);
	rig->tape = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_of_it_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_forgotten_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_there_is_left_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_end_of_the_program, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of --json and --derived: when a sample is whole, and that they can be reckoned again.
 */
#include "ui/cli/batch.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/codec.h"
#include "ui/cli/session.h"

#define SECOND INT64_C(1000000)

/* ---- whole samples --------------------------------------------------------------------------- */

/* Frames made by hand: two samples in turn, as a session has them. */
struct hand {
	struct sample samples[2];
	struct step step;
	struct frame frame;
	unsigned int turn;
	struct buf out;
	void *json;
};

static struct hand *hand_new(void)
{
	const struct options o = { .json = true };
	struct hand *h = calloc(1, sizeof(*h));

	h->samples[0].arena = arena_new();
	h->samples[1].arena = arena_new();
	h->step.arena = arena_new();
	h->json = batch_json.open(&o, &h->out);
	return h;
}

static void hand_free(struct hand *h)
{
	batch_json.close(h->json);
	arena_free(h->samples[0].arena);
	arena_free(h->samples[1].arena);
	arena_free(h->step.arena);
	buf_fini(&h->out);
	free(h);
}

/* One more sample. Is its line that of a whole one? */
static bool is_whole(struct hand *h, uint64_t n, int64_t mono_us, const char *boot, bool restart)
{
	struct sample *now = &h->samples[h->turn % 2];
	const struct sample *before = h->turn ? &h->samples[(h->turn - 1) % 2] : NULL;
	const char *line;

	h->turn++;
	sample_reset(now);
	now->n = n;
	now->mono_us = mono_us;
	now->restart = restart;
	now->machine.boot_id = boot;
	step_make(before, now, &h->step);
	h->frame = (struct frame){ .now = now, .step = &h->step };
	buf_clear(&h->out);
	batch_json.put(h->json, &h->frame);
	line = strstr(h->out.data, "{\"type\":\"sample\"");
	assert_non_null(line);
	assert_int_equal(line != h->out.data, n == 0 && h->turn == 1);
	return strstr(line, "\"key\":true") != NULL;
}

/* The first one, and one a minute. */
static void whole_now_and_then(void **state)
{
	struct hand *h = hand_new();

	(void)state;
	assert_true(is_whole(h, 0, 5 * SECOND, "a", false));
	assert_false(is_whole(h, 1, 6 * SECOND, "a", false));
	assert_false(is_whole(h, 2, 64 * SECOND, "a", false));
	assert_true(is_whole(h, 3, 65 * SECOND, "a", false));
	assert_false(is_whole(h, 4, 66 * SECOND, "a", false));
	assert_false(is_whole(h, 5, 124 * SECOND, "a", false));
	assert_true(is_whole(h, 6, 130 * SECOND, "a", false));
	hand_free(h);
}

/* What holds while a machine runs stands in whole samples alone: another boot needs one. */
static void whole_after_a_start(void **state)
{
	struct hand *h = hand_new();

	(void)state;
	assert_true(is_whole(h, 0, 500 * SECOND, "a", false));
	assert_true(is_whole(h, 1, 5 * SECOND, "b", false));
	assert_false(is_whole(h, 2, 6 * SECOND, "b", false));
	assert_true(is_whole(h, 3, 1 * SECOND, "b", true));
	hand_free(h);
}

/* ---- reckoned again -------------------------------------------------------------------------- */

/* All lines of a series, as --derived prints them. */
static void lines_of(const char *dir, struct buf *out)
{
	struct session_options so = { .no_pauses = true };
	const struct options o = { .json = true, .derived = true };
	const char *why;
	struct session *s = session_new(source_tree(dir, false, &why), &so);
	struct pollfd fd = { .events = POLLIN };
	void *json = batch_json.open(&o, out);
	struct frame f;
	int rc;

	assert_non_null(s);
	fd.fd = session_feed(s)->ops->fd(session_feed(s));
	while ((rc = session_next(s, &f)) >= 0) {
		if (rc)
			batch_json.put(json, &f);
		else
			poll(&fd, 1, -1);
	}
	batch_json.close(json);
	session_free(s);
}

/* What a session keeps, made again from its own lines. */
struct replay {
	struct codec *codec;
	struct sample samples[2];
	struct step step;
	struct window *window;
	struct buf line, plain[2];
	unsigned int nsamples, nsteps;
};

static void replay_sample(struct replay *r, const char *line, size_t len)
{
	const struct sample *before = r->nsamples ? &r->samples[(r->nsamples - 1) % 2] : NULL;
	struct sample *now = &r->samples[r->nsamples % 2];

	assert_int_equal(codec_read(r->codec, line, len, before, now), 0);
	step_make(before, now, &r->step);
	window_add(r->window, &r->step);
	r->nsamples++;
}

/*
 * The line without the digits of its ages, which may differ by AGE_TOLERANCE_MS in samples that were
 * written as changes, and without the CRC, which they change.
 */
static const char *plain(const char *line, size_t len, struct buf *out)
{
	const char *age = NULL, *p = line, *crc = memmem(line, len, ",\"crc\"", 6);

	buf_clear(out);
	while ((age = memmem(p, (size_t)(crc - p), "age_ms\":", 8))) {
		age += 8;
		buf_add(out, p, (size_t)(age - p));
		p = age + strspn(age, "[]0123456789,null");
	}
	buf_add(out, p, (size_t)(crc - p));
	return out->data;
}

static void replay_step(struct replay *r, const char *line, size_t len)
{
	struct finding findings[FINDING_NR];
	uint32_t n = diagnose(r->window, &r->step, findings);

	buf_clear(&r->line);
	codec_step(r->codec, &r->step, findings, n, &r->line);
	assert_string_equal(plain(r->line.data, r->line.len, &r->plain[0]),
			    plain(line, len, &r->plain[1]));
	r->nsteps++;
}

static void replay_line(struct replay *r, const char *line, size_t len)
{
	static const char sample[] = "{\"type\":\"sample\"", step[] = "{\"type\":\"step\"";

	if (!strncmp(line, sample, sizeof(sample) - 1))
		replay_sample(r, line, len);
	else if (!strncmp(line, step, sizeof(step) - 1))
		replay_step(r, line, len);
}

/* Samples read back from their lines give the step lines that stand between them. */
static void steps_come_out_again(const char *dir, unsigned int samples)
{
	struct replay r = { .codec = codec_new(), .window = window_new(64) };
	struct buf lines = { 0 };

	r.samples[0].arena = arena_new();
	r.samples[1].arena = arena_new();
	r.step.arena = arena_new();
	lines_of(dir, &lines);
	for (char *p = lines.data, *end; (end = strchr(p, '\n')); p = end + 1)
		replay_line(&r, p, (size_t)(end - p));
	assert_int_equal(r.nsamples, samples);
	assert_int_equal(r.nsteps, samples);
	buf_fini(&lines);
	buf_fini(&r.line);
	buf_fini(&r.plain[0]);
	buf_fini(&r.plain[1]);
	window_free(r.window);
	codec_free(r.codec);
	arena_free(r.samples[0].arena);
	arena_free(r.samples[1].arena);
	arena_free(r.step.arena);
}

static void of_each_kernel(void **state)
{
	(void)state;
	steps_come_out_again("tests/roots/6.1-pressure", 15);
	steps_come_out_again("tests/roots/6.12-numa2", 15);
	steps_come_out_again("tests/roots/7.2-pressure", 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_now_and_then),
		cmocka_unit_test(whole_after_a_start),
		cmocka_unit_test(of_each_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blame_test.c - whom a finding names: who was killed, who does not fit, and who grew meanwhile. Nobody where the counters do
 * not say.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reclaimtop/diagnosis.h"
#include "support_sample.h"
#include "support_series.h"

#define SECOND_US 1000000
#define MIB ((uint64_t)1 << 20)
#define MOST 6

/* What one memcg does each second. */
struct life {
	const char *path;
	uint64_t evicted, back;        /* pages */
	uint64_t start, grows;         /* bytes, of memory.current */
	uint64_t kills, hits, max;     /* kills: once, in the last second; max 0: none */
};

struct trial {
	struct sample samples[2];
	struct step step;
	struct window *window;
	struct finding findings[FINDING_NR];
	uint32_t nfindings;
};

static int set_up(void **state)
{
	struct trial *t = calloc(1, sizeof(*t));

	for (int i = 0; i < 2; i++)
		sample_begin(&t->samples[i], 61200, SECOND_US);
	t->step.arena = arena_new();
	t->window = window_new(64);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	struct trial *t = *state;

	sample_end(&t->samples[0]);
	sample_end(&t->samples[1]);
	arena_free(t->step.arena);
	window_free(t->window);
	free(t);
	return 0;
}

static void put_memcg(struct sample *s, struct memcg *m, const struct life *l, uint64_t second, uint64_t last)
{
	*m = (struct memcg){ .path = l->path, .id = UNKNOWN, .max = l->max ? l->max : UNLIMITED, .high = UNLIMITED };
	m->pressure.some = m->pressure.full = psi_line_unknown();
	counters_init(&m->stat, &keytab_memcg, s->arena);
	counters_init(&m->events, &keytab_events, s->arena);
	counters_init(&m->cgroup, &keytab_cgroup, s->arena);
	m->current = l->start + l->grows * second;
	m->swap_current = 0;
	m->stat.value[CG_pgsteal] = l->evicted * second;
	m->stat.value[CG_workingset_refault_anon] = 0;
	m->stat.value[CG_workingset_refault_file] = l->back * second;
	m->events.value[EV_oom_kill] = second == last ? l->kills : 0;
	m->events.value[EV_max] = l->hits * second;
}

/* So many seconds of it; kills are those of the machine in the last one. */
static void live(struct trial *t, const struct life *lives, uint64_t kills)
{
	for (uint64_t i = 0; i < 8; i++) {
		struct sample *s = &t->samples[i % 2];

		sample_reset(s);
		s->machine.version = 61200;
		s->machine.page_size = 4096;
		s->machine.hz = 100;
		s->mono_us = (int64_t)(i + 1) * SECOND_US;
		s->n = i;
		s->memcgs = arena_alloc(s->arena, MOST * sizeof(*s->memcgs));
		for (; lives[s->nmemcgs].path; s->nmemcgs++)
			put_memcg(s, &s->memcgs[s->nmemcgs], &lives[s->nmemcgs], i, 7);
		sample_vm(s, VM_oom_kill, i == 7 ? kills : 0);
		step_make(i ? &t->samples[(i + 1) % 2] : NULL, s, &t->step);
		window_add(t->window, &t->step);
	}
	t->nfindings = diagnose(t->window, &t->step, t->findings);
}

static const char *said(const struct trial *t, const char *rule)
{
	for (uint32_t i = 0; i < t->nfindings; i++)
		if (!strcmp(t->findings[i].rule, rule))
			return t->findings[i].text;
	return "nothing";
}

/* --- who does not fit --- */

/* 7 s of 128 pages are 3.5 MiB, of 512 they are 14 MiB. A share of more than all would only puzzle. */
static void more_comes_back_than_was_taken(void **state)
{
	static const struct life lives[] = { { .path = "/" }, { .path = "/db", .evicted = 150, .back = 512, .start = MIB },
					     { .path = NULL } };
	struct trial *t = *state;

	live(t, lives, 0);
	assert_string_equal(said(t, "working-set"), "the working set of /db does not fit: in the last 7 s 4.1 MiB were "
			    "evicted, and 14 MiB came back, part of it gone for longer");
}

static void who_grew_meanwhile_is_named(void **state)
{
	static const struct life lives[] = {
		{ .path = "/", .grows = 9 * MIB },
		{ .path = "/db", .evicted = 1000, .back = 512, .start = 50 * MIB },
		{ .path = "/db/inner", .evicted = 1, .start = MIB, .grows = 8 * MIB },
		{ .path = "/batch", .evicted = 100, .back = 100, .start = 100 * MIB, .grows = 3 * MIB },
		{ .path = "/small", .evicted = 1, .start = MIB, .grows = MIB },
		{ .path = NULL },
	};
	struct trial *t = *state;

	live(t, lives, 0);
	/* From the end of the first second that counts to that of the last: six of them. */
	assert_string_equal(said(t, "working-set"), "the working set of /db does not fit: in the last 7 s refaults came to "
			    "51 % of evictions; meanwhile /batch grew by 18 MiB");
}

/* Growth that is only what came back is nobody's fault; neither is another's, where one's own limit is in the way. */
static void who_only_recovers_is_not(void **state)
{
	static const struct life recovers[] = {
		{ .path = "/batch", .evicted = 1000, .back = 512 },
		{ .path = "/db", .evicted = 100, .back = 511, .grows = 2 * MIB },
		{ .path = NULL },
	};
	static const struct life limited[] = {
		{ .path = "/capped", .evicted = 1000, .back = 512, .start = 40 * MIB, .hits = 3, .max = 40 * MIB },
		{ .path = "/other", .evicted = 1, .grows = 9 * MIB },
		{ .path = NULL },
	};
	struct trial *t = *state;

	live(t, recovers, 0);
	assert_null(strstr(said(t, "working-set"), "grew"));
	window_clear(t->window);
	live(t, limited, 0);
	assert_non_null(strstr(said(t, "working-set"), "/capped"));
	assert_null(strstr(said(t, "working-set"), "grew"));
}

/* --- who was killed --- */

/* Events count for those above, too: the innermost is it. No limit was in the way. */
static void a_memcg_of_a_killed_process_is_named(void **state)
{
	static const struct life lives[] = { { .path = "/", .kills = 1 }, { .path = "/user", .kills = 1 },
					     { .path = "/user/job", .kills = 1, .max = 900 * MIB }, { .path = "/web" },
					     { .path = NULL } };
	struct trial *t = *state;

	live(t, lives, 1);
	assert_string_equal(said(t, "oom-kill"), "1 process of /user/job was killed for lack of memory in the last 7 s");
	assert_string_equal(said(t, "memcg-killed"), "nothing");
}

static void kills_in_several_are_nobodys(void **state)
{
	static const struct life lives[] = { { .path = "/", .kills = 2 }, { .path = "/a", .kills = 1 },
					     { .path = "/b", .kills = 1 }, { .path = NULL } };
	struct trial *t = *state;

	live(t, lives, 2);
	assert_string_equal(said(t, "oom-kill"), "2 processes were killed for lack of memory in the last 7 s");
}

/* The limit says it all: once is enough. */
static void a_kill_at_a_limit_is_said_once(void **state)
{
	static const struct life lives[] = { { .path = "/leak", .kills = 1, .hits = 5, .max = 64 * MIB, .start = 60 * MIB },
					     { .path = NULL } };
	struct trial *t = *state;

	live(t, lives, 1);
	assert_string_equal(said(t, "memcg-killed"),
			    "1 process of /leak was killed in the last 7 s: it may have no more than 64 MiB");
	assert_string_equal(said(t, "oom-kill"), "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(more_comes_back_than_was_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_grew_meanwhile_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_only_recovers_is_not, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_memcg_of_a_killed_process_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(kills_in_several_are_nobodys, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_kill_at_a_limit_is_said_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

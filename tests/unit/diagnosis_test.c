/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diagnosis_test.c - what is said, what is not, and what a window remembers.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reclaimtop/diagnosis.h"
#include "support_parse.h"
#include "support_sample.h"
#include "support_series.h"

#define SECOND_US 1000000

/* Samples a second apart, their steps in a window. The newest sample is now(). */
struct talk {
	struct sample samples[2];
	uint32_t n;
	struct step step;
	struct window *window;
	struct finding findings[FINDING_NR];
	uint32_t nfindings;
};

static int talk_setup(void **state)
{
	struct talk *t = calloc(1, sizeof(*t));

	for (int i = 0; i < 2; i++)
		sample_begin(&t->samples[i], 61200, SECOND_US);
	t->step.arena = arena_new();
	t->window = window_new(64);
	*state = t;
	return 0;
}

static int talk_teardown(void **state)
{
	struct talk *t = *state;

	sample_end(&t->samples[0]);
	sample_end(&t->samples[1]);
	arena_free(t->step.arena);
	window_free(t->window);
	free(t);
	return 0;
}

/* The next sample, empty; to be filled, and then told. */
static struct sample *next(struct talk *t)
{
	struct sample *s = &t->samples[t->n % 2];

	sample_reset(s);
	s->machine.version = 61200;
	s->machine.page_size = 4096;
	s->machine.hz = 100;
	s->mono_us = (int64_t)(t->n + 1) * SECOND_US;
	s->n = t->n++;
	return s;
}

static void tell(struct talk *t)
{
	const struct sample *now = &t->samples[(t->n + 1) % 2];

	step_make(t->n > 1 ? &t->samples[t->n % 2] : NULL, now, &t->step);
	window_add(t->window, &t->step);
	t->nfindings = diagnose(t->window, &t->step, t->findings);
}

static const struct finding *said(const struct talk *t, const char *rule)
{
	for (uint32_t i = 0; i < t->nfindings; i++)
		if (!strcmp(t->findings[i].rule, rule))
			return &t->findings[i];
	return NULL;
}

static void says(const struct talk *t, const char *rule, enum severity severity, const char *text)
{
	const struct finding *f = said(t, rule);

	if (!f)
		fail_msg("%s is not said", rule);
	assert_int_equal(f->severity, severity);
	assert_string_equal(f->text, text);
	assert_true(f->evidence[0]);
}

static void says_nothing(const struct talk *t)
{
	if (t->nfindings)
		fail_msg("said: %s", t->findings[0].text);
}

/* --- reclaim --- */

struct second {
	uint64_t kswapd, direct, stalls, some_us, full_us, oom_kills, scanned;
};

/* Counters go on by what happened in the second. */
static void go_on(struct talk *t, struct second *sum, const struct second *s)
{
	struct sample *now = next(t);

	sum->kswapd += s->kswapd;
	sum->direct += s->direct;
	sum->stalls += s->stalls;
	sum->some_us += s->some_us;
	sum->full_us += s->full_us;
	sum->oom_kills += s->oom_kills;
	sum->scanned += s->scanned ? s->scanned : s->kswapd + s->direct;
	sample_vm(now, VM_pgsteal_kswapd, sum->kswapd);
	sample_vm(now, VM_pgsteal_direct, sum->direct);
	sample_vm(now, VM_pgsteal_anon, 0);
	sample_vm(now, VM_pgsteal_file, sum->kswapd + sum->direct);
	sample_vm(now, VM_pgscan_anon, 0);
	sample_vm(now, VM_pgscan_file, sum->scanned);
	sample_vm(now, VM_allocstall_normal, sum->stalls);
	sample_vm(now, VM_oom_kill, sum->oom_kills);
	now->psi[PSI_MEMORY].some.total_us = sum->some_us;
	now->psi[PSI_MEMORY].full.total_us = sum->full_us;
	tell(t);
}

static void seconds(struct talk *t, const struct second *s, int n)
{
	struct second sum = { .kswapd = 1000 };

	go_on(t, &sum, &(struct second){ 0 });
	for (int i = 0; i < n; i++)
		go_on(t, &sum, s);
}

static void silence_where_nothing_is_wrong(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ 0 }, 20);
	says_nothing(t);
}

static void kswapd_keeps_up(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 3072 }, 8);
	assert_int_equal(t->nfindings, 1);
	says(t, "kswapd-keeps-up", SEVERITY_NOTE,
	     "kswapd keeps up: it took 12 MiB/s, no allocation had to wait");
}

static void a_stall_or_two_is_nearly(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 3072, .stalls = 2, .some_us = 1000 }, 8);
	assert_int_equal(t->nfindings, 1);
	says(t, "kswapd-keeps-up", SEVERITY_NOTE,
	     "kswapd nearly keeps up: it took 12 MiB/s, 10 allocations in 5 s had to wait");
}

static void direct_reclaim_stalls(void **state)
{
	struct talk *t = *state;

	seconds(t,
		&(struct second){ .kswapd = 3072, .direct = 500, .stalls = 62, .some_us = 64000 },
		8);
	says(t, "direct-stalls", SEVERITY_WARN,
	     "direct reclaim stalls: 310 allocations in 5 s had to "
	     "reclaim themselves, memory pressure cost 320 ms");
	assert_null(said(t, "kswapd-keeps-up"));
}

static void pressure_is_an_alarm_when_all_stand_still(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 30, .some_us = 99000, .full_us = 50000 }, 14);
	assert_null(said(t, "pressure"));
	seconds(t, &(struct second){ .kswapd = 30, .some_us = 230000, .full_us = 50000 }, 14);
	says(t, "pressure", SEVERITY_WARN,
	     "some task waited for memory during 23 % of the last 12 s");
	seconds(t, &(struct second){ .kswapd = 30, .some_us = 600000, .full_us = 350000 }, 14);
	says(t, "pressure", SEVERITY_ALARM,
	     "all tasks that had work waited for memory during 35 % of the last 12 s");
}

static void reclaim_finds_little(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 400, .scanned = 20000 }, 14);
	says(t, "finds-little", SEVERITY_WARN,
	     "reclaim finds little: of the pages it took off the lists 2 % could be freed");
	seconds(t, &(struct second){ .kswapd = 2100, .scanned = 20000 }, 14);
	assert_null(said(t, "finds-little"));
	/* Little work finds little, and nobody minds. */
	seconds(t, &(struct second){ .kswapd = 1, .scanned = 900 }, 14);
	assert_null(said(t, "finds-little"));
}

static void nine_kills_are_nine(void **state)
{
	struct talk *t = *state;
	struct second sum = { 0 };

	for (int i = 0; i < 3; i++)
		go_on(t, &sum, &(struct second){ 0 });
	go_on(t, &sum, &(struct second){ .oom_kills = 9 });
	says(t, "oom-kill", SEVERITY_ALARM,
	     "9 processes were killed for lack of memory in the last 3 s");
	for (int i = 0; i < 12; i++)
		go_on(t, &sum, &(struct second){ 0 });
	says_nothing(t);
	go_on(t, &sum, &(struct second){ .oom_kills = 1 });
	says(t, "oom-kill", SEVERITY_ALARM,
	     "1 process was killed for lack of memory in the last 12 s");
}

static void disagreement_is_said(void **state)
{
	struct talk *t = *state;
	struct second sum = { 0 };

	go_on(t, &sum, &(struct second){ .kswapd = 3000 });
	go_on(t, &sum, &(struct second){ .kswapd = 3000 });
	assert_null(said(t, "counters-disagree"));
	next(t);
	sample_vm(&t->samples[0], VM_pgsteal_kswapd, 12000);
	sample_vm(&t->samples[0], VM_pgsteal_direct, 0);
	sample_vm(&t->samples[0], VM_pgsteal_anon, 0);
	sample_vm(&t->samples[0], VM_pgsteal_file, 7000);
	tell(t);
	says(t, "counters-disagree", SEVERITY_WARN,
	     "the kernel's counters disagree: reclaim by type and "
	     "by who differ by -5000 pages");
}

/* --- reports --- */

/* kswapd kills though nearly all is free: all generations are younger than min_ttl_ms. */
static void min_ttl_kills(void **state)
{
	struct talk *t = *state;
	static const char *const files[2] = { "tests/cases/min-ttl-kills/vmstat.1",
					      "tests/cases/min-ttl-kills/vmstat.2" };

	for (int i = 0; i < 2; i++) {
		struct sample *s = next(t);
		struct text vmstat = text_load(files[i]);
		struct text gens = text_load("tests/cases/min-ttl-kills/lru_gen");
		struct text ttl = text_load("tests/cases/min-ttl-kills/lru_gen_sysfs/min_ttl_ms");

		assert_int_equal(vmstat_parse(vmstat, s, &s->readings[READ_VMSTAT]), 0);
		assert_int_equal(lru_gen_parse(gens, s, &s->readings[READ_LRU_GEN]), 0);
		s->machine.min_ttl_ms = number_parse(ttl);
		free((void *)(uintptr_t)vmstat.buf);
		free((void *)(uintptr_t)gens.buf);
		free((void *)(uintptr_t)ttl.buf);
		tell(t);
	}
	says(t, "oom-kill", SEVERITY_ALARM,
	     "9 processes were killed for lack of memory in the last 1 s");
	says(t, "min-ttl", SEVERITY_ALARM,
	     "min_ttl_ms is 1000 and every generation is younger: kswapd "
	     "kills a process instead of evicting");
}

/*
 * All of a report's lines "MA=7367=75% … SF=58696 SU=0": available, swap free and used, in MiB, two
 * seconds apart.
 */
static void a_kill_with_all_swap_free(void **state)
{
	struct talk *t = *state;
	FILE *f = fopen("tests/cases/kill-with-swap-free/mem2log.txt", "r");
	char line[200];
	struct second sum = { 0 };
	int alarms = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		uint64_t available = strtoull(strchr(line, '=') + 1, NULL, 10);
		uint64_t swap_free = strtoull(strstr(line, "SF=") + 3, NULL, 10);
		bool low = available < 100;
		struct sample *s;

		go_on(t, &sum,
		      &(struct second){ .kswapd = low ? 100 : 0,
					.scanned = low ? 40000 : 0,
					.full_us = low ? 700000 : 0,
					.some_us = low ? 900000 : 0 });
		s = &t->samples[(t->n + 1) % 2];
		counters_init(&s->meminfo, &keytab_meminfo, s->arena);
		s->meminfo.value[MEM_SwapTotal] = s->meminfo.value[MEM_SwapFree] = swap_free * 1024;
		t->nfindings = diagnose(t->window, &t->step, t->findings);
		if (!low)
			says_nothing(t);
		else
			alarms += said(t, "pressure") &&
				  said(t, "pressure")->severity == SEVERITY_ALARM;
		assert_null(said(t, "swap-nearly-full"));
	}
	fclose(f);
	/* Two of the four: the first second of twelve and the second are not a fifth yet. */
	assert_true(alarms >= 2);
	assert_non_null(said(t, "finds-little"));
}

static void of_zoneinfo(struct talk *t, const char *path, uint32_t page_size)
{
	struct text text = text_load(path);

	for (int i = 0; i < 2; i++) {
		struct sample *s = next(t);

		assert_int_equal(zoneinfo_parse(text, s, &s->readings[READ_ZONEINFO]), 0);
		s->machine.page_size = page_size;
		tell(t);
	}
	free((void *)(uintptr_t)text.buf);
}

static void zones_speak(void **state)
{
	struct talk *t = *state;

	of_zoneinfo(t, "tests/cases/zoneinfo-cma-free/zoneinfo", 4096);
	assert_int_equal(t->nfindings, 1);
	says(t, "zone-below-min", SEVERITY_ALARM,
	     "zone DMA of node 0 is below min: 5.4 MiB usable, 10 MiB "
	     "must stay free; 502 MiB more are CMA, for movable pages only");
	of_zoneinfo(t, "tests/cases/zoneinfo-node-3-alone/zoneinfo", 65536);
	says(t, "nothing-reclaimable", SEVERITY_WARN,
	     "kswapd3 cannot make progress: node 3 has no reclaimable page");
	of_zoneinfo(t, "tests/cases/zoneinfo-empty-movable/zoneinfo", 4096);
	says_nothing(t);
	of_zoneinfo(t, "tests/cases/zoneinfo-nine-pages/zoneinfo", 4096);
	says_nothing(t);
	of_zoneinfo(t, "tests/cases/zoneinfo-unnamed-counter/zoneinfo", 4096);
	says_nothing(t);
}

/* Named where nothing else is pressed, and not as an alarm. */
static void a_tiny_zone_is_a_note(void **state)
{
	static const uint64_t marks[3] = { 2, 3, 4 }, large[3] = { 100, 2000, 3000 };
	struct talk *t = *state;
	struct sample *s = next(t);

	sample_zone(s, 0, "DMA32", 50000, large);
	sample_zone(s, 0, "Normal", 1, marks)->managed = 9;
	tell(t);
	assert_int_equal(t->nfindings, 1);
	says(t, "tiny-zone", SEVERITY_NOTE,
	     "the tiny zone Normal of node 0 is below min: kswapd may run for it alone");
}

/* A thread that runs all the time over empty lists, whatever the watermarks say. */
static void a_busy_kswapd_without_pages(void **state)
{
	static struct process kswapd = { .pid = 30, .kind = PROCESS_KSWAPD, .node = 2 };
	struct talk *t = *state;

	for (uint64_t i = 0; i < 2; i++) {
		struct sample *s = next(t);
		struct node *n = arena_alloc(s->arena, sizeof(*n));

		n->id = 2;
		counters_init(&n->stats, &keytab_node, s->arena);
		n->stats.value[NODE_nr_inactive_anon] = n->stats.value[NODE_nr_active_anon] = 0;
		n->stats.value[NODE_nr_inactive_file] = n->stats.value[NODE_nr_active_file] = 0;
		s->nodes = n;
		s->nnodes = 1;
		s->processes = arena_copy(s->arena, &kswapd, sizeof(kswapd));
		s->processes[0].cpu_ticks = 99 * i;
		s->nprocesses = 1;
		tell(t);
	}
	says(t, "nothing-reclaimable", SEVERITY_WARN,
	     "kswapd2 cannot make progress: node 2 has no reclaimable page");
	assert_non_null(
		strstr(said(t, "nothing-reclaimable")->evidence, "kswapd used 990 ms of CPU"));
}

static void pagesets_strand_pages(void **state)
{
	static const uint64_t marks[3] = { 100, 2000, 3000 };
	struct talk *t = *state;

	for (int i = 0; i < 2; i++) {
		struct sample *s = next(t);
		struct zone *z = sample_zone(s, 1, "Normal", 1800, marks);

		z->npagesets = 1;
		z->pagesets = arena_alloc(s->arena, sizeof(*z->pagesets));
		z->pagesets[0] = (struct pageset){ 0, 820, 900, 63, UNKNOWN, UNKNOWN };
		sample_vm(s, VM_pgscan_kswapd, i * 100);
		sample_vm(s, VM_pgscan_direct, 0);
		tell(t);
	}
	says(t, "stranded", SEVERITY_WARN,
	     "3.2 MiB of free pages stand in pagesets while zone Normal of node 1 is below low");
}

/* --- swap --- */

static void swap_speaks(void **state)
{
	struct talk *t = *state;

	for (uint64_t i = 0; i < 6; i++) {
		struct sample *s = next(t);

		counters_init(&s->meminfo, &keytab_meminfo, s->arena);
		s->meminfo.value[MEM_SwapTotal] = 1000000;
		s->meminfo.value[MEM_SwapFree] = 20000;
		sample_vm(s, VM_pgscan_anon, i * 50);
		sample_vm(s, VM_pgscan_file, 0);
		sample_vm(s, VM_pswpout, i * 3072);
		sample_vm(s, VM_pswpin, i * 2816);
		tell(t);
	}
	says(t, "swap-nearly-full", SEVERITY_WARN,
	     "swap is nearly full (98 %), and anonymous pages are still scanned");
	says(t, "swap-thrash", SEVERITY_WARN,
	     "swap thrashes: 12 MiB/s go out, and 11 MiB/s come back");
}

/* --- memcgs --- */

static struct memcg *put_memcg(struct sample *s, const char *path)
{
	struct memcg *list = arena_alloc(s->arena, (s->nmemcgs + 1) * sizeof(*list)), *m;

	if (s->nmemcgs)
		memcpy(list, s->memcgs, s->nmemcgs * sizeof(*list));
	m = &list[s->nmemcgs++];
	*m = (struct memcg){ .path = path, .id = UNKNOWN, .max = UNLIMITED, .high = UNLIMITED };
	m->pressure.some = m->pressure.full = psi_line_unknown();
	counters_init(&m->stat, &keytab_memcg, s->arena);
	counters_init(&m->events, &keytab_events, s->arena);
	counters_init(&m->cgroup, &keytab_cgroup, s->arena);
	s->memcgs = list;
	return m;
}

static void loses(struct sample *s, const char *path, uint64_t evicted, uint64_t refaulted)
{
	struct memcg *m = put_memcg(s, path);

	m->stat.value[CG_pgsteal] = evicted;
	m->stat.value[CG_workingset_refault_anon] = 0;
	m->stat.value[CG_workingset_refault_file] = refaulted;
}

static void a_working_set_does_not_fit(void **state)
{
	struct talk *t = *state;

	for (uint64_t i = 0; i < 14; i++) {
		struct sample *s = next(t);

		loses(s, "/", 1300 * i, 420 * i);
		loses(s, "/db.slice", 1000 * i, 410 * i);
		loses(s, "/db.slice/db", 1000 * i, 410 * i);
		loses(s, "/web", 300 * i, 10 * i);
		loses(s, "/small", 5 * i, 5 * i);
		tell(t);
	}
	says(t, "working-set", SEVERITY_WARN,
	     "the working set of /db.slice/db does not fit: in the last "
	     "12 s refaults came to 41 % of evictions");
}

static void a_memcg_stands_at_its_limit(void **state)
{
	struct talk *t = *state;

	for (uint64_t i = 0; i < 6; i++) {
		struct sample *s = next(t);
		struct memcg *m = put_memcg(s, "/parent");

		/* Its children's hits count here too; it has room itself. */
		m->max = UINT64_C(1) << 30;
		m->current = UINT64_C(200) << 20;
		m->events.value[EV_max] = 130 * i;
		m = put_memcg(s, "/parent/web");
		m->max = UINT64_C(64) << 20;
		m->current = UINT64_C(63) << 20;
		m->events.value[EV_max] = 100 * i;
		m->events.value[EV_oom_kill] = i > 4;
		m = put_memcg(s, "/slow");
		m->high = UINT64_C(1) << 20;
		m->current = UINT64_C(1) << 20;
		m->events.value[EV_high] = i;
		tell(t);
	}
	says(t, "memcg-limit", SEVERITY_WARN,
	     "/parent/web is at its limit of 64 MiB: it ran into it 500 times in 5 s");
	says(t, "memcg-killed", SEVERITY_ALARM,
	     "1 process of /parent/web was killed in the last 5 s: it may have no more than 64 MiB");
	says(t, "memcg-high", SEVERITY_WARN,
	     "/slow is slowed down at its memory.high of 1 MiB: 5 times in 5 s");
	assert_string_equal(t->findings[0].rule, "memcg-killed");
}

/* More removed memcgs than living ones is no news; that they grow in number is. */
static void dying_memcgs_speak_when_they_grow(void **state)
{
	struct talk *t = *state;

	for (uint64_t i = 0; i < 5; i++) {
		put_memcg(next(t), "/")->cgroup.value[CS_nr_dying_descendants] = 5000 + i;
		tell(t);
	}
	says_nothing(t);
	for (uint64_t i = 0; i < 5; i++) {
		put_memcg(next(t), "/")->cgroup.value[CS_nr_dying_descendants] = 6000 + 40 * i;
		tell(t);
	}
	assert_non_null(said(t, "dying-memcgs"));
	assert_int_equal(said(t, "dying-memcgs")->severity, SEVERITY_NOTE);
}

/* --- the window --- */

static void a_reset_forgets(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 3072, .oom_kills = 1 }, 8);
	assert_int_equal(window_count(t->window), 9);
	assert_int_equal(window_brief(t->window, 0)->stolen_by[WHO_KSWAPD], 3072);
	assert_int_equal(window_brief(t->window, 0)->oom_kills, 1);
	assert_int_equal(window_brief(t->window, 8)->state, STEP_FIRST);
	assert_true(window_brief(t->window, 8)->oom_kills == UNKNOWN);
	assert_null(window_brief(t->window, 9));
	next(t)->restart = true;
	tell(t);
	assert_int_equal(window_count(t->window), 1);
	says_nothing(t);
	window_clear(t->window);
	assert_int_equal(window_count(t->window), 0);
}

static void a_window_holds_what_it_can(void **state)
{
	struct talk *t = *state;

	seconds(t, &(struct second){ .kswapd = 7 }, 200);
	assert_int_equal(window_count(t->window), 64);
	assert_int_equal(window_brief(t->window, 63)->stolen_by[WHO_KSWAPD], 7);
	assert_int_equal(window_brief(t->window, 0)->t_us - window_brief(t->window, 63)->t_us,
			 63 * SECOND_US);
}

static void anything_can_be_told(void **state)
{
	struct talk *t = *state;
	struct rng rng = { 77 };

	sample_random(&rng, &t->samples[0]);
	for (int i = 0; i < 300; i++) {
		t->n = (uint32_t)i + 1;
		tell(t);
		for (uint32_t k = 0; k < t->nfindings; k++) {
			assert_true(strlen(t->findings[k].text) < FINDING_TEXT);
			if (k)
				assert_true(t->findings[k - 1].severity >= t->findings[k].severity);
		}
		sample_random_next(&rng, &t->samples[i & 1], &t->samples[(i + 1) & 1]);
	}
}

/* --- the kernel's own series --- */

static void tell_series(struct talk *t, const char *dir, uint32_t trees)
{
	struct series *s = series_load(dir);

	window_clear(t->window);
	for (uint32_t i = 0; i < s->n && i < trees; i++) {
		step_make(i ? &s->samples[i - 1] : NULL, &s->samples[i], &t->step);
		window_add(t->window, &t->step);
	}
	t->nfindings = diagnose(t->window, &t->step, t->findings);
	series_free(s);
}

static void idle_series_are_silent(void **state)
{
	struct talk *t = *state;

	for (size_t i = 0; i < sizeof(series_dirs) / sizeof(series_dirs[0]); i++) {
		bool idle = !strstr(series_dirs[i], "pressure");

		tell_series(t, series_dirs[i], 14);
		if (idle)
			says_nothing(t);
	}
}

static void pressed_series_name_the_victim(void **state)
{
	static const char *const dirs[] = { "tests/roots/6.1-pressure", "tests/roots/6.12-pressure",
					    "tests/roots/7.2-pressure" };
	struct talk *t = *state;

	for (size_t i = 0; i < 3; i++) {
		tell_series(t, dirs[i], 12);
		assert_non_null(said(t, "working-set"));
		assert_non_null(strstr(said(t, "working-set")->text,
				       "the working set of /db does not fit"));
		assert_non_null(said(t, "direct-stalls"));
	}
	for (size_t i = 1; i < 3; i++) {
		tell_series(t, dirs[i], 15);
		assert_non_null(said(t, "memcg-limit"));
		assert_non_null(
			strstr(said(t, "memcg-limit")->text, "/web is at its limit of 64 MiB"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TALK(name) cmocka_unit_test_setup_teardown(name, talk_setup, talk_teardown)
		TALK(silence_where_nothing_is_wrong),
		TALK(kswapd_keeps_up),
		TALK(a_stall_or_two_is_nearly),
		TALK(direct_reclaim_stalls),
		TALK(pressure_is_an_alarm_when_all_stand_still),
		TALK(reclaim_finds_little),
		TALK(nine_kills_are_nine),
		TALK(disagreement_is_said),
		TALK(min_ttl_kills),
		TALK(a_kill_with_all_swap_free),
		TALK(zones_speak),
		TALK(a_tiny_zone_is_a_note),
		TALK(a_busy_kswapd_without_pages),
		TALK(pagesets_strand_pages),
		TALK(swap_speaks),
		TALK(a_working_set_does_not_fit),
		TALK(a_memcg_stands_at_its_limit),
		TALK(dying_memcgs_speak_when_they_grow),
		TALK(a_reset_forgets),
		TALK(a_window_holds_what_it_can),
		TALK(anything_can_be_told),
		TALK(idle_series_are_silent),
		TALK(pressed_series_name_the_victim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

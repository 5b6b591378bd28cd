/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel files that cannot be read: the others are, the reason is kept, and nothing is tried without end. */
#include "collectors/live.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_rig.h"

/* Everything but the given readings is as it should be. */
static void others_are_read(const struct sample *s, enum reading_id a, enum reading_id b)
{
	for (enum reading_id id = 0; id < READ_NR; id++)
		if (id != a && id != b && id != READ_PAGETYPEINFO && id != READ_PROCESSES &&
		    id != READ_LRU_GEN_FULL && id != READ_EVENTS)
			is_read(s, id, READING_OK, 0);
}

/* ---- https://github.com/netdata/netdata/issues/7531 ---- */

static void pressure_that_is_off(void **state)
{
	static const char *const files[] = {
		"proc/pressure/memory", "proc/pressure/io", "proc/pressure/cpu",
		"sys/fs/cgroup/web/memory.pressure",
	};
	struct rig *rig = *state;
	const struct sample *s;

	for (size_t i = 0; i < 4; i++)
		fake_fail(rig->f, files[i], EOPNOTSUPP);
	for (int i = 0; i < 600; i++) {
		s = rig_take(rig, SECOND / 10);
		is_read(s, READ_PSI_MEMORY, READING_FAILED, EOPNOTSUPP);
		is_read(s, READ_PSI_IO, READING_FAILED, EOPNOTSUPP);
		is_read(s, READ_PSI_CPU, READING_FAILED, EOPNOTSUPP);
		assert_true(s->psi[PSI_MEMORY].some.total_us == UNKNOWN);
		is_read(s, READ_VMSTAT, READING_OK, 0);
		/* The memcgs go on without it. */
		is_read(s, READ_CGROUP, READING_OK, 0);
		assert_int_equal(s->nmemcgs, 3);
	}
	/* A minute at ten a second. */
	for (size_t i = 0; i < 4; i++)
		assert_in_range(fake_reads(rig->f, files[i]), 6, 7);
	/* A kernel may also lack the folder. */
	fake_remove(rig->f, "proc/pressure");
	s = rig_take(rig, 10 * SECOND);
	s = rig_take(rig, SECOND);
	is_read(s, READ_PSI_IO, READING_FAILED, ENOENT);
	/* And it may be switched on. */
	fake_machine(rig->f);
	rig_take(rig, 10 * SECOND);
	s = rig_take(rig, SECOND);
	is_read(s, READ_PSI_IO, READING_OK, 0);
	assert_int_equal(s->psi[PSI_IO].some.total_us, 2828208);
}

/* ---- https://github.com/prometheus/node_exporter/issues/3259 ---- */

static void each_pressure_stands_alone(void **state)
{
	static const char *const names[] = { "cpu", "memory", "io" };
	struct rig *rig = *state;
	const struct sample *s;

	for (size_t i = 0; i < 3; i++) {
		char path[96], *text;

		snprintf(path, sizeof(path), "tests/cases/pressure-cpu-without-full/pressure/%s", names[i]);
		text = fake_load(path, NULL);
		snprintf(path, sizeof(path), "proc/pressure/%s", names[i]);
		fake_set(rig->f, path, text);
		free(text);
	}
	s = rig_take(rig, SECOND);
	others_are_read(s, READ_NR, READ_NR);
	assert_true(s->psi[PSI_CPU].some.total_us == 111749368752);
	assert_int_equal(s->psi[PSI_CPU].some.avg10, 265);
	assert_true(s->psi[PSI_CPU].full.total_us == UNKNOWN);
	assert_true(s->psi[PSI_CPU].full.avg10 == UNKNOWN);
	assert_int_equal(s->psi[PSI_MEMORY].some.total_us, 0);
	assert_int_equal(s->psi[PSI_IO].full.total_us, 2334731);
	fake_remove(rig->f, "proc/pressure/cpu");
	s = rig_take(rig, SECOND);
	others_are_read(s, READ_PSI_CPU, READ_PSI_CPU);
	is_read(s, READ_PSI_CPU, READING_FAILED, ENOENT);
}

/* ---- https://github.com/iovisor/bcc/pull/2942 ---- */

static void debugfs_in_all_its_moods(void **state)
{
	static const int errs[] = { 0, EPERM, EACCES, ENOENT, ENODEV };
	const int n = sizeof(errs) / sizeof(errs[0]);

	(void)state;
	for (int i = 0; i < n * n; i++) {
		int err = errs[i / n], full_err = errs[i % n];
		const struct sample *s;
		void *own;

		rig_setup(&own);
		fake_fail(((struct rig *)own)->f, "sys/kernel/debug/lru_gen", err);
		fake_fail(((struct rig *)own)->f, "sys/kernel/debug/lru_gen_full", full_err);
		s = rig_take(own, SECOND);
		others_are_read(s, READ_LRU_GEN, READ_LRU_GEN_FULL);
		is_read(s, READ_LRU_GEN, err ? READING_FAILED : READING_OK, err);
		is_read(s, READ_LRU_GEN_FULL, full_err ? READING_FAILED : READING_OK, full_err);
		/* Only the root stands in lru_gen_full. */
		assert_int_equal(s->nlruvecs, !err ? 3 : !full_err ? 1 : 0);
		/* Without lru_gen the memcgs come from their own folders. */
		assert_int_equal(s->nmemcgs, err && !full_err ? 1 : 3);
		rig_teardown(&own);
	}
}

static void lockdown_leaves_the_full_file(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	const char *reason;
	char *text = fake_load("tests/cases/lockdown/sys/kernel/security/lockdown", NULL);

	fake_set(rig->f, "sys/kernel/security/lockdown", text);
	fake_fail(rig->f, "sys/kernel/debug/lru_gen", EPERM);
	for (int i = 0; i < 100; i++) {
		s = rig_take(rig, SECOND / 10);
		is_read(s, READ_LRU_GEN, READING_FAILED, EPERM);
		is_read(s, READ_LRU_GEN_FULL, READING_OK, 0);
		assert_int_equal(s->lruvecs[0].gens[2].pages[TYPE_FILE], 5);
		assert_string_equal(s->machine.lockdown, "integrity");
	}
	assert_int_equal(sample_rung(s, &reason), RUNG_LRU_GEN_FULL);
	assert_int_equal(fake_reads(rig->f, "sys/kernel/debug/lru_gen"), 1);
	assert_int_equal(fake_reads(rig->f, "sys/kernel/debug/lru_gen_full"), 100);
	free(text);
}

static void debugfs_is_found_when_it_is_mounted(void **state)
{
	struct rig *rig = *state;
	int i;

	fake_fail(rig->f, "sys/kernel/debug", ENOENT);
	is_read(rig_take(rig, SECOND / 10), READ_LRU_GEN, READING_FAILED, ENOENT);
	fake_fail(rig->f, "sys/kernel/debug", 0);
	for (i = 1; i < 200; i++)
		if (rig_take(rig, SECOND / 10)->readings[READ_LRU_GEN].state == READING_OK)
			break;
	assert_int_equal(i, 100);
}

/* ---- https://github.com/nicolargo/glances/issues/152 ---- */

static const struct {
	enum reading_id id;
	const char *path;
} singles[] = {
	{ READ_VMSTAT, "proc/vmstat" },
	{ READ_ZONEINFO, "proc/zoneinfo" },
	{ READ_BUDDYINFO, "proc/buddyinfo" },
	{ READ_PSI_MEMORY, "proc/pressure/memory" },
	{ READ_PSI_IO, "proc/pressure/io" },
	{ READ_PSI_CPU, "proc/pressure/cpu" },
	{ READ_MEMINFO, "proc/meminfo" },
	{ READ_SWAPS, "proc/swaps" },
	{ READ_MGLRU, "sys/kernel/mm/lru_gen/enabled" },
	{ READ_LRU_GEN, "sys/kernel/debug/lru_gen" },
	{ READ_ZRAM, "sys/block" },
};

static void one_file_does_not_take_the_others_along(void **state)
{
	static const int errs[] = { EACCES, EPERM, EIO, EMFILE, ENOMEM };

	(void)state;
	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++)
		for (size_t e = 0; e < sizeof(errs) / sizeof(errs[0]); e++) {
			void *own;

			rig_setup(&own);
			fake_fail(((struct rig *)own)->f, singles[i].path, errs[e]);
			for (int n = 0; n < 3; n++) {
				const struct sample *s = rig_take(own, SECOND / 10);

				is_read(s, singles[i].id, READING_FAILED, errs[e]);
				others_are_read(s, singles[i].id, READ_LRU_GEN_FULL);
			}
			rig_teardown(&own);
		}
}

/* What may be over in a moment is tried with each sample, what is not so now and then. */
static void passing_faults_are_tried_again(void **state)
{
	struct rig *rig = *state;

	fake_fail(rig->f, "proc/vmstat", EIO);
	fake_fail(rig->f, "proc/meminfo", EACCES);
	for (int i = 0; i < 50; i++)
		rig_take(rig, SECOND / 10);
	assert_int_equal(fake_reads(rig->f, "proc/vmstat"), 50);
	assert_int_equal(fake_reads(rig->f, "proc/meminfo"), 1);
	fake_fail(rig->f, "proc/vmstat", 0);
	is_read(rig_take(rig, SECOND / 10), READ_VMSTAT, READING_OK, 0);
}

static void an_interrupted_call_is_made_again(void **state)
{
	struct rig *rig = *state;

	for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++)
		if (singles[i].id != READ_ZRAM)
			fake_fail_times(rig->f, singles[i].path, EINTR, 2);
	others_are_read(rig_take(rig, SECOND), READ_NR, READ_NR);
}

/* Where nothing at all can be read there still is a sample, and it says why. */
static void nothing_can_be_read(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	const char *reason;

	fake_fail(rig->f, "proc", EACCES);
	fake_fail(rig->f, "sys", EACCES);
	for (int i = 0; i < 30; i++) {
		s = rig_take(rig, SECOND);
		for (enum reading_id id = 0; id < READ_NR; id++)
			if (id != READ_PAGETYPEINFO && id != READ_PROCESSES && id != READ_EVENTS)
				is_read(s, id, READING_FAILED, EACCES);
		assert_null(s->machine.kernel);
		assert_int_equal(s->machine.version, 0);
		assert_true(s->machine.page_size >= 4096);
		assert_true(s->machine.swappiness == UNKNOWN);
		assert_true(s->machine.cpus == UNKNOWN);
	}
	assert_int_equal(sample_rung(s, &reason), RUNG_NONE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
	const struct CMUnitTest tests[] = {
		TEST(pressure_that_is_off),
		TEST(each_pressure_stands_alone),
		cmocka_unit_test(debugfs_in_all_its_moods),
		TEST(lockdown_leaves_the_full_file),
		TEST(debugfs_is_found_when_it_is_mounted),
		cmocka_unit_test(one_file_does_not_take_the_others_along),
		TEST(passing_faults_are_tried_again),
		TEST(an_interrupted_call_is_made_again),
		TEST(nothing_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

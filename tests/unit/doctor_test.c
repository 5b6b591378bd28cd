/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What doctor says of a machine on which this or that fails. */
#include "ui/cli/doctor.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "support_rig.h"

#define LRU_GEN "sys/kernel/debug/lru_gen"
#define LRU_GEN_FULL "sys/kernel/debug/lru_gen_full"

/* All verdicts of the machine as it stands. Returns the exit status. */
static int look(struct rig *rig, struct verdict verdicts[READ_NR])
{
	struct doctor d = { 0 };

	rig->in.pagetypes = true;
	d.sample = *rig_take(rig, SECOND);
	d.fs = fake_kernfs(rig->f);
	memset(verdicts, 0, READ_NR * sizeof(*verdicts));
	for (int i = 0; i < READ_NR; i++)
		doctor_look(&d, (enum reading_id)i, &verdicts[i]);
	kernfs_close(d.fs);
	return doctor_status(verdicts);
}

/*
 * One verdict: its health, and words that must stand in what was found and in the remedy (NULL:
 * there is none).
 */
static void is_said(const struct verdict *v, enum health health, const char *found,
		    const char *remedy)
{
	if (v->health != health || !strstr(v->found, found))
		fail_msg("health %d: %s", (int)v->health, v->found);
	if (!remedy != !v->remedy || (remedy && !strstr(v->remedy, remedy)))
		fail_msg("%s; %s", v->found, v->remedy ? v->remedy : "nothing to do");
}

static void a_sound_machine(void **state)
{
	struct verdict v[READ_NR];

	assert_int_equal(look(*state, v), 0);
	is_said(&v[READ_LRU_GEN], HEALTH_OK, "3 lruvecs", NULL);
	is_said(&v[READ_MGLRU], HEALTH_OK, "core, mm_walk, nonleaf_young (0x0007)", NULL);
	is_said(&v[READ_VMSTAT], HEALTH_OK, "4 values", NULL);
	is_said(&v[READ_ZONEINFO], HEALTH_OK, "1 node, 1 zone, 2 pagesets", NULL);
	is_said(&v[READ_PSI_MEMORY], HEALTH_OK, "some and full", NULL);
	is_said(&v[READ_PSI_CPU], HEALTH_OK, "some alone", NULL);
	is_said(&v[READ_CGROUP], HEALTH_OK, "3 memcgs", NULL);
}

static void not_root(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, "sys/kernel/debug", EACCES);
	fake_fail(rig->f, "proc/pagetypeinfo", EACCES);
	assert_int_equal(look(rig, v), 4);
	is_said(&v[READ_LRU_GEN], HEALTH_REFUSED, "Permission denied", "sudo reclaimtop");
	is_said(&v[READ_PAGETYPEINFO], HEALTH_REFUSED, "Permission denied", "sudo reclaimtop");
}

/* Lockdown refuses lru_gen, whose mode would allow writing, and leaves lru_gen_full. */
static void lockdown(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, LRU_GEN, EPERM);
	fake_set(rig->f, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_LRU_GEN], HEALTH_PART,
		"lockdown (integrity) keeps it closed, lru_gen_full is read", NULL);
	is_said(&v[READ_LRU_GEN_FULL], HEALTH_OK, "tiers", NULL);
}

static void lockdown_of_both(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, LRU_GEN, EPERM);
	fake_fail(rig->f, LRU_GEN_FULL, EPERM);
	fake_set(rig->f, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	assert_int_equal(look(rig, v), 4);
	is_said(&v[READ_LRU_GEN], HEALTH_REFUSED, "lockdown (confidentiality)", "Secure Boot");
	is_said(&v[READ_LRU_GEN_FULL], HEALTH_REFUSED, "lockdown (confidentiality)", "Secure Boot");
}

/* Refused without a word of lockdown: what is not known is not claimed. */
static void refused_for_no_known_reason(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, "sys/kernel/debug", EPERM);
	fake_remove(rig->f, "sys/kernel/security");
	assert_int_equal(look(rig, v), 4);
	is_said(&v[READ_LRU_GEN], HEALTH_REFUSED, "lockdown of the kernel is not told",
		"lockdown=");
}

static void not_built(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_remove(rig->f, "sys/kernel/mm/lru_gen");
	fake_set(rig->f, "sys/kernel/mm/ksm/run", "0\n");
	fake_remove(rig->f, LRU_GEN);
	fake_remove(rig->f, LRU_GEN_FULL);
	fake_set(rig->f, "sys/kernel/debug/extfrag/extfrag_index", "\n");
	assert_int_equal(look(rig, v), 3);
	is_said(&v[READ_MGLRU], HEALTH_MISSING, "built without MGLRU", "CONFIG_LRU_GEN=y");
	is_said(&v[READ_LRU_GEN], HEALTH_MISSING, "not built in", NULL);
}

/* Without /sys nothing tells whether MGLRU is built: that is not the same as not built. */
static void no_sys(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_remove(rig->f, "sys");
	assert_int_equal(look(rig, v), 1);
	is_said(&v[READ_MGLRU], HEALTH_NONE, "not told", "mount -t sysfs");
	is_said(&v[READ_LRU_GEN], HEALTH_MISSING, "no /sys/kernel/debug", NULL);
}

static void built_but_not_in_debugfs(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_remove(rig->f, LRU_GEN);
	fake_remove(rig->f, LRU_GEN_FULL);
	fake_set(rig->f, "sys/kernel/debug/extfrag/extfrag_index", "\n");
	assert_int_equal(look(rig, v), 1);
	is_said(&v[READ_LRU_GEN], HEALTH_MISSING, "debugfs is there and holds no such file", NULL);
}

static void switched_off(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_set(rig->f, "sys/kernel/mm/lru_gen/enabled", "0x0000\n");
	assert_int_equal(look(rig, v), 1);
	is_said(&v[READ_MGLRU], HEALTH_OFF, "switched off (0x0000)",
		"echo y > /sys/kernel/mm/lru_gen/enabled");
}

static void partly_on(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_set(rig->f, "sys/kernel/mm/lru_gen/enabled", "0x0005\n");
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_MGLRU], HEALTH_PART, "off, or not for this processor: mm_walk", "echo y >");
	assert_null(strstr(v[READ_MGLRU].found, "processor: mm_walk nonleaf_young"));
	fake_set(rig->f, "sys/kernel/mm/lru_gen/enabled", "0x000f\n");
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_MGLRU], HEALTH_OK, "0x8 (unknown)", NULL);
}

/* PSI that is built in and off: opening works, reading does not. */
static void pressure_off(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, "proc/pressure", EOPNOTSUPP);
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_PSI_MEMORY], HEALTH_OFF, "switched off", "psi=1");
	fake_remove(rig->f, "proc/pressure");
	fake_pass(rig->f, INT64_C(60) * SECOND);
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_PSI_IO], HEALTH_MISSING, "no /proc/pressure", "CONFIG_PSI=y");
}

static void less_than_all(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_set(rig->f, "sys/fs/cgroup/cgroup.controllers", "cpu io pids\n");
	fake_set(rig->f, "proc/self/mountinfo",
		 "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	fake_remove(rig->f, "sys/block/zram0");
	fake_set(rig->f, "proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
	assert_int_equal(look(rig, v), 0);
	is_said(&v[READ_CGROUP], HEALTH_MISSING, "memory controller", "cgroup_no_v1=memory");
	is_said(&v[READ_ZRAM], HEALTH_NONE, "no zram", NULL);
	is_said(&v[READ_SWAPS], HEALTH_NONE, "no swap", NULL);
}

static void vmstat_refused(void **state)
{
	struct rig *rig = *state;
	struct verdict v[READ_NR];

	fake_fail(rig->f, "proc/vmstat", EACCES);
	assert_int_equal(look(rig, v), 4);
	is_said(&v[READ_VMSTAT], HEALTH_REFUSED, "/proc/vmstat: Permission denied", "sudo");
}

#define test(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_sound_machine),
		test(not_root),
		test(lockdown),
		test(lockdown_of_both),
		test(refused_for_no_known_reason),
		test(not_built),
		test(no_sys),
		test(built_but_not_in_debugfs),
		test(switched_off),
		test(partly_on),
		test(pressure_off),
		test(less_than_all),
		test(vmstat_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

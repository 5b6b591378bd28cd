/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reasons that are given must not say more than is known. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/sample.h"
#include "support_rig.h"

static struct reading failed(int err)
{
	return (struct reading){ .state = READING_FAILED, .err = err };
}

/* lru_gen_full was read from the very folder that lru_gen is missing from. */
static void debugfs_that_is_mounted(void **state)
{
	struct sample s = { .nlruvecs = 1, .machine = { .mglru = 7 } };
	const char *why;

	(void)state;
	s.readings[READ_LRU_GEN] = failed(ENOENT);
	s.readings[READ_LRU_GEN_FULL].state = READING_OK;
	assert_int_equal(sample_rung(&s, &why), RUNG_LRU_GEN_FULL);
	assert_string_equal(why, "debugfs is there and holds no lru_gen");
}

/* Who may not look into /sys cannot tell how the kernel was built. */
static void mglru_behind_a_closed_door(void **state)
{
	struct sample s = { .nzones = 1, .machine = { .mglru = UNKNOWN } };
	const char *why;

	(void)state;
	s.readings[READ_LRU_GEN] = failed(EACCES);
	s.readings[READ_MGLRU] = failed(EACCES);
	assert_int_equal(sample_rung(&s, &why), RUNG_CLASSIC);
	assert_string_equal(why, "debugfs is for root");
	s.readings[READ_MGLRU] = failed(ENOENT);
	sample_rung(&s, &why);
	assert_string_equal(why, "this kernel is built without MGLRU");
}

/* Nor can who has no /sys/kernel/mm to look into. */
static void mglru_without_its_folder(void **state)
{
	struct rig *rig = *state;
	const struct sample *s;
	const char *why;

	fake_remove(rig->f, "sys/kernel/debug");
	fake_remove(rig->f, "sys/kernel/mm");
	s = rig_take(rig, SECOND);
	assert_int_equal(sample_rung(s, &why), RUNG_CLASSIC);
	assert_string_equal(why, "lru_gen is not there, and no /sys/kernel/mm to tell whether MGLRU is built in");
	is_read(s, READ_MGLRU, READING_FAILED, ENODEV);
	assert_string_equal(reading_why(READ_MGLRU, ENODEV), "there is no /sys/kernel/mm");
	/* With a neighbour there, the folder that lacks it tells. */
	fake_set(rig->f, "sys/kernel/mm/swap/vma_ra_enabled", "true\n");
	s = rig_take(rig, 20 * SECOND);
	s = rig_take(rig, SECOND);
	assert_int_equal(sample_rung(s, &why), RUNG_CLASSIC);
	assert_string_equal(why, "this kernel is built without MGLRU");
}

static void errors_in_words(void **state)
{
	(void)state;
	assert_string_equal(reading_why(READ_CGROUP, EOPNOTSUPP),
			    "no cgroup v2 hierarchy with the memory controller");
	assert_string_equal(reading_why(READ_PSI_IO, EOPNOTSUPP), "pressure is switched off (psi=1 turns it on)");
	assert_string_equal(reading_why(READ_VMSTAT, ENODATA), "nothing in it is known");
	assert_string_equal(reading_why(READ_VMSTAT, EACCES), strerror(EACCES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(debugfs_that_is_mounted),
		cmocka_unit_test(mglru_behind_a_closed_door),
		cmocka_unit_test_setup_teardown(mglru_without_its_folder, rig_setup, rig_teardown),
		cmocka_unit_test(errors_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

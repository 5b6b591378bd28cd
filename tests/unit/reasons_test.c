/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reasons that are given must not say more than is known. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reclaimtop/sample.h"

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
		cmocka_unit_test(errors_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

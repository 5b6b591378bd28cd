/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_test.c - the table of metrics is whole: help and manual are printed from it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include "reclaimtop/metrics.h"

static void is_sentence(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	assert_true(len > 10);
	assert_int_equal(text[len - 1], '.');
	assert_null(strstr(text, "  "));
}

static void every_metric_is_whole(void **state)
{
	(void)state;
	assert_true(nmetrics >= 40);
	for (uint32_t i = 0; i < nmetrics; i++) {
		const struct metric *m = &metrics[i];

		assert_true(m->name && m->name[0] && m->unit && m->unit[0] && m->file &&
			    m->file[0]);
		is_sentence(m->what);
		is_sentence(m->reading);
		if (!strchr(m->where, '/') || !strstr(m->where, "()"))
			fail_msg("%s: no function in %s", m->name, m->where);
	}
}

static void names_are_found_and_stand_once(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < nmetrics; i++)
		assert_ptr_equal(metric_find(metrics[i].name), &metrics[i]);
	assert_null(metric_find("evict"));
	assert_null(metric_find(""));
	assert_non_null(metric_find("evicted"));
	assert_non_null(metric_find("stranded"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_is_whole),
		cmocka_unit_test(names_are_found_and_stand_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

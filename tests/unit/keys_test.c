/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ui/tui/view.h"

static bool shares_a_view(const struct key_entry *a, const struct key_entry *b)
{
	for (int i = 0; i < VIEW_NR; i++)
		if (keys_has(a, (enum tui_view)i) && keys_has(b, (enum tui_view)i))
			return true;
	return false;
}

static void no_key_means_two_things(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < nkey_entries; i++)
		for (uint32_t k = i + 1; k < nkey_entries; k++) {
			const struct key_entry *a = &key_entries[i], *b = &key_entries[k];

			for (int m = 0; m < KEYS_EACH && a->keys[m]; m++)
				for (int n = 0; n < KEYS_EACH && b->keys[n]; n++)
					if (a->keys[m] == b->keys[n] && shares_a_view(a, b))
						fail_msg("%s and %s", a->label, b->label);
		}
}

static void each_says_what_it_does(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < nkey_entries; i++) {
		const struct key_entry *e = &key_entries[i];

		assert_non_null(e->handler);
		assert_true(e->keys[0] != KEYCODE_NONE);
		assert_true(e->label && e->label[0] && strlen(e->label) < 20);
		assert_true(e->help && e->help[0]);
		/* The footer needs both, or neither. */
		assert_int_equal(e->brief == NULL, e->one == NULL);
	}
}

static void each_view_has_its_number(void **state)
{
	(void)state;
	for (int i = 0; i < VIEW_NR; i++) {
		const struct key_entry *e = keys_find(views[i]->key, VIEW_OVERVIEW);

		assert_int_equal(views[i]->key, '1' + i);
		assert_non_null(e);
		assert_ptr_equal(e->handler, tui_key_view);
		assert_int_equal(tui_view_by_name(views[i]->name), i);
		assert_true(strlen(views[i]->about) > 80);
	}
	assert_int_equal(tui_view_by_name("none"), VIEW_NR);
	assert_int_equal(tui_view_by_name("over"), VIEW_NR);
}

static void the_table_prints_itself(void **state)
{
	struct buf out = { 0 };

	(void)state;
	keys_print(&out);
	for (uint32_t i = 0; i < nkey_entries; i++) {
		assert_non_null(strstr(out.data, key_entries[i].label));
		assert_non_null(strstr(out.data, key_entries[i].help));
	}
	assert_non_null(strstr(out.data, "[Memcgs, Processes]"));
	buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_means_two_things), cmocka_unit_test(each_says_what_it_does),
		cmocka_unit_test(each_view_has_its_number),
		cmocka_unit_test(the_table_prints_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that the user gave other places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_script.h"
#include "ui/tui/keymap.h"
#include "ui/tui/view.h"

/* Every action has one name, and no two the same. */
static void actions_have_names(void **state)
{
	char a[KEYMAP_TEXT], b[KEYMAP_TEXT];

	(void)state;
	assert_true(nkey_entries <= KEYMAP_ENTRIES);
	for (uint32_t i = 0; i < nkey_entries; i++) {
		keymap_action(&key_entries[i], a);
		assert_null(strchr(a, ' '));
		for (uint32_t k = i + 1; k < nkey_entries; k++)
			if (a[0] && !strcmp(a, keymap_action(&key_entries[k], b)) &&
			    (key_entries[i].views & key_entries[k].views & KEYS_VIEWS))
				fail_msg("two actions are called %s", a);
	}
}

static const char *does(const struct keymap *m, int key, enum tui_view view, int *stands_for)
{
	const struct key_entry *e;

	*stands_for = key;
	e = keymap_find(m, stands_for, view);
	return e && e->brief ? e->brief : "";
}

static void keys_take_the_places_of_others(void **state)
{
	struct keymap m;
	int key;

	(void)state;
	keymap_init(&m);
	assert_null(keymap_set(&m, "step", "i Ctrl-E"));
	assert_string_equal(does(&m, 'i', VIEW_OVERVIEW, &key), "Step");
	assert_int_equal(key, 't');
	assert_string_equal(does(&m, 5, VIEW_OVERVIEW, &key), "Step");
	assert_int_equal(key, 'T');
	assert_string_equal(does(&m, 't', VIEW_OVERVIEW, &key), "");
	/* Where fewer are named the others stay: ? and F1 for the help. */
	assert_null(keymap_set(&m, "help", "é"));
	assert_string_equal(does(&m, 0xe9, VIEW_OVERVIEW, &key), "Help");
	assert_string_equal(does(&m, 'h', VIEW_OVERVIEW, &key), "");
	assert_string_equal(does(&m, 'q', VIEW_OVERVIEW, &key), "Quit");
}

static void what_cannot_be_is_said(void **state)
{
	static const struct {
		const char *action, *keys;
	} wrong[] = {
		{ "nothing", "a" }, { "", "a" }, { "quit", "" }, { "quit", "a b c d e f g h i" }, { "quit", "Esc" },
		{ "quit", "Ctrl-L" }, { "quit", "Ctrl-Z" }, { "quit", "Ctrl-C" }, { "quit", "Hyper-X" }, { "quit", "F13" },
		{ "quit", "F" "0" }, { "quit", "\t" }, { "quit", "\x01" }, { "quit", "\xff" }, { "quit", "ab" },
	};
	struct keymap m, usual;

	(void)state;
	keymap_init(&m);
	keymap_init(&usual);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_non_null(keymap_set(&m, wrong[i].action, wrong[i].keys));
		assert_memory_equal(&m, &usual, sizeof(m));
	}
}

static void two_may_be_exchanged_and_none_doubled(void **state)
{
	char name[KEYMAP_TEXT];
	struct keymap m;

	(void)state;
	keymap_init(&m);
	assert_null(keymap_set(&m, "explain", "m"));
	assert_string_equal(keymap_clash(&m, "explain", name), "mark");
	assert_null(keymap_set(&m, "mark", "e"));
	assert_null(keymap_clash(&m, "explain", name));
	assert_null(keymap_clash(&m, "mark", name));
	keymap_unset(&m, "explain");
	assert_string_equal(keymap_clash(&m, "mark", name), "explain");
}

static void names_lead_back_to_keys(void **state)
{
	static const int keys[] = { ' ', 'a', '=', '<', 0xe9, 0x4e2d, KEYCODE_ENTER, KEYCODE_TAB, KEYCODE_UP, KEYCODE_F1,
				    KEYCODE_F12, KEYCODE_PAGE_DOWN, 1, 26 };
	char name[KEYMAP_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(key_by_name(key_name(keys[i], name)), keys[i]);
}

/* The help and the last line name the keys in force, and they work. */
static void help_names_the_keys_in_force(void **state)
{
	struct keymap m;
	struct tui_options options = { .view = VIEW_OVERVIEW, .keys = &m };
	struct buf out = { 0 };
	struct stage s;

	(void)state;
	keymap_init(&m);
	assert_null(keymap_set(&m, "quit", "Ctrl-X"));
	assert_null(keymap_set(&m, "explain", "E"));
	stage_open(&s, "tests/roots/7.2-pressure", &options);
	stage_size(&s, 60, 120);
	stage_to(&s, 4);
	assert_int_equal(stage_press(&s, 'q'), TUI_NOTHING);
	assert_int_equal(stage_press(&s, 24), TUI_QUIT);
	grid_dump(&s.grid, false, &out);
	assert_non_null(strstr(out.data, "Ctrl-X Quit"));
	assert_non_null(strstr(out.data, "E Explain"));
	stage_keys(&s, "h");
	buf_clear(&out);
	grid_dump(&s.grid, false, &out);
	assert_non_null(strstr(out.data, "Ctrl-X F10          leave the program"));
	assert_non_null(strstr(out.data, "\nE                   explain"));
	buf_fini(&out);
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actions_have_names), cmocka_unit_test(keys_take_the_places_of_others),
		cmocka_unit_test(what_cannot_be_is_said), cmocka_unit_test(two_may_be_exchanged_and_none_doubled),
		cmocka_unit_test(names_lead_back_to_keys), cmocka_unit_test(help_names_the_keys_in_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

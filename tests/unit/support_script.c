/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support_grid.h"
#include "ui/tui/keys.h"

static const struct {
	const char *name;
	int key;
} names[] = {
	{ "<Up>", KEYCODE_UP },       { "<Down>", KEYCODE_DOWN },      { "<Left>", KEYCODE_LEFT },
	{ "<Right>", KEYCODE_RIGHT }, { "<PgUp>", KEYCODE_PAGE_UP },   { "<PgDn>", KEYCODE_PAGE_DOWN },
	{ "<Home>", KEYCODE_HOME },   { "<End>", KEYCODE_END },        { "<Esc>", KEYCODE_ESC },
	{ "<Enter>", KEYCODE_ENTER }, { "<Tab>", KEYCODE_TAB },        { "<BackTab>", KEYCODE_BACKTAB },
	{ "<Rub>", KEYCODE_BACKSPACE },
};

void stage_open(struct stage *s, const char *dir, const struct tui_options *options)
{
	const struct tui_options usual = { .view = VIEW_OVERVIEW };

	*s = (struct stage){ .reel = reel_open(dir) };
	s->tui = tui_new(options ? options : &usual);
	stage_size(s, 24, 80);
}

void stage_size(struct stage *s, int rows, int cols)
{
	grid_resize(&s->grid, rows, cols);
	stage_draw(s);
}

void stage_draw(struct stage *s)
{
	static struct interest wanted;

	tui_draw(s->tui, 0, &s->grid);
	is_whole(&s->grid);
	tui_interest(s->tui, &wanted);
	reel_want(s->reel, &wanted);
}

bool stage_next(struct stage *s)
{
	bool more = reel_next(s->reel, &s->frame);

	tui_frame(s->tui, &s->frame);
	stage_draw(s);
	return more;
}

void stage_to(struct stage *s, uint32_t n)
{
	do
		assert_true(stage_next(s));
	while (s->frame.now->n < n);
}

unsigned int stage_press(struct stage *s, int key)
{
	unsigned int handled = tui_key(s->tui, key);

	stage_draw(s);
	return handled;
}

int script_key(const char **keys)
{
	int key = (unsigned char)**keys;
	size_t len = 1;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(*keys, names[i].name, strlen(names[i].name))) {
			key = names[i].key;
			len = strlen(names[i].name);
		}
	*keys += len;
	return key;
}

void stage_keys(struct stage *s, const char *keys)
{
	while (*keys)
		stage_press(s, script_key(&keys));
}

void stage_close(struct stage *s)
{
	tui_free(s->tui);
	reel_close(s->reel);
	grid_fini(&s->grid);
}

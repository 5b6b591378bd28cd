/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "picture.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "keepfile.h"
#include "reclaimtop/arena.h"
#include "reclaimtop/clock.h"
#include "say.h"
#include "ui/tui/keymap.h"
#include "ui/tui/svg.h"

#define TRIES 100

/* --- for the screen --- */

static void name_of(char *out, size_t size, int n)
{
	time_t s = (time_t)(clock_wall_us() / 1000000);
	struct tm tm = { 0 };
	char more[16] = "";

	localtime_r(&s, &tm);
	if (n > 1)
		snprintf(more, sizeof(more), "-%d", n);
	snprintf(out, size, "reclaimtop-%04d%02d%02d-%02d%02d%02d%s", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		 tm.tm_min, tm.tm_sec, more);
}

static int write_both(const char *name, const struct buf *svg, const struct buf *text)
{
	char path[96];
	int err;

	snprintf(path, sizeof(path), "%s.svg", name);
	err = keepfile_new(path, svg);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s.txt", name);
	err = keepfile_new(path, text);
	if (err) {
		snprintf(path, sizeof(path), "%s.svg", name);
		unlink(path);
	}
	return err;
}

void picture_keep(void *ctx, const struct grid *g, enum tui_theme theme, char *said, size_t size)
{
	struct buf svg = { 0 }, text = { 0 };
	char name[64], folder[PATH_MAX] = ".";
	int err = -EEXIST;

	(void)ctx;
	svg_print(g, theme_settle(theme, getenv("COLORFGBG")), "reclaimtop", &svg);
	grid_dump(g, false, &text);
	for (int n = 1; n <= TRIES && err == -EEXIST; n++) {
		name_of(name, sizeof(name), n);
		err = write_both(name, &svg, &text);
	}
	buf_fini(&svg);
	buf_fini(&text);
	if (!getcwd(folder, sizeof(folder)))
		snprintf(folder, sizeof(folder), "this folder");
	if (err)
		snprintf(said, size, "The screen was not saved in %.200s: %s", folder, strerror(-err));
	else
		snprintf(said, size, "Saved as %s.svg and .txt in %.200s.", name, folder);
}

/* --- without a screen --- */

struct taker {
	const struct options *o;
	struct tui *tui;
	struct buf *out;
	struct grid grid;
	int64_t now_us;
	bool pressed;
};

static void *taker_open(const struct options *o, struct buf *out)
{
	struct taker *t = mem_alloc(sizeof(*t));

	*t = (struct taker){ .o = o, .tui = tui_new(&o->tui), .out = out };
	grid_resize(&t->grid, o->rows ? o->rows : 40, o->cols ? o->cols : 120);
	return t;
}

/* Keys are pressed over the first frame, so that those behind it see what they asked for. */
static void taker_put(void *w, const struct frame *f)
{
	struct taker *t = w;

	tui_frame(t->tui, f);
	t->now_us = f->now->mono_us;
	for (const char *keys = t->o->keys; keys && *keys && !t->pressed;) {
		int key = key_next(&keys);

		tui_key(t->tui, key);
		tui_draw(t->tui, t->now_us, &t->grid);
	}
	t->pressed = true;
	tui_draw(t->tui, t->now_us, &t->grid);
}

/* To the file, or to standard output. An exit status. */
static int put_out(struct taker *t, const char *path, const struct buf *text)
{
	int err;

	if (!strcmp(path, "-")) {
		buf_add(t->out, text->data, text->len);
		return STATUS_DONE;
	}
	err = keepfile_write(path, text);
	return err ? say_errno(-err, path, "give another file") : STATUS_DONE;
}

static int write_wanted(struct taker *t)
{
	enum tui_theme theme = theme_settle(t->o->tui.theme, getenv("COLORFGBG"));
	struct buf text = { 0 };
	int status = STATUS_DONE;

	if (t->o->svg) {
		svg_print(&t->grid, t->o->tui.color == COLOR_NEVER ? THEME_MONO : theme, "reclaimtop", &text);
		status = put_out(t, t->o->svg, &text);
	}
	buf_clear(&text);
	if (t->o->text && !status) {
		grid_dump(&t->grid, false, &text);
		status = put_out(t, t->o->text, &text);
	}
	buf_fini(&text);
	return status;
}

static int taker_close(void *w)
{
	struct taker *t = w;
	int status = write_wanted(t);

	tui_free(t->tui);
	grid_fini(&t->grid);
	free(t);
	return status;
}

const struct batch_writer batch_picture = { taker_open, taker_put, taker_close };

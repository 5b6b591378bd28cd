/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_lines.h"
#include "keepfile.h"
#include "picture.h"
#include "say.h"

#define CONFIG_MOST ((size_t)64 << 10)

bool config_path(char *out, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	/* What is not absolute says nothing. */
	if (xdg && xdg[0] == '/')
		n = snprintf(out, size, "%s/reclaimtop/config", xdg);
	else if (home && home[0] == '/')
		n = snprintf(out, size, "%s/.config/reclaimtop/config", home);
	else
		n = -1;
	if (n > 0 && (size_t)n < size)
		return true;
	out[0] = '\0';
	return false;
}

/* Of a file that cannot hold settings. */
static const char *what_it_is(int err)
{
	return err == -EFBIG ? "is too large for settings" : err == -EINVAL ? "is no plain file" : strerror(-err);
}

/* --- saving --- */

/* The file anew: as it stands now, with these settings in it. 0, or -errno with nothing changed. */
static int save_as(const char *path, const struct buf *settings)
{
	struct buf was = { 0 }, text = { 0 };
	int err = keepfile_folders(path);

	if (!err)
		err = keepfile_read(path, CONFIG_MOST, &was);
	if (!err || err == -ENOENT) {
		config_merge(&was, settings, &text);
		err = keepfile_replace(path, &text);
	}
	buf_fini(&was);
	buf_fini(&text);
	return err;
}

static void save(void *ctx, const struct tui_settings *s, char *said, size_t size)
{
	struct config *c = ctx;
	struct tui_settings wanted = *s;
	struct buf text = { 0 };
	int err;

	if (!c->path[0]) {
		snprintf(said, size, "Settings: neither XDG_CONFIG_HOME nor HOME says where they are kept.");
		return;
	}
	/* What the terminal lacks today is no wish of the user's. */
	wanted.ascii = c->ascii;
	config_print(&wanted, c->delay_us, &text);
	err = save_as(c->path, &text);
	buf_fini(&text);
	if (err == -ELOOP)
		snprintf(said, size, "Settings: %s is a link, and was left alone.", c->path);
	else if (err == -EPERM)
		snprintf(said, size, "Settings: %s or its folder is not yours alone, and was left alone.", c->path);
	else if (err == -EFBIG || err == -EINVAL)
		snprintf(said, size, "Settings: %s %s, and was left alone.", c->path, what_it_is(err));
	else if (err)
		snprintf(said, size, "Settings: %s: %s", c->path, strerror(-err));
	else
		snprintf(said, size, "Settings saved in %s.", c->path);
}

/* --- reading --- */

static void cannot_read(struct config *c, int err)
{
	const char *why = what_it_is(err);

	snprintf(c->notice, sizeof(c->notice), "Settings: %.160s: %s", c->path, why);
	say_error(STATUS_FAILED, c->path, why, "it was passed over; --no-config does not look at it");
}

void config_open(struct config *c, struct options *o)
{
	int err = 0;

	*c = (struct config){ .delay_us = o->delay_us };
	keymap_init(&c->keys);
	c->keeper = (struct tui_keeper){ save, picture_keep, c };
	if (config_path(c->path, sizeof(c->path)) && !o->no_config)
		err = keepfile_read(c->path, CONFIG_MOST, &c->text);
	if (err && err != -ENOENT && err != -ENOTDIR)
		cannot_read(c, err);
	else if (!err && c->text.len)
		config_lines(c, o, c->text.data);
	c->delay_us = o->delay_us;
	c->ascii = o->tui.ascii;
	o->tui.keys = &c->keys;
	o->tui.keeper = &c->keeper;
	o->tui.notice = c->notice[0] ? c->notice : NULL;
}

void config_close(struct config *c)
{
	buf_fini(&c->text);
}

void config_take(struct config *c, struct options *o, const char *text)
{
	*c = (struct config){ .path = "config" };
	keymap_init(&c->keys);
	buf_str(&c->text, text);
	config_lines(c, o, c->text.data);
	o->tui.keys = &c->keys;
}

/* --- printing --- */

static void print_delay(int64_t us, struct buf *out)
{
	if (us <= 0)
		return;
	if (us % 1000000 == 0)
		buf_printf(out, "delay = %" PRId64 "s\n", us / 1000000);
	else
		buf_printf(out, "delay = %" PRId64 "ms\n", us / 1000);
}

void config_print(const struct tui_settings *s, int64_t delay_us, struct buf *out)
{
	buf_str(out, "# Settings of reclaimtop, written by its key W. See reclaimtop(1).\n");
	buf_printf(out, "theme = %s\n", theme_name(s->theme));
	buf_printf(out, "ascii = %s\n", s->ascii ? "yes" : "no");
	buf_printf(out, "mouse = %s\n", s->mouse ? "yes" : "no");
	buf_printf(out, "view = %s\n", tui_view_name(s->view));
	buf_printf(out, "units = %s\n", s->in_pages ? "pages" : "bytes");
	buf_printf(out, "motion = %s\n", config_motion_name(s->motion));
	print_delay(s->delay_us ? s->delay_us : delay_us, out);
	for (int i = 0; i < VIEW_NR; i++)
		if (s->sorts[i])
			buf_printf(out, "sort %s = %s%s\n", tui_view_name((enum tui_view)i), s->sorts[i],
				   s->reversed[i] ? " reversed" : "");
	keymap_print(s->keys, out);
}

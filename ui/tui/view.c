/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *tui_view_name(enum tui_view view)
{
	return view < VIEW_NR ? views[view]->name : "?";
}

bool tui_view_sorts_by(enum tui_view view, const char *name)
{
	const struct tui_options usual = { .view = view };
	struct tui *t = tui_new(&usual);
	struct sheet *sheet = view < VIEW_NR && views[view]->sheet ? views[view]->sheet(t) : NULL;
	bool found = sheet && sheet_sort_by(sheet, name);

	tui_free(t);
	return found;
}

bool tui_passes(const struct tui *t, const char *name)
{
	return !t->filter[0] || (name && strcasestr(name, t->filter));
}

void interest_add(struct interest *out, const char *path)
{
	size_t len = strlen(path);

	if (len >= INTEREST_PATH || out->nmemcgs >= INTEREST_MEMCGS)
		return;
	for (uint32_t i = 0; i < out->nmemcgs; i++)
		if (!strcmp(out->memcgs[i], path))
			return;
	memcpy(out->memcgs[out->nmemcgs++], path, len + 1);
}

/* FNV-1a: spreads well, and is the same in every run. */
uint64_t view_key(const char *path, uint64_t number)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3u;
	for (int i = 0; i < 8; i++, number >>= 8)
		hash = (hash ^ (number & 0xff)) * 0x100000001b3u;
	return hash;
}

const char *view_why(const struct frame *f, enum reading_id from, char *out, size_t size)
{
	const struct reading *r = &f->now->readings[from];
	const char *path = source_infos[from].path;

	if (r->state == READING_FAILED)
		snprintf(out, size, "%s: %s", path, reading_why(from, r->err));
	else if (reading_is_left_out(r))
		snprintf(out, size, "%s takes long, and is read with every %" PRIu32 "th sample only", path,
			 r->every);
	else if (r->state == READING_NOT_ASKED)
		snprintf(out, size, "%s was not read this time", path);
	else
		snprintf(out, size, "%s was read", path);
	return out;
}

bool view_goes_on(const struct tui *t)
{
	const struct when *when = &t->frame.when;

	if (t->options.no_motion || !t->now_us || t->paused || t->frame.ended ||
	    t->frame.step->dt_us <= 0)
		return false;
	return !(when->can && when->past && !when->playing);
}

/* How long a frame is likely to be the newest. */
static int64_t lasts_us(const struct frame *f)
{
	int64_t us = f->interval_us > f->step->dt_us ? f->interval_us : f->step->dt_us;

	if (f->when.can && f->when.past && f->when.speed > 0 && f->when.speed < 10)
		us = us * 10 / f->when.speed;
	return us;
}

/* A late frame is not waited for without end. */
#define LATE_US 2000000

int64_t view_flows_until(const struct tui *t)
{
	return t->now_us + 2 * lasts_us(&t->frame) + LATE_US;
}

double view_bytes_s(const struct frame *f, struct amount a)
{
	uint32_t page_size = f->now->machine.page_size ? f->now->machine.page_size : 4096;

	if (!amount_known(a) || f->step->dt_us <= 0)
		return 0;
	return (double)a.value * page_size * 1e6 / (double)f->step->dt_us;
}

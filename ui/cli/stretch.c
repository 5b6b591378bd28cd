/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stretch.h"

#include <string.h>

#include "say.h"

static bool is_before(struct stretch_end a, struct stretch_end b)
{
	return a.session != b.session ? a.session < b.session : a.mono_us < b.mono_us;
}

/* --- markers --- */

/* By its text; "start" and "end" are also those of the command. */
static bool is_named(const struct mark *m, const char *name)
{
	if (!strcmp(m->text, name))
		return true;
	return (m->kind == MARK_START && !strcmp(name, "start")) ||
	       (m->kind == MARK_END && !strcmp(name, "end"));
}

static bool find_mark(const struct input *in, const char *name, const struct stretch_end *after,
		      struct stretch_end *out)
{
	const struct mark *marks;
	uint32_t n = input_marks(in, &marks);

	for (uint32_t i = 0; i < n; i++) {
		struct stretch_end at = { marks[i].session, marks[i].mono_us };

		if (!is_named(&marks[i], name) || (after && !is_before(*after, at)))
			continue;
		*out = at;
		return true;
	}
	return false;
}

static int no_mark(const char *path, const char *option, const char *name)
{
	struct buf why = { 0 };
	int status;

	buf_printf(&why, "there is no marker '%s' for %s", name, option);
	status = say_error(STATUS_FAILED, path, why.data, "reclaimtop report lists its markers");
	buf_fini(&why);
	return status;
}

int stretch_find(const struct input *in, const char *path, const struct options *o,
		 struct stretch *out)
{
	*out = (struct stretch){ .has_from = o->from, .has_to = o->to, .options = o };
	if (o->from && !find_mark(in, o->from, NULL, &out->from))
		return no_mark(path, "--from", o->from);
	if (o->to && !find_mark(in, o->to, o->from ? &out->from : NULL, &out->to))
		return no_mark(path, o->from ? "--to behind the one for --from" : "--to", o->to);
	return STATUS_DONE;
}

/* --- steps --- */

/* A window counts from the marker or, where there is none, from the first sample. */
static void settle(struct stretch *stretch, struct stretch_end first)
{
	const struct options *o = stretch->options;
	struct stretch_end from = stretch->has_from ? stretch->from : first;
	struct stretch_end end = { from.session, INT64_MAX };

	if (!o->window_given)
		return;
	if (o->window_to_us < INT64_MAX - from.mono_us)
		end.mono_us = from.mono_us + o->window_to_us;
	if (o->window_to_us != INT64_MAX && (!stretch->has_to || is_before(end, stretch->to))) {
		stretch->has_to = true;
		stretch->to = end;
	}
	stretch->has_from = true;
	stretch->from = (struct stretch_end){ from.session, from.mono_us + o->window_from_us };
}

bool stretch_holds(const struct stretch *stretch, uint32_t session, int64_t mono_us)
{
	struct stretch_end at = { session, mono_us };

	if (stretch->has_from && is_before(at, stretch->from))
		return false;
	return !stretch->has_to || is_before(at, stretch->to);
}

int stretch_next(struct stretch *stretch, struct input *in, const struct step **st,
		 uint32_t *session, bool *inside)
{
	int rc = input_next(in, st, session);
	int64_t middle;

	if (rc <= 0)
		return rc;
	if (!stretch->begun)
		settle(stretch, (struct stretch_end){ *session, (*st)->now->mono_us });
	stretch->begun = true;
	middle = (*st)->now->mono_us - (*st)->dt_us / 2;
	*inside = stretch_holds(stretch, *session, middle);
	return rc;
}

int stretch_empty(const char *path, bool any)
{
	if (!any)
		return say_error(STATUS_UNREADABLE, path, "no sample in it can be read",
				 "record it anew");
	return say_error(STATUS_FAILED, path, "nothing of it lies in that stretch",
			 "reclaimtop report without options says how long it is");
}

int stretch_sum(struct stretch *stretch, struct input *in, const char *path, struct summary *s)
{
	const struct step *st;
	uint32_t session;
	bool inside;
	int rc;

	while ((rc = stretch_next(stretch, in, &st, &session, &inside)) > 0) {
		if (inside)
			summary_add(s, st, session);
		else
			summary_pass(s, st, session);
	}
	if (rc < 0)
		return input_failed(in, rc);
	return s->samples ? STATUS_DONE : stretch_empty(path, stretch->begun);
}

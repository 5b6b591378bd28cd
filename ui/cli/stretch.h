/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stretch.h - the part of a run that is looked at: between two markers, within a window, or all of
 * it.
 */
#ifndef CLI_STRETCH_H
#define CLI_STRETCH_H

#include "reclaimtop/summary.h"

#include "input.h"
#include "options.h"

/* Times of a recording: those of a later session come later, whatever its clock says. */
struct stretch_end {
	uint32_t session;
	int64_t mono_us;
};

struct stretch {
	bool has_from, has_to;   /* else it reaches to that end */
	struct stretch_end from, to;   /* to is outside */
	bool begun;
	const struct options *options;
};

/*
 * What --from, --to and --window ask for, by the markers of in. An exit status; it was said where a
 * marker is not there. path is for people.
 */
int stretch_find(const struct input *in, const char *path, const struct options *o,
		 struct stretch *out);

/*
 * The next step of in, and whether it lies in the stretch: one that lies partly in it does where
 * its middle does. Returns what input_next() does.
 */
int stretch_next(struct stretch *stretch, struct input *in, const struct step **st,
		 uint32_t *session, bool *inside);

/* Say that no step was inside. An exit status; any: were there steps at all? */
int stretch_empty(const char *path, bool any);

/* Sum up the steps of in that lie inside. An exit status; it was said where there is none. */
int stretch_sum(struct stretch *stretch, struct input *in, const char *path, struct summary *s);

/* For marks, after the first step. */
bool stretch_holds(const struct stretch *stretch, uint32_t session, int64_t mono_us);

#endif

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
	const struct options *options;
};

/*
 * What --from, --to and --window ask for, by the markers of in. An exit status; it was said where a
 * marker is not there. path is for people.
 */
int stretch_find(const struct input *in, const char *path, const struct options *o,
		 struct stretch *out);

/*
 * Sum up the steps of in that lie in it; one that lies partly in it counts where its middle does.
 * An exit status; it was said where nothing lies there.
 */
int stretch_sum(struct stretch *stretch, struct input *in, const char *path, struct summary *s);

/* For marks, after stretch_sum(). */
bool stretch_holds(const struct stretch *stretch, uint32_t session, int64_t mono_us);

#endif

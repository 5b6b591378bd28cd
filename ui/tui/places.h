/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - the generations of several lruvecs as one: by place from the youngest, since their numbers have nothing to do
 * with each other.
 */
#ifndef TUI_PLACES_H
#define TUI_PLACES_H

#include "reclaimtop/step.h"

struct place {
	uint64_t pages[TYPE_NR];
	int64_t change[TYPE_NR];         /* of the generations that stand here now, since the sample before */
	uint64_t age_min, age_max;       /* UNKNOWN where there is no generation */
	uint64_t seq_min, seq_max;
	uint32_t born;                   /* opened in this step */
};

struct places {
	struct place at[PLACE_NR];       /* [0] the youngest; what is older than the fourth counts to it */
	uint32_t lruvecs;
};

void places_clear(struct places *p);
void places_add(struct places *p, const struct lruvec_step *l);
uint64_t places_sum(const struct places *p, enum page_type type);

/* "youngest", "second", "third", "oldest": the name of a place among n. */
const char *place_name(uint32_t place, uint32_t n);

/* How generations are drawn: the shade of a place, told apart without colour too. */
const char *place_glyph(uint32_t place);

#endif

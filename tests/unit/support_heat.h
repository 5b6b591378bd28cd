/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support_heat.h - looking into heat maps. */
#ifndef SUPPORT_HEAT_H
#define SUPPORT_HEAT_H

#include "reclaimtop/heat.h"

/* All of a row, over all columns that are there. */
struct heat_cell heat_whole(const struct heat *h, const struct heat_row *row);

/* The memcg of a path; fails where there is none. */
const struct heat_memcg *heat_path(const struct heat *h, const char *path);

/* Fails where one holds what the other does not. */
void heat_same(const struct heat *a, const struct heat *b);

#endif

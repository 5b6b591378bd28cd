/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kills.c - in which memcgs processes were killed for lack of memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "notes.h"
#include "reclaimtop/names.h"

/* So many columns of a name say which it is. */
#define NAME 28

static int64_t kills_of(const struct memcg_step *m)
{
	return amount_known(m->oom_kills) && m->oom_kills.value > 0 ? m->oom_kills.value : 0;
}

static bool is_below(const char *path, const char *top)
{
	return name_is_within(path, top) && strcmp(path, top) != 0;
}

/* Does another one that lost a process lie between the two? */
static bool is_between(const struct step *st, const char *path, const char *top)
{
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (kills_of(&st->memcgs[i]) && is_below(path, st->memcgs[i].path) &&
		    is_below(st->memcgs[i].path, top))
			return true;
	return false;
}

/* Less those of the ones below. */
static int64_t own_kills(const struct step *st, const struct memcg_step *m)
{
	int64_t own = kills_of(m);

	for (uint32_t i = 0; own > 0 && i < st->nmemcgs; i++) {
		const struct memcg_step *other = &st->memcgs[i];

		if (kills_of(other) && is_below(other->path, m->path) &&
		    !is_between(st, other->path, m->path))
			own -= kills_of(other);
	}
	return own;
}

/* What does not fit as a whole is left out. */
static void append(char out[KILLED_TEXT], const char *text)
{
	size_t len = strlen(out), n = strlen(text);

	if (len + n < KILLED_TEXT)
		memcpy(out + len, text, n + 1);
}

bool kills_tell(const struct step *st, char out[KILLED_TEXT])
{
	char name[KILLED_TEXT];
	uint32_t more = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		size_t len = strlen(out);

		if (own_kills(st, m) <= 0)
			continue;
		name_fit(m->path, NAME, 0, name, sizeof(name));
		if (len + strlen(name) + sizeof(", ") + sizeof(" and 12345 more") > KILLED_TEXT) {
			more++;
			continue;
		}
		append(out, len ? ", " : "");
		append(out, name);
	}
	if (more && out[0]) {
		snprintf(name, sizeof(name), " and %" PRIu32 " more", more);
		append(out, name);
	}
	return out[0];
}

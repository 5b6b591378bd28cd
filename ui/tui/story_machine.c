/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_machine.c - the Overview and the Generations in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "generations.h"
#include "overview.h"
#include "pagesets.h"
#include "reclaimtop/units.h"
#include "story.h"

static uint64_t mem_bytes(const struct frame *f, enum mem_key key)
{
	uint64_t kib = counters_get(&f->now->meminfo, key);

	return kib < UNLIMITED / 1024 ? kib * 1024 : kib;
}

static void say_memory(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct frame *f = &t->frame;
	uint64_t total = mem_bytes(f, MEM_MemTotal), anon = mem_bytes(f, MEM_AnonPages);
	uint64_t file = mem_bytes(f, MEM_Cached), buffers = mem_bytes(f, MEM_Buffers), shared = mem_bytes(f, MEM_Shmem);
	uint64_t free = mem_bytes(f, MEM_MemFree);
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT], e[NUMBER_TEXT];

	if (total == UNKNOWN || anon == UNKNOWN || file == UNKNOWN || free == UNKNOWN || buffers == UNKNOWN ||
	    shared == UNKNOWN || file + buffers < shared) {
		story_say(s, "How much memory there is, and what for, is not known here.");
		return;
	}
	story_say(s, "Of %s of memory, programs hold %s of their own (anon), files that were read or written fill %s (file), "
		  "and %s is free.", number_bytes(d, total, a), number_bytes(d, anon, b), number_bytes(d, file + buffers - shared, c),
		  number_bytes(d, free, e));
}

static const char *what_level_means(enum zone_level level)
{
	static const char *const words[] = {
		[ZONE_UNKNOWN] = "", [ZONE_EMPTY] = "",
		[ZONE_BELOW_MIN] = "it is below min, so whoever needs memory must reclaim first",
		[ZONE_BELOW_LOW] = "it is below low, so kswapd is at work",
		[ZONE_BELOW_HIGH] = "it is above low, and kswapd fills it up to high once it was woken",
		[ZONE_ABOVE_HIGH] = "it is above high and needs nothing",
	};

	return words[level];
}

static void say_zone(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct zone_step *z = step_pressed_zone(t->frame.step);
	char usable[NUMBER_TEXT], low[NUMBER_TEXT], boost[NUMBER_TEXT];

	if (!z || z->usable == UNKNOWN || z->now->low == UNKNOWN || z->level <= ZONE_EMPTY) {
		story_say(s, "How near the zones are to their watermarks is not known here.");
		return;
	}
	story_say(s, "The most pressed zone is %s of node %" PRIu32 ": %s of it can be had, and kswapd wakes below %s (low); %s",
		  z->now->name, z->now->node, number_pages(d, z->usable, usable), number_pages(d, z->now->low, low),
		  what_level_means(z->level));
	if (zone_boost(z->now))
		story_more(s, " (min and low are raised by %s for a while: boost)", number_pages(d, zone_boost(z->now), boost));
	story_more(s, ".");
}

void story_overview(const struct tui *t, const struct draw *d, struct story *s)
{
	say_memory(t, d, s);
	say_zone(t, d, s);
	story_taken(t, d, s);
	story_returned(t, d, s);
	story_cost(t, d, s);
}

/* --- generations --- */

static void say_whose(const struct generations *g, const struct draw *d, struct story *s)
{
	const struct lruvec_step *l = generations_chosen(g);
	char anon[NUMBER_TEXT], file[NUMBER_TEXT];

	number_pages(d, places_sum(&g->places, TYPE_ANON), anon);
	number_pages(d, places_sum(&g->places, TYPE_FILE), file);
	if (l)
		story_say(s, "These are the pages of %s on node %" PRIu32 ", sorted by when they were last used", l->now->path,
			  l->now->node);
	else
		story_say(s, "These are the pages of %" PRIu32 " memcgs and nodes together, sorted by when they were last used",
			  g->places.lruvecs);
	story_more(s, ": %s of anonymous memory (anon) and %s of files (file).", anon, file);
}

static int oldest_place(const struct places *p)
{
	for (int i = PLACE_NR - 1; i > 0; i--)
		if (p->at[i].age_max != UNKNOWN && p->at[i].pages[TYPE_ANON] + p->at[i].pages[TYPE_FILE])
			return i;
	return 0;
}

/* Pages of both types at a place. */
static const char *held_at(const struct place *p, const struct draw *d, char out[NUMBER_TEXT])
{
	uint64_t pages = p->pages[TYPE_ANON] + p->pages[TYPE_FILE];

	return pages ? number_pages(d, pages, out) : "nothing yet";
}

static void say_ages(const struct places *p, const struct draw *d, struct story *s)
{
	const struct place *young = &p->at[0], *old = &p->at[oldest_place(p)];
	char young_age[NUMBER_TEXT], old_age[NUMBER_TEXT], held[NUMBER_TEXT], left[NUMBER_TEXT];

	if (young->age_min == UNKNOWN || old->age_max == UNKNOWN) {
		story_say(s, "How old they are is not known.");
		return;
	}
	story_say(s, "The youngest generation was opened %s ago and holds %s; the oldest is up to %s old and holds %s, which is "
		  "what will be taken next.", units_age(young->age_min, young_age, sizeof(young_age)),
		  held_at(young, d, held),
		  units_age(old->age_max, old_age, sizeof(old_age)),
		  held_at(old, d, left));
}

static struct amount both(const struct amount *anon, const struct amount *file)
{
	return amount_add(*anon, *file);
}

#define BOTH(g, name) both(&(g)->flow[TYPE_ANON].name, &(g)->flow[TYPE_FILE].name)

static void say_in(const struct generations *g, const struct draw *d, struct story *s)
{
	struct amount in = amount_add(BOTH(g, in_young), BOTH(g, in_old)), up = BOTH(g, promoted);
	char rate[NUMBER_TEXT], climbed[NUMBER_TEXT];

	if (!amount_known(in) || d->f->step->dt_us <= 0) {
		story_say(s, "How much came in and moved between them cannot be told from these two readings.");
		return;
	}
	if (in.value <= 0)
		story_say(s, "Nothing came in since the last sample");
	else
		story_say(s, "About %s came in, by page faults and by reading files", story_rate(d, in, rate));
	if (amount_known(up) && up.value > 0)
		story_more(s, "; about %s was found in use and went up to the youngest (promoted)", story_rate(d, up, climbed));
	story_more(s, ".");
}

static void say_out(const struct generations *g, const struct draw *d, struct story *s)
{
	struct amount out = BOTH(g, evicted), back = BOTH(g, refaulted);
	char rate[NUMBER_TEXT], came[NUMBER_TEXT];

	if (!amount_known(out) || d->f->step->dt_us <= 0)
		story_say(s, "How much was evicted is not known.");
	else if (out.value <= 0)
		story_say(s, "Nothing was evicted from the oldest");
	else
		story_say(s, "%s was evicted from the oldest", story_rate(d, out, rate));
	if (!amount_known(out) || d->f->step->dt_us <= 0)
		return;
	if (amount_known(back) && back.value > 0)
		story_more(s, ", and %s came back that had been evicted before (refaulted)", story_rate(d, back, came));
	else if (amount_known(back))
		story_more(s, ", and nothing came back");
	story_more(s, ".");
}

static void say_births(const struct generations *g, struct story *s)
{
	if (!amount_known(g->births))
		story_say(s, "Whether a generation was opened since the last sample is not known.");
	else if (g->births.value > 0)
		story_say(s, "The kernel opened %" PRId64 " generation%s: all others are one older by that, and no page moved for it.",
			  g->births.value, g->births.value == 1 ? "" : "s");
	else
		story_say(s, "No generation was opened since the last sample, so all of them kept their places.");
}

void story_generations(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct generations *g = t->state[VIEW_GENERATIONS];
	enum rung rung = t->frame.rung;

	if ((rung != RUNG_LRU_GEN && rung != RUNG_LRU_GEN_FULL) || !g->places.lruvecs) {
		story_say(s, "No generations can be read here, so the active and inactive lists of the kernel stand in their place.");
		say_memory(t, d, s);
		story_taken(t, d, s);
		story_returned(t, d, s);
		story_cost(t, d, s);
		return;
	}
	say_whose(g, d, s);
	say_ages(&g->places, d, s);
	say_in(g, d, s);
	say_out(g, d, s);
	say_births(g, s);
}

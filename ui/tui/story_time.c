/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_time.c - the Time view in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/units.h"
#include "story.h"
#include "time_view.h"

static const char *clock_text(int64_t wall_us, int64_t mono_us, char out[NUMBER_TEXT])
{
	time_t s = (time_t)(wall_us / 1000000);
	char age[NUMBER_TEXT];
	struct tm tm;

	if (wall_us > 0 && localtime_r(&s, &tm))
		snprintf(out, NUMBER_TEXT, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	else
		snprintf(out, NUMBER_TEXT, "up %s", units_age((uint64_t)mono_us / 1000, age, sizeof(age)));
	return out;
}

static void say_span(const struct tui *t, struct story *s)
{
	const struct timing *v = time_of(t);
	const struct when *w = &t->frame.when;
	char whole[NUMBER_TEXT];

	story_say(s, "Time goes from left to right");
	if (w->last_us > w->first_us)
		story_more(s, ": %s in all", story_span(w->last_us - w->first_us, whole));
	if (v->span.each > 1)
		story_more(s, ", each column %" PRIu64 " samples", v->span.each);
	else if (v->span.each && v->span.width > 1)
		story_more(s, ", each sample %d columns", v->span.width);
	else if (v->span.each)
		story_more(s, ", each column one sample");
	story_more(s, "; what stands full or bright is much, what is dotted is nothing.");
}

static void say_place(const struct tui *t, struct story *s)
{
	const struct when *w = &t->frame.when;
	char at[NUMBER_TEXT], ago[NUMBER_TEXT];

	clock_text(t->frame.now->wall_us, t->frame.now->mono_us, at);
	story_say(s, "The cursor stands at %s", at);
	if (w->count)
		story_more(s, ", sample %" PRIu64 " of %" PRIu64, w->index + 1, w->count);
	if (w->from_end_us > 0)
		story_more(s, ", %s before the newest", story_span(w->from_end_us, ago));
	story_more(s, "; all other views show the same instant.");
}

/* All that a row of the history holds. */
static uint64_t sum_of(const struct heat *h, const struct heat_row *row)
{
	struct heat_cell cell;
	uint64_t sum = 0;

	for (uint64_t k = h->first; k < h->end; k++)
		if (heat_get(h, row, k, &cell))
			sum += cell.sum;
	return sum;
}

static void say_memcg(const struct heat *h, enum heat_flow flow, const struct draw *d, struct story *s)
{
	static const char *const words[HEAT_FLOW_NR] = {
		[HEAT_EVICTED] = "were evicted", [HEAT_REFAULTED] = "came back (refaulted)", [HEAT_STALLED] = "its tasks waited",
	};
	const struct heat_memcg *best = NULL;
	uint64_t most = 0;
	char text[NUMBER_TEXT];

	for (uint32_t i = 0; i < h->nmemcgs; i++) {
		uint64_t sum = sum_of(h, &h->memcgs[i]->row[flow]);

		if (sum > most && strcmp(h->memcgs[i]->path, "/")) {
			most = sum;
			best = h->memcgs[i];
		}
	}
	if (!best)
		story_say(s, "No memcg stands out in all of this time.");
	else if (flow == HEAT_STALLED)
		story_say(s, "Over all of it %s stands out: %s for %s.", best->path, words[flow], story_span((int64_t)most, text));
	else
		story_say(s, "Over all of it %s stands out: %s of its pages %s.", best->path, number_pages(d, most, text), words[flow]);
}

static void say_peak(const struct heat *h, const struct draw *d, struct story *s)
{
	const struct heat_column *best = NULL;
	char at[NUMBER_TEXT], rate[NUMBER_TEXT];

	for (uint64_t k = h->first; k < h->end; k++) {
		const struct heat_column *c = heat_column(h, k);

		if (c && c->pages_s != UNKNOWN && c->pages_s && (!best || c->pages_s > best->pages_s))
			best = c;
	}
	if (best)
		story_say(s, "Reclaim was hardest at about %s: %s/s were taken.", clock_text(best->wall_us, best->mono_us, at),
			  number_pages(d, best->pages_s, rate));
	else
		story_say(s, "In all of it nothing was reclaimed, as far as it is known.");
}

void story_time(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct heat *h = t->frame.when.heat;

	if (!h) {
		story_say(s, "What is shown comes without a history, so only its last steps are here, the newest at the right.");
		say_place(t, s);
		story_taken(t, d, s);
		story_returned(t, d, s);
		story_cost(t, d, s);
		return;
	}
	say_span(t, s);
	say_place(t, s);
	say_peak(h, d, s);
	say_memcg(h, time_of(t)->flow, d, s);
	story_taken(t, d, s);
}

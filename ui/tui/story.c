/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "story.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reclaimtop/units.h"

static void write_to(struct story *s, int i, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

static void write_to(struct story *s, int i, const char *format, va_list args)
{
	size_t len = strlen(s->text[i]);

	vsnprintf(s->text[i] + len, STORY_TEXT - len, format, args);
}

void story_say(struct story *s, const char *format, ...)
{
	va_list args;

	if (s->n == STORY_NR)
		return;
	s->text[s->n][0] = '\0';
	va_start(args, format);
	write_to(s, s->n++, format, args);
	va_end(args);
}

void story_more(struct story *s, const char *format, ...)
{
	va_list args;

	if (!s->n)
		return;
	va_start(args, format);
	write_to(s, s->n - 1, format, args);
	va_end(args);
}

const char *story_rate(const struct draw *d, struct amount a, char *out)
{
	number_rate(d, a, out);
	if (amount_known(a) && strlen(out) + 3 < NUMBER_TEXT)
		strcat(out, "/s");
	return out;
}

const char *story_span(int64_t us, char *out)
{
	if (us > 0 && us < 1000) {
		snprintf(out, NUMBER_TEXT, "less than 1ms");
		return out;
	}
	return units_age(us > 0 ? (uint64_t)us / 1000 : 0, out, NUMBER_TEXT);
}

/* --- what more than one view says --- */

static int64_t of_known(struct amount a)
{
	return amount_known(a) && a.value > 0 ? a.value : 0;
}

static bool is_nothing(struct amount a)
{
	return amount_known(a) && a.value <= 0;
}

/*
 * Since 7.1 direct reclaim holds that at the limits of memcgs, which the count of stalls leaves out: then pages were taken and
 * no zone was short. What is known of limits must agree.
 */
static bool is_at_limits(const struct step *st)
{
	const struct reclaim *r = &st->reclaim;

	if (!of_known(r->stolen_by[WHO_DIRECT]) || !amount_known(r->stalls) || r->stalls.value > 0)
		return false;
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		if (of_known(st->memcgs[i].max_hits) || of_known(st->memcgs[i].high_hits))
			return true;
	return false;
}

/* Who took most, in words. */
static void who_took(struct story *s, const struct step *st)
{
	const struct reclaim *r = &st->reclaim;
	static const char *const words[WHO_NR] = {
		[WHO_KSWAPD] = "kswapd in the background",
		[WHO_DIRECT] = "tasks that needed memory at once and had to wait",
		[WHO_KHUGEPAGED] = "khugepaged, to make huge pages",
		[WHO_PROACTIVE] = "user space, which asked for it",
		[WHO_MEMCG_LIMIT] = "tasks of memcgs at their limit, which had to wait",
	};
	int64_t sum = 0;
	int most = 0;
	char share[NUMBER_TEXT];

	for (int i = 0; i < WHO_NR; i++) {
		sum += of_known(r->stolen_by[i]);
		if (of_known(r->stolen_by[i]) > of_known(r->stolen_by[most]))
			most = i;
	}
	if (of_known(r->stolen_by[most]))
		story_more(s, ", %s of it by %s", units_percent((uint64_t)of_known(r->stolen_by[most]), (uint64_t)sum, share,
								 sizeof(share)),
			   words[most == WHO_DIRECT && is_at_limits(st) ? WHO_MEMCG_LIMIT : most]);
	if (most == WHO_KSWAPD && of_known(r->stolen_by[most]) && is_nothing(st->stall[PSI_MEMORY].some_us))
		story_more(s, ", for which nobody waits");
}

/* Is it known that nobody waited for memory, and that no zone lacks it? */
static bool is_enough(const struct step *st)
{
	bool any = false;

	for (uint32_t i = 0; i < st->nzones; i++) {
		enum zone_level level = st->zones[i].level;

		if (level == ZONE_UNKNOWN || level == ZONE_BELOW_MIN || level == ZONE_BELOW_LOW)
			return false;
		any |= level != ZONE_EMPTY;
	}
	return any && is_nothing(st->stall[PSI_MEMORY].some_us);
}

void story_taken(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct reclaim *r = &t->frame.step->reclaim;
	char rate[NUMBER_TEXT], span[NUMBER_TEXT], seen[NUMBER_TEXT];

	if (!amount_known(r->stolen_all) || t->frame.step->dt_us <= 0) {
		story_say(s, "How much reclaim took is not known yet: that takes two samples.");
		return;
	}
	story_span(t->frame.step->dt_us, span);
	if (r->stolen_all.value <= 0) {
		story_say(s, "In the last %s reclaim took nothing%s.", span,
			  is_enough(t->frame.step) ? ": there was memory enough" : "");
		return;
	}
	story_say(s, "In the last %s reclaim took %s", span, story_rate(d, r->stolen_all, rate));
	who_took(s, t->frame.step);
	if (amount_known(r->scanned_all) && r->scanned_all.value > r->stolen_all.value)
		story_more(s, "; it had to look at %s for that", story_rate(d, r->scanned_all, seen));
	story_more(s, ".");
}

/* Of nothing taken nothing can come back: that is of earlier steps, and says nothing of this one. */
static const char *verdict(int64_t back, struct amount taken)
{
	if (!amount_known(taken) || taken.value <= 0)
		return "";
	if (back * 2 >= taken.value)
		return ": most of what is taken is needed again, so the working set does not fit";
	if (back * 10 >= taken.value)
		return ": a part of what is taken is needed again";
	return ": hardly anything that was taken is missed";
}

void story_returned(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct reclaim *r = &t->frame.step->reclaim;
	struct amount back = amount_add(r->refaulted[TYPE_ANON], r->refaulted[TYPE_FILE]);
	char rate[NUMBER_TEXT];

	if (!amount_known(back) || t->frame.step->dt_us <= 0)
		story_say(s, "How much of it came back is not known yet.");
	else if (back.value <= 0)
		story_say(s, "Nothing came back that had been taken before.");
	else
		story_say(s, "%s came back that had been taken before (refaults)%s.", story_rate(d, back, rate),
			  verdict(back.value, r->stolen_all));
}

/* Is it known that no task reclaimed by itself, nor moved pages together for a large block? */
static bool is_kswapd_alone(const struct reclaim *r)
{
	return of_known(r->stolen_by[WHO_KSWAPD]) && is_nothing(r->stalls) && is_nothing(r->scanned_by[WHO_DIRECT]) &&
	       !of_known(r->scanned_by[WHO_MEMCG_LIMIT]) && is_nothing(r->compact_stalls);
}

/* The kernel's measure holds waits for pages that are read back, and the time kswapd works, as if kswapd waited. */
static void why_waited(struct story *s, const struct reclaim *r)
{
	bool back = of_known(r->refaulted[TYPE_ANON]) || of_known(r->refaulted[TYPE_FILE]) || of_known(r->swapped_in);

	story_more(s, "; no task reclaimed by itself: %s",
		   back ? "what is left are waits for pages to be read back, and the time kswapd itself works"
			: "the time kswapd itself works counts, and what else it was is not known");
}

void story_cost(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct stall *stall = &t->frame.step->stall[PSI_MEMORY];
	const struct reclaim *r = &t->frame.step->reclaim;
	char some[NUMBER_TEXT], full[NUMBER_TEXT], stalls[NUMBER_TEXT];

	if (!amount_known(stall->some_us)) {
		story_say(s, "What it cost is not known: the kernel has no measure of pressure here, or there is no second sample.");
	} else if (stall->some_us.value <= 0) {
		story_say(s, "No task had to wait for memory");
	} else {
		story_say(s, "Tasks waited for memory for %s of the time", story_span(stall->some_us.value, some));
		if (amount_known(stall->full_us))
			story_more(s, ", all of them at once for %s", story_span(stall->full_us.value, full));
	}
	if (!amount_known(stall->some_us))
		return;
	if (amount_known(r->stalls) && r->stalls.value > 0)
		story_more(s, "; %s allocations a second found a zone short and had to reclaim by themselves",
			   number_events(d, r->stalls, stalls));
	else if (stall->some_us.value > 0 && is_at_limits(t->frame.step))
		story_more(s, "; no zone was short for it (zone stalls 0): it was at the limits of memcgs");
	else if (stall->some_us.value > 0 && is_kswapd_alone(r))
		why_waited(s, r);
	if (amount_known(r->oom_kills) && r->oom_kills.value > 0)
		story_more(s, r->oom_kills.value == 1 ? "; %" PRId64 " process was killed" :
							"; %" PRId64 " processes were killed",
			   r->oom_kills.value);
	story_more(s, ".");
}

/* --- the panel --- */

static story_fn *const tells[VIEW_NR] = {
	[VIEW_OVERVIEW] = story_overview, [VIEW_GENERATIONS] = story_generations, [VIEW_MEMCGS] = story_memcgs,
	[VIEW_PAGESETS] = story_pagesets, [VIEW_PROCESSES] = story_processes,
	[VIEW_TIME] = story_time,
};

void story_make(const struct tui *t, const struct draw *d, struct story *s)
{
	s->n = 0;
	tells[t->view](t, d, s);
}

void story_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct rect area = body, panel, title;
	struct story s;
	struct pen p;
	int rows = 1;

	story_make(t, d, &s);
	for (int i = 0; i < s.n; i++)
		rows += pen_wrap_lines(s.text[i], body.cols - 3);
	panel = layout_take_bottom(&area, rows);
	grid_fill(d->g, panel, STYLE_PLAIN, " ");
	title = layout_take_top(&panel, 1);
	grid_fill(d->g, title, STYLE_HEAD, "─");
	grid_text(d->g, title, 0, 0, STYLE_HEAD, "─ This screen in words ");
	p = pen_in(d, panel, READ_NR);
	for (int i = 0; i < s.n && p.row < panel.rows; i++) {
		p.col = 0;
		pen_printf(&p, STYLE_KEY, "%d", i + 1);
		pen_wrap(&p, STYLE_PLAIN, 2, panel.rows - p.row, s.text[i]);
		pen_line(&p);
	}
}

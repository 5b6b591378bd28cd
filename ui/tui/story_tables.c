/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_tables.c - memcgs, zones with their pagesets, and processes in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "memcgs.h"
#include "pagesets.h"
#include "processes.h"
#include "reclaimtop/units.h"
#include "story.h"

/* --- memcgs --- */

static void say_count(const struct tui *t, struct story *s)
{
	const struct memcgs *v = t->state[VIEW_MEMCGS];

	story_say(s, "%d %s, one for each memcg: a group of processes whose memory is counted, and may be limited, together; "
		  "the numbers of one hold those of its children", v->nrows, v->nrows == 1 ? "row" : "rows");
	if (v->dying)
		story_more(s, "; %" PRIu32 " of them were removed and still hold memory (dying)", v->dying);
	story_more(s, ".");
}

static void say_chosen(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct memcgs *v = t->state[VIEW_MEMCGS];
	const struct memcg_row *row = sheet_selected(&v->sheet);
	const struct memcg_step *m = row ? row->m : NULL;
	uint64_t old;
	char held[NUMBER_TEXT], age[NUMBER_TEXT];

	if (!m || !m->now || m->now->current == UNKNOWN) {
		story_say(s, "How much the selected row holds is not known.");
		return;
	}
	old = m->oldest_age_ms[TYPE_FILE] != UNKNOWN ? m->oldest_age_ms[TYPE_FILE] : m->oldest_age_ms[TYPE_ANON];
	story_say(s, "The selected one, %s, holds %s", m->path, number_bytes(d, m->now->current, held));
	if (m->now->max < UNLIMITED)
		story_more(s, " of the %s that it may", number_bytes(d, m->now->max, age));
	if (old != UNKNOWN)
		story_more(s, "; a page of it is kept for %s unused before it is taken", units_age(old, age, sizeof(age)));
	story_more(s, ".");
}

static int64_t pages_of(struct amount a)
{
	return amount_known(a) && a.value > 0 ? a.value : 0;
}

/* The memcg with the most of something; the root, which holds all of them, is left out. */
static const struct memcg_step *most(const struct step *st, struct amount (*of)(const struct memcg_step *m))
{
	const struct memcg_step *best = NULL;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];

		if (strcmp(m->path, "/") && pages_of(of(m)) > (best ? pages_of(of(best)) : 0))
			best = m;
	}
	return best;
}

static struct amount lost_of(const struct memcg_step *m)
{
	return m->lost;
}

static struct amount back_of(const struct memcg_step *m)
{
	return m->refaulted;
}

static struct amount stalled_of(const struct memcg_step *m)
{
	return m->stalled_us;
}

static struct amount hits_of(const struct memcg_step *m)
{
	return m->max_hits;
}

static void say_most(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct memcg_step *lost = most(t->frame.step, lost_of), *back = most(t->frame.step, back_of);
	char rate[NUMBER_TEXT];

	if (t->frame.step->dt_us <= 0) {
		story_say(s, "What they lose is known with the next sample.");
		story_say(s, "What comes back to them, too.");
		return;
	}
	if (lost)
		story_say(s, "%s lost most: %s more was evicted from it than came back.", lost->path,
			  story_rate(d, lost->lost, rate));
	else
		story_say(s, "From none of them more was evicted than came back since the last sample.");
	if (back)
		story_say(s, "Most came back to %s: %s had been evicted and was needed again (refaulted).", back->path,
			  story_rate(d, back->refaulted, rate));
	else
		story_say(s, "Nothing came back to any of them.");
}

static void say_limits(const struct tui *t, struct story *s)
{
	const struct memcg_step *hit = most(t->frame.step, hits_of), *stalled = most(t->frame.step, stalled_of);
	char span[NUMBER_TEXT];

	if (t->frame.step->dt_us <= 0) {
		story_say(s, "So is who had to wait.");
		return;
	}
	if (hit)
		story_say(s, "%s stood at its limit (memory.max) %" PRId64 " time%s", hit->path, hit->max_hits.value,
			  hit->max_hits.value == 1 ? "" : "s");
	else
		story_say(s, "None of them was seen at its limit");
	if (stalled)
		story_more(s, ", and tasks of %s waited longest for memory: %s", stalled->path,
			   story_span(stalled->stalled_us.value, span));
	story_more(s, ".");
}

void story_memcgs(const struct tui *t, const struct draw *d, struct story *s)
{
	if (!t->frame.step->nmemcgs) {
		story_say(s, "There are no memcgs to be seen here.");
		story_overview(t, d, s);
		return;
	}
	say_count(t, s);
	say_chosen(t, d, s);
	say_most(t, d, s);
	say_limits(t, s);
}

/* --- zones and pagesets --- */

struct zone_sums {
	uint64_t free, ready, stranded;
	int64_t went, came;
	bool known, moved;       /* free and ready; what moved */
};

static void sum_sets(const struct zone_step *z, struct zone_sums *sums)
{
	for (uint32_t i = 0; i < z->npagesets; i++) {
		sums->went += pages_of(z->pagesets[i].went);
		sums->came += pages_of(z->pagesets[i].came);
		sums->moved |= amount_known(z->pagesets[i].change);
	}
}

static struct zone_sums sum_zones(const struct step *st)
{
	struct zone_sums sums = { .known = st->nzones > 0 };

	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		if (z->level == ZONE_EMPTY)
			continue;
		sums.known &= z->now->free != UNKNOWN && z->pageset_pages != UNKNOWN;
		sums.free += z->now->free;
		sums.ready += z->pageset_pages;
		sums.stranded += z->stranded == UNKNOWN ? 0 : z->stranded;
		sum_sets(z, &sums);
	}
	return sums;
}

static void say_marks(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);
	char low[NUMBER_TEXT], high[NUMBER_TEXT], min[NUMBER_TEXT], boost[NUMBER_TEXT];

	if (!z || z->now->low == UNKNOWN || z->now->high == UNKNOWN || z->now->min == UNKNOWN) {
		story_say(s, "The watermarks of the selected zone are not known.");
		return;
	}
	story_say(s, "Zone %s is %s: kswapd wakes when less than %s is free (low) and works until %s is (high); below %s (min) "
		  "whoever needs memory must reclaim first", z->now->name, zone_level_name(z->level),
		  number_pages(d, z->now->low, low), number_pages(d, z->now->high, high), number_pages(d, z->now->min, min));
	if (zone_boost(z->now))
		story_more(s, "; %s of each is boost, for a while", number_pages(d, zone_boost(z->now), boost));
	story_more(s, ".");
}

static void say_moved(const struct zone_sums *sums, const struct draw *d, struct story *s)
{
	char out[NUMBER_TEXT], in[NUMBER_TEXT];

	if (!sums->moved)
		story_say(s, "What moved between pagesets and zones is known with the next sample.");
	else
		story_say(s, "Since the last sample pagesets lost at least %s (drained, or taken by programs) and gained at "
			  "least %s (refilled, or freed by programs); two readings show the difference only.", number_pages(d, (uint64_t)sums->went, out),
			  number_pages(d, (uint64_t)sums->came, in));
}

static void say_pieces(const struct tui *t, struct story *s)
{
	const struct zone_step *z = pagesets_zone(t->state[VIEW_PAGESETS]);
	uint64_t permille = z ? z->fragmented_permille[1] : UNKNOWN;
	char share[NUMBER_TEXT];

	if (permille == UNKNOWN)
		story_say(s, "Whether free memory is in pieces is not known.");
	else
		story_say(s, "%s of the free memory of zone %s is in blocks too small for a huge page (order 9).",
			  units_percent(permille, 1000, share, sizeof(share)), z->now->name);
}

void story_pagesets(const struct tui *t, const struct draw *d, struct story *s)
{
	struct zone_sums sums = sum_zones(t->frame.step);
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	if (!sums.known) {
		story_say(s, "Zones and pagesets cannot be read here.");
		story_overview(t, d, s);
		return;
	}
	story_say(s, "%s is free in the zones, and %s more lies ready in the pagesets: a small stock of each CPU, from which it takes "
		  "pages without a lock.", number_pages(d, sums.free, a), number_pages(d, sums.ready, b));
	say_marks(t, d, s);
	say_moved(&sums, d, s);
	if (sums.stranded)
		story_say(s, "%s of it is stranded: its zone is below low, and only the CPU that has it can use it.",
			  number_pages(d, sums.stranded, a));
	else
		story_say(s, "None of it is stranded, since no zone is below low.");
	say_pieces(t, s);
}

/* --- processes --- */

struct process_sums {
	const struct process_step *large, *faulted;
	uint32_t users;
	int64_t faults, kswapd_ms;
	bool known_faults, known_kswapd;
};

static void sum_process(const struct process_step *p, struct process_sums *sums)
{
	if (p->now->kind == PROCESS_KSWAPD && amount_known(p->cpu_ms)) {
		sums->kswapd_ms += p->cpu_ms.value;
		sums->known_kswapd = true;
	}
	if (p->now->kind != PROCESS_USER)
		return;
	sums->users++;
	if (p->now->rss_kib < UNLIMITED && (!sums->large || p->now->rss_kib > sums->large->now->rss_kib))
		sums->large = p;
	sums->known_faults |= amount_known(p->major_faults);
	sums->faults += pages_of(p->major_faults);
	if (pages_of(p->major_faults) > (sums->faulted ? pages_of(sums->faulted->major_faults) : 0))
		sums->faulted = p;
}

static const char *name_of(const struct process_step *p)
{
	return p->now->name ? p->now->name : "one without a name";
}

static void say_stalled(const struct tui *t, struct story *s)
{
	char span[NUMBER_TEXT];
	int64_t us;
	const struct process *p = processes_longest_wait(t, &us);

	if (p)
		story_more(s, " Tasks of %s, as %s (%" PRIu32 ") is one, waited longest for memory: %s.", p->memcg,
			   p->name ? p->name : "one without a name", p->pid, story_span(us, span));
}

static void say_faults(const struct process_sums *sums, struct story *s)
{
	if (!sums->known_faults)
		story_say(s, "Who had to wait for a disk is known with the next sample.");
	else if (!sums->faulted)
		story_say(s, "None of them had to wait for a disk to get a page (major fault).");
	else
		story_say(s, "They waited for a disk to get a page (major fault) %" PRId64 " time%s, most often %s (%" PRIu32
			  "): %" PRId64 ".", sums->faults, sums->faults == 1 ? "" : "s", name_of(sums->faulted), sums->faulted->now->pid,
			  sums->faulted->major_faults.value);
}

void story_processes(const struct tui *t, const struct draw *d, struct story *s)
{
	const struct step *st = t->frame.step;
	struct process_sums sums = { 0 };
	char size[NUMBER_TEXT], span[NUMBER_TEXT], used[NUMBER_TEXT];

	for (uint32_t i = 0; i < st->nprocesses; i++)
		if (st->processes[i].now)
			sum_process(&st->processes[i], &sums);
	if (sums.large)
		story_say(s, "%" PRIu32 " process%s; the largest is %s (%" PRIu32 ") with %s of memory.", sums.users,
			  sums.users == 1 ? "" : "es", name_of(sums.large), sums.large->now->pid, number_bytes(d, sums.large->now->rss_kib * 1024, size));
	else
		story_say(s, "No process can be seen here.");
	say_faults(&sums, s);
	say_stalled(t, s);
	if (sums.known_kswapd && st->dt_us > 0)
		story_say(s, "kswapd, which reclaims in the background, used %s of CPU in %s.",
			  story_span(sums.kswapd_ms * 1000, used), story_span(st->dt_us, span));
	else
		story_say(s, "How much CPU kswapd used is not known.");
	story_taken(t, d, s);
	story_cost(t, d, s);
}

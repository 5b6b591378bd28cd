/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_machine.c - rules about the machine as a whole, its nodes and its zones.
 */
#include <inttypes.h>
#include <string.h>

#include "model/rules.h"

#define STALLS_A_SECOND 10        /* fewer are nothing where pressure says nothing either */
#define STALLED_PERMILLE 5        /* of the time, memory pressure "some": then stalls count */
#define SOME_PERMILLE 100         /* of the time: pressure is a finding of its own */
#define FULL_PERMILLE 200         /* of the time nothing ran: an alarm */
#define BUSY_PERMILLE 500         /* of a CPU: kswapd works hard */
#define NEARLY_FULL_PERMILLE 900  /* of swap */
#define FOUND_PERMILLE 100        /* of pages isolated: reclaim finds little */
#define SCANNED_MIB_A_SECOND 4    /* less is no work */
#define SWAP_MIB_A_SECOND 1
#define STRANDED_PERMILLE 100     /* of the low watermark */
#define DYING_GROWTH 100          /* memcgs within the span */

static uint64_t mib(const struct rule_input *in, uint64_t count)
{
	return count * ((UINT64_C(1) << 20) / in->page_size);
}

/* --- killed --- */

/* The memcg, the innermost one, whose events account for all n kills; NULL where none does. */
static const struct moved *all_killed_in(const struct rule_input *in, uint64_t n)
{
	for (uint32_t i = 0; i < in->nmemcgs; i++) {
		const struct moved *m = &in->memcgs[i];

		if (or_nought(m->oom_kills) == n && !is_root(m) && !is_childs_kill(in, m))
			return m;
	}
	return NULL;
}

/* Which process it was, no counter says. */
static bool oom_kills(const struct rule_input *in, struct finding *out)
{
	uint64_t n = or_nought(in->lately.sum.oom_kills);
	const struct moved *m = n ? all_killed_in(in, n) : NULL;
	struct said span = say_span(in->lately.dt_us);

	/* At a limit memcg-killed says the same, and more. */
	if (!n || (m && is_limit_kill(m)))
		return false;
	say(out, "%" PRIu64 " process%s%s%s %s killed for lack of memory in the last %s", n, n == 1 ? "" : "es",
	    m ? " of " : "", m ? m->path : "", n == 1 ? "was" : "were", span.text);
	if (m)
		prove(out, "vmstat oom_kill +%" PRIu64 ", memory.events oom_kill of %s +%" PRIu64 " in %s", n, m->path,
		      or_nought(m->oom_kills), span.text);
	else
		prove(out, "vmstat oom_kill +%" PRIu64 " in %s", n, span.text);
	return true;
}

/* --- zones --- */

static bool zone_below_min(const struct rule_input *in, struct finding *out)
{
	const struct zone_step *z = step_pressed_zone(in->step);
	struct said usable, min, cma;

	if (!z || z->tiny || z->level != ZONE_BELOW_MIN)
		return false;
	usable = say_pages(in, z->usable);
	min = say_pages(in, z->now->min);
	say(out, "zone %s of node %" PRIu32 " is below min: %s usable, %s must stay free",
	    z->now->name, z->now->node, usable.text, min.text);
	prove(out, "zoneinfo free %" PRIu64 ", usable %" PRIu64 ", min %" PRIu64 " pages",
	      z->now->free, z->usable, z->now->min);
	if (z->usable < z->now->free && z->now->free >= z->now->min) {
		cma = say_pages(in, z->now->free - z->usable);
		say(out, "zone %s of node %" PRIu32 " is below min: %s usable, %s must stay free; "
		    "%s more are CMA, for movable pages only", z->now->name, z->now->node,
		    usable.text, min.text, cma.text);
	}
	return true;
}

static bool zone_low(const struct rule_input *in, const struct zone_step **out)
{
	for (uint32_t i = 0; i < in->step->nzones; i++) {
		const struct zone_step *z = &in->step->zones[i];
		bool low = z->level == ZONE_BELOW_LOW || z->level == ZONE_BELOW_MIN;

		if (low && !z->tiny && (!*out || z->stranded > (*out)->stranded))
			*out = z;
	}
	return *out;
}

static bool stranded(const struct rule_input *in, struct finding *out)
{
	const struct zone_step *z = NULL;
	struct said pages;

	if (!zone_low(in, &z) || permille(z->stranded, z->now->low) < STRANDED_PERMILLE)
		return false;
	/* A zone may rest a few pages below low as long as nobody wants any. */
	if (z->level == ZONE_BELOW_LOW && !or_nought(in->now.sum.scanned_all))
		return false;
	pages = say_pages(in, z->stranded);
	say(out, "%s of free pages stand in pagesets while zone %s of node %" PRIu32 " is below %s",
	    pages.text, z->now->name, z->now->node,
	    z->level == ZONE_BELOW_MIN ? "min" : "low");
	prove(out, "zoneinfo pagesets hold %" PRIu64 " pages; usable %" PRIu64 ", low %" PRIu64,
	      z->stranded, z->usable, z->now->low);
	return true;
}

static bool tiny_zone(const struct rule_input *in, struct finding *out)
{
	const struct zone_step *z = step_pressed_zone(in->step);

	if (!z || !z->tiny || z->level == ZONE_ABOVE_HIGH)
		return false;
	say(out, "the tiny zone %s of node %" PRIu32 " is %s: kswapd may run for it alone",
	    z->now->name, z->now->node, zone_level_name(z->level));
	prove(out, "zoneinfo managed %" PRIu64 ", usable %" PRIu64 ", high %" PRIu64 " pages",
	      z->now->managed == UNKNOWN ? z->now->present : z->now->managed, z->usable,
	      z->now->high);
	return true;
}

/* --- nodes --- */

static bool node_is_low(const struct step *st, uint32_t node)
{
	for (uint32_t i = 0; i < st->nzones; i++) {
		const struct zone_step *z = &st->zones[i];

		if (z->now->node == node &&
		    (z->level == ZONE_BELOW_LOW || z->level == ZONE_BELOW_MIN))
			return true;
	}
	return false;
}

static bool is_busy(const struct step *st, const struct node_step *n)
{
	return amount_known(n->kswapd_cpu_ms) && st->dt_us > 0 &&
	       permille((uint64_t)n->kswapd_cpu_ms.value * 1000, (uint64_t)st->dt_us) >=
	       BUSY_PERMILLE;
}

static void prove_nothing(const struct step *st, const struct node_step *n, struct finding *out)
{
	const char *low = node_is_low(st, n->node) ? ", a zone is below low" : "";

	if (amount_known(n->kswapd_cpu_ms))
		prove(out, "zoneinfo: all lru lists of node %" PRIu32 " are empty%s; kswapd used %"
		      PRId64 " ms of CPU in %s", n->node, low, n->kswapd_cpu_ms.value,
		      say_span(st->dt_us).text);
	else
		prove(out, "zoneinfo: all lru lists of node %" PRIu32 " are empty%s", n->node, low);
}

static bool nothing_reclaimable(const struct rule_input *in, struct finding *out)
{
	const struct step *st = in->step;

	for (uint32_t i = 0; i < st->nnodes; i++) {
		const struct node_step *n = &st->nodes[i];

		if (!amount_known(n->reclaimable) || n->reclaimable.value > 0 ||
		    (!node_is_low(st, n->node) && !is_busy(st, n)))
			continue;
		say(out, "kswapd%" PRIu32 " cannot make progress: node %" PRIu32
		    " has no reclaimable page", n->node, n->node);
		prove_nothing(st, n, out);
		return true;
	}
	return false;
}

/* --- pressure --- */

static bool pressure(const struct rule_input *in, struct finding *out)
{
	const struct span *s = &in->lately;
	uint64_t some = permille(s->sum.stall_some_us, (uint64_t)s->dt_us);
	uint64_t full = permille(s->sum.stall_full_us, (uint64_t)s->dt_us);
	struct said span = say_span(s->dt_us), lost = say_time(or_nought(s->sum.stall_some_us)),
		    all = say_time(or_nought(s->sum.stall_full_us));

	if (some < SOME_PERMILLE && full < FULL_PERMILLE)
		return false;
	if (full >= FULL_PERMILLE) {
		out->severity = SEVERITY_ALARM;
		say(out, "all tasks that had work waited for memory during %" PRIu64
		    " %% of the last %s", full / 10, span.text);
	} else {
		say(out, "some task waited for memory during %" PRIu64 " %% of the last %s",
		    some / 10, span.text);
	}
	prove(out, "pressure/memory some +%s, full +%s in %s", lost.text, all.text, span.text);
	return true;
}

static bool stalls_count(const struct rule_input *in)
{
	const struct span *s = &in->now;

	if (!or_nought(s->sum.stalls))
		return false;
	return per_second(s->sum.stalls, s->dt_us) >= STALLS_A_SECOND ||
	       permille(s->sum.stall_some_us, (uint64_t)s->dt_us) >= STALLED_PERMILLE;
}

static bool direct_stalls(const struct rule_input *in, struct finding *out)
{
	const struct span *s = &in->now;
	const char *what = "allocations";
	struct said span = say_span(s->dt_us), lost = say_time(or_nought(s->sum.stall_some_us));

	if (!stalls_count(in))
		return false;
	if (s->sum.stalls == 1)
		what = "allocation";
	if (s->sum.stall_some_us == UNKNOWN)
		say(out, "direct reclaim stalls: %" PRIu64 " %s in %s had to reclaim themselves",
		    s->sum.stalls, what, span.text);
	else
		say(out, "direct reclaim stalls: %" PRIu64
		    " %s in %s had to reclaim themselves, memory pressure cost %s",
		    s->sum.stalls, what, span.text, lost.text);
	prove(out, "vmstat allocstall_* +%" PRIu64 ", pgsteal_direct +%" PRIu64
	      ", pgsteal_kswapd +%" PRIu64 "; pressure/memory some +%" PRIu64 " us in %s",
	      s->sum.stalls, or_nought(s->sum.stolen_by[WHO_DIRECT]),
	      or_nought(s->sum.stolen_by[WHO_KSWAPD]), or_nought(s->sum.stall_some_us),
	      span.text);
	return true;
}

/* --- what reclaim finds --- */

static bool finds_little(const struct rule_input *in, struct finding *out)
{
	const struct span *s = &in->lately;
	uint64_t stolen = or_nought(s->sum.stolen[TYPE_ANON]) + or_nought(s->sum.stolen[TYPE_FILE]);
	uint64_t found;

	if (s->sum.stolen[TYPE_FILE] == UNKNOWN)
		stolen = or_nought(s->sum.stolen_by[WHO_KSWAPD]) +
			 or_nought(s->sum.stolen_by[WHO_DIRECT]);
	found = permille(stolen, s->sum.scanned_all);
	if (per_second(s->sum.scanned_all, s->dt_us) < mib(in, SCANNED_MIB_A_SECOND) ||
	    found >= FOUND_PERMILLE)
		return false;
	say(out, "reclaim finds little: of the pages it took off the lists %" PRIu64
	    " %% could be freed", found / 10);
	prove(out, "vmstat pgscan_* +%" PRIu64 ", pgsteal_* +%" PRIu64 " in %s",
	      or_nought(s->sum.scanned_all), stolen, say_span(s->dt_us).text);
	return true;
}

/*
 * Oldest generation that holds anything; those of a few pages are not worth a look of the kernel
 * either.
 */
static uint64_t oldest_age(const struct step *st)
{
	uint64_t oldest = UNKNOWN;

	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		const struct lruvec *v = st->lruvecs[i].now;

		for (uint32_t g = 0; v && g < v->ngens; g++) {
			const struct gen *gen = &v->gens[g];

			if (gen->pages[TYPE_ANON] + gen->pages[TYPE_FILE] < 64)
				continue;
			if (oldest == UNKNOWN || gen->age_ms > oldest)
				oldest = gen->age_ms;
		}
	}
	return oldest;
}

/*
 * lru_gen_age_node(): kswapd calls the OOM killer where every lruvec's oldest generation is younger
 * than min_ttl_ms.
 */
static bool min_ttl(const struct rule_input *in, struct finding *out)
{
	uint64_t ttl = in->step->now->machine.min_ttl_ms, oldest;
	const struct brief *b = &in->lately.sum;

	/* A machine that has just started is young all over, and nothing is wrong with that. */
	if (ttl == UNKNOWN || !ttl || !(or_nought(b->scanned_all) || or_nought(b->oom_kills)))
		return false;
	oldest = oldest_age(in->step);
	if (oldest == UNKNOWN || oldest >= ttl)
		return false;
	if (or_nought(b->oom_kills))
		out->severity = SEVERITY_ALARM;
	say(out, "min_ttl_ms is %" PRIu64 " and every generation is younger: kswapd kills a "
	    "process instead of evicting", ttl);
	prove(out, "lru_gen/min_ttl_ms %" PRIu64 ", oldest generation %" PRIu64
	      " ms, vmstat oom_kill +%" PRIu64, ttl, oldest, or_nought(b->oom_kills));
	return true;
}

/* --- swap --- */

static bool swap_full(const struct rule_input *in, struct finding *out)
{
	const struct counters *m = &in->step->now->meminfo;
	uint64_t total = counters_get(m, MEM_SwapTotal), unused = counters_get(m, MEM_SwapFree);
	uint64_t used;

	if (total == UNKNOWN || !total || unused == UNKNOWN || unused > total)
		return false;
	used = permille(total - unused, total);
	if (used < NEARLY_FULL_PERMILLE || !or_nought(in->lately.sum.scanned[TYPE_ANON]))
		return false;
	say(out, "swap is nearly full (%" PRIu64 " %%), and anonymous pages are still scanned",
	    used / 10);
	prove(out, "meminfo SwapFree %" PRIu64 " of %" PRIu64 " kB, vmstat pgscan_anon +%" PRIu64,
	      unused, total, in->lately.sum.scanned[TYPE_ANON]);
	return true;
}

static bool swap_thrash(const struct rule_input *in, struct finding *out)
{
	const struct brief *b = &in->lately.sum;
	int64_t dt = in->lately.dt_us;
	bool z = or_nought(b->zswapped_in) > or_nought(b->swapped_in);
	uint64_t back = z ? b->zswapped_in : b->swapped_in;
	uint64_t away = z ? b->zswapped_out : b->swapped_out;
	struct said to = say_rate(in, away, dt), from = say_rate(in, back, dt);

	if (per_second(back, dt) < mib(in, SWAP_MIB_A_SECOND) ||
	    per_second(away, dt) < mib(in, SWAP_MIB_A_SECOND) || permille(back, away) < 300)
		return false;
	say(out, "%s thrashes: %s go out, and %s come back", z ? "zswap" : "swap", to.text,
	    from.text);
	prove(out, "vmstat %s +%" PRIu64 ", %s +%" PRIu64 " pages in %s", z ? "zswpout" : "pswpout",
	      or_nought(away), z ? "zswpin" : "pswpin", or_nought(back), say_span(dt).text);
	return true;
}

/* --- whose numbers --- */

/* All that the zones manage; UNKNOWN where one does not say. */
static uint64_t managed_pages(const struct sample *s)
{
	uint64_t pages = 0;

	for (uint32_t i = 0; i < s->nzones; i++) {
		if (s->zones[i].managed == UNKNOWN)
			return UNKNOWN;
		pages += s->zones[i].managed;
	}
	return s->nzones ? pages : UNKNOWN;
}

/*
 * A container may have a meminfo of its own size beside its host's vmstat and zoneinfo: more pages
 * are free there than it has, or more are managed, which on one machine is MemTotal itself.
 */
static bool of_host(const struct rule_input *in, struct finding *out)
{
	const struct sample *s = in->step->now;
	uint64_t kib = counters_get(&s->meminfo, MEM_MemTotal), page_kib = in->page_size / 1024;
	uint64_t total = kib == UNKNOWN || !page_kib ? UNKNOWN : kib / page_kib;
	uint64_t unused = counters_get(&s->vmstat, VM_nr_free_pages), all = managed_pages(s);
	bool zones = all != UNKNOWN && all > total && all - total > total / 10;

	if (total == UNKNOWN || !total || !(zones || (unused != UNKNOWN && unused > total)))
		return false;
	say(out, "%s the host's: /proc/meminfo says another size",
	    zones ? "vmstat and zoneinfo are" : "vmstat is");
	if (zones)
		prove(out, "zoneinfo managed %" PRIu64 " pages, meminfo MemTotal %" PRIu64 " kB",
		      all, kib);
	else
		prove(out, "vmstat nr_free_pages %" PRIu64 ", meminfo MemTotal %" PRIu64 " kB",
		      unused, kib);
	return true;
}

/* --- the rest --- */

static bool disagree(const struct rule_input *in, struct finding *out)
{
	const struct reclaim *r = &in->step->reclaim;

	if (r->check != CHECK_DISAGREE)
		return false;
	say(out, "the kernel's counters disagree: reclaim by type and by who differ by %" PRId64
	    " pages", r->check_diff);
	prove(out, "vmstat pgsteal_anon+file less pgsteal_kswapd+direct+… = %" PRId64
	      ", %" PRId64 " can be explained", r->check_diff, r->check_allowed);
	return true;
}

static bool dying_memcgs(const struct rule_input *in, struct finding *out)
{
	uint64_t now = in->lately.sum.dying, was = in->lately.dying_was;

	if (now == UNKNOWN || was == UNKNOWN || now < was + DYING_GROWTH)
		return false;
	say(out, "removed memcgs pile up: %" PRIu64 " more in %s, %" PRIu64
	    " still hold memory", now - was, say_span(in->lately.dt_us).text, now);
	prove(out, "cgroup.stat nr_dying_subsys_memory (or nr_dying_descendants) %" PRIu64
	      " to %" PRIu64, was, now);
	return true;
}

static bool keeps_up(const struct rule_input *in, struct finding *out)
{
	const struct span *s = &in->now;
	uint64_t took = or_nought(s->sum.stolen_by[WHO_KSWAPD]), n = or_nought(s->sum.stalls);
	struct said rate = say_rate(in, took, s->dt_us);

	if (!took || s->sum.stalls == UNKNOWN || stalls_count(in))
		return false;
	if (n)
		say(out, "kswapd nearly keeps up: it took %s, %" PRIu64 " allocation%s in %s had "
		    "to wait", rate.text, n, n == 1 ? "" : "s", say_span(s->dt_us).text);
	else
		say(out, "kswapd keeps up: it took %s, no allocation had to wait", rate.text);
	prove(out, "vmstat pgsteal_kswapd +%" PRIu64 ", allocstall_* +%" PRIu64 " in %s", took, n,
	      say_span(s->dt_us).text);
	return true;
}

const struct rule rules_machine[] = {
	{ "oom-kill", SEVERITY_ALARM, 10, oom_kills },
	{ "zone-below-min", SEVERITY_ALARM, 30, zone_below_min },
	/* Before all others of its kind: it tells whose they are. */
	{ "of-host", SEVERITY_WARN, 5, of_host },
	{ "nothing-reclaimable", SEVERITY_WARN, 10, nothing_reclaimable },
	{ "min-ttl", SEVERITY_WARN, 20, min_ttl },
	{ "pressure", SEVERITY_WARN, 40, pressure },
	{ "direct-stalls", SEVERITY_WARN, 50, direct_stalls },
	{ "swap-nearly-full", SEVERITY_WARN, 70, swap_full },
	{ "swap-thrash", SEVERITY_WARN, 80, swap_thrash },
	{ "finds-little", SEVERITY_WARN, 90, finds_little },
	{ "stranded", SEVERITY_WARN, 100, stranded },
	{ "counters-disagree", SEVERITY_WARN, 110, disagree },
	{ "dying-memcgs", SEVERITY_NOTE, 20, dying_memcgs },
	{ "tiny-zone", SEVERITY_NOTE, 30, tiny_zone },
	{ "kswapd-keeps-up", SEVERITY_NOTE, 10, keeps_up },
};

const uint32_t nrules_machine = sizeof(rules_machine) / sizeof(rules_machine[0]);

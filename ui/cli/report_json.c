/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_json.c - a report as one JSON object. Pages where a name says nothing else; what is not
 * known is left out.
 */
#include <string.h>

#include "member.h"
#include "report.h"

static const char *const types[TYPE_NR] = { [TYPE_ANON] = "anon", [TYPE_FILE] = "file" };

static const char *const reclaimers[WHO_NR] = {
	[WHO_KSWAPD] = "kswapd",           [WHO_DIRECT] = "direct",
	[WHO_KHUGEPAGED] = "khugepaged",   [WHO_PROACTIVE] = "proactive",
	[WHO_MEMCG_LIMIT] = "memcg_limit",
};

static const char *const resources[PSI_NR] = {
	[PSI_MEMORY] = "memory", [PSI_IO] = "io", [PSI_CPU] = "cpu",
};

static const char *const severities[] = {
	[SEVERITY_NOTE] = "note", [SEVERITY_WARN] = "warn", [SEVERITY_ALARM] = "alarm",
};

static const char *const levels[] = {
	[ZONE_UNKNOWN] = "unknown",       [ZONE_EMPTY] = "empty",
	[ZONE_BELOW_MIN] = "below_min",   [ZONE_BELOW_LOW] = "below_low",
	[ZONE_BELOW_HIGH] = "below_high", [ZONE_ABOVE_HIGH] = "above_high",
};

/* ---- pieces ---------------------------------------------------------------------------------- */

static void put_total(struct json_object *in, const char *name, const struct total *t)
{
	if (total_known(t))
		member_i64(in, name, t->sum);
}

static void put_gauge(struct json_object *in, const char *name, const struct gauge *g)
{
	struct json_object *obj;

	if (!g->n)
		return;
	obj = member_object(in, name);
	member_u64(obj, "min", g->min);
	member_number(obj, "mean", gauge_mean(g));
	member_u64(obj, "max", g->max);
	member_u64(obj, "last", g->last);
}

static void put_time(struct json_object *in, const char *name, struct summary_time at)
{
	struct json_object *obj = member_object(in, name);
	char date[40];

	member_u64(obj, "session", at.session);
	member_i64(obj, "since_us", at.since_us);
	if (*report_date(at.wall_us, date, sizeof(date)))
		member_string(obj, "date", date);
}

static void put_peak(struct json_object *in, const char *name, const struct peak *p)
{
	struct json_object *obj;

	if (!(p->rate > 0))
		return;
	obj = member_object(in, name);
	member_number(obj, "per_second", p->rate);
	put_time(obj, "at", p->at);
}

static void put_levels(struct json_object *in, const int64_t level_us[])
{
	struct json_object *obj = member_object(in, "level_us");

	for (int level = 0; level <= ZONE_ABOVE_HIGH; level++)
		if (level_us[level])
			member_i64(obj, levels[level], level_us[level]);
}

/* ---- what was recorded ----------------------------------------------------------------------- */

static void put_sessions(struct json_object *in, const struct summary *s)
{
	struct json_object *list = member_list(in, "sessions");
	char date[40];

	for (uint32_t i = 0; i < s->nsessions; i++) {
		const struct session_total *one = &s->sessions[i];
		struct json_object *obj = member_item(list);

		member_u64(obj, "session", one->session);
		member_string(obj, "kernel", one->kernel);
		member_string(obj, "boot_id", one->boot_id);
		if (*report_date(one->wall_us, date, sizeof(date)))
			member_string(obj, "start", date);
		member_i64(obj, "length_us", one->last_us - one->first_us);
		member_u64(obj, "samples", one->samples);
	}
}

static void put_gaps(struct json_object *in, const struct summary *s)
{
	struct json_object *list = member_list(in, "gaps");

	for (uint32_t i = 0; i < s->ngaps; i++) {
		struct json_object *obj = member_item(list);

		put_time(obj, "end", s->gaps[i].end);
		member_i64(obj, "length_us", s->gaps[i].dt_us);
		member_string(obj, "why", s->gaps[i].why);
	}
	if (s->gaps_left_out)
		member_u64(in, "gaps_left_out", s->gaps_left_out);
	if (s->ngaps)
		member_i64(in, "gap_us", s->gap_us);
}

static void put_damage(struct json_object *in, const struct report *r)
{
	struct json_object *obj = member_object(in, "damage");

	member_u64(obj, "damaged_lines", r->facts.damaged);
	member_u64(obj, "baseless_lines", r->facts.baseless);
	member_u64(obj, "unreadable_samples", r->unreadable);
	member_bool(obj, "torn_tail", r->facts.torn_tail);
	member_bool(obj, "headless", r->facts.headless);
}

static void put_readings(struct json_object *in, const struct summary *s)
{
	struct json_object *all = member_object(in, "readings");

	for (int i = 0; i < READ_NR; i++) {
		const struct reading_total *t = &s->readings[i];
		struct json_object *obj;

		if (!t->ok && !t->failed)
			continue;
		obj = member_object(all, source_infos[i].name);
		member_u64(obj, "ok", t->ok);
		member_u64(obj, "failed", t->failed);
		if (t->failed && t->err)
			member_string(obj, "error", strerrorname_np(t->err));
		member_u64(obj, "torn", t->torn + t->cut);
		member_u64(obj, "skipped", t->skipped);
		member_u64(obj, "vanished", t->vanished);
	}
}

/* ---- what the machine did -------------------------------------------------------------------- */

static void put_reclaim(struct json_object *in, const struct summary *s)
{
	struct json_object *obj = member_object(in, "reclaim"), *by = member_object(obj, "by");
	struct json_object *of = member_object(obj, "types");

	for (int who = 0; who < WHO_NR; who++) {
		struct json_object *one = member_object(by, reclaimers[who]);

		put_total(one, "scanned", &s->scanned_by[who]);
		put_total(one, "stolen", &s->stolen_by[who]);
	}
	for (int type = 0; type < TYPE_NR; type++) {
		struct json_object *one = member_object(of, types[type]);

		put_total(one, "scanned", &s->scanned[type]);
		put_total(one, "stolen", &s->stolen[type]);
		put_total(one, "refaulted", &s->refaulted[type]);
	}
	put_total(obj, "scanned", &s->scanned_all);
	put_total(obj, "stolen", &s->stolen_all);
	put_total(obj, "refill", &s->refill);
	put_total(obj, "swapped_in", &s->swapped_in);
	put_total(obj, "swapped_out", &s->swapped_out);
	put_total(obj, "zswapped_in", &s->zswapped_in);
	put_total(obj, "zswapped_out", &s->zswapped_out);
	put_total(obj, "demoted", &s->demoted);
	put_total(obj, "promoted_nodes", &s->promoted_nodes);
	member_u64(obj, "disagreements", s->disagreements);
}

static void put_stalls(struct json_object *in, const struct summary *s)
{
	struct json_object *obj = member_object(in, "stall"), *events = member_object(in, "events");
	struct json_object *most = member_object(in, "most");

	for (int i = 0; i < PSI_NR; i++) {
		struct json_object *one = member_object(obj, resources[i]);

		put_total(one, "some_us", &s->stall[i].some_us);
		put_total(one, "full_us", &s->stall[i].full_us);
	}
	put_total(events, "stalls", &s->stalls);
	put_total(events, "compact_stalls", &s->compact_stalls);
	put_total(events, "major_faults", &s->vm[VM_pgmajfault]);
	put_total(events, "oom_kills", &s->oom_kills);
	put_total(events, "slabs_scanned", &s->slabs_scanned);
	put_total(events, "kswapd_cpu_ms", &s->kswapd_cpu_ms);
	put_peak(most, "stolen", &s->most_stolen);
	put_peak(most, "refaulted", &s->most_refaulted);
	put_peak(most, "stalls", &s->most_stalls);
	put_peak(most, "stalled_us", &s->most_stalled);
}

static void put_flow(struct json_object *in, const char *name, const struct flow_total *f)
{
	struct json_object *obj = member_object(in, name);

	put_total(obj, "in_young", &f->in_young);
	put_total(obj, "in_old", &f->in_old);
	put_total(obj, "promoted", &f->promoted);
	put_total(obj, "protected", &f->protected);
	put_total(obj, "evicted", &f->evicted);
	put_total(obj, "gone", &f->gone);
}

static void put_generations(struct json_object *in, const struct summary *s)
{
	struct json_object *obj = member_object(in, "generations"), *lived, *flow;

	put_total(obj, "births", &s->births);
	put_total(obj, "walked", &s->walked);
	member_u64(obj, "ended", s->closed);
	if (s->closed) {
		lived = member_object(obj, "lifetime_ms");
		member_u64(lived, "min", summary_lifetime_ms(s, 0));
		member_u64(lived, "median", summary_lifetime_ms(s, 500));
		member_u64(lived, "max", summary_lifetime_ms(s, 1000));
	}
	flow = member_object(obj, "flow");
	for (int type = 0; type < TYPE_NR; type++)
		put_flow(flow, types[type], &s->flow[type]);
}

static void put_gauges(struct json_object *in, const struct summary *s)
{
	struct json_object *obj = member_object(in, "gauges");

	put_gauge(obj, "free", &s->free);
	put_gauge(obj, "pagesets", &s->pageset_pages);
	put_gauge(obj, "stranded", &s->stranded);
	put_gauge(obj, "dying_memcgs", &s->dying);
	put_gauge(obj, "swap_used_kib", &s->swap_used_kib);
	put_levels(obj, s->level_us);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_memcgs(struct json_object *in, const struct report *r)
{
	struct json_object *list = member_list(in, "memcgs");

	for (uint32_t i = 0; i < r->sum->nmemcgs; i++) {
		const struct memcg_total *m = &r->sum->memcgs[r->memcgs[i]];
		struct json_object *obj = member_item(list);

		member_string(obj, "path", m->path);
		member_bool(obj, "dying", m->dying);
		member_bool(obj, "alone", m->evicted.scopes == 1u << SCOPE_MEMCG);
		put_total(obj, "evicted", &m->evicted);
		put_total(obj, "refaulted", &m->refaulted);
		put_total(obj, "lost", &m->lost);
		put_total(obj, "swapped_in", &m->swapped_in);
		put_total(obj, "swapped_out", &m->swapped_out);
		put_total(obj, "major_faults", &m->major_faults);
		put_total(obj, "stalled_us", &m->stalled_us);
		put_total(obj, "births", &m->births);
		put_total(obj, "max_hits", &m->max_hits);
		put_total(obj, "high_hits", &m->high_hits);
		put_total(obj, "oom_kills", &m->oom_kills);
		put_gauge(obj, "current", &m->current);
	}
	if (r->sum->memcgs_left_out)
		member_u64(in, "memcgs_left_out", r->sum->memcgs_left_out);
}

static void put_zones(struct json_object *in, const struct summary *s)
{
	struct json_object *list = member_list(in, "zones");

	for (uint32_t i = 0; i < s->nzones; i++) {
		const struct zone_total *z = &s->zones[i];
		struct json_object *obj = member_item(list);

		member_u64(obj, "node", z->node);
		member_string(obj, "zone", z->name);
		put_total(obj, "went_out_at_least", &z->went);
		put_total(obj, "came_in_at_least", &z->came);
		put_gauge(obj, "free", &z->free);
		put_gauge(obj, "pagesets", &z->pagesets);
		put_gauge(obj, "stranded", &z->stranded);
		put_levels(obj, z->level_us);
	}
}

static void put_findings(struct json_object *in, const struct summary *s)
{
	struct json_object *list = member_list(in, "findings");

	for (uint32_t i = 0; i < s->nepisodes; i++) {
		const struct episode *e = &s->episodes[i];
		struct json_object *obj = member_item(list);

		member_string(obj, "rule", e->rule);
		member_string(obj, "severity", severities[e->severity]);
		put_time(obj, "start", e->start);
		put_time(obj, "end", e->end);
		member_u64(obj, "steps", e->steps);
		member_string(obj, "text", e->text);
		member_string(obj, "evidence", e->evidence);
	}
	if (s->episodes_left_out)
		member_u64(in, "findings_left_out", s->episodes_left_out);
}

static void put_marks(struct json_object *in, const struct report *r)
{
	struct json_object *list = member_list(in, "marks");
	struct summary_time time;

	for (uint32_t i = 0; i < r->nmarks; i++) {
		const struct mark *m = &r->marks[i];
		struct json_object *obj;

		if (!report_mark_time(r, m, &time))
			continue;
		obj = member_item(list);
		member_string(obj, "kind", mark_kind_name(m->kind));
		put_time(obj, "at", time);
		member_string(obj, "text", m->text);
	}
}

void report_json(const struct report *r, struct buf *out)
{
	const struct summary *s = r->sum;
	struct json_object *obj = member_object(NULL, NULL);

	member_string(obj, "type", "report");
	member_string(obj, "file", r->path);
	member_u64(obj, "samples", s->samples);
	member_i64(obj, "covered_us", s->covered_us);
	member_u64(obj, "page_size", s->page_size ? s->page_size : UNKNOWN);
	put_sessions(obj, s);
	put_gaps(obj, s);
	member_u64(obj, "resets", s->resets);
	put_damage(obj, r);
	put_readings(obj, s);
	put_findings(obj, s);
	put_reclaim(obj, s);
	put_stalls(obj, s);
	put_generations(obj, s);
	put_gauges(obj, s);
	put_memcgs(obj, r);
	put_zones(obj, s);
	put_marks(obj, r);
	member_print(obj, out);
}

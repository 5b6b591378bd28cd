/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step as a line. Its names are the format's own, apart from what the screen calls things:
 * docs/format.md fixes them.
 */
#include <stddef.h>

#include "line.h"

static const char *const types[TYPE_NR] = { [TYPE_ANON] = "anon", [TYPE_FILE] = "file" };

static const char *const reclaimers[WHO_NR] = {
	[WHO_KSWAPD] = "kswapd", [WHO_DIRECT] = "direct", [WHO_KHUGEPAGED] = "khugepaged",
	[WHO_PROACTIVE] = "proactive", [WHO_MEMCG_LIMIT] = "memcg_limit",
};

static const char *const amount_states[] = {
	[AMOUNT_MISSING] = "missing",   [AMOUNT_FIRST] = "first",
	[AMOUNT_RESET] = "reset",       [AMOUNT_GAP] = "gap",
	[AMOUNT_MEASURED] = "measured", [AMOUNT_INFERRED] = "inferred",
};

static const char *const scopes[] = {
	[SCOPE_MACHINE] = "machine", [SCOPE_NODE] = "node", [SCOPE_MEMCG] = "memcg",
	[SCOPE_MEMCG_TREE] = "memcg_tree",
};

static const char *const step_states[] = {
	[STEP_OK] = "ok", [STEP_FIRST] = "first", [STEP_RESET] = "reset", [STEP_GAP] = "gap",
};

static const char *const checks[] = {
	[CHECK_UNKNOWN] = "unknown", [CHECK_AGREE] = "agree", [CHECK_DISAGREE] = "disagree",
};

static const char *const kswapd_states[] = {
	[KSWAPD_UNKNOWN] = "unknown", [KSWAPD_ASLEEP] = "asleep", [KSWAPD_WORKING] = "working",
};

static const char *const levels[] = {
	[ZONE_UNKNOWN] = "unknown",       [ZONE_EMPTY] = "empty",
	[ZONE_BELOW_MIN] = "below_min",   [ZONE_BELOW_LOW] = "below_low",
	[ZONE_BELOW_HIGH] = "below_high", [ZONE_ABOVE_HIGH] = "above_high",
};

static const char *const severities[] = {
	[SEVERITY_NOTE] = "note", [SEVERITY_WARN] = "warn", [SEVERITY_ALARM] = "alarm",
};

static const char *const resources[PSI_NR] = {
	[PSI_MEMORY] = "memory", [PSI_IO] = "io", [PSI_CPU] = "cpu"
};

static const struct {
	unsigned int bit;
	const char *name;
} artefacts[] = {
	{ ARTEFACT_ROTATED, "rotated" },       { ARTEFACT_REPARENTED, "reparented" },
	{ ARTEFACT_SWITCHED, "switched" },     { ARTEFACT_ID_REUSED, "id_reused" },
	{ ARTEFACT_HISTORY_LOST, "history_lost" }, { ARTEFACT_TORN, "torn" },
};

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

/* --- amounts --- */

struct member {
	const char *name;
	size_t offset;
};

#define MEMBER(type, member) { #member, offsetof(struct type, member) }

static bool is_limit(int64_t bound)
{
	return bound != AMOUNT_NO_LIMIT && bound != -AMOUNT_NO_LIMIT;
}

static struct json_object *amount_out(struct amount a)
{
	struct json_object *obj = line_object();

	if (amount_known(a))
		line_add(obj, "v", line_i64(a.value));
	line_add(obj, "state", line_string(amount_states[a.state]));
	line_add(obj, "scope", line_string(scopes[a.scope]));
	if (!amount_known(a) || (a.lo == a.value && a.hi == a.value))
		return obj;
	if (is_limit(a.lo))
		line_add(obj, "lo", line_i64(a.lo));
	if (is_limit(a.hi))
		line_add(obj, "hi", line_i64(a.hi));
	return obj;
}

/* What the kernel does not say is left out. */
static void add_amount(struct json_object *obj, const char *name, struct amount a)
{
	if (a.state != AMOUNT_MISSING)
		line_add(obj, name, amount_out(a));
}

static void add_amounts(struct json_object *obj, const struct member *members, size_t n,
			const void *from)
{
	for (size_t i = 0; i < n; i++)
		add_amount(obj, members[i].name,
			   *(const struct amount *)((const char *)from + members[i].offset));
}

/* Add an object or a list unless it is empty. */
static void add_full(struct json_object *obj, const char *name, struct json_object *v)
{
	if (json_object_is_type(v, json_type_array) ? json_object_array_length(v)
						     : (size_t)json_object_object_length(v))
		line_add(obj, name, v);
	else
		json_object_put(v);
}

static void add_known(struct json_object *obj, const char *name, uint64_t v)
{
	if (v != UNKNOWN)
		line_add(obj, name, line_u64(v));
}

static void add_true(struct json_object *obj, const char *name, bool is)
{
	if (is)
		line_add(obj, name, line_bool(1));
}

static struct json_object *by_type(const uint64_t pages[TYPE_NR])
{
	struct json_object *array = line_array();

	for (int t = 0; t < TYPE_NR; t++)
		line_push(array, line_u64(pages[t]));
	return array;
}

/* --- reclaim --- */

static const struct member reclaim_members[] = {
	{ "scanned", offsetof(struct reclaim, scanned_all) }, { "stolen", offsetof(struct reclaim, stolen_all) },
	MEMBER(reclaim, refill), MEMBER(reclaim, swapped_in), MEMBER(reclaim, swapped_out),
	MEMBER(reclaim, zswapped_in), MEMBER(reclaim, zswapped_out), MEMBER(reclaim, demoted),
	MEMBER(reclaim, promoted_nodes), MEMBER(reclaim, stalls), MEMBER(reclaim, oom_kills),
	MEMBER(reclaim, compact_stalls), MEMBER(reclaim, slabs_scanned),
};

static struct json_object *by_reclaimer(const struct amount *scanned, const struct amount *stolen)
{
	struct json_object *obj = line_object();

	for (int who = 0; who < WHO_NR; who++) {
		struct json_object *one = line_object();

		add_amount(one, "scanned", scanned[who]);
		add_amount(one, "stolen", stolen[who]);
		add_full(obj, reclaimers[who], one);
	}
	return obj;
}

static struct json_object *reclaim_out(const struct reclaim *r)
{
	struct json_object *obj = line_object(), *all = line_object();

	add_full(obj, "by", by_reclaimer(r->scanned_by, r->stolen_by));
	for (int t = 0; t < TYPE_NR; t++) {
		struct json_object *one = line_object();

		add_amount(one, "scanned", r->scanned[t]);
		add_amount(one, "stolen", r->stolen[t]);
		add_amount(one, "refaulted", r->refaulted[t]);
		add_full(all, types[t], one);
	}
	add_full(obj, "types", all);
	add_amounts(obj, reclaim_members, LEN(reclaim_members), r);
	line_add(obj, "check", line_string(checks[r->check]));
	if (r->check != CHECK_UNKNOWN) {
		line_add(obj, "check_diff", line_i64(r->check_diff));
		line_add(obj, "check_allowed", line_i64(r->check_allowed));
	}
	return obj;
}

static struct json_object *stalls_out(const struct stall stall[PSI_NR])
{
	struct json_object *all = line_object();

	for (int i = 0; i < PSI_NR; i++) {
		struct json_object *obj = line_object();

		add_amount(obj, "some_us", stall[i].some_us);
		add_amount(obj, "full_us", stall[i].full_us);
		add_full(all, resources[i], obj);
	}
	return all;
}

static struct json_object *node_out(const struct node_step *n)
{
	struct json_object *obj = line_object(), *refaulted = line_object();

	line_add(obj, "node", line_u64(n->node));
	line_add(obj, "kswapd", line_string(kswapd_states[n->kswapd]));
	add_amount(obj, "kswapd_cpu_ms", n->kswapd_cpu_ms);
	add_full(obj, "by", by_reclaimer(n->scanned, n->stolen));
	for (int t = 0; t < TYPE_NR; t++)
		add_amount(refaulted, types[t], n->refaulted[t]);
	add_full(obj, "refaulted", refaulted);
	add_amount(obj, "reclaimable", n->reclaimable);
	return obj;
}

/* --- generations --- */

static const struct member flow_members[] = {
	MEMBER(type_flow, in_young), MEMBER(type_flow, in_old), MEMBER(type_flow, promoted),
	MEMBER(type_flow, protected), MEMBER(type_flow, evicted), MEMBER(type_flow, gone),
	MEMBER(type_flow, unexplained), MEMBER(type_flow, refaulted),
};

static struct json_object *flow_out(const struct type_flow flow[TYPE_NR])
{
	struct json_object *all = line_object();

	for (int t = 0; t < TYPE_NR; t++) {
		struct json_object *obj = line_object(), *list = line_array();

		add_amounts(obj, flow_members, LEN(flow_members), &flow[t]);
		for (size_t i = 0; i < LEN(artefacts); i++)
			if (flow[t].artefacts & artefacts[i].bit)
				line_push(list, line_string(artefacts[i].name));
		add_full(obj, "artefacts", list);
		add_full(all, types[t], obj);
	}
	return all;
}

static struct json_object *gen_out(const struct gen_step *g)
{
	struct json_object *obj = line_object();

	line_add(obj, "seq", line_u64(g->seq));
	add_known(obj, "age_ms", g->age_ms);
	add_true(obj, "born", g->born);
	add_true(obj, "left", g->left);
	line_add(obj, "before", by_type(g->before));
	line_add(obj, "now", by_type(g->now));
	return obj;
}

static struct json_object *lruvec_out(const struct lruvec_step *l)
{
	const struct lruvec *v = l->now ? l->now : l->before;
	struct json_object *obj = line_object(), *gens = line_array();

	if (v) {
		line_add(obj, "memcg", line_u64(v->memcg));
		line_add(obj, "path", line_string(v->path));
		line_add(obj, "node", line_u64(v->node));
	}
	add_true(obj, "new", !l->before);
	add_true(obj, "vanished", !l->now);
	add_amount(obj, "births", l->births);
	for (uint32_t i = 0; i < l->ngens; i++)
		line_push(gens, gen_out(&l->gens[i]));
	add_full(obj, "gens", gens);
	add_full(obj, "flow", flow_out(l->flow));
	add_amount(obj, "walked", l->walked);
	add_amount(obj, "walked_young", l->walked_young);
	return obj;
}

static const struct member memcg_members[] = {
	MEMBER(memcg_step, evicted),     MEMBER(memcg_step, refaulted),
	MEMBER(memcg_step, lost),        MEMBER(memcg_step, swapped_in),
	MEMBER(memcg_step, swapped_out), MEMBER(memcg_step, major_faults),
	MEMBER(memcg_step, stalled_us),  MEMBER(memcg_step, oom_kills),
	MEMBER(memcg_step, max_hits),    MEMBER(memcg_step, high_hits),
};

static struct json_object *memcg_out(const struct memcg_step *m)
{
	struct json_object *obj = line_object(), *places = line_array();

	line_add(obj, "path", line_string(m->path));
	add_known(obj, "memcg", m->id);
	add_true(obj, "dying", m->dying);
	add_true(obj, "new", m->is_new);
	add_true(obj, "vanished", m->vanished);
	if (m->copies)
		line_add(obj, "copies", line_u64(m->copies));
	for (int i = 0; i < PLACE_NR; i++)
		line_push(places, by_type(m->pages[i]));
	line_add(obj, "places", places);
	line_add(obj, "lru_pages", by_type(m->lru_pages));
	line_add(obj, "oldest_age_ms", by_type(m->oldest_age_ms));
	add_amounts(obj, memcg_members, LEN(memcg_members), m);
	return obj;
}

/* --- zones, processes, counters --- */

static const struct member pageset_members[] = {
	MEMBER(pageset_step, change), MEMBER(pageset_step, went), MEMBER(pageset_step, came),
};

static struct json_object *pageset_out(const struct pageset_step *p)
{
	struct json_object *obj = line_object();

	line_add(obj, "cpu", line_u64(p->now->cpu));
	add_amounts(obj, pageset_members, LEN(pageset_members), p);
	line_add(obj, "fill_permille", line_u64(p->fill_permille));
	return obj;
}

static struct json_object *zone_out(const struct zone_step *z)
{
	struct json_object *obj = line_object(), *pagesets = line_array();
	struct json_object *fragmented = line_array();

	line_add(obj, "node", line_u64(z->now->node));
	line_add(obj, "zone", line_string(z->now->name));
	line_add(obj, "level", line_string(levels[z->level]));
	add_true(obj, "tiny", z->tiny);
	add_known(obj, "usable", z->usable);
	if (z->level > ZONE_EMPTY) {
		line_add(obj, "to_min", line_i64(z->to_min));
		line_add(obj, "to_low", line_i64(z->to_low));
		line_add(obj, "to_high", line_i64(z->to_high));
	}
	add_amount(obj, "change", z->change);
	add_known(obj, "pageset_pages", z->pageset_pages);
	add_known(obj, "stranded", z->stranded);
	for (size_t i = 0; i < LEN(z->fragmented_permille); i++)
		line_push(fragmented, line_u64(z->fragmented_permille[i]));
	line_add(obj, "fragmented_permille", fragmented);
	for (uint32_t i = 0; i < z->npagesets; i++)
		line_push(pagesets, pageset_out(&z->pagesets[i]));
	add_full(obj, "pagesets", pagesets);
	return obj;
}

static struct json_object *process_out(const struct process_step *p)
{
	struct json_object *obj = line_object();

	line_add(obj, "pid", line_u64(p->now->pid));
	line_add(obj, "start_ticks", line_u64(p->now->start_ticks));
	line_add(obj, "name", line_string(p->now->name));
	add_amount(obj, "cpu_ms", p->cpu_ms);
	add_amount(obj, "major_faults", p->major_faults);
	return obj;
}

/* Only what moved: the samples tell those that stood still from those that are not known. */
static struct json_object *vm_out(const struct amount *vm)
{
	struct json_object *obj = line_object();

	for (uint32_t i = 0; vm && i < keytab_vmstat.n; i++)
		if (amount_known(vm[i]) && vm[i].value)
			line_add(obj, keytab_vmstat.keys[i].name, amount_out(vm[i]));
	return obj;
}

static struct json_object *finding_out(const struct finding *f)
{
	struct json_object *obj = line_object();

	line_add(obj, "severity", line_string(severities[f->severity]));
	line_add(obj, "rule", line_string(f->rule));
	line_add(obj, "text", line_string(f->text));
	line_add(obj, "evidence", line_string(f->evidence));
	return obj;
}

/* [[pages, times], …] of this step. */
static struct json_object *sizes_out(const struct events_step *ev, enum bulk_way way)
{
	struct json_object *array = line_array();

	for (uint32_t i = 0; i < ev->nsizes[way]; i++) {
		struct json_object *row;

		if (!amount_known(ev->sizes[way][i].times) || !ev->sizes[way][i].times.value)
			continue;
		row = line_array();
		line_push(row, line_u64(ev->sizes[way][i].pages));
		line_push(row, line_i64(ev->sizes[way][i].times.value));
		line_push(array, row);
	}
	return array;
}

static struct json_object *events_out(const struct events_step *ev)
{
	static const struct member members[] = {
		{ "drains", offsetof(struct events_step, times[BULK_DRAIN]) },
		{ "refills", offsetof(struct events_step, times[BULK_REFILL]) },
		{ "drained", offsetof(struct events_step, pages[BULK_DRAIN]) },
		{ "refilled", offsetof(struct events_step, pages[BULK_REFILL]) },
	};
	struct json_object *obj = line_object();

	add_amounts(obj, members, LEN(members), ev);
	add_full(obj, "drain_sizes", sizes_out(ev, BULK_DRAIN));
	add_full(obj, "refill_sizes", sizes_out(ev, BULK_REFILL));
	return obj;
}

/* --- the line --- */

static void add_lists(struct json_object *line, const struct step *st)
{
	struct json_object *nodes = line_array(), *zones = line_array();
	struct json_object *lruvecs = line_array(), *memcgs = line_array();
	struct json_object *processes = line_array();

	for (uint32_t i = 0; i < st->nnodes; i++)
		line_push(nodes, node_out(&st->nodes[i]));
	for (uint32_t i = 0; i < st->nzones; i++)
		line_push(zones, zone_out(&st->zones[i]));
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		line_push(lruvecs, lruvec_out(&st->lruvecs[i]));
	for (uint32_t i = 0; i < st->nmemcgs; i++)
		line_push(memcgs, memcg_out(&st->memcgs[i]));
	for (uint32_t i = 0; i < st->nprocesses; i++)
		line_push(processes, process_out(&st->processes[i]));
	add_full(line, "nodes", nodes);
	add_full(line, "zones", zones);
	if (st->events.counted)
		line_add(line, "events", events_out(&st->events));
	add_full(line, "lruvecs", lruvecs);
	add_full(line, "memcgs", memcgs);
	add_full(line, "processes", processes);
}

void codec_step(struct codec *c, const struct step *st, const struct finding *findings, uint32_t n,
		struct buf *out)
{
	struct json_object *line = line_object(), *list = line_array();

	line_add(line, "type", line_string("step"));
	line_add(line, "mono_us", line_i64(st->now->mono_us));
	line_add(line, "n", line_u64(st->now->n));
	line_add(line, "dt_us", line_i64(st->dt_us));
	line_add(line, "state", line_string(step_states[st->state]));
	if (st->why && *st->why)
		line_add(line, "why", line_string(st->why));
	line_add(line, "reclaim", reclaim_out(&st->reclaim));
	add_full(line, "stall", stalls_out(st->stall));
	add_amount(line, "births", st->births);
	add_full(line, "flow", flow_out(st->flow));
	add_lists(line, st);
	add_full(line, "vm", vm_out(st->vm));
	for (uint32_t i = 0; i < n; i++)
		line_push(list, finding_out(&findings[i]));
	line_add(line, "findings", list);
	line_finish(c, line, out);
}

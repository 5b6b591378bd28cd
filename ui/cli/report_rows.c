/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_rows.c - the long tables of a report: memcgs, zones, findings and markers.
 */
#include <inttypes.h>
#include <string.h>

#include "reclaimtop/units.h"

#include "report_print.h"

#define MEMCGS 40     /* rows; --json has all */
#define FINDINGS 40   /* more are told by their rules */

/* ---- memcgs ---------------------------------------------------------------------------------- */

static bool moved(const struct memcg_total *m)
{
	const struct total *list[] = { &m->evicted, &m->refaulted, &m->swapped_in, &m->swapped_out,
				       &m->oom_kills, &m->max_hits, &m->high_hits, &m->births };

	for (size_t i = 0; i < COUNT(list); i++)
		if (total_known(list[i]) && list[i]->sum)
			return true;
	return false;
}

static void memcg_row(struct printer *p, const struct memcg_total *m)
{
	bool alone = m->evicted.scopes == 1u << SCOPE_MEMCG;
	char cell[REPORT_CELL];

	print_pages(p, &m->evicted, alone ? "~" : "");
	print_pages(p, &m->refaulted, "");
	if (total_known(&m->lost))
		table_cell(&p->t, units_change(m->lost.sum, p->page_size, 0, cell, sizeof(cell)));
	else
		table_cell(&p->t, "-");
	print_pages(p, &m->swapped_in, "");
	print_pages(p, &m->swapped_out, "");
	print_time(p, &m->stalled_us);
	print_count(p, print_value(&m->births));
	print_count(p, print_value(&m->max_hits));
	print_count(p, print_value(&m->oom_kills));
	units_bytes(m->current.n ? m->current.max : UNKNOWN, cell, sizeof(cell));
	table_cell(&p->t, cell);
	table_printf(&p->t, "%s%s%s", m->path, m->dying ? " (removed)" : "",
		     alone ? " (alone)" : "");
}

void print_memcgs(struct printer *p)
{
	static const struct column columns[] = {
		{ "evicted", false },  { "came back", false }, { "net loss", false },
		{ "swap in", false },  { "swap out", false },  { "stalled", false },
		{ "births", false },   { "max hits", false },  { "killed", false },
		{ "most used", false }, { "memcg", true },
	};
	const struct summary *s = p->r->sum;
	uint32_t shown = 0, more = 0;

	print_headline(p, "Memory cgroups, with their children");
	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < s->nmemcgs; i++) {
		const struct memcg_total *m = &s->memcgs[p->r->memcgs[i]];

		if (!moved(m) || shown == MEMCGS) {
			more++;
			continue;
		}
		memcg_row(p, m);
		shown++;
	}
	table_end(&p->t, p->out);
	if (more)
		buf_printf(p->out, "  %" PRIu32 " more that lost %s (--json has them)\n", more,
			   shown == MEMCGS ? "less" : "nothing");
	if (s->memcgs_left_out)
		buf_str(p->out, "  and others, for which there was no room\n");
}

/* ---- zones ----------------------------------------------------------------------------------- */

static void gauge_pages(struct printer *p, uint64_t value, const struct gauge *g)
{
	char cell[REPORT_CELL];

	units_pages(g->n ? value : UNKNOWN, p->page_size, 0, cell, sizeof(cell));
	table_cell(&p->t, cell);
}

static void level_share(struct printer *p, const int64_t level_us[], enum zone_level upto)
{
	uint64_t part = 0, all = 0;
	char cell[REPORT_CELL];

	for (int level = ZONE_BELOW_MIN; level <= ZONE_ABOVE_HIGH; level++) {
		all += (uint64_t)level_us[level];
		if (level <= (int)upto)
			part += (uint64_t)level_us[level];
	}
	table_cell(&p->t, units_percent(part, all, cell, sizeof(cell)));
}

void print_zones(struct printer *p)
{
	static const struct column columns[] = {
		{ "out", false },         { "in", false },       { "most held", false },
		{ "stranded", false },    { "least free", false }, { "below low", false },
		{ "below min", false },   { "zone", true },
	};
	const struct summary *s = p->r->sum;

	print_headline(p, "Zones and their pagesets (out: drained, or taken by programs; in: refilled, or freed; at least)");
	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < s->nzones; i++) {
		const struct zone_total *z = &s->zones[i];

		if (z->level_us[ZONE_EMPTY])
			continue;
		print_pages(p, &z->went, "");
		print_pages(p, &z->came, "");
		gauge_pages(p, z->pagesets.max, &z->pagesets);
		gauge_pages(p, z->stranded.max, &z->stranded);
		gauge_pages(p, z->free.min, &z->free);
		level_share(p, z->level_us, ZONE_BELOW_LOW);
		level_share(p, z->level_us, ZONE_BELOW_MIN);
		table_printf(&p->t, "%" PRIu32 " %s", z->node, z->name);
	}
	table_end(&p->t, p->out);
}

/* ---- the diagnosis, markers ------------------------------------------------------------------ */

static const char *const severities[] = {
	[SEVERITY_NOTE] = "note", [SEVERITY_WARN] = "warn", [SEVERITY_ALARM] = "alarm",
};

static void each_finding(struct printer *p)
{
	static const struct column columns[] = {
		{ "from", false }, { "to", false }, { "", true }, { "finding", true },
	};
	char at[REPORT_CELL];

	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < p->r->sum->nepisodes; i++) {
		const struct episode *e = &p->r->sum->episodes[i];

		table_cell(&p->t, print_when(p, e->start, at, sizeof(at)));
		table_cell(&p->t, print_when(p, e->end, at, sizeof(at)));
		table_cell(&p->t, severities[e->severity]);
		table_cell(&p->t, e->text);
	}
	table_end(&p->t, p->out);
}

/* Is it the first of its rule? */
static bool is_first(const struct summary *s, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (!strcmp(s->episodes[k].rule, s->episodes[i].rule))
			return false;
	return true;
}

/* All of one rule in a row: how often, how long in all, and the worst of them in its words. */
static void put_rule(struct printer *p, const char *rule)
{
	const struct summary *s = p->r->sum;
	const struct episode *worst = NULL, *last = NULL, *first = NULL;
	int64_t length = 0;
	uint32_t n = 0;
	char at[REPORT_CELL];

	for (uint32_t i = 0; i < s->nepisodes; i++) {
		const struct episode *e = &s->episodes[i];

		if (strcmp(e->rule, rule))
			continue;
		n++;
		length += e->end.since_us - e->start.since_us;
		first = first ? first : e;
		last = e;
		if (!worst || e->severity > worst->severity)
			worst = e;
	}
	table_cell(&p->t, print_when(p, first->start, at, sizeof(at)));
	table_cell(&p->t, print_when(p, last->end, at, sizeof(at)));
	print_count(p, n);
	table_cell(&p->t, units_age(print_ms(length), at, sizeof(at)));
	table_cell(&p->t, severities[worst->severity]);
	table_cell(&p->t, worst->text);
}

static void by_rule(struct printer *p)
{
	static const struct column columns[] = {
		{ "from", false },     { "to", false }, { "times", false },
		{ "together", false }, { "", true },    { "finding, at its first", true },
	};
	const struct summary *s = p->r->sum;

	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < s->nepisodes; i++)
		if (is_first(s, i))
			put_rule(p, s->episodes[i].rule);
	table_end(&p->t, p->out);
	buf_printf(p->out, "  %" PRIu32 " in all (--json has each)\n", s->nepisodes);
}

void print_findings(struct printer *p)
{
	const struct summary *s = p->r->sum;

	print_headline(p, "The diagnosis over time");
	if (!s->nepisodes)
		buf_str(p->out, "  nothing was wrong\n");
	else if (s->nepisodes > FINDINGS)
		by_rule(p);
	else
		each_finding(p);
	if (s->episodes_left_out)
		buf_printf(p->out, "  and %" PRIu32 " more, for which there was no room\n",
			   s->episodes_left_out);
}

void print_marks(struct printer *p)
{
	static const struct column columns[] = {
		{ "at", false }, { "", true }, { "marker", true },
	};
	struct summary_time time;
	char at[REPORT_CELL];

	if (!p->r->nmarks)
		return;
	print_headline(p, "Markers");
	table_begin(&p->t, columns, COUNT(columns));
	for (uint32_t i = 0; i < p->r->nmarks; i++) {
		if (!report_mark_time(p->r, &p->r->marks[i], &time))
			continue;
		table_cell(&p->t, print_when(p, time, at, sizeof(at)));
		table_cell(&p->t, mark_kind_name(p->r->marks[i].kind));
		table_cell(&p->t, p->r->marks[i].text);
	}
	table_end(&p->t, p->out);
}

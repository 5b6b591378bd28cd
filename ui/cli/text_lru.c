/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static const char *const type_names[TYPE_NR] = { [TYPE_ANON] = "anon", [TYPE_FILE] = "file" };

static const struct lruvec *lruvec_of(const struct lruvec_step *l)
{
	return l->now ? l->now : l->before;
}

static bool is_wanted(const struct text *t, const char *path)
{
	return path && (!t->filter || strcasestr(path, t->filter));
}

static bool is_wanted_lruvec(const struct text *t, const struct lruvec_step *l)
{
	return lruvec_of(l) && is_wanted(t, lruvec_of(l)->path);
}

/* ---- classic lists --------------------------------------------------------------------------- */

static void classic_row(struct text *t, const char *name, const struct counters *c,
			const unsigned int keys[5])
{
	table_cell(&t->table, name);
	for (int i = 0; i < 5; i++)
		text_pages(t, counters_get(c, keys[i]));
}

/* Where the kernel shows no generations: the lists of each node, or of the machine. */
static void classic_lists(struct text *t)
{
	static const struct column columns[] = {
		{ "", true },
		{ "active anon", false },
		{ "inactive anon", false },
		{ "active file", false },
		{ "inactive file", false },
		{ "unevictable", false },
	};
	static const unsigned int of_node[5] = { NODE_nr_active_anon, NODE_nr_inactive_anon,
						 NODE_nr_active_file, NODE_nr_inactive_file,
						 NODE_nr_unevictable };
	static const unsigned int of_vm[5] = { VM_nr_active_anon, VM_nr_inactive_anon,
					       VM_nr_active_file, VM_nr_inactive_file,
					       VM_nr_unevictable };
	const struct sample *s = t->f->now;
	char name[24];

	buf_printf(t->out, "  none to see: %s; the classic lists are:\n", t->f->rung_reason);
	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < s->nnodes; i++) {
		snprintf(name, sizeof(name), "node %" PRIu32, s->nodes[i].id);
		classic_row(t, name, &s->nodes[i].stats, of_node);
	}
	if (!s->nnodes && s->vmstat.value)
		classic_row(t, "machine", &s->vmstat, of_vm);
	table_end(&t->table, t->out);
}

/* ---- generations ----------------------------------------------------------------------------- */

/* Rows that are an earlier sample's did not change as far as anybody knows. */
static enum amount_state change_state(const struct step *st, const struct lruvec_step *l)
{
	if (!l->before || !l->now)
		return AMOUNT_FIRST;
	if (st->rows_apart)
		return sample_rows_are_kept(st->now) ? AMOUNT_MISSING : AMOUNT_GAP;
	return AMOUNT_MEASURED;
}

static void gen_row(struct text *t, const struct lruvec_step *l, const struct gen_step *g)
{
	table_printf(&t->table, "%" PRIu64, lruvec_of(l)->memcg);
	table_printf(&t->table, "%" PRIu32, lruvec_of(l)->node);
	table_printf(&t->table, "%" PRIu64, g->seq);
	text_age(t, g->age_ms);
	for (enum page_type type = 0; type < TYPE_NR; type++) {
		struct amount change = { .state = (uint8_t)change_state(t->f->step, l) };

		change.value = (int64_t)(g->now[type] - g->before[type]);
		text_pages(t, g->now[type]);
		text_change(t, change);
	}
	table_cell(&t->table, g->born ? "born" : g->left ? "left" : g->evicted ? "evicted" : "");
	table_printf(&t->table, "%s", lruvec_of(l)->dying ? "dying" : !l->now ? "gone" : "");
	table_cell(&t->table, lruvec_of(l)->path);
}

void text_generations(struct text *t)
{
	static const struct column columns[] = {
		{ "id", false },   { "node", false },   { "seq", false },  { "age", false },
		{ "anon", false }, { "change", false }, { "file", false }, { "change", false },
		{ "", true },      { "", true },        { "memcg", true },
	};
	const struct step *st = t->f->step;

	if (t->f->rung >= RUNG_CLASSIC) {
		classic_lists(t);
		return;
	}
	table_begin(&t->table, columns, COUNT(columns));
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		for (uint32_t k = 0;
		     is_wanted_lruvec(t, &st->lruvecs[i]) && k < st->lruvecs[i].ngens; k++)
			gen_row(t, &st->lruvecs[i], &st->lruvecs[i].gens[k]);
	table_end(&t->table, t->out);
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* What was recognised as no movement, in words. */
static const char *artefact_names(unsigned int artefacts, char *out, size_t size)
{
	static const struct {
		unsigned int bit;
		const char *name;
	} names[] = {
		{ ARTEFACT_ROTATED, "rotated" },
		{ ARTEFACT_REPARENTED, "pages of a removed child" },
		{ ARTEFACT_SWITCHED, "MGLRU switched" },
		{ ARTEFACT_ID_REUSED, "another memcg" },
		{ ARTEFACT_HISTORY_LOST, "history lost" },
		{ ARTEFACT_TORN, "torn" },
	};
	size_t len = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < COUNT(names); i++)
		if (artefacts & names[i].bit && len + 1 < size)
			len += (size_t)snprintf(out + len, size - len, "%s%s", len ? ", " : "",
						names[i].name);
	return out;
}

static void flow_row(struct text *t, enum page_type type, const struct type_flow *flow)
{
	char names[120];

	table_cell(&t->table, type_names[type]);
	text_page_rate(t, flow->in_young);
	text_page_rate(t, flow->in_old);
	text_page_rate(t, flow->promoted);
	text_page_rate(t, flow->protected);
	text_page_rate(t, flow->evicted);
	text_page_rate(t, flow->gone);
	text_page_rate(t, flow->unexplained);
	text_page_rate(t, flow->refaulted);
	table_cell(&t->table, artefact_names(flow->artefacts, names, sizeof(names)));
}

static void lruvec_flows(struct text *t, const struct lruvec_step *l)
{
	for (enum page_type type = 0; type < TYPE_NR; type++) {
		table_printf(&t->table, "%" PRIu32, lruvec_of(l)->node);
		flow_row(t, type, &l->flow[type]);
		table_cell(&t->table, lruvec_of(l)->path);
	}
}

void text_flows(struct text *t)
{
	static const struct column columns[] = {
		{ "node", false },      { "type", true },        { "in young", false },
		{ "in old", false },    { "promoted", false },   { "protected", false },
		{ "evicted", false },   { "gone", false },       { "unexplained", false },
		{ "refaulted", false }, { "no movement", true }, { "memcg", true },
	};
	const struct step *st = t->f->step;

	if (t->f->rung >= RUNG_CLASSIC || st->state == STEP_FIRST)
		return;
	table_begin(&t->table, columns, COUNT(columns));
	for (enum page_type type = 0; type < TYPE_NR; type++) {
		table_cell(&t->table, "all");
		flow_row(t, type, &st->flow[type]);
		table_cell(&t->table, "(all memcgs)");
	}
	for (uint32_t i = 0; i < st->nlruvecs; i++)
		if (is_wanted_lruvec(t, &st->lruvecs[i]))
			lruvec_flows(t, &st->lruvecs[i]);
	table_end(&t->table, t->out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export.c - samples as tables. Which tables there are is said in one place; their columns are
 * those of the table of fields (fields.c), so that a field added there is exported.
 */
#include "reclaimtop/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/compare.h"
#include "reclaimtop/summary.h"

#include "model/csv.h"
#include "model/export_other.h"
#include "model/walk.h"

/*
 * Generations that stand in the row of a lruvec, from the youngest; the kernel keeps at most so
 * many.
 */
#define PLACES 4
#define PREFIX 96

struct export_table {
	const char *name, *what;
	const char *field;    /* of the sample; NULL: the metrics, or with other what has no column */
	const char *within;   /* a list within each item of it; NULL: the items themselves */
	bool other;
};

static const struct export_table tables[] = {
	{ "metric", "what compare compares, over the step that leads to the sample", NULL, NULL, false },
	{ "lruvec", "a memcg on a node, with its generations from the youngest", "lru_gen", NULL, false },
	{ "generation", "one generation of a lruvec", "lru_gen", "gens", false },
	{ "tier", "one generation of lru_gen_full: tiers and page-table walks", "lru_gen", "full", false },
	{ "zone", "a zone", "zones", NULL, false },
	{ "pageset", "the pageset of a CPU in a zone", "zones", "pagesets", false },
	{ "node", "the statistics of a node", "nodes", NULL, false },
	{ "memcg", "the files of a memcg", "memcgs", NULL, false },
	{ "process", "a process", "processes", NULL, false },
	{ "buddyinfo", "free blocks of a zone", "buddyinfo", NULL, false },
	{ "pagetype", "free blocks of a migratetype", "pagetypeinfo", NULL, false },
	{ "pageblocks", "pageblocks of a migratetype", "pageblocks", NULL, false },
	{ "drain", "drains of one size from the pagesets of a CPU", "drains", NULL, false },
	{ "refill", "refills of one size on a CPU", "refills", NULL, false },
	{ "drained", "blocks that left the pagesets of a CPU", "drained", NULL, false },
	{ "refilled", "blocks that filled the pagesets of a CPU", "refilled", NULL, false },
	{ "swap", "a swap device", "swaps", NULL, false },
	{ "zram", "a zram device", "zram", NULL, false },
	{ "vmstat", "/proc/vmstat", "vmstat", NULL, false },
	{ "meminfo", "/proc/meminfo", "meminfo", NULL, false },
	{ "pressure", "/proc/pressure", "pressure", NULL, false },
	{ "machine", "settings", "machine", NULL, false },
	{ "source", "how reading each file went", "sources", NULL, false },
	{ "other", "a counter of a name that this version does not know", NULL, NULL, true },
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

struct exporter {
	const struct export_table *table;
	const struct field *field, *within;
	struct summary *step;     /* of one step, for the metrics */
	uint32_t nmetrics;
};

/* ---- cells ----------------------------------------------------------------------------------- */

typedef void cell_fn(struct csv *c, const struct field *f, uint64_t v);

static void cell_u64(struct csv *c, const struct field *f, uint64_t v)
{
	(void)f;
	csv_u64(c, v);
}

static void cell_i64(struct csv *c, const struct field *f, uint64_t v)
{
	(void)f;
	csv_i64(c, (int64_t)v);
}

static void cell_centi(struct csv *c, const struct field *f, uint64_t v)
{
	char text[32] = "";

	(void)f;
	if (v != UNKNOWN)
		snprintf(text, sizeof(text), "%" PRIu64 ".%02u", v / 100, (unsigned int)(v % 100));
	csv_text(c, text);
}

static void cell_char(struct csv *c, const struct field *f, uint64_t v)
{
	const char text[2] = { v > ' ' && v <= '~' ? (char)v : '\0', '\0' };

	(void)f;
	csv_text(c, text);
}

static void cell_enum(struct csv *c, const struct field *f, uint64_t v)
{
	uint64_t n = 0;

	while (f->names[n] && n < v)
		n++;
	csv_text(c, f->names[n]);
}

static void cell_source(struct csv *c, const struct field *f, uint64_t v)
{
	enum reading_state state = (enum reading_state)(v & 0xff);
	const char *name = v >> 8 ? strerrorname_np((int)(v >> 8)) : NULL;

	(void)f;
	if (state == READING_FAILED)
		csv_text(c, name ? name : "failed");
	else
		csv_text(c, state == READING_OK ? "ok" : NULL);
}

static void put_scalar(struct csv *c, const struct field *f, const void *item)
{
	static cell_fn *const cells[] = {
		[FIELD_U64] = cell_u64,   [FIELD_U32] = cell_u64,       [FIELD_U8] = cell_u64,
		[FIELD_I64] = cell_i64,   [FIELD_BOOL] = cell_u64,      [FIELD_CENTI] = cell_centi,
		[FIELD_CHAR] = cell_char, [FIELD_ENUM] = cell_enum,     [FIELD_TIME] = cell_i64,
		[FIELD_SOURCE] = cell_source,
	};

	cells[f->kind](c, f, field_get(f, item));
}

/* A list of numbers is one cell, with blanks between them. */
static void put_numbers(struct csv *c, struct items items)
{
	struct buf text = { 0 };

	for (uint32_t i = 0; i < items.n; i++) {
		uint64_t v = ((const uint64_t *)(const void *)items.at)[i];

		if (v == UNKNOWN)
			buf_printf(&text, "%s-", i ? " " : "");
		else
			buf_printf(&text, "%s%" PRIu64, i ? " " : "", v);
	}
	csv_text(c, text.data);
	buf_fini(&text);
}

static void put_counters(struct csv *c, const struct field *f, const struct counters *counters)
{
	for (uint32_t i = 0; i < f->tab->n; i++)
		csv_u64(c, counters ? counters_get(counters, i) : UNKNOWN);
}

/* ---- rows: item NULL is one that is not there, all of its cells are empty -------------------- */

static void put_shape(struct csv *c, const struct shape *s, const void *item, bool keys_only);

static void put_places(struct csv *c, const struct field *f, const void *item)
{
	struct items items = { .n = 0 };

	if (item)
		items = field_items(f, item);
	for (uint32_t place = 0; place < PLACES; place++)
		put_shape(c, f->shape,
			  place < items.n ? item_at(f->shape, items, items.n - 1 - place) : NULL,
			  false);
}

static void put_field(struct csv *c, const struct field *f, const void *item)
{
	if (f->kind == FIELD_ROWS)
		put_places(c, f, item);
	else if (field_is_struct(f))
		put_shape(c, f->shape, item ? member_of(item, f->offset) : NULL, false);
	else if (f->kind == FIELD_COUNTERS)
		put_counters(c, f, item ? member_of(item, f->offset) : NULL);
	else if (field_is_list(f))
		return;
	else if (!item)
		csv_text(c, NULL);
	else if (f->kind == FIELD_NUMBERS)
		put_numbers(c, field_items(f, item));
	else if (f->kind == FIELD_STRING)
		csv_text(c, field_string(f, item));
	else
		put_scalar(c, f, item);
}

static void put_shape(struct csv *c, const struct shape *s, const void *item, bool keys_only)
{
	uint32_t n = keys_only ? shape_keys(s) : s->nfields;

	for (uint32_t i = 0; i < n; i++)
		put_field(c, &s->fields[i], item);
}

/* ---- the header, in the same order ----------------------------------------------------------- */

static void head_shape(struct csv *c, const struct shape *s, const char *prefix, bool keys_only);

static void head_name(struct csv *c, const char *prefix, const char *name)
{
	char text[PREFIX];

	snprintf(text, sizeof(text), "%s%s", prefix, name);
	csv_text(c, text);
}

static void head_places(struct csv *c, const struct field *f)
{
	char prefix[PREFIX];

	for (int place = 0; place < PLACES; place++) {
		snprintf(prefix, sizeof(prefix), "gen%d.", place);
		head_shape(c, f->shape, prefix, false);
	}
}

static void head_counters(struct csv *c, const struct keytab *tab, const char *prefix)
{
	for (uint32_t i = 0; i < tab->n; i++)
		head_name(c, prefix, tab->keys[i].name);
}

static void head_field(struct csv *c, const struct field *f, const char *prefix)
{
	char within[PREFIX];

	snprintf(within, sizeof(within), "%s%s%s", prefix, f->name ? f->name : "",
		 f->name ? "." : "");
	if (f->kind == FIELD_ROWS)
		head_places(c, f);
	else if (field_is_struct(f))
		head_shape(c, f->shape, within, false);
	else if (f->kind == FIELD_COUNTERS)
		head_counters(c, f->tab, within);
	else if (!field_is_list(f))
		head_name(c, prefix, f->name);
}

static void head_shape(struct csv *c, const struct shape *s, const char *prefix, bool keys_only)
{
	uint32_t n = keys_only ? shape_keys(s) : s->nfields;

	for (uint32_t i = 0; i < n; i++)
		head_field(c, &s->fields[i], prefix);
}

/* ---- where a row belongs --------------------------------------------------------------------- */

static void put_time(struct csv *c, const struct sample *s, uint32_t session)
{
	int64_t us = s->mono_us, part = us % 1000000;
	time_t seconds = (time_t)(s->wall_us / 1000000);
	char text[40] = "";
	struct tm t;

	csv_u64(c, session + 1);
	csv_u64(c, s->n);
	snprintf(text, sizeof(text), "%s%" PRId64 ".%06" PRId64, us < 0 ? "-" : "",
		 us < 0 ? -(us / 1000000) : us / 1000000, part < 0 ? -part : part);
	csv_text(c, text);
	text[0] = '\0';
	if (s->wall_us > 0 && gmtime_r(&seconds, &t))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &t);
	csv_text(c, text);
}

/* ---- metrics --------------------------------------------------------------------------------- */

static void put_metrics(struct exporter *e, const struct step *st, uint32_t session, struct csv *c)
{
	summary_clear(e->step);
	summary_add(e->step, st, session);
	for (uint32_t i = 0; i < e->nmetrics; i++) {
		struct compare_metric metric = compare_metric(i);

		put_time(c, st->now, session);
		csv_text(c, metric.name);
		csv_text(c, metric.unit);
		csv_number(c, compare_value(e->step, i, false));
		csv_end(c);
	}
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void put_items(struct exporter *e, const struct sample *s, uint32_t session, struct csv *c)
{
	struct items items = field_items(e->field, s);

	for (uint32_t i = 0; i < items.n; i++) {
		const void *item = item_at(e->field->shape, items, i);
		struct items inner = { .n = 1 };

		if (e->within)
			inner = field_items(e->within, item);
		for (uint32_t k = 0; k < inner.n; k++) {
			put_time(c, s, session);
			put_shape(c, e->field->shape, item, e->within != NULL);
			if (e->within)
				put_shape(c, e->within->shape, item_at(e->within->shape, inner, k),
					  false);
			csv_end(c);
		}
	}
}

static void put_whole(struct exporter *e, const struct sample *s, uint32_t session, struct csv *c)
{
	put_time(c, s, session);
	put_field(c, e->field, s);
	csv_end(c);
}

/* ---- what others call ------------------------------------------------------------------------ */

const struct export_table *export_find(const char *name)
{
	for (size_t i = 0; i < TABLES; i++)
		if (!strcmp(tables[i].name, name))
			return &tables[i];
	return NULL;
}

void export_list(struct buf *out)
{
	for (size_t i = 0; i < TABLES; i++)
		buf_printf(out, "  %-12s %s\n", tables[i].name, tables[i].what);
}

static const struct field *field_of(const struct shape *s, const char *name)
{
	for (uint32_t i = 0; name && i < s->nfields; i++)
		if (s->fields[i].name && !strcmp(s->fields[i].name, name))
			return &s->fields[i];
	return NULL;
}

struct exporter *export_new(const struct export_table *table, bool all)
{
	struct exporter *e = mem_alloc(sizeof(*e));

	*e = (struct exporter){ .table = table, .field = field_of(&sample_shape, table->field) };
	if (table->within)
		e->within = field_of(e->field->shape, table->within);
	if (!table->field && !table->other) {
		e->step = summary_new(false);
		e->nmetrics = compare_nmetrics + (all ? VM_NR : 0);
	}
	return e;
}

void export_free(struct exporter *e)
{
	if (!e)
		return;
	summary_free(e->step);
	free(e);
}

void export_head(struct exporter *e, struct buf *out)
{
	static const char *const times[] = { "session", "n", "seconds", "time" };
	static const char *const metrics[] = { "metric", "unit", "value" };
	struct csv c = { .out = out };

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		csv_text(&c, times[i]);
	if (e->table->other) {
		export_other_head(&c);
	} else if (!e->field) {
		for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
			csv_text(&c, metrics[i]);
	} else if (e->field->kind == FIELD_COUNTERS) {
		head_counters(&c, e->field->tab, "");
	} else {
		head_shape(&c, e->field->shape, "", e->within != NULL);
	}
	if (e->within)
		head_shape(&c, e->within->shape, "", false);
	csv_end(&c);
}

void export_rows(struct exporter *e, const struct step *st, uint32_t session, struct buf *out)
{
	struct csv c = { .out = out };

	if (e->table->other)
		export_other(st->now, put_time, session, &c);
	else if (!e->field)
		put_metrics(e, st, session, &c);
	else if (field_is_list(e->field))
		put_items(e, st->now, session, &c);
	else
		put_whole(e, st->now, session, &c);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/units.h"

/* --- cells --- */

/* What a row has in column k of either heat. */
static void column_cell(const struct timing *v, const struct time_row *row, const struct heat *h,
			uint64_t k, struct heat_cell *out)
{
	struct heat_cell cell;

	if (row->kind == ROW_AGE) {
		for (int type = 0; type < TYPE_NR; type++)
			for (int i = row->lo; i <= row->hi; i++)
				if (v->types != (type == TYPE_ANON ? TYPES_FILE : TYPES_ANON) &&
				    heat_get(h, &h->ages[type][i], k, &cell))
					out->sum += cell.sum;
		out->over += h->age_over[k % HEAT_COLUMNS];
	} else if (row->kind == ROW_CPU) {
		for (uint32_t i = (uint32_t)row->lo / h->cpus_each;
		     i <= (uint32_t)row->hi / h->cpus_each && i < HEAT_CPUS; i++)
			if (heat_get(h, &h->cpus[i], k, &cell)) {
				out->sum += cell.sum;
				out->over += cell.over;
			}
	} else if (heat_get(h, row->of, k, &cell)) {
		out->sum += cell.sum;
		out->over += cell.over;
	}
}

/* False where not all of it was looked at. */
static bool cell_of(const struct timing *v, const struct time_row *row, const struct heat *h,
		    uint64_t from, struct heat_cell *out)
{
	uint64_t last = (from + v->span.each - 1) / h->span;
	bool whole = true, any = false;

	*out = (struct heat_cell){ 0, 0 };
	for (uint64_t k = from / h->span; k <= last; k++) {
		if (!heat_column(h, k)) {
			whole = false;
			continue;
		}
		any = true;
		column_cell(v, row, h, k, out);
	}
	if (!any)
		*out = CELL_UNSEEN;
	return whole;
}

static void fill_cells(const struct tui *t, struct time_row *row)
{
	const struct when *w = &t->frame.when;
	const struct timing *v = time_of(t);
	const struct heat_row *of = row->of;

	row->sum = 0;
	for (int c = 0; c < v->span.cells; c++) {
		uint64_t from = v->span.from + v->span.each * (uint64_t)c;
		bool whole = false;

		row->of = row->closer;
		if (w->closer && w->closer->span <= v->span.each &&
		    (row->of || row->kind == ROW_AGE || row->kind == ROW_CPU))
			whole = cell_of(v, row, w->closer, from, &row->cells[c]);
		row->of = of;
		/* The last cell may hold what is not there yet: then both know the same of it. */
		if (!whole)
			cell_of(v, row, w->heat, from, &row->cells[c]);
		row->sum += row->cells[c].over ? row->cells[c].sum : 0;
	}
}

/* A new row, its cells to be filled. */
static struct time_row *row_new(struct timing *v, enum time_kind kind, int lo, int hi)
{
	struct time_row *row = &v->rows[v->nrows];
	size_t cells = (size_t)(v->span.cells > 0 ? v->span.cells : 1);

	*row = (struct time_row){ .kind = kind, .lo = lo, .hi = hi };
	row->cells = v->cells + cells * (size_t)v->nrows++;
	return row;
}

static void reserve(struct timing *v)
{
	size_t need = (size_t)(v->span.cells > 0 ? v->span.cells : 1) * TIME_ROWS;

	v->nrows = 0;
	if (need <= v->cap)
		return;
	v->cells = mem_grow(v->cells, need * sizeof(*v->cells));
	v->cap = need;
}

/* --- rows by age --- */

void time_age_label(int lo, char out[TIME_LABEL])
{
	char age[16];

	if (heat_ages_ms[lo] < 1000)
		snprintf(age, sizeof(age), lo ? "0.5s" : "0s");
	else
		units_age(heat_ages_ms[lo], age, sizeof(age));
	/* Round ones need no tenths. */
	if (strlen(age) > 3 && !strcmp(age + strlen(age) - 3, ".0s"))
		memcpy(age + strlen(age) - 3, "s", 2);
	snprintf(out, TIME_LABEL, "%s", age);
}

/* From the youngest to the oldest that any page ever had. */
static void age_classes(const struct heat *h, int *lo, int *hi)
{
	*lo = HEAT_AGES;
	*hi = -1;
	for (int i = 0; i < HEAT_AGES; i++)
		if (h->ages[TYPE_ANON][i].sum || h->ages[TYPE_FILE][i].sum) {
			*lo = i < *lo ? i : *lo;
			*hi = i;
		}
}

/* Classes that one row holds. */
static int ages_each(int lo, int hi, int room)
{
	return hi >= lo && room > 0 ? (hi - lo + room) / room : 1;
}

static void make_ages(struct tui *t, enum time_map map, int room)
{
	struct timing *v = time_of(t);
	int lo, hi, each;

	(void)map;
	age_classes(t->frame.when.heat, &lo, &hi);
	each = ages_each(lo, hi, room);
	for (int i = lo; i <= hi; i += each) {
		struct time_row *row =
			row_new(v, ROW_AGE, i, i + each - 1 < hi ? i + each - 1 : hi);

		time_age_label(i, row->label);
		fill_cells(t, row);
	}
}

/* --- rows by memcg --- */

enum heat_flow time_flow_of(const struct timing *v, enum time_map map)
{
	return (enum heat_flow)(((int)v->flow + (int)map - MAP_MEMCG) % HEAT_FLOW_NR);
}

static const struct heat_row *flow_by_path(const struct heat *h, const char *path,
					   enum heat_flow flow)
{
	for (uint32_t i = 0; h && i < h->nmemcgs; i++)
		if (!strcmp(h->memcgs[i]->path, path))
			return &h->memcgs[i]->row[flow];
	return NULL;
}

static void memcg_row(struct tui *t, const struct heat_memcg *m, enum time_kind kind,
		      enum heat_flow flow)
{
	const struct heat *closer = t->frame.when.closer;
	struct timing *v = time_of(t);
	struct time_row *row = row_new(v, kind, 0, 0);

	row->flow = flow;
	row->of = &m->row[flow];
	row->path = m->path;
	if (kind == ROW_MEMCG)
		row->closer = flow_by_path(closer, m->path, flow);
	else if (kind == ROW_MACHINE && closer)
		row->closer = &closer->machine->row[flow];
	else if (closer && closer->others)
		row->closer = &closer->others->row[flow];
	fill_cells(t, row);
}

static int by_sum(const void *a, const void *b)
{
	const struct time_row *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* The root with its children says what the machine does. */
static bool is_machine(const struct time_row *machine, const struct time_row *row)
{
	return !strcmp(row->path, "/") && row->sum / 8 >= machine->sum / 9;
}

/* Those that have no room, below the last row or scrolled over, are counted. */
static void scroll(struct timing *v, enum time_map map, int room)
{
	int hidden = v->nrows > room ? v->nrows - room : 0;
	int top = v->open && v->map == map ? v->top < hidden ? v->top : hidden : 0;

	if (v->open && v->map == map)
		v->top = top;
	for (int i = 1; i < v->nrows; i++)
		if (i <= top || i >= room + top)
			(*(v->rows[i].sum ? &v->more[map] : &v->none[map]))++;
	for (int i = 1; top && i < room; i++)
		v->rows[i] = v->rows[i + top];
	v->nrows -= hidden;
}

/* The machine, those that moved most, and with room what is left. */
static void make_memcgs(struct tui *t, enum time_map map, int room)
{
	const struct heat *h = t->frame.when.heat;
	struct timing *v = time_of(t);
	enum heat_flow flow = time_flow_of(v, map);

	v->more[map] = v->none[map] = 0;
	memcg_row(t, h->machine, ROW_MACHINE, flow);
	for (uint32_t i = 0; i < h->nmemcgs; i++) {
		memcg_row(t, h->memcgs[i], ROW_MEMCG, flow);
		v->nrows -= is_machine(&v->rows[0], &v->rows[v->nrows - 1]);
	}
	qsort(v->rows + 1, (size_t)v->nrows - 1, sizeof(*v->rows), by_sum);
	if (h->others)
		memcg_row(t, h->others, ROW_OTHERS, flow);
	scroll(v, map, room);
}

/* --- rows by CPU --- */

static int cpus_known(const struct heat *h)
{
	int rows = HEAT_CPUS;

	while (rows && !h->cpus[rows - 1].sum)
		rows--;
	while (rows && h->cpus_each > 1 && rows > HEAT_CPUS / 2 &&
	       !memcmp(h->cpus[rows - 1].over, (uint64_t[HEAT_COLUMNS]){ 0 }, HEAT_COLUMNS * 8))
		rows--;
	return rows * (int)h->cpus_each;
}

static void cpu_label(int lo, int hi, char out[TIME_LABEL])
{
	if (lo == hi)
		snprintf(out, TIME_LABEL, "cpu %d", lo);
	else
		snprintf(out, TIME_LABEL, "cpu %d-%d", lo, hi);
}

/* CPUs that one row holds. */
static int cpus_row(const struct heat *h, int room)
{
	int cpus = cpus_known(h), each = (int)h->cpus_each;

	while (room > 0 && (cpus + each - 1) / each > room)
		each *= 2;
	return each;
}

static void make_cpus(struct tui *t, enum time_map map, int room)
{
	const struct heat *h = t->frame.when.heat;
	struct timing *v = time_of(t);
	int cpus = cpus_known(h), each = cpus_row(h, room);

	(void)map;
	for (int lo = 0; lo < cpus && v->nrows < TIME_ROWS; lo += each) {
		int hi = lo + each - 1 < cpus ? lo + each - 1 : cpus - 1;
		struct time_row *row = row_new(v, ROW_CPU, lo, hi);

		cpu_label(lo, hi, row->label);
		fill_cells(t, row);
	}
}

/* --- all of them --- */

/* It mostly says what the machine does, and is then left out. */
static int has_root(const struct heat *h)
{
	return flow_by_path(h, "/", HEAT_EVICTED) != NULL;
}

static bool moves(const struct heat *h, const struct heat_row *row)
{
	struct heat_cell cell;

	for (uint64_t k = h->first; k < h->end; k++)
		if (heat_get(h, row, k, &cell) && cell.sum)
			return true;
	return false;
}

int time_rows_all(const struct tui *t)
{
	const struct heat *h = t->frame.when.heat;

	return 1 + (h->others != NULL) + (int)h->nmemcgs - has_root(h);
}

/* Those of which nothing ever moved have a row only where there is room, or somebody asks for all. */
static int memcgs_most(const struct heat *h, const struct timing *v, enum time_map map)
{
	enum heat_flow flow = time_flow_of(v, map);
	int most = 1 + (h->others != NULL);

	for (uint32_t i = 0; i < h->nmemcgs; i++)
		most += strcmp(h->memcgs[i]->path, "/") && moves(h, &h->memcgs[i]->row[flow]);
	return most;
}

int time_rows_most(const struct tui *t, enum time_map map)
{
	const struct heat *h = t->frame.when.heat;
	int lo, hi;

	if (map != MAP_AGE && map != MAP_CPU)
		return time_of(t)->open ? time_rows_all(t) : memcgs_most(h, time_of(t), map);
	if (map == MAP_CPU)
		return cpus_known(h) / (int)h->cpus_each;
	age_classes(h, &lo, &hi);
	return hi - lo + 1 > 0 ? hi - lo + 1 : 0;
}

int time_rows_fit(const struct tui *t, enum time_map map, int room)
{
	const struct heat *h = t->frame.when.heat;
	int most = time_rows_most(t, map), lo, hi, each = 1;

	if (map == MAP_AGE) {
		age_classes(h, &lo, &hi);
		each = ages_each(lo, hi, room);
	} else if (map == MAP_CPU) {
		most = cpus_known(h);
		each = cpus_row(h, room);
	}
	most = (most + each - 1) / each;
	return most < room ? most : room;
}

void time_rows_make(struct tui *t, enum time_map map, int room)
{
	static void (*const make[MAP_NR])(struct tui *, enum time_map, int) = {
		[MAP_AGE] = make_ages,       [MAP_MEMCG] = make_memcgs, [MAP_MEMCG_2] = make_memcgs,
		[MAP_MEMCG_3] = make_memcgs, [MAP_CPU] = make_cpus,
	};

	reserve(time_of(t));
	make[map](t, map, room);
}

/* --- where only the last steps are there --- */

static const struct {
	const char *label;
	size_t at;
	int shift;
} brief_rows[] = {
	{ "evicted", offsetof(struct brief, stolen), 2 },
	{ "refaulted", offsetof(struct brief, refaulted), 2 },
	{ "scanned", offsetof(struct brief, scanned), 2 },
	{ "swapped out", offsetof(struct brief, swapped_out), 1 },
	{ "swapped in", offsetof(struct brief, swapped_in), 1 },
};

/* One value, or of both types: a sum over the time of the step. */
static struct heat_cell brief_cell(const struct brief *b, int number)
{
	struct heat_cell cell = { 0, b->dt_us > 0 ? (uint64_t)b->dt_us : 0 };

	for (int i = 0; i < brief_rows[number].shift; i++) {
		uint64_t value;

		memcpy(&value, (const char *)b + brief_rows[number].at + (size_t)i * sizeof(value),
		       sizeof(value));
		if (value == UNKNOWN)
			cell.over = 0;
		else
			cell.sum += value;
	}
	return cell;
}

void time_rows_of_window(struct tui *t, int room)
{
	const struct window *w = t->frame.window;
	struct timing *v = time_of(t);
	int rows = sizeof(brief_rows) / sizeof(brief_rows[0]);

	reserve(v);
	for (int i = 0; i < rows && i < room; i++) {
		struct time_row *row = row_new(v, ROW_BRIEF, i, i);

		snprintf(row->label, TIME_LABEL, "%s", brief_rows[i].label);
		for (int c = 0; c < v->span.cells; c++) {
			uint32_t ago = (uint32_t)(v->span.cells - 1 - c);
			const struct brief *b = window_brief(w, ago);

			row->cells[c] = b ? brief_cell(b, i) : CELL_UNSEEN;
		}
	}
}

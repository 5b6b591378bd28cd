/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "processes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/units.h"

/* A process, and how long tasks of its memcg waited for memory. */
struct process_row {
	const struct process_step *p;
	uint64_t memcg;            /* key of its path */
	struct amount stalled_us;
};

struct processes {
	struct process_row *rows;
	uint32_t cap;
	struct sheet reclaimers;   /* the kernel's threads that reclaim: always there, in the kernel's order */
	struct sheet users;
};

/* --- columns --- */

static const struct process *of_row(const void *row)
{
	return ((const struct process_row *)row)->p->now;
}

static struct amount cpu_of(const void *row)
{
	return ((const struct process_row *)row)->p->cpu_ms;
}

static struct amount faults_of(const void *row)
{
	return ((const struct process_row *)row)->p->major_faults;
}

static struct amount stalled_of(const void *row)
{
	return ((const struct process_row *)row)->stalled_us;
}

static int64_t known(struct amount a)
{
	return amount_known(a) ? a.value : SHEET_UNKNOWN;
}

static void pid_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[16];

	(void)c;
	snprintf(text, sizeof(text), "%" PRIu32, of_row(row)->pid);
	pen_right(p, width, STYLE_PLAIN, text);
}

static int64_t pid_value(const void *row, const struct column *c)
{
	(void)c;
	return of_row(row)->pid;
}

static const char *name_text(const void *row)
{
	return of_row(row)->name ? of_row(row)->name : "-";
}

static void name_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)c;
	pen_left(p, width, of_row(row)->kind == PROCESS_USER ? STYLE_PLAIN : STYLE_NOTE, name_text(row));
}

static const char *memcg_text(const void *row)
{
	return of_row(row)->memcg ? of_row(row)->memcg : "-";
}

static void memcg_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	(void)c;
	pen_left(p, width, of_row(row)->memcg ? STYLE_PLAIN : STYLE_UNKNOWN, memcg_text(row));
}

static void state_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char state[2] = { of_row(row)->state ? of_row(row)->state : '-', '\0' };

	(void)c;
	pen_right(p, width, state[0] == 'D' ? STYLE_WARN : STYLE_PLAIN, state);
}

static void node_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	char text[NUMBER_TEXT];

	(void)c;
	pen_right(p, width, STYLE_PLAIN, units_count(of_row(row)->node, text, sizeof(text)));
}

/* Time, in units of so many microseconds, as a share of the step. */
static void share_cell(struct pen *p, int width, const struct column *c, struct amount time, uint64_t unit_us)
{
	int64_t dt_us = p->d->f->step->dt_us;
	char text[NUMBER_TEXT] = "-";
	int from = p->col;

	if (amount_known(time) && dt_us > 0)
		units_percent((uint64_t)time.value * unit_us, (uint64_t)dt_us, text, sizeof(text));
	pen_value(p, width, NULL, text);
	pen_spot_amount(p, from, sheet_metric(c), time);
}

static void cpu_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	share_cell(p, width, c, cpu_of(row), 1000);
}

static int64_t cpu_value(const void *row, const struct column *c)
{
	(void)c;
	return known(cpu_of(row));
}

static void stall_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	enum reading_id from = p->from;

	p->from = READ_CGROUP;
	share_cell(p, width, c, stalled_of(row), 1);
	p->from = from;
}

static int64_t stall_value(const void *row, const struct column *c)
{
	(void)c;
	return known(stalled_of(row));
}

static uint64_t kib(const void *row, const struct column *c)
{
	uint64_t value;

	memcpy(&value, (const char *)of_row(row) + c->at, sizeof(value));
	return value;
}

static void kib_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	uint64_t value = kib(row, c);
	char text[NUMBER_TEXT];

	pen_value(p, width, sheet_metric(c), number_bytes(p->d, value < UNLIMITED / 1024 ? value * 1024 : value, text));
}

static int64_t kib_value(const void *row, const struct column *c)
{
	uint64_t value = kib(row, c);

	return value > INT64_MAX ? SHEET_UNKNOWN : (int64_t)value;
}

static void faults_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	pen_events(p, width, sheet_metric(c), faults_of(row));
}

static int64_t faults_value(const void *row, const struct column *c)
{
	(void)c;
	return known(faults_of(row));
}

static const struct column reclaimer_columns[] = {
	{ .name = "pid", .title = "pid", .width = 7, .cell = pid_cell },
	{ .name = "name", .title = "reclaim thread", .width = 16, .left = true, .cell = name_cell },
	{ .name = "node", .title = "node", .width = 4, .cell = node_cell },
	{ .name = "state", .title = "S", .width = 1, .cell = state_cell },
	{ .name = "cpu", .metric = "kswapd cpu", .title = "cpu", .width = 6, .cell = cpu_cell },
};

static const struct column user_columns[] = {
	{ .name = "pid", .title = "pid", .width = 7, .rank = 2, .cell = pid_cell, .value = pid_value },
	{ .name = "name", .title = "name", .width = 12, .grow = 1, .left = true, .cell = name_cell,
	  .text = name_text },
	{ .name = "state", .title = "S", .width = 1, .rank = 4, .cell = state_cell },
	{ .name = "cpu", .title = "cpu", .width = 6, .rank = 1, .cell = cpu_cell, .value = cpu_value },
	{ .name = "rss", .title = "rss", .width = 6, .at = offsetof(struct process, rss_kib), .cell = kib_cell,
	  .value = kib_value },
	{ .name = "swap", .title = "swap", .width = 6, .at = offsetof(struct process, swap_kib), .cell = kib_cell,
	  .value = kib_value },
	{ .name = "majflt", .metric = "major faults", .title = "majflt/s", .width = 9, .cell = faults_cell, .value = faults_value },
	{ .name = "stall", .title = "stall", .width = 6, .rank = 2, .cell = stall_cell, .value = stall_value },
	{ .name = "memcg", .title = "memcg", .width = 10, .grow = 3, .rank = 3, .left = true, .cell = memcg_cell,
	  .text = memcg_text },
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- state --- */

static uint64_t process_key(const void *row)
{
	return view_key("", of_row(row)->start_ticks * 4194304 + of_row(row)->pid);
}

static void *processes_open(const struct tui_options *options)
{
	struct processes *v = mem_alloc(sizeof(*v));

	memset(v, 0, sizeof(*v));
	v->reclaimers = (struct sheet){ .columns = reclaimer_columns, .ncolumns = COUNT(reclaimer_columns),
					.key = process_key, .from = READ_PROCESSES, .plain = true };
	v->users = (struct sheet){ .columns = user_columns, .ncolumns = COUNT(user_columns),
				   .key = process_key, .from = READ_PROCESSES };
	sheet_sort_by(&v->users, "rss");
	if (options->sort)
		sheet_sort_by(&v->users, options->sort);
	return v;
}

static void processes_close(void *state)
{
	struct processes *v = state;

	sheet_fini(&v->reclaimers);
	sheet_fini(&v->users);
	free(v->rows);
	free(v);
}

static struct processes *of(const struct tui *t)
{
	return t->state[VIEW_PROCESSES];
}

static struct sheet *processes_sheet(struct tui *t)
{
	return &of(t)->users;
}

/*
 * What the memcgs waited, to their processes. The root's is that of the machine: it says nothing of those that are in no
 * other.
 */
static void find_stalls(struct processes *v, const struct step *st)
{
	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		uint64_t key;

		if (m->dying || m->vanished || !amount_known(m->stalled_us) || !strcmp(m->path, "/"))
			continue;
		key = view_key(m->path, 0);
		for (uint32_t k = 0; k < st->nprocesses; k++)
			if (v->rows[k].memcg == key)
				v->rows[k].stalled_us = m->stalled_us;
	}
}

static void make_rows(struct processes *v, const struct step *st)
{
	if (v->cap < st->nprocesses) {
		v->cap = st->nprocesses * 2;
		v->rows = mem_grow(v->rows, v->cap * sizeof(*v->rows));
	}
	for (uint32_t i = 0; i < st->nprocesses; i++) {
		const struct process_step *p = &st->processes[i];

		v->rows[i] = (struct process_row){ .p = p, .stalled_us = { .state = AMOUNT_MISSING } };
		v->rows[i].memcg = p->now->memcg ? view_key(p->now->memcg, 0) : 0;
	}
	find_stalls(v, st);
}

static void processes_prepare(struct tui *t)
{
	struct processes *v = of(t);
	const struct step *st = t->frame.step;

	make_rows(v, st);
	sheet_begin(&v->reclaimers);
	sheet_begin(&v->users);
	for (uint32_t i = 0; i < st->nprocesses; i++) {
		const struct process *p = v->rows[i].p->now;

		if (p->kind != PROCESS_USER)
			sheet_add(&v->reclaimers, &v->rows[i]);
		else if (tui_passes(t, p->name) || (p->memcg && tui_passes(t, p->memcg)))
			sheet_add(&v->users, &v->rows[i]);
	}
	sheet_sort(&v->users);
	sheet_settle(&v->users, v->users.visible);
}

const struct process *processes_longest_wait(const struct tui *t, int64_t *us)
{
	const struct sheet *s = &of(t)->users;
	const void *worst = NULL;

	*us = 0;
	for (int i = 0; i < s->nrows; i++) {
		const void *row = s->rows[i].row;

		if (known(stalled_of(row)) > *us) {
			worst = row;
			*us = known(stalled_of(row));
		}
	}
	return worst ? of_row(worst) : NULL;
}

static bool processes_move(struct tui *t, int key)
{
	return sheet_move(&of(t)->users, key);
}

static void processes_interest(const struct tui *t, struct interest *out)
{
	const struct sheet *s = &of(t)->users;

	out->processes = true;
	for (int i = s->top; i < s->nrows && i < s->top + s->visible; i++)
		if (of_row(s->rows[i].row)->memcg)
			interest_add(out, of_row(s->rows[i].row)->memcg);
}

/* --- drawing --- */

static void draw_none(struct tui *t, struct draw *d, struct rect body)
{
	const struct reading *r = &t->frame.now->readings[READ_PROCESSES];
	struct pen p = pen_in(d, body, READ_PROCESSES);
	char why[200];

	pen_text(&p, STYLE_TITLE, "No processes");
	if (!pen_line(&p))
		return;
	if (r->state == READING_NOT_ASKED && !t->frame.live)
		pen_wrap(&p, STYLE_DIM, 2, 3,
			 "They are not asked for in a captured tree: it holds what the kernel says of memory, not who ran.");
	else if (r->state == READING_NOT_ASKED)
		pen_wrap(&p, STYLE_DIM, 2, 3, "They are asked for with the next sample.");
	else
		pen_wrap(&p, STYLE_DIM, 2, 3, view_why(&t->frame, READ_PROCESSES, why, sizeof(why)));
}

static void draw_foot(struct tui *t, struct draw *d, struct rect pane)
{
	struct pen p = pen_in(d, pane, READ_PROCESSES);
	uint32_t seen = t->frame.now->processes_seen;
	const void *row = sheet_selected(&of(t)->users);

	if (seen)
		pen_printf(&p, STYLE_DIM, "the top %d of %" PRIu32 " processes  ", of(t)->users.nrows, seen);
	if (row && of_row(row)->memcg) {
		pen_text(&p, STYLE_DIM, "memcg ");
		pen_left(&p, pen_room(&p), STYLE_PLAIN, of_row(row)->memcg);
	}
}

static void processes_draw(struct tui *t, struct draw *d, struct rect body)
{
	struct processes *v = of(t);
	struct rect top, foot;

	if (!t->frame.step->nprocesses) {
		draw_none(t, d, body);
		return;
	}
	top = layout_take_top(&body, v->reclaimers.nrows ? v->reclaimers.nrows + 1 : 0);
	if (body.rows < 3) {
		body.rows += top.rows;
		body.row = top.row;
		top.rows = 0;
	}
	foot = layout_take_bottom(&body, body.rows > 5);
	sheet_draw(&v->reclaimers, d, top);
	sheet_draw(&v->users, d, body);
	if (!rect_is_empty(foot))
		draw_foot(t, d, foot);
}

const struct view processes_view = {
	.name = "processes",
	.key = '5',
	.title = "Processes",
	.brief = "Proc",
	.about = "Above, the kernel's own threads that reclaim: kswapd of each node, kcompactd, khugepaged, and how much CPU they "
		 "took in the last step. Below, the processes with most memory, most in swap and most major faults (pages that "
		 "had to be read back), and the memcg that each belongs to. Stall is that of the memcg: the share of the time in which some task of it "
		 "waited for memory.",
	.open = processes_open,
	.close = processes_close,
	.prepare = processes_prepare,
	.draw = processes_draw,
	.move = processes_move,
	.sheet = processes_sheet,
	.interest = processes_interest,
};

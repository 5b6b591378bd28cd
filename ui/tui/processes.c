/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reclaimtop/arena.h"
#include "reclaimtop/units.h"
#include "view.h"

struct processes {
	struct sheet reclaimers;   /* the kernel's threads that reclaim: always there, in the kernel's order */
	struct sheet users;
};

/* --- columns --- */

static const struct process *of_row(const void *row)
{
	return ((const struct process_step *)row)->now;
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

static void cpu_cell(struct pen *p, int width, const void *row, const struct column *c)
{
	struct amount ms = ((const struct process_step *)row)->cpu_ms;
	int64_t dt_us = p->d->f->step->dt_us;
	char text[NUMBER_TEXT] = "-";
	int from = p->col;

	if (amount_known(ms) && dt_us > 0)
		units_percent((uint64_t)ms.value * 1000, (uint64_t)dt_us, text, sizeof(text));
	pen_value(p, width, NULL, text);
	pen_spot_amount(p, from, sheet_metric(c), ms);
}

static int64_t cpu_value(const void *row, const struct column *c)
{
	struct amount ms = ((const struct process_step *)row)->cpu_ms;

	(void)c;
	return amount_known(ms) ? ms.value : SHEET_UNKNOWN;
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
	pen_events(p, width, sheet_metric(c), ((const struct process_step *)row)->major_faults);
}

static int64_t faults_value(const void *row, const struct column *c)
{
	struct amount faults = ((const struct process_step *)row)->major_faults;

	(void)c;
	return amount_known(faults) ? faults.value : SHEET_UNKNOWN;
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

static void processes_prepare(struct tui *t)
{
	struct processes *v = of(t);
	const struct step *st = t->frame.step;

	sheet_begin(&v->reclaimers);
	sheet_begin(&v->users);
	for (uint32_t i = 0; i < st->nprocesses; i++) {
		const struct process_step *p = &st->processes[i];

		if (p->now->kind != PROCESS_USER)
			sheet_add(&v->reclaimers, p);
		else if (tui_passes(t, p->now->name) || (p->now->memcg && tui_passes(t, p->now->memcg)))
			sheet_add(&v->users, p);
	}
	sheet_sort(&v->users);
	sheet_settle(&v->users, v->users.visible);
}

static bool processes_move(struct tui *t, int key)
{
	return sheet_move(&of(t)->users, key);
}

static void processes_interest(const struct tui *t, struct interest *out)
{
	(void)t;
	out->processes = true;
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
	const struct process_step *row = sheet_selected(&of(t)->users);

	if (seen)
		pen_printf(&p, STYLE_DIM, "the top %d of %" PRIu32 " processes  ", of(t)->users.nrows, seen);
	if (row && row->now->memcg)
		pen_left(&p, pen_room(&p), STYLE_PLAIN, row->now->memcg);
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
		 "had to be read back), and the memcg that each belongs to.",
	.open = processes_open,
	.close = processes_close,
	.prepare = processes_prepare,
	.draw = processes_draw,
	.move = processes_move,
	.sheet = processes_sheet,
	.interest = processes_interest,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/units.h"

#include "version.h"

#define IN(view) (1u << (view))
#define SMALL 64

/* ---- what holds for all frames --------------------------------------------------------------- */

static void machine_line(struct text *t)
{
	const struct machine *m = &t->f->now->machine;

	buf_printf(t->out, "reclaimtop %s: %s\n", RECLAIMTOP_VERSION, t->f->label);
	buf_printf(t->out, "  kernel %s, ", m->kernel ? m->kernel : "unknown");
	if (m->cpus != UNKNOWN)
		buf_printf(t->out, "%" PRIu64 " CPU%s, ", m->cpus, m->cpus == 1 ? "" : "s");
	if (m->nodes != UNKNOWN)
		buf_printf(t->out, "%" PRIu64 " node%s, ", m->nodes, m->nodes == 1 ? "" : "s");
	buf_printf(t->out, "pages of %" PRIu64 " bytes\n", t->page_size);
}

static void begin(struct text *t)
{
	machine_line(t);
	buf_str(t->out,
		"  rates are per second; - not known, ~ reckoned (not counted by the kernel),"
		" ^ over a longer time than was meant\n");
}

/* ---- what holds for one ---------------------------------------------------------------------- */

/* Local time of day; nothing for a captured tree, which has none. */
static void put_wall(struct text *t)
{
	time_t seconds = (time_t)(t->f->now->wall_us / 1000000);
	struct tm tm;
	char text[SMALL];

	if (t->f->now->wall_us <= 0 || !localtime_r(&seconds, &tm))
		return;
	if (strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		buf_printf(t->out, ", %s", text);
}

static void put_seconds(struct text *t, const char *before, int64_t us, const char *behind)
{
	buf_printf(t->out, "%s%" PRId64 ".%02d s%s", before, us / 1000000,
		   (int)(us % 1000000 / 10000), behind);
}

static void sample_line(struct text *t)
{
	const struct step *st = t->f->step;

	buf_printf(t->out, "\nsample %" PRIu64, t->f->now->n);
	put_wall(t);
	put_seconds(t, ", clock ", t->f->now->mono_us, "");
	if (st->state == STEP_FIRST)
		buf_str(t->out, ", the first");
	else
		put_seconds(t, ", ", st->dt_us, " after the last");
	if (st->why && *st->why)
		buf_printf(t->out, " (%s)", st->why);
	if (t->f->now->cost_us)
		buf_printf(t->out, ", took %" PRId64 ".%" PRId64 " ms of CPU",
			   t->f->now->cost_us / 1000, t->f->now->cost_us % 1000 / 100);
	if (t->f->missed)
		buf_printf(t->out, ", %" PRIu32 " missed so far", t->f->missed);
	buf_str(t->out, "\n");
}

static void rung_line(struct text *t)
{
	const struct machine *m = &t->f->now->machine;
	char bits[SMALL], ttl[SMALL];

	mglru_describe(m->mglru, bits, sizeof(bits));
	buf_printf(t->out, "  shows %s%s%s", rung_name(t->f->rung), *t->f->rung_reason ? ": " : "",
		   t->f->rung_reason);
	if (m->mglru != UNKNOWN)
		buf_printf(t->out, "; MGLRU: %s", bits);
	if (m->min_ttl_ms != UNKNOWN && m->min_ttl_ms)
		buf_printf(t->out, ", min_ttl %s", units_age(m->min_ttl_ms, ttl, sizeof(ttl)));
	buf_str(t->out, "\n");
}

/* Sources that newly failed: said once, until they work again. */
static void failed_lines(struct text *t)
{
	for (int i = 0; i < READ_NR; i++) {
		const struct reading *r = &t->f->now->readings[i];
		uint32_t bit = UINT32_C(1) << i;

		if (r->state == READING_FAILED && !(t->failed & bit))
			buf_printf(t->out, "  not read: %s: %s\n", source_infos[i].path,
				   reading_why((enum reading_id)i, r->err));
		t->failed = r->state == READING_FAILED ? t->failed | bit : t->failed & ~bit;
	}
}

static void count(struct text *t, uint64_t n, const char *what)
{
	if (n)
		buf_printf(t->out, ", %" PRIu64 " %s", n, what);
}

/* What was odd in the texts that were read. */
static void odd_lines(struct text *t)
{
	for (int i = 0; i < READ_NR; i++) {
		const struct reading *r = &t->f->now->readings[i];

		if (r->state != READING_OK || !(r->torn | r->skipped | r->vanished | r->cut))
			continue;
		buf_printf(t->out, "  odd: %s", source_infos[i].path);
		count(t, r->torn, "torn blocks dropped");
		count(t, r->skipped, "lines not understood");
		count(t, r->vanished, "went away while they were read");
		count(t, r->cut, "text cut off");
		buf_str(t->out, "\n");
	}
}

static void text_findings(struct text *t)
{
	static const char *const names[] = {
		[SEVERITY_NOTE] = "note", [SEVERITY_WARN] = "warning", [SEVERITY_ALARM] = "alarm",
	};

	for (uint32_t i = 0; i < t->f->nfindings; i++) {
		const struct finding *f = &t->f->findings[i];

		buf_printf(t->out, "  %s: %s\n    %s: %s\n", names[f->severity], f->text, f->rule,
			   f->evidence);
	}
}

/* ---- sections -------------------------------------------------------------------------------- */

static const struct section {
	const char *title;
	unsigned int views;
	void (*put)(struct text *t);
} sections[] = {
	{ "findings", IN(VIEW_OVERVIEW), text_findings },
	{ "memory", IN(VIEW_OVERVIEW), text_memory },
	{ "swap", IN(VIEW_OVERVIEW), text_swap },
	{ "reclaim", IN(VIEW_OVERVIEW) | IN(VIEW_TIME), text_reclaim },
	{ "pressure", IN(VIEW_OVERVIEW) | IN(VIEW_TIME), text_pressure },
	{ "generations", IN(VIEW_GENERATIONS), text_generations },
	{ "flows", IN(VIEW_GENERATIONS), text_flows },
	{ "memcgs", IN(VIEW_MEMCGS), text_memcgs },
	{ "zones", IN(VIEW_OVERVIEW) | IN(VIEW_PAGESETS), text_zones },
	{ "pagesets (pages)", IN(VIEW_PAGESETS), text_pagesets },
	{ "drains and refills, counted", IN(VIEW_PAGESETS), text_events },
	{ "free blocks", IN(VIEW_PAGESETS), text_free_blocks },
	{ "free blocks by migratetype", IN(VIEW_PAGESETS), text_migratetypes },
	{ "processes", IN(VIEW_PROCESSES), text_processes },
};

/* A section without anything in it leaves no title. */
static void put_section(struct text *t, const struct section *s)
{
	size_t before = t->out->len, begun;

	buf_printf(t->out, "%s\n", s->title);
	begun = t->out->len;
	s->put(t);
	if (t->out->len == begun)
		t->out->len = before;
}

void text_frame(struct text *t, const struct frame *f)
{
	t->f = f;
	t->page_size = f->now->machine.page_size ? f->now->machine.page_size : 4096;
	if (!t->begun)
		begin(t);
	t->begun = true;
	sample_line(t);
	rung_line(t);
	failed_lines(t);
	odd_lines(t);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (sections[i].views & t->views)
			put_section(t, &sections[i]);
}

void text_fini(struct text *t)
{
	table_fini(&t->table);
	free(t->picks.items);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comparison.h"
#include "input.h"
#include "output.h"
#include "say.h"
#include "scores.h"
#include "show.h"
#include "stretch.h"

/* ---- what stands beside a run's numbers ------------------------------------------------------ */

static const struct compare_metric command_time = {
	"command-time", "s", "s", BETTER_LESS, "from the start to the end of the recorded command",
};

static void put_score(struct comparison *cmp, uint32_t run, const struct mark *m)
{
	struct compare_metric metric = scores_metric;
	const char *name;
	double value;
	int len;

	if (m->kind != MARK_SCORE || !mark_score(m->text, &name, &len, &value))
		return;
	metric.name = arena_strn(cmp->names, name, (size_t)len);
	compare_score(cmp->c, run, &metric, value);
}

/* The scores that were marked within the stretch; where there are none, all of the run. */
static void put_scores(struct comparison *cmp, uint32_t run, struct input *in,
		       const struct stretch *stretch)
{
	const struct mark *marks;
	uint32_t n = input_marks(in, &marks), within = 0;

	for (uint32_t i = 0; i < n; i++)
		within += marks[i].kind == MARK_SCORE &&
			  stretch_holds(stretch, marks[i].session, marks[i].mono_us);
	for (uint32_t i = 0; i < n; i++)
		if (!within || stretch_holds(stretch, marks[i].session, marks[i].mono_us))
			put_score(cmp, run, &marks[i]);
}

static void put_command(struct comparison *cmp, uint32_t run, struct input *in)
{
	const struct mark *marks, *start = NULL;
	uint32_t n = input_marks(in, &marks);

	for (uint32_t i = 0; i < n; i++) {
		int64_t us = marks[i].duration_us;

		if (marks[i].kind == MARK_START)
			start = &marks[i];
		if (marks[i].kind != MARK_END)
			continue;
		if (us < 0 && start && start->session == marks[i].session)
			us = marks[i].mono_us - start->mono_us;
		if (us >= 0)
			compare_score(cmp->c, run, &command_time, (double)us / 1e6);
		if (marks[i].status > cmp->runs[run].status)
			cmp->runs[run].status = marks[i].status;
	}
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void put_facts(struct comparison *cmp, uint32_t run, const struct summary *s,
		      const struct input *in)
{
	const char *kernel = s->nsessions ? s->sessions[0].kernel : NULL;

	if (run >= cmp->cap_runs) {
		cmp->cap_runs = cmp->cap_runs ? 2 * cmp->cap_runs : 32;
		cmp->runs = mem_grow(cmp->runs, cmp->cap_runs * sizeof(*cmp->runs));
	}
	cmp->runs[run] = (struct run_facts){
		.covered_us = s->covered_us,
		.samples = s->samples,
		.kernel = kernel ? arena_str(cmp->names, kernel) : NULL,
		.page_size = s->page_size,
		.status = -1,
		.unreadable = input_unreadable(in),
	};
}

static int add_run(struct comparison *cmp, uint32_t side, const char *path, const struct options *o,
		   struct summary *s)
{
	struct stretch stretch;
	struct input *in;
	uint32_t run;
	int status = input_open(path, &in);

	if (status != STATUS_DONE)
		return status;
	summary_clear(s);
	status = stretch_find(in, path, o, &stretch);
	if (status == STATUS_DONE)
		status = stretch_sum(&stretch, in, path, s);
	if (status == STATUS_DONE) {
		run = compare_run(cmp->c, side, path, s);
		put_facts(cmp, run, s, in);
		put_scores(cmp, run, in, &stretch);
		put_command(cmp, run, in);
	}
	input_close(in);
	return status;
}

/* "A,A,A": runs with commas between, or one file that has commas in its name. */
static int add_side(struct comparison *cmp, uint32_t side, const struct options *o,
		    struct summary *s)
{
	const char *word = o->words[side];
	bool whole = !access(word, F_OK);
	int status = STATUS_DONE;

	for (const char *p = word; p && status == STATUS_DONE;) {
		size_t len = whole ? strlen(p) : strcspn(p, ",");
		const char *path = arena_strn(cmp->names, p, len);

		if (!len)
			return say_error(STATUS_USAGE, word, "a name is missing beside a comma",
					 "give A,A,A: names of recordings with commas between");
		status = add_run(cmp, side, path, o, s);
		p = p[len] ? p + len + 1 : NULL;
	}
	return status;
}

static int add_sides(struct comparison *cmp, const struct options *o)
{
	struct summary *s = summary_new(false);
	int status = STATUS_DONE;

	for (uint32_t side = 0; side < o->nwords && status == STATUS_DONE; side++)
		status = add_side(cmp, side, o, s);
	summary_free(s);
	if (status == STATUS_DONE && o->score)
		status = scores_read(o->score, cmp->c);
	return status;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static int parse_conditions(struct comparison *cmp, const struct options *o)
{
	cmp->checks = mem_alloc((o->nfail_if + 1) * sizeof(*cmp->checks));
	for (uint32_t i = 0; i < o->nfail_if; i++) {
		struct checked *check = &cmp->checks[cmp->nchecks++];

		*check = (struct checked){ .text = o->fail_if[i] };
		if (!compare_condition(check->text, &check->cond))
			return say_error(STATUS_USAGE, check->text, "is no condition",
					 "give METRIC>5% or METRIC<-3%, in quotes");
	}
	if (o->nfail_if && o->nwords < 2)
		return say_error(STATUS_USAGE, "--fail-if", "there is nothing to compare with",
				 "give two sides");
	return STATUS_DONE;
}

static int check_conditions(struct comparison *cmp)
{
	for (uint32_t i = 0; i < cmp->nchecks; i++) {
		struct checked *check = &cmp->checks[i];

		check->verdict = compare_check(cmp->c, &check->cond, &check->why);
		if (check->verdict == VERDICT_NO_METRIC)
			return say_error(
				STATUS_USAGE, check->cond.metric, "there is no such metric",
				"reclaimtop compare --json names all of them; --all adds vmstat's");
	}
	return STATUS_DONE;
}

/* Which conditions failed, a line each. */
static int verdict_status(const struct comparison *cmp)
{
	int status = STATUS_DONE;

	for (uint32_t i = 0; i < cmp->nchecks; i++)
		if (cmp->checks[i].verdict != VERDICT_KEPT)
			status = say_error(STATUS_FAILED, cmp->checks[i].cond.metric,
					   cmp->checks[i].why.data,
					   "--fail-if asked for this status");
	return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print(const struct comparison *cmp, const struct options *o)
{
	struct buf out = { 0 };
	int err;

	if (o->json)
		comparison_json(cmp, &out);
	else
		comparison_text(cmp, &out);
	err = output_flush(&out);
	buf_fini(&out);
	return output_status(err);
}

static void comparison_fini(struct comparison *cmp)
{
	for (uint32_t i = 0; i < cmp->nchecks; i++)
		buf_fini(&cmp->checks[i].why);
	free(cmp->checks);
	free(cmp->runs);
	compare_free(cmp->c);
	arena_free(cmp->names);
}

int compare_command(const struct options *o)
{
	unsigned int flags = (o->totals ? COMPARE_TOTALS : 0) | (o->all ? COMPARE_ALL : 0);
	struct comparison cmp = { .c = compare_new(flags), .names = arena_new(),
				  .totals = o->totals };
	int status = parse_conditions(&cmp, o);

	if (status == STATUS_DONE)
		status = add_sides(&cmp, o);
	if (status == STATUS_DONE)
		status = check_conditions(&cmp);
	if (status == STATUS_DONE)
		status = print(&cmp, o);
	if (status == STATUS_DONE)
		status = verdict_status(&cmp);
	comparison_fini(&cmp);
	return status;
}

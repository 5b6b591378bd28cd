/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reclaimtop/names.h"

#include "output.h"
#include "report.h"
#include "say.h"
#include "show.h"

bool report_mark_time(const struct report *r, const struct mark *m, struct summary_time *out)
{
	const struct session_total *session = summary_session(r->sum, m->session);

	if (!stretch_holds(r->stretch, m->session, m->mono_us))
		return false;
	*out = (struct summary_time){ m->session, 0, m->wall_us };
	if (session)
		out->since_us = m->mono_us - session->first_us;
	return true;
}

const char *report_date(int64_t wall_us, char *out, size_t size)
{
	time_t seconds = (time_t)(wall_us / 1000000);
	struct tm t;

	*out = '\0';
	if (wall_us > 0 && gmtime_r(&seconds, &t))
		snprintf(out, size, "%04d-%02d-%02dT%02d:%02d:%02dZ", t.tm_year + 1900,
			 t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
	return out;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int64_t lost(const struct memcg_total *m)
{
	return total_known(&m->evicted) ? m->evicted.sum : -1;
}

static int compare_memcgs(const void *a, const void *b, void *arg)
{
	const struct summary *s = arg;
	const struct memcg_total *x = &s->memcgs[*(const uint32_t *)a];
	const struct memcg_total *y = &s->memcgs[*(const uint32_t *)b];

	if (lost(x) != lost(y))
		return lost(x) > lost(y) ? -1 : 1;
	if (strcmp(x->path, y->path))
		return strcmp(x->path, y->path);
	return x->dying - y->dying;
}

static uint32_t *order_memcgs(struct summary *s)
{
	uint32_t *order = mem_alloc((s->nmemcgs + 1) * sizeof(*order));

	for (uint32_t i = 0; i < s->nmemcgs; i++)
		order[i] = i;
	qsort_r(order, s->nmemcgs, sizeof(*order), compare_memcgs, s);
	return order;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print(struct report *r, const struct options *o)
{
	struct buf out = { 0 };
	int err;

	if (o->json)
		report_json(r, &out);
	else
		report_text(r, &out);
	err = output_flush(&out);
	buf_fini(&out);
	return output_status(err);
}

static int report_of(struct input *in, const char *path, const struct options *o)
{
	struct arena *names = arena_new();
	struct summary *s = summary_new(true);
	struct report r = { .sum = s, .path = name_escape(names, path, strlen(path)) };
	uint32_t *memcgs = NULL;
	struct stretch stretch;
	int status = stretch_find(in, path, o, &stretch);

	if (status == STATUS_DONE)
		status = stretch_sum(&stretch, in, path, s);
	if (status == STATUS_DONE) {
		r.stretch = &stretch;
		r.memcgs = memcgs = order_memcgs(s);
		r.nmarks = input_marks(in, &r.marks);
		r.unreadable = input_unreadable(in);
		input_facts(in, &r.facts);
		status = print(&r, o);
	}
	free(memcgs);
	summary_free(s);
	arena_free(names);
	return status;
}

int report_command(const struct options *o)
{
	struct input *in;
	int status = input_open(o->words[0], &in);

	if (status != STATUS_DONE)
		return status;
	status = report_of(in, o->words[0], o);
	input_close(in);
	return status;
}

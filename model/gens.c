/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gens.c - the generations of one lruvec in two samples, side by side.
 */
#include "model/flow.h"

uint64_t gens_sum(const struct lruvec *v, enum page_type type)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; v && i < v->ngens; i++)
		sum += v->gens[i].pages[type];
	return sum;
}

uint64_t gens_max_seq(const struct lruvec *v)
{
	return v->ngens ? v->gens[v->ngens - 1].seq : 0;
}

static void put_row(struct gen_step *row, const struct gen *was, const struct gen *is)
{
	const struct gen *any = is ? is : was;

	*row = (struct gen_step){ .seq = any->seq, .age_ms = any->age_ms, .left = !is };
	row->evicted = is && is->evicted == (1 << TYPE_ANON | 1 << TYPE_FILE);
	for (int type = 0; type < TYPE_NR; type++) {
		row->before[type] = was ? was->pages[type] : 0;
		row->now[type] = is ? is->pages[type] : 0;
	}
}

/* Both are in order of seq; where one is not, its rows still come out once each. */
static void merge_rows(const struct lruvec *was, const struct lruvec *is, struct lruvec_step *out)
{
	uint32_t b = 0, n = 0, nwas = was ? was->ngens : 0, nis = is ? is->ngens : 0;

	while (b < nwas || n < nis) {
		const struct gen *before = b < nwas ? &was->gens[b] : NULL;
		const struct gen *now = n < nis ? &is->gens[n] : NULL;

		if (before && now && before->seq != now->seq) {
			if (before->seq < now->seq)
				now = NULL;
			else
				before = NULL;
		}
		b += before != NULL;
		n += now != NULL;
		put_row(&out->gens[out->ngens], before, now);
		out->gens[out->ngens++].born = !before && nwas && now->seq > gens_max_seq(was);
	}
}

/* Room for the rows of both: as many as there are numbers between the ends, if none is left out. */
static uint32_t count_rows(const struct lruvec *was, const struct lruvec *is)
{
	uint32_t both = (was ? was->ngens : 0) + (is ? is->ngens : 0);
	uint64_t first, last;

	if (!was || !is || !was->ngens || !is->ngens)
		return both;
	for (uint32_t i = 1; i < was->ngens; i++)
		if (was->gens[i].seq <= was->gens[i - 1].seq)
			return both;
	for (uint32_t i = 1; i < is->ngens; i++)
		if (is->gens[i].seq <= is->gens[i - 1].seq)
			return both;
	first = was->gens[0].seq < is->gens[0].seq ? was->gens[0].seq : is->gens[0].seq;
	last = gens_max_seq(was) > gens_max_seq(is) ? gens_max_seq(was) : gens_max_seq(is);
	return last - first < both ? (uint32_t)(last - first) + 1 : both;
}

static struct amount births(const struct stepping *s, const struct lruvec *was,
			    const struct lruvec *is)
{
	struct amount births;

	if (!is || !is->ngens || sample_rows_are_kept(s->now))
		return (struct amount){ .state = AMOUNT_MISSING, .scope = SCOPE_MEMCG };
	births = stepping_counter(s, was && was->ngens ? gens_max_seq(was) : UNKNOWN,
				  gens_max_seq(is), SCOPE_MEMCG);
	if (s->out->rows_apart && births.state == AMOUNT_MEASURED)
		births.state = AMOUNT_GAP;
	return births;
}

static const struct walk *last_walk(const struct lruvec *v)
{
	return v && v->nfull ? &v->full[v->nfull - 1].walk : NULL;
}

static void walks(const struct stepping *s, struct lruvec_step *out)
{
	const struct walk *was = last_walk(out->before);
	const struct walk *is = s->out->rows_apart ? NULL : last_walk(out->now);

	out->walked = stepping_counter(s, was ? was->leaf_total : UNKNOWN,
				       is ? is->leaf_total : UNKNOWN, SCOPE_MEMCG);
	out->walked_young = stepping_counter(s, was ? was->leaf_young : UNKNOWN,
					     is ? is->leaf_young : UNKNOWN, SCOPE_MEMCG);
}

void gens_make(const struct stepping *s, const struct lruvec *was, const struct lruvec *is,
	       struct lruvec_step *out)
{
	uint32_t rows = count_rows(was, is);

	out->before = was;
	out->now = is;
	out->births = births(s, was, is);
	out->gens = arena_raw(s->arena, rows * sizeof(*out->gens));
	merge_rows(was, is, out);
	walks(s, out);
}

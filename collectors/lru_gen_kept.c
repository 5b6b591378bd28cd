/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/lru_gen_kept.h"

static void copy_rows(const struct lruvec *from, uint32_t n, struct arena *a, struct lruvec **to)
{
	*to = arena_copy(a, from, n * sizeof(**to));
	for (uint32_t i = 0; i < n; i++) {
		struct lruvec *v = &(*to)[i];

		v->path = i && from[i].path == from[i - 1].path ? v[-1].path : arena_str(a, v->path);
		v->gens = arena_copy(a, v->gens, v->ngens * sizeof(*v->gens));
		if (v->nfull)
			v->full = arena_copy(a, v->full, v->nfull * sizeof(*v->full));
	}
}

/* The kernel's ages are milliseconds in 32 bits. */
static void move_on(struct sample *s, int64_t by_us)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++)
		for (uint32_t k = 0; k < s->lruvecs[i].ngens; k++) {
			uint64_t *age = &s->lruvecs[i].gens[k].age_ms;

			*age = (uint32_t)(*age + (uint64_t)by_us / 1000);
		}
}

static bool may_be_left_out(const struct sample *s)
{
	return s->readings[READ_LRU_GEN].every > 1 || s->readings[READ_LRU_GEN_FULL].every > 1;
}

static void keep(struct lru_gen_kept *k, const struct sample *s)
{
	lru_gen_kept_drop(k);
	if (!s->nlruvecs || !may_be_left_out(s))
		return;
	copy_rows(s->lruvecs, s->nlruvecs, k->arena, &k->lruvecs);
	k->n = s->nlruvecs;
	k->at_us = s->mono_us;
	for (int i = 0; i < 2; i++) {
		k->start_us[i] = s->readings[READ_LRU_GEN + i].start_us;
		k->end_us[i] = s->readings[READ_LRU_GEN + i].end_us;
	}
}

static void put(const struct lru_gen_kept *k, struct sample *s)
{
	copy_rows(k->lruvecs, k->n, s->arena, &s->lruvecs);
	s->nlruvecs = k->n;
	move_on(s, s->mono_us - k->at_us);
	for (int i = 0; i < 2; i++) {
		struct reading *r = &s->readings[READ_LRU_GEN + i];

		if (r->state != READING_NOT_ASKED)
			continue;
		r->start_us = k->start_us[i];
		r->end_us = k->end_us[i];
	}
}

void lru_gen_kept_update(struct lru_gen_kept *k, struct sample *s)
{
	if (s->nlruvecs)
		keep(k, s);
	else if (k->n && (reading_is_left_out(&s->readings[READ_LRU_GEN]) ||
			  reading_is_left_out(&s->readings[READ_LRU_GEN_FULL])))
		put(k, s);
	else
		lru_gen_kept_drop(k);
}

void lru_gen_kept_drop(struct lru_gen_kept *k)
{
	k->n = 0;
	if (!k->arena)
		k->arena = arena_new();
	arena_reset(k->arena);
}

void lru_gen_kept_fini(struct lru_gen_kept *k)
{
	arena_free(k->arena);
}

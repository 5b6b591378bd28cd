/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.c - the last steps, and of each the memcgs that moved most.
 */
#include "model/window.h"

#include <stdlib.h>
#include <string.h>

#include "reclaimtop/names.h"

struct window *window_new(uint32_t steps)
{
	struct window *w = mem_alloc(sizeof(*w));

	*w = (struct window){ .cap = steps ? steps : 1 };
	w->briefs = mem_alloc(w->cap * sizeof(*w->briefs));
	w->moved = mem_alloc(w->cap * sizeof(*w->moved));
	w->nmoved = mem_alloc(w->cap * sizeof(*w->nmoved));
	return w;
}

void window_free(struct window *w)
{
	if (!w)
		return;
	free(w->briefs);
	free(w->moved);
	free(w->nmoved);
	free(w);
}

void window_clear(struct window *w)
{
	w->n = 0;
}

uint32_t window_count(const struct window *w)
{
	return w->n;
}

static uint32_t slot_of(const struct window *w, uint32_t ago)
{
	return (w->newest + w->cap - ago) % w->cap;
}

const struct brief *window_brief(const struct window *w, uint32_t ago)
{
	return ago < w->n ? &w->briefs[slot_of(w, ago)] : NULL;
}

/* --- memcgs --- */

static uint64_t hash(const char *text, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Length of the path that a path stands in: "/a" for "/a/b", "/" for "/a". */
static size_t parent_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || !path[1])
		return 0;
	return slash == path ? 1 : (size_t)(slash - path);
}

static uint64_t known(struct amount a)
{
	if (!amount_known(a))
		return UNKNOWN;
	return a.value < 0 ? 0 : (uint64_t)a.value;
}

static uint64_t or_zero(uint64_t value)
{
	return value == UNKNOWN ? 0 : value;
}

/* How much of a step a memcg was. */
static uint64_t score(const struct memcg_step *m)
{
	return or_zero(known(m->evicted)) + or_zero(known(m->refaulted)) +
	       or_zero(known(m->max_hits)) + or_zero(known(m->high_hits)) +
	       1000 * or_zero(known(m->oom_kills));
}

/* What it has in memory and in swap. */
static uint64_t held(const struct memcg *m)
{
	if (!m || m->current >= UNLIMITED || m->swap_current >= UNLIMITED)
		return UNKNOWN;
	return m->current + m->swap_current;
}

static void moved_make(const struct memcg_step *m, struct moved *out)
{
	size_t len = strlen(m->path);

	*out = (struct moved){
		.path_name = hash(m->path, len),
		.parent = hash(m->path, parent_len(m->path)),
		.evicted = known(m->evicted),
		.refaulted = known(m->refaulted),
		.stalled_us = known(m->stalled_us),
		.oom_kills = known(m->oom_kills),
		.max_hits = known(m->max_hits),
		.high_hits = known(m->high_hits),
		.current = m->now ? m->now->current : UNKNOWN,
		.max = m->now ? m->now->max : UNKNOWN,
		.high = m->now ? m->now->high : UNKNOWN,
		.held = held(m->now),
		.held_was = held(m->now),
	};
	out->name = out->path_name ^ m->id * UINT64_C(0x9e3779b97f4a7c15);
	name_fit(m->path, MOVED_COLUMNS, 0, out->path, sizeof(out->path));
}

/*
 * Those with the highest scores; of equal ones the first, in the order of names, so that the
 * kernel's plays no part.
 */
static uint32_t pick(const struct step *st, const struct memcg_step *top[MOVED_NR])
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < st->nmemcgs; i++) {
		const struct memcg_step *m = &st->memcgs[i];
		uint32_t at = n;

		if (m->vanished || m->dying || !m->path || !score(m))
			continue;
		while (at && (score(top[at - 1]) < score(m) ||
			      (score(top[at - 1]) == score(m) &&
			       strcmp(top[at - 1]->path, m->path) > 0)))
			at--;
		if (at == MOVED_NR)
			continue;
		n += n < MOVED_NR;
		memmove(&top[at + 1], &top[at], (n - at - 1) * sizeof(*top));
		top[at] = m;
	}
	return n;
}

void window_add(struct window *w, const struct step *st)
{
	const struct memcg_step *top[MOVED_NR];

	if (st->state == STEP_FIRST || st->state == STEP_RESET)
		window_clear(w);
	w->newest = (w->newest + 1) % w->cap;
	w->n += w->n < w->cap;
	brief_make(st, &w->briefs[w->newest]);
	w->nmoved[w->newest] = pick(st, top);
	for (uint32_t i = 0; i < w->nmoved[w->newest]; i++)
		moved_make(top[i], &w->moved[w->newest][i]);
}

/* --- sums --- */

static void add(uint64_t *to, uint64_t value)
{
	if (value != UNKNOWN)
		*to = *to == UNKNOWN ? value : *to + value;
}

static void add_moved(struct moved *to, const struct moved *from)
{
	add(&to->evicted, from->evicted);
	add(&to->refaulted, from->refaulted);
	add(&to->stalled_us, from->stalled_us);
	add(&to->oom_kills, from->oom_kills);
	add(&to->max_hits, from->max_hits);
	add(&to->high_hits, from->high_hits);
	if (from->held != UNKNOWN)
		to->held_was = from->held;
}

static struct moved *find_moved(struct moved *list, uint32_t n, uint64_t name)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i].name == name)
			return &list[i];
	return NULL;
}

static int compare_moved(const void *a, const void *b)
{
	uint64_t x = or_zero(((const struct moved *)a)->evicted);
	uint64_t y = or_zero(((const struct moved *)b)->evicted);

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(((const struct moved *)a)->path, ((const struct moved *)b)->path);
}

uint32_t window_moved(const struct window *w, uint32_t n, struct moved *out, uint32_t room)
{
	uint32_t found = 0;

	for (uint32_t ago = 0; ago < n && ago < w->n; ago++) {
		uint32_t slot = slot_of(w, ago);

		for (uint32_t i = 0; i < w->nmoved[slot]; i++) {
			const struct moved *m = &w->moved[slot][i];
			struct moved *sum = find_moved(out, found, m->name);

			if (sum)
				add_moved(sum, m);
			else if (found < room)
				out[found++] = *m;
		}
	}
	qsort(out, found, sizeof(*out), compare_moved);
	return found;
}

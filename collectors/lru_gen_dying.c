/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_gen_dying.c - memcgs whose cgroup is gone. The kernel goes on listing them under their old
 * path for as long as they have pages, and a folder made anew gives a second memcg of that path.
 */
#include "parse.h"

#include <string.h>

/* From here on the id in lru_gen is the inode of the cgroup's folder. */
#define ID_IS_INODE 70000

/* Of each path the memcg that counts as living so far: its first lruvec, by a hash of the path. */
struct living {
	uint32_t *slots;  /* index plus 1 */
	uint32_t mask;
};

static uint32_t hash_of(const char *path)
{
	uint32_t h = 2166136261u;

	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 16777619u;
	return h ^ h >> 15;
}

static uint32_t *slot_of(const struct living *l, const struct sample *s, const char *path)
{
	uint32_t i = hash_of(path) & l->mask;

	while (l->slots[i] && strcmp(s->lruvecs[l->slots[i] - 1].path, path))
		i = (i + 1) & l->mask;
	return &l->slots[i];
}

static bool is_of_memcg(const struct lruvec *a, const struct lruvec *b)
{
	return a->memcg == b->memcg && (a->path == b->path || !strcmp(a->path, b->path));
}

static void mark(struct sample *s, uint32_t first)
{
	for (uint32_t i = first; i < s->nlruvecs; i++) {
		if (!is_of_memcg(&s->lruvecs[i], &s->lruvecs[first]))
			return;
		s->lruvecs[i].dying = true;
	}
}

/* The inode of the path's folder, where it is known and means something. */
static uint64_t inode_of(const struct sample *s, const char *path)
{
	for (uint32_t i = 0; i < s->nmemcgs && s->machine.version >= ID_IS_INODE; i++)
		if (!strcmp(s->memcgs[i].path, path))
			return s->memcgs[i].id;
	return UNKNOWN;
}

/* The memcg that begins at i, against another one of its path that came before. */
static void settle(struct sample *s, uint32_t *slot, uint32_t i)
{
	uint32_t before = *slot - 1;

	if (s->lruvecs[before].memcg == inode_of(s, s->lruvecs[i].path)) {
		mark(s, i);
		return;
	}
	mark(s, before);
	*slot = i + 1;
}

void lru_gen_mark_dying(struct sample *s)
{
	struct living l = { .mask = 16 };

	while (l.mask < 1u << 30 && l.mask / 2 < s->nlruvecs)
		l.mask *= 2;
	l.slots = arena_alloc(s->arena, l.mask * sizeof(*l.slots));
	l.mask--;
	for (uint32_t i = 0; i < s->nlruvecs; i++) {
		const struct lruvec *v = &s->lruvecs[i];
		uint32_t *slot;

		if (i && is_of_memcg(v, v - 1) && v->node > v[-1].node)
			continue;
		if (!v->memcg) {
			if (strcmp(v->path, "/"))
				mark(s, i);
			continue;
		}
		slot = slot_of(&l, s, v->path);
		if (*slot)
			settle(s, slot, i);
		else
			*slot = i + 1;
	}
}

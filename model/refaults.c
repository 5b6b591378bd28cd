/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refaults.c - what came back to each lruvec.
 *
 * lru_gen_full counts what came back soon. Since 6.5 memory.stat counts all that came back, with
 * what the memcg's children got (mm/workingset.c lru_gen_refault()): exact for a memcg that has no
 * children and lives on one node. For others what lru_gen_full says is the least.
 */
#include "model/files.h"
#include "model/flow.h"

#define VERSION_ALL_REFAULTS 60500
#define CPU_LATE_PAGES 125      /* the most that a CPU keeps to itself of vmstat (mm/vmstat.c) */

struct refaults {
	const struct stepping *s;
	struct keyed paths;            /* of lruvecs: how many each has, and whether others are below */
	uint32_t *lruvecs;
	bool *parents;
	struct files before, now;
};

static const char *parent_of(const struct stepping *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *parent;
	size_t len;

	if (!slash || !slash[1])
		return NULL;
	len = slash == path ? 1 : (size_t)(slash - path);
	parent = arena_alloc(s->arena, len + 1);
	memcpy(parent, path, len);
	parent[len] = '\0';
	return parent;
}

static void note_paths(struct refaults *r)
{
	const struct step *st = r->s->out;
	uint32_t room = 2 * st->nlruvecs;

	r->paths = keyed_new(r->s->arena, room);
	r->lruvecs = arena_alloc(r->s->arena, room * sizeof(*r->lruvecs));
	r->parents = arena_alloc(r->s->arena, room * sizeof(*r->parents));
	memset(r->lruvecs, 0, room * sizeof(*r->lruvecs));
	memset(r->parents, 0, room * sizeof(*r->parents));
	for (uint32_t i = 0; i < st->nlruvecs; i++) {
		const struct lruvec *v = st->lruvecs[i].now ? st->lruvecs[i].now : st->lruvecs[i].before;
		const char *parent = v && v->path ? parent_of(r->s, v->path) : NULL;

		if (v && v->path)
			r->lruvecs[keyed_put(&r->paths, (struct keyed_name){ v->path, 0, 0 })]++;
		if (parent)
			r->parents[keyed_put(&r->paths, (struct keyed_name){ parent, 0, 0 })] = true;
	}
}

/* All that came back to the memcg of a lruvec and to its children. */
static struct amount with_children(const struct refaults *r, const struct lruvec *v, enum page_type type)
{
	static const enum cg_key keys[TYPE_NR] = {
		[TYPE_ANON] = CG_workingset_refault_anon, [TYPE_FILE] = CG_workingset_refault_file,
	};
	struct amount none = { .state = AMOUNT_MISSING };
	const struct memcg *is = v->dying || !v->path ? NULL : files_find(&r->now, v->path);
	const struct memcg *was = is ? files_find(&r->before, is->path) : NULL;

	if (!was || was->id != is->id)
		return none;
	return stepping_key(r->s, &was->stat, &is->stat, keys[type], SCOPE_MEMCG);
}

/*
 * Files are not read at one instant, and the kernel brings some up to date late. More than the whole machine's cannot
 * have come back.
 */
static bool is_too_much(const struct stepping *s, struct amount own, enum page_type type)
{
	struct amount whole = s->out->reclaim.refaulted[type];
	int64_t late = CPU_LATE_PAGES * (int64_t)s->cpus;

	return amount_known(whole) && own.value > amount_sum64(whole.value, late);
}

/* Nobody else's is in it: no children's, no other node's. */
static bool is_its_own(const struct refaults *r, const struct lruvec *v)
{
	uint32_t at = keyed_find(&r->paths, (struct keyed_name){ v->path, 0, 0 });

	return at != KEYED_NONE && r->lruvecs[at] == 1 && !r->parents[at];
}

static void put(const struct refaults *r, const struct lruvec_work *w, enum page_type type)
{
	const struct fold *fold = &w->types[type].fold;
	struct amount *out = &w->step->flow[type].refaulted, all;
	int64_t range[3] = { fold->refaulted.lo, fold->refaulted.value, AMOUNT_NO_LIMIT };

	if (!fold->known)
		return;
	all = with_children(r, w->step->now, type);
	if (amount_known(all) && is_its_own(r, w->step->now) && all.value >= range[0] &&
	    !is_too_much(r->s, all, type))
		*out = all;
	else
		*out = stepping_inferred(r->s, range, SCOPE_MEMCG);
}

void share_refaulted(const struct stepping *s, const struct lruvec_work *work)
{
	uint32_t version = s->now->machine.version;
	struct refaults r = { .s = s };

	if (!s->before || (version && version < VERSION_ALL_REFAULTS))
		return;
	note_paths(&r);
	r.before = files_of(s->before, s->arena);
	r.now = files_of(s->now, s->arena);
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			put(&r, &work[i], (enum page_type)type);
}

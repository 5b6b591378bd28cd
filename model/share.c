/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - how many pages each lruvec lost to eviction, from what is known of it and of all.
 *
 * Exact where lru_gen_full counted it. Else it lies between bounds: those of lru_gen_full, what its
 * memcg lost with its children (memory.stat), what the machine lost of that type (vmstat); and the
 * best guess is what makes all lruvecs together lose what the machine did.
 *
 * pgsteal and lru_gen_full's evicted are not quite the same pages: MADV_FREE's are in the first
 * only, MADV_PAGEOUT's in the second only (__remove_mapping(), reclaim_folio_list() in
 * mm/vmscan.c).
 */
#include "model/flow.h"
#include "model/keyed.h"

#define VERSION_NODE_STATS 70100
#define CPU_STALE_PAGES 125
/*
 * memory.stat is not brought up to date for fewer changes than MEMCG_CHARGE_BATCH a CPU, and each
 * CPU keeps fewer than that many to itself (mm/memcontrol.c memcg_rstat_updated()).
 */
#define CPU_UNFLUSHED_PAGES 128
#define ROUNDS 4

static int64_t at_most(int64_t a, int64_t most)
{
	return a > most ? most : a;
}

static int64_t at_least(int64_t a, int64_t least)
{
	return a < least ? least : a;
}

/*
 * Without help from outside: what came back must have been evicted, and so probably was what is
 * missing. That leaves out what was evicted and made good by others; what lru_gen_full counted
 * across the end of a generation holds some that was only moved on. Where they differ so, the truth
 * is likely between them.
 */
static void guess(struct type_work *t)
{
	int64_t lost = at_least(-t->net, 0), likely;

	t->evicted = (struct range){ 0, lost, AMOUNT_NO_LIMIT };
	if (!t->fold.known)
		return;
	t->evicted = t->fold.evicted;
	if (t->fold.exact)
		return;
	likely = amount_sum64(lost, t->fold.refaulted.value);
	if (likely < t->fold.evicted.value)
		likely += (t->fold.evicted.value - likely) / 2;
	t->evicted.value = at_most(at_least(likely, t->evicted.lo), t->evicted.hi);
}

static void cap(struct type_work *t, int64_t most)
{
	if (t->fold.exact)
		return;
	t->evicted.hi = at_least(at_most(t->evicted.hi, most), t->evicted.lo);
	t->evicted.value = at_most(t->evicted.value, t->evicted.hi);
}

/*
 * The files of a sample are not read at one instant. What the root memcg's says and vmstat's says
 * of the same pages shows by how much.
 */
static int64_t apart(const struct stepping *s, const struct keyed *caps, const int64_t *most)
{
	uint32_t root = keyed_find(caps, (struct keyed_name){ "/", 0, 0 });
	struct amount all = s->out->reclaim.stolen_all;
	int64_t off;

	if (root == KEYED_NONE || most[root] == AMOUNT_NO_LIMIT || !amount_known(all))
		return 0;
	off = all.value - most[root];
	return off < 0 ? -off : off;
}

/* What a memcg and its children lost bounds what it alone lost. */
static void cap_by_memcgs(const struct stepping *s, struct lruvec_work *work)
{
	const struct sample *was = s->before, *is = s->now;
	struct keyed names = keyed_new(s->arena, was->nmemcgs);
	struct keyed caps = keyed_new(s->arena, is->nmemcgs);
	int64_t *most = arena_alloc(s->arena, is->nmemcgs * sizeof(*most));
	uint64_t *before = arena_alloc(s->arena, was->nmemcgs * sizeof(*before));
	int64_t slack;

	for (uint32_t i = 0; i < was->nmemcgs; i++) {
		const struct memcg *m = &was->memcgs[i];

		before[keyed_put(&names, (struct keyed_name){ m->path, m->id, 0 })] =
			counters_get(&m->stat, CG_pgsteal);
	}
	for (uint32_t i = 0; i < is->nmemcgs; i++) {
		const struct memcg *m = &is->memcgs[i];
		uint32_t at = keyed_find(&names, (struct keyed_name){ m->path, m->id, 0 });
		struct amount lost = amount_counter(at == KEYED_NONE ? UNKNOWN : before[at],
						    counters_get(&m->stat, CG_pgsteal),
						    SCOPE_MEMCG_TREE);

		most[keyed_put(&caps, (struct keyed_name){ m->path, 0, 0 })] =
			amount_known(lost) ? lost.value : AMOUNT_NO_LIMIT;
	}
	slack = amount_sum64(apart(s, &caps, most), CPU_UNFLUSHED_PAGES * (int64_t)s->cpus);
	for (uint32_t i = 0; i < s->out->nlruvecs; i++) {
		const struct lruvec *v = work[i].step->now;
		uint32_t at = v && !v->dying
			? keyed_find(&caps, (struct keyed_name){ v->path, 0, 0 }) : KEYED_NONE;

		for (int type = 0; at != KEYED_NONE && type < TYPE_NR; type++)
			cap(&work[i].types[type], amount_sum64(most[at], slack));
	}
}

/* --- so that all together lose what the machine did --- */

static int64_t sum_values(const struct stepping *s, const struct lruvec_work *work, int type)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		if (work[i].types[type].shares)
			sum = amount_sum64(sum, work[i].types[type].evicted.value);
	return sum;
}

/*
 * How much of a difference falls to one: more where eviction finds more, less in proportion to what
 * may be taken away.
 */
static int64_t weight(const struct type_work *t, bool more)
{
	if (!t->shares || t->fold.exact)
		return 0;
	if (!more)
		return t->evicted.value - t->evicted.lo;
	return t->evicted.value < t->evicted.hi ? at_most(t->oldest, INT32_MAX) + 1 : 0;
}

/* One round. Shares are rounded down, so that they do not depend on the order of memcgs. */
static void spread(const struct stepping *s, struct lruvec_work *work, int type, int64_t rest)
{
	int64_t weights = 0;

	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		weights = amount_sum64(weights, weight(&work[i].types[type], rest > 0));
	for (uint32_t i = 0; weights && i < s->out->nlruvecs; i++) {
		struct type_work *t = &work[i].types[type];
		double part = (double)weight(t, rest > 0) / (double)weights;
		int64_t value = amount_sum64(t->evicted.value, (int64_t)((double)rest * part));

		if (part > 0)
			t->evicted.value = at_most(at_least(value, t->evicted.lo), t->evicted.hi);
	}
}

static void fit(const struct stepping *s, struct lruvec_work *work, int type, int64_t target)
{
	for (int round = 0; round < ROUNDS; round++) {
		int64_t rest = amount_sum64(target, -sum_values(s, work, type));

		if (!rest)
			break;
		spread(s, work, type, rest);
	}
}

static bool any_fold(const struct stepping *s, const struct lruvec_work *work, int type)
{
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		if (work[i].types[type].fold.known)
			return true;
	return false;
}

static void share_type(const struct stepping *s, struct lruvec_work *work, int type)
{
	struct amount target = s->out->reclaim.stolen[type];
	struct amount back = s->out->reclaim.refaulted[type];
	int64_t stale = 0;

	if (amount_known(target) && !(s->withheld & WITHHELD_STOLEN)) {
		if (s->now->machine.version >= VERSION_NODE_STATS)
			stale = CPU_STALE_PAGES * (int64_t)s->cpus * (int64_t)s->nodes;
		for (uint32_t i = 0; i < s->out->nlruvecs; i++)
			cap(&work[i].types[type], amount_sum64(target.value, stale));
		fit(s, work, type, target.value);
	} else if (amount_known(back) && !any_fold(s, work, type)) {
		fit(s, work, type, amount_sum64(sum_values(s, work, type), back.value));
	}
}

void share_evicted(const struct stepping *s, struct lruvec_work *work)
{
	for (uint32_t i = 0; i < s->out->nlruvecs; i++)
		for (int type = 0; type < TYPE_NR; type++)
			guess(&work[i].types[type]);
	if (!s->before)
		return;
	if (!(s->withheld & WITHHELD_STOLEN))
		cap_by_memcgs(s, work);
	for (int type = 0; type < TYPE_NR; type++)
		share_type(s, work, type);
}

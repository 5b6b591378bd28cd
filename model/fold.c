/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fold.c - what lru_gen_full counts, read across the end of a generation.
 *
 * Without CONFIG_LRU_GEN_STATS the kernel keeps one set of counts for each type, those of its
 * oldest generation: refaulted r, evicted e, protected p, by tier. While the oldest stands still
 * their growth is exact. When it goes, mm/vmscan.c reset_ctrl_pos() folds them into moving averages
 * and clears them:
 *
 *     T' = (T + e + p) / 2        R' = (R + r) / 2        rounded down
 *
 * so one fold gives e + p = 2 T' - T, or one more. min_seq can go on by several with one fold
 * (try_to_inc_min_seq() skips empty generations, then folds once) or with one fold each
 * (inc_min_seq()); with f folds
 *
 *     2^f T' - T = x1 + 2 x2 + … + 2^(f-1) xf, or up to 2^f - 1 more
 *
 * and what was counted in all lies between that sum divided by 2^(f-1) and the sum itself.
 *
 * p is the pages that were moved to the next generation for their tier; tier 0 is never protected,
 * and a merge on aging not counted, before 6.14. From 6.14 a merge counts as protection of any
 * tier.
 *
 * With CONFIG_LRU_GEN_STATS each generation on show keeps its own counts, cleared when its slot is
 * used again.
 */
#include "model/flow.h"

#define VERSION_MERGE_COUNTED 61400
/* More folds than slots means nothing is left to bound. */
#define FOLDS 6

static const struct gen_full *find_full(const struct lruvec *v, uint64_t seq)
{
	for (uint32_t i = 0; i < v->nfull; i++)
		if (v->full[i].seq == seq)
			return &v->full[i];
	return NULL;
}

/* e, p and r of a tier; those that are not given count 0. False where none is. */
static bool counts(const struct tier *t, uint64_t out[3])
{
	const uint64_t given[3] = { t->evicted, t->protected, t->refaulted };
	bool any = false;

	for (int i = 0; i < 3; i++) {
		any |= given[i] != UNKNOWN;
		out[i] = given[i] == UNKNOWN ? 0 : given[i];
	}
	return any;
}

/*
 * Add what the counts of one generation grew by. False where one went back: it is not the same
 * generation.
 */
static bool add_growth(const struct gen_full *was, const struct gen_full *is, enum page_type type,
		       int64_t sums[3])
{
	for (int tier = 0; tier < TIER_NR; tier++) {
		uint64_t before[3] = { 0 }, now[3];

		if (!counts(&is->tiers[type][tier], now))
			continue;
		if (was)
			counts(&was->tiers[type][tier], before);
		for (int i = 0; i < 3; i++) {
			if (now[i] < before[i])
				return false;
			sums[i] = amount_sum64(sums[i], amount_from(now[i] - before[i]));
		}
	}
	return true;
}

/*
 * Does every generation keep counts of its own? Then some that is neither the oldest nor the
 * youngest has them.
 */
static bool keeps_all(const struct lruvec *v, enum page_type type)
{
	uint64_t unused[3];

	for (uint32_t i = 0; i < v->nfull; i++)
		if (v->full[i].seq != v->min_seq[type] &&
		    counts(&v->full[i].tiers[type][0], unused))
			return true;
	return false;
}

static void range_add(struct range *to, int64_t lo, int64_t value, int64_t hi)
{
	to->lo = amount_sum64(to->lo, lo);
	to->value = amount_sum64(to->value, value);
	to->hi = amount_sum64(to->hi, hi);
}

static int64_t not_less(int64_t a, int64_t least)
{
	return a < least ? least : a;
}

/*
 * What a moving average took in by up to `folds` folds beyond what was seen of it: what was counted
 * in finished generations since the last sample. False where even one fold would have taken in less
 * than was seen.
 */
static bool unfold(uint64_t was, uint64_t is, uint64_t seen, int folds, struct range *out)
{
	const int64_t avg = amount_from(was), now = amount_from(is), had = amount_from(seen);
	int64_t lo = AMOUNT_NO_LIMIT, hi = -1, value = -1;

	if (now > AMOUNT_NO_LIMIT >> (FOLDS + 2) || avg > AMOUNT_NO_LIMIT / 2)
		return false;
	for (int f = 1; f <= folds; f++) {
		int64_t sum = (now << f) - avg, slack = ((int64_t)1 << f) - 1;
		int64_t least = not_less(sum - had, 0) >> (f - 1);

		if (sum + slack < had)
			continue;
		hi = sum + slack - had;
		if (least < lo)
			lo = least;
		if (value < 0)
			value = least;
	}
	*out = (struct range){ lo, value, hi };
	return hi >= 0;
}

static const struct tier *oldest_tiers(const struct lruvec *v, enum page_type type)
{
	const struct gen_full *g = find_full(v, v->min_seq[type]);

	return g ? g->tiers[type] : NULL;
}

/*
 * The averages stand at the youngest generation of lru_gen_full, which lru_gen may have seen
 * younger still.
 */
static const struct tier *average_tiers(const struct lruvec *v, enum page_type type)
{
	return v->full[v->nfull - 1].tiers[type];
}

/*
 * Of finished pages of a tier, those that can only have been evicted: tier 0 is not protected on
 * older kernels.
 */
static int64_t surely_evicted(int tier, uint32_t version, const struct range *finished)
{
	bool never_protected = tier == 0 && version && version < VERSION_MERGE_COUNTED;

	return never_protected ? finished->lo : 0;
}

/*
 * Of finished pages of a tier, those that were evicted if as many as in the counts on either side
 * of them were. Nothing is protected until refaults give a reason.
 */
static int64_t likely_evicted(const struct range *finished, const uint64_t had[3],
			      const uint64_t has[3])
{
	double evicted = (double)had[0] + (double)has[0];
	double all = evicted + (double)had[1] + (double)has[1];

	return all > 0 ? (int64_t)((double)finished->value * (evicted / all)) : finished->value;
}

/* The generations that were finished between the samples. False where the averages do not tell. */
static bool add_finished(const struct lruvec *was, const struct lruvec *is, enum page_type type,
			 uint32_t version, struct fold *out)
{
	uint64_t passed = is->min_seq[type] - was->min_seq[type];
	int folds = passed > FOLDS ? FOLDS : (int)passed;
	const struct tier *seen = oldest_tiers(was, type);
	const struct tier *going = oldest_tiers(is, type);
	const struct tier *avg = average_tiers(was, type), *now = average_tiers(is, type);

	if (!seen || !going || passed > FOLDS)
		return false;
	for (int tier = 0; tier < TIER_NR; tier++) {
		uint64_t had[3], has[3];
		struct range total, back;
		int64_t surely;

		if (avg[tier].avg_total == UNKNOWN || now[tier].avg_total == UNKNOWN ||
		    avg[tier].avg_refaulted == UNKNOWN || now[tier].avg_refaulted == UNKNOWN ||
		    !counts(&seen[tier], had) || !counts(&going[tier], has))
			return false;
		if (!unfold(avg[tier].avg_total, now[tier].avg_total, had[0] + had[1], folds,
			    &total) ||
		    !unfold(avg[tier].avg_refaulted, now[tier].avg_refaulted, had[2], folds, &back))
			return false;
		surely = surely_evicted(tier, version, &total);
		range_add(&out->evicted, surely,
			  not_less(likely_evicted(&total, had, has), surely), total.hi);
		range_add(&out->refaulted, back.lo, back.value, back.hi);
		out->finished = amount_sum64(out->finished, total.value);
	}
	return true;
}

static struct range exactly(int64_t value)
{
	return (struct range){ value, value, value };
}

struct fold fold_make(const struct lruvec *was, const struct lruvec *is, enum page_type type,
		      uint32_t version)
{
	uint64_t from = was->min_seq[type], to = is->min_seq[type];
	int64_t sums[3] = { 0 };
	struct fold out = { .known = true };

	if (from == UNKNOWN || to == UNKNOWN || to < from || !was->nfull || !is->nfull)
		return (struct fold){ .known = false };
	for (uint32_t i = 0; i < is->nfull; i++)
		if (!add_growth(find_full(was, is->full[i].seq), &is->full[i], type, sums))
			return (struct fold){ .known = false };
	out.counting = sums[0];
	out.evicted = exactly(sums[0]);
	out.protected = exactly(sums[1]);
	out.refaulted = exactly(sums[2]);
	out.exact = to == from || (keeps_all(is, type) && find_full(is, from));
	if (out.exact)
		return out;
	/* More moved on than is counted: dirty pages that were put off, before 6.14 merges. */
	out.protected.hi = AMOUNT_NO_LIMIT;
	if (!keeps_all(is, type) && add_finished(was, is, type, version, &out))
		return out;
	out.evicted.hi = out.refaulted.hi = AMOUNT_NO_LIMIT;
	return out;
}

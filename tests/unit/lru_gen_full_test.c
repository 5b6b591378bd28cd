/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/lru_gen_full-"

static const struct gen_full *full_of(const struct lruvec *v, uint64_t seq)
{
	for (uint32_t i = 0; v && i < v->nfull; i++)
		if (v->full[i].seq == seq)
			return &v->full[i];
	return NULL;
}

static const struct tier *tier_of(const struct lruvec *v, uint64_t seq, enum page_type type,
				  int tier)
{
	const struct gen_full *f = full_of(v, seq);

	assert_non_null(f);
	return &f->tiers[type][tier];
}

static void is_measured(const struct tier *t, uint64_t refaulted, uint64_t evicted,
			uint64_t protected)
{
	assert_int_equal(t->refaulted, refaulted);
	assert_int_equal(t->evicted, evicted);
	assert_int_equal(t->protected, protected);
	assert_true(t->avg_refaulted == UNKNOWN && t->avg_total == UNKNOWN);
}

static void is_average(const struct tier *t, uint64_t refaulted, uint64_t total)
{
	assert_true(t->refaulted == UNKNOWN && t->evicted == UNKNOWN && t->protected == UNKNOWN);
	assert_int_equal(t->avg_refaulted, refaulted);
	assert_int_equal(t->avg_total, total);
}

static void is_nothing(const struct tier *t)
{
	is_average(t, UNKNOWN, UNKNOWN);
}

static void is_walk(const struct walk *w, const uint64_t *six)
{
	assert_int_equal(w->leaf_total, six[0]);
	assert_int_equal(w->leaf_old, six[1]);
	assert_int_equal(w->leaf_young, six[2]);
	assert_int_equal(w->nonleaf_total, six[3]);
	assert_int_equal(w->nonleaf_found, six[4]);
	assert_int_equal(w->nonleaf_added, six[5]);
}

static const uint64_t no_walk[] = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };

/* A generation that is gone from both windows still has a page. */
static void evicted_page(void **state)
{
	static const uint64_t walk[] = { 9191594, 3532525, 2425411, 94393, 18515, 10578 };
	struct parsed p = parsed_file(CASE "evicted-page/lru_gen_full", lru_gen_full_parse);
	const struct lruvec *v = parsed_lruvec(&p.s, "/benchmark", 0);
	uint64_t live[TYPE_NR] = { 0, 0 };

	(void)state;
	assert_int_equal(v->memcg, 72);
	assert_int_equal(v->ngens, 4);
	assert_int_equal(v->gens[0].seq, 218);
	assert_int_equal(v->gens[0].pages[TYPE_ANON], 1);
	assert_int_equal(v->gens[0].pages[TYPE_FILE], 0);
	assert_int_equal(v->gens[0].evicted, 1 << TYPE_ANON | 1 << TYPE_FILE);
	assert_int_equal(v->min_seq[TYPE_ANON], 219);
	assert_int_equal(v->min_seq[TYPE_FILE], 219);
	assert_int_equal(parsed_gen(v, 219)->pages[TYPE_ANON], 2756);
	assert_int_equal(parsed_gen(v, 219)->age_ms, 2472);
	assert_int_equal(parsed_gen(v, 221)->pages[TYPE_ANON], 578570);
	assert_int_equal(parsed_gen(v, 221)->age_ms, 808);
	for (uint32_t i = 0; i < v->ngens; i++)
		for (int type = 0; type < TYPE_NR; type++)
			if (!(v->gens[i].evicted & 1 << type))
				live[type] += v->gens[i].pages[type];
	assert_int_equal(live[TYPE_ANON], 1037358);
	assert_int_equal(live[TYPE_FILE], 35);
	is_measured(tier_of(v, 219, TYPE_ANON, 0), 14775, 303395, 0);
	is_measured(tier_of(v, 219, TYPE_ANON, 3), 0, 0, 15262);
	is_measured(tier_of(v, 219, TYPE_FILE, 0), 2, 2, 0);
	is_average(tier_of(v, 221, TYPE_ANON, 0), 15665, 309071);
	is_nothing(tier_of(v, 218, TYPE_ANON, 0));
	is_walk(&full_of(v, 221)->walk, walk);
	is_walk(&full_of(v, 219)->walk, no_walk);
	assert_int_equal(p.r.skipped + p.r.torn, 0);
	parsed_free(&p);
}

/* The same text without its first line, and cut after 25 lines. */
static void evicted_page_cut(void **state)
{
	struct text t = text_load(CASE "evicted-page/lru_gen_full"), part;
	const char *at = t.buf;
	struct parsed p;

	(void)state;
	part.buf = memchr(t.buf, '\n', t.len);
	part.buf++;
	part.len = t.len - (size_t)(part.buf - t.buf);
	p = parsed_text(part, lru_gen_full_parse);
	assert_int_equal(p.result, -ENODATA);
	assert_int_equal(p.r.torn, 1);
	parsed_free(&p);
	for (int line = 0; line < 25; line++)
		at = (const char *)memchr(at, '\n', t.len - (size_t)(at - t.buf)) + 1;
	part = (struct text){ t.buf, (size_t)(at - t.buf) };
	p = parsed_text(part, lru_gen_full_parse);
	assert_int_equal(p.result, 0);
	assert_int_equal(p.s.lruvecs[0].ngens, 4);
	is_average(tier_of(p.s.lruvecs, 221, TYPE_ANON, 0), 15665, 309071);
	is_walk(&full_of(p.s.lruvecs, 221)->walk, no_walk);
	parsed_free(&p);
	free((char *)t.buf);
}

static uint64_t sum_of(const struct lruvec *v, uint64_t seq, size_t offset)
{
	uint64_t sum = 0;

	for (int tier = 0; tier < TIER_NR; tier++)
		sum += *(const uint64_t *)((const char *)tier_of(v, seq, TYPE_FILE, tier) + offset);
	return sum;
}

static void two_nodes(void **state)
{
	const size_t refaulted = offsetof(struct tier, refaulted),
		     evicted = offsetof(struct tier, evicted);
	struct parsed p = parsed_file(CASE "two-nodes/lru_gen_full", lru_gen_full_parse);
	const struct lruvec *zipf = parsed_lruvec(&p.s, "/zipf", 0);
	const struct lruvec *random = parsed_lruvec(&p.s, "/random", 0);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 4);
	assert_int_equal(zipf->min_seq[TYPE_ANON], 0);
	assert_int_equal(zipf->min_seq[TYPE_FILE], 1);
	assert_int_equal(parsed_gen(zipf, 0)->evicted, 1 << TYPE_FILE);
	for (uint64_t seq = 1; seq <= 3; seq++)
		assert_int_equal(parsed_gen(zipf, seq)->evicted, 0);
	assert_int_equal(sum_of(zipf, 1, evicted), 1505222329);
	assert_int_equal(sum_of(zipf, 1, refaulted), 1463078903);
	assert_int_equal(sum_of(zipf, 1, evicted) + sum_of(random, 1, evicted), 3072608360);
	assert_int_equal(parsed_gen(random, 1)->pages[TYPE_FILE], 11169201);
	for (uint32_t i = 0; i < zipf->ngens; i++)
		assert_int_equal(zipf->gens[i].age_ms, 1521654);
	for (uint64_t seq = 0; seq <= 3; seq++) {
		const struct gen *g = parsed_gen(parsed_lruvec(&p.s, "/zipf", 1), seq);

		assert_int_equal(g->pages[TYPE_ANON] + g->pages[TYPE_FILE], 0);
		g = parsed_gen(parsed_lruvec(&p.s, "/random", 1), seq);
		assert_int_equal(g->pages[TYPE_ANON] + g->pages[TYPE_FILE], 0);
	}
	parsed_free(&p);
}

static void is_pasted_dump(const char *file)
{
	struct parsed p = parsed_file(file, lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;

	assert_int_equal(p.result, 0);
	assert_int_equal(p.r.skipped + p.r.torn, 0);
	assert_int_equal(p.s.nlruvecs, 1);
	assert_int_equal(v->ngens, 4);
	assert_int_equal(parsed_gen(v, 1)->evicted, 3);
	assert_int_equal(v->min_seq[TYPE_ANON], 2);
	assert_int_equal(v->min_seq[TYPE_FILE], 2);
	assert_int_equal(parsed_gen(v, 2)->pages[TYPE_FILE], 6051788);
	assert_int_equal(parsed_gen(v, 3)->pages[TYPE_ANON], 1353160);
	assert_int_equal(parsed_gen(v, 2)->age_ms, 948187);
	assert_int_equal(parsed_gen(v, 3)->age_ms, 948187);
	assert_int_equal(parsed_gen(v, 4)->age_ms / 1000, 73);
	is_measured(tier_of(v, 2, TYPE_FILE, 0), 11916, 66442, 0);
	is_measured(tier_of(v, 2, TYPE_FILE, 1), 903, 16888, 0);
	is_nothing(tier_of(v, 1, TYPE_FILE, 0));
	parsed_free(&p);
}

static void pasted(void **state)
{
	(void)state;
	is_pasted_dump(CASE "pasted/lru_gen_full.kernel");
	is_pasted_dump(CASE "pasted/lru_gen_full.pasted");
}

static void windows_apart(void **state)
{
	struct parsed p = parsed_file(CASE "windows-apart/lru_gen_full", lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;
	uint64_t total[TYPE_NR] = { 0, 0 };

	(void)state;
	assert_int_equal(v->min_seq[TYPE_ANON], 23);
	assert_int_equal(v->min_seq[TYPE_FILE], 20);
	assert_int_equal(parsed_gen(v, 23)->age_ms, 800);
	assert_int_equal(parsed_gen(v, 20)->age_ms, 60000);
	assert_int_equal(parsed_gen(v, 20)->evicted, 1 << TYPE_ANON);
	for (uint32_t i = 0; i < v->ngens; i++)
		for (int type = 0; type < TYPE_NR; type++)
			total[type] += v->gens[i].pages[type];
	assert_int_equal(total[TYPE_ANON], 55000);
	assert_int_equal(total[TYPE_FILE], 110110);
	is_measured(tier_of(v, 20, TYPE_FILE, 1), 2, 70, 1);
	is_nothing(tier_of(v, 20, TYPE_ANON, 1));
	parsed_free(&p);
}

static void letters_of_new_kernels(void **state)
{
	static const uint64_t walk[] = { 91915, UNKNOWN, 24254, UNKNOWN, 185, 105 };
	struct parsed p = parsed_file(CASE "letters/full.new", lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;

	(void)state;
	assert_int_equal(v->ngens, 2);
	is_walk(&full_of(v, 7)->walk, no_walk);
	is_walk(&full_of(v, 8)->walk, walk);
	is_measured(tier_of(v, 7, TYPE_ANON, 0), 1, 20, 0);
	is_measured(tier_of(v, 7, TYPE_FILE, 3), 0, 0, 31);
	is_average(tier_of(v, 8, TYPE_FILE, 0), 40, 800);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void letters_per_generation(void **state)
{
	static const uint64_t walk[] = { 70000, UNKNOWN, 1200, UNKNOWN, 30, 12 };
	struct parsed p = parsed_file(CASE "letters/full.stats", lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;

	(void)state;
	is_walk(&full_of(v, 7)->walk, walk);
	is_walk(&full_of(v, 8)->walk, no_walk);
	for (int tier = 0; tier < TIER_NR; tier++) {
		is_measured(tier_of(v, 7, TYPE_ANON, tier), 1, 20, 0);
		is_measured(tier_of(v, 7, TYPE_FILE, tier), 44, 900, 0);
		is_average(tier_of(v, 8, TYPE_ANON, tier), 2, 30);
	}
	parsed_free(&p);
}

static void no_walks(void **state)
{
	struct parsed p = parsed_file(CASE "letters/full.nowalk", lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;

	(void)state;
	assert_int_equal(v->ngens, 2);
	assert_int_equal(parsed_gen(v, 7)->pages[TYPE_ANON], 120);
	assert_int_equal(parsed_gen(v, 8)->pages[TYPE_FILE], 333);
	is_walk(&full_of(v, 7)->walk, no_walk);
	is_walk(&full_of(v, 8)->walk, no_walk);
	is_nothing(tier_of(v, 7, TYPE_ANON, 2));
	is_measured(tier_of(v, 7, TYPE_FILE, 2), 44, 900, 0);
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

/* Onto the lruvecs of lru_gen: by key, also where one is missing, and where two have one key. */
static void joins_lru_gen(void **state)
{
	static const char full[] =
		"memcg 1 /\n node 0\n 5 9 1x 1 \n 0 0 0 0 7r 8e 9p\n 6 9 2x 2 \n 7 9 3 3 \n"
		"memcg 0 /a\n node 0\n 1 9 1 1 \n"
		"memcg 8 /new\n node 0\n 1 9 1 1 \n"
		"memcg 0 /a\n node 0\n 2 9 1 1 \n";
	struct parsed p = parsed_string("memcg 1 /\n node 0\n 5 8 0 10 \n 6 8 20 20 \n 7 8 30 30 \n"
					"memcg 9 /gone\n node 0\n 1 8 1 1 \n"
					"memcg 0 /a\n node 0\n 1 8 11 11 \n"
					"memcg 0 /a\n node 0\n 2 8 12 12 \n", lru_gen_parse);
	const struct lruvec *v = p.s.lruvecs;
	struct text t = { full, sizeof(full) - 1 };

	(void)state;
	assert_int_equal(lru_gen_full_parse(t, &p.s, &p.r), 0);
	assert_int_equal(p.s.nlruvecs, 4);
	assert_ptr_equal(p.s.lruvecs, v);
	assert_int_equal(parsed_gen(&v[0], 5)->pages[TYPE_FILE], 10);
	assert_int_equal(parsed_gen(&v[0], 5)->age_ms, 8);
	assert_int_equal(v[0].min_seq[TYPE_ANON], 7);
	assert_int_equal(v[0].min_seq[TYPE_FILE], 5);
	/* Below the window and empty, or not empty when it was read. */
	assert_int_equal(parsed_gen(&v[0], 5)->evicted, 1 << TYPE_ANON);
	assert_int_equal(parsed_gen(&v[0], 6)->evicted, 0);
	assert_int_equal(v[0].nfull, 3);
	is_measured(tier_of(&v[0], 5, TYPE_FILE, 0), 7, 8, 9);
	assert_int_equal(v[1].nfull, 0);
	assert_true(v[1].min_seq[TYPE_ANON] == UNKNOWN);
	assert_int_equal(v[2].full[0].seq, 1);
	assert_int_equal(v[3].full[0].seq, 2);
	parsed_free(&p);
}

static void odd_rows(void **state)
{
	struct parsed p =
		parsed_string("memcg 1 /\n node 0\n 5 9 1 1 \n 9 1r 1e 1p 1r 1e 1p\n 1 2 3\n"
			      " 0 1r 99999999999999999999e 1q 1r 1e 1p\n",
			      lru_gen_full_parse);

	(void)state;
	assert_int_equal(p.r.skipped, 2);
	is_measured(tier_of(p.s.lruvecs, 5, TYPE_ANON, 0), 1, UNKNOWN, UNKNOWN);
	is_measured(tier_of(p.s.lruvecs, 5, TYPE_FILE, 0), 1, 1, 1);
	parsed_free(&p);
}

/* Tiers and walks below a row that was not understood are not those of the row before. */
static void row_lost(void **state)
{
	static const uint64_t walk[] = { 1, UNKNOWN, 2, UNKNOWN, 3, 4 };
	struct parsed p = parsed_string(
		"memcg 1 /\n node 0\n"
		" 5 9 1 1 \n 0 1r 2e 3p 4r 5e 6p\n 1 7r 7e 7p 7r 7e 7p\n 1T 2Y 3F 4A\n"
		" 6 9 ? 1 \n 0 8r 8e 8p 8r 8e 8p\n 2 8r 8e 8p 8r 8e 8p\n 8T 8Y 8F 8A\n"
		" 7 9 1 1 \n 0 9r 9e 9p 9r 9e 9p\n",
		lru_gen_full_parse);
	const struct lruvec *v = p.s.lruvecs;

	(void)state;
	assert_int_equal(v->ngens, 2);
	is_measured(tier_of(v, 5, TYPE_FILE, 0), 4, 5, 6);
	is_measured(tier_of(v, 5, TYPE_ANON, 1), 7, 7, 7);
	is_nothing(tier_of(v, 5, TYPE_ANON, 2));
	is_walk(&full_of(v, 5)->walk, walk);
	is_measured(tier_of(v, 7, TYPE_ANON, 0), 9, 9, 9);
	assert_int_equal(p.r.skipped, 4);
	parsed_free(&p);
}

/* What is left of a tier's line, cut off after four numbers, has the form of a generation. */
static void cut_in_a_tier(void **state)
{
	static const char text[] =
		"memcg     1 /\n node     0\n"
		"          0       3283          0           0 \n"
		"                     0          0           0           0           0           0           0 \n"
		"                     3          0           0           0 ";
	struct parsed p = parsed_text((struct text){ text, sizeof(text) - 1 }, lru_gen_full_parse);

	(void)state;
	assert_int_equal(p.s.lruvecs[0].ngens, 1);
	parsed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evicted_page),
		cmocka_unit_test(evicted_page_cut),
		cmocka_unit_test(two_nodes),
		cmocka_unit_test(pasted),
		cmocka_unit_test(windows_apart),
		cmocka_unit_test(letters_of_new_kernels),
		cmocka_unit_test(letters_per_generation),
		cmocka_unit_test(no_walks),
		cmocka_unit_test(joins_lru_gen),
		cmocka_unit_test(odd_rows),
		cmocka_unit_test(row_lost),
		cmocka_unit_test(cut_in_a_tier),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

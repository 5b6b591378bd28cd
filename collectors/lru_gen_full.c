/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_gen_full.c - sys/kernel/debug/lru_gen_full. Kernels differ in the number of statistics and
 * in what fills unused places, so only the letter behind a number says what the number is.
 */
#include "lru_gen_block.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

struct letter {
	char mark;
	size_t offset;
};

/* r e p: of this tier in this generation. R T: moving averages. */
static const struct letter tier_letters[] = {
	{ 'r', offsetof(struct tier, refaulted) },
	{ 'e', offsetof(struct tier, evicted) },
	{ 'p', offsetof(struct tier, protected) },
	{ 'R', offsetof(struct tier, avg_refaulted) },
	{ 'T', offsetof(struct tier, avg_total) },
	{ 0, 0 },
};

/*
 * Six letters up to 6.11, T Y F A of them since; in lower case where each generation has its own.
 */
static const struct letter walk_letters[] = {
	{ 'l', offsetof(struct walk, leaf_total) },
	{ 'o', offsetof(struct walk, leaf_old) },
	{ 'y', offsetof(struct walk, leaf_young) },
	{ 'n', offsetof(struct walk, nonleaf_total) },
	{ 'f', offsetof(struct walk, nonleaf_found) },
	{ 'a', offsetof(struct walk, nonleaf_added) },
	{ 't', offsetof(struct walk, leaf_total) },
	{ 0, 0 },
};

/* A generation's lines are its row, its tiers in order, and the line of walks, which closes it. */
#define CLOSED (TIER_NR + 1)

struct full_parser {
	struct blocks blocks;
	uint32_t n;
	uint64_t next_tier;  /* of the generation that was opened last; CLOSED: nothing more */
	struct gen gens[GENS_MAX + 1];
	struct gen_full fulls[GENS_MAX + 1];
};

static void put_letter(const struct letter *letters, char mark, uint64_t value, void *out)
{
	for (; letters->mark; letters++)
		if (letters->mark == mark)
			memcpy((char *)out + letters->offset, &value, sizeof(value));
}

/* A tier that does not come after the one before is that of a generation whose row was lost. */
static bool take_tier(struct full_parser *p, const struct lru_token *tokens)
{
	struct gen_full *full = &p->fulls[p->n - 1];
	uint64_t tier = tokens[0].value;

	if (tier >= TIER_NR)
		return false;
	if (tier < p->next_tier) {
		p->next_tier = CLOSED;
		return false;
	}
	p->next_tier = tier + 1;
	for (int i = 0; i < 3 * TYPE_NR; i++)
		put_letter(tier_letters, tokens[1 + i].mark, tokens[1 + i].value,
			   &full->tiers[i / 3][tier]);
	return true;
}

static bool take_walk(struct full_parser *p, const struct lru_token *tokens, int n)
{
	struct gen_full *full = &p->fulls[p->n - 1];

	if (p->next_tier == CLOSED)
		return false;
	p->next_tier = CLOSED;
	for (int i = 0; i < n; i++) {
		char mark = tokens[i].mark;

		if (mark >= 'A' && mark <= 'Z')
			mark = (char)(mark - 'A' + 'a');
		put_letter(walk_letters, mark, tokens[i].value, &full->walk);
	}
	return true;
}

static void full_init(struct gen_full *full, uint64_t seq)
{
	/* UNKNOWN has all bits set. */
	memset(full, 0xff, sizeof(*full));
	full->seq = seq;
}

static bool take_gen(struct full_parser *p, const struct lru_token *tokens)
{
	struct gen *g = &p->gens[p->n];

	if (p->n == GENS_MAX || !lru_row(tokens, g))
		return false;
	if (p->n && g->seq <= g[-1].seq)
		return false;
	full_init(&p->fulls[p->n++], g->seq);
	p->next_tier = 0;
	return true;
}

/* Lines of tiers begin with as many blanks, those of generations with fewer. */
#define TIER_INDENT 12

static bool is_indented(struct scan line)
{
	struct scan rest = line;

	scan_blanks(&rest);
	return rest.at - line.at >= TIER_INDENT;
}

/*
 * A line of four is a generation, or the statistics of walks: these have letters. What is left of
 * the line of a tier that was cut off after four is neither.
 */
static bool take_row(struct full_parser *p, struct scan line, bool whole)
{
	struct lru_token tokens[ROW_TOKENS];
	char last = line.end[-1];
	int n = lru_tokens(line, tokens, ROW_TOKENS);

	if (!whole && last >= '0' && last <= '9')
		return false;
	if (n == 2 + TYPE_NR && tokens[0].mark == ' ')
		return !is_indented(line) && take_gen(p, tokens);
	if (!p->n)
		return false;
	if (n == ROW_TOKENS)
		return take_tier(p, tokens);
	return (n == 4 || n == 6) && take_walk(p, tokens, n);
}

/* The first generation that is not below the type's own window; UNKNOWN where all are. */
static uint64_t min_seq(const struct gen *gens, uint32_t n, int type)
{
	for (uint32_t i = 0; i < n; i++)
		if (!(gens[i].evicted & 1 << type))
			return gens[i].seq;
	return UNKNOWN;
}

static void end_block(struct full_parser *p)
{
	struct lruvec *v;

	if (p->blocks.in_block && p->n) {
		v = blocks_add(&p->blocks, p->gens, p->n);
		v->nfull = p->n;
		v->full = arena_copy(p->blocks.arena, p->fulls, p->n * sizeof(*p->fulls));
		for (int type = 0; type < TYPE_NR; type++)
			v->min_seq[type] = min_seq(p->gens, p->n, type);
	}
	p->n = 0;
}

static bool is_same(const struct lruvec *a, const struct lruvec *b)
{
	return a->memcg == b->memcg && a->node == b->node && !strcmp(a->path, b->path);
}

/* The lruvec that lru_gen gave, looked for from where the last one was; each is found once. */
static struct lruvec *find_pair(struct sample *s, const struct lruvec *v, uint32_t *hint)
{
	for (uint32_t i = 0; i < s->nlruvecs; i++) {
		uint32_t at = (uint32_t)(((uint64_t)*hint + i) % s->nlruvecs);
		struct lruvec *pair = &s->lruvecs[at];

		if (!pair->nfull && is_same(pair, v)) {
			*hint = at + 1;
			return pair;
		}
	}
	return NULL;
}

/*
 * The window of a type holds for the rows of lru_gen, read a little earlier, where these are
 * empty.
 */
static void join(struct lruvec *pair, const struct lruvec *v)
{
	pair->nfull = v->nfull;
	pair->full = v->full;
	for (int type = 0; type < TYPE_NR; type++) {
		uint64_t min = v->min_seq[type];

		pair->min_seq[type] = min;
		for (uint32_t i = 0; i < pair->ngens && min != UNKNOWN; i++)
			if (pair->gens[i].seq < min && !pair->gens[i].pages[type])
				pair->gens[i].evicted |= (uint8_t)(1 << type);
	}
}

static void join_all(struct sample *s, const struct lruvec *lruvecs, uint32_t n)
{
	uint32_t hint = 0;

	for (uint32_t i = 0; i < n; i++) {
		struct lruvec *pair = find_pair(s, &lruvecs[i], &hint);

		if (pair)
			join(pair, &lruvecs[i]);
	}
}

int lru_gen_full_parse(struct text t, struct sample *s, struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct full_parser p = { .n = 0 };
	struct lruvec *lruvecs;
	uint32_t n;

	blocks_init(&p.blocks, t, s->arena, r);
	while (scan_raw_line(&text, &line, r)) {
		char first = scan_first(&line);

		if (blocks_is_line(first)) {
			end_block(&p);
			blocks_line(&p.blocks, line, first);
		} else if (blocks_has_row(&p.blocks, line, first) &&
			   !take_row(&p, line, line.end < text.end)) {
			r->skipped++;
		}
	}
	end_block(&p);
	lruvecs = blocks_end(&p.blocks, &n);
	if (!n)
		return -ENODATA;
	if (s->nlruvecs) {
		join_all(s, lruvecs, n);
		return 0;
	}
	s->lruvecs = lruvecs;
	s->nlruvecs = n;
	return 0;
}

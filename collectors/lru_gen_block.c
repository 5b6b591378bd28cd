/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lru_gen_block.h"

#include <string.h>

#include "reclaimtop/names.h"

/*
 * How far to look for a memcg that came before: more neighbours than that never stand in one
 * place.
 */
#define PROBES 16

/*
 * Rows and lines of nodes tell whether lines end with CR LF; a memcg's path may end with CR
 * itself.
 */
static bool has_crlf(struct text t)
{
	struct scan text = scan_text(t), line;

	while (scan_raw_line(&text, &line, NULL))
		if (line.at < line.end && scan_first(&line) != 'm')
			return line.end[-1] == '\r';
	return false;
}

void blocks_init(struct blocks *b, struct text t, struct arena *a, struct reading *r)
{
	size_t guess = t.len / 200 + 1;
	uint32_t slots = 16;

	*b = (struct blocks){ .arena = a, .r = r, .crlf = has_crlf(t), .last_node = -1 };
	while (slots < t.len / 96 && slots < 1u << 30)
		slots *= 2;
	b->slots = arena_alloc(a, slots * sizeof(*b->slots));
	b->slot_mask = slots - 1;
	/*
	 * The kernel's blocks are seldom shorter: most lists never grow and leave no copy behind.
	 */
	b->lruvecs.cap = guess < UINT32_MAX ? (uint32_t)guess : UINT32_MAX;
	b->lruvecs.items = arena_raw(a, b->lruvecs.cap * sizeof(struct lruvec));
}

static struct lruvec *lruvec_at(const struct blocks *b, uint32_t i)
{
	return (struct lruvec *)b->lruvecs.items + i;
}

static bool is_this_memcg(const struct blocks *b, const struct lruvec *v)
{
	return v->memcg == b->memcg && !strcmp(v->path, b->path);
}

/* The slot of this memcg, or a free one for it; NULL where all near it are taken. */
static uint32_t *find_slot(const struct blocks *b)
{
	for (uint64_t i = 0; i < PROBES; i++) {
		uint32_t *slot = &b->slots[(b->memcg + i) & b->slot_mask];

		if (!*slot || is_this_memcg(b, lruvec_at(b, *slot - 1)))
			return slot;
	}
	return NULL;
}

/* Bring the lruvecs that this memcg has already to the end of the list: its nodes stay together. */
static void bring_back(struct blocks *b, uint32_t from)
{
	const char *path = lruvec_at(b, from)->path;

	for (uint32_t i = from; i < b->first && lruvec_at(b, i)->path == path; i++) {
		struct lruvec *v = arena_push(b->arena, &b->lruvecs, sizeof(*v));

		*v = *lruvec_at(b, i);
		v->path = b->path;
		lruvec_at(b, i)->path = NULL;
	}
	b->again = b->replaced = true;
}

/* Id 0 is that of every memcg whose cgroup is gone: two of them are two. */
static void find_earlier_copy(struct blocks *b)
{
	uint32_t *slot = b->memcg ? find_slot(b) : NULL;

	if (!slot)
		return;
	if (*slot)
		bring_back(b, *slot - 1);
	*slot = b->first + 1;
}

static void lose_block(struct blocks *b)
{
	b->in_memcg = false;
	if (!b->lost)
		b->r->torn++;
	b->lost = true;
}

/* scan_word_is() for the words that stand in every other line. */
static inline bool begins_with(struct scan *line, const char *word, size_t len)
{
	scan_blanks(line);
	if ((size_t)(line->end - line->at) <= len || memcmp(line->at, word, len))
		return false;
	line->at += len;
	return *line->at == ' ' || *line->at == '\t';
}

static bool begin_memcg(struct blocks *b, struct scan line)
{
	struct text path = { "/", 1 };
	uint64_t id;

	if (!begins_with(&line, "memcg", 5) || !scan_number(&line, &id) || id == UNKNOWN)
		return false;
	if (line.at < line.end && *line.at != ' ')
		return false;
	if (line.end - line.at > 1)
		path = (struct text){ line.at + 1, (size_t)(line.end - line.at - 1) };
	b->in_memcg = true;
	b->memcg = id;
	b->raw_path = path;
	b->path = NULL;
	b->first = b->lruvecs.n;
	b->last_node = -1;
	b->again = false;
	return true;
}

static bool begin_node(struct blocks *b, struct scan line)
{
	uint64_t node;

	if (!begins_with(&line, "node", 4) || !scan_whole_number(&line, &node) ||
	    !scan_is_blank(&line) || node > UINT32_MAX)
		return false;
	b->in_block = b->in_memcg && (int64_t)node > b->last_node;
	b->node = (uint32_t)node;
	b->last_node = (int64_t)node;
	if (!b->in_block)
		lose_block(b);
	return true;
}

bool blocks_is_line(char first)
{
	return first == 'm' || first == 'n';
}

void blocks_line(struct blocks *b, struct scan line, char first)
{
	bool is_memcg = first == 'm';

	if (line.end[-1] == '\r' && (b->crlf || !is_memcg))
		line.end--;
	b->in_block = b->lost = false;
	if (is_memcg ? begin_memcg(b, line) : begin_node(b, line))
		return;
	b->r->skipped++;
	b->in_memcg = false;
}

bool blocks_has_row(struct blocks *b, struct scan line, char first)
{
	struct lru_token tokens[ROW_TOKENS];

	if (!first || first == '\r')
		return false;
	if (b->in_block)
		return true;
	if (lru_tokens(line, tokens, ROW_TOKENS) > 0)
		lose_block(b);
	else
		b->r->skipped++;
	return false;
}

static struct lruvec *find_node(const struct blocks *b)
{
	for (uint32_t i = b->first; i < b->lruvecs.n; i++)
		if (lruvec_at(b, i)->node == b->node)
			return lruvec_at(b, i);
	return NULL;
}

struct lruvec *blocks_add(struct blocks *b, const struct gen *gens, uint32_t n)
{
	struct lruvec *v = NULL;

	if (!b->path) {
		b->path = name_escape(b->arena, b->raw_path.buf, b->raw_path.len);
		find_earlier_copy(b);
	}
	if (b->again)
		v = find_node(b);
	if (!v)
		v = arena_push(b->arena, &b->lruvecs, sizeof(*v));
	*v = (struct lruvec){
		.memcg = b->memcg,
		.path = b->path,
		.node = b->node,
		.ngens = n,
		.gens = arena_copy(b->arena, gens, n * sizeof(*gens)),
		.min_seq = { UNKNOWN, UNKNOWN },
	};
	return v;
}

struct lruvec *blocks_end(struct blocks *b, uint32_t *n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; b->replaced && i < b->lruvecs.n; i++)
		if (lruvec_at(b, i)->path)
			*lruvec_at(b, kept++) = *lruvec_at(b, i);
	*n = b->replaced ? kept : b->lruvecs.n;
	return b->lruvecs.items;
}

/* The length of the blank at p, 0 where there is none. */
static inline size_t blank_at(const char *p, const char *end)
{
	if (*p == ' ' || *p == '\t')
		return 1;
	return *p == '\xc2' && end - p > 1 && p[1] == '\xb7' ? 2 : 0;
}

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The token at p; where it ends, or NULL where it is none. */
static const char *take_token(const char *p, const char *end, struct lru_token *t)
{
	bool gone = *p == '-';
	struct scan number = { p + gone, end };

	if (number.at == end || !is_digit(*number.at))
		return NULL;
	scan_number(&number, &t->value);
	t->mark = gone ? 'x' : ' ';
	p = number.at;
	if (gone && t->value)
		return NULL;
	if (!gone && p < end && !blank_at(p, end))
		t->mark = *p++;
	return p == end || blank_at(p, end) ? p : NULL;
}

int lru_tokens(struct scan line, struct lru_token *tokens, int max)
{
	const char *p = line.at, *end = line.end;
	int n = 0;

	if (end > p && end[-1] == '\r')
		end--;
	while (p < end) {
		size_t blank = blank_at(p, end);

		p += blank;
		if (blank)
			continue;
		if (n == max)
			return -1;
		p = take_token(p, end, &tokens[n++]);
		if (!p)
			return -1;
	}
	return n;
}

bool lru_row(const struct lru_token *tokens, struct gen *g)
{
	if (tokens[0].mark != ' ' || tokens[1].mark != ' ' || tokens[0].value == UNKNOWN)
		return false;
	*g = (struct gen){ .seq = tokens[0].value, .age_ms = tokens[1].value };
	for (int type = 0; type < TYPE_NR; type++) {
		const struct lru_token *t = &tokens[2 + type];

		if (t->mark != ' ' && t->mark != 'x')
			return false;
		g->pages[type] = t->value;
		if (t->mark == 'x')
			g->evicted |= (uint8_t)(1 << type);
	}
	return true;
}

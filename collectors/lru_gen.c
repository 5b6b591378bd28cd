/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_gen.c - sys/kernel/debug/lru_gen. Nearly all of it is rows in one exact layout, which are
 * read eight characters at a time; whatever differs from it in the least is read token by token.
 */
#include "lru_gen_block.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/* " %10lu %10u %10lu%c %10lu%c\n" of numbers that fit, and blank marks. */
#define ROW 47

#define EVERY(byte) ((uint64_t)(byte) * 0x0101010101010101u)

static uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return le64toh(w);
}

static uint32_t load2(const char *p)
{
	uint16_t w;

	memcpy(&w, p, sizeof(w));
	return le16toh(w);
}

/*
 * What is wrong with eight characters that should be blanks and then at least one digit: 0 if
 * nothing. x holds them XOR ' ', the first lowest: a blank is 0x00, a digit 0x10 to 0x19.
 */
static uint64_t wrong_in(uint64_t x)
{
	uint64_t digit = x & EVERY(0x10);
	uint64_t low = x & EVERY(0x0f);
	uint64_t high_bits = x & EVERY(0xe0);
	uint64_t over_nine = (low + EVERY(6)) & EVERY(0x10);
	uint64_t no_blank = low & ~(digit - (digit >> 4));
	uint64_t gap = digit & ~((digit >> 8) | (uint64_t)0x10 << 56);

	return high_bits | over_nine | no_blank | gap | (~digit & (uint64_t)0x10 << 56);
}

/*
 * The number that eight such characters are: neighbours are joined to pairs, to fours, to the
 * whole.
 */
static uint64_t value_of(uint64_t x)
{
	const uint64_t pairs = 0x000000ff000000ff;

	x &= EVERY(0x0f);
	x = x * 10 + (x >> 8);
	x = (x & pairs) * (100 + ((uint64_t)1000000 << 32)) +
	    ((x >> 16) & pairs) * (1 + ((uint64_t)10000 << 32));
	return x >> 32;
}

/* A number right-aligned in ten columns. What is wrong with it is added to *wrong. */
static inline uint64_t field(const char *p, uint64_t *wrong)
{
	uint64_t x = load8(p + 2) ^ EVERY(' ');
	uint32_t head = load2(p) ^ 0x2020;
	uint32_t tens = head & 0xff, ones = head >> 8;

	*wrong |= wrong_in(x);
	if (!head)
		return value_of(x);
	if ((tens && (tens & 0xf0) != 0x10) || (tens & 0x0f) > 9)
		*wrong = 1;
	if ((ones & 0xf0) != 0x10 || (ones & 0x0f) > 9 || (x & EVERY(0x10)) != EVERY(0x10))
		*wrong = 1;
	return value_of(x) + ((tens & 0x0f) * 10 + (ones & 0x0f)) * (uint64_t)100000000;
}

/* A row in the exact layout. p has at least ROW characters. */
static inline bool exact_row(const char *p, struct gen *g)
{
	uint64_t wrong = load2(p + 33) ^ 0x2020;

	wrong |= load2(p + 45) ^ ('\n' << 8 | ' ');
	wrong |= (uint64_t)((p[0] ^ ' ') | (p[11] ^ ' ') | (p[22] ^ ' '));
	g->seq = field(p + 1, &wrong);
	g->age_ms = field(p + 12, &wrong);
	g->pages[TYPE_ANON] = field(p + 23, &wrong);
	g->pages[TYPE_FILE] = field(p + 35, &wrong);
	g->evicted = 0;
	return !wrong;
}

/*
 * Any other row. In a line without end the last number may lack digits, unless its mark is there.
 */
static bool any_row(struct scan line, bool whole, struct gen *g)
{
	struct lru_token tokens[2 + TYPE_NR];
	char last = line.end[-1];

	if (!whole && last >= '0' && last <= '9')
		return false;
	return lru_tokens(line, tokens, 2 + TYPE_NR) == 2 + TYPE_NR && lru_row(tokens, g);
}

static bool is_next(const struct gen *gens, uint32_t n)
{
	return n < GENS_MAX && (!n || gens[n].seq > gens[n - 1].seq);
}

static void take_line(struct blocks *b, struct scan line, bool whole, struct gen *gens, uint32_t *n)
{
	if (blocks_is_line(line)) {
		if (b->in_block && *n)
			blocks_add(b, gens, *n);
		*n = 0;
		blocks_line(b, line);
	} else if (blocks_has_row(b, line)) {
		if (*n < GENS_MAX && any_row(line, whole, &gens[*n]) && is_next(gens, *n))
			++*n;
		else
			b->r->skipped++;
	}
}

int lru_gen_parse(struct text t, struct sample *s, struct reading *r)
{
	struct scan text = scan_text(t), line;
	struct gen gens[GENS_MAX + 1];
	struct blocks b;
	uint32_t n = 0;

	blocks_init(&b, t, s->arena, r);
	while (text.at < text.end) {
		if (b.in_block && text.end - text.at >= ROW && n < GENS_MAX &&
		    exact_row(text.at, &gens[n]) && is_next(gens, n)) {
			text.at += ROW;
			n++;
		} else if (scan_raw_line(&text, &line, r)) {
			take_line(&b, line, line.end < text.end, gens, &n);
		}
	}
	if (b.in_block && n)
		blocks_add(&b, gens, n);
	if (!b.lruvecs.n)
		return -ENODATA;
	s->lruvecs = blocks_end(&b, &s->nlruvecs);
	return 0;
}

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

static inline uint64_t load8(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static inline uint32_t load2(const char *p)
{
	uint16_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

/*
 * Two numbers at a time: the compiler's vectors, which it takes apart where the machine has none.
 */
typedef uint64_t twice __attribute__((vector_size(16)));
typedef uint32_t fours __attribute__((vector_size(16)));
typedef uint16_t pairs __attribute__((vector_size(16)));

/*
 * What was seen of the numbers of a row, eight characters of each at a time and XOR ' ': a blank is
 * 0x00, a digit 0x10 to 0x19. Only some bits of each mean anything; they are looked at once for the
 * whole row.
 */
struct seen {
	twice above;  /* 0x80: above a digit */
	twice below;  /* 0x10: neither a blank nor as high as a digit */
	twice gap;    /* 0x10: a digit, and none behind it */
	twice last;   /* 0x10 of the last character: a digit, in all numbers */
};

/* The eight characters at p and those at q, which should be blanks and then digits, as numbers. */
static inline void two_numbers(const char *p, const char *q, uint64_t *a, uint64_t *b,
			       struct seen *seen)
{
	twice x = { load8(p), load8(q) };
	pairs two;
	fours four;

	x ^= EVERY(' ');
	seen->above |= x | (x + EVERY(0x66));
	seen->below |= (x + EVERY(0x0f)) & ~x;
	seen->gap |= x & ~(x >> 8);
	seen->last &= x;
	/* Neighbours are joined to pairs, to fours, to all eight. */
	two = (pairs)(x & EVERY(0x0f));
	two = (two & 0xff) * 10 + (two >> 8);
	two *= (pairs){ 100, 1, 100, 1, 100, 1, 100, 1 };
	four = (fours)two;
	four = (four & 0xffff) + (four >> 16);
	x = (twice)four;
	*a = (uint32_t)x[0] * (uint64_t)10000 + (x[0] >> 32);
	*b = (uint32_t)x[1] * (uint64_t)10000 + (x[1] >> 32);
}

static inline bool is_wrong(const struct seen *seen)
{
	const uint64_t last = (uint64_t)0x10 << 56;
	twice wrong = (seen->above & EVERY(0x80)) | (seen->below & EVERY(0x10)) |
		      (seen->gap & (EVERY(0x10) ^ last)) | (~seen->last & last);

	return wrong[0] | wrong[1];
}

/* What two characters before eight digits add to a number: an age of more than a day has them. */
static uint64_t hundred_millions(const char *p, uint64_t *wrong)
{
	uint32_t tens = (unsigned char)p[0] ^ ' ', ones = (unsigned char)p[1] ^ ' ';

	if ((tens && (tens & 0xf0) != 0x10) || (tens & 0x0f) > 9)
		*wrong = 1;
	if ((ones & 0xf0) != 0x10 || (ones & 0x0f) > 9 || p[2] == ' ')
		*wrong = 1;
	return ((tens & 0x0f) * 10 + (ones & 0x0f)) * (uint64_t)100000000;
}

/*
 * A row in the exact layout, where only the age has more than eight digits. p has at least ROW
 * characters.
 */
static inline bool exact_row(const char *p, struct gen *g)
{
	struct seen seen = { .last = { UINT64_MAX, UINT64_MAX } };
	uint64_t wrong;

	if (load2(p + 45) != ('\n' << 8 | ' '))
		return false;
	wrong = (load2(p + 33) ^ 0x2020) | (load2(p + 1) ^ 0x2020) | (load2(p + 23) ^ 0x2020) |
		(load2(p + 35) ^ 0x2020);
	wrong |= (uint64_t)((p[0] ^ ' ') | (p[11] ^ ' ') | (p[22] ^ ' '));
	two_numbers(p + 3, p + 14, &g->seq, &g->age_ms, &seen);
	two_numbers(p + 25, p + 37, &g->pages[TYPE_ANON], &g->pages[TYPE_FILE], &seen);
	if (load2(p + 12) != 0x2020)
		g->age_ms += hundred_millions(p + 12, &wrong);
	g->evicted = 0;
	return !wrong && !is_wrong(&seen);
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
	char first = scan_first(&line);

	if (blocks_is_line(first)) {
		if (b->in_block && *n)
			blocks_add(b, gens, *n);
		*n = 0;
		blocks_line(b, line, first);
	} else if (blocks_has_row(b, line, first)) {
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

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
 * What was seen of the numbers of a row, eight characters of each at a time and XOR ' ': a blank
 * is 0x00, a digit 0x10 to 0x19. Only some bits of each mean anything; they are looked at once
 * for the whole row.
 */
struct seen {
	uint64_t above;  /* 0x80: above a digit */
	uint64_t below;  /* 0x10: neither a blank nor as high as a digit */
	uint64_t gap;    /* 0x10: a digit, and none behind it */
	uint64_t last;   /* 0x10 of the last character: a digit, in all numbers */
	uint64_t wrong;  /* anything: something else is wrong */
};

static inline void look_at(uint64_t x, struct seen *seen)
{
	seen->above |= x | (x + EVERY(0x66));
	seen->below |= (x + EVERY(0x0f)) & ~x;
	seen->gap |= x & ~(x >> 8);
	seen->last &= x;
}

static inline bool is_wrong(const struct seen *seen)
{
	const uint64_t last = (uint64_t)0x10 << 56;

	return (seen->above & EVERY(0x80)) | (seen->below & EVERY(0x10)) |
	       (seen->gap & (EVERY(0x10) ^ last)) | (~seen->last & last) | seen->wrong;
}

/* The number that eight such characters are: neighbours are joined to pairs, to fours, to all. */
static inline uint64_t value_of(uint64_t x)
{
	x = (x & EVERY(0x0f)) * (1 + (10 << 8)) >> 8;
	x = (x & 0x00ff00ff00ff00ff) * (1 + (100 << 16)) >> 16;
	return (x & 0x0000ffff0000ffff) * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* A number of at most eight digits, right-aligned in ten columns. */
static inline uint64_t narrow_field(const char *p, struct seen *seen)
{
	uint64_t x = load8(p + 2) ^ EVERY(' ');

	look_at(x, seen);
	seen->wrong |= load2(p) ^ 0x2020;
	return value_of(x);
}

/* A number of up to ten digits. The two before the last eight stand like the end of a number. */
static inline uint64_t wide_field(const char *p, struct seen *seen)
{
	uint64_t x = load8(p + 2) ^ EVERY(' ');
	uint64_t head = load2(p) ^ 0x2020;

	look_at(x, seen);
	seen->above |= head | (head + EVERY(0x66));
	seen->below |= (head + EVERY(0x0f)) & ~head;
	seen->gap |= (head & ~(head >> 8) & 0xff) | ((head >> 8) & ~x);
	return value_of(x) + ((head & 0x0f) * 10 + (head >> 8 & 0x0f)) * 100000000;
}

/* A row in the exact layout. p has at least ROW characters. */
static inline bool exact_row(const char *p, struct gen *g)
{
	struct seen seen = { .last = UINT64_MAX };

	if (load2(p + 45) != ('\n' << 8 | ' '))
		return false;
	seen.wrong = load2(p + 33) ^ 0x2020;
	seen.wrong |= (uint64_t)((p[0] ^ ' ') | (p[11] ^ ' ') | (p[22] ^ ' '));
	g->seq = narrow_field(p + 1, &seen);
	g->age_ms = wide_field(p + 12, &seen);
	g->pages[TYPE_ANON] = narrow_field(p + 23, &seen);
	g->pages[TYPE_FILE] = narrow_field(p + 35, &seen);
	g->evicted = 0;
	return !is_wrong(&seen);
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

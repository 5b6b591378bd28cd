/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_gen_block.h - what lru_gen and lru_gen_full have in common: whose a row is.
 *
 * The kernel prints the line of a memcg only with its first node, and finds its place again by
 * counting memcgs when a reader comes back for more. So a memcg may come twice, and a node's
 * block may come without its memcg. A block is taken for the memcg above it only if its node
 * number is higher than those before it, as the kernel's order is; what follows a block that is
 * not taken belongs to nobody either, up to the next line of a memcg.
 */
#ifndef RECLAIMTOP_LRU_GEN_BLOCK_H
#define RECLAIMTOP_LRU_GEN_BLOCK_H

#include <stdbool.h>

#include "scan.h"

/* mm/vmscan.c has 4 generations; patches and ancestors of it had more. */
#define GENS_MAX 16

/* The longest line of all: a tier with three numbers of each type. */
#define ROW_TOKENS (1 + 3 * TYPE_NR)

struct blocks {
	struct arena *arena;
	struct reading *r;
	struct arena_list lruvecs;
	uint32_t *slots;       /* by memcg id: where its lruvecs begin, plus 1 */
	uint32_t slot_mask;
	bool crlf;             /* lines end with CR LF: a CR behind a path is not the path's */
	bool in_block;         /* rows belong to node of memcg */
	bool in_memcg;         /* a line of a memcg came, and nothing that makes it doubtful */
	bool lost;             /* rows that belong to nobody were counted */
	bool again;            /* this memcg came before */
	bool replaced;         /* some lruvec was left out for a newer copy */
	uint64_t memcg;
	struct text raw_path;
	const char *path;      /* NULL until it is needed */
	uint32_t node;
	int64_t last_node;     /* -1 where none came yet */
	uint32_t first;        /* where the lruvecs of this memcg begin */
};

/* One number of a row with the letter glued to it. */
struct lru_token {
	uint64_t value;  /* UNKNOWN where it is too large */
	char mark;       /* ' ' where there is none */
};

void blocks_init(struct blocks *b, struct text t, struct arena *a, struct reading *r);

/*
 * Whether a line that begins so, blanks left out, is like that of a memcg or a node: then it ends a
 * block, and is for blocks_line().
 */
bool blocks_is_line(char first);

/* Take the line of a memcg or a node, by its first letter. Sets in_block. */
void blocks_line(struct blocks *b, struct scan line, char first);

/*
 * Whether any other line is for the reader of rows. A blank one is not. One outside of a block is
 * counted: rows that belong together once, as torn, all else as skipped.
 */
bool blocks_has_row(struct blocks *b, struct scan line, char first);

/*
 * The lruvec of the block that ends here, with a copy of its n generations; n is not 0. All else
 * in it is unknown or 0.
 */
struct lruvec *blocks_add(struct blocks *b, const struct gen *gens, uint32_t n);

/* The lruvecs of the whole text, older copies left out. */
struct lruvec *blocks_end(struct blocks *b, uint32_t *n);

/*
 * The tokens of a row; -1 where there is something else in it, or more than max. "-0", by which
 * ancestors of MGLRU say that a generation is gone, is 0 with the mark x. U+00B7, by which some
 * tools show a blank, is a blank.
 */
int lru_tokens(struct scan line, struct lru_token *tokens, int max);

/* A row from its four tokens; false where it cannot be one. */
bool lru_row(const struct lru_token *tokens, struct gen *g);

#endif

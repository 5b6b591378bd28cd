/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generations.h - the parts of the Generations view that stand in files of their own. */
#ifndef TUI_GENERATIONS_H
#define TUI_GENERATIONS_H

#include "river.h"

/* How much of what is chosen is shown as one. */
enum gen_scope {
	SCOPE_ONE,                     /* the lruvec */
	SCOPE_ALL_NODES,               /* its memcg on all nodes */
	SCOPE_TREE,                    /* its memcg on all nodes, and those below */
	SCOPE_WHOLE_NODE,
	SCOPE_GEN_NR
};

/* A memcg as a small river: of its own lruvecs, without those below it. */
struct small {
	const struct memcg_step *m;
	uint64_t key;                  /* of the one whose dots are on the way */
	struct places places;
	struct type_flow flow[TYPE_NR];
	struct river_births births;
	int n;                         /* generations */
	struct river river;            /* its streams; the clock is that of the great one */
	struct rect where;             /* of the last draw */
};

#define SMALL_MOST 8

struct smalls {
	struct small at[SMALL_MOST];
	int n, most;                   /* as many as had room in the last draw */
	uint64_t scale;
	struct motion_even unit;
};

struct generations {
	bool all;                      /* every lruvec, summed */
	enum gen_scope scope;          /* where not all */
	bool tiers;                    /* as tables, with tiers, whatever they cost */
	uint64_t chosen;               /* key of the one that is shown */
	uint32_t at;                   /* its place in list */
	const struct lruvec_step **list;   /* those that pass the filter, in the kernel's order */
	uint32_t n, cap;
	struct places places;          /* the sum of what is shown */
	struct type_flow flow[TYPE_NR];
	struct amount births;
	struct river_births born;      /* of what is shown */
	int64_t frame_us;              /* the frame that was last prepared */
	struct rect table, choices;    /* of the last draw: the flows below their titles; the lruvecs below theirs */
	uint32_t top;                  /* the first of those on screen */
	struct river river;
	struct smalls smalls;
};

/* One generation, or one place where several lruvecs are summed; or one list of a kernel without generations. */
struct gen_row {
	char name[16], seq[24];
	char age[16], ages[24];        /* the oldest, and from which to which where several are summed */
	uint64_t pages[TYPE_NR];
	int64_t change[TYPE_NR];
	uint32_t place;                /* 0 the youngest: how it is coloured */
	bool known_change, born, left;
};

#define GEN_ROWS 12

/* What is on the screen. */
struct scene {
	struct gen_row rows[GEN_ROWS];   /* the youngest first */
	int nrows;
	uint64_t scale;                  /* pages that a whole bar stands for */
	enum reading_id from;
	const struct lruvec_step *l;     /* NULL where all are summed */
	struct type_flow flow[TYPE_NR];
	const struct river_births *born;
};

/* The one that is shown; NULL where several are summed. */
const struct lruvec_step *generations_chosen(const struct generations *g);

void scene_fill(struct tui *t, struct scene *s);

/* Where things stand in a row: the words, then a block for each type. */
struct columns {
	int left;                        /* columns of the words */
	int name, seq, age;              /* of them; 0 where there is no room */
	struct rect block[TYPE_NR];
	int bar, number, change;         /* columns within a block */
};

struct columns columns_in(struct rect pane);

/* The parts of the screen, each from the first row of its pane on. */
void scene_draw_heads(struct draw *d, struct rect pane, const struct scene *s);
void scene_draw_rows(struct draw *d, struct rect pane, const struct scene *s);
void scene_draw_flows(struct draw *d, struct rect pane, const struct scene *s);

/* What must be said in words: artefacts, births. Lines used; draws only where d is not NULL. */
int scene_notes(struct draw *d, struct rect pane, const struct scene *s);

/* Rows that tiers and walks need; 0 where lru_gen_full was not read. */
int tiers_rows(const struct scene *s);
void tiers_draw(struct draw *d, struct rect pane, const struct scene *s);

/* Is it part of what is shown? */
bool generations_holds(const struct generations *g, const struct lruvec_step *l);

/* The screen of the view. */
void generations_draw(struct tui *t, struct draw *d, struct rect body);

/* All flows in a table, the chosen one marked; then what is known of that one. */
void ledger_draw(struct draw *d, struct rect pane, struct generations *g);

/* The same of the chosen one in few lines. */
void ledger_draw_brief(struct draw *d, struct rect pane, const struct generations *g);

/* Another flow added to one, all of its amounts. */
void generations_add_flow(struct type_flow *to, const struct type_flow *flow);

/* What is shown in words: "Whole machine", "/web and below". Returns out. */
char *generations_whose(const struct generations *g, char *out, size_t size);

/* --- what happens now, in one sentence --- */

struct now {
	struct amount taken, back, in, up, gone;
	char taken_text[NUMBER_TEXT], back_text[NUMBER_TEXT], in_text[NUMBER_TEXT];
	char up_text[NUMBER_TEXT], gone_text[NUMBER_TEXT];
	bool first;                      /* there is nothing to compare with */
};

/* At most cols columns, with what does not fit said more briefly. */
void now_sentence(const struct now *n, int cols, char *out, size_t size);

/*
 * Small rivers of the memcgs that lose most, side by side: for each frame (is_new: not yet seen), in the picture, and when something moves in
 * them; and the memcg that was drawn at a cell, NULL none.
 */
void small_flow(struct tui *t, bool is_new);
int64_t small_moves(const struct tui *t, int64_t clock_us);
const struct memcg_step *small_at(const struct tui *t, int row, int col);
void small_draw(struct tui *t, struct draw *d, struct rect pane);
void small_interest(const struct tui *t, struct interest *out);

/* The classic lists: of the kernel without generations. */
void classic_draw(struct tui *t, struct draw *d, struct rect body);

#endif

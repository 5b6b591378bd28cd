/* SPDX-License-Identifier: GPL-2.0-or-later */
/* generations.h - the parts of the Generations view that stand in files of their own. */
#ifndef TUI_GENERATIONS_H
#define TUI_GENERATIONS_H

#include "river.h"

/* How much of what is chosen is shown as one. */
enum gen_scope {
	SCOPE_ONE,                     /* the lruvec */
	SCOPE_TREE,                    /* its memcg on all nodes, and those below */
	SCOPE_WHOLE_NODE,
	SCOPE_GEN_NR
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
	int64_t frame_us;              /* the frame that was last prepared */
	struct rect table, choices;    /* of the last draw: the flows below their titles; the lruvecs below theirs */
	uint32_t top;                  /* the first of those on screen */
	struct river river;
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
	struct amount births;
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

/* Small rivers of the memcgs that lose most, side by side. */
void small_draw(struct tui *t, struct draw *d, struct rect pane);
void small_interest(const struct tui *t, struct interest *out);

/* The classic lists: of the kernel without generations. */
void classic_draw(struct tui *t, struct draw *d, struct rect body);

#endif

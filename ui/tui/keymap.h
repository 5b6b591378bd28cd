/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap.h - the keys in force: those of the table in keys.c, or others that the user gave them.
 *
 * An action is an entry of that table, called by its word in the footer in small letters: "step". Entries without such
 * a word (arrows, Esc, the numbers of views) are as they are. A key that was given another place means nothing else.
 */
#ifndef TUI_KEYMAP_H
#define TUI_KEYMAP_H

#include "keys.h"

#define KEYMAP_ENTRIES 64
#define KEYMAP_TEXT 64

struct keymap {
	int keys[KEYMAP_ENTRIES][KEYS_EACH];   /* as in key_entries */
	bool changed[KEYMAP_ENTRIES];
};

/* The keys of the table. */
void keymap_init(struct keymap *m);

/*
 * Give an action keys, as "n N": they take the places of its usual ones in their order, and places that are not named keep
 * theirs. NULL, or what is wrong. Keys of other actions are looked at by keymap_clash() alone, so that two may be exchanged.
 */
const char *keymap_set(struct keymap *m, const char *action, const char *keys);

/* The usual keys of an action again. */
void keymap_unset(struct keymap *m, const char *action);

/* Which other action has one of the keys of this one, in a view that both have? NULL: none. */
const char *keymap_clash(const struct keymap *m, const char *action, char out[KEYMAP_TEXT]);

/* What a key does in a view, and which of the usual keys it stands for. NULL: nothing. m NULL: the usual keys. */
const struct key_entry *keymap_find(const struct keymap *m, int *key, enum tui_view view);

/* "h ? F1" for the help, "h" for the footer: those in force. */
const char *keymap_label(const struct keymap *m, const struct key_entry *e, char out[KEYMAP_TEXT]);
const char *keymap_one(const struct keymap *m, const struct key_entry *e, char out[KEYMAP_TEXT]);

/* Name of an action; "" where it has none. */
const char *keymap_action(const struct key_entry *e, char out[KEYMAP_TEXT]);

/* Lines "key step = n N" of all that is not as usual. */
void keymap_print(const struct keymap *m, struct buf *out);

/* A key as it is written, and back; KEYCODE_NONE where it is none. */
const char *key_name(int key, char out[KEYMAP_TEXT]);
int key_by_name(const char *name);

/* The next key of a text like "3<Down>x", which moves on. */
int key_next(const char **text);

#endif

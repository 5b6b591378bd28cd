/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keymap.h"

#include <stdio.h>
#include <string.h>

#include "reclaimtop/names.h"

/* --- names of keys --- */

static const struct {
	int key;
	const char *name;
} named[] = {
	{ ' ', "Space" },          { KEYCODE_ENTER, "Enter" },      { KEYCODE_TAB, "Tab" },
	{ KEYCODE_BACKTAB, "BackTab" }, { KEYCODE_ESC, "Esc" },     { KEYCODE_DELETE, "Del" },
	{ KEYCODE_BACKSPACE, "Backspace" }, { KEYCODE_UP, "Up" },   { KEYCODE_DOWN, "Down" },
	{ KEYCODE_LEFT, "Left" },  { KEYCODE_RIGHT, "Right" },      { KEYCODE_PAGE_UP, "PgUp" },
	{ KEYCODE_PAGE_DOWN, "PgDn" }, { KEYCODE_HOME, "Home" },    { KEYCODE_END, "End" },
};

#define NAMED (sizeof(named) / sizeof(named[0]))

static void put_utf8(uint32_t c, char *out)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(n == 1 ? c : (0xf0 << (4 - n) & 0xff) | c);
	out[n] = '\0';
}

const char *key_name(int key, char out[KEYMAP_TEXT])
{
	for (size_t i = 0; i < NAMED; i++)
		if (named[i].key == key)
			return named[i].name;
	if (key >= KEYCODE_F1 && key < KEYCODE_F1 + 12)
		snprintf(out, KEYMAP_TEXT, "F%d", key - KEYCODE_F1 + 1);
	else if (key > 0 && key < ' ')
		snprintf(out, KEYMAP_TEXT, "Ctrl-%c", '@' + key);
	else if (key > ' ' && key < KEYCODE_SPECIAL)
		put_utf8((uint32_t)key, out);
	else
		snprintf(out, KEYMAP_TEXT, "?");
	return out;
}

static int function_key(const char *name)
{
	int n = 0;

	for (const char *p = name + 1; *p; p++) {
		if (*p < '0' || *p > '9' || n > 12)
			return KEYCODE_NONE;
		n = n * 10 + (*p - '0');
	}
	return n >= 1 && n <= 12 ? KEYCODE_F1 + n - 1 : KEYCODE_NONE;
}

int key_by_name(const char *name)
{
	uint32_t c;
	int columns;
	size_t n = name_next(name, &c, &columns);

	for (size_t i = 0; i < NAMED; i++)
		if (!strcmp(named[i].name, name))
			return named[i].key;
	if (n && !name[n])
		return c > ' ' && c != 0x7f && c != 0xfffd && columns > 0 ? (int)c : KEYCODE_NONE;
	if (!strncmp(name, "Ctrl-", 5) && name[5] >= 'A' && name[5] <= 'Z' && !name[6])
		return name[5] - '@';
	return name[0] == 'F' ? function_key(name) : KEYCODE_NONE;
}

int key_next(const char **text)
{
	const char *end = **text == '<' ? strchr(*text, '>') : NULL;
	char name[KEYMAP_TEXT];
	uint32_t c = 0;
	int columns;

	if (end && end - *text > 2 && end - *text < KEYMAP_TEXT) {
		snprintf(name, sizeof(name), "%.*s", (int)(end - *text - 1), *text + 1);
		if (key_by_name(name) != KEYCODE_NONE) {
			*text = end + 1;
			return key_by_name(name);
		}
	}
	*text += name_next(*text, &c, &columns);
	return (int)c;
}

/* --- actions --- */

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

const char *keymap_action(const struct key_entry *e, char out[KEYMAP_TEXT])
{
	size_t i = 0;

	for (; e->brief && e->brief[i] && i + 1 < KEYMAP_TEXT; i++)
		out[i] = small(e->brief[i]);
	out[i] = '\0';
	return out;
}

/* The next entry of this name from one on, -1 where there is none: views may call different things by one word. */
static int entry_of(const char *action, int from)
{
	char name[KEYMAP_TEXT];

	for (uint32_t i = (uint32_t)from; i < nkey_entries && i < KEYMAP_ENTRIES; i++)
		if (action[0] && !strcmp(keymap_action(&key_entries[i], name), action))
			return (int)i;
	return -1;
}

void keymap_init(struct keymap *m)
{
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < nkey_entries && i < KEYMAP_ENTRIES; i++)
		memcpy(m->keys[i], key_entries[i].keys, sizeof(m->keys[i]));
}

/* The next word of text into out; false at the end. */
static bool next_word(const char **text, char out[KEYMAP_TEXT])
{
	size_t n;

	*text += strspn(*text, " \t");
	n = strcspn(*text, " \t");
	if (!n)
		return false;
	snprintf(out, KEYMAP_TEXT, "%.*s", (int)(n < KEYMAP_TEXT ? n : KEYMAP_TEXT - 1), *text);
	*text += n;
	return true;
}

static bool is_free(int key)
{
	return key != KEYCODE_NONE && key != KEYCODE_ESC && key != KEYCODE_CTRL_L && key != KEYCODE_CTRL_Z && key != 3;
}

const char *keymap_set(struct keymap *m, const char *action, const char *keys)
{
	int first = entry_of(action, 0), n = 0, found[KEYS_EACH] = { 0 };
	char word[KEYMAP_TEXT];

	if (first < 0)
		return "there is no such action";
	while (next_word(&keys, word)) {
		if (n == KEYS_EACH || !key_entries[first].keys[n])
			return "it has not so many keys";
		found[n] = key_by_name(word);
		if (!is_free(found[n++]))
			return "that is no key that can be given";
	}
	if (!n)
		return "it names no key";
	for (int i = first; i >= 0; i = entry_of(action, i + 1)) {
		memcpy(m->keys[i], found, (size_t)n * sizeof(found[0]));
		m->changed[i] = true;
	}
	return NULL;
}

void keymap_unset(struct keymap *m, const char *action)
{
	for (int i = entry_of(action, 0); i >= 0; i = entry_of(action, i + 1)) {
		memcpy(m->keys[i], key_entries[i].keys, sizeof(m->keys[i]));
		m->changed[i] = false;
	}
}

static bool share_a_view(const struct key_entry *a, const struct key_entry *b)
{
	for (int i = 0; i < VIEW_NR; i++)
		if (keys_has(a, (enum tui_view)i) && keys_has(b, (enum tui_view)i))
			return true;
	return false;
}

static bool share_a_key(const int a[KEYS_EACH], const int b[KEYS_EACH])
{
	for (int i = 0; i < KEYS_EACH && a[i]; i++)
		for (int k = 0; k < KEYS_EACH && b[k]; k++)
			if (a[i] == b[k])
				return true;
	return false;
}

/* The entries that had a key in common before are meant to: the earlier one stands for the other in its views. */
static bool shared_before(int i, int k)
{
	return share_a_key(key_entries[i].keys, key_entries[k].keys);
}

static const char *clash_of(const struct keymap *m, int i, char out[KEYMAP_TEXT])
{
	for (int k = 0; k < (int)nkey_entries && k < KEYMAP_ENTRIES; k++) {
		if (k == i || shared_before(i, k) || !share_a_view(&key_entries[i], &key_entries[k]) || !share_a_key(m->keys[i], m->keys[k]))
			continue;
		return key_entries[k].brief ? keymap_action(&key_entries[k], out) : key_entries[k].label;
	}
	return NULL;
}

const char *keymap_clash(const struct keymap *m, const char *action, char out[KEYMAP_TEXT])
{
	const char *clash = NULL;

	for (int i = entry_of(action, 0); i >= 0 && !clash; i = entry_of(action, i + 1))
		clash = clash_of(m, i, out);
	return clash;
}

const struct key_entry *keymap_find(const struct keymap *m, int *key, enum tui_view view)
{
	for (uint32_t i = 0; m && i < nkey_entries && i < KEYMAP_ENTRIES; i++) {
		for (int k = 0; k < KEYS_EACH && m->keys[i][k]; k++) {
			if (m->keys[i][k] != *key || !keys_has(&key_entries[i], view))
				continue;
			*key = key_entries[i].keys[k];
			return &key_entries[i];
		}
	}
	return m ? NULL : keys_find(*key, view);
}

static const int *changed_keys(const struct keymap *m, const struct key_entry *e)
{
	size_t i = (size_t)(e - key_entries);

	return m && i < KEYMAP_ENTRIES && m->changed[i] ? m->keys[i] : NULL;
}

const char *keymap_label(const struct keymap *m, const struct key_entry *e, char out[KEYMAP_TEXT])
{
	const int *keys = changed_keys(m, e);
	char name[KEYMAP_TEXT];
	size_t at = 0;

	if (!keys)
		return e->label;
	out[0] = '\0';
	for (int i = 0; i < KEYS_EACH && keys[i]; i++) {
		const char *text = key_name(keys[i], name);

		if (at + strlen(text) + 2 < KEYMAP_TEXT)
			at += (size_t)snprintf(out + at, KEYMAP_TEXT - at, "%s%s", i ? " " : "", text);
	}
	return out;
}

const char *keymap_one(const struct keymap *m, const struct key_entry *e, char out[KEYMAP_TEXT])
{
	const int *keys = changed_keys(m, e);

	return keys ? key_name(keys[0], out) : e->one;
}

void keymap_print(const struct keymap *m, struct buf *out)
{
	char name[KEYMAP_TEXT], label[KEYMAP_TEXT];

	for (uint32_t i = 0; m && i < nkey_entries && i < KEYMAP_ENTRIES; i++)
		if (m->changed[i] && entry_of(keymap_action(&key_entries[i], name), 0) == (int)i)
			buf_printf(out, "key %s = %s\n", keymap_action(&key_entries[i], name),
				   keymap_label(m, &key_entries[i], label));
}

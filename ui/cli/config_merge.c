/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_merge.c - settings into a file that somebody may have written by hand. */
#include "config.h"

#include <string.h>

/* A line with its end; what stands before and behind its "=", without blanks around. name_len 0: it is no setting. */
struct piece {
	const char *text, *name, *value;
	size_t len, name_len, value_len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Without the blanks around it. */
static const char *strip(const char *text, size_t *len)
{
	while (*len && is_blank(text[*len - 1]))
		--*len;
	while (*len && is_blank(*text))
		text++, --*len;
	return text;
}

/* The next line of a text, which moves on; false at its end. */
static bool next_line(const struct buf *text, size_t *at, struct piece *l)
{
	const char *end, *equals;
	size_t left = text->len - *at;

	if (!left)
		return false;
	*l = (struct piece){ .text = text->data + *at };
	end = memchr(l->text, '\n', left);
	l->len = end ? (size_t)(end - l->text) + 1 : left;
	*at += l->len;
	equals = memchr(l->text, '=', l->len);
	l->name_len = equals ? (size_t)(equals - l->text) : 0;
	l->name = strip(l->text, &l->name_len);
	if (!l->name_len || *l->name == '#') {
		l->name_len = 0;
		return true;
	}
	l->value_len = l->len - (size_t)(equals + 1 - l->text);
	l->value = strip(equals + 1, &l->value_len);
	return true;
}

/* Words are the same however many blanks stand between them. */
static bool same_words(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t i = 0, k = 0;

	while (i < alen && k < blen) {
		if (is_blank(a[i]) != is_blank(b[k]) || (!is_blank(a[i]) && a[i] != b[k]))
			return false;
		if (!is_blank(a[i])) {
			i++, k++;
			continue;
		}
		while (i < alen && is_blank(a[i]))
			i++;
		while (k < blen && is_blank(b[k]))
			k++;
	}
	return i == alen && k == blen;
}

static bool same_name(const struct piece *a, const struct piece *b)
{
	return a->name_len && b->name_len && same_words(a->name, a->name_len, b->name, b->name_len);
}

/* The line of a text that is for the same setting; false where there is none. */
static bool find_line(const struct buf *text, size_t until, const struct piece *like, struct piece *out)
{
	size_t at = 0;

	while (at < until && next_line(text, &at, out))
		if (same_name(out, like))
			return true;
	return false;
}

static void put_line(struct buf *out, const struct piece *l)
{
	buf_add(out, l->text, l->len);
	if (l->len && l->text[l->len - 1] != '\n')
		buf_str(out, "\n");
}

void config_merge(const struct buf *was, const struct buf *settings, struct buf *out)
{
	struct piece l, fresh, before;
	size_t at = 0, start = 0;

	buf_str(out, "");
	for (; next_line(was, &at, &l); start = at) {
		if (!find_line(settings, settings->len, &l, &fresh))
			put_line(out, &l);
		else if (find_line(was, start, &l, &before))
			continue;
		else
			put_line(out, same_words(l.value, l.value_len, fresh.value, fresh.value_len) ? &l : &fresh);
	}
	for (at = 0; next_line(settings, &at, &l);)
		if (l.name_len ? !find_line(was, was->len, &l, &before) : !was->len)
			put_line(out, &l);
}

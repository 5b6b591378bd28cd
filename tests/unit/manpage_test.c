/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the man page says of views, keys and numbers stands in the program's own tables: between its comments `begin NAME`
 * and `end NAME` the page holds what is printed from them here. `make man` writes these parts anew.
 */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/rules.h"
#include "reclaimtop/buf.h"
#include "reclaimtop/metrics.h"
#include "ui/tui/view.h"

#define PAGE "docs/reclaimtop.1"
#define LINE 78

/* ---- text as mdoc has it ---- */

/* A character, so that it stands for itself. */
static void put_char(char c, struct buf *out)
{
	if (c == '\\')
		buf_str(out, "\\e");
	else if (c == '-')
		buf_str(out, "\\-");
	else
		buf_add(out, &c, 1);
}

static void put_text(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++)
		put_char(text[i], out);
}

/* Lines of text in the making. */
struct prose {
	struct buf *out;
	size_t column;
};

static void end_line(struct prose *p)
{
	if (p->column)
		buf_str(p->out, "\n");
	p->column = 0;
}

static void put_word(struct prose *p, const char *word, size_t len)
{
	if (p->column && p->column + 1 + len > LINE)
		end_line(p);
	if (p->column)
		buf_str(p->out, " ");
	else if (*word == '.' || *word == '\'')
		buf_str(p->out, "\\&");
	put_text(word, len, p->out);
	p->column += len + 1;
	/* A new sentence begins a new line. */
	if (len > 1 && word[len - 1] == '.')
		end_line(p);
}

/* A function of the kernel has a line of its own, as mdoc wants it. */
static bool put_function(struct prose *p, const char *word, size_t len)
{
	bool comma = len && word[len - 1] == ',';
	size_t name = comma ? len - 1 : len;

	if (name < 3 || memcmp(word + name - 2, "()", 2))
		return false;
	end_line(p);
	buf_str(p->out, ".Fn ");
	put_text(word, name - 2, p->out);
	buf_str(p->out, comma ? " ,\n" : "\n");
	return true;
}

/* Words in lines of their own. */
static void put_prose(const char *text, struct buf *out)
{
	struct prose p = { out, 0 };
	size_t len;

	for (text += strspn(text, " "); *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		if (!put_function(&p, text, len))
			put_word(&p, text, len);
	}
	end_line(&p);
}

/* The same, with a word before it. */
static void put_line(const char *word, const char *text, struct buf *out)
{
	struct buf line = { 0 };

	buf_printf(&line, "%s %s", word, text);
	put_prose(line.data, out);
	buf_fini(&line);
}

/* A sentence that was written without its capital and full stop. */
static void put_phrase(const char *text, struct buf *out)
{
	struct buf line = { 0 };

	buf_printf(&line, "%c%s%s", toupper((unsigned char)text[0]), text + 1,
		   text[strlen(text) - 1] == '.' ? "" : ".");
	put_prose(line.data, out);
	buf_fini(&line);
}

static void put_item(const char *macro, const char *word, struct buf *out)
{
	buf_printf(out, ".It %s \"\\&", macro);
	put_text(word, strlen(word), out);
	buf_str(out, "\"\n");
}

/* ---- the parts ---- */

static void put_views(struct buf *out)
{
	for (int i = 0; i < VIEW_NR; i++) {
		char title[80];

		snprintf(title, sizeof(title), "%c  %s", views[i]->key, views[i]->title);
		put_item("Sy", title, out);
		put_prose(views[i]->about, out);
	}
}

static void put_where(const struct key_entry *e, struct buf *out)
{
	char where[200] = "In ";
	size_t len = strlen(where);

	if (!(e->views & KEYS_VIEWS))
		return;
	for (int i = 0; i < VIEW_NR; i++) {
		if (!keys_has(e, (enum tui_view)i))
			continue;
		snprintf(where + len, sizeof(where) - len, "%s%s", len > 3 ? ", " : "", views[i]->title);
		len = strlen(where);
	}
	snprintf(where + len, sizeof(where) - len, ".");
	put_prose(where, out);
}

static void put_keys(struct buf *out)
{
	for (uint32_t i = 0; i < nkey_entries; i++) {
		put_item("Ic", key_entries[i].label, out);
		put_phrase(key_entries[i].help, out);
		put_where(&key_entries[i], out);
	}
}

static void put_numbers(struct buf *out)
{
	for (uint32_t i = 0; i < nmetrics; i++) {
		const struct metric *m = &metrics[i];
		char title[120];

		snprintf(title, sizeof(title), "%s, in %s", m->name, m->unit);
		put_item("Sy", title, out);
		put_prose(m->what, out);
		put_prose(m->reading, out);
		buf_str(out, ".br\n");
		put_line("From", m->file, out);
		buf_str(out, ".br\n");
		put_line("Kernel:", m->where, out);
	}
}

static const struct part {
	const char *name;
	void (*put)(struct buf *out);
} parts[] = {
	{ "views", put_views },
	{ "keys", put_keys },
	{ "numbers", put_numbers },
};

/* ---- the page ---- */

static void read_page(struct buf *out)
{
	FILE *f = fopen(PAGE, "r");
	char piece[4096];
	size_t n;

	if (!f)
		fail_msg(PAGE ": %s", strerror(errno));
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(out, piece, n);
	fclose(f);
}

static void write_page(const struct buf *page)
{
	FILE *f = fopen(PAGE, "w");

	if (!f)
		fail_msg(PAGE ": %s", strerror(errno));
	fwrite(page->data, 1, page->len, f);
	assert_int_equal(fclose(f), 0);
}

/* The page with one part printed anew. */
static void renew(const struct part *part, const char *page, struct buf *out)
{
	char begin[60], end[60];
	const char *from, *to;

	snprintf(begin, sizeof(begin), ".\\\" begin %s\n", part->name);
	snprintf(end, sizeof(end), ".\\\" end %s\n", part->name);
	from = strstr(page, begin);
	to = from ? strstr(from, end) : NULL;
	if (!to)
		fail_msg(PAGE ": no part %s", part->name);
	buf_clear(out);
	buf_add(out, page, (size_t)(from - page) + strlen(begin));
	part->put(out);
	buf_str(out, to);
}

static void holds_the_tables(void **state)
{
	struct buf page = { 0 }, is = { 0 }, next = { 0 };

	(void)state;
	read_page(&page);
	buf_str(&is, page.data);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		renew(&parts[i], is.data, &next);
		buf_clear(&is);
		buf_str(&is, next.data);
	}
	if (strcmp(is.data, page.data) && getenv("UPDATE_MAN")) {
		write_page(&is);
		print_message("wrote " PAGE "\n");
	} else if (strcmp(is.data, page.data)) {
		fail_msg(PAGE " is not what the tables of views, keys and metrics say: make man");
	}
	buf_fini(&page);
	buf_fini(&is);
	buf_fini(&next);
}

/* Each finding that there may be is explained, by the name that --derived prints. */
static void names_rules(const struct rule *rules, uint32_t n, const char *page)
{
	for (uint32_t i = 0; i < n; i++) {
		char line[80];

		snprintf(line, sizeof(line), "\n.It Cm %s\n", rules[i].name);
		if (!strstr(page, line))
			fail_msg(PAGE " does not explain the finding %s", rules[i].name);
	}
}

static void names_every_finding(void **state)
{
	struct buf page = { 0 };

	(void)state;
	read_page(&page);
	names_rules(rules_machine, nrules_machine, page.data);
	names_rules(rules_memcg, nrules_memcg, page.data);
	buf_fini(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_the_tables),
		cmocka_unit_test(names_every_finding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "say.h"

#define SEE_HELP "reclaimtop --help shows what there is"

/* What a row of the table does with its argument; says what is wrong with it, NULL where nothing is. */
struct option_row;
typedef const char *take_fn(struct options *o, const struct option_row *row, const char *value);

struct option_row {
	int key;            /* the letter, or a number above all letters where there is none */
	const char *name;
	const char *arg;    /* NULL: takes none */
	const char *help;
	take_fn *take;      /* NULL: --help and --version */
	size_t offset;      /* of what take() sets */
	const char *advice; /* what would have been right */
};

/* ---- arguments --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Microseconds in a unit, -1 where there is none of that name. */
static int64_t unit_us(const char *name)
{
	static const struct {
		const char *name;
		int64_t us;
	} units[] = {
		{ "", 1000000 }, { "s", 1000000 }, { "ms", 1000 },
		{ "m", INT64_C(60) * 1000000 }, { "h", INT64_C(3600) * 1000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, name))
			return units[i].us;
	return -1;
}

int64_t options_time(const char *text)
{
	const char *p = text, *dot;
	int64_t whole = 0, part = 0, scale = 1, unit;

	if (!is_digit(*p))
		return -1;
	for (; is_digit(*p); p++)
		if (whole < DELAY_MAX_US)
			whole = whole * 10 + (*p - '0');
	dot = *p == '.' ? p++ : NULL;
	if (dot && !is_digit(*p))
		return -1;
	for (; dot && is_digit(*p); p++) {
		if (scale < 1000000) {
			part = part * 10 + (*p - '0');
			scale *= 10;
		}
	}
	unit = unit_us(p);
	if (unit < 0)
		return -1;
	if (whole > INT64_MAX / 2 / unit)
		return INT64_MAX;
	return whole * unit + part * unit / scale;
}

static const char *take_flag(struct options *o, const struct option_row *row, const char *value)
{
	(void)value;
	*(bool *)((char *)o + row->offset) = true;
	return NULL;
}

static const char *take_text(struct options *o, const struct option_row *row, const char *value)
{
	if (!*value)
		return "is empty";
	*(const char **)((char *)o + row->offset) = value;
	return NULL;
}

static const char *take_delay(struct options *o, const struct option_row *row, const char *value)
{
	int64_t us = options_time(value);

	(void)row;
	if (us < 0)
		return "is no time";
	if (us < DELAY_MIN_US)
		return "is shorter than 0.05 s";
	if (us > DELAY_MAX_US)
		return "is longer than a day";
	o->delay_us = us;
	return NULL;
}

static const char *take_count(struct options *o, const struct option_row *row, const char *value)
{
	uint64_t n = 0;

	(void)row;
	for (const char *p = value; *p; p++) {
		if (!is_digit(*p))
			return "is no whole number";
		if (n > UINT32_MAX)
			return "is too large";
		n = n * 10 + (uint64_t)(*p - '0');
	}
	if (!n)
		return *value ? "would show nothing" : "is empty";
	o->count = n;
	return NULL;
}

static const char *take_view(struct options *o, const struct option_row *row, const char *value)
{
	enum tui_view view = tui_view_by_name(value);

	(void)row;
	if (view == VIEW_NR)
		return "is no view";
	o->tui.view = view;
	o->view_given = true;
	return NULL;
}

static const char *take_color(struct options *o, const struct option_row *row, const char *value)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never",
	};

	(void)row;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(value, names[i])) {
			o->tui.color = (enum tui_color)i;
			return NULL;
		}
	}
	return "is none of them";
}

static const char *take_no_mouse(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	o->tui.mouse = false;
	return NULL;
}

/* ---- the table --------------------------------------------------------------------------------- */

enum { KEY_JSON = 256, KEY_DERIVED, KEY_ROOT, KEY_VIEW, KEY_COLOR, KEY_ASCII, KEY_NO_MOUSE, KEY_PAGETYPES };

#define AT(member) offsetof(struct options, member)
#define TIMES "give seconds (2, 0.25), 250ms, 1m or 1h; at least 0.05"

static const struct option_row rows[] = {
	{ 'd', "delay", "SECS", "seconds between samples (1); 0.05 or more, 250ms, 1m",
	  take_delay, 0, TIMES },
	{ 'n', "iterations", "N", "leave after N samples", take_count, 0, "give a number from 1" },
	{ 'b', "batch", NULL, "text, no screen; one sample unless -n or -d is given",
	  take_flag, AT(batch), NULL },
	{ KEY_JSON, "json", NULL, "batch in JSON: a header line, then a line a sample",
	  take_flag, AT(json), NULL },
	{ KEY_DERIVED, "derived", NULL, "that, and a line of rates and flows for each sample",
	  take_flag, AT(derived), NULL },
	{ KEY_ROOT, "root", "DIR", "read a captured tree or a numbered series of them",
	  take_text, AT(root), "give a folder that holds proc, or folders 00, 01, … that do" },
	{ 'f', "filter", "TEXT", "only memcgs whose path holds TEXT", take_text, AT(tui.filter),
	  "give a part of a path" },
	{ 's', "sort", "KEY", "sort memcgs by this column", take_text, AT(tui.sort),
	  "give the name of a column of the view" },
	{ KEY_VIEW, "view", "NAME", "the first view, in batch the only one: overview, generations, memcgs, pagesets, processes",
	  take_view, 0, "there are overview, generations, memcgs, pagesets and processes" },
	{ KEY_COLOR, "color", "WHEN", "auto, always or never (auto)", take_color, 0,
	  "there are auto, always and never" },
	{ KEY_ASCII, "ascii", NULL, "draw with ASCII characters only", take_flag, AT(tui.ascii), NULL },
	{ KEY_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal", take_no_mouse, 0, NULL },
	{ KEY_PAGETYPES, "pagetypes", NULL,
	  "read /proc/pagetypeinfo in batch too, and on more than 64 CPUs (it can stall them)",
	  take_flag, AT(pagetypes), NULL },
	{ 'h', "help", NULL, "print this", NULL, 0, NULL },
	{ 'V', "version", NULL, "print the version", NULL, 0, NULL },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct option_row *row_of(int key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

/* The table as getopt_long() wants it. "-": words come in their place, wherever POSIXLY_CORRECT stands. */
static void to_getopt(struct option longs[ROWS + 1], char shorts[2 * ROWS + 3])
{
	char *p = shorts;

	*p++ = '-';
	*p++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		longs[i] = (struct option){ rows[i].name, rows[i].arg ? required_argument : no_argument,
					    NULL, rows[i].key };
		if (rows[i].key < 256) {
			*p++ = (char)rows[i].key;
			if (rows[i].arg)
				*p++ = ':';
		}
	}
	*p = '\0';
	longs[ROWS] = (struct option){ NULL, 0, NULL, 0 };
}

/* ---- wrong use --------------------------------------------------------------------------------- */

static enum parsed wrong(const char *what, const char *why, const char *advice)
{
	say_error(STATUS_USAGE, what, why, advice);
	return PARSED_WRONG;
}

static enum parsed wrong_value(const struct option_row *row, const char *value, const char *why)
{
	char what[40], quoted[256];

	snprintf(what, sizeof(what), "--%s", row->name);
	snprintf(quoted, sizeof(quoted), "'%.160s' %s", value, why);
	return wrong(what, quoted, row->advice);
}

/* getopt_long() found a word that begins with a dash and is no option, or one without its argument. */
static enum parsed wrong_option(char **argv, int result)
{
	const struct option_row *row = optopt ? row_of(optopt) : NULL;
	char letter[3] = { '-', (char)optopt, '\0' };
	const char *what = optopt && optopt < 256 ? letter : argv[optind - 1];

	if (result == ':')
		return wrong(what, "wants a value", row ? row->advice : SEE_HELP);
	if (row && !row->arg)
		return wrong(argv[optind - 1], "takes no value", SEE_HELP);
	return wrong(what, "there is no such option", SEE_HELP);
}

static enum parsed wrong_command(const struct command *commands, const char *word)
{
	char advice[256] = "there are";
	size_t len = strlen(advice);

	for (const struct command *c = commands + 1; c->run; c++) {
		const char *between = c == commands + 1 ? " " : c[1].run ? ", " : " and ";

		snprintf(advice + len, sizeof(advice) - len, "%s%s", between, c->name);
		len = strlen(advice);
	}
	return wrong(word, "there is no such command", advice);
}

/* ---- parsing ----------------------------------------------------------------------------------- */

/* What the words so far were. */
struct words {
	bool command, delay, count;
};

/* A word that is no option: a command first, then an interval and a count as vmstat takes them. */
static enum parsed take_word(const struct command *commands, const char *word, struct words *seen,
			     struct options *o)
{
	static const struct option_row as_delay = { .take = take_delay }, as_count = { .take = take_count };
	const char *why;

	if (!is_digit(word[0]) && !seen->command && !seen->delay) {
		for (const struct command *c = commands + 1; c->run; c++) {
			if (!strcmp(c->name, word)) {
				o->command = c;
				seen->command = true;
				return PARSED_RUN;
			}
		}
		return wrong_command(commands, word);
	}
	if (seen->count || !is_digit(word[0]))
		return wrong(word, "one word too many", SEE_HELP);
	why = seen->delay ? take_count(o, &as_count, word) : take_delay(o, &as_delay, word);
	if (why)
		return wrong(word, why, seen->delay ? "the second number counts samples" : TIMES);
	seen->count = seen->delay;
	seen->delay = true;
	return PARSED_RUN;
}

/* What does not go together, and what follows from what was given. */
static enum parsed settle(struct options *o, const struct words *seen, bool delay_option)
{
	o->json |= o->derived;
	if (o->json && o->view_given)
		return wrong("--view", "JSON holds everything", "leave one of the two out");
	if (o->json && (o->tui.filter || o->tui.sort))
		return wrong(o->tui.filter ? "--filter" : "--sort", "JSON holds everything as it comes",
			     "leave one of the two out");
	o->endless = !o->count && (seen->delay || (delay_option && (o->batch || o->json)));
	o->batch |= o->json;
	return PARSED_RUN;
}

static enum parsed take_option(const struct option_row *row, struct options *o)
{
	const char *why;

	if (!row->take)
		return row->key == 'h' ? PARSED_HELP : PARSED_VERSION;
	why = row->take(o, row, optarg);
	return why ? wrong_value(row, optarg, why) : PARSED_RUN;
}

enum parsed options_parse(int argc, char **argv, const struct command *commands, struct options *o)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 3];
	struct words seen = { false, false, false };
	bool delay_option = false;
	enum parsed parsed = PARSED_RUN;
	int key;

	to_getopt(longs, shorts);
	*o = (struct options){ .command = commands, .tui = { .mouse = true } };
	optind = 0;
	while (parsed == PARSED_RUN && (key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (key == '?' || key == ':')
			parsed = wrong_option(argv, key);
		else if (key == 1)
			parsed = take_word(commands, optarg, &seen, o);
		else
			parsed = take_option(row_of(key), o);
		delay_option |= key == 'd';
	}
	for (; parsed == PARSED_RUN && optind < argc; optind++)
		parsed = take_word(commands, argv[optind], &seen, o);
	return parsed == PARSED_RUN ? settle(o, &seen, delay_option) : parsed;
}

/* ---- help -------------------------------------------------------------------------------------- */

#define HELP_INDENT 25
#define HELP_COLUMNS 80

/* Text from column HELP_INDENT on, where the line stands now, broken between words. */
static void help_wrap(const char *text, struct buf *out)
{
	size_t column = HELP_INDENT, len;

	for (; *text; text += len) {
		text += strspn(text, " ");
		len = strcspn(text, " ");
		if (column + len > HELP_COLUMNS) {
			buf_printf(out, "\n%*s", HELP_INDENT, "");
			column = HELP_INDENT;
		}
		buf_add(out, text, len);
		column += len + 1;
		if (text[len] && column + strcspn(text + len + 1, " ") <= HELP_COLUMNS)
			buf_str(out, " ");
	}
	buf_str(out, "\n");
}

static void help_option(const struct option_row *row, struct buf *out)
{
	char left[40];
	const char *gap = row->arg ? " " : "", *arg = row->arg ? row->arg : "";

	if (row->key < 256)
		snprintf(left, sizeof(left), "-%c, --%s%s%s", row->key, row->name, gap, arg);
	else
		snprintf(left, sizeof(left), "    --%s%s%s", row->name, gap, arg);
	buf_printf(out, "  %-*s ", HELP_INDENT - 3, left);
	help_wrap(row->help, out);
}

void options_help(const struct command *commands, struct buf *out)
{
	buf_str(out, "usage: reclaimtop [COMMAND] [OPTIONS] [INTERVAL [COUNT]]\n"
		"A top for memory reclaim: the generations of the Multi-Gen LRU, who reclaims,\n"
		"and the per-CPU pagesets.\n\n");
	for (const struct command *c = commands; c->run; c++) {
		buf_printf(out, "  reclaimtop %-*s ", HELP_INDENT - 14, c->name);
		help_wrap(c->summary, out);
	}
	buf_str(out, "\n");
	for (size_t i = 0; i < ROWS; i++)
		help_option(&rows[i], out);
	buf_str(out, "\nINTERVAL and COUNT are --delay and --iterations, as with vmstat.\n"
		"Exit status: 0 done, 1 an error while running, 2 wrong use,\n"
		"3 no MGLRU here (doctor), 4 not permitted.\n");
}

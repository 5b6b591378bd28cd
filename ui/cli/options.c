/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "options_take.h"
#include "say.h"

#define SEE_HELP "reclaimtop --help shows what there is"

/* ---- the table ------------------------------------------------------------------------------- */

enum {
	KEY_JSON = 256,
	KEY_DERIVED,
	KEY_ROOT,
	KEY_VIEW,
	KEY_COLOR,
	KEY_THEME,
	KEY_ASCII,
	KEY_NO_MOUSE,
	KEY_NO_MOTION,
	KEY_NO_CONFIG,
	KEY_SVG,
	KEY_TEXT,
	KEY_SIZE,
	KEY_KEYS,
	KEY_PAGETYPES,
	KEY_EVENTS,
	KEY_FROM,
	KEY_TO,
	KEY_WINDOW,
	KEY_TOTALS,
	KEY_ALL,
	KEY_SCORE,
	KEY_FAIL_IF,
	KEY_TABLE,
	KEY_FOR,
	KEY_APPEND,
	KEY_FORCE,
	KEY_ANONYMIZE,
	KEY_ROTATE,
	KEY_KEEP,
	KEY_FOLLOW
};

#define AT(member) offsetof(struct options, member)
#define TIMES "give seconds (2, 0.25), 250ms, 1m or 1h; at least 0.05"

static const struct option_row rows[] = {
	{ 'd', "delay", "SECS", "seconds between samples (1); 0.05 or more, 250ms, 1m", take_delay,
	  0, TIMES, NULL },
	{ 'n', "iterations", "N", "leave after N samples", take_count, 0, "give a number from 1",
	  NULL },
	{ 'b', "batch", NULL, "text, no screen; one sample unless -n or -d is given", take_flag,
	  AT(batch), NULL, NULL },
	{ KEY_JSON, "json", NULL, "batch in JSON: a header line, then a line a sample", take_flag,
	  AT(json), NULL, NULL },
	{ KEY_DERIVED, "derived", NULL, "that, and a line of rates and flows for each sample",
	  take_flag, AT(derived), NULL, NULL },
	{ KEY_ROOT, "root", "DIR", "read a captured tree or a numbered series of them", take_text,
	  AT(root), "give a folder that holds proc, or folders 00, 01, … that do", NULL },
	{ 'f', "filter", "TEXT", "only memcgs whose path holds TEXT", take_text, AT(tui.filter),
	  "give a part of a path", NULL },
	{ 's', "sort", "KEY", "sort memcgs by this column", take_text, AT(tui.sort),
	  "give the name of a column of the view", NULL },
	{ KEY_VIEW, "view", "NAME",
	  "the first view, in batch the only one: overview, generations, memcgs, pagesets, processes, time",
	  take_view, 0, "there are overview, generations, memcgs, pagesets, processes and time", NULL },
	{ KEY_COLOR, "color", "WHEN", "auto, always or never (auto)", take_color, 0,
	  "there are auto, always and never", NULL },
	{ KEY_THEME, "theme", "NAME", "colours for a ground: auto, dark, light, mono (auto)", take_theme,
	  0, "there are auto, dark, light and mono", NULL },
	{ KEY_ASCII, "ascii", NULL, "draw with ASCII characters only", take_flag, AT(tui.ascii),
	  NULL, NULL },
	{ KEY_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal", take_no_mouse, 0, NULL,
	  NULL },
	{ KEY_NO_MOTION, "no-motion", NULL, "nothing moves on the screen between two samples", take_flag,
	  AT(tui.no_motion), NULL, NULL },
	{ KEY_NO_CONFIG, "no-config", NULL, "without the settings that were saved", take_flag,
	  AT(no_config), NULL, NULL },
	{ KEY_SVG, "svg", "FILE", "the last screen as a picture (- is standard output)", take_text,
	  AT(svg), "give a file", NULL },
	{ KEY_TEXT, "text", "FILE", "the last screen as text", take_text, AT(text), "give a file", NULL },
	{ KEY_SIZE, "size", "CxR", "columns and rows of that screen (120x40)", take_size, 0,
	  "give columns and rows, as 80x24", NULL },
	{ KEY_KEYS, "keys", "KEYS", "keys pressed before, as 3x or 2<Down>", take_text, AT(keys),
	  "give keys", NULL },
	{ KEY_PAGETYPES, "pagetypes", NULL,
	  "read /proc/pagetypeinfo in batch too, and on more than 64 CPUs (it can stall them)",
	  take_flag, AT(pagetypes), NULL, NULL },
	{ KEY_EVENTS, "events", NULL,
	  "count drains and refills of pagesets by the kernel's own events: writes to tracefs, and undoes it",
	  take_flag, AT(events), NULL, NULL },
	{ KEY_FROM, "from", "MARK", "only what came after this marker (start: the command's start)",
	  take_text, AT(from), "give the text of a marker, or start", "report compare export" },
	{ KEY_TO, "to", "MARK", "and before this one (end: the command's end)", take_text, AT(to),
	  "give the text of a marker, or end", "report compare export" },
	{ KEY_WINDOW, "window", "T..T",
	  "only this stretch of time, counted from the start or --from", take_window, 0,
	  "give two times, as 10s..60s, or one of them", "report compare export" },
	{ KEY_TOTALS, "totals", NULL, "compare what came together, not what came in a second",
	  take_flag, AT(totals), NULL, "compare" },
	{ KEY_ALL, "all", NULL, "with every counter of /proc/vmstat", take_flag, AT(all), NULL,
	  "compare export" },
	{ KEY_SCORE, "score", "FILE",
	  "a score a run: lines of RUN NUMBER, or a NUMBER for each in order", take_text, AT(score),
	  "give a file", "compare" },
	{ KEY_FAIL_IF, "fail-if", "COND",
	  "exit 1 where METRIC>5% or METRIC<-3% holds; may be given again", take_fail_if, 0,
	  "16 are too many", "compare" },
	{ KEY_TABLE, "table", "NAME", "which table to export (metric)", take_text, AT(table),
	  "reclaimtop export --table help lists them", "export" },
	{ 'o', "output", "FILE", "record to this file; .zst is compressed, - is standard output",
	  take_text, AT(output), "give a file", "record" },
	{ KEY_FOR, "for", "TIME", "record so long, as 90s, 10m, 8h", take_span, AT(for_us),
	  "give a time, as 10m", "record" },
	{ KEY_APPEND, "append", NULL, "record behind what the file holds", take_flag, AT(append),
	  NULL, "record" },
	{ KEY_FORCE, "force", NULL, "record in place of what the file holds", take_flag, AT(force),
	  NULL, "record" },
	{ KEY_ANONYMIZE, "anonymize", NULL, "names of memcgs and processes become pseudonyms",
	  take_flag, AT(anonymize), NULL, "record" },
	{ KEY_ROTATE, "rotate", "LIMIT", "begin a new file at this size (64M) or age (24h)",
	  take_rotate, 0, "give a size as 500K, 64M, 2G, or a time as 30m, 24h", "record" },
	{ KEY_KEEP, "keep", "N", "old files kept when a new one is begun; all without this",
	  take_keep, 0, "give a number from 1", "record" },
	{ KEY_FOLLOW, "follow", NULL, "go on with a recording that is still being written",
	  take_flag, AT(follow), NULL, "replay" },
	{ 'h', "help", NULL, "print this", NULL, 0, NULL, NULL },
	{ 'V', "version", NULL, "print the version", NULL, 0, NULL, NULL },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct option_row *row_of(int key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].key == key)
			return &rows[i];
	return NULL;
}

/*
 * The table as getopt_long() wants it. "-": words come in their place, wherever POSIXLY_CORRECT
 * stands.
 */
static void to_getopt(struct option longs[ROWS + 1], char shorts[2 * ROWS + 3])
{
	char *p = shorts;

	*p++ = '-';
	*p++ = ':';
	for (size_t i = 0; i < ROWS; i++) {
		longs[i] = (struct option){ rows[i].name,
					    rows[i].arg ? required_argument : no_argument, NULL,
					    rows[i].key };
		if (rows[i].key < 256) {
			*p++ = (char)rows[i].key;
			if (rows[i].arg)
				*p++ = ':';
		}
	}
	*p = '\0';
	longs[ROWS] = (struct option){ NULL, 0, NULL, 0 };
}

/* ---- wrong use ------------------------------------------------------------------------------- */

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

/*
 * getopt_long() found a word that begins with a dash and is no option, or one without its argument.
 */
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

/* ---- parsing --------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What the words so far were. */
struct words {
	bool command, delay, count;
};

static enum parsed take_operand(const char *word, struct options *o)
{
	if (o->nwords == o->command->max_words)
		return wrong(word, "one word too many", o->command->advice);
	o->words[o->nwords++] = word;
	return PARSED_RUN;
}

/* A word that is no option: a command first, then an interval and a count as vmstat takes them. */
static enum parsed take_word(const struct command *commands, const char *word, struct words *seen,
			     struct options *o)
{
	static const struct option_row as_delay = { .take = take_delay },
				       as_count = { .take = take_count };
	const char *why;

	if (o->command->words)
		return take_operand(word, o);
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

static bool is_of(const struct option_row *row, const struct command *command)
{
	size_t len = strlen(command->name);

	for (const char *p = row->of; p && *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (!strncmp(p, command->name, len) && strcspn(p, " ") == len)
			return true;
	return !row->of;
}

/* An option that is another command's. */
static enum parsed check_owner(const struct option_row *row, const struct options *o)
{
	char what[40], advice[80];

	if (is_of(row, o->command))
		return PARSED_RUN;
	snprintf(what, sizeof(what), "--%s", row->name);
	snprintf(advice, sizeof(advice), "it belongs to %s", row->of);
	return wrong(what,
		     *o->command->name ? "this command has no such option" : "it wants a command",
		     advice);
}

static enum parsed check_record(const struct options *o)
{
	if (o->no_pauses && !(o->command->runs && o->root))
		return wrong("--delay", "'0' is shorter than 0.05 s", TIMES);
	if (o->append && o->force)
		return wrong("--append", "and --force contradict each other",
			     "leave one of the two out");
	if (o->keep && !o->rotate_bytes && !o->rotate_us)
		return wrong("--keep", "there are no old files without --rotate", "give both");
	if (o->run && o->root)
		return wrong(o->run[0], "it cannot run in a captured tree", "leave out --root");
	return PARSED_RUN;
}

/* Only a running kernel has them. */
static enum parsed check_events(const struct options *o)
{
	if (!o->events)
		return PARSED_RUN;
	if (o->root)
		return wrong("--events", "a captured tree has none", "leave one of the two out");
	if (*o->command->name && !o->command->runs)
		return wrong("--events", "this command looks at no running kernel", "it belongs to the live view and to record");
	return PARSED_RUN;
}

static enum parsed check_given(const struct options *o, const bool given[ROWS])
{
	enum parsed parsed = PARSED_RUN;

	for (size_t i = 0; i < ROWS && parsed == PARSED_RUN; i++)
		if (given[i])
			parsed = check_owner(&rows[i], o);
	if (parsed == PARSED_RUN)
		parsed = check_record(o);
	if (parsed == PARSED_RUN)
		parsed = check_events(o);
	if (parsed == PARSED_RUN && o->command->words && o->nwords < o->command->min_words)
		return wrong(o->command->name, "it wants a file", o->command->advice);
	return parsed;
}

/* What does not go together, and what follows from what was given. */
static enum parsed settle(struct options *o, const struct words *seen, bool delay_option)
{
	o->json |= o->derived;
	if (o->json && o->view_given)
		return wrong("--view", "JSON holds everything", "leave one of the two out");
	if (o->json && (o->tui.filter || o->tui.sort))
		return wrong(o->tui.filter ? "--filter" : "--sort",
			     "JSON holds everything as it comes", "leave one of the two out");
	o->endless = !o->count && (seen->delay || (delay_option && (o->batch || o->json)));
	if (o->json && (o->svg || o->text))
		return wrong(o->svg ? "--svg" : "--text", "JSON is no screen", "leave one of the two out");
	o->batch |= o->json || o->svg || o->text;
	return PARSED_RUN;
}

bool options_given(const struct options *o, const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, name))
			return o->given >> i & 1;
	return false;
}

static enum parsed take_option(const struct option_row *row, struct options *o, bool given[ROWS])
{
	const char *why;

	given[row - rows] = true;
	o->given |= UINT64_C(1) << (row - rows);
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
	bool given[ROWS] = { false };
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
			parsed = take_option(row_of(key), o, given);
		delay_option |= key == 'd';
	}
	if (o->command->runs && optind < argc) {
		o->run = argv + optind;
		optind = argc;
	}
	for (; parsed == PARSED_RUN && optind < argc; optind++)
		parsed = take_word(commands, argv[optind], &seen, o);
	if (parsed == PARSED_RUN)
		parsed = check_given(o, given);
	return parsed == PARSED_RUN ? settle(o, &seen, delay_option) : parsed;
}

/* ---- help ------------------------------------------------------------------------------------ */

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

/*
 * " [report, compare]": the commands that take it, nothing where all do. False: none of these does.
 */
static bool help_owners(const struct option_row *row, const struct command *commands,
			struct buf *out)
{
	const char *before = " [";

	for (const struct command *c = commands; row->of && c->run; c++) {
		if (!is_of(row, c))
			continue;
		buf_printf(out, "%s%s", before, c->name);
		before = ", ";
	}
	if (before[0] == ',')
		buf_str(out, "]");
	return !row->of || before[0] == ',';
}

static void help_option(const struct option_row *row, const struct command *commands,
			struct buf *out)
{
	const char *gap = row->arg ? " " : "", *arg = row->arg ? row->arg : "";
	struct buf text = { 0 };
	char left[40];

	if (row->key < 256)
		snprintf(left, sizeof(left), "-%c, --%s%s%s", row->key, row->name, gap, arg);
	else
		snprintf(left, sizeof(left), "    --%s%s%s", row->name, gap, arg);
	buf_str(&text, row->help);
	if (help_owners(row, commands, &text)) {
		buf_printf(out, "  %-*s ", HELP_INDENT - 3, left);
		help_wrap(text.data, out);
	}
	buf_fini(&text);
}

static void help_command(const struct command *c, struct buf *out)
{
	char left[60];

	snprintf(left, sizeof(left), "%s%s%s", c->name, c->words ? " " : "",
		 c->words ? c->words : "");
	if (strlen(left) > HELP_INDENT - 14)
		buf_printf(out, "  reclaimtop %s\n%*s", left, HELP_INDENT, "");
	else
		buf_printf(out, "  reclaimtop %-*s ", HELP_INDENT - 14, left);
	help_wrap(c->summary, out);
}

void options_help(const struct command *commands, struct buf *out)
{
	buf_str(out, "usage: reclaimtop [COMMAND] [OPTIONS] [INTERVAL [COUNT]]\n"
		"A top for memory reclaim: the generations of the Multi-Gen LRU, who reclaims,\n"
		"and the per-CPU pagesets.\n\n");
	for (const struct command *c = commands; c->run; c++)
		help_command(c, out);
	buf_str(out, "\n");
	for (size_t i = 0; i < ROWS; i++)
		help_option(&rows[i], commands, out);
	buf_str(out, "\nINTERVAL and COUNT are --delay and --iterations, as with vmstat.\n"
		"Exit status: 0 done, 1 an error while running, 2 wrong use,\n"
		"3 no MGLRU here (doctor), 4 not permitted, 5 an unreadable recording.\n");
}

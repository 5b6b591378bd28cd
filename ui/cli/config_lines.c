/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "options_take.h"
#include "say.h"

static const char *const motions[MOTION_MODES] = {
	[MOTION_AS_IT_IS] = "on", [MOTION_SLOW] = "slow", [MOTION_STILL] = "off",
};

const char *config_motion_name(enum tui_motion motion)
{
	return motions[motion < MOTION_MODES ? motion : MOTION_AS_IT_IS];
}

/* --- what a setting does with its value: as the options do, what is wrong or NULL --- */

static const char *take_yes(bool *out, const char *value)
{
	bool yes = !strcmp(value, "yes") || !strcmp(value, "on") || !strcmp(value, "true");

	if (!yes && strcmp(value, "no") && strcmp(value, "off") && strcmp(value, "false"))
		return "is neither yes nor no";
	*out = yes;
	return NULL;
}

static const char *take_ascii(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return take_yes(&o->tui.ascii, value);
}

static const char *take_mouse(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	return take_yes(&o->tui.mouse, value);
}

static const char *take_units(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	if (strcmp(value, "pages") && strcmp(value, "bytes"))
		return "is neither bytes nor pages";
	o->tui.in_pages = !strcmp(value, "pages");
	return NULL;
}

static const char *take_motion(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	for (int i = 0; i < MOTION_MODES; i++) {
		if (!strcmp(value, motions[i])) {
			o->tui.motion = (enum tui_motion)i;
			o->tui.no_motion = i == MOTION_STILL;
			return NULL;
		}
	}
	return "is none of on, slow and off";
}

static const char *take_pause(struct options *o, const struct option_row *row, const char *value)
{
	bool no_pauses = o->no_pauses;
	const char *why = strcmp(value, "0") ? take_delay(o, row, value) : "is shorter than 0.05 s";

	o->no_pauses = no_pauses;
	return why;
}

static const struct setting {
	const char *name;
	const char *option;    /* that says the same on the command line, and goes before; NULL: none */
	take_fn *take;
} settings[] = {
	{ "theme", "theme", take_theme },  { "ascii", "ascii", take_ascii },   { "mouse", "no-mouse", take_mouse },
	{ "delay", "delay", take_pause },  { "view", "view", take_view },      { "units", NULL, take_units },
	{ "motion", "no-motion", take_motion },
};

#define SETTINGS (sizeof(settings) / sizeof(settings[0]))

static const struct option_row no_row;

/* --- lines --- */

/* One line, in pieces. */
struct line {
	uint32_t number;
	char *name, *word, *value;     /* "sort", "memcgs", "current"; word "" where it has none */
};

static void wrong(struct config *c, const struct line *l, const char *why)
{
	char what[300];

	snprintf(what, sizeof(what), "%.200s:%" PRIu32, c->path, l->number);
	if (!c->wrong++)
		snprintf(c->notice, sizeof(c->notice), "Settings: %.120s: %.100s", what, why);
	say_error(STATUS_FAILED, what, why, "the line was passed over");
}

static void wrong_value(struct config *c, const struct line *l, const char *why)
{
	char text[280];

	snprintf(text, sizeof(text), "%.40s%s%.40s: '%.60s' %.80s", l->name, l->word[0] ? " " : "", l->word, l->value, why);
	wrong(c, l, text);
}

/* The value may be as good as it is. */
static void wrong_name(struct config *c, const struct line *l, const char *why)
{
	char text[280];

	snprintf(text, sizeof(text), "'%.40s%s%.40s' %s", l->name, l->word[0] ? " " : "", l->word, why);
	wrong(c, l, text);
}

static char *trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	for (n = strlen(s); n && strchr(" \t\r", s[n - 1]); n--)
		s[n - 1] = '\0';
	return s;
}

/* "name word = value"; false where it is nothing of the kind. */
static bool split(char *text, struct line *l)
{
	char *equals = strchr(text, '=');

	if (!equals)
		return false;
	*equals = '\0';
	l->value = trim(equals + 1);
	l->name = trim(text);
	l->word = l->name + strcspn(l->name, " \t");
	if (*l->word)
		*l->word++ = '\0';
	l->word = trim(l->word);
	return l->name[0] && l->value[0];
}

static void take_setting(struct config *c, struct options *o, const struct line *l)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const char *why;

		if (strcmp(settings[i].name, l->name) || l->word[0])
			continue;
		if (settings[i].option && options_given(o, settings[i].option))
			return;
		why = settings[i].take(o, &no_row, l->value);
		if (why)
			wrong_value(c, l, why);
		return;
	}
	wrong_name(c, l, "is no setting");
}

/* Take a word off the end of a value, if there is another before it. */
static bool cut_word(char *value, const char *word)
{
	size_t len = strlen(value), n = strlen(word);

	if (len < n + 2 || strcmp(value + len - n, word) || !strchr(" \t", value[len - n - 1]))
		return false;
	value[len - n] = '\0';
	trim(value);
	return true;
}

static void take_sort(struct config *c, struct options *o, const struct line *l)
{
	enum tui_view view = tui_view_by_name(l->word);
	bool reversed = cut_word(l->value, "reversed");

	if (view == VIEW_NR)
		wrong_name(c, l, "names no view");
	else if (!tui_view_sorts_by(view, l->value))
		wrong_value(c, l, "is no column of that view");
	else
		o->tui.sorts[view] = l->value, o->tui.reversed[view] = reversed;
}

static void take_key(struct config *c, const struct line *l)
{
	const char *why = keymap_set(&c->keys, l->word, l->value);

	if (why)
		wrong_value(c, l, why);
}

static void take_line(struct config *c, struct options *o, const struct line *l)
{
	if (!strcmp(l->name, "sort") && l->word[0])
		take_sort(c, o, l);
	else if (!strcmp(l->name, "key") && l->word[0])
		take_key(c, l);
	else
		take_setting(c, o, l);
}

/* Once all lines are in: keys that two actions have. The later line gives way. */
static void check_key(struct config *c, const struct line *l)
{
	char name[KEYMAP_TEXT], why[KEYMAP_TEXT + 40];
	const char *other = keymap_clash(&c->keys, l->word, name);

	if (!other)
		return;
	snprintf(why, sizeof(why), "is a key of %s already", other);
	wrong_value(c, l, why);
	keymap_unset(&c->keys, l->word);
}

#define KEY_LINES 64

void config_lines(struct config *c, struct options *o, char *text)
{
	struct line keys[KEY_LINES], l = { .number = 0 };
	int nkeys = 0;
	char *end;

	for (; text; text = end) {
		end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		l.number++;
		text = trim(text);
		if (!text[0] || text[0] == '#')
			continue;
		if (!split(text, &l)) {
			wrong(c, &l, "is no line of name = value");
			continue;
		}
		take_line(c, o, &l);
		if (!strcmp(l.name, "key") && nkeys < KEY_LINES)
			keys[nkeys++] = l;
	}
	while (nkeys--)
		check_key(c, &keys[nkeys]);
}

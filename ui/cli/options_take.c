/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options_take.h"

#include <string.h>

#include "ui/tui/theme.h"

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

const char *take_flag(struct options *o, const struct option_row *row, const char *value)
{
	(void)value;
	*(bool *)((char *)o + row->offset) = true;
	return NULL;
}

const char *take_text(struct options *o, const struct option_row *row, const char *value)
{
	if (!*value)
		return "is empty";
	*(const char **)((char *)o + row->offset) = value;
	return NULL;
}

const char *take_delay(struct options *o, const struct option_row *row, const char *value)
{
	int64_t us = options_time(value);

	(void)row;
	if (us < 0)
		return "is no time";
	o->no_pauses = !us;
	if (!us)
		return NULL;
	if (us < DELAY_MIN_US)
		return "is shorter than 0.05 s";
	if (us > DELAY_MAX_US)
		return "is longer than a day";
	o->delay_us = us;
	return NULL;
}

const char *take_count(struct options *o, const struct option_row *row, const char *value)
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

const char *take_span(struct options *o, const struct option_row *row, const char *value)
{
	int64_t us = options_time(value);

	if (us <= 0)
		return us ? "is no time" : "is no time at all";
	*(int64_t *)(void *)((char *)o + row->offset) = us;
	return NULL;
}

/* Bytes of "64M", 0 where it is no size. */
static uint64_t size_of(const char *text)
{
	static const char units[] = "KMGT";
	const char *unit, *p = text;
	uint64_t n = 0;

	for (; is_digit(*p); p++)
		if (n < UINT64_C(1) << 32)
			n = n * 10 + (uint64_t)(*p - '0');
	unit = *p ? strchr(units, *p) : NULL;
	if (!unit || n >= UINT64_C(1) << 20 || (strcmp(p + 1, "") && strcmp(p + 1, "iB")))
		return 0;
	return n << 10 * (unit - units + 1);
}

const char *take_rotate(struct options *o, const struct option_row *row, const char *value)
{
	size_t len = strlen(value);

	(void)row;
	o->rotate_bytes = size_of(value);
	o->rotate_us =
		o->rotate_bytes || !len || is_digit(value[len - 1]) ? 0 : options_time(value);
	return o->rotate_bytes || o->rotate_us > 0 ? NULL : "is neither a size nor a time";
}

const char *take_keep(struct options *o, const struct option_row *row, const char *value)
{
	uint64_t count = o->count;
	const char *why = take_count(o, row, value);

	o->keep = o->count;
	o->count = count;
	return why;
}

const char *take_view(struct options *o, const struct option_row *row, const char *value)
{
	enum tui_view view = tui_view_by_name(value);

	(void)row;
	if (view == VIEW_NR)
		return "is no view";
	o->tui.view = view;
	o->view_given = true;
	return NULL;
}

const char *take_color(struct options *o, const struct option_row *row, const char *value)
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

const char *take_theme(struct options *o, const struct option_row *row, const char *value)
{
	enum tui_theme theme = theme_by_name(value);

	(void)row;
	if (theme == THEME_NR)
		return "is no theme";
	o->tui.theme = theme;
	return NULL;
}

/* "120x40": columns and rows, as terminals say it. */
const char *take_size(struct options *o, const struct option_row *row, const char *value)
{
	int parts[2] = { 0, 0 }, n = 0;

	(void)row;
	for (const char *p = value; *p; p++) {
		if (is_digit(*p) && parts[n] < 1000)
			parts[n] = parts[n] * 10 + (*p - '0');
		else if (*p != 'x' || n++)
			return "is no size";
	}
	if (n != 1 || parts[0] < 1 || parts[1] < 1 || parts[0] > 1000 || parts[1] > 1000)
		return "is no size";
	o->cols = parts[0];
	o->rows = parts[1];
	return NULL;
}

const char *take_no_mouse(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	o->tui.mouse = false;
	return NULL;
}

/* A time that ends at end; nothing at all is otherwise. -1 where it is no time. */
static int64_t time_until(const char *text, const char *end, int64_t otherwise)
{
	char copy[40];

	if (text == end)
		return otherwise;
	if ((size_t)(end - text) >= sizeof(copy))
		return -1;
	memcpy(copy, text, (size_t)(end - text));
	copy[end - text] = '\0';
	return options_time(copy);
}

const char *take_window(struct options *o, const struct option_row *row, const char *value)
{
	const char *dots = strstr(value, "..");

	(void)row;
	if (!dots || !strcmp(value, ".."))
		return "is no stretch of time";
	o->window_from_us = time_until(value, dots, 0);
	o->window_to_us = time_until(dots + 2, dots + strlen(dots), INT64_MAX);
	if (o->window_from_us < 0 || o->window_to_us < 0)
		return "holds no time";
	if (o->window_from_us >= o->window_to_us)
		return "ends before it begins";
	o->window_given = true;
	return NULL;
}

const char *take_fail_if(struct options *o, const struct option_row *row, const char *value)
{
	(void)row;
	if (o->nfail_if == OPTIONS_FAIL_IF)
		return "is one too many";
	o->fail_if[o->nfail_if++] = value;
	return NULL;
}

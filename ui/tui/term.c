/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "keys.h"
#include "reclaimtop/arena.h"
#include "reclaimtop/clock.h"
#include "reclaimtop/names.h"
#include "theme.h"
#include "wire.h"

struct term {
	struct wire wire;
	SCREEN *screen;
	FILE *out;              /* curses writes here: at first the terminal, then the memory behind it */
	struct change change;
	attr_t attrs[STYLE_NR];
	short pairs[STYLE_NR];
	int click_row, click_col;
	bool utf8, mouse, again;
};

#define ANSWER_KEY (KEY_MAX + 1)

/* Mouse reports and cursor as they were, colours off: understood, or passed over, by whatever has the cursor's powers. */
#define MOUSE_OFF "\033[?1000l\033[?1002l\033[?1006l"

/* --- colours --- */

static bool wants_color(enum tui_color color)
{
	const char *no = getenv("NO_COLOR");

	if (color == COLOR_AUTO)
		return !no || !no[0];
	return color == COLOR_ALWAYS;
}

static attr_t attrs_of(struct look look)
{
	return (look.attr & LOOK_BOLD ? A_BOLD : 0) | (look.attr & LOOK_DIM ? A_DIM : 0) |
	       (look.attr & LOOK_REVERSE ? A_REVERSE : 0) | (look.attr & LOOK_UNDERLINE ? A_UNDERLINE : 0);
}

/* Does a colour stand for itself, eight bits for each of red, green and blue? */
static bool has_direct_color(int colors)
{
	const char *bits = tigetstr((char *)(uintptr_t)"RGB");

	if (colors < THEME_DIRECT)
		return false;
	return tigetflag((char *)(uintptr_t)"RGB") > 0 || tigetnum((char *)(uintptr_t)"RGB") == 8 ||
	       (bits && bits != (char *)-1 && !strncmp(bits, "8/8/8", 5));
}

/* Where a colour stands for itself the lowest numbers are still those of the palette: such a blue gets a trace of green. */
static int color_of(int color, bool direct)
{
	int value = color >= 0 && direct ? (int)theme_rgb(color) : color;

	return value >= 0 && direct && value < 0x100 ? value | 0x100 : value;
}

static int start_colors(enum tui_color color, bool *direct)
{
	if (!wants_color(color) || !has_colors() || start_color() != OK)
		return 0;
	use_default_colors();
	*direct = has_direct_color(COLORS);
	/* What the many colours of such a terminal are, nobody can tell; the first eight are what they always were. */
	return COLORS > 256 && !*direct ? 8 : COLORS;
}

static void init_styles(struct term *t, const struct tui_options *options)
{
	enum tui_theme theme = theme_settle(options->theme, getenv("COLORFGBG"));
	bool direct = false;
	int colors = theme == THEME_MONO ? 0 : start_colors(options->color, &direct);

	for (int i = 0; i < STYLE_NR; i++) {
		struct look look = theme_look((enum style)i, theme, colors);

		t->attrs[i] = attrs_of(look);
		t->pairs[i] = 0;
		if (colors >= 8 && (look.fg >= 0 || look.bg >= 0) && i + 1 < COLOR_PAIRS) {
			t->pairs[i] = (short)(i + 1);
			init_extended_pair(i + 1, color_of(look.fg, direct), color_of(look.bg, direct));
		}
	}
}

/* --- taking the terminal --- */

/* Why it cannot be taken, and what to do about it. */
static const struct {
	const char *before, *after;    /* around the value of TERM, where that matters */
} refusals[] = {
	{ "terminal: it cannot be opened; try --batch", NULL },
	{ "terminal: TERM is not set; set it, as in TERM=xterm, or try --batch", NULL },
	{ "terminal: TERM=", " is not known here; try TERM=xterm, set TERMINFO to where it is, or try --batch" },
	{ "terminal: TERM=", " cannot move its cursor; try TERM=xterm or --batch" },
	{ "terminal: no memory for the screen; try --batch", NULL },
};

enum refusal { REFUSE_OPEN, REFUSE_UNSET, REFUSE_UNKNOWN, REFUSE_CURSOR, REFUSE_MEMORY };

static struct term *refuse(struct term *t, char *why, size_t size, enum refusal r)
{
	const char *name = getenv("TERM"), *after = refusals[r].after;

	snprintf(why, size, "%s%.60s%s", refusals[r].before, after && name ? name : "", after ? after : "");
	if (t->screen) {
		endwin();
		delscreen(t->screen);
		tcsetattr(t->wire.tty.in, TCSANOW, &t->wire.tty.shell);
		tty_unguard();
	}
	if (t->out)
		fclose(t->out);
	tty_close(&t->wire.tty);
	free(t);
	return NULL;
}

static const char *capability(const char *name)
{
	const char *s = tigetstr((char *)(uintptr_t)name);

	return s && s != (char *)-1 ? s : "";
}

static void set_modes(struct term *t)
{
	set_escdelay(25);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	leaveok(stdscr, TRUE);
	tcgetattr(t->wire.tty.in, &t->wire.tty.screen);
	/* Else the kernel, having sent the signal of a key, drops what we write in answer to it. */
	t->wire.tty.screen.c_lflag |= NOFLSH;
	tcsetattr(t->wire.tty.in, TCSANOW, &t->wire.tty.screen);
}

static void guard(const struct term *t)
{
	char reset[256];

	snprintf(reset, sizeof(reset), "%s%.40s%.40s%.40s%.60s", t->mouse ? MOUSE_OFF : "", capability("sgr0"),
		 capability("rmkx"), capability("cnorm"), capability("rmcup"));
	tty_guard(&t->wire.tty, reset);
}

static void start_mouse(struct term *t, bool wanted)
{
	t->mouse = wanted && mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL) != 0;
	/* A press is one at once: nobody waits whether it becomes a double click. */
	mouseinterval(0);
}

static void start_pace(struct term *t)
{
	wire_start(&t->wire, capability("u7"));
	define_key(WIRE_ANSWER, ANSWER_KEY);
}

static void start_screen(struct term *t, const struct tui_options *options)
{
	int rows, cols;

	guard(t);
	set_modes(t);
	start_mouse(t, options->mouse);
	guard(t);
	init_styles(t, options);
	start_pace(t);
	term_size(t, &rows, &cols);
	t->again = true;
}

struct term *term_open(const struct tui_options *options, char *why, size_t size)
{
	struct term *t = mem_alloc(sizeof(*t));
	const char *name = getenv("TERM");

	memset(t, 0, sizeof(*t));
	setlocale(LC_CTYPE, "");
	t->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (tty_open(&t->wire.tty))
		return refuse(t, why, size, REFUSE_OPEN);
	if (!name || !name[0])
		return refuse(t, why, size, REFUSE_UNSET);
	t->out = fdopen(fcntl(t->wire.tty.out, F_DUPFD_CLOEXEC, 3), "w");
	if (!t->out)
		return refuse(t, why, size, REFUSE_OPEN);
	t->screen = newterm((char *)(uintptr_t)name, t->out, t->wire.tty.in == STDIN_FILENO ? stdin : stdout);
	if (!t->screen)
		return refuse(t, why, size, REFUSE_UNKNOWN);
	if (!capability("cup")[0])
		return refuse(t, why, size, REFUSE_CURSOR);
	start_screen(t, options);
	return wire_to_memory(&t->wire, fileno(t->out)) ? t : refuse(t, why, size, REFUSE_MEMORY);
}

/* --- bytes --- */

int64_t term_when(const struct term *t, int64_t now_us)
{
	return pace_when(&t->wire.pace, now_us);
}

int term_flush(struct term *t)
{
	return tty_flush(&t->wire.tty);
}

bool term_is_ready(const struct term *t)
{
	return tty_is_ready(&t->wire.tty);
}

int term_in(const struct term *t)
{
	return t->wire.tty.in;
}

int term_out(const struct term *t)
{
	return t->wire.tty.out;
}

bool term_is_pending(const struct term *t)
{
	return tty_is_pending(&t->wire.tty);
}

bool term_is_utf8(const struct term *t)
{
	return t->utf8;
}

bool term_has_braille(void)
{
	const char *name = getenv("TERM");

	return !name || strncmp(name, "linux", 5);
}

/* --- leaving and coming back --- */

void term_leave(struct term *t)
{
	wire_drop(&t->wire);
	endwin();
	if (t->mouse)
		tty_put(&t->wire.tty, MOUSE_OFF, sizeof(MOUSE_OFF) - 1);
	wire_collect(&t->wire);
	/* Curses gives a palette back as the terminal was built, as if it had changed it; the user may have another one. */
	wire_cut(&t->wire, capability("oc"));
	wire_end(&t->wire, t->mouse);
	tcsetattr(t->wire.tty.in, TCSANOW, &t->wire.tty.shell);
	tty_unguard();
}

void term_enter(struct term *t)
{
	int rows, cols;

	tcsetattr(t->wire.tty.in, TCSANOW, &t->wire.tty.screen);
	guard(t);
	start_pace(t);
	term_size(t, &rows, &cols);
	t->again = true;
}

void term_close(struct term *t)
{
	if (!t)
		return;
	term_leave(t);
	delscreen(t->screen);
	fclose(t->out);
	close(t->wire.memory);
	tty_close(&t->wire.tty);
	change_fini(&t->change);
	free(t);
}

void term_size(struct term *t, int *rows, int *cols)
{
	tty_size(&t->wire.tty, rows, cols);
	if (*rows <= 0 || *cols <= 0) {
		*rows = LINES;
		*cols = COLS;
	} else if (*rows != LINES || *cols != COLS) {
		resizeterm(*rows, *cols);
	}
}

/* --- cells --- */

static void put_cell(void *ctx, int row, int col, const struct cell *c)
{
	const struct term *t = ctx;
	wchar_t wide[CELL_BYTES + 1];
	cchar_t out;
	size_t at = 0, n = 0;
	uint32_t code;
	int columns;

	for (size_t len; n < CCHARW_MAX && (len = name_next(c->text + at, &code, &columns)); at += len)
		wide[n++] = (wchar_t)code;
	wide[n] = L'\0';
	/* Curses cannot take a cell of the last row's last column back once it scrolled; it does not scroll. */
	if (move(row, col) == OK && setcchar(&out, wide, t->attrs[c->style], t->pairs[c->style], NULL) == OK)
		add_wch(&out);
}

static void start_again(struct term *t)
{
	erase();
	clearok(stdscr, TRUE);
	change_blank(&t->change);
	t->again = false;
}

bool term_put(struct term *t, const struct grid *g, struct put put)
{
	const struct change_sink sink = {
		put_cell, t, LINES, put.urgent && !t->wire.pace.answers ? SIZE_MAX : pace_bytes(&t->wire.pace)
	};
	bool all;

	if (change_resize(&t->change, g) || t->again || put.again)
		start_again(t);
	all = change_put(&t->change, g, &sink);
	wnoutrefresh(stdscr);
	doupdate();
	wire_frame(&t->wire, put.now_us);
	return all;
}

/* --- keys --- */

static const struct {
	int curses, code;
} codes[] = {
	{ KEY_UP, KEYCODE_UP },         { KEY_DOWN, KEYCODE_DOWN },       { KEY_LEFT, KEYCODE_LEFT },
	{ KEY_RIGHT, KEYCODE_RIGHT },   { KEY_PPAGE, KEYCODE_PAGE_UP },   { KEY_NPAGE, KEYCODE_PAGE_DOWN },
	{ KEY_HOME, KEYCODE_HOME },     { KEY_END, KEYCODE_END },         { KEY_BTAB, KEYCODE_BACKTAB },
	{ KEY_DC, KEYCODE_DELETE },     { KEY_BACKSPACE, KEYCODE_BACKSPACE }, { KEY_ENTER, KEYCODE_ENTER },
	{ KEY_FIND, KEYCODE_HOME },     { KEY_SELECT, KEYCODE_END },
};

static int mouse_key(struct term *t)
{
	MEVENT e;

	if (getmouse(&e) != OK)
		return KEYCODE_NONE;
	t->click_row = e.y;
	t->click_col = e.x;
	if (e.bstate & BUTTON1_PRESSED)
		return KEYCODE_CLICK;
	if (e.bstate & BUTTON4_PRESSED)
		return KEYCODE_WHEEL_UP;
	return e.bstate & BUTTON5_PRESSED ? KEYCODE_WHEEL_DOWN : KEYCODE_NONE;
}

static int special_key(struct term *t, wint_t c)
{
	if (c == ANSWER_KEY)
		pace_answered(&t->wire.pace, clock_mono_us());
	if (c == KEY_MOUSE)
		return mouse_key(t);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if ((wint_t)codes[i].curses == c)
			return codes[i].code;
	if (c >= KEY_F(1) && c <= KEY_F(12))
		return KEYCODE_F1 + (int)c - KEY_F(1);
	return KEYCODE_NONE;
}

void term_click(const struct term *t, int *row, int *col)
{
	*row = t->click_row;
	*col = t->click_col;
}

int term_key(struct term *t)
{
	wint_t c;
	int key = KEYCODE_NONE;

	/* Keys that mean nothing here are passed over, so that NONE means that there are no more. */
	while (key == KEYCODE_NONE) {
		int kind = get_wch(&c);

		if (kind == ERR)
			return wire_is_gone(&t->wire) ? KEYCODE_END_OF_INPUT : KEYCODE_NONE;
		key = kind == KEY_CODE_YES ? special_key(t, c) : c == '\n' ? KEYCODE_ENTER : (int)c;
	}
	return key;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "keys.h"

#include "reclaimtop/names.h"
#include "view.h"

#define IN(view) (1u << (view))
#define BUT(view) (KEYS_VIEWS & ~IN(view))
#define TABLES (IN(VIEW_MEMCGS) | IN(VIEW_PROCESSES))
#define PATHS (IN(VIEW_GENERATIONS) | IN(VIEW_MEMCGS) | IN(VIEW_PROCESSES))

/* In the order of the footer: what is wanted most comes first. */
const struct key_entry key_entries[] = {
	/* Before those of all views that they stand for here. */
	{ { KEYCODE_LEFT, KEYCODE_RIGHT, KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN }, "Left Right PgUp/Dn", "←→", "Go",
	  "move the whole program to the column before or behind; PgUp and PgDn by half a screen", IN(VIEW_TIME),
	  time_key_go },
	{ { '+', '=', '-', '0' }, "+ - 0", "+-", "Zoom", "look closer, or from farther away; 0 all of the time",
	  IN(VIEW_TIME), time_key_zoom },
	{ { 'c' }, "c", "c", "Count", "memcgs by what was evicted, by what refaulted, by the time that tasks waited",
	  IN(VIEW_TIME), time_key_flow },
	{ { 'y' }, "y", "y", "Type", "pages of both types by age, anon alone, file alone", IN(VIEW_TIME),
	  time_key_types },
	{ { KEYCODE_ENTER }, "Enter", "Enter", "Open", "the map of the selected row alone, or all of them",
	  IN(VIEW_TIME), time_key_open },
	{ { KEYCODE_HOME, KEYCODE_END }, "Home End", NULL, NULL, "to the first sample, to the last", IN(VIEW_TIME),
	  time_key_end },
	{ { 'h', '?', KEYCODE_F1 }, "h ? F1", "h", "Help", "this help", 0, tui_key_help },
	{ { 'q', KEYCODE_F10 }, "q F10", "q", "Quit", "leave the program", 0, tui_key_quit },
	{ { 'e' }, "e", "e", "Explain", "explain a number: arrows go from one to the next, e or Esc ends it", 0,
	  tui_key_explain },
	{ { 'x' }, "x", "x", "Words", "the screen in five sentences; x or Esc ends it", 0, tui_key_story },
	{ { ' ' }, "Space", "Space", "Pause",
	  "hold the picture, or let it go on; in the past, play and stop. Sampling goes on in any case", 0,
	  tui_key_pause },
	{ { 't', 'T' }, "t T", "tT", "Step", "a sample on; a sample back", KEYS_GOING, going_key_step },
	{ { '[', ']' }, "[ ]", "[]", "Event",
	  "to the event before or to the next. On the time line: g generations were opened, w a watermark was "
	  "crossed, d direct reclaim began, c the clock was set, | samples are missing or the machine slept, "
	  "s another session, m a marker, ! an OOM kill. A capital: more than one of them", KEYS_GOING, going_key_moment },
	{ { 'j', 'J' }, "j J", "j", "Jump", "jump on by a time that is typed (30s, 5m, 1h30m), J back", KEYS_GOING,
	  going_key_jump },
	{ { 'b' }, "b", "b", "Clock", "go to a time of day: 14:30, 14:30:05", KEYS_GOING, going_key_clock },
	{ { 'g', 'G', '`' }, "g G", "gG", "Ends",
	  "to the first sample; to the last, which in a live session is now. Home and End do the same while the "
	  "time line is on screen (a click on it goes there), and ^ and $ go to the first and last row", KEYS_GOING, going_key_end },
	{ { '{', '}' }, "{ }", "{}", "Speed", "play slower or faster, from 0.1x to 100x", KEYS_GOING,
	  going_key_speed },
	{ { 'm' }, "m", "m", "Mark", "set a marker with a text at what is shown", KEYS_GOING, going_key_mark },
	{ { 'R' }, "R", "R", "Record", "record what is sampled from now on, or with the history too; R ends it",
	  KEYS_GOING | KEYS_SAMPLING, going_key_record },
	{ { 'l' }, "l", "l", "Line", "show the time line, or hide it", KEYS_GOING, going_key_line },
	{ { KEYCODE_LEFT, KEYCODE_RIGHT }, "Left Right", "←→", "Flow",
	  "choose a flow: the ledger says how much it is, how that is known, and what in the kernel does it",
	  IN(VIEW_GENERATIONS), tui_key_move },
	{ { KEYCODE_UP, KEYCODE_DOWN }, "Up Down", "↑↓", "Whose", "choose whose generations are shown",
	  IN(VIEW_GENERATIONS), tui_key_move },
	{ { 'a' }, "a", "a", "All", "all memcgs and nodes summed, or back to the one chosen before",
	  IN(VIEW_GENERATIONS), generations_key_all },
	{ { 'w' }, "w", "w", "Wider",
	  "the chosen memcg on all nodes, with those below it, its whole node, or it alone again",
	  IN(VIEW_GENERATIONS), generations_key_wide },
	{ { 'd' }, "d", "d", "Tables",
	  "the same as tables, with tiers and page-table walks, however long reading them takes",
	  IN(VIEW_GENERATIONS), generations_key_tiers },
	{ { 'z' }, "z", "z", "Slow", "all that moves goes at a tenth of its speed, or as it is again",
	  IN(VIEW_GENERATIONS) | IN(VIEW_PAGESETS), generations_key_slow },
	{ { 'o' }, "o", "o", "Log", "heights of blocks by the logarithm of their pages, or by their pages",
	  IN(VIEW_GENERATIONS), generations_key_log },
	{ { KEYCODE_ENTER }, "Enter", "Enter", "Open", "the generations of the selected memcg", IN(VIEW_MEMCGS),
	  memcgs_key_open },
	{ { 'v', KEYCODE_F5 }, "v F5", "v", "Tree", "as a tree, or as one list", IN(VIEW_MEMCGS),
	  memcgs_key_tree },
	{ { KEYCODE_LEFT, KEYCODE_RIGHT }, "Left Right", "←→", "CPU", "choose a CPU", IN(VIEW_PAGESETS),
	  pagesets_key_cpu },
	{ { KEYCODE_ENTER }, "Enter", "Enter", "Open",
	  "with more CPUs than have room: open those around the chosen one, or fold them all", IN(VIEW_PAGESETS),
	  pagesets_key_open },
	{ { 'v', KEYCODE_F5 }, "v F5", "v", "Table", "pagesets as numbers, or as vessels", IN(VIEW_PAGESETS),
	  pagesets_key_table },
	{ { 'p' }, "p", "p", "Types", "free pages by migratetype; reading them is costly, so only on request",
	  IN(VIEW_PAGESETS), pagesets_key_types },
	{ { '/' }, "/", "/", "Filter", "show only what holds a text; Enter keeps it, Esc clears it", PATHS,
	  tui_key_filter },
	{ { '<', '>' }, "< >", "<>", "Sort", "sort by the column to the left or to the right", TABLES,
	  tui_key_sort },
	{ { 'D' }, "D", "D", "Dying", "each dying memcg by itself, or all as one row", IN(VIEW_MEMCGS),
	  memcgs_key_dying },
	{ { 'r', 'I' }, "r I", "r", "Reverse", "turn the order round", TABLES, tui_key_reverse },
	{ { 'u' }, "u", "u", "Units", "sizes in bytes (K, M, G are powers of 1024) or in pages", 0,
	  tui_key_pages },
	{ { '-', '+', '=' }, "- +", "-+", "Pace", "shorter or longer time between two samples", BUT(VIEW_TIME) | KEYS_SAMPLING,
	  tui_key_pace },
	{ { 'S' }, "S", "S", "Save", "keep the screen as text and as a picture (SVG) in two new files", 0, tui_key_picture },
	{ { 'W' }, "W", "W", "Settings",
	  "keep theme, view, sorting, units and keys as they are now: they hold the next time, too", 0, tui_key_settings },
	{ { KEYCODE_TAB, KEYCODE_BACKTAB }, "Tab", "Tab", "Next", "next view; Shift-Tab is the one before", 0,
	  tui_key_next_view },
	{ { '1', '2', '3', '4', '5', '6' }, "1-6", NULL, NULL, "a view by its number", 0, tui_key_view },
	{ { KEYCODE_UP, KEYCODE_DOWN }, "Up Down", NULL, NULL, "select or scroll",
	  IN(VIEW_OVERVIEW) | TABLES | IN(VIEW_PAGESETS) | IN(VIEW_TIME), tui_key_move },
	{ { KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN, KEYCODE_HOME, KEYCODE_END }, "PgUp PgDn Home End", NULL, NULL,
	  "a page up or down, to the first row or to the last. While the time line is on screen (in a replay always, "
	  "unless l hides it) Home and End go in time instead: to the first sample, to the last", BUT(VIEW_TIME),
	  tui_key_move },
	{ { '^', '$' }, "^ $", NULL, NULL, "to the first row or to the last, whatever Home and End do just now", 0,
	  tui_key_edge },
	{ { KEYCODE_ESC }, "Esc", NULL, NULL,
	  "leave what is open, clear the filter; in Generations, back to the sum of all", 0, tui_key_back },
	{ { KEYCODE_CTRL_L }, "Ctrl-L", NULL, NULL, "draw the whole screen anew", 0, tui_key_redraw },
	{ { KEYCODE_CTRL_Z }, "Ctrl-Z", NULL, NULL, "stop the program; fg brings it back", 0, tui_key_suspend },
};

const uint32_t nkey_entries = sizeof(key_entries) / sizeof(key_entries[0]);

bool keys_has(const struct key_entry *entry, enum tui_view view)
{
	return !(entry->views & KEYS_VIEWS) || (entry->views & IN(view));
}

static bool holds(const struct key_entry *entry, int key)
{
	for (int i = 0; i < KEYS_EACH && entry->keys[i]; i++)
		if (entry->keys[i] == key)
			return true;
	return false;
}

const struct key_entry *keys_find(int key, enum tui_view view)
{
	for (uint32_t i = 0; i < nkey_entries; i++)
		if (holds(&key_entries[i], key) && keys_has(&key_entries[i], view))
			return &key_entries[i];
	return NULL;
}

static void print_views(const struct key_entry *entry, struct buf *out)
{
	const char *before = " [";

	if (!(entry->views & KEYS_VIEWS))
		return;
	for (int i = 0; i < VIEW_NR; i++) {
		if (!keys_has(entry, (enum tui_view)i))
			continue;
		buf_printf(out, "%s%s", before, views[i]->title);
		before = ", ";
	}
	buf_str(out, "]");
}

void keys_print(struct buf *out)
{
	for (uint32_t i = 0; i < nkey_entries; i++) {
		const struct key_entry *entry = &key_entries[i];

		buf_printf(out, "%-19s %s", entry->label, entry->help);
		print_views(entry, out);
		buf_str(out, "\n");
	}
}

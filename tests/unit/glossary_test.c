/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glossary_test.c - every term of art that a screen prints has its line in the help. The screens are those of tests/screens.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "reclaimtop/buf.h"
#include "reclaimtop/metrics.h"
#include "support_fake.h"
#include "support_grid.h"
#include "support_script.h"
#include "ui/tui/glossary.h"
#include "ui/tui/pen.h"

/* What nobody need know who has not read of reclaim. A new one goes here, and into the glossary. */
static const char *const terms[] = {
	"active", "aging", "allocations", "anon", "at max", "available", "back", "batch", "batches", "birth", "births", "blocks",
	"born", "buddy", "cgroup", "cgroups", "CMA", "compaction", "demoted", "direct", "dirty", "drain", "drained", "drains",
	"dying", "edge", "efficiency", "evict", "evicted", "eviction", "evictions", "fault", "faults", "file", "frag",
	"fragmented", "full", "generation", "generations", "gone", "high", "hit max", "huge page", "inactive", "kcompactd",
	"khugepaged", "khugepd", "kswapd", "limit", "lost", "low", "LRU", "lru_gen", "lru_gen_full", "lruvec", "lruvecs", "majflt",
	"max", "memcg", "memcgs", "MGLRU", "migratetype", "migratetypes", "min", "min_ttl", "mm_walk", "node", "nonleaf_young",
	"oldA", "oldest", "oldF", "OOM kill", "oom kills", "opened", "order", "page", "pages", "pageset", "pagesets", "pieces", "pressure",
	"proactive", "proactv", "promoted", "protect", "protected", "protection", "PSI", "reclaim", "refaulted", "refaults",
	"refill", "refilled", "refills", "rss", "scanned", "seq", "shmem", "slab", "some", "stall", "stolen", "stranded", "swap",
	"swapped", "swappiness", "swpin", "swpout", "tier", "tiers", "unexplained", "unmovable", "usable", "walk", "walks",
	"watermark", "watermarks", "working set", "youngest", "zone", "zones", "zone stalls", "zram", "zswap",
};

/* Other forms of a term, and those that a title has no room for. */
static const struct {
	const char *form, *term;
} forms[] = {
	{ "allocations", "allocation" }, { "batches", "batch" }, { "births", "birth" }, { "blocks", "block" }, { "born", "birth" },
	{ "cgroups", "cgroup" }, { "drained", "drain" }, { "drains", "drain" }, { "evict", "evicted" }, { "eviction", "evicted" },
	{ "evictions", "evicted" }, { "faults", "fault" }, { "frag", "fragmented" }, { "generations", "generation" },
	{ "khugepd", "khugepaged" }, { "lru_gen_full", "lru_gen" }, { "lruvecs", "lruvec" }, { "memcgs", "memcg" },
	{ "migratetypes", "migratetype" }, { "oldest", "youngest" }, { "oom kills", "OOM kill" }, { "pages", "page" },
	{ "pagesets", "pageset" }, { "proactv", "proactive" }, { "protect", "protection" }, { "refaults", "refaulted" },
	{ "refilled", "refill" }, { "refills", "refill" }, { "swapped", "swap" }, { "swpin", "swap" }, { "swpout", "swap" },
	{ "tiers", "tier" }, { "unmovable", "migratetype" }, { "walks", "walk" }, { "watermarks", "watermark" },
	{ "zones", "zone" }, { "kcompactd", "compaction" }, { "majflt", "fault" },
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

/* Does a text hold a term, as words of their own? */
static bool holds(const char *text, const char *term)
{
	size_t len = strlen(term);

	for (const char *at = text; (at = strcasestr(at, term)); at++)
		if ((at == text || !is_letter(at[-1])) && !is_letter(at[len]))
			return true;
	return false;
}

static bool is_explained(const char *term)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(forms[i].form, term))
			term = forms[i].term;
	for (uint32_t i = 0; i < nglossary; i++)
		if (holds(glossary[i].words, term))
			return true;
	return false;
}

/* All screens but those of the help, which hold the glossary itself. */
static void read_screens(struct buf *out)
{
	glob_t found;

	assert_int_equal(glob("tests/screens/*.txt", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		char *text = strstr(path, "help") || strstr(path, "glossary") ? NULL : fake_load(path, NULL);

		buf_str(out, text ? text : "");
		free(text);
	}
	globfree(&found);
}

static void every_term_on_a_screen_is_explained(void **state)
{
	struct buf screens = { 0 };
	uint32_t seen = 0;

	(void)state;
	read_screens(&screens);
	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		bool on_screen = holds(screens.data, terms[i]);

		seen += on_screen;
		if (on_screen && !is_explained(terms[i]))
			fail_msg("\"%s\" is on a screen, and not in the glossary", terms[i]);
	}
	assert_true(seen > 80);
	buf_fini(&screens);
}

/* Names of what e explains in one word are such terms. */
static void so_is_what_has_a_name(void **state)
{
	static const char *const plain[] = {
		"age", "check", "cpu", "count", "current", "fill", "free", "in", "managed", "memory", "mglru", "size", "walked",
		"restored", "activated", "deactivated", "stalled", "min_ttl_ms", "high_min", "high_max",
	};

	(void)state;
	for (uint32_t i = 0; i < nmetrics; i++) {
		bool known = strchr(metrics[i].name, ' ') || strchr(metrics[i].name, '.') || is_explained(metrics[i].name);

		for (size_t k = 0; k < sizeof(plain) / sizeof(plain[0]); k++)
			known |= !strcmp(plain[k], metrics[i].name);
		if (!known)
			fail_msg("\"%s\" is not in the glossary", metrics[i].name);
	}
}

static void from_a_to_z_and_short(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < nglossary; i++) {
		const struct glossary_entry *e = &glossary[i];

		if (i && strcasecmp(e->words, glossary[i - 1].words) <= 0)
			fail_msg("%s stands behind %s", e->words, glossary[i - 1].words);
		assert_int_equal(e->text[strlen(e->text) - 1], '.');
		assert_true(strlen(e->words) < GLOSSARY_INDENT);
		if (pen_wrap_lines(e->text, 80 - GLOSSARY_INDENT) > 2)
			fail_msg("%s needs more than two lines", e->words);
	}
}

/* The help shows all of them; one key goes there. */
static void the_help_has_them(void **state)
{
	struct stage s;
	int col;

	(void)state;
	stage_open(&s, "tests/roots/7.2-pressure", NULL);
	stage_size(&s, 400, 100);
	stage_to(&s, 1);
	stage_press(&s, 'h');
	for (uint32_t i = 0; i < nglossary; i++)
		if (find_text(&s.grid, glossary[i].words, &col) < 0)
			fail_msg("%s is not in the help", glossary[i].words);
	for (int cols = 60; cols <= 140; cols += 20) {
		stage_size(&s, 24, cols);
		stage_keys(&s, "<Home>g");
		assert_in_range(find_text(&s.grid, "Glossary", &col), 2, 6);
		assert_true(find_text(&s.grid, "aging", &col) > 0);
		stage_keys(&s, "<End>");
		assert_true(find_text(&s.grid, "zswap", &col) > 0);
	}
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_term_on_a_screen_is_explained), cmocka_unit_test(so_is_what_has_a_name),
		cmocka_unit_test(from_a_to_z_and_short), cmocka_unit_test(the_help_has_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

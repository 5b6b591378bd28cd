/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_parse.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASE "tests/cases/"

static void is_gen(const struct lruvec *v, uint64_t seq, uint64_t age, uint64_t anon, uint64_t file)
{
	const struct gen *g = parsed_gen(v, seq);

	assert_non_null(v);
	assert_non_null(g);
	assert_int_equal(g->age_ms, age);
	assert_int_equal(g->pages[TYPE_ANON], anon);
	assert_int_equal(g->pages[TYPE_FILE], file);
}

static uint64_t pages_of(const struct lruvec *v, enum page_type type)
{
	uint64_t sum = 0;

	assert_non_null(v);
	for (uint32_t i = 0; i < v->ngens; i++)
		sum += v->gens[i].pages[type];
	return sum;
}

static void kernel_layout(void **state)
{
	struct parsed p = parsed_string("memcg     1 /\n"
					" node     0\n"
					"         12     182345          0      20480 \n"
					"         13 4294967295      10244          1 \n"
					"         14      30122 4123456789   87654321 \n"
					"         15        511       1023 9876543210 \n",
					lru_gen_parse);
	const struct lruvec *v = parsed_lruvec(&p.s, "/", 0);

	(void)state;
	assert_int_equal(p.result, 0);
	assert_int_equal(p.s.nlruvecs, 1);
	assert_int_equal(v->memcg, 1);
	assert_int_equal(v->ngens, 4);
	assert_true(v->min_seq[TYPE_ANON] == UNKNOWN && v->min_seq[TYPE_FILE] == UNKNOWN);
	is_gen(v, 12, 182345, 0, 20480);
	is_gen(v, 13, 4294967295, 10244, 1);
	is_gen(v, 14, 30122, 4123456789, 87654321);
	is_gen(v, 15, 511, 1023, 9876543210);
	assert_int_equal(p.r.skipped + p.r.torn + p.r.cut, 0);
	parsed_free(&p);
}

/* One row in the kernel's layout, put in place of %s. */
static struct parsed parsed_row(const char *row)
{
	char text[400];

	snprintf(text, sizeof(text), "memcg     1 /\n node     0\n%s"
		 "         99          1          2          3 \n", row);
	return parsed_string(text, lru_gen_parse);
}

/* What differs from the layout by one character must not be read as if it did not. */
static void layout_is_checked(void **state)
{
	static const char *const bad[] = {
		"         12     182345          0      2 480 \n",
		"         12     182345          0      20x80 \n",
		"         12     182345          0      2048: \n",
		"         12     182345          0      2048/ \n",
		"         12     182345          0          + \n",
		"         12     182345          0            \n",
		"         12     182345          0      -0480 \n",
		"         12     182345          -      20480 \n",
		"         1a     182345          0      20480 \n",
		"         12     18\262345          0      20480 \n",
		"         12     18 345          0      20480 \n",
		"         12 !!!!182345          0      20480 \n",
		"         12     182345          0      20480y\n",
		"         12 12   12345          0      20480 \n",
		"         12 /234512345          0      20480 \n",
		"         12 1 34512345          0      20480 \n",
		"         12     182345          0      20480 1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct parsed p = parsed_row(bad[i]);
		const struct lruvec *v = parsed_lruvec(&p.s, "/", 0);

		if (v->ngens != 1 || p.r.skipped < 1)
			fail_msg("taken: %s", bad[i]);
		is_gen(v, 99, 1, 2, 3);
		parsed_free(&p);
	}
}

/* The same numbers, however they are set. */
static void other_layouts(void **state)
{
	static const char *const good[] = {
		"         12     182345          7      20480 \n",
		"         12     182345          7      20480\n",
		"12 182345 7 20480\n",
		"\t12\t182345\t7\t20480\t\n",
		"         12     182345          7      20480 \r\n",
		"         12     182345          7      20480\u00b7\n",
		"         12     182345          7      20480\u00b7\r\n",
		"         12     182345          7\u00b7     20480\u00b7\n",
		"                   12               182345               7             20480 \n",
		" 0000000012 0000182345 0000000007 0000020480 \n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct parsed p = parsed_row(good[i]);
		const struct lruvec *v = parsed_lruvec(&p.s, "/", 0);

		if (v->ngens != 2 || p.r.skipped)
			fail_msg("not taken: %s", good[i]);
		is_gen(v, 12, 182345, 7, 20480);
		parsed_free(&p);
	}
}

static void too_large_is_unknown(void **state)
{
	struct parsed p =
		parsed_row("         12     182345 18446744073709551616 18446744073709551613 \n");
	const struct lruvec *v = parsed_lruvec(&p.s, "/", 0);

	(void)state;
	is_gen(v, 12, 182345, UNKNOWN, 18446744073709551613u);
	parsed_free(&p);
	p = parsed_row(" 99999999999999999999     182345          0          1 \n");
	assert_int_equal(parsed_lruvec(&p.s, "/", 0)->ngens, 1);
	assert_int_equal(p.r.skipped, 1);
	parsed_free(&p);
}

static void sixteen_generations(void **state)
{
	char text[4096] = "memcg 1 /\n node 0\n";
	struct parsed p;

	(void)state;
	for (int i = 0; i < 18; i++)
		sprintf(text + strlen(text), " %10d %10d %10d  %10d \n", i, 100 - i, i, 2 * i);
	p = parsed_string(text, lru_gen_parse);
	assert_int_equal(p.s.lruvecs[0].ngens, 16);
	is_gen(&p.s.lruvecs[0], 15, 85, 15, 30);
	assert_int_equal(p.r.skipped, 2);
	parsed_free(&p);
}

static void rows_must_ascend(void **state)
{
	struct parsed p = parsed_row("        100          1          2          3 \n");

	(void)state;
	assert_int_equal(p.s.lruvecs[0].ngens, 1);
	is_gen(&p.s.lruvecs[0], 100, 1, 2, 3);
	assert_int_equal(p.r.skipped, 1);
	parsed_free(&p);
}

/* A last line without its end is a row only if the mark behind its last number is there. */
static void cut_in_a_row(void **state)
{
	static const char text[] = "memcg     1 /\n node     0\n"
				   "         12     182345          7      20480 \n"
				   "         13          1          8      20481 ";
	struct text t = { text, sizeof(text) - 1 };
	struct parsed p = parsed_text(t, lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.lruvecs[0].ngens, 2);
	assert_true(p.r.cut);
	parsed_free(&p);
	t.len--;
	p = parsed_text(t, lru_gen_parse);
	assert_int_equal(p.s.lruvecs[0].ngens, 1);
	is_gen(&p.s.lruvecs[0], 12, 182345, 7, 20480);
	assert_true(p.r.cut);
	parsed_free(&p);
}

static void nothing_in_it(void **state)
{
	static const char *const texts[] = { "", "\n", "memcg 1 /\n", "memcg 1 /\n node 0\n",
					     "nonsense\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct parsed p = parsed_string(texts[i], lru_gen_parse);

		assert_int_equal(p.result, -ENODATA);
		assert_int_equal(p.s.nlruvecs, 0);
		parsed_free(&p);
	}
}

static void minus_zero(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-minus-zero/lru_gen", lru_gen_parse);
	const struct lruvec *v = parsed_lruvec(&p.s, "/", 0);
	uint64_t anon = 0, file = 0;
	uint32_t memcgs = 0, dead = 0;

	(void)state;
	is_gen(v, 0, 589359037, 0, 0);
	assert_int_equal(v->gens[0].evicted, 1 << TYPE_FILE);
	for (uint32_t i = 0; i < p.s.nlruvecs; i++) {
		v = &p.s.lruvecs[i];
		memcgs += !i || strcmp(v->path, v[-1].path);
		dead += v->memcg == 0;
		for (uint32_t j = 0; j < v->ngens; j++) {
			anon = v->gens[j].pages[0] > anon ? v->gens[j].pages[0] : anon;
			file = v->gens[j].pages[1] > file ? v->gens[j].pages[1] : file;
		}
	}
	assert_int_equal(memcgs, 12);
	assert_int_equal(dead, 3);
	assert_int_equal(anon, 7254);
	assert_int_equal(file, 417259);
	v = parsed_lruvec(&p.s, "/justto.slice/justtod-readahead-replay.service", 0);
	assert_int_equal(pages_of(v, TYPE_FILE), 266694 + 21);
	v = parsed_lruvec(&p.s, "/justto.slice/tea0-domainname.service", 0);
	assert_int_equal(pages_of(v, TYPE_FILE), 6 + 198);
	v = parsed_lruvec(&p.s, "/justto.slice/kdump.service", 0);
	assert_int_equal(pages_of(v, TYPE_FILE), 417259);
	is_gen(parsed_lruvec(&p.s, "/docker.slice", 0), 3, 589334407, 7254, 146884);
	parsed_free(&p);
}

static void first_node_is_one(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-minus-zero/lru_gen", lru_gen_parse);
	const struct lruvec *v = parsed_lruvec(&p.s, "/aabbc/staraabbc", 1);

	(void)state;
	assert_null(parsed_lruvec(&p.s, "/aabbc/staraabbc", 0));
	assert_int_equal(v->gens[0].seq, 2);
	assert_int_equal(v->gens[v->ngens - 1].seq, 5);
	v = parsed_lruvec(&p.s, "/aabbc/TEAE-iaabbc", 0);
	assert_int_equal(v->gens[0].seq, 0);
	assert_int_equal(v->gens[3].seq, 3);
	v = parsed_lruvec(&p.s, "/aabbc/TEAE-iaabbc", 1);
	assert_int_equal(v->gens[0].seq, 3);
	assert_int_equal(v->gens[3].seq, 6);
	assert_int_equal(p.r.torn + p.r.skipped, 0);
	/* A backslash in a unit's name is text, and escaped like any backslash. */
	assert_non_null(parsed_lruvec(&p.s, "/justto.slice/justto-serial\\\\x2dgetty.slice", 0));
	parsed_free(&p);
}

/* Rows without the line of a node are nobody's, above all not the memcg's before. */
static void rows_without_node(void **state)
{
	struct text t = text_load(CASE "lru_gen-minus-zero/lru_gen");
	char *kept = calloc(1, t.len + 1), *out = kept;
	struct parsed p;

	(void)state;
	for (const char *at = t.buf; at < t.buf + t.len;) {
		const char *end = memchr(at, '\n', (size_t)(t.buf + t.len - at));

		if (strncmp(at, " node", 5)) {
			memcpy(out, at, (size_t)(end + 1 - at));
			out += end + 1 - at;
		}
		at = end + 1;
	}
	p = parsed_string(kept, lru_gen_parse);
	assert_int_equal(p.result, -ENODATA);
	assert_int_equal(p.s.nlruvecs, 0);
	assert_int_equal(p.r.torn, 12);
	parsed_free(&p);
	free(kept);
	free((char *)t.buf);
}

static void header_spellings(void **state)
{
	static const struct {
		const char *file, *path;
		uint64_t id;
	} headers[] = {
		{ CASE "lru_gen-headers/h1.nopath", "/", 0 },
		{ CASE "lru_gen-headers/h2.nomemcg", "/", 0 },
		{ CASE "lru_gen-headers/h3.root", "/", 1 },
		{ CASE "lru_gen-headers/h4.newid", NULL, 4295032833 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct parsed p = parsed_file(headers[i].file, lru_gen_parse);
		const struct lruvec *v = p.s.lruvecs;

		assert_int_equal(p.s.nlruvecs, 1);
		assert_int_equal(v->memcg, headers[i].id);
		if (headers[i].path)
			assert_string_equal(v->path, headers[i].path);
		assert_int_equal(v->ngens, 4);
		is_gen(v, 695, 40523, 18334, 4175);
		is_gen(v, 696, 35101, 35592, 22242);
		is_gen(v, 697, 10961, 32552, 12081);
		is_gen(v, 698, 3419, 21460, 4438);
		lru_gen_mark_dying(&p.s);
		assert_false(v->dying);
		parsed_free(&p);
	}
}

static void block_without_memcg(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-torn/torn.1", lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 4);
	assert_int_equal(p.r.torn, 1);
	assert_int_equal(p.r.skipped, 0);
	is_gen(parsed_lruvec(&p.s, "/a.slice", 0), 1, 8000, 3, 4);
	is_gen(parsed_lruvec(&p.s, "/a.slice", 1), 0, 9000, 5, 6);
	is_gen(parsed_lruvec(&p.s, "/a.slice", 1), 1, 8000, 7, 8);
	assert_null(parsed_gen(parsed_lruvec(&p.s, "/a.slice", 1), 4));
	is_gen(parsed_lruvec(&p.s, "/c.slice", 1), 1, 800, 0, 0);
	parsed_free(&p);
}

/* Once a block is doubtful, what follows it is too, up to the next memcg. */
static void doubt_lasts(void **state)
{
	struct parsed p = parsed_string(" node 0\n 1 1 1 1 \n 2 1 1 1 \n"
					"memcg 5 /a\n node 0\n 1 1 1 1 \n node 1\n 1 1 1 1 \n"
					" node 1\n 7 7 7 7 \n node 2\n 8 8 8 8 \n"
					"memcg 6 /b\n node 0\n 1 1 1 1 \n", lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 3);
	assert_int_equal(p.r.torn, 3);
	assert_null(parsed_lruvec(&p.s, "/a", 2));
	assert_non_null(parsed_lruvec(&p.s, "/b", 0));
	parsed_free(&p);
}

static void memcg_twice(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-torn/torn.2", lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 1);
	is_gen(p.s.lruvecs, 0, 9010, 1, 1);
	is_gen(p.s.lruvecs, 1, 8010, 3, 4);
	parsed_free(&p);
}

/* The newer copy of a memcg may have fewer nodes: the others' stay, and all stand together. */
static void memcg_twice_in_part(void **state)
{
	struct parsed p = parsed_string("memcg 5 /a\n node 0\n 1 1 1 1 \n node 1\n 1 1 2 2 \n"
					"memcg 6 /b\n node 0\n 1 1 3 3 \n"
					"memcg 5 /a\n node 0\n 1 1 9 9 \n"
					"memcg 7 /c\n node 0\n 1 1 4 4 \n", lru_gen_parse);
	const struct lruvec *v = p.s.lruvecs;

	(void)state;
	assert_int_equal(p.s.nlruvecs, 4);
	assert_string_equal(v[0].path, "/b");
	assert_string_equal(v[1].path, "/a");
	assert_string_equal(v[2].path, "/a");
	assert_string_equal(v[3].path, "/c");
	is_gen(&v[1], 1, 1, 9, 9);
	is_gen(&v[2], 1, 1, 2, 2);
	parsed_free(&p);
}

static void first_node_is_two(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-torn/nonode0", lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 2);
	assert_int_equal(p.r.torn, 0);
	is_gen(parsed_lruvec(&p.s, "/", 2), 0, 9000, 1, 2);
	is_gen(parsed_lruvec(&p.s, "/", 5), 1, 8000, 0, 0);
	parsed_free(&p);
}

static void hostile_names(void **state)
{
	struct parsed p = parsed_file(CASE "names-hostile/lru_gen", lru_gen_parse);

	(void)state;
	assert_int_equal(p.s.nlruvecs, 4);
	assert_int_equal(p.r.torn + p.r.skipped, 0);
	is_gen(parsed_lruvec(&p.s, "/evil\\x1b[2J\\x1b]0;pwned\\x07", 0), 0, 1000, 1, 2);
	is_gen(parsed_lruvec(&p.s, "/raw\\xff\\xfe", 0), 0, 1000, 5, 6);
	is_gen(parsed_lruvec(&p.s, "/ two  blanks ", 0), 0, 1000, 9, 10);
	is_gen(parsed_lruvec(&p.s, "/node     7", 0), 0, 1000, 13, 14);
	parsed_free(&p);
}

/* A CR at the end of a name is the name's, unless all lines end so. */
static void names_and_line_ends(void **state)
{
	struct parsed p = parsed_string("memcg 1 /a\r\n node 0\n 1 1 1 1 \n", lru_gen_parse);

	(void)state;
	assert_string_equal(p.s.lruvecs[0].path, "/a\\x0d");
	parsed_free(&p);
	p = parsed_string("memcg 1 /a\r\n node 0\r\n 1 1 1 1 \r\n\r\n", lru_gen_parse);
	assert_string_equal(p.s.lruvecs[0].path, "/a");
	assert_int_equal(p.r.skipped, 0);
	parsed_free(&p);
}

static void dying_by_id(void **state)
{
	struct parsed p = parsed_file(CASE "lru_gen-minus-zero/lru_gen", lru_gen_parse);

	(void)state;
	lru_gen_mark_dying(&p.s);
	for (uint32_t i = 0; i < p.s.nlruvecs; i++)
		assert_int_equal(p.s.lruvecs[i].dying, p.s.lruvecs[i].memcg == 0);
	parsed_free(&p);
}

static void dying_by_path(void **state)
{
	struct parsed p = parsed_string("memcg 1 /\n node 0\n 1 1 1 1 \n node 1\n 1 1 1 1 \n"
					"memcg 30 /a\n node 0\n 1 1 1 1 \n node 1\n 1 1 1 1 \n"
					"memcg 0 /a\n node 0\n 1 1 1 1 \n"
					"memcg 40 /b\n node 0\n 1 1 1 1 \n"
					"memcg 50 /a\n node 0\n 1 1 1 1 \n node 1\n 1 1 1 1 \n"
					"memcg 60 /a\n node 0\n 1 1 1 1 \n", lru_gen_parse);
	struct memcg folder = { .path = "/a", .id = 50 };
	static const bool last[] = { 0, 0, 1, 1, 1, 0, 1, 1, 0 };
	static const bool by_inode[] = { 0, 0, 1, 1, 1, 0, 0, 0, 1 };

	(void)state;
	lru_gen_mark_dying(&p.s);
	for (uint32_t i = 0; i < p.s.nlruvecs; i++) {
		assert_int_equal(p.s.lruvecs[i].dying, last[i]);
		p.s.lruvecs[i].dying = false;
	}
	p.s.memcgs = &folder;
	p.s.nmemcgs = 1;
	p.s.machine.version = 70200;
	lru_gen_mark_dying(&p.s);
	for (uint32_t i = 0; i < p.s.nlruvecs; i++)
		assert_int_equal(p.s.lruvecs[i].dying, by_inode[i]);
	parsed_free(&p);
}

/*
 * Thousands of memcgs, a third of them removed with paths that come again: the memory stays
 * bounded.
 */
static void many_dying(void **state)
{
	enum { MEMCGS = 5000, NODES = 8, ROW = 47 };
	size_t size = (size_t)MEMCGS * (80 + NODES * (12 + 4 * ROW)), len = 0;
	char *text = malloc(size);
	uint32_t dying = 0;
	struct parsed p;

	(void)state;
	for (int i = 1; i <= MEMCGS; i++) {
		if (i % 3 == 0)
			len += (size_t)sprintf(
				text + len, "memcg %5u /system.slice/job-%d.service\n", 0, i % 100);
		else
			len += (size_t)sprintf(text + len, "memcg %5u /kubepods.slice/c%d.scope\n",
					       i, i);
		for (int node = 0; node < NODES; node++) {
			len += (size_t)sprintf(text + len, " node %5d\n", node);
			for (int g = 0; g < 4; g++)
				len += (size_t)sprintf(text + len, " %10d %10d %10d  %10d \n",
						       g + i % 7, (4 - g) * 10000, i % 50,
						       i % 1000);
		}
	}
	p = parsed_text((struct text){ text, len }, lru_gen_parse);
	assert_int_equal(p.s.nlruvecs, MEMCGS * NODES);
	/* 100,000 memcgs on 8 nodes within 200 MiB. */
	assert_true(arena_used(p.s.arena) < ((size_t)200 << 20) / (100000 / MEMCGS));
	lru_gen_mark_dying(&p.s);
	for (uint32_t i = 0; i < p.s.nlruvecs; i++)
		dying += p.s.lruvecs[i].dying;
	assert_int_equal(dying, MEMCGS / 3 * NODES);
	parsed_free(&p);
	free(text);
}

static void oldest_ages(void **state)
{
	struct parsed p = parsed_file(CASE "min-ttl-kills/lru_gen", lru_gen_parse);

	(void)state;
	is_gen(parsed_lruvec(&p.s, "/", 0), 10, 700, 100, 2000);
	is_gen(parsed_lruvec(&p.s, "/", 0), 13, 100, 90000, 200);
	parsed_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel_layout),
		cmocka_unit_test(layout_is_checked),
		cmocka_unit_test(other_layouts),
		cmocka_unit_test(too_large_is_unknown),
		cmocka_unit_test(sixteen_generations),
		cmocka_unit_test(rows_must_ascend),
		cmocka_unit_test(cut_in_a_row),
		cmocka_unit_test(nothing_in_it),
		cmocka_unit_test(minus_zero),
		cmocka_unit_test(first_node_is_one),
		cmocka_unit_test(rows_without_node),
		cmocka_unit_test(header_spellings),
		cmocka_unit_test(block_without_memcg),
		cmocka_unit_test(doubt_lasts),
		cmocka_unit_test(memcg_twice),
		cmocka_unit_test(memcg_twice_in_part),
		cmocka_unit_test(first_node_is_two),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(names_and_line_ends),
		cmocka_unit_test(dying_by_id),
		cmocka_unit_test(dying_by_path),
		cmocka_unit_test(many_dying),
		cmocka_unit_test(oldest_ages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
